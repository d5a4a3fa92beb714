/* The whole boundary of every body in the reference shape, from which the thickness of a body at a place follows. */
#pragma once

#include "model/model.h"

typedef struct CrSkin CrSkin;

/* Gathers the boundaries of all bodies. Collective. */
PetscErrorCode CrSkinCreate(const CrModel *model, CrSkin **skin);
PetscErrorCode CrSkinDestroy(CrSkin **skin);
/* The thickness of a body behind the place X of its surface: the length of a ray from X against the outward normal, up
   to the point where it leaves the body. If it never does, the result is the size of the body. The ray is followed
   piece by piece; `piece` is the length of the first one. */
PetscReal CrSkinThickness(const CrSkin *skin, PetscInt body, const PetscReal X[3],
                          const PetscReal normal[3], PetscReal piece);

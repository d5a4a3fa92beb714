/* The whole boundary of every body, in the reference shape: how thick a body is behind a place of its surface. */
#pragma once

#include "model/model.h"

typedef struct CrSkin CrSkin;

/* Gathers the boundaries of all bodies. Collective. */
PetscErrorCode CrSkinCreate(const CrModel *model, CrSkin **skin);
PetscErrorCode CrSkinDestroy(CrSkin **skin);
/* The way from the place X on the surface of a body against the outward normal, until it leaves the body; the size
   of the body if it does not. `piece` is the length of the first piece of the way that is looked at. */
PetscReal CrSkinThickness(const CrSkin *skin, PetscInt body, const PetscReal X[3],
                          const PetscReal normal[3], PetscReal piece);

/* The whole boundary of every body in the reference shape, from which the thickness of a body at a place follows. Each
   facet is stored on one rank. */
#pragma once

#include "model/model.h"

typedef struct CrSkin CrSkin;

/* A ray from the place X of the surface of a body against the outward normal. The ray is followed piece by piece;
   `piece` is the length of the first piece. */
typedef struct {
  PetscInt  body;
  PetscReal X[3], normal[3], piece;
} CrSkinRay;

/* Collects the boundaries of all bodies. Collective. */
PetscErrorCode CrSkinCreate(const CrModel *model, CrSkin **skin);
PetscErrorCode CrSkinDestroy(CrSkin **skin);
/* Computes the thickness of bodies behind some places: the lengths of rays up to the points where they leave their
   body. If a ray does not leave its body, the result is the size of the body. Each rank has its own rays.
   Collective. */
PetscErrorCode CrSkinTrace(const CrSkin *skin, PetscInt n, const CrSkinRay rays[],
                           PetscReal thickness[]);

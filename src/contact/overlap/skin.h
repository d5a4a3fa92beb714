/* The whole boundary of every body in the reference shape. The boundary is used to compute the thickness of a body at a
   given place. Each facet of the boundary is stored on one rank. */
#pragma once

#include "model/model.h"

typedef struct CrSkin CrSkin;

/* A ray that starts at the point X on the surface of a body and goes inward, against the outward normal. The ray is
   followed piece by piece. `piece` is the length of the first piece. */
typedef struct {
  PetscInt  body;
  PetscReal X[3], normal[3], piece;
} CrSkinRay;

/* Creates the list of the boundary facets of all bodies. Collective. */
PetscErrorCode CrSkinCreate(const CrModel *model, CrSkin **skin);
PetscErrorCode CrSkinDestroy(CrSkin **skin);
/* Computes thickness[k], the length of rays[k] up to the point where the ray leaves its body. If a ray does not leave
   its body, the result is the size of the body. Each rank passes its own n rays. Collective. */
PetscErrorCode CrSkinTrace(const CrSkin *skin, PetscInt n, const CrSkinRay rays[],
                           PetscReal thickness[]);

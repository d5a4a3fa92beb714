/* A boundary as contact sees it: linear facets (quadratic faces are split), complete and in the same
   order on every rank, with what follows from the reference shape. */
#pragma once

#include "model/model.h"

typedef struct {
  PetscInt   dim, body;
  PetscInt   nnodes;
  PetscInt  *nodes;  /* local nodes of the model (owned or ghost), in the order of the set; owned */
  PetscReal *weight; /* [nnodes] reference area that belongs to a node (2D: length times thickness),
                        owned */
  PetscReal *normal; /* [nnodes*dim] mean outward normal of the facets around a node in the
                        reference shape, unit; 3D: each by its angle at the node; owned */
  PetscBool *rim;    /* [nnodes] some edge at the node is open; owned */
  PetscInt   nfacets;
  PetscInt  *ncorners; /* [nfacets] 2, 3 or 4; owned */
  PetscInt  *corners; /* [nfacets*4] local nodes of the model, outward; -1 behind the last; owned */
  PetscInt  *neighbour; /* [nfacets*4] facet beyond edge a (kinematics.h), -1: open; owned */
  PetscInt  *patch; /* [nfacets] smooth patches, numbered from 0: a crease sharper than 60 degrees
                           separates them; owned */
  PetscInt   npatches;
  PetscReal *size;                  /* [nfacets] length, or square root of area; owned */
  PetscReal  mean_size, least_size; /* of the facets */
  PetscInt  *around_start, *around; /* facets around node i of nodes[], compressed; owned */
} CrSurface;

PetscErrorCode CrSurfaceCreate(const CrModel *model, const CrModelSet *set, CrSurface **surface);
PetscErrorCode CrSurfaceDestroy(CrSurface **surface);
/* Is facet f the node's own (i: index into nodes[]), or does it share a node with one of its own?
   For self-contact. */
PetscBool CrSurfaceIsNear(const CrSurface *surface, PetscInt i, PetscInt f);

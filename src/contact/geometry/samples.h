/* Samples: points between the nodes of a surface that contact has beside them (theory 13.11). With m samples along a
   facet they are the points k/m of a segment, or the grid of a triangle or quad. A sample moves with the corners of its
   facet, x_S = sum c_a x_a with constant c_a, so that gap and slip are those of a node in its place. */
#pragma once

#include "contact/geometry/surface.h"

typedef struct {
  PetscInt n, nodes[4]; /* local nodes of the model that it moves with: of a facet, or of an edge */
  PetscReal c[4];       /* their parts; the sum is 1 */
  PetscInt  facets[2];  /* of the surface; the second one lies beyond its edge; -1: none */
  PetscInt  vertex;     /* number of its first node in surface->nodes */
  PetscReal weight;     /* reference area (2D: length times thickness) that belongs to it */
  PetscReal spacing;    /* as that of nodes (features.h), of the facets it lies on */
  PetscReal turn;       /* 3D: of its edge, if that is convex; else 0 */
} CrSample;

typedef struct {
  const CrSurface *surface; /* borrowed */
  PetscInt         m, n;
  CrSample        *list; /* [n]; owned */
} CrSamples;

PetscErrorCode CrSamplesCreate(const CrModel *model, const CrSurface *surface, PetscInt m,
                               CrSamples **samples);
PetscErrorCode CrSamplesDestroy(CrSamples **samples);
/* The part of its area that is left to a node beside the samples: 1/m, or 1/m^2. */
PetscReal CrSamplesLeave(const CrSamples *samples);
/* Does facet f of the surface share a node with the facets of a sample? In self-contact the two cannot touch. */
PetscBool CrSampleIsNear(const CrSurface *surface, const CrSample *sample, PetscInt f);
/* As CrIsAdmitted, for a sample: inside a facet its normal counts alone, on an edge those of both facets and all
   between them. */
PetscBool CrSampleIsAdmitted(const CrModel *model, const CrSurface *surface, const CrSample *sample,
                             const PetscReal *u, const PetscReal nu[3], PetscReal tol);
/* As CrLiesFlat. */
PetscBool CrSampleLiesFlat(const CrModel *model, const CrSurface *surface, const CrSample *sample,
                           const PetscReal *u, const PetscReal nu[3], PetscReal tol);

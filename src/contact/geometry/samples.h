/* Samples: additional slaves between the nodes of a surface (theory 13.11). With m samples along a facet, the samples
   of a segment lie at the fractions k/m of its length. The samples of a triangle or quad form a grid. A sample moves
   with the corners of its facet, x_S = sum c_a x_a with constant c_a. So its gap and slip are computed like those of a
   node at this position. */
#pragma once

#include "contact/geometry/surface.h"

typedef struct {
  /* local nodes with which the sample moves: those of a facet, or of an edge */
  PetscInt  n, nodes[4];
  PetscReal c[4]; /* coefficients c_a of these nodes; the sum is 1 */
  /* the facet of the sample, and for a sample on an edge the facet beyond it; -1: none */
  PetscInt  facets[2];
  PetscInt  vertex;  /* index of its first node in surface->nodes */
  PetscReal weight;  /* reference area of the sample (2D: length times thickness) */
  PetscReal spacing; /* spacing of nodes on its facets (features.h) */
  PetscReal turn;    /* 3D, on a convex edge: angle between the normals of the two facets; else 0 */
} CrSample;

/* Puts a sample on an edge at a fraction of its length. */
static inline void CrSamplePut(CrSample *sample, PetscReal fraction)
{
  sample->c[0] = 1 - fraction;
  sample->c[1] = fraction;
}

typedef struct {
  const CrSurface *surface; /* borrowed */
  PetscInt         m, n;
  CrSample        *list; /* [n]; owned */
} CrSamples;

PetscErrorCode CrSamplesCreate(const CrModel *model, const CrSurface *surface, PetscInt m,
                               CrSamples **samples);
/* Makes one sample for each of n convex edges of the surface, by their numbers in surface->features->ridges. Its place
   on the edge is the middle; a method may move it. */
PetscErrorCode CrSamplesOfEdges(const CrModel *model, const CrSurface *surface, PetscInt n,
                                const PetscInt *ridges, const PetscReal *weights,
                                CrSamples **samples);
PetscErrorCode CrSamplesDestroy(CrSamples **samples);
/* Returns the fraction of its area that a node keeps; the remaining area belongs to the samples. This fraction is 1/m
   in 2D, and 1/m^2 in 3D. */
PetscReal CrSamplesLeave(const CrSamples *samples);
/* Returns true if facet f of the surface shares a node with the facets of a sample. In self-contact such a facet and
   sample cannot touch. */
PetscBool CrSampleIsNear(const CrSurface *surface, const CrSample *sample, PetscInt f);
/* Does the same as CrIsAdmitted, for a sample. Inside a facet, the cone of normals is the normal of the facet. On an
   edge, it contains all normals between those of the two facets. */
PetscBool CrSampleIsAdmitted(const CrModel *model, const CrSurface *surface, const CrSample *sample,
                             const PetscReal *u, const PetscReal nu[3], PetscReal tol);
/* Does the same as CrLiesFlat (features.h), for a sample. */
PetscBool CrSampleLiesFlat(const CrModel *model, const CrSurface *surface, const CrSample *sample,
                           const PetscReal *u, const PetscReal nu[3], PetscReal tol);

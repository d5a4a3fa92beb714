/* Samples are additional slaves between the nodes of a surface (theory 13.11). With m samples along a facet, the
   samples of a segment lie at the fractions k/m of its length. The samples of a triangle or quad form a grid. A sample
   moves with the corners of its facet. Its position is x_S = sum c_a x_a, with the corners x_a and constant c_a. So the
   gap and slip of a sample are computed like the gap and slip of a node at this position. */
#pragma once

#include "contact/geometry/surface.h"
#include "rigid/corners.h"

typedef struct {
  /* the n local nodes with which the sample moves: the corners of a facet, or the ends of an edge */
  PetscInt  n, nodes[4];
  PetscReal c[4]; /* coefficients c_a of these nodes; their sum is 1 */
  /* facets[0] is the facet of the sample. If the sample is on an edge, facets[1] is the facet on the other side of the
     edge; -1: there is none. */
  PetscInt  facets[2];
  PetscInt  vertex;  /* index of the sample's first node in surface->nodes */
  PetscReal weight;  /* reference area of the sample (2D: length times thickness) */
  PetscReal spacing; /* distance of neighbouring nodes on its facets (features.h) */
  /* 3D, on a convex edge: angle between the facets' normals, in radians; else 0 */
  PetscReal turn;
  /* Points of long edges (CrSamplesOfLongEdges): the point is used only if its edge has to be divided into this number
     of parts or more; 0 for all other samples. stretches: the samples of the whole surface divide the edge already into
     this number of equal stretches. */
  PetscInt parts, stretches;
  /* Points of an edge of a rigid body: number of the edge in its shape. nodes[] are then corners of the shape, and
     `weight`, `spacing` and `facets` have no meaning. */
  PetscInt edge;
} CrSample;

/* Moves a sample on an edge to the given fraction of the edge's length. */
static inline void CrSamplePut(CrSample *sample, PetscReal fraction)
{
  sample->c[0] = 1 - fraction;
  sample->c[1] = fraction;
}

typedef struct {
  const CrSurface *surface; /* NULL: the points are those of a rigid body; borrowed */
  PetscInt         m, n;
  CrSample        *list; /* [n]; owned */
} CrSamples;

/* Creates the samples of a surface, with m samples along each facet. */
PetscErrorCode CrSamplesCreate(const CrModel *model, const CrSurface *surface, PetscInt m,
                               CrSamples **samples);
/* Creates one sample in the middle of each of n convex edges of the surface. ridges[] are the indices of these edges in
   surface->features->ridges, and weights[] are the areas of the samples. A method may move a sample along its edge. */
PetscErrorCode CrSamplesOfEdges(const CrModel *model, const CrSurface *surface, PetscInt n,
                                const PetscInt *ridges, const PetscReal *weights,
                                CrSamples **samples);
/* Creates the points of long edges of a surface (theory 13.11): points on those convex edges that turn by more than
   `corner` (radians) and are longer than facets of the size `finest`. `m`: number of stretches into which other samples
   divide each edge. Which of the points are used depends on the facet that they touch (CrLongEdgeParts). */
PetscErrorCode CrSamplesOfLongEdges(const CrModel *model, const CrSurface *surface,
                                    PetscReal corner, PetscInt m, PetscReal finest,
                                    CrSamples **samples);
/* Creates the points of long edges of a rigid body: points on all edges of its shape that turn by more than `corner`. */
PetscErrorCode CrSamplesOfBody(const CrShape *shape, PetscReal corner, PetscReal finest,
                               CrSamples **samples);
/* Returns the number of parts, a power of two, into which an edge of the given length is divided where it touches a
   facet that extends by `extent` along the edge. */
PetscInt       CrLongEdgeParts(PetscReal length, PetscReal extent);
PetscErrorCode CrSamplesDestroy(CrSamples **samples);
/* Returns the fraction of a node's area that the node keeps. The remaining area belongs to the samples. This fraction
   is 1/m in 2D, and 1/m^2 in 3D. */
PetscReal CrSamplesLeave(const CrSamples *samples);
/* Returns true if facet f of the surface shares a node with the facets of a sample. In self-contact such a facet and
   sample cannot touch. */
PetscBool CrSampleIsNear(const CrSurface *surface, const CrSample *sample, PetscInt f);
/* Does the same as CrIsAdmitted, for a sample. Inside a facet, the cone of normals is the normal of the facet. On an
   edge, the cone contains all normals between the normals of the two facets. */
PetscBool CrSampleIsAdmitted(const CrModel *model, const CrSurface *surface, const CrSample *sample,
                             const PetscReal *u, const PetscReal nu[3], PetscReal tol);
/* Does the same as CrLiesFlat (features.h), for a sample. */
PetscBool CrSampleLiesFlat(const CrModel *model, const CrSurface *surface, const CrSample *sample,
                           const PetscReal *u, const PetscReal nu[3], PetscReal tol);
/* Returns the width of the facet at the edge of a sample that lies flat on a surface with the normal nu, up to the angle
   tol; 0: none does. */
PetscReal CrSampleFlatWidth(const CrModel *model, const CrSurface *surface, const CrSample *sample,
                            const PetscReal *u, const PetscReal nu[3], PetscReal tol);

/* Lifted vertices of quadratic faces (theory 13.1). Contact springs see a quadratic face as linear facets. A vertex of
   these facets at a mid-side node m, between the ends a and b of its edge, has the position

     x = 4/3 x_m - 1/6 (x_a + x_b)

   and its force acts on m, a and b with these coefficients. A uniform pressure on the facets then gives the nodal forces
   of a uniform pressure on the quadratic face: 1/6, 2/3, 1/6 of an edge, and 0, 1/3 of a face of six nodes. The facets
   enclose the same area as the curved edge. Other nodes are vertices themselves. */
#pragma once

#include "contact/contact.h"

#define CR_LIFT_MIDDLE (4. / 3)
#define CR_LIFT_END    (-1. / 6)

/* A vertex of the facets: the nodes with which it moves, and their coefficients. The sum of the coefficients is 1. */
typedef struct {
  PetscInt  n, nodes[3]; /* local */
  PetscReal c[3];
} CrVertex;

static inline PetscBool CrIsLifted(const CrContact *c, PetscInt node)
{
  return c->ends && c->ends[2 * node] > 0 ? PETSC_TRUE : PETSC_FALSE;
}

static inline CrVertex CrVertexAt(const CrContact *c, PetscInt node)
{
  if (!CrIsLifted(c, node)) return (CrVertex){1, {node}, {1}};
  return (CrVertex){3,
                    {node, c->ends[2 * node] - 1, c->ends[2 * node + 1] - 1},
                    {CR_LIFT_MIDDLE, CR_LIFT_END, CR_LIFT_END}};
}

/* Computes the increment d[dim] of the vertex at a node, from the increments du of the nodes. */
static inline void CrVertexChange(const CrContact *c, PetscInt node, const PetscReal *du,
                                  PetscReal *d)
{
  const PetscInt dim = c->model->dim;

  if (!CrIsLifted(c, node)) {
    for (PetscInt i = 0; i < dim; i++) d[i] = du[dim * node + i];
    return;
  }
  for (PetscInt i = 0; i < dim; i++)
    d[i] = CR_LIFT_MIDDLE * du[dim * node + i] +
           CR_LIFT_END *
               (du[dim * (c->ends[2 * node] - 1) + i] + du[dim * (c->ends[2 * node + 1] - 1) + i]);
}

/* Lists the mid-side nodes of all contact surfaces in contact->ends, if there are contact springs and quadratic faces. */
PetscErrorCode CrLiftCreate(CrContact *contact);

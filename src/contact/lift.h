/* Lifted vertices of quadratic faces (theory 13.1). For contact, a quadratic face is replaced by linear facets. Vertices
   are lifted for contact springs, and for the exact laws of quasi-static runs. Other runs with exact laws hold the nodes
   themselves, so that no node penetrates.
   A facet vertex at a mid-side node m is moved (lifted) away from this node. If a and b are the end nodes of the edge,
   the vertex has the position

     x = 4/3 x_m - 1/6 (x_a + x_b).

   The force on the vertex acts on m, a and b with these coefficients. A uniform pressure on the facets then gives the
   same nodal forces as a uniform pressure on the quadratic face. These are 1/6, 2/3, 1/6 of the force on an edge. On a
   face of six nodes, the forces are 0 at corners and 1/3 at mid-side nodes. The facets enclose the same area as the
   curved edge. A vertex at any other node has the position of the node. */
#pragma once

#include "contact/contact.h"

#define CR_LIFT_MIDDLE (4. / 3)
#define CR_LIFT_END    (-1. / 6)

/* A vertex of the facets: the nodes with which it moves, and their coefficients. The sum of the coefficients is 1. */
typedef struct {
  PetscInt  n, nodes[3]; /* local node numbers */
  PetscReal c[3];
} CrVertex;

/* Returns true if the vertex at a local node is lifted, because the node is a mid-side node. */
static inline PetscBool CrIsLifted(const CrContact *c, PetscInt node)
{
  return c->ends && c->ends[2 * node] > 0 ? PETSC_TRUE : PETSC_FALSE;
}

/* Returns the vertex at a local node: the nodes with which it moves, and their coefficients. */
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

/* Fills contact->ends with the edges of the mid-side nodes of all contact surfaces. Does nothing if no vertices are
   lifted, or without quadratic faces. */
PetscErrorCode CrLiftCreate(CrContact *contact);

/* Lifted vertices of quadratic faces: see lift.h. */
#include "contact/lift.h"
#include "base/lazy.h"

/* The edges of the faces with mid-side nodes: one end, the node in the middle, the other end. */
typedef struct {
  PetscInt n, edges[3][3];
} Edges;

static const Edges curved[CR_NSHAPES] = {
    [CR_S3] = {1, {{0, 2, 1}}},
    [CR_T6] = {3, {{0, 3, 1}, {1, 4, 2}, {2, 5, 0}}},
};

/* The ends have the same order on every rank. Points that every rank computes need the same rounding everywhere. */
static void list_middles(const CrModel *model, const CrModelSet *set, PetscInt *ends)
{
  for (PetscInt f = 0; f < set->nfacets; f++) {
    const CrLocalFacet *face = &set->facets[f];
    const Edges        *e = &curved[face->type];

    for (PetscInt k = 0; k < e->n; k++) {
      PetscInt *at = ends + 2 * face->nodes[e->edges[k][1]];
      PetscInt  a = face->nodes[e->edges[k][0]], b = face->nodes[e->edges[k][2]];

      PetscBool swapped = model->natural[a] > model->natural[b];

      at[0] = 1 + (swapped ? b : a);
      at[1] = 1 + (swapped ? a : b);
    }
  }
}

static PetscBool is_curved(const CrModelSet *set)
{
  for (PetscInt f = 0; f < set->nfacets; f++)
    if (curved[set->facets[f].type].n) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscErrorCode CrLiftCreate(CrContact *c)
{
  const PetscBool lifts = c->springs || (c->model->quasi_static && !c->sweeps);

  PetscFunctionBeginUser;
  for (PetscInt k = 0; lifts && k < c->model->nsets; k++) {
    if (!c->surfaces[k] || !is_curved(&c->model->sets[k])) continue;
    if (!c->ends) PetscCall(CrLazyCreate(2 * c->model->nlocal, &c->ends));
    list_middles(c->model, &c->model->sets[k], c->ends);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

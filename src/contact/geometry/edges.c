#include <stdlib.h>
#include "base/vector.h"
#include "contact/geometry/edges.h"

/* ---- linear facets ------------------------------------------------------------------------ */

/* The linear facets into which each type of face is split, by its nodes. */
typedef struct {
  PetscInt n, ncorners, corners[4][4];
} Split;

static const Split splits[CR_NSHAPES] = {
    [CR_S2] = {1, 2, {{0, 1}}},
    [CR_S3] = {2, 2, {{0, 2}, {2, 1}}},
    [CR_T3] = {1, 3, {{0, 1, 2}}},
    [CR_T6] = {4, 3, {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}},
    [CR_Q4] = {1, 4, {{0, 1, 2, 3}}},
};

PetscInt CrFaceSplit(const CrLocalFacet *face, PetscInt *ncorners, PetscInt corners[4][4])
{
  const Split *split = &splits[face->type];

  *ncorners = split->ncorners;
  for (PetscInt part = 0; part < split->n; part++)
    for (PetscInt a = 0; a < split->ncorners; a++)
      corners[part][a] = face->nodes[split->corners[part][a]];
  return split->n;
}

void CrFacetNormal(PetscInt nc, PetscReal X[4][3], PetscReal n[3])
{
  PetscReal s[3], t[3] = {0, 0, 1};

  v_less(X[nc == 4 ? 2 : 1], X[0], s);
  if (nc > 2) v_less(X[nc - 1], X[nc == 4 ? 1 : 0], t);
  v_cross(s, t, n);
  v_unit(n);
}

PetscInt CrFacetCorners(const CrModel *model, const PetscInt *ncorners, const PetscInt *corners,
                        PetscInt f, const PetscReal *u, PetscReal x[4][3])
{
  const PetscInt dim = model->dim;

  for (PetscInt a = 0; a < ncorners[f]; a++)
    for (PetscInt i = 0; i < 3; i++) {
      const PetscInt r = dim * corners[4 * f + a] + i;

      x[a][i] = i < dim ? model->X[r] + (u ? u[r] : 0) : 0;
    }
  return ncorners[f];
}

void CrFacetCentre(PetscInt nc, PetscReal x[4][3], PetscReal centre[3])
{
  for (int i = 0; i < 3; i++) centre[i] = 0;
  for (PetscInt a = 0; a < nc; a++) v_add(centre, 1. / (PetscReal)nc, x[a]);
}

/* ---- who is beside whom ------------------------------------------------------------------- */

PetscErrorCode CrFacetsAround(PetscInt nfacets, const PetscInt *ncorners, const PetscInt *corners,
                              const PetscInt *index, PetscInt n, PetscInt *start, PetscInt **around)
{
  PetscInt *fill = start + 1;

  PetscFunctionBeginUser;
  /* counts are stored two places farther, so that filling leaves each start in its place */
  for (PetscInt f = 0; f < nfacets; f++)
    for (PetscInt a = 0; a < ncorners[f]; a++)
      if (index[corners[4 * f + a]] >= 0) fill[index[corners[4 * f + a]] + 1]++;
  for (PetscInt i = 0; i < n; i++) fill[i + 1] += fill[i];
  PetscCall(PetscMalloc1(fill[n], around));
  for (PetscInt f = 0; f < nfacets; f++)
    for (PetscInt a = 0; a < ncorners[f]; a++)
      if (index[corners[4 * f + a]] >= 0) (*around)[fill[index[corners[4 * f + a]]]++] = f;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An edge of a facet: its two nodes in ascending order (2D: its one node, twice), and the direction in which
   the facet runs along it. Neighbours run in opposite directions. */
typedef struct {
  PetscInt low, high, sense, place; /* place is the index in neighbour[] */
} Edge;

static int compare_edges(const void *x, const void *y)
{
  const Edge *a = x, *b = y;

  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

static Edge edge_of(PetscInt nc, const PetscInt *corners, PetscInt f, PetscInt a)
{
  PetscInt A = corners[4 * f + a], B = nc == 2 ? A : corners[4 * f + (a + 1) % nc];

  return (Edge){.low = PetscMin(A, B),
                .high = PetscMax(A, B),
                .sense = nc == 2 ? a : A < B,
                .place = 4 * f + a};
}

/* Few edges have the same lower node. They are put in order one by one, unless they are many. */
static void sort_few(PetscInt n, Edge *edges)
{
  if (n > 32) {
    qsort(edges, (size_t)n, sizeof *edges, compare_edges);
    return;
  }
  for (PetscInt i = 1; i < n; i++) {
    const Edge e = edges[i];
    PetscInt   k = i;

    for (; k > 0 && compare_edges(&edges[k - 1], &e) > 0; k--) edges[k] = edges[k - 1];
    edges[k] = e;
  }
}

/* The edges of all facets, in the order of compare_edges. They are first distributed by their lower nodes. */
static PetscErrorCode sort_edges(PetscInt nfacets, const PetscInt *ncorners,
                                 const PetscInt *corners, PetscInt *n, Edge **edges)
{
  PetscInt low = PETSC_MAX_INT, high = -1, *start, *fill;

  PetscFunctionBeginUser;
  *n = 0;
  for (PetscInt f = 0; f < nfacets; f++)
    for (PetscInt a = 0; a < ncorners[f]; a++) {
      low = PetscMin(low, corners[4 * f + a]);
      high = PetscMax(high, corners[4 * f + a]);
      (*n)++;
    }
  PetscCall(PetscMalloc1(*n, edges));
  if (!*n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(high - low + 3, &start));
  fill = start + 1; /* counts are stored two places farther, as in CrFacetsAround */
  for (PetscInt f = 0; f < nfacets; f++)
    for (PetscInt a = 0; a < ncorners[f]; a++)
      fill[edge_of(ncorners[f], corners, f, a).low - low + 1]++;
  for (PetscInt i = 0; i <= high - low; i++) fill[i + 1] += fill[i];
  for (PetscInt f = 0; f < nfacets; f++)
    for (PetscInt a = 0; a < ncorners[f]; a++) {
      const Edge e = edge_of(ncorners[f], corners, f, a);

      (*edges)[fill[e.low - low]++] = e;
    }
  for (PetscInt i = 0; i <= high - low; i++) sort_few(start[i + 1] - start[i], *edges + start[i]);
  PetscCall(PetscFree(start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sorted, edges of one place are together. Just two in opposite senses are neighbours; one alone is
   open, and more are too, because nobody can tell which belongs to which. */
PetscErrorCode CrEdgesMatch(PetscInt nfacets, const PetscInt *ncorners, const PetscInt *corners,
                            PetscInt *neighbour)
{
  Edge    *edges;
  PetscInt n;

  PetscFunctionBeginUser;
  PetscCall(sort_edges(nfacets, ncorners, corners, &n, &edges));
  for (PetscInt k = 0; k < 4 * nfacets; k++) neighbour[k] = -1;
  for (PetscInt i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && edges[j].low == edges[i].low && edges[j].high == edges[i].high;) j++;
    if (j - i != 2 || edges[i].sense == edges[i + 1].sense) continue;
    neighbour[edges[i].place] = edges[i + 1].place / 4;
    neighbour[edges[i + 1].place] = edges[i].place / 4;
  }
  PetscCall(PetscFree(edges));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Creates contact surfaces: splits quadratic faces into linear facets, and finds areas of nodes, neighbours,
   smooth patches and features (features.c). All data come from the reference shape and are computed once. */
#include "base/union.h"
#include "contact/geometry/edges.h"
#include "contact/geometry/surface.h"
#include "base/vector.h"

/* Two facets belong to one patch up to an angle of 60 degrees; the rest of the number allows for rounding. */
#define LEAST_COSINE (0.5 - 1e-9)

/* Work space for the creation of a surface. */
typedef struct {
  const CrModel *model;   /* borrowed */
  CrSurface     *surface; /* borrowed */
  /* [nlocal] index of a local node in surface->nodes; -1: it is not there; owned */
  PetscInt  *index;
  PetscReal *normal; /* [nfacets*3] unit normals of the facets; 0 for a facet without area; owned */
} Work;

/* ---- linear facets ------------------------------------------------------------------------ */

static PetscErrorCode count_facets(const CrModel *model, const CrModelSet *set, PetscInt *n)
{
  PetscFunctionBeginUser;
  *n = 0;
  for (PetscInt k = 0; k < set->nfacets; k++) {
    PetscInt corners[4][4], ncorners, parts = CrFaceSplit(&set->facets[k], &ncorners, corners);

    PetscCheck(parts && (model->dim == 2) == (ncorners == 2), PETSC_COMM_SELF, PETSC_ERR_SUP,
               "set %s: no contact on faces of type %s", set->name,
               CrCells[set->facets[k].type].name);
    *n += parts;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode split_facets(Work *work, const CrModelSet *set)
{
  CrSurface *surface = work->surface;
  PetscInt   f = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < set->nfacets; k++) {
    PetscInt corners[4][4], ncorners, parts = CrFaceSplit(&set->facets[k], &ncorners, corners);

    for (PetscInt part = 0; part < parts; part++, f++) {
      surface->ncorners[f] = ncorners;
      surface->height[f] = set->facets[k].height;
      for (PetscInt a = 0; a < 4; a++) surface->corners[4 * f + a] = -1;
      for (PetscInt a = 0; a < ncorners; a++) {
        PetscInt A = corners[part][a];

        PetscCheck(work->index[A] >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                   "set %s: node %" PetscInt_FMT " of a facet is not in the set", set->name,
                   work->model->natural[A]);
        surface->corners[4 * f + a] = A;
      }
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- areas and normals -------------------------------------------------------------------- */

/* The area that belongs to each corner: the integral of its shape function. It is exact for plane facets. */
static void corner_areas(PetscInt dim, PetscInt nc, PetscReal X[4][3], const CrRule *rule,
                         PetscReal area[4])
{
  for (PetscInt a = 0; a < nc; a++) area[a] = 0;
  for (PetscInt q = 0; q < rule->n; q++) {
    PetscReal t[2][3] = {{0}}, n[3];

    for (PetscInt a = 0; a < nc; a++)
      for (PetscInt d = 0; d < dim - 1; d++) v_add(t[d], rule->dN[q][a][d], X[a]);
    if (dim == 2) t[1][2] = 1;
    v_cross(t[0], t[1], n);
    for (PetscInt a = 0; a < nc; a++) area[a] += rule->weight[q] * rule->N[q][a] * v_length(n);
  }
}

/* The angle at corner a; in 2D it is 1. It is the weight of a facet in the mean normal of a node. So the mean
   does not depend on how a flat side is divided into facets. */
static PetscReal corner_angle(PetscInt nc, PetscReal X[4][3], PetscInt a)
{
  PetscReal s[3], t[3], n[3];

  if (nc == 2) return 1;
  v_less(X[(a + 1) % nc], X[a], s);
  v_less(X[(a + nc - 1) % nc], X[a], t);
  v_cross(s, t, n);
  return PetscAtan2Real(v_length(n), v_dot(s, t));
}

static void measure_facet(Work *work, PetscInt f, const CrRule *rule)
{
  CrSurface *surface = work->surface;
  PetscInt   dim = surface->dim, nc = surface->ncorners[f];
  PetscReal  X[4][3], area[4], total = 0, *n = work->normal + 3 * f;

  CrFacetCorners(work->model, surface->ncorners, surface->corners, f, NULL, X);
  corner_areas(dim, nc, X, rule, area);
  CrFacetNormal(nc, X, n);
  for (PetscInt a = 0; a < nc; a++) {
    PetscInt i = work->index[surface->corners[4 * f + a]];

    /* in axial symmetry the integral of N_a 2 pi R over a straight line, half of which area[a] is */
    surface->weight[i] +=
        area[a] * (work->model->axial ? 2 * PETSC_PI / 3 * (2 * X[a][0] + X[1 - a][0])
                                      : work->model->thickness);
    total += area[a];
  }
  surface->size[f] = dim == 2 ? total : PetscSqrtReal(total);
  for (PetscInt a = 1; a < nc; a++)
    for (PetscInt b = 0; b < a; b++) {
      PetscReal way[3];

      v_less(X[a], X[b], way);
      surface->hole = PetscMax(surface->hole, v_length(way) / 2);
    }
}

/* If the sum of the normals is zero, where two corners of a body share a node, one of the normals is used. */
void CrSurfaceNormal(const CrModel *model, const CrSurface *s, PetscInt i, PetscReal normal[3])
{
  const PetscInt first = s->around_start[i], end = s->around_start[i + 1];

  normal[0] = normal[1] = normal[2] = 0;
  for (PetscInt k = first; k < end; k++) {
    PetscInt  f = s->around[k], nc = s->ncorners[f];
    PetscReal X[4][3], n[3];

    if (k > first && s->around[k - 1] == f) continue; /* a facet with two corners at the node */
    CrFacetCorners(model, s->ncorners, s->corners, f, NULL, X);
    CrFacetNormal(nc, X, n);
    for (PetscInt a = 0; a < nc; a++)
      if (s->corners[4 * f + a] == s->nodes[i]) v_add(normal, corner_angle(nc, X, a), n);
  }
  if (first == end) return;
  if (v_dot(normal, normal) < 1e-20) {
    PetscReal X[4][3];

    CrFacetCorners(model, s->ncorners, s->corners, s->around[first], NULL, X);
    CrFacetNormal(s->ncorners[s->around[first]], X, normal);
  }
  v_unit(normal);
}

/* Computes the mean height of the layer of elements. A surface that was created without cells behind it gets the mean
   facet size instead. */
static void measure_layer(CrSurface *surface)
{
  PetscReal area = 0;

  for (PetscInt f = 0; f < surface->nfacets; f++) {
    PetscReal part = surface->dim == 2 ? surface->size[f] : PetscSqr(surface->size[f]);

    surface->layer += part * surface->height[f];
    area += part;
  }
  surface->layer = surface->layer > 0 ? surface->layer / area : surface->mean_size;
}

static void measure(Work *work)
{
  const CrCellType types[] = {CR_S2, CR_T3, CR_Q4}; /* facets with two, three, four corners */

  CrSurface *surface = work->surface;
  CrRule     rule[3];

  for (int k = 0; k < 3; k++) CrFacetRule(types[k], &rule[k]);
  for (PetscInt f = 0; f < surface->nfacets; f++)
    measure_facet(work, f, &rule[surface->ncorners[f] - 2]);
  for (PetscInt f = 0; f < surface->nfacets; f++) {
    surface->mean_size += surface->size[f] / (PetscReal)surface->nfacets;
    if (f == 0 || surface->size[f] < surface->least_size) surface->least_size = surface->size[f];
  }
  measure_layer(surface);
}

/* ---- who is beside whom ------------------------------------------------------------------- */

/* Nodes at open edges are the rim. */
static PetscErrorCode find_neighbours(Work *work)
{
  CrSurface *surface = work->surface;

  PetscFunctionBeginUser;
  PetscCall(
      CrEdgesMatch(surface->nfacets, surface->ncorners, surface->corners, surface->neighbour));
  for (PetscInt f = 0; f < surface->nfacets; f++)
    for (PetscInt a = 0; a < surface->ncorners[f]; a++) {
      PetscInt nc = surface->ncorners[f], b = nc == 2 ? a : (a + 1) % nc;

      if (surface->neighbour[4 * f + a] >= 0) continue;
      surface->rim[work->index[surface->corners[4 * f + a]]] = PETSC_TRUE;
      surface->rim[work->index[surface->corners[4 * f + b]]] = PETSC_TRUE;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- patches ------------------------------------------------------------------------------ */

/* Roots are the lowest facets, so patches are numbered in the order of their first facets. */
static void find_patches(Work *work)
{
  CrSurface *surface = work->surface;
  PetscInt  *parent = surface->patch;

  CrUnionStart(surface->nfacets, parent);
  for (PetscInt f = 0; f < surface->nfacets; f++)
    for (PetscInt a = 0; a < surface->ncorners[f]; a++) {
      PetscInt g = surface->neighbour[4 * f + a];

      if (g >= 0 && v_dot(work->normal + 3 * f, work->normal + 3 * g) >= LEAST_COSINE)
        CrUnionJoin(parent, f, g);
    }
  for (PetscInt f = 0; f < surface->nfacets; f++) parent[f] = CrUnionRoot(parent, f);
  /* facets before f have the numbers of their patches now; the root of f is f or one of them */
  for (PetscInt f = 0; f < surface->nfacets; f++)
    surface->patch[f] = parent[f] == f ? surface->npatches++ : surface->patch[parent[f]];
}

/* How coarsely facets follow a curved surface; an edge between two patches is no turn. */
static PetscReal turn_at(const Work *work, PetscInt i)
{
  const CrSurface *s = work->surface;
  PetscReal        most = 0, c[3];

  for (PetscInt a = s->around_start[i]; a < s->around_start[i + 1]; a++)
    for (PetscInt b = a + 1; b < s->around_start[i + 1]; b++) {
      const PetscReal *n = work->normal + 3 * s->around[a], *m = work->normal + 3 * s->around[b];

      if (s->patch[s->around[a]] != s->patch[s->around[b]]) continue;
      v_cross(n, m, c);
      most = PetscMax(most, PetscAtan2Real(v_length(c), v_dot(n, m)));
    }
  return most;
}

/* ---- creation and destruction, queries ---------------------------------------------------- */

static PetscErrorCode allocate(const CrModel *model, const CrModelSet *set, CrSurface *surface)
{
  PetscFunctionBeginUser;
  PetscCall(count_facets(model, set, &surface->nfacets));
  surface->dim = model->dim;
  surface->body = set->body;
  surface->nnodes = set->nnodes;
  PetscCall(PetscMalloc1(surface->nnodes, &surface->nodes));
  PetscCall(PetscArraycpy(surface->nodes, set->nodes, set->nnodes));
  PetscCall(PetscCalloc3(surface->nnodes, &surface->weight, surface->nnodes, &surface->turn,
                         surface->nnodes, &surface->rim));
  PetscCall(PetscMalloc1(surface->nfacets, &surface->height));
  PetscCall(PetscMalloc5(surface->nfacets, &surface->ncorners, surface->nfacets * 4,
                         &surface->corners, surface->nfacets * 4, &surface->neighbour,
                         surface->nfacets, &surface->patch, surface->nfacets, &surface->size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSurfaceCreate(const CrModel *model, const CrModelSet *set, CrSurface **surface)
{
  Work work = {.model = model};

  PetscFunctionBeginUser;
  PetscCheck(set->is_surface, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "set %s has no facets",
             set->name);
  PetscCall(PetscNew(surface));
  work.surface = *surface;
  PetscCall(allocate(model, set, *surface));
  PetscCall(PetscMalloc2(model->nlocal, &work.index, (*surface)->nfacets * 3, &work.normal));
  for (PetscInt A = 0; A < model->nlocal; A++) work.index[A] = -1;
  for (PetscInt i = 0; i < set->nnodes; i++) work.index[set->nodes[i]] = i;
  PetscCall(split_facets(&work, set));
  PetscCall(PetscCalloc1((*surface)->nnodes + 2, &(*surface)->around_start));
  PetscCall(CrFacetsAround((*surface)->nfacets, (*surface)->ncorners, (*surface)->corners,
                           work.index, (*surface)->nnodes, (*surface)->around_start,
                           &(*surface)->around));
  measure(&work);
  PetscCall(find_neighbours(&work));
  find_patches(&work);
  for (PetscInt i = 0; i < set->nnodes; i++) (*surface)->turn[i] = turn_at(&work, i);
  PetscCall(CrFeaturesCreate(model, work.index, work.normal, *surface));
  PetscCall(PetscFree2(work.index, work.normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSurfaceDestroy(CrSurface **surface)
{
  CrSurface *s = *surface;

  PetscFunctionBeginUser;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(s->nodes));
  PetscCall(PetscFree(s->height));
  PetscCall(PetscFree3(s->weight, s->turn, s->rim));
  PetscCall(PetscFree5(s->ncorners, s->corners, s->neighbour, s->patch, s->size));
  PetscCall(CrFeaturesDestroy(&s->features));
  PetscCall(PetscFree(s->around_start));
  PetscCall(PetscFree(s->around));
  PetscCall(PetscFree(*surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSurfaceIndex(const CrModel *model, const CrSurface *s, PetscInt **index)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(model->nlocal, index));
  for (PetscInt i = 0; i < s->nnodes; i++) (*index)[s->nodes[i]] = i;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrSurfaceIsNear(const CrSurface *surface, PetscInt i, PetscInt f)
{
  for (PetscInt k = surface->around_start[i]; k < surface->around_start[i + 1]; k++) {
    PetscInt own = surface->around[k];

    for (PetscInt a = 0; a < surface->ncorners[own]; a++)
      for (PetscInt b = 0; b < surface->ncorners[f]; b++)
        if (surface->corners[4 * own + a] == surface->corners[4 * f + b]) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

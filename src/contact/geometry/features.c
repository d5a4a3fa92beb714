/* Finds vertices, edges and their angles on a contact surface, and tells which directions a vertex admits. */
#include <string.h>
#include "base/grow.h"
#include "contact/geometry/edges.h"
#include "contact/geometry/surface.h"
#include "base/vector.h"

#define SMOOTH (PETSC_PI / 3) /* edges that turn more are creases, not parts of a curve */
#define PLANE  0.02           /* radians: nodes whose facets turn less are on a plane side */

/* Work space for the creation of features. */
typedef struct {
  const CrModel   *model; /* borrowed, as all but the last two arrays */
  const PetscInt  *index; /* of local nodes in surface->nodes */
  const CrSurface *surface;
  const PetscReal *normal; /* [surface->nfacets*3] unit normals */
  CrFeatures      *features;
  /* [4*skin] of the skin; NULL: there are no facets beside the surface, so surface->neighbour has them; owned */
  PetscInt  *neighbour;
  PetscReal *turns; /* [nnodes*3] greatest turns of edges at a node; owned */
} Work;

/* ---- the skin ----------------------------------------------------------------------------- */

static const CrModelSet *find_skin(const CrModel *model, PetscInt body)
{
  for (PetscInt s = 0; s < model->nsets; s++)
    if (model->sets[s].body == body && !strcmp(model->sets[s].name, "boundary"))
      return &model->sets[s];
  return NULL;
}

/* Is the facet with these corners one of the surface? Node i of the surface is one of the corners. */
static PetscBool is_known(const CrSurface *s, PetscInt i, PetscInt nc, const PetscInt *corners)
{
  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++) {
    PetscInt f = s->around[k], same = 0;

    for (PetscInt a = 0; a < nc && s->ncorners[f] == nc; a++)
      for (PetscInt b = 0; b < nc; b++) same += corners[a] == s->corners[4 * f + b];
    if (same == nc) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static PetscErrorCode add_beside(CrFeatures *F, PetscInt nc, const PetscInt *corners, PetscInt *n,
                                 PetscInt room[2])
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(*n + 1, &room[0], &F->ncorners));
  PetscCall(CrGrow(4 * (*n + 1), &room[1], &F->corners));
  F->ncorners[*n] = nc;
  for (PetscInt a = 0; a < 4; a++) F->corners[4 * *n + a] = a < nc ? corners[a] : -1;
  (*n)++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the facets of the body that share a node with the rim. */
static PetscErrorCode find_beside(Work *w)
{
  const CrSurface  *s = w->surface;
  CrFeatures       *F = w->features;
  const CrModelSet *skin = find_skin(w->model, s->body);
  PetscInt          n = 0, room[2] = {0};

  PetscFunctionBeginUser;
  for (PetscInt k = 0; skin && k < skin->nfacets; k++) {
    PetscInt corners[4][4], nc, parts = CrFaceSplit(&skin->facets[k], &nc, corners);

    for (PetscInt part = 0; part < parts; part++) {
      PetscInt rim = -1;

      for (PetscInt a = 0; a < nc && rim < 0; a++) {
        PetscInt i = w->index[corners[part][a]];

        if (i >= 0 && s->rim[i]) rim = i;
      }
      if (rim < 0 || is_known(s, rim, nc, corners[part])) continue;
      PetscCall(add_beside(F, nc, corners[part], &n, room));
    }
  }
  F->nfacets = s->nfacets + n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrSkinNodes(const CrSurface *s, PetscInt f, const PetscInt **nodes)
{
  const CrFeatures *F = s->features;
  const PetscInt    k = f - s->nfacets;

  *nodes = k < 0 ? s->corners + 4 * f : F->corners + 4 * k;
  return k < 0 ? s->ncorners[f] : F->ncorners[k];
}

PetscInt CrSkinCorners(const CrModel *model, const CrSurface *s, PetscInt f, const PetscReal *u,
                       PetscReal x[4][3])
{
  const CrFeatures *F = s->features;

  if (f < s->nfacets) return CrFacetCorners(model, s->ncorners, s->corners, f, u, x);
  return CrFacetCorners(model, F->ncorners, F->corners, f - s->nfacets, u, x);
}

/* ---- lists around nodes ------------------------------------------------------------------- */

/* Returns the index of node i in F->rims, or -1. */
static PetscInt find_rim(const CrFeatures *F, PetscInt i)
{
  PetscInt low = 0, high = F->nrims;

  while (low < high) {
    PetscInt middle = low + (high - low) / 2;

    if (F->rims[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  return low < F->nrims && F->rims[low] == i ? low : -1;
}

PetscInt CrSkinFan(const CrSurface *s, PetscInt i, const PetscInt **facets)
{
  const CrFeatures *F = s->features;
  const PetscInt    r = find_rim(F, i);

  *facets = r < 0 ? s->around + s->around_start[i] : F->fan + F->fan_start[r];
  return r < 0 ? s->around_start[i + 1] - s->around_start[i]
               : F->fan_start[r + 1] - F->fan_start[r];
}

/* Lists the nodes of the surface that belong to a facet beside it, and the facets of the skin around each of them. */
static PetscErrorCode find_fans(Work *w)
{
  const CrSurface *s = w->surface;
  CrFeatures      *F = w->features;
  PetscInt         n = F->nfacets - s->nfacets, m = 0, *start, *around;

  PetscFunctionBeginUser;
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(s->nnodes + 2, &start));
  PetscCall(CrFacetsAround(n, F->ncorners, F->corners, w->index, s->nnodes, start, &around));
  for (PetscInt i = 0; i < s->nnodes; i++)
    if (start[i] < start[i + 1]) {
      F->nrims++;
      m += start[i + 1] - start[i] + s->around_start[i + 1] - s->around_start[i];
    }
  PetscCall(PetscMalloc3(F->nrims, &F->rims, F->nrims + 1, &F->fan_start, m, &F->fan));
  F->nrims = m = 0;
  for (PetscInt i = 0; i < s->nnodes; i++) {
    if (start[i] == start[i + 1]) continue;
    F->rims[F->nrims] = i;
    F->fan_start[F->nrims++] = m;
    for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
      F->fan[m++] = s->around[k];
    for (PetscInt k = start[i]; k < start[i + 1]; k++) F->fan[m++] = s->nfacets + around[k];
  }
  F->fan_start[F->nrims] = m;
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(around));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- neighbours in the skin --------------------------------------------------------------- */

/* Lists the facets of the skin around the nodes in F->rims, ascending and each once. */
static PetscErrorCode list_near(const CrFeatures *F, PetscInt *n, PetscInt **list)
{
  PetscFunctionBeginUser;
  *n = F->fan_start[F->nrims];
  PetscCall(PetscMalloc1(*n, list));
  PetscCall(PetscArraycpy(*list, F->fan, *n));
  PetscCall(PetscSortRemoveDupsInt(n, *list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An edge of the skin has other neighbours than in the surface only if it has a node in F->rims. All facets around such
   a node are matched once more. */
static PetscErrorCode match_skin(Work *w)
{
  const CrSurface *s = w->surface;
  CrFeatures      *F = w->features;
  PetscInt         n, *list, *ncorners, *corners, *neighbour;

  PetscFunctionBeginUser;
  if (F->nfacets == s->nfacets) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(4 * F->nfacets, &w->neighbour));
  PetscCall(PetscArraycpy(w->neighbour, s->neighbour, 4 * s->nfacets));
  PetscCall(list_near(F, &n, &list));
  PetscCall(PetscMalloc3(n, &ncorners, 4 * n, &corners, 4 * n, &neighbour));
  for (PetscInt k = 0; k < n; k++) {
    const PetscInt *nodes;

    ncorners[k] = CrSkinNodes(s, list[k], &nodes);
    PetscCall(PetscArraycpy(corners + 4 * k, nodes, 4));
  }
  PetscCall(CrEdgesMatch(n, ncorners, corners, neighbour));
  for (PetscInt k = 0; k < n; k++)
    for (PetscInt a = 0; a < 4; a++) {
      PetscInt  nc = ncorners[k], A = a, B = nc == 2 ? a : (a + 1) % nc, g = neighbour[4 * k + a];
      PetscBool at_rim = PETSC_FALSE;

      if (a < nc) {
        A = w->index[corners[4 * k + A]];
        B = w->index[corners[4 * k + B]];
        at_rim = (A >= 0 && find_rim(F, A) >= 0) || (B >= 0 && find_rim(F, B) >= 0);
      }
      if (at_rim || list[k] >= s->nfacets) w->neighbour[4 * list[k] + a] = g < 0 ? -1 : list[g];
    }
  PetscCall(PetscFree3(ncorners, corners, neighbour));
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- angles ------------------------------------------------------------------------------- */

static void normal_of(const Work *w, PetscInt f, PetscReal n[3])
{
  PetscReal x[4][3];

  if (f < w->surface->nfacets)
    v_copy(w->normal + 3 * f, n);
  else
    CrFacetNormal(CrSkinCorners(w->model, w->surface, f, NULL, x), x, n);
}

/* The angle between the normals of facets f and g, which share an edge; negative where the edge is concave. */
static PetscReal turn_of(const Work *w, PetscInt f, PetscInt g)
{
  PetscReal x[4][3], from[3], to[3], way[3], sine[3], angle, m[3], n[3];

  normal_of(w, f, m);
  normal_of(w, g, n);
  CrFacetCentre(CrSkinCorners(w->model, w->surface, f, NULL, x), x, from);
  CrFacetCentre(CrSkinCorners(w->model, w->surface, g, NULL, x), x, to);
  v_less(to, from, way);
  v_cross(m, n, sine);
  angle = PetscAtan2Real(v_length(sine), v_dot(m, n));
  return v_dot(m, way) > 0 ? -angle : angle;
}

/* Keeps the three greatest turns at a node, in descending order. */
static void keep_turn(PetscReal turn, PetscReal most[3])
{
  for (int k = 0; k < 3; k++)
    if (turn > most[k]) {
      const PetscReal less = most[k];

      most[k] = turn;
      turn = less;
    }
}

/* Enters the edge a of facet f, beyond which is facet g; -1: it is open. Every other edge comes twice. */
static void enter_edge(const Work *w, PetscInt f, PetscInt a, PetscInt g)
{
  CrFeatures     *F = w->features;
  const PetscInt *nodes, nc = CrSkinNodes(w->surface, f, &nodes), A = nodes[a],
                         B = nodes[nc == 2 ? a : (a + 1) % nc];
  PetscInt  i = w->index[A], j = w->index[B];
  PetscReal turn = g < 0 ? 0 : turn_of(w, f, g);

  if (i >= 0) F->turn[i] = PetscMax(F->turn[i], turn);
  if (j >= 0) F->turn[j] = PetscMax(F->turn[j], turn);
  if (f < g && i >= 0) keep_turn(turn, w->turns + 3 * i);
  if (f < g && j >= 0) keep_turn(turn, w->turns + 3 * j);
  if (g < 0 && i >= 0) F->open[i] = PETSC_TRUE;
  if (g < 0 && j >= 0) F->open[j] = PETSC_TRUE;
  if (g < 0) return;
  if (f < w->surface->nfacets && PetscAbsReal(turn) < SMOOTH)
    F->slack[f] = PetscMax(F->slack[f], PetscAbsReal(turn) / 2);
  if (nc == 2 || f > g || i < 0 || j < 0) return;
  F->ridges[F->nridges++] = (CrRidge){{A, B}, {f, g}, turn};
}

static PetscErrorCode find_angles(Work *w)
{
  CrFeatures     *F = w->features;
  const PetscInt *neighbour, *nodes;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(2 * F->nfacets, &F->ridges));
  PetscCall(PetscCalloc1(3 * w->surface->nnodes, &w->turns));
  PetscCall(match_skin(w));
  neighbour = w->neighbour ? w->neighbour : w->surface->neighbour;
  for (PetscInt f = 0; f < F->nfacets; f++)
    for (PetscInt a = 0; a < CrSkinNodes(w->surface, f, &nodes); a++)
      enter_edge(w, f, a, neighbour[4 * f + a]);
  for (PetscInt i = 0; i < w->surface->nnodes; i++) F->third_turn[i] = w->turns[3 * i + 2];
  PetscCall(PetscFree(w->neighbour));
  PetscCall(PetscFree(w->turns));
  PetscCall(PetscRealloc(sizeof *F->ridges * (size_t)F->nridges, &F->ridges));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- spacings ----------------------------------------------------------------------------- */

/* Computes the spacing of each node as a mean over the facets around it. Areas of triangles count twice, because the
   same nodes make twice as many triangles as quads. */
static void find_spacings(const Work *w)
{
  const CrSurface *s = w->surface;
  CrFeatures      *F = w->features;

  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscInt n = s->around_start[i + 1] - s->around_start[i];

    for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++) {
      PetscReal size = s->size[s->around[k]];

      if (s->dim == 3) size *= size * (s->ncorners[s->around[k]] == 3 ? 2 : 1);
      F->spacing[i] += size / (PetscReal)n;
    }
    if (s->dim == 3) F->spacing[i] = PetscSqrtReal(F->spacing[i]);
  }
  for (PetscInt f = 0; f < s->nfacets; f++) {
    const PetscReal size = s->size[f] * (s->ncorners[f] == 3 ? PETSC_SQRT2 : 1);

    for (PetscInt a = 0; a < s->ncorners[f]; a++) {
      const PetscInt i = w->index[s->corners[4 * f + a]];

      F->facet_spacing[f] += F->spacing[i] / (PetscReal)s->ncorners[f];
      F->side_spacing[f] +=
          (F->turn[i] > SMOOTH ? size : F->spacing[i]) / (PetscReal)s->ncorners[f];
    }
  }
}

/* ---- the whole ---------------------------------------------------------------------------- */

PetscErrorCode CrFeaturesCreate(const CrModel *model, const PetscInt *index,
                                const PetscReal *normal, CrSurface *surface)
{
  PetscInt    n = surface->nnodes;
  CrFeatures *F;
  Work        work = {.model = model, .index = index, .surface = surface, .normal = normal};

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&F));
  surface->features = work.features = F;
  PetscCall(PetscCalloc5(n, &F->open, n, &F->turn, n, &F->spacing, surface->nfacets,
                         &F->facet_spacing, surface->nfacets, &F->slack));
  PetscCall(PetscCalloc2(surface->nfacets, &F->side_spacing, n, &F->third_turn));
  PetscCall(find_beside(&work));
  PetscCall(find_fans(&work));
  PetscCall(find_angles(&work));
  find_spacings(&work);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFeaturesForgetMild(CrFeatures *features)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < features->nridges; k++)
    if (!(features->ridges[k].turn < CR_LEAST_RIDGE)) features->ridges[n++] = features->ridges[k];
  features->nridges = n;
  PetscCall(PetscRealloc(sizeof *features->ridges * (size_t)n, &features->ridges));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFeaturesDestroy(CrFeatures **features)
{
  CrFeatures *F = *features;

  PetscFunctionBeginUser;
  if (!F) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree5(F->open, F->turn, F->spacing, F->facet_spacing, F->slack));
  PetscCall(PetscFree2(F->side_spacing, F->third_turn));
  PetscCall(PetscFree(F->ncorners));
  PetscCall(PetscFree(F->corners));
  PetscCall(PetscFree3(F->rims, F->fan_start, F->fan));
  PetscCall(PetscFree(F->ridges));
  PetscCall(PetscFree(*features));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- what may touch ----------------------------------------------------------------------- */

PetscBool CrIsSharp(const CrSurface *surface, PetscInt i, PetscReal corner)
{
  return surface->features->turn[i] > corner;
}

PetscBool CrIsCurved(const CrSurface *surface, PetscInt i, PetscReal corner)
{
  return CrIsSharp(surface, i, PLANE) && !CrIsSharp(surface, i, corner);
}

/* The vector between two nodes. */
static void way_between(const CrModel *model, PetscInt from, PetscInt to, const PetscReal *u,
                        PetscReal way[3])
{
  PetscInt dim = model->dim;

  way[2] = 0;
  for (PetscInt i = 0; i < dim; i++)
    way[i] =
        model->X[dim * to + i] - model->X[dim * from + i] + u[dim * to + i] - u[dim * from + i];
}

/* Does no edge out of node i lead along -nu by more than the angle whose sine is given? The edges lead to the corners
   before and after the node in the facets around it. */
static PetscBool is_farthest(const CrModel *model, const CrSurface *s, PetscInt i,
                             const PetscReal *u, const PetscReal nu[3], PetscReal sine)
{
  const PetscInt *fan, n = CrSkinFan(s, i, &fan);

  for (PetscInt k = 0; k < n; k++) {
    const PetscInt *nodes, nc = CrSkinNodes(s, fan[k], &nodes);
    PetscInt        a = 0;

    while (nodes[a] != s->nodes[i]) a++;
    for (PetscInt step = 1; step < nc; step += nc == 4 ? 2 : 1) {
      PetscReal way[3], climb;

      way_between(model, s->nodes[i], nodes[(a + step) % nc], u, way);
      climb = -v_dot(nu, way);
      if (climb > 0 && climb > sine * v_length(way)) return PETSC_FALSE;
    }
  }
  return PETSC_TRUE;
}

/* The greatest cosine between -nu and the normal of a facet around node i; the search ends once it reaches `enough`. */
static PetscReal best_facet(const CrModel *model, const CrSurface *s, PetscInt i,
                            const PetscReal *u, const PetscReal nu[3], PetscReal enough)
{
  const PetscInt *fan, m = CrSkinFan(s, i, &fan);
  PetscReal       greatest = -1;

  for (PetscInt k = 0; k < m && greatest < enough; k++) {
    PetscReal x[4][3], n[3];

    CrFacetNormal(CrSkinCorners(model, s, fan[k], u, x), x, n);
    greatest = PetscMax(greatest, -v_dot(nu, n));
  }
  return greatest;
}

PetscBool CrLiesFlat(const CrModel *model, const CrSurface *s, PetscInt i, const PetscReal *u,
                     const PetscReal nu[3], PetscReal tol)
{
  const PetscReal cosine = PetscCosReal(tol);

  return best_facet(model, s, i, u, nu, cosine) >= cosine;
}

/* The edges out of a flat node also leave the way into the body free: one facet at least must look along -nu. */
PetscBool CrIsAdmitted(const CrModel *model, const CrSurface *s, PetscInt i, const PetscReal *u,
                       const PetscReal nu[3], PetscReal tol)
{
  const PetscReal cosine = PetscCosReal(tol), greatest = best_facet(model, s, i, u, nu, cosine);

  if (greatest >= cosine) return PETSC_TRUE;
  return !s->features->open[i] && greatest > 0 &&
         is_farthest(model, s, i, u, nu, PetscSinReal(tol));
}

/* ---- shares ------------------------------------------------------------------------------- */

PetscReal CrShareBothBySpacing(PetscReal own, PetscReal other, PetscBool sharp)
{
  PetscReal share = PetscSqr(other) / (PetscSqr(own) + PetscSqr(other));

  return sharp ? PetscMax(share, 0.5) : share;
}

PetscReal CrShareFinerBySpacing(PetscReal own, PetscReal other, PetscBool sharp, PetscBool leads)
{
  if (sharp) return 1;
  if (PetscAbsReal(own - other) <= 0.15 * PetscMax(own, other)) return leads ? 1 : 0;
  return own < other ? 1 : 0;
}

PetscReal CrShareBoth(const CrSurface *slave, PetscInt i, const CrSurface *master, PetscInt facet,
                      PetscReal corner)
{
  return CrShareBothBySpacing(slave->features->spacing[i], master->features->facet_spacing[facet],
                              CrIsSharp(slave, i, corner));
}

PetscReal CrShareFiner(const CrSurface *slave, PetscInt i, const CrSurface *master, PetscInt facet,
                       PetscReal corner, PetscBool leads)
{
  return CrShareFinerBySpacing(slave->features->spacing[i], master->features->side_spacing[facet],
                               CrIsSharp(slave, i, corner), leads);
}

/* Finds vertices, edges and their angles on a contact surface, and tells which directions a vertex admits. */
#include <string.h>
#include "contact/geometry/edges.h"
#include "contact/geometry/surface.h"
#include "base/vector.h"

#define SMOOTH (PETSC_PI / 3) /* edges that turn more are creases, not parts of a curve */
#define PLANE  0.02           /* radians: nodes whose facets turn less are on a plane side */

/* Work space for the creation of features. */
typedef struct {
  const CrModel   *model; /* borrowed, as all but the last three arrays */
  const PetscInt  *index; /* of local nodes in surface->nodes */
  const CrSurface *surface;
  CrFeatures      *features;
  PetscInt        *neighbour; /* [skin*4] of the skin; owned */
  PetscReal       *normal;    /* [skin*3] unit normals; owned */
  PetscReal       *turns;     /* [nnodes*3] greatest turns of edges at a node; owned */
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

/* Appends the facets of the body that share a node with the rim; counts them only if the features have no room. */
static void add_beside_rim(const Work *w, const CrModelSet *skin, PetscInt *n)
{
  const CrSurface *s = w->surface;

  for (PetscInt k = 0; skin && k < skin->nfacets; k++) {
    PetscInt corners[4][4], nc, parts = CrFaceSplit(&skin->facets[k], &nc, corners);

    for (PetscInt part = 0; part < parts; part++) {
      PetscInt rim = -1;

      for (PetscInt a = 0; a < nc && rim < 0; a++) {
        PetscInt i = w->index[corners[part][a]];

        if (i >= 0 && s->rim[i]) rim = i;
      }
      if (rim < 0 || is_known(s, rim, nc, corners[part])) continue;
      if (w->features->corners) {
        w->features->ncorners[*n] = nc;
        for (PetscInt a = 0; a < 4; a++)
          w->features->corners[4 * *n + a] = a < nc ? corners[part][a] : -1;
      }
      (*n)++;
    }
  }
}

static PetscErrorCode find_facets(Work *w)
{
  const CrSurface  *s = w->surface;
  CrFeatures       *F = w->features;
  const CrModelSet *skin = find_skin(w->model, s->body);
  PetscInt          n = s->nfacets;

  PetscFunctionBeginUser;
  add_beside_rim(w, skin, &n);
  F->nfacets = n;
  PetscCall(PetscMalloc2(n, &F->ncorners, 4 * n, &F->corners));
  PetscCall(PetscArraycpy(F->ncorners, s->ncorners, s->nfacets));
  PetscCall(PetscArraycpy(F->corners, s->corners, 4 * s->nfacets));
  n = s->nfacets;
  add_beside_rim(w, skin, &n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrSkinCorners(const CrModel *model, const CrFeatures *F, PetscInt f, const PetscReal *u,
                       PetscReal x[4][3])
{
  return CrFacetCorners(model, F->ncorners, F->corners, f, u, x);
}

/* ---- lists around nodes ------------------------------------------------------------------- */

/* Appends a node to the last row, once. */
static void add_spoke(CrFeatures *F, PetscInt first, PetscInt node, PetscInt *n)
{
  for (PetscInt k = first; k < *n; k++)
    if (F->spokes[k] == node) return;
  F->spokes[(*n)++] = node;
}

/* The far ends of the edges out of each node: the corners before and after it in the facets around it. */
static PetscErrorCode find_spokes(const Work *w)
{
  CrFeatures *F = w->features;
  PetscInt    n = 0, nodes = w->surface->nnodes;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(2 * F->fan_start[nodes], &F->spokes));
  for (PetscInt i = 0; i < nodes; i++) {
    F->spoke_start[i] = n;
    for (PetscInt k = F->fan_start[i]; k < F->fan_start[i + 1]; k++) {
      PetscInt f = F->fan[k], nc = F->ncorners[f], a = 0;

      while (F->corners[4 * f + a] != w->surface->nodes[i]) a++;
      add_spoke(F, F->spoke_start[i], F->corners[4 * f + (a + 1) % nc], &n);
      add_spoke(F, F->spoke_start[i], F->corners[4 * f + (a + nc - 1) % nc], &n);
    }
  }
  F->spoke_start[nodes] = n;
  PetscCall(PetscRealloc(sizeof *F->spokes * (size_t)n, &F->spokes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- angles ------------------------------------------------------------------------------- */

/* The angle between the normals of facets f and g, which share an edge; negative where the edge is concave. */
static PetscReal turn_of(const Work *w, PetscInt f, PetscInt g)
{
  const PetscReal *m = w->normal + 3 * f, *n = w->normal + 3 * g;
  PetscReal        x[4][3], from[3], to[3], way[3], sine[3], angle;

  CrFacetCentre(CrSkinCorners(w->model, w->features, f, NULL, x), x, from);
  CrFacetCentre(CrSkinCorners(w->model, w->features, g, NULL, x), x, to);
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
  CrFeatures *F = w->features;
  PetscInt    nc = F->ncorners[f], A = F->corners[4 * f + a],
           B = F->corners[4 * f + (nc == 2 ? a : (a + 1) % nc)];
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
  CrFeatures *F = w->features;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(2 * F->nfacets, &F->ridges));
  PetscCall(PetscMalloc2(4 * F->nfacets, &w->neighbour, 3 * F->nfacets, &w->normal));
  PetscCall(PetscCalloc1(3 * w->surface->nnodes, &w->turns));
  PetscCall(CrEdgesMatch(F->nfacets, F->ncorners, F->corners, w->neighbour));
  for (PetscInt f = 0; f < F->nfacets; f++) {
    PetscReal x[4][3];

    CrFacetNormal(CrSkinCorners(w->model, F, f, NULL, x), x, w->normal + 3 * f);
  }
  for (PetscInt f = 0; f < F->nfacets; f++)
    for (PetscInt a = 0; a < F->ncorners[f]; a++) enter_edge(w, f, a, w->neighbour[4 * f + a]);
  for (PetscInt i = 0; i < w->surface->nnodes; i++) F->third_turn[i] = w->turns[3 * i + 2];
  PetscCall(PetscFree2(w->neighbour, w->normal));
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

PetscErrorCode CrFeaturesCreate(const CrModel *model, const PetscInt *index, CrSurface *surface)
{
  PetscInt    n = surface->nnodes;
  CrFeatures *F;
  Work        work = {.model = model, .index = index, .surface = surface};

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&F));
  surface->features = work.features = F;
  PetscCall(PetscCalloc7(n + 2, &F->fan_start, n + 1, &F->spoke_start, n, &F->open, n, &F->turn, n,
                         &F->spacing, surface->nfacets, &F->facet_spacing, surface->nfacets,
                         &F->slack));
  PetscCall(PetscCalloc2(surface->nfacets, &F->side_spacing, n, &F->third_turn));
  PetscCall(find_facets(&work));
  PetscCall(CrFacetsAround(F->nfacets, F->ncorners, F->corners, index, n, F->fan_start, &F->fan));
  PetscCall(find_spokes(&work));
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
  PetscCall(PetscFree7(F->fan_start, F->spoke_start, F->open, F->turn, F->spacing, F->facet_spacing,
                       F->slack));
  PetscCall(PetscFree2(F->side_spacing, F->third_turn));
  PetscCall(PetscFree2(F->ncorners, F->corners));
  PetscCall(PetscFree(F->fan));
  PetscCall(PetscFree(F->spokes));
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

/* Does no edge out of node i lead along -nu by more than the angle whose sine is given? */
static PetscBool is_farthest(const CrModel *model, const CrSurface *s, PetscInt i,
                             const PetscReal *u, const PetscReal nu[3], PetscReal sine)
{
  const CrFeatures *F = s->features;

  for (PetscInt k = F->spoke_start[i]; k < F->spoke_start[i + 1]; k++) {
    PetscReal way[3], climb;

    way_between(model, s->nodes[i], F->spokes[k], u, way);
    climb = -v_dot(nu, way);
    if (climb > 0 && climb > sine * v_length(way)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* The greatest cosine between -nu and the normal of a facet around node i; the search ends once it reaches `enough`. */
static PetscReal best_facet(const CrModel *model, const CrSurface *s, PetscInt i,
                            const PetscReal *u, const PetscReal nu[3], PetscReal enough)
{
  const CrFeatures *F = s->features;
  PetscReal         greatest = -1;

  for (PetscInt k = F->fan_start[i]; k < F->fan_start[i + 1] && greatest < enough; k++) {
    PetscReal x[4][3], n[3];

    CrFacetNormal(CrSkinCorners(model, F, F->fan[k], u, x), x, n);
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

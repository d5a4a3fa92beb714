/* Ridges of surfaces and rigid bodies: creates their lists, decides which ridges may touch, and finds the time at which
   two of them pass through each other. */
#include "contact/geometry/ridges.h"
#include "base/vector.h"
#include "contact/geometry/edges.h"
#include "contact/geometry/facet.h"

/* The least sine of the angle at which two edges cross. Edges that are closer to parallel are kept apart by their end
   vertices, which meet facets. */
#define ON_NODE        0.05 /* of the shorter edge: nodes that are nearer count as one on the other */
#define LEAST_SINE     0.17
#define LEAST_CROSSING 1e-3 /* the same where a sharp edge has gone through any other */
#define ACROSS         0.1  /* radians: error of the normals of an edge that is crossed */
#define GOES_ON        0.5  /* cosine: ridges that turn less at a node go on into each other */

/* ---- life ------------------------------------------------------------------------------------- */

static void at_node(const CrModel *model, PetscInt node, const PetscReal *u, PetscReal x[3])
{
  for (int i = 0; i < 3; i++) x[i] = model->X[3 * node + i] + (u ? u[3 * node + i] : 0);
}

static PetscReal facet_area(const CrModel *model, const CrSurface *surface, PetscInt f)
{
  const PetscInt *nodes, nc = CrSkinNodes(surface, f, &nodes);
  PetscReal       x[3][3], s[3], t[3], n[3], area = 0;

  at_node(model, nodes[0], NULL, x[0]);
  for (PetscInt a = 1; a + 1 < nc; a++) {
    at_node(model, nodes[a], NULL, x[1]);
    at_node(model, nodes[a + 1], NULL, x[2]);
    v_less(x[1], x[0], s);
    v_less(x[2], x[0], t);
    v_cross(s, t, n);
    area += v_length(n) / 2;
  }
  return area;
}

static void measure(const CrModel *model, CrRidges *r, PetscInt i)
{
  const CrRidge *ridge = &r->surface->features->ridges[r->number[i]];
  PetscReal      x[2][3], way[3];

  for (int k = 0; k < 2; k++) {
    at_node(model, ridge->nodes[k], NULL, x[k]);
    r->weight[i] += facet_area(model, r->surface, ridge->facets[k]) / 3;
  }
  v_less(x[1], x[0], way);
  r->length[i] = v_length(way);
}

/* The cosine of the angle by which a ridge turns where it goes on into another one. Both have a node in common: end a of
   ridge i, and end b of ridge j. */
static PetscReal straightness(const CrModel *model, const CrRidges *r, PetscInt i, int a,
                              PetscInt j, int b)
{
  PetscReal x[2][3], way[2][3];

  for (int e = 0; e < 2; e++) {
    const PetscInt *nodes = CrRidgeNodes(r, e ? j : i);

    at_node(model, nodes[e ? b : a], NULL, x[0]);
    at_node(model, nodes[1 - (e ? b : a)], NULL, x[1]);
    v_less(x[1], x[0], way[e]);
    v_unit(way[e]);
  }
  return -v_dot(way[0], way[1]);
}

/* The end of a ridge, as 2 ridge + end, into which end `a` of ridge i goes on; -1: none. next[end] and first[node] are
   lists of the ends at a node. */
static PetscInt goes_on(const CrModel *model, const CrRidges *r, PetscInt i, int a,
                        const PetscInt *first, const PetscInt *next)
{
  PetscReal best = GOES_ON;
  PetscInt  found = -1;

  for (PetscInt k = first[CrRidgeNodes(r, i)[a]]; k >= 0; k = next[k]) {
    PetscReal cosine = k / 2 == i ? -1 : straightness(model, r, i, a, k / 2, (int)(k % 2));

    if (!(cosine > best)) continue;
    best = cosine;
    found = k;
  }
  return found;
}

/* Copies of a ridge do not count: only single ridges share what crosses them at a node. */
static PetscErrorCode join(const CrModel *model, CrRidges *r)
{
  PetscInt *first, *next, *on;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc3(model->nlocal, &first, 2 * r->n, &next, 2 * r->n, &on));
  for (PetscInt node = 0; node < model->nlocal; node++) first[node] = -1;
  for (PetscInt k = 2 * r->n - 1; k >= 0; k--) {
    PetscInt *last = &first[CrRidgeNodes(r, k / 2)[k % 2]];

    next[k] = *last;
    *last = k;
  }
  for (PetscInt k = 0; k < 2 * r->n; k++)
    on[k] = goes_on(model, r, k / 2, (int)(k % 2), first, next);
  for (PetscInt k = 0; k < 2 * r->n; k++)
    if (on[k] >= 0 && on[on[k]] == k) r->end[k] = k < on[k] ? CR_RIDGE_KEEPS : CR_RIDGE_YIELDS;
  PetscCall(PetscFree3(first, next, on));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRidgesCreate(const CrModel *model, const CrSurface *surface, PetscReal corner,
                              PetscInt copies, CrRidges **out)
{
  const CrFeatures *F = surface->features;
  PetscInt          room = copies * F->nridges;
  CrRidges         *r;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  r->surface = surface;
  r->corner = corner;
  r->copies = copies;
  PetscCall(PetscCalloc4(room, &r->number, room, &r->weight, room, &r->length, 2 * room, &r->end));
  for (PetscInt k = 0; k < F->nridges; k++)
    if (F->ridges[k].turn > (corner < 0 ? corner : PetscMax(corner, CR_LEAST_RIDGE)))
      for (PetscInt copy = 0; copy < copies; copy++) r->number[r->n++] = k;
  for (PetscInt i = 0; i < r->n; i++) measure(model, r, i);
  if (copies == 1) PetscCall(join(model, r));
  PetscCall(CrTreeCreate(3, r->n, &r->tree));
  *out = r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRidgesOfBody(const CrShape *shape, PetscInt body, PetscReal corner, CrRidges **out)
{
  CrRidges *r;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  r->shape = shape;
  r->body = body;
  r->corner = corner;
  r->copies = 1;
  PetscCall(PetscCalloc4(shape->nedges, &r->number, shape->nedges, &r->weight, shape->nedges,
                         &r->length, 2 * shape->nedges, &r->end));
  for (PetscInt e = 0; e < shape->nedges; e++) {
    if (!(CrEdgeTurn(shape, e) > corner)) continue;
    r->weight[r->n] = CrEdgeArea(shape, e);
    r->length[r->n] = CrEdgeLength(shape, e);
    r->number[r->n++] = e;
  }
  PetscCall(CrTreeCreate(3, r->n, &r->tree));
  *out = r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRidgesDestroy(CrRidges **out)
{
  PetscFunctionBeginUser;
  if (!*out) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4((*out)->number, (*out)->weight, (*out)->length, (*out)->end));
  PetscCall(CrTreeDestroy(&(*out)->tree));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrRidgesJoin(const CrRidges *a, PetscInt i, const CrRidges *b, PetscInt j)
{
  const PetscInt *A = CrRidgeNodes(a, i), *B = CrRidgeNodes(b, j);

  if (a->shape != b->shape || a->body != b->body) return PETSC_FALSE;
  return A[0] == B[0] || A[0] == B[1] || A[1] == B[0] || A[1] == B[1];
}

/* ---- who may meet ----------------------------------------------------------------------------- */

/* A ridge at one time: the positions x of its two nodes; for each of its two facets the unit vector `in` that points
   from the ridge into the facet, perpendicular to the ridge; and slack, the error of its normals if the facets
   approximate a curve. */
typedef struct {
  PetscReal x[2][3], in[2][3], slack;
} Place;

/* Unit vectors from a ridge into its two facets, perpendicular to it. */
static void ways_in(const CrModel *model, const CrRidges *r, PetscInt i, const PetscReal *u,
                    PetscReal in[2][3])
{
  const CrRidge *ridge = &r->surface->features->ridges[r->number[i]];
  PetscReal      from[3], along[3];

  at_node(model, ridge->nodes[0], u, from);
  at_node(model, ridge->nodes[1], u, along);
  v_add(along, -1, from);
  v_unit(along);
  for (int k = 0; k < 2; k++) {
    const PetscInt *nodes, nc = CrSkinNodes(r->surface, ridge->facets[k], &nodes);

    for (int d = 0; d < 3; d++) in[k][d] = -from[d];
    for (PetscInt a = 0; a < nc; a++) {
      PetscReal x[3];

      at_node(model, nodes[a], u, x);
      v_add(in[k], 1. / (PetscReal)nc, x);
    }
    v_add(in[k], -v_dot(in[k], along), along);
    v_unit(in[k]);
  }
}

/* The error of a ridge's normals where facets approximate a curve. */
static PetscReal slack_of(const CrRidges *r, PetscInt i)
{
  const CrRidge *ridge = &r->surface->features->ridges[r->number[i]];
  PetscReal      slack = 0;

  for (int k = 0; k < 2; k++)
    if (ridge->facets[k] < r->surface->nfacets)
      slack = PetscMax(slack, r->surface->features->slack[ridge->facets[k]]);
  return slack;
}

static void place_on_surface(const CrModel *model, const CrRidges *r, PetscInt i,
                             const PetscReal *u, Place *place)
{
  const PetscInt *nodes = CrRidgeNodes(r, i);

  for (int k = 0; k < 2; k++) at_node(model, nodes[k], u, place->x[k]);
  ways_in(model, r, i, u, place->in);
  place->slack = slack_of(r, i);
}

static void place_on_body(const CrRidges *r, PetscInt i, const CrPose *pose, Place *place)
{
  const PetscInt *corners = CrRidgeNodes(r, i), *faces = r->shape->edge_faces + 2 * r->number[i];

  for (int k = 0; k < 2; k++) {
    m_times(pose->R, r->shape->vertices + 3 * corners[k], place->x[k]);
    v_add(place->x[k], 1, pose->x);
  }
  CrEdgeWaysIn(r->shape, r->number[i], pose->R, place->in);
  place->slack = PetscMax(CrFaceSlack(r->shape, faces[0]), CrFaceSlack(r->shape, faces[1]));
}

/* Is the direction nu one of the normals of a ridge, up to an angle? Then it leads into neither facet. */
static PetscBool is_normal(const PetscReal in[2][3], const PetscReal nu[3], PetscReal sign,
                           PetscReal angle)
{
  const PetscReal sine = PetscSinReal(angle);

  return sign * v_dot(in[0], nu) <= sine && sign * v_dot(in[1], nu) <= sine;
}

void CrMeetingNodes(const CrRidges *slave, PetscInt i, const CrRidges *master, PetscInt meeting,
                    PetscInt nodes[4])
{
  const PetscInt *A = CrRidgeNodes(slave, i), *B = CrRidgeNodes(master, meeting / 2);

  nodes[0] = A[0];
  nodes[1] = A[1];
  nodes[2] = B[meeting % 2];
  nodes[3] = B[1 - meeting % 2];
}

/* The common normal of two edges, of either sign; false if they are almost parallel. */
static PetscBool common_normal(const Place *a, const Place *b, PetscReal nu[3])
{
  PetscReal s[3], t[3], length;

  v_less(a->x[0], a->x[1], s);
  v_less(b->x[1], b->x[0], t);
  v_cross(s, t, nu);
  length = v_unit(nu);
  return length > LEAST_SINE * v_length(s) * v_length(t) ? PETSC_TRUE : PETSC_FALSE;
}

/* Does a facet of the ridge lie across the direction nu, up to an angle? */
static PetscBool is_flat(const PetscReal in[2][3], const PetscReal nu[3], PetscReal angle)
{
  const PetscReal sine = PetscSinReal(angle);

  return PetscAbsReal(v_dot(in[0], nu)) <= sine || PetscAbsReal(v_dot(in[1], nu)) <= sine;
}

/* Is a node of one edge at a node of the other? */
static PetscBool have_node_on_node(const Place *a, const Place *b)
{
  PetscReal e[3], length[2];

  v_less(a->x[1], a->x[0], e);
  length[0] = v_length(e);
  v_less(b->x[1], b->x[0], e);
  length[1] = v_length(e);
  for (int k = 0; k < 4; k++) {
    v_less(a->x[k / 2], b->x[k % 2], e);
    if (v_length(e) < ON_NODE * PetscMin(length[0], length[1])) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* The meeting with ridge j of the master, at the given places of both. Where faces lie on each other and nodes meet, the
   nodes on facets carry the force. Edges there would carry it a second time. */
static PetscInt meeting_of(const Place *slave, const Place *master, PetscInt j, PetscReal cone)
{
  PetscReal nu[3];
  PetscBool turned;

  if (!common_normal(slave, master, nu)) return -1;
  /* does it lead into the master? */
  turned = v_dot(master->in[0], nu) + v_dot(master->in[1], nu) > 0;
  if (!is_normal(master->in, nu, turned ? -1 : 1, cone + master->slack)) return -1;
  if (!is_normal(slave->in, nu, turned ? 1 : -1, cone + slave->slack)) return -1;
  if (is_flat(slave->in, nu, cone + slave->slack) &&
      is_flat(master->in, nu, cone + master->slack) && have_node_on_node(slave, master))
    return -1;
  return CR_MEETING(j, turned);
}

PetscInt CrMeetingFind(const CrModel *model, const CrRidges *const ridges[2], PetscInt i,
                       PetscInt j, const PetscReal *u, const CrPose *const pose[2], PetscReal cone)
{
  const PetscInt number[2] = {i, j};
  Place          places[2];
  PetscReal      nu[3];

  if (!ridges[0]->shape && !ridges[1]->shape) {
    for (int k = 0; k < 4; k++) /* most candidates are parallel: what follows costs more */
      at_node(model, CrRidgeNodes(ridges[k / 2], number[k / 2])[k % 2], u, places[k / 2].x[k % 2]);
    if (!common_normal(&places[0], &places[1], nu)) return -1;
  }
  for (int e = 0; e < 2; e++)
    if (ridges[e]->shape)
      place_on_body(ridges[e], number[e], pose[e], &places[e]);
    else
      place_on_surface(model, ridges[e], number[e], u, &places[e]);
  return meeting_of(&places[0], &places[1], j, cone);
}

/* The outward normal at an edge: the mean of its facets. */
static void outward(const CrModel *model, const CrRidges *r, PetscInt i, const PetscReal *u,
                    PetscReal normal[3])
{
  const CrFeatures *F = r->surface->features;

  normal[0] = normal[1] = normal[2] = 0;
  for (int k = 0; k < 2; k++) {
    PetscReal x[4][3], n[3];
    PetscInt  f = F->ridges[r->number[i]].facets[k];

    CrFacetNormal(CrSkinCorners(model, r->surface, f, u, x), x, n);
    v_add(normal, 1, n);
  }
}

/* Is `sign` nu normal to both edges, outward from the master? */
static PetscBool is_common(const Place *slave, const Place *master, const PetscReal nu[3],
                           PetscReal sign, PetscReal cone)
{
  return is_normal(master->in, nu, sign, ACROSS) &&
         is_normal(slave->in, nu, -sign, cone + slave->slack);
}

/* The normal of two edges that cross below facets is normal to the master's edge by itself, even if they are almost
   parallel. */
PetscInt CrCrossingFind(const CrModel *model, const CrRidges *const ridges[2], PetscInt i,
                        PetscInt j, const PetscReal *u, PetscReal cone, PetscReal *gap)
{
  const PetscInt *A = CrRidgeNodes(ridges[0], i), *B = CrRidgeNodes(ridges[1], j);
  PetscReal       x[12], nu[3], out[3], sign;
  CrProjection    p;
  Place           places[2];

  for (int k = 0; k < 4; k++) at_node(model, (k / 2 ? B : A)[k % 2], u, x + 3 * k);
  if (!CrProjectEdges(x, &p) || CrEdgesBeyond(p.xi) > 0) return -1;
  if (!(p.n2 > PetscSqr(LEAST_CROSSING) * v_dot(p.tau[0], p.tau[0]) * v_dot(p.tau[1], p.tau[1])))
    return -1;
  for (int k = 0; k < 3; k++) nu[k] = p.n[k] / PetscSqrtReal(p.n2);
  outward(model, ridges[1], j, u, out);
  sign = v_dot(out, nu) < 0 ? -1 : 1;
  *gap = sign * v_dot(nu, p.way);
  place_on_surface(model, ridges[0], i, u, &places[0]);
  place_on_surface(model, ridges[1], j, u, &places[1]);
  return is_common(&places[0], &places[1], nu, sign, cone) ? CR_MEETING(j, sign < 0) : -1;
}

PetscReal CrMeetingLength(const CrRidges *const ridges[2], PetscInt i, PetscInt meeting)
{
  return PetscMin(ridges[0]->length[i], ridges[1]->length[CR_MEETING_RIDGE(meeting)]);
}

/* ---- going through each other ----------------------------------------------------------------- */

PetscReal CrEdgesBeyond(const PetscReal xi[2])
{
  PetscReal beyond = 0;

  for (int b = 0; b < 2; b++) beyond = PetscMax(beyond, PetscMax(-xi[b], xi[b] - 1));
  return beyond;
}

/* Straight paths of the four nodes of two edges. */
typedef struct {
  const PetscReal *x0, *x1;
  PetscReal        margin;
} Path;

/* Do the edges cross between their ends at time t? */
static PetscBool is_between(const void *ctx, PetscReal t)
{
  const Path  *path = ctx;
  PetscReal    x[12];
  CrProjection p;

  for (int k = 0; k < 12; k++) x[k] = (1 - t) * path->x0[k] + t * path->x1[k];
  return CrProjectEdges(x, &p) && CrEdgesBeyond(p.xi) <= path->margin;
}

/* The gap times the product of the tangents is way . (tau_1 x tau_2). */
PetscBool CrEdgesCross(const PetscReal x0[12], const PetscReal x1[12], PetscReal margin,
                       PetscReal *when)
{
  const Path path = {x0, x1, margin};
  PetscReal  way[2][3], tau[2][2][3];

  for (int t = 0; t < 2; t++) {
    const PetscReal *x = t ? x1 : x0;

    v_less(x, x + 6, way[t]);
    v_less(x, x + 3, tau[t][0]);
    v_less(x + 9, x + 6, tau[t][1]);
  }
  return CrVolumeFalls(way, tau, 0, is_between, &path, when);
}

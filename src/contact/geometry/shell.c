/* Computes signed distances from a surface (shell.h). */
#include "contact/geometry/shell.h"
#include "base/grow.h"
#include "base/vector.h"
#include "contact/geometry/facet.h"

#define MARGIN 0.1 /* of a mean facet: how much wider the boxes of the tree are than the facets */

/* ---- parts: the segment, the triangle, or the four triangles of a facet ----------------------- */

/* Returns the place of a number in an ascending list. A number that is not there is an error of the program. */
static PetscInt place_of(PetscInt n, const PetscInt *list, PetscInt number)
{
  PetscInt low = 0, high = n;

  while (low < high) {
    PetscInt middle = low + (high - low) / 2;

    if (list[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  PetscCheckAbort(low < n && list[low] == number, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                  "item %" PetscInt_FMT " is not in this part of the shell", number);
  return low;
}

/* The places of the corners of a facet in s->nodes. */
static const PetscInt *corners_of(const CrShell *s, PetscInt f)
{
  return s->at + 4 * (s->whole ? f : place_of(s->nknown, s->known, f));
}

const PetscReal *CrShellNode(const CrShell *s, PetscInt i)
{
  return s->x + 3 * (s->whole ? i : place_of(s->nnodes, s->nodes, i));
}

const PetscReal *CrShellCorner(const CrShell *s, PetscInt f, PetscInt a)
{
  return s->x + 3 * corners_of(s, f)[a];
}

PetscInt CrShellParts(const CrShell *s, PetscInt f)
{
  return s->surface->ncorners[f] == 4 ? 4 : 1;
}

void CrShellPart(const CrShell *s, PetscInt f, PetscInt k, PetscReal p[3][3])
{
  const PetscInt n = s->surface->ncorners[f], *at = corners_of(s, f);

  v_copy(s->x + 3 * at[k], p[0]);
  v_copy(s->x + 3 * at[(k + 1) % n], p[1]);
  if (n == 3) v_copy(s->x + 3 * at[2], p[2]);
  if (n != 4) return;
  p[2][0] = p[2][1] = p[2][2] = 0;
  for (PetscInt a = 0; a < 4; a++) v_add(p[2], 0.25, s->x + 3 * at[a]);
}

/* The unit normal of a part, outward; zero if the part has no area. */
static void part_normal(const CrShell *s, PetscInt f, PetscInt k, PetscReal n[3])
{
  PetscReal p[3][3], e[3], t[3] = {0, 0, 1};

  CrShellPart(s, f, k, p);
  v_less(p[1], p[0], e);
  if (s->surface->dim == 3) v_less(p[2], p[0], t);
  v_cross(e, t, n);
  (void)v_unit(n);
}

void CrShellNormal(const CrShell *s, PetscInt f, PetscReal normal[3])
{
  normal[0] = normal[1] = normal[2] = 0;
  for (PetscInt k = 0; k < CrShellParts(s, f); k++) {
    PetscReal n[3];

    part_normal(s, f, k, n);
    v_add(normal, 1, n);
  }
  (void)v_unit(normal);
}

/* ---- creation and destruction ----------------------------------------------------------------- */

/* Is the edge of facet f from corner a to the next sharp and convex? Only the facet with the lower number counts, so
   that each edge is found once. normals[] are the normals of all facets. */
static PetscBool is_sharp(const CrShell *s, const PetscReal *normals, PetscInt f, PetscInt a,
                          PetscReal cosine)
{
  const PetscInt   g = s->surface->neighbour[4 * f + a], n = s->surface->ncorners[f];
  const PetscReal *nf = normals + 3 * f, *ng;
  PetscReal        e[3], t[3];

  if (g < f) return PETSC_FALSE;
  ng = normals + 3 * g;
  v_less(CrShellCorner(s, f, (a + 1) % n), CrShellCorner(s, f, a), e);
  v_cross(nf, ng, t);
  return v_dot(nf, ng) < cosine && v_dot(t, e) > 0;
}

static PetscErrorCode find_sharp(CrShell *s, PetscReal corner)
{
  const PetscReal cosine = PetscCosReal(corner * PETSC_PI / 180);
  const PetscInt  n = s->surface->dim == 3 ? s->surface->nfacets : 0;
  PetscInt        room = 0;
  PetscReal      *normals;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(3 * n, &normals));
  for (PetscInt f = 0; f < n; f++) CrShellNormal(s, f, normals + 3 * f);
  for (PetscInt f = 0; f < n; f++)
    for (PetscInt a = 0; a < s->surface->ncorners[f]; a++) {
      if (!is_sharp(s, normals, f, a, cosine)) continue;
      PetscCall(CrGrow(2 * s->nedges + 2, &room, &s->edges));
      s->edges[2 * s->nedges] = corners_of(s, f)[a];
      s->edges[2 * s->nedges + 1] = corners_of(s, f)[(a + 1) % s->surface->ncorners[f]];
      s->nedges++;
    }
  PetscCall(PetscFree(normals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShellCreate(const CrModel *model, const CrSurface *surface, PetscReal corner,
                             CrShell **out)
{
  CrShell *s;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&s));
  s->surface = surface;
  PetscCall(CrShellRestrict(model, s, NULL, NULL));
  (void)CrShellPlace(model, NULL, s);
  PetscCall(find_sharp(s, corner));
  *out = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShellDestroy(CrShell **shell)
{
  CrShell *s = *shell;

  PetscFunctionBeginUser;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(s->facets));
  PetscCall(PetscFree(s->nodes));
  PetscCall(PetscFree2(s->known, s->at));
  PetscCall(PetscFree(s->x));
  PetscCall(PetscFree(s->boxes));
  PetscCall(PetscFree(s->edges));
  PetscCall(CrTreeDestroy(&s->tree));
  PetscCall(PetscFree(*shell));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- current positions and tree --------------------------------------------------------------- */

/* The numbers of marked entries; NULL: all. Only counts them if there is no list. */
static PetscInt list_marked(PetscInt n, const char *marks, PetscInt *list)
{
  PetscInt m = 0;

  for (PetscInt k = 0; k < n; k++) {
    if (marks && !marks[k]) continue;
    if (list) list[m] = k;
    m++;
  }
  return m;
}

/* Lists the facets around the corners of marked facets, and the places of their corners. */
static PetscErrorCode list_known(const CrModel *model, const char *facets, CrShell *s)
{
  const CrSurface *surface = s->surface;
  PetscInt        *index, *place;
  char            *known = NULL;

  PetscFunctionBeginUser;
  PetscCall(CrSurfaceIndex(model, surface, &index));
  PetscCall(PetscMalloc1(surface->nnodes, &place));
  for (PetscInt i = 0; i < surface->nnodes; i++) place[i] = -1;
  for (PetscInt k = 0; k < s->nnodes; k++) place[s->nodes[k]] = k;
  if (facets) PetscCall(PetscCalloc1(surface->nfacets, &known));
  for (PetscInt k = 0; facets && k < s->nfacets; k++)
    for (PetscInt a = 0, f = s->facets[k]; a < surface->ncorners[f]; a++) {
      PetscInt i = index[surface->corners[4 * f + a]];

      for (PetscInt j = surface->around_start[i]; j < surface->around_start[i + 1]; j++)
        known[surface->around[j]] = 1;
    }
  s->nknown = list_marked(surface->nfacets, known, NULL);
  PetscCall(PetscMalloc2(s->nknown, &s->known, 4 * s->nknown, &s->at));
  (void)list_marked(surface->nfacets, known, s->known);
  for (PetscInt k = 0; k < s->nknown; k++)
    for (PetscInt a = 0; a < surface->ncorners[s->known[k]]; a++) {
      PetscInt i = index[surface->corners[4 * s->known[k] + a]];

      PetscCheck(place[i] >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "node of a shell is not marked");
      s->at[4 * k + a] = place[i];
    }
  PetscCall(PetscFree(known));
  PetscCall(PetscFree(place));
  PetscCall(PetscFree(index));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes that the shell already had keep their positions. */
static PetscErrorCode list_nodes(const char *nodes, CrShell *s)
{
  PetscInt   m = s->nnodes, k = 0, *old = s->nodes;
  PetscReal *x = s->x;

  PetscFunctionBeginUser;
  s->nnodes = list_marked(s->surface->nnodes, nodes, NULL);
  PetscCall(PetscMalloc1(s->nnodes, &s->nodes));
  PetscCall(PetscCalloc1(3 * s->nnodes, &s->x));
  (void)list_marked(s->surface->nnodes, nodes, s->nodes);
  for (PetscInt j = 0; j < s->nnodes; j++) {
    while (k < m && old[k] < s->nodes[j]) k++;
    if (k < m && old[k] == s->nodes[j]) v_copy(x + 3 * k, s->x + 3 * j);
  }
  PetscCall(PetscFree(old));
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShellRestrict(const CrModel *model, CrShell *s, const char *facets,
                               const char *nodes)
{
  PetscFunctionBeginUser;
  PetscCall(list_nodes(nodes, s));
  PetscCall(PetscFree(s->facets));
  s->nfacets = list_marked(s->surface->nfacets, facets, NULL);
  PetscCall(PetscMalloc1(s->nfacets, &s->facets));
  (void)list_marked(s->surface->nfacets, facets, s->facets);
  PetscCall(PetscFree2(s->known, s->at));
  PetscCall(list_known(model, facets, s));
  s->whole = s->nknown == s->surface->nfacets && s->nnodes == s->surface->nnodes;
  PetscCall(PetscFree(s->boxes));
  PetscCall(
      CrTreeDestroy(&s->tree)); /* CrShellFit makes them as large as this number of facets needs */
  s->is_fitted = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrShellPlace(const CrModel *model, const PetscReal *u, CrShell *s)
{
  PetscInt  dim = model->dim;
  PetscReal most = 0, *low = s->box, *high = s->box + 3;

  for (int j = 0; j < 3; j++) {
    low[j] = PETSC_MAX_REAL;
    high[j] = -PETSC_MAX_REAL;
  }
  for (PetscInt k = 0; k < s->nnodes; k++) {
    PetscInt  i = s->nodes[k], node = s->surface->nodes[i];
    PetscReal way = 0, *x = s->x + 3 * k;

    for (PetscInt j = 0; j < 3; j++) {
      PetscReal to = j < dim ? model->X[dim * node + j] + (u ? u[dim * node + j] : 0) : 0;

      way += PetscSqr(to - (s->is_placed ? x[j] : to));
      x[j] = to;
      if (to < low[j]) low[j] = to;
      if (to > high[j]) high[j] = to;
    }
    if (node < model->nowned) most = PetscMax(most, way);
  }
  s->is_placed = PETSC_TRUE;
  s->moved += PetscSqrtReal(most);
  return PetscSqrtReal(most);
}

PetscErrorCode CrShellFit(CrShell *s)
{
  PetscInt  dim = s->surface->dim;
  PetscReal margin = MARGIN * s->surface->mean_size;

  PetscFunctionBeginUser;
  if (s->is_fitted && s->moved - s->fitted <= margin) PetscFunctionReturn(PETSC_SUCCESS);
  if (!s->tree) {
    PetscCall(PetscMalloc1(2 * dim * s->nfacets, &s->boxes));
    PetscCall(CrTreeCreate(dim, s->nfacets, &s->tree));
    PetscCall(CrTreeRename(s->tree, s->nfacets, s->facets));
  }
  for (PetscInt k = 0; k < s->nfacets; k++) {
    const PetscInt f = s->facets[k], *at = corners_of(s, f);
    PetscReal     *box = s->boxes + 2 * dim * k;

    for (PetscInt i = 0; i < dim; i++) {
      box[i] = PETSC_MAX_REAL;
      box[dim + i] = -PETSC_MAX_REAL;
      for (PetscInt a = 0; a < s->surface->ncorners[f]; a++) {
        box[i] = PetscMin(box[i], s->x[3 * at[a] + i]);
        box[dim + i] = PetscMax(box[dim + i], s->x[3 * at[a] + i]);
      }
      box[i] -= margin;
      box[dim + i] += margin;
    }
  }
  CrTreeUpdate(s->tree, s->boxes);
  s->fitted = s->moved;
  s->is_fitted = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the nearest feature ----------------------------------------------------------------------- */

/* Features of a part: its inside; vertex k; the edge from vertex k to the next. */
enum { INSIDE, VERTEX, EDGE = VERTEX + 3 };

typedef struct {
  const CrShell   *shell;
  const PetscReal *x;
  PetscReal        best, foot[3]; /* square of the distance */
  PetscInt         facet, part, feature;
  PetscInt         node; /* facets beside it do not count; -1: all do */
} Nearest;

static int on_segment(PetscReal p[3][3], const PetscReal x[3], PetscReal foot[3])
{
  PetscReal e[3], w[3], t;

  v_less(p[1], p[0], e);
  v_less(x, p[0], w);
  t = v_dot(e, w) / v_dot(e, e);
  if (!(t > 0)) t = 0; /* a segment without length is its first end */
  if (t > 1) t = 1;
  v_copy(p[0], foot);
  v_add(foot, t, e);
  return t == 0 ? VERTEX : t == 1 ? VERTEX + 1 : INSIDE;
}

/* Computes the point at the fraction t of edge k of a triangle. Returns the number of this edge as a feature. */
static int on_edge(PetscReal p[3][3], int k, PetscReal t, PetscReal foot[3])
{
  PetscReal e[3];

  v_less(p[(k + 1) % 3], p[k], e);
  v_copy(p[k], foot);
  v_add(foot, t, e);
  return EDGE + k;
}

/* The closest point of a triangle, by Voronoi regions of its features (Ericson 2005, section 5.1.5). */
static int on_triangle(PetscReal p[3][3], const PetscReal x[3], PetscReal foot[3])
{
  PetscReal ab[3], ac[3], w[3], d[3][2], va, vb, vc;

  v_less(p[1], p[0], ab);
  v_less(p[2], p[0], ac);
  for (int k = 0; k < 3; k++) {
    v_less(x, p[k], w);
    d[k][0] = v_dot(ab, w);
    d[k][1] = v_dot(ac, w);
    v_copy(p[k], foot);
    if (k == 0 && d[0][0] <= 0 && d[0][1] <= 0) return VERTEX;
    if (k == 1 && d[1][0] >= 0 && d[1][1] <= d[1][0]) return VERTEX + 1;
    if (k == 2 && d[2][1] >= 0 && d[2][0] <= d[2][1]) return VERTEX + 2;
  }
  vc = d[0][0] * d[1][1] - d[1][0] * d[0][1];
  if (vc <= 0 && d[0][0] >= 0 && d[1][0] <= 0)
    return on_edge(p, 0, d[0][0] / (d[0][0] - d[1][0]), foot);
  vb = d[2][0] * d[0][1] - d[0][0] * d[2][1];
  if (vb <= 0 && d[0][1] >= 0 && d[2][1] <= 0)
    return on_edge(p, 2, 1 - d[0][1] / (d[0][1] - d[2][1]), foot);
  va = d[1][0] * d[2][1] - d[2][0] * d[1][1];
  if (va <= 0 && d[1][1] >= d[1][0] && d[2][0] >= d[2][1])
    return on_edge(p, 1, (d[1][1] - d[1][0]) / (d[1][1] - d[1][0] + d[2][0] - d[2][1]), foot);
  v_copy(p[0], foot);
  v_add(foot, vb / (va + vb + vc), ab);
  v_add(foot, vc / (va + vb + vc), ac);
  return INSIDE;
}

/* Of equally close features, takes that of the facet with the lowest number. So the result does not depend on the order
   in which the tree visits facets. */
static PetscReal visit(void *ctx, PetscInt f)
{
  Nearest *near = ctx;

  if (near->node >= 0 && CrSurfaceIsNear(near->shell->surface, near->node, f)) return near->best;
  for (PetscInt k = 0; k < CrShellParts(near->shell, f); k++) {
    PetscReal p[3][3], foot[3], way[3], square;
    int       feature;

    CrShellPart(near->shell, f, k, p);
    feature = near->shell->surface->dim == 2 ? on_segment(p, near->x, foot)
                                             : on_triangle(p, near->x, foot);
    v_less(near->x, foot, way);
    square = v_dot(way, way);
    if (!(square < near->best || (square == near->best && f < near->facet))) continue;
    near->best = square;
    near->facet = f;
    near->part = k;
    near->feature = feature;
    v_copy(foot, near->foot);
  }
  return near->best;
}

/* ---- pseudo-normals --------------------------------------------------------------------------- */

static PetscReal angle_at(PetscReal p[3][3], PetscInt k)
{
  PetscReal s[3], t[3], n[3];

  v_less(p[(k + 1) % 3], p[k], s);
  v_less(p[(k + 2) % 3], p[k], t);
  v_cross(s, t, n);
  return PetscAtan2Real(v_length(n), v_dot(s, t));
}

/* Adds the normals of the parts of facet f that have a node of the model as a corner. */
static void add_normals(const CrShell *s, PetscInt f, PetscInt node, PetscReal normal[3])
{
  const PetscInt n = s->surface->ncorners[f], *corners = s->surface->corners + 4 * f;

  for (PetscInt k = 0; k < CrShellParts(s, f); k++) {
    PetscReal p[3][3], own[3];

    CrShellPart(s, f, k, p);
    part_normal(s, f, k, own);
    for (PetscInt a = 0; a < (n == 3 ? 3 : 2); a++)
      if (corners[(k + a) % n] == node)
        v_add(normal, s->surface->dim == 2 ? 1 : angle_at(p, a), own);
  }
}

/* The normal at a node; false: at the rim. */
static PetscBool node_normal(const CrShell *s, PetscInt i, PetscReal normal[3])
{
  if (s->surface->rim[i]) return PETSC_FALSE;
  for (PetscInt k = s->surface->around_start[i]; k < s->surface->around_start[i + 1]; k++)
    add_normals(s, s->surface->around[k], s->surface->nodes[i], normal);
  return PETSC_TRUE;
}

/* The normal at the edge of a facet from its corner a to the next; false: the edge is open. */
static PetscBool edge_normal(const CrShell *s, PetscInt f, PetscInt a, PetscReal normal[3])
{
  const CrSurface *surface = s->surface;
  PetscInt         g = surface->neighbour[4 * f + a], first = surface->corners[4 * f + a];
  PetscReal        n[3];

  if (g < 0) return PETSC_FALSE;
  part_normal(s, f, surface->ncorners[f] == 4 ? a : 0, n);
  v_add(normal, 1, n);
  for (PetscInt b = 0; b < surface->ncorners[g]; b++)
    if (surface->corners[4 * g + (b + 1) % surface->ncorners[g]] == first &&
        surface->neighbour[4 * g + b] == f) {
      part_normal(s, g, surface->ncorners[g] == 4 ? b : 0, n);
      v_add(normal, 1, n);
      break;
    }
  return PETSC_TRUE;
}

/* Computes the pseudo-normal of a feature inside a quadrilateral: its centre, which is vertex 2 of each part, or an
   edge from the centre to a corner. */
static void centre_normal(const CrShell *s, PetscInt f, PetscInt part, PetscInt feature,
                          PetscReal normal[3])
{
  for (PetscInt k = 0; k < 4; k++) {
    PetscReal p[3][3], n[3];
    PetscBool beside = k == part || k == (part + (feature == EDGE + 1 ? 1 : 3)) % 4;

    if (feature != VERTEX + 2 && !beside) continue;
    CrShellPart(s, f, k, p);
    part_normal(s, f, k, n);
    v_add(normal, feature == VERTEX + 2 ? angle_at(p, 2) : 1, n);
  }
}

/* The pseudo-normal of the nearest feature; false: the feature belongs to the rim. */
static PetscBool feature_normal(const Nearest *near, PetscReal normal[3])
{
  const CrShell *s = near->shell;
  PetscInt       f = near->facet, k = near->part, n = s->surface->ncorners[f];

  normal[0] = normal[1] = normal[2] = 0;
  if (near->feature == INSIDE) {
    part_normal(s, f, k, normal);
    return PETSC_TRUE;
  }
  if (n == 4 && near->feature != VERTEX && near->feature != VERTEX + 1 && near->feature != EDGE) {
    centre_normal(s, f, k, near->feature, normal);
    return PETSC_TRUE;
  }
  if (near->feature < EDGE)
    return node_normal(s, s->nodes[corners_of(s, f)[(k + near->feature - VERTEX) % n]], normal);
  return edge_normal(s, f, (k + near->feature - EDGE) % n, normal);
}

void CrShellFootOf(const CrShell *s, const PetscReal x[3], CrShellFoot *foot)
{
  Nearest   near = {.shell = s, .x = x, .best = PETSC_MAX_REAL, .facet = -1, .node = -1};
  PetscReal normal[3], way[3];

  CrTreeNearest(s->tree, x, visit, &near);
  *foot = (CrShellFoot){.distance = PETSC_MAX_REAL, .facet = near.facet, .rim = PETSC_TRUE};
  if (near.facet < 0) return;
  foot->rim = !feature_normal(&near, normal);
  v_copy(near.foot, foot->foot);
  v_less(x, near.foot, way);
  foot->distance = PetscSqrtReal(near.best);
  if (v_dot(way, normal) < 0) foot->distance = -foot->distance;
}

void CrShellRefine(const CrShell *s, const PetscReal x[3], CrShellFoot *foot)
{
  PetscReal    at[15];
  CrProjection p;

  if (s->surface->ncorners[foot->facet] != 4) return;
  v_copy(x, at);
  for (PetscInt a = 0; a < 4; a++) v_copy(CrShellCorner(s, foot->facet, a), at + 3 * (a + 1));
  if (!CrProject(3, 4, at, &p)) return;
  if (!(PetscAbsReal(p.xi[0]) <= 1 && PetscAbsReal(p.xi[1]) <= 1)) return;
  foot->distance = v_dot(p.way, p.n) / PetscSqrtReal(p.n2);
  foot->rim = PETSC_FALSE;
  v_copy(x, foot->foot);
  v_add(foot->foot, -1, p.way);
}

/* ---- self-contact ------------------------------------------------------------------------------ */

void CrShellOtherFoot(const CrShell *s, PetscInt i, CrShellFoot *foot)
{
  Nearest near = {
      .shell = s, .x = CrShellNode(s, i), .best = PETSC_MAX_REAL, .facet = -1, .node = i};

  CrTreeNearest(s->tree, near.x, visit, &near);
  *foot = (CrShellFoot){.distance = PetscSqrtReal(near.best), .facet = near.facet};
  v_copy(near.foot, foot->foot);
}

void CrShellNodeNormal(const CrShell *s, PetscInt i, PetscReal normal[3])
{
  normal[0] = normal[1] = normal[2] = 0;
  (void)node_normal(s, i, normal);
  (void)v_unit(normal);
}

/* Creates the looks of all pairs: the comparisons of items of one side with the other side. */
#include "base/grow.h"
#include "base/vector.h"
#include "contact/overlap/internal.h"

#define CORNER 20 /* degrees: edges that turn more are sharp */

/* ---- shells ----------------------------------------------------------------------------------- */

/* Finds the number of the shell of a surface. Creates the shell if it does not exist yet. */
static PetscErrorCode use_shell(CrOverlaps *o, const CrSurface *surface, PetscInt *s)
{
  const CrContact *c = o->contact;

  PetscFunctionBeginUser;
  for (*s = 0; c->surfaces[*s] != surface;) ++*s;
  if (o->shells[*s]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrShellCreate(c->model, surface, CORNER, &o->shells[*s]));
  PetscCall(PetscCalloc1(surface->nfacets, &o->thick[*s]));
  o->room = PetscMax(o->room, surface->nfacets);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- looks ------------------------------------------------------------------------------------ */

static PetscErrorCode add(CrOverlaps *o, CrLook look, PetscInt n, PetscInt *room)
{
  PetscFunctionBeginUser;
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(o->nlooks + 1, room, &o->looks));
  look.first = o->nitems;
  look.n = n;
  o->looks[o->nlooks++] = look;
  o->nitems += n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds looks of the nodes and sharp edges of one surface at the other surface. */
static PetscErrorCode add_surfaces(CrOverlaps *o, const CrPass *p, PetscInt way, PetscInt *room)
{
  CrLook look = {.pair = p->pair, .way = way, .kind = CR_NODES_IN_SHELL, .body = -1};

  PetscFunctionBeginUser;
  PetscCall(use_shell(o, way ? p->master : p->slave, &look.from));
  PetscCall(use_shell(o, way ? p->slave : p->master, &look.into));
  PetscCall(add(o, look, o->shells[look.from]->surface->nnodes, room));
  look.kind = CR_EDGES_IN_SHELL;
  PetscCall(add(o, look, o->shells[look.from]->nedges, room));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes in a wall, or in a rigid body; sharp edges in a polytope; points of the rigid body in the surface. */
static PetscErrorCode add_rigid(CrOverlaps *o, const CrPass *p, PetscInt *room)
{
  const CrSurface *surface = p->slave ? p->slave : p->master;
  const CrShape   *shape;
  CrLook           look = {.pair = p->pair,
                           .into = -1,
                           .body = p->partner,
                           .wall = p->wall,
                           .obstacle = p->obstacle,
                           .kind = p->obstacle ? CR_NODES_IN_WALL : CR_NODES_IN_BODY};

  PetscFunctionBeginUser;
  PetscCall(use_shell(o, surface, &look.from));
  PetscCall(add(o, look, surface->nnodes, room));
  if (p->obstacle) PetscFunctionReturn(PETSC_SUCCESS);
  shape = CrRigidShape(o->contact->model->rigid, p->partner);
  look.kind = CR_EDGES_IN_BODY;
  if (shape->kind == CR_SHAPE_POLYTOPE) PetscCall(add(o, look, o->shells[look.from]->nedges, room));
  look.into = look.from;
  look.from = -1;
  look.way = 1;
  look.kind = CR_POINTS_IN_SHELL;
  PetscCall(add(o, look, CrShapePoints(shape), room));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the look of a whole body at itself. A part of a boundary is not closed, so it does not define an inside. */
static PetscErrorCode add_self(CrOverlaps *o, const CrPass *p, PetscInt *room)
{
  const CrModel *model = o->contact->model;
  CrLook         look = {.pair = p->pair, .kind = CR_NODES_IN_SELF, .body = -1};
  PetscInt       boundary = CrModelBoundary(model, p->slave->body);

  PetscFunctionBeginUser;
  if (boundary < 0 || p->slave != o->contact->surfaces[boundary] || p->slave != p->master)
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(use_shell(o, p->slave, &look.from));
  look.into = look.from;
  PetscCall(add(o, look, p->slave->nnodes, room));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a pair have a pass of points of a rigid body, but none of nodes on the body? */
static PetscBool is_alone(const CrContact *c, const CrPass *p)
{
  if (p->kind != CR_POINT_ON_FACET) return PETSC_FALSE;
  for (PetscInt k = 0; k < c->npasses; k++)
    if (c->passes[k].kind == CR_NODE_ON_BODY && c->passes[k].pair == p->pair &&
        c->passes[k].partner == p->partner)
      return PETSC_FALSE;
  return PETSC_TRUE;
}

static PetscErrorCode add_looks(CrOverlaps *o)
{
  const CrContact *c = o->contact;
  PetscInt         room = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];

    if (p->self && !p->reversed) PetscCall(add_self(o, p, &room));
    if (is_alone(c, p)) PetscCall(add_rigid(o, p, &room));
    if (p->self || p->reversed) continue;
    if (p->kind == CR_NODE_ON_FACET)
      for (PetscInt way = 0; way < 2; way++) PetscCall(add_surfaces(o, p, way, &room));
    if (p->kind == CR_NODE_ON_WALL || p->kind == CR_NODE_ON_BODY) PetscCall(add_rigid(o, p, &room));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Passes of each pair, of all kinds. */
static PetscErrorCode list_passes(CrOverlaps *o)
{
  const CrContact *c = o->contact;
  PetscInt        *fill;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(c->npairs + 2, &o->pass_start));
  PetscCall(PetscMalloc1(c->npasses, &o->passes));
  fill = o->pass_start + 1;
  for (PetscInt k = 0; k < c->npasses; k++) fill[c->passes[k].pair + 1]++;
  for (PetscInt k = 0; k < c->npairs; k++) fill[k + 1] += fill[k];
  for (PetscInt k = 0; k < c->npasses; k++) o->passes[fill[c->passes[k].pair]++] = k;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sets the thickness behind an open surface. It limits the penetration there, because no facet on the far side shows
   that a point has left the body. */
static void look_behind(CrOverlaps *o, PetscInt shell)
{
  const CrSurface *s = o->shells[shell]->surface;
  PetscBool        open = PETSC_FALSE;

  for (PetscInt i = 0; i < s->nnodes; i++) open = open || s->rim[i];
  for (PetscInt f = 0; open && f < s->nfacets; f++)
    o->behind[shell] = PetscMax(o->behind[shell], CrThicknessAtFacet(o, shell, f));
}

/* ---- the whole -------------------------------------------------------------------------------- */

PetscErrorCode CrOverlapsCreate(CrContact *contact, PetscBool springs, PetscBool allowed,
                                CrOverlaps **out)
{
  const CrModel *model = contact->model;
  CrOverlaps    *o;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&o));
  *out = o;
  o->contact = contact;
  o->springs = springs;
  o->allowed = allowed;
  o->held_pair = -1;
  PetscCall(
      PetscCalloc3(model->nsets, &o->shells, model->nsets, &o->thick, model->nsets, &o->behind));
  PetscCall(add_looks(o));
  PetscCall(list_passes(o));
  PetscCall(PetscCalloc4(o->nitems, &o->start, o->nitems, &o->until, model->nlocal, &o->held,
                         contact->npairs, &o->pairs));
  PetscCall(PetscCalloc1(contact->npoints, &o->pressed));
  PetscCall(PetscCalloc3(3 * contact->npairs, &o->greatest, CR_COUNTS * contact->npairs, &o->counts,
                         o->room, &o->found));
  PetscCall(CrSkinCreate(model, &o->skin));
  for (PetscInt s = 0; s < model->nsets; s++)
    if (o->shells[s]) look_behind(o, s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapsDestroy(CrOverlaps **out)
{
  CrOverlaps *o = *out;

  PetscFunctionBeginUser;
  if (!o) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt s = 0; s < o->contact->model->nsets; s++) {
    PetscCall(CrShellDestroy(&o->shells[s]));
    PetscCall(PetscFree(o->thick[s]));
  }
  PetscCall(PetscFree3(o->shells, o->thick, o->behind));
  PetscCall(PetscFree(o->looks));
  PetscCall(PetscFree(o->pass_start));
  PetscCall(PetscFree(o->passes));
  PetscCall(PetscFree4(o->start, o->until, o->held, o->pairs));
  PetscCall(PetscFree(o->pressed));
  PetscCall(PetscFree3(o->greatest, o->counts, o->found));
  PetscCall(CrSkinDestroy(&o->skin));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapsArchive(CrOverlaps *o, CrArchive *archive)
{
  const PetscInt n = o->contact->npairs;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddInts(archive, "overlap.begun", 1, &o->begun));
  PetscCall(CrArchiveAddReals(archive, "overlap.start", o->nitems, o->start));
  PetscCall(CrArchiveAddReals(archive, "overlap.greatest", 3 * n, o->greatest));
  PetscCall(CrArchiveAddInts(archive, "overlap.counts", CR_COUNTS * n, o->counts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- questions about one item ----------------------------------------------------------------- */

PetscReal CrThicknessAtFacet(CrOverlaps *o, PetscInt shell, PetscInt f)
{
  const CrModel   *model = o->contact->model;
  const CrSurface *s = o->shells[shell]->surface;
  PetscReal        X[4][3] = {{0}}, centre[3] = {0}, a[3], b[3] = {0, 0, 1}, n[3];
  PetscInt         nc = s->ncorners[f];

  if (o->thick[shell][f] > 0) return o->thick[shell][f];
  for (PetscInt k = 0; k < nc; k++)
    for (PetscInt i = 0; i < model->dim; i++) {
      X[k][i] = model->X[model->dim * s->corners[4 * f + k] + i];
      centre[i] += X[k][i] / (PetscReal)nc;
    }
  for (int i = 0; i < 3; i++) {
    a[i] = X[nc == 4 ? 2 : 1][i] - X[0][i];
    if (nc > 2) b[i] = X[nc - 1][i] - X[nc == 4 ? 1 : 0][i];
  }
  v_cross(a, b, n);
  (void)v_unit(n);
  o->thick[shell][f] = CrSkinThickness(o->skin, s->body, centre, n, 2 * s->size[f]);
  return o->thick[shell][f];
}

PetscReal CrThicknessAtNode(CrOverlaps *o, PetscInt shell, PetscInt i)
{
  const CrSurface *s = o->shells[shell]->surface;
  PetscReal        least = PETSC_MAX_REAL;

  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
    least = PetscMin(least, CrThicknessAtFacet(o, shell, s->around[k]));
  return least;
}

PetscReal CrInsideHalf(CrOverlaps *o, const CrInside *in)
{
  const CrRigid *rigid = o->contact->model->rigid;
  const CrLook  *look = in->look;
  PetscReal      least = PETSC_MAX_REAL;

  if (look->body >= 0) least = 2 * CrShapeInnerRadius(CrRigidShape(rigid, look->body));
  if (in->node >= 0) least = PetscMin(least, CrThicknessAtNode(o, look->from, in->node));
  if (in->facet >= 0) least = PetscMin(least, CrThicknessAtFacet(o, look->into, in->facet));
  return least / 2;
}

/* The facet of a pressed sample is held, though none of its nodes may be pressed itself. */
static void hold_sample(CrOverlaps *o, const CrSample *sample)
{
  for (PetscInt a = 0; a < sample->n; a++)
    o->held[sample->nodes[a]] = PetscMax(o->held[sample->nodes[a]], o->stamp);
}

/* Marks the nodes of an edge that is pressed, and of the one that holds it. */
static void hold_edges(CrOverlaps *o, const CrPass *p, PetscInt i, PetscInt meeting)
{
  PetscInt nodes[4];

  CrMeetingNodes(p->ridges[0], i, p->ridges[1], meeting, nodes);
  for (int a = 0; a < 4; a++)
    if (!p->ridges[a / 2]->shape) o->held[nodes[a]] = PetscMax(o->held[nodes[a]], o->stamp);
}

/* Marks the nodes of pressed points of a pair: slaves, and corners of the facets that hold them. */
static void hold(CrOverlaps *o, PetscInt pair)
{
  const CrContact *c = o->contact;

  if (o->held_pair == pair) return;
  o->held_pair = pair;
  o->stamp += 2;
  for (PetscInt k = o->pass_start[pair]; k < o->pass_start[pair + 1]; k++) {
    const CrPass *p = &c->passes[o->passes[k]];

    for (PetscInt i = 0; i < p->n; i++) {
      PetscInt f = o->pressed[p->first + i] - 2;

      if (f == -2) continue;
      if (p->ops->slave->is_node) o->held[p->slave->nodes[i]] = o->stamp + 1;
      if (p->kind == CR_SAMPLE_ON_FACET) hold_sample(o, &p->samples->list[i]);
      if (CrPassHasEdges(p) && f >= 0) hold_edges(o, p, i, f);
      for (PetscInt a = 0; p->ops->facets && f >= 0 && a < p->master->ncorners[f]; a++) {
        PetscInt *held = &o->held[p->master->corners[4 * f + a]];

        *held = PetscMax(*held, o->stamp);
      }
    }
  }
}

static PetscBool is_held(const CrOverlaps *o, const CrSurface *s, PetscInt f)
{
  for (PetscInt a = 0; a < s->ncorners[f]; a++)
    if (o->held[s->corners[4 * f + a]] >= o->stamp) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrInsideIsPressed(CrOverlaps *o, const CrInside *in)
{
  hold(o, in->look->pair);
  return in->node >= 0 && in->look->kind != CR_EDGES_IN_SHELL &&
         in->look->kind != CR_EDGES_IN_BODY &&
         o->held[o->shells[in->look->from]->surface->nodes[in->node]] == o->stamp + 1;
}

PetscBool CrInsideIsSeen(CrOverlaps *o, const CrInside *in)
{
  const CrSurface *s;

  hold(o, in->look->pair);
  if (in->facet >= 0 && is_held(o, o->shells[in->look->into]->surface, in->facet))
    return PETSC_TRUE;
  if (in->node < 0) return PETSC_FALSE;
  s = o->shells[in->look->from]->surface;
  for (PetscInt k = s->around_start[in->node]; k < s->around_start[in->node + 1]; k++)
    if (is_held(o, s, s->around[k])) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Creates the comparisons (looks) of all pairs. A look compares nodes, edges or points of one side with the other
   side. */
#include "base/grow.h"
#include "base/lazy.h"
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
  PetscCall(CrLazyCreate(surface->nfacets, &o->thick[*s]));
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

/* Does this rank look at an item? Nodes and edges belong to the owner of their (first) node, points of a rigid body to
   one rank. */
static PetscBool is_mine(const CrOverlaps *o, const CrLook *look, PetscInt i)
{
  const CrModel *model = o->contact->model;
  const CrShell *from = look->from < 0 ? NULL : o->shells[look->from];
  PetscMPIInt    rank;

  if (from && (look->kind == CR_EDGES_IN_SHELL || look->kind == CR_EDGES_IN_BODY))
    return from->surface->nodes[from->edges[2 * i]] < model->nowned;
  if (from) return from->surface->nodes[i] < model->nowned;
  (void)MPI_Comm_rank(model->comm, &rank);
  return look->body % o->ranks == rank;
}

static PetscErrorCode divide_items(CrOverlaps *o)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < o->nlooks; k++)
    for (PetscInt i = 0; i < o->looks[k].n; i++) n += is_mine(o, &o->looks[k], i);
  PetscCall(PetscMalloc1(n, &o->mine));
  n = 0;
  for (PetscInt k = 0; k < o->nlooks; k++) {
    o->looks[k].mine = n;
    for (PetscInt i = 0; i < o->looks[k].n; i++)
      if (is_mine(o, &o->looks[k], i)) o->mine[n++] = i;
    o->looks[k].nmine = n - o->looks[k].mine;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_open(const CrSurface *s)
{
  for (PetscInt i = 0; i < s->nnodes; i++)
    if (s->rim[i]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Sets the thickness behind open surfaces. It limits the penetration there, because no facet on the far side shows
   that a point has left the body. The owner of the first node of a facet finds the thickness there. */
static PetscErrorCode look_behind(CrOverlaps *o)
{
  const CrModel *model = o->contact->model;

  PetscFunctionBeginUser;
  for (int found = 0; found < 2; found++) {
    for (PetscInt s = 0; s < model->nsets; s++) {
      const CrSurface *surface = o->shells[s] ? o->shells[s]->surface : NULL;

      for (PetscInt f = 0; surface && is_open(surface) && f < surface->nfacets; f++) {
        PetscReal thick;

        if (surface->corners[4 * f] >= model->nowned) continue;
        PetscCall(CrThicknessAsk(o, s, f, &thick));
        o->behind[s] = PetscMax(o->behind[s], thick);
      }
    }
    if (!found) PetscCall(CrThicknessFind(o));
  }
  if (o->ranks > 1)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, o->behind, (PetscMPIInt)model->nsets, MPIU_REAL,
                               MPIU_MAX, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
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
  PetscCallMPI(MPI_Comm_size(model->comm, &o->ranks));
  PetscCall(
      PetscCalloc3(model->nsets, &o->shells, model->nsets, &o->thick, model->nsets, &o->behind));
  PetscCall(add_looks(o));
  PetscCall(list_passes(o));
  PetscCall(PetscCalloc2(o->nitems, &o->start, contact->npairs, &o->pairs));
  PetscCall(CrLazyCreate(o->nitems, &o->until));
  PetscCall(CrLazyCreate(model->nlocal, &o->held));
  PetscCall(PetscCalloc3(3 * contact->npairs, &o->greatest, CR_COUNTS * contact->npairs, &o->counts,
                         o->room, &o->found));
  PetscCall(PetscCalloc3(6 * contact->npairs + model->nsets, &o->reals, 4 * contact->npairs,
                         &o->ints, model->nsets, &o->renewed));
  PetscCall(divide_items(o));
  PetscCall(CrVicinityCreate(model, &o->near));
  PetscCall(CrScoutsCreate(contact, o->nlooks, &o->scouts));
  PetscCall(CrSkinCreate(model, &o->skin));
  PetscCall(look_behind(o));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapsDestroy(CrOverlaps **out)
{
  CrOverlaps *o = *out;

  PetscFunctionBeginUser;
  if (!o) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt s = 0; s < o->contact->model->nsets; s++) {
    PetscCall(CrShellDestroy(&o->shells[s]));
    PetscCall(CrLazyDestroy(&o->thick[s]));
  }
  PetscCall(PetscFree3(o->shells, o->thick, o->behind));
  PetscCall(PetscFree(o->looks));
  PetscCall(PetscFree(o->pass_start));
  PetscCall(PetscFree(o->passes));
  PetscCall(PetscFree2(o->start, o->pairs));
  PetscCall(CrLazyDestroy(&o->until));
  PetscCall(CrLazyDestroy(&o->held));
  PetscCall(PetscFree3(o->greatest, o->counts, o->found));
  PetscCall(PetscFree3(o->reals, o->ints, o->renewed));
  PetscCall(PetscFree(o->mine));
  PetscCall(PetscFree(o->inside.at));
  PetscCall(PetscFree(o->waiting.at));
  PetscCall(PetscFree(o->asked.at));
  PetscCall(PetscFree(o->shared.at));
  PetscCall(CrVicinityDestroy(&o->near));
  PetscCall(CrScoutsDestroy(&o->scouts));
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

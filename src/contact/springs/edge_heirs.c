/* Edges in contact that slide over their end (theory 13.12). If a pressed edge crosses the other edge beyond its own
   end, the next edge of the same surface inherits its springs. If the next edge is pressed too, the node between both
   edges has been pushed in. Then both edges stay in contact, until one of them opens. Edges are divided among the
   ranks, and the next edge may belong to another rank. The result depends on the order in which edges inherit. So the
   edges that slid over their end, and their neighbours, are sent to all ranks. All ranks make the same decisions, in
   the order of the points. Such edges are rare. Every rank has all nodes of edges. */
#include <stdlib.h>
#include "base/grow.h"
#include "base/mail.h"
#include "base/vector.h"
#include "contact/division.h"
#include "contact/springs/edges.h"

/* Touches of one pass in the order of their points. */
typedef struct {
  CrTouch   *first, *end; /* borrowed */
  PetscReal *gd;          /* [end - first] their dynamic gaps at t_n; NULL: those of the history */
  char      *drops;       /* [end - first] marks those that leave contact; NULL: they are dropped */
} Row;

static PetscReal gap_before(const CrContact *c, const Row *row, const CrTouch *touch)
{
  return row->gd ? row->gd[touch - row->first] : c->past.gd[touch->point];
}

/* As CrTouchWasPressed, for touches of other ranks too. */
static PetscBool was_pressed(const CrContact *c, const Row *row, const CrTouch *touch)
{
  return touch->keeps && gap_before(c, row, touch) < 0 ? PETSC_TRUE : PETSC_FALSE;
}

/* An edge beside that of a touch, and where it meets the master. */
typedef struct {
  CrTouch     *touch; /* NULL: none */
  PetscInt     meeting;
  CrKinematics k;
} Heir;

/* Takes an edge as the heir if it is nearer to the crossing than *least, a part of an edge. */
static void consider(const CrContact *c, const Row *row, const CrTouch *touch, CrTouch *other,
                     PetscInt j, const PetscReal *u0, PetscReal *least, Heir *heir)
{
  CrKinematics k;
  PetscInt     m = CrEdgeMeet(c, other, j, u0, &k);

  if (m < 0 || !(CrEdgePastEnd(k.xi[0]) < *least) ||
      !CrEdgeContinues(c, touch, other, was_pressed(c, row, other), m, &k))
    return;
  *least = CrEdgePastEnd(k.xi[0]);
  *heir = (Heir){other, m, k};
}

/* An edge beside that of the touch to which the crossing is nearer. A pressed one stays at its meeting. */
static Heir find_heir(const CrContact *c, const Row *row, const CrTouch *touch, const PetscReal *u0)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     least = CrEdgePastEnd(touch->xi0[0]);
  Heir          heir = {0};

  for (CrTouch *other = row->first; other < row->end; other++) {
    PetscBool pressed = was_pressed(c, row, other);

    if (other == touch ||
        !CrRidgesJoin(p->ridges[0], touch->point - p->first, p->ridges[0], other->point - p->first))
      continue;
    if (pressed && !other->idle)
      consider(c, row, touch, other, CR_MEETING_RIDGE(other->facet), u0, &least, &heir);
    for (PetscInt f = other->found; !pressed && f < other->found + other->nfound; f++)
      consider(c, row, touch, other, c->work->found[f], u0, &least, &heir);
  }
  return heir;
}

/* Adds the elastic slip of one edge to that of another: the squares of the lengths, which are energies, add up. */
static void add_spring(const CrTouch *from, PetscReal ratio, CrTouch *to)
{
  PetscReal both =
      v_dot(to->spring, to->spring) + ratio * ratio * v_dot(from->spring, from->spring);
  PetscReal sum[3], length;

  v_copy(to->spring, sum);
  v_add(sum, ratio, from->spring);
  v_add(sum, -v_dot(sum, to->nu0), to->nu0);
  length = v_length(sum);
  if (!(length > 1e-3 * PetscSqrtReal(both)))
    v_copy(to->spring, sum); /* they point away from each other */
  (void)v_unit(sum);
  for (int i = 0; i < 3; i++) to->spring[i] = PetscSqrtReal(both) * sum[i];
}

/* Moves the springs of an edge to the next edge of the same surface, with all of their energy. */
static void bequeath(const CrContact *c, const Row *row, CrTouch *from, const Heir *heir)
{
  CrTouch        *to = heir->touch;
  const PetscBool pressed = was_pressed(c, row, to);
  PetscReal       ratio, own = to->inherits ? to->gd0 : pressed ? gap_before(c, row, to) : 0;

  if (!to->inherits && !pressed) {
    for (int i = 0; i < 3; i++) to->spring[i] = 0;
    v_copy(from->nu0, to->nu0);
    to->inherits = PETSC_TRUE;
    CrEdgeEnter(c, to, heir->meeting, &heir->k);
  }
  ratio = PetscSqrtReal(from->weight / to->weight);
  to->keeps = to->inherits = PETSC_TRUE;
  to->gd0 = -PetscSqrtReal(PetscSqr(own) + PetscSqr(ratio * gap_before(c, row, from)));
  add_spring(from, ratio, to);
  from->idle = PETSC_TRUE;
  from->keeps = PETSC_FALSE;
}

/* Treats a pressed edge that crosses the other edge beyond its own end. Returns false if the edge has slid off. */
static PetscBool passes_on(const CrContact *c, const Row *row, CrTouch *touch, const PetscReal *u0)
{
  Heir heir = {0};

  if (touch->idle) return PETSC_FALSE;
  if (CrEdgePastEnd(touch->xi0[0]) > 0) heir = find_heir(c, row, touch, u0);
  if (!heir.touch) return CrEdgesBeyond(touch->xi0) <= OPEN_EDGE;
  if (!was_pressed(c, row, heir.touch) || CrEdgePastEnd(touch->xi0[0]) > CR_DENTED)
    bequeath(c, row, touch, &heir);
  return PETSC_TRUE;
}

static PetscErrorCode pass_on(CrContact *c, const Row *row, const PetscReal *u0)
{
  PetscFunctionBeginUser;
  for (CrTouch *touch = row->first; touch < row->end; touch++) {
    if (!was_pressed(c, row, touch) || touch->inherits) continue;
    if (passes_on(c, row, touch, u0)) continue;
    if (row->drops)
      row->drops[touch - row->first] = 1;
    else
      PetscCall(CrPointDrop(c, touch->point));
    touch->keeps = PETSC_FALSE;
    touch->idle = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrEdgesPassOn(CrContact *c, PetscInt pass, const PetscReal *u0)
{
  CrTouch  *touches = c->work->touches;
  const Row row = {.first = touches + c->work->first[pass], .end = touches + c->work->ntouches};

  return pass_on(c, &row, u0);
}

/* ---- edges of several ranks ------------------------------------------------------------------- */

/* Has a pressed edge slid over its end? */
static PetscBool has_slid(const CrContact *c, const CrTouch *touch)
{
  return CrTouchWasPressed(c, touch) && !touch->idle && CrEdgePastEnd(touch->xi0[0]) > 0;
}

static PetscBool is_divided(const CrContact *c, PetscInt pass)
{
  return CrPassHasEdges(&c->passes[pass]) && CrPassIsDivided(c, &c->passes[pass]);
}

/* An edge on its way to all ranks. */
typedef struct {
  CrTouch   touch;
  PetscReal gd;   /* at t_n */
  PetscInt  home; /* number of the touch on its rank */
  PetscBool mine;
} Member;

static int by_point(const void *a, const void *b)
{
  PetscInt p = ((const Member *)a)->touch.point, q = ((const Member *)b)->touch.point;

  return (p > q) - (p < q);
}

/* Lists the touches of this rank that slid over their end or are beside such an edge, and the edges near them. slid[n]
   are the points of all ranks that did. */
static PetscErrorCode list_members(const CrContact *c, PetscInt pass, PetscInt n,
                                   const PetscInt *slid, PetscInt *nmembers, Member *members,
                                   PetscInt *nfound, PetscInt *found)
{
  const CrPass *p = &c->passes[pass];

  PetscFunctionBeginUser;
  *nmembers = *nfound = 0;
  CR_EACH_TOUCH_OF (touch, c, pass) {
    PetscBool beside = PETSC_FALSE;

    for (PetscInt k = 0; k < n && !beside; k++)
      beside =
          CrRidgesJoin(p->ridges[0], touch->point - p->first, p->ridges[0], slid[k] - p->first);
    if (!beside) continue;
    members[(*nmembers)++] =
        (Member){.touch = *touch, .gd = c->past.gd[touch->point], .home = touch - c->work->touches};
    PetscCall(PetscArraycpy(found + *nfound, c->work->found + touch->found, touch->nfound));
    *nfound += touch->nfound;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Members of this rank become those of all ranks, in the order of their points, with their places in work->found. */
static PetscErrorCode gather_members(CrContact *c, PetscInt *n, Member **members, PetscInt nfound,
                                     PetscInt **found)
{
  CrContactWork *w = c->work;
  PetscInt       first, mine = *n, *near;
  Member        *all;

  PetscFunctionBeginUser;
  PetscCall(CrGatherAll(c->model->comm, *n, sizeof **members, *members, n, &first, &all));
  PetscCall(CrGatherAll(c->model->comm, nfound, sizeof *near, *found, &nfound, NULL, &near));
  PetscCall(CrGrow(w->nfound + nfound, &w->found_room, &w->found));
  PetscCall(PetscArraycpy(w->found + w->nfound, near, nfound));
  for (PetscInt k = 0, place = w->nfound; k < *n; k++) {
    all[k].mine = k >= first && k < first + mine;
    all[k].touch.found = place;
    place += all[k].touch.nfound;
  }
  qsort(all, (size_t)*n, sizeof *all, by_point);
  PetscCall(PetscFree(*members));
  PetscCall(PetscFree(*found));
  PetscCall(PetscFree(near));
  *members = all;
  *found = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lets the members hand over their springs. This rank takes what became of its own. */
static PetscErrorCode decide(CrContact *c, PetscInt n, const Member *members, const PetscReal *u0)
{
  CrTouch   *touches;
  PetscReal *gd;
  char      *drops;
  Row        row;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(n, &touches, n, &gd));
  PetscCall(PetscCalloc1(n, &drops));
  for (PetscInt k = 0; k < n; k++) {
    touches[k] = members[k].touch;
    gd[k] = members[k].gd;
  }
  row = (Row){.first = touches, .end = touches + n, .gd = gd, .drops = drops};
  PetscCall(pass_on(c, &row, u0));
  for (PetscInt k = 0; k < n; k++) {
    CrTouch *own = c->work->touches + members[k].home;
    PetscInt found = own->found;

    if (!members[k].mine) continue;
    *own = touches[k];
    own->found = found;
    if (drops[k]) PetscCall(CrPointDrop(c, own->point));
  }
  PetscCall(PetscFree2(touches, gd));
  PetscCall(PetscFree(drops));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Treats the edges of one pass that slid over their end, and those beside them. */
static PetscErrorCode pass_on_together(CrContact *c, PetscInt pass, const PetscReal *u0)
{
  PetscInt n = 0, m = 0, room = 0, nfound = 0, *slid, *own, *found;
  Member  *members;

  PetscFunctionBeginUser;
  CR_EACH_TOUCH_OF (touch, c, pass) {
    room++;
    nfound += touch->nfound;
  }
  PetscCall(PetscMalloc1(room, &own));
  CR_EACH_TOUCH_OF (touch, c, pass)
    if (has_slid(c, touch)) own[n++] = touch->point;
  PetscCall(CrGatherAll(c->model->comm, n, sizeof *own, own, &n, NULL, &slid));
  PetscCall(PetscFree(own));
  PetscCall(PetscMalloc1(room, &members));
  PetscCall(PetscMalloc1(nfound, &found));
  PetscCall(list_members(c, pass, n, slid, &m, members, &nfound, found));
  PetscCall(gather_members(c, &m, &members, nfound, &found));
  PetscCall(decide(c, m, members, u0));
  PetscCall(PetscFree(members));
  PetscCall(PetscFree(slid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrEdgesPassOnDivided(CrContact *c, const PetscReal *u0)
{
  PetscInt slid = 0;

  PetscFunctionBeginUser;
  if (!c->division) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < c->npasses; k++)
    if (is_divided(c, k))
      CR_EACH_TOUCH_OF (touch, c, k) slid += has_slid(c, touch);
  PetscCall(CrDivisionSumInts(c, 1, &slid));
  for (PetscInt k = 0; k < c->npasses; k++) {
    if (!is_divided(c, k)) continue;
    if (slid) PetscCall(pass_on_together(c, k, u0));
    CR_EACH_TOUCH_OF (touch, c, k) { /* the others stay, or slid off the master */
      const Row row = {.first = touch, .end = touch + 1};

      if (!has_slid(c, touch)) PetscCall(pass_on(c, &row, u0));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

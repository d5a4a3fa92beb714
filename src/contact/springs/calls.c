/* Adds contacts of sharp edges to a step, if no penetration is allowed at the end of the step (theory 17.7). When a
   step is solved, the depth of every sharp edge in the other body is measured. If an edge penetrates at a place without
   contact, a contact is added ("called in"), and the step is solved again. An added contact stays while it is pressed
   or the surfaces are near each other. */
#include "contact/springs/calls.h"
#include <string.h>
#include "base/grow.h"
#include "base/vector.h"
#include "contact/springs/springs.h"

#define MANY 8 /* laws that were called in, in a step */

/* ---- places that need a law ------------------------------------------------------------------- */

/* Is edge i of a pass at u1 outside of the box around the master? */
static PetscBool is_far(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u1)
{
  const PetscInt *A = CrRidgeNodes(p->ridges[0], i);
  PetscReal       x[2][3];

  for (int a = 0; a < 2; a++) CrGatherNode(c, A[a], u1, x[a]);
  for (int d = 0; d < 3; d++)
    if (PetscMax(x[0][d], x[1][d]) < p->shell->box[d] ||
        PetscMin(x[0][d], x[1][d]) > p->shell->box[3 + d])
      return PETSC_TRUE;
  return PETSC_FALSE;
}

/* How deep edge i of a pass is inside at u1; 0: it is outside. */
static PetscReal depth_of(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u1)
{
  const PetscInt *A = CrRidgeNodes(p->ridges[0], i);
  PetscReal       x[2][3];
  CrShellFoot     foot;

  for (int a = 0; a < 2; a++) CrGatherNode(c, A[a], u1, x[a]);
  return CrShellEdgeDepth(p->shell, x[0], x[1], p->master->nfacets, c->work->query, &foot);
}

/* The deepest first. */
static int by_depth(const void *a, const void *b)
{
  const CrCall *A = a, *B = b;

  if (A->depth != B->depth) return A->depth < B->depth ? 1 : -1;
  if (A->pass != B->pass) return A->pass < B->pass ? -1 : 1;
  if (A->i != B->i) return A->i < B->i ? -1 : 1;
  return (A->facet > B->facet) - (A->facet < B->facet);
}

/* The first contact point of the edge to which a contact point of a pass belongs, in the numbering of the pass
   CR_EDGE_ACROSS. CrEdgePassesAdd puts the pass CR_EDGE_ON_FACET of the same edges behind that pass. */
static PetscInt edge_of(const CrContact *c, PetscInt pass, PetscInt i)
{
  const CrPass *p = &c->passes[pass];

  return c->passes[pass - (p->kind == CR_EDGE_ON_FACET)].first + i - i % CrCallCopies(p);
}

/* Counts the edges that have laws of this kind or need one. */
static PetscInt count_edges(const CrContact *c)
{
  const CrContactWork *w = c->work;
  PetscInt             n = 0;

  for (PetscInt k = 0; k < w->ncalls; k++) {
    PetscBool known = PETSC_FALSE;

    for (PetscInt l = 0; l < k && !known; l++)
      known = edge_of(c, w->calls[l].pass, w->calls[l].i) ==
              edge_of(c, w->calls[k].pass, w->calls[k].i);
    n += !known;
  }
  CR_EACH_TOUCH (touch, c) {
    PetscInt  edge;
    PetscBool known = PETSC_FALSE;

    if (!CrPassIsCalled(&c->passes[touch->pass])) continue;
    edge = edge_of(c, touch->pass, touch->point - c->passes[touch->pass].first);
    for (PetscInt l = 0; l < w->ncalls && !known; l++)
      known = edge_of(c, w->calls[l].pass, w->calls[l].i) == edge;
    for (const CrTouch *other = w->touches; other < touch && !known; other++)
      known = CrPassIsCalled(&c->passes[other->pass]) &&
              edge_of(c, other->pass, other->point - c->passes[other->pass].first) == edge;
    n += !known;
  }
  return n;
}

/* Plane faces of unlike meshes bend under load, and their edges are a little inside at many places. Laws at all of them
   would need many solutions. So if many edges have laws of this kind, shallow places are left out. */
static void leave_shallow(CrContact *c)
{
  CrContactWork *w = c->work;
  PetscInt       n = 0;

  if (count_edges(c) <= MANY) return;
  for (PetscInt k = 0; k < w->ncalls; k++)
    if (w->calls[k].depth > CR_SHALLOW * w->calls[k].size) w->calls[n++] = w->calls[k];
  w->ncalls = n;
}

/* ---- new laws --------------------------------------------------------------------------------- */

/* A copy of an edge that has no touch; -1: all have one. Copies without a history come first. */
static PetscInt free_copy(const CrContact *c, const CrCall *call)
{
  const CrPass *p = &c->passes[call->pass];
  PetscInt      best = -1;

  for (PetscInt i = call->i; i < call->i + CrCallCopies(p); i++) {
    PetscBool taken = PETSC_FALSE;

    CR_EACH_TOUCH_OF (touch, c, call->pass)
      if (touch->point == p->first + i) taken = PETSC_TRUE;
    if (!taken &&
        (best < 0 || (c->past.facet[p->first + i] < 0 && c->past.facet[p->first + best] >= 0)))
      best = i;
  }
  return best;
}

/* Puts the last touch behind the others of its pass. */
static void put_in_order(CrContact *c, PetscInt pass)
{
  CrContactWork *w = c->work;
  PetscInt       to = w->first[pass + 1];
  CrTouch        last = w->touches[w->ntouches - 1];

  memmove(w->touches + to + 1, w->touches + to, sizeof last * (size_t)(w->ntouches - 1 - to));
  w->touches[to] = last;
  for (PetscInt k = pass + 1; k <= c->npasses; k++) w->first[k]++;
}

static PetscErrorCode begin_law(CrContact *c, const CrCall *call, const PetscReal *u0,
                                const PetscReal *u1, PetscBool *begun)
{
  PetscInt i = free_copy(c, call);
  CrTouch *touch;

  PetscFunctionBeginUser;
  *begun =
      c->passes[call->pass].kind == CR_EDGE_ON_FACET && i < 0 && CrDipReplaces(c, call, u0, u1);
  if (*begun) PetscFunctionReturn(PETSC_SUCCESS);
  if (i < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrTouchNew(c, call->pass, i, &touch));
  touch->facet = call->facet;
  touch->called = PETSC_TRUE;
  if (c->passes[call->pass].kind == CR_EDGE_ACROSS)
    touch->gap0 = CrAcrossStart(c, touch, u0);
  else
    touch->gap0 = CrDipStart(c, touch, u0, u1);

  put_in_order(c, call->pass);
  *begun = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Calls in laws, the deepest first. Laws at one node depend on each other, so that a node gets one law at a time. But laws
   that refine the place of another law do not wait. */
static PetscErrorCode begin_laws(CrContact *c, const PetscReal *u0, const PetscReal *u1,
                                 PetscInt *n)
{
  const CrContactWork *w = c->work;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < w->ncalls; k++) {
    const CrCall *call = &w->calls[k];
    PetscBool     begun, waits = PETSC_FALSE;

    for (PetscInt a = 0; a < call->n; a++) waits = waits || w->held_at[call->nodes[a]] > 0;
    if (waits && !CrDipRefines(c, call)) continue;
    PetscCall(begin_law(c, call, u0, u1, &begun));
    if (!begun) continue;
    for (PetscInt a = 0; a < call->n; a++) w->held_at[call->nodes[a]] = 1;
    ++*n;
  }
  for (PetscInt k = 0; k < w->ncalls; k++)
    for (PetscInt a = 0; a < w->calls[k].n; a++) w->held_at[w->calls[k].nodes[a]] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Moves the surfaces to u1, and makes room for the items that a query finds. */
static PetscErrorCode place_shells(CrContact *c, const PetscReal *u1)
{
  PetscInt room = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->nshells; k++) {
    (void)CrShellPlace(c->model, u1, c->shells[k]);
    c->shells[k]->is_fitted = PETSC_FALSE; /* nodes of other ranks move too */
    PetscCall(CrShellFit(c->shells[k]));
  }
  CR_EACH_PASS (p, c)
    if (p->kind == CR_EDGE_ACROSS)
      room = PetscMax(room, PetscMax(p->master->nfacets, p->ridges[1]->n));
  PetscCall(CrGrow(room, &c->work->query_room, &c->work->query));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists the places where edges are inside at u1 and have no law. */
static PetscErrorCode find_places(CrContact *c, const PetscReal *u0, const PetscReal *u1)
{
  PetscFunctionBeginUser;
  c->work->ncalls = 0;
  PetscCall(place_shells(c, u1));
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];

    if (p->kind != CR_EDGE_ACROSS) continue;
    for (PetscInt i = 0; i < p->n; i += CrCallCopies(p)) {
      PetscReal deep;

      if (is_far(c, p, i, u1)) continue;
      PetscCall(CrDipsFind(c, k + 1, i, u0, u1)); /* CrEdgePassesAdd adds both passes */
      deep = depth_of(c, p, i, u1);
      if (deep > CR_DEEP * p->ridges[0]->length[i]) PetscCall(CrAcrossFind(c, k, i, deep, u0, u1));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The depth of the deepest place, as a fraction of the edge or facet. */
static PetscReal deepest_place(const CrContact *c)
{
  PetscReal most = 0;

  for (PetscInt k = 0; k < c->work->ncalls; k++)
    most = PetscMax(most, c->work->calls[k].depth / c->work->calls[k].size);
  return most;
}

/* The greatest depth of laws that CrContactTame has weakened, as a fraction of the edge or facet. */
static PetscReal deepest_weakened(const CrContact *c, const PetscReal *u1)
{
  PetscReal most = 0;

  CR_EACH_TOUCH (touch, c) {
    const CrPass *p = &c->passes[touch->pass];
    PetscReal     size;

    if (!touch->called || !(touch->idle || touch->behind != 0)) continue;
    size = p->kind == CR_EDGE_ACROSS
               ? CrMeetingLength(p->ridges, touch->point - p->first, touch->facet)
               : p->master->size[touch->facet];
    most = PetscMax(most, -p->ops->gap(c, touch, u1) / size);
  }
  return most;
}

PetscErrorCode CrContactCall(CrContact *c, const PetscReal *u0, const PetscReal *u1, PetscBool adds,
                             CrOpenPlaces *open)
{
  CrContactWork *w = c->work;
  PetscReal      weakened;

  PetscFunctionBeginUser;
  *open = (CrOpenPlaces){0};
  if (!c->nshells) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(find_places(c, u0, u1));
  weakened = deepest_weakened(c, u1);
  open->all = PetscMax(deepest_place(c), weakened);
  leave_shallow(c);
  open->unheld = PetscMax(deepest_place(c), weakened);
  if (!adds) PetscFunctionReturn(PETSC_SUCCESS);
  if (w->ncalls > 1) qsort(w->calls, (size_t)w->ncalls, sizeof *w->calls, by_depth);
  PetscCall(begin_laws(c, u0, u1, &open->added));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- energy ----------------------------------------------------------------------------------- */

/* The work of the normal reaction of a touch in the step. */
static PetscReal work_of(const CrTouch *touch)
{
  return touch->weight * touch->out.p * touch->in.dg;
}

void CrContactTame(CrContact *c, PetscReal most, PetscInt *n)
{
  PetscReal greatest = 0;

  *n = 0;
  CR_EACH_TOUCH (touch, c)
    if (touch->called && !touch->idle && touch->behind == 0)
      greatest = PetscMax(greatest, work_of(touch));
  CR_EACH_TOUCH (touch, c) {
    if (!touch->called || touch->idle || touch->behind != 0) continue;
    if (!(work_of(touch) > PetscMax(most, greatest / 2))) continue;
    if (touch->gap0 < 0)
      touch->behind = touch->gap0;
    else
      touch->idle = PETSC_TRUE;
    ++*n;
  }
}

PetscBool CrContactHasCalled(const CrContact *c)
{
  CR_EACH_TOUCH (touch, c)
    if (CrPassIsCalled(&c->passes[touch->pass])) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrContactHasMoving(const CrContact *c)
{
  CR_EACH_TOUCH (touch, c)
    if (touch->moves > 0) return PETSC_TRUE;
  return PETSC_FALSE;
}

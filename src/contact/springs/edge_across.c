/* Sharp edges across any edges of the other surface, where nothing may be inside at the end of a step (theory 17.7). No
   search binds them. When a step is solved, and an edge lies inside the other body at a place that has no law, a law is
   called in, and the step is solved again. A law that was called in stays while the edges press or are near. */
#include <string.h>
#include "base/grow.h"
#include "base/vector.h"
#include "contact/springs/edges.h"
#include "contact/springs/springs.h"
#include "contact/touch/approach.h"

#define DEEP    1e-3 /* of the shorter edge: depth at which a law is called in */
#define DEEPEST 0.5  /* of the shorter edge: deeper edges came from another side */
#define BELOW   3    /* of the depth of an edge: most that its crossings are below others */
#define NEAR    0.02 /* of the shorter edge: gap at which a law goes */

/* ---- a step ----------------------------------------------------------------------------------- */

static PetscReal length_of(const CrPass *p, PetscInt i, PetscInt meeting)
{
  return CrMeetingLength(p->ridges, i, meeting);
}

/* Keeps the law of a point that was called in before, if its edges still cross. */
static PetscBool stays(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u0,
                       PetscReal *gap)
{
  PetscInt old = c->past.facet[p->first + i];

  if (c->work->plain) return PETSC_FALSE;
  if (CrCrossingFind(c->model, p->ridges, i, CR_MEETING_RIDGE(old), u0, c->pairs[p->pair].cone,
                     gap) != old)
    return PETSC_FALSE;
  return *gap < NEAR * length_of(p, i, old);
}

static PetscErrorCode search(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[])
{
  const CrPass *p = &c->passes[pass];

  (void)nends, (void)ends;
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    PetscInt  point = p->first + i;
    PetscReal gap;
    CrTouch  *touch;

    if (c->past.facet[point] < 0) continue;
    if (!stays(c, p, i, u0, &gap)) {
      PetscCall(CrPointDrop(c, point));
      continue;
    }
    PetscCall(CrTouchNew(c, pass, i, &touch));
    touch->facet = c->past.facet[point];
    touch->gap0 = gap;
    touch->keeps = c->past.gd[point] < 0;
    touch->waits = !touch->keeps;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where a law is called in, the edges did not cross at the start of the step, whatever their lines do. Else penetration
   of the start is kept, because a reaction that lessens it creates energy. */
static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool choose)
{
  const CrPass *p = &c->passes[touch->pass];

  (void)u0, (void)choose;
  if (touch->cached != touch->facet)
    touch->behind = !touch->called && touch->gap0 < -BEHIND * length_of(p, touch->point - p->first,
                                                                        touch->facet)
                        ? touch->gap0
                        : 0;
  touch->facet1 = touch->cached = touch->facet;
  touch->gd0 = touch->keeps ? c->past.gd[touch->point] : PetscMax(touch->gap0, 0);
  if (!CrEdgesLook(c, touch, touch->facet, step->u, CR_POSE_MIDDLE, &touch->k) ||
      !CrEdgesLook(c, touch, touch->facet, step->end, CR_POSE_END, &touch->k1))
    return CrEdgeStaysOpen(touch);
  CrTouchAsk(c, touch, step);
  return PETSC_TRUE;
}

const CrPassOps CrPass_edge_across = {.slave = &CrSlaveEdge,
                                      .search = search,
                                      .look = look,
                                      .gap = CrGapOfEdges};

/* ---- calls ------------------------------------------------------------------------------------ */

/* A place where an edge is inside: the first copy of the edge, and its meeting. */
typedef struct {
  PetscInt  pass, i, meeting;
  PetscReal depth;
} Call;

typedef CR_LIST(Call) Calls;

/* Is ridge j of the master sharp? Then the pass of the other direction has the crossing too. */
static PetscBool is_sharp(const CrPass *p, PetscInt j)
{
  const CrRidges *r = p->ridges[1];

  return r->surface->features->ridges[r->number[j]].turn > p->ridges[0]->corner;
}

/* Does a touch state the law of two edges? */
static PetscBool has_law(const CrContact *c, const PetscInt nodes[4])
{
  CR_EACH_TOUCH (touch, c) {
    PetscInt own[CR_CONTACT_NODES], same = 0;

    if (!CrPassHasEdges(&c->passes[touch->pass])) continue;
    if (touch->idle && !touch->called) continue;
    CrTouchNodes(c, touch, own);
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) same += nodes[a] == own[b];
    if (same == 4) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* The greatest displacement of nodes of one edge relative to nodes of the other, in the step. An edge that came inside
   within the step is not deeper. */
static PetscReal relative_way(const PetscInt nodes[4], const PetscReal *u0, const PetscReal *u1)
{
  PetscReal greatest = 0;

  for (int a = 0; a < 2; a++)
    for (int b = 2; b < 4; b++) {
      PetscReal way[3];

      for (int d = 0; d < 3; d++)
        way[d] = u1[3 * nodes[a] + d] - u0[3 * nodes[a] + d] - u1[3 * nodes[b] + d] +
                 u0[3 * nodes[b] + d];
      greatest = PetscMax(greatest, v_length(way));
    }
  return greatest;
}

/* A box around edge i of a pass at u1, for the tree of the master's edges, whose boxes are predicted. */
static void edge_box(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u1,
                     PetscReal box[6])
{
  const PetscInt *A = CrRidgeNodes(p->ridges[0], i);
  PetscReal       x[2][3];

  for (int a = 0; a < 2; a++) CrGatherNode(c, A[a], u1, x[a]);
  for (int d = 0; d < 3; d++) {
    box[d] = PetscMin(x[0][d], x[1][d]) - p->reach / 2;
    box[3 + d] = PetscMax(x[0][d], x[1][d]) + p->reach / 2;
  }
}

/* How deep edge i of a pass is inside at u1; 0: it is outside. */
static PetscReal depth_of(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u1,
                          PetscInt *found)
{
  const PetscInt *A = CrRidgeNodes(p->ridges[0], i);
  PetscReal       x[2][3];
  CrShellFoot     foot;

  for (int a = 0; a < 2; a++) CrGatherNode(c, A[a], u1, x[a]);
  for (int d = 0; d < 3; d++)
    if (PetscMax(x[0][d], x[1][d]) < p->shell->box[d] ||
        PetscMin(x[0][d], x[1][d]) > p->shell->box[3 + d])
      return 0;
  return CrShellEdgeDepth(p->shell, x[0], x[1], p->master->nfacets, found, &foot);
}

/* Lists edges of the master that edge i of a pass has gone through at u1. */
static PetscErrorCode find_calls(CrContact *c, PetscInt pass, PetscInt i, const PetscReal *u0,
                                 const PetscReal *u1, PetscInt *found, Calls *calls)
{
  const CrPass *p = &c->passes[pass];
  PetscReal     deep = depth_of(c, p, i, u1, found), box[6];
  PetscInt      n = 0;

  PetscFunctionBeginUser;
  if (!(deep > DEEP * p->ridges[0]->length[i])) PetscFunctionReturn(PETSC_SUCCESS);
  edge_box(c, p, i, u1, box);
  (void)CrTreeQuery(p->tree, box, p->ridges[1]->n, found, &n);
  for (PetscInt k = 0; k < n; k++) {
    PetscInt  j = found[k], nodes[4], m;
    PetscReal gap;

    if (p->reversed && is_sharp(p, j)) continue;
    m = CrCrossingFind(c->model, p->ridges, i, j, u1, c->pairs[p->pair].cone, &gap);
    if (m < 0 || gap > -DEEP * length_of(p, i, m) || gap < -DEEPEST * length_of(p, i, m)) continue;
    CrMeetingNodes(p->ridges[0], i, p->ridges[1], m, nodes);
    if (-gap > BELOW * deep || deep > relative_way(nodes, u0, u1)) continue;
    if (!has_law(c, nodes)) CrListAdd(calls, (Call){pass, i, m, -gap});
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The deepest first. */
static int by_depth(const void *a, const void *b)
{
  const Call *A = a, *B = b;

  if (A->depth != B->depth) return A->depth < B->depth ? 1 : -1;
  if (A->pass != B->pass) return A->pass < B->pass ? -1 : 1;
  if (A->i != B->i) return A->i < B->i ? -1 : 1;
  return (A->meeting > B->meeting) - (A->meeting < B->meeting);
}

/* A copy of an edge that has no touch; -1: all have one. Copies without a history come first. */
static PetscInt free_copy(const CrContact *c, const Call *call)
{
  const CrPass *p = &c->passes[call->pass];
  PetscInt      best = -1;

  for (PetscInt i = call->i; i < call->i + p->ridges[0]->copies; i++) {
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

static PetscErrorCode begin_law(CrContact *c, const Call *call, const PetscReal *u0,
                                PetscBool *begun)
{
  PetscInt     i = free_copy(c, call);
  CrTouch     *touch;
  CrKinematics k;

  PetscFunctionBeginUser;
  *begun = PETSC_FALSE;
  if (i < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrTouchNew(c, call->pass, i, &touch));
  touch->facet = call->meeting;
  touch->called = PETSC_TRUE;
  touch->gap0 = CrEdgesLook(c, touch, touch->facet, u0, CR_POSE_START, &k) ? k.gap : PETSC_MAX_REAL;
  put_in_order(c, call->pass);
  *begun = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Calls in laws, the deepest first. Laws at one node depend on each other, so that a node gets one law at a time. */
static PetscErrorCode begin_laws(CrContact *c, const Calls *calls, const PetscReal *u0, PetscInt *n)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < calls->n; k++) {
    const CrPass *p = &c->passes[calls->at[k].pass];
    PetscInt      nodes[4];
    PetscBool     begun, waits = PETSC_FALSE;

    CrMeetingNodes(p->ridges[0], calls->at[k].i, p->ridges[1], calls->at[k].meeting, nodes);
    for (int a = 0; a < 4; a++) waits = waits || c->work->held_at[nodes[a]] > 0;
    if (waits) continue;
    PetscCall(begin_law(c, &calls->at[k], u0, &begun));
    if (!begun) continue;
    for (int a = 0; a < 4; a++) c->work->held_at[nodes[a]] = 1;
    ++*n;
  }
  for (PetscInt k = 0; k < calls->n; k++) {
    const CrPass *p = &c->passes[calls->at[k].pass];
    PetscInt      nodes[4];

    CrMeetingNodes(p->ridges[0], calls->at[k].i, p->ridges[1], calls->at[k].meeting, nodes);
    for (int a = 0; a < 4; a++) c->work->held_at[nodes[a]] = 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Moves the surfaces to u1. *room: most items that a query finds. */
static PetscErrorCode place_shells(CrContact *c, const PetscReal *u1, PetscInt *room)
{
  PetscFunctionBeginUser;
  *room = 0;
  for (PetscInt k = 0; k < c->nshells; k++) {
    (void)CrShellPlace(c->model, u1, c->shells[k]);
    c->shells[k]->is_fitted = PETSC_FALSE; /* nodes of other ranks move too */
    PetscCall(CrShellFit(c->shells[k]));
  }
  CR_EACH_PASS (p, c)
    if (p->shell) *room = PetscMax(*room, PetscMax(p->master->nfacets, p->ridges[1]->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactCall(CrContact *c, const PetscReal *u0, const PetscReal *u1, PetscInt *n)
{
  Calls     calls = {0};
  PetscInt *found, room;

  PetscFunctionBeginUser;
  *n = 0;
  if (c->work->plain || !c->nshells) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(place_shells(c, u1, &room));
  PetscCall(PetscMalloc1(room, &found));
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];

    if (p->kind != CR_EDGE_ACROSS) continue;
    for (PetscInt i = 0; i < p->n; i += p->ridges[0]->copies)
      PetscCall(find_calls(c, k, i, u0, u1, found, &calls));
  }
  if (calls.n > 1) qsort(calls.at, (size_t)calls.n, sizeof *calls.at, by_depth);
  PetscCall(begin_laws(c, &calls, u0, n));
  PetscCall(PetscFree(calls.at));
  PetscCall(PetscFree(found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

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
    if (c->passes[touch->pass].kind == CR_EDGE_ACROSS) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Contact of sharp edges with any edges of the other surface, if no penetration is allowed at the end of a step (theory
   17.7). These contacts are not found by the contact search, but added where an edge penetrates (calls.c). */
#include "base/vector.h"
#include "contact/springs/calls.h"
#include "contact/springs/edges.h"

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

/* Lists edges of the master that edge i of a pass has gone through at u1. */
PetscErrorCode CrAcrossFind(CrContact *c, PetscInt pass, PetscInt i, PetscReal deep,
                            const PetscReal *u0, const PetscReal *u1)
{
  const CrPass *p = &c->passes[pass];
  PetscInt     *found = c->work->query, n = 0;
  PetscReal     box[6];

  PetscFunctionBeginUser;
  edge_box(c, p, i, u1, box);
  (void)CrTreeQuery(p->tree, box, p->ridges[1]->n, found, &n);
  for (PetscInt k = 0; k < n; k++) {
    PetscInt  j = found[k], nodes[4], m;
    PetscReal gap;

    if (!p->leads && is_sharp(p, j)) continue; /* the other side finds it */
    m = CrCrossingFind(c->model, p->ridges, i, j, u1, c->pairs[p->pair].cone, &gap);
    if (m < 0 || gap > -CR_DEEP * length_of(p, i, m) || gap < -DEEPEST * length_of(p, i, m))
      continue;
    CrMeetingNodes(p->ridges[0], i, p->ridges[1], m, nodes);
    if (-gap > BELOW * deep) continue;
    if (PetscMin(deep, -gap) > CrRelativeWay(2, nodes, 2, nodes + 2, u0, u1)) continue;
    if (!has_law(c, nodes)) PetscCall(CrCallAdd(c, pass, i, m, -gap, length_of(p, i, m), 4, nodes));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrAcrossStart(const CrContact *c, const CrTouch *touch, const PetscReal *u0)
{
  CrKinematics k;

  return CrEdgesLook(c, touch, touch->facet, u0, CR_POSE_START, &k) ? k.gap : PETSC_MAX_REAL;
}

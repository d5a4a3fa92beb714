/* Finds the edges that may touch in a step (theory 13.12). All decisions are made at the start of the step. A free edge
   is assigned to the edge through which it passes first, or else to the closest edge that it may touch. A pressed edge
   keeps its master edge, until the point where the edges cross slides over a node. Then it is assigned to the next edge
   of the master, or the next edge of the slave inherits the spring (edge_heirs.c). */
#include "base/vector.h"
#include "contact/division.h"
#include "contact/partners/partners.h"
#include "contact/springs/edges.h"
#include "contact/stage.h"
#include "contact/touch/approach.h"

#define TOUCHING 1e-10 /* of an edge: a smaller penetration is rounding */
#define DEEPEST  0.5   /* of the shorter edge */
#define ALIGNED                                                                                    \
  0.8 /* cosine of the greatest angle between normals of edges that continue each other */
#define LEVEL 0.1 /* of the shorter edge: most that the gaps of such edges differ by */

static PetscReal length_of(const CrPass *p, const CrTouch *touch, PetscInt meeting)
{
  return CrMeetingLength(p->ridges, touch->point - p->first, meeting);
}

PetscInt CrEdgeMeet(const CrContact *c, const CrTouch *touch, PetscInt j, const PetscReal *u0,
                    CrKinematics *k)
{
  const CrPass *p = &c->passes[touch->pass];
  const CrPose *pose[2] = {NULL, NULL};
  PetscInt      m;

  for (int e = 0; e < 2; e++)
    if (p->ridges[e]->shape) pose[e] = &c->work->partners[p->ridges[e]->body].start;
  m = CrMeetingFind(c->model, p->ridges, touch->point - p->first, j, u0, pose,
                    c->pairs[p->pair].cone);
  return m >= 0 && CrEdgesLook(c, touch, m, u0, CR_POSE_START, k) ? m : -1;
}

/* Sets the share of an edge, the part of its area that carries pressure. Shorter edges have greater shares, and no
   share is less than one half, as for sharp nodes. A pressed edge keeps the share of its first touch. */
static void set_share(const CrContact *c, CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscInt      i = touch->point - p->first;
  PetscReal     own = PetscSqr(p->ridges[0]->length[i]);
  PetscReal     other = PetscSqr(p->ridges[1]->length[CR_MEETING_RIDGE(touch->facet)]);

  touch->share = PetscMax(0.5, other / (own + other));
  if (touch->keeps && !touch->inherits && c->past.gd[touch->point] < 0)
    touch->share = c->past.share[touch->point];
  touch->weight = touch->share * CrPointWeight(c, p, i);
}

/* Under exact laws of the gap, milder edges have no role. They wait, and take part where they would get inside. */
static PetscBool is_mild(const CrContact *c, const CrPass *p, int side, PetscInt i)
{
  const CrRidges *r = p->ridges[side];

  return !r->shape && !(r->surface->features->ridges[r->number[i]].turn >
                        CR_EXACT_CORNERS * c->pairs[p->pair].corner);
}

void CrEdgeEnter(const CrContact *c, CrTouch *touch, PetscInt meeting, const CrKinematics *k)
{
  const CrPass *p = &c->passes[touch->pass];

  touch->idle = PETSC_FALSE;
  touch->cached = -1;
  touch->facet = meeting;
  touch->gap0 = k->gap;
  touch->waits = c->tight && (is_mild(c, p, 0, touch->point - p->first) ||
                              is_mild(c, p, 1, CR_MEETING_RIDGE(meeting)));
  set_share(c, touch);
}

/* ---- edges that continue each other ----------------------------------------------------------- */

PetscBool CrEdgeContinues(const CrContact *c, const CrTouch *held, const CrTouch *touch,
                          PetscBool dented, PetscInt meeting, const CrKinematics *k)
{
  const PetscReal length = length_of(&c->passes[touch->pass], touch, meeting);

  if (CrEdgesBeyond(k->xi) > OPEN_EDGE || v_dot(held->nu0, k->nu) < ALIGNED) return PETSC_FALSE;
  return dented || PetscAbsReal(k->gap - held->gap0) < LEVEL * length;
}

/* ---- free edges ------------------------------------------------------------------------------- */

static PetscBool is_held(const CrContact *c, PetscInt point)
{
  return c->past.facet[point] >= 0 && c->past.gd[point] < 0;
}

/* Counts the pressed edges of a pass at the nodes of its slave, on all ranks. */
static PetscErrorCode count_held(CrContact *c, const CrPass *p)
{
  PetscFunctionBeginUser;
  if (p->ridges[0]->shape) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < p->n; i++)
    for (int a = 0; a < 2; a++)
      if (CrPointIsMine(c, p, i) && is_held(c, p->first + i))
        c->work->held_at[CrRidgeNodes(p->ridges[0], i)[a]]++;
  if (CrPassIsDivided(c, p)) PetscCall(CrVicinitySum(c->stage->near, 1, c->work->held_at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void forget_held(CrContact *c, const CrPass *p)
{
  for (PetscInt i = 0; !p->ridges[0]->shape && i < p->n; i++)
    for (int a = 0; a < 2; a++) c->work->held_at[CrRidgeNodes(p->ridges[0], i)[a]] = 0;
}

/* Is an edge beside this one pressed? This one is not. */
static PetscBool has_pressed_neighbour(const CrContact *c, const CrTouch *touch)
{
  const CrPass   *p = &c->passes[touch->pass];
  const PetscInt *nodes = CrRidgeNodes(p->ridges[0], touch->point - p->first);

  if (!p->ridges[0]->shape) return c->work->held_at[nodes[0]] > 0 || c->work->held_at[nodes[1]] > 0;
  for (PetscInt i = 0; i < p->n; i++)
    if (is_held(c, p->first + i) &&
        CrRidgesJoin(p->ridges[0], touch->point - p->first, p->ridges[0], i))
      return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Is the point where the edges would cross beyond their ends when the gap closes? */
static PetscBool passes_beside(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                               PetscReal margin, const PetscReal *end)
{
  CrKinematics k;

  return end && CrEdgesLook(c, touch, meeting, end, CR_POSE_PATH, &k) && k.gap < 0 &&
         CrEdgesBeyond(k.xi) > margin;
}

/* The first time at which the edges of a meeting pass through each other, on the paths from u0 to ends[k]; 2: never.
   Rigid bodies move to the pose `pose` for the first end, and to the following poses for the others. */
static PetscReal crossing_time(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                               const PetscReal *u0, PetscInt nends, const PetscReal *const ends[],
                               CrPoseOf pose)
{
  PetscReal x0[12], x1[12], when, first = 2;

  CrGatherEdges(c, touch, meeting, u0, CR_POSE_START, x0);
  for (PetscInt k = 0; k < nends; k++) {
    if (!ends[k]) continue;
    CrGatherEdges(c, touch, meeting, ends[k], pose + k, x1);
    if (CrEdgesCross(x0, x1, OPEN_EDGE, &when)) first = PetscMin(first, when);
  }
  return first;
}

/* Activates the touch at ridge j of the master, if the edge penetrates there. */
static PetscBool begins_inside(const CrContact *c, CrTouch *touch, PetscInt j, const PetscReal *u0)
{
  const CrPass *p = &c->passes[touch->pass];
  CrKinematics  k;
  PetscInt      m = CrEdgeMeet(c, touch, j, u0, &k);

  if (m < 0 || !(k.gap < 0) || k.gap < -DEEPEST * length_of(p, touch, m) ||
      !CrEdgeContinues(c, touch, touch, PETSC_FALSE, m, &k))
    return PETSC_FALSE;
  CrEdgeEnter(c, touch, m, &k);
  return PETSC_TRUE;
}

/* Treats an edge that was released but still penetrates, with an empty spring: contact begins again at the same edge of
   the master, or at the next one. */
static PetscBool stays_inside(const CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrRidges *r = c->passes[touch->pass].ridges[1];
  PetscInt        old = c->past.facet[touch->point];
  CrKinematics    k;

  if (old < 0 || !CrEdgesLook(c, touch, old, u0, CR_POSE_START, &k)) return PETSC_FALSE;
  v_copy(k.nu, touch->nu0);
  touch->gap0 = k.gap;
  if (begins_inside(c, touch, CR_MEETING_RIDGE(old), u0)) return PETSC_TRUE;
  for (PetscInt f = touch->found; f < touch->found + touch->nfound; f++)
    if (CrRidgesJoin(r, CR_MEETING_RIDGE(old), r, c->work->found[f]) &&
        begins_inside(c, touch, c->work->found[f], u0))
      return PETSC_TRUE;
  return PETSC_FALSE;
}

/* May a free edge come into contact at a meeting? It does from outside. It also does if it penetrates a little between
   the ends of both edges. Then a pressed node beside has slid across the other edge, and has drawn this edge along below
   it. Deeper edges came from another side, and so may those of self-contact. */
static PetscBool may_begin(const CrPass *p, const CrTouch *touch, PetscInt meeting,
                           const CrKinematics *k)
{
  const PetscReal length = length_of(p, touch, meeting);

  if (k->gap >= -TOUCHING * length) return PETSC_TRUE;
  return !p->self && k->gap > -LEVEL * length && CrEdgesBeyond(k->xi) == 0 ? PETSC_TRUE
                                                                           : PETSC_FALSE;
}

/* Binds a free edge to the edge that its path meets first, or else to the nearest one. If a neighbouring edge is pressed, contact may begin beyond the end of the
   edge, so that both press in a dent. */
static void approach(const CrContact *c, CrTouch *touch, const PetscReal *u0, PetscInt nends,
                     const PetscReal *const ends[])
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     margin = has_pressed_neighbour(c, touch) ? CR_DENTED : OPEN_EDGE;
  PetscReal     least = PETSC_MAX_REAL, first = 2;
  CrKinematics  k;

  touch->idle = PETSC_TRUE;
  if (stays_inside(c, touch, u0)) return;
  for (PetscInt f = touch->found; f < touch->found + touch->nfound; f++) {
    PetscInt  m = CrEdgeMeet(c, touch, c->work->found[f], u0, &k);
    PetscReal when;

    if (m < 0 || !may_begin(p, touch, m, &k)) continue;
    when = crossing_time(c, touch, m, u0, nends, ends, CR_POSE_PATH);
    if (when > first || (when > 1 && !(k.gap < least))) continue;
    if (when > 1 && (CrEdgesBeyond(k.xi) > margin || passes_beside(c, touch, m, margin, ends[0])))
      continue;
    first = when;
    least = k.gap;
    CrEdgeEnter(c, touch, m, &k);
  }
}

/* ---- pressed edges ---------------------------------------------------------------------------- */

/* Keeps a pressed edge at its meeting, or takes the next edge of the master. */
static void hold(const CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscInt      old = c->past.facet[touch->point];
  CrKinematics  k, next;

  touch->keeps = PETSC_TRUE;
  touch->idle = !CrEdgesLook(c, touch, old, u0, CR_POSE_START, &k);
  if (touch->idle) return;
  CrSpringKeep(c->past.eta + 2 * touch->point, &k, touch);
  CrEdgeEnter(c, touch, old, &k);
  for (PetscInt f = touch->found; CrEdgePastEnd(k.xi[1]) > 0 && f < touch->found + touch->nfound;
       f++) {
    PetscInt j = c->work->found[f], m;

    if (!CrRidgesJoin(p->ridges[1], CR_MEETING_RIDGE(old), p->ridges[1], j)) continue;
    m = CrEdgeMeet(c, touch, j, u0, &next);
    if (m < 0 || !(CrEdgePastEnd(next.xi[1]) < CrEdgePastEnd(k.xi[1])) ||
        !CrEdgeContinues(c, touch, touch, PETSC_FALSE, m, &next))
      continue;
    k = next;
    CrEdgeEnter(c, touch, m, &k);
  }
  touch->xi0[0] = k.xi[0];
  touch->xi0[1] = k.xi[1];
}

/* ---- all -------------------------------------------------------------------------------------- */

PetscErrorCode CrSearchEdges(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[])
{
  const CrPass *p = &c->passes[pass];

  PetscFunctionBeginUser;
  PetscCall(count_held(c, p));
  for (PetscInt i = 0; i < p->n; i++) {
    PetscInt point = p->first + i;
    CrTouch *touch;

    if (!CrPointIsMine(c, p, i)) continue;
    PetscCall(CrTouchNew(c, pass, i, &touch));
    PetscCall(CrTouchFind(c, p, i, p->reach, touch));
    if (!touch->nfound) {
      PetscCall(CrPointDrop(c, point));
      c->work->ntouches--;
    } else if (is_held(c, point))
      hold(c, touch, u0);
    else
      approach(c, touch, u0, nends, ends);
  }
  forget_held(c, p);
  if (!CrPassIsDivided(c, p)) PetscCall(CrEdgesPassOn(c, pass, u0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Are the edges of a meeting apart at the end of the step? If no penetration is allowed there, it does not matter that
   they cross twice on the straight paths of their nodes. */
static PetscBool end_apart(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                           const PetscReal *u1)
{
  CrKinematics k;

  return c->tight && CrEdgesLook(c, touch, meeting, u1, CR_POSE_END, &k) && k.gap >= 0;
}

PetscBool CrEdgeBindPierced(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                            const PetscReal *u1)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     first = 2;
  PetscInt      looked = touch->idle ? -1 : touch->facet;
  CrKinematics  k;

  for (PetscInt f = touch->found; f < touch->found + touch->nfound; f++) {
    PetscInt  m = CrEdgeMeet(c, touch, c->work->found[f], u0, &k);
    PetscReal when;

    if (m < 0 || m == looked || k.gap < -TOUCHING * length_of(p, touch, m)) continue;
    when = crossing_time(c, touch, m, u0, 1, &u1, CR_POSE_END);
    if (!(when < first) || end_apart(c, touch, m, u1)) continue;
    first = when;
    touch->keeps = PETSC_FALSE;
    CrEdgeEnter(c, touch, m, &k);
  }
  return first <= 1;
}

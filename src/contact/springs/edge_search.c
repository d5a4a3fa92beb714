/* Finds the edges that may touch in a step (theory 13.12). All decisions are made at the start of the step. A free edge
   is bound to the edge through which it passes first, or else to the nearest one that it may touch. A pressed edge
   stays bound to its edge, until the point where the edges cross slides over a node. Then the next edge of the master
   takes its place, or the next edge of the slave takes over the spring. In a dent, both edges beside the node press,
   until one of them opens. */
#include "base/vector.h"
#include "contact/partners/partners.h"
#include "contact/springs/edges.h"
#include "contact/touch/approach.h"

#define TOUCHING 1e-10 /* of an edge: a smaller penetration is rounding */
#define DEEPEST  0.5   /* of the shorter edge */
#define ALIGNED                                                                                    \
  0.8 /* cosine of the greatest angle between normals of edges that continue each other */
#define LEVEL  0.1 /* of the shorter edge: most that the gaps of such edges differ by */
#define DENTED 0.5 /* of an edge: in a dent, it presses up to this distance beyond its end */

static PetscReal length_of(const CrPass *p, const CrTouch *touch, PetscInt meeting)
{
  return CrMeetingLength(p->ridges, touch->point - p->first, meeting);
}

/* The meeting with ridge j of the master at u0, if contact is possible there; -1: it is not. */
static PetscInt find_meeting(const CrContact *c, const CrTouch *touch, PetscInt j,
                             const PetscReal *u0, CrKinematics *k)
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

/* Activates a touch at a meeting; k has its gap. */
static void enter(const CrContact *c, CrTouch *touch, PetscInt meeting, const CrKinematics *k)
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

/* The distance of a coordinate from the interval [0, 1]. */
static PetscReal beyond(PetscReal xi)
{
  return PetscMax(0, PetscMax(-xi, xi - 1));
}

/* Does a meeting continue the meeting of `held`? Their normals must agree, because at a corner of a body the next edge
   leads elsewhere. Their gaps must agree too, unless both edges are pressed in a dent. */
static PetscBool continues(const CrContact *c, const CrTouch *held, const CrTouch *touch,
                           PetscInt meeting, const CrKinematics *k)
{
  const PetscReal length = length_of(&c->passes[touch->pass], touch, meeting);

  if (CrEdgesBeyond(k->xi) > OPEN_EDGE || v_dot(held->nu0, k->nu) < ALIGNED) return PETSC_FALSE;
  return (touch != held && CrTouchWasPressed(c, touch)) ||
         PetscAbsReal(k->gap - held->gap0) < LEVEL * length;
}

/* ---- free edges ------------------------------------------------------------------------------- */

/* Is an edge beside this one pressed? */
static PetscBool has_pressed_neighbour(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];

  for (PetscInt i = 0; i < p->n; i++)
    if (c->past.facet[p->first + i] >= 0 && c->past.gd[p->first + i] < 0 &&
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
  PetscInt      m = find_meeting(c, touch, j, u0, &k);

  if (m < 0 || !(k.gap < 0) || k.gap < -DEEPEST * length_of(p, touch, m) ||
      !continues(c, touch, touch, m, &k))
    return PETSC_FALSE;
  enter(c, touch, m, &k);
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
  PetscReal     margin = has_pressed_neighbour(c, touch) ? DENTED : OPEN_EDGE;
  PetscReal     least = PETSC_MAX_REAL, first = 2;
  CrKinematics  k;

  touch->idle = PETSC_TRUE;
  if (stays_inside(c, touch, u0)) return;
  for (PetscInt f = touch->found; f < touch->found + touch->nfound; f++) {
    PetscInt  m = find_meeting(c, touch, c->work->found[f], u0, &k);
    PetscReal when;

    if (m < 0 || !may_begin(p, touch, m, &k)) continue;
    when = crossing_time(c, touch, m, u0, nends, ends, CR_POSE_PATH);
    if (when > first || (when > 1 && !(k.gap < least))) continue;
    if (when > 1 && (CrEdgesBeyond(k.xi) > margin || passes_beside(c, touch, m, margin, ends[0])))
      continue;
    first = when;
    least = k.gap;
    enter(c, touch, m, &k);
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
  enter(c, touch, old, &k);
  for (PetscInt f = touch->found; beyond(k.xi[1]) > 0 && f < touch->found + touch->nfound; f++) {
    PetscInt j = c->work->found[f], m;

    if (!CrRidgesJoin(p->ridges[1], CR_MEETING_RIDGE(old), p->ridges[1], j)) continue;
    m = find_meeting(c, touch, j, u0, &next);
    if (m < 0 || !(beyond(next.xi[1]) < beyond(k.xi[1])) || !continues(c, touch, touch, m, &next))
      continue;
    k = next;
    enter(c, touch, m, &k);
  }
  touch->xi0[0] = k.xi[0];
  touch->xi0[1] = k.xi[1];
}

/* An edge beside that of a touch, and where it meets the master. */
typedef struct {
  CrTouch     *touch; /* NULL: none */
  PetscInt     meeting;
  CrKinematics k;
} Heir;

/* Takes an edge as the heir if it is nearer to the crossing than *least, a part of an edge. */
static void consider(const CrContact *c, const CrTouch *touch, CrTouch *other, PetscInt j,
                     const PetscReal *u0, PetscReal *least, Heir *heir)
{
  CrKinematics k;
  PetscInt     m = find_meeting(c, other, j, u0, &k);

  if (m < 0 || !(beyond(k.xi[0]) < *least) || !continues(c, touch, other, m, &k)) return;
  *least = beyond(k.xi[0]);
  *heir = (Heir){other, m, k};
}

/* An edge beside that of the touch to which the crossing is nearer. A pressed one stays at its meeting. */
static Heir find_heir(const CrContact *c, const CrTouch *touch, const PetscReal *u0)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     least = beyond(touch->xi0[0]);
  Heir          heir = {0};

  for (PetscInt t = c->work->first[touch->pass]; t < c->work->ntouches; t++) {
    CrTouch *other = &c->work->touches[t];

    if (other == touch ||
        !CrRidgesJoin(p->ridges[0], touch->point - p->first, p->ridges[0], other->point - p->first))
      continue;
    if (CrTouchWasPressed(c, other) && !other->idle)
      consider(c, touch, other, CR_MEETING_RIDGE(other->facet), u0, &least, &heir);
    for (PetscInt f = other->found;
         !CrTouchWasPressed(c, other) && f < other->found + other->nfound; f++)
      consider(c, touch, other, c->work->found[f], u0, &least, &heir);
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
static void bequeath(const CrContact *c, CrTouch *from, const Heir *heir)
{
  CrTouch        *to = heir->touch;
  const PetscBool pressed = CrTouchWasPressed(c, to);
  PetscReal       ratio, own = to->inherits ? to->gd0 : pressed ? c->past.gd[to->point] : 0;

  if (!to->inherits && !pressed) {
    for (int i = 0; i < 3; i++) to->spring[i] = 0;
    v_copy(from->nu0, to->nu0);
    to->inherits = PETSC_TRUE;
    enter(c, to, heir->meeting, &heir->k);
  }
  ratio = PetscSqrtReal(from->weight / to->weight);
  to->keeps = to->inherits = PETSC_TRUE;
  to->gd0 = -PetscSqrtReal(PetscSqr(own) + PetscSqr(ratio * c->past.gd[from->point]));
  add_spring(from, ratio, to);
  from->idle = PETSC_TRUE;
  from->keeps = PETSC_FALSE;
}

/* Treats a pressed edge that crosses the other edge beyond its own end: the next edge takes over its springs. If the
   next edge is pressed too, the node between them is in a dent. Then both stay, and one of them will open later.
   Returns false if the edge has slid off. */
static PetscBool passes_on(const CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  Heir heir = {0};

  if (touch->idle) return PETSC_FALSE;
  if (beyond(touch->xi0[0]) > 0) heir = find_heir(c, touch, u0);
  if (!heir.touch) return CrEdgesBeyond(touch->xi0) <= OPEN_EDGE;
  if (!CrTouchWasPressed(c, heir.touch) || beyond(touch->xi0[0]) > DENTED)
    bequeath(c, touch, &heir);
  return PETSC_TRUE;
}

static PetscErrorCode pass_on(CrContact *c, PetscInt pass, const PetscReal *u0)
{
  PetscFunctionBeginUser;
  for (CrTouch *touch = c->work->touches + c->work->first[pass];
       touch < c->work->touches + c->work->ntouches; touch++) {
    if (!CrTouchWasPressed(c, touch) || touch->inherits) continue;
    if (passes_on(c, touch, u0)) continue;
    PetscCall(CrPointDrop(c, touch->point));
    touch->keeps = PETSC_FALSE;
    touch->idle = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all -------------------------------------------------------------------------------------- */

PetscErrorCode CrSearchEdges(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[])
{
  const CrPass *p = &c->passes[pass];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    PetscInt point = p->first + i;
    CrTouch *touch;

    PetscCall(CrTouchNew(c, pass, i, &touch));
    PetscCall(CrTouchFind(c, p, i, p->reach, touch));
    if (!touch->nfound) {
      PetscCall(CrPointDrop(c, point));
      c->work->ntouches--;
    } else if (c->past.facet[point] >= 0 && c->past.gd[point] < 0)
      hold(c, touch, u0);
    else
      approach(c, touch, u0, nends, ends);
  }
  PetscCall(pass_on(c, pass, u0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrEdgeBindPierced(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                            const PetscReal *u1)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     first = 2;
  PetscInt      looked = touch->idle ? -1 : touch->facet;
  CrKinematics  k;

  for (PetscInt f = touch->found; f < touch->found + touch->nfound; f++) {
    PetscInt  m = find_meeting(c, touch, c->work->found[f], u0, &k);
    PetscReal when;

    if (m < 0 || m == looked || k.gap < -TOUCHING * length_of(p, touch, m)) continue;
    when = crossing_time(c, touch, m, u0, 1, &u1, CR_POSE_END);
    if (!(when < first)) continue;
    first = when;
    touch->keeps = PETSC_FALSE;
    enter(c, touch, m, &k);
  }
  return first <= 1;
}

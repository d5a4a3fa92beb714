/* Many bodies of any shape (theory 18.6): the step as a whole, as the pile of round ones does it. Pairs from boxes
   sorted along an axis; every corner of a touching face is a contact; impulses start from those of the step before; a
   few sweeps of Gauss-Seidel; positions are pushed apart or together. Velocities of the middle come from the impulses
   by the rotation step of 18.1, so that the energy balance is exact however far the sweeps have come. */
#include <string.h>
#include "integrate/efda/efda.h"

#define REACH         3.0 /* steps of approach for which pairs are listed that will not meet in this one */
#define SWEEPS        15   /* in a step */
#define TOLERANCE     1e-4 /* of h a: sweeps end when no velocity changes by more */
#define GUARD_ROUNDS  40   /* of five sweeps, where the contacts would create energy */
#define GUARD_SWEEPS  5
#define STRICT_ROUNDS 20 /* of fifty, after that */
#define PUSHES        8
#define AGAIN         2    /* rounds of pushes for pairs that had not been listed */
#define DEEP          1e-3 /* overlap, in least sizes, that calls for them */
#define SAME                                                                                       \
  0.1 /* of a body's reach: contacts of a pair nearer than this to one of before are taken for it */

struct EfdaHeap {
  PetscReal    *low, *high; /* [3n] boxes around the bodies and their ways */
  PetscReal    *spin;       /* [3n] at the start */
  PetscReal     mean[3];    /* velocity of all */
  PetscReal    *way; /* [n] how far a point of the body goes in a step, beside the motion of all */
  PetscInt     *order;       /* [n] along the axis */
  PetscInt     *head, *next; /* kept contacts by slave: lists */
  PetscInt      next_room;
  PetscReal    *pull; /* [contacts] how far a contact may still be pulled together */
  PetscInt      pull_room;
  PetscBool     listed; /* contacts are those of listed_state */
  PetscReal     listed_h, listed_t, deepest;
  CrRigidState *listed_state;
};

/* ---- life ------------------------------------------------------------------------------------------------ */

PetscErrorCode EfdaHeapSetUp(Efda *e)
{
  const CrRigid   *r = e->rigid;
  struct EfdaHeap *H;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&e->heap));
  H = e->heap;
  PetscCall(PetscCalloc6(3 * r->n, &H->low, 3 * r->n, &H->high, 3 * r->n, &H->spin, r->n, &H->way,
                         r->n, &H->order, r->n, &H->head));
  PetscCall(CrRigidStateCreate(r->n, &H->listed_state));
  for (PetscInt b = 0; b < r->n; b++) H->order[b] = b;
  PetscCall(EfdaGroupsSetUp(e));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaHeapDestroy(Efda *e)
{
  struct EfdaHeap *H = e->heap;

  PetscFunctionBeginUser;
  if (!H) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(EfdaGroupsDestroy(e));
  PetscCall(PetscFree6(H->low, H->high, H->spin, H->way, H->order, H->head));
  PetscCall(PetscFree(H->next));
  PetscCall(PetscFree(H->pull));
  PetscCall(CrRigidStateDestroy(&H->listed_state));
  PetscCall(PetscFree(e->heap));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EfdaHeapForget(Efda *e)
{
  if (e->heap) e->heap->listed = PETSC_FALSE;
}

/* ---- who is near whom ---------------------------------------------------------------------------------------- */

/* How far a shape extends from its centre along each axis of space, both ways. */
static void extents(const CrShape *s, const CrPose *p, PetscReal low[3], PetscReal high[3])
{
  for (int d = 0; d < 3; d++) {
    PetscReal l[3], X[3], up[3] = {d == 0, d == 1, d == 2};

    if (s->kind == CR_SHAPE_BALL || s->kind == CR_SHAPE_POINT) {
      low[d] = high[d] = s->radius;
      continue;
    }
    m_back(p->R, up, l);
    high[d] = CrShapeSupport(s, l, X);
    for (int i = 0; i < 3; i++) l[i] = -l[i];
    low[d] = CrShapeSupport(s, l, X);
  }
}

/* Boxes hold a body wherever it can be in REACH steps, seen by one who moves with the mean of all. */
static void set_boxes(Efda *e, PetscReal h)
{
  const CrRigid   *r = e->rigid;
  struct EfdaHeap *H = e->heap;

  for (int d = 0; d < 3; d++) H->mean[d] = 0;
  for (PetscInt b = 0; b < r->n; b++) v_add(H->mean, 1.0 / (PetscReal)r->n, e->now->v + 3 * b);
  for (PetscInt b = 0; b < r->n; b++) {
    const CrShape *s = &r->shapes[r->shape[b]];
    PetscReal      past[3], low[3], high[3];

    CrRigidSpin(r, e->now, b, H->spin + 3 * b);
    v_less(e->now->v + 3 * b, H->mean, past);
    H->way[b] = h * (v_length(past) + v_length(H->spin + 3 * b) * s->reach + h * e->a);
    extents(s, &e->poses[b], low, high);
    for (int d = 0; d < 3; d++) {
      H->low[3 * b + d] = e->now->x[3 * b + d] - low[d] - REACH * H->way[b];
      H->high[3 * b + d] = e->now->x[3 * b + d] + high[d] + REACH * H->way[b];
    }
  }
}

/* The direction in which the bodies are spread most. */
static int choose_axis(const Efda *e)
{
  PetscReal low[3], high[3];
  int       best = 0;

  for (int d = 0; d < 3; d++) low[d] = PETSC_MAX_REAL, high[d] = -PETSC_MAX_REAL;
  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int d = 0; d < 3; d++) {
      low[d] = PetscMin(low[d], e->now->x[3 * b + d]);
      high[d] = PetscMax(high[d], e->now->x[3 * b + d]);
    }
  for (int d = 1; d < 3; d++)
    if (high[d] - low[d] > high[best] - low[best]) best = d;
  return best;
}

/* By insertion: the order of the step before is nearly it. Equal ones by number, so that it depends on nothing else. */
static void sort_boxes(struct EfdaHeap *H, PetscInt n, int axis)
{
  for (PetscInt k = 1; k < n; k++) {
    PetscInt  b = H->order[k], j;
    PetscReal at = H->low[3 * b + axis];

    for (j = k; j > 0; j--) {
      PetscInt  o = H->order[j - 1];
      PetscReal lo = H->low[3 * o + axis];

      if (lo < at || (lo == at && o < b)) break;
      H->order[j] = o;
    }
    H->order[j] = b;
  }
}

static PetscBool boxes_meet(const struct EfdaHeap *H, PetscInt a, PetscInt b)
{
  for (int d = 0; d < 3; d++)
    if (H->low[3 * a + d] > H->high[3 * b + d] || H->low[3 * b + d] > H->high[3 * a + d])
      return PETSC_FALSE;
  return PETSC_TRUE;
}

static PetscErrorCode find_pairs(Efda *e)
{
  struct EfdaHeap *H = e->heap;
  const CrRigid   *r = e->rigid;
  int              axis = choose_axis(e);

  PetscFunctionBeginUser;
  sort_boxes(H, r->n, axis);
  for (PetscInt k = 0; k < r->n; k++) {
    PetscInt a = H->order[k];

    for (PetscInt l = k + 1; l < r->n; l++) {
      PetscInt           b = H->order[l], low = PetscMin(a, b), high = PetscMax(a, b);
      const CrRigidPair *pair;
      PetscBool          swapped;

      if (H->low[3 * b + axis] > H->high[3 * a + axis]) break;
      if (!boxes_meet(H, a, b)) continue;
      pair = CrContactRigidPairOf(e->contact, low, high, -1, &swapped);
      if (pair)
        PetscCall(EfdaAddCandidate(e, pair, swapped ? high : low, swapped ? low : high, -1, -1));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is the box of a body beyond the reach of a wall, which moves against the mean of all? Told for planes only. */
static PetscBool is_far(const Efda *e, PetscInt body, PetscInt obstacle, PetscInt wall, PetscReal h)
{
  const CrObstacle *o = &e->contact->obstacles[obstacle];
  PetscReal         shift[3], d[3], v[3], gap = 0;
  CrWall            w;

  CrObstacleShift(o, e->t, shift);
  if (!CrObstacleWall(o, wall, shift, &w) || !w.is_plane) return PETSC_FALSE;
  for (int i = 0; i < 3; i++)
    d[i] = (w.normal[i] > 0 ? e->heap->low : e->heap->high)[3 * body + i] - w.point[i];
  gap = v_dot(d, w.normal);
  EfdaWallVelocity(e, &(EfdaCandidate){.other = -1, .obstacle = obstacle}, e->t, h, v);
  v_add(v, -1, e->heap->mean);
  return gap > REACH * h * v_length(v);
}

static PetscErrorCode find_walls(Efda *e, PetscReal h)
{
  const CrRigid *r = e->rigid;

  PetscFunctionBeginUser;
  for (PetscInt o = 0; o < e->contact->nobstacles; o++)
    for (PetscInt w = 0; w < CrObstacleWalls(&e->contact->obstacles[o], r->dim); w++)
      for (PetscInt b = 0; b < r->n; b++) {
        PetscBool          swapped;
        const CrRigidPair *pair = CrContactRigidPairOf(e->contact, b, -1, o, &swapped);

        if (pair && !is_far(e, b, o, w, h)) PetscCall(EfdaAddCandidate(e, pair, b, -1, o, w));
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- contacts --------------------------------------------------------------------------------------------------- */

PetscReal EfdaHeapWay(const Efda *e, const EfdaCandidate *c, PetscReal h)
{
  const CrRigid *r = e->rigid;
  PetscReal      u[3],
      speed = v_length(e->heap->spin + 3 * c->body) * r->shapes[r->shape[c->body]].reach;

  v_copy(e->now->v + 3 * c->body, u);
  if (c->other >= 0) {
    v_add(u, -1, e->now->v + 3 * c->other);
    speed += v_length(e->heap->spin + 3 * c->other) * r->shapes[r->shape[c->other]].reach;
  } else {
    PetscReal wall[3];

    EfdaWallVelocity(e, c, e->t, h, wall);
    v_add(u, -1, wall);
  }
  return h * (v_length(u) + speed + h * e->a);
}

static PetscErrorCode add_contacts(Efda *e, PetscInt candidate, PetscInt n, const CrFeature *f)
{
  const EfdaCandidate *k = &e->candidates[candidate];
  PetscReal            none[3] = {0, 0, 0};

  PetscFunctionBeginUser;
  if (e->ncontacts + n > e->contacts_room) {
    e->contacts_room = 2 * (e->ncontacts + n) + 16;
    PetscCall(PetscRealloc(sizeof(EfdaContact) * (size_t)e->contacts_room, &e->contacts));
  }
  for (PetscInt i = 0; i < n; i++) {
    EfdaContact *c = &e->contacts[e->ncontacts++];

    PetscCall(PetscMemzero(c, sizeof *c));
    c->candidate = candidate;
    c->feature = f[i];
    EfdaMeet(e, c, e->t, &c->meeting);
    c->gap0 = c->meeting.gap;
    EfdaRows(e, c, e->now->x + 3 * k->body, k->other < 0 ? none : e->now->x + 3 * k->other);
    e->heap->deepest = PetscMax(e->heap->deepest, -c->gap0);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All contacts of `now` that may press in a step of length h. */
static PetscErrorCode list(Efda *e, PetscReal h)
{
  struct EfdaHeap *H = e->heap;
  CrFeature        features[CR_MOST_FEATURES];

  PetscFunctionBeginUser;
  e->ncandidates = e->ncontacts = 0;
  H->deepest = 0;
  EfdaPoses(e, e->now);
  set_boxes(e, h);
  if (e->contact) {
    PetscCall(find_walls(e, h));
    PetscCall(find_pairs(e));
  }
  for (PetscInt k = 0; k < e->ncandidates; k++) {
    PetscReal reach = REACH * EfdaHeapWay(e, &e->candidates[k], h) + e->close;
    PetscInt  n = EfdaFeatures(e, &e->candidates[k], e->t, reach, features);

    PetscCall(add_contacts(e, k, n, features));
  }
  PetscCall(CrRigidStateCopy(e->now, H->listed_state));
  H->listed_h = h;
  H->listed_t = e->t;
  H->listed = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_listed(const Efda *e, PetscReal h)
{
  const struct EfdaHeap *H = e->heap;
  size_t                 n = (size_t)e->rigid->n * sizeof(PetscReal);

  if (!H->listed || H->listed_h != h || H->listed_t != e->t) return PETSC_FALSE;
  return !memcmp(e->now->x, H->listed_state->x, 3 * n) &&
         !memcmp(e->now->v, H->listed_state->v, 3 * n) &&
         !memcmp(e->now->q, H->listed_state->q, 4 * n) &&
         !memcmp(e->now->pi, H->listed_state->pi, 3 * n) &&
         !memcmp(e->now->angle, H->listed_state->angle, n);
}

PetscErrorCode EfdaHeapLook(Efda *e)
{
  PetscFunctionBeginUser;
  PetscCall(list(e, 0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EfdaHeapEnterGaps(Efda *e)
{
  for (PetscInt k = 0; k < e->ncontacts; k++)
    CrTallyGap(&e->total.tally, e->candidates[e->contacts[k].candidate].pair, e->contacts[k].gap0);
}

/* ---- the start of a step -------------------------------------------------------------------------------------------- */

/* Kept contacts in lists by their slave. */
static PetscErrorCode index_kept(Efda *e)
{
  struct EfdaHeap *H = e->heap;

  PetscFunctionBeginUser;
  if (e->nprevious > H->next_room) {
    H->next_room = 2 * e->nprevious;
    PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)H->next_room, &H->next));
  }
  for (PetscInt b = 0; b < e->rigid->n; b++) H->head[b] = -1;
  for (PetscInt k = e->nprevious - 1; k >= 0; k--) {
    H->next[k] = H->head[e->previous[k].body];
    H->head[e->previous[k].body] = k;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces and corners change their numbers: the force of a contact of before goes to the one nearest to its place, among
   those of the same two, [first, last); once, or forces would grow. */
static void recall(Efda *e, PetscInt first, PetscInt last, PetscReal h)
{
  const EfdaCandidate *d = &e->candidates[e->contacts[first].candidate];

  for (PetscInt k = e->heap->head[d->body]; k >= 0; k = e->heap->next[k]) {
    const EfdaKept *kept = &e->previous[k];
    EfdaContact    *best = NULL;
    PetscReal       least = SAME * e->rigid->shapes[e->rigid->shape[d->body]].reach, w[3];

    if (kept->other != d->other || kept->wall != EfdaWallNumber(d)) continue;
    for (PetscInt n = first; n < last; n++) {
      v_less(kept->arm, e->contacts[n].rt[0], w);
      if (v_length(w) < least) least = v_length(w), best = &e->contacts[n];
    }
    if (!best) continue;
    best->p[0] += kept->force[0] * h;
    best->p[1] += v_dot(kept->force + 1, best->t1) * h;
    if (e->rigid->dim == 3) best->p[2] += v_dot(kept->force + 1, best->t2) * h;
  }
}

/* Half impulses to start from: those of the step before, cut to the cone of the new normal; none for new impacts. */
static void warm(Efda *e, PetscReal h)
{
  for (PetscInt k = 0; k < e->ncontacts; k++)
    for (int a = 0; a < 3; a++) e->contacts[k].p[a] = 0;
  for (PetscInt first = 0, last; first < e->ncontacts; first = last) {
    for (last = first + 1; last < e->ncontacts; last++)
      if (e->contacts[last].candidate != e->contacts[first].candidate) break;
    recall(e, first, last, h);
  }
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    EfdaContact         *c = &e->contacts[k];
    const EfdaCandidate *d = &e->candidates[c->candidate];
    PetscReal            size, most = d->friction * c->p[0];

    if (c->strikes && c->closed && d->restitution > 0) c->p[0] = c->p[1] = c->p[2] = 0;
    size = hypot(c->p[1], c->p[2]);
    if (size > most)
      for (int a = 1; a < 3; a++) c->p[a] *= most / size;
  }
}

/* Of the slip that friction is judged against, the part along which friction would push is dropped (theory 18.6). */
static void only_take(EfdaContact *c)
{
  PetscReal with = c->p[1] * c->bias[1] + c->p[2] * c->bias[2],
            size = c->p[1] * c->p[1] + c->p[2] * c->p[2];

  if (!(with > 0) || !(size > 0)) return;
  for (int a = 1; a < 3; a++) c->bias[a] -= with / size * c->p[a];
}

/* What the velocity of the middle is judged against, by how the two meet. */
static void judge(Efda *e, EfdaContact *c, PetscReal h)
{
  const EfdaCandidate *k = &e->candidates[c->candidate];
  PetscReal            none[3] = {0, 0, 0}, u[3], un, free, a[3];

  EfdaWallVelocity(e, k, e->t, h, c->wall_velocity);
  EfdaRelative(e, c, e->now->v + 3 * k->body, e->heap->spin + 3 * k->body,
               k->other < 0 ? none : e->now->v + 3 * k->other,
               k->other < 0 ? none : e->heap->spin + 3 * k->other, u);
  v_copy(e->load + 3 * k->body, a);
  if (k->other >= 0) v_add(a, -1, e->load + 3 * k->other);
  un = v_dot(u, c->meeting.normal);
  free = un + h / 2 * v_dot(a, c->meeting.normal);
  c->strikes = un < -e->rest;
  c->closed = c->gap0 <= h * h * e->a || c->gap0 + h * free < 0;
  if (c->closed) {
    PetscReal keep = c->strikes ? k->restitution : 0;

    c->bias[0] = (1 - keep) / 2 * un;
    c->bias[1] = (1 - keep) / 2 * v_dot(u, c->t1);
    c->bias[2] = (1 - keep) / 2 * v_dot(u, c->t2);
  } else { /* may be reached because of neighbours, and must not overlap */
    c->bias[0] = -c->gap0 / h;
    c->bias[1] = v_dot(u, c->t1) / 2;
    c->bias[2] = v_dot(u, c->t2) / 2;
  }
  c->held = PETSC_TRUE;
}

static PetscErrorCode begin(Efda *e, PetscReal h)
{
  PetscFunctionBeginUser;
  PetscCall(index_kept(e));
  EfdaPoses(e, e->now);
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    CrRigidInverse(e->rigid, b, e->poses[b].R, e->bodies[b].inverse);
    e->bodies[b].guided = e->bodies[b].free = PETSC_FALSE;
  }
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    EfdaContact         *c = &e->contacts[k];
    const EfdaCandidate *d = &e->candidates[c->candidate];

    judge(e, c, h);
    EfdaBlock(e, c);
    e->bodies[d->body].guided = PETSC_TRUE;
    if (d->other >= 0) e->bodies[d->other].guided = PETSC_TRUE;
  }
  warm(e, h);
  for (PetscInt k = 0; k < e->ncontacts; k++) only_take(&e->contacts[k]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- velocities --------------------------------------------------------------------------------------------------- */

static PetscInt sweep(Efda *e, PetscInt most, PetscReal tolerance)
{
  for (PetscInt n = 1; n <= most; n++) {
    PetscReal change = 0;

    for (PetscInt k = 0; k < e->ncontacts; k++)
      change = fmax(change, EfdaSolveOne(e, &e->contacts[k]));
    if (change <= tolerance) return n;
  }
  return most;
}

/* The end of the step for the impulses as they are, and its work. */
static PetscBool follow(Efda *e, PetscReal h)
{
  EfdaSumForces(e);
  if (!EfdaMove(e, h, PETSC_FALSE)) return PETSC_FALSE;
  EfdaWorkBegin(&e->part);
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    PetscReal u[3];

    EfdaSpeedAt(e, &e->contacts[k], u);
    EfdaEnter(e, &e->contacts[k], u, &e->part);
  }
  return PETSC_TRUE;
}

PetscReal EfdaEnergyScale(const Efda *e)
{
  PetscReal sum = 0;

  for (PetscInt b = 0; b < e->rigid->n; b++)
    sum += CrRigidKinetic(e->rigid, e->now, b) + e->rigid->mass[b] * v_length(e->load + 3 * b) *
                                                     e->rigid->shapes[e->rigid->shape[b]].reach;
  return sum;
}

static PetscErrorCode solve(Efda *e, PetscReal h, PetscBool *good)
{
  PetscReal scale = EfdaEnergyScale(e),
            tolerance = e->a > 0 ? TOLERANCE * h * e->a : 1e-12 * e->speed;

  PetscInt sweeps;

  PetscFunctionBeginUser;
  EfdaSumForces(e);
  *good = EfdaMove(e, h, PETSC_FALSE);
  if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
  e->passes += sweeps = sweep(e, SWEEPS, tolerance);
  if (sweeps == SWEEPS && e->together) PetscCall(EfdaSolveTogether(e, PETSC_FALSE, 1e-9));
  for (int round = 0;; round++) {
    PetscReal gain;

    *good = follow(e, h);
    if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
    gain = PetscMax(0, e->part.contact_work) - e->part.tally.total.loss;
    if (!(gain > EFDA_NEGLIGIBLE * scale) || round >= GUARD_ROUNDS + STRICT_ROUNDS) break;
    for (PetscInt k = 0; k < e->ncontacts; k++) {
      EfdaContact *c = &e->contacts[k];

      only_take(c);
      if (round < GUARD_ROUNDS) continue;
      c->bias[0] = PetscMin(c->bias[0], 0); /* so no contact can create energy once it is solved */
      c->bias[1] = c->bias[2] = 0;
    }
    e->passes += sweep(e, round < GUARD_ROUNDS ? GUARD_SWEEPS : 10 * GUARD_SWEEPS, 0);
    if (e->together && round % GUARD_ROUNDS == 0)
      PetscCall(EfdaSolveTogether(e, PETSC_FALSE, 1e-9));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies that nothing presses fly: their rotation is more exact so. */
static void release(Efda *e, PetscReal h)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) e->bodies[b].guided = PETSC_FALSE;
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    const EfdaContact   *c = &e->contacts[k];
    const EfdaCandidate *d = &e->candidates[c->candidate];

    if (!(c->p[0] > 0)) continue;
    e->bodies[d->body].guided = PETSC_TRUE;
    if (d->other >= 0) e->bodies[d->other].guided = PETSC_TRUE;
  }
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    CrRigidState *from = e->now, *to = e->trial;

    if (e->bodies[b].guided || e->bodies[b].away) continue;
    for (int i = 0; i < 3; i++) {
      to->x[3 * b + i] = from->x[3 * b + i];
      to->v[3 * b + i] = from->v[3 * b + i];
      to->pi[3 * b + i] = from->pi[3 * b + i];
    }
    for (int i = 0; i < 4; i++) to->q[4 * b + i] = from->q[4 * b + i];
    to->angle[b] = from->angle[b];
  }
  EfdaFly(e, h);
}

/* ---- positions ------------------------------------------------------------------------------------------------------ */

/* Gauss-Seidel on the gaps at the end: overlaps are pushed out; gaps of resting contacts are closed as far as their
   force may act in half a step. */
static PetscErrorCode push(Efda *e, PetscReal t, PetscReal h)
{
  struct EfdaHeap *H = e->heap;
  PetscReal       *dx = e->dx;

  PetscFunctionBeginUser;
  if (e->ncontacts > H->pull_room) {
    H->pull_room = 2 * e->ncontacts;
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)H->pull_room, &H->pull));
  }
  for (PetscInt b = 0; b < 6 * e->rigid->n; b++) dx[b] = 0;
  EfdaPoses(e, e->trial);
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    EfdaContact         *c = &e->contacts[k];
    const EfdaCandidate *d = &e->candidates[c->candidate];
    CrMeeting            m;

    EfdaMeet(e, c, t, &m);
    c->room = m.gap;
    /* a corner may have gone below the plane of a face far beside it: what really overlaps is found by the next list */
    if (h > 0 && !(c->p[0] > 0) && EfdaIsFast(e, d, h)) c->room = PetscMax(c->room, 0);
    H->pull[k] = c->closed && !c->strikes ? h / 2 * c->p[0] : 0;
    if (c->room >= 0) continue;
    e->bodies[d->body].guided = PETSC_TRUE;
    if (d->other >= 0) e->bodies[d->other].guided = PETSC_TRUE;
  }
  for (int pass = 0; pass < PUSHES; pass++)
    for (PetscInt k = 0; k < e->ncontacts; k++) {
      EfdaContact *c = &e->contacts[k];
      PetscReal    gap = c->room + EfdaOpens(e, c, dx), size;

      if (gap >= 0 && !(H->pull[k] > 0)) continue;
      size = PetscMax(-gap / c->W[0], -H->pull[k]);
      if (gap > 0) H->pull[k] += size;
      EfdaDisplace(e, c, size, 0, dx);
    }
  EfdaApply(e, dx);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pairs that the step had not listed are pushed apart too: from `now`, with the work of the loads. */
static PetscErrorCode push_again(Efda *e, PetscReal h)
{
  PetscFunctionBeginUser;
  for (int round = 0; round < AGAIN && e->heap->deepest > DEEP * e->size; round++) {
    for (PetscInt b = 0; b < e->rigid->n; b++) {
      CrRigidInverse(e->rigid, b, e->poses[b].R, e->bodies[b].inverse);
      e->bodies[b].guided = PETSC_FALSE;
    }
    for (PetscInt k = 0; k < e->ncontacts; k++) EfdaBlock(e, &e->contacts[k]);
    PetscCall(CrRigidStateCopy(e->now, e->trial));
    PetscCall(push(e, e->t, 0));
    for (PetscInt b = 0; b < e->rigid->n; b++)
      for (int i = 0; i < 3; i++)
        e->total.contact_work -= e->rigid->mass[b] * e->model->gravity[i] *
                                 (e->trial->x[3 * b + i] - e->now->x[3 * b + i]);
    PetscCall(CrRigidStateCopy(e->trial, e->now));
    PetscCall(list(e, h));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaHeapStep(Efda *e, PetscReal h, PetscBool *good)
{
  PetscFunctionBeginUser;
  if (!is_listed(e, h)) PetscCall(list(e, h));
  PetscCall(EfdaGroupsStep(e, h, good));
  if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(begin(e, h));
  PetscCall(CrRigidStateCopy(e->now, e->trial));
  PetscCall(solve(e, h, good));
  if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
  release(e, h);
  EfdaGroupsPlace(e, e->trial);
  PetscCall(CrRigidStateCopy(e->trial, e->base));
  PetscCall(push(e, e->t + h, h));
  PetscCall(EfdaAccept(e, h));
  PetscCall(EfdaGroupsKeep(e));
  PetscCall(list(e, h));
  PetscCall(push_again(e, h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

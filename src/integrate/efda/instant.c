/* Computes a step of few bodies in which every impact has its own time (theory 18). Bodies move freely, or along their
   contacts, until two of them meet. Then the impact is solved, and the next sub-step follows. */
#include "integrate/efda/contacts.h"
#include "integrate/efda/few.h"
#include "integrate/efda/motion.h"

#define MOST_PARTS  64 /* of a step, and four more for each body */
#define TURN        0.25 /* most rotation (radians) or sliding (sizes) while a feature describes a body */
#define MOST_PIECES 1000 /* of a step */
#define MOST_LOOKS  50   /* at a gap, for whether it closes in a piece */

EfdaContact *EfdaFindCrossing(EfdaSystem *e, PetscReal s, PetscReal depth)
{
  EfdaContact *found = NULL;
  PetscReal    least = -depth;

  EFDA_EACH (c, e) {
    PetscReal gap = c->closed || c->held ? 0 : EfdaGapAt(e, c, e->t + s);

    if (gap < least) least = gap, found = c;
  }
  return found;
}

/* Sets contacts aside while a time of impact is sought: only the islands of its two bodies matter. Returns true if
   there are any. */
static PetscBool set_aside(EfdaSystem *e, const EfdaContact *k)
{
  const EfdaCandidate *d = k->of;
  PetscInt             a = CrUnionRoot(e->roots, d->body),
           b = d->other < 0 ? a : CrUnionRoot(e->roots, d->other);
  PetscBool any = PETSC_FALSE;

  EFDA_EACH_HELD (c, e) {
    PetscInt root = CrUnionRoot(e->roots, c->of->body);

    if (root == a || root == b) continue;
    c->held = PETSC_FALSE;
    c->aside = any = PETSC_TRUE;
  }
  return any;
}

static void take_back(EfdaSystem *e)
{
  EFDA_EACH (c, e) {
    if (c->aside) c->held = PETSC_TRUE;
    c->aside = PETSC_FALSE;
  }
}

/* Moves the bodies over the time s, and computes the gap of contact k there. */
static PetscErrorCode try_gap(EfdaSystem *e, const EfdaContact *k, PetscReal s, PetscReal *gap,
                              PetscBool *good)
{
  PetscFunctionBeginUser;
  PetscCall(EfdaGuide(e, s, good));
  *gap = EfdaGapAt(e, k, e->t + s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the time at which contact k closes, between low (open) and high (overlap), by false position with halving
   (Illinois). The last motion that was tried is that of this time. */
static PetscErrorCode seek(EfdaSystem *e, const EfdaContact *k, PetscReal low, PetscReal high,
                           PetscReal *s, PetscBool *good)
{
  PetscReal gl, gh, g;
  int       side = 0;

  PetscFunctionBeginUser;
  gl = k->start.gap;
  if (low > 0) PetscCall(try_gap(e, k, low, &gl, good));
  PetscCall(try_gap(e, k, high, &gh, good));
  *s = high;
  if (!(gl > 0) || !(gh < 0)) PetscFunctionReturn(PETSC_SUCCESS);
  for (int it = 0; it < 100; it++) {
    *s = low + (high - low) * (gl / (gl - gh));
    if (!(*s > low && *s < high)) *s = (low + high) / 2;
    EFDA_TRY(try_gap(e, k, *s, &g, good));
    if (fabs(g) <= 1e-16 * e->scale.size || high - low <= 4e-16 * high) break;
    if (g > 0) {
      low = *s, gl = g;
      if (side == 1) gh /= 2;
      side = 1;
    } else {
      high = *s, gh = g;
      if (side == -1) gl /= 2;
      side = -1;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The same with other islands set aside. At the end all bodies are at that time. */
static PetscErrorCode find_instant(EfdaSystem *e, const EfdaContact *k, PetscReal low,
                                   PetscReal high, PetscReal *s, PetscBool *good)
{
  PetscBool any = set_aside(e, k);

  PetscFunctionBeginUser;
  PetscCall(seek(e, k, low, high, s, good));
  take_back(e);
  if (*good && any) PetscCall(EfdaGuide(e, *s, good));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Holds the closed contacts that do not open. */
static void choose_held(EfdaSystem *e)
{
  EFDA_EACH (c, e) {
    c->strikes = PETSC_FALSE;
    c->held = c->closed && c->start.rate <= PetscMax(e->scale.rest, 1e-12 * e->scale.speed);
  }
  e->striking = PETSC_FALSE;
}

/* Holds closed contacts that seemed to open, but overlap at the end. Returns true if there are any. */
static PetscBool hold_more(EfdaSystem *e, PetscReal s)
{
  PetscBool any = PETSC_FALSE;

  EFDA_EACH (c, e) {
    if (!c->closed || c->held || !(EfdaGapAt(e, c, e->t + s) < -e->scale.close)) continue;
    c->held = any = PETSC_TRUE;
  }
  return any;
}

/* The angular velocity of a body; zero for balls, whose gaps do not depend on rotation. */
static PetscReal turn_rate(const EfdaSystem *e, PetscInt b)
{
  PetscReal spin[3];

  if (CrRigidShape(e->rigid, b)->kind == CR_SHAPE_BALL) return 0;
  CrRigidSpin(e->rigid, e->now, b, spin);
  return v_length(spin);
}

/* The number of pieces in which a part is searched for impacts. A slender body that spins may touch and leave within a
   piece. */
static PetscInt count_looks(const EfdaSystem *e, PetscReal s)
{
  PetscReal most = 0;
  PetscBool open = PETSC_FALSE;

  EFDA_EACH (c, e) {
    if (c->closed) continue;
    open = PETSC_TRUE;
    EFDA_EACH_SIDE (side, b, c->of) most = fmax(most, turn_rate(e, b) * s / 0.2);
  }
  return open ? (PetscInt)PetscMax(2, PetscMin(100, ceil(most))) : 1;
}

/* A bound for how fast the rate of a gap may change because bodies rotate. */
static PetscReal bend(const EfdaSystem *e, const EfdaContact *c)
{
  const EfdaCandidate *k = c->of;
  PetscReal            v[3], turn = 0, speed = 0;

  v_less(e->now->v + 3 * k->body, k->other < 0 ? c->wall_velocity : e->now->v + 3 * k->other, v);
  EFDA_EACH_SIDE (side, b, k) {
    PetscReal rate = turn_rate(e, b);

    turn += rate;
    speed += rate * CrRigidShape(e->rigid, b)->reach;
  }
  return turn * (v_length(v) + speed);
}

/* Where a gap may be negative within a piece of length d, although it is positive at both ends; 0: nowhere. Without
   rotation the gap of convex bodies is a convex function of time: it lies above its tangents at both ends, which are
   lowest where they intersect. Rotation may bend it the other way; then the piece is halved. */
static PetscReal dip_between(EfdaLook a, EfdaLook b, PetscReal d, PetscReal bends)
{
  PetscReal meet = (b.gap - b.rate * d - a.gap) / (a.rate - b.rate);
  PetscReal least =
      PetscMin(PetscMax(a.gap, b.gap - b.rate * d), PetscMax(b.gap, a.gap + a.rate * d));

  if (meet > 0 && meet < d && a.rate < 0 && b.rate > 0) {
    least = a.gap + a.rate * meet;
    if (least < 0) return meet;
  }
  return least < bends * d * d / 2 ? d / 2 : 0;
}

/* Looks for a time between low and *high at which an open contact closes, although it is open at *high. Pieces are
   halved as long as the gap may be negative in them. *high becomes the time that was found. *at is the time of
   `trial`. */
static PetscErrorCode find_dip(EfdaSystem *e, const EfdaContact *c, PetscReal low, PetscReal *high,
                               PetscReal *at, PetscBool *good)
{
  EfdaLook  a = c->low, ends[MOST_LOOKS];
  PetscReal s = low, times[MOST_LOOKS], bends = bend(e, c), x;
  PetscInt  n = 1;

  PetscFunctionBeginUser;
  times[0] = *high;
  if (*at != *high) PetscCall(EfdaGuide(e, *at = *high, good));
  if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
  ends[0] = EfdaLookAt(e, c, *high);
  if (!(ends[0].gap > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  for (int looks = 0; n > 0 && looks < MOST_LOOKS - 1; looks++) {
    while (n > 0 && !((x = dip_between(a, ends[n - 1], times[n - 1] - s, bends)) > 0))
      n--, a = ends[n], s = times[n];
    if (n == 0) break;
    EFDA_TRY(EfdaGuide(e, *at = s + x, good));
    times[n] = s + x;
    ends[n] = EfdaLookAt(e, c, s + x);
    if (ends[n].gap < 0) {
      *high = s + x;
      break;
    }
    n++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies that are apart at both ends of [low, *high] may have met in between. `trial` is at *high. */
static PetscErrorCode find_passed(EfdaSystem *e, PetscReal low, PetscReal *high, PetscBool *good)
{
  PetscReal at = *high; /* of `trial` */

  PetscFunctionBeginUser;
  EFDA_EACH (c, e) {
    PetscReal d = *high - low;

    if (!*good || c->closed || c->held || !(c->low.gap > 0)) continue;
    if (c->low.gap + PetscMin(c->low.rate, 0) * d < bend(e, c) * d * d / 2)
      PetscCall(find_dip(e, c, low, high, &at, good));
  }
  if (*good && at != *high) PetscCall(EfdaGuide(e, *high, good));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The gaps at the end of a piece are those at the start of the next. */
static void look_on(EfdaSystem *e, PetscReal s)
{
  EFDA_EACH (c, e)
    if (!c->closed) c->low = EfdaLookAt(e, c, s);
}

/* Is a body of the contact held by another one? Then its impact needs the step to be split. */
static PetscBool is_guided(const EfdaSystem *e, const EfdaContact *c)
{
  const EfdaCandidate *d = c->of;

  EFDA_EACH_HELD (other, e) {
    const EfdaCandidate *o = other->of;

    if (o->body == d->body || o->other == d->body) return PETSC_TRUE;
    if (d->other >= 0 && (o->body == d->other || o->other == d->other)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* Moves the bodies over the time `left`, or until the first impact (*s). With `whole`, impacts are not resolved in
   time: contacts that close are held, and rebound over the whole part. */
static PetscErrorCode advance(EfdaSystem *e, PetscReal left, PetscBool whole, PetscReal *s,
                              PetscBool *good)
{
  PetscInt     looks = count_looks(e, left);
  PetscReal    low = 0, high;
  EfdaContact *k = NULL;

  PetscFunctionBeginUser;
  for (PetscInt j = 1; j <= looks; j++) {
    high = j == looks ? left : left * (PetscReal)j / (PetscReal)looks;
    for (int more = 0; more < 5; more++) {
      EFDA_TRY(EfdaGuide(e, high, good));
      if (!hold_more(e, high)) break;
    }
    EFDA_TRY(find_passed(e, low, &high, good));
    k = EfdaFindCrossing(e, high, 0);
    if (k) break;
    low = high;
    if (j < looks) look_on(e, low);
  }
  *s = left;
  if (!k) PetscFunctionReturn(PETSC_SUCCESS);
  if (whole || (!e->options->splitting && is_guided(e, k))) {
    for (int more = 0; more < 20 && k; more++) {
      k->held = PETSC_TRUE;
      k->strikes = k->start.rate < -e->scale.rest;
      e->striking = e->striking || k->strikes;
      EFDA_TRY(EfdaGuide(e, left, good));
      k = EfdaFindCrossing(e, left, 0);
    }
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (int more = 0; more < 20 && k; more++) { /* another one may come earlier */
    EFDA_TRY(find_instant(e, k, low, high, s, good));
    high = *s;
    k = EfdaFindCrossing(e, *s, 1e-13 * e->scale.length);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The greatest length of a part. Motion along contacts is accurate for small rotations only. A corner on a plane, or
   two lines for two edges, describe the bodies as long as these have not rotated or slid far. When a contact opens,
   another corner of the body may come down. So a first part is just long enough to separate the bodies. */
static PetscReal limit_part(const EfdaSystem *e, PetscReal h)
{
  PetscReal most = TURN / h, apart = h; /* rate, time */

  EFDA_EACH (c, e) {
    const EfdaCandidate *d = c->of;
    PetscReal            rate = 0, size = PETSC_MAX_REAL;
    PetscReal            least = PetscMax(e->scale.rest, 1e-6 * e->scale.speed);
    PetscBool            round = PETSC_TRUE;

    if (!c->closed) continue;
    EFDA_EACH_SIDE (side, b, d) {
      const CrShape *s = CrRigidShape(e->rigid, b);

      size = PetscMin(size, s->reach);
      round = round && s->kind == CR_SHAPE_BALL;
      rate += turn_rate(e, b);
    }
    if (d->other >= 0 && (c->feature.kind == CR_MEET_CORNER || c->feature.kind == CR_MEET_EDGES))
      rate += v_length(c->slip0) / size;
    most = PetscMax(most, PetscMin(rate, TURN / h * MOST_PIECES));
    if (d->other >= 0 && !round && c->start.rate > least)
      apart = PetscMin(apart, (2 * e->scale.close + PetscMax(-c->start.gap, 0)) / c->start.rate);
  }
  return PetscMin(apart, TURN / most);
}

PetscErrorCode EfdaStepInstant(EfdaSystem *e, PetscReal h, PetscBool *good)
{
  PetscReal left = h, s;
  PetscInt  most = MOST_PARTS + 4 * e->rigid->n;

  PetscFunctionBeginUser;
  for (PetscInt part = 0; left > 1e-14 * h;) {
    PetscReal piece;
    PetscBool struck;

    PetscCall(EfdaCollect(e, left));
    for (int again = 0; again < 50; again++) {
      PetscCall(EfdaStrike(e, &struck));
      if (!struck) break;
      PetscCall(EfdaCollect(e, left));
    }
    choose_held(e);
    piece = PetscMin(left, limit_part(e, h));
    EFDA_TRY(advance(e, piece, part >= most, &s, good));
    PetscCall(EfdaAccept(e, s));
    if (s < piece) part++; /* ended by an impact */
    left -= s;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

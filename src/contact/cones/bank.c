/* Energy of impacts, returned (theory 17.9). At the level of gaps a point that comes into contact loses energy: its
   reaction does the work -r g_0 in the step in which the gap g_0 closes. Each point has a bank with this energy. When a
   contact that has lasted opens, a reaction pushes the point off to the gap `lift`, so that its work is what the bank
   holds. A point that rebounds at once keeps its bank, because returned energy would let it rebound for ever. A contact
   that opens and closes again while the bodies are pressed together has a very small gap, and does not count as open. */
#include "contact/cones/active.h"

#define LASTING 3     /* layers of elements that a wave crosses in a contact that has lasted */
#define OPEN    1e-3  /* of the facet size: a contact with a greater gap is open */
#define GONE    1e-2  /* of the facet size: with a greater gap the contact is over */
#define LONG    0.5   /* of the response of a free mass: in a long step the whole body responds */
#define GIVEN   0.999 /* of the bank, because the response is known with this accuracy */
#define CLOSE   1e-4  /* of the lift: accuracy */
#define MOST    40    /* rounds in a step */

/* Edges have no bank. The bank of a point in a valley counts its first touch. */
static PetscBool has_bank(const CrCones *s, PetscInt k)
{
  const CrContact *c = s->contact;
  const CrTouch   *touch = &c->work->touches[k];

  return s->returns && !touch->idle && !touch->beside && !CrPassHasEdges(&c->passes[touch->pass]);
}

/* May the point be pushed off? Not in a valley, and not if it is inside. */
static PetscBool may_leave(const CrCones *s, PetscInt k)
{
  const CrContact *c = s->contact;
  const CrTouch   *touch = &c->work->touches[k];

  if (s->touches[k].state == HELD || touch->behind != 0) return PETSC_FALSE;
  return k + 1 == c->work->ntouches || !touch[1].beside;
}

void CrConesOpenBank(CrCones *s, PetscInt k, const PetscReal *last)
{
  CrConesTouch *at = &s->touches[k];

  at->lift = at->own[0] = 0;
  at->bank = has_bank(s, k) ? last[CR_KEPT_BANK] : 0;
  at->lasted = has_bank(s, k) ? last[CR_KEPT_LASTED] : 0;
}

static PetscReal work_of(const CrTouch *touch)
{
  return touch->weight * touch->out.p * (touch->in.dg + touch->shift1 - touch->shift0);
}

static PetscReal size_of(const CrCones *s, const CrTouch *touch)
{
  const CrPass *p = &s->contact->passes[touch->pass];

  return p->slave ? p->slave->mean_size : 2 * p->reach;
}

/* Computes the work of the reactions that push points off, and what the banks of these points held. */
static PetscErrorCode find_returned(const CrCones *s, PetscReal *work, PetscReal *bank)
{
  PetscReal sums[2] = {0, 0};

  PetscFunctionBeginUser;
  for (PetscInt k = 0; s->returns && k < s->contact->work->ntouches; k++) {
    if (s->contact->work->touches[k].idle || !(s->touches[k].lift > 0)) continue;
    if (!CrConesTouchCounts(s, k)) continue;
    sums[0] += work_of(&s->contact->work->touches[k]);
    sums[1] += s->touches[k].bank;
  }
  if (s->returns) PetscCall(CrConesSum(s, 2, sums));
  *work = sums[0];
  *bank = sums[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesReturned(const CrCones *s, PetscReal *energy, PetscBool *overdrawn)
{
  PetscReal bank;

  PetscFunctionBeginUser;
  PetscCall(find_returned(s, energy, &bank));
  *overdrawn = *energy > bank;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesLeft(const CrCones *s, PetscReal *left)
{
  PetscReal bank, work;

  PetscFunctionBeginUser;
  PetscCall(find_returned(s, &work, &bank));
  *left = bank > 0 ? PetscMax(1 - work / bank, 0) : 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrConesKeepBank(const CrCones *s, PetscInt k, PetscReal left, PetscReal *last)
{
  const CrTouch      *touch = &s->contact->work->touches[k];
  const CrConesTouch *at = &s->touches[k];
  PetscReal           gap, size;

  if (!has_bank(s, k)) return;
  last[CR_KEPT_BANK] = at->lift > 0 ? left * at->bank : at->bank - work_of(touch);
  if (at->lift > 0 || !(last[CR_KEPT_BANK] > 0)) return;
  gap = CrConesGap(s, touch);
  size = size_of(s, touch);
  if (gap > GONE * size) return;
  last[CR_KEPT_LASTED] = at->lasted;
  if (gap < OPEN * size) last[CR_KEPT_LASTED] += s->contact->work->h * s->rate[touch->pass];
}

/* The normal displacement of the point under a unit reaction in the step, if elements had no stiffness. */
static PetscReal response_of_mass(const CrCones *s, const CrTouch *touch)
{
  const CrContact *c = s->contact;
  PetscInt         dim = c->model->dim, nodes[CR_CONTACT_NODES];
  PetscReal        sum = 0;

  CrTouchNodes(c, touch, nodes);
  for (PetscInt a = 0; a <= touch->k.nmaster; a++)
    for (PetscInt i = 0; i < dim && nodes[a] >= 0; i++)
      sum += PetscSqr(touch->k.G[dim * a + i]) / s->mass[nodes[a]];
  return s->theta * PetscSqr(c->work->h) * sum;
}

/* The gap at the start of the step. */
static PetscReal gap_before(const CrCones *s, const CrTouch *touch)
{
  return PetscMax(CrConesGap(s, touch) - (touch->in.dg + touch->shift1 - touch->shift0), 0);
}

/* Does a contact that has lasted open in this step, from the gap g to the gap p? In a long step there is no node that
   rebounds alone, so any contact has lasted. */
static PetscBool opens(const CrCones *s, const CrTouch *touch, const CrConesTouch *at, PetscReal g,
                       PetscReal p)
{
  if (!(p > g)) return PETSC_FALSE;
  if (at->own[0] < LONG * response_of_mass(s, touch)) return PETSC_TRUE;
  return at->lasted >= LASTING && p > OPEN * size_of(s, touch);
}

/* Numbers of the active points, which all ranks know. pushed: 1 if the point is pushed off. parts: its gap p without the
   reactions of these points. before: its gap g at the start of the step. bank: its bank. alone: the reaction r = (e -
   p)/w that would return the bank of the point alone: its work r (e - g) is the bank. way: displacement of the point
   under the reactions `alone` of all points that are pushed off. */
typedef struct {
  PetscReal *pushed, *parts, *before, *bank, *alone, *way;
} Points;

static Points points_of(const CrCones *s)
{
  PetscReal *w = s->work;
  PetscInt   n = s->n;

  return (Points){w, w + n, w + 2 * n, w + 3 * n, w + 4 * n, w + 5 * n};
}

/* Finds the active points of a pair that are pushed off, and sets what is known of them alone. *n: their number. */
static PetscErrorCode find_pushed(CrCones *s, PetscInt pair, PetscInt *n)
{
  const CrContact *c = s->contact;
  const Points     to = points_of(s);
  PetscInt         dim = c->model->dim;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(s->work, 6 * s->n));
  for (PetscInt l = 0; l < s->n; l++) {
    const CrTouch *touch = &c->work->touches[PetscMax(s->which[l], 0)];
    CrConesTouch  *at = &s->touches[PetscMax(s->which[l], 0)];
    PetscReal      p;

    if (!CrConesCounts(s, l)) continue;
    p = at->predicted[0] + at->lift;
    if (c->passes[touch->pass].pair != pair || !(at->bank > 0) || !may_leave(s, s->which[l]))
      continue;
    if (!(at->lift > 0 || (s->r[dim * l] == 0 && p > 0 && at->lasted > 0 &&
                           opens(s, touch, at, gap_before(s, touch), p))))
      continue;
    to.pushed[l] = 1;
    to.parts[l] = p;
    to.before[l] = gap_before(s, touch);
    to.bank[l] = at->bank;
  }
  PetscCall(CrConesSum(s, 4 * s->n, s->work));
  *n = 0;
  for (PetscInt l = 0; l < s->n; l++) *n += to.pushed[l] != 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computes how the points that are pushed off displace each other. */
static PetscErrorCode find_ways(CrCones *s)
{
  const Points to = points_of(s);
  PetscInt     dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < s->n; l++) to.way[l] = -s->r[dim * l];
  CrConesRespondTo(s, to.pushed, to.way, to.parts);
  PetscCall(CrConesSum(s, s->n, to.parts));
  for (PetscInt l = 0; l < s->n; l++) {
    PetscReal own = s->own[dim * l], q = to.parts[l] - to.before[l];

    to.way[l] = 0;
    if (to.pushed[l] != 0)
      to.alone[l] = (PetscSqrtReal(q * q + 4 * GIVEN * to.bank[l] * own) - q) / (2 * own);
  }
  CrConesRespondTo(s, to.pushed, to.alone, to.way);
  PetscCall(CrConesSum(s, s->n, to.way));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pushes off the points of a pair. Their reactions are f times `alone`, with a common factor f such that the work of all
   is what their banks hold together. *again is true if a lift has changed. */
static PetscErrorCode push_off(CrCones *s, PetscInt pair, PetscBool *again)
{
  const Points of = points_of(s);
  PetscReal    a = 0, b = 0, bank = 0, f, lift;
  PetscInt     n;

  PetscFunctionBeginUser;
  *again = PETSC_FALSE;
  PetscCall(find_pushed(s, pair, &n));
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(find_ways(s));
  for (PetscInt l = 0; l < s->n; l++) {
    if (of.pushed[l] == 0) continue;
    a += of.alone[l] * of.way[l];
    b += of.alone[l] * (of.parts[l] - of.before[l]);
    bank += GIVEN * of.bank[l];
  }
  f = 2 * bank / (b + PetscSqrtReal(b * b + 4 * a * bank));
  for (PetscInt l = 0; l < s->n; l++) {
    CrConesTouch *at = &s->touches[PetscMax(s->which[l], 0)];

    if (of.pushed[l] == 0 || s->which[l] < 0) continue;
    lift = PetscMax(of.parts[l] + f * of.way[l], 0);
    if (PetscAbsReal(lift - at->lift) <= CLOSE * lift) continue;
    at->free[0] -= lift - at->lift;
    at->lift = lift;
    *again = PETSC_TRUE;
  }
  PetscCall(CrConesAny(s, again));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Points that may be pushed off take part, so that their flexibility is known in the next round. */
static PetscBool ask(CrCones *s)
{
  PetscBool again = PETSC_FALSE;

  for (PetscInt k = 0; k < s->contact->work->ntouches; k++) {
    CrConesTouch *at = &s->touches[k];

    if (!(at->bank > 0 && at->lasted > 0) || at->state != OUT || !may_leave(s, k)) continue;
    if (!(at->predicted[0] > 0)) continue;
    at->state = ACTIVE;
    again = PETSC_TRUE;
  }
  return again;
}

PetscErrorCode CrConesGiveBack(CrCones *s, PetscBool *again)
{
  PetscFunctionBeginUser;
  *again = PETSC_FALSE;
  if (!s->returns || s->pauses || s->rounds == MOST) PetscFunctionReturn(PETSC_SUCCESS);
  *again = ask(s);
  PetscCall(CrConesAny(s, again));
  for (PetscInt pair = 0; pair < s->contact->npairs && !*again; pair++)
    PetscCall(push_off(s, pair, again));
  s->rounds += *again;
  PetscFunctionReturn(PETSC_SUCCESS);
}

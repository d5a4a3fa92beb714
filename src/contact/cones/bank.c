/* Energy of impacts, returned (theory 17.9). At the level of gaps a point that comes into contact loses energy: its
   reaction does the work -r g_0 in the step in which the gap g_0 closes. Each point has a bank with this energy. When a
   contact that has lasted opens, a reaction pushes the point off to the gap `lift`, so that its work is what the bank
   holds. A point that rebounds at once keeps its bank, because returned energy would let it rebound for ever. A contact
   that opens and closes again while the bodies are pressed together has a very small gap, and does not count as open. */
#include "contact/cones/internal.h"

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

/* Returns the work of the reactions that push points off, and what the banks of these points held. */
static PetscReal returned(const CrCones *s, PetscReal *bank)
{
  PetscReal work = 0;

  *bank = 0;
  for (PetscInt k = 0; s->returns && k < s->contact->work->ntouches; k++) {
    if (s->contact->work->touches[k].idle || !(s->touches[k].lift > 0)) continue;
    work += work_of(&s->contact->work->touches[k]);
    *bank += s->touches[k].bank;
  }
  return work;
}

PetscReal CrConesReturned(const CrCones *s, PetscBool *overdrawn)
{
  PetscReal bank, work = returned(s, &bank);

  *overdrawn = work > bank;
  return work;
}

PetscReal CrConesLeft(const CrCones *s)
{
  PetscReal bank, work = returned(s, &bank);

  return bank > 0 ? PetscMax(1 - work / bank, 0) : 0;
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

/* Returns the displacement of the l-th active point under a unit reaction of the j-th, both normal. */
static PetscReal response_of(const CrCones *s, PetscInt l, PetscInt j)
{
  PetscInt dim = s->contact->model->dim;

  return s->scale * s->W[dim * j * dim * s->n + dim * l];
}

/* Finds the active points of a pair that are pushed off. `parts` is the gap p of the point without the reactions of
   these points. `alone` is the reaction r = (e - p)/w that would return the bank of the point alone: its work r (e - g) is
   the bank. Returns the number of points. */
static PetscInt find_pushed(CrCones *s, PetscInt pair)
{
  const CrContact *c = s->contact;
  PetscInt         dim = c->model->dim, n = 0;

  for (PetscInt l = 0; l < s->n; l++) {
    const CrTouch *touch = &c->work->touches[s->which[l]];
    CrConesTouch  *at = &s->touches[s->which[l]];
    PetscReal      p = at->predicted[0] + at->lift;

    at->pushed = PETSC_FALSE;
    if (c->passes[touch->pass].pair != pair || !(at->bank > 0) || !may_leave(s, s->which[l]))
      continue;
    at->pushed = at->lift > 0 || (s->r[dim * l] == 0 && p > 0 && at->lasted > 0 &&
                                  opens(s, touch, at, gap_before(s, touch), p));
    n += at->pushed;
  }
  for (PetscInt l = 0; l < s->n && n; l++) {
    CrConesTouch *at = &s->touches[s->which[l]];
    PetscReal     g, q;

    if (!at->pushed) continue;
    at->parts = at->predicted[0] + at->lift;
    for (PetscInt j = 0; j < s->n; j++)
      if (s->touches[s->which[j]].pushed) at->parts -= response_of(s, l, j) * s->r[dim * j];
    g = gap_before(s, &c->work->touches[s->which[l]]);
    q = at->parts - g;
    at->alone = (PetscSqrtReal(q * q + 4 * GIVEN * at->bank * at->own[0]) - q) / (2 * at->own[0]);
  }
  return n;
}

/* Computes the displacement of the l-th active point under the reactions `alone` of all points that are pushed off. */
static PetscReal way_of(const CrCones *s, PetscInt l)
{
  PetscReal way = 0;

  for (PetscInt j = 0; j < s->n; j++)
    if (s->touches[s->which[j]].pushed) way += response_of(s, l, j) * s->touches[s->which[j]].alone;
  return way;
}

/* Pushes off the points of a pair. Their reactions are f times `alone`, with a common factor f such that the work of all
   is what their banks hold together. Returns true if a lift has changed. */
static PetscBool push_off(CrCones *s, PetscInt pair)
{
  PetscReal a = 0, b = 0, bank = 0, f, lift;
  PetscBool again = PETSC_FALSE;

  if (!find_pushed(s, pair)) return PETSC_FALSE;
  for (PetscInt l = 0; l < s->n; l++) {
    const CrConesTouch *at = &s->touches[s->which[l]];

    if (!at->pushed) continue;
    a += at->alone * way_of(s, l);
    b += at->alone * (at->parts - gap_before(s, &s->contact->work->touches[s->which[l]]));
    bank += GIVEN * at->bank;
  }
  f = 2 * bank / (b + PetscSqrtReal(b * b + 4 * a * bank));
  for (PetscInt l = 0; l < s->n; l++) {
    CrConesTouch *at = &s->touches[s->which[l]];

    if (!at->pushed) continue;
    lift = PetscMax(at->parts + f * way_of(s, l), 0);
    if (PetscAbsReal(lift - at->lift) <= CLOSE * lift) continue;
    at->free[0] -= lift - at->lift;
    at->lift = lift;
    again = PETSC_TRUE;
  }
  return again;
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

PetscBool CrConesGiveBack(CrCones *s)
{
  PetscBool again;

  if (!s->returns || s->pauses || s->rounds == MOST) return PETSC_FALSE;
  again = ask(s);
  for (PetscInt pair = 0; pair < s->contact->npairs && !again; pair++) again = push_off(s, pair);
  s->rounds += again;
  return again;
}

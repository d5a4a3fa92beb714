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

void CrConesKeepBank(const CrCones *s, PetscInt k, PetscReal *last)
{
  const CrTouch      *touch = &s->contact->work->touches[k];
  const CrConesTouch *at = &s->touches[k];
  PetscReal           gap, size;

  if (!has_bank(s, k)) return;
  last[CR_KEPT_BANK] = at->bank - work_of(touch);
  if (at->lift > 0 || !(last[CR_KEPT_BANK] > 0)) return;
  gap = CrConesGap(s, touch);
  size = size_of(s, touch);
  if (gap > GONE * size) return;
  last[CR_KEPT_LASTED] = at->lasted;
  if (gap < OPEN * size) last[CR_KEPT_LASTED] += s->contact->work->h * s->rate[touch->pass];
}

PetscReal CrConesReturned(const CrCones *s, PetscBool *overdrawn)
{
  PetscReal sum = 0;

  *overdrawn = PETSC_FALSE;
  if (!s->returns) return 0;
  for (PetscInt k = 0; k < s->contact->work->ntouches; k++) {
    const CrConesTouch *at = &s->touches[k];
    PetscReal           work = work_of(&s->contact->work->touches[k]);

    if (s->contact->work->touches[k].idle || !(at->lift > 0)) continue;
    sum += work;
    if (work > at->bank) *overdrawn = PETSC_TRUE;
  }
  return sum;
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

/* The point has the gap g at the start of the step, and p at its end without a reaction of its own. The work r (e - g)
   of r = (e - p)/w shall be the bank. */
static PetscReal lift_of(const CrConesTouch *at, PetscReal g, PetscReal p)
{
  return (p + g + PetscSqrtReal(PetscSqr(p - g) + 4 * GIVEN * at->bank * at->own[0])) / 2;
}

PetscBool CrConesGiveBack(CrCones *s)
{
  CrContact *c = s->contact;
  PetscInt   l = 0;
  PetscBool  again = PETSC_FALSE;

  if (!s->returns || s->pauses || s->rounds == MOST) return PETSC_FALSE;
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];
    CrConesTouch  *at = &s->touches[k];
    PetscBool      active = l < s->n && s->which[l] == k;
    PetscReal      r = active ? s->r[c->model->dim * l] : 0, g, p, lift;

    l += active;
    if (!(at->bank > 0) || !may_leave(s, k)) continue;
    p = at->predicted[0] + at->lift;
    if (at->lift == 0 && !(r == 0 && p > 0 && at->lasted > 0)) continue;
    if (at->own[0] == 0) { /* takes part, so that its flexibility is known in the next round */
      at->state = ACTIVE;
      again = PETSC_TRUE;
    }
    if (!active) continue;
    p -= at->own[0] * r;
    g = gap_before(s, touch);
    if (at->lift == 0 && !opens(s, touch, at, g, p)) continue;
    lift = lift_of(at, g, p);
    if (PetscAbsReal(lift - at->lift) < CLOSE * lift) continue;
    at->free[0] -= lift - at->lift;
    at->lift = lift;
    again = PETSC_TRUE;
  }
  s->rounds += again;
  return again;
}

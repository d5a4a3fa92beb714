/* Returns the energy of impacts (theory 17.9). With `level: gap` a point that comes into contact loses energy: its
   reaction does the work -r g_0 in the step in which the gap g_0 closes. The bank of a point is the sum of this lost
   energy. When a lasting contact ends, a reaction pushes the point away to the gap `lift`, so that the work of this
   reaction is the energy in the bank. A point that loses contact immediately after its impact keeps its bank, because
   with returned energy it would rebound again and again. */
#include "contact/cones/internal.h"

#define LASTING                                                                                    \
  6 /* impulses of the impact that a lasting contact has transmitted, in units of sqrt(2 m bank) */
#define LONG  0.5   /* of the response of a free mass: in a long step the whole body responds */
#define GIVEN 0.999 /* of the bank, because the response is known with this accuracy */
#define CLOSE 1e-4  /* of the lift: accuracy */
#define MOST  40    /* rounds in a step */

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
  at->carried = has_bank(s, k) ? last[CR_KEPT_CARRIED] : 0;
}

static PetscReal work_of(const CrTouch *touch)
{
  return touch->weight * touch->out.p * (touch->in.dg + touch->shift1 - touch->shift0);
}

void CrConesKeepBank(const CrCones *s, PetscInt k, PetscReal *last)
{
  const CrTouch      *touch = &s->contact->work->touches[k];
  const CrConesTouch *at = &s->touches[k];

  if (!has_bank(s, k)) return;
  last[CR_KEPT_BANK] = at->bank - work_of(touch);
  if (at->lift > 0 || !(last[CR_KEPT_BANK] > 0)) return;
  last[CR_KEPT_CARRIED] = at->carried + s->contact->work->h * touch->weight * touch->out.p;
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

/* Has the contact lasted? In a long step there is no node that rebounds alone, so any contact has. */
static PetscBool has_lasted(const CrCones *s, const CrTouch *touch, const CrConesTouch *at)
{
  if (at->own[0] < LONG * response_of_mass(s, touch)) return PETSC_TRUE;
  return at->carried >= LASTING * s->contact->work->h * PetscSqrtReal(at->bank / at->own[0]);
}

/* The point has the gap p without a reaction of its own. The work r e of r = (e - p)/w shall be the bank. */
static PetscReal lift_of(const CrConesTouch *at, PetscReal p)
{
  return (p + PetscSqrtReal(p * p + 4 * GIVEN * at->bank * at->own[0])) / 2;
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
    PetscReal      r = active ? s->r[c->model->dim * l] : 0, gap, lift;

    l += active;
    if (!(at->bank > 0) || !may_leave(s, k)) continue;
    gap = at->predicted[0] + at->lift;
    if (at->lift == 0 && !(r == 0 && gap > 0 && at->carried > 0)) continue;
    if (at->own[0] == 0) { /* takes part, so that its flexibility is known in the next round */
      at->state = ACTIVE;
      again = PETSC_TRUE;
    }
    if (!active || (at->lift == 0 && !has_lasted(s, touch, at))) continue;
    lift = lift_of(at, gap - at->own[0] * r);
    if (PetscAbsReal(lift - at->lift) < CLOSE * lift) continue;
    at->free[0] -= lift - at->lift;
    at->lift = lift;
    again = PETSC_TRUE;
  }
  s->rounds += again;
  return again;
}

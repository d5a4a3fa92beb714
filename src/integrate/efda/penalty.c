/* The spring and dashpot of the source (theory 18.7): psi2 of a contact is a root of a quadratic equation,
   here with the stiffness that makes Omega = h sqrt(K w), and S = psi1 + psi2, prescribed numbers. */
#include "integrate/efda/contacts.h"
#include "integrate/efda/few.h"
#include "integrate/efda/motion.h"

/* A psi^2 - b psi - c = 0: the root that does not throw the bodies apart; the vertex where there is none. */
static PetscReal root(PetscReal A, PetscReal b, PetscReal c)
{
  PetscReal square = b * b + 4 * A * c;

  if (square < 0) return b / (2 * A);
  return b > 0 ? -2 * c / (b + sqrt(square)) : (b - sqrt(square)) / (2 * A);
}

/* Dg: what changes the gap beside the contact's own position impulse. */
static PetscReal normal_psi(const EfdaSystem *e, const EfdaContact *c, PetscReal s, PetscReal Dg)
{
  PetscReal A = s * c->block.W[0] * c->p[0], S1 = 1 + e->options->s;

  return root(A, S1 * A - Dg,
              2 * (2 * A / (e->options->omega * e->options->omega) + c->start.gap) + S1 * Dg);
}

/* The tangential spring, in the plane: relaxed while it slips, moved like the normal one while it sticks. */
static void tangential(const EfdaSystem *e, EfdaContact *c, PetscReal s)
{
  PetscReal A = s * c->block.W[3] * c->p[1], psi,
            limit = e->candidates.at[c->candidate].friction * c->p[0];

  c->spring.shift = 0;
  if (A == 0) return;
  if (fabs(c->p[1]) >= limit * (1 - 1e-12)) return;
  psi = root(1, 1 + e->options->s,
             4 / (e->options->omega * e->options->omega) + 2 * c->spring.stretch / A);
  psi = PetscMax(-0.5, PetscMin(0.5, psi));
  c->spring.shift = psi * s * c->p[1];
}

/* Contacts of one pair of bodies take the psi2 of the deepest: a block must not tilt as it lands. */
static const EfdaContact *deepest_of(const EfdaSystem *e, const EfdaContact *c)
{
  const EfdaContact *best = NULL;

  for (PetscInt k = 0; k < e->contacts.n; k++) {
    const EfdaContact *o = &e->contacts.at[k];

    if (o->held && o->candidate == c->candidate && o->p[0] > 0 &&
        (!best || o->start.gap < best->start.gap))
      best = o;
  }
  return best ? best : c;
}

static PetscBool has_partner(const EfdaSystem *e, const EfdaContact *c)
{
  for (PetscInt k = 0; k < e->contacts.n; k++)
    if (e->contacts.at[k].held && &e->contacts.at[k] != c &&
        e->contacts.at[k].candidate == c->candidate && e->contacts.at[k].p[0] > 0)
      return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Mean impulse over the contacts of a pair: so shared, their displacements do not turn the body. */
static PetscReal mean_impulse(const EfdaSystem *e, const EfdaContact *c)
{
  PetscReal sum = 0;
  PetscInt  n = 0;

  for (PetscInt k = 0; k < e->contacts.n; k++) {
    const EfdaContact *o = &e->contacts.at[k];

    if (o->held && o->candidate == c->candidate && o->p[0] > 0) sum += o->p[0], n++;
  }
  return sum / (PetscReal)n;
}

/* A body that lands flat is displaced by all of its impulse, which does not turn it. */
static void choose_shift(const EfdaSystem *e, EfdaContact *c, PetscReal psi, PetscReal s)
{
  if (c->strikes && e->rigid->dim == 2 && has_partner(e, c)) {
    c->shift = psi * s * c->p[0];
    c->spring.shift = psi * s * c->p[1];
    return;
  }
  c->shift = psi * s * mean_impulse(e, c);
  if (e->rigid->dim == 2) tangential(e, c, s);
}

void EfdaPenaltyShift(EfdaSystem *e, PetscReal s)
{
  PetscReal *dx = e->dx;

  for (PetscInt b = 0; b < 6 * e->rigid->n; b++) dx[b] = 0;
  EfdaPoses(e, e->trial);
  for (PetscInt k = 0; k < e->contacts.n; k++) {
    EfdaContact *c = &e->contacts.at[k];
    CrMeeting    m;

    if (!c->held) continue;
    if (!(c->p[0] > 0)) c->shift = c->spring.shift = 0;
    EfdaMeet(e, c, e->t + s, &m);
    c->room = m.gap - c->start.gap;
    EfdaDisplace(e, c, c->shift, c->spring.shift, dx);
  }
  for (PetscInt k = 0; k < e->contacts.n;
       k++) { /* psi2 of the deepest, before any of them changes */
    EfdaContact *c = &e->contacts.at[k];

    if (c->held && c->p[0] > 0)
      c->spring.psi = normal_psi(e, c, s, c->room + EfdaOpens(e, c, dx) - c->block.W[0] * c->shift);
  }
  for (PetscInt k = 0; k < e->contacts.n; k++) {
    EfdaContact *c = &e->contacts.at[k];
    PetscReal    old = c->shift, old_t = c->spring.shift;

    if (!c->held || !(c->p[0] > 0)) continue;
    choose_shift(e, c, deepest_of(e, c)->spring.psi, s);
    EfdaDisplace(e, c, c->shift - old, c->spring.shift - old_t, dx);
  }
  EfdaApply(e, dx);
}

/* After an accepted step: what the tangential springs remember. */
void EfdaPenaltyKeep(EfdaSystem *e, PetscReal s)
{
  for (PetscInt k = 0; k < e->contacts.n; k++) {
    EfdaContact *c = &e->contacts.at[k];
    PetscReal    limit = e->candidates.at[c->candidate].friction * c->p[0];

    if (!c->held || e->rigid->dim == 3) continue;
    if (fabs(c->p[1]) >= limit * (1 - 1e-12)) /* slips: -F_T/K_T */
      c->spring.stretch =
          -2 * s * c->block.W[3] * c->p[1] / (e->options->omega * e->options->omega);
    else
      c->spring.stretch += c->block.W[3] * c->spring.shift;
  }
}

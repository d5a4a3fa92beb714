/* The spring and dashpot of the published method (theory 18.7). The factor psi2 of a contact is a root of a quadratic
   equation. The stiffness is such that Omega = h sqrt(K w) and S = psi1 + psi2 have prescribed values. */
#include "integrate/efda/contacts.h"
#include "integrate/efda/few.h"
#include "integrate/efda/motion.h"

/* Solves A psi^2 - b psi - c = 0: the root that does not throw the bodies apart, or the vertex if there is no root. */
static PetscReal root(PetscReal A, PetscReal b, PetscReal c)
{
  PetscReal square = b * b + 4 * A * c;

  if (square < 0) return b / (2 * A);
  return b > 0 ? -2 * c / (b + sqrt(square)) : (b - sqrt(square)) / (2 * A);
}

/* psi2 of a contact. Dg is the change of the gap without the contact's own position impulse. */
static PetscReal normal_psi(const EfdaSystem *e, const EfdaContact *c, PetscReal s, PetscReal Dg)
{
  PetscReal A = s * c->block.W[0] * c->p[0], S1 = 1 + e->options->s;

  return root(A, S1 * A - Dg,
              2 * (2 * A / (e->options->omega * e->options->omega) + c->start.gap) + S1 * Dg);
}

/* The tangential spring in 2D: relaxed if the contact slips, and like the normal one if it sticks. */
static void tangential(const EfdaSystem *e, EfdaContact *c, PetscReal s)
{
  PetscReal A = s * c->block.W[3] * c->p[1], psi, limit = c->of->friction * c->p[0];

  c->spring.shift = 0;
  if (A == 0) return;
  if (fabs(c->p[1]) >= limit * (1 - 1e-12)) return;
  psi = root(1, 1 + e->options->s,
             4 / (e->options->omega * e->options->omega) + 2 * c->spring.stretch / A);
  psi = PetscMax(-0.5, PetscMin(0.5, psi));
  c->spring.shift = psi * s * c->p[1];
}

/* The contacts of one pair of bodies. A block must not tilt when it lands. So its contacts use the psi2 of the deepest
   one, and the mean of their impulses: such displacements do not rotate the body. */
typedef struct {
  PetscInt           n;
  PetscReal          mean;
  const EfdaContact *deepest;
} Landing;

static Landing landing_of(const EfdaSystem *e, const EfdaContact *c)
{
  Landing l = {.deepest = c};

  EFDA_EACH_HELD (o, e) {
    if (o->of != c->of || !(o->p[0] > 0)) continue;
    if (l.n++ == 0 || o->start.gap < l.deepest->start.gap) l.deepest = o;
    l.mean += o->p[0];
  }
  l.mean /= (PetscReal)l.n;
  return l;
}

/* A body that lands flat is displaced by its whole impulse, which does not rotate it. */
static void choose_shift(const EfdaSystem *e, EfdaContact *c, PetscReal s)
{
  Landing   l = landing_of(e, c);
  PetscReal psi = l.deepest->spring.psi;

  if (c->strikes && e->rigid->dim == 2 && l.n > 1) {
    c->shift = psi * s * c->p[0];
    c->spring.shift = psi * s * c->p[1];
    return;
  }
  c->shift = psi * s * l.mean;
  if (e->rigid->dim == 2) tangential(e, c, s);
}

void EfdaPenaltyShift(EfdaSystem *e, PetscReal s)
{
  EfdaPoses(e, e->trial);
  EFDA_EACH_HELD (c, e) {
    if (!(c->p[0] > 0)) c->shift = c->spring.shift = 0;
    c->room = EfdaGapAt(e, c, e->t + s) - c->start.gap;
    EfdaDisplace(e, c, c->shift, c->spring.shift);
  }
  EFDA_EACH_HELD (c, e) /* psi2 of all contacts is computed before any position impulse changes */
    if (c->p[0] > 0)
      c->spring.psi = normal_psi(e, c, s, c->room + EfdaOpens(e, c) - c->block.W[0] * c->shift);
  EFDA_EACH_HELD (c, e) {
    PetscReal old = c->shift, old_t = c->spring.shift;

    if (!(c->p[0] > 0)) continue;
    choose_shift(e, c, s);
    EfdaDisplace(e, c, c->shift - old, c->spring.shift - old_t);
  }
  EfdaApply(e);
}

/* Stores the stretch of the tangential springs after an accepted step. */
void EfdaPenaltyKeep(EfdaSystem *e, PetscReal s)
{
  EFDA_EACH_HELD (c, e) {
    PetscReal limit = c->of->friction * c->p[0];

    if (e->rigid->dim == 3) continue;
    if (fabs(c->p[1]) >= limit * (1 - 1e-12)) /* slips: -F_T/K_T */
      c->spring.stretch =
          -2 * s * c->block.W[3] * c->p[1] / (e->options->omega * e->options->omega);
    else
      c->spring.stretch += c->block.W[3] * c->spring.shift;
  }
}

/* Rigid bodies in a quasi-static analysis (theory 9.5): forces and moments on the body balance at the end of the step. A
   motion without stiffness and without load, such as that of a box along a smooth table, does not take place. */
#include "base/vector.h"
#include "contact/division.h"
#include "contact/partners/partners.h"

#define WEAK 1e-8 /* stiffness of motions that nothing resists, of the springs near the body */
#define ENOUGH                                                                                     \
  1e-4 /* likewise, under exact laws: it slows the iteration by that, and less would make the problem ill-conditioned */
#define ROUNDING                                                                                   \
  1e-3 /* of springs and size: forces so small are exact, if 1e-12 of them is an error of positions by rounding */
#define POSITIONS       1e-15 /* rounding of positions, of their size */
#define GROWS           1.01  /* of the residual: more than that is no rounding */
#define MOST_ITERATIONS 400
#define FALL            0.2 /* of the reach of the search: greatest step of a body that nothing resists */

/* Sum of the springs that the body may touch. */
static PetscReal springs_near(const CrContact *c, PetscInt b)
{
  PetscReal sum = 0, own = 0;

  CR_EACH_TOUCH (touch, c) {
    const CrPass *pass = &c->passes[touch->pass];

    if (pass->partner == b && !touch->idle)
      *(CrPassIsDivided(c, pass) ? &own : &sum) += touch->weight * c->pairs[pass->pair].kn;
  }
  CrPartnerSum(c, b, 1, &own);
  return sum + own;
}

void CrPartnerFloor(const CrContact *c, PetscInt b, PetscReal sizes[2])
{
  const PetscReal reach = c->work->partners[b].shape->reach;
  const PetscReal least = ROUNDING * springs_near(c, b) * reach;

  sizes[0] = PetscMax(sizes[0], least);
  sizes[1] = PetscMax(sizes[1], least * reach);
}

PetscBool CrPartnerIsRounding(const CrContact *c, PetscInt b)
{
  const CrPartner *p = &c->work->partners[b];
  const PetscReal  reach = p->shape->reach;
  const PetscReal  force = POSITIONS * springs_near(c, b) * (v_length(p->start.x) + reach);

  return v_length(p->residual) <= force && v_length(p->residual + 3) <= force * reach;
}

void CrPartnerAnchor(const CrContact *c, PetscInt b, PetscReal K[36])
{
  const CrPartner *p = &c->work->partners[b];
  PetscReal        weak = PetscMax(WEAK * springs_near(c, b), p->drag);

  for (int i = 0; i < 3; i++) {
    K[7 * i] -= weak;
    K[7 * (3 + i)] -= weak * PetscSqr(p->shape->reach);
  }
}

/* How far a body may move in one iteration. */
static PetscReal greatest_step(const CrContact *c, PetscInt b)
{
  PetscReal reach = PETSC_MAX_REAL;

  CR_EACH_PASS (pass, c)
    if (pass->partner == b) reach = PetscMin(reach, pass->reach);
  return FALL * reach;
}

/* One step through a viscous fluid. Its drag is such that the residual alone moves the body by `far` at most. Then a body
   in the air falls, and one that a single point holds turns until others do. Near equilibrium the drag vanishes, and the
   step is Newton's. */
static PetscBool advance(CrContact *c, PetscInt b, const CrContactStep *step, PetscReal far)
{
  CrPartner *p = &c->work->partners[b];

  p->drag = PetscMax(v_length(p->residual), v_length(p->residual + 3) / p->shape->reach) *
            p->caution / far;
  if (!CrPartnerDifferentiate(c, b, step)) return PETSC_FALSE;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      (i < 3 ? p->move : p->turn)[i % 3] -= p->K[6 * i + j] * p->residual[j];
  return PETSC_TRUE;
}

/* The drag grows where the residual does: the body overshoots where points change between stick and slip. It falls off
   slowly, so that the two do not alternate for ever. */
static PetscBool settle(CrContact *c, PetscInt b, const PetscReal *u0, const CrContactStep *step)
{
  CrPartner *p = &c->work->partners[b];
  PetscReal  now = CrPartnerEvaluate(c, b, u0, step, c->work->iteration < FREEZE);
  PetscReal  far = greatest_step(c, b);

  p->caution = 1;
  for (PetscInt k = 0; k < MOST_ITERATIONS; k++) {
    PetscReal last = now;

    if (now <= 1e-13) return PETSC_TRUE;
    if (!(now < PETSC_MAX_REAL) || !advance(c, b, step, far)) return PETSC_FALSE;
    now = CrPartnerEvaluate(c, b, u0, step, PETSC_FALSE);
    if (now < 1e-12 && now > last / 4) return PETSC_TRUE; /* as far as rounding lets it go */
    p->caution =
        now > GROWS * last ? PetscMin(8 * p->caution, 1e12) : PetscMax(p->caution / 1.5, 1);
  }
  return PETSC_FALSE;
}

PetscBool CrPartnerSettle(CrContact *c, PetscInt b, const PetscReal *u0, const CrContactStep *step)
{
  PetscBool good = settle(c, b, u0, step);

  c->work->partners[b].drag = 0; /* the nodes see the springs of contact alone */
  return good;
}

/* ---- exact laws: the method moves the body -------------------------------------------------- */

PetscReal CrPartnerWeight(const CrContact *c, PetscInt b)
{
  const CrPartner *p = &c->work->partners[b];
  PetscReal size = PetscMax(v_length(p->residual), v_length(p->residual + 3) / p->shape->reach);

  return PetscMax(ENOUGH * springs_near(c, b), size / greatest_step(c, b));
}

void CrPartnerMove(CrContact *c, PetscInt b, const PetscReal *change)
{
  CrPartner *p = &c->work->partners[b];
  PetscReal  th[3];

  if (!change) {
    for (int i = 0; i < 3; i++) p->move[i] = p->turn[i] = 0;
  } else {
    v_add(p->move, 1, change);
    if (!m_solve(p->B, change + 3, th)) v_copy(change + 3, th);
    v_add(p->turn, 1, th);
  }
  CrPartnerPlace(p);
}

/* ---- after the step --------------------------------------------------------------------------- */

void CrContactRigidForces(const CrContact *c, PetscReal *forces)
{
  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++) {
    v_copy(c->work->partners[b].force, forces + 6 * b);
    v_copy(c->work->partners[b].torque, forces + 6 * b + 3);
  }
}

PetscReal CrContactRigidFade(const CrContact *c, const PetscReal *before)
{
  PetscReal work = 0;

  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++) {
    const CrPartner *p = &c->work->partners[b];

    for (int i = 0; i < 3; i++) {
      work -= (before[6 * b + i] + p->mass * p->load0[i]) / 2 * p->move[i];
      work -= before[6 * b + 3 + i] / 2 * p->turn[i];
    }
  }
  return work;
}

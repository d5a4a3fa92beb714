/* Impacts without duration (theory 18.4). The mid-velocity is the velocity before the impact plus half of its change.
   The mid-velocity satisfies the contact law and Coulomb's law, so that energy is lost only by slip and by
   restitution. */
#include "integrate/efda/contacts.h"
#include "integrate/efda/few.h"

#define MOST_SWEEPS 20000
#define STUCK       20
#define TOGETHER    10 /* sweeps after which unlike masses are solved at once */

/* Do the bodies approach each other faster than the velocity that counts as rest? */
static PetscBool approaches(const EfdaSystem *e, PetscReal rate)
{
  return rate < -PetscMax(e->scale.rest, 1e-13 * e->scale.speed);
}

static CrEvent event_of(const EfdaSystem *e, const EfdaContact *c, const PetscReal u[3])
{
  CrEvent event = {.time = e->t,
                   .pair = c->of->pair,
                   .jn = 2 * c->p[0],
                   .jt = 2 * hypot(c->p[1], c->p[2]),
                   .sticks = EfdaStatus(c) == CR_STICKING};

  for (PetscInt a = 0; a < e->rigid->dim; a++) event.energy_change += 2 * c->p[a] * u[a];
  return event;
}

/* Sets the velocities of the bodies to those before the impact. */
static void set_velocities(EfdaSystem *e)
{
  EfdaPoses(e, e->now);
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    v_copy(e->now->v + 3 * b, e->bodies[b].v);
    CrRigidSpin(e->rigid, e->now, b, e->bodies[b].om);
    CrRigidInverse(e->rigid, b, e->poses[b].R, e->bodies[b].inverse);
  }
}

/* Sets the bias, the velocity with which the one in the middle of the impact is compared. It is (1-e)/2 times the
   approach velocity, and 1/2 times this velocity if it is too small for a rebound. It is zero if the bodies separate,
   because the contact could else create energy when a neighbour strikes. If such a contact closes again, it is struck
   again. */
static void prepare(EfdaSystem *e, EfdaContact *c)
{
  const EfdaCandidate *k = c->of;
  PetscReal            u[3];

  EfdaSetBlock(e, c);
  EfdaSpeedAt(e, c, u);
  c->p[0] = c->p[1] = c->p[2] = 0;
  c->may_settle = PETSC_FALSE;
  c->takes = e->options->tangential < 1;
  c->bias[0] = (approaches(e, u[0]) ? 1 - k->restitution : 1) * PetscMin(u[0], 0) / 2;
  for (int a = 1; a < 3; a++) c->bias[a] = (1 - e->options->tangential) * u[a] / 2;
}

/* Adds the impulse 2p of a contact to the momenta of the state. */
static void give(EfdaSystem *e, const EfdaContact *c)
{
  EFDA_EACH_SIDE (side, b, c->of) {
    PetscReal sign = side ? -1 : 1;

    for (PetscInt a = 0; a < e->rigid->dim; a++) {
      v_add(e->now->v + 3 * b, 2 * sign * c->p[a] / e->rigid->mass[b], c->d[a]);
      if (e->rigid->inverse[3 * b + 2] > 0)
        v_add(e->now->pi + 3 * b, 2 * sign * c->p[a], c->arm[side][a]);
    }
  }
}

static PetscErrorCode finish(EfdaSystem *e, EfdaContact *c)
{
  PetscReal u[3];

  PetscFunctionBeginUser;
  EfdaSpeedAt(e, c, u);
  EfdaWorkBegin(&e->part);
  EfdaEnter(e, c, u, &e->part);
  PetscCall(EfdaWorkAdd(&e->total, &e->part));
  if (c->p[0] > 0) CrListAdd(&e->total.events, event_of(e, c, u));
  give(e, c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Solves all contacts of the struck islands at once: Gauss-Seidel sweeps over exact local solves. */
static PetscErrorCode strike_together(EfdaSystem *e)
{
  PetscReal change = 1, mark = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  EFDA_EACH (c, e)
    if (c->struck) prepare(e, c);
  for (PetscInt s = 0; s < MOST_SWEEPS && change > 1e-15 * e->scale.speed; s++) {
    change = EfdaSweep(e, PETSC_TRUE);
    if (s == TOGETHER) PetscCall(EfdaSolveTogether(e, PETSC_TRUE, 1e-13));
    if (s % STUCK != STUCK - 1) continue;
    if (change > 0.99 * mark && change <= 1e-9 * e->scale.speed)
      break; /* more sweeps do not help */
    mark = change;
  }
  EFDA_EACH (c, e)
    if (c->struck) PetscCall(finish(e, c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Solves one contact after the other, the fastest approach first, until no bodies approach. */
static PetscErrorCode strike_in_turn(EfdaSystem *e)
{
  PetscFunctionBeginUser;
  EFDA_EACH (c, e)
    if (c->struck) EfdaSetBlock(e, c);
  for (PetscInt round = 0; round < 1000 * e->contacts.n; round++) {
    EfdaContact *worst = NULL;
    PetscReal    least = -PetscMax(e->scale.rest, 1e-13 * e->scale.speed), u[3];

    set_velocities(e);
    EFDA_EACH (c, e) /* rows do not change: positions stay */
      if (c->struck && EfdaSpeedAt(e, c, u) < least) {
        least = u[0];
        worst = c;
      }
    if (!worst) break;
    prepare(e, worst);
    (void)EfdaSolveOne(e, worst);
    PetscCall(finish(e, worst));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the islands of closed contacts, and marks those in which bodies approach. */
static PetscBool mark_islands(EfdaSystem *e)
{
  PetscBool any = PETSC_FALSE;

  CrUnionStart(e->rigid->n, e->roots);
  for (PetscInt b = 0; b < e->rigid->n; b++) e->bodies[b].struck = PETSC_FALSE;
  EFDA_EACH (c, e)
    if (c->closed && c->of->other >= 0) CrUnionJoin(e->roots, c->of->body, c->of->other);
  EFDA_EACH (c, e)
    if (c->closed && approaches(e, c->start.rate))
      e->bodies[CrUnionRoot(e->roots, c->of->body)].struck = any = PETSC_TRUE;
  EFDA_EACH (c, e) c->struck = c->closed && e->bodies[CrUnionRoot(e->roots, c->of->body)].struck;
  return any;
}

PetscErrorCode EfdaStrike(EfdaSystem *e, PetscBool *struck)
{
  PetscFunctionBeginUser;
  *struck = mark_islands(e);
  if (!*struck) PetscFunctionReturn(PETSC_SUCCESS);
  set_velocities(e);
  if (e->options->sequential)
    PetscCall(strike_in_turn(e));
  else
    PetscCall(strike_together(e));
  PetscFunctionReturn(PETSC_SUCCESS);
}

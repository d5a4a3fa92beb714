/* Rigid bodies of finite mass in an explicit step (theory 19.5). Forces act at t_n, where the rotation is R_n, and
   change velocity and angular momentum. Then the body moves freely to t_{n+1}. The forces change the kinetic energy by
   their work at the mean of the velocities before and after. Free flight conserves the kinetic energy. So bodies have
   the same energy balance as nodes. */
#include "contact/multipliers/rigid_step.h"
#include "rigid/rotation.h"

PetscErrorCode CrRigidStepCreate(const CrRigid *rigid, CrRigidStep **out)
{
  CrRigidStep *b;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&b));
  b->n = rigid->n;
  PetscCall(PetscCalloc5(b->n, &b->before, b->n, &b->star, b->n, &b->now, b->n, &b->pose0, b->n,
                         &b->pose));
  PetscCall(CrRigidStateCreate(b->n, &b->end));
  *out = b;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidStepDestroy(CrRigidStep **bodies)
{
  CrRigidStep *b = *bodies;

  PetscFunctionBeginUser;
  if (!b) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree5(b->before, b->star, b->now, b->pose0, b->pose));
  PetscCall(CrRigidStateDestroy(&b->end));
  PetscCall(PetscFree(*bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrRigidStepBegin(CrRigidStep *bodies, const CrRigid *r, const CrRigidState *state,
                      PetscReal kick, const PetscReal *a)
{
  for (PetscInt b = 0; b < bodies->n; b++) {
    CrPressBody *body = &bodies->before[b];

    CrPoseGet(r, state, b, &bodies->pose0[b]);
    bodies->pose[b] = bodies->pose0[b];
    v_copy(state->v + 3 * b, body->v);
    v_copy(state->pi + 3 * b, body->pi);
    body->inverse_mass = 1 / r->mass[b];
    CrRigidInverse(r, b, bodies->pose0[b].R, body->inverse);
    m_times(body->inverse, body->pi, body->spin);
    body->greatest = 0;
    for (int i = 0; i < 3; i++) body->greatest = PetscMax(body->greatest, r->inverse[3 * b + i]);
    bodies->star[b] = *body;
    if (a) v_add(bodies->star[b].v, kick, a + 3 * b);
    bodies->now[b] = bodies->star[b];
  }
}

void CrRigidStepRestore(CrRigidStep *bodies)
{
  for (PetscInt b = 0; b < bodies->n; b++) bodies->now[b] = bodies->star[b];
}

void CrRigidStepPlace(CrRigidStep *bodies, const CrRigid *r, const CrRigidState *state, PetscReal h)
{
  static const PetscReal nothing[3] = {0, 0, 0};
  CrRigidState          *end = bodies->end;

  for (PetscInt b = 0; b < bodies->n; b++) {
    CrRigidStateCopyBody(state, b, end, b);
    v_copy(bodies->now[b].v, end->v + 3 * b);
    v_copy(bodies->now[b].pi, end->pi + 3 * b);
    CrRigidFlight(r, b, end, h, nothing);
    CrPoseGet(r, end, b, &bodies->pose[b]);
  }
}

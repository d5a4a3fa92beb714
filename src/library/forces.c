/* Calls the caller's functions before a step. They compute the loads on their bodies. */
#include "library/internal.h"

static PetscErrorCode ask(carom_sim *sim, PetscInt k, CrCondition *load, PetscBool *stop)
{
  const SimForce *force = &sim->forces[k];
  const PetscInt  entry = SimEntry(sim, force->body);
  carom_view      x, v;
  PetscInt        n;

  PetscFunctionBeginUser;
  PetscCall(SimArray(sim, entry, "position", &x));
  PetscCall(SimArray(sim, entry, "velocity", &v));
  n = (PetscInt)(x.rows * x.columns);
  PetscCall(PetscArrayzero(load->load, n));
  if (!force->function) PetscFunctionReturn(PETSC_SUCCESS);
  sim->asking = PETSC_TRUE;
  if (force->function(force->context, (double)sim->now.run->state->t, x.rows, x.columns, x.data,
                      v.data, load->load))
    *stop = PETSC_TRUE;
  sim->asking = PETSC_FALSE;
  for (PetscInt i = 0; i < n && !*stop; i++)
    if (PetscIsInfOrNanReal(load->load[i]))
      CrInputFail(
          "the user function for the force on body \"%s\" returned %g, which is not a finite number",
          force->body, (double)load->load[i]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimForces(carom_sim *sim, PetscBool *stop)
{
  CrModel       *model = sim->now.run->model;
  PetscErrorCode code = PETSC_SUCCESS;
  int            any;

  PetscFunctionBeginUser;
  *stop = PETSC_FALSE;
  if (!sim->nforces) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < sim->nforces && !*stop && !code; k++)
    code = ask(sim, k, &model->conditions[model->nconditions - sim->nforces + k], stop);
  PetscCall(CrErrorAgree(model->comm, code));
  any = *stop;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, model->comm));
  *stop = any ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

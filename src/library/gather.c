/* Gathers arrays of whole bodies, and values of probes, from all processes on every process. */
#include "library/internal.h"
#include "output/output.h"

/* Rows of this process at the places of their nodes; all other places are zero, so that a sum joins the processes. */
static PetscErrorCode spread(carom_sim *sim, PetscInt entry, const carom_view *mine, PetscReal *all)
{
  const CrModel  *model = sim->now.run->model;
  const CrBody   *body = &model->bodies[entry];
  const PetscInt *natural = model->natural + sim->now.rows[2 * entry],
                 width = (PetscInt)mine->columns;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(all, width * body->nnodes));
  for (PetscInt k = 0; k < mine->rows; k++)
    PetscCall(PetscArraycpy(all + width * (natural[k] - body->first_node),
                            (const PetscReal *)mine->data + width * k, width));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void number_nodes(PetscInt n, PetscReal *room, carom_view *view)
{
  int *numbers = (int *)(void *)room;

  for (PetscInt k = 0; k < n; k++) numbers[k] = (int)k;
  *view = (carom_view){numbers, CAROM_INTEGER, (long)n, 1};
}

static PetscErrorCode gather(carom_sim *sim, const char body[], const char name[], carom_view *view)
{
  const CrModel *model = sim->now.run->model;
  PetscInt       entry, n;
  PetscReal     *all;

  PetscFunctionBeginUser;
  PetscCall(CrErrorAgree(model->comm, SimArrayFind(sim, body, name, view)));
  entry = body ? SimEntry(sim, body) : -1;
  if (entry < 0 || entry >= model->nbodies) PetscFunctionReturn(PETSC_SUCCESS); /* all have it */
  n = model->bodies[entry].nnodes;
  PetscCall(SimBufferOpen(sim, entry, SIM_GATHERED, n * model->dim, &all));
  if (view->type == CAROM_INTEGER) {
    number_nodes(n, all, view);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(spread(sim, entry, view, all));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, all, (PetscMPIInt)(n * view->columns), MPIU_REAL,
                             MPI_SUM, model->comm));
  *view = (carom_view){all, CAROM_REAL, (long)n, view->columns};
  PetscFunctionReturn(PETSC_SUCCESS);
}

int carom_gather(carom_sim *sim, const char *body, const char *name, carom_view *view)
{
  SimCall call;

  if (!view || !name) return SimRefuse(sim, "carom_gather needs a name and a pointer to the view");
  *view = (carom_view){.rows = 1};
  if (!SimEnter(sim, &call)) return SimRefuse(sim, "there is no simulation");
  sim->lent = PETSC_TRUE;
  return SimLeave(sim, &call, gather(sim, body, name, view));
}

/* ---- probes ------------------------------------------------------------------------------- */

static PetscErrorCode probe(carom_sim *sim, const char name[], double values[9])
{
  const CrRun     *run = sim->now.run;
  const PetscInt   dim = run->model->dim;
  const PetscReal *force = run->contact ? run->contact->picture->force : NULL, *u, *v;
  PetscInt         node;

  PetscFunctionBeginUser;
  PetscCall(CrOutputProbeNode(run->output, name, &node));
  PetscCall(PetscArrayzero(values, 9));
  PetscCall(VecGetArrayRead(run->state->u, &u));
  PetscCall(VecGetArrayRead(run->state->v, &v));
  for (PetscInt i = 0; node >= 0 && i < dim; i++) {
    values[i] = (double)u[dim * node + i];
    values[3 + i] = (double)v[dim * node + i];
    values[6 + i] = force ? (double)force[dim * node + i] : 0;
  }
  PetscCall(VecRestoreArrayRead(run->state->v, &v));
  PetscCall(VecRestoreArrayRead(run->state->u, &u));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, values, 9, MPI_DOUBLE, MPI_SUM, run->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int carom_probe(carom_sim *sim, const char *name, double values[9])
{
  SimCall call;

  if (!values || !name)
    return SimRefuse(sim, "carom_probe needs a name and a pointer to 9 numbers");
  if (!SimEnter(sim, &call)) return SimRefuse(sim, "there is no simulation");
  return SimLeave(sim, &call, probe(sim, name, values));
}

#include "base/grow.h"
#include "contact/multipliers/rounds.h"

#define PER_BODY 6 /* velocity and angular momentum */

struct CrRounds {
  const CrModel *model; /* borrowed */
  PetscMPIInt    ranks;
  CrVicinity    *halo; /* owned, like all below */
  /* velocities before a round: at the halo and at owned nodes that are in the halo of another rank; of bodies */
  PetscReal *before, *bodies;
  PetscInt   room;
};

PetscErrorCode CrRoundsCreate(const CrModel *model, CrRounds **out)
{
  CrRounds *r;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  r->model = model;
  PetscCallMPI(MPI_Comm_size(model->comm, &r->ranks));
  PetscCall(PetscCalloc1(2 * PER_BODY * model->rigid->n, &r->bodies));
  PetscCall(CrVicinityCreate(model, &r->halo));
  *out = r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsDestroy(CrRounds **rounds)
{
  CrRounds *r = *rounds;

  PetscFunctionBeginUser;
  if (!r) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrVicinityDestroy(&r->halo));
  PetscCall(PetscFree(r->bodies));
  PetscCall(PetscFree(r->before));
  PetscCall(PetscFree(*rounds));
  PetscFunctionReturn(PETSC_SUCCESS);
}

CrVicinity *CrRoundsHalo(const CrRounds *r)
{
  return r->halo;
}

PetscMPIInt CrRoundsRanks(const CrRounds *r)
{
  return r->ranks;
}

void CrRoundsZero(const CrRounds *r, PetscInt width, PetscReal *values)
{
  for (int end = 0; end < 2; end++) {
    const PetscInt *nodes;
    PetscInt        n = end ? CrVicinityGiven(r->halo, &nodes) : CrVicinityNodes(r->halo, &nodes);

    for (PetscInt k = 0; k < n; k++)
      for (PetscInt i = 0; i < width; i++) values[width * nodes[k] + i] = 0;
  }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void keep_bodies(const CrRigidStep *bodies, PetscReal *values)
{
  for (PetscInt b = 0; b < bodies->n; b++) {
    v_copy(bodies->now[b].v, values + PER_BODY * b);
    v_copy(bodies->now[b].pi, values + PER_BODY * b + 3);
  }
}

/* Nodes that several ranks may push: end 0, the halo; end 1, owned nodes in the halo of another rank. */
static PetscInt nodes_in_common(const CrRounds *r, int end, const PetscInt **nodes)
{
  return end ? CrVicinityGiven(r->halo, nodes) : CrVicinityNodes(r->halo, nodes);
}

PetscErrorCode CrRoundsBegin(CrRounds *r, const PetscReal *v, const CrRigidStep *bodies)
{
  const PetscInt *nodes[2], dim = r->model->dim;
  PetscInt        n[2], j = 0;

  PetscFunctionBeginUser;
  if (r->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  for (int end = 0; end < 2; end++) n[end] = nodes_in_common(r, end, &nodes[end]);
  PetscCall(CrGrow(dim * (n[0] + n[1]), &r->room, &r->before));
  for (int end = 0; end < 2; end++)
    for (PetscInt k = 0; k < n[end]; k++)
      for (PetscInt i = 0; i < dim; i++) r->before[j++] = v[dim * nodes[end][k] + i];
  keep_bodies(bodies, r->bodies);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every rank has all bodies, and adds what all ranks have pushed. */
static PetscErrorCode settle_bodies(CrRounds *r, CrRigidStep *bodies)
{
  PetscInt   n = PER_BODY * bodies->n;
  PetscReal *before = r->bodies, *change = r->bodies + n;

  PetscFunctionBeginUser;
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  keep_bodies(bodies, change);
  for (PetscInt i = 0; i < n; i++) change[i] -= before[i];
  PetscCall(CrRoundsSum(r, n, change));
  for (PetscInt b = 0; b < bodies->n; b++) {
    CrPressBody *body = &bodies->now[b];

    for (int i = 0; i < 3; i++) {
      body->v[i] = before[PER_BODY * b + i] + change[PER_BODY * b + i];
      body->pi[i] = before[PER_BODY * b + 3 + i] + change[PER_BODY * b + 3 + i];
    }
    m_times(body->inverse, body->pi, body->spin);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the velocities before the round to v, times `sign`. */
static void add_before(const CrRounds *r, PetscReal sign, PetscReal *v)
{
  const PetscInt dim = r->model->dim;
  PetscInt       j = 0;

  for (int end = 0; end < 2; end++) {
    const PetscInt *nodes;
    PetscInt        n = nodes_in_common(r, end, &nodes);

    for (PetscInt k = 0; k < n; k++)
      for (PetscInt i = 0; i < dim; i++) v[dim * nodes[k] + i] += sign * r->before[j++];
  }
}

PetscErrorCode CrRoundsEnd(CrRounds *r, PetscReal *v, CrRigidStep *bodies)
{
  PetscFunctionBeginUser;
  if (r->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  add_before(r, -1, v);
  PetscCall(CrVicinitySum(r->halo, r->model->dim, v));
  add_before(r, 1, v);
  PetscCall(settle_bodies(r, bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsCountBodies(CrRounds *r, CrRigidStep *bodies)
{
  PetscFunctionBeginUser;
  if (r->ranks == 1 || !bodies->n) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < bodies->n; b++) {
    r->bodies[2 * b] = bodies->now[b].count;
    r->bodies[2 * b + 1] = bodies->now[b].arms;
  }
  PetscCall(CrRoundsSum(r, 2 * bodies->n, r->bodies));
  for (PetscInt b = 0; b < bodies->n; b++) {
    bodies->now[b].count = r->bodies[2 * b];
    bodies->now[b].arms = r->bodies[2 * b + 1];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode reduce(const CrRounds *r, PetscInt n, MPI_Op op, PetscReal *values)
{
  PetscMPIInt count;

  PetscFunctionBeginUser;
  if (r->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMPIIntCast(n, &count));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, values, count, MPIU_REAL, op, r->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsSum(const CrRounds *r, PetscInt n, PetscReal *values)
{
  return reduce(r, n, MPIU_SUM, values);
}

PetscErrorCode CrRoundsGreatest(const CrRounds *r, PetscInt n, PetscReal *values)
{
  return reduce(r, n, MPIU_MAX, values);
}

#include "base/grow.h"
#include "contact/multipliers/rounds.h"
#include "model/halo.h"

#define PER_BODY 6 /* velocity and angular momentum */

struct CrRounds {
  const CrModel *model; /* borrowed */
  PetscMPIInt    ranks, rank;
  CrHalo         all, near;
  PetscBool      built;                     /* `near` exists */
  char          *is_needed;                 /* [nlocal]; owned, like all arrays */
  PetscInt       n, room, *needed, *global; /* the halo: local and global numbers */
  PetscInt       ngiven, *given;  /* [nowned] owned nodes that are in the halo of another rank */
  PetscReal     *values, *before; /* [room_values] values on their way; those before a round */
  PetscInt       room_values;
  PetscReal     *bodies; /* of rigid bodies, before a round and as sums */
};

PetscErrorCode CrRoundsCreate(const CrModel *model, CrRounds **out)
{
  CrRounds *r;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  r->model = model;
  PetscCallMPI(MPI_Comm_size(model->comm, &r->ranks));
  PetscCallMPI(MPI_Comm_rank(model->comm, &r->rank));
  PetscCall(PetscCalloc3(model->nlocal, &r->is_needed, model->nowned, &r->given,
                         2 * PER_BODY * model->rigid->n, &r->bodies));
  if (r->ranks > 1)
    PetscCall(CrHaloCreate(model->comm, model->nowned, model->nlocal - model->nowned, model->ghosts,
                           &r->all));
  *out = r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsDestroy(CrRounds **rounds)
{
  CrRounds *r = *rounds;

  PetscFunctionBeginUser;
  if (!r) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrHaloDestroy(&r->all));
  PetscCall(CrHaloDestroy(&r->near));
  PetscCall(PetscFree3(r->is_needed, r->given, r->bodies));
  PetscCall(PetscFree(r->needed));
  PetscCall(PetscFree(r->global));
  PetscCall(PetscFree(r->values));
  PetscCall(PetscFree(r->before));
  PetscCall(PetscFree(*rounds));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscMPIInt CrRoundsRanks(const CrRounds *r)
{
  return r->ranks;
}

PetscMPIInt CrRoundsRank(const CrRounds *r)
{
  return r->rank;
}

/* ---- the halo -------------------------------------------------------------------------------- */

void CrRoundsForget(CrRounds *r)
{
  for (PetscInt k = 0; k < r->n; k++) r->is_needed[r->needed[k]] = 0;
}

void CrRoundsNeed(CrRounds *r, PetscInt node)
{
  if (node >= r->model->nowned) r->is_needed[node] = 1;
}

PetscBool CrRoundsHas(const CrRounds *r, PetscInt node)
{
  return node < r->model->nowned || r->is_needed[node] == 2;
}

/* Lists the owned nodes that other ranks need. */
static PetscErrorCode list_given(CrRounds *r)
{
  PetscInt *users, *ones;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc2(r->model->nowned, &users, r->n, &ones));
  for (PetscInt k = 0; k < r->n; k++) ones[k] = 1;
  PetscCall(CrHaloAddInts(&r->near, 1, ones, users));
  r->ngiven = 0;
  for (PetscInt A = 0; A < r->model->nowned; A++)
    if (users[A]) r->given[r->ngiven++] = A;
  PetscCall(PetscFree2(users, ones));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsBuild(CrRounds *r)
{
  const CrModel *m = r->model;

  PetscFunctionBeginUser;
  if (r->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  r->n = 0;
  for (PetscInt A = m->nowned; A < m->nlocal; A++) {
    if (!r->is_needed[A]) continue;
    PetscCall(CrGrowTwo(r->n + 1, &r->room, &r->needed, &r->global));
    r->is_needed[A] = 2;
    r->needed[r->n] = A;
    r->global[r->n++] = m->ghosts[A - m->nowned];
  }
  PetscCall(CrHaloDestroy(&r->near));
  PetscCall(CrHaloCreate(m->comm, m->nowned, r->n, r->global, &r->near));
  r->built = PETSC_TRUE;
  PetscCall(list_given(r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Copies values from a nodal array to the halo's order, and the other way. */
static inline void collect(const CrRounds *r, PetscInt width, const PetscReal *from, PetscReal *to)
{
  for (PetscInt k = 0; k < r->n; k++)
    for (PetscInt i = 0; i < width; i++) to[width * k + i] = from[width * r->needed[k] + i];
}

static inline void deal(const CrRounds *r, PetscInt width, const PetscReal *from, PetscReal *to)
{
  for (PetscInt k = 0; k < r->n; k++)
    for (PetscInt i = 0; i < width; i++) to[width * r->needed[k] + i] = from[width * k + i];
}

static PetscErrorCode make_room(CrRounds *r, PetscInt width)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrowTwo(width * r->n, &r->room_values, &r->values, &r->before));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsBring(CrRounds *r, PetscInt width, PetscReal *values)
{
  PetscFunctionBeginUser;
  if (!r->built) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(make_room(r, width));
  PetscCall(CrHaloBring(&r->near, width, values, r->values));
  deal(r, width, r->values, values);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsBringAll(CrRounds *r, PetscInt width, PetscReal *values)
{
  PetscFunctionBeginUser;
  if (r->ranks > 1)
    PetscCall(CrHaloBring(&r->all, width, values, values + width * r->model->nowned));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsAdd(CrRounds *r, PetscInt width, PetscReal *values)
{
  return CrRoundsAddPart(r, width, 0, values);
}

PetscErrorCode CrRoundsAddPart(CrRounds *r, PetscInt width, PetscInt skip, PetscReal *values)
{
  PetscFunctionBeginUser;
  if (!r->built) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(make_room(r, width));
  collect(r, width, values, r->values);
  for (PetscInt k = 0; k < r->n; k++)
    for (PetscInt i = 0; i < skip; i++) r->values[width * k + i] = 0;
  PetscCall(CrHaloAdd(&r->near, width, r->values, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrRoundsZero(const CrRounds *r, PetscInt width, PetscReal *values)
{
  for (PetscInt k = 0; k < r->n; k++)
    for (PetscInt i = 0; i < width; i++) values[width * r->needed[k] + i] = 0;
  for (PetscInt k = 0; k < r->ngiven; k++)
    for (PetscInt i = 0; i < width; i++) values[width * r->given[k] + i] = 0;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void keep_bodies(const CrRigidStep *bodies, PetscReal *values)
{
  for (PetscInt b = 0; b < bodies->n; b++) {
    v_copy(bodies->now[b].v, values + PER_BODY * b);
    v_copy(bodies->now[b].pi, values + PER_BODY * b + 3);
  }
}

PetscErrorCode CrRoundsBegin(CrRounds *r, const PetscReal *v, const CrRigidStep *bodies)
{
  PetscFunctionBeginUser;
  if (r->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(make_room(r, r->model->dim));
  collect(r, r->model->dim, v, r->before);
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

PetscErrorCode CrRoundsEnd(CrRounds *r, PetscReal *v, CrRigidStep *bodies)
{
  PetscInt dim = r->model->dim;

  PetscFunctionBeginUser;
  if (r->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  if (r->built) {
    collect(r, dim, v, r->values);
    for (PetscInt k = 0; k < dim * r->n; k++) r->values[k] -= r->before[k];
    PetscCall(CrHaloAdd(&r->near, dim, r->values, v));
    PetscCall(CrRoundsBring(r, dim, v));
  }
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

PetscErrorCode CrRoundsSum(const CrRounds *r, PetscInt n, PetscReal *values)
{
  PetscMPIInt count;

  PetscFunctionBeginUser;
  if (r->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMPIIntCast(n, &count));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, values, count, MPIU_REAL, MPIU_SUM, r->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRoundsGreatest(const CrRounds *r, PetscInt n, PetscReal *values)
{
  PetscMPIInt count;

  PetscFunctionBeginUser;
  if (r->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMPIIntCast(n, &count));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, values, count, MPIU_REAL, MPIU_MAX, r->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

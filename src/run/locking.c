/* Computes volumetric and deviatoric energy of bodies whose elements may lock. */
#include "run/locking.h"
#include <math.h>
#include "base/vector.h"

#define LEAST_NU 0.4 /* above it first-order elements are looked at */
#define GROWTH   1.5 /* of the strain energy from look to look */
#define EXCESS   2.  /* times the ratio of uniaxial stress: they lock */

struct CrLocking {
  const CrModel *model; /* borrowed */
  PetscReal      seen;  /* strain energy at the last look */
  PetscReal     *sums;  /* [2 nbodies] volumetric and deviatoric energy at the last look; owned */
};

/* Poisson's ratio of the long term: branches of viscosity relax, and leave a ratio that is greater. */
static PetscReal poisson(const CrMaterial *m)
{
  PetscReal lambda = m->lambda, shear = m->shear;

  for (PetscInt i = 0; i < m->viscosity.n; i++) {
    lambda += 2.0 / 3 * m->viscosity.shear[i];
    shear -= m->viscosity.shear[i];
  }
  return lambda / (2 * (lambda + shear));
}

/* Elements that the deck asks to keep their volume at points. Of others that lock the model has warned already. */
static PetscBool may_lock(const CrModel *model, const CrElementBlock *b)
{
  return model->bodies[b->body].volume == CR_POINT && !model->axial && !b->element->quadratic &&
         !b->one_point && !b->material->plane_stress && poisson(b->material) > LEAST_NU;
}

PetscErrorCode CrLockingCreate(const CrModel *model, CrLocking **out)
{
  PetscBool any = PETSC_FALSE;

  PetscFunctionBeginUser;
  *out = NULL;
  for (PetscInt k = 0; k < model->nblocks; k++)
    if (may_lock(model, &model->blocks[k])) any = PETSC_TRUE;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPIU_BOOL, MPI_LOR, model->comm));
  if (!any) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(out));
  (*out)->model = model;
  PetscCall(PetscCalloc1(2 * model->nbodies, &(*out)->sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLockingDestroy(CrLocking **locking)
{
  PetscFunctionBeginUser;
  if (!*locking) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*locking)->sums));
  PetscCall(PetscFree(*locking));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLockingArchive(CrLocking *l, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "locking.seen", 1, &l->seen));
  PetscCall(CrArchiveAddReals(archive, "locking.sums", 2 * l->model->nbodies, l->sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a look ----------------------------------------------------------------------------------- */

/* Lane l of a batch: nodes of one element. */
static void place(const CrModel *model, const CrElementBlock *b, const PetscReal *u, PetscInt cell,
                  PetscReal X[][3], PetscReal x[][3])
{
  const PetscInt *nodes = b->nodes + cell / CR_BATCH * b->element->nnodes * CR_BATCH;

  for (PetscInt a = 0; a < b->element->nnodes; a++)
    for (PetscInt i = 0; i < 3; i++) {
      PetscInt A = nodes[a * CR_BATCH + cell % CR_BATCH];

      X[a][i] = i < model->dim ? model->X[model->dim * A + i] : 0;
      x[a][i] = X[a][i] + (i < model->dim ? u[model->dim * A + i] : 0);
    }
}

/* The derivatives of places by reference coordinates at point q, a row for each coordinate. The plane gets 1 for z. */
static void gradient(const CrElementBlock *b, PetscInt q, PetscReal x[][3], PetscReal G[9])
{
  for (int i = 0; i < 9; i++) G[i] = 0;
  for (PetscInt j = 0; j < b->element->dim; j++)
    for (PetscInt a = 0; a < b->element->nnodes; a++)
      v_add(G + 3 * j, b->stress_rule.dN[q][a][j], x[a]);
  if (b->element->dim == 2) G[8] = 1;
}

static PetscReal determinant(const PetscReal M[9])
{
  PetscReal c[3];

  v_cross(M + 3, M + 6, c);
  return v_dot(M, c);
}

/* The squared length of F, from F dX = dx row by row. */
static PetscReal square(const PetscReal dX[9], const PetscReal dx[9])
{
  PetscReal sum = 0, row[3] = {0};

  for (int i = 0; i < 3; i++) {
    m_solve(dX, (PetscReal[3]){dx[i], dx[3 + i], dx[6 + i]}, row);
    sum += v_dot(row, row);
  }
  return sum;
}

/* Energies of one element, by the law that all laws come to at small strain. */
static void add_energies(const CrElementBlock *b, PetscReal X[][3], PetscReal x[][3],
                         PetscReal sums[2])
{
  const PetscReal bulk = b->material->lambda + 2 * b->material->shear / 3;

  for (PetscInt q = 0; q < b->stress_rule.n; q++) {
    PetscReal dX[9], dx[9], volume, J;

    gradient(b, q, X, dX);
    gradient(b, q, x, dx);
    volume = determinant(dX);
    J = determinant(dx) / volume;
    volume *= b->stress_rule.weight[q] * b->thickness;
    sums[0] += volume * bulk / 2 * PetscSqr(J - 1);
    sums[1] += volume * b->material->shear / 2 * (square(dX, dx) / cbrt(J * J) - 3);
  }
}

PetscErrorCode CrLockingLook(CrLocking *l, const CrState *state, PetscReal strain)
{
  const CrModel   *model = l->model;
  const PetscReal *u;
  PetscReal        X[CR_MAX_CELL_NODES][3], x[CR_MAX_CELL_NODES][3];

  PetscFunctionBeginUser;
  if (!(strain > GROWTH * l->seen)) PetscFunctionReturn(PETSC_SUCCESS);
  l->seen = strain;
  PetscCall(PetscArrayzero(l->sums, 2 * model->nbodies));
  PetscCall(VecGetArrayRead(state->u, &u));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    for (PetscInt cell = 0; may_lock(l->model, b) && cell < b->nowned; cell++) {
      place(model, b, u, cell, X, x);
      add_energies(b, X, x, l->sums + 2 * b->body);
    }
  }
  PetscCall(VecRestoreArrayRead(state->u, &u));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, l->sums, (PetscMPIInt)(2 * model->nbodies), MPIU_REAL,
                             MPI_SUM, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the end ---------------------------------------------------------------------------------- */

/* The same ratio where a bar of the material is pulled and free at its sides. */
static PetscReal free_ratio(const CrMaterial *m)
{
  const PetscReal nu = poisson(m);

  return (1 - 2 * nu) / (2 * (1 + nu));
}

PetscReal CrLockingEnd(const CrLocking *l)
{
  PetscReal greatest = NAN;

  for (PetscInt b = 0; l && b < l->model->nbodies; b++) {
    const CrBody   *body = &l->model->bodies[b];
    const PetscReal ratio = l->sums[2 * b] / l->sums[2 * b + 1];

    if (!(l->sums[2 * b + 1] > 0)) continue;
    if (!(greatest >= ratio)) greatest = ratio;
    if (ratio > EXCESS * free_ratio(body->material))
      CrWarn(
          "body %s: its elements of first order may lock (be too stiff) at a Poisson ratio of %.3g. The ratio of volumetric to deviatoric energy is %.2g, but would be %.2g in uniaxial tension. Set `volume: mean`, or use elements of second order.",
          body->name, (double)poisson(body->material), (double)ratio,
          (double)free_ratio(body->material));
  }
  return greatest;
}

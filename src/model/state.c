/* Creates the state at the start of a run. */
#include "model/internal.h"
#include "model/reactions.h"

/* A dim x dim matrix under a key of a body; identity stays if the key is absent. */
static PetscErrorCode read_matrix(const CrDeckNode *body, const char *key, PetscInt dim,
                                  PetscReal M[3][3], PetscBool *given)
{
  const CrDeckNode *node = CrDeckFind(body, key);

  PetscFunctionBeginUser;
  *given = node != NULL;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < dim; i++) {
    const CrDeckNode *row = CrDeckItem(node, i);

    if (CrDeckCount(node) != dim || CrDeckCount(row) != dim)
      CrDeckFail(node, "expected %" PetscInt_FMT " rows of %" PetscInt_FMT " numbers", dim, dim);
    for (PetscInt j = 0; j < dim; j++) M[i][j] = CrDeckReal(CrDeckItem(row, j));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal determinant(PetscInt dim, PetscReal M[3][3])
{
  if (dim == 2) return M[0][0] * M[1][1] - M[0][1] * M[1][0];
  return M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) -
         M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
         M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
}

PetscErrorCode CrInitialDisplacement(const CrModel *model, PetscReal *u)
{
  PetscInt dim = model->dim;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < model->nbodies; b++) {
    PetscReal F[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    PetscBool given;

    PetscCall(read_matrix(model->bodies[b].deck, "deformation", dim, F, &given));
    if (!given) continue;
    if (!(determinant(dim, F) > 0))
      CrDeckFail(CrDeckFind(model->bodies[b].deck, "deformation"),
                 "this matrix turns the body inside out: its determinant is %g",
                 (double)determinant(dim, F));
    for (PetscInt A = 0; A < model->nlocal; A++)
      for (PetscInt i = 0; model->node_body[A] == b && i < dim; i++)
        for (PetscInt j = 0; j < dim; j++)
          u[dim * A + i] +=
              (F[i][j] - (i == j)) * (model->X[dim * A + j] - model->bodies[b].centroid[j]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* v = V + spin x r + G (X - centroid), r from the centroid in the configuration at the start */
static PetscErrorCode initial_velocity(const CrModel *model, PetscInt b, const CrDeckNode *body,
                                       const PetscReal *u, PetscReal *v)
{
  PetscReal V[3] = {0}, spin[3] = {0}, G[3][3] = {{0}};
  PetscInt  dim = model->dim;
  PetscBool given;

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(body, "velocity", dim, 0, V, NULL));
  PetscCall(CrSpinRead(body, dim, spin));
  PetscCall(read_matrix(body, "velocity_gradient", dim, G, &given));
  for (PetscInt A = 0; A < model->nlocal; A++) {
    PetscReal R[3] = {0}, r[3] = {0};

    if (model->node_body[A] != b) continue;
    for (PetscInt i = 0; i < dim; i++) {
      R[i] = model->X[dim * A + i] - model->bodies[b].centroid[i];
      r[i] = R[i] + u[dim * A + i];
    }
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal value =
          V[i] + spin[(i + 1) % 3] * r[(i + 2) % 3] - spin[(i + 2) % 3] * r[(i + 1) % 3];

      for (PetscInt j = 0; j < dim; j++) value += G[i][j] * R[j];
      if (value != 0) v[dim * A + i] = value; /* zeros take no memory (clear_ghosts) */
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Supports start with the velocity of their prescribed motion. */
static PetscErrorCode support_velocity(const CrModel *model, const PetscReal *u, PetscReal *v)
{
  CrSupports s;

  PetscFunctionBeginUser;
  PetscCall(CrSupportsCreate(model, &s));
  PetscCall(CrSupportsAt(model, 0, 0, u, &s));
  for (PetscInt r = 0; r < model->nlocal * model->dim; r++)
    if (s.fixed[r]) v[r] = s.v[r];
  PetscCall(CrSupportsDestroy(&s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sets ghosts to zero. PETSc does so already. Memory pages of ghosts that are zero are not written, so that they take no
   memory until a value comes. */
static void clear_ghosts(const CrModel *model, PetscReal *values)
{
  for (PetscInt r = model->dim * model->nowned; r < model->dim * model->nlocal; r++)
    if (values[r] != 0) values[r] = 0;
}

static PetscErrorCode fill(const CrModel *model, CrState *state)
{
  PetscReal *u, *v;

  PetscFunctionBeginUser;
  PetscCall(CrModelCreateVec(model, &state->u));
  PetscCall(CrModelCreateVec(model, &state->v));
  PetscCall(VecGetArray(state->u, &u));
  PetscCall(VecGetArray(state->v, &v));
  clear_ghosts(model, u);
  clear_ghosts(model, v);
  PetscCall(CrInitialDisplacement(model, u));
  for (PetscInt b = 0; b < model->nbodies; b++)
    PetscCall(initial_velocity(model, b, model->bodies[b].deck, u, v));
  if (model->quasi_static) /* velocities were read to be checked, but play no part */
    PetscCall(PetscArrayzero(v, model->nlocal * model->dim));
  else
    PetscCall(support_velocity(model, u, v));
  PetscCall(VecRestoreArray(state->u, &u));
  PetscCall(VecRestoreArray(state->v, &v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStateCreate(const CrModel *model, const CrDeck *deck, CrState **state)
{
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(state));
  (void)deck;
  code = fill(model, *state);
  if (!code) code = CrPointsCreate(model, &(*state)->points);
  if (!code) code = CrBulkCreate(model, &(*state)->bulk);
  if (!code) code = CrRigidStateCreate(model->rigid->n, &(*state)->rigid);
  if (!code) code = CrRigidStateCopy(model->rigid->start, (*state)->rigid);
  if (code) PetscCall(CrStateDestroy(state));
  PetscFunctionReturn(code);
}

PetscErrorCode CrStateDestroy(CrState **state)
{
  PetscFunctionBeginUser;
  if (!*state) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecDestroy(&(*state)->u));
  PetscCall(VecDestroy(&(*state)->v));
  PetscCall(CrPointsDestroy(&(*state)->points));
  PetscCall(CrBulkDestroy(&(*state)->bulk));
  PetscCall(CrRigidStateDestroy(&(*state)->rigid));
  PetscCall(CrHistoryDestroy(&(*state)->contact));
  PetscCall(CrReactionsDestroy(&(*state)->reactions));
  PetscCall(PetscFree(*state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

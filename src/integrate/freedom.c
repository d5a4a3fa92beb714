/* Warns of bodies that drift in quasi-static steps. */
#include "integrate/freedom.h"

#define MOST  48   /* translations; decks with more of them are not tested */
#define WEAK  1e-3 /* part of the stiffness along another direction */
#define DRIFT 0.05 /* part of the greatest displacement of a node in the step */

PetscErrorCode CrFreedomCreate(const CrModel *model, const CrContact *contact, CrFreedom *f)
{
  PetscInt room = 0;

  PetscFunctionBeginUser;
  *f = (CrFreedom){0};
  for (PetscInt b = 0; b < model->nbodies; b++) room += model->bodies[b].touches ? model->dim : 0;
  if (!contact || !room || room > MOST) PetscFunctionReturn(PETSC_SUCCESS);
  f->room = room;
  PetscCall(PetscMalloc1(model->dim * model->nbodies, &f->at));
  PetscCall(PetscMalloc1(room * room, &f->S));
  PetscCall(PetscMalloc1(room * room, &f->scaled));
  PetscCall(PetscMalloc1(room * room, &f->vectors));
  PetscCall(PetscMalloc1(room, &f->moved));
  PetscCall(PetscMalloc1(room, &f->weakest));
  PetscCall(PetscMalloc1(room, &f->scale));
  PetscCall(PetscMalloc1(room, &f->held));
  PetscCall(VecDuplicate(model->prototype, &f->one));
  PetscCall(VecDuplicate(model->prototype, &f->force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFreedomDestroy(CrFreedom *f)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(f->at));
  PetscCall(PetscFree(f->S));
  PetscCall(PetscFree(f->scaled));
  PetscCall(PetscFree(f->vectors));
  PetscCall(PetscFree(f->moved));
  PetscCall(PetscFree(f->weakest));
  PetscCall(PetscFree(f->scale));
  PetscCall(PetscFree(f->held));
  PetscCall(VecDestroy(&f->one));
  PetscCall(VecDestroy(&f->force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- translations --------------------------------------------------------------------------- */

/* Numbers the translations of bodies that are not held in all directions, body by body. held[k]: a support prevents
   translation k. */
static PetscErrorCode number_translations(CrFreedom *f, const CrImplicit *im)
{
  const CrModel *model = im->step.model;
  const PetscInt dim = model->dim, n = dim * model->nbodies;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(f->at, n));
  for (PetscInt k = 0; k < model->nowned * dim; k++)
    if (im->supports.fixed[k]) f->at[dim * model->node_body[k / dim] + k % dim] = 1;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, f->at, (PetscMPIInt)n, MPIU_INT, MPI_MAX, model->comm));
  f->n = 0;
  for (PetscInt b = 0; b < model->nbodies; b++) {
    PetscInt held = 0;

    for (PetscInt i = 0; i < dim; i++) held += f->at[dim * b + i];
    for (PetscInt i = 0; i < dim; i++) {
      PetscInt *at = &f->at[dim * b + i];

      if (held == dim || !model->bodies[b].touches) {
        *at = -1;
        continue;
      }
      f->held[f->n] = *at;
      *at = f->n++;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computes the stiffness matrix S of the translations, and the mean displacement along each of them. */
static PetscErrorCode measure(CrFreedom *f, const CrImplicit *im, PetscReal *greatest)
{
  const CrModel *model = im->step.model;
  const PetscInt dim = model->dim, ndofs = model->nowned * dim;

  PetscFunctionBeginUser;
  *greatest = 0;
  PetscCall(PetscArrayzero(f->S, f->n * f->n));
  PetscCall(PetscArrayzero(f->moved, f->n));
  for (PetscInt k = 0; k < ndofs; k++) {
    const PetscInt row = f->at[dim * model->node_body[k / dim] + k % dim];

    *greatest = PetscMax(*greatest, PetscAbsReal(im->step.du[k]));
    if (row >= 0)
      f->moved[row] += im->step.du[k] / (PetscReal)model->bodies[model->node_body[k / dim]].nnodes;
  }
  for (PetscInt column = 0; column < f->n; column++) {
    const PetscReal *y;
    PetscReal       *x;

    PetscCall(VecGetArray(f->one, &x));
    for (PetscInt k = 0; k < ndofs; k++)
      x[k] = f->at[dim * model->node_body[k / dim] + k % dim] == column;
    PetscCall(VecRestoreArray(f->one, &x));
    PetscCall(MatMult(im->A, f->one, f->force));
    PetscCall(VecGetArrayRead(f->force, &y));
    for (PetscInt k = 0; k < ndofs; k++) {
      const PetscInt row = f->at[dim * model->node_body[k / dim] + k % dim];

      if (row >= 0) f->S[column * f->n + row] += y[k];
    }
    PetscCall(VecRestoreArrayRead(f->force, &y));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, f->S, (PetscMPIInt)(f->n * f->n), MPIU_REAL, MPIU_SUM,
                             model->comm));
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, f->moved, (PetscMPIInt)f->n, MPIU_REAL, MPIU_SUM, model->comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, greatest, 1, MPIU_REAL, MPIU_MAX, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the weakest translation ------------------------------------------------------------------ */

/* Turns rows and columns p and q of the symmetric matrix A so that A[p][q] is 0, and the columns of V likewise. */
static void rotate(PetscInt n, PetscReal *A, PetscReal *V, PetscInt p, PetscInt q)
{
  const PetscReal theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
  const PetscReal t =
      (theta < 0 ? -1 : 1) / (PetscAbsReal(theta) + PetscSqrtReal(PetscSqr(theta) + 1));
  const PetscReal c = 1 / PetscSqrtReal(t * t + 1), s = t * c;

  for (PetscInt k = 0; k < n; k++) {
    const PetscReal a = A[k * n + p], b = A[k * n + q];

    A[k * n + p] = c * a - s * b;
    A[k * n + q] = s * a + c * b;
  }
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal a = A[p * n + k], b = A[q * n + k], v = V[k * n + p], w = V[k * n + q];

    A[p * n + k] = c * a - s * b;
    A[q * n + k] = s * a + c * b;
    V[k * n + p] = c * v - s * w;
    V[k * n + q] = s * v + c * w;
  }
}

/* Eigenvectors of a symmetric matrix of size about 1 as the columns of V, and its eigenvalues on the diagonal of A:
   Jacobi's method. */
static void find_eigenvectors(PetscInt n, PetscReal *A, PetscReal *V)
{
  for (PetscInt k = 0; k < n * n; k++) V[k] = k % (n + 1) == 0;
  for (int sweep = 0; sweep < 30; sweep++) {
    PetscBool done = PETSC_TRUE;

    for (PetscInt p = 0; p < n; p++)
      for (PetscInt q = p + 1; q < n; q++) {
        if (!(PetscAbsReal(A[p * n + q]) > 1e-13)) continue;
        rotate(n, A, V, p, q);
        done = PETSC_FALSE;
      }
    if (done) break;
  }
}

/* The weakest combination of translations, of unit length, in weakest[]. Before, the stiffness of each body is scaled by
   its greatest entry, so that soft and stiff pairs count alike. Translations that supports prevent, and bodies without
   contact force, are not judged: they get the eigenvalue 1. Returns false if there is nothing to judge. */
static PetscBool find_weakest(CrFreedom *f, const CrModel *model)
{
  const PetscInt dim = model->dim, n = f->n;
  PetscInt       least = 0;
  PetscReal      length = 0;

  for (PetscInt b = 0; b < model->nbodies; b++) {
    const PetscInt first = f->at[dim * b];
    PetscReal      top = 0;

    for (PetscInt k = first; first >= 0 && k < first + dim; k++)
      top = PetscMax(top, PetscAbsReal(f->S[k * n + k]));
    for (PetscInt k = first; first >= 0 && k < first + dim; k++)
      f->scale[k] = top > 0 && !f->held[k] ? 1 / PetscSqrtReal(top) : 0;
  }
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++)
      f->scaled[i * n + j] =
          f->scale[i] > 0 && f->scale[j] > 0
              ? (f->S[i * n + j] + f->S[j * n + i]) / 2 * f->scale[i] * f->scale[j]
              : i == j;
  find_eigenvectors(n, f->scaled, f->vectors);
  for (PetscInt k = 1; k < n; k++)
    if (f->scaled[k * n + k] < f->scaled[least * n + least]) least = k;
  for (PetscInt k = 0; k < n; k++) {
    f->weakest[k] = f->vectors[k * n + least] * f->scale[k];
    length += PetscSqr(f->weakest[k]);
  }
  for (PetscInt k = 0; k < n && length > 0; k++) f->weakest[k] /= PetscSqrtReal(length);
  return length > 0 ? PETSC_TRUE : PETSC_FALSE;
}

static PetscReal quotient(const CrFreedom *f, const PetscReal z[])
{
  PetscReal sum = 0;

  for (PetscInt i = 0; i < f->n; i++)
    for (PetscInt j = 0; j < f->n; j++) sum += z[i] * f->S[i * f->n + j] * z[j];
  return sum;
}

/* The stiffness of the weakest combination divided by the greatest stiffness of the same bodies along an axis. Each body
   moves as far along the axis as in the combination. */
static PetscReal weakness(CrFreedom *f, const CrModel *model)
{
  const PetscInt  dim = model->dim;
  const PetscReal weak = quotient(f, f->weakest);
  PetscReal       strong = 0, *z = f->scale;

  for (PetscInt axis = 0; axis < dim; axis++) {
    for (PetscInt b = 0; b < model->nbodies; b++) {
      PetscReal square = 0;

      if (f->at[dim * b] < 0) continue;
      for (PetscInt i = 0; i < dim; i++) square += PetscSqr(f->weakest[f->at[dim * b + i]]);
      for (PetscInt i = 0; i < dim; i++)
        z[f->at[dim * b + i]] = i == axis ? PetscSqrtReal(square) : 0;
    }
    strong = PetscMax(strong, quotient(f, z));
  }
  return strong > 0 ? weak / strong : 1;
}

/* The body that moves most in the weakest combination. */
static PetscInt main_body(const CrFreedom *f, const CrModel *model)
{
  const PetscInt dim = model->dim;
  PetscReal      most = -1;
  PetscInt       body = 0;

  for (PetscInt b = 0; b < model->nbodies; b++) {
    PetscReal square = 0;

    for (PetscInt i = 0; i < dim && f->at[dim * b] >= 0; i++)
      square += PetscSqr(f->weakest[f->at[dim * b + i]]);
    if (f->at[dim * b] < 0 || !(square > most * (1 + 1e-6))) continue;
    most = square;
    body = b;
  }
  return body;
}

PetscErrorCode CrFreedomLook(CrFreedom *f, const CrImplicit *im)
{
  const CrModel *model = im->step.model;
  PetscReal      greatest, along = 0, ratio, direction[3] = {0}, length = 0;
  PetscInt       body;
  char           words[64];

  PetscFunctionBeginUser;
  if (!f->one || f->told) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(number_translations(f, im));
  if (!f->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(measure(f, im, &greatest));
  if (!find_weakest(f, model)) PetscFunctionReturn(PETSC_SUCCESS);
  ratio = weakness(f, model);
  body = main_body(f, model);
  for (PetscInt i = 0; i < model->dim; i++) {
    const PetscInt k = f->at[model->dim * body + i];

    direction[i] = f->weakest[k];
    length += PetscSqr(direction[i]);
    along += f->weakest[k] * f->moved[k];
  }
  length = PetscSqrtReal(length);
  if (!(ratio < WEAK && PetscAbsReal(along) > DRIFT * length * greatest))
    PetscFunctionReturn(PETSC_SUCCESS);
  f->told = 1;
  for (PetscInt i = 0; i < 3; i++) /* the way that it went, without negative zeros */
    direction[i] = PetscAbsReal(direction[i]) < 1e-3 * length
                       ? 0
                       : direction[i] / length * (along < 0 ? -1 : 1);
  snprintf(words, sizeof words, model->dim == 2 ? "(%.2g, %.2g)" : "(%.2g, %.2g, %.2g)",
           (double)direction[0], (double)direction[1], (double)direction[2]);
  CrWarn(
      "quasi-static: neither supports nor contact hold body \"%s\" along %s, where it moved by %.3g in the step to t = %g. Its position along this direction is arbitrary. Hold one of its nodes there with a condition {on: %s, at: [...], fix: [...]}, or use friction or `analysis: dynamic`",
      model->bodies[body].name, words, (double)(PetscAbsReal(along) / length),
      (double)(im->step.state->t + im->step.h), model->bodies[body].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Converts a Coulomb problem from the global to the local form: W = H^T M^-1 H, and q + H^T M^-1 f replaces q. M has a
   sparse factorisation. A column of M^-1 H is exactly zero at all unknowns that M does not couple with it, so that
   blocks of W that are zero are not stored. */
#include <petscksp.h>
#include <string.h>
#include "cone/stored.h"

static PetscErrorCode make_matrix(const ConeTriplets *t, Mat *A)
{
  PetscInt *count;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(t->rows, &count));
  for (PetscInt k = 0; k < t->n; k++) count[t->i.data[k]]++;
  for (PetscInt i = 0; i < t->rows; i++) count[i] = PetscMin(count[i] + 1, t->cols);
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, t->rows, t->cols, 0, count, A));
  PetscCall(PetscFree(count));
  PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  for (PetscInt k = 0; k < t->n; k++)
    PetscCall(MatSetValue(*A, t->i.data[k], t->j.data[k], t->x.data[k], ADD_VALUES));
  for (PetscInt i = 0; t->rows == t->cols && i < t->rows; i++) /* LU wants a place for pivots */
    PetscCall(MatSetValue(*A, i, i, 0, ADD_VALUES));
  PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A singular M is the file's fault: the check of the factor is left to the caller. */
static PetscErrorCode factor(const char path[], const ConeTriplets *M, Mat *A, KSP *ksp)
{
  PC                 pc;
  KSPConvergedReason reason;
  Vec                x, b;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(M, A));
  PetscCall(KSPCreate(PETSC_COMM_SELF, ksp));
  PetscCall(KSPSetType(*ksp, KSPPREONLY));
  PetscCall(KSPSetOperators(*ksp, *A, *A));
  PetscCall(KSPGetPC(*ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatOrderingType(pc, MATORDERINGRCM));
  PetscCall(MatCreateVecs(*A, &x, &b));
  PetscCall(VecSet(b, 1));
  PetscCall(KSPSolve(*ksp, b, x));
  PetscCall(KSPGetConvergedReason(*ksp, &reason));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  if (reason < 0) CrInputFail("%s: the mass matrix M is singular", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* y += H^T x, over the rows of H where x is not zero; marks columns that were touched. */
static PetscErrorCode add_transposed(Mat H, PetscInt n, const PetscReal x[], PetscReal y[],
                                     PetscInt mark[], PetscInt now, PetscInt touched[],
                                     PetscInt *nt)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < n; i++) {
    PetscInt           m;
    const PetscInt    *cols;
    const PetscScalar *values;

    if (x[i] == 0) continue;
    PetscCall(MatGetRow(H, i, &m, &cols, &values));
    for (PetscInt k = 0; k < m; k++) {
      if (mark[cols[k]] != now) mark[cols[k]] = now, touched[(*nt)++] = cols[k];
      y[cols[k]] += values[k] * x[i];
    }
    PetscCall(MatRestoreRow(H, i, &m, &cols, &values));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  Mat        M, H;
  KSP        ksp;
  Vec        b, x;
  PetscInt  *mark, *touched;
  PetscReal *y;
} Condenser;

/* y = H^T M^-1 b, columns that it touches */
static PetscErrorCode apply(Condenser *c, PetscInt n, PetscInt now, PetscInt *nt)
{
  const PetscScalar *x;

  PetscFunctionBeginUser;
  *nt = 0;
  PetscCall(KSPSolve(c->ksp, c->b, c->x));
  PetscCall(VecGetArrayRead(c->x, &x));
  PetscCall(add_transposed(c->H, n, x, c->y, c->mark, now, c->touched, nt));
  PetscCall(VecRestoreArrayRead(c->x, &x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Triplets by columns: start[j]..start[j+1] in list. */
static void sort_by_column(const ConeTriplets *t, PetscInt start[], PetscInt list[])
{
  memset(start, 0, (size_t)(t->cols + 2) * sizeof *start);
  for (PetscInt k = 0; k < t->n; k++) start[t->j.data[k] + 2]++;
  for (PetscInt j = 2; j < t->cols + 2; j++) start[j] += start[j - 1];
  for (PetscInt k = 0; k < t->n; k++) list[start[t->j.data[k] + 1]++] = k;
}

static PetscErrorCode columns(Condenser *c, const ConeStored *s, ConeTriplets *W)
{
  PetscInt *start, *list, nt;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(s->H.cols + 2, &start, s->H.n, &list));
  sort_by_column(&s->H, start, list);
  for (PetscInt j = 0; j < s->H.cols; j++) {
    PetscCall(VecSet(c->b, 0));
    for (PetscInt k = start[j]; k < start[j + 1]; k++)
      PetscCall(VecSetValue(c->b, s->H.i.data[list[k]], s->H.x.data[list[k]], ADD_VALUES));
    PetscCall(VecAssemblyBegin(c->b));
    PetscCall(VecAssemblyEnd(c->b));
    PetscCall(apply(c, s->H.rows, j + 1, &nt));
    for (PetscInt k = 0; k < nt; k++) {
      PetscCall(ConeTripletsAdd(W, c->touched[k], j, c->y[c->touched[k]]));
      c->y[c->touched[k]] = 0;
    }
  }
  PetscCall(PetscFree2(start, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* q += H^T M^-1 f */
static PetscErrorCode free_motion(Condenser *c, ConeStored *s)
{
  PetscScalar *b;
  PetscInt     nt;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(c->b, &b));
  memcpy(b, s->f.data, (size_t)s->H.rows * sizeof *b);
  PetscCall(VecRestoreArray(c->b, &b));
  PetscCall(apply(c, s->H.rows, -1, &nt));
  for (PetscInt k = 0; k < s->H.cols; k++) s->q.data[k] += c->y[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode condense(Condenser *c, const char path[], ConeStored *s, ConeTriplets *W)
{
  PetscFunctionBeginUser;
  W->rows = W->cols = s->H.cols;
  PetscCall(factor(path, &s->W, &c->M, &c->ksp));
  PetscCall(make_matrix(&s->H, &c->H));
  PetscCall(MatCreateVecs(c->M, &c->x, &c->b));
  PetscCall(PetscCalloc3(s->H.cols, &c->mark, s->H.cols, &c->touched, s->H.cols, &c->y));
  PetscCall(columns(c, s, W));
  PetscCall(free_motion(c, s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ConeCondense(const char path[], ConeStored *s)
{
  Condenser      c = {0};
  ConeTriplets   W = {0}, old = s->W;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (s->H.rows == 0 || s->H.cols == 0) { /* no body or no contact */
    W.rows = W.cols = s->H.cols;
    code = PETSC_SUCCESS;
  } else
    code = condense(&c, path, s, &W);
  PetscCall(KSPDestroy(&c.ksp));
  PetscCall(MatDestroy(&c.M));
  PetscCall(MatDestroy(&c.H));
  PetscCall(VecDestroy(&c.x));
  PetscCall(VecDestroy(&c.b));
  PetscCall(PetscFree3(c.mark, c.touched, c.y));
  s->W = W;
  s->global = PETSC_FALSE;
  PetscCall(PetscFree(old.i.data));
  PetscCall(PetscFree(old.j.data));
  PetscCall(PetscFree(old.x.data));
  PetscFunctionReturn(code);
}

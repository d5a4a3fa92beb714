/* LU factorisation of a matrix of small dense blocks with a symmetric pattern. The rows are ordered by minimum degree.
   The elimination graph is stored as bits, so that rows are merged by bitwise operations on whole words. This is fast
   for up to some thousand rows, and the graph gives the pattern of the factors. Pivoting is done only within the
   diagonal blocks. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "base/isa.h"
#include "cone/internal.h"
#include "cone/local.h"

#define GUARD 1e-14 /* of rows that are of order 1 by construction */

/* ---- order and pattern --------------------------------------------------------------------- */

CONE_INLINE PetscInt eliminate(PetscInt n, PetscInt words, uint64_t *bits, PetscInt degree[],
                               PetscInt k, PetscInt fill[])
{
  uint64_t *pivot = bits + k * words;
  PetscInt  m = 0;

  for (PetscInt w = 0; w < words; w++)
    for (uint64_t word = pivot[w]; word; word &= word - 1)
      fill[m++] = w * 64 + __builtin_ctzll(word);
  for (PetscInt a = 0; a < m; a++) {
    uint64_t *other = bits + fill[a] * words;
    PetscInt  count = 0;

    for (PetscInt w = 0; w < words; w++) other[w] |= pivot[w];
    other[k / 64] &= ~((uint64_t)1 << (k % 64));
    other[fill[a] / 64] &= ~((uint64_t)1 << (fill[a] % 64));
    for (PetscInt w = 0; w < words; w++) count += __builtin_popcountll(other[w]);
    degree[fill[a]] = count;
  }
  degree[k] = n; /* gone */
  return m;
}

static CR_TARGET_WIDE PetscInt eliminate_wide(PetscInt n, PetscInt words, uint64_t *bits,
                                              PetscInt degree[], PetscInt k, PetscInt fill[])
{
  return eliminate(n, words, bits, degree, k, fill);
}

static PetscInt least(PetscInt n, const PetscInt degree[])
{
  PetscInt k = 0;

  for (PetscInt i = 1; i < n; i++)
    if (degree[i] < degree[k]) k = i;
  return k;
}

static PetscErrorCode start_graph(ConeLU *lu, PetscInt n, PetscInt words, const PetscInt row[],
                                  const PetscInt col[])
{
  uint64_t *bits;

  PetscFunctionBeginUser;
  PetscCall(ConeRealsFit(&lu->bits, n * words)); /* a word has the size of a real */
  PetscCall(ConeIntsFit(&lu->degree, n));
  PetscCall(ConeIntsFit(&lu->fill, n));
  PetscCall(ConeIntsFit(&lu->order, n));
  PetscCall(ConeIntsFit(&lu->place, n));
  PetscCall(ConeIntsFit(&lu->urow, n + 1));
  PetscCall(ConeIntsFit(&lu->lrow, n + 2));
  bits = (uint64_t *)(void *)lu->bits.data;
  memset(bits, 0, (size_t)(n * words) * sizeof *bits);
  for (PetscInt i = 0; i < n; i++) {
    lu->degree.data[i] = row[i + 1] - row[i] - 1;
    for (PetscInt k = row[i]; k < row[i + 1]; k++)
      if (col[k] != i) bits[i * words + col[k] / 64] |= (uint64_t)1 << (col[k] % 64);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* U by rows, of positions; L is its transpose, and comes out ascending. */
static PetscErrorCode finish_pattern(ConeLU *lu)
{
  PetscInt  n = lu->n, total = lu->urow.data[n];
  PetscInt *lrow, *ucol = lu->ucol.data;

  PetscFunctionBeginUser;
  PetscCall(ConeIntsFit(&lu->lcol, total));
  lrow = lu->lrow.data;
  memset(lrow, 0, (size_t)(n + 2) * sizeof *lrow);
  for (PetscInt k = 0; k < total; k++) ucol[k] = lu->place.data[ucol[k]], lrow[ucol[k] + 2]++;
  for (PetscInt p = 2; p < n + 2; p++) lrow[p] += lrow[p - 1];
  for (PetscInt p = 0; p < n; p++)
    for (PetscInt k = lu->urow.data[p]; k < lu->urow.data[p + 1]; k++)
      lu->lcol.data[lrow[ucol[k] + 1]++] = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ConeLUOrder(ConeLU *lu, PetscInt n, const PetscInt row[], const PetscInt col[])
{
  PetscInt  words = (n + 63) / 64, total = 0;
  uint64_t *bits;

  PetscFunctionBeginUser;
  lu->n = n;
  PetscCall(start_graph(lu, n, words, row, col));
  bits = (uint64_t *)(void *)lu->bits.data;
  for (PetscInt p = 0; p < n; p++) {
    PetscInt k = least(n, lu->degree.data), m;

    if (CrIsaGet() == CR_ISA_BASELINE)
      m = eliminate(n, words, bits, lu->degree.data, k, lu->fill.data);
    else
      m = eliminate_wide(n, words, bits, lu->degree.data, k, lu->fill.data);
    PetscCall(ConeIntsFit(&lu->ucol, total + m));
    lu->order.data[p] = k, lu->place.data[k] = p, lu->urow.data[p] = total;
    if (m) memcpy(lu->ucol.data + total, lu->fill.data, (size_t)m * sizeof(PetscInt));
    total += m;
  }
  lu->urow.data[n] = total;
  PetscCall(finish_pattern(lu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* C -= A B, column by column */
CONE_INLINE void subtract_product(const PetscInt d, const PetscReal A[], const PetscReal B[],
                                  PetscReal C[])
{
  for (PetscInt j = 0; j < d; j++)
    for (PetscInt i = 0; i < d; i++) {
      PetscReal sum = C[j * d + i];

      for (PetscInt k = 0; k < d; k++) sum -= A[k * d + i] * B[j * d + k];
      C[j * d + i] = sum;
    }
}

/* A <- A^-1 by Gauss-Jordan with row exchanges; a pivot below the guard is replaced by it. */
CONE_INLINE void invert(const PetscInt d, PetscReal A[])
{
  PetscReal X[9] = {0};

  for (PetscInt i = 0; i < d; i++) X[i * d + i] = 1;
  for (PetscInt p = 0; p < d; p++) {
    PetscInt  best = p;
    PetscReal pivot;

    for (PetscInt i = p + 1; i < d; i++)
      if (fabs(A[p * d + i]) > fabs(A[p * d + best])) best = i;
    for (PetscInt j = 0; best != p && j < d; j++) {
      PetscReal a = A[j * d + p], x = X[j * d + p];

      A[j * d + p] = A[j * d + best], A[j * d + best] = a;
      X[j * d + p] = X[j * d + best], X[j * d + best] = x;
    }
    pivot = A[p * d + p];
    if (!(fabs(pivot) > GUARD)) pivot = pivot < 0 ? -GUARD : GUARD;
    for (PetscInt j = 0; j < d; j++) A[j * d + p] /= pivot, X[j * d + p] /= pivot;
    for (PetscInt i = 0; i < d; i++) {
      PetscReal f = A[p * d + i];

      for (PetscInt j = 0; i != p && j < d; j++)
        A[j * d + i] -= f * A[j * d + p], X[j * d + i] -= f * X[j * d + p];
    }
  }
  for (PetscInt k = 0; k < d * d; k++) A[k] = X[k];
}

/* Row p in a dense row of blocks: A's row, minus L_pk U_k for the k before it. */
CONE_INLINE void factor_row(const PetscInt d, ConeLU *lu, PetscInt p, const PetscInt row[],
                            const PetscInt col[], const PetscReal A[])
{
  const PetscInt  d2 = d * d, i = lu->order.data[p];
  const PetscInt *urow = lu->urow.data, *ucol = lu->ucol.data, *lcol = lu->lcol.data;
  PetscReal      *w = lu->work.data;

  for (PetscInt k = row[i]; k < row[i + 1]; k++)
    memcpy(w + d2 * lu->place.data[col[k]], A + d2 * k, sizeof(PetscReal) * (size_t)d2);
  for (PetscInt k = lu->lrow.data[p]; k < lu->lrow.data[p + 1]; k++) {
    PetscReal *block = w + d2 * lcol[k], *L = lu->L.data + d2 * k;

    for (PetscInt a = 0; a < d2; a++) L[a] = 0;
    subtract_product(d, block, lu->pivot.data + d2 * lcol[k], L); /* -L */
    for (PetscInt a = 0; a < d2; a++) L[a] = -L[a], block[a] = 0;
    for (PetscInt m = urow[lcol[k]]; m < urow[lcol[k] + 1]; m++)
      subtract_product(d, L, lu->U.data + d2 * m, w + d2 * ucol[m]);
  }
  for (PetscInt k = urow[p]; k < urow[p + 1]; k++)
    for (PetscInt a = 0; a < d2; a++)
      lu->U.data[d2 * k + a] = w[d2 * ucol[k] + a], w[d2 * ucol[k] + a] = 0;
  for (PetscInt a = 0; a < d2; a++) lu->pivot.data[d2 * p + a] = w[d2 * p + a], w[d2 * p + a] = 0;
  invert(d, lu->pivot.data + d2 * p);
}

CONE_INLINE void factor_rows(ConeLU *lu, const PetscInt row[], const PetscInt col[],
                             const PetscReal A[])
{
  if (lu->dim == 3)
    for (PetscInt p = 0; p < lu->n; p++) factor_row(3, lu, p, row, col, A);
  else
    for (PetscInt p = 0; p < lu->n; p++) factor_row(2, lu, p, row, col, A);
}

static CR_TARGET_WIDE void factor_wide(ConeLU *lu, const PetscInt row[], const PetscInt col[],
                                       const PetscReal A[])
{
  factor_rows(lu, row, col, A);
}

PetscErrorCode ConeLUFactor(ConeLU *lu, PetscInt dim, const PetscInt row[], const PetscInt col[],
                            const PetscReal A[])
{
  PetscInt d2 = dim * dim, total = lu->urow.data[lu->n];

  PetscFunctionBeginUser;
  lu->dim = dim;
  PetscCall(ConeRealsFit(&lu->L, d2 * total));
  PetscCall(ConeRealsFit(&lu->U, d2 * total));
  PetscCall(ConeRealsFit(&lu->pivot, d2 * lu->n));
  PetscCall(ConeRealsFit(&lu->work, d2 * lu->n));
  PetscCall(ConeRealsFit(&lu->solution, dim * lu->n));
  memset(lu->work.data, 0, (size_t)(d2 * lu->n) * sizeof(PetscReal));
  if (CrIsaGet() == CR_ISA_BASELINE)
    factor_rows(lu, row, col, A);
  else
    factor_wide(lu, row, col, A);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* y -= A x */
CONE_INLINE void subtract_vector(const PetscInt d, const PetscReal A[], const PetscReal x[],
                                 PetscReal y[])
{
  for (PetscInt j = 0; j < d; j++)
    for (PetscInt i = 0; i < d; i++) y[i] -= A[j * d + i] * x[j];
}

CONE_INLINE void solve_rows(const PetscInt d, ConeLU *lu, const PetscReal b[], PetscReal x[])
{
  PetscReal      *y = lu->solution.data, t[3];
  const PetscInt *order = lu->order.data, *lrow = lu->lrow.data, *urow = lu->urow.data, d2 = d * d;

  for (PetscInt p = 0; p < lu->n; p++) { /* L \ b */
    for (PetscInt a = 0; a < d; a++) y[p * d + a] = b[order[p] * d + a];
    for (PetscInt k = lrow[p]; k < lrow[p + 1]; k++)
      subtract_vector(d, lu->L.data + d2 * k, y + d * lu->lcol.data[k], y + d * p);
  }
  for (PetscInt p = lu->n - 1; p >= 0; p--) { /* U \ y */
    for (PetscInt k = urow[p]; k < urow[p + 1]; k++)
      subtract_vector(d, lu->U.data + d2 * k, y + d * lu->ucol.data[k], y + d * p);
    for (PetscInt a = 0; a < d; a++) t[a] = -y[p * d + a], y[p * d + a] = 0;
    subtract_vector(d, lu->pivot.data + d2 * p, t, y + d * p);
  }
  for (PetscInt p = 0; p < lu->n; p++)
    for (PetscInt a = 0; a < d; a++) x[order[p] * d + a] = y[p * d + a];
}

void ConeLUSolve(ConeLU *lu, const PetscReal b[], PetscReal x[])
{
  if (lu->dim == 3)
    solve_rows(3, lu, b, x);
  else
    solve_rows(2, lu, b, x);
}

PetscErrorCode ConeLUFree(ConeLU *lu)
{
  ConeInts  *ints[] = {&lu->order, &lu->place, &lu->urow,   &lu->ucol,
                       &lu->lrow,  &lu->lcol,  &lu->degree, &lu->fill};
  ConeReals *reals[] = {&lu->L, &lu->U, &lu->pivot, &lu->work, &lu->solution, &lu->bits};

  PetscFunctionBeginUser;
  for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) PetscCall(PetscFree(ints[k]->data));
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) PetscCall(PetscFree(reals[k]->data));
  memset(lu, 0, sizeof *lu);
  PetscFunctionReturn(PETSC_SUCCESS);
}

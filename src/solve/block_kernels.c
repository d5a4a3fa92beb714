/* Inner loops over blocks, for incomplete factors and products. They use four lanes on every processor: a row or a
   column of a block, and the numbers that follow it in memory. The results in the additional lanes are not used. */
#include "base/lanes.h"
#include "solve/blocks.h"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef double Four __attribute__((vector_size(32)));
typedef double Loose
    __attribute__((vector_size(32), aligned(8), may_alias)); /* in memory, anywhere */
typedef float Stored __attribute__((vector_size(16), aligned(4), may_alias));

CR_INLINE Four load(const double *p)
{
  return *(const Loose *)p;
}

CR_INLINE Four load_stored(const float *p)
{
#if defined(__AVX2__)
  return (Four)_mm256_cvtps_pd(_mm_loadu_ps(p)); /* gcc 12 makes two of __builtin_convertvector */
#else
  return __builtin_convertvector(*(const Stored *)p, Four);
#endif
}

CR_INLINE void store(double *p, Four v)
{
  *(Loose *)p = v;
}

/* ---- factors ------------------------------------------------------------------------------ */

/* The row of the matrix into the work row: per block BS rows of four. Read in the order of memory. */
CR_INLINE void fetch(const PetscInt BS, const CrFactorRow *row, const PetscInt *slot, double *work)
{
  for (int part = 0; part < 3; part++) {
    for (PetscInt r = 0; r < BS; r++) {
      const double *from = row->value[part] + r * row->stride[part];

      for (PetscInt k = 0; k < row->blocks[part]; k++, from += BS)
        for (PetscInt c = 0; c < 4; c++) work[4 * (BS * slot[k] + r) + c] = c < BS ? from[c] : 0;
    }
    slot += row->blocks[part];
  }
}

/* Inverse by Gauss and Jordan with row exchanges: a stiff contact in one direction would cost a
   determinant all its digits. */
CR_INLINE PetscBool invert(const PetscInt BS, const double *block, double *inverse)
{
  double a[3][6] = {{0}};

  for (PetscInt r = 0; r < BS; r++)
    for (PetscInt c = 0; c < BS; c++) {
      a[r][c] = block[4 * r + c];
      a[r][BS + c] = r == c;
    }
  for (PetscInt p = 0; p < BS; p++) {
    PetscInt best = p;

    for (PetscInt r = p + 1; r < BS; r++)
      if (fabs(a[r][p]) > fabs(a[best][p])) best = r;
    if (!(fabs(a[best][p]) > 0)) return PETSC_FALSE; /* NaN too */
    for (PetscInt c = 0; best != p && c < 2 * BS; c++) {
      double swap = a[p][c];

      a[p][c] = a[best][c];
      a[best][c] = swap;
    }
    for (PetscInt r = 0; r < BS; r++) {
      double factor = a[r][p] / a[p][p];

      if (r == p) continue;
      for (PetscInt c = 0; c < 2 * BS; c++) a[r][c] -= factor * a[p][c];
    }
  }
  for (PetscInt r = 0; r < BS; r++)
    for (PetscInt c = 0; c < BS; c++) {
      double value = a[r][BS + c] / a[r][r];

      if (!isfinite(value)) return PETSC_FALSE;
      inverse[c * BS + r] = value;
    }
  return PETSC_TRUE;
}

/* Row j of U, times the block of L, off the work row where that has a place. */
CR_INLINE void subtract(const PetscInt BS, const CrFactors *f, PetscInt j, const double *L,
                        const PetscInt *place, double *work)
{
  Four broad[9];

  for (PetscInt k = 0; k < BS * BS; k++) broad[k] = L[k] - (Four){0};
  for (PetscInt m = f->start[1][j]; m < f->start[1][j + 1]; m++) {
    PetscInt     slot = place[f->column[1][m]];
    const float *U = f->value[1] + (size_t)m * (size_t)(BS * BS);
    double      *to = work + 4 * BS * slot;
    Four         rows[3];

    if (slot < 0) continue;
    for (PetscInt s = 0; s < BS; s++) rows[s] = load_stored(U + BS * s);
    for (PetscInt r = 0; r < BS; r++) {
      Four sum = load(to + 4 * r);

      for (PetscInt s = 0; s < BS; s++) sum -= broad[r * BS + s] * rows[s];
      store(to + 4 * r, sum);
    }
  }
}

CR_INLINE PetscBool eliminate_row(const PetscInt BS, CrFactors *f, PetscInt i,
                                  const CrFactorRow *row, PetscInt *place, double *work)
{
  const PetscInt *lower = f->column[0] + f->start[0][i], *upper = f->column[1] + f->start[1][i];
  PetscInt nl = f->start[0][i + 1] - f->start[0][i], nu = f->start[1][i + 1] - f->start[1][i];
  float   *to = f->value[0] + (size_t)f->start[0][i] * (size_t)(BS * BS);

  fetch(BS, row, f->slot + f->start[0][i] + f->start[1][i] + i, work);
  for (PetscInt k = 0; k < nl; k++) place[lower[k]] = k;
  place[i] = nl;
  for (PetscInt k = 0; k < nu; k++) place[upper[k]] = nl + 1 + k;
  for (PetscInt k = 0; k < nl; k++, to += BS * BS) {
    const double *D = f->diagonal + (size_t)lower[k] * (size_t)(BS * BS), *W = work + 4 * BS * k;
    double        L[9];

    for (PetscInt r = 0; r < BS; r++)
      for (PetscInt c = 0; c < BS; c++) {
        double sum = 0;

        for (PetscInt s = 0; s < BS; s++) sum += W[4 * r + s] * D[c * BS + s];
        L[r * BS + c] = sum;
        to[c * BS + r] = (float)sum;
      }
    subtract(BS, f, lower[k], L, place, work);
  }
  for (PetscInt k = 0; k < nl; k++) place[lower[k]] = -1;
  place[i] = -1;
  to = f->value[1] + (size_t)f->start[1][i] * (size_t)(BS * BS);
  for (PetscInt k = 0; k < nu; k++) {
    const double *W = work + 4 * BS * (nl + 1 + k);

    place[upper[k]] = -1;
    for (PetscInt r = 0; r < BS; r++)
      for (PetscInt c = 0; c < BS; c++) *to++ = (float)W[4 * r + c];
  }
  return invert(BS, work + 4 * BS * nl, f->diagonal + (size_t)i * (size_t)(BS * BS));
}

static PetscBool eliminate(CrFactors *f, PetscInt i, const CrFactorRow *row, PetscInt *place,
                           double *work)
{
  return f->bs == 2 ? eliminate_row(2, f, i, row, place, work)
                    : eliminate_row(3, f, i, row, place, work);
}

/* ---- solution ----------------------------------------------------------------------------- */

/* y = (I + L)^-1 b, ascending: the lanes too many go where the next row comes. */
CR_INLINE void forward(const PetscInt BS, const CrFactors *f, const double *b, double *y)
{
  const PetscInt *column = f->column[0];
  const float    *L = f->value[0];

  for (PetscInt i = 0; i < f->n; i++) {
    Four sum[3] = {{0}, {0}, {0}};

    for (PetscInt m = f->start[0][i]; m < f->start[0][i + 1]; m++, column++, L += BS * BS)
      for (PetscInt c = 0; c < BS; c++) sum[c] += load_stored(L + BS * c) * y[BS * *column + c];
    store(y + BS * i, load(b + BS * i) - (sum[0] + sum[1] + sum[2]));
  }
}

/* x = (D + U)^-1 y. Descending in the rows too, so that the factors come in the order of memory. */
CR_INLINE void backward(const PetscInt BS, const CrFactors *f, const double *y, double *x)
{
  const float *U = f->value[1] + (size_t)f->start[1][f->n] * (size_t)(BS * BS);

  for (PetscInt i = f->n; i-- > 0;) {
    const double *D = f->diagonal + (size_t)i * (size_t)(BS * BS);
    Four          sum[3] = {{0}, {0}, {0}}, v = {0};
    double        rest[3];

    for (PetscInt m = f->start[1][i + 1]; m-- > f->start[1][i];) {
      U -= BS * BS;
      v = load(x + (size_t)f->column[1][m] * 4);
      for (PetscInt r = 0; r < BS; r++) sum[r] += load_stored(U + BS * r) * v;
    }
    for (PetscInt r = 0; r < BS; r++) {
      rest[r] = y[BS * i + r] - sum[r][0] - sum[r][1];
      if (BS == 3) rest[r] -= sum[r][2];
    }
    v = (Four){0};
    for (PetscInt c = 0; c < BS; c++) v += load(D + BS * c) * rest[c];
    store(x + (size_t)i * 4, v);
  }
}

static void solve(const CrFactors *f, const double *b, double *y, double *x)
{
  if (f->bs == 2) {
    forward(2, f, b, y);
    backward(2, f, y, x);
  } else {
    forward(3, f, b, y);
    backward(3, f, y, x);
  }
}

/* ---- product ------------------------------------------------------------------------------ */

/* One block row, scalar by scalar. */
CR_INLINE void multiply_slowly(const PetscInt BS, PetscInt n, const PetscInt *columns,
                               const double *value, const double *x, double *y)
{
  for (PetscInt r = 0; r < BS; r++) {
    double sum = 0;

    for (PetscInt k = 0; k < n; k++) sum += *value++ * x[BS * columns[k / BS] + k % BS];
    y[r] = sum;
  }
}

/* Numbers ahead that are called into the cache: the processor sees no order in rows read side by side. */
#define AHEAD 512

/* Loads run beyond a block: in the values into the next row, which the last one has not, and in x into
   the next node. */
CR_INLINE void multiply_all(const PetscInt BS, PetscInt n, const PetscInt *ia,
                            const PetscInt *columns, const double *value, const double *x,
                            double *y)
{
  for (PetscInt A = 0; A < n; A++, y += BS) {
    PetscInt      m = ia[BS * A + 1] - ia[BS * A];
    const double *a = value + ia[BS * A];
    Four          sum[3] = {{0}, {0}, {0}};

    if (A == n - 1) {
      multiply_slowly(BS, m, columns, a, x, y);
      break;
    }
    for (PetscInt k = 0; k < m; k += BS, columns++) {
      const double *p = x + BS * *columns;
      Four          v = {0};

      if (*columns < n - 1)
        v = load(p);
      else
        for (PetscInt c = 0; c < BS; c++) v[c] = p[c];
      __builtin_prefetch(a + BS * k + AHEAD);
      for (PetscInt r = 0; r < BS; r++) sum[r] += load(a + r * m + k) * v;
    }
    for (PetscInt r = 0; r < BS; r++)
      y[r] = BS == 3 ? sum[r][0] + sum[r][1] + sum[r][2] : sum[r][0] + sum[r][1];
  }
}

static void multiply(PetscInt bs, PetscInt n, const PetscInt *ia, const PetscInt *columns,
                     const double *value, const double *x, double *y)
{
  if (bs == 2)
    multiply_all(2, n, ia, columns, value, x, y);
  else
    multiply_all(3, n, ia, columns, value, x, y);
}

extern const CrBlockKernels CR_VARIANT(CrBlockKernels);
const CrBlockKernels        CR_VARIANT(CrBlockKernels) = {eliminate, solve, multiply};

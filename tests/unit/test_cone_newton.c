/* The pieces of the Newton stage: the derivative of each of the three equations against differences, the block
   LU against a dense one, mixing on a linear iteration. */
#include "check.h"
#include "cone/internal.h"

static unsigned long seed = 12345;

static PetscReal uniform(PetscReal low, PetscReal high)
{
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return low + (high - low) * (PetscReal)(seed >> 11) / 9007199254740992.0;
}

/* ---- derivative ---------------------------------------------------------------------------- */

/* One contact, F(r) with z = B r + q, at random points; z moves with r. */
static PetscReal residual_at(const ConeSystem *s, ConeMap map, const PetscReal r[], PetscReal F[],
                             PetscReal C[], PetscReal E[])
{
  PetscReal z[4];

  ConeProduct(s, r, z);
  return ConeMapResidual(s, map, r, z, F, C, E);
}

static void check_derivative(PetscInt dim, ConeMap map)
{
  PetscInt  row[] = {0, 1}, col[] = {0}, stride = dim == 3 ? 4 : 2, compared = 0;
  PetscReal block[12] = {0}, q[4] = {0}, mu, rho, r[4] = {0}, most = 0;

  for (int trial = 0; trial < 400; trial++) {
    ConeSystem      s = {.dim = dim,
                         .stride = stride,
                         .n = 1,
                         .row = row,
                         .col = col,
                         .block = block,
                         .diagonal = block,
                         .q = q,
                         .mu = &mu,
                         .rho = &rho};
    PetscReal       F[3], C[9], E[9], Fp[3], Fm[3], A[9] = {0};
    const PetscReal h = 1e-6;
    PetscBool       smooth = PETSC_TRUE;

    for (PetscInt c = 0; c < dim; c++)
      for (PetscInt a = 0; a < dim; a++) block[c * stride + a] = uniform(-1, 1) + (a == c ? 3 : 0);
    for (PetscInt a = 0; a < dim; a++) q[a] = uniform(-4, 4), r[a] = uniform(-1, 1);
    mu = uniform(0, 1), rho = uniform(0.2, 0.5);
    residual_at(&s, map, r, F, C, E);
    for (PetscInt c = 0; c < dim; c++)
      for (PetscInt a = 0; a < dim; a++) {
        A[c * dim + a] = C[c * dim + a];
        for (PetscInt m = 0; m < dim; m++) A[c * dim + a] += E[m * dim + a] * block[c * stride + m];
      }
    for (PetscInt c = 0; c < dim; c++) {
      PetscReal x[4] = {r[0], r[1], r[2], 0}, worst = 0;

      x[c] = r[c] + h, residual_at(&s, map, x, Fp, NULL, NULL);
      x[c] = r[c] - h, residual_at(&s, map, x, Fm, NULL, NULL);
      for (PetscInt a = 0; a < dim; a++) /* one-sided slopes that differ: a kink lies between */
        if (fabs(Fp[a] - 2 * F[a] + Fm[a]) > 1e-9) smooth = PETSC_FALSE;
      for (PetscInt a = 0; smooth && a < dim; a++)
        worst = PetscMax(worst, fabs((Fp[a] - Fm[a]) / (2 * h) - A[c * dim + a]));
      if (smooth) most = PetscMax(most, worst), compared++;
    }
  }
  CHECK(compared > 600);
  CHECK_LESS(most, 1e-7); /* h^2 times third derivatives, which |z_t|^-2 makes large now and then */
}

/* ---- LU ------------------------------------------------------------------------------------ */

/* A random symmetric pattern, values diagonally heavy but unsymmetric. */
static void check_lu(PetscInt n, PetscInt dim, PetscReal density)
{
  PetscInt  *row, *col, d2 = dim * dim;
  PetscReal *A, *x, *b, error = 0;
  char      *there;
  ConeLU     lu = {0};

  CHECK_OK(PetscCalloc6(n + 1, &row, n * n, &col, n * n * d2, &A, n * dim, &x, n * dim, &b, n * n,
                        &there));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j <= i; j++)
      there[i * n + j] = there[j * n + i] = i == j || uniform(0, 1) < density;
  for (PetscInt i = 0; i < n; i++) {
    row[i + 1] = row[i];
    for (PetscInt j = 0; j < n; j++)
      if (there[i * n + j]) {
        for (PetscInt k = 0; k < d2; k++)
          A[row[i + 1] * d2 + k] = uniform(-1, 1) + (i == j && k % (dim + 1) == 0 ? 2 * dim : 0);
        col[row[i + 1]++] = j;
      }
  }
  for (PetscInt k = 0; k < n * dim; k++) x[k] = uniform(-1, 1);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt k = row[i]; k < row[i + 1]; k++)
      for (PetscInt c = 0; c < dim; c++)
        for (PetscInt a = 0; a < dim; a++)
          b[i * dim + a] += A[k * d2 + c * dim + a] * x[col[k] * dim + c];
  CHECK_OK(ConeLUOrder(&lu, n, row, col));
  CHECK_OK(ConeLUFactor(&lu, dim, row, col, A));
  ConeLUSolve(&lu, b, b);
  for (PetscInt k = 0; k < n * dim; k++) error = PetscMax(error, fabs(b[k] - x[k]));
  CHECK_LESS(error, 1e-10); /* round-off times the condition, some hundreds, and growth */
  CHECK_OK(ConeLUFree(&lu));
  CHECK_OK(PetscFree6(row, col, A, x, b, there));
}

/* A tree has an order without fill, and minimum degree finds it. */
static void check_tree_has_no_fill(void)
{
  enum { N = 200 };
  PetscInt row[N + 1] = {0}, col[3 * N], n = 0;
  ConeLU   lu = {0};

  for (PetscInt i = 0; i < N; i++) { /* a star with arms of length 2: 0 - odd - even */
    for (PetscInt j = 0; j < N; j++) {
      PetscBool star = (i == 0 && j % 2) || (j == 0 && i % 2);
      PetscBool arm = (i % 2 && j == i + 1) || (j % 2 && i == j + 1);

      if (i == j || star || arm) col[n++] = j;
    }
    row[i + 1] = n;
  }
  CHECK_OK(ConeLUOrder(&lu, N, row, col));
  CHECK(lu.urow.data[N] == (row[N] - N) / 2);
  CHECK_OK(ConeLUFree(&lu));
}

/* ---- mixing -------------------------------------------------------------------------------- */

/* A linear iteration that plain sweeps bring from 1 to 0.74. */
static void check_mixing_speeds_up_linear_iterations(void)
{
  enum { SIZE = 6 };
  const PetscReal rate[SIZE] = {0.99, 0.9, 0.7, 0.5, 0.2, 0.95};
  PetscReal       x[SIZE] = {0}, from[SIZE], error = 0;
  ConeMix         mix = {0};

  CHECK_OK(ConeMixStart(&mix, SIZE));
  for (int sweep = 1; sweep <= 30; sweep++) {
    memcpy(from, x, sizeof x);
    for (int k = 0; k < SIZE; k++) x[k] = 1 + rate[k] * (x[k] - 1); /* fixed point: ones */
    ConeMixAdd(&mix, from, x, PETSC_TRUE);
    if (sweep % 3 == 0) CHECK(ConeMixApply(&mix, x));
  }
  for (int k = 0; k < SIZE; k++) error = PetscMax(error, fabs(x[k] - 1));
  CHECK_LESS(error, 1e-6);
  CHECK_OK(PetscFree(mix.G.data));
  CHECK_OK(PetscFree(mix.H.data));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (PetscInt dim = 2; dim <= 3; dim++) {
    for (int map = CONE_NATURAL; map <= CONE_ALART_NEW; map++) check_derivative(dim, (ConeMap)map);
    check_lu(1, dim, 1);
    check_lu(40, dim, 0.05);
    check_lu(70, dim, 0.3);
    check_lu(130, dim, 0.02);
  }
  check_tree_has_no_fill();
  check_mixing_speeds_up_linear_iterations();
  return check_end();
}

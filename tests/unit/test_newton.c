/* Newton's driver on systems made by hand: convergence, the rungs of the ladder, every outcome. */
#include "check.h"
#include "solve/newton.h"

/* Two uncoupled equations r_i = f(x_i), i = 0, 1. */
typedef struct {
  PetscReal (*f)(PetscReal), (*slope)(PetscReal);
  PetscInt  residuals, tangents;
  PetscReal reference;
  PetscInt  rungs;    /* begun */
  PetscInt  searched; /* solutions of the last rung */
} Equations;

static PetscErrorCode residual(void *ctx, Vec x, Vec r, PetscReal *reference)
{
  Equations       *eq = ctx;
  const PetscReal *a;
  PetscReal       *b;

  PetscFunctionBeginUser;
  eq->residuals++;
  PetscCall(VecGetArrayRead(x, &a));
  PetscCall(VecGetArray(r, &b));
  for (int i = 0; i < 2; i++) b[i] = eq->f(a[i]);
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(VecRestoreArray(r, &b));
  *reference = eq->reference;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode tangent(void *ctx, Vec x, Mat A)
{
  Equations       *eq = ctx;
  const PetscReal *a;

  PetscFunctionBeginUser;
  eq->tangents++;
  PetscCall(VecGetArrayRead(x, &a));
  for (int i = 0; i < 2; i++) PetscCall(MatSetValue(A, i, i, eq->slope(a[i]), INSERT_VALUES));
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void begin_rung(void *ctx, PetscBool search)
{
  (void)search;
  ((Equations *)ctx)->rungs++;
}

/* Solves from x = start, then from x = second; `same`: the predictor is also where the answer goes. */
static PetscErrorCode solve(Equations *eq, PetscReal start, PetscReal second, PetscBool same,
                            CrNewtonReport *report, PetscReal *answer)
{
  CrNewtonProblem  problem = {.ctx = eq, .residual = residual, .tangent = tangent};
  Mat              A;
  Vec              predictor, fallback, x;
  CrNewton        *newton;
  const PetscReal *a;

  PetscFunctionBeginUser;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, 2, 2, 1, NULL, &A));
  for (int i = 0; i < 2; i++) PetscCall(MatSetValue(A, i, i, 1, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateVecs(A, &predictor, &fallback));
  PetscCall(VecDuplicate(predictor, &x));
  PetscCall(VecSet(predictor, start));
  PetscCall(VecSet(fallback, second));
  PetscCall(CrNewtonCreate(A, predictor, 2, PETSC_TRUE, 1e-12, &newton));
  CrNewtonSetRestart(newton, begin_rung, eq);
  CHECK_TEXT(CrNewtonSolverText(newton), "direct, PETSc LU (2 unknowns)");
  PetscCall(CrNewtonSolve(newton, &problem, predictor, fallback, same ? predictor : x, report));
  eq->searched = CrNewtonSearched(newton);
  PetscCall(VecGetArrayRead(same ? predictor : x, &a));
  *answer = a[0];
  PetscCall(VecRestoreArrayRead(same ? predictor : x, &a));
  PetscCall(CrNewtonDestroy(&newton));
  PetscCall(VecDestroy(&predictor));
  PetscCall(VecDestroy(&fallback));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal cube(PetscReal x)
{
  return x * x * x - 8;
}

static PetscReal cube_slope(PetscReal x)
{
  return 3 * x * x;
}

static void test_converges_quadratically(void)
{
  Equations      eq = {cube, cube_slope, 0, 0, 8, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  CHECK_OK(solve(&eq, 3, 3, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_CONVERGED);
  CHECK_NEAR(x, 2, 1e-12);
  CHECK(report.nhistory == report.iterations + 1);
  CHECK(eq.rungs == 1);
  CHECK(report.iterations == eq.tangents); /* one linear solve per iteration */
  CHECK_NEAR(report.history[0], 19 * PetscSqrtReal(2) / 8, 1e-14);
  CHECK_LESS(report.history[report.nhistory - 1], 1e-12);
  /* f'' / (2 f'^2) = 1/24 at the root, times 8/sqrt(2) in relative norms: about 0.24 */
  for (PetscInt k = 0; k + 1 < report.nhistory; k++)
    CHECK_LESS(report.history[k + 1], 0.5 * PetscSqr(report.history[k]) + 1e-15);
}

static void test_stops_at_the_start(void)
{
  Equations      eq = {cube, cube_slope, 0, 0, 8, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  CHECK_OK(solve(&eq, 2, 0, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_CONVERGED && report.iterations == 0 && x == 2);
}

/* Newton on atan diverges from |x| > 1.3917; the first rung notices that it goes round in circles,
   and halved steps bring it home. The other rungs would start at 100. */
static PetscReal atan_slope(PetscReal x)
{
  return 1 / (1 + x * x);
}

static void test_line_search(PetscBool same)
{
  Equations      eq = {atan, atan_slope, 0, 0, 1, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  CHECK_OK(solve(&eq, 1.45, 100, same, &report, &x));
  CHECK(report.outcome == CR_NEWTON_CONVERGED);
  CHECK_NEAR(x, 0, 1e-12);
  /* the history is that of the first rung */
  CHECK_NEAR(report.history[0], atan(1.45) * PetscSqrtReal(2), 1e-14);
  CHECK(report.iterations == report.nhistory - 1);
}

/* From 1e3 full steps run away before backtracking begins; the second rung starts from the fallback. */
static void test_fallback(PetscBool same)
{
  Equations      eq = {atan, atan_slope, 0, 0, 1, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  CHECK_OK(solve(&eq, 1000, 1, same, &report, &x));
  CHECK(report.outcome == CR_NEWTON_CONVERGED);
  CHECK_NEAR(x, 0, 1e-12);
  CHECK_NEAR(report.history[0], atan(1) * PetscSqrtReal(2), 1e-14);
  CHECK(eq.rungs == 2);
  CHECK(report.iterations > report.nhistory - 1); /* the first rung's are counted */
}

static PetscReal no_root(PetscReal x)
{
  return x * x + 1;
}

static PetscReal no_root_slope(PetscReal x)
{
  return 2 * x;
}

static void test_no_root(void)
{
  Equations      eq = {no_root, no_root_slope, 0, 0, 1, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  CHECK_OK(solve(&eq, 0.3, 0.7, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_DIVERGED);
  CHECK(report.iterations > 14);
  CHECK(eq.rungs == 3);
}

static PetscReal logarithm(PetscReal x)
{
  return log(x);
}

static PetscReal logarithm_slope(PetscReal x)
{
  return 1 / x;
}

/* The first full step from 10 leads to 10 - 10 ln 10 < 0: not a number, a result and no error. The
   fallback saves it, or else the backtracking of the last rung; what has no value at the start is
   reported. */
static void test_not_a_number(void)
{
  Equations      eq = {logarithm, logarithm_slope, 0, 0, 1, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  CHECK_OK(solve(&eq, 10, 2, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_CONVERGED && eq.searched == 0);
  CHECK_NEAR(x, 1, 1e-12);
  CHECK_OK(solve(&eq, 10, 20, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_CONVERGED && eq.searched == 1);
  CHECK_NEAR(x, 1, 1e-12);
  CHECK_OK(solve(&eq, -1, -1, PETSC_FALSE, &report, &x)); /* from the start */
  CHECK(report.outcome == CR_NEWTON_NOT_A_NUMBER && report.iterations == 0);
}

static PetscReal line(PetscReal x)
{
  return x - 1;
}

static PetscReal nothing(PetscReal x)
{
  return 0 * x;
}

static void test_singular_tangent(void)
{
  Equations      eq = {line, nothing, 0, 0, 1, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  CHECK_OK(solve(&eq, 3, 3, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_LINEAR_FAILED);
}

/* A residual that stalls at round-off, 1e-10 of the reference, is accepted after two idle
   iterations; one that stalls higher is not. */
static PetscReal stall_level;

static PetscReal stall(PetscReal x)
{
  return (x - 1) + (x >= 1 ? stall_level : -stall_level);
}

static PetscReal one(PetscReal x)
{
  return 1 + 0 * x;
}

static void test_stagnation(void)
{
  Equations      eq = {stall, one, 0, 0, 1, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  stall_level = 1e-10;
  CHECK_OK(solve(&eq, 3, 3, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_CONVERGED);
  stall_level = 1e-8;
  CHECK_OK(solve(&eq, 3, 3, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_DIVERGED);
}

/* No reference at all is how a residual says that it has no value: small ones do not pass for good. */
static void test_no_reference(void)
{
  Equations      eq = {cube, cube_slope, 0, 0, NAN, 0, 0};
  CrNewtonReport report;
  PetscReal      x;

  CHECK_OK(solve(&eq, 2, 2, PETSC_FALSE, &report, &x)); /* the root */
  CHECK(report.outcome == CR_NEWTON_NOT_A_NUMBER);
  CHECK_OK(solve(&eq, 3, 0.5, PETSC_FALSE, &report, &x));
  CHECK(report.outcome == CR_NEWTON_NOT_A_NUMBER);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_converges_quadratically();
  test_stops_at_the_start();
  for (int same = 0; same < 2; same++) {
    test_line_search(same);
    test_fallback(same);
  }
  test_no_root();
  test_not_a_number();
  test_singular_tangent();
  test_stagnation();
  test_no_reference();
  return check_end();
}

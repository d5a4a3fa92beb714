/* The critical step: element estimates against dense eigenproblems and formulas, meshes against the
   eigenvalues of the whole, and what explicit does when the bound falls during a run. */
#include <petscksp.h>
#include "element_batch.h"
#include "material_constants.h"
#include "model/forces.h"

#define MOST 400 /* dofs of a dense problem */

/* Greatest eigenvalue of K x = omega^2 M x with a diagonal M, by LAPACK on M^-1/2 K M^-1/2. */
static PetscErrorCode greatest(PetscInt n, const PetscReal *K, const PetscReal *m, PetscReal *value)
{
  PetscReal real[MOST], imaginary[MOST], *a;
  Mat       A;
  KSP       ksp;
  PC        pc;

  PetscFunctionBeginUser;
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, n, n, NULL, &A));
  PetscCall(MatDenseGetArray(A, &a));
  for (PetscInt i = 0; i < n * n; i++) a[i] = K[i] / PetscSqrtReal(m[i / n] * m[i % n]);
  PetscCall(MatDenseRestoreArray(A, &a));
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(KSPCreate(PETSC_COMM_SELF, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(KSPSetUp(ksp));
  PetscCall(KSPComputeEigenvaluesExplicitly(ksp, n, real, imaginary));
  *value = 0;
  for (PetscInt i = 0; i < n; i++) *value = PetscMax(*value, PetscAbsReal(real[i]));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- elements ----------------------------------------------------------------------------- */

static PetscErrorCode exact_of_lane(const CrElement *e, const PetscReal *K, const PetscReal *M,
                                    PetscInt l, PetscReal *value)
{
  PetscInt  nd = e->nnodes * e->dim;
  PetscReal dense[CR_MAX_DOFS * CR_MAX_DOFS], m[CR_MAX_CELL_NODES], diagonal[CR_MAX_DOFS];

  PetscFunctionBeginUser;
  CrElementLump(e, M, l, m);
  for (PetscInt r = 0; r < nd; r++) diagonal[r] = m[r / e->dim];
  for (PetscInt k = 0; k < nd * nd; k++) dense[k] = K[k * CR_BATCH + l];
  PetscCall(greatest(nd, dense, diagonal, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The estimates over the exact values, lane by lane. */
static PetscErrorCode check_batch(Batch *b, PetscReal *least, PetscReal *most)
{
  static PetscReal K[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH];
  static PetscReal M[CR_MAX_CELL_NODES * CR_MAX_CELL_NODES * CR_BATCH];
  const CrElement *e = b->block.element;
  CrNodal          nodal = batch_nodal(b);
  PetscReal        scale[CR_MAX_DOFS * CR_BATCH], values[CR_BATCH], m[CR_MAX_CELL_NODES], exact;
  PetscInt         nd = e->nnodes * e->dim;

  PetscFunctionBeginUser;
  e->tangent(&b->block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.tangent = K});
  e->mass(&b->block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.mass = M});
  for (PetscInt l = 0; l < CR_BATCH; l++) {
    CrElementLump(e, M, l, m);
    for (PetscInt r = 0; r < nd; r++) scale[r * CR_BATCH + l] = 1 / PetscSqrtReal(m[r / e->dim]);
  }
  CrElementSpectrum(nd, K, scale, values);
  for (PetscInt l = 0; l < CR_BATCH; l++) {
    PetscCall(exact_of_lane(e, K, M, l, &exact));
    *least = PetscMin(*least, values[l] / exact);
    *most = PetscMax(*most, values[l] / exact);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every element with every law, at rest and deformed, random shapes. */
static PetscErrorCode test_elements(void)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; CrElementAt(i); i++)
    for (int one_point = 0; one_point < 2; one_point++) {
      const CrElement *e = CrElementAt(i);
      PetscReal        least = PETSC_MAX_REAL, most = 0;

      if (one_point && e->type != CR_Q4 && e->type != CR_H8) continue;
      for (PetscInt k = 0; CrMaterialAt(k); k++)
        for (unsigned seed = 1; seed <= 6; seed++) {
          CrMaterial material;
          Batch      b;

          if (CrMaterialAt(k)->state_size) continue; /* elastic as long as there is no past */
          PetscCall(material_sample(CrMaterialAt(k), 1.7, PETSC_FALSE, &material));
          batch_fill(&b, e, &material, one_point != 0, 0.05, seed);
          if (seed % 2) memset(b.u1, 0, sizeof b.u1);
          PetscCall(check_batch(&b, &least, &most));
        }
      printf("  %s%s: estimate over exact %.4f to %.4f\n", CrCells[e->type].name,
             one_point ? ", one point" : "", least, most);
      CHECK(least >= 1);
      CHECK_LESS(most, 1.02);
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- meshes ------------------------------------------------------------------------------- */

static PetscErrorCode open_mesh(Problem *p, PetscInt dim, const char law[], const char mesh[],
                                const char time[])
{
  PetscFunctionBeginUser;
  PetscCall(problem_open(p,
                         "carom: 1\ndimension: %d\nmaterials: [{name: m, density: 2, %s}]\n"
                         "bodies: [{name: b, material: m, %s}]\ntime: {method: explicit, %s}\n",
                         (int)dim, law, mesh, time));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 2/omega of the whole mesh at u (NULL: at rest), from the dense eigenproblem. */
static PetscErrorCode exact_step(const CrModel *model, const PetscReal *u, PetscReal *h)
{
  static PetscReal K[MOST * MOST], m[MOST], zero[MOST];
  PetscInt         n = model->nowned * model->dim, *rows;
  Mat              A;

  PetscFunctionBeginUser;
  PetscCheck(n <= MOST, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "%d dofs", (int)n);
  PetscCall(CrModelCreateMatrix(model, &A));
  PetscCall(CrModelTangent(model, NULL, CR_FORCE_POINT, NULL, u ? u : zero, 1, 0, A));
  PetscCall(PetscMalloc1(n, &rows));
  for (PetscInt r = 0; r < n; r++) {
    rows[r] = r;
    m[r] = model->row_mass[r / model->dim];
  }
  PetscCall(MatGetValues(A, n, rows, n, rows, K));
  PetscCall(greatest(n, K, m, h));
  *h = 2 / PetscSqrtReal(*h);
  PetscCall(PetscFree(rows));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Single elements whose greatest eigenvalue is known: dilation of the square and the cube, 2/a of
   strain per unit displacement; the right triangle by hand from the 3 x 3 problem D B B^T. */
static PetscErrorCode test_formulas(void)
{
  const PetscReal lambda = 3, G = 2, rho = 2, a = 0.5, P = 2 * (lambda + G);
  const struct {
    PetscInt    dim;
    const char *mesh;
    PetscReal   omega2;
  } cases[] = {
      {2, "mesh: {block: {from: [0, 0], to: [0.5, 0.5], elements: [1, 1]}}",
       8 * (lambda + G) / (rho * a * a)},
      {2, "mesh: {block: {from: [0, 0], to: [1.5, 1], elements: [3, 2], type: T3}}",
       3 / (rho * a * a) * (P + 2 * G + PetscSqrtReal((P - 2 * G) * (P - 2 * G) + 2 * G * P))},
      {3, "mesh: {block: {from: [0, 0, 0], to: [0.5, 0.5, 0.5], elements: [1, 1, 1]}}",
       4 * (3 * lambda + 2 * G) / (rho * a * a)},
  };

  PetscFunctionBeginUser;
  for (int k = 0; k < 3; k++) {
    Problem   p;
    PetscReal h, exact = 2 / PetscSqrtReal(cases[k].omega2);

    PetscCall(open_mesh(&p, cases[k].dim, "lambda: 3, shear: 2", cases[k].mesh, "step: 1, end: 1"));
    PetscCall(CrModelCriticalStep(p.model, p.state, NULL, &h));
    printf("  formula %d: %.6f, exact %.6f\n", k, h, exact);
    CHECK(h <= exact);
    CHECK_LESS(0.99 * exact, h);
    PetscCall(problem_close(&p));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bars without lateral strain, along every axis, of square and of slender elements: the shortest edge
   over the speed of sound, sqrt(E/rho). The mode is along one axis alone: a start of the iteration
   without a part of it finds another. */
static PetscErrorCode test_bar(void)
{
  static const struct {
    PetscInt    dim;
    const char *mesh;
  } cases[] = {
      {2, "mesh: {block: {from: [0, 0], to: [5, 0.25], elements: [20, 1]}}"},
      {2, "mesh: {block: {from: [0, 0], to: [5, 2.5], elements: [20, 1]}}"},
      {2, "mesh: {block: {from: [0, 0], to: [2.5, 5], elements: [1, 20]}}"},
      {2, "integration: one-point, mesh: {block: {from: [0, 0], to: [5, 2.5], elements: [20, 1]}}"},
      {3, "mesh: {block: {from: [0, 0, 0], to: [1, 2.5, 2.5], elements: [4, 1, 1]}}"},
      {3, "mesh: {block: {from: [0, 0, 0], to: [2.5, 1, 2.5], elements: [1, 4, 1]}}"},
      {3, "mesh: {block: {from: [0, 0, 0], to: [2.5, 2.5, 1], elements: [1, 1, 4]}}"},
  };

  PetscReal exact = 0.25 / PetscSqrtReal(8.0 / 2);

  PetscFunctionBeginUser;
  for (int k = 0; k < (int)(sizeof cases / sizeof cases[0]); k++) {
    Problem   p;
    PetscReal h;

    PetscCall(
        open_mesh(&p, cases[k].dim, "young: 8, poisson: 0", cases[k].mesh, "step: 1, end: 1"));
    PetscCall(CrModelCriticalStep(p.model, p.state, NULL, &h));
    printf("  bar %d: %.5f, exact %.5f\n", k, h, exact);
    CHECK(h <= exact);
    CHECK_LESS(0.98 * exact, h);
    PetscCall(problem_close(&p));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The bound of the elements is below that of the mesh, at rest and deformed, and of its size. */
static PetscErrorCode test_whole(void)
{
  static const struct {
    PetscInt    dim;
    const char *mesh;
  } cases[] = {
      {2, "mesh: {quad: {corners: [[0, 0], [2, 0.2], [1.7, 1], [-0.1, 0.8]], elements: [6, 4]}}"},
      {2, "mesh: {disc: {center: [0, 0], radius: 1, core: 4, rings: 2}}"},
      {2, "integration: one-point, mesh: {block: {from: [0, 0], to: [2, 1], elements: [6, 4]}}"},
      {2, "mesh: {quad: {corners: [[0, 0], [2, 0.2], [1.7, 1], [-0.1, 0.8]], elements: [3, 2], "
          "type: Q9}}"},
      {3, "mesh: {block: {from: [0, 0, 0], to: [2, 1, 1], elements: [3, 2, 2], type: T4}}"},
      {3, "mesh: {ball: {center: [0, 0, 0], radius: 1, elements: 3}}"},
      {3, "mesh: {block: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 1, 1], type: T10}}"},
  };

  PetscFunctionBeginUser;
  for (int k = 0; k < (int)(sizeof cases / sizeof cases[0]); k++) {
    Problem   p;
    PetscReal h, exact, *u;

    PetscCall(open_mesh(&p, cases[k].dim, "model: neo-hookean, lambda: 3, shear: 2", cases[k].mesh,
                        "step: 1, end: 1"));
    PetscCall(PetscMalloc1(p.model->nlocal * p.model->dim, &u));
    for (int deformed = 0; deformed < 2; deformed++) {
      for (PetscInt r = 0; r < p.model->nlocal * p.model->dim; r++)
        u[r] = deformed ? (r % p.model->dim ? 0.1 : -0.3) * p.model->X[r] : 0;
      PetscCall(CrModelCriticalStep(p.model, p.state, deformed ? u : NULL, &h));
      PetscCall(exact_step(p.model, u, &exact));
      printf("  mesh %d%s: %.3f of the critical step\n", k, deformed ? ", deformed" : "",
             h / exact);
      CHECK(h <= exact);
      CHECK_LESS(0.6 * exact, h);
    }
    PetscCall(PetscFree(u));
    PetscCall(problem_close(&p));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- explicit ----------------------------------------------------------------------------- */

/* A block that is driven together, until its bound is well below that at rest. */
static PetscErrorCode open_crushed(Problem *p, const char step[], const char start[])
{
  char mesh[256], time[64];

  PetscFunctionBeginUser;
  snprintf(mesh, sizeof mesh, "%s, mesh: {block: {from: [0, 0], to: [1, 1], elements: [12, 12]}}",
           start);
  snprintf(time, sizeof time, "step: %s, end: 1", step);
  PetscCall(open_mesh(p, 2, "model: neo-hookean, lambda: 3, shear: 2", mesh, time));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Steps of size h until one fails; *taken of at most n succeeded. */
static PetscErrorCode go_until_failure(Problem *p, PetscReal h, PetscInt n, CrStepReport *report,
                                       PetscInt *taken)
{
  PetscFunctionBeginUser;
  for (*taken = 0; *taken < n; ++*taken) {
    PetscCall(problem_step(p, h, report));
    if (report->reason < 0) break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Under auto the step, 0.8 of the bound at rest, fails when it is above 1.05 times 0.8 of the bound,
   not before, and not at half the size; the state stays. A number is used as it is. */
static PetscErrorCode test_refresh(void)
{
  static const char crush[] = "velocity_gradient: [[-1.2, 0], [0, -1.2]]";
  Problem           p;
  CrStepReport      report;
  PetscReal         rest, now, h, *u, *v;
  PetscInt          taken;

  PetscFunctionBeginUser;
  PetscCall(open_crushed(&p, "auto", crush));
  PetscCall(CrModelCriticalStep(p.model, p.state, NULL, &rest));
  h = 0.8 * rest;
  PetscCall(go_until_failure(&p, h, 100, &report, &taken));
  u = copy_of(p.model, p.state->u);
  v = copy_of(p.model, p.state->v);
  PetscCall(CrModelCriticalStep(p.model, p.state, u, &now));
  printf("  failed after %d steps, the bound at %.3f of that at rest\n", (int)taken, now / rest);
  CHECK(report.reason == CR_FAIL_UNSTABLE && taken > 5);
  CHECK_LESS(now, rest / 1.05); /* the look was at this state */
  CHECK_LESS(0.65 * rest, now); /* and the one before it less than a hundred steps ago */
  PetscCall(problem_step(&p, h, &report));
  CHECK(report.reason == CR_FAIL_UNSTABLE && p.state->n == taken);
  for (int half = 0; half < 2; half++) {
    PetscReal *again = copy_of(p.model, half ? p.state->v : p.state->u);

    CHECK(!memcmp(again, half ? v : u, sizeof *u * (size_t)(p.model->nlocal * 2)));
    PetscCall(PetscFree(again));
  }
  PetscCall(problem_step(&p, h / 2, &report));
  CHECK(report.reason == CR_STEP_OK);
  PetscCall(PetscFree(u));
  PetscCall(PetscFree(v));
  PetscCall(problem_close(&p));

  PetscCall(open_crushed(&p, "0.01", crush));
  PetscCall(go_until_failure(&p, h, taken + 3, &report, &taken));
  CHECK(report.reason == CR_STEP_OK);
  PetscCall(problem_close(&p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A body that starts pressed together is judged as it is, before its first step; one that only
   spins or is linear is left alone. */
static PetscErrorCode test_start(void)
{
  Problem      p;
  CrStepReport report;
  PetscReal    rest;
  PetscInt     taken;

  PetscFunctionBeginUser;
  PetscCall(open_crushed(&p, "auto", "deformation: [[0.6, 0], [0, 0.6]]"));
  PetscCall(CrModelCriticalStep(p.model, p.state, NULL, &rest));
  PetscCall(go_until_failure(&p, 0.8 * rest, 1, &report, &taken));
  CHECK(report.reason == CR_FAIL_UNSTABLE && taken == 0);
  PetscCall(problem_close(&p));
  PetscCall(open_crushed(&p, "auto", "spin: 0.2"));
  PetscCall(go_until_failure(&p, 0.8 * rest, 230, &report, &taken));
  CHECK(taken == 230);
  PetscCall(problem_close(&p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  CHECK_OK(test_elements());
  CHECK_OK(test_formulas());
  CHECK_OK(test_bar());
  CHECK_OK(test_whole());
  CHECK_OK(test_refresh());
  CHECK_OK(test_start());
  return check_end();
}

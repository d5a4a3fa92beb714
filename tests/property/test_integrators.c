/* Every method of the registry against its own claims: what it keeps in free flight, order of
   accuracy, steps that fail. */
#include "material_constants.h"
#include "model_from_text.h"

/* A block that tumbles, flies and stretches: spin about its centre, a velocity and a gradient. */
static PetscErrorCode open_tumbling(Problem *p, const char *method, const char *material,
                                    const char *type, const char *elements, const char *mass,
                                    PetscReal h)
{
  PetscInt dim = 0;

  PetscFunctionBeginUser;
  for (int k = 0; k < CR_NCELLS; k++)
    if (!strcmp(CrCells[k].name, type)) dim = CrCells[k].dim;
  PetscCall(
      problem_open(p,
                   "carom: 1\ndimension: %d\n"
                   "materials: [{name: m, density: 8.93, %s}]\n"
                   "bodies:\n  - name: b\n    material: m\n    mass: %s\n"
                   "    mesh: {block: {from: %s, to: %s, elements: %s, type: %s}}\n"
                   "    velocity: %s\n    spin: %s\n    velocity_gradient: %s\n"
                   "time: {method: %s, step: %.17g, end: 1, tolerance: 1e-12}\n",
                   (int)dim, material, mass, dim == 2 ? "[0, 0]" : "[0, 0, 0]",
                   dim == 2 ? "[2, 1]" : "[2, 1, 1]", elements, type,
                   dim == 2 ? "[0.3, 0.3]" : "[0.3, 0.3, 0.3]",
                   dim == 2 ? "1.5" : "[0.4, 0.3, 1.5]",
                   dim == 2 ? "[[0.4, 0], [0, -0.4]]" : "[[0.4, 0, 0], [0, -0.4, 0], [0, 0, 0]]",
                   method, (double)h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- claims in free flight */

static void test_claims(const CrIntegratorOps *ops, const CrMaterialOps *law, const char *type,
                        const char *elements, const char *mass)
{
  const PetscBool objective = !(law->flags & CR_SMALL_STRAIN);
  Problem         p;
  char            constants[512];
  PetscReal E, L, J, h = ops->accepts & CR_AUTO_STEP ? 0.002 : 0.05; /* below the critical step */
  int       before = check_failures;

  if (!strcmp(mass, "consistent") && !(ops->accepts & CR_CONSISTENT_MASS)) return;
  CHECK_OK(material_constants(law, 60, constants, sizeof constants));
  CHECK_OK(open_tumbling(&p, ops->name, constants, type, elements, mass, h));
  if (check_failures > before) return;
  CHECK(p.model->is_free);
  CHECK_OK(problem_run(&p, (PetscInt)(2 / h + 0.5), h));
  E = p.audit->energy0;
  L = p.model->total_mass * PetscSqrtReal(p.model->dim * 0.09);
  J = PetscSqrtReal(PetscSqr(p.audit->angular0[0]) + PetscSqr(p.audit->angular0[1]) +
                    PetscSqr(p.audit->angular0[2]));
  CHECK_LESS(1e-3 * E, p.audit->strain); /* it does deform */
  if (ops->claims & CR_BALANCES_ENERGY) CHECK_LESS(p.audit->defect_max / E, 1e-11);
  if (ops->claims & CR_KEEPS_LINEAR) CHECK_LESS(p.audit->momentum_drift / L, 1e-11);
  if ((ops->claims & CR_KEEPS_ANGULAR) && objective) CHECK_LESS(p.audit->angular_drift / J, 1e-11);
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s, %s, %s, %s\n", ops->name, law->name, type, mass);
}

/* What is not claimed is seen to drift: the test above could fail. */
static void test_drift_is_seen(void)
{
  Problem p;

  CHECK_OK(open_tumbling(&p, "midpoint, stress: plain",
                         "model: neo-hookean, lambda: 130, shear: 43.33", "Q4", "[6, 3]", "lumped",
                         0.05));
  CHECK_OK(problem_run(&p, 100, 0.05));
  CHECK_LESS(1e-4, p.audit->balance_max / p.audit->energy0);
  CHECK_LESS(p.audit->angular_drift / PetscAbsReal(p.audit->angular0[2]), 1e-10);
  CHECK_OK(problem_close(&p));
  CHECK_OK(open_tumbling(&p, "newmark", "model: neo-hookean, lambda: 130, shear: 43.33", "Q4",
                         "[6, 3]", "lumped", 0.05));
  CHECK_OK(problem_run(&p, 100, 0.05));
  CHECK_LESS(1e-4, p.audit->balance_max / p.audit->energy0);
  CHECK_LESS(1e-6, p.audit->angular_drift / PetscAbsReal(p.audit->angular0[2]));
  CHECK_OK(problem_close(&p));
}

/* ---- order of accuracy */

/* Positions at t = 0.5 after n steps; the caller frees them. */
static PetscReal *positions_after(const CrIntegratorOps *ops, PetscInt n, PetscInt *dofs)
{
  Problem    p;
  PetscReal *u = NULL;

  *dofs = 0;
  CHECK_OK(open_tumbling(&p, ops->name, "model: saint-venant-kirchhoff, lambda: 130, shear: 43.33",
                         "Q4", "[4, 2]",
                         ops->accepts & CR_CONSISTENT_MASS ? "consistent" : "lumped",
                         0.5 / (PetscReal)n));
  CHECK_OK(problem_run(&p, n, 0.5 / (PetscReal)n));
  CHECK_NEAR(p.state->t, 0.5, 1e-12);
  u = copy_of(p.model, p.state->u);
  *dofs = p.model->nowned * p.model->dim;
  CHECK_OK(problem_close(&p));
  return u;
}

static PetscReal distance(PetscInt n, const PetscReal *a, const PetscReal *b)
{
  PetscReal sum = 0;

  for (PetscInt k = 0; k < n; k++) sum += PetscSqr(a[k] - b[k]);
  return PetscSqrtReal(sum);
}

static void test_order(const CrIntegratorOps *ops, PetscReal error[4])
{
  const PetscInt steps[] = {25, 50, 100, 200};
  PetscInt       n;
  PetscReal     *fine = positions_after(ops, 800, &n);

  for (int k = 0; k < 4; k++) {
    PetscReal *u = positions_after(ops, steps[k], &n);

    error[k] = distance(n, u, fine);
    CHECK_OK(PetscFree(u));
  }
  /* 4 up to the share of the fine run's own error: (100^-2 - 800^-2)/(200^-2 - 800^-2) = 4.2 */
  for (int k = 0; k < 3; k++) CHECK_NEAR(error[k] / error[k + 1], 4, 0.4);
  printf("%s: position errors %.2e %.2e %.2e %.2e, ratios %.2f %.2f %.2f\n", ops->name, error[0],
         error[1], error[2], error[3], error[0] / error[1], error[1] / error[2],
         error[2] / error[3]);
  CHECK_OK(PetscFree(fine));
}

/* ---- failed steps */

static void compare_states(const Problem *p, const PetscReal *u, const PetscReal *v)
{
  size_t     size = sizeof(PetscReal) * (size_t)(p->model->nlocal * p->model->dim);
  PetscReal *u1 = copy_of(p->model, p->state->u), *v1 = copy_of(p->model, p->state->v);

  CHECK(!memcmp(u, u1, size));
  CHECK(!memcmp(v, v1, size));
  CHECK_OK(PetscFree(u1));
  CHECK_OK(PetscFree(v1));
}

/* A step that fails leaves the state as it was, bit by bit, and the method too: what follows is the
   same as without it. */
static void test_failure(const CrIntegratorOps *ops, const char *velocity, const char *elements,
                         const char *condition, PetscReal h, CrStepReason reason)
{
  Problem      p, fresh;
  CrStepReport report;
  PetscReal   *u, *v;
  const char  *deck =
      "carom: 1\ndimension: 2\n"
      "materials: [{name: m, density: 8.93, lambda: 130, shear: 43.33, model: neo-hookean}]\n"
      "bodies: [{name: b, material: m, velocity_gradient: %s, mesh: {block: {from: [0, 0],"
      " to: [2, 1], elements: %s}}}]\n"
      "conditions: [%s]\n"
      "time: {method: %s, step: 1e-4, end: 1}\n";

  CHECK_OK(problem_open(&p, deck, velocity, elements, condition, ops->name));
  CHECK_OK(problem_open(&fresh, deck, velocity, elements, condition, ops->name));
  CHECK_OK(problem_run(&p, 3, 1e-4));
  CHECK_OK(problem_run(&fresh, 3, 1e-4));
  u = copy_of(p.model, p.state->u);
  v = copy_of(p.model, p.state->v);
  CHECK_OK(problem_step(&p, h, &report));
  CHECK(report.reason < 0);
  if (p.it->newton_report.nhistory)
    CHECK(report.reason == reason); /* others may see it in another way */
  if (p.it->newton_report.nhistory && report.reason != reason)
    printf("  %s: %s\n", ops->name, CrStepReasonText(report.reason));
  compare_states(&p, u, v);
  CHECK(p.state->n == 3 && p.state->t == fresh.state->t);
  CHECK_OK(PetscFree(u));
  CHECK_OK(PetscFree(v));

  CHECK_OK(problem_run(&p, 3, 1e-4));
  CHECK_OK(problem_run(&fresh, 3, 1e-4));
  u = copy_of(fresh.model, fresh.state->u);
  v = copy_of(fresh.model, fresh.state->v);
  compare_states(&p, u, v);
  CHECK(p.audit->energy == fresh.audit->energy);
  CHECK_OK(PetscFree(u));
  CHECK_OK(PetscFree(v));
  CHECK_OK(problem_close(&p));
  CHECK_OK(problem_close(&fresh));
}

/* ---- Newton inside a step */

/* A step with strains of tens of percent from a predictor far off. In the last stretch before
   round-off the logarithm of the residual doubles: r_{k+1}/r_k = (r_k/r_{k-1})^2. */
static void test_quadratic_convergence(const CrIntegratorOps *ops, const CrMaterialOps *law)
{
  Problem      p;
  CrStepReport report;
  char         constants[512];
  int          judged = 0;
  PetscReal    best = 0, h = law->flags & CR_FLOWS ? 0.04 : 0.2; /* a step that flow can follow */

  if (law->flags & CR_SMALL_STRAIN) return; /* one iteration */
  CHECK_OK(material_constants(law, 100, constants, sizeof constants));
  CHECK_OK(
      problem_open(&p,
                   "carom: 1\ndimension: 2\nmaterials: [{name: m, density: 1, %s}]\n"
                   "bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [2, 1],"
                   " elements: [6, 3]}}}]\n"
                   "conditions: [{on: b.left, fix: [x, y]}, {on: b.right, traction: [0, 15]}]\n"
                   "time: {method: %s, step: %g, end: 1, tolerance: 1e-12}\n",
                   constants, ops->name, (double)h));
  if (!p.it->newton) {
    CHECK_OK(problem_close(&p));
    return;
  }
  CHECK_OK(problem_step(&p, h, &report));
  CHECK(report.reason == CR_STEP_OK);
  if (!strcmp(ops->name, "bipotential")) { /* works with old matrices, and never with SNES */
    CHECK(p.it->newton_report.nhistory == 0);
    CHECK_OK(problem_close(&p));
    return;
  }
  CHECK(report.iterations == p.it->newton_report.nhistory - 1); /* no rung failed */
  for (PetscInt k = 1; k + 1 < p.it->newton_report.nhistory; k++) {
    const PetscReal *r = &p.it->newton_report.history[k];
    PetscReal        order = log(r[1] / r[0]) / log(r[0] / r[-1]);

    if (r[-1] > 0.15 || r[1] < 1e-13) continue; /* far away still, or round-off */
    judged++;
    best = PetscMax(best, order);
    CHECK_LESS(1.8, order);
  }
  CHECK(judged > 0);
  if (!judged || best < 1.8) {
    printf("  %s, %s:", ops->name, law->name);
    for (PetscInt k = 0; k < p.it->newton_report.nhistory; k++)
      printf(" %.1e", p.it->newton_report.history[k]);
    printf("\n");
  }
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  const PetscReal known[4] = {2.4e-3, 6.2e-4, 1.5e-4, 3.7e-5};

  if (check_start(argc, argv)) return 1;
  for (PetscInt i = 0; CrIntegratorAt(i); i++) {
    const CrIntegratorOps *ops = CrIntegratorAt(i);
    PetscReal              error[4];

    CHECK(ops->name && ops->citation && ops->help && ops->step);
    /* what `carom methods` prints must not deny what is claimed */
    if (ops->claims & CR_SECOND_ORDER) CHECK(!strstr(ops->help, "first order"));
    if (!(ops->accepts & CR_DEFORMABLE)) continue;
    for (PetscInt m = 0; CrMaterialAt(m); m++) {
      test_claims(ops, CrMaterialAt(m), "Q4", "[4, 2]", "lumped");
      test_claims(ops, CrMaterialAt(m), "T6", "[2, 1]", "consistent");
      test_claims(ops, CrMaterialAt(m), "H8", "[2, 1, 1]", "consistent");
      test_claims(ops, CrMaterialAt(m), "T10", "[2, 1, 1]", "lumped");
      test_quadratic_convergence(ops, CrMaterialAt(m));
    }
    if (ops->claims & CR_SECOND_ORDER) test_order(ops, error);
    if (!strcmp(ops->name, "midpoint")) /* as an independent program found, to its two digits */
      for (int k = 0; k < 4; k++) CHECK_NEAR(error[k] / known[k], 1, 0.03);
    /* crushed within a step: a solution is found, but it is no state of the body */
    test_failure(ops, "[[-100, 0], [0, 0]]", "[4, 2]", "", 0.1, CR_FAIL_INVERTED);
    /* an element pressed flat: no logarithm of its volume, wherever Newton starts */
    test_failure(ops, "[[0, 0], [0, 0]]", "[1, 1]",
                 "{on: b.left, fix: [x]}, {on: b.right, displacement: [-2, 0], from: 0.01}", 0.1,
                 CR_FAIL_NOT_A_NUMBER);
  }
  test_drift_is_seen();
  return check_end();
}

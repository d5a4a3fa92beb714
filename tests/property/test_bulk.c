/* Bulk viscosity at the elements: rigid motions of any size feel none, forces and their moments add up to nothing, their
   power on a small motion is pressure times change of volume, and a uniform compression of bricks gives the pressure of
   the formula. */
#include "check.h"
#include "model/forces.h"
#include "model_from_text.h"

static const struct {
  int         dim;
  const char *type;
} bodies[] = {{2, "T3"}, {2, "Q4"}, {2, "T6"}, {2, "Q8"},
              {2, "Q9"}, {3, "T4"}, {3, "H8"}, {3, "T10"}};

static PetscErrorCode open_block(Problem *p, int dim, const char *type, const char *law, double c1,
                                 double c2)
{
  return problem_open(
      p,
      "carom: 1\ndimension: %d\nmaterials: [{name: m, density: 3, young: 100, poisson: 0.25, model: %s}]\n"
      "bodies: [{name: b, material: m, mesh: {block: {from: %s, to: %s, elements: %s, type: %s}}}]\n"
      "time: {method: explicit, step: 1.0e-4, end: 1, bulk_linear: %g, bulk_quadratic: %g}\n",
      dim, law, dim == 2 ? "[0, 0]" : "[0, 0, 0]", dim == 2 ? "[2, 1]" : "[2, 1, 1]",
      dim == 2 ? "[4, 2]" : "[4, 2, 2]", type, c1, c2);
}

/* u = (A - 1) X + shift, with A = R(angle about z) diag(stretch). */
static void move(const CrModel *model, double angle, const double stretch[3], PetscReal *u)
{
  for (PetscInt A = 0; A < model->nlocal; A++) {
    const PetscReal *X = model->X + model->dim * A;
    double           x = stretch[0] * X[0], y = stretch[1] * X[1];

    u[model->dim * A] = cos(angle) * x - sin(angle) * y - X[0] + 0.3;
    u[model->dim * A + 1] = sin(angle) * x + cos(angle) * y - X[1] - 0.7;
    if (model->dim == 3) u[3 * A + 2] = (stretch[2] - 1) * X[2] + 0.2;
  }
}

static PetscReal greatest(PetscInt n, const PetscReal *f)
{
  PetscReal most = 0;

  for (PetscInt k = 0; k < n; k++)
    if (!(fabs(f[k]) <= most)) most = fabs(f[k]);
  return most;
}

static void test_rigid(Problem *p, PetscReal *u0, PetscReal *u1, PetscReal *f)
{
  const double one[3] = {1, 1, 1}, bent[3] = {1.1, 0.9, 1.05};
  PetscInt     n = p->model->nowned * p->model->dim;

  for (int strained = 0; strained < 2; strained++) {
    CHECK_OK(PetscArrayzero(f, n));
    move(p->model, 0.2, strained ? bent : one, u0);
    move(p->model, 1.1, strained ? bent : one, u1);
    CHECK_OK(CrBulkForce(p->model, p->state, u0, u1, 0.01, f));
    CHECK_LESS(greatest(n, f), 2e-12); /* moduli of 100, rates of 100 */
    CHECK_LESS(fabs(p->state->bulk.taken[0]), 1e-13);
  }
}

/* From 1 to 1 - e in all directions within h: V1/V0 and the volume are known. */
static void test_squeeze(Problem *p, PetscReal *u0, PetscReal *u1, PetscReal *f)
{
  const double one[3] = {1, 1, 1}, e = 1e-3, small[3] = {1 - e, 1 - e, 1 - e}, h = 0.01;
  PetscInt     n = p->model->nowned * p->model->dim, dim = p->model->dim;
  PetscReal    sum[3] = {0}, moment = 0, work = 0, size;

  CHECK_OK(PetscArrayzero(f, n));
  move(p->model, 0.2, one, u0);
  move(p->model, 0.2, small, u1);
  CHECK_OK(CrBulkForce(p->model, p->state, u0, u1, h, f));
  size = greatest(n, f);
  CHECK_LESS(1e-3, size);
  for (PetscInt A = 0; A < p->model->nowned; A++) {
    const PetscReal *X = p->model->X + dim * A, *u = u1 + dim * A, *g = f + dim * A;

    for (PetscInt i = 0; i < dim; i++) sum[i] += g[i];
    for (PetscInt i = 0; i < dim; i++) work += g[i] * (u1[dim * A + i] - u0[dim * A + i]);
    moment += (X[0] + u[0]) * g[1] - (X[1] + u[1]) * g[0];
  }
  for (int i = 0; i < 3; i++) CHECK_LESS(fabs(sum[i]), 1e-12 * size);
  CHECK_LESS(fabs(moment), 1e-12 * size);
  /* the first step books half the pressure of its end; b of the end sees the volume of the step to first order in e */
  CHECK_NEAR(p->state->bulk.taken[0] / (work / 2), 1, 5 * e);
  CHECK_LESS(0, p->state->bulk.taken[0]);
}

/* Bricks with sides of 1/2: the pressure is rho l d (c1 c + c2 l |d|) with current density, length and rate. */
static void test_formula(int dim, double c1, double c2, const char *law, PetscBool small)
{
  const double one[3] = {1, 1, 1}, e = 0.1, less[3] = {1 - e, 1 - e, 1 - e}, h = 0.01;
  const double c = sqrt((40 + 2 * 40) / 3.0); /* lambda = mu = 40 */
  double       J = pow(1 - e, dim), l = 0.5 * (1 - e), d = (1 - 1 / J) / h, p1;
  Problem      p;
  PetscReal   *u0, *u1, *f;

  if (small) {
    J = 1 - dim * e; /* volume of small strain; b is that of the shape at rest */
    l = 0.5 * J;
    d = -dim * e / J / h;
  }
  p1 = 3 / J * l * d * (c1 * c + c2 * l * -d);
  CHECK_OK(open_block(&p, dim, dim == 2 ? "Q4" : "H8", law, c1, c2));
  CHECK_OK(
      PetscCalloc3(p.model->nlocal * 3, &u0, p.model->nlocal * 3, &u1, p.model->nlocal * 3, &f));
  move(p.model, 0, one, u0);
  move(p.model, 0, less, u1);
  CHECK_OK(CrBulkForce(p.model, p.state, u0, u1, h, f));
  CHECK_NEAR(p.state->bulk.next[0][CR_BULK_PRESSURE * CR_BATCH] / p1, 1, 1e-12);
  CHECK_NEAR(p.state->bulk.next[0][CR_BULK_RATE * CR_BATCH] / d, 1, 1e-12);
  CHECK_OK(CrBulkForce(p.model, p.state, u1, u0, h, f)); /* the quadratic part is for compression */
  d = small ? dim * e / h : (1 - J) / h;
  CHECK_NEAR(p.state->bulk.next[0][CR_BULK_PRESSURE * CR_BATCH], 3 * 0.5 * d * c1 * c,
             1e-11 * 3 * d * c);
  CHECK_OK(PetscFree3(u0, u1, f));
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  CrLogSetQuiet(PETSC_TRUE);
  for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
    Problem    p;
    PetscReal *u0, *u1, *f;
    int        before = check_failures;

    CHECK_OK(open_block(&p, bodies[k].dim, bodies[k].type, "neo-hookean", 0.06, 1.5));
    CHECK_OK(
        PetscCalloc3(p.model->nlocal * 3, &u0, p.model->nlocal * 3, &u1, p.model->nlocal * 3, &f));
    test_rigid(&p, u0, u1, f);
    test_squeeze(&p, u0, u1, f);
    if (check_failures > before) printf("  %s\n", bodies[k].type);
    CHECK_OK(PetscFree3(u0, u1, f));
    CHECK_OK(problem_close(&p));
  }
  for (int dim = 2; dim <= 3; dim++) {
    test_formula(dim, 0.06, 0, "neo-hookean", PETSC_FALSE);
    test_formula(dim, 0, 1.5, "saint-venant-kirchhoff", PETSC_FALSE);
    test_formula(dim, 0.06, 1.5, "linear", PETSC_TRUE);
  }
  return check_end();
}

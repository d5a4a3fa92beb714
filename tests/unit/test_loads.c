/* Loads: totals, moments, which nodes; follower pressure, its work and its stiffness; assembly of
   forces and tangents over a mesh of several elements. */
#include "model_from_text.h"
#include "model/forces.h"

/* A block 2 x 1 (x 1) of one element type with one condition. */
static PetscErrorCode open_block(Problem *p, const char *type, const char *law,
                                 const char *conditions)
{
  PetscInt dim = 0;

  PetscFunctionBeginUser;
  for (int k = 0; k < CR_NCELLS; k++)
    if (!strcmp(CrCells[k].name, type)) dim = CrCells[k].dim;
  PetscCall(problem_open(
      p,
      "carom: 1\ndimension: %d\n%smaterials: [{name: m, model: %s, lambda: 1.3, shear: 0.7,"
      " density: 2}]\nbodies: [{name: b, material: m, mesh: {block: {from: %s, to: %s, elements: "
      "%s,"
      " type: %s}}}]\nconditions: [%s]\ntime: {method: midpoint, step: 1, end: 1}\n",
      (int)dim, dim == 2 ? "thickness: 0.5\n" : "", law, dim == 2 ? "[0, 0]" : "[0, 0, 0]",
      dim == 2 ? "[2, 1]" : "[2, 1, 1]", dim == 2 ? "[3, 2]" : "[3, 2, 2]", type, conditions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sum and moment about the origin of nodal forces at X + u (2D: moment[2] alone). */
static void totals(const CrModel *model, const PetscReal *u, const PetscReal *f, PetscReal sum[3],
                   PetscReal moment[3])
{
  for (int i = 0; i < 3; i++) sum[i] = moment[i] = 0;
  for (PetscInt A = 0; A < model->nowned; A++) {
    PetscReal x[3] = {0}, g[3] = {0};

    for (PetscInt i = 0; i < model->dim; i++) {
      x[i] = model->X[model->dim * A + i] + u[model->dim * A + i];
      g[i] = f[model->dim * A + i];
    }
    for (int i = 0; i < 3; i++) {
      sum[i] += g[i];
      moment[i] += x[(i + 1) % 3] * g[(i + 2) % 3] - x[(i + 2) % 3] * g[(i + 1) % 3];
    }
  }
}

/* Loads at time t in a random configuration; arrays are the caller's to free. */
static void load_vector(const Problem *p, PetscReal t, PetscReal size, PetscReal **u, PetscReal **f)
{
  PetscInt n = p->model->nlocal * p->model->dim;
  unsigned seed = 61;

  CHECK_OK(PetscCalloc2(n, u, n, f));
  for (PetscInt k = 0; k < n; k++) (*u)[k] = size * random_number(&seed);
  CHECK_OK(CrLoadsAdd(p->model, t, *u, *f));
}

/* The face x = 2 of the block has area 0.5 in 2D (thickness), 1 in 3D, and centre (2, 0.5, 0.5). */
static void test_surface_load(const char *type, const char *load, PetscReal expected)
{
  Problem    p;
  PetscReal *u, *f, sum[3], moment[3], fx, fy;
  char       text[256];
  int        before = check_failures;

  snprintf(text, sizeof text, "{on: b.right, %s}", load);
  CHECK_OK(open_block(&p, type, "neo-hookean", text));
  if (check_failures > before) return;
  load_vector(&p, 0, 0, &u, &f);
  totals(p.model, u, f, sum, moment);
  fx = 3 * expected;
  fy = -2 * expected;
  CHECK_NEAR(sum[0], fx, 1e-14);
  CHECK_NEAR(sum[1], fy, 1e-14);
  CHECK_NEAR(sum[2], 0, 1e-14);
  CHECK_NEAR(moment[2], 2 * fy - 0.5 * fx, 1e-13); /* uniform: it acts at the centre */
  if (p.model->dim == 3) CHECK_NEAR(moment[0], -0.5 * fy, 1e-13);
  for (PetscInt A = 0; A < p.model->nowned; A++)
    if (p.model->X[p.model->dim * A] < 1.99) CHECK(f[p.model->dim * A] == 0);
  CHECK_OK(PetscFree2(u, f));
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s, %s\n", type, load);
}

static void test_node_force(void)
{
  Problem    p;
  PetscReal *u, *f;
  PetscInt   loaded = 0;

  CHECK_OK(
      open_block(&p, "Q4", "neo-hookean", "{on: b, at: [1.9, 1.2], force: [3, -2], ramp: [0, 2]}"));
  load_vector(&p, 0.5, 0, &u, &f);
  for (PetscInt A = 0; A < p.model->nowned; A++) {
    if (f[2 * A] == 0 && f[2 * A + 1] == 0) continue;
    loaded++;
    CHECK(p.model->X[2 * A] == 2 && p.model->X[2 * A + 1] == 1);
    CHECK_NEAR(f[2 * A], 0.75, 1e-15);
    CHECK_NEAR(f[2 * A + 1], -0.5, 1e-15);
  }
  CHECK(loaded == 1);
  CHECK_OK(PetscFree2(u, f));
  CHECK_OK(problem_close(&p));
}

/* `from` and `until` bound the time of a load; in these instants it is half there, so that sums over
   the ends of steps give the impulse of the time between. */
static void test_window(void)
{
  const PetscReal times[] = {0.99, 1, 1.5, 2, 2.01}, on[] = {0, 0.5, 1, 0.5, 0};
  Problem         p;

  CHECK_OK(open_block(&p, "Q4", "neo-hookean", "{on: b.top, traction: [0, 1], from: 1, until: 2}"));
  for (int k = 0; k < 5; k++) {
    PetscReal *u, *f, sum[3], moment[3];

    load_vector(&p, times[k], 0, &u, &f);
    totals(p.model, u, f, sum, moment);
    CHECK_NEAR(sum[1], on[k], 1e-14); /* length 2, thickness 0.5 */
    CHECK_OK(PetscFree2(u, f));
  }
  CHECK_OK(problem_close(&p));
}

/* Pressure on a closed surface has neither resultant nor moment, in any configuration. */
static void test_closed_pressure(const char *type)
{
  Problem    p;
  PetscReal *u, *f, sum[3], moment[3], greatest = 0;
  int        before = check_failures;

  CHECK_OK(open_block(&p, type, "neo-hookean", "{on: b.boundary, pressure: 3}"));
  if (check_failures > before) return;
  load_vector(&p, 0, 0.05, &u, &f);
  totals(p.model, u, f, sum, moment);
  for (PetscInt k = 0; k < p.model->nowned * p.model->dim; k++)
    greatest = PetscMax(greatest, PetscAbsReal(f[k]));
  CHECK_LESS(0.1, greatest);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(sum[i], 0, 1e-14);
    CHECK_NEAR(moment[i], 0, 1e-14);
  }
  CHECK_OK(PetscFree2(u, f));
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s\n", type);
}

/* Linear bodies: pressure acts on the reference shape, whatever the displacement. */
static void test_linear_pressure(void)
{
  Problem    p;
  PetscReal *u, *f, sum[3], moment[3];

  CHECK_OK(open_block(&p, "Q4", "linear", "{on: b.right, pressure: 3}"));
  load_vector(&p, 0, 0.2, &u, &f);
  totals(p.model, u, f, sum, moment);
  CHECK_NEAR(sum[0], -1.5, 1e-14); /* against the outward normal, area 0.5 */
  CHECK_NEAR(sum[1], 0, 1e-14);
  CHECK_OK(PetscFree2(u, f));
  CHECK_OK(problem_close(&p));
}

/* Area inside the boundary: half the sum of x cross dx, exact on straight and on parabolic edges. */
static PetscReal enclosed_area(const CrModel *model, const PetscReal *u)
{
  const CrModelSet *set = NULL;
  PetscReal         sum = 0;

  for (PetscInt s = 0; s < model->nsets; s++)
    if (!strcmp(model->sets[s].name, "boundary")) set = &model->sets[s];
  for (PetscInt k = 0; k < set->nfacets; k++) {
    PetscReal x[3][2] = {{0}};

    for (PetscInt a = 0; a < CrCells[set->facets[k].type].nnodes; a++)
      for (int i = 0; i < 2; i++) {
        PetscInt r = 2 * set->facets[k].nodes[a] + i;

        x[a][i] = model->X[r] + u[r];
      }
#define CROSS(a, b) (x[a][0] * x[b][1] - x[a][1] * x[b][0])
    sum += set->facets[k].type == CR_S2 ? CROSS(0, 1) / 2
                                        : (4 * CROSS(0, 2) + 4 * CROSS(2, 1) - CROSS(0, 1)) / 6;
#undef CROSS
  }
  return sum;
}

/* In the plane the work of the pressure at mid-step is -p times the change of area, exactly. */
static void test_pressure_work(const char *type)
{
  Problem      p;
  PetscReal    work = 0, area0, area1;
  PetscReal   *u;
  CrStepReport report;
  int          before = check_failures;

  CHECK_OK(open_block(&p, type, "neo-hookean", "{on: b.boundary, pressure: 0.3}"));
  if (check_failures > before) return;
  u = copy_of(p.model, p.state->u);
  area0 = enclosed_area(p.model, u);
  CHECK_NEAR(area0, 2, 1e-14);
  CHECK_OK(PetscFree(u));
  for (int k = 0; k < 10; k++) {
    CHECK_OK(problem_step(&p, 0.3, &report));
    CHECK(report.reason == CR_STEP_OK);
    work += report.external_work;
  }
  u = copy_of(p.model, p.state->u);
  area1 = enclosed_area(p.model, u);
  CHECK_LESS(0.05, PetscAbsReal(area1 - area0));
  CHECK_NEAR(work, -0.3 * 0.5 * (area1 - area0), 1e-14);
  CHECK_OK(PetscFree(u));
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s\n", type);
}

/* ---- matrices against differences along random directions */

typedef PetscErrorCode ForceOf(const CrModel *, const PetscReal *u0, const PetscReal *u,
                               PetscReal *f);

static PetscErrorCode loads_of(const CrModel *model, const PetscReal *u0, const PetscReal *u,
                               PetscReal *f)
{
  (void)u0;
  return CrLoadsAdd(model, 0, u, f);
}

static PetscErrorCode internal_of(const CrModel *model, const PetscReal *u0, const PetscReal *u,
                                  PetscReal *f)
{
  return CrModelForce(model, NULL, CR_FORCE_CONSERVING, u0, u, f);
}

/* |A d - (f(u + e d) - f(u - e d))/2e| over |A d|, the worst of a few directions d. */
static PetscReal matrix_error(const CrModel *model, Mat A, ForceOf *force, const PetscReal *u0,
                              const PetscReal *u)
{
  PetscInt        n = model->nowned * model->dim;
  const PetscReal e = 1e-5, *y;
  PetscReal      *moved, *f[2], *direction, worst = 0;
  Vec             d, Ad;
  unsigned        seed = 67;

  CHECK_OK(PetscMalloc3(n, &moved, n, &f[0], n, &f[1]));
  CHECK_OK(MatCreateVecs(A, &d, &Ad));
  for (int trial = 0; trial < 5; trial++) {
    PetscReal error = 0, size = 0;

    CHECK_OK(VecGetArray(d, &direction));
    for (PetscInt k = 0; k < n; k++) direction[k] = random_number(&seed);
    for (int side = 0; side < 2; side++) {
      memset(f[side], 0, sizeof(PetscReal) * (size_t)n);
      for (PetscInt k = 0; k < n; k++) moved[k] = u[k] + (side ? e : -e) * direction[k];
      CHECK_OK(force(model, u0, moved, f[side]));
    }
    CHECK_OK(VecRestoreArray(d, &direction));
    CHECK_OK(MatMult(A, d, Ad));
    CHECK_OK(VecGetArrayRead(Ad, &y));
    for (PetscInt k = 0; k < n; k++) {
      error = PetscMax(error, PetscAbsReal(y[k] - (f[1][k] - f[0][k]) / (2 * e)));
      size = PetscMax(size, PetscAbsReal(y[k]));
    }
    CHECK_OK(VecRestoreArrayRead(Ad, &y));
    worst = PetscMax(worst, error / size);
  }
  CHECK_OK(VecDestroy(&d));
  CHECK_OK(VecDestroy(&Ad));
  CHECK_OK(PetscFree3(moved, f[0], f[1]));
  return worst;
}

static void test_matrices(const char *type)
{
  Problem    p;
  PetscReal *u, *u0, *unused, *f;
  Mat        A;
  int        before = check_failures;

  CHECK_OK(open_block(&p, type, "neo-hookean",
                      "{on: b.right, pressure: 3}, {on: b.top, pressure: -2, from: -1},"
                      " {on: b.left, pressure: 1, ramp: [1, 2]}"));
  if (check_failures > before) return;
  load_vector(&p, 0, 0.02, &u, &f);
  load_vector(&p, 0, 0.01, &u0, &unused);
  CHECK_OK(CrModelCreateMatrix(p.model, &A));
  CHECK_OK(CrModelTangent(p.model, NULL, CR_FORCE_POINT, NULL, NULL, 0, 0, A)); /* zero */
  CHECK_OK(CrLoadsAddTangent(p.model, 0, 0, u, 1, A));
  CHECK_LESS(matrix_error(p.model, A, loads_of, NULL, u), 1e-8);
  CHECK_OK(CrModelTangent(p.model, NULL, CR_FORCE_CONSERVING, u0, u, 1, 0, A));
  CHECK_LESS(matrix_error(p.model, A, internal_of, u0, u), 1e-7);
  CHECK_OK(MatDestroy(&A));
  CHECK_OK(PetscFree2(u, f));
  CHECK_OK(PetscFree2(u0, unused));
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s\n", type);
}

static void test_refusals(void)
{
  Problem p;

  CHECK_REFUSED(open_block(&p, "Q4", "neo-hookean", "{on: b.rigt, traction: [0, 1]}"),
                "did you mean \"right\"");
  CHECK_REFUSED(open_block(&p, "Q4", "neo-hookean", "{on: b.right, at: [0, 0], traction: [0, 1]}"),
                "for a single node use force");
  CHECK_REFUSED(open_block(&p, "Q4", "neo-hookean", "{on: b.right, traction: [0, 1, 2]}"), "2");
  CHECK_REFUSED(open_block(&p, "Q4", "neo-hookean", "{traction: [0, 1]}"), "needs the key \"on\"");
  CHECK_REFUSED(open_block(&p, "Q4", "neo-hookean", "{on: b, gravity: [0, 1]}"), "every body");
  CHECK_REFUSED(open_block(&p, "Q4", "neo-hookean", "{on: b.top, pressure: 1, traction: [0, 1]}"),
                "two conditions");
  CHECK_REFUSED(open_block(&p, "Q4", "neo-hookean", "{on: b.top, pressure: 1, from: 2, until: 1}"),
                "after");
  CHECK_REFUSED(open_block(&p, "Q4", "neo-hookean", "{on: b.top}"), "neither a support");
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (int k = 0; k < CR_NCELLS; k++) {
    const char *type = CrCells[k].name;

    test_surface_load(type, CrCells[k].dim == 2 ? "traction: [3, -2]" : "traction: [3, -2, 0]",
                      CrCells[k].dim == 2 ? 0.5 : 1);
    test_surface_load(type, CrCells[k].dim == 2 ? "force: [3, -2]" : "force: [3, -2, 0]", 1);
    test_closed_pressure(type);
    test_matrices(type);
    if (CrCells[k].dim == 2) test_pressure_work(type);
  }
  test_node_force();
  test_window();
  test_linear_pressure();
  test_refusals();
  return check_end();
}

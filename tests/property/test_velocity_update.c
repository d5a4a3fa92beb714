/* The velocity update from outside: a run without it, to whose velocities the test adds the impulses
   itself, with a dense system of its own. Built on the end of the step they are those of the method,
   and energy and momenta stand; built on the middle they keep energy and linear momentum too, but
   not the angular momentum (LL03 3.7): what the ends are for. */
#include "cone/impulse.h"
#include "contact/springs/springs.h"
#include "model_from_text.h"

typedef struct {
  const char *name, *deck;
  PetscReal   h;
  PetscInt    n;
} Case;

#define SVK "{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 2}"

/* Free, lumped, coming down at an angle and turning. */
static const Case cases[] = {
    {"blocks in the plane",
     "dimension: 2\nmaterials: [" SVK "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [3, -2], spin: 2, mesh: {block: {from: [-0.6, 0.033], "
     "to: [0.6, 0.8], elements: [5, 3]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [8, "
     "3]}}}\n"
     "contact: [{between: [a.bottom, b.top], friction: 0.4, normal_penalty: 2.0e4, "
     "tangential_penalty: 2.0e4}]\n",
     0.02, 30},
    {"blocks in space",
     "dimension: 3\nmaterials: [" SVK "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [3, 1, -1.5], spin: [0, 1, 2], mesh: {block: {from: "
     "[-0.5, -0.6, 0.033], to: [0.7, 0.5, 1], elements: [2, 2, 1]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], "
     "elements: [5, 5, 1]}}}\n"
     "contact: [{between: [a.bottom, b.top], friction: 0.4, normal_penalty: 2.0e4, "
     "tangential_penalty: 2.0e4}]\n",
     0.02, 20},
};

typedef enum { NONE, AT_END, AT_MIDDLE } Place;

#define MOST_POINTS 64

static PetscErrorCode open_case(Problem *p, const Case *c, const char *update)
{
  PetscFunctionBeginUser;
  PetscCall(problem_open(p,
                         "carom: 1\n%stime: {method: velocity-update, update: %s, step: %.17g, "
                         "end: %.17g}\n",
                         c->deck, update, (double)c->h, (double)(c->h * (PetscReal)c->n)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sum of m |x| |v|: what angular momentum is measured by. */
static PetscReal turning_scale(const Problem *p)
{
  PetscReal *v = copy_of(p->model, p->state->v), sum = 0;
  PetscInt   dim = p->model->dim;

  for (PetscInt A = 0; A < p->model->nowned; A++) {
    PetscReal x2 = 0, v2 = 0;

    for (PetscInt i = 0; i < dim; i++) {
      x2 += PetscSqr(p->model->X[dim * A + i]);
      v2 += PetscSqr(v[dim * A + i]);
    }
    sum += p->model->row_mass[A] * PetscSqrtReal(x2 * v2);
  }
  CHECK_OK(PetscFree(v));
  return sum;
}

/* G of a point, all dofs; nodes that are named twice add. */
static void spread_out(const CrImpulsePoint *point, PetscInt dim, PetscInt n, PetscReal *G)
{
  memset(G, 0, sizeof(PetscReal) * (size_t)n);
  for (PetscInt a = 0; a < point->n; a++)
    for (PetscInt i = 0; i < dim; i++) G[dim * point->nodes[a] + i] += point->G[dim * a + i];
}

/* v += M^-1 sum j G with j of the full system (LL03 74, 75). */
static void kick(const CrModel *model, PetscInt n, const CrImpulsePoint *points, PetscReal *v)
{
  static PetscReal A[MOST_POINTS * MOST_POINTS], b[MOST_POINTS], c[MOST_POINTS], j[MOST_POINTS];
  static PetscInt  start[MOST_POINTS + 1], column[MOST_POINTS * MOST_POINTS];
  CrImpulseSystem  system = {n, start, column, A, b, c};
  PetscInt         dim = model->dim, m = model->nowned * dim;
  PetscReal       *G = malloc(sizeof(PetscReal) * (size_t)(n * m));
  CrImpulseReport  found;

  for (PetscInt k = 0; k < n; k++) spread_out(&points[k], dim, m, G + k * m);
  for (PetscInt k = 0; k < n; k++) {
    start[k] = k * n;
    b[k] = 0;
    c[k] = points[k].work;
    for (PetscInt r = 0; r < m; r++) b[k] += G[k * m + r] * v[r];
    for (PetscInt l = 0; l < n; l++) {
      column[k * n + l] = l;
      A[k * n + l] = 0;
      for (PetscInt r = 0; r < m; r++)
        A[k * n + l] += G[k * m + r] * G[l * m + r] / (2 * model->row_mass[r / dim]);
    }
    CHECK(c[k] <= 0); /* LL03 table 1: contact work is never positive */
  }
  start[n] = n * n;
  CHECK_OK(CrImpulseSolve(&system, j, &found));
  for (PetscInt k = 0; k < n; k++) {
    CHECK(j[k] > 0);
    for (PetscInt r = 0; r < m; r++) v[r] += j[k] * G[k * m + r] / model->row_mass[r / dim];
  }
  free(G);
}

/* What the points of the last step say, at the end or in the middle of it, goes into the velocities. */
static PetscErrorCode update_outside(Problem *p, const PetscReal *u0, Place place)
{
  CrImpulsePoint points[MOST_POINTS];
  PetscInt       n;
  PetscReal     *v, *u = copy_of(p->model, p->state->u);

  PetscFunctionBeginUser;
  PetscCheck(p->contact->work->ntouches <= MOST_POINTS, PETSC_COMM_SELF, PETSC_ERR_PLIB, "room");
  for (PetscInt r = 0; place == AT_MIDDLE && r < p->model->nlocal * p->model->dim; r++)
    u[r] = (u0[r] + u[r]) / 2;
  CHECK(CrContactImpulses(p->contact, u, &n, points));
  PetscCall(VecGetArray(p->state->v, &v));
  if (n) kick(p->model, n, points, v);
  PetscCall(VecRestoreArray(p->state->v, &v));
  PetscCall(PetscFree(u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One step and its row of the audit. */
static PetscErrorCode advance(Problem *p, PetscReal h, Place place, CrStepReport *report)
{
  PetscReal *u0 = copy_of(p->model, p->state->u);

  PetscFunctionBeginUser;
  *report = (CrStepReport){0};
  PetscCall(CrIntegratorStep(p->it, p->model, p->state, h, report));
  CHECK(report->reason == CR_STEP_OK);
  if (place != NONE) PetscCall(update_outside(p, u0, place));
  PetscCall(CrAuditRow(p->model, p->state, h, report, p->audit));
  PetscCall(PetscFree(u0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Until the third step with contact the method and the test agree; later single nodes may be pressed or
   not by rounding. */
static void test_same_as_method(const Case *c)
{
  Problem      inside, outside;
  CrStepReport report;
  PetscInt     touched = 0;

  CHECK_OK(open_case(&inside, c, "local"));
  CHECK_OK(open_case(&outside, c, "off"));
  for (PetscInt k = 0; k < c->n && touched < 3; k++) {
    PetscReal *v, *w, worst = 0;

    CHECK_OK(advance(&inside, c->h, NONE, &report));
    CHECK_OK(advance(&outside, c->h, AT_END, &report));
    touched += report.contacts > 0;
    v = copy_of(inside.model, inside.state->v);
    w = copy_of(outside.model, outside.state->v);
    for (PetscInt r = 0; r < inside.model->nowned * inside.model->dim; r++)
      worst = PetscMax(worst, PetscAbsReal(v[r] - w[r]));
    CHECK_LESS(worst, 1e-8);
    CHECK_OK(PetscFree(v));
    CHECK_OK(PetscFree(w));
  }
  CHECK(touched == 3);
  CHECK_OK(problem_close(&inside));
  CHECK_OK(problem_close(&outside));
}

static void run_outside(const Case *c, Place place, PetscReal *balance, PetscReal *linear,
                        PetscReal *angular)
{
  Problem      p;
  CrStepReport report;
  PetscInt     touched = 0;
  PetscReal    scale;

  CHECK_OK(open_case(&p, c, "off"));
  scale = turning_scale(&p);
  for (PetscInt k = 0; k < c->n; k++) {
    CHECK_OK(advance(&p, c->h, place, &report));
    touched += report.contacts > 0;
  }
  CHECK(touched > 2);
  CHECK(p.audit->friction_loss > 1e-3 * p.audit->energy0);
  *balance = p.audit->balance_max / p.audit->energy0;
  *linear = p.audit->momentum_drift / scale;
  *angular = p.audit->angular_drift / scale;
  printf("%s, %s: balance %.1e, linear %.1e, angular %.1e\n", c->name,
         place == AT_END ? "end" : (place == AT_MIDDLE ? "middle" : "none"), (double)*balance,
         (double)*linear, (double)*angular);
  CHECK_OK(problem_close(&p));
}

static void test_where_impulses_act(const Case *c)
{
  PetscReal balance, linear, angular, wrong;

  run_outside(c, NONE, &balance, &linear, &angular);
  CHECK(balance > 1e-4); /* without the update energy is lost */
  CHECK_LESS(linear, 1e-12);
  CHECK_LESS(angular, 1e-11);
  run_outside(c, AT_END, &balance, &linear, &angular);
  CHECK_LESS(balance, 1e-10);
  CHECK_LESS(linear, 1e-12);
  CHECK_LESS(angular, 1e-11);
  run_outside(c, AT_MIDDLE, &balance, &linear, &wrong);
  CHECK_LESS(balance, 1e-10);
  CHECK_LESS(linear, 1e-12);
  CHECK(wrong > 1e-5);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    test_same_as_method(&cases[k]);
    test_where_impulses_act(&cases[k]);
  }
  return check_end();
}

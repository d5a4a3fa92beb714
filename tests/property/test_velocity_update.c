/* The velocity update from outside: a run without it, to whose velocities the test adds the impulses
   itself, with a dense system of its own, along tractions (LL03) or in parts with friction of their own. Built on the
   end of the step they are those of the method, and energy and momenta stand; built on the middle they keep energy and
   linear momentum too, but not the angular momentum (LL03 3.7): what the ends are for. */
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

/* By CrImpulseKind: the word of the deck. */
static const char *const words[] = {
    [CR_IMPULSE_TRACTION] = "paper", [CR_IMPULSE_PARTS] = "coulomb"};

#define MOST_POINTS 64

static PetscErrorCode open_case(Problem *p, const Case *c, CrImpulseKind kind, const char *update)
{
  PetscFunctionBeginUser;
  PetscCall(problem_open(p,
                         "carom: 1\n%stime: {method: velocity-update, impulse_friction: %s, "
                         "update: %s, step: %.17g, end: %.17g}\n",
                         c->deck, words[kind], update, (double)c->h,
                         (double)(c->h * (PetscReal)c->n)));
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

/* Part q of a point, all dofs; nodes that are named twice add. */
static void spread_out(const CrImpulsePoint *point, PetscInt q, PetscInt dim, PetscInt n,
                       PetscReal *G)
{
  memset(G, 0, sizeof(PetscReal) * (size_t)n);
  for (PetscInt a = 0; a < point->n; a++)
    for (PetscInt i = 0; i < dim; i++) G[dim * point->nodes[a] + i] += point->along[q][dim * a + i];
}

/* A dense system of all parts of all points. */
typedef struct {
  PetscInt  rows, m, start[3 * MOST_POINTS + 1], column[9 * MOST_POINTS * MOST_POINTS];
  PetscReal A[9 * MOST_POINTS * MOST_POINTS], b[3 * MOST_POINTS], r[3 * MOST_POINTS];
  PetscReal u[3 * MOST_POINTS], c[MOST_POINTS], mu[MOST_POINTS], *G;
} Dense;

static void fill_dense(const CrModel *model, PetscInt n, const CrImpulsePoint *points,
                       const PetscReal *v, Dense *d)
{
  PetscInt dim = model->dim, parts = points[0].parts, rows = parts * n, m = model->nowned * dim;

  d->rows = rows;
  d->m = m;
  d->G = malloc(sizeof(PetscReal) * (size_t)(rows * m));
  for (PetscInt k = 0; k < rows; k++)
    spread_out(&points[k / parts], k % parts, dim, m, d->G + k * m);
  for (PetscInt k = 0; k < rows; k++) {
    d->start[k] = k * rows;
    d->b[k] = 0;
    for (PetscInt r = 0; r < m; r++) d->b[k] += d->G[k * m + r] * v[r];
    for (PetscInt l = 0; l < rows; l++) {
      d->column[k * rows + l] = l;
      d->A[k * rows + l] = 0;
      for (PetscInt r = 0; r < m; r++)
        d->A[k * rows + l] += d->G[k * m + r] * d->G[l * m + r] / (2 * model->row_mass[r / dim]);
    }
  }
  d->start[rows] = rows * rows;
}

/* The friction of the impulses: Coulomb's law, and what it takes. */
static PetscReal check_friction(PetscInt dim, PetscReal mu, const PetscReal *r, const PetscReal *u)
{
  PetscReal size = 0, lost = 0;

  for (PetscInt q = 1; q < dim; q++) {
    size += r[q] * r[q];
    lost -= r[q] * u[q];
  }
  CHECK_LESS(PetscSqrtReal(size) - mu * r[0], 1e-12 * (1 + r[0]));
  CHECK(lost > -1e-12);
  return lost;
}

/* v += M^-1 sum r G with r of the full system (LL03 74, 75); returns what friction takes. */
static PetscReal kick(const CrModel *model, PetscInt n, const CrImpulsePoint *points, PetscReal *v)
{
  static Dense d;
  PetscInt     dim = model->dim;
  PetscReal    lost = 0;

  fill_dense(model, n, points, v, &d);
  for (PetscInt l = 0; l < n; l++) {
    d.c[l] = points[l].work;
    d.mu[l] = points[l].friction;
    CHECK(d.c[l] <= 0); /* LL03 table 1: contact work is never positive */
  }
  if (points[0].parts == 1) {
    CrImpulseReport found;

    CHECK_OK(CrImpulseSolve(&(CrImpulseSystem){n, d.start, d.column, d.A, d.b, d.c}, d.r, &found));
  } else {
    CrRubbingReport found;

    CHECK_OK(CrRubbingSolve(&(CrRubbingSystem){n, dim, d.start, d.column, d.A, d.b, d.c, d.mu}, d.r,
                            d.u, &found));
    CHECK(found.converged);
    for (PetscInt l = 0; l < n; l++)
      lost += check_friction(dim, d.mu[l], d.r + dim * l, d.u + dim * l);
  }
  for (PetscInt k = 0; k < d.rows; k++) {
    CHECK(k % points[0].parts || d.r[k] > 0);
    for (PetscInt r = 0; r < d.m; r++) v[r] += d.r[k] * d.G[k * d.m + r] / model->row_mass[r / dim];
  }
  free(d.G);
  return lost;
}

/* What the points of the last step say, at the end or in the middle of it, goes into the velocities. */
static PetscErrorCode update_outside(Problem *p, CrImpulseKind kind, const PetscReal *u0,
                                     Place place, CrStepReport *report)
{
  CrImpulsePoint points[MOST_POINTS];
  PetscInt       n;
  PetscBool      found;
  PetscReal     *v, *u = copy_of(p->model, p->state->u);

  PetscFunctionBeginUser;
  PetscCheck(p->contact->work->ntouches <= MOST_POINTS, PETSC_COMM_SELF, PETSC_ERR_PLIB, "room");
  for (PetscInt r = 0; place == AT_MIDDLE && r < p->model->nlocal * p->model->dim; r++)
    u[r] = (u0[r] + u[r]) / 2;
  CHECK_OK(CrContactImpulses(p->contact, kind, u, &n, points, &found));
  CHECK(found);
  for (PetscInt l = 0; l < n; l++) CHECK(points[l].bounces);
  PetscCall(VecGetArray(p->state->v, &v));
  if (n) report->friction_loss += kick(p->model, n, points, v);
  PetscCall(VecRestoreArray(p->state->v, &v));
  PetscCall(PetscFree(u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One step and its row of the audit. */
static PetscErrorCode advance(Problem *p, CrImpulseKind kind, PetscReal h, Place place,
                              CrStepReport *report)
{
  PetscReal *u0 = copy_of(p->model, p->state->u);

  PetscFunctionBeginUser;
  *report = (CrStepReport){0};
  PetscCall(CrIntegratorStep(p->it, p->model, p->state, h, report));
  CHECK(report->reason == CR_STEP_OK);
  if (place != NONE) PetscCall(update_outside(p, kind, u0, place, report));
  PetscCall(CrAuditRow(p->model, p->state, h, report, p->audit));
  PetscCall(PetscFree(u0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Until the third step with contact the method and the test agree; later single nodes may be pressed or
   not by rounding. */
static void test_same_as_method(const Case *c, CrImpulseKind kind)
{
  Problem      inside, outside;
  CrStepReport report;
  PetscInt     touched = 0;

  CHECK_OK(open_case(&inside, c, kind, "local"));
  CHECK_OK(open_case(&outside, c, kind, "off"));
  for (PetscInt k = 0; k < c->n && touched < 3; k++) {
    PetscReal *v, *w, worst = 0;

    CHECK_OK(advance(&inside, kind, c->h, NONE, &report));
    CHECK_OK(advance(&outside, kind, c->h, AT_END, &report));
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

static void run_outside(const Case *c, CrImpulseKind kind, Place place, PetscReal *balance,
                        PetscReal *linear, PetscReal *angular)
{
  Problem      p;
  CrStepReport report;
  PetscInt     touched = 0;
  PetscReal    scale;

  CHECK_OK(open_case(&p, c, kind, "off"));
  scale = turning_scale(&p);
  for (PetscInt k = 0; k < c->n; k++) {
    CHECK_OK(advance(&p, kind, c->h, place, &report));
    touched += report.contacts > 0;
  }
  CHECK(touched > 2);
  CHECK(p.audit->friction_loss > 1e-3 * p.audit->energy0);
  *balance = p.audit->balance_max / p.audit->energy0;
  *linear = p.audit->momentum_drift / scale;
  *angular = p.audit->angular_drift / scale;
  printf("%s, %s, %s: balance %.1e, linear %.1e, angular %.1e\n", c->name, words[kind],
         place == AT_END ? "end" : (place == AT_MIDDLE ? "middle" : "none"), (double)*balance,
         (double)*linear, (double)*angular);
  CHECK_OK(problem_close(&p));
}

static void test_where_impulses_act(const Case *c, CrImpulseKind kind)
{
  PetscReal balance, linear, angular, wrong;

  run_outside(c, kind, NONE, &balance, &linear, &angular);
  CHECK(balance > 1e-4); /* without the update energy is lost */
  CHECK_LESS(linear, 1e-12);
  CHECK_LESS(angular, 1e-11);
  run_outside(c, kind, AT_END, &balance, &linear, &angular);
  CHECK_LESS(balance, 1e-10);
  CHECK_LESS(linear, 1e-12);
  CHECK_LESS(angular, 1e-11);
  run_outside(c, kind, AT_MIDDLE, &balance, &linear, &wrong);
  CHECK_LESS(balance, 1e-10);
  CHECK_LESS(linear, 1e-12);
  CHECK(wrong > 1e-5);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (int kind = CR_IMPULSE_TRACTION; kind <= CR_IMPULSE_PARTS; kind++) {
      test_same_as_method(&cases[k], (CrImpulseKind)kind);
      test_where_impulses_act(&cases[k], (CrImpulseKind)kind);
    }
  return check_end();
}

/* Rigid bodies of finite mass in a quasi-static analysis (theory 9.5): forces and moments balance at the end of every
   step. Settlements against closed formulas, a press that lets go, derivatives against differences, bodies that nothing
   holds. */
#include "base/vector.h"
#include "contact/partners/partners.h"
#include "contact/springs/springs.h"
#include "integrate/middle.h"
#include "model_from_text.h"

#define METHODS 3
static const char *const methods[METHODS] = {"dissipative", "midpoint", "newmark"};

#define COLUMN                                                                                      \
  "carom: 1\ndimension: 3\nmaterials: [{name: m, model: linear, young: 1000, poisson: 0, density: " \
  "1.0e-9}]\nbodies:\n"                                                                             \
  "  - {name: block, material: m, mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, " \
  "2]}}}\n"

/* ---- settlements ------------------------------------------------------------------------------ */

/* A heavy plate on a column of section A and height H: it sinks by the weight over the stiffness E A/H, and by the weight
   over the springs of contact. Nodes at the rim of the top have less area, so springs are counted. */
static void test_weight(const char *method)
{
  const PetscReal M = 2, g = 10, kn = 1e5;
  PetscReal       springs = 0, sunk;
  Problem         p;
  CrStepReport    report;

  CHECK_OK(
      problem_open(&p,
                   COLUMN
                   "  - {name: plate, rigid: {box: {size: [1.4, 1.4, 0.5]}, mass: 2}, position: "
                   "[0.5, 0.5, 1.25]}\n"
                   "contact: [{between: [block.top, plate], normal_penalty: 1.0e+5}]\n"
                   "conditions: [{\"on\": block.bottom, fix: [x, y, z]}, {gravity: [0, 0, -10]}]\n"
                   "time: {method: %s, analysis: quasi-static, step: 0.5, end: 1}\n",
                   method));
  CHECK_OK(problem_step(&p, 0.5, &report));
  CHECK(report.reason == CR_STEP_OK);
  CHECK(report.iterations <= 4);
  for (PetscInt t = 0; t < p.contact->work->ntouches; t++)
    if (p.contact->work->touches[t].out.p > 0) springs += kn * p.contact->work->touches[t].weight;
  sunk = M * g / 1000 + M * g / springs;
  CHECK_NEAR(springs, 0.887 * kn, 0.001 * kn); /* shares 1.96/(1.96 + 0.25) of the area */
  CHECK_NEAR(p.state->rigid->x[2], 1.25 - sunk, 1e-9);
  CHECK_NEAR(p.state->rigid->x[0], 0.5, 1e-9);
  CHECK(p.state->rigid->v[2] == 0);
  CHECK_LESS(p.audit->balance_max, 1e-9 * M * g * sunk); /* the weight came at once and faded in */
  CHECK_OK(problem_close(&p));
}

/* The same under exact laws, without springs: the weight over the stiffness of the column, and the plate lies on it. */
static void test_exact_weight(void)
{
  const PetscReal M = 2, g = 10, sunk = M * g / 1000;
  PetscReal       force[3] = {0};
  Problem         p;
  CrStepReport    report;

  CHECK_OK(
      problem_open(&p, COLUMN
                   "  - {name: plate, rigid: {box: {size: [1.4, 1.4, 0.5]}, mass: 2}, position: "
                   "[0.5, 0.5, 1.25]}\n"
                   "contact: [{between: [block.top, plate]}]\n"
                   "conditions: [{\"on\": block.bottom, fix: [x, y, z]}, {gravity: [0, 0, -10]}]\n"
                   "time: {method: bipotential, analysis: quasi-static, step: 0.5, end: 1}\n"));
  CHECK_OK(problem_step(&p, 0.5, &report));
  CHECK(report.reason == CR_STEP_OK);
  CHECK(report.iterations <= 12);
  for (int i = 0; i < 3; i++) force[i] = p.contact->work->partners[0].force[i];
  CHECK_NEAR(force[2], M * g, 1e-9 * M * g);
  CHECK_NEAR(force[0], 0, 1e-9 * M * g);
  CHECK_LESS(v_length(p.contact->work->partners[0].torque), 1e-9 * M * g);
  CHECK_NEAR(p.state->rigid->x[2], 1.25 - sunk, 1e-9);
  CHECK_NEAR(p.state->rigid->x[0], 0.5, 1e-8);
  CHECK(p.state->rigid->v[2] == 0);
  CHECK_LESS(p.audit->balance_max, 1e-8 * M * g * sunk); /* the weight came at once and faded in */
  CHECK_LESS(report.max_penetration, 1e-10);
  CHECK_OK(problem_close(&p));
}

static PetscErrorCode open_beam(Problem *p, const char *method, const char *friction)
{
  return problem_open(
      p,
      "carom: 1\ndimension: 2\nplane: stress\nmaterials: [{name: m, model: linear, young: 2500, "
      "poisson: 0, density: 1.0e-9}]\nbodies:\n"
      "  - {name: left, material: m, mesh: {block: {from: [-1.02, 0], to: [-0.98, 1], elements: [1, "
      "4]}}}\n"
      "  - {name: right, material: m, mesh: {block: {from: [0.98, 0], to: [1.02, 1], elements: [1, "
      "4]}}}\n"
      "  - {name: beam, rigid: {box: {size: [3, 0.2]}, mass: 3}, position: [0.25, 1.1]}\n"
      "contact:\n  - {between: [left.top, beam], normal_penalty: 1.0e+6%s}\n"
      "  - {between: [right.top, beam], normal_penalty: 1.0e+6%s}\n"
      "conditions: [{\"on\": left.bottom, fix: [x, y]}, {\"on\": left, fix: [x]}, {\"on\": right, fix: "
      "[x]}, {\"on\": right.bottom, fix: [x, y]}, {gravity: [0, -1], ramp: [0, 1]}]\n"
      "time: {method: %s, analysis: quasi-static, step: 0.25, end: 1}\n",
      friction, friction, method);
}

/* A beam whose mass centre stands at a = 0.25 between two columns at -1 and 1 presses them by its weight times (1 -+ a)/2.
   They settle by that over E A, and the beam tilts. It tilts the tops of the columns too, whose width of 0.04 resists
   that: 3 % are left to it. Under exact laws the beam may rest on the right edges of both columns alone, and then a is
   less by half their width. */
static void test_balance_beam(const char *method)
{
  const PetscReal stiff = 2500 * 0.04, F = 3, a = 0.25;
  Problem         p;
  PetscReal       tilt;

  CHECK_OK(open_beam(&p, method, ", friction: 0.3"));
  CHECK_OK(problem_run(&p, 4, 0.25));
  tilt = p.state->rigid->angle[0];
  if (strcmp(method, "bipotential"))
    CHECK_NEAR(tilt, -F * a / 2 / stiff, 0.03 * F * a / 2 / stiff);
  else
    CHECK(-tilt < F * a / 2 / stiff && -tilt > F * (a - 0.02) / 2 / stiff);
  CHECK_NEAR(p.state->rigid->x[1], 1.1 - F / 2 / stiff + 0.25 * tilt, 3e-4);
  CHECK_LESS(p.audit->balance_max, 0.02 * F * F / 2 / stiff);
  CHECK_OK(problem_close(&p));
}

/* Without friction the tilted beam would slide off: there is no equilibrium. */
static void test_slides_off(const char *method)
{
  Problem      p;
  CrStepReport report;

  CHECK_OK(open_beam(&p, method, ""));
  CHECK_OK(problem_step(&p, 0.25, &report));
  CHECK(report.reason < 0);
  CHECK(strstr(p.it->blame, "rigid body beam has no equilibrium"));
  CHECK_OK(problem_close(&p));
}

/* ---- a press ---------------------------------------------------------------------------------- */

static PetscErrorCode open_press(Problem *p, const char *method, const char *shape, const char *at,
                                 const char *friction)
{
  return problem_open(
      p,
      "carom: 1\ndimension: 2\nmaterials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, "
      "density: 1}]\nbodies:\n"
      "  - {name: block, material: m, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [9, "
      "3]}}}\n"
      "  - {name: tool, rigid: {%s, mass: 1}, position: %s}\n"
      "contact: [{between: [block.top, tool]%s}]\n"
      "conditions: [{\"on\": block.bottom, fix: [x, y]}, {\"on\": tool, force: [0, -60], ramp: [0, "
      "0.5], until: 0.5}]\n"
      "time: {method: %s, analysis: quasi-static, step: 0.1, end: 1, tolerance: 1.0e-11}\n",
      shape, at, friction, method);
}

/* A tool is pressed in by a force and let go: the force of contact is that of the load, and afterwards nothing is strained
   and nothing stored. */
static void test_press(const char *method, const char *shape, const char *friction)
{
  Problem      p;
  CrStepReport report;
  PetscInt     most = 0;

  CHECK_OK(open_press(&p, method, shape, "[0.07, 0.4]", friction));
  for (int k = 1; k <= 6; k++) {
    CHECK_OK(problem_step(&p, 0.1, &report));
    CHECK(report.reason == CR_STEP_OK);
    most = PetscMax(most, report.iterations);
    if (k < 5) CHECK_NEAR(p.contact->work->partners[0].force[1], 12. * k, 1e-7);
    if (k == 4) CHECK_LESS(0.1, p.audit->strain);
  }
  CHECK(most <= (strcmp(method, "bipotential") ? 20 : 60));
  CHECK_LESS(p.audit->strain, 1e-12);
  CHECK_LESS(p.audit->penalty, 1e-12);
  printf("%s, press with %s%s: %d iterations at most\n", method, shape, friction, (int)most);
  CHECK_OK(problem_close(&p));
}

/* ---- derivatives ------------------------------------------------------------------------------ */

/* The derivative of the body's residual by its unknowns, against differences, where the press is on its way. */
static void test_derivative(const char *shape, const char *at, PetscInt steps, const char *friction)
{
  const PetscReal    h = 1e-6;
  Problem            p;
  CrContactLaw       law = CrLaw_rest_penalty;
  CrContactStep      step;
  CrPartner         *body;
  PetscReal         *u1 = NULL, *du = NULL, K[36] = {0}, worst = 0, greatest = 0;
  const PetscScalar *u0;
  PetscInt           n, pressed = 0;
  CrContact         *c;

  CHECK_OK(open_press(&p, "dissipative", shape, at, friction));
  CHECK_OK(problem_run(&p, steps, 0.1));
  c = p.contact;
  n = p.model->nlocal * p.model->dim;
  CHECK_OK(PetscCalloc2(n, &u1, n, &du));
  CHECK_OK(VecGetArrayRead(p.state->u, &u0));
  for (PetscInt k = 0; k < n; k++) {
    du[k] = 1e-3 * sin((double)(3 * k));
    u1[k] = u0[k] + du[k];
  }
  CHECK_OK(CrContactBeginRigid(c, p.state->rigid, 0.3, 0.1));
  CHECK_OK(CrContactBegin(c, u0, du, NULL, 0.3, 0.1));
  body = &c->work->partners[0];
  body->move[0] = 1e-3, body->move[1] = -4e-3, body->turn[2] = 0.03;
  step = (CrContactStep){.law = &law, .u = u1, .end = u1, .du = du, .slide = du, .slide_factor = 1};
  CrPartnerEvaluate(c, 0, u0, &step, PETSC_TRUE);
  for (PetscInt t = 0; t < c->work->ntouches; t++) {
    const CrTouch *touch = &c->work->touches[t];

    if (touch->idle || touch->out.status == CR_OPEN) continue;
    c->passes[touch->pass].ops->turn(c, touch, &step, K);
    pressed++;
  }
  CHECK(pressed > 0);
  for (int j = 0; j < 6; j++) {
    PetscReal *z = j < 3 ? &body->move[j] : &body->turn[j - 3], keep = *z, r[2][6];

    if (!body->is_free[j]) continue;
    for (int side = 0; side < 2; side++) {
      *z = keep + (side ? h : -h);
      CrPartnerEvaluate(c, 0, u0, &step, PETSC_FALSE);
      for (int i = 0; i < 6; i++) r[side][i] = body->residual[i];
    }
    *z = keep;
    for (int i = 0; i < 6; i++) {
      PetscReal slope = (r[1][i] - r[0][i]) / (2 * h);

      if (!body->is_free[i]) continue;
      worst = PetscMax(worst, PetscAbsReal(K[6 * i + j] - slope));
      greatest = PetscMax(greatest, PetscAbsReal(slope));
    }
  }
  CHECK_LESS(worst, 1e-7 * greatest);
  printf("derivative, %s%s: %.1e of %.3g, %d points\n", shape, friction, (double)worst,
         (double)greatest, (int)pressed);
  CHECK_OK(VecRestoreArrayRead(p.state->u, &u0));
  CHECK_OK(PetscFree2(u1, du));
  CHECK_OK(problem_close(&p));
}

/* ---- smaller than a facet ---------------------------------------------------------------------- */

/* A disk stands off the middle of a facet, and touches no node. Two smooth walls keep it from rolling down the slope that
   it makes. Each end of the top has the stiffness E A/(2 H) = 500. So a load W at s of the top, whose ends are 0 and 1,
   makes the slope W (1 - 2 s)/500. The disk touches at its centre's place plus the radius times the slope. The left wall
   pushes by W times the slope. The point carries the weight, its spring is compressed by the weight over its stiffness,
   and the middle of the top sinks by W/1000. */
static void test_small_disk(const char *method)
{
  const PetscReal weight = 2, kn = 1e5, rate = weight / 500;
  const PetscReal slope = rate * (1 - 2 * 0.4) / (1 + 2 * rate * 0.1), s = 0.4 + 0.1 * slope;
  const PetscBool exact = !strcmp(method, "bipotential");
  PetscInt        pressed = 0;
  PetscReal       down, middle;
  Problem         p;
  CrStepReport    report;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 2\nplane: stress\nmaterials: [{name: m, model: linear, young: 1000, "
      "poisson: 0, density: 1.0e-9}]\nbodies:\n"
      "  - {name: block, material: m, mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}}\n"
      "  - {name: disk, rigid: {disk: {radius: 0.1}, mass: 0.2}, position: [0.4, 1.1]}\n"
      "obstacles: [{name: left, plane: {point: [0.3, 0], normal: [1, 0]}}, {name: right, plane: "
      "{point: [0.5, 0], normal: [-1, 0]}}]\n"
      "contact: [{between: [block.top, disk], normal_penalty: 1.0e+5}, {between: [disk, left], "
      "normal_penalty: 1.0e+6}, {between: [disk, right], normal_penalty: 1.0e+6}]\n"
      "conditions: [{\"on\": block.bottom, fix: [x, y]}, {\"on\": block, fix: [x]}, {gravity: [0, "
      "-10]}]\n"
      "time: {method: %s, analysis: quasi-static, step: 0.5, end: 1}\n",
      method));
  CHECK_OK(problem_step(&p, 0.5, &report));
  CHECK(report.reason == CR_STEP_OK);
  CR_EACH_TOUCH (touch, p.contact) {
    if (touch->idle || !(touch->out.p > 0)) continue;
    if (p.contact->passes[touch->pass].kind == CR_POINT_ON_WALL) {
      if (!exact) CHECK_NEAR(touch->weight * touch->out.p, weight * slope, 1e-5 * weight * slope);
      CHECK(touch->k.nu[0] > 0);
      continue;
    }
    CHECK(p.contact->passes[touch->pass].kind == CR_POINT_ON_FACET);
    CHECK_NEAR(touch->k.nu[0], -slope, 1e-5 * slope);
    CHECK_NEAR(touch->k.gap, exact ? 0 : -weight / kn / touch->weight, 1e-5 * weight / kn);
    pressed++;
  }
  CHECK(pressed == 1);
  middle = 1.1 - weight / 1000 - (exact ? 0 : weight / kn / 0.5);
  down = middle + (s - 0.5) * slope;
  CHECK_NEAR(p.state->rigid->x[1], down, 1e-7); /* 0.1 (1/cos - 1) of the slope is 3e-8 */
  CHECK_OK(problem_close(&p));
}

/* ---- nothing holds it ------------------------------------------------------------------------- */

static void test_unheld(const char *method)
{
  Problem      p;
  CrStepReport report;

  CHECK_OK(
      problem_open(&p,
                   COLUMN
                   "  - {name: plate, rigid: {box: {size: [1.4, 1.4, 0.5]}, mass: 2}, position: "
                   "[0.5, 0.5, 3]}\n"
                   "contact: [{between: [block.top, plate]}]\n"
                   "conditions: [{\"on\": block.bottom, fix: [x, y, z]}, {gravity: [0, 0, -10]}]\n"
                   "time: {method: %s, analysis: quasi-static, step: 0.5, end: 1}\n",
                   method));
  CHECK_OK(problem_step(&p, 0.5, &report));
  CHECK(report.reason < 0);
  CHECK(strstr(p.it->blame, "rigid body plate has no equilibrium: no support or contact balances"));
  CHECK(p.state->rigid->x[2] == 3);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  static const char *const shapes[] = {
      "box: {size: [0.5657, 0.8]}", "disk: {radius: 0.4}",
      "polygon: {points: [[-0.5, -0.4], [0.5, -0.4], [0.3, 0.6]]}"};
  static const char *const frictions[] = {"", ", friction: 0.3"};

  if (check_start(argc, argv)) return 1;
  for (int m = 0; m < METHODS; m++) {
    test_weight(methods[m]);
    test_balance_beam(methods[m]);
  }
  for (int s = 0; s < 3; s++)
    for (int f = s != 1; f < 2; f++) { /* a flat side stands askew, and needs friction */
      test_press("dissipative", shapes[s], frictions[f]);
      test_press("bipotential", shapes[s], frictions[f]);
      test_derivative(shapes[s], "[0.07, 0.4]", 3, frictions[f]);
    }
  for (int f = 0; f < 2; f++) { /* between two nodes, without the load that would push them away */
    test_derivative("disk: {radius: 0.1}", "[0.07, 0.1]", 0, frictions[f]);
    test_derivative("ellipse: {semi_axes: [0.08, 0.1]}", "[0.07, 0.1]", 0, frictions[f]);
  }
  for (int m = 0; m < METHODS; m++) test_small_disk(methods[m]);
  test_small_disk("bipotential");
  test_exact_weight();
  test_balance_beam("bipotential");
  test_slides_off("dissipative");
  test_slides_off("bipotential");
  test_unheld("dissipative");
  test_unheld("bipotential");
  return check_end();
}

/* Supports: what they prescribe, when, and which decks they make impossible. */
#include "model_from_text.h"

static PetscErrorCode open_block(Problem *p, const char *conditions, const char *body,
                                 const char *time)
{
  PetscFunctionBeginUser;
  PetscCall(
      problem_open(p,
                   "carom: 1\ndimension: 2\nmaterials: [{name: m, model: neo-hookean, lambda:"
                   " 130, shear: 43.33, density: 8.93}]\nbodies: [{name: b, material: m, mesh:"
                   " {block: {from: [0, 0], to: [2, 1], elements: [4, 2]}}%s}]\n"
                   "conditions: [%s]\ntime: {method: midpoint, step: 0.1, end: 1%s}\n",
                   body, conditions, time));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes on the right are where the function says, with its velocity, after every step. */
static void test_motion(const char *condition, PetscReal (*u)(PetscReal), PetscReal (*v)(PetscReal))
{
  Problem p;
  char    text[256];
  int     before = check_failures;

  snprintf(text, sizeof text, "{on: b.right, %s}", condition);
  CHECK_OK(open_block(&p, text, "", ""));
  if (check_failures > before) return;
  for (int k = 0; k <= 10; k++) {
    PetscReal *uk = copy_of(p.model, p.state->u), *vk = copy_of(p.model, p.state->v);
    PetscInt   held = 0;

    for (PetscInt A = 0; A < p.model->nowned; A++) {
      if (p.model->X[2 * A] != 2) continue;
      held++;
      CHECK_NEAR(uk[2 * A + 1], u(p.state->t), 1e-15);
      CHECK_NEAR(vk[2 * A + 1], v(p.state->t), 1e-14);
    }
    CHECK(held == 3);
    CHECK_OK(PetscFree(uk));
    CHECK_OK(PetscFree(vk));
    CHECK_OK(problem_run(&p, 1, 0.05));
  }
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s\n", condition);
}

static PetscReal still(PetscReal t)
{
  return 0 * t;
}

static PetscReal ramp(PetscReal t)
{
  return 0.1 * PetscMin(1, t / 0.25);
}

static PetscReal ramp_v(PetscReal t)
{
  return t < 0.25 - 1e-12 ? 0.4 : 0;
}

static PetscReal wave(PetscReal t)
{
  return 0.1 * sin(5 * t);
}

static PetscReal wave_v(PetscReal t)
{
  return 0.5 * cos(5 * t);
}

static PetscReal table(PetscReal t)
{
  return t < 0.25 ? 0.4 * t : 0.1 + 0.2 * (t - 0.25);
}

static PetscReal table_v(PetscReal t)
{
  return t < 0.25 - 1e-12 ? 0.4 : 0.2;
}

static PetscReal accelerated(PetscReal t)
{
  return 0.2 * t - t * t / 2;
}

static PetscReal accelerated_v(PetscReal t)
{
  return 0.2 - t;
}

/* Released at t = 0.2, the body flies on: nothing is prescribed any more and its energy stays. */
static void test_release(void)
{
  Problem    p;
  CrSupports s;
  PetscReal *u, energy, work;

  CHECK_OK(
      open_block(&p, "{on: b.left, displacement: [0.3, 0], ramp: [0, 0.2], until: 0.2}", "", ""));
  CHECK_OK(problem_run(&p, 4, 0.05));
  energy = p.audit->energy;
  work = p.audit->external_work;
  CHECK_LESS(0.1, energy);
  u = copy_of(p.model, p.state->u);
  CHECK_OK(CrSupportsCreate(p.model, &s));
  CHECK_OK(CrSupportsAt(p.model, 0.15, 0.05, u, &s));
  CHECK(s.any);
  CHECK_OK(CrSupportsAt(p.model, 0.2, 0.05, u, &s));
  CHECK(!s.any);
  for (PetscInt k = 0; k < p.model->nlocal * 2; k++) CHECK(!s.fixed[k]);
  CHECK_OK(CrSupportsDestroy(&s));
  CHECK_OK(PetscFree(u));
  CHECK_OK(problem_run(&p, 10, 0.05));
  CHECK_NEAR(p.audit->energy, energy, 1e-10 * energy);
  CHECK(p.audit->external_work == work);
  CHECK_OK(problem_close(&p));
}

/* A support that begins later holds the body where it finds it; one node, one component. */
static void test_catch(void)
{
  Problem    p;
  PetscReal *u, *w;
  PetscInt   node = -1;

  CHECK_OK(open_block(&p, "{on: b, at: [2.1, 0.1], fix: y, from: 0.1}", ", velocity: [0, 1]", ""));
  CHECK_OK(problem_run(&p, 2, 0.05));
  for (PetscInt A = 0; A < p.model->nowned; A++)
    if (p.model->X[2 * A] == 2 && p.model->X[2 * A + 1] == 0) node = A;
  u = copy_of(p.model, p.state->u);
  CHECK_NEAR(u[2 * node + 1], 0.1, 1e-12);
  CHECK_OK(problem_run(&p, 4, 0.05));
  w = copy_of(p.model, p.state->u);
  CHECK(w[2 * node + 1] == u[2 * node + 1]);
  CHECK(w[2 * node] != u[2 * node]); /* x stays free */
  CHECK_OK(PetscFree(u));
  CHECK_OK(PetscFree(w));
  CHECK_OK(problem_close(&p));
}

/* A displacement is measured from where the body starts, a stretched start included. */
static void test_stretched_start(void)
{
  Problem    p;
  PetscReal *u, *w;

  CHECK_OK(open_block(&p, "{on: b.right, displacement: [0.1, ~], ramp: [0, 0.1]}",
                      ", deformation: [[1.1, 0], [0, 1]]", ""));
  u = copy_of(p.model, p.state->u);
  CHECK_OK(problem_run(&p, 2, 0.05));
  w = copy_of(p.model, p.state->u);
  for (PetscInt A = 0; A < p.model->nowned; A++)
    if (p.model->X[2 * A] == 2) {
      CHECK_NEAR(u[2 * A], 0.1, 1e-15); /* 10 percent of the distance to the centre */
      CHECK_NEAR(w[2 * A], 0.2, 1e-15);
    }
  CHECK_OK(PetscFree(u));
  CHECK_OK(PetscFree(w));
  CHECK_OK(problem_close(&p));
}

/* Supports at rest do no work; momentum changes by the impulse of the reaction, here by weight. */
static void test_support_at_rest(void)
{
  Problem p;

  CHECK_OK(open_block(&p, "{on: b.left, fix: [x, y]}, {gravity: [0, -1]}", "", ""));
  CHECK(!p.model->is_free);
  CHECK_OK(problem_run(&p, 20, 0.05));
  CHECK(p.audit->external_work == 0);
  CHECK_LESS(p.audit->potential, -0.01 + p.audit->potential0);
  CHECK_LESS(p.audit->balance_max, 1e-10 * p.audit->energy_scale);
  CHECK_OK(problem_close(&p));
}

static void test_contradictions(void)
{
  Problem p;

  CHECK_REFUSED(open_block(&p, "{on: b.left, fix: x}, {on: b.left, displacement: [1, ~]}", "", ""),
                "already prescribes");
  /* the corner belongs to both surfaces */
  CHECK_REFUSED(open_block(&p, "{on: b.left, fix: [x, y]}, {on: b.top, velocity: [~, 1]}", "", ""),
                "already prescribes");
  CHECK_REFUSED(open_block(&p,
                           "{on: b.left, displacement: [1, ~], until: 2},"
                           " {on: b.left, displacement: [2, ~], from: 1}",
                           "", ""),
                "already prescribes");
  CHECK_REFUSED(open_block(&p, "{on: b.left, fix: z}", "", ""), "dimension 2");
  CHECK_REFUSED(open_block(&p, "{on: b.left, fix: x, ramp: [0, 1]}", "", ""),
                "cannot have a time factor");
  CHECK_REFUSED(open_block(&p, "{on: b.left, velocity: [0, 1], wave: {omega: 1}}", "", ""),
                "cannot have a time factor");
  /* the same demand twice, different components, and different times are no contradiction */
  CHECK_OK(open_block(&p, "{on: b.left, fix: [x, y]}, {on: b.top, fix: [y]}", "", ""));
  CHECK_OK(problem_close(&p));
  CHECK_OK(open_block(&p, "{on: b.left, fix: x}, {on: b.left, displacement: [~, 1]}", "", ""));
  CHECK_OK(problem_close(&p));
  CHECK_OK(open_block(&p,
                      "{on: b.left, displacement: [1, ~], until: 1},"
                      " {on: b.left, displacement: [2, ~], from: 1}",
                      "", ""));
  CHECK_OK(problem_close(&p));
}

/* Three supports on one dof: the first and the last contradict each other, the one between does not
   stand in the way of seeing that. */
static void test_hidden_contradiction(void)
{
  Problem p;

  CHECK_REFUSED(open_block(&p,
                           "{on: b.left, displacement: [1, ~]},"
                           " {on: b.left, fix: x, from: 5, until: 6},"
                           " {on: b.left, displacement: [2, ~], until: 4}",
                           "", ""),
                "already prescribes");
  CHECK_REFUSED(open_block(&p,
                           "{on: b.left, displacement: [1, ~], until: 3},"
                           " {on: b.left, fix: x, from: 5, until: 6},"
                           " {on: b.left, displacement: [2, ~], until: 4}",
                           "", ""),
                "already prescribes");
}

static void test_unsupported(void)
{
  const char *const analysis = ", analysis: quasi-static";
  Problem           p;

  CHECK_REFUSED(open_block(&p, "{on: b.right, traction: [1, 0]}", "", analysis),
                "3 of 3 rigid motions free");
  CHECK_REFUSED(open_block(&p, "{on: b.left, fix: x}", "", analysis), "1 of 3 rigid motions free");
  CHECK_REFUSED(open_block(&p, "{on: b, at: [0, 0], fix: [x, y]}", "", analysis),
                "1 of 3 rigid motions free");
  CHECK_OK(open_block(&p, "{on: b.left, fix: x}, {on: b, at: [0, 0], fix: y}", "", analysis));
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_motion("fix: [x, y]", still, still);
  test_motion("displacement: [~, 0.1], ramp: [0, 0.25]", ramp, ramp_v);
  test_motion("displacement: [~, 0.1], wave: {omega: 5}", wave, wave_v);
  test_motion("displacement: [~, 1], table: [[0, 0], [0.25, 0.1], [1, 0.25]]", table, table_v);
  test_motion("velocity: [~, 0.2], acceleration: [~, -1]", accelerated, accelerated_v);
  test_release();
  test_catch();
  test_stretched_start();
  test_support_at_rest();
  test_contradictions();
  test_hidden_contradiction();
  test_unsupported();
  return check_end();
}

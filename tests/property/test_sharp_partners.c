/* Rigid bodies with sharp corners and edges beside deformable ones (theory 14.5), under `dissipative`: corners on facets,
   edges on edges, admitted by their cones. The ledger in every step, momenta of free systems, losses that are never
   negative; nothing that overlaps is unseen; the same with the roles of rigid and deformable body exchanged. */
#include "base/vector.h"
#include "contact/touch/touch.h"
#include "sharp_cases.h"

static const RigidBounds bounds = {", tolerance: 1.0e-12", 5, 1e-9, 1e-12, 1e-10, 1e-4, NULL};

/* newmark keeps the linear momentum; the angular one errs by the square of the step */
static const RigidBounds end = {", tolerance: 1.0e-12", 2, 0.2, 0, 1e-10, 0, "newmark"};
static const RigidBounds middle = {", tolerance: 1.0e-12", 5, 0.2, 0, 1e-10, 0, "midpoint"};

/* What is pressed in the last step: by kinds of passes. */
static void count_pressed(const CrContact *c, PetscInt pressed[CR_PASS_KINDS])
{
  for (PetscInt t = 0; t < c->work->ntouches; t++) {
    const CrTouch *touch = &c->work->touches[t];

    if (!touch->idle && touch->out.p > 0) pressed[c->passes[touch->pass].kind]++;
  }
}

/* Which kinds take part in a case. */
static void test_kinds(const RigidCase *c, CrPassKind wanted)
{
  PetscInt pressed[CR_PASS_KINDS] = {0};
  Problem  p;

  CHECK_OK(rigid_open(&p, c, &bounds, ", friction: 0"));
  for (PetscInt k = 0; k < c->n; k++) {
    CHECK_OK(problem_run(&p, 1, c->h));
    count_pressed(p.contact, pressed);
  }
  CHECK(pressed[wanted] > 0);
  printf("%s: pressed", c->name);
  for (int k = 0; k < CR_PASS_KINDS; k++) printf(" %d", (int)pressed[k]);
  printf("\n");
  CHECK_OK(problem_close(&p));
}

/* A smooth bar strikes a rail of the same mass crosswise, both with an edge ahead, and parts from it again. Nothing but
   edges can hold it, since no corner comes near a facet. The momentum says where the rail is. */
static void test_bar_bounces(void)
{
  PetscInt     pressed[CR_PASS_KINDS] = {0};
  Problem      p;
  PetscReal    nearest = 1;
  CrStepReport report;

  CHECK_OK(problem_open(&p,
                        "carom: 1\n" RAIL("[1, 3, 1]") BAR
                        "contact: [{between: [rail, bar]}]\n"
                        "time: {method: dissipative, step: 0.01, end: 1}\n",
                        "[0, 0, -1]"));
  for (int k = 1; k <= 60; k++) {
    CHECK_OK(problem_step(&p, 0.01, &report));
    CHECK(report.reason == CR_STEP_OK);
    nearest = PetscMin(nearest, 2 * p.state->rigid->x[2] - (0.7171 - 0.01 * k));
    count_pressed(p.contact, pressed);
  }
  CHECK(pressed[CR_EDGE_ON_BODY] > 0 && pressed[CR_BODY_ON_EDGE] > 0);
  CHECK(pressed[CR_NODE_ON_BODY] == 0 && pressed[CR_POINT_ON_FACET] == 0);
  CHECK(report.contacts == 0);
  CHECK_LESS(-p.state->rigid->v[2], 0.5); /* it is slower than the rail */
  CHECK_LESS(0.65, nearest);              /* rigid bars would stay 0.7071 apart */
  printf("bar: distance of centres %.4f at least, v %.4f\n", (double)nearest,
         (double)p.state->rigid->v[2]);
  CHECK_OK(problem_close(&p));
}

/* The plain penalty keeps momenta, but not the energy: another method than dissipative, on the same passes. */
static void test_momenta(const RigidCase *c, const RigidBounds *b)
{
  Problem  p;
  PetscInt pressed[CR_PASS_KINDS] = {0}, all = 0;

  CHECK_OK(rigid_open(&p, c, b, ", friction: 0.3"));
  for (PetscInt k = 0; k < c->n; k++) {
    CHECK_OK(problem_run(&p, 1, c->h));
    count_pressed(p.contact, pressed);
  }
  for (int k = 0; k < CR_PASS_KINDS; k++) all += pressed[k];
  CHECK(all >= b->touching);
  CHECK_LESS(p.audit->momentum_drift, b->drift * c->momentum);
  CHECK_LESS(p.audit->angular_drift, (b == &end ? 0.05 : b->drift) * c->angular);
  CHECK_LESS(p.audit->balance_max, b->balance * p.audit->energy_scale);
  printf("%s, %s: balance %.1e of %.4g, drifts %.1e %.1e\n", b->method, c->name,
         (double)p.audit->balance_max, (double)p.audit->energy_scale,
         (double)p.audit->momentum_drift, (double)p.audit->angular_drift);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_bar_bounces();
  test_kinds(&sharp_cases[0], CR_EDGE_ON_BODY);
  test_kinds(&sharp_cases[1], CR_BODY_ON_EDGE);
  test_kinds(&sharp_cases[2], CR_POINT_ON_FACET);
  test_kinds(&sharp_cases[3], CR_POINT_ON_FACET);
  test_kinds(&sharp_cases[4], CR_POINT_ON_FACET);
  test_kinds(&sharp_cases[5], CR_NODE_ON_BODY);
  test_kinds(&sharp_cases[6], CR_POINT_ON_FACET);
  for (int c = 0; c < NSHARP; c++) {
    rigid_test_case(&sharp_cases[c], &bounds, 0.3);
    rigid_test_case(&sharp_cases[c], &bounds, 0);
    test_momenta(&sharp_cases[c], &middle);
    test_momenta(&sharp_cases[c], &end);
    rigid_test_updates(&sharp_cases[c], 1e-5);
  }
  return check_end();
}

/* Rigid bodies with sharp corners and edges beside deformable ones (theory 14.5), under `dissipative`: corners on facets,
   edges on edges, admitted by their cones. The ledger in every step, momenta of free systems, losses that are never
   negative; nothing that overlaps is unseen; the same with the roles of rigid and deformable body exchanged. */
#include "base/vector.h"
#include "contact/touch/touch.h"
#include "rigid_cases.h"

#define BAR                                                                                        \
  "  - {name: bar, rigid: {box: {size: [3, 0.5, 0.5]}, density: 1}, position: [0.07, 0.03, "       \
  "0.7171], angle: 45, axis: [1, 0, 0], velocity: %s}\n"
#define RAIL(elements)                                                                             \
  "dimension: 3\nmaterials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, "   \
  "density: 1}]\nbodies:\n"                                                                        \
  "  - {name: rail, material: m, mass: consistent, angle: 45, axis: [0, 1, 0], mesh: {block: "     \
  "{from: [-0.25, -1.5, -0.25], to: [0.25, 1.5, 0.25], elements: " elements "}}}\n"

static const RigidCase cases[] = {
    {"edge across an edge",
     RAIL("[1, 3, 1]") "  - {name: bar, rigid: {box: {size: [3, 0.5, 0.5]}, density: 1}, position: "
                       "[0.07, 0.03, 0.7171], angle: 45, axis: [1, 0, 0], velocity: [0.5, 0.3, "
                       "-1]}\ncontact: [{between: [rail, bar]%s}]\n",
     0.01, 40, 0.8, 0.3, 0, 0, 0},
    {"edge slides along the edges of a mesh",
     RAIL("[1, 7, 1]") "  - {name: bar, rigid: {box: {size: [3, 0.5, 0.5]}, density: 1}, position: "
                       "[0.07, -0.3, 0.7171], angle: 45, axis: [1, 0, 0], velocity: [0.3, 3, "
                       "-1]}\ncontact: [{between: [rail, bar]%s}]\n",
     0.01, 40, 2.4, 0.8, 0, 0, 0},
    {"corner of a box on a coarse facet",
     SPACE(SOFT, "[1, 1, 1]") "  - {name: box, rigid: {box: {size: [0.4, 0.4, 0.4]}, density: 5}, "
                              "position: [0.2, 0.1, 0.36], angle: 54.7356, axis: [1, 1, 0], "
                              "velocity: [0.7, 0.2, -1.5], spin: [0.5, -1, 1]}\n"
                              "contact: [{between: [box, block]%s}]\n",
     0.004, 75, 0.5, 0.3, 0, 0, 0},
    {"corner of a hull on a fine mesh",
     SPACE(SOFT, "[7, 7, 2]") "  - {name: gem, rigid: {hull: {points: [[0, 0, -0.4], [0.4, 0, 0], "
                              "[-0.4, 0, 0], [0, 0.4, 0], [0, -0.4, 0], [0, 0, 0.4]]}, density: "
                              "5}, position: [0.1, 0.05, 0.41], velocity: [1, 0.3, -1.5], spin: "
                              "[0.5, -1, 1]}\ncontact: [{between: [block, gem]%s}]\n",
     0.005, 60, 0.6, 0.3, 0, 0, 0},
    {"corner on a ramp in the plane",
     "dimension: 2\nmaterials: [" FIRM "]\nbodies:\n"
     "  - {name: ramp, material: m, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], "
     "elements: [6, 4]}}}\n"
     "  - {name: tool, rigid: {box: {size: [1, 1]}, density: 3}, position: [3, 0.4], velocity: "
     "[-2, 2]}\ncontact: [{between: [tool, ramp]%s}]\n",
     0.005, 80, 8, 20, 0, 0, 0},
    {"mesh corner on a rigid face, then over its edge",
     "dimension: 2\nmaterials: [" SOFT "]\nbodies:\n"
     "  - {name: block, material: m, angle: 30, position: [0.9, 0.71], velocity: [0.8, -1], mesh: "
     "{block: {from: [-0.5, -0.5], to: [0.5, 0.5], elements: [4, 4]}}}\n"
     "  - {name: table, rigid: {box: {size: [2.6, 0.6]}, density: 8}, position: [0, -0.31]}\n"
     "contact: [{between: [block, table]%s}]\n",
     0.005, 120, 1.6, 2, 0, 0, 0},
};

#define NCASES (int)(sizeof cases / sizeof cases[0])

static const RigidBounds bounds = {", tolerance: 1.0e-12", 5, 1e-9, 1e-12, 1e-10, 1e-4};

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

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_bar_bounces();
  test_kinds(&cases[0], CR_EDGE_ON_BODY);
  test_kinds(&cases[1], CR_BODY_ON_EDGE);
  test_kinds(&cases[2], CR_POINT_ON_FACET);
  test_kinds(&cases[3], CR_POINT_ON_FACET);
  test_kinds(&cases[4], CR_POINT_ON_FACET);
  test_kinds(&cases[5], CR_NODE_ON_BODY);
  for (int c = 0; c < NCASES; c++) {
    rigid_test_case(&cases[c], &bounds, 0.3);
    rigid_test_case(&cases[c], &bounds, 0);
  }
  return check_end();
}

/* Points of rigid bodies as slaves on the facets of deformable ones (theory 14.4), under
   `dissipative`: the ledger in every step, momenta of free systems, losses that are never negative; the figures of a
   reference program; bodies smaller than the elements, which nodes alone do not hold; motions known from mechanics. */
#include "contact/partners/partners.h"
#include "rigid_cases.h"

#define PLANE      PLATE(FIRM, "[5, 2]")
#define NUMBERS(k) ", weight: unit, normal_penalty: " k ", tangential_penalty: " k "%s}]\n"

/* The block of the reference program has 26 points: corners and the middles of edges and faces, which a hull keeps if
   they stand out a little (1e-5 and 2e-5 of their distance). */
#define POINTS                                                                                     \
  "[[0.4, 0.3, 0.25], [0.4, 0.3, -0.25], [0.4, -0.3, 0.25], [0.4, -0.3, -0.25], [-0.4, 0.3, "      \
  "0.25], [-0.4, 0.3, -0.25], [-0.4, -0.3, 0.25], [-0.4, -0.3, -0.25], [0.400004, 0.300003, 0], "  \
  "[0.400004, -0.300003, 0], [-0.400004, 0.300003, 0], [-0.400004, -0.300003, 0], [0.400004, 0, "  \
  "0.2500025], [0.400004, 0, -0.2500025], [-0.400004, 0, 0.2500025], [-0.400004, 0, "              \
  "-0.2500025], [0, 0.300003, 0.2500025], [0, 0.300003, -0.2500025], [0, -0.300003, 0.2500025], "  \
  "[0, -0.300003, -0.2500025], [0.400008, 0, 0], [-0.400008, 0, 0], [0, 0.300006, 0], [0, "        \
  "-0.300006, 0], [0, 0, 0.250005], [0, 0, -0.250005]]"

static const RigidCase cases[] = {
    /* the hull is heavier by 3e-5 */
    {"block of 26 points",
     SPACE(SOFT, "[4, 4, 2]") "  - {name: box, rigid: {hull: {points: " POINTS
                              "}, density: 5}, position: [0, 0, 0.52], angle: 28.64788975654116, "
                              "axis: [1, 0.5, 0.2], velocity: [1.5, 0.5, -2], spin: [1, -2, 3]}\n"
                              "contact: [{between: [box, block.top], slaves: body" NUMBERS("2000"),
     0.01, 45, 3, 1, 1.49868, 2e-4, 3},
    {"box of 8 corners",
     SPACE(SOFT,
           "[4, 4, 2]") "  - {name: box, rigid: {box: {size: [0.8, 0.6, 0.5]}, density: 5}, "
                        "position: [0, 0, 0.52], angle: 28.64788975654116, axis: [1, 0.5, 0.2], "
                        "velocity: [1.5, 0.5, -2], spin: [1, -2, 3]}\n"
                        "contact: [{between: [box, block.top], slaves: body" NUMBERS("2000"),
     0.01, 45, 3, 1, 0, 0, 3},
    {"sphere",
     SPACE(SOFT, "[4, 4, 1]") "  - {name: ball, rigid: {sphere: {radius: 0.4}, mass: 1.5}, "
                              "position: [-0.2, 0.1, 0.42], velocity: [1.5, 0.5, -2], spin: [3, "
                              "-6, 2]}\ncontact: [{between: [ball, block.top], slaves: "
                              "body" NUMBERS("1000"),
     0.01, 45, 3.8, 0.5, 0, 0, 2.5},
    {"small ones of all kinds on tetrahedra",
     SPACE(FIRM, "[2, 2, 1], type: T4") "  - {name: ball, rigid: {sphere: {radius: 0.2}, density: "
                                        "5}, position: [-0.8, -0.7, 0.22], velocity: [1, 0.5, -1], "
                                        "spin: [1, -2, 3]}\n"
                                        "  - {name: pill, rigid: {capsule: {radius: 0.1, length: "
                                        "0.3}, density: 5}, position: [0.8, -0.7, 0.16], angle: "
                                        "80, axis: [1, 1, 0], velocity: [-1, 0.5, -1], spin: [1, "
                                        "-2, 3]}\n"
                                        "  - {name: die, rigid: {box: {size: [0.3, 0.3, 0.3]}, "
                                        "density: 5}, position: [0.1, 0.6, 0.29], angle: 50, axis: "
                                        "[1, 2, 3], velocity: [0.5, -0.5, -1], spin: [1, -2, 3]}\n"
                                        "contact: [{between: [block, ball]%s}, {between: [block, "
                                        "pill], friction: 0.2}, {between: [block, die], friction: "
                                        "0.1}]\n",
     0.004, 75, 0.5, 0.5, 0, 0, 0},
    {"ellipsoid",
     SPACE(SOFT, "[4, 4, 1]") "  - {name: egg, rigid: {ellipsoid: {semi_axes: [0.4, 0.3, 0.2]}, "
                              "density: 5}, position: [-0.2, 0.1, 0.35], angle: 40, axis: [1, 1, "
                              "0], velocity: [1.5, 0.5, -2], spin: [3, -6, 2]}\n"
                              "contact: [{between: [egg, block.top], slaves: body" NUMBERS("1000"),
     0.01, 45, 1.5, 0.5, 0, 0, 0},
    {"ellipse",
     PLANE "  - {name: egg, rigid: {ellipse: {semi_axes: [0.2, 0.1]}, mass: 0.3}, position: [-0.2, "
           "0.2], angle: 30, velocity: [1.5, -2], spin: 6}\ncontact: [{between: [block.top, "
           "egg]%s}]\n",
     0.005, 40, 0.7, 0.1, 0, 0, 0},
    {"disk",
     PLANE "  - {name: disk, rigid: {disk: {radius: 0.1}, mass: 0.3}, position: [-0.2, 0.12], "
           "velocity: [1.5, -2], spin: 6}\ncontact: [{between: [block.top, disk]%s}]\n",
     0.005, 40, 0.7, 0.1, 0, 0, 0},
    {"disk alone as slave, on an incline",
     "dimension: 2\nmaterials: [" FIRM "]\nbodies:\n"
     "  - {name: block, material: m, mesh: {quad: {corners: [[-1.5, -1], [1.5, -1], [1.5, 0.2], "
     "[-1.5, -0.3]], elements: [4, 2]}}}\n"
     "  - {name: disk, rigid: {disk: {radius: 0.3}, mass: 0.3}, position: [0.1, 0.3], "
     "velocity: [1.5, -2], spin: 6}\ncontact: [{between: [block.top, disk], slaves: body%s}]\n",
     0.005, 60, 0.7, 0.2, 0, 0, 0},
    {"rectangle and triangle",
     PLANE "  - {name: box, rigid: {box: {size: [0.3, 0.2]}, mass: 0.3}, position: [-0.6, 0.2], "
           "angle: 20, velocity: [1, -1], spin: 3}\n"
           "  - {name: tip, rigid: {polygon: {points: [[0, 0], [0.3, 0], [0.1, 0.3]]}, mass: 0.3}, "
           "position: [0.6, 0.2], angle: 10, velocity: [-0.5, -1], spin: -2}\n"
           "contact: [{between: [block, box]%s}, {between: [block, tip], friction: 0.1}]\n",
     0.005, 80, 0.6, 0.3, 0, 0, 0},
};

#define NCASES (int)(sizeof cases / sizeof cases[0])

static const RigidBounds update = {"", 10, 0, 0, 0, 0, "velocity-update"};
static const RigidBounds bounds = {", tolerance: 1.0e-13", 3, 1e-11, 1e-13, 1e-12, 1e-3, NULL};

/* The end of the first case with friction in the reference program. */
static void test_reference_end(void)
{
  const PetscReal v[3] = {0.8391, 0.4867, 0.4639}, w[3] = {0.122, -1.748, 1.995};
  PetscReal       spin[3];
  Problem         p;

  CHECK_OK(rigid_open(&p, &cases[0], &bounds, ", friction: 0.3"));
  CHECK_NEAR(p.audit->energy, 4.59803, 2e-4); /* the hull is heavier by 3e-5 */
  CHECK_OK(problem_run(&p, 45, 0.01));
  CHECK_NEAR(p.audit->energy, 3.09935, 2e-4);
  CrRigidSpin(p.model->rigid, p.state->rigid, 0, spin);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(p.state->rigid->v[i], v[i], 1e-4);
    CHECK_NEAR(spin[i], w[i], 2e-3);
  }
  CHECK_OK(problem_close(&p));
}

/* A ball is an ellipsoid whose axes are equal. */
static void test_ball_as_ellipsoid(void)
{
  static const char *const shapes[] = {"sphere: {radius: 0.4}",
                                       "ellipsoid: {semi_axes: [0.4, 0.4, 0.4]}"};
  PetscReal                x[2][3], pi[2][3], loss[2];

  for (int k = 0; k < 2; k++) {
    Problem p;

    CHECK_OK(problem_open(
        &p,
        "carom: 1\n" SPACE(SOFT, "[4, 4, 1]") "  - {name: ball, rigid: {%s, mass: 1.5}, position: "
                                              "[-0.2, 0.1, 0.42], velocity: [1.5, 0.5, -2], spin: "
                                              "[3, -6, 2]}\ncontact: [{between: [ball, "
                                              "block.top], slaves: body, friction: 0.3, weight: "
                                              "unit, normal_penalty: 1000}]\n"
                                              "time: {method: dissipative, step: 0.01, end: 1, "
                                              "tolerance: 1.0e-13}\n",
        shapes[k]));
    CHECK_OK(problem_run(&p, 45, 0.01));
    for (int i = 0; i < 3; i++) {
      x[k][i] = p.state->rigid->x[i];
      pi[k][i] = p.state->rigid->pi[i];
    }
    loss[k] = p.audit->friction_loss;
    CHECK_OK(problem_close(&p));
  }
  CHECK_LESS(1, loss[0]);
  CHECK_NEAR(loss[0], loss[1], 1e-11);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(x[0][i], x[1][i], 1e-11);
    CHECK_NEAR(pi[0][i], pi[1][i], 1e-11);
  }
}

/* ---- bodies that nodes do not hold ------------------------------------------------------------- */

static PetscReal lowest(const char *shape, const char *slaves, PetscReal *balance)
{
  Problem   p;
  PetscInt  rejected;
  PetscReal least = PETSC_MAX_REAL;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\nmaterials: [" FIRM "]\nbodies:\n"
      "  - {name: block, material: m, mesh: {block: {from: [-1, -1, -1], to: [1, 1, 0], elements: "
      "[2, 2, 1]}}}\n"
      "  - {name: body, rigid: {%s, density: 5}, position: [0.45, 0.4, 0.4], spin: [1, -2, 3]}\n"
      "contact: [{between: [block, body], friction: 0.3, slaves: %s}]\n"
      "conditions: [{gravity: [0, 0, -10]}, {\"on\": block.bottom, fix: [x, y, z]}]\n"
      "time: {method: dissipative, step: 0.005, end: 0.6}\n",
      shape, slaves));
  CHECK_OK(problem_go(&p, &rejected));
  for (PetscInt i = 0; i < p.model->rigid->n; i++) least = PetscMin(least, p.state->rigid->x[2]);
  *balance = p.audit->balance_max / p.audit->energy_scale;
  CHECK_OK(problem_close(&p));
  return least;
}

static void test_small_bodies(void)
{
  static const char *const shapes[] = {
      "sphere: {radius: 0.1}", "box: {size: [0.2, 0.15, 0.1]}",
      "capsule: {radius: 0.05, length: 0.2}", "ellipsoid: {semi_axes: [0.2, 0.1, 0.05]}",
      "hull: {points: [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]]}"};

  for (int k = 0; k < 5; k++) {
    PetscReal balance, alone = lowest(shapes[k], "nodes", &balance);
    PetscReal held = lowest(shapes[k], "auto", &balance);

    CHECK_NEAR(alone, 0.4 - 5 * 0.36, 1e-9); /* free fall, right through */
    CHECK_LESS(0, held);
    CHECK_LESS(balance, 1e-11);
    printf("%s: at %.3g with nodes as slaves, at %.3g with points\n", shapes[k], (double)alone,
           (double)held);
  }
}

/* Which of the two directions `auto` takes. */
static void test_choice(void)
{
  static const struct {
    const char *shape, *slaves;
    PetscInt    passes;
    PetscBool   nodes, points;
  } rows[] = {{"disk: {radius: 0.5}", "auto", 1, PETSC_TRUE, PETSC_FALSE},
              {"disk: {radius: 0.1}", "auto", 2, PETSC_TRUE, PETSC_TRUE},
              {"disk: {radius: 0.1}", "nodes", 1, PETSC_TRUE, PETSC_FALSE},
              {"disk: {radius: 0.5}", "body", 1, PETSC_FALSE, PETSC_TRUE},
              {"disk: {radius: 0.5}", "both", 2, PETSC_TRUE, PETSC_TRUE},
              {"ellipse: {semi_axes: [0.2, 0.1]}", "auto", 2, PETSC_TRUE, PETSC_TRUE}};

  for (int k = 0; k < 6; k++) {
    Problem   p;
    PetscBool nodes = PETSC_FALSE, points = PETSC_FALSE;

    CHECK_OK(problem_open(&p,
                          "carom: 1\n" PLANE "  - {name: r, rigid: {%s, mass: 1}, position: [0, "
                          "2]}\ncontact: [{between: [block.top, r], slaves: %s}]\n"
                          "time: {method: dissipative, step: 0.01, end: 1}\n",
                          rows[k].shape, rows[k].slaves));
    CHECK(p.contact->npasses == rows[k].passes);
    for (PetscInt j = 0; j < p.contact->npasses; j++) {
      nodes = nodes || p.contact->passes[j].slave;
      points = points || p.contact->passes[j].master;
    }
    CHECK(nodes == rows[k].nodes);
    CHECK(points == rows[k].points);
    CHECK_OK(problem_close(&p));
  }
}

/* ---- known motions ----------------------------------------------------------------------------- */

/* A sphere that slides over facets ends up rolling with 5/7 of its speed: the moment about the line of
   contact has no torque. It passes two edges between facets on its way. */
static void test_sliding_to_rolling(const char *method)
{
  const PetscReal     M = 1.5, v0 = 1;
  Problem             p;
  const CrRigidState *s;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\nmaterials: [{name: m, lambda: 2.0e7, shear: 1.5e7, density: "
      "2}]\nbodies:\n  - {name: block, material: m, mesh: {block: {from: [-1, -1, -1], to: [1, "
      "1, 0], elements: [4, 4, 1]}}}\n"
      "  - {name: ball, rigid: {sphere: {radius: 0.2}, mass: 1.5}, position: [-0.1, 0, 0.2], "
      "velocity: [0.6, 0.8, 0]}\n"
      "contact: [{between: [ball, block.top], slaves: body, weight: unit, friction: 0.3, "
      "normal_penalty: 1.0e5}]\n"
      "conditions: [{gravity: [0, 0, -10]}, {\"on\": block, fix: [x, y, z]}]\n"
      "time: {method: %s, step: 0.002, end: 1}\n",
      method));
  CHECK_OK(problem_run(&p, 400, 0.002)); /* rolls after 2 v0/(7 mu g) = 0.095 */
  s = p.state->rigid;
  CHECK_NEAR(s->v[0], 0.6 * 5 / 7, 2e-3);
  CHECK_NEAR(s->v[1], 0.8 * 5 / 7, 2e-3);
  CHECK_NEAR(s->pi[0] / (0.4 * M * 0.04), -s->v[1] / 0.2, 2e-2);
  CHECK_NEAR(s->pi[1] / (0.4 * M * 0.04), s->v[0] / 0.2, 2e-2);
  CHECK_NEAR(p.audit->friction_loss, M * v0 * v0 / 7, 2e-3);
  CHECK_LESS(p.audit->balance_max, 1e-10);
  CHECK_OK(problem_close(&p));
}

/* A box on a slope of facets: stays where mu is above the slope, else slides by (sin a - mu cos a) g t^2/2.
   It starts with the penetration that carries it (m g cos a over four springs). */
static void test_box_on_slope(const char *method)
{
  for (int k = 0; k < 2; k++) {
    PetscReal mu = k ? 0.2 : 0.5, a = 20 * PETSC_PI / 180, g = 10, t = 0.5;
    PetscReal way = k ? (sin(a) - mu * cos(a)) * g * t * t / 2 : 0;
    Problem   p;

    CHECK_OK(problem_open(
        &p,
        "carom: 1\ndimension: 3\nmaterials: [{name: m, lambda: 2.0e7, shear: 1.5e7, density: 2}]\n"
        "bodies:\n  - {name: block, material: m, mesh: {block: {from: [-1, -1, -1], to: [1, 1, 0], "
        "elements: [3, 3, 1]}}}\n"
        "  - {name: box, rigid: {box: {size: [0.4, 0.3, 0.2]}, mass: 2}, position: [-0.1, 0.1, "
        "0.1]}\n"
        "contact: [{between: [box, block.top], slaves: body, weight: unit, friction: %g, "
        "normal_penalty: 1.0e5}]\n"
        "conditions: [{gravity: [%.17g, 0, %.17g]}, {\"on\": block, fix: [x, y, z]}]\n"
        "time: {method: %s, step: 0.002, end: 1}\n",
        (double)mu, (double)(g * sin(a)), (double)(-g * cos(a)), method));
    CHECK_OK(problem_run(&p, 250, 0.002));
    CHECK_NEAR(p.state->rigid->x[0] + 0.1, way, k ? 0.02 * way : 2e-3);
    CHECK_LESS(p.audit->balance_max, 1e-10);
    printf("%s, slope, mu %g: %.5f, rigid %.5f\n", method, (double)mu,
           (double)(p.state->rigid->x[0] + 0.1), (double)way);
    CHECK_OK(problem_close(&p));
  }
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (int c = 0; c < NCASES; c++) {
    rigid_test_case(&cases[c], &bounds, 0.3);
    rigid_test_case(&cases[c], &bounds, 0);
    rigid_test_updates(&cases[c], 0.01);
  }
  test_reference_end();
  test_ball_as_ellipsoid();
  test_small_bodies();
  test_choice();
  test_sliding_to_rolling("dissipative");
  test_sliding_to_rolling("velocity-update");
  test_box_on_slope("dissipative");
  test_box_on_slope("velocity-update");
  rigid_test_failure(&cases[2], &bounds, 2);
  rigid_test_failure(&cases[2], &update, 2);
  return check_end();
}

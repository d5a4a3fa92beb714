/* efda held to its claims: identities of energy and momenta through impacts, slip, stick and piles of shapes of every
   kind; independence of the step, of the frame and of who is slave. */
#include "base/vector.h"
#include "model_from_text.h"
#include "rigid/rotation.h"

/* ---- free clusters --------------------------------------------------------------------------------- */

/* Bodies of every kind thrown together in free space: L to 1e-13, J to 1e-12, E + D - W to 1e-12, D >= 0. */
static void test_free(int dim, const char *bodies, const char *law, const char *options,
                      PetscReal h, PetscReal depth)
{
  CrStepReport report;
  Problem      p;
  PetscInt     contacts = 0;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: %d\nbodies:\n%scontact: [{default: {%s}}]\n"
                        "time: {method: efda, step: 1, end: 1%s}\n",
                        dim, bodies, law, options));
  for (PetscReal t = 0; t < 1; t += h) {
    CHECK_OK(problem_step(&p, h, &report));
    CHECK(report.reason == CR_STEP_OK);
    CHECK_LESS(-report.friction_loss, 1e-14);
    contacts += report.contacts;
  }
  CHECK(contacts > 0);
  CHECK_LESS(p.audit->defect_max, 1e-12);
  CHECK_LESS(p.audit->momentum_drift, 1e-13);
  CHECK_LESS(p.audit->angular_drift, 1e-12);
  CHECK_LESS(p.audit->deepest, depth);
  CHECK_OK(problem_close(&p));
}

static const char *const plane[] = {
    "  - {name: a, rigid: {disk: {radius: 0.2}, mass: 1}, position: [-1, 0.1], velocity: [2, 0], "
    "spin: 5}\n"
    "  - {name: b, rigid: {ellipse: {semi_axes: [0.3, 0.15]}, mass: 2}, angle: 30}\n"
    "  - {name: c, rigid: {disk: {radius: 0.1}, mass: 0.5}, position: [1, 0.05], velocity: [-2, "
    "0]}\n",
    "  - {name: a, rigid: {box: {size: [0.4, 0.2]}, mass: 1}, position: [-1, 0.1], velocity: [2, "
    "0], spin: 2}\n"
    "  - {name: b, rigid: {polygon: {points: [[0, 0], [0.6, 0], [0.1, 0.4]]}, mass: 2}, angle: "
    "30}\n"
    "  - {name: c, rigid: {ellipse: {semi_axes: [0.3, 0.1]}, mass: 1}, position: [1, 0], velocity: "
    "[-2, 0]}\n"};

static const char *const space[] = {
    "  - {name: a, rigid: {ellipsoid: {semi_axes: [0.3, 0.2, 0.1]}, mass: 1}, position: [-1, 0.1, "
    "0], velocity: [2, 0, 0], spin: [1, 2, 3]}\n"
    "  - {name: b, rigid: {box: {size: [0.4, 0.3, 0.2]}, mass: 2}, angle: 30, axis: [1, 1, 0], "
    "spin: [0, 1, 0]}\n"
    "  - {name: c, rigid: {sphere: {radius: 0.15}, mass: 1}, position: [1, 0, 0.05], velocity: "
    "[-2, 0, 0]}\n",
    "  - {name: a, rigid: {capsule: {radius: 0.1, length: 0.3}, mass: 1}, position: [-1, 0.05, 0], "
    "velocity: [2, 0, 0], spin: [1, 2, 3]}\n"
    "  - {name: b, rigid: {hull: {points: [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]}, "
    "mass: 2}, spin: [0, 1, 0]}\n"
    "  - {name: c, rigid: {capsule: {radius: 0.1, length: 0.2}, mass: 1}, position: [1, 0, 0.05], "
    "velocity: [-2, 0, 0]}\n"};

static void test_clusters(void)
{
  const char *laws[] = {"friction: 0, restitution: 1", "friction: 0.3, restitution: 1",
                        "friction: 0.3, restitution: 0.6", "friction: 0.3, restitution: 0"};

  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 2; i++) {
      /* Without rebound bodies stay together. Unsplit, one that is held and struck has come half a step too far: 4e-3
         at 2 m/s. In space the ellipsoid goes from a face of the box to its edge: h^2/2 of a second derivative of 1,
         for a step. */
      PetscReal unsplit = k == 3 ? 4e-3 : 1e-9, edge = k == 3 && i == 0 ? 8e-6 : 1e-9;

      test_free(2, plane[i], laws[k], "", 4e-3, 1e-9);
      test_free(2, plane[i], laws[k], ", splitting: false", 4e-3, unsplit);
      test_free(2, plane[i], laws[k], ", impacts: sequential", 4e-3, 1e-9);
      test_free(3, space[i], laws[k], "", 4e-3, edge);
    }
  test_free(2, plane[0], laws[1], ", variant: penalty", 1e-3, 0.05);
  test_free(3, space[0], "friction: 0.3, restitution: 0.5", ", tangential_restitution: 0", 2e-3,
            1e-9);
}

/* ---- pressed together ---------------------------------------------------------------------------------- */

/* Two ellipsoids pressed together by opposite forces slip past each other: persistent contact of free bodies
   keeps L, and J but for the torque of the loads, integrated here with the exact positions of the method. */
static void test_pressed(void)
{
  PetscReal    torque[3] = {0, 0, 0}, J0[3];
  PetscInt     held = 0;
  CrStepReport report;
  Problem      p;

  CHECK_OK(problem_open(&p, "carom: 1\ndimension: 3\nbodies:\n"
                            "  - {name: a, rigid: {ellipsoid: {semi_axes: [0.06, 0.04, 0.03]}, "
                            "mass: 1}, position: [0, 0, 0]}\n"
                            "  - {name: b, rigid: {ellipsoid: {semi_axes: [0.05, 0.05, 0.025]}, "
                            "mass: 2}, position: [0.1101, 0.004, 0]}\n"
                            "contact: [{default: {friction: 0.05, restitution: 0}}]\n"
                            "conditions: [{on: a, force: [5, 0, 0]}, {on: b, force: [-5, 0, 0]}]\n"
                            "time: {method: efda, step: 1.0e-3, end: 1}\n"));
  v_copy(p.audit->angular, J0);
  for (int k = 0; k < 60; k++) {
    PetscReal before[6], J[3], sum = 0;

    for (int i = 0; i < 6; i++) before[i] = p.state->rigid->x[i];
    CHECK_OK(problem_step(&p, 1e-3, &report));
    held += report.contacts;
    /* the arm of the forces in the middle of the step; a part of it is flight, so to h^2 there */
    torque[1] +=
        1e-3 * 5 * ((before[2] + p.state->rigid->x[2]) - (before[5] + p.state->rigid->x[5])) / 2;
    torque[2] -=
        1e-3 * 5 * ((before[1] + p.state->rigid->x[1]) - (before[4] + p.state->rigid->x[4])) / 2;
    for (int i = 0; i < 3; i++) J[i] = p.audit->angular[i] - J0[i] - torque[i];
    for (int i = 0; i < 3; i++) sum += fabs(J[i]);
    CHECK_LESS(sum, 1e-9);
  }
  CHECK(held > 30);
  CHECK_LESS(p.audit->defect_max, 1e-12);
  CHECK_LESS(p.audit->momentum_drift, 1e-13);
  CHECK_OK(problem_close(&p));
}

/* ---- independence ----------------------------------------------------------------------------------------- */

#define DROP                                                                                       \
  "carom: 1\ndimension: 3\nbodies:\n"                                                              \
  "  - {name: e, rigid: {ellipsoid: {semi_axes: [0.05, 0.04, 0.02]}, mass: 1}, position: %s, "     \
  "velocity: %s, angle: %s, axis: %s, spin: %s}\n"                                                 \
  "obstacles: [{name: f, plane: {point: [0, 0, 0], normal: %s}}]\n"                                \
  "contact: [{between: [e, f], friction: 0.2}]\nconditions: [{gravity: %s}]\n"                     \
  "time: {method: efda, step: 1, end: 1}\n"

static void drop(PetscReal h, const PetscReal R[9], PetscReal x[3], PetscReal v[3],
                 PetscReal spin[3])
{
  /* in its own frame: thrown with a spin, gravity down; then the whole scene is turned by R */
  const PetscReal x0[3] = {0, 0, 0.15}, v0[3] = {0.3, 0.1, 0}, s0[3] = {10, -7, 20},
                  n0[3] = {0, 0, 1};
  PetscReal y[4][3], g[3], q[4];
  char      text[6][128];
  Problem   p;

  m_times(R, x0, y[0]);
  m_times(R, v0, y[1]);
  m_times(R, s0, y[2]);
  m_times(R, n0, y[3]);
  for (int i = 0; i < 3; i++) g[i] = -9.81 * y[3][i];
  for (int k = 0; k < 4; k++)
    snprintf(text[k], sizeof text[k], "[%.17g, %.17g, %.17g]", y[k][0], y[k][1], y[k][2]);
  snprintf(text[4], sizeof text[4], "[%.17g, %.17g, %.17g]", g[0], g[1], g[2]);
  CHECK_OK(problem_open(&p, DROP, text[0], text[1], "0", "[0, 0, 1]", text[2], text[3], text[4]));
  { /* the body starts unturned in its own frame: give it the turn of the scene */
    PetscReal t[4] = {R[0] + R[4] + R[8], 0, 0, 0};

    q[0] = sqrt(1 + t[0]) / 2;
    q[1] = (R[7] - R[5]) / (4 * q[0]), q[2] = (R[2] - R[6]) / (4 * q[0]),
    q[3] = (R[3] - R[1]) / (4 * q[0]);
    for (int i = 0; i < 4; i++) p.state->rigid->q[i] = q[i];
    m_back(R, y[2], g);
    for (int i = 0; i < 3; i++) g[i] *= p.model->rigid->inertia[i];
    m_times(R, g, p.state->rigid->pi);
  }
  CHECK_OK(problem_run(&p, (PetscInt)floor(0.4 / h + 0.5), h));
  CrRigidSpin(p.model->rigid, p.state->rigid, 0, g);
  m_back(R, p.state->rigid->x, x);
  m_back(R, p.state->rigid->v, v);
  m_back(R, g, spin);
  CHECK_OK(problem_close(&p));
}

static void test_independence(void)
{
  const PetscReal one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  PetscReal       R[9], q[4], x[3][3], v[3][3], s[3][3], turn[3] = {0.4, -0.9, 1.3};

  drop(1e-3, one, x[0], v[0], s[0]);
  drop(5e-4, one, x[1], v[1], s[1]);
  CrQuaternionTurn(turn, q);
  CrQuaternionMatrix(q, R);
  drop(1e-3, R, x[2], v[2], s[2]);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(x[1][i], x[0][i], 1e-8);
    CHECK_NEAR(v[1][i], v[0][i], 1e-8);
    CHECK_NEAR(s[1][i], s[0][i], 1e-6);
    CHECK_NEAR(x[2][i], x[0][i], 1e-11);
    CHECK_NEAR(v[2][i], v[0][i], 1e-11);
    CHECK_NEAR(s[2][i], s[0][i], 1e-9);
  }
}

/* Who is slave does not matter. */
static void test_swap(void)
{
  PetscReal x[2][6];

  for (int k = 0; k < 2; k++) {
    Problem p;

    CHECK_OK(problem_open(
        &p,
        "carom: 1\ndimension: 3\nbodies:\n"
        "  - {name: a, rigid: {ellipsoid: {semi_axes: [0.06, 0.04, 0.03]}, mass: 1}, velocity: "
        "[0.8, 0, 0], spin: [2, 5, -3]}\n"
        "  - {name: b, rigid: {box: {size: [0.1, 0.08, 0.05]}, mass: 2}, position: [0.3, 0.02, "
        "0.01], velocity: [-0.5, 0, 0.05], spin: [-4, 1, 6]}\n"
        "contact: [{between: [%s], friction: 0.3}]\ntime: {method: efda, step: 1, end: 1}\n",
        k ? "b, a" : "a, b"));
    CHECK_OK(problem_run(&p, 400, 1e-3));
    CHECK(p.audit->max_contacts > 0);
    for (int i = 0; i < 6; i++) x[k][i] = p.state->rigid->x[i];
    CHECK_OK(problem_close(&p));
  }
  for (int i = 0; i < 6; i++) CHECK_NEAR(x[1][i], x[0][i], 1e-12);
}

/* ---- guided motion ------------------------------------------------------------------------------------------ */

/* An ellipsoid that slides on a plane without friction against its own differential equations (an independent
   program): second order, no gap. */
static void test_guided(void)
{
  const PetscReal known = 0.031452948921, Om[3] = {1, 2, 8}, axes[3] = {0.05, 0.04, 0.03};
  PetscReal       error[2];

  for (int k = 0; k < 2; k++) {
    PetscReal q[4] = {cos(0.2), sin(0.2), 0, 0}, R[9], l[3], c[3], r[3], om[3], w[3], height = 0;
    PetscReal h = k ? 5e-4 : 1e-3;
    Problem   p;

    CrQuaternionMatrix(q, R);
    for (int i = 0; i < 3; i++) l[i] = -R[6 + i], height += PetscSqr(axes[i] * l[i]);
    height = sqrt(height);
    for (int i = 0; i < 3; i++) c[i] = axes[i] * axes[i] * l[i] / height;
    m_times(R, c, r);
    m_times(R, Om, om);
    v_cross(om, r, w);
    CHECK_OK(problem_open(
        &p,
        "carom: 1\ndimension: 3\nbodies:\n"
        "  - {name: e, rigid: {ellipsoid: {semi_axes: [0.05, 0.04, 0.03]}, mass: 1}, position: [0, "
        "0, %.17g], "
        "velocity: [0.2, 0, %.17g], angle: %.17g, axis: [1, 0, 0], spin: [%.17g, %.17g, %.17g]}\n"
        "obstacles: [{name: f, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
        "contact: [{between: [e, f]}]\nconditions: [{gravity: [0, 0, -9.81]}]\n"
        "time: {method: efda, step: 1, end: 1}\n",
        (double)height, (double)-w[2], 0.4 * 180 / PETSC_PI, (double)om[0], (double)om[1],
        (double)om[2]));
    CHECK_OK(problem_run(&p, (PetscInt)floor(0.3 / h + 0.5), h));
    error[k] = fabs(p.state->rigid->x[2] - known);
    CHECK_NEAR(p.state->rigid->x[0], 0.06, 1e-12);
    CHECK_LESS(p.audit->deepest, 1e-12);
    CHECK_LESS(p.audit->defect_max, 1e-12);
    CHECK_OK(problem_close(&p));
  }
  CHECK_LESS(error[0], 1e-6);
  CHECK_NEAR(error[0] / error[1], 4, 0.2);
}

/* A box thrown askew comes to rest on a face. */
static void test_rest(void)
{
  Problem p;

  CHECK_OK(problem_open(&p, "carom: 1\ndimension: 3\nbodies:\n"
                            "  - {name: b, rigid: {box: {size: [0.1, 0.06, 0.04]}, mass: 1}, "
                            "position: [0, 0, 0.2], velocity: [0.5, 0.2, 0], "
                            "angle: 46, axis: [0.48, 0.6, 0.64], spin: [3, -2, 4]}\n"
                            "obstacles: [{name: f, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
                            "contact: [{between: [b, f], friction: 0.3, restitution: "
                            "0.5}]\nconditions: [{gravity: [0, 0, -9.81]}]\n"
                            "time: {method: efda, step: 1, end: 1}\n"));
  CHECK_OK(problem_run(&p, 1200, 1e-3));
  CHECK_LESS(p.audit->kinetic, 1e-24);
  CHECK_LESS(p.audit->defect_max, 1e-12);
  CHECK(fabs(p.state->rigid->x[2] - 0.02) < 1e-9 || fabs(p.state->rigid->x[2] - 0.03) < 1e-9 ||
        fabs(p.state->rigid->x[2] - 0.05) < 1e-9);
  CHECK_OK(problem_close(&p));
}

/* A moving wall pushes a ball: its work is what the ball has. */
static void test_moving_wall(void)
{
  Problem p;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 2\nbodies: [{name: b, rigid: {disk: {radius: 0.1}, mass: 3}, position: "
      "[0, 0.2]}]\n"
      "obstacles: [{name: w, plane: {point: [0, 0], normal: [0, 1]}, velocity: [0, 2]}]\n"
      "contact: [{between: [b, w], restitution: 0.5}]\ntime: {method: efda, step: 1, end: 1}\n"));
  CHECK_OK(problem_run(&p, 100, 1e-3));
  CHECK_NEAR(p.state->rigid->v[1], 3, 1e-12); /* the wall's 2, and half of the approach */
  CHECK_NEAR(p.audit->external_work, 3 * 3 * 2, 1e-12);
  CHECK_LESS(p.audit->defect_max, 1e-12);
  CHECK_OK(problem_close(&p));
}

/* What passes through another within one step has met it: two disks of 0.01 at 10 m/s, off by b, in a step of 0.1 s in
   which the first goes 50 diameters. With sin = b/0.02 the second leaves with v cos (cos, -sin). */
static void test_fast(PetscReal b, const char *engine, PetscReal h)
{
  PetscReal sine = PetscMin(b / 0.02, 1), cosine = sqrt(1 - sine * sine);
  Problem   p;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\nbodies:\n"
                        "  - {name: a, rigid: {disk: {radius: 0.01}, mass: 1}, position: [-0.35, "
                        "%.15g], velocity: [10, 0]}\n"
                        "  - {name: b, rigid: {disk: {radius: 0.01}, mass: 1}}\n"
                        "contact: [{default: {friction: 0, restitution: 1}}]\n"
                        "time: {method: efda, step: 1, end: 1, engine: %s}\n",
                        b, engine));
  CHECK_OK(problem_run(&p, (PetscInt)(0.1 / h + 0.5), h));
  CHECK_NEAR(p.state->rigid->v[3], 10 * cosine * cosine, 1e-9);
  CHECK_NEAR(p.state->rigid->v[4], -10 * cosine * sine, 1e-9);
  CHECK_OK(problem_close(&p));
}

/* A bar turns at 50/s and meets a heavy disk near its tip, in metres and millimetres, in steps of up to a quarter of a
   radian. It meets it when the disk's centre is r + half the width from its middle line; J = 2 omega l/W,
   omega' = omega - l J/I. */
static void test_swing(PetscReal unit, PetscReal h)
{
  PetscReal D = hypot(0.3, 0.8), off = 0.07, l = sqrt(D * D - off * off),
            I = (4 + 4 * 0.02 * 0.02) / 12;
  PetscReal J = 2 * 50 * l / (1 + l * l / I + 1e-3), t = (atan2(0.8, 0.3) - asin(off / D)) / 50,
            angle = 50 * t + (50 - l * J / I) * (0.05 - t);
  Problem p;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\nbodies:\n"
                        "  - {name: a, rigid: {box: {size: [%g, %g]}, mass: 1}, spin: 50}\n"
                        "  - {name: b, rigid: {disk: {radius: %g}, mass: 1000}, position: [%g, "
                        "%g]}\ncontact: [{default: {friction: 0, restitution: 1}}]\n"
                        "time: {method: efda, step: 1, end: 1}\n",
                        2 * unit, 0.04 * unit, 0.05 * unit, 0.3 * unit, 0.8 * unit));
  CHECK_OK(problem_run(&p, (PetscInt)(0.05 / h + 0.5), h));
  CHECK_NEAR(p.state->rigid->angle[0], angle, 1e-10);
  CHECK_OK(problem_close(&p));
}

/* What happens does not depend on the step, also where bodies whirl: in one step, in which they turn by many radians, as
   in many. */
static void test_whirl(int dim, PetscInt steps, const char *rest)
{
  PetscReal v[2];

  for (int k = 0; k < 2; k++) {
    Problem p;

    CHECK_OK(problem_open(&p,
                          "carom: 1\ndimension: %d\n%s"
                          "contact: [{default: {friction: 0.3, restitution: 1}}]\n"
                          "time: {method: efda, step: 1, end: 1}\n",
                          dim, rest));
    CHECK_OK(problem_run(&p, k ? steps : 1000, 0.1 / (PetscReal)(k ? steps : 1000)));
    v[k] = v_length(p.state->rigid->v);
    CHECK_LESS(p.audit->deepest, 1e-12);
    CHECK_OK(problem_close(&p));
  }
  CHECK_NEAR(v[1], v[0], 1e-9);
}

/* A light ball that leaves the wall is struck by a heavy one while it still touches both: no energy comes of it, and it
   rebounds from the wall as often as it must. With e = 1 all of it is kept. */
static void test_squeezed(PetscReal restitution)
{
  CrStepReport report;
  PetscReal    energy;
  Problem      p;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\nbodies:\n"
                        "  - {name: a, rigid: {disk: {radius: 0.1}, mass: 0.01}, position: [0.1, "
                        "0], velocity: [5, 0]}\n"
                        "  - {name: b, rigid: {disk: {radius: 0.1}, mass: 10}, position: [0.3, 0], "
                        "velocity: [-5, 0]}\n"
                        "obstacles: [{name: w, plane: {point: [0, 0], normal: [1, 0]}}]\n"
                        "contact: [{default: {friction: 0, restitution: %g}}]\n"
                        "time: {method: efda, step: 1, end: 1}\n",
                        (double)restitution));
  energy = p.audit->energy;
  for (int k = 0; k < 20; k++) {
    CHECK_OK(problem_step(&p, 1e-3, &report));
    CHECK(report.reason == CR_STEP_OK);
    CHECK_LESS(p.audit->energy - energy, 1e-10);
    energy = p.audit->energy;
  }
  CHECK_LESS(p.audit->defect_max, 1e-10);
  CHECK_LESS(p.audit->deepest, 1e-9);
  CHECK_LESS(0, p.state->rigid->v[3]); /* the heavy one is on its way back */
  if (restitution == 1) CHECK_NEAR(energy, p.audit->energy0, 1e-5); /* sweeps end at 1e-9 */
  CHECK_OK(problem_close(&p));
}

/* Slip that is not turned back (e_T = 0) never costs friction that drives: an ellipse thrown on a floor at many angles
   loses energy or keeps it. (The law alone would make up to a third of it, where the normal impulse turns the body.) */
static void test_rolling_impact(void)
{
  for (int k = 0; k < 36; k++) {
    PetscReal lost = 0;
    Problem   p;

    CHECK_OK(problem_open(&p,
                          "carom: 1\ndimension: 2\nbodies:\n"
                          "  - {name: a, rigid: {ellipse: {semi_axes: [0.1, 0.03]}, mass: 1}, "
                          "position: [0, 0.15], angle: %d, velocity: [%g, -1], spin: %d}\n"
                          "obstacles: [{name: f, plane: {point: [0, 0], normal: [0, 1]}}]\n"
                          "contact: [{default: {friction: 1, restitution: 1}}]\n"
                          "time: {method: efda, step: 1, end: 1, tangential_restitution: 0}\n",
                          5 * k, -2 + 0.1 * (k * 7 % 40), k * 11 % 20 - 10));
    for (int n = 0; n < 100; n++) {
      CrStepReport report;

      CHECK_OK(problem_step(&p, 2e-3, &report));
      CHECK_LESS(-report.friction_loss, 1e-14);
      lost += report.friction_loss;
    }
    CHECK_NEAR(p.audit->energy + lost, p.audit->energy0, 1e-12);
    CHECK_OK(problem_close(&p));
  }
}

/* A cone of 150 corners stands on its base, on a floor or on a slab: all corners carry, none is lost. */
static void test_cone(const char *other)
{
  char    points[5000];
  size_t  n = 0;
  Problem p;

  for (int k = 0; k < 150; k++)
    n += (size_t)snprintf(points + n, sizeof points - n, "[%.9f,%.9f,0],",
                          0.1 * cos(k * PETSC_PI / 75), 0.1 * sin(k * PETSC_PI / 75));
  snprintf(points + n, sizeof points - n, "[0, 0, 0.2]");
  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 3\nbodies:\n"
                        "  - {name: c, rigid: {hull: {points: [%s]}, mass: 1}, position: [0, 0, "
                        "0.05]}\n%s"
                        "contact: [{default: {friction: 0.3, restitution: 0}}]\n"
                        "conditions: [{gravity: [0, 0, -9.81]}]\n"
                        "time: {method: efda, step: 1, end: 1}\n",
                        points, other));
  CHECK_OK(problem_run(&p, 5, 1e-3));
  CHECK_NEAR(p.state->rigid->x[2], 0.05, 1e-14);
  CHECK_LESS(p.audit->deepest, 1e-14);
  CHECK_LESS(p.audit->kinetic, 1e-16);
  CHECK_OK(problem_close(&p));
}

/* Copies named singly have laws of their own, whatever stands before or after: four that slide, one of them without
   friction, one that another meets with its own restitution. */
static void test_copies(const char *shape, PetscReal high, const char *engine, PetscBool first)
{
  const char *single = "  - {between: [b.2, f], friction: 0}\n  - {between: [b.0, b.1], "
                       "restitution: 0.5}\n";
  const char *all = "  - {between: [b, f], friction: 0.3}\n";
  Problem     p;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 2\nbodies:\n  - {name: b, rigid: {%s, mass: 1}, position: [0, %g], "
      "velocity: [1, 0], repeat: {counts: [4, 1], spacing: [1, 1]}}\n"
      "obstacles: [{name: f, plane: {point: [0, 0], normal: [0, 1]}}]\ncontact:\n%s%s"
      "  - {default: {friction: 0, restitution: 1}}\n"
      "conditions: [{gravity: [0, -10]}]\ntime: {method: efda, step: 1, end: 1%s}\n",
      shape, high, first ? single : all, first ? all : single, engine));
  CHECK_OK(problem_run(&p, 50, 1e-3));
  for (int k = 0; k < 4; k++)
    CHECK_NEAR(p.state->rigid->v[3 * k], k == 2 ? 1 : 1 - 0.3 * 10 * 0.05, 1e-6);
  p.state->rigid->v[1] = p.state->rigid->v[4] = p.state->rigid->v[10] = 0;
  /* far above the floor: 0 strikes 1 with half of the speed back, 3 strikes 2 with all of it */
  for (int k = 0; k < 4; k++) {
    p.state->rigid->x[3 * k] = k;
    p.state->rigid->x[3 * k + 1] = 100;
    p.state->rigid->v[3 * k] = k == 0 ? 8 : k == 3 ? -8 : 0;
    p.state->rigid->v[3 * k + 1] = p.state->rigid->pi[3 * k + 2] = p.state->rigid->angle[k] = 0;
  }
  CHECK_OK(problem_run(&p, 120, 1e-3));
  CHECK_NEAR(p.state->rigid->v[0], 2, 1e-6);
  CHECK_NEAR(p.state->rigid->v[3], 6, 1e-6);
  CHECK_NEAR(p.state->rigid->v[6], -8, 1e-6);
  CHECK_NEAR(p.state->rigid->v[9], 0, 1e-6);
  CHECK_OK(problem_close(&p));
}

/* A step that cannot be done leaves the state alone; what the method does not know is refused. */
static void test_refusals(void)
{
  Problem p;

  CHECK_REFUSED(
      problem_open(
          &p, "carom: 1\ndimension: 2\nbodies: [{name: b, rigid: {disk: {radius: 0.1}, mass: 3}}]\n"
              "time: {method: midpoint, step: 1, end: 1}\n"),
      "method midpoint cannot be used with rigid bodies");
  CHECK_REFUSED(
      problem_open(
          &p, "carom: 1\ndimension: 2\nmaterials: [{name: m, young: 1, poisson: 0, density: 1}]\n"
              "bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [1, 1], elements: "
              "[1, 1]}}}]\n"
              "time: {method: efda, step: 1, end: 1}\n"),
      "method efda is for rigid bodies only");
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  CrLogSetQuiet(PETSC_TRUE);
  test_clusters();
  test_pressed();
  test_independence();
  test_swap();
  test_guided();
  test_rest();
  test_moving_wall();
  for (int k = 0; k < 3; k++) {
    PetscReal off[] = {0.003, 0.0199, 0.0201};

    test_fast(off[k], "few", 0.1);
    test_fast(off[k], "many", 0.1); /* by the normal of the instant, not of the start */
    test_fast(off[k], "many", 0.005);
  }
  test_swing(1, 1e-3);
  test_swing(1, 5e-3);
  test_swing(1000, 5e-3);
  /* face to face, out of line; a corner on the floor, and the body turns away over it */
  test_whirl(3, 1,
             "bodies:\n"
             "  - {name: a, rigid: {box: {size: [0.02, 0.02, 0.02]}, mass: 1}, position: [-0.35, "
             "0.003, 0], velocity: [10, 0, 0]}\n"
             "  - {name: b, rigid: {box: {size: [0.02, 0.02, 0.02]}, mass: 1}}\n");
  test_whirl(2, 5,
             "bodies: [{name: a, rigid: {box: {size: [0.2, 0.04]}, mass: 1}, position: [0, 0.12], "
             "velocity: [0.2, -1], spin: 60}]\n"
             "obstacles: [{name: f, plane: {point: [0, 0], normal: [0, 1]}}]\n");
  /* two that leave each other and turn back */
  test_whirl(2, 5,
             "bodies:\n"
             "  - {name: a, rigid: {ellipse: {semi_axes: [0.1, 0.03]}, mass: 1}, position: [-0.12, "
             "0], velocity: [2.368, 0], spin: -47.56, angle: 36.93}\n"
             "  - {name: b, rigid: {ellipse: {semi_axes: [0.1, 0.03]}, mass: 1}, position: [0.12, "
             "0.0101], spin: -70.92, angle: 139.74}\n");
  test_rolling_impact();
  test_squeezed(1);
  test_squeezed(0.9);
  test_squeezed(0.5);
  test_cone("obstacles: [{name: f, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n");
  test_cone("  - {name: s, rigid: {box: {size: [1, 1, 0.1]}, mass: 1}, position: [0, 0, -0.05]}\n"
            "obstacles: [{name: f, plane: {point: [0, 0, -0.1], normal: [0, 0, 1]}}]\n");
  for (int first = 0; first < 2; first++) {
    test_copies("disk: {radius: 0.1}", 0.1, ", engine: few", first);
    test_copies("disk: {radius: 0.1}", 0.1, ", engine: many", first);
    test_copies("box: {size: [0.2, 0.2]}", 0.1, ", engine: few", first);
    test_copies("box: {size: [0.2, 0.2]}", 0.1, ", engine: many", first);
  }
  test_refusals();
  return check_end();
}

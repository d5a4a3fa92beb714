/* efda's engine for many bodies of any shape: closed forms with one body, statics of a stack, identities in free space
   and in bins full of boxes, polygons and everything else. */
#include "base/vector.h"
#include "model_from_text.h"

/* Sweeps end when no velocity changes by more than 1e-4 h g = 1e-6, or after fifteen: what that leaves of velocities is
   of this size and is held to it here. The identities do not depend on it. */
#define LOOSE 1e-6

#define MANY "time: {method: efda, engine: many, step: 1.0e-3, end: 1}\n"
#define FLOOR2                                                                                     \
  "obstacles: [{name: f, plane: {point: [0, 0], normal: [0, 1]}}]\n"                               \
  "contact: [{between: [b, f], friction: 0.3, restitution: 0.5}]\n"

/* A block that slides stops after v^2/(2 mu g); what the step with the stop costs is of the size of h^2 mu g. */
static void test_sliding_block(void)
{
  Problem p;

  CHECK_OK(problem_open(&p, "carom: 1\ndimension: 2\nbodies: [{name: b, rigid: {box: {size: [0.2, "
                            "0.1]}, mass: 1}, position: [0, 0.05], velocity: [1, 0]}]\n" FLOOR2
                            "conditions: [{gravity: [0, -9.81]}]\n" MANY));
  CHECK_OK(problem_run(&p, 500, 1e-3));
  CHECK_NEAR(p.state->rigid->x[0], 0.169894665, 3e-6);
  CHECK_NEAR(p.state->rigid->x[1], 0.05, 1e-12);
  CHECK_LESS(fabs(p.state->rigid->v[0]), 1e-12);
  CHECK_OK(CrContactGatherNodes(p.contact));
  for (int i = 0; i < 3; i++) /* both corners slid as far as the block */
    CHECK_NEAR(p.contact->picture->slip[i], p.state->rigid->x[0], 1e-9);
  CHECK_NEAR(p.audit->friction_loss, 0.5, LOOSE);
  CHECK_LESS(p.audit->defect_max, 1e-12);
  CHECK_OK(problem_close(&p));
}

/* On a slope: below the angle of friction it stays, above it slides with g (sin - mu cos). */
static void test_slope(PetscReal slope)
{
  PetscReal g = 9.81, c = 1 / sqrt(1 + slope * slope), s = slope * c;
  Problem   p;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\nbodies: [{name: b, rigid: {box: {size: [0.2, "
                        "0.1]}, mass: 1}, position: [0, 0.05]}]\n" FLOOR2
                        "conditions: [{gravity: [%.17g, %.17g]}]\n" MANY,
                        (double)(g * s), (double)(-g * c)));
  CHECK_OK(problem_run(&p, 500, 1e-3));
  CHECK_NEAR(p.state->rigid->x[0], slope < 0.3 ? 0 : g * (s - 0.3 * c) * 0.125, 0.5 * LOOSE);
  CHECK_LESS(p.audit->defect_max, 1e-12);
  CHECK_OK(problem_close(&p));
}

/* A box that lands flat on four corners leaves with half of the speed it came with. */
static void test_flat_landing(void)
{
  PetscReal    before;
  CrStepReport report;
  Problem      p;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\nbodies: [{name: b, rigid: {box: {size: [0.2, 0.1, 0.1]}, mass: 1}, "
      "position: [0, 0, 0.2], velocity: [0, 0, -3]}]\n"
      "obstacles: [{name: f, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
      "contact: [{between: [b, f], friction: 0.3, restitution: 0.5}]\n" MANY));
  do {
    before = p.state->rigid->v[2];
    CHECK_OK(problem_step(&p, 1e-3, &report));
  } while (p.state->rigid->v[2] < 0 && p.state->t < 1);
  CHECK_NEAR(p.state->rigid->v[2], -before / 2, LOOSE);
  for (int i = 0; i < 3; i++) CHECK_NEAR(p.state->rigid->pi[i], 0, 1e-2 * LOOSE); /* m r = 0.1 */
  CHECK_LESS(p.audit->defect_max, 1e-12);
  CHECK_OK(problem_close(&p));
}

/* Four boxes on one another, none in the middle of the next: they stay, and each interface carries what is above it. */
static void test_stack(PetscReal friction)
{
  const PetscReal half[4][3] = {{0.10, 0.10, 0.05},
                                {0.09, 0.09, 0.04},
                                {0.08, 0.08, 0.03},
                                {0.06, 0.06, 0.03}};
  PetscReal       z = 0, weight = 0;
  char            bodies[2048] = "";
  Problem         p;

  for (int k = 0; k < 4; k++) {
    z += half[k][2];
    snprintf(bodies + strlen(bodies), sizeof bodies - strlen(bodies),
             "  - {name: b%d, rigid: {box: {size: [%g, %g, %g]}, density: 8000}, position: [%.17g, "
             "%.17g, %.17g]}\n",
             k, 2 * half[k][0], 2 * half[k][1], 2 * half[k][2], 0.003 * k, -0.002 * k, (double)z);
    z += half[k][2];
  }
  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 3\nbodies:\n%s"
                        "obstacles: [{name: f, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
                        "contact:\n  - {between: [b0, f], friction: %g}\n"
                        "  - {between: [b1, b0], friction: %g}\n  - {between: [b2, b1], friction: "
                        "%g}\n  - {between: [b3, b2], friction: %g}\n"
                        "conditions: [{gravity: [0, 0, -9.81]}]\n" MANY,
                        bodies, friction, friction, friction, friction));
  CHECK_OK(problem_run(&p, 300, 1e-3));
  for (int k = 3; k >= 0; k--) {
    weight += 9.81 * p.model->rigid->mass[k];
    /* sweeps end when velocities change by less than 1e-4 h g; 16 sets of four corners */
    CHECK_NEAR(p.contact->picture->tally.pairs[k].force[2], weight, 1e-3 * weight);
    CHECK_NEAR(p.state->rigid->x[3 * k], 0.003 * k, 0.3 * (k + 1) * LOOSE);
  }
  CHECK_LESS(p.audit->kinetic, 1e-12);
  CHECK_LESS(p.audit->deepest, 1e-7);
  CHECK_LESS(p.audit->defect_max, 1e-11);
  CHECK_OK(problem_close(&p));
}

/* Bodies thrown together in free space: the identity, linear momentum, friction that only takes. */
static void test_free(void)
{
  CrStepReport report;
  Problem      p;

  CHECK_OK(problem_open(
      &p, "carom: 1\ndimension: 3\nbodies:\n"
          "  - {name: a, rigid: {box: {size: [0.4, 0.3, 0.2]}, mass: 1}, position: [-1, 0.1, 0], "
          "velocity: [2, 0, 0], spin: [1, 2, 3]}\n"
          "  - {name: b, rigid: {hull: {points: [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, "
          "0.5]]}, mass: 2}, spin: [0, 1, 0]}\n"
          "  - {name: c, rigid: {capsule: {radius: 0.1, length: 0.2}, mass: 1}, position: [1, 0, "
          "0.05], velocity: [-2, 0, 0]}\n"
          "contact: [{default: {friction: 0.3, restitution: 0.6}}]\n" MANY));
  for (int k = 0; k < 1000; k++) {
    CHECK_OK(problem_step(&p, 1e-3, &report));
    CHECK_LESS(-report.friction_loss, 1e-8);
  }
  CHECK(p.audit->max_contacts > 0);
  CHECK_LESS(p.audit->defect_max, 1e-12);
  CHECK_LESS(p.audit->momentum_drift, 1e-13);
  CHECK_LESS(p.audit->deepest, 4e-3); /* what the fastest two go in a step */
  CHECK_OK(problem_close(&p));
}

/* A bin is filled: the balance is exact, friction takes, overlaps are small, the heap comes to rest inside. */
static void test_bin(int dim, const char *bodies, PetscInt n, PetscReal size, PetscReal end)
{
  PetscReal    scale = 0, deep = 0;
  CrStepReport report;
  Problem      p;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: %d\nbodies:\n%s"
                        "obstacles: [{name: bin, box: {from: %s, to: %s}}]\n"
                        "contact: [{default: {friction: 0.4, restitution: 0.2}}]\n"
                        "conditions: [{gravity: %s}]\ntime: {method: efda, step: 1, end: 1}\n",
                        dim, bodies, dim == 2 ? "[0, 0]" : "[0, 0, 0]",
                        dim == 2 ? "[1.0, 9]" : "[0.55, 0.55, 9]",
                        dim == 2 ? "[0, -9.81]" : "[0, 0, -9.81]"));
  CHECK(p.model->rigid->n == n);
  for (PetscInt b = 0; b < n; b++) scale += 9.81 * p.model->rigid->mass[b] * 0.5;
  for (PetscReal t = 0; t < end; t += 1e-3) {
    CHECK_OK(problem_step(&p, 1e-3, &report));
    CHECK(report.reason == CR_STEP_OK);
    CHECK_LESS(-report.friction_loss, 1e-8 * scale);
    deep = report.max_penetration;
  }
  CHECK_LESS(p.audit->defect_max, 1e-12 * scale);
  CHECK_LESS(p.audit->deepest, 0.05 * size); /* goal of the method: a twentieth of a radius */
  CHECK_LESS(deep, 2e-3 * size);             /* at rest */
  CHECK_LESS(p.audit->kinetic, 1e-6 * scale);
  for (PetscInt b = 0; b < n; b++) {
    CHECK(p.state->rigid->x[3 * b] > 0 && p.state->rigid->x[3 * b] < (dim == 2 ? 1 : 0.55));
    CHECK(p.state->rigid->x[3 * b + dim - 1] > 0);
  }
  CHECK_OK(problem_close(&p));
}

static void test_bins(void)
{
  test_bin(3,
           "  - {name: box, rigid: {box: {size: [0.1, 0.08, 0.06]}, density: 1000}, position: "
           "[0.08, 0.08, 0.08], repeat: {counts: [4, 4, 4], spacing: [0.13, 0.13, 0.13], jitter: "
           "0.01, velocity_jitter: 0.2, seed: 1}}\n",
           64, 0.03, 1.2);
  test_bin(2,
           "  - {name: five, rigid: {polygon: {points: [[0, 0.06], [-0.057, 0.0185], [-0.0353, "
           "-0.0485], [0.0353, -0.0485], [0.057, 0.0185]]}, density: 1000}, position: [0.09, 0.08],"
           " repeat: {counts: [6, 5], spacing: [0.15, 0.28], jitter: 0.01, seed: 1}}\n"
           "  - {name: brick, rigid: {box: {size: [0.12, 0.06]}, density: 1000}, position: [0.09, "
           "0.22], repeat: {counts: [6, 5], spacing: [0.15, 0.28], jitter: 0.01, seed: 2}}\n",
           60, 0.03, 1.5);
  test_bin(3,
           "  - {name: ball, rigid: {sphere: {radius: 0.05}, density: 1000}, position: [0.08, 0.08,"
           " 0.08], repeat: {counts: [4, 4, 1], spacing: [0.13, 0.13, 0.13], jitter: 0.01}}\n"
           "  - {name: egg, rigid: {ellipsoid: {semi_axes: [0.05, 0.04, 0.03]}, density: 1000}, "
           "position: [0.08, 0.08, 0.21], repeat: {counts: [4, 4, 1], spacing: [0.13, 0.13, 0.13], "
           "jitter: 0.01}}\n"
           "  - {name: pill, rigid: {capsule: {radius: 0.03, length: 0.04}, density: 1000}, "
           "position: [0.08, 0.08, 0.34], repeat: {counts: [4, 4, 1], spacing: [0.13, 0.13, 0.13], "
           "jitter: 0.01}}\n"
           "  - {name: box, rigid: {box: {size: [0.1, 0.08, 0.06]}, density: 1000}, position: "
           "[0.08, 0.08, 0.47], repeat: {counts: [4, 4, 1], spacing: [0.13, 0.13, 0.13], jitter: "
           "0.01}}\n",
           64, 0.03, 1.5);
}

/* Bodies that fall together, or a floor that comes ever faster, meet in time: the step that meets only takes energy,
   and nobody is lifted out of the floor afterwards. A pile in flight, its height and speed such that a step ends inside. */
static void test_meets_in_time(const char *bodies, const char *floor)
{
  CrStepReport report;
  PetscReal    least = 0, most = 0;
  Problem      p;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\nbodies: [{name: b, rigid: {box: {size: [0.2, "
                        "0.1]}, mass: 1}, %s, repeat: {counts: [3, 1], spacing: [0.3, 1]}}]\n"
                        "obstacles: [{name: f, plane: {point: [0, 0], normal: [0, 1]}%s}]\n"
                        "contact: [{between: [b, f], restitution: 0.5}]\n"
                        "conditions: [{gravity: [0, -9.81]}]\n" MANY,
                        bodies, floor));
  for (int k = 0; k < 100; k++) {
    CHECK_OK(problem_step(&p, 1e-3, &report));
    least = PetscMin(least, report.contact_work);
    most = PetscMax(most, report.contact_work);
  }
  CHECK_LESS(least, -1);
  CHECK_LESS(most, 1e-9);
  CHECK_OK(problem_close(&p));
}

/* Ten tons on three light bodies, put there or dropped on them by `gap`: what they lose is what they fall, the floor
   carries all of it in the end, and the light ones are not squeezed away. */
static void test_heavy(const char *engine, const char *shape, PetscReal gap, PetscReal overlap)
{
  PetscReal weight = 9.81 * 10003, fall = 9.81 * (1 + 2 + 3 + 4e4) * gap;
  Problem   p;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\nbodies:\n  - {name: a, rigid: {%s, mass: 1}, position: [0, 0, "
      "%.17g]}\n  - {name: b, rigid: {%s, mass: 1}, position: [0, 0, %.17g]}\n  - {name: c, rigid: "
      "{%s, mass: 1}, position: [0, 0, %.17g]}\n  - {name: d, rigid: {%s, mass: 10000}, position: "
      "[0, 0, %.17g]}\n"
      "obstacles: [{name: f, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
      "contact: [{between: [a, f], friction: 0.3, restitution: 0}, {default: {friction: 0.3, "
      "restitution: 0}}]\n"
      "conditions: [{gravity: [0, 0, -9.81]}]\n"
      "time: {method: efda, engine: %s, step: 1.0e-3, end: 1}\n",
      shape, 0.05 + gap, shape, 0.15 + 2 * gap, shape, 0.25 + 3 * gap, shape, 0.35 + 4 * gap,
      engine));
  CHECK_OK(problem_run(&p, 300, 1e-3));
  CHECK_NEAR(p.contact->picture->tally.pairs[0].force[2], weight, 1e-3 * weight);
  CHECK_NEAR(p.state->rigid->x[11], 0.35, 2 * overlap);
  CHECK_NEAR(p.audit->contact_work, -fall, weight * 2 * overlap);
  CHECK_LESS(p.audit->kinetic, 1e-6 * weight * 0.1);
  CHECK_LESS(p.audit->deepest, overlap);
  CHECK_LESS(p.audit->defect_max, 1e-12 * weight);
  CHECK_OK(problem_close(&p));
}

static const char *const shapes[] = {
    "box: {size: [0.1, 0.08, 0.06]}", "ellipsoid: {semi_axes: [0.06, 0.04, 0.03]}",
    "capsule: {radius: 0.03, length: 0.08}",
    "hull: {points: [[0, 0, 0], [0.12, 0, 0], [0, 0.12, 0], [0, 0, 0.12]]}",
    "sphere: {radius: 0.05}"};
#define SHAPES ((int)(sizeof shapes / sizeof shapes[0]))

/* A body, no sphere, is thrown at another that tumbles. r are random numbers, `way` is how far it goes in 1 ms. */
static PetscErrorCode throw(Problem * p, const char *engine, int k, const PetscReal *r,
                            PetscReal way, PetscReal h)
{
  PetscReal v = 1000 * way, spin = 2000 * way;

  return problem_open(
      p,
      "carom: 1\ndimension: 3\nbodies:\n"
      "  - {name: a, rigid: {%s, mass: 1}, axis: [%g, %g, %g], angle: %g, spin: [%g, %g, %g]}\n"
      "  - {name: b, rigid: {%s, mass: 2}, position: [%.17g, %g, %g], axis: [%g, %g, %g], angle: "
      "%g, velocity: [%g, 0, 0], spin: [%g, %g, %g]}\n"
      "contact: [{default: {friction: 0, restitution: 1}}]\n"
      "time: {method: efda, engine: %s, step: %g, end: 1}\n",
      shapes[k % SHAPES], r[0], r[1], r[2] + 1.5, 180 * r[3], spin * r[4], spin * r[5], spin * r[6],
      shapes[k / SHAPES % (SHAPES - 1)], -0.19 - way * (2.5 + r[7]), 0.06 * r[8], 0.06 * r[9],
      r[10], r[11], r[12] + 1.5, 180 * r[13], v, spin * r[14], spin * r[15], spin * r[16], engine,
      h);
}

/* Bodies of every shape that go up to their own size in a step. Free impacts do not depend on the step, nor on the
   engine: those of a quarter of the step, and of the other engine, must give the same velocities. Nothing overlaps,
   energy and both momenta stay. */
static void test_thrown(const char *engine, PetscReal h, PetscReal way, int pairs)
{
  unsigned seed = 7;

  for (int k = 0; k < pairs; k++) {
    PetscReal r[17], v = 1000 * way, off = 0;
    Problem   p, q;

    for (int i = 0; i < 17; i++) r[i] = random_number(&seed);
    CHECK_OK(throw(&p, engine, k, r, way, h));
    CHECK_OK(throw(&q, "few", k, r, way, 2.5e-4));
    for (int n = 0; n < (6 + 0.5 / way) * 1e-3 / h; n++) {
      CrStepReport report;

      CHECK_OK(problem_step(&p, h, &report));
      for (int m = 0; m < (int)(h / 2.5e-4 + 0.5); m++) CHECK_OK(problem_step(&q, 2.5e-4, &report));
    }
    for (int i = 0; i < 6; i++)
      off = PetscMax(off, fabs(p.state->rigid->v[i] - q.state->rigid->v[i]) / v);
    CHECK_LESS(off, 1e-3); /* the rotation has order 6, and impacts follow one another */
    CHECK_LESS(p.audit->deepest, 1e-10);
    CHECK_LESS(fabs(p.audit->kinetic - q.audit->kinetic), 1e-12 * v * v);
    CHECK_LESS(p.audit->momentum_drift, 1e-13 * v);
    CHECK_LESS(p.audit->angular_drift, 1e-14 * v);
    CHECK_OK(problem_close(&p));
    CHECK_OK(problem_close(&q));
  }
}

/* Boxes fly about in a closed box, up to their own size in a step: nothing is lost, nobody leaves. */
static void test_gas(void)
{
  CrStepReport report;
  Problem      p;

  CHECK_OK(problem_open(
      &p, "carom: 1\ndimension: 3\nbodies: [{name: b, rigid: {box: {size: [0.1, 0.08, 0.06]}, mass:"
          " 1}, position: [0.2, 0.2, 0.2], repeat: {counts: [3, 3, 3], spacing: [0.5, 0.5, 0.5], "
          "velocity_jitter: 60, seed: 3}}]\n"
          "obstacles: [{name: bin, box: {from: [0, 0, 0], to: [1.5, 1.5, 1.5]}}]\n"
          "contact: [{default: {friction: 0, restitution: 1}}]\n" MANY));
  for (int k = 0; k < 300; k++) {
    CHECK_OK(problem_step(&p, 1e-3, &report));
    CHECK(report.reason == CR_STEP_OK);
  }
  CHECK_NEAR(p.audit->kinetic, p.audit->energy0, 1e-12 * p.audit->energy0);
  CHECK_LESS(p.audit->deepest, 1e-9);
  for (PetscInt i = 0; i < 3 * p.model->rigid->n; i++)
    CHECK(p.state->rigid->x[i] > 0 && p.state->rigid->x[i] < 1.5);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  CrLogSetQuiet(PETSC_TRUE);
  test_sliding_block();
  test_slope(0.25);
  test_slope(0.4);
  test_flat_landing();
  test_stack(0.3);
  test_stack(0);
  test_free();
  test_bins();
  test_meets_in_time("position: [0, 0.1337], velocity: [0, -5]", "");
  test_meets_in_time("position: [0, 0.2337]", ", acceleration: [0, 100]");
  test_thrown("few", 1e-3, 0.02, 60);
  test_thrown("few", 1e-3, 0.1, 60);
  test_thrown("many", 1e-3, 0.05, 60);
  test_thrown("many", 1e-3, 0.1, 60);
  test_gas();
  for (int k = 0; k < 2; k++) {
    const char *shape = k ? "sphere: {radius: 0.05}" : "box: {size: [0.1, 0.1, 0.1]}";

    test_heavy("few", shape, 0, 1e-11);
    test_heavy("few", shape, 0.01, 1e-11);
    test_heavy("many", shape, 0, 1e-6);
    test_heavy("many", shape, 0.01, 1e-4); /* of 5e-2; a step goes 1e-3 */
  }
  return check_end();
}

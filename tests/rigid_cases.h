/* Decks with rigid bodies beside a deformable block, and checks for `dissipative`: the energy balance holds in every
   step, free systems keep their momenta, losses are never negative, and a failed step leaves the state unchanged. */
#pragma once

#include "model_from_text.h"

#define SOFT "{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 2}"
#define FIRM "{name: m, model: neo-hookean, lambda: 2000, shear: 1500, density: 2}"
#define SPACE(material, elements)                                                                  \
  "dimension: 3\nmaterials: [" material "]\nbodies:\n"                                             \
  "  - {name: block, material: m, mass: consistent, mesh: {block: {from: [-1.5, -1.5, -1], to: "   \
  "[1.5, 1.5, 0], elements: " elements "}}}\n"
#define PLATE(material, elements)                                                                  \
  "dimension: 2\nmaterials: [" material "]\nbodies:\n"                                             \
  "  - {name: block, material: m, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: "       \
  "" elements "}}}\n"

typedef struct {
  const char *name, *deck; /* %s: friction */
  PetscReal   h;
  PetscInt    n;
  PetscReal   momentum, angular; /* scale for the drifts of momenta; 0: the system is not free */
  PetscReal   loss, band;        /* friction 0.3; band 0: no number is known */
  PetscReal   iterations;        /* mean; 0: no number is known */
} RigidCase;

typedef struct {
  const char *options;  /* of the method */
  PetscInt    touching; /* steps in contact, at least */
  PetscReal   balance;  /* of the greatest energy, and of what a step adds */
  PetscReal   backward; /* friction that gives back, of the same */
  PetscReal   drift;    /* of the case's momenta */
  PetscReal   loss;     /* with friction, at least */
  const char *method;   /* NULL: dissipative */
} RigidBounds;

static inline PetscErrorCode rigid_open(Problem *p, const RigidCase *c, const RigidBounds *b,
                                        const char *friction)
{
  char deck[4096];

  PetscFunctionBeginUser;
  snprintf(deck, sizeof deck, c->deck, friction);
  PetscCall(problem_open(p, "carom: 1\n%stime: {method: %s, step: %.17g, end: %.17g%s}\n", deck,
                         b->method ? b->method : "dissipative", (double)c->h,
                         (double)(c->h * (PetscReal)c->n), b->options));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline void rigid_test_case(const RigidCase *c, const RigidBounds *b, PetscReal friction)
{
  Problem      p;
  CrStepReport report;
  char         words[64];
  PetscReal    least = 0, sum0, rise = 0, loss = 0, defect = 0, scale;
  PetscInt     touching = 0, iterations = 0;
  int          before = check_failures;

  snprintf(words, sizeof words, ", friction: %g", (double)friction);
  CHECK_OK(rigid_open(&p, c, b, words));
  if (check_failures > before) return;
  sum0 = p.audit->energy;
  for (PetscInt k = 0; k < c->n; k++) {
    CHECK_OK(problem_step(&p, c->h, &report));
    CHECK(report.reason == CR_STEP_OK);
    least = PetscMin(least, report.friction_loss);
    touching += report.contacts > 0;
    iterations += report.iterations;
    loss += report.friction_loss;
    defect = PetscMax(defect, PetscAbsReal(p.audit->defect));
    rise = PetscMax(rise, p.audit->energy + p.audit->penalty - p.audit->external_work - sum0);
    sum0 = p.audit->energy + p.audit->penalty - p.audit->external_work;
  }
  scale = p.audit->energy_scale;
  CHECK(touching >= b->touching);
  CHECK_LESS(defect, b->balance * scale);
  /* no step adds energy; energy that augmentation owes is in the ledger (theory 16.3) */
  if (!strstr(b->options, "augmented")) {
    CHECK_LESS(p.audit->balance_max, b->balance * scale);
    CHECK_LESS(rise, b->balance * scale);
  }
  CHECK_LESS(-least, b->backward * scale);
  if (c->momentum > 0) {
    CHECK_LESS(p.audit->momentum_drift, b->drift * c->momentum);
    CHECK_LESS(p.audit->angular_drift, b->drift * c->angular);
  }
  if (friction > 0 && c->band > 0 && !b->method) CHECK_NEAR(loss, c->loss, c->band);
  if (friction > 0) CHECK_LESS(b->loss, loss);
  if (friction == 0 && !strstr(c->deck, "friction: 0.")) CHECK(loss == 0);
  if (c->iterations > 0 && !b->method)
    CHECK_LESS((PetscReal)iterations, (c->iterations + 0.5) * (PetscReal)c->n);
  printf(
      "%s%s, %s, friction %g: loss %.6g, balance %.1e of %.4g, drifts %.1e %.1e, %d of %d steps in "
      "contact, %d iterations\n",
      b->method ? b->method : "dissipative", b->options, c->name, (double)friction, (double)loss,
      (double)p.audit->balance_max, (double)scale, (double)p.audit->momentum_drift,
      (double)p.audit->angular_drift, (int)touching, (int)c->n, (int)iterations);
  CHECK_OK(problem_close(&p));
}

/* The same under the velocity update, with all of its options. */
static inline void rigid_test_updates(const RigidCase *c, PetscReal loss)
{
  static const char *const options[] = {", tolerance: 1.0e-12",
                                        ", tolerance: 1.0e-12, impulse_friction: paper",
                                        ", tolerance: 1.0e-12, enforcement: augmented",
                                        ", tolerance: 1.0e-12, update: spread"};

  for (int k = 0; k < 4; k++) {
    const RigidBounds bounds = {options[k], 1, 1e-11, 1e-12, 1e-11, loss, "velocity-update"};

    if (k == 2 && !(c->momentum > 0)) continue; /* now and then a step would have to be cut */
    rigid_test_case(c, &bounds, 0.3);
    rigid_test_case(c, &bounds, 0);
  }
}

/* A step of length `much`, which cannot be solved, leaves bodies and springs as they were: the same steps after
   it give the same numbers to the last bit. */
static inline void rigid_test_failure(const RigidCase *c, const RigidBounds *bounds, PetscReal much)
{
  Problem      a, b;
  CrStepReport report;
  PetscReal    difference = 0;

  CHECK_OK(rigid_open(&a, c, bounds, ", friction: 0.3"));
  CHECK_OK(rigid_open(&b, c, bounds, ", friction: 0.3"));
  CHECK_OK(problem_run(&a, 10, c->h));
  CHECK_OK(problem_run(&b, 10, c->h));
  CHECK(b.audit->contacts > 0);
  CHECK_OK(problem_step(&b, much, &report));
  CHECK(report.reason < 0);
  CHECK_OK(problem_run(&a, 10, c->h));
  CHECK_OK(problem_run(&b, 10, c->h));
  for (PetscInt i = 0; i < 3; i++) {
    difference += PetscAbsReal(a.state->rigid->x[i] - b.state->rigid->x[i]);
    difference += PetscAbsReal(a.state->rigid->v[i] - b.state->rigid->v[i]);
    difference += PetscAbsReal(a.state->rigid->pi[i] - b.state->rigid->pi[i]);
    difference += PetscAbsReal(a.state->rigid->q[i] - b.state->rigid->q[i]);
  }
  for (PetscInt k = 0; k < a.contact->npoints; k++)
    difference += PetscAbsReal(a.contact->past.gd[k] - b.contact->past.gd[k]);
  CHECK(difference == 0);
  CHECK(a.audit->energy == b.audit->energy);
  CHECK_OK(problem_close(&a));
  CHECK_OK(problem_close(&b));
}

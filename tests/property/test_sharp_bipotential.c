/* Rigid bodies with sharp corners and edges beside deformable ones, under `bipotential`: corners on facets and edges on
   edges obey exact laws. No penetration at gap level, no normal work at the level of increments; works balance, momenta
   of free systems stand, reactions obey the cone of friction. */
#include "base/vector.h"
#include "contact/touch/touch.h"
#include "sharp_cases.h"

/* What is pressed after a step, by kinds of passes. Returns by how much the worst reaction leaves its cone. */
static PetscReal look_at_points(const Problem *p, PetscReal friction, PetscInt pressed[])
{
  const CrContact *c = p->contact;
  PetscReal        worst = 0;

  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = c->passes[k].first; i < c->passes[k].first + c->passes[k].n; i++) {
      const PetscReal *r = p->state->contact->method + p->state->contact->width * i;

      if (!(r[0] > 0)) continue;
      pressed[c->passes[k].kind]++;
      worst = PetscMax(worst, v_length(r + 1) / r[0] - friction);
    }
  return worst;
}

/* The level of velocities in the plane: points that press do not move along the normal at the end of the step. Velocities
   are those of the state. Returns the worst over those before the step. */
static PetscReal velocity_left(const Problem *p)
{
  const CrContact   *c = p->contact;
  const PetscReal   *V = p->state->rigid->v;
  const PetscReal    w = p->state->rigid->pi[2] * c->model->rigid->inverse[2];
  const PetscScalar *v;
  PetscReal          worst = 0;

  CHECK_OK(VecGetArrayRead(p->state->v, &v));
  for (PetscInt k = 0; c->model->dim == 2 && k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];
    PetscInt       nodes[CR_CONTACT_NODES];
    PetscReal      side = touch->node >= 0 ? -1 : 1, sum = 0;

    if (touch->idle || !(touch->out.p > 0)) continue;
    CrTouchNodes(c, touch, nodes);
    for (PetscInt a = 0; a <= touch->k.nmaster; a++)
      for (int i = 0; i < 2 && nodes[a] >= 0; i++)
        sum += touch->k.G[2 * a + i] * v[2 * nodes[a] + i];
    sum += side * touch->k.nu[0] * (V[0] - w * touch->arm[1]);
    sum += side * touch->k.nu[1] * (V[1] + w * touch->arm[0]);
    worst = PetscMax(worst, PetscAbsReal(sum));
  }
  CHECK_OK(VecRestoreArrayRead(p->state->v, &v));
  return worst;
}

static void test_case(const RigidCase *c, CrPassKind wanted, const char *level, PetscReal friction)
{
  const RigidBounds bounds = {level, 1, 0, 0, 0, 0, "bipotential"};
  Problem           p;
  CrStepReport      report;
  PetscInt          pressed[CR_PASS_KINDS] = {0};
  PetscReal         deepest = 0, outside = 0;
  char              words[64];

  snprintf(words, sizeof words, ", friction: %g", (double)friction);
  CHECK_OK(rigid_open(&p, c, &bounds, words));
  for (PetscInt k = 0; k < c->n; k++) {
    PetscReal over;

    CHECK_OK(problem_step(&p, c->h, &report));
    CHECK(report.reason == CR_STEP_OK);
    over = look_at_points(&p, friction, pressed);
    outside = PetscMax(outside, over);
    deepest = PetscMax(deepest, report.max_penetration);
    if (strstr(level, "velocity")) CHECK_LESS(velocity_left(&p), 1e-8);
  }
  CHECK(pressed[wanted] > 0);
  CHECK_LESS(PetscAbsReal(p.audit->defect), 1e-9 * p.audit->energy_scale);
  CHECK_LESS(p.audit->momentum_drift, 1e-9 * c->momentum);
  CHECK_LESS(p.audit->angular_drift, 1e-9 * c->angular);
  CHECK_LESS(outside, 1e-6); /* on faces the frame is a mean of two rotations */
  if (strstr(level, "gap"))
    CHECK_LESS(deepest, 1e-10);
  else if (strstr(level, "increment"))
    CHECK_LESS(PetscAbsReal(p.audit->contact_work), 1e-9 * p.audit->energy_scale);
  else /* arriving points lose their velocity; directions that turn may give a little of it back */
    CHECK_LESS(p.audit->contact_work, 2e-3 * p.audit->energy_scale);
  if (friction > 0) CHECK_LESS(-1e-12, p.audit->friction_loss); /* what sticks loses nothing */
  if (friction == 0) CHECK(p.audit->friction_loss == 0);
  printf("%s%s, friction %g: loss %.4g, contact work %.2e, defect %.1e of %.4g, drifts %.1e %.1e, "
         "deepest %.1e, cone %.1e, pressed",
         c->name, level, (double)friction, (double)p.audit->friction_loss,
         (double)p.audit->contact_work, (double)p.audit->defect, (double)p.audit->energy_scale,
         (double)p.audit->momentum_drift, (double)p.audit->angular_drift, (double)deepest,
         (double)outside);
  for (int k = 0; k < CR_PASS_KINDS; k++) printf(" %d", (int)pressed[k]);
  printf("\n");
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  static const CrPassKind kinds[] = {CR_EDGE_ON_BODY,   CR_EDGE_ON_BODY,   CR_POINT_ON_FACET,
                                     CR_POINT_ON_FACET, CR_POINT_ON_FACET, CR_NODE_ON_BODY,
                                     CR_POINT_ON_FACET};

  if (check_start(argc, argv)) return 1;
  for (int c = 0; c < NSHARP; c++) {
    test_case(&sharp_cases[c], kinds[c], ", level: gap", 0.3);
    test_case(&sharp_cases[c], kinds[c], ", level: gap", 0);
    test_case(&sharp_cases[c], kinds[c], ", level: increment", 0.3);
    test_case(&sharp_cases[c], kinds[c], ", level: velocity", 0.3);
    test_case(&sharp_cases[c], kinds[c], ", level: velocity", 0);
  }
  return check_end();
}

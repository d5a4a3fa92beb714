/* Rigid bodies with sharp corners and edges beside deformable ones, under `explicit`: corners on facets and edges on edges
   are pressed, and hold. Works balance to rounding, both momenta stand, multipliers obey the cone of friction. */
#include "base/vector.h"
#include "contact/multipliers/press.h"
#include "sharp_cases.h"

#define FRICTION 0.3

/* What is pressed after a step, by kinds of passes. Returns by how much the worst multiplier leaves its cone. */
static PetscReal look_at_points(const Problem *p, PetscReal friction, PetscInt pressed[])
{
  const CrContact     *c = p->contact;
  const CrPointMemory *memory = CrPointMemories(p->state->contact);
  PetscReal            worst = 0;

  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = c->passes[k].first; i < c->passes[k].first + c->passes[k].n; i++) {
      const PetscReal *lam = memory[i].lam;

      if (!(lam[0] > 0)) continue;
      pressed[c->passes[k].kind]++;
      worst = PetscMax(worst, v_length(lam + 1) / lam[0] - friction);
    }
  return worst;
}

static PetscErrorCode open_case(Problem *p, const RigidCase *c, const char *options,
                                PetscReal friction)
{
  char deck[4096], words[64], *consistent;

  PetscFunctionBeginUser;
  snprintf(words, sizeof words, ", friction: %g", (double)friction);
  snprintf(deck, sizeof deck, c->deck, words);
  consistent = strstr(deck, "mass: consistent, ");
  if (consistent) memmove(consistent, consistent + 18, strlen(consistent + 18) + 1);
  PetscCall(problem_open(p, "carom: 1\n%stime: {method: explicit, step: %.17g, end: %.17g%s}\n",
                         deck, (double)c->h / 4, (double)(c->h * (PetscReal)c->n), options));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void test_case(const RigidCase *c, CrPassKind wanted, const char *options,
                      PetscReal friction)
{
  Problem      p;
  CrStepReport report;
  PetscInt     pressed[CR_PASS_KINDS] = {0};
  PetscReal    defect = 0, deepest = 0, outside = 0, least = 0;

  CHECK_OK(open_case(&p, c, options, friction));
  for (PetscInt k = 0; k < 4 * c->n; k++) {
    PetscReal over;

    CHECK_OK(problem_step(&p, c->h / 4, &report));
    CHECK(report.reason == CR_STEP_OK);
    over = look_at_points(&p, friction, pressed);
    outside = PetscMax(outside, over);
    defect = PetscMax(defect, PetscAbsReal(p.audit->defect));
    deepest = PetscMax(deepest, report.max_penetration);
    least = PetscMin(least, report.friction_loss);
  }
  CHECK(pressed[wanted] > 0);
  CHECK_LESS(defect, 1e-11 * p.audit->energy_scale);
  CHECK_LESS(p.audit->momentum_drift, 1e-12 * c->momentum);
  CHECK_LESS(p.audit->angular_drift, 1e-11 * c->angular);
  CHECK_LESS(outside, 1e-12);
  CHECK_LESS(deepest, 0.01); /* facets and edges are 0.4 long at least */
  if (friction > 0)
    CHECK_LESS(1e-3 * p.audit->energy_scale, p.audit->friction_loss);
  else
    CHECK(p.audit->friction_loss == 0);
  printf("%s%s, friction %g: loss %.4g, least %.1e, defect %.1e of %.4g, drifts %.1e %.1e, "
         "deepest %.1e, pressed",
         c->name, options, (double)friction, (double)p.audit->friction_loss, (double)least,
         (double)defect, (double)p.audit->energy_scale, (double)p.audit->momentum_drift,
         (double)p.audit->angular_drift, (double)deepest);
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
    test_case(&sharp_cases[c], kinds[c], "", FRICTION);
    test_case(&sharp_cases[c], kinds[c], ", algorithm: sym", FRICTION);
    test_case(&sharp_cases[c], kinds[c], ", algorithm: 2, inner: gauss-seidel", 0);
  }
  return check_end();
}

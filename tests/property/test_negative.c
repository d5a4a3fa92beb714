/* What contact needs, seen by what goes wrong without it (spec of complete contact, section 12): the term of the gap in
   the operators of slip, the operators of a rest in valleys, rests themselves, shares by size. The linker puts the
   functions below between contact and its kinematics. */
#include "base/vector.h"
#include "contact/touch/touch.h"
#include "model_from_text.h"

typedef enum { AS_IT_IS, NO_GAP_TERM, FACET_SLIP_AT_RESTS, NO_RESTS } Spoiled;

static Spoiled  spoiled;
static PetscInt rests; /* asked for by contact, in 2D at corners */

PetscBool __real_CrKinematicsFacet(PetscInt dim, PetscInt n, const PetscReal *x, CrKinematics *k);
PetscBool __wrap_CrKinematicsFacet(PetscInt dim, PetscInt n, const PetscReal *x, CrKinematics *k);
PetscBool __real_CrKinematicsRest(PetscInt dim, PetscInt n, PetscInt rest, const PetscReal *x,
                                  CrKinematics *k);
PetscBool __wrap_CrKinematicsRest(PetscInt dim, PetscInt n, PetscInt rest, const PetscReal *x,
                                  CrKinematics *k);

PetscBool __wrap_CrKinematicsFacet(PetscInt dim, PetscInt n, const PetscReal *x, CrKinematics *k)
{
  PetscBool found = __real_CrKinematicsFacet(dim, n, x, k);

  if (found && spoiled == NO_GAP_TERM) CrKinematicsRoll(k);
  return found;
}

PetscBool __wrap_CrKinematicsRest(PetscInt dim, PetscInt n, PetscInt rest, const PetscReal *x,
                                  CrKinematics *k)
{
  CrKinematics facet;
  PetscBool    found;

  rests += rest != CR_REST_NONE;
  if (rest == CR_REST_NONE || spoiled == NO_RESTS) return __wrap_CrKinematicsFacet(dim, n, x, k);
  found = __real_CrKinematicsRest(dim, n, rest, x, k);
  if (!found || spoiled != FACET_SLIP_AT_RESTS) return found;
  if (!__real_CrKinematicsFacet(dim, n, x, &facet)) return found;
  memset(k->H, 0, sizeof k->H);
  for (PetscInt i = 0; i < dim; i++) { /* slip between slave and corner, along the facet */
    k->H[0][i] = facet.e[0][i];
    k->H[0][dim * rest + i] = -facet.e[0][i]; /* CR_REST_CORNER(a): node a + 1 */
  }
  return found;
}

/* ---- free bodies: momenta and the ledger ----------------------------------------------------- */

#define NEO "{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}"

typedef struct {
  PetscReal balance, linear, angular; /* over energy and momenta */
  PetscInt  rests, rejected;
} Result;

static void note(Problem *p, const CrStepReport *report, PetscReal h, void *data)
{
  (void)p;
  (void)report;
  (void)h;
  (void)data;
}

/* A diamond that dents a finer block, rough; penalties soft enough for gaps that count. */
static Result throw_diamond(Spoiled how)
{
  Problem   p;
  Result    r = {0};
  PetscReal L = 0, J = 0;

  spoiled = how;
  rests = 0;
  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 2\nmaterials: [" NEO "]\nbodies:\n"
      "  - {name: a, material: m, velocity: [0.5, -3], angle: 50, position: [-0.3, 1.72], mesh: "
      "{block: {from: [-0.5, -0.5], to: [0.5, 0.5], elements: [4, 4]}}}\n"
      "  - {name: b, material: m, mesh: {block: {from: [-0.8, 0], to: [0.2, 1], elements: [16, "
      "8]}}}\ncontact: [{between: [b, a], friction: 0.4, normal_penalty: 20000}]\n"
      "time: {method: dissipative, step: 0.005, end: 0.4}\n"));
  CHECK_OK(problem_watch(&p, note, NULL, &r.rejected));
  for (int b = 0; b < 2; b++) {
    L += v_length(p.audit->bodies[b].momentum);
    J += v_length(p.audit->bodies[b].angular);
  }
  r.balance = p.audit->balance_max / p.audit->energy0;
  r.linear = p.audit->momentum_drift / L;
  r.angular = p.audit->angular_drift / J;
  r.rests = rests;
  CHECK_OK(problem_close(&p));
  spoiled = AS_IT_IS;
  printf("diamond, %d: balance %.1e, L %.1e, J %.1e, %d rests, %d rejected\n", (int)how,
         (double)r.balance, (double)r.linear, (double)r.angular, (int)r.rests, (int)r.rejected);
  return r;
}

static void test_operators(void)
{
  Result right = throw_diamond(AS_IT_IS);
  Result plain = throw_diamond(NO_GAP_TERM), facet = throw_diamond(FACET_SLIP_AT_RESTS);

  CHECK(right.rests > 0 && facet.rests > 0);
  CHECK_LESS(right.angular, 1e-10);
  CHECK_LESS(1e-8, plain.angular);
  CHECK_LESS(1e-8, facet.angular);
  for (int k = 0; k < 3; k++) {
    const Result *r = k == 0 ? &right : k == 1 ? &plain : &facet;

    CHECK_LESS(r->linear, 1e-10);
    CHECK_LESS(r->balance, 1e-9);
  }
}

/* ---- a corner in the valley that it makes ----------------------------------------------------- */

/* The time that the corner on the fine ramp reaches, with steps cut up to three times. */
static PetscReal push_corner(Spoiled how)
{
  Problem      p;
  CrStepReport report;
  PetscReal    t = 0, h = 0.02;

  spoiled = how;
  CHECK_OK(problem_open(
      &p, "carom: 1\ndimension: 2\nmaterials: [{name: m, model: neo-hookean, young: 1000, poisson: "
          "0.3, density: 1.0e-3}]\nbodies:\n"
          "  - {name: ramp, material: m, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], "
          "elements: [60, 30]}}}\n"
          "  - {name: tool, material: m, mesh: {block: {from: [2.75, -2], to: [5.75, 1.3], "
          "elements: [3, 3]}}}\n"
          "contact: [{between: [tool, ramp.bottom], normal_penalty: 180606}]\n"
          "conditions: [{on: ramp.top, fix: [x, y]}, {on: tool, velocity: [-1, 0]}]\n"
          "time: {method: dissipative, analysis: quasi-static, step: 0.02, end: 0.4}\n"));
  while (t < 0.36 && h > 0.02 / 12) {
    CHECK_OK(problem_step(&p, h, &report));
    if (report.reason == CR_STEP_OK)
      t += h;
    else
      h /= 2;
  }
  CHECK_OK(problem_close(&p));
  spoiled = AS_IT_IS;
  printf("corner, %d: reaches t = %.3f\n", (int)how, (double)t);
  return t;
}

static void test_rests(void)
{
  CHECK_LESS(0.35, push_corner(AS_IT_IS));
  CHECK_LESS(push_corner(NO_RESTS), 0.34);
}

/* ---- pressure on the finer one of two surfaces -------------------------------------------------- */

#define RADIUS 4.0

/* A mesh of quads on [-2, 2] x [0, 2] whose lower side is a parabola. */
static void write_punch(const char *name, int nx, int ny)
{
  FILE *f = fopen(name, "w");

  CHECK(f != NULL);
  if (!f) exit(1);
  fprintf(f,
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"top\"\n2 2 "
          "\"all\"\n$EndPhysicalNames\n$Nodes\n%d\n",
          (nx + 1) * (ny + 1));
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++) {
      double x = -2 + 4.0 * i / nx, low = x * x / (2 * RADIUS);

      fprintf(f, "%d %.17g %.17g 0\n", 1 + i + (nx + 1) * j, x, low + (2 - low) * j / ny);
    }
  fprintf(f, "$EndNodes\n$Elements\n%d\n", nx * ny + nx);
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int a = 1 + i + (nx + 1) * j;

      fprintf(f, "%d 3 2 2 1 %d %d %d %d\n", 1 + i + nx * j, a, a + 1, a + nx + 2, a + nx + 1);
    }
  for (int i = 0; i < nx; i++) {
    int a = 1 + i + (nx + 1) * ny;

    fprintf(f, "%d 1 2 1 1 %d %d\n", nx * ny + 1 + i, a + 1, a);
  }
  fprintf(f, "$EndElements\n");
  CHECK(fclose(f) == 0);
}

/* All points get half of their area, whatever the sizes. */
static void make_shares_equal(const Problem *p)
{
  for (PetscInt k = 0; k < p->contact->npasses; k++) {
    const CrSurface *s = p->contact->passes[k].slave;

    for (PetscInt i = 0; i < s->nnodes; i++) s->features->spacing[i] = 1;
    for (PetscInt f = 0; f < s->nfacets; f++) s->features->facet_spacing[f] = 1;
  }
}

/* The root mean square, over the greatest pressure, of the distance of nodal pressures from the ellipse that has the same
   force and second moment. */
static PetscReal roughness(const Problem *p, PetscInt body)
{
  const CrContact *c = p->contact;
  const CrSurface *s = c->passes[0].slave->body == body ? c->passes[0].slave : c->passes[0].master;
  PetscReal        force = 0, moment = 0, sum = 0, a, top;
  PetscInt         n = 0;

  CrContactGatherNodes(p->contact);
  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscReal x = p->model->X[2 * s->nodes[i]];
    PetscReal f = c->picture->nodal[s->nodes[i]].pressure * s->weight[i];

    force += f;
    moment += f * x * x;
  }
  a = 2 * PetscSqrtReal(moment / force);
  top = 2 * force / (PETSC_PI * a);
  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscReal x = p->model->X[2 * s->nodes[i]];
    PetscReal ellipse = top * PetscSqrtReal(PetscMax(0, 1 - PetscSqr(x / a)));

    if (PetscAbsReal(x) > a || p->model->X[2 * s->nodes[i] + 1] > 1.9) continue;
    sum += PetscSqr((c->picture->nodal[s->nodes[i]].pressure - ellipse) / top);
    n++;
  }
  return PetscSqrtReal(sum / (PetscReal)n);
}

/* A fine round punch on a coarse block: 60 on 12 elements. The springs are soft, so that the weights of points are seen in
   the pressure; behind stiff ones the elements even it out. */
static PetscReal press_punch(PetscBool equal)
{
  Problem      p;
  CrStepReport report;
  PetscReal    rough;

  write_punch("test_negative.msh", 60, 16);
  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 2\nmaterials: [{name: m, model: linear, young: 1000, poisson: 0.3, "
      "density: 1}]\nbodies:\n"
      "  - {name: low, material: m, mesh: {block: {from: [-2, -2], to: [2, 0], elements: [12, "
      "6]}}}\n"
      "  - {name: punch, material: m, position: [0, 0], mesh: {file: test_negative.msh}}\n"
      "contact: [{between: [punch, low], normal_penalty: 1.0e4}]\n"
      "conditions: [{on: low.bottom, fix: [x, y]}, {on: punch.top, displacement: [0, -0.12], ramp: [0, 1]}]\n"
      "time: {method: dissipative, analysis: quasi-static, step: 0.25, end: 1}\n"));
  if (equal) make_shares_equal(&p);
  for (int k = 0; k < 4; k++) {
    CHECK_OK(problem_step(&p, 0.25, &report));
    CHECK(report.reason == CR_STEP_OK);
  }
  rough = roughness(&p, 1);
  printf("punch, %s: %d points, pressure of the fine side off by %.3f\n",
         equal ? "equal shares" : "shares by size", (int)report.contacts, (double)rough);
  CHECK_OK(problem_close(&p));
  CHECK(remove("test_negative.msh") == 0);
  return rough;
}

static void test_shares(void)
{
  CHECK_LESS(press_punch(PETSC_FALSE), 0.11);
  CHECK_LESS(0.27, press_punch(PETSC_TRUE));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_operators();
  test_rests();
  test_shares();
  return check_end();
}

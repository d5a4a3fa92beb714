/* Energies, momenta and spins of bodies whose motion is known, two bodies, plane and space, lumped
   and consistent mass. */
#include "model_from_text.h"

/* Expected numbers of a block `size` at `centre` that moves rigidly. */
typedef struct {
  PetscReal mass, centre[3], velocity[3], spin[3];
} Rigid;

static void cross(const PetscReal a[3], const PetscReal b[3], PetscReal c[3])
{
  for (int i = 0; i < 3; i++)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void check_body(const CrBodyAudit *b, const Rigid *r, PetscReal bound)
{
  CHECK_NEAR(b->mass, r->mass, bound);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(b->x[i], r->centre[i], bound);
    CHECK_NEAR(b->momentum[i], r->mass * r->velocity[i], bound);
    CHECK_NEAR(b->spin[i], r->spin[i], bound);
  }
}

/* Angular momentum about the origin and kinetic energy with the exact inertia of a box: consistent
   mass integrates these quadratic forms exactly. */
static void check_exact_inertia(const CrBodyAudit *b, const Rigid *r, const PetscReal size[3],
                                PetscReal bound)
{
  PetscReal orbital[3], p[3], kinetic = 0;

  for (int i = 0; i < 3; i++) p[i] = r->mass * r->velocity[i];
  cross(r->centre, p, orbital);
  for (int i = 0; i < 3; i++) {
    PetscReal I = r->mass / 12 * (PetscSqr(size[(i + 1) % 3]) + PetscSqr(size[(i + 2) % 3]));

    CHECK_NEAR(b->angular[i], orbital[i] + I * r->spin[i], bound);
    kinetic += r->mass / 2 * PetscSqr(r->velocity[i]) + I / 2 * PetscSqr(r->spin[i]);
  }
  CHECK_NEAR(b->kinetic, kinetic, bound);
}

static void test_rigid(PetscInt dim, const char *type, const char *mass)
{
  const PetscReal size[2][3] = {{2, 1, dim == 3 ? 1.5 : 0}, {1, 3, dim == 3 ? 2 : 0}};
  const Rigid     r[2] = {
          {dim == 2 ? 2 * 2 * 0.5 : 2 * 3,
           {1, 0.5, dim == 3 ? 0.75 : 0},
           {0.3, -0.2, dim == 3 ? 0.7 : 0},
           {dim == 3 ? 0.4 : 0, dim == 3 ? -0.6 : 0, 1.5}},
          {dim == 2 ? 2 * 3 * 0.5 : 2 * 6, {5.5, 1.5, dim == 3 ? 1 : 0}, {0, 0, 0}, {0, 0, -0.5}}};
  Problem p;
  int     before = check_failures;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: %d\n%smaterials: [{name: m, lambda: 130, shear: 43.33, density: 2}]\n"
      "bodies:\n"
      "  - {name: a, material: m, mass: %s, velocity: %s, spin: %s,"
      " mesh: {block: {from: %s, to: %s, elements: %s, type: %s}}}\n"
      "  - {name: b, material: m, mass: %s, spin: %s,"
      " mesh: {block: {from: %s, to: %s, elements: %s, type: %s}}}\n"
      "time: {method: midpoint, step: 0.1, end: 1}\n",
      (int)dim, dim == 2 ? "thickness: 0.5\n" : "", mass,
      dim == 2 ? "[0.3, -0.2]" : "[0.3, -0.2, 0.7]", dim == 2 ? "1.5" : "[0.4, -0.6, 1.5]",
      dim == 2 ? "[0, 0]" : "[0, 0, 0]", dim == 2 ? "[2, 1]" : "[2, 1, 1.5]",
      dim == 2 ? "[3, 2]" : "[3, 2, 2]", type, mass, dim == 2 ? "-0.5" : "[0, 0, -0.5]",
      dim == 2 ? "[5, 0]" : "[5, 0, 0]", dim == 2 ? "[6, 3]" : "[6, 3, 2]",
      dim == 2 ? "[2, 3]" : "[2, 3, 2]", type));
  if (check_failures > before) return;
  for (int b = 0; b < 2; b++) {
    check_body(&p.audit->bodies[b], &r[b], 1e-12);
    if (!strcmp(mass, "consistent"))
      check_exact_inertia(&p.audit->bodies[b], &r[b], size[b], 1e-12);
    CHECK_NEAR(p.audit->bodies[b].strain, 0, 1e-20);
  }
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(p.audit->momentum[i],
               p.audit->bodies[0].momentum[i] + p.audit->bodies[1].momentum[i], 1e-13);
    CHECK_NEAR(p.audit->angular[i], p.audit->bodies[0].angular[i] + p.audit->bodies[1].angular[i],
               1e-13);
  }
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s, %s\n", type, mass);
}

/* Initial energies of the tumbling block 2 x 1 (x 1): 10.57461 is the exact integral, the others
   were computed with an independent program. */
static void test_initial_energy(const char *type, const char *elements, const char *mass,
                                PetscReal expected, PetscReal bound)
{
  Problem  p;
  PetscInt dim = strchr(elements, ',') == strrchr(elements, ',') ? 2 : 3;
  int      before = check_failures;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: %d\nmaterials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]\n"
      "bodies:\n  - {name: a, material: m, mass: %s, velocity: %s, spin: %s, velocity_gradient: %s,"
      " mesh: {block: {from: %s, to: %s, elements: %s, type: %s}}}\n"
      "time: {method: midpoint, step: 0.1, end: 1}\n",
      (int)dim, mass, dim == 2 ? "[0.3, 0.3]" : "[0.3, 0.3, 0.3]",
      dim == 2 ? "1.5" : "[0.4, 0.3, 1.5]",
      dim == 2 ? "[[0.4, 0], [0, -0.4]]" : "[[0.4, 0, 0], [0, -0.4, 0], [0, 0, 0]]",
      dim == 2 ? "[0, 0]" : "[0, 0, 0]", dim == 2 ? "[2, 1]" : "[2, 1, 1]", elements, type));
  if (check_failures > before) return;
  CHECK_NEAR(p.audit->energy0, expected, bound);
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s, %s\n", type, mass);
}

/* Gravity: a free fall keeps kinetic + potential; y falls by g t^2/2 exactly (mid-point rule). */
static void test_potential(void)
{
  Problem p;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\nmaterials: [{name: m, lambda: 130, shear: 43.33,"
                        " density: 2}]\nbodies: [{name: a, material: m, velocity: [1, 2], mesh:"
                        " {block: {from: [0, 3], to: [2, 4], elements: [2, 1]}}}]\n"
                        "conditions: [{gravity: [0, -9.81]}]\n"
                        "time: {method: midpoint, step: 0.1, end: 1}\n"));
  CHECK_NEAR(p.audit->potential, 4 * 9.81 * 3.5, 1e-12); /* zero at the origin */
  CHECK_NEAR(p.audit->energy, 4 * 9.81 * 3.5 + 4 * 5.0 / 2, 1e-12);
  CHECK_OK(problem_run(&p, 10, 0.1));
  CHECK_NEAR(p.audit->bodies[0].x[0], 2, 1e-12);
  CHECK_NEAR(p.audit->bodies[0].x[1], 3.5 + 2 - 9.81 / 2, 1e-12);
  CHECK_NEAR(p.audit->momentum[1], 4 * (2 - 9.81), 1e-11);
  CHECK_LESS(p.audit->balance_max, 1e-11);
  CHECK(p.audit->external_work == 0); /* gravity is in the potential */
  CHECK_OK(problem_close(&p));
}

/* Strain energy of a homogeneous stretch: W of the law times the volume, per body. */
static void test_strain(void)
{
  const PetscReal e = (1.1 * 1.1 - 1) / 2, W = 130 * e * e / 2 + 43.33 * e * e;
  Problem         p;

  CHECK_OK(
      problem_open(&p,
                   "carom: 1\ndimension: 2\nthickness: 0.5\n"
                   "materials: [{name: m, lambda: 130, shear: 43.33, density: 2}]\n"
                   "bodies:\n"
                   "  - {name: a, material: m, mesh: {block: {from: [0, 0], to: [2, 1], elements:"
                   " [3, 2], type: T6}}}\n"
                   "  - {name: b, material: m, deformation: [[1.1, 0], [0, 1]], mesh: {block:"
                   " {from: [5, 0], to: [7, 1], elements: [3, 2], type: T6}}}\n"
                   "time: {method: midpoint, step: 0.1, end: 1}\n"));
  CHECK_NEAR(p.audit->bodies[0].strain, 0, 1e-20);
  CHECK_NEAR(p.audit->bodies[1].strain, W, 1e-13);
  CHECK_NEAR(p.audit->strain, W, 1e-13);
  CHECK_NEAR(p.audit->min_det_f, 1, 1e-13);
  CHECK_NEAR(p.audit->min_stretch, 1, 1e-13);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (int m = 0; m < 2; m++) {
    const char *mass = m ? "consistent" : "lumped";

    for (int k = 0; k < CR_NCELLS; k++) test_rigid(CrCells[k].dim, CrCells[k].name, mass);
  }
  for (int k = 0; k < CR_NCELLS; k++)
    test_initial_energy(CrCells[k].name, CrCells[k].dim == 2 ? "[6, 3]" : "[4, 2, 2]", "consistent",
                        CrCells[k].dim == 2 ? 4.465 * (2 + 1.105 / 3) : 11.9513,
                        CrCells[k].dim == 2 ? 1e-12 : 5e-5);
  test_initial_energy("Q4", "[6, 3]", "lumped", 11.3717, 5e-5);
  test_initial_energy("H8", "[4, 2, 2]", "lumped", 13.9308, 5e-5);
  test_potential();
  test_strain();
  return check_end();
}

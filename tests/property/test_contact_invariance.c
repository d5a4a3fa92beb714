/* One impact, told in other ways: other units, another size, another frame of reference, far away.
   The physics stays the same to rounding, which contact magnifies; and with slave and master
   swapped it stays roughly the same. */
#include "model_from_text.h"

/* How the impact is told. The base is in SI: rubber blocks of some decimetres. */
typedef struct {
  const char *name, *method;
  PetscInt    dim;
  PetscReal   length, mass, time; /* units: what one metre, kilogram, second count in them */
  PetscReal   size;               /* of everything, in the same material: times scale with it */
  PetscReal   angle, speed, far;  /* turned by, moving with, moved by */
  PetscBool   automatic, unit, swap;
} Telling;

static const Telling base = {.name = "base", .length = 1, .mass = 1, .time = 1, .size = 1};

/* What is compared, in the terms of the base. */
typedef struct {
  PetscInt   n, contacts, rejected;
  PetscReal *x;                                     /* positions at the end; owned */
  PetscReal  start, strain, loss, penalty, deepest; /* energies; start: kinetic */
} Outcome;

/* ---- telling -------------------------------------------------------------------------------- */

static const PetscReal axis[3] = {1 / 3.0, 2 / 3.0, -2 / 3.0}; /* of the turn in space */

static void turn(const Telling *t, PetscReal angle, const PetscReal v[3], PetscReal w[3])
{
  PetscReal c = PetscCosReal(angle), s = PetscSinReal(angle);
  PetscReal a[3] = {t->dim == 3 ? axis[0] : 0, t->dim == 3 ? axis[1] : 0,
                    t->dim == 3 ? axis[2] : 1};
  PetscReal along = a[0] * v[0] + a[1] * v[1] + a[2] * v[2];

  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;

    w[i] = c * v[i] + s * (a[j] * v[k] - a[k] * v[j]) + (1 - c) * along * a[i];
  }
}

static void vector(const Telling *t, PetscReal factor, const PetscReal v[3], char *text,
                   size_t size)
{
  if (t->dim == 2)
    snprintf(text, size, "[%.17g, %.17g]", (double)(factor * v[0]), (double)(factor * v[1]));
  else
    snprintf(text, size, "[%.17g, %.17g, %.17g]", (double)(factor * v[0]), (double)(factor * v[1]),
             (double)(factor * v[2]));
}

static const PetscReal drift[3] = {0.7, -1.2, 0.4}, away[3] = {0.6, -0.8, 0.3};

static void body(const Telling *t, const char *name, const PetscReal from[3], const PetscReal to[3],
                 const char *elements, const PetscReal velocity[3], const PetscReal spin[3],
                 char *text, size_t size)
{
  PetscReal L = t->length * t->size, v[3], w[3], m[3];
  char      a[200], b[200], c[200], d[200], e[200], f[200];

  turn(t, t->angle, velocity, v);
  turn(t, t->angle, spin, w);
  for (int i = 0; i < 3; i++) {
    v[i] += t->speed * drift[i];
    m[i] = t->far * away[i];
  }
  vector(t, L, from, a, sizeof a);
  vector(t, L, to, b, sizeof b);
  vector(t, t->length / t->time, v, c, sizeof c);
  snprintf(d, sizeof d, "%.17g", (double)(w[2] / (t->time * t->size)));
  if (t->dim == 3) vector(t, 1 / (t->time * t->size), w, d, sizeof d);
  vector(t, L, m, e, sizeof e);
  vector(t, 1, axis, f, sizeof f);
  snprintf(text, size,
           "  - {name: %s, material: m, velocity: %s, spin: %s, position: %s, angle: %.17g%s%s, "
           "mesh: {block: {from: %s, to: %s, elements: %s}}}\n",
           name, c, d, e, (double)(t->angle * 180 / PETSC_PI), t->dim == 3 ? ", axis: " : "",
           t->dim == 3 ? f : "", a, b, elements);
}

/* Penalties of dimension pressure per length, or force per length. */
static void penalties(const Telling *t, char *text, size_t size)
{
  PetscReal force = t->mass * t->length / (t->time * t->time), L = t->length * t->size;
  PetscReal k =
      t->unit ? 4e5 * force / t->length * t->size : 1e7 * force / (t->length * t->length * L);

  if (t->automatic)
    snprintf(text, size, "friction: 0.3%s", t->unit ? ", weight: unit" : "");
  else
    snprintf(text, size, "friction: 0.3, normal_penalty: %.17g, tangential_penalty: %.17g%s",
             (double)k, (double)(k / 2), t->unit ? ", weight: unit" : "");
}

static PetscErrorCode open_telling(Problem *p, const Telling *t, PetscReal *h)
{
  const PetscReal a0[3] = {-0.12, 0.004, 0.11}, a1[3] = {0.1, 0.2, 0.21};
  const PetscReal a03[3] = {-0.12, -0.1, 0.003}, a13[3] = {0.1, 0.11, 0.1};
  const PetscReal b0[3] = {-0.3, -0.2, 0}, b1[3] = {0.3, 0, 0};
  const PetscReal b03[3] = {-0.3, -0.3, -0.15}, b13[3] = {0.3, 0.3, 0};
  const PetscReal v2[3] = {4, -3, 0}, v3[3] = {4, 1, -3}, none[3] = {0}, w[3] = {0, 0, 6};
  PetscReal       stress = t->mass / (t->length * t->time * t->time);
  char            slave[900], master[900], pair[200], thickness[60] = "";

  PetscFunctionBeginUser;
  *h = 5e-4 * t->time * t->size;
  body(t, "a", t->dim == 2 ? a0 : a03, t->dim == 2 ? a1 : a13, t->dim == 2 ? "[5, 4]" : "[2, 2, 1]",
       t->dim == 2 ? v2 : v3, w, slave, sizeof slave);
  body(t, "b", t->dim == 2 ? b0 : b03, t->dim == 2 ? b1 : b13,
       t->dim == 2 ? "[11, 3]" : "[5, 5, 1]", none, none, master, sizeof master);
  penalties(t, pair, sizeof pair);
  if (t->dim == 2)
    snprintf(thickness, sizeof thickness, "thickness: %.17g\n", (double)(t->length * t->size));
  PetscCall(problem_open(
      p,
      "carom: 1\ndimension: %d\n%s"
      "materials: [{name: m, model: neo-hookean, young: %.17g, poisson: 0.3, density: %.17g}]\n"
      "bodies:\n%s%scontact: [{between: [%s], %s}]\n"
      "time: {method: %s, step: %.17g, end: %.17g, tolerance: 1e-13}\n",
      (int)t->dim, thickness, 1e6 * (double)stress,
      (double)(1000 * t->mass / (t->length * t->length * t->length)), slave, master,
      t->swap ? "b, a" : "a, b", pair, t->method, (double)*h, 60 * (double)*h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- running and comparing -------------------------------------------------------------------- */

/* Positions at the end, brought back to the base: frame, units, size. */
static void positions(const Problem *p, const Telling *t, PetscReal time, Outcome *out)
{
  PetscInt   dim = p->model->dim;
  PetscReal *u = copy_of(p->model, p->state->u), L = t->length * t->size;

  out->n = p->model->nlocal;
  CHECK_OK(PetscCalloc1(3 * out->n, &out->x));
  for (PetscInt A = 0; A < out->n; A++) {
    PetscReal x[3] = {0};

    for (PetscInt i = 0; i < dim; i++)
      x[i] = (p->model->X[dim * A + i] + u[dim * A + i]) / L - t->far * away[i] -
             t->speed * drift[i] * time;
    turn(t, -t->angle, x, out->x + 3 * A);
  }
  CHECK_OK(PetscFree(u));
}

/* The order of the nodes is the same in every telling: the meshes are. */
static PetscErrorCode run(const Telling *t, Outcome *out)
{
  Problem   p;
  PetscReal h, energy, volume = t->size * t->size * t->size;

  PetscFunctionBeginUser;
  memset(out, 0, sizeof *out);
  PetscCall(open_telling(&p, t, &h));
  PetscCall(problem_go(&p, &out->rejected));
  energy = t->mass * PetscSqr(t->length / t->time) * volume;
  positions(&p, t, 60 * 5e-4, out); /* of the base: velocities are not scaled with the size */
  out->start = p.audit->energy0 / energy;
  out->strain = p.audit->strain / energy;
  out->loss = p.audit->friction_loss / energy;
  out->penalty = p.audit->penalty / energy;
  out->deepest = p.audit->deepest / (t->length * t->size);
  out->contacts = p.audit->max_contacts;
  PetscCall(problem_close(&p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal distance(const Outcome *a, const Outcome *b)
{
  PetscReal greatest = 0;

  CHECK(a->n == b->n);
  for (PetscInt k = 0; k < 3 * a->n; k++)
    greatest = PetscMax(greatest, PetscAbsReal(a->x[k] - b->x[k]));
  return greatest;
}

/* Differences over what the base has: positions over the size of the smaller block, energies over
   the kinetic energy of the base at the start. */
static void compare(const Telling *t, const Outcome *a, PetscReal bound)
{
  Outcome   b;
  PetscReal off, energy;
  int       before = check_failures;

  CHECK_OK(run(t, &b));
  off = distance(a, &b) / 0.2;
  energy = PetscMax(PetscAbsReal(a->loss - b.loss), PetscAbsReal(a->strain - b.strain)) / a->start;
  CHECK_LESS(off, bound);
  CHECK_LESS(energy, bound);
  if (!strcmp(t->method, "bipotential")) /* no penetration but rounding */
    CHECK_LESS(b.deepest, 1e-3 * bound);
  else
    CHECK_LESS(PetscAbsReal(a->deepest - b.deepest) / a->deepest, 100 * bound);
  CHECK(a->contacts == b.contacts || bound > 1e-3);
  CHECK(a->rejected == b.rejected || bound > 1e-3);
  printf("%d D, %s, %s%s: positions differ by %.1e, energies by %.1e (loss %.3g, strain %.3g)\n",
         (int)t->dim, t->method, t->name, t->automatic ? ", automatic penalties" : "", (double)off,
         (double)energy, (double)b.loss, (double)b.strain);
  if (check_failures > before) printf("  ^ that was it\n");
  CHECK_OK(PetscFree(b.x));
}

static void test_tellings(PetscInt dim, const char *method, PetscBool automatic, PetscBool unit)
{
  Telling first = base, t;
  Outcome a;
  int     before = check_failures;

  first.dim = dim;
  first.method = method;
  first.automatic = automatic;
  first.unit = unit;
  CHECK_OK(run(&first, &a));
  if (check_failures > before) return;
  CHECK(a.contacts >= 3 && a.loss > 1e-3 * a.strain); /* it is an impact with friction */

  t = first;
  t.name = "millimetres and tonnes";
  t.length = 1e3;
  t.mass = 1e-3;
  compare(&t, &a, 1e-8);
  t.name = "micrometres, milligrams, milliseconds";
  t.length = 1e6;
  t.mass = 1e6;
  t.time = 1e3;
  compare(&t, &a, 1e-8);

  t = first;
  t.name = "a tenth of the size";
  t.size = 0.1;
  compare(&t, &a, 1e-8);
  t.name = "a hundredth of the size";
  t.size = 0.01;
  compare(&t, &a, 1e-8);
  t.name = "a million times the size";
  t.size = 1e6;
  compare(&t, &a, 1e-8);

  t = first;
  t.name = "turned";
  t.angle = 1.1;
  compare(&t, &a, 1e-8);
  t.name = "turned and moving";
  t.speed = 1;
  compare(&t, &a, 1e-8);

  t = first;
  t.name = "far away";
  t.far = 1e3; /* rounding of positions: 1e-13 of penetrations of 1e-3 */
  compare(&t, &a, 1e-7);

  t = first;
  t.name = "slave and master swapped";
  t.swap = PETSC_TRUE; /* other nodes touch: the mesh is coarse */
  if (!strcmp(method, "dissipative")) compare(&t, &a, 0.3); /* others may gain energy at will */
  CHECK_OK(PetscFree(a.x));
}

int main(int argc, char **argv)
{
  const char *methods[] = {"dissipative", "midpoint", "newmark", "velocity-update", "bipotential"};

  if (check_start(argc, argv)) return 1;
  for (int m = 0; m < 5; m++)
    for (PetscInt dim = 2; dim <= 3; dim++) {
      test_tellings(dim, methods[m], PETSC_FALSE, PETSC_FALSE);
      test_tellings(dim, methods[m], PETSC_TRUE, m == 1);
    }
  return check_end();
}

/* Reads rigid bodies from the deck: entries, their copies, masses and initial state. */
#include <stdint.h>
#include "rigid/internal.h"
#include "rigid/rotation.h"

const CrKey CrRepeatKeys[] = {
    {"counts", CR_REALS | CR_MUST, .range = "[1,1e9]",
     .help = "number of copies in each direction"},
    {"spacing", CR_REALS | CR_MUST,
     .help = "distance from one copy to the next, in each direction"},
    {"jitter", CR_REAL, "0", .range = "[0,inf)",
     .help = "greatest random shift of a copy; `seed` determines the random numbers"},
    {"velocity_jitter", CR_REAL, "0", .range = "[0,inf)",
     .help = "greatest random change of the velocity; `seed` determines the random numbers"},
    {"seed", CR_INTEGER, "1", .range = "[0,inf)",
     .help = "seed of the random numbers; equal seeds give equal shifts"},
    {.name = NULL}};

#define MOST_BODIES 5000000

/* ---- state ------------------------------------------------------------------------------------ */

PetscErrorCode CrRigidStateCreate(PetscInt n, CrRigidState **out)
{
  CrRigidState *s;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&s));
  PetscCall(PetscCalloc5(3 * n, &s->x, 3 * n, &s->v, 4 * n, &s->q, 3 * n, &s->pi, n, &s->angle));
  for (PetscInt k = 0; k < n; k++) s->q[4 * k] = 1;
  s->n = n;
  *out = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidStateCopy(const CrRigidState *from, CrRigidState *to)
{
  PetscInt n = from->n;

  PetscFunctionBeginUser;
  PetscCall(PetscArraycpy(to->x, from->x, 3 * n));
  PetscCall(PetscArraycpy(to->v, from->v, 3 * n));
  PetscCall(PetscArraycpy(to->q, from->q, 4 * n));
  PetscCall(PetscArraycpy(to->pi, from->pi, 3 * n));
  PetscCall(PetscArraycpy(to->angle, from->angle, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrRigidStateCopyBody(const CrRigidState *from, PetscInt a, CrRigidState *to, PetscInt b)
{
  v_copy(from->x + 3 * a, to->x + 3 * b);
  v_copy(from->v + 3 * a, to->v + 3 * b);
  v_copy(from->pi + 3 * a, to->pi + 3 * b);
  for (int i = 0; i < 4; i++) to->q[4 * b + i] = from->q[4 * a + i];
  to->angle[b] = from->angle[a];
}

PetscErrorCode CrRigidStateDestroy(CrRigidState **s)
{
  PetscFunctionBeginUser;
  if (!*s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree5((*s)->x, (*s)->v, (*s)->q, (*s)->pi, (*s)->angle));
  PetscCall(PetscFree(*s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidStateArchive(CrRigidState *s, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "rigid.x", 3 * s->n, s->x));
  PetscCall(CrArchiveAddReals(archive, "rigid.v", 3 * s->n, s->v));
  PetscCall(CrArchiveAddReals(archive, "rigid.q", 4 * s->n, s->q));
  PetscCall(CrArchiveAddReals(archive, "rigid.pi", 3 * s->n, s->pi));
  PetscCall(CrArchiveAddReals(archive, "rigid.angle", s->n, s->angle));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- quantities --------------------------------------------------------------------------------- */

void CrRigidRotation(const CrRigid *rigid, const CrRigidState *s, PetscInt body, PetscReal R[9])
{
  if (rigid->dim == 2) {
    PetscReal c = cos(s->angle[body]), d = sin(s->angle[body]);

    R[0] = c, R[1] = -d, R[2] = 0;
    R[3] = d, R[4] = c, R[5] = 0;
    R[6] = R[7] = 0, R[8] = 1;
  } else
    CrQuaternionMatrix(s->q + 4 * body, R);
}

void CrRigidSpin(const CrRigid *rigid, const CrRigidState *s, PetscInt body, PetscReal spin[3])
{
  const PetscReal *inverse = rigid->inverse + 3 * body, *pi = s->pi + 3 * body;
  PetscReal        R[9], Pi[3];

  if (rigid->dim == 2 || (inverse[0] == inverse[1] && inverse[1] == inverse[2])) {
    for (int i = 0; i < 3; i++) spin[i] = inverse[i] * pi[i];
    return;
  }
  CrRigidRotation(rigid, s, body, R);
  m_back(R, pi, Pi);
  for (int i = 0; i < 3; i++) Pi[i] *= inverse[i];
  m_times(R, Pi, spin);
}

PetscReal CrRigidKinetic(const CrRigid *rigid, const CrRigidState *s, PetscInt body)
{
  PetscReal spin[3];

  CrRigidSpin(rigid, s, body, spin);
  return (rigid->mass[body] * v_dot(s->v + 3 * body, s->v + 3 * body) +
          v_dot(spin, s->pi + 3 * body)) /
         2;
}

void CrRigidInverse(const CrRigid *rigid, PetscInt body, const PetscReal R[9], PetscReal inverse[9])
{
  const PetscReal *d = rigid->inverse + 3 * body;

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inverse[3 * i + j] = R[3 * i] * d[0] * R[3 * j] + R[3 * i + 1] * d[1] * R[3 * j + 1] +
                           R[3 * i + 2] * d[2] * R[3 * j + 2];
}

void CrPoseGet(const CrRigid *rigid, const CrRigidState *s, PetscInt body, CrPose *pose)
{
  v_copy(s->x + 3 * body, pose->x);
  CrRigidRotation(rigid, s, body, pose->R);
}

void CrRigidName(const CrRigid *rigid, PetscInt body, char name[96])
{
  const CrRigidGroup *g = &rigid->groups[rigid->group[body]];

  if (CrDeckFind(g->deck, "repeat"))
    snprintf(name, 96, "%s.%" PetscInt_FMT, g->name, body - g->first);
  else
    snprintf(name, 96, "%s", g->name);
}

/* ---- reading -------------------------------------------------------------------------------------- */

/* Reproducible numbers between -1 and 1, the same on every machine (splitmix64). */
static PetscReal random_real(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return 2 * ((PetscReal)(z >> 11) * 0x1p-53) - 1;
}

/* Keys that say something of a mesh. */
static PetscErrorCode check_keys(const CrDeckNode *body)
{
  static const char *const foreign[] = {"mesh",        "material",
                                        "scale",       "velocity_gradient",
                                        "deformation", "mass",
                                        "integration", "volume",
                                        "volume_part", "directions"};

  PetscFunctionBeginUser;
  for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
    if (CrDeckIsGiven(CrDeckFind(body, foreign[k])))
      CrDeckFail(CrDeckFind(body, foreign[k]),
                 "this key is for bodies with a mesh, not for rigid bodies");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_counts(const CrDeckNode *body, PetscInt dim, PetscInt counts[3],
                                  PetscReal spacing[3])
{
  const CrDeckNode *repeat = CrDeckFind(body, "repeat");
  PetscReal         n[3] = {1, 1, 1}, all;

  PetscFunctionBeginUser;
  if (repeat) {
    PetscCall(CrDeckVector(repeat, "counts", dim, 0, n, NULL));
    PetscCall(CrDeckVector(repeat, "spacing", dim, 0, spacing, NULL));
  }
  all = n[0] * n[1] * n[2];
  for (int i = 0; i < 3; i++) {
    if (n[i] != floor(n[i])) CrDeckFail(CrDeckFind(repeat, "counts"), "expected whole numbers");
    counts[i] = (PetscInt)n[i];
  }
  if (all > MOST_BODIES)
    CrDeckFail(CrDeckFind(repeat, "counts"), "the key repeat asks for more than %d copies",
               MOST_BODIES);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_mass(const CrDeckNode *node, const CrShape *s, PetscReal *mass,
                                PetscReal inertia[3])
{
  const CrDeckNode *density = CrDeckFind(node, "density"), *given = CrDeckFind(node, "mass");
  const CrDeckNode *I = CrDeckFind(node, "inertia");

  PetscFunctionBeginUser;
  if (!density == !given) CrDeckFail(node, "a rigid body needs either density or mass");
  if (density && s->kind == CR_SHAPE_POINT)
    CrDeckFail(density, "a point has no volume: give its mass");
  *mass = given ? CrDeckReal(given) : CrDeckReal(density) * s->volume;
  for (int i = 0; i < 3; i++) inertia[i] = *mass * s->gyration[i];
  if (!I) PetscFunctionReturn(PETSC_SUCCESS);
  if (s->kind == CR_SHAPE_POINT) CrDeckFail(I, "a point has no rotation, so it has no inertia");
  if (s->dim == 2 && CrDeckIsList(I)) CrDeckFail(I, "expected a number in 2D, found a list");
  if (s->dim == 3 && !CrDeckIsList(I)) CrDeckFail(I, "expected a list of 3 numbers in 3D");
  if (s->dim == 2)
    inertia[2] = CrDeckReal(I);
  else
    PetscCall(CrDeckVector(node, "inertia", 3, 0, inertia, NULL));
  for (int i = 0; s->dim == 3 && i < 3; i++)
    if (inertia[i] > (inertia[(i + 1) % 3] + inertia[(i + 2) % 3]) * (1 + 1e-12))
      CrDeckFail(
          I,
          "no body has these moments of inertia: each one must be at most the sum of the other two");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the body is turned to, in space. */
static PetscErrorCode read_turn(const CrDeckNode *body, PetscInt dim, PetscReal turn[3])
{
  const CrDeckNode *axis = CrDeckFind(body, "axis");
  PetscReal angle = CrDeckReal(CrDeckFind(body, "angle")) * PETSC_PI / 180, n[3] = {0, 0, 1};

  PetscFunctionBeginUser;
  if (axis && dim == 2) CrDeckFail(axis, "this key is for dimension 3 only");
  PetscCall(CrDeckVector(body, "axis", 3, 0, n, NULL));
  if (!(v_unit(n) > 0)) CrDeckFail(axis, "this vector has the length 0, so it has no direction");
  for (int i = 0; i < 3; i++) turn[i] = angle * n[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSpinRead(const CrDeckNode *body, PetscInt dim, PetscReal spin[3])
{
  const CrDeckNode *node = CrDeckFind(body, "spin");

  PetscFunctionBeginUser;
  spin[0] = spin[1] = spin[2] = 0;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (dim == 2 && CrDeckIsList(node)) CrDeckFail(node, "expected a number in 2D, found a list");
  if (dim == 3 && !CrDeckIsList(node)) CrDeckFail(node, "expected a vector of 3 numbers in 3D");
  if (dim == 2)
    spin[2] = CrDeckReal(node);
  else
    PetscCall(CrDeckVector(body, "spin", 3, 0, spin, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Spatial angular momentum R I R^T spin at the start. */
static void set_momentum(const CrRigid *r, PetscInt b, const PetscReal spin[3])
{
  PetscReal R[9], Om[3];

  CrRigidRotation(r, r->start, b, R);
  m_back(R, spin, Om);
  for (int i = 0; i < 3; i++) Om[i] *= r->inverse[3 * b + i] > 0 ? r->inertia[3 * b + i] : 0;
  m_times(R, Om, r->start->pi + 3 * b);
}

static PetscErrorCode fill_group(CrRigid *r, PetscInt k)
{
  const CrRigidGroup *g = &r->groups[k];
  const CrDeckNode   *repeat = CrDeckFind(g->deck, "repeat");
  const CrShape      *shape = &r->shapes[g->shape];
  PetscReal mass, inertia[3], x[3] = {0}, v[3] = {0}, spin[3], turn[3], spacing[3] = {0}, shift,
                              kick;
  uint64_t seed = repeat ? (uint64_t)CrDeckInteger(CrDeckFind(repeat, "seed")) : 0;
  PetscInt counts[3];

  PetscFunctionBeginUser;
  shift = repeat ? CrDeckReal(CrDeckFind(repeat, "jitter")) : 0;
  kick = repeat ? CrDeckReal(CrDeckFind(repeat, "velocity_jitter")) : 0;
  PetscCall(read_counts(g->deck, r->dim, counts, spacing));
  PetscCall(read_mass(CrDeckFind(g->deck, "rigid"), shape, &mass, inertia));
  PetscCall(read_turn(g->deck, r->dim, turn));
  PetscCall(CrSpinRead(g->deck, r->dim, spin));
  PetscCall(CrDeckVector(g->deck, "position", r->dim, 0, x, NULL));
  PetscCall(CrDeckVector(g->deck, "velocity", r->dim, 0, v, NULL));
  for (PetscInt c = 0; c < g->n; c++) {
    PetscInt b = g->first + c,
             at[3] = {c % counts[0], c / counts[0] % counts[1], c / counts[0] / counts[1]};
    PetscReal q[4];

    r->group[b] = k;
    r->shape[b] = g->shape;
    r->mass[b] = mass;
    for (int i = 0; i < 3; i++) {
      PetscBool turns = shape->kind != CR_SHAPE_POINT && (r->dim == 3 || i == 2);

      r->inertia[3 * b + i] = inertia[i];
      r->inverse[3 * b + i] = turns ? 1 / inertia[i] : 0;
      r->start->x[3 * b + i] = x[i] + (PetscReal)at[i] * spacing[i];
      r->start->v[3 * b + i] = v[i];
    }
    for (PetscInt i = 0; i < r->dim; i++) {
      r->start->x[3 * b + i] += shift * random_real(&seed);
      r->start->v[3 * b + i] += kick * random_real(&seed);
    }
    r->start->angle[b] = turn[2];
    CrQuaternionTurn(turn, q);
    if (r->dim == 3) CrQuaternionTimes(q, shape->turn, r->start->q + 4 * b);
    set_momentum(r, b, spin);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read(CrRigid *r, const CrDeckNode *bodies, PetscReal thickness)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < CrDeckCount(bodies); k++)
    if (CrDeckFind(CrDeckItem(bodies, k), "rigid")) r->ngroups++;
  r->nshapes = r->ngroups;
  PetscCall(CrIndexCreate(&r->names));
  PetscCall(PetscCalloc2(r->ngroups, &r->groups, r->nshapes, &r->shapes));
  for (PetscInt k = 0, g = 0; k < CrDeckCount(bodies); k++) {
    const CrDeckNode *body = CrDeckItem(bodies, k);
    PetscInt          counts[3] = {1, 1, 1}, old;
    PetscReal         spacing[3];

    if (!CrDeckFind(body, "rigid")) continue;
    PetscCall(check_keys(body));
    PetscCall(CrShapeRead(CrDeckFind(body, "rigid"), r->dim, thickness, &r->shapes[g]));
    PetscCall(read_counts(body, r->dim, counts, spacing));
    r->groups[g] = (CrRigidGroup){.deck = body,
                                  .first = r->n,
                                  .n = counts[0] * counts[1] * counts[2],
                                  .shape = g};
    PetscCall(PetscStrncpy(r->groups[g].name, CrDeckText(CrDeckFind(body, "name")), 64));
    PetscCall(CrIndexAddName(r->names, r->groups[g].name, g, &old));
    r->n += r->groups[g++].n;
  }
  PetscCall(PetscCalloc5(r->n, &r->group, r->n, &r->shape, r->n, &r->mass, 3 * r->n, &r->inertia,
                         3 * r->n, &r->inverse));
  PetscCall(CrRigidStateCreate(r->n, &r->start));
  for (PetscInt g = 0; g < r->ngroups; g++) PetscCall(fill_group(r, g));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidCreate(const CrDeckNode *bodies, PetscInt dim, PetscReal thickness,
                             CrRigid **out)
{
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(out));
  (*out)->dim = dim;
  code = read(*out, bodies, thickness);
  if (code) PetscCall(CrRigidDestroy(out));
  PetscFunctionReturn(code);
}

PetscErrorCode CrRigidDestroy(CrRigid **out)
{
  CrRigid *r = *out;

  PetscFunctionBeginUser;
  if (!r) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; r->shapes && k < r->nshapes; k++) PetscCall(CrShapeDestroy(&r->shapes[k]));
  PetscCall(PetscFree2(r->groups, r->shapes));
  PetscCall(CrIndexDestroy(&r->names));
  PetscCall(PetscFree5(r->group, r->shape, r->mass, r->inertia, r->inverse));
  PetscCall(CrRigidStateDestroy(&r->start));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

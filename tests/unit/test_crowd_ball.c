/* The engine for many round bodies against closed formulas and its own identities. */
#include "integrate/efda/crowd_ball.h"
#include "check.h"

#define MOST 512

/* A scene of equal or unlike balls with one law for all. */
typedef struct {
  PetscInt     dim, n, nwalls;
  PetscReal    x[3 * MOST], v[3 * MOST], spin[3 * MOST], radius[MOST], mass[MOST], inertia[MOST];
  PetscInt     kind[MOST];
  PetscReal    load[3], friction, restitution;
  EfdaBallWall walls[6];
  EfdaBallLaw  laws[7];
  PetscInt     sweeps;
  EfdaBalls   *balls;
  PetscReal    loss, work, by_walls, deepest, least_loss, least_friction,
      start; /* sums over the steps; least of a step */
} Scene;

static Scene *scene_new(PetscInt dim, PetscReal friction, PetscReal restitution)
{
  Scene *s = calloc(1, sizeof *s);
  s->dim = dim;
  s->friction = friction;
  s->restitution = restitution;
  s->sweeps = EFDA_BALL_SWEEPS;
  return s;
}

static void add_ball(Scene *s, PetscReal r, PetscReal mass, const PetscReal x[3],
                     const PetscReal v[3])
{
  PetscInt b = s->n++;

  s->radius[b] = r;
  s->mass[b] = mass;
  s->inertia[b] = (s->dim == 2 ? 0.5 : 0.4) * mass * r * r;
  for (int d = 0; d < 3; d++) {
    s->x[3 * b + d] = x[d];
    s->v[3 * b + d] = v[d];
  }
}

static void add_plane(Scene *s, PetscReal px, PetscReal py, PetscReal pz, PetscReal nx,
                      PetscReal ny, PetscReal nz)
{
  s->walls[s->nwalls++] =
      (EfdaBallWall){.kind = CR_WALL_PLANE, .point = {px, py, pz}, .normal = {nx, ny, nz}};
}

static PetscReal energy(const Scene *s)
{
  PetscReal e = 0;

  for (PetscInt b = 0; b < s->n; b++)
    for (int d = 0; d < 3; d++)
      e += s->mass[b] * (PetscSqr(s->v[3 * b + d]) / 2 - s->load[d] * s->x[3 * b + d]) +
           s->inertia[b] * PetscSqr(s->spin[3 * b + d]) / 2;
  return e;
}

static void begin(Scene *s)
{
  EfdaBallsDef def = {.dim = s->dim,
                      .n = s->n,
                      .nkinds = 1,
                      .nwalls = s->nwalls,
                      .radius = s->radius,
                      .mass = s->mass,
                      .inertia = s->inertia,
                      .kind = s->kind,
                      .laws = s->laws,
                      .sweeps = s->sweeps,
                      .pushes = EFDA_BALL_PUSHES,
                      .tolerance = EFDA_BALL_TOLERANCE};

  for (int k = 0; k < 7; k++) s->laws[k] = (EfdaBallLaw){0, 1, s->friction, s->restitution};
  CHECK_OK(EfdaBallsCreate(&def, &s->balls));
  s->start = energy(s);
}

static const EfdaWork *step(Scene *s, PetscReal h)
{
  const EfdaWork *work;

  CHECK_OK(
      EfdaBallsStep(s->balls, h, s->load, s->start, s->walls, s->x, s->v, s->spin, NULL, &work));
  s->loss += work->tally.total.loss;
  s->work += work->contact_work;
  s->by_walls += work->external_work;
  s->deepest = PetscMax(s->deepest, work->tally.total.max_penetration);
  s->least_loss =
      PetscMin(s->least_loss, work->tally.total.loss - work->contact_work + work->push_work);
  s->least_friction = PetscMin(s->least_friction, work->tally.total.loss);
  for (PetscInt w = 0; w < s->nwalls; w++)
    for (int d = 0; d < 3; d++) s->walls[w].point[d] += h * s->walls[w].velocity[d];
  return work;
}

static void finish(Scene *s)
{
  CHECK_OK(EfdaBallsDestroy(&s->balls));
  free(s);
}

/* v_t - mu (1 + e) v_n, spin 2.5 mu (1 + e) v_n / r; any step, because a free impact is exact. */
static void oblique_sphere(void)
{
  for (int k = 0; k < 3; k++) {
    const PetscReal h[3] = {1e-3, 2e-4, 5e-5}, angle = 50 * PETSC_PI / 180, r = 2.5e-3, mu = 0.092;
    PetscReal       vn = 3.9 * cos(angle), vt = 3.9 * sin(angle);
    Scene          *s = scene_new(3, mu, 1);

    add_plane(s, 0, 0, 0, 0, 0, 1);
    add_ball(s, r, 1, (PetscReal[]){0, 0, r + 1e-3}, (PetscReal[]){vt, 0, -vn});
    begin(s);
    for (int n = 0; n < 2e-3 / h[k] - 0.5; n++) step(s, h[k]);
    CHECK_NEAR(s->v[0], vt - 2 * mu * vn, 1e-13); /* 2.526308939 */
    CHECK_NEAR(s->v[2], vn, 1e-13);
    CHECK_NEAR(s->spin[1], 5 * mu * vn / r, 1e-10); /* 461.2643887 */
    CHECK_NEAR(s->x[2], r + vn * (2e-3 - 1e-3 / vn), 1e-15);
    CHECK_NEAR(energy(s) + s->loss - s->work, s->start, 1e-13);
    finish(s);
  }
}

/* Slides, then rolls from v / (3.5 mu g) on with 5/7 of its speed. */
static void sliding_to_rolling(PetscInt dim)
{
  PetscReal part = dim == 2 ? 2. / 3 : 5. / 7, h = 1e-3;
  Scene    *s = scene_new(dim, 0.3, 0.5);

  s->load[1] = -9.81;
  add_plane(s, 0, 0, 0, 0, 1, 0);
  add_ball(s, 0.1, 1, (PetscReal[]){0, 0.1, 0}, (PetscReal[]){5, 0, 0});
  begin(s);
  for (int n = 0; n < 600; n++) step(s, h);
  CHECK_NEAR(s->v[0], 5 * part, 1e-10);
  CHECK_NEAR(s->spin[2], -5 * part / 0.1, 1e-9);
  CHECK_NEAR(s->loss, 12.5 * (1 - part), 1e-10);
  CHECK_NEAR(s->x[1], 0.1, 1e-12);
  if (dim == 3) CHECK_NEAR(s->x[0], 2.489580950, 2e-6); /* the step of the change: h^2 mu g */
  CHECK_NEAR(energy(s) + s->loss - s->work, s->start, 1e-12);
  finish(s);
}

/* Two unlike spheres in free space, spinning: momenta and energy. */
static void free_impact(void)
{
  Scene    *s = scene_new(3, 0.2, 1);
  PetscReal L[3] = {0, 0, 0}, at[3] = {0, 0, 0};

  add_ball(s, 0.05, 1, (PetscReal[]){0, 0, 0}, (PetscReal[]){1, 0, 0});
  add_ball(s, 0.08, 2.5, (PetscReal[]){0.3, 0.06, 0.03}, (PetscReal[]){-1, 0.1, -0.2});
  s->spin[2] = 20;
  s->spin[3] = 5;
  s->spin[4] = -10;
  begin(s);
  for (int n = 0; n < 150; n++) {
    const EfdaWork *report = step(s, 1e-3);

    for (int d = 0; d < 3; d++) at[d] += report->tally.pairs[0].force[d] * 1e-3;
  }
  for (int b = 0; b < 2; b++)
    for (int d = 0; d < 3; d++) L[d] += s->mass[b] * s->v[3 * b + d];
  CHECK_NEAR(L[0], -1.5, 1e-14);
  CHECK_NEAR(L[1], 0.25, 1e-14);
  CHECK_NEAR(L[2], -0.5, 1e-14);
  CHECK_NEAR(energy(s) + s->loss - s->work, s->start, 1e-13);
  CHECK_NEAR(s->start, 2.4125, 1e-12);
  for (int d = 0; d < 3; d++) /* the force told is that on the first */
    CHECK_NEAR(fabs(at[d]), fabs(s->v[d] - (d == 0)), 1e-12);
  CHECK(at[0] != 0);
  CHECK(s->v[0] < 0); /* they did meet */
  finish(s);
}

/* A hail of balls on a box: the balance is exact, the heap comes to rest, little overlaps. */
static void heap(PetscInt dim)
{
  PetscReal r = 0.005, pitch = 0.0105, kinetic = 0;
  PetscInt  n = dim == 2 ? 12 : 6, layers = dim == 2 ? 1 : n;
  int       up = dim - 1;
  Scene    *s = scene_new(dim, 0.3, 0.5);

  srand48(7);
  s->load[up] = -9.81;
  for (PetscInt c = 0; c < layers; c++)
    for (PetscInt b = 0; b < n; b++)
      for (PetscInt a = 0; a < n; a++) {
        PetscReal x[3] = {(a + 0.5) * pitch, (b + 0.5) * pitch, (c + 0.7) * pitch};
        PetscReal v[3] = {(drand48() - 0.5) * 0.05, (drand48() - 0.5) * 0.05, 0};

        if (dim == 2) {
          x[1] = (b + 0.7) * pitch;
          x[2] = v[1] = 0;
        }
        add_ball(s, r, 1e-3, x, v);
      }
  add_plane(s, 0, 0, 0, 0, dim == 2, dim == 3);
  add_plane(s, 0, 0, 0, 1, 0, 0);
  add_plane(s, n * pitch, 0, 0, -1, 0, 0);
  if (dim == 3) add_plane(s, 0, 0, 0, 0, 1, 0);
  if (dim == 3) add_plane(s, 0, n * pitch, 0, 0, -1, 0);
  begin(s);
  for (int k = 0; k < 600; k++) step(s, 1e-3);
  CHECK_NEAR((energy(s) + s->loss - s->work) / s->start, 1, 1e-12);
  CHECK(s->least_loss > -1e-7 * s->start);
  /* friction alone does not give either: 1e-9 is let be, and guarded rounds may end a little above */
  CHECK(s->least_friction > -1e-8 * s->start);
  CHECK_LESS(s->deepest, 0.05 * r);
  for (PetscInt b = 0; b < s->n; b++)
    for (int d = 0; d < 3; d++) kinetic += PetscSqr(s->v[3 * b + d]) / 2 / s->n;
  CHECK_LESS(kinetic, 1e-5);
  for (PetscInt b = 0; b < s->n; b++) { /* none left the box */
    CHECK(s->x[3 * b + up] > 0.9 * r);
    CHECK(s->x[3 * b] > 0.9 * r && s->x[3 * b] < n * pitch - 0.9 * r);
  }
  finish(s);
}

/* A bullet that crosses forty radii of the target in a step, and a cloud that it does not touch. */
static void bullet(void)
{
  Scene *s = scene_new(3, 0, 1);

  add_ball(s, 0.01, 1e-3, (PetscReal[]){-3, 0, 0}, (PetscReal[]){400, 0, 0});
  add_ball(s, 0.01, 1, (PetscReal[]){0, 0, 0}, (PetscReal[]){0, 0, 0});
  for (int k = 0; k < 200; k++)
    add_ball(s, 0.01, 1, (PetscReal[]){0.03 * (k % 20), 1 + 0.03 * (k / 20), 0.5},
             (PetscReal[]){0, 0, 0});
  begin(s);
  for (int k = 0; k < 12; k++) step(s, 1e-3);
  CHECK(s->v[0] < 0);
  CHECK_NEAR(s->v[0], 400 * (1e-3 - 1) / (1 + 1e-3), 1e-9);
  CHECK_NEAR(s->v[3], 2 * 400 * 1e-3 / (1 + 1e-3), 1e-9);
  for (PetscInt b = 2; b < s->n; b++) CHECK(s->v[3 * b] == 0 && s->v[3 * b + 1] == 0);
  finish(s);
}

/* The grid sees the deepest overlap that a look at all pairs sees, far wanderers or not. */
static void grid_misses_nothing(PetscInt dim)
{
  for (int trial = 0; trial < 20; trial++) {
    Scene    *s = scene_new(dim, 0.3, 0);
    PetscReal deep = 0;

    srand48(trial);
    for (int k = 0; k < 200; k++) {
      PetscReal far = k % 50 ? 1 : 1e4, speed = k % 20 ? 0.1 : 30, x[3], v[3];

      for (int d = 0; d < 3; d++) {
        x[d] = d < dim ? far * (drand48() - 0.5) : 0;
        v[d] = d < dim ? speed * (drand48() - 0.5) : 0;
      }
      add_ball(s, 0.01 + 0.02 * drand48(), 1, x, v);
    }
    begin(s);
    for (int n = 0; n < 3; n++) {
      const EfdaWork *report = step(s, 1e-3);

      deep = 0;
      for (PetscInt a = 0; a < s->n; a++)
        for (PetscInt b = 0; b < a; b++) {
          PetscReal way = 0;

          for (int d = 0; d < 3; d++) way += PetscSqr(s->x[3 * a + d] - s->x[3 * b + d]);
          deep = PetscMax(deep, s->radius[a] + s->radius[b] - sqrt(way));
        }
      CHECK_NEAR(report->tally.total.max_penetration, deep, 1e-15);
    }
    finish(s);
  }
}

/* A disk rolls in a bowl and never leaves it; returns the work of the gap correction. */
static PetscReal bowl(PetscReal h)
{
  Scene    *s = scene_new(2, 0.5, 0);
  PetscReal work;

  s->load[1] = -9.81;
  s->walls[0] = (EfdaBallWall){.kind = CR_WALL_INSIDE, .radius = 0.5};
  s->nwalls = 1;
  add_ball(s, 0.1, 1, (PetscReal[]){0.4 * sin(0.5), -0.4 * cos(0.5), 0}, (PetscReal[]){0, 0, 0});
  begin(s);
  for (int k = 0; k < 1 / h - 0.5; k++) {
    step(s, h);
    CHECK_LESS(fabs(hypot(s->x[0], s->x[1]) - 0.4), 1e-5);
  }
  CHECK_NEAR(energy(s) + s->loss - s->work, s->start, 1e-12);
  work = s->work;
  finish(s);
  return work;
}

/* The curvature of a bowl is met step by step, to first order; a wall that lifts a ball works. */
static void walls(void)
{
  PetscReal coarse = bowl(1e-3), fine = bowl(5e-4);
  Scene    *s;

  CHECK_LESS(fabs(coarse), 0.01);
  CHECK_NEAR(coarse / fine, 2, 0.4);
  s = scene_new(3, 0.3, 0);
  s->load[2] = -10;
  s->walls[0] = (EfdaBallWall){.kind = CR_WALL_PLANE, .normal = {0, 0, 1}, .velocity = {0, 0, 1}};
  s->nwalls = 1;
  add_ball(s, 0.1, 2, (PetscReal[]){0, 0, 0.1}, (PetscReal[]){0, 0, 1});
  begin(s);
  for (int k = 0; k < 100; k++) step(s, 1e-2);
  CHECK_NEAR(s->x[2], 1.1, 1e-12);
  CHECK_NEAR(s->by_walls, 20, 1e-10); /* m g times a way of 1 */
  CHECK_NEAR(energy(s) + s->loss - s->work - s->by_walls, s->start, 1e-11);
  finish(s);
}

/* As a checkpoint does it. */
static void copy_entry(const CrEntry *from, CrEntry *to)
{
  if (from->kind == CR_ENTRY_REALS) memcpy(to->reals, from->reals, sizeof(PetscReal) * from->n);
  if (from->kind == CR_ENTRY_INTS) memcpy(to->ints, from->ints, sizeof(PetscInt) * from->n);
  if (from->kind == CR_ENTRY_LIST || from->kind == CR_ENTRY_REAL_LIST) *to->count = from->n;
  if (from->kind == CR_ENTRY_LIST) {
    CHECK_OK(PetscFree(*to->list));
    CHECK_OK(PetscMalloc1(from->n, to->list));
    memcpy(*to->list, from->ints, sizeof(PetscInt) * from->n);
  }
  if (from->kind == CR_ENTRY_REAL_LIST) {
    CHECK(from->n > 64);
    CHECK_OK(PetscFree(*to->real_list));
    CHECK_OK(PetscMalloc1(from->n, to->real_list));
    memcpy(*to->real_list, from->reals, sizeof(PetscReal) * from->n);
  }
}

/* A second crowd that gets the archive goes on bit by bit as the first. */
static void goes_on(void)
{
  Scene    *a = scene_new(3, 0.3, 0.5), *b = malloc(sizeof *b);
  CrArchive archive = {0}, other = {0};

  a->load[2] = -9.81;
  add_plane(a, 0, 0, 0, 0, 0, 1);
  for (int k = 0; k < 64; k++)
    add_ball(a, 0.01, 1,
             (PetscReal[]){0.0201 * (k % 4) + 1e-3 * (k / 16), 0.0201 * (k / 4 % 4),
                           0.0101 + 0.0201 * (k / 16)},
             (PetscReal[]){0, 0, 0});
  begin(a);
  for (int k = 0; k < 40; k++) step(a, 1e-3);
  *b = *a;
  b->balls = NULL;
  begin(b);
  CHECK_OK(EfdaBallsArchive(a->balls, &archive));
  CHECK_OK(EfdaBallsArchive(b->balls, &other));
  for (PetscInt k = 0; k < archive.n; k++) copy_entry(&archive.entries[k], &other.entries[k]);
  CHECK_OK(EfdaBallsResume(b->balls));
  for (int k = 0; k < 40; k++) {
    step(a, 1e-3);
    step(b, 1e-3);
  }
  CHECK(!memcmp(a->x, b->x, sizeof a->x));
  CHECK(!memcmp(a->v, b->v, sizeof a->v));
  CHECK(!memcmp(a->spin, b->spin, sizeof a->spin));
  finish(a);
  finish(b);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  oblique_sphere();
  sliding_to_rolling(2);
  sliding_to_rolling(3);
  free_impact();
  heap(2);
  heap(3);
  bullet();
  grid_misses_nothing(2);
  grid_misses_nothing(3);
  walls();
  goes_on();
  return check_end();
}

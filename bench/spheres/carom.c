/* The crowd of balls: src/integrate/efda/crowd_ball.h. */
#include "integrate/efda/crowd_ball.h"
#include "scene.h"

static double energy(const Scene *s, const double *spin, double *kinetic)
{
  double e = 0;

  *kinetic = 0;
  for (int k = 0; k < 3 * s->n; k++)
    *kinetic += s->mass * s->v[k] * s->v[k] / 2 + s->inertia * spin[k] * spin[k] / 2;
  for (int k = 0; k < s->n; k++) e += s->mass * SCENE_GRAVITY * s->x[3 * k + 2];
  return e + *kinetic;
}

int main(int argc, char **argv)
{
  int          side = argc > 1 ? atoi(argv[1]) : 10, steps = argc > 2 ? atoi(argv[2]) : 500;
  Scene        s = scene_make(side);
  double      *spin = calloc(3 * s.n, sizeof(double)), *one = calloc(3 * s.n, sizeof(double));
  PetscInt    *kind = calloc(s.n, sizeof(PetscInt));
  EfdaBallLaw  laws[6];
  EfdaBallWall walls[5] = {{.normal = {0, 0, 1}},
                           {.normal = {1, 0, 0}},
                           {.normal = {0, 1, 0}},
                           {.normal = {-1, 0, 0}, .point = {s.width, 0, 0}},
                           {.normal = {0, -1, 0}, .point = {0, s.width, 0}}};
  double       load[3] = {0, 0, -SCENE_GRAVITY}, start, now, kinetic, cpu = 0, worst = 0, late = 0;
  double       loss = 0, work = 0;
  char         balance[32];
  EfdaBalls   *balls;
  const EfdaWork *done;

  PetscCall(PetscInitialize(NULL, NULL, NULL, NULL));
  for (int k = 0; k < s.n; k++) {
    one[k] = SCENE_RADIUS;
    one[s.n + k] = s.mass;
    one[2 * s.n + k] = s.inertia;
  }
  for (int k = 0; k < 6; k++) laws[k] = (EfdaBallLaw){0, 1, SCENE_FRICTION, SCENE_RESTITUTION};
  PetscCall(EfdaBallsCreate(&(EfdaBallsDef){.dim = 3,
                                            .n = s.n,
                                            .nkinds = 1,
                                            .nwalls = 5,
                                            .radius = one,
                                            .mass = one + s.n,
                                            .inertia = one + 2 * s.n,
                                            .kind = kind,
                                            .laws = laws,
                                            .sweeps = argc > 3 ? atoi(argv[3]) : EFDA_BALL_SWEEPS,
                                            .pushes = argc > 4 ? atoi(argv[4]) : EFDA_BALL_PUSHES,
                                            .tolerance = EFDA_BALL_TOLERANCE},
                            &balls));
  start = energy(&s, spin, &kinetic);
  for (int n = 0; n < steps; n++) {
    cpu -= scene_cpu();
    PetscCall(EfdaBallsStep(balls, SCENE_STEP, load, start, walls, s.x, s.v, spin, NULL, &done));
    cpu += scene_cpu();
    loss += done->tally.total.loss;
    work += done->contact_work;
    if (n % SCENE_EVERY == 0 || n == steps - 1) {
      double deep = scene_overlap(&s, s.x);

      worst = fmax(worst, deep);
      if (2 * n >= steps) late = fmax(late, deep);
    }
  }
  now = energy(&s, spin, &kinetic);
  snprintf(balance, sizeof balance, "%.2e", fabs(now + loss - work - start) / start);
  scene_print("carom", &s, steps, cpu, worst, late, kinetic / s.mass / s.n, balance);
  PetscCall(EfdaBallsDestroy(&balls));
  return PetscFinalize();
}

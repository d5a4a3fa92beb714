/* The scene of the race, the same numbers for every engine: n x n x n spheres fall from a lattice into a
   box of five planes (theory of what is measured: README.md). Plain C, no library, so that C and C++
   programs can share it. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SCENE_RADIUS      0.005
#define SCENE_PITCH       0.0105
#define SCENE_DENSITY     2500.0
#define SCENE_FRICTION    0.3
#define SCENE_RESTITUTION 0.5
#define SCENE_GRAVITY     9.81
#define SCENE_STEP        1e-3
#define SCENE_EVERY       5 /* steps between looks at the overlaps */

typedef struct {
  int     side, n;
  double  width, mass, inertia;
  double *x, *v; /* [3n] */
} Scene;

static double scene_random(unsigned long *state) /* in (-1, 1) */
{
  *state = *state * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(*state >> 11) / (double)(1ul << 52) - 1;
}

static Scene scene_make(int side)
{
  Scene         s = {.side = side, .n = side * side * side, .width = side * SCENE_PITCH};
  unsigned long random = 1;
  int           k = 0;

  s.mass = SCENE_DENSITY * 4 / 3 * M_PI * pow(SCENE_RADIUS, 3);
  s.inertia = 0.4 * s.mass * SCENE_RADIUS * SCENE_RADIUS;
  s.x = (double *)calloc(3 * (size_t)s.n, sizeof(double));
  s.v = (double *)calloc(3 * (size_t)s.n, sizeof(double));
  for (int c = 0; c < side; c++)
    for (int b = 0; b < side; b++)
      for (int a = 0; a < side; a++, k++) {
        s.x[3 * k] = (a + 0.5) * SCENE_PITCH;
        s.x[3 * k + 1] = (b + 0.5) * SCENE_PITCH;
        s.x[3 * k + 2] = (c + 0.7) * SCENE_PITCH;
        s.v[3 * k] = 0.025 * scene_random(&random);
        s.v[3 * k + 1] = 0.025 * scene_random(&random);
      }
  return s;
}

static double scene_cpu(void)
{
  struct timespec t;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Deepest overlap of any pair or wall, in radii: every pair, through cells. */
static double scene_overlap(const Scene *s, const double *x)
{
  int    side = s->side * 2 + 4, cells = side * side * side * 4;
  int   *first = (int *)malloc(sizeof(int) * cells), *next = (int *)malloc(sizeof(int) * s->n);
  double r = SCENE_RADIUS, width = 2.2 * r, deep = 0;

  for (int k = 0; k < cells; k++) first[k] = -1;
  for (int i = 0; i < s->n; i++) {
    const double *p = &x[3 * i];
    int           c[3];

    for (int d = 0; d < 3; d++) {
      double wall = d < 2 ? fmin(p[d], s->width - p[d]) : p[d];

      deep = fmax(deep, r - wall);
      c[d] = (int)floor(p[d] / width) + 1;
      if (c[d] < 0) c[d] = 0;
      if (c[d] > (d < 2 ? side : 4 * side) - 1) c[d] = (d < 2 ? side : 4 * side) - 1;
    }
    for (int a = -1; a <= 1; a++)
      for (int b = -1; b <= 1; b++)
        for (int e = -1; e <= 1; e++) {
          int u = c[0] + a, v = c[1] + b, w = c[2] + e;

          if (u < 0 || v < 0 || w < 0 || u >= side || v >= side || w >= 4 * side) continue;
          for (int j = first[(w * side + v) * side + u]; j >= 0; j = next[j]) {
            const double *q = &x[3 * j];
            double        way = sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                                     (p[2] - q[2]) * (p[2] - q[2]));

            deep = fmax(deep, 2 * r - way);
          }
        }
    next[i] = first[(c[2] * side + c[1]) * side + c[0]];
    first[(c[2] * side + c[1]) * side + c[0]] = i;
  }
  free(first);
  free(next);
  return deep / r;
}

/* One line for the script: cpu of the steps alone, worst overlap, that of the second half, kinetic energy
   over mass at the end, and the share of the energy that nobody accounts for. */
static void scene_print(const char *name, const Scene *s, int steps, double cpu, double worst,
                        double late, double kinetic, const char *balance)
{
  printf("{\"engine\": \"%s\", \"bodies\": %d, \"steps\": %d, \"cpu\": %.6f, \"us\": %.4f, "
         "\"worst\": %.5f, "
         "\"late\": %.5f, \"kinetic\": %.3e, \"balance\": %s}\n",
         name, s->n, steps, cpu, 1e6 * cpu / s->n / steps, worst, late, kinetic, balance);
}

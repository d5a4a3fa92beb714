/* Finds the sides of triangles that are drawn as lines: borders, creases, and sides where the surface turns away from
   the viewer. */
#include <math.h>
#include <stdlib.h>
#include "draw/scene.h"

#define CREASE 0.7 /* cosine between normals */

typedef struct {
  PetscInt a, b, triangle; /* a < b */
} Side;

static int by_nodes(const void *p, const void *q)
{
  const Side *s = p, *t = q;

  if (s->a != t->a) return s->a < t->a ? -1 : 1;
  return s->b < t->b ? -1 : s->b > t->b;
}

static void normal(const CrScene *scene, PetscInt k, PetscReal n[3])
{
  const PetscInt  *c = scene->film->triangles[k].nodes;
  const PetscReal *a = scene->x + 3 * c[0], *b = scene->x + 3 * c[1], *d = scene->x + 3 * c[2];
  PetscReal        u[3], v[3], length;

  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = d[i] - a[i];
  }
  for (int i = 0; i < 3; i++)
    n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
  length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; i < 3; i++) n[i] /= PetscMax(length, 1e-300);
}

/* Is there a line between two triangles? */
static PetscBool is_seen(const CrScene *scene, PetscInt k, PetscInt l, const PetscReal towards[3])
{
  PetscReal m[3], n[3], between = 0, first = 0, second = 0;

  normal(scene, k, m);
  normal(scene, l, n);
  for (int i = 0; i < 3; i++) {
    between += m[i] * n[i];
    first += m[i] * towards[i];
    second += n[i] * towards[i];
  }
  return between < CREASE || first * second < 0;
}

PetscErrorCode CrSceneEdges(const CrScene *scene, const PetscReal towards[3], PetscInt *n,
                            CrSceneEdge **edges)
{
  const CrFilm *film = scene->film;
  PetscInt      nsides = 0;
  Side         *sides;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(3 * film->ntriangles, &sides));
  for (PetscInt k = 0; k < film->ntriangles; k++)
    for (int i = 0; i < 3; i++) {
      PetscInt a = film->triangles[k].nodes[i], b = film->triangles[k].nodes[(i + 1) % 3];

      if (film->triangles[k].sides >> i & 1 || film->triangles[k].round)
        sides[nsides++] = (Side){PetscMin(a, b), PetscMax(a, b), k};
    }
  qsort(sides, (size_t)nsides, sizeof *sides, by_nodes);
  PetscCall(PetscMalloc1(nsides, edges));
  *n = 0;
  for (PetscInt s = 0, e; s < nsides; s = e) {
    for (e = s + 1; e < nsides && !by_nodes(&sides[s], &sides[e]);) e++;
    if (e - s == 2 && !is_seen(scene, sides[s].triangle, sides[s + 1].triangle, towards)) continue;
    (*edges)[(*n)++] = (CrSceneEdge){{sides[s].a, sides[s].b}};
  }
  PetscCall(PetscFree(sides));
  PetscFunctionReturn(PETSC_SUCCESS);
}

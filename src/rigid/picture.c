/* Triangles for pictures. */
#include "rigid/internal.h"

static PetscErrorCode take(PetscInt np, PetscInt nt, PetscReal **points, PetscInt **triangles)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(3 * np, points));
  PetscCall(PetscMalloc1(3 * nt, triangles));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 2D: the centre and the outline. */
static PetscErrorCode fan(const CrShape *s, PetscInt around, PetscInt *np, PetscReal **points,
                          PetscInt *nt, PetscInt **triangles)
{
  PetscInt n = s->kind == CR_SHAPE_POLYTOPE ? s->nfaces : around, at = 0;

  PetscFunctionBeginUser;
  *np = n + 1, *nt = n;
  PetscCall(take(*np, *nt, points, triangles));
  for (PetscInt k = 0; k < n; k++) {
    PetscReal *x = *points + 3 * (k + 1), a = 2 * PETSC_PI * (PetscReal)k / (PetscReal)n;

    if (s->kind == CR_SHAPE_POLYTOPE) { /* from side to side */
      v_copy(s->vertices + 3 * s->face_vertices[2 * at], x);
      for (PetscInt f = 0; f < s->nfaces; f++)
        if (s->face_vertices[2 * f] == s->face_vertices[2 * at + 1]) {
          at = f;
          break;
        }
    } else {
      x[0] = s->axes[0] * cos(a);
      x[1] = s->axes[1] * sin(a);
    }
    (*triangles)[3 * k]     = 0;
    (*triangles)[3 * k + 1] = k + 1;
    (*triangles)[3 * k + 2] = k + 1 < n ? k + 2 : 1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Round bodies: circles of latitude; the two halves of a capsule are pulled apart. */
static PetscErrorCode rings(const CrShape *s, PetscInt around, PetscInt *np, PetscReal **points,
                            PetscInt *nt, PetscInt **triangles)
{
  PetscBool capsule = s->kind == CR_SHAPE_CAPSULE ? PETSC_TRUE : PETSC_FALSE;
  PetscInt  n = around, m = around / 2 - 1 + (capsule ? 1 : 0), t = 0; /* m rings */

  PetscFunctionBeginUser;
  *np = 2 + n * m, *nt = 2 * n * m;
  PetscCall(take(*np, *nt, points, triangles));
  for (PetscInt j = 0; j <= m + 1; j++)
    for (PetscInt k = 0; k < (j == 0 || j == m + 1 ? 1 : n); k++) {
      PetscInt   up = capsule && 2 * j > m + 1 ? 1 : 0; /* the equator stands twice */
      PetscReal  a  = PETSC_PI * (PetscReal)(j - (capsule ? up : 0)) / (PetscReal)(m + 1 - capsule);
      PetscReal  b  = 2 * PETSC_PI * (PetscReal)k / (PetscReal)n;
      PetscReal *x  = *points + 3 * (j == 0 ? 0 : j == m + 1 ? 1 : 2 + n * (j - 1) + k);
      PetscReal  r[3] = {s->axes[0], s->axes[1], s->axes[2]};

      if (capsule) r[0] = r[1] = r[2] = s->radius;
      x[0] = r[0] * sin(a) * cos(b);
      x[1] = r[1] * sin(a) * sin(b);
      x[2] = -r[2] * cos(a) + (capsule ? (up ? s->half : -s->half) : 0);
    }
  for (PetscInt k = 0; k < n; k++) {
    PetscInt l       = (k + 1) % n;
    PetscInt poles[] = {0, 2 + l, 2 + k, 1, 2 + n * (m - 1) + k, 2 + n * (m - 1) + l};

    for (int i = 0; i < 6; i++) (*triangles)[t++] = poles[i];
    for (PetscInt j = 0; j + 1 < m; j++) {
      PetscInt a = 2 + n * j + k, b = 2 + n * j + l, quad[] = {a, b, b + n, a, b + n, a + n};

      for (int i = 0; i < 6; i++) (*triangles)[t++] = quad[i];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode facets(const CrShape *s, PetscInt *np, PetscReal **points, PetscInt *nt,
                             PetscInt **triangles)
{
  PetscInt t = 0;

  PetscFunctionBeginUser;
  *np = s->nvertices, *nt = 0;
  for (PetscInt f = 0; f < s->nfaces; f++) *nt += s->face_start[f + 1] - s->face_start[f] - 2;
  PetscCall(take(*np, *nt, points, triangles));
  PetscCall(PetscArraycpy(*points, s->vertices, 3 * *np));
  for (PetscInt f = 0; f < s->nfaces; f++)
    for (PetscInt k = s->face_start[f] + 1; k + 1 < s->face_start[f + 1]; k++) {
      (*triangles)[t++] = s->face_vertices[s->face_start[f]];
      (*triangles)[t++] = s->face_vertices[k];
      (*triangles)[t++] = s->face_vertices[k + 1];
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShapeTriangles(const CrShape *s, PetscInt around, PetscInt *np, PetscReal **points,
                                PetscInt *nt, PetscInt **triangles)
{
  PetscFunctionBeginUser;
  *np = *nt  = 0;
  *points    = NULL;
  *triangles = NULL;
  if (s->kind == CR_SHAPE_POINT) PetscFunctionReturn(PETSC_SUCCESS);
  if (s->dim == 2)
    PetscCall(fan(s, around, np, points, nt, triangles));
  else if (s->kind == CR_SHAPE_POLYTOPE)
    PetscCall(facets(s, np, points, nt, triangles));
  else
    PetscCall(rings(s, around, np, points, nt, triangles));
  PetscFunctionReturn(PETSC_SUCCESS);
}

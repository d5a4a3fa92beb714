/* Makes surfaces of rigid shapes for pictures. */
#include "rigid/internal.h"
#include "rigid/picture.h"

static PetscErrorCode take(CrShapeSurface *s, PetscInt npoints, PetscInt nfaces, PetscInt length)
{
  PetscFunctionBeginUser;
  s->npoints = npoints;
  PetscCall(PetscCalloc1(3 * npoints, &s->points));
  PetscCall(PetscMalloc3(nfaces, &s->ends, nfaces, &s->parts, length, &s->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void add_face(CrShapeSurface *s, PetscInt part, PetscInt n, const PetscInt nodes[])
{
  PetscInt start = s->nfaces ? s->ends[s->nfaces - 1] : 0;

  for (PetscInt k = 0; k < n; k++) s->nodes[start + k] = nodes[k];
  s->parts[s->nfaces] = part;
  s->ends[s->nfaces++] = start + n;
}

static PetscErrorCode point(CrShapeSurface *s)
{
  const PetscInt node = 0;

  PetscFunctionBeginUser;
  PetscCall(take(s, 1, 1, 1));
  add_face(s, 1, 1, &node);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 2D, round: two halves, so that a diameter shows how the body turns. */
static PetscErrorCode halves(const CrShape *shape, PetscInt around, CrShapeSurface *s)
{
  const PetscInt n = around - around % 2;
  PetscInt       nodes[64];

  PetscFunctionBeginUser;
  PetscCheck(n / 2 < 64, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "too fine a picture");
  PetscCall(take(s, n, 2, n + 2));
  for (PetscInt k = 0; k < n; k++) {
    PetscReal a = 2 * PETSC_PI * (PetscReal)k / (PetscReal)n;

    s->points[3 * k] = shape->axes[0] * cos(a);
    s->points[3 * k + 1] = shape->axes[1] * sin(a);
  }
  for (PetscInt half = 0; half < 2; half++) {
    for (PetscInt k = 0; k <= n / 2; k++) nodes[k] = (half * n / 2 + k) % n;
    add_face(s, half + 1, n / 2 + 1, nodes);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 2D: from side to side. */
static PetscErrorCode outline(const CrShape *shape, CrShapeSurface *s)
{
  const PetscInt n = shape->nfaces;
  PetscInt       at = 0;

  PetscFunctionBeginUser;
  PetscCall(take(s, n, 1, n));
  for (PetscInt k = 0; k < n; k++) {
    v_copy(shape->vertices + 3 * shape->face_vertices[2 * at], s->points + 3 * k);
    s->nodes[k] = k;
    for (PetscInt f = 0; f < n; f++)
      if (shape->face_vertices[2 * f] == shape->face_vertices[2 * at + 1]) {
        at = f;
        break;
      }
  }
  s->nfaces = 1;
  s->parts[0] = 1;
  s->ends[0] = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Round bodies: circles of latitude; the two halves of a capsule are pulled apart. The parts meet in
   one or two great circles through the poles, which show how the body turns. */
static PetscErrorCode rings(const CrShape *shape, PetscInt around, CrShapeSurface *s)
{
  const PetscBool capsule = shape->kind == CR_SHAPE_CAPSULE;
  const PetscInt  n = around, m = around / 2 - 1 + (capsule ? 1 : 0); /* m rings */
  const PetscInt  nparts = n % 4 ? 2 : 4;

  PetscFunctionBeginUser;
  PetscCall(take(s, 2 + n * m, n * (m + 1), 6 * n + 4 * n * (m - 1)));
  for (PetscInt j = 0; j <= m + 1; j++)
    for (PetscInt k = 0; k < (j == 0 || j == m + 1 ? 1 : n); k++) {
      PetscInt   up = capsule && 2 * j > m + 1 ? 1 : 0; /* the equator stands twice */
      PetscReal  a = PETSC_PI * (PetscReal)(j - (capsule ? up : 0)) / (PetscReal)(m + 1 - capsule);
      PetscReal  b = 2 * PETSC_PI * (PetscReal)k / (PetscReal)n;
      PetscReal *x = s->points + 3 * (j == 0 ? 0 : j == m + 1 ? 1 : 2 + n * (j - 1) + k);
      PetscReal  r[3] = {shape->axes[0], shape->axes[1], shape->axes[2]};

      if (capsule) r[0] = r[1] = r[2] = shape->radius;
      x[0] = r[0] * sin(a) * cos(b);
      x[1] = r[1] * sin(a) * sin(b);
      x[2] = -r[2] * cos(a) + (capsule ? (up ? shape->half : -shape->half) : 0);
    }
  for (PetscInt k = 0; k < n; k++) {
    PetscInt l = (k + 1) % n, part = 1 + k * nparts / n;
    PetscInt south[] = {0, 2 + l, 2 + k};
    PetscInt north[] = {1, 2 + n * (m - 1) + k, 2 + n * (m - 1) + l};

    add_face(s, part, 3, south);
    add_face(s, part, 3, north);
    for (PetscInt j = 0; j + 1 < m; j++) {
      PetscInt a = 2 + n * j + k, b = 2 + n * j + l, quad[] = {a, b, b + n, a + n};

      add_face(s, part, 4, quad);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode faces(const CrShape *shape, CrShapeSurface *s)
{
  PetscFunctionBeginUser;
  PetscCall(take(s, shape->nvertices, shape->nfaces, shape->face_start[shape->nfaces]));
  PetscCall(PetscArraycpy(s->points, shape->vertices, 3 * shape->nvertices));
  for (PetscInt f = 0; f < shape->nfaces; f++)
    add_face(s, f + 1, shape->face_start[f + 1] - shape->face_start[f],
             shape->face_vertices + shape->face_start[f]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShapeSurfaceCreate(const CrShape *shape, PetscInt around, CrShapeSurface *surface)
{
  PetscFunctionBeginUser;
  *surface = (CrShapeSurface){0};
  surface->flat = shape->dim == 2 || shape->kind == CR_SHAPE_POLYTOPE;
  if (shape->kind == CR_SHAPE_POINT)
    PetscCall(point(surface));
  else if (shape->kind == CR_SHAPE_POLYTOPE)
    PetscCall(shape->dim == 2 ? outline(shape, surface) : faces(shape, surface));
  else
    PetscCall(shape->dim == 2 ? halves(shape, around, surface) : rings(shape, around, surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShapeSurfaceDestroy(CrShapeSurface *surface)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(surface->points));
  PetscCall(PetscFree3(surface->ends, surface->parts, surface->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

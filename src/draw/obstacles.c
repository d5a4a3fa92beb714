/* Draws the obstacles of a picture. In 2D, walls are lines with strokes on the solid side. In 3D, walls are grids of
   pale grey, and boxes are drawn by their edges. */
#include <math.h>
#include "draw/picture.h"

#define HATCH  9.  /* pixels between the strokes, at unit 1 */
#define AROUND 96  /* parts of a circle */
#define GRID   8   /* fields of a floor, in each direction */
#define DEEP   1e9 /* behind everything */

static const CrColour wall = {90, 90, 96}, floor_colour = {232, 233, 236};

/* ---- lines in the plane -------------------------------------------------------------------- */

/* The part of a line that lies in the region of the bodies; false: none. */
static PetscBool clip(const PetscReal into[4], PetscReal a[2], PetscReal b[2])
{
  PetscReal       t0 = 0, t1 = 1;
  const PetscReal from[2] = {a[0], a[1]}, way[2] = {b[0] - a[0], b[1] - a[1]};

  for (int i = 0; i < 2; i++)
    for (int side = 0; side < 2; side++) {
      PetscReal p = side ? way[i] : -way[i];
      PetscReal q = side ? into[2 + i] - from[i] : from[i] - into[i];

      if (p == 0 && q < 0) return PETSC_FALSE;
      if (p < 0) t0 = PetscMax(t0, q / p);
      if (p > 0) t1 = PetscMin(t1, q / p);
    }
  if (t0 >= t1) return PETSC_FALSE;
  for (int i = 0; i < 2; i++) {
    a[i] = from[i] + t0 * way[i];
    b[i] = from[i] + t1 * way[i];
  }
  return PETSC_TRUE;
}

/* From a to b, the solid side to the right of the way as seen on the screen. Pixels. */
static void draw_wall(Drawing *d, const PetscReal from[2], const PetscReal to[2])
{
  const PetscReal u = d->unit, into[4] = {d->into[0] - 12 * u, d->into[1] - 12 * u,
                                          d->into[2] + 12 * u, d->into[3] + 12 * u};
  PetscReal       a[3] = {from[0], from[1], -DEEP}, b[3] = {to[0], to[1], -DEEP}, length, n;

  if (!clip(into, a, b)) return;
  length = hypot(b[0] - a[0], b[1] - a[1]);
  CrDrawLine(d, a, b, 2 * u, 0, wall);
  n = floor(length / (HATCH * u));
  for (PetscReal k = 0; k < n; k++) {
    PetscReal s = (k + 0.5) / n, tx = (b[0] - a[0]) / length, ty = (b[1] - a[1]) / length;
    PetscReal p[3] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), -DEEP};
    /* backwards and to the right: (-t + n) / sqrt 2 */
    PetscReal q[3] = {p[0] + 8 * u * (-tx - ty) * M_SQRT1_2, p[1] + 8 * u * (-ty + tx) * M_SQRT1_2,
                      -DEEP};

    CrDrawLine(d, p, q, 1.1 * u, 0, wall);
  }
}

static void see2(const Drawing *d, PetscReal x, PetscReal y, PetscReal p[2])
{
  PetscReal q[3];

  CrCameraSee(&d->camera, (PetscReal[3]){x, y, 0}, q);
  p[0] = q[0];
  p[1] = q[1];
}

static void flat_plane(Drawing *d, const CrSeen *s)
{
  const PetscReal far = 4 * (PetscReal)(d->width + d->height) / d->camera.scale;
  PetscReal       a[2], b[2], middle[2] = {d->camera.centre[0], d->camera.centre[1]}, way;

  /* the point of the plane that is nearest to the middle of the picture */
  way = (middle[0] - s->a[0]) * s->b[0] + (middle[1] - s->a[1]) * s->b[1];
  for (int i = 0; i < 2; i++) middle[i] -= way * s->b[i];
  see2(d, middle[0] - far * s->b[1], middle[1] + far * s->b[0], a);
  see2(d, middle[0] + far * s->b[1], middle[1] - far * s->b[0], b);
  draw_wall(d, a, b);
}

static void flat_box(Drawing *d, const CrSeen *s)
{
  const PetscReal x[4] = {s->a[0], s->b[0], s->b[0], s->a[0]},
                  y[4] = {s->a[1], s->a[1], s->b[1], s->b[1]};
  PetscReal a[2], b[2];

  for (int k = 0; k < 4; k++) {
    see2(d, x[k], y[k], a);
    see2(d, x[(k + 1) % 4], y[(k + 1) % 4], b);
    draw_wall(d, a, b);
  }
}

static void flat_circle(Drawing *d, const CrSeen *s)
{
  PetscReal a[2], b[2];

  for (int k = 0; k < AROUND; k++) {
    PetscReal t0 = 2 * PETSC_PI * k / AROUND, t1 = 2 * PETSC_PI * (k + 1) / AROUND;

    see2(d, s->a[0] + s->b[0] * cos(t0), s->a[1] + s->b[0] * sin(t0), a);
    see2(d, s->a[0] + s->b[0] * cos(t1), s->a[1] + s->b[0] * sin(t1), b);
    if (s->inside)
      draw_wall(d, a, b);
    else
      draw_wall(d, b, a);
  }
}

/* ---- in space ----------------------------------------------------------------------------- */

/* Two unit vectors in a plane, along the axes where it is level. */
static void tangents(const PetscReal n[3], PetscReal t[2][3])
{
  const int axis = fabs(n[0]) < 0.9 ? 0 : 1;
  PetscReal length = 0;

  for (int i = 0; i < 3; i++) t[0][i] = (i == axis) - n[axis] * n[i];
  for (int i = 0; i < 3; i++) length += t[0][i] * t[0][i];
  for (int i = 0; i < 3; i++) t[0][i] /= sqrt(length);
  for (int i = 0; i < 3; i++)
    t[1][i] = n[(i + 1) % 3] * t[0][(i + 2) % 3] - n[(i + 2) % 3] * t[0][(i + 1) % 3];
}

/* What of a plane is shown: the shadow of the bodies' box, and a little more. */
static void floor_corners(const Drawing *d, const CrSeen *s, PetscReal corner[4][3])
{
  PetscReal t[2][3], low[2] = {PETSC_MAX_REAL, PETSC_MAX_REAL},
                     high[2] = {-PETSC_MAX_REAL, -PETSC_MAX_REAL}, room;

  tangents(s->b, t);
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 2; j++) {
      PetscReal sum = 0;

      for (int i = 0; i < 3; i++)
        sum += t[j][i] * ((k >> i & 1 ? d->high[i] : d->low[i]) - s->a[i]);
      low[j] = PetscMin(low[j], sum);
      high[j] = PetscMax(high[j], sum);
    }
  room = 0.12 * PetscMax(high[0] - low[0], high[1] - low[1]);
  for (int k = 0; k < 4; k++) {
    PetscReal p = k == 1 || k == 2 ? high[0] + room : low[0] - room;
    PetscReal q = k >= 2 ? high[1] + room : low[1] - room;

    for (int i = 0; i < 3; i++) corner[k][i] = s->a[i] + p * t[0][i] + q * t[1][i];
  }
}

static void mix(PetscReal corner[4][3], PetscReal r, PetscReal s, PetscReal x[3])
{
  for (int i = 0; i < 3; i++)
    x[i] = (1 - s) * ((1 - r) * corner[0][i] + r * corner[1][i]) +
           s * ((1 - r) * corner[3][i] + r * corner[2][i]);
}

static void solid_plane(Drawing *d, const CrSeen *s)
{
  const CrFill fill = {
      .map = floor_colour, .light = 1, .sides = 3, .side_half = 0.5 * d->unit, .side_ink = 0.14};
  PetscReal corner[4][3], x[3], p[4][3], facing = 0;

  floor_corners(d, s, corner);
  for (int i = 0; i < 3; i++) facing += s->b[i] * d->camera.towards[i];
  for (int k = 0; k < GRID * GRID; k++) {
    for (int c = 0; c < 4; c++) {
      mix(corner, (k % GRID + (c == 1 || c == 2)) / (PetscReal)GRID,
          (k / GRID + (c >= 2)) / (PetscReal)GRID, x);
      CrCameraSee(&d->camera, x, p[c]);
    }
    if (facing < -1e-6) { /* from behind it would hide what it bounds */
      for (int c = 0; c < 4; c++)
        CrCanvasLine(&d->canvas, p[c], p[(c + 1) % 4], 0.8 * d->unit, 0, floor_colour);
      continue;
    }
    PetscReal first[3][3] = {{p[0][0], p[0][1], p[0][2]},
                             {p[1][0], p[1][1], p[1][2]},
                             {p[2][0], p[2][1], p[2][2]}};
    PetscReal other[3][3] = {{p[2][0], p[2][1], p[2][2]},
                             {p[3][0], p[3][1], p[3][2]},
                             {p[0][0], p[0][1], p[0][2]}};

    CrCanvasTriangle(&d->canvas, first, &fill);
    CrCanvasTriangle(&d->canvas, other, &fill);
  }
}

static void solid_line(Drawing *d, const PetscReal x[3], const PetscReal y[3])
{
  PetscReal p[3], q[3];

  CrCameraSee(&d->camera, x, p);
  CrCameraSee(&d->camera, y, q);
  CrCanvasLine(&d->canvas, p, q, 1.4 * d->unit, 0, wall);
}

static void solid_box(Drawing *d, const CrSeen *s)
{
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 3; i++) {
      PetscReal x[3], y[3];

      if (k >> i & 1) continue;
      for (int j = 0; j < 3; j++) {
        x[j] = k >> j & 1 ? s->b[j] : s->a[j];
        y[j] = (k | 1 << i) >> j & 1 ? s->b[j] : s->a[j];
      }
      solid_line(d, x, y);
    }
}

/* Three great circles. */
static void solid_ball(Drawing *d, const CrSeen *s)
{
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < AROUND; k++) {
      PetscReal x[2][3];

      for (int e = 0; e < 2; e++) {
        PetscReal t = 2 * PETSC_PI * (k + e) / AROUND;

        for (int i = 0; i < 3; i++) x[e][i] = s->a[i];
        x[e][(axis + 1) % 3] += s->b[0] * cos(t);
        x[e][(axis + 2) % 3] += s->b[0] * sin(t);
      }
      solid_line(d, x[0], x[1]);
    }
}

void CrDrawObstacles(Drawing *d)
{
  static void (*const ways[2][3])(Drawing *,
                                  const CrSeen *) = {{flat_plane, flat_box, flat_circle},
                                                     {solid_plane, solid_box, solid_ball}};

  for (PetscInt k = 0; k < d->scene->nseen; k++)
    ways[d->scene->dim == 3][d->scene->seen[k].kind](d, &d->scene->seen[k]);
}

/* ---- what the picture must hold -------------------------------------------------------------- */

static void widen(const Drawing *d, const PetscReal x[3], PetscReal box[4])
{
  PetscReal p[2];

  CrCameraPlane(&d->camera, x, p);
  for (int i = 0; i < 2; i++) {
    box[i] = PetscMin(box[i], p[i]);
    box[2 + i] = PetscMax(box[2 + i], p[i]);
  }
}

/* The foot of the box's middle on a plane, if it is not far. */
static void reach_plane(const Drawing *d, const CrSeen *s, PetscReal box[4])
{
  PetscReal way = 0, size = 0, foot[3], corner[4][3];

  for (int i = 0; i < 3; i++) {
    way += (0.5 * (d->low[i] + d->high[i]) - s->a[i]) * s->b[i];
    size = PetscMax(size, d->high[i] - d->low[i]);
  }
  if (way > 1.5 * size) return;
  for (int i = 0; i < 3; i++)
    foot[i] = 0.5 * (d->low[i] + d->high[i]) - (way + 0.02 * size) * s->b[i];
  widen(d, foot, box);
  if (d->scene->dim == 2) return;
  floor_corners(d, s, corner);
  for (int k = 0; k < 4; k++) widen(d, corner[k], box);
}

/* A box; where bodies lie on the ground of a tall one, its empty part is left out. */
static void reach_box(const Drawing *d, const CrSeen *s, PetscReal box[4])
{
  const PetscReal *low = d->low, *high = d->high;
  PetscReal        from[3], to[3], x[3], fullest = 0, size = 0;

  for (int i = 0; i < d->scene->dim; i++) {
    fullest = PetscMax(fullest, (high[i] - low[i]) / PetscMax(s->b[i] - s->a[i], 1e-300));
    size = PetscMax(size, high[i] - low[i]);
  }
  for (int i = 0; i < 3; i++) {
    PetscBool empty = fullest > 0.5 && high[i] - low[i] < 0.3 * (s->b[i] - s->a[i]);

    from[i] = empty ? PetscMax(s->a[i], low[i] - 0.2 * size) : s->a[i];
    to[i] = empty ? PetscMin(s->b[i], high[i] + 0.2 * size) : s->b[i];
  }
  for (int c = 0; c < 8; c++) {
    for (int i = 0; i < 3; i++) x[i] = c >> i & 1 ? to[i] : from[i];
    widen(d, x, box);
  }
}

void CrDrawReach(const Drawing *d, PetscReal box[4])
{
  for (PetscInt k = 0; k < d->scene->nseen; k++) {
    const CrSeen *s = &d->scene->seen[k];

    if (s->kind == CR_SEEN_PLANE) reach_plane(d, s, box);
    if (s->kind == CR_SEEN_BOX) reach_box(d, s, box);
    if (s->kind == CR_SEEN_BALL && s->inside)
      for (int c = 0; c < 6; c++) {
        PetscReal x[3] = {s->a[0], s->a[1], s->a[2]};

        if (c / 2 == 2 && d->scene->dim == 2) continue;
        x[c / 2] += c % 2 ? s->b[0] : -s->b[0];
        widen(d, x, box);
      }
  }
}

/* Draws the bodies of a picture: the triangles of their surfaces on the canvas, and lines over them. */
#include <math.h>
#include "draw/picture.h"

#define TINY 3. /* mean length of a side in pixels */

static const CrColour ink = {38, 38, 44};

/* Brightness from the angle to a lamp at the viewer's upper left; 1 in the plane. */
static PetscReal light_of(const Drawing *d, PetscReal p[3][3])
{
  static const PetscReal lamp[3] = {-0.35, -0.55, 0.76}; /* pixels: y down */
  PetscReal              u[3], v[3], n[3], length, s = 0;

  if (d->scene->dim == 2) return 1;
  for (int i = 0; i < 3; i++) {
    u[i] = p[1][i] - p[0][i];
    v[i] = p[2][i] - p[0][i];
  }
  for (int i = 0; i < 3; i++)
    n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
  length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (n[2] < 0) length = -length; /* the side that is seen */
  for (int i = 0; i < 3; i++) s += n[i] * lamp[i] / (fabs(length) > 0 ? length : 1);
  return 0.74 + 0.36 * PetscMax(0, s);
}

/* Mean length of the sides on the canvas: sides of dense meshes would black everything out. */
PetscReal CrMeanSide(const Drawing *d)
{
  const CrFilm *film = d->scene->film;
  PetscReal     sum = 0, p[2][3];
  PetscInt      n = 0;

  for (PetscInt k = 0; k < film->ntriangles; k++)
    for (int i = 0; i < 3; i++) {
      if (!(film->triangles[k].sides >> i & 1)) continue;
      CrCameraSee(&d->camera, d->scene->x + 3 * film->triangles[k].nodes[i], p[0]);
      CrCameraSee(&d->camera, d->scene->x + 3 * film->triangles[k].nodes[(i + 1) % 3], p[1]);
      sum += hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]);
      n++;
    }
  return n ? sum / (PetscReal)n : 0;
}

void CrDrawLine(Drawing *d, const PetscReal a[3], const PetscReal b[3], PetscReal width,
                PetscReal bias, const CrColour colour)
{
  PetscReal line[2][2] = {{a[0], a[1]}, {b[0], b[1]}};

  if (CrDrawsLines(d))
    d->sheet.ops->path(&d->sheet, 2, line, width, colour, 1);
  else
    CrCanvasLine(&d->canvas, a, b, width, bias, colour);
}

/* A body without extent: a dot with a rim. */
static void draw_point(Drawing *d, const PetscReal p[3], const unsigned char *colour)
{
  CrCanvasLine(&d->canvas, p, p, 13 * d->unit, 0, ink);
  CrCanvasLine(&d->canvas, p, p, 10 * d->unit, 0, colour);
}

static PetscInt map_index(float share)
{
  return (PetscInt)(PetscClipInterval((PetscReal)share, 0, 1) * (CR_MAP_SIZE - 1) + 0.5);
}

static void draw_triangle(Drawing *d, const CrFilmTriangle *triangle, CrFill fill)
{
  const float *field =
      d->field < 0 ? NULL
                   : d->scene->film->field[d->field] + d->scene->frame * d->scene->film->nnodes;
  float     value[3];
  PetscReal p[3][3];

  for (int i = 0; i < 3; i++) {
    CrCameraSee(&d->camera, d->scene->x + 3 * triangle->nodes[i], p[i]);
    if (field)
      value[i] = (float)((field[triangle->nodes[i]] - d->least) / (d->greatest - d->least));
  }
  fill.light = light_of(d, p);
  fill.sides = triangle->sides;
  fill.map = field ? d->map[0] : CrPaleColours[triangle->body % 6];
  fill.value = field ? value : NULL;
  fill.nearest = d->field == CR_FILM_STATUS;
  if (triangle->nodes[0] == triangle->nodes[2])
    draw_point(d, p[0], field ? fill.map + 3 * map_index(value[0]) : fill.map);
  else if (triangle->nodes[1] == triangle->nodes[2])
    CrCanvasLine(&d->canvas, p[0], p[1], 2 * d->unit, 0, ink);
  else
    CrCanvasTriangle(&d->canvas, p, &fill);
}

PetscErrorCode CrDrawBodies(Drawing *d)
{
  const CrFilm *film = d->scene->film;
  PetscReal     dense = CrMeanSide(d) / d->unit, p[2][3];
  CrFill        fill = {.side_half = 0.55 * d->unit,
                        .side_ink = 0.42 * PetscClipInterval((dense - 2.5) / 9, 0, 1)};
  CrSceneEdge  *edges;
  PetscInt      n;

  PetscFunctionBeginUser;
  if (!d->asked->mesh) fill.side_ink = 0;
  if (CrDrawsLines(d))
    CrDrawBands(d);
  else
    for (PetscInt k = 0; k < film->ntriangles; k++) draw_triangle(d, &film->triangles[k], fill);
  if (dense < TINY) PetscFunctionReturn(PETSC_SUCCESS); /* heaps: outlines would be all one sees */
  PetscCall(CrSceneEdges(d->scene, d->camera.towards, &n, &edges));
  for (PetscInt k = 0; k < n; k++) {
    for (int i = 0; i < 2; i++) CrCameraSee(&d->camera, d->scene->x + 3 * edges[k].nodes[i], p[i]);
    CrDrawLine(d, p[0], p[1], PetscClipInterval(0.1 * dense, 0.8, 1.7) * d->unit, 2 * d->unit, ink);
  }
  PetscCall(PetscFree(edges));
  PetscFunctionReturn(PETSC_SUCCESS);
}

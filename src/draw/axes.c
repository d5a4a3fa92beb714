/* Draws the axes of a panel: in 2D a frame with numbers, in 3D the coordinate directions and a length scale. Also draws
   the time of a panel. */
#include <math.h>
#include "draw/picture.h"

#define LETTER 11. /* height of a capital, at unit 1 */
#define ROOM   12. /* from the bodies' box to the frame */

static const CrColour ink = {30, 30, 36}, soft = {95, 95, 102};

static void line(Drawing *d, PetscReal x0, PetscReal y0, PetscReal x1, PetscReal y1)
{
  PetscReal points[2][2] = {{x0, y0}, {x1, y1}};

  d->sheet.ops->path(&d->sheet, 2, points, 1.1 * d->unit, ink, 1);
}

static void text(Drawing *d, PetscReal x, PetscReal y, PetscReal align, const char words[])
{
  d->sheet.ops->text(&d->sheet, x, y, LETTER * d->unit, align, ink, words);
}

/* "x [mm]", with the power of ten that its numbers leave out. */
static void name_axis(const Drawing *d, const char axis[], PetscInt exponent, char name[160])
{
  const char *unit = d->scene->head.units.label[CR_UNIT_LENGTH];
  char        power[48] = "";

  if (exponent) CrPowerText(exponent, power);
  if (*unit || exponent)
    snprintf(name, 160, "%s [%s%s%s]", axis, power, *unit && exponent ? " " : "", unit);
  else
    snprintf(name, 160, "%s", axis);
}

/* Coordinate i of the picture plane at a pixel. */
static PetscReal coordinate(const CrCamera *camera, int i, PetscReal pixel)
{
  return camera->centre[i] + (i ? -1 : 1) * (pixel - camera->middle[i]) / camera->scale;
}

static void x_axis(Drawing *d, const PetscReal frame[4], PetscBool labelled)
{
  const PetscReal u = d->unit, size = LETTER * u;
  const CrTicks   ticks =
      CrTicksMake(coordinate(&d->camera, 0, frame[0]), coordinate(&d->camera, 0, frame[2]),
                  (PetscInt)PetscClipInterval((frame[2] - frame[0]) / (80 * u), 2, 10),
                  PETSC_FALSE);
  char label[160];

  for (PetscInt k = 0; k < ticks.n; k++) {
    const PetscReal x =
        d->camera.middle[0] + d->camera.scale * (ticks.values[k] - d->camera.centre[0]);

    line(d, x, frame[3], x, frame[3] - 5 * u);
    CrTickLabel(&ticks, k, label);
    if (labelled) text(d, x, frame[3] + 1.7 * size, 0.5, label);
  }
  name_axis(d, "x", ticks.exponent, label);
  if (labelled) text(d, 0.5 * (frame[0] + frame[2]), frame[3] + 3.6 * size, 0.5, label);
}

static void y_axis(Drawing *d, const PetscReal frame[4], PetscBool labelled)
{
  const PetscReal u = d->unit, size = LETTER * u;
  const CrTicks   ticks =
      CrTicksMake(coordinate(&d->camera, 1, frame[3]), coordinate(&d->camera, 1, frame[1]),
                  (PetscInt)PetscClipInterval((frame[3] - frame[1]) / (42 * u), 3, 10),
                  PETSC_FALSE);
  char label[160];

  for (PetscInt k = 0; k < ticks.n; k++) {
    const PetscReal y =
        d->camera.middle[1] - d->camera.scale * (ticks.values[k] - d->camera.centre[1]);

    line(d, frame[0], y, frame[0] + 5 * u, y);
    CrTickLabel(&ticks, k, label);
    if (labelled) text(d, frame[0] - 7 * u, y + 0.5 * size, 1, label);
  }
  name_axis(d, "y", ticks.exponent, label);
  if (labelled) text(d, frame[0] - 7 * u, frame[1] - 0.8 * size, 0.5, label);
}

static void flat_axes(Drawing *d, PetscBool left, PetscBool bottom)
{
  const PetscReal r = ROOM * d->unit;
  const PetscReal f[4] = {d->into[0] - r, d->into[1] - r, d->into[2] + r, d->into[3] + r};
  PetscReal box[5][2] = {{f[0], f[1]}, {f[2], f[1]}, {f[2], f[3]}, {f[0], f[3]}, {f[0], f[1]}};

  d->sheet.ops->path(&d->sheet, 5, box, 1.1 * d->unit, ink, 1);
  x_axis(d, f, bottom);
  y_axis(d, f, left);
}

/* Arrows of the directions, in the lower left corner, and a length beside them. */
static void space_axes(Drawing *d)
{
  static const char *const names[] = {"x", "y", "z"};
  const PetscReal          u = d->unit, size = LETTER * u, reach = 30 * u;
  const PetscReal          o[2] = {d->into[0] + 1.2 * reach, (PetscReal)d->height - 1.6 * reach};
  const PetscReal          most = 0.22 * (d->into[2] - d->into[0]) / d->camera.scale;
  const CrTicks            ticks = CrTicksMake(0, most, 3, PETSC_FALSE);
  const PetscReal          length = ticks.n > 1 ? ticks.values[1] : most;
  const PetscReal x = o[0] + 2.6 * reach, wide = length * d->camera.scale, y = o[1] + 0.6 * reach;
  char            label[96];

  for (int i = 0; i < 3; i++) {
    const PetscReal way[2] = {d->camera.right[i] * reach, -d->camera.up[i] * reach};
    const PetscReal far = hypot(way[0], way[1]);

    if (far < 0.05 * reach) continue; /* it points to the viewer */
    line(d, o[0], o[1], o[0] + way[0], o[1] + way[1]);
    text(d, o[0] + way[0] * (1 + 0.8 * size / far),
         o[1] + way[1] * (1 + 0.8 * size / far) + 0.5 * size, 0.5, names[i]);
  }
  line(d, x, y, x + wide, y);
  line(d, x, y - 4 * u, x, y + 4 * u);
  line(d, x + wide, y - 4 * u, x + wide, y + 4 * u);
  snprintf(label, sizeof label, "%.4g %s", (double)length,
           d->scene->head.units.label[CR_UNIT_LENGTH]);
  text(d, x + 0.5 * wide, y - 0.9 * size, 0.5, label);
}

void CrDrawAxes(Drawing *d)
{
  const PetscReal u = d->unit;
  PetscInt        k = 0;
  char            label[96];

  while (d->panels[k] != d->scene) k++;
  if (CrDrawsAxes(d) && d->scene->dim == 2)
    flat_axes(d, k % d->columns == 0, k + d->columns >= d->npanels);
  if (CrDrawsAxes(d) && d->scene->dim == 3 && k == 0) space_axes(d);
  if (d->npanels == 1 || d->asked->plain) return;
  snprintf(label, sizeof label, "t = %.5g %s", (double)d->scene->time,
           d->scene->head.units.label[CR_UNIT_TIME]);
  d->sheet.ops->text(&d->sheet, 0.5 * (d->into[0] + d->into[2]), d->into[1] - (ROOM + 8) * u,
                     LETTER * u, 0.5, soft, label);
}

/* Draws the colour scale, the title and the time. */
#include <math.h>
#include <string.h>
#include "draw/picture.h"

#define LETTER 12. /* height of a capital, at unit 1 */

static const CrColour ink = {30, 30, 36}, soft = {95, 95, 102};

/* The name above the bar, in two lines where it is long. */
static void draw_name(Drawing *d, PetscReal x, PetscReal y, const char name[])
{
  const PetscReal size = LETTER * d->unit;
  char            text[64], *blank;

  snprintf(text, sizeof text, "%s", name);
  blank = strrchr(text, ' ');
  if (!blank) {
    d->sheet.ops->text(&d->sheet, x, y, size, 0, ink, text);
    return;
  }
  *blank = 0;
  d->sheet.ops->text(&d->sheet, x, y - 1.6 * size, size, 0, ink, text);
  d->sheet.ops->text(&d->sheet, x, y, size, 0, ink, blank + 1);
}

/* Beside all panels: left, top, right, bottom of their room. */
static void all_panels(const Drawing *d, PetscReal at[4])
{
  for (int i = 0; i < 4; i++) at[i] = d->first[i];
  at[2] += (PetscReal)(d->columns - 1) * d->apart[0];
  at[3] += (PetscReal)(d->rows - 1) * d->apart[1];
}

static void draw_bar(Drawing *d, const PetscReal at[4])
{
  const PetscReal u = d->unit, size = LETTER * u, wide = 22 * u;
  const PetscReal high = floor(PetscMin(at[3] - at[1] - 5 * size, 380 * u));
  const PetscReal x = at[2] + 45 * u, y = floor(0.5 * (at[1] + at[3] - high) + 2 * size);
  const CrTicks   ticks = CrTicksMake(d->least, d->greatest, high > 250 * u ? 7 : 5, PETSC_FALSE);
  PetscReal frame[5][2] = {{x, y}, {x + wide, y}, {x + wide, y + high}, {x, y + high}, {x, y}};
  char      label[160], power[48] = "";

  /* each colour reaches down to the foot of the bar: no seam shines through */
  for (PetscInt k = CR_MAP_SIZE - 1; k >= 0; k--) {
    const PetscReal top = y + high * (PetscReal)(CR_MAP_SIZE - 1 - k) / CR_MAP_SIZE;
    PetscReal       box[4][2] = {{x, top}, {x + wide, top}, {x + wide, y + high}, {x, y + high}};

    d->sheet.ops->area(&d->sheet, 4, box, d->map[k]);
  }
  d->sheet.ops->path(&d->sheet, 5, frame, 1.1 * u, ink, 1);
  for (PetscInt k = 0; k < ticks.n; k++) {
    PetscReal level = y + high * (1 - (ticks.values[k] - d->least) / (d->greatest - d->least));
    PetscReal tick[2][2] = {{x + wide, level}, {x + wide + 6 * u, level}};

    d->sheet.ops->path(&d->sheet, 2, tick, 1.1 * u, ink, 1);
    CrTickLabel(&ticks, k, label);
    d->sheet.ops->text(&d->sheet, x + wide + 11 * u, level + 0.5 * size, size, 0, ink, label);
  }
  draw_name(d, x, y - 1.5 * size, CrFieldLabel(d->field));
  if (ticks.exponent) CrPowerText(ticks.exponent, power);
  snprintf(label, sizeof label, "%s%s %s", ticks.exponent ? "\u00d7" : "", power,
           CrFieldUnit(&d->scene->head.units, d->field));
  d->sheet.ops->text(&d->sheet, x, y + high + 2.2 * size, size, 0, ink, label);
}

static void draw_kinds(Drawing *d, const PetscReal at[4])
{
  static const char *const kinds[] = {"open", "sticking", "slipping", "pressed"};
  const PetscReal          u = d->unit, size = LETTER * u, step = 2.6 * size;
  const PetscReal          x = at[2] + 30 * u, y = 0.5 * (at[1] + at[3]) - 2 * step;

  draw_name(d, x, y - 0.8 * size, CrFieldLabel(d->field));
  for (int k = 0; k < 4; k++) {
    const PetscReal top = y + k * step + 0.6 * size, side = 1.5 * size;
    PetscReal       frame[5][2] = {
              {x, top}, {x + side, top}, {x + side, top + side}, {x, top + side}, {x, top}};

    d->sheet.ops->area(&d->sheet, 4, frame, CrStatusColours[k]);
    d->sheet.ops->path(&d->sheet, 5, frame, u, ink, 1);
    d->sheet.ops->text(&d->sheet, x + side + 0.8 * size, top + 0.5 * (side + size), size, 0, ink,
                       kinds[k]);
  }
}

/* A line of the caption, from a height down by its size. Walls of the room do not cross it. */
static void caption_line(Drawing *d, PetscReal y, PetscReal size, const CrColour colour,
                         const char text[])
{
  static const CrColour paper = {255, 255, 255};
  const PetscReal       x = 30 * d->unit, right = x + CrTextWidth(size, text) + 0.3 * size;
  PetscReal             plate[4][2] = {{x - 0.3 * size, y - 1.1 * size},
                                       {right, y - 1.1 * size},
                                       {right, y + 0.4 * size},
                                       {x - 0.3 * size, y + 0.4 * size}};

  if (!CrDrawsLines(d) && d->scene->dim == 3) d->sheet.ops->area(&d->sheet, 4, plate, paper);
  d->sheet.ops->text(&d->sheet, x, y, size, 0, colour, text);
}

static void draw_caption(Drawing *d)
{
  const PetscReal u = d->unit, size = LETTER * u;
  char            text[96];

  caption_line(d, 30 * u + 1.15 * size, 1.15 * size, ink, d->scene->head.title);
  if (d->npanels > 1) return; /* each panel has its own time */
  snprintf(text, sizeof text, "t = %.5g %s", (double)d->scene->time,
           d->scene->head.units.label[CR_UNIT_TIME]);
  caption_line(d, 30 * u + 3.2 * size, size, soft, text);
}

void CrDrawLegend(Drawing *d)
{
  PetscReal at[4];

  all_panels(d, at);
  if (!d->asked->plain) draw_caption(d);
  if (d->field == CR_FILM_STATUS)
    draw_kinds(d, at);
  else if (d->field >= 0)
    draw_bar(d, at);
}

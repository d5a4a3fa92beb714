/* The scale of the colours, the title and the time. */
#include <math.h>
#include <string.h>
#include "draw/picture.h"

#define LETTER 12. /* height of a capital, at unit 1 */

static const CrColour ink = {30, 30, 36}, soft = {95, 95, 102};

/* "x 10" with its exponent. */
static void draw_power(Drawing *d, PetscReal x, PetscReal y, PetscInt exponent)
{
  const PetscReal size = LETTER * d->unit;
  char            text[16];

  if (!exponent) return;
  CrInkText(&d->image, x, y, size, 0, ink, "x 10");
  snprintf(text, sizeof text, "%" PetscInt_FMT, exponent);
  CrInkText(&d->image, x + CrInkTextWidth(size, "x 10") + 0.25 * size, y - 0.55 * size, 0.7 * size,
            0, ink, text);
}

/* The name above the bar, in two lines where it is long. */
static void draw_name(Drawing *d, PetscReal x, PetscReal y, const char name[])
{
  const PetscReal size = LETTER * d->unit;
  char            text[64], *blank;

  snprintf(text, sizeof text, "%s", name);
  blank = strrchr(text, ' ');
  if (!blank) {
    CrInkText(&d->image, x, y, size, 0, ink, text);
    return;
  }
  *blank = 0;
  CrInkText(&d->image, x, y - 1.6 * size, size, 0, ink, text);
  CrInkText(&d->image, x, y, size, 0, ink, blank + 1);
}

static void draw_bar(Drawing *d)
{
  const PetscReal u = d->unit, size = LETTER * u, wide = 22 * u;
  const PetscReal high = floor(PetscMin(d->into[3] - d->into[1] - 5 * size, 380 * u));
  const PetscReal x = d->into[2] + 45 * u,
                  y = floor(0.5 * (d->into[1] + d->into[3] - high) + 2 * size);
  const CrTicks ticks = CrTicksMake(d->least, d->greatest, high > 250 * u ? 7 : 5, PETSC_FALSE);
  PetscReal     frame[5][2] = {{x, y}, {x + wide, y}, {x + wide, y + high}, {x, y + high}, {x, y}};
  char          label[32];

  /* whole rows of pixels: seams between boxes would shine through */
  for (PetscReal row = y; row < y + high; row++)
    CrInkBox(&d->image, x, row, x + wide, row + 1,
             d->map[(int)((CR_MAP_SIZE - 1) * (1 - (row - y) / high))]);
  CrInkPath(&d->image, 5, frame, 1.1 * u, ink);
  for (PetscInt k = 0; k < ticks.n; k++) {
    PetscReal at = y + high * (1 - (ticks.values[k] - d->least) / (d->greatest - d->least));
    PetscReal tick[2][2] = {{x + wide, at}, {x + wide + 6 * u, at}};

    CrInkPath(&d->image, 2, tick, 1.1 * u, ink);
    CrTickLabel(&ticks, k, label);
    CrInkText(&d->image, x + wide + 11 * u, at + 0.5 * size, size, 0, ink, label);
  }
  draw_name(d, x, y - 1.5 * size, CrFieldLabel(d->field));
  draw_power(d, x, y + high + 2.2 * size, ticks.exponent);
  CrInkText(&d->image, x + (ticks.exponent ? 6 * size : 0), y + high + 2.2 * size, size, 0, ink,
            CrFieldUnit(&d->scene.head.units, d->field));
}

static void draw_kinds(Drawing *d)
{
  static const char *const kinds[] = {"open", "sticking", "slipping", "pressed"};
  const PetscReal          u = d->unit, size = LETTER * u, step = 2.6 * size;
  const PetscReal          x = d->into[2] + 30 * u, y = 0.5 * (d->into[1] + d->into[3]) - 2 * step;

  draw_name(d, x, y - 0.8 * size, CrFieldLabel(d->field));
  for (int k = 0; k < 4; k++) {
    const PetscReal top = y + k * step + 0.6 * size, side = 1.5 * size;
    PetscReal       frame[5][2] = {
              {x, top}, {x + side, top}, {x + side, top + side}, {x, top + side}, {x, top}};

    CrInkBox(&d->image, x, top, x + side, top + side, CrStatusColours[k]);
    CrInkPath(&d->image, 5, frame, u, ink);
    CrInkText(&d->image, x + side + 0.8 * size, top + 0.5 * (side + size), size, 0, ink, kinds[k]);
  }
}

static void draw_caption(Drawing *d)
{
  const PetscReal u = d->unit, size = LETTER * u;
  char            text[96];

  CrInkText(&d->image, 30 * u, 30 * u + 1.15 * size, 1.15 * size, 0, ink, d->scene.head.title);
  snprintf(text, sizeof text, "t = %.5g %s", (double)d->scene.time,
           d->scene.head.units.label[CR_UNIT_TIME]);
  CrInkText(&d->image, 30 * u, 30 * u + 3.2 * size, size, 0, soft, text);
}

void CrDrawLegend(Drawing *d)
{
  if (!d->asked->plain) draw_caption(d);
  if (d->field == CR_FILM_STATUS)
    draw_kinds(d);
  else if (d->field >= 0)
    draw_bar(d);
}

/* Smooth lines and letters on an image: how much of a pixel is covered follows from its distance to
   the stroke. */
#include <math.h>
#include <string.h>
#include "draw/internal.h"

#define MOST_POINTS 256 /* of one character */
#define CURVE_PARTS 7

typedef struct {
  PetscReal a[2], b[2];
} Segment;

static PetscReal distance(PetscReal x, PetscReal y, const Segment *s)
{
  PetscReal dx = s->b[0] - s->a[0], dy = s->b[1] - s->a[1], px = x - s->a[0], py = y - s->a[1];
  PetscReal l2 = dx * dx + dy * dy, t = l2 > 0 ? (px * dx + py * dy) / l2 : 0;

  t = PetscClipInterval(t, 0, 1);
  return hypot(px - t * dx, py - t * dy);
}

static void blend(unsigned char *pixel, const CrColour colour, PetscReal share)
{
  for (int i = 0; i < 3; i++)
    pixel[i] = (unsigned char)(pixel[i] + share * (colour[i] - pixel[i]) + 0.5);
}

/* Everything within half a width of some segment. */
static void ink_segments(CrImage *image, PetscInt n, const Segment *segments, PetscReal width,
                         const CrColour colour)
{
  PetscReal low[2] = {PETSC_MAX_REAL, PETSC_MAX_REAL}, high[2] = {-PETSC_MAX_REAL, -PETSC_MAX_REAL};
  PetscInt  x0, x1, y0, y1;

  for (PetscInt k = 0; k < n; k++)
    for (int i = 0; i < 2; i++) {
      low[i] = PetscMin(low[i], PetscMin(segments[k].a[i], segments[k].b[i]));
      high[i] = PetscMax(high[i], PetscMax(segments[k].a[i], segments[k].b[i]));
    }
  x0 = (PetscInt)PetscMax(0, floor(low[0] - width));
  y0 = (PetscInt)PetscMax(0, floor(low[1] - width));
  x1 = (PetscInt)PetscMin(image->width - 1, ceil(high[0] + width));
  y1 = (PetscInt)PetscMin(image->height - 1, ceil(high[1] + width));
  for (PetscInt y = y0; y <= y1; y++)
    for (PetscInt x = x0; x <= x1; x++) {
      PetscReal least = PETSC_MAX_REAL, share;

      for (PetscInt k = 0; k < n; k++)
        least = PetscMin(least, distance((PetscReal)x + 0.5, (PetscReal)y + 0.5, &segments[k]));
      share = PetscMin(1, PetscMin(width, 0.5 * width + 0.5 - least));
      if (share > 0) blend(image->pixels[y * image->width + x], colour, share);
    }
}

void CrInkPath(CrImage *image, PetscInt n, PetscReal points[][2], PetscReal width,
               const CrColour colour)
{
  Segment segments[MOST_POINTS];

  n = PetscMin(n, MOST_POINTS);
  for (PetscInt k = 0; k + 1 < n; k++)
    segments[k] = (Segment){{points[k][0], points[k][1]}, {points[k + 1][0], points[k + 1][1]}};
  if (n > 1) ink_segments(image, n - 1, segments, PetscMax(width, 0.1), colour);
}

void CrInkBox(CrImage *image, PetscReal x0, PetscReal y0, PetscReal x1, PetscReal y1,
              const CrColour colour)
{
  for (PetscInt y = (PetscInt)PetscMax(0, floor(y0)); y < image->height && (PetscReal)y < y1; y++)
    for (PetscInt x = (PetscInt)PetscMax(0, floor(x0)); x < image->width && (PetscReal)x < x1;
         x++) {
      PetscReal sx = PetscMin(x1, (PetscReal)x + 1) - PetscMax(x0, (PetscReal)x);
      PetscReal sy = PetscMin(y1, (PetscReal)y + 1) - PetscMax(y0, (PetscReal)y);

      blend(image->pixels[y * image->width + x], colour, sx * sy);
    }
}

/* ---- letters ------------------------------------------------------------------------------ */

#define UNIT  (1. / 12) /* of a capital's height */
#define GAP   3.2       /* between characters, in units */
#define SLIM  0.92      /* letters are narrower than they are drawn */
#define SHARE 0.13      /* width of the pen over a capital's height */

static PetscReal advance(unsigned char c)
{
  return SLIM * CrGlyphFind(c)->width + GAP;
}

PetscReal CrInkTextWidth(PetscReal size, const char text[])
{
  PetscReal sum = 0;

  for (; *text; text++) sum += advance((unsigned char)*text);
  return sum > 0 ? (sum - GAP) * UNIT * size : 0;
}

static int digit(char c)
{
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

typedef struct {
  PetscReal origin[2], size;
  PetscInt  n;
  Segment   segments[MOST_POINTS];
} Pen;

static void pen_point(const Pen *pen, const char *s, PetscReal p[2])
{
  p[0] = pen->origin[0] + SLIM * digit(s[0]) * UNIT * pen->size;
  p[1] = pen->origin[1] - (digit(s[1]) - 4) * UNIT * pen->size;
}

static void pen_line(Pen *pen, PetscReal a[2], const PetscReal b[2])
{
  if (pen->n < MOST_POINTS) pen->segments[pen->n++] = (Segment){{a[0], a[1]}, {b[0], b[1]}};
  a[0] = b[0];
  a[1] = b[1];
}

static void pen_curve(Pen *pen, PetscReal a[2], const PetscReal c[2], const PetscReal b[2])
{
  const PetscReal start[2] = {a[0], a[1]};

  for (int k = 1; k <= CURVE_PARTS; k++) {
    PetscReal t = (PetscReal)k / CURVE_PARTS, q[2];

    for (int i = 0; i < 2; i++)
      q[i] = (1 - t) * (1 - t) * start[i] + 2 * t * (1 - t) * c[i] + t * t * b[i];
    pen_line(pen, a, q);
  }
}

static void pen_glyph(Pen *pen, const char *s)
{
  while (*s) {
    PetscReal at[2], c[2], b[2];

    pen_point(pen, s, at);
    s += 2;
    if (!*s || *s == ' ') pen_line(pen, at, (PetscReal[2]){at[0], at[1]});
    while (*s && *s != ' ') {
      if (*s == '~') {
        pen_point(pen, s + 1, c);
        pen_point(pen, s + 3, b);
        pen_curve(pen, at, c, b);
        s += 5;
      } else {
        pen_point(pen, s, b);
        pen_line(pen, at, b);
        s += 2;
      }
    }
    if (*s) s++;
  }
}

void CrInkText(CrImage *image, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
               const CrColour colour, const char text[])
{
  Pen pen = {.origin = {x - align * CrInkTextWidth(size, text), y}, .size = size};

  for (; *text; text++) {
    pen.n = 0;
    pen_glyph(&pen, CrGlyphFind((unsigned char)*text)->strokes);
    if (pen.n) ink_segments(image, pen.n, pen.segments, SHARE * size, colour);
    pen.origin[0] += advance((unsigned char)*text) * UNIT * size;
  }
}

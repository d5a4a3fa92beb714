/* Draws smooth lines, areas and letters on an image. The colour of a pixel is mixed in proportion to the covered area
   of the pixel. */
#include <math.h>
#include "draw/internal.h"

#define MOST_POINTS 256
#define CURVE_PARTS 6

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

typedef struct {
  PetscInt x0, y0, x1, y1; /* pixels; the last ones are outside */
} Pixels;

/* Pixels that n points reach, with `room` around them. */
static Pixels pixels_of(const CrImage *image, PetscInt n, const PetscReal *points, PetscReal room)
{
  PetscReal low[2] = {PETSC_MAX_REAL, PETSC_MAX_REAL}, high[2] = {-PETSC_MAX_REAL, -PETSC_MAX_REAL};

  for (PetscInt k = 0; k < 2 * n; k++) {
    low[k % 2] = PetscMin(low[k % 2], points[k]);
    high[k % 2] = PetscMax(high[k % 2], points[k]);
  }
  return (Pixels){(PetscInt)PetscClipInterval(floor(low[0] - room), 0, image->width),
                  (PetscInt)PetscClipInterval(floor(low[1] - room), 0, image->height),
                  (PetscInt)PetscClipInterval(ceil(high[0] + room) + 1, 0, image->width),
                  (PetscInt)PetscClipInterval(ceil(high[1] + room) + 1, 0, image->height)};
}

/* ---- lines ------------------------------------------------------------------------------------ */

void CrInkPath(CrImage *image, PetscInt n, PetscReal points[][2], PetscReal width,
               const CrColour colour, PetscReal opacity)
{
  Segment segments[MOST_POINTS];
  Pixels  at;

  n = PetscMin(n, MOST_POINTS);
  width = PetscMax(width, 0.1);
  for (PetscInt k = 0; k + 1 < n; k++)
    segments[k] = (Segment){{points[k][0], points[k][1]}, {points[k + 1][0], points[k + 1][1]}};
  at = pixels_of(image, n, points[0], width);
  for (PetscInt y = at.y0; n > 1 && y < at.y1; y++)
    for (PetscInt x = at.x0; x < at.x1; x++) {
      PetscReal least = PETSC_MAX_REAL, share;

      for (PetscInt k = 0; k + 1 < n; k++)
        least = PetscMin(least, distance((PetscReal)x + 0.5, (PetscReal)y + 0.5, &segments[k]));
      share = PetscMin(1, PetscMin(width, 0.5 * width + 0.5 - least));
      if (share > 0) blend(image->pixels[y * image->width + x], colour, opacity * share);
    }
}

/* ---- areas ------------------------------------------------------------------------------------ */

/* Outlines of an area while they are traced: closed contours of straight parts. */
typedef struct {
  CrImage  *image;
  PetscInt  n, start; /* parts so far, the first of the present contour */
  PetscReal first[2], last[2];
  Segment   parts[1024];
} Contours;

#define MOST_PARTS ((PetscInt)(sizeof((Contours *)0)->parts / sizeof(Segment)))

static void go(Contours *c, const PetscReal p[2])
{
  if (c->n < MOST_PARTS) c->parts[c->n++] = (Segment){{c->last[0], c->last[1]}, {p[0], p[1]}};
  c->last[0] = p[0];
  c->last[1] = p[1];
}

static void close_contour(Contours *c)
{
  if (c->n > c->start) go(c, c->first);
  c->start = c->n;
}

/* What a part of the contour covers of one row of pixels: `area` gets changes from pixel to pixel, so that a running
   sum along the row is the covered share (with the sign of the direction). */
static void cover_row(const Segment *s, PetscReal row, const Pixels *at, PetscReal *area)
{
  const PetscReal sign = s->a[1] < s->b[1] ? 1 : -1;
  const PetscReal top = PetscMax(row, PetscMin(s->a[1], s->b[1]));
  const PetscReal bottom = PetscMin(row + 1, PetscMax(s->a[1], s->b[1]));
  const PetscInt  steps = 4; /* the part within the row, as short upright parts */

  if (!(bottom > top)) return;
  for (PetscInt k = 0; k < steps; k++) {
    const PetscReal y = top + (bottom - top) * ((PetscReal)k + 0.5) / (PetscReal)steps;
    const PetscReal x = s->a[0] + (s->b[0] - s->a[0]) * (y - s->a[1]) / (s->b[1] - s->a[1]);
    const PetscReal left =
        PetscClipInterval(x - (PetscReal)at->x0, 0, (PetscReal)(at->x1 - at->x0));
    const PetscInt  pixel = (PetscInt)left;
    const PetscReal high = sign * (bottom - top) / (PetscReal)steps;

    area[pixel] += high * (1 - (left - (PetscReal)pixel));
    area[pixel + 1] += high * (left - (PetscReal)pixel);
  }
}

#define MOST_PIXELS 8192

static void fill(const Contours *c, const CrColour colour)
{
  const Pixels at = pixels_of(c->image, 2 * c->n, c->parts[0].a, 0);
  PetscReal    area[MOST_PIXELS + 2];

  for (PetscInt y = at.y0; c->n && y < at.y1; y++) {
    PetscReal sum = 0;

    for (PetscInt x = 0; x < at.x1 - at.x0 + 2; x++) area[x] = 0;
    for (PetscInt k = 0; k < c->n; k++) cover_row(&c->parts[k], (PetscReal)y, &at, area);
    for (PetscInt x = at.x0; x < at.x1; x++) {
      sum += area[x - at.x0];
      if (fabs(sum) > 1e-6)
        blend(c->image->pixels[y * c->image->width + x], colour, PetscMin(1, fabs(sum)));
    }
  }
}

void CrInkArea(CrImage *image, PetscInt n, PetscReal points[][2], const CrColour colour)
{
  Contours c = {.image = image};

  for (PetscInt k = 0; k < n; k++)
    if (k)
      go(&c, points[k]);
    else
      for (int i = 0; i < 2; i++) c.first[i] = c.last[i] = points[0][i];
  close_contour(&c);
  fill(&c, colour);
}

/* ---- letters ---------------------------------------------------------------------------------- */

static void trace(void *ctx, char letter, PetscReal p[2][2])
{
  Contours       *c = ctx;
  const PetscReal start[2] = {c->last[0], c->last[1]};

  if (letter == 'M') {
    close_contour(c);
    for (int i = 0; i < 2; i++) c->first[i] = c->last[i] = p[0][i];
  }
  if (letter == 'L') go(c, p[0]);
  for (int k = 1; letter == 'Q' && k <= CURVE_PARTS; k++) {
    PetscReal t = (PetscReal)k / CURVE_PARTS, q[2];

    for (int i = 0; i < 2; i++)
      q[i] = (1 - t) * (1 - t) * start[i] + 2 * t * (1 - t) * p[0][i] + t * t * p[1][i];
    go(c, q);
  }
}

/* Letter by letter: there is room for the contours of one. */
void CrInkText(CrImage *image, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
               const CrColour colour, const char text[])
{
  x -= align * CrTextWidth(size, text);
  while (*text) {
    Contours c = {.image = image};
    char     letter[8];

    text = CrTextLetter(text, letter);
    CrTextTrace(x, y, size, 0, letter, trace, &c);
    close_contour(&c);
    fill(&c, colour);
    x += CrTextWidth(size, letter);
  }
}

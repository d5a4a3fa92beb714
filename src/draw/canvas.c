/* A z-buffer: triangles are drawn in any order, and the nearest one is visible. The canvas is finer than the image,
   whose pixels are means. */
#include <math.h>
#include <string.h>
#include "draw/internal.h"

static const CrColour no_value = {170, 170, 170};

PetscErrorCode CrCanvasCreate(PetscInt width, PetscInt height, PetscInt factor,
                              const CrColour paper, CrCanvas *canvas)
{
  const size_t n = (size_t)width * (size_t)height * (size_t)(factor * factor);

  PetscFunctionBeginUser;
  *canvas = (CrCanvas){width, height, factor, NULL, NULL};
  PetscCall(PetscMalloc1(n, &canvas->colour));
  PetscCall(PetscMalloc1(n, &canvas->depth));
  for (size_t k = 0; k < n; k++) {
    memcpy(canvas->colour[k], paper, sizeof(CrColour));
    canvas->depth[k] = -INFINITY;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrCanvasDestroy(CrCanvas *canvas)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(canvas->colour));
  PetscCall(PetscFree(canvas->depth));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finer pixels from the first to the one behind the last between two positions, clipped. */
static void span(PetscReal from, PetscReal to, PetscInt n, PetscInt *first, PetscInt *end)
{
  *first = (PetscInt)ceil(PetscClipInterval(from - 0.5, 0, (PetscReal)n));
  *end = (PetscInt)floor(PetscClipInterval(to - 0.5, -1, (PetscReal)n - 1)) + 1;
}

static const unsigned char *colour_at(const CrFill *fill, const PetscReal w[3])
{
  PetscReal s;

  if (!fill->value) return fill->map;
  if (fill->nearest)
    s = fill->value[w[0] >= w[1] ? (w[0] >= w[2] ? 0 : 2) : (w[1] >= w[2] ? 1 : 2)];
  else
    s = w[0] * fill->value[0] + w[1] * fill->value[1] + w[2] * fill->value[2];
  if (isnan(s)) return no_value;
  return fill->map + 3 * (int)(PetscClipInterval(s, 0, 1) * (CR_MAP_SIZE - 1) + 0.5);
}

/* w: weights of the corners; away[i]: distance to side i for w[i-th opposite] = 1. */
static void paint(unsigned char *to, const CrFill *fill, const PetscReal w[3],
                  const PetscReal height[3])
{
  const unsigned char *from = colour_at(fill, w);
  PetscReal            light = fill->light;

  for (int i = 0; i < 3; i++) /* side i is opposite to corner i + 2 */
    if (fill->sides >> i & 1 && w[(i + 2) % 3] * height[(i + 2) % 3] < fill->side_half) {
      light *= 1 - fill->side_ink;
      break;
    }
  for (int i = 0; i < 3; i++) to[i] = (unsigned char)(PetscMin(255, from[i] * light) + 0.5);
}

void CrCanvasTriangle(CrCanvas *canvas, PetscReal p[3][3], const CrFill *fill)
{
  const PetscReal f = (PetscReal)canvas->factor;
  const PetscInt  width = canvas->width * canvas->factor;
  PetscReal       area, height[3];
  PetscInt        x0, x1, y0, y1;

  area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
  if (!(fabs(area) > 1e-12)) return;
  for (int i = 0; i < 3; i++) {
    const PetscReal *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];

    height[i] = fabs(area) / PetscMax(1e-12, hypot(b[0] - a[0], b[1] - a[1]));
  }
  span(f * PetscMin(p[0][0], PetscMin(p[1][0], p[2][0])),
       f * PetscMax(p[0][0], PetscMax(p[1][0], p[2][0])), width, &x0, &x1);
  span(f * PetscMin(p[0][1], PetscMin(p[1][1], p[2][1])),
       f * PetscMax(p[0][1], PetscMax(p[1][1], p[2][1])), canvas->height * canvas->factor, &y0,
       &y1);
  for (PetscInt y = y0; y < y1; y++)
    for (PetscInt x = x0; x < x1; x++) {
      const PetscReal px = ((PetscReal)x + 0.5) / f, py = ((PetscReal)y + 0.5) / f;
      PetscReal       w[3];
      float           depth;
      const size_t    at = (size_t)y * (size_t)width + (size_t)x;

      w[0] = ((p[1][0] - px) * (p[2][1] - py) - (p[2][0] - px) * (p[1][1] - py)) / area;
      w[1] = ((p[2][0] - px) * (p[0][1] - py) - (p[0][0] - px) * (p[2][1] - py)) / area;
      w[2] = 1 - w[0] - w[1];
      if (w[0] < -1e-9 || w[1] < -1e-9 || w[2] < -1e-9) continue;
      depth = (float)(w[0] * p[0][2] + w[1] * p[1][2] + w[2] * p[2][2]);
      if (depth <= canvas->depth[at]) continue;
      canvas->depth[at] = depth;
      paint(canvas->colour[at], fill, w, height);
    }
}

void CrCanvasLine(CrCanvas *canvas, const PetscReal a[3], const PetscReal b[3], PetscReal width,
                  PetscReal bias, const CrColour colour)
{
  const PetscReal f = (PetscReal)canvas->factor, half = 0.5 * width;
  const PetscReal dx = b[0] - a[0], dy = b[1] - a[1], l2 = dx * dx + dy * dy;
  PetscInt        x0, x1, y0, y1;

  span(f * (PetscMin(a[0], b[0]) - half), f * (PetscMax(a[0], b[0]) + half),
       canvas->width * canvas->factor, &x0, &x1);
  span(f * (PetscMin(a[1], b[1]) - half), f * (PetscMax(a[1], b[1]) + half),
       canvas->height * canvas->factor, &y0, &y1);
  for (PetscInt y = y0; y < y1; y++)
    for (PetscInt x = x0; x < x1; x++) {
      const PetscReal px = ((PetscReal)x + 0.5) / f - a[0], py = ((PetscReal)y + 0.5) / f - a[1];
      PetscReal       t = l2 > 0 ? PetscClipInterval((px * dx + py * dy) / l2, 0, 1) : 0;
      const size_t    at = (size_t)y * (size_t)(canvas->width * canvas->factor) + (size_t)x;

      if (hypot(px - t * dx, py - t * dy) > half) continue;
      if (a[2] + t * (b[2] - a[2]) + bias < canvas->depth[at]) continue;
      memcpy(canvas->colour[at], colour, sizeof(CrColour));
    }
}

PetscErrorCode CrCanvasResolve(const CrCanvas *canvas, CrImage *image)
{
  const PetscInt f = canvas->factor, width = canvas->width * f;

  PetscFunctionBeginUser;
  PetscCall(CrImageCreate(canvas->width, canvas->height, (CrColour){255, 255, 255}, image));
  for (PetscInt y = 0; y < canvas->height; y++)
    for (PetscInt x = 0; x < canvas->width; x++) {
      PetscInt sum[3] = {0};

      for (PetscInt k = 0; k < f * f; k++)
        for (int i = 0; i < 3; i++)
          sum[i] += canvas->colour[(y * f + k / f) * width + x * f + k % f][i];
      for (int i = 0; i < 3; i++)
        image->pixels[y * canvas->width + x][i] = (unsigned char)((sum[i] + f * f / 2) / (f * f));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

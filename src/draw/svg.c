/* Writes a plot as an SVG file, with one path per curve, and text as text. Curves of long runs are reduced to what a
   screen can show. In every column of half a pixel, the first, least, greatest and last values are kept, so that no
   peak is lost. */
#include <math.h>
#include "draw/plot.h"
#include "output/file.h"

#define WIDTH  760.
#define HEIGHT 400.
#define LEFT   86.
#define TOP    54.
#define RIGHT  (WIDTH - 168)
#define BOTTOM (HEIGHT - 52)

typedef struct {
  const CrPlot *plot;
  OutputFile    file;
  PetscReal     x0, x1, y0, y1; /* of the axes, y as it is mapped */
} Sheet;

/* ---- from numbers to the sheet -------------------------------------------------------------- */

static PetscReal bent(const CrPlot *plot, PetscReal y)
{
  return plot->linear > 0 ? asinh(y / plot->linear) : y;
}

static PetscReal at_x(const Sheet *s, PetscReal x)
{
  return LEFT + (RIGHT - LEFT) * (x - s->x0) / (s->x1 - s->x0);
}

static PetscReal at_y(const Sheet *s, PetscReal y)
{
  return BOTTOM - (BOTTOM - TOP) * (bent(s->plot, y) - s->y0) / (s->y1 - s->y0);
}

static void find_range(const CrPlot *plot, PetscReal range[2])
{
  range[0] = plot->zero || plot->linear > 0 ? 0 : PETSC_MAX_REAL;
  range[1] = plot->zero || plot->linear > 0 ? 0 : -PETSC_MAX_REAL;
  for (PetscInt c = 0; c < plot->ncurves; c++)
    for (PetscInt k = 0; k < plot->n; k++) {
      PetscReal y = plot->curves[c].y[k] - plot->curves[c].less;

      if (!isfinite(y)) continue;
      range[0] = PetscMin(range[0], y);
      range[1] = PetscMax(range[1], y);
    }
  if (range[0] > range[1]) range[0] = range[1] = 0;
}

/* ---- text ----------------------------------------------------------------------------------- */

static PetscErrorCode put_text(OutputFile *file, const char text[])
{
  PetscFunctionBeginUser;
  for (; *text; text++) {
    const char *entity = *text == '&'   ? "&amp;"
                         : *text == '<' ? "&lt;"
                         : *text == '>' ? "&gt;"
                                        : NULL;

    if (entity)
      PetscCall(CrFilePrint(file, "%s", entity));
    else if ((unsigned char)*text >= 32)
      PetscCall(CrFileWrite(file, text, 1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_label(Sheet *s, PetscReal x, PetscReal y, const char class[],
                                const char text[])
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(&s->file, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y));
  PetscCall(put_text(&s->file, text));
  PetscCall(CrFilePrint(&s->file, "</text>\n"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 10 with an exponent, where labels are multiples of it. */
static PetscErrorCode put_power(Sheet *s, PetscReal x, PetscReal y, const char class[],
                                const char before[], PetscInt exponent)
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(&s->file,
                        "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s10<tspan dy=\"-5\" "
                        "font-size=\"9\">%" PetscInt_FMT "</tspan></text>\n",
                        class, x, y, before, exponent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- axes ----------------------------------------------------------------------------------- */

static PetscErrorCode put_line(Sheet *s, const char class[], PetscReal x0, PetscReal y0,
                               PetscReal x1, PetscReal y1)
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(&s->file, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x0,
                        y0, x1, y1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_x_axis(Sheet *s)
{
  const CrTicks ticks = CrTicksMake(s->x0, s->x1, 8, PETSC_FALSE);
  char          label[32];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < ticks.n; k++) {
    PetscReal x = at_x(s, ticks.values[k]);

    CrTickLabel(&ticks, k, label);
    PetscCall(put_line(s, "grid", x, TOP, x, BOTTOM));
    PetscCall(put_line(s, "axis", x, BOTTOM, x, BOTTOM + 5));
    PetscCall(put_label(s, x, BOTTOM + 20, "mid", label));
  }
  PetscCall(put_label(s, 0.5 * (LEFT + RIGHT), BOTTOM + 41, "mid",
                      *s->plot->time ? s->plot->time : "time"));
  if (ticks.exponent)
    PetscCall(put_power(s, RIGHT, BOTTOM + 41, "end", "\303\227 ", ticks.exponent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_y_tick(Sheet *s, PetscReal y)
{
  PetscFunctionBeginUser;
  PetscCall(put_line(s, "grid", LEFT, y, RIGHT, y));
  PetscCall(put_line(s, "axis", LEFT - 5, y, LEFT, y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_linear_axis(Sheet *s, const CrTicks *ticks)
{
  char label[32];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < ticks->n; k++) {
    PetscReal y = at_y(s, ticks->values[k]);

    CrTickLabel(ticks, k, label);
    PetscCall(put_y_tick(s, y));
    PetscCall(put_label(s, LEFT - 9, y + 4, "end", label));
  }
  if (ticks->exponent)
    PetscCall(put_power(s, LEFT, TOP - 7, "start", "\303\227 ", ticks->exponent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Zero and powers of ten on either side, as many as there is room for. */
static PetscErrorCode put_bent_axis(Sheet *s, const PetscReal range[2])
{
  const PetscReal greatest = PetscMax(fabs(range[0]), fabs(range[1]));
  const PetscInt  low = (PetscInt)floor(log10(s->plot->linear) + 0.5),
                 high = (PetscInt)ceil(log10(PetscMax(greatest, s->plot->linear)) - 1e-9);
  const PetscInt both = range[0] < 0 && range[1] > 0 ? 2 : 1;
  const PetscInt every = PetscMax(1, (both * (high - low + 1) + 11) / 12);

  PetscFunctionBeginUser;
  PetscCall(put_y_tick(s, at_y(s, 0)));
  PetscCall(put_label(s, LEFT - 9, at_y(s, 0) + 4, "end", "0"));
  for (PetscInt e = low; e <= high; e += every)
    for (int sign = -1; sign <= 1; sign += 2) {
      PetscReal y = sign * pow(10, (PetscReal)e), at = at_y(s, y);

      if (at < TOP - 0.5 || at > BOTTOM + 0.5 || fabs(at - at_y(s, 0)) < 14) continue;
      PetscCall(put_y_tick(s, at));
      PetscCall(put_power(s, LEFT - 9, at + 4, "end", sign < 0 ? "\342\210\222" : "", e));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_y_axis(Sheet *s)
{
  PetscReal range[2];

  PetscFunctionBeginUser;
  find_range(s->plot, range);
  if (s->plot->linear > 0) {
    PetscReal low = bent(s->plot, range[0]), high = bent(s->plot, range[1]),
              room = PetscMax(0.06 * (high - low), 0.2);

    s->y0 = range[0] < 0 ? low - room : 0;
    s->y1 = range[1] > 0 ? high + room : 0;
    if (s->y1 - s->y0 < 2) s->y0 -= 1, s->y1 += 1; /* nothing but zero, or nearly so */
    PetscCall(put_bent_axis(s, range));
  } else {
    const CrTicks ticks = CrTicksMake(range[0], range[1], 7, PETSC_TRUE);

    s->y0 = ticks.least;
    s->y1 = ticks.greatest;
    PetscCall(put_linear_axis(s, &ticks));
  }
  PetscCall(CrFilePrint(&s->file,
                        "<text class=\"mid\" transform=\"translate(20 %.1f) rotate(-90)\">",
                        0.5 * (TOP + BOTTOM)));
  PetscCall(put_text(&s->file, s->plot->axis));
  PetscCall(CrFilePrint(&s->file, "</text>\n"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- curves --------------------------------------------------------------------------------- */

typedef struct {
  OutputFile *file;
  PetscBool   down; /* the pen */
} Pen;

static PetscErrorCode pen_to(Pen *pen, PetscReal x, PetscReal y)
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(pen->file, "%s%.1f %.1f", pen->down ? "L" : "M", x, y));
  pen->down = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_point(Sheet *s, const CrCurve *c, PetscInt k, Pen *pen)
{
  /* the first row is the start, not a step */
  const PetscInt  j = s->plot->steps && k == 0 && s->plot->n > 1 ? 1 : k;
  const PetscReal y = at_y(s, c->y[j] - c->less);

  PetscFunctionBeginUser;
  if (s->plot->steps && pen->down) PetscCall(pen_to(pen, at_x(s, s->plot->x[k - 1]), y));
  PetscCall(pen_to(pen, at_x(s, s->plot->x[k]), y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The points that fall into one column, [k, end). */
static PetscErrorCode put_column(Sheet *s, const CrCurve *c, PetscInt k, PetscInt end, Pen *pen)
{
  PetscInt least = k, greatest = k, order[4];

  PetscFunctionBeginUser;
  for (PetscInt i = k; i < end; i++) {
    if (c->y[i] < c->y[least]) least = i;
    if (c->y[i] > c->y[greatest]) greatest = i;
  }
  if (c->y[least] == c->y[greatest] && pen->down) k = least = greatest = end - 1;
  order[0] = k;
  order[1] = PetscMin(least, greatest);
  order[2] = PetscMax(least, greatest);
  order[3] = end - 1;
  for (int i = 0; i < 4; i++)
    if (!i || order[i] > order[i - 1]) PetscCall(put_point(s, c, order[i], pen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *width_of(const CrCurve *c)
{
  return c->heavy ? "2.4" : c->pale ? "1" : "1.6";
}

static PetscErrorCode put_curve(Sheet *s, const CrCurve *c)
{
  Pen      pen = {&s->file, PETSC_FALSE};
  PetscInt end;

  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(&s->file,
                        "<path class=\"curve%s\" stroke=\"%s\" stroke-dasharray=\"%s\" "
                        "stroke-width=\"%s\" d=\"",
                        c->pale ? " pale" : "", CrCurveColours[c->style % 8],
                        c->pale ? "" : CrCurveDashes[c->style % 8], width_of(c)));
  for (PetscInt k = 0; k < s->plot->n; k = end) {
    const PetscReal column = floor(2 * at_x(s, s->plot->x[k]));

    end = k + 1;
    if (!isfinite(c->y[k])) {
      pen.down = PETSC_FALSE;
      continue;
    }
    while (end < s->plot->n && isfinite(c->y[end]) && floor(2 * at_x(s, s->plot->x[end])) == column)
      end++;
    PetscCall(put_column(s, c, k, end, &pen));
  }
  PetscCall(CrFilePrint(&s->file, "\"/>\n"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_legend(Sheet *s)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->plot->ncurves; k++) {
    const CrCurve *c = &s->plot->curves[k];
    PetscReal      y = TOP + 10 + 22 * (PetscReal)k;

    PetscCall(CrFilePrint(&s->file,
                          "<path class=\"curve%s\" stroke=\"%s\" stroke-dasharray=\"%s\" "
                          "stroke-width=\"%s\" d=\"M%.1f %.1fh30\"/>\n",
                          c->pale ? " pale" : "", CrCurveColours[c->style % 8],
                          c->pale ? "" : CrCurveDashes[c->style % 8], width_of(c), RIGHT + 16, y));
    PetscCall(put_label(s, RIGHT + 52, y + 4, "start", c->label));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the sheet ------------------------------------------------------------------------------ */

static PetscErrorCode put_all(Sheet *s)
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(
      &s->file,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
      "height=\"%.0f\" role=\"img\">\n<title>",
      WIDTH, HEIGHT, WIDTH, HEIGHT));
  PetscCall(put_text(&s->file, s->plot->title));
  PetscCall(
      CrFilePrint(&s->file,
                  "</title>\n<style>text{font:13px Helvetica,Arial,\"Liberation Sans\",sans-serif;"
                  "fill:#222}.head{font-weight:bold;font-size:15px}.sub{fill:#666}"
                  ".mid{text-anchor:middle}.end{text-anchor:end}"
                  ".grid{stroke:#e4e4e4;fill:none}.axis{stroke:#444;fill:none}"
                  ".curve{fill:none;stroke-linejoin:round}"
                  ".pale{opacity:0.35}</style>\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"));
  PetscCall(put_label(s, LEFT, 22, "head", s->plot->title));
  PetscCall(put_label(s, WIDTH - 16, 22, "sub end", s->plot->subtitle));
  PetscCall(put_x_axis(s));
  PetscCall(put_y_axis(s));
  PetscCall(CrFilePrint(&s->file,
                        "<rect class=\"axis\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" "
                        "height=\"%.0f\"/>\n",
                        LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP));
  for (PetscInt k = 0; k < s->plot->ncurves; k++) PetscCall(put_curve(s, &s->plot->curves[k]));
  PetscCall(put_legend(s));
  PetscCall(CrFilePrint(&s->file, "</svg>\n"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPlotWrite(const CrPlot *plot, const char dir[], const char name[])
{
  Sheet          sheet = {.plot = plot};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  sheet.x0 = plot->x[0];
  sheet.x1 = plot->x[plot->n - 1];
  if (!(sheet.x1 > sheet.x0)) sheet.x1 = sheet.x0 + 1; /* a single row */
  PetscCall(CrFileBegin(&sheet.file, dir, name));
  code = put_all(&sheet);
  if (!code) code = CrFileEnd(&sheet.file);
  if (code) CrFileDrop(&sheet.file);
  PetscFunctionReturn(code);
}

/* A sheet as SVG. Text stays text. Neighbouring areas get a thin line of their own colour, because viewers would show
   the paper between them. */
#include <string.h>
#include "draw/sheet.h"

#define SEAM    0.35
#define CAPITAL 0.729 /* height of a capital letter over the font size */

static void put_colour(CrSheet *s, const char key[], const CrColour c)
{
  CrSheetPut(s, " %s=\"#%02x%02x%02x\"", key, c[0], c[1], c[2]);
}

static void end_path(CrSheet *s)
{
  if (s->pen.kind) CrSheetPut(s, "\"/>\n");
  s->pen.kind = 0;
}

/* Begins a path unless the open one goes on. */
static void need_path(CrSheet *s, const CrSheetPen *pen)
{
  const CrSheetPen before = s->pen;

  if (CrSheetGoesOn(s, pen)) return;
  if (before.kind) CrSheetPut(s, "\"/>\n");
  CrSheetPut(s, "<path");
  put_colour(s, "stroke", pen->colour);
  CrSheetPut(s, " stroke-width=\"%.3g\"", (double)pen->width);
  if (pen->opacity < 1) CrSheetPut(s, " stroke-opacity=\"%.2g\"", (double)pen->opacity);
  if (pen->kind == 'a')
    put_colour(s, "fill", pen->colour);
  else
    CrSheetPut(s, " fill=\"none\"");
  CrSheetPut(s, " d=\"");
}

static void put_points(CrSheet *s, PetscInt n, PetscReal points[][2])
{
  for (PetscInt k = 0; k < n; k++)
    CrSheetPut(s, "%c%.2f %.2f", k ? 'L' : 'M', (double)points[k][0], (double)points[k][1]);
}

static void svg_path(CrSheet *s, PetscInt n, PetscReal points[][2], PetscReal width,
                     const CrColour colour, PetscReal opacity)
{
  CrSheetPen pen = {.kind = 'p', .width = width, .opacity = opacity};

  memcpy(pen.colour, colour, sizeof pen.colour);
  need_path(s, &pen);
  put_points(s, n, points);
}

static void svg_area(CrSheet *s, PetscInt n, PetscReal points[][2], const CrColour colour)
{
  CrSheetPen pen = {.kind = 'a', .width = SEAM, .opacity = 1};

  memcpy(pen.colour, colour, sizeof pen.colour);
  need_path(s, &pen);
  put_points(s, n, points);
  CrSheetPut(s, "Z");
}

static void svg_text(CrSheet *s, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
                     const CrColour colour, const char text[])
{
  static const char *const anchors[] = {"start", "middle", "end"};

  end_path(s);
  CrSheetPut(s, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" text-anchor=\"%s\"", (double)x,
             (double)y, (double)(size / CAPITAL), anchors[(int)(2 * align + 0.5)]);
  put_colour(s, "fill", colour);
  CrSheetPut(s, ">");
  for (; *text; text++)
    if (*text == '&' || *text == '<')
      CrSheetPut(s, "&#%d;", *text);
    else if ((unsigned char)*text >= ' ')
      CrSheetPut(s, "%c", *text);
  CrSheetPut(s, "</text>\n");
}

static PetscErrorCode svg_write(CrSheet *s, const char path[])
{
  CrSheet whole = {.ops = s->ops};

  PetscFunctionBeginUser;
  end_path(s);
  CrSheetPut(&whole,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PetscInt_FMT
             " %" PetscInt_FMT "\" width=\"%" PetscInt_FMT "\" height=\"%" PetscInt_FMT
             "\" font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" stroke-linejoin=\"round\" "
             "stroke-linecap=\"round\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
             s->width, s->height, s->width, s->height);
  CrSheetAdd(&whole, s->bytes, s->used);
  CrSheetPut(&whole, "</svg>\n");
  PetscCall(s->code);
  PetscCall(whole.code);
  PetscCall(CrSheetWriteBytes(whole.bytes, whole.used, path));
  PetscCall(CrSheetDestroy(&whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrSheetOps CrSheetSvg = {".svg", svg_path, svg_area, svg_text, svg_write};

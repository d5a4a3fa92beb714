/* Writes a sheet as an SVG file. Text is written as text. */
#include <string.h>
#include "draw/sheet.h"

#define CAPITAL 0.729 /* height of a capital letter over the font size */

static void put_colour(CrSheet *s, const char key[], const CrColour c)
{
  CrSheetPut(s, " %s=\"#%02x%02x%02x\"", key, c[0], c[1], c[2]);
}

static void end(CrSheet *s, char kind)
{
  (void)kind;
  CrSheetPut(s, "\"/>\n");
}

static void begin(CrSheet *s, const CrSheetPen *pen)
{
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

static void put_point(CrSheet *s, const PetscReal point[2], PetscBool first)
{
  CrSheetPut(s, "%c%.2f %.2f", first ? 'M' : 'L', (double)point[0], (double)point[1]);
}

static void svg_text(CrSheet *s, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
                     const CrColour colour, const char text[])
{
  static const char *const anchors[] = {"start", "middle", "end"};

  CrSheetEndPath(s);
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
  CrSheetEndPath(s);
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

const CrSheetOps CrSheetSvg = {".svg", CrSheetPath, CrSheetArea, svg_text, svg_write,
                               begin,  put_point,   end,         "Z"};

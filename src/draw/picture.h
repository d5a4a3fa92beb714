/* A picture while it is being drawn. */
#pragma once

#include "draw/scene.h"
#include "draw/sheet.h"

typedef struct {
  const CrPicture *asked;
  PetscInt         npanels;
  CrScene         *panels[CR_MOST_PANELS]; /* frame of each panel; borrowed */
  CrScene         *scene; /* frame of the panel that is drawn now; a member of `panels` */
  CrScene          run;   /* scene with all frames of the run, if range or view need them */
  CrCamera         camera;
  CrCanvas         canvas; /* canvas for pictures of pixels */
  CrSheet          sheet;
  PetscInt         field; /* field that colours show, CR_FILM_...; -1: one colour per body */
  PetscReal        least, greatest;
  PetscInt         width, height;
  PetscReal        unit;            /* size of a drawing unit in pixels; 1 at a width of 1280 */
  PetscReal        low[3], high[3]; /* box of everything that the picture must show */
  PetscInt         columns, rows;   /* number of columns and rows of panels */
  PetscReal
      first[4]; /* box of the image for the bodies of the first panel: left, top, right, bottom */
  PetscReal apart[2]; /* distance from one panel to the next */
  PetscReal into[4];  /* box of the image for the bodies of the panel that is drawn now */
  CrColour  map[CR_MAP_SIZE];
} Drawing;

/* Returns true if the picture is a file of lines and areas (SVG, PDF), not of pixels. */
static inline PetscBool CrDrawsLines(const Drawing *drawing)
{
  return drawing->sheet.ops != &CrSheetPixels ? PETSC_TRUE : PETSC_FALSE;
}
/* Returns true if the picture has axes (2D), or coordinate arrows and a length scale (3D). */
static inline PetscBool CrDrawsAxes(const Drawing *drawing)
{
  return !drawing->asked->plain && !drawing->asked->no_axes ? PETSC_TRUE : PETSC_FALSE;
}

/* ---- layout (layout.c) ---- */

/* Chooses the view, the size of the picture, and the places of its panels. */
PetscErrorCode CrLayoutMake(Drawing *drawing);
/* Makes panel k the present panel. */
void CrLayoutPanel(Drawing *drawing, PetscInt k);

/* ---- obstacles (obstacles.c) ---- */

/* Widens a box of the picture plane (least x, y, greatest x, y), so that it contains obstacles near the bodies. */
void CrDrawReach(const Drawing *drawing, PetscReal box[4]);
void CrDrawObstacles(Drawing *drawing);

/* ---- bodies (bodies.c, bands.c) ---- */

PetscErrorCode CrDrawBodies(Drawing *drawing);
/* Draws 2D bodies as areas of one colour each, for files of lines and areas. */
void CrDrawBands(Drawing *drawing);
/* Returns the mean length of the sides of elements, in pixels. */
PetscReal CrMeanSide(const Drawing *drawing);
/* Draws a line on the canvas or on the sheet. */
void CrDrawLine(Drawing *drawing, const PetscReal a[3], const PetscReal b[3], PetscReal width,
                PetscReal bias, const CrColour colour);

/* ---- around the bodies (legend.c, axes.c) ---- */

/* Draws the colour scale and the title. */
void CrDrawLegend(Drawing *drawing);
/* Draws the axes and the time of the present panel. */
void CrDrawAxes(Drawing *drawing);

/* ---- fields (fields.c) ---- */

PetscErrorCode CrFieldChoose(const CrFilm *film, const char word[], PetscInt *field);
/* Computes the range of the colours, over the frames shown or over all frames. Both ends of the range are round
   numbers. */
void CrFieldRange(Drawing *drawing);
void CrFieldMap(Drawing *drawing);
/* Returns the name of a field in the legend. */
const char *CrFieldLabel(PetscInt field);
/* Returns the label of the unit of a field, or an empty text if the deck gives no unit. */
const char *CrFieldUnit(const CrUnits *units, PetscInt field);

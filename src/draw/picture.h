/* Declares a picture while it is being drawn, and the functions that draw its parts. */
#pragma once

#include "draw/scene.h"
#include "draw/sheet.h"

typedef struct {
  const CrPicture *asked;
  PetscInt         npanels;
  CrScene         *panels[CR_MOST_PANELS]; /* [npanels] frame that each panel shows; borrowed */
  CrScene         *scene; /* frame of the panel that is drawn now; one of `panels` */
  CrScene   run; /* scene with all frames of the run, if the colour range or the view needs them */
  CrCamera  camera;
  CrCanvas  canvas; /* z-buffer, for PNG pictures */
  CrSheet   sheet;
  PetscInt  field; /* number CR_FILM_... of the field that colours show; -1: one colour per body */
  PetscReal least, greatest;
  PetscInt  width, height;
  /* size in pixels of the unit for line widths and letters; 1 at a width of 1280 */
  PetscReal unit;
  /* bounding box, in space, of everything that the picture must show */
  PetscReal low[3], high[3];
  PetscInt  columns, rows; /* number of columns and rows of panels */
  /* box of the image in which the first panel shows bodies: left, top, right, bottom, in pixels */
  PetscReal first[4];
  PetscReal apart[2]; /* distance from one panel to the next, in x and in y, in pixels */
  PetscReal into[4];  /* box of the image in which the present panel shows bodies */
  CrColour  map[CR_MAP_SIZE];
} Drawing;

/* Returns true if the picture is a vector graphic (SVG, PDF), and false if it consists of pixels (PNG). */
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

/* Chooses the viewing direction, the size of the picture, and the positions of its panels. */
PetscErrorCode CrLayoutMake(Drawing *drawing);
/* Makes panel k the present panel, which the functions below draw. */
void CrLayoutPanel(Drawing *drawing, PetscInt k);

/* ---- obstacles (obstacles.c) ---- */

/* Widens a box of the picture plane, so that it contains the obstacles near the bodies. The box is given as least x,
   least y, greatest x, greatest y. */
void CrDrawReach(const Drawing *drawing, PetscReal box[4]);
void CrDrawObstacles(Drawing *drawing);

/* ---- bodies (bodies.c, bands.c) ---- */

PetscErrorCode CrDrawBodies(Drawing *drawing);
/* Draws the bodies of a 2D model as areas of uniform colour (contour bands), for vector graphics. */
void CrDrawBands(Drawing *drawing);
/* Returns the mean length of the sides of elements in the picture, in pixels. */
PetscReal CrMeanSide(const Drawing *drawing);
/* Draws a line from a to b: on the canvas for PNG pictures (see CrCanvasLine), on the sheet for vector graphics. */
void CrDrawLine(Drawing *drawing, const PetscReal a[3], const PetscReal b[3], PetscReal width,
                PetscReal bias, const CrColour colour);

/* ---- around the bodies (legend.c, axes.c) ---- */

/* Draws the colour scale and the title of the picture. */
void CrDrawLegend(Drawing *drawing);
/* Draws the axes and the time of the present panel. */
void CrDrawAxes(Drawing *drawing);

/* ---- fields (fields.c) ---- */

PetscErrorCode CrFieldChoose(const CrFilm *film, const char word[], PetscInt *field);
/* Computes the range of the colour scale, over the shown frames or over all frames. Both ends of the range are round
   numbers. */
void CrFieldRange(Drawing *drawing);
void CrFieldMap(Drawing *drawing);
/* Returns the name of a field (CR_FILM_...) as the legend shows it. */
const char *CrFieldLabel(PetscInt field);
/* Returns the label of the unit of a field, or an empty text if the deck names no unit. */
const char *CrFieldUnit(const CrUnits *units, PetscInt field);

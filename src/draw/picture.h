/* A picture while it is being drawn. */
#pragma once

#include "draw/scene.h"
#include "draw/sheet.h"

typedef struct {
  const CrPicture *asked;
  PetscInt         npanels;
  CrScene         *panels[CR_MOST_PANELS]; /* their frames; borrowed */
  CrScene         *scene;                  /* frame of the panel that is drawn; one of them */
  CrScene          run;                    /* all frames, where they are needed */
  CrCamera         camera;
  CrCanvas         canvas; /* canvas for pictures of pixels */
  CrSheet          sheet;
  PetscInt         field; /* CR_FILM_...; -1: a colour per body */
  PetscReal        least, greatest;
  PetscInt         width, height;
  PetscReal        unit;            /* size of a unit in pixels, which is 1 at a width of 1280 */
  PetscReal        low[3], high[3]; /* box of everything that the picture must show */
  PetscInt         columns, rows;   /* number of columns and rows of panels */
  PetscReal
      first[4]; /* box of the image for the bodies of the first panel: left, top, right, bottom */
  PetscReal apart[2]; /* distance from one panel to the next */
  PetscReal into[4];  /* the box of the panel that is drawn */
  CrColour  map[CR_MAP_SIZE];
} Drawing;

static inline PetscBool CrDrawsLines(const Drawing *drawing)
{
  return drawing->sheet.ops != &CrSheetPixels ? PETSC_TRUE : PETSC_FALSE;
}
/* Are there axes (in the plane), or arrows and a scale (in space)? */
static inline PetscBool CrDrawsAxes(const Drawing *drawing)
{
  return !drawing->asked->plain && !drawing->asked->no_axes ? PETSC_TRUE : PETSC_FALSE;
}

/* ---- layout (layout.c) ---- */

/* Chooses the view, the size of the picture, and the places of its panels. */
PetscErrorCode CrLayoutMake(Drawing *drawing);
/* Makes panel k the one that is drawn. */
void CrLayoutPanel(Drawing *drawing, PetscInt k);

/* ---- obstacles (obstacles.c) ---- */

/* Widens the box of the picture plane, so that it contains near obstacles. */
void CrDrawReach(const Drawing *drawing, PetscReal box[4]);
void CrDrawObstacles(Drawing *drawing);

/* ---- bodies (bodies.c, bands.c) ---- */

PetscErrorCode CrDrawBodies(Drawing *drawing);
/* Bodies of the plane as areas of one colour each, for files of lines and areas. */
void CrDrawBands(Drawing *drawing);
/* Mean length of the sides of elements, in pixels. */
PetscReal CrMeanSide(const Drawing *drawing);
/* A line on the canvas or on the sheet. */
void CrDrawLine(Drawing *drawing, const PetscReal a[3], const PetscReal b[3], PetscReal width,
                PetscReal bias, const CrColour colour);

/* ---- around the bodies (legend.c, axes.c) ---- */

/* The colour scale and the title. */
void CrDrawLegend(Drawing *drawing);
/* Axes and time of the panel that is drawn. */
void CrDrawAxes(Drawing *drawing);

/* ---- fields (fields.c) ---- */

PetscErrorCode CrFieldChoose(const CrFilm *film, const char word[], PetscInt *field);
/* Range of the colours: of the frames shown, or of all frames. Both ends of the range are round numbers. */
void CrFieldRange(Drawing *drawing);
void CrFieldMap(Drawing *drawing);
/* The name of a field in the legend. */
const char *CrFieldLabel(PetscInt field);
/* The label of its unit; empty: none. */
const char *CrFieldUnit(const CrUnits *units, PetscInt field);

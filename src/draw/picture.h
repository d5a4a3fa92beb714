/* A picture while it is being drawn. */
#pragma once

#include "draw/scene.h"

typedef struct {
  const CrPicture *asked;
  CrScene          scene;
  CrCamera         camera;
  CrCanvas         canvas;
  CrImage          image;
  PetscInt         field; /* CR_FILM_...; -1: a colour per body */
  PetscReal        least, greatest;
  PetscInt         width, height;
  PetscReal        unit;    /* size of a unit in pixels; it is 1 at a width of 1280 */
  PetscReal        into[4]; /* box of the image for the bodies: left, top, right, bottom */
  CrColour         map[CR_MAP_SIZE];
} Drawing;

/* Widens the box of the picture plane, so that it contains near obstacles. */
void CrDrawReach(const Drawing *drawing, PetscReal box[4]);
/* Draws obstacles on the canvas. */
void CrDrawObstacles(Drawing *drawing);
/* Draws the colour scale, title and time on the image. */
void CrDrawLegend(Drawing *drawing);
/* The name of a field in the legend. */
const char *CrFieldLabel(PetscInt field);
/* The label of its unit; empty: none. */
const char *CrFieldUnit(const CrUnits *units, PetscInt field);

/* A picture while it is being drawn. */
#pragma once

#include "draw/scene.h"

typedef struct {
  const CrPicture *asked;
  CrScene          scene;
  CrCamera         camera;
  CrCanvas         canvas;
  CrImage          image;
  PetscInt         field; /* CR_FILM_..., -1: bodies by colour */
  PetscReal        least, greatest;
  PetscInt         width, height;
  PetscReal        unit;    /* pixels: 1 at a width of 1280 */
  PetscReal        into[4]; /* where bodies are drawn: left, top, right, bottom */
  CrColour         map[CR_MAP_SIZE];
} Drawing;

/* Widens the box of the picture plane so that obstacles close by are in it. */
void CrDrawReach(const Drawing *drawing, PetscReal box[4]);
/* Obstacles, on the canvas. */
void CrDrawObstacles(Drawing *drawing);
/* Scale of the colours, title and time, on the image. */
void CrDrawLegend(Drawing *drawing);
/* What a field is called, and the word for it on the command line. */
const char *CrFieldLabel(PetscInt field);

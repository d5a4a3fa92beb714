/* Draws curves over time and writes them as an SVG file. */
#pragma once

#include "draw/internal.h"

#define CR_MOST_CURVES 10

typedef struct {
  char             label[64];
  const PetscReal *y;    /* borrowed */
  PetscReal        less; /* number that is subtracted from every value before drawing */
  PetscInt         style;
  /* heavy: draw a thick line; pale: draw a thin, light line behind the other curves */
  PetscBool heavy, pale;
} CrCurve;

typedef struct {
  /* texts; `axis` is the label of the vertical axis, and `time` the label of the time axis */
  char             title[200], subtitle[200], axis[128], time[80];
  PetscInt         n; /* number of points in each curve */
  const PetscReal *x; /* borrowed */
  PetscInt         ncurves;
  CrCurve          curves[CR_MOST_CURVES];
  /* if positive: the vertical axis has an asinh scale, which is about linear up to this value */
  PetscReal linear;
  PetscBool zero; /* true: the vertical axis must contain 0 */
  /* true: draw step functions; the value of point k holds from point k-1 to point k */
  PetscBool steps;
} CrPlot;

PetscErrorCode CrPlotWrite(const CrPlot *plot, const char dir[], const char name[]);

/* Curves over time as an SVG file. */
#pragma once

#include "draw/internal.h"

#define CR_MOST_CURVES 10

typedef struct {
  char             label[64];
  const PetscReal *y;    /* borrowed */
  PetscReal        less; /* number that is subtracted from every value */
  PetscInt         style;
  PetscBool heavy, pale; /* heavy: a thick line; pale: a thin, light line behind the other curves */
} CrCurve;

typedef struct {
  char     title[200], subtitle[200], axis[128], time[80]; /* axis, time: labels of the two axes */
  PetscInt n;                                              /* number of points of each curve */
  const PetscReal *x;                                      /* borrowed */
  PetscInt         ncurves;
  CrCurve          curves[CR_MOST_CURVES];
  PetscReal        linear; /* > 0: the axis has an asinh scale, which is linear up to this value */
  PetscBool        zero;   /* the axis contains 0 */
  PetscBool steps; /* draw a step function: the value of a point holds from the point before it */
} CrPlot;

PetscErrorCode CrPlotWrite(const CrPlot *plot, const char dir[], const char name[]);

/* Curves over time as an SVG file. */
#pragma once

#include "draw/internal.h"

#define CR_MOST_CURVES 8

typedef struct {
  char             label[64];
  const PetscReal *y;    /* borrowed */
  PetscReal        less; /* taken from every value */
  PetscInt         style;
  PetscBool        heavy;
} CrCurve;

typedef struct {
  char             title[200], subtitle[200], axis[64];
  PetscInt         n; /* points of each curve */
  const PetscReal *x; /* borrowed */
  PetscInt         ncurves;
  CrCurve          curves[CR_MOST_CURVES];
  PetscReal        linear; /* > 0: the axis is asinh, linear up to here */
  PetscBool        zero;   /* the axis holds 0 */
  PetscBool        steps;  /* a value holds from the point before to its own */
} CrPlot;

PetscErrorCode CrPlotWrite(const CrPlot *plot, const char dir[], const char name[]);

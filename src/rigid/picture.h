/* Surfaces of shapes, for pictures. */
#pragma once

#include "rigid/shape.h"

/* A surface for pictures, in body axes: convex faces, counter-clockwise seen from outside. In 2D it is the
   area; a point has one face with one node. Faces belong to parts. Between two parts there is an edge of the
   body, or a line that makes the rotation of the body visible. The faces of one part approximate a curved surface. */
typedef struct {
  PetscInt   npoints, nfaces;
  PetscReal *points; /* owned, like all arrays here */
  PetscInt  *ends, *nodes,
      *parts;     /* ends[f] is the end of face f in nodes; parts[f] counts from 1 */
  PetscBool flat; /* each face is a part of its own */
} CrShapeSurface;

/* Makes the surface. A round shape gets `around` points on its circumference. */
PetscErrorCode CrShapeSurfaceCreate(const CrShape *shape, PetscInt around, CrShapeSurface *surface);
PetscErrorCode CrShapeSurfaceDestroy(CrShapeSurface *surface);

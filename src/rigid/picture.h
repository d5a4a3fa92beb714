/* Surfaces of rigid shapes as polygons, for pictures. */
#pragma once

#include "rigid/shape.h"

/* The surface of a shape for pictures, in body axes. The surface consists of convex faces with nodes counter-clockwise
   seen from outside. In 2D the faces fill the area of the shape. The shape "point" has one face with one node. Faces
   belong to parts. Between two parts there is an edge of the body, or a line that makes the rotation of the body
   visible. The faces of one part approximate a curved surface. */
typedef struct {
  PetscInt   npoints, nfaces;
  PetscReal *points; /* owned, like all arrays here */
  /* the nodes of face f end before ends[f] in the array `nodes`; parts[f] is the part of face f, counted from 1 */
  PetscInt *ends, *nodes, *parts;
  PetscBool flat; /* each face is a part of its own */
} CrShapeSurface;

/* Creates the surface of a shape. A round shape gets `around` points on its circumference. */
PetscErrorCode CrShapeSurfaceCreate(const CrShape *shape, PetscInt around, CrShapeSurface *surface);
PetscErrorCode CrShapeSurfaceDestroy(CrShapeSurface *surface);

/* The lowest point of a straight edge over a quadrilateral facet. A quadrilateral whose corners do not lie in a plane
   may rise between its corners. An edge of another body may then penetrate it, although neither the ends of the edge
   nor its crossings with the sides of the quadrilateral do. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscReal share; /* position on the edge: 0 at its first end, 1 at its second end */
  PetscReal gap;   /* from the bilinear surface, along nu; negative: inside */
  PetscReal nu[3]; /* outward normal of the quad there */
} CrLowest;

/* Finds the point of the edge from p to q at which the gap from a quad has its least minimum. x has the corners of the
   quad from x[3] on; x[0..2] are used as room. The projection of the point lies on the quad, and the edge is
   perpendicular to the normal there. Returns false if there is no such point: the gap is least at a side of the quad or
   at an end of the edge. Edges that are higher above the quad than `above` need not be found. */
PetscBool CrEdgeLowest(const PetscReal p[3], const PetscReal q[3], PetscReal x[15], PetscReal above,
                       CrLowest *lowest);

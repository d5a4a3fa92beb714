/* The lowest point of a straight edge over a quadrilateral facet (quad). A quad whose corners do not lie in a plane may
   rise between its corners. The middle of another body's edge may then penetrate the quad, although the ends of the
   edge do not. Nor does the edge penetrate at its crossings with the sides of the quad. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscReal share; /* position on the edge: 0 at its first end, 1 at its second end */
  PetscReal gap;   /* gap to the bilinear surface, along nu; negative: penetration */
  PetscReal nu[3]; /* outward unit normal of the quad at this point */
} CrLowest;

/* Finds the point of the edge from p to q at which its gap to a quad is least. x[3] to x[14] are the corners of the
   quad. x[0] to x[2] are work space. At the point that is found, the edge is perpendicular to the normal of the quad.
   Returns false if the gap is least at a side of the quad or at an end of the edge. The function may also return false
   if the edge is higher above the quad than `above`. */
PetscBool CrEdgeLowest(const PetscReal p[3], const PetscReal q[3], PetscReal x[15], PetscReal above,
                       CrLowest *lowest);

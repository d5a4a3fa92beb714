/* Shapes of rigid bodies, with volume and inertia. The axes of a shape are its principal axes of inertia, and its
   origin is the mass centre. Vectors have three components, in 2D too. */
#pragma once

#include "base/base.h"
#include "deck/deck.h"

typedef enum {
  CR_SHAPE_POINT,
  CR_SHAPE_BALL,      /* disk, sphere */
  CR_SHAPE_ELLIPSOID, /* ellipse, ellipsoid */
  CR_SHAPE_POLYTOPE,  /* polygon, box, hull */
  CR_SHAPE_CAPSULE
} CrShapeKind;

typedef struct {
  CrShapeKind kind;
  PetscInt    dim;
  char        word[16]; /* name of the shape in the deck */
  PetscReal   radius;   /* radius of a ball or of a capsule */
  /* semi-axes of an ellipsoid; for a ball, each is the radius; the third is 0 in 2D */
  PetscReal  axes[3];
  PetscReal  half; /* capsule: half length of its straight part, along the body's z axis */
  PetscInt   nvertices, nfaces, nedges;
  PetscReal *vertices; /* [3 nvertices]; owned, like all arrays below */
  /* outward normal n and offset of each face; the points x of the body have n.x <= offset */
  PetscReal *normals, *offsets;
  /* vertices of each face, counter-clockwise seen from outside; in 2D two vertices each */
  PetscInt *face_start, *face_vertices;
  PetscInt *edges;       /* [2 nedges] vertices of each edge; 3D */
  PetscInt *edge_faces;  /* [2 nedges] the two faces that meet in each edge */
  PetscReal reach;       /* greatest distance of a point of the shape from the mass centre */
  PetscReal volume;      /* 2D: area times thickness */
  PetscReal gyration[3]; /* principal moments of inertia, divided by the mass */
  PetscReal turn[4];     /* rotation from the principal axes to the axes of the deck */
} CrShape;

/* Finds the support point, in body axes: the point of the body that is farthest along l. l may have any length.
   Returns l.point. */
PetscReal CrShapeSupport(const CrShape *shape, const PetscReal l[3], PetscReal point[3]);
/* Makes a polytope from the convex hull of points in 2D or 3D: vertices, faces, edges, volume, mass centre and
   inertia. Vertices keep the order of the points; points inside are dropped. The origin is moved to the mass centre,
   and the axes are turned to the principal axes, unless `keep_axes` is true. Ends with an error message if the points
   span no volume. */
PetscErrorCode CrShapeHull(CrShape *shape, const CrDeckNode *where, PetscInt n,
                           const PetscReal points[], PetscBool keep_axes);
PetscErrorCode CrShapeDestroy(CrShape *shape);

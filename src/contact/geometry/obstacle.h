/* Rigid surfaces, fixed or with prescribed motion: planes, boxes around bodies, circles and spheres. */
#pragma once

#include "contact/geometry/kinematics.h"
#include "deck/deck.h"
#include "rigid/surface.h"

typedef enum { CR_PLANE, CR_BOX, CR_SPHERE } CrObstacleKind;

typedef struct {
  char           name[64];
  CrObstacleKind kind;
  PetscReal      point[3], normal[3]; /* plane: a point and the direction of the free side */
  PetscReal      from[3], to[3];      /* box */
  PetscReal      radius;              /* sphere or circle about point */
  PetscBool      inside;              /* bodies are inside it */
  PetscReal      velocity[3], acceleration[3];
} CrObstacle;

extern const CrKey CrObstacleKeys[]; /* the top-level key `obstacles` */

PetscErrorCode CrObstaclesRead(const CrDeckNode *root, PetscInt dim, PetscInt *n,
                               CrObstacle **list);
/* A box has 2 dim walls, each a plane of its own; the others have one. */
PetscInt CrObstacleWalls(const CrObstacle *obstacle, PetscInt dim);
/* Displacement at time t. */
void CrObstacleShift(const CrObstacle *obstacle, PetscReal t, PetscReal shift[3]);
/* A wall for rigid bodies, displaced by `shift`; false: a sphere seen from outside, given by `wall` as the
   ball it is. */
PetscBool CrObstacleWall(const CrObstacle *obstacle, PetscInt wall, const PetscReal shift[3],
                         CrWall *out);
/* Operators of a wall that is displaced by `shift`, for a slave at x. */
void      CrObstacleKinematics(const CrObstacle *obstacle, PetscInt wall, PetscInt dim,
                               const PetscReal shift[3], PetscInt axis, const PetscReal *x,
                               CrKinematics *k);
PetscReal CrObstacleGap(const CrObstacle *obstacle, PetscInt wall, PetscInt dim,
                        const PetscReal shift[3], const PetscReal *x);
/* The i-th way in which a rigid shape may touch a wall that stands where it is in the middle of t0 and t1; as
   CrShapeAtWall. */
PetscReal CrObstacleMeet(const CrObstacle *obstacle, PetscInt wall, PetscReal t0, PetscReal t1,
                         const CrShape *shape, PetscInt i, const PetscReal x[3],
                         const PetscReal mean[9], const PetscReal half[9], PetscReal nu[3],
                         PetscReal arm[3]);

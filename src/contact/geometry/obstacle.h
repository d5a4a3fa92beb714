/* Obstacles: rigid surfaces that are fixed or have a prescribed motion. Obstacles are planes, boxes with the bodies
   inside, circles and spheres. */
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
  PetscReal      radius;              /* sphere or circle; its centre is `point` */
  PetscBool      inside;              /* sphere or circle: the bodies are inside */
  PetscReal      velocity[3], acceleration[3];
} CrObstacle;

extern const CrKey CrObstacleKeys[]; /* the top-level key `obstacles` */

PetscErrorCode CrObstaclesRead(const CrDeckNode *root, PetscInt dim, PetscInt *n,
                               CrObstacle **list);
/* Returns the number of walls: a box has 2 dim walls, each a plane; other obstacles have one. */
PetscInt CrObstacleWalls(const CrObstacle *obstacle, PetscInt dim);
/* Computes the displacement of the obstacle at time t. */
void CrObstacleShift(const CrObstacle *obstacle, PetscReal t, PetscReal shift[3]);
/* Describes a wall that is displaced by `shift`, in the form that rigid bodies need. Returns false for a sphere with
   the bodies outside; *out then describes the ball. */
PetscBool CrObstacleWall(const CrObstacle *obstacle, PetscInt wall, const PetscReal shift[3],
                         CrWall *out);
/* Computes the gap and the operators of a slave at x on a wall that is displaced by `shift`. `axis` has the same
   meaning as in CrKinematicsSphere. */
void      CrObstacleKinematics(const CrObstacle *obstacle, PetscInt wall, PetscInt dim,
                               const PetscReal shift[3], PetscInt axis, const PetscReal *x,
                               CrKinematics *k);
PetscReal CrObstacleGap(const CrObstacle *obstacle, PetscInt wall, PetscInt dim,
                        const PetscReal shift[3], const PetscReal *x);
/* Computes gap, normal and lever arm of the i-th point of a rigid shape at a wall. The wall has its position at the
   middle of t0 and t1. The other arguments are those of CrShapeAtWall. */
PetscReal CrObstacleMeet(const CrObstacle *obstacle, PetscInt wall, PetscReal t0, PetscReal t1,
                         const CrShape *shape, PetscInt i, const PetscReal x[3],
                         const PetscReal mean[9], const PetscReal half[9], PetscReal nu[3],
                         PetscReal arm[3]);

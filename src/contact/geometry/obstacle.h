/* Obstacles are rigid surfaces that are fixed or have a prescribed motion. An obstacle is a plane, a box with the
   bodies inside, a circle or a sphere. */
#pragma once

#include "contact/geometry/kinematics.h"
#include "deck/deck.h"
#include "rigid/surface.h"

typedef enum { CR_PLANE, CR_BOX, CR_SPHERE } CrObstacleKind;

typedef struct {
  char           name[64];
  CrObstacleKind kind;
  /* plane: a point of it, and the unit normal towards the bodies */
  PetscReal point[3], normal[3];
  PetscReal from[3], to[3]; /* box: corners with the least and the greatest coordinates */
  PetscReal radius;         /* sphere or circle; its centre is `point` */
  PetscBool inside;         /* sphere or circle: the bodies are inside */
  PetscReal velocity[3], acceleration[3];
} CrObstacle;

extern const CrKey CrObstacleKeys[]; /* the top-level key `obstacles` */

/* Reads the entry `obstacles` at the root of the deck. *n is the number of obstacles. *list is allocated. */
PetscErrorCode CrObstaclesRead(const CrDeckNode *root, PetscInt dim, PetscInt *n,
                               CrObstacle **list);
/* Returns the number of walls of an obstacle. A box has 2 * dim plane walls. Other obstacles have one wall. */
PetscInt CrObstacleWalls(const CrObstacle *obstacle, PetscInt dim);
/* Computes the displacement `shift` of the obstacle from time 0 to time t. */
void CrObstacleShift(const CrObstacle *obstacle, PetscReal t, PetscReal shift[3]);
/* Converts a wall that is displaced by `shift` to the type CrWall of the code for rigid bodies. Returns false for a
   sphere with the bodies outside. *out then describes this sphere as a ball. */
PetscBool CrObstacleWall(const CrObstacle *obstacle, PetscInt wall, const PetscReal shift[3],
                         CrWall *out);
/* CrObstacleKinematics computes the gap and the operators G and H of a slave at x on a wall that is displaced by
   `shift`. `axis` has the same meaning as in CrKinematicsSphere. CrObstacleGap returns only the gap. */
void      CrObstacleKinematics(const CrObstacle *obstacle, PetscInt wall, PetscInt dim,
                               const PetscReal shift[3], PetscInt axis, const PetscReal *x,
                               CrKinematics *k);
PetscReal CrObstacleGap(const CrObstacle *obstacle, PetscInt wall, PetscInt dim,
                        const PetscReal shift[3], const PetscReal *x);
/* Returns the gap between the i-th point of a rigid shape and a wall, and computes the normal nu and the lever arm. The
   wall is at the mean of its positions at the times t0 and t1. The other arguments are those of CrShapeAtWall. */
PetscReal CrObstacleMeet(const CrObstacle *obstacle, PetscInt wall, PetscReal t0, PetscReal t1,
                         const CrShape *shape, PetscInt i, const PetscReal x[3],
                         const PetscReal mean[9], const PetscReal half[9], PetscReal nu[3],
                         PetscReal arm[3]);

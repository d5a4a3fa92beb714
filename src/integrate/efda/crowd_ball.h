/* The engine for many balls (spheres, or disks in 2D) among walls. The engine finds contacts by a grid of cells. It
   computes impulses by Gauss-Seidel sweeps that solve each contact exactly. The first sweep starts from the impulses of
   the last step.

   The functions of this file send no messages between ranks. If every rank computes the same bodies, all ranks get the
   same result. */
#pragma once

#include "integrate/efda/system.h"

/* The contact law between two kinds of bodies, or between a kind of bodies and a wall. */
typedef struct {
  PetscInt pair; /* number of the contact pair in the deck; < 0: these bodies do not interact */
  /* sign of the force in the sums of works: 1 if the row of the table `laws` is the slave, else -1 */
  PetscInt  sign;
  PetscReal friction, restitution;
} EfdaBallLaw;

typedef enum { CR_WALL_PLANE, CR_WALL_INSIDE, CR_WALL_OUTSIDE } CrWallKind;

typedef struct {
  CrWallKind kind;
  PetscReal  point[3];    /* a point of the plane, or the centre of the sphere, at t_n */
  PetscReal  normal[3];   /* unit normal of the plane, towards the free side */
  PetscReal  radius;      /* radius of the sphere, inside or outside of which bodies stay */
  PetscReal  velocity[3]; /* mean velocity of the wall over the step */
} EfdaBallWall;

/* The bodies and contact laws of the engine. The arrays belong to the caller, who must not free them before
   EfdaBallsDestroy. */
typedef struct {
  PetscInt dim, n, nkinds, nwalls;
  /* contact pairs for which works are summed separately; NULL: works are summed for one pair, without slip */
  const CrContact   *contact;
  const PetscReal   *radius, *mass, *inertia; /* [n]; inertia about the centre */
  const PetscInt    *kind; /* [n] kind of each body; bodies of a kind have the same laws */
  const EfdaBallLaw *laws; /* [nkinds][nkinds + nwalls]; the first nkinds columns are symmetric */
  /* greatest number of sweeps in a step, and number of position corrections */
  PetscInt sweeps, pushes;
  /* sweeps end when no velocity changes by more than this fraction of h times the acceleration by loads */
  PetscReal tolerance;
} EfdaBallsDef;

#define EFDA_BALL_SWEEPS    10
#define EFDA_BALL_PUSHES    6
#define EFDA_BALL_TOLERANCE 1e-4

typedef struct EfdaBalls EfdaBalls;

PetscErrorCode EfdaBallsCreate(const EfdaBallsDef *def, EfdaBalls **balls);
PetscErrorCode EfdaBallsDestroy(EfdaBalls **balls);
/* Computes a step of size h under the acceleration load[3]. The positions x, velocities v and angular velocities spin
   ([n][3]) are changed from t_n to t_{n+1}. The array turn ([n][3]) gets the angular velocities in the middle of the
   step, and may be NULL. The argument scale is a typical energy of the system. Contacts may create at most 1e-9 of this
   energy in a step. *work gets a borrowed pointer to the works of the step. The forces in *work are means over the
   step, and its external work is the work of moving walls. */
PetscErrorCode EfdaBallsStep(EfdaBalls *balls, PetscReal h, const PetscReal load[3],
                             PetscReal scale, const EfdaBallWall *walls, PetscReal *x, PetscReal *v,
                             PetscReal *spin, PetscReal *turn, const EfdaWork **work);
/* Computes *depth, the greatest overlap of bodies with each other and with walls. */
PetscErrorCode EfdaBallsDeepest(EfdaBalls *balls, const EfdaBallWall *walls, PetscReal *x,
                                PetscReal *v, PetscReal *spin, PetscReal *depth);
/* EfdaBallsArchive adds to a checkpoint the impulses from which the next step starts. EfdaBallsResume is called after a
   checkpoint has been read. */
PetscErrorCode EfdaBallsArchive(EfdaBalls *balls, CrArchive *archive);
PetscErrorCode EfdaBallsResume(EfdaBalls *balls);

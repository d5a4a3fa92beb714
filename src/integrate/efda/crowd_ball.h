/* The crowd of balls: spheres, or disks in the plane, among walls. Contacts come from a cell grid; warm-started
   Gauss-Seidel with exact local solves.

   Every rank may run the same crowd: nothing here communicates, and the result depends on its input
   alone. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "contact/tally.h"

/* How two kinds of bodies, or a kind and a wall, meet. */
typedef struct {
  PetscInt  pair; /* of the deck, for the sums of the report; < 0: they do not meet */
  PetscInt  sign; /* of the force in those sums: 1 where the row is the slave, else -1 */
  PetscReal friction, restitution;
} EfdaBallLaw;

typedef enum { CR_WALL_PLANE, CR_WALL_INSIDE, CR_WALL_OUTSIDE } CrWallKind;

typedef struct {
  CrWallKind kind;
  PetscReal  point[3];    /* of a plane; centre of a sphere */
  PetscReal  normal[3];   /* of a plane, unit, towards the free side */
  PetscReal  radius;      /* bodies stay inside or outside of this sphere */
  PetscReal  velocity[3]; /* mean over the step; the wall is given where it stands at its start */
} EfdaBallWall;

/* Its arrays stay the caller\'s, and must live as long as the crowd. */
typedef struct {
  PetscInt           dim, n, nkinds, nwalls, npairs;
  const PetscReal   *radius, *mass, *inertia; /* [n] about the centre */
  const PetscInt    *kind;                    /* [n] */
  const EfdaBallLaw *laws; /* [nkinds][nkinds + nwalls], the first part symmetric */
  PetscInt           sweeps, pushes;
  PetscInt           nslides;  /* slaves of pairs, for their slip: */
  const PetscInt    *slide_of; /* [npairs] slave b of a pair has the number slide_of + b */
  PetscReal tolerance; /* sweeps end when no velocity changes by more than this part of h a */
} EfdaBallsDef;

#define EFDA_BALL_SWEEPS    10
#define EFDA_BALL_PUSHES    6
#define EFDA_BALL_TOLERANCE 1e-4

typedef struct {
  const CrTally *tally;        /* of this step; forces are means over it; borrowed */
  PetscReal      contact_work; /* of this step: normal part of the contact work, and push_work */
  PetscReal      push_work;    /* minus what the load did where bodies were pushed */
  PetscReal      wall_work;    /* done by moving walls */
  PetscInt       sweeps;
  /* [nslides] sums over a slave's contacts: slip past its masters, weighted by the half normal impulses; and of these;
     borrowed */
  PetscReal (*slides)[4];
} EfdaBallsReport;

typedef struct EfdaBalls EfdaBalls;

PetscErrorCode EfdaBallsCreate(const EfdaBallsDef *def, EfdaBalls **balls);
PetscErrorCode EfdaBallsDestroy(EfdaBalls **balls);
/* One step of length h under the acceleration load[3]: x, v, spin ([n][3]) go from t_n to t_{n+1}. turn
   ([n][3]), unless NULL, gets the angular velocity of the middle, about which bodies have turned.
   scale: an energy of the system; friction may create less than 1e-9 of this energy. */
PetscErrorCode EfdaBallsStep(EfdaBalls *balls, PetscReal h, const PetscReal load[3],
                             PetscReal scale, const EfdaBallWall *walls, PetscReal *x, PetscReal *v,
                             PetscReal *spin, PetscReal *turn, EfdaBallsReport *report);
/* How deep bodies are in each other and in walls. */
PetscErrorCode EfdaBallsDeepest(EfdaBalls *balls, const EfdaBallWall *walls, PetscReal *x,
                                PetscReal *v, PetscReal *spin, PetscReal *depth);
/* The impulses from which the next step starts: put into the archive, and taken from what was read. */
PetscErrorCode EfdaBallsArchive(EfdaBalls *balls, CrArchive *archive);
PetscErrorCode EfdaBallsResume(EfdaBalls *balls);

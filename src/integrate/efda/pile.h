/* Many round bodies at once: spheres, or disks in the plane, among walls. One step of the mid-velocity
   law of efda without splitting (theory 18.6): contacts from a cell grid, warm-started Gauss-Seidel
   with exact local solves, positions pushed apart or together afterwards. The energy balance is exact
   however far the sweeps have come; what loose sweeps cost is overlap.

   Every rank may run the same pile: nothing here communicates, and the result depends on its input
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
} CrPileLaw;

typedef enum { CR_WALL_PLANE, CR_WALL_INSIDE, CR_WALL_OUTSIDE } CrWallKind;

typedef struct {
  CrWallKind kind;
  PetscReal  point[3];    /* of a plane; centre of a sphere */
  PetscReal  normal[3];   /* of a plane, unit, towards the free side */
  PetscReal  radius;      /* bodies stay inside or outside of this sphere */
  PetscReal  velocity[3]; /* mean over the step; the wall is given where it stands at its start */
} CrPileWall;

typedef struct {
  PetscInt         dim, n, nkinds, nwalls, npairs;
  const PetscReal *radius, *mass, *inertia; /* [n] about the centre; copied */
  const PetscInt  *kind;                    /* [n]; copied */
  const CrPileLaw *laws; /* [nkinds][nkinds + nwalls], the first part symmetric; copied */
  PetscInt         sweeps, pushes;
  PetscInt         nslides;  /* slaves of pairs, for their slip: */
  const PetscInt  *slide_of; /* [npairs] slave b of a pair has the number slide_of + b; copied */
  PetscReal tolerance;       /* sweeps end when no velocity changes by more than this part of h a */
} CrPileDef;

#define CR_PILE_SWEEPS    10
#define CR_PILE_PUSHES    6
#define CR_PILE_TOLERANCE 1e-4

typedef struct {
  const CrTally *tally;        /* of this step; forces are means over it; borrowed */
  PetscReal      contact_work; /* of this step: normal part of the contact work, and push_work */
  PetscReal      push_work;    /* minus what the load did where bodies were pushed */
  PetscReal      wall_work;    /* done by moving walls */
  PetscInt       sweeps, listed;
  PetscReal (*slides)
      [4]; /* [nslides] sums over a slave's contacts: slip past its masters, weighted by the half normal
                             impulses; and of these; borrowed */
} CrPileReport;

typedef struct CrPile CrPile;

PetscErrorCode CrPileCreate(const CrPileDef *def, CrPile **pile);
PetscErrorCode CrPileDestroy(CrPile **pile);
/* One step of length h under the acceleration load[3]: x, v, spin ([n][3]) go from t_n to t_{n+1}. turn
   ([n][3]), unless NULL, gets the angular velocity of the middle, about which bodies have turned.
   scale: an energy of the system; friction that would create less than 1e-9 of it is let be. */
PetscErrorCode CrPileStep(CrPile *pile, PetscReal h, const PetscReal load[3], PetscReal scale,
                          const CrPileWall *walls, PetscReal *x, PetscReal *v, PetscReal *spin,
                          PetscReal *turn, CrPileReport *report);
/* How deep bodies are in each other and in walls. */
PetscErrorCode CrPileDeepest(CrPile *pile, const CrPileWall *walls, const PetscReal *x,
                             const PetscReal *v, const PetscReal *spin, PetscReal *depth);
/* The impulses from which the next step starts: put into the archive, and taken from what was read. */
PetscErrorCode CrPileArchive(CrPile *pile, CrArchive *archive);
PetscErrorCode CrPileResume(CrPile *pile);

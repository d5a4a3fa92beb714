/* Declarations that the source files for many rigid bodies of any shape share: the engine (crowd_shape.c), its list of
   contacts (crowd_shape_list.c), and small groups of fast bodies (crowd_shape_groups.c). */
#pragma once

#include "integrate/efda/crowd.h"
#include "integrate/efda/system.h"

typedef struct EfdaGroups EfdaGroups;

typedef struct {
  /* all bodies and contacts; it must be the first member, since some functions take an EfdaSystem */
  EfdaSystem  system;
  EfdaCrowd   crowd;
  EfdaGroups *groups;     /* owned, like all members below */
  PetscReal  *low, *high; /* [3n] corners of the boxes that contain the bodies during the step */
  PetscReal  *spin;       /* [3n] angular velocities at the start of the step */
  PetscReal   mean[3];    /* mean velocity of all bodies */
  /* [n] greatest displacement of a point of the body in a step, relative to the mean motion */
  PetscReal *way;
  PetscInt  *order; /* [n] bodies in order of their boxes along an axis */
  /* [nshapes] radius of the largest ball about the mass centre that lies inside the shape */
  PetscReal *thickness;
  /* linked lists of the contacts that are stored from the last step, one list per slave */
  PetscInt *head, *next, next_room;
} EfdaShapes;

/* Lists all contacts that may close in a step of size h from the state `now` (member `list` of EfdaCrowdKernel). */
PetscErrorCode EfdaShapesList(EfdaCrowd *crowd, PetscReal h);
/* Computes u, the velocity of the slave's centre relative to the master's centre or to the wall, in the state `now`. */
void EfdaShapesApproach(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h, PetscReal u[3]);
/* Returns an upper bound of the distance by which slave and master can approach each other in a step from the state
   `now`. */
PetscReal EfdaShapesWay(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h);
/* Returns true if the relative motion in a step is so large that the contacts at its end differ from those at its
   start. */
PetscBool EfdaShapesAreFast(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h);

PetscErrorCode EfdaGroupsCreate(EfdaShapes *S);
PetscErrorCode EfdaGroupsDestroy(EfdaShapes *S);
/* Finds small groups of bodies that approach each other fast, and computes their step with the engine for few bodies.
   Removes the contacts of these groups from the list. *good is false if a group has no solution. */
PetscErrorCode EfdaGroupsStep(EfdaShapes *S, PetscReal h, PetscBool *good);
/* Copies to `state` the positions and velocities of the bodies of these groups at the end of the step. */
void EfdaGroupsPlace(EfdaShapes *S, CrRigidState *state);
/* Stores the contact forces of these groups as initial values for the next step. */
PetscErrorCode EfdaGroupsKeep(EfdaShapes *S);

/* Declarations that the source files for many bodies of any shape share: the engine (crowd_shape.c), its list of
   contacts (crowd_shape_list.c), and small groups of fast bodies (crowd_shape_groups.c). */
#pragma once

#include "integrate/efda/crowd.h"
#include "integrate/efda/system.h"

typedef struct EfdaGroups EfdaGroups;

typedef struct {
  /* all bodies. It is the first member, since some functions take an EfdaSystem */
  EfdaSystem  system;
  EfdaCrowd   crowd;
  EfdaGroups *groups;     /* owned, like all members below */
  PetscReal  *low, *high; /* [3n] boxes around the bodies and their paths */
  PetscReal  *spin;       /* [3n] angular velocities at the start of the step */
  PetscReal   mean[3];    /* mean velocity of all bodies */
  /* [n] greatest displacement of a point of the body in a step, relative to the mean motion */
  PetscReal *way;
  PetscInt  *order;     /* [n] bodies in order of their boxes along an axis */
  PetscReal *thickness; /* [nshapes] radius of the largest centred ball inside */
  /* linked lists of kept contacts, one list per slave */
  PetscInt *head, *next, next_room;
} EfdaShapes;

/* Lists all contacts that may close in a step of size h from `now`, as EfdaCrowdKernel says. */
PetscErrorCode EfdaShapesList(EfdaCrowd *crowd, PetscReal h);
/* Computes the velocity of the slave's centre relative to the master's centre or wall, at `now`. */
void EfdaShapesApproach(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h, PetscReal u[3]);
/* Returns the distance by which slave and master can approach each other in a step from `now`. */
PetscReal EfdaShapesWay(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h);
/* Returns true if the relative motion in a step is so large that the contacts at its end differ from those at its
   start. */
PetscBool EfdaShapesAreFast(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h);

PetscErrorCode EfdaGroupsCreate(EfdaShapes *S);
PetscErrorCode EfdaGroupsDestroy(EfdaShapes *S);
/* Finds small groups of bodies that approach each other fast, and computes their step with the engine for few bodies.
   The contacts of these groups are removed from the list. *good is false if a group has no solution. */
PetscErrorCode EfdaGroupsStep(EfdaShapes *S, PetscReal h, PetscBool *good);
/* Copies the bodies of these groups, at the end of their step, to `state`. */
void EfdaGroupsPlace(EfdaShapes *S, CrRigidState *state);
/* Stores the contact forces of these groups as initial values for the next step. */
PetscErrorCode EfdaGroupsKeep(EfdaShapes *S);

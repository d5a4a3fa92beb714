/* Inside the crowd of shapes: its list (crowd_shape_list.c), and small groups that are fast (crowd_shape_groups.c). */
#pragma once

#include "integrate/efda/crowd.h"
#include "integrate/efda/system.h"

typedef struct EfdaGroups EfdaGroups;

typedef struct {
  EfdaSystem  system; /* all bodies; first, for the functions that take one */
  EfdaCrowd   crowd;
  EfdaGroups *groups;     /* owned, as all below */
  PetscReal  *low, *high; /* [3n] boxes around the bodies and their ways */
  PetscReal  *spin;       /* [3n] at the start */
  PetscReal   mean[3];    /* velocity of all */
  PetscReal  *way;   /* [n] how far a point of the body goes in a step, beside the motion of all */
  PetscInt   *order; /* [n] along the axis */
  PetscReal  *thickness; /* [nshapes] least half width */
  /* kept contacts by slave: lists */
  PetscInt  *head, *next, next_room;
  PetscReal *pull; /* [contacts] how far a contact may still be pulled together */
  PetscInt   pull_room;
} EfdaShapes;

/* All contacts of `now` that may press in a step of length h: as EfdaCrowdKernel. */
PetscErrorCode EfdaShapesList(EfdaCrowd *crowd, PetscReal h);
/* Velocity of the centre of a candidate's body against that of the other, or against the wall, at `now`. */
void EfdaShapesApproach(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h, PetscReal u[3]);
/* How far the two of a candidate can come towards each other in a step from `now`. */
PetscReal EfdaShapesWay(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h);
/* True if the relative motion in one step is so large that the contacts at its start are useless at its end. */
PetscBool EfdaShapesAreFast(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h);

PetscErrorCode EfdaGroupsCreate(EfdaShapes *S);
PetscErrorCode EfdaGroupsDestroy(EfdaShapes *S);
/* From the list: small groups that come together fast are stepped by the engine for few; their contacts leave the list. */
PetscErrorCode EfdaGroupsStep(EfdaShapes *S, PetscReal h, PetscBool *good);
void EfdaGroupsPlace(EfdaShapes *S, CrRigidState *state); /* puts their bodies at the end */
PetscErrorCode EfdaGroupsKeep(EfdaShapes *S);             /* their contacts are remembered too */

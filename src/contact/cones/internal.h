/* What the two files of cones share. */
#pragma once

#include "contact/cones/cones.h"
#include "contact/touch/touch.h"

enum { OUT = 0, ACTIVE, HELD }; /* HELD: supports keep the node from giving way */

/* Room for n contacts. */
PetscErrorCode CrConesFit(CrCones *cones, PetscInt n);
/* Responses of all nodes of active touches. */
PetscErrorCode CrConesLearn(CrCones *cones, CrConesRespond *respond, void *ctx, PetscBool *solved);
PetscErrorCode CrConesAssemble(CrCones *cones);
/* Points whose normal direction is held by supports leave; true if there are any. mean: of the
   diagonal of W. */
PetscBool      CrConesDropHeld(CrCones *cones, PetscReal *mean);
PetscErrorCode CrConesSolveProblem(CrCones *cones, PetscReal scale, PetscBool *solved);
/* Displacements of the nodes under all reactions, into cones->push. */
PetscErrorCode CrConesPush(CrCones *cones);
/* The operator whose product with a correction changes component i of z, and that change under
   displacements y of the nodes. */
const PetscReal *CrConesRow(const CrCones *cones, const CrTouch *touch, PetscInt i);
PetscReal CrConesChange(const CrCones *cones, const CrTouch *touch, PetscInt i, const PetscReal *y);

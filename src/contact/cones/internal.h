/* Shared by the files of this folder. */
#pragma once

#include "contact/cones/cones.h"
#include "contact/touch/touch.h"

/* States of a touch. OUT: it takes no part. HELD: supports hold the node, so that contact cannot move it. */
enum { OUT = 0, ACTIVE, HELD };

/* Room for n contacts. */
PetscErrorCode CrConesFit(CrCones *cones, PetscInt n);
/* Computes the responses of all nodes of active touches. */
PetscErrorCode CrConesLearn(CrCones *cones, CrConesRespond *respond, void *ctx, PetscBool *solved);
/* Computes W of the active touches from the responses. */
void   CrConesAssemble(CrCones *cones);
size_t CrConesOperatorsSize(void); /* of an entry of cones->operators */
/* Removes touches whose normal direction is held by supports; returns true if there are any. *mean is the mean
   of the diagonal of W. */
PetscBool      CrConesDropHeld(CrCones *cones, PetscReal *mean);
PetscErrorCode CrConesSolveProblem(CrCones *cones, PetscReal scale, PetscBool *solved);
/* Computes the displacements of the nodes under all reactions, in cones->push. */
PetscErrorCode CrConesPush(CrCones *cones);
/* The operator (G or H) of component i of z, and the change of that component under displacements y of the
   nodes. */
const PetscReal *CrConesRow(const CrCones *cones, const CrTouch *touch, PetscInt i);
PetscReal CrConesChange(const CrCones *cones, const CrTouch *touch, PetscInt i, const PetscReal *y);

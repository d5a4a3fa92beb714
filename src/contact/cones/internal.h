/* Shared by the files of this folder. */
#pragma once

#include "contact/cones/cones.h"
#include "contact/touch/touch.h"

/* States of a touch. OUT: it takes no part. HELD: supports hold the node, so that contact cannot move it. */
enum { OUT = 0, ACTIVE, HELD };

/* The operators of a touch, in the form in which W is computed. place: places of its nodes in CrCones.part. index:
   their indices in CrCones.nodes. row, column: operators by node, direction, and component of z or r. */
typedef struct {
  PetscInt  n, place[CR_CONTACT_NODES], index[CR_CONTACT_NODES];
  PetscReal row[CR_CONTACT_NODES][3][3], column[CR_CONTACT_NODES][3][4];
} CrConesOperators;

/* Room for n contacts. */
PetscErrorCode CrConesFit(CrCones *cones, PetscInt n);
/* Computes the responses of all nodes of active touches. */
PetscErrorCode CrConesLearn(CrCones *cones, CrConesRespond *respond, void *ctx, PetscBool *solved);
/* Computes W of the active touches from the responses. */
void CrConesAssemble(CrCones *cones);
/* Removes touches whose normal direction is held by supports; returns true if there are any. *mean is the mean
   of the diagonal of W. */
PetscBool      CrConesDropHeld(CrCones *cones, PetscReal *mean);
PetscErrorCode CrConesSolveProblem(CrCones *cones, PetscReal scale, PetscBool *solved);
/* Computes the displacements of the nodes under all reactions, in cones->push. */
PetscErrorCode CrConesPush(CrCones *cones);
/* The change of component i of z under displacements y of the nodes. */
PetscReal CrConesChange(const CrCones *cones, const CrTouch *touch, PetscInt i, const PetscReal *y);

/* The operator (G or H) of component i of z. */
static inline const PetscReal *CrConesRow(const CrCones *s, const CrTouch *touch, PetscInt i)
{
  if (i > 0) return touch->k.H[i - 1];
  return s->level == CR_LEVEL_GAP ? touch->k1.G : touch->k.G;
}

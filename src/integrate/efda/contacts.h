/* Contacts of a system of bodies: who may touch whom (contacts.c), and one contact with its local problem (local.c). */
#pragma once

#include "integrate/efda/system.h"

PetscErrorCode EfdaFindCandidates(EfdaSystem *e, PetscReal h);
/* Two bodies, or one (b = -1) and a wall, are listed if some pair of the deck names them. */
PetscErrorCode EfdaAddCandidate(EfdaSystem *e, PetscInt a, PetscInt b, PetscInt obstacle,
                                PetscInt wall);
/* In how many ways a candidate may touch within `reach`, at the poses. */
PetscInt EfdaFeatures(const EfdaSystem *e, const EfdaCandidate *c, PetscReal t, PetscReal reach,
                      CrFeature *features);
/* Contacts of a candidate at the end of the list, zero but for the features. */
PetscErrorCode EfdaAddContacts(EfdaSystem *e, PetscInt candidate, PetscInt n, const CrFeature *f);
/* Contacts nearer than they can come within s, with gaps and velocities at `now`. */
PetscErrorCode EfdaCollect(EfdaSystem *e, PetscReal s);
void           EfdaPoses(EfdaSystem *e, const CrRigidState *state);
/* Gap, normal, point of a contact of `state` at time t; the poses must be those of this state. */
void      EfdaMeet(const EfdaSystem *e, const EfdaContact *c, PetscReal t, CrMeeting *meeting);
PetscReal EfdaGapAt(const EfdaSystem *e, const EfdaContact *c, PetscReal t);
/* Gap and rate in `trial`, s after the start of the part; the poses must be those of `trial`. */
EfdaLook EfdaLookAt(EfdaSystem *e, const EfdaContact *c, PetscReal s);
/* Enters the overlaps of a state into the ledger of the step. */
void EfdaEnterGaps(EfdaSystem *e, const CrRigidState *state, PetscReal t);

/* ---- one contact ---- */

/* Velocity of slave against master at a point, for given velocities of the bodies. */
void EfdaRelative(const EfdaContact *c, const PetscReal *v0, const PetscReal *om0,
                  const PetscReal *v1, const PetscReal *om1, PetscReal u[3]);
/* Frame and lever arms at the poses, from meeting; and W = J M^-1 J^T. */
void EfdaRows(const EfdaSystem *e, EfdaContact *c);
void EfdaSetBlock(const EfdaSystem *e, EfdaContact *c);
/* Velocity in the frame for the bodies' velocities of the middle; returns its normal part. */
PetscReal EfdaSpeedAt(const EfdaSystem *e, const EfdaContact *c, PetscReal u[3]);
/* Exact solve of one contact. Returns the greatest change of velocity, and changes the bodies' velocities v, om. */
PetscReal EfdaSolveOne(EfdaSystem *e, EfdaContact *c);
/* The same change of velocity; nothing changes. */
PetscReal EfdaResidual(const EfdaSystem *e, const EfdaContact *c);
/* The half impulse of a contact becomes p, and the bodies' velocities change with it. */
void            EfdaGive(EfdaSystem *e, EfdaContact *c, const PetscReal p[3]);
CrContactStatus EfdaStatus(const EfdaContact *c);
/* Enters a contact that has done its work at the velocity u. */
void EfdaEnter(const EfdaSystem *e, const EfdaContact *c, const PetscReal u[3], EfdaWork *work);

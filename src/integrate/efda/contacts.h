/* Contacts of a system of bodies: the search (contacts.c), and the problem of one contact (local.c). */
#pragma once

#include "integrate/efda/system.h"

/* Lists the candidates: bodies and walls that may come near each other in a step of size h. */
PetscErrorCode EfdaFindCandidates(EfdaSystem *e, PetscReal h);
/* Adds two bodies, or a body and a wall (b is -1), to the list, if a pair of the deck names them. */
PetscErrorCode EfdaAddCandidate(EfdaSystem *e, PetscInt a, PetscInt b, PetscInt obstacle,
                                PetscInt wall);
/* Appends a contact for every feature (vertex, edge or face pair) of two candidate bodies whose gap is below `reach`,
   in the state `now`. All members of the new contacts are zero, except the features. */
PetscErrorCode EfdaAddContacts(EfdaSystem *e, const EfdaCandidate *candidate, PetscReal reach);
/* Lists the contacts that can close within the time s, with gaps and velocities at `now`. */
PetscErrorCode EfdaCollect(EfdaSystem *e, PetscReal s);
void           EfdaPoses(EfdaSystem *e, const CrRigidState *state);
/* Computes the gap, normal and point of a contact at time t. e->poses must be the poses at this time (EfdaPoses). */
void      EfdaMeet(const EfdaSystem *e, const EfdaContact *c, PetscReal t, CrMeeting *meeting);
PetscReal EfdaGapAt(const EfdaSystem *e, const EfdaContact *c, PetscReal t);
/* Returns the gap and rate of a contact in `trial`, at the time s after the start of the part. The poses must be those
   of `trial`. */
EfdaLook EfdaLookAt(EfdaSystem *e, const EfdaContact *c, PetscReal s);
/* Enters the overlaps of a state at time t into the ledger of the step. */
void EfdaEnterGaps(EfdaSystem *e, const CrRigidState *state, PetscReal t);

/* ---- one contact ---- */

/* Computes the velocity u of the slave relative to the master at the contact. v [3n] are the velocities of all bodies,
   om the angular velocities of slave and master. */
void EfdaRelative(const EfdaContact *c, const PetscReal *v, const PetscReal *const om[2],
                  PetscReal u[3]);
/* EfdaRows computes the normal, the tangents and the lever arms of a contact from its geometry and the poses of its
   bodies. EfdaSetBlock computes the matrix W = J M^-1 J^T of the contact. */
void EfdaRows(const EfdaSystem *e, EfdaContact *c);
void EfdaSetBlock(const EfdaSystem *e, EfdaContact *c);
/* Computes the relative velocity u in the frame of the contact, from the bodies' velocities in the middle of the part.
   Returns its normal component. */
PetscReal EfdaSpeedAt(const EfdaSystem *e, const EfdaContact *c, PetscReal u[3]);
/* Solves one contact exactly, and changes the velocities of its bodies. Returns the greatest change of velocity. */
PetscReal EfdaSolveOne(EfdaSystem *e, EfdaContact *c);
/* Makes one Gauss-Seidel sweep of EfdaSolveOne over the held contacts, or over the struck contacts (contacts of an
   impact). Returns the greatest change of velocity. */
PetscReal EfdaSweep(EfdaSystem *e, PetscBool struck);
/* Returns the change of velocity that EfdaSolveOne would make. It changes nothing. */
PetscReal EfdaResidual(const EfdaSystem *e, const EfdaContact *c);
/* Sets the half impulse of a contact to p, and changes the velocities of its bodies accordingly. */
void            EfdaGive(EfdaSystem *e, EfdaContact *c, const PetscReal p[3]);
CrContactStatus EfdaStatus(const EfdaContact *c);
/* Enters the work of a contact at the velocity u into the ledger. */
void EfdaEnter(const EfdaSystem *e, const EfdaContact *c, const PetscReal u[3], EfdaWork *work);

/* Contacts of a system of rigid bodies: the contact search (contacts.c), and the solution for a single contact
   (local.c). */
#pragma once

#include "integrate/efda/system.h"

/* Lists the candidates in e->candidates: pairs of bodies, or of a body and a wall, that may touch in a step of size
   h. */
PetscErrorCode EfdaFindCandidates(EfdaSystem *e, PetscReal h);
/* Adds to the list of candidates the bodies a and b, or the body a and a wall (then b is -1), if a contact pair of the
   deck names them. */
PetscErrorCode EfdaAddCandidate(EfdaSystem *e, PetscInt a, PetscInt b, PetscInt obstacle,
                                PetscInt wall);
/* Appends a contact for every feature (vertex, edge or face pair) of two candidate bodies whose gap is below `reach`,
   in the state `now`. All members of the new contacts are zero, except the features. */
PetscErrorCode EfdaAddContacts(EfdaSystem *e, const EfdaCandidate *candidate, PetscReal reach);
/* Lists the contacts that can close within the time s. Computes their gaps and relative velocities in the state
   `now`. */
PetscErrorCode EfdaCollect(EfdaSystem *e, PetscReal s);
void           EfdaPoses(EfdaSystem *e, const CrRigidState *state);
/* Computes the gap, normal and point of a contact at time t. e->poses must be the poses of the bodies at this time
   (EfdaPoses). */
void      EfdaMeet(const EfdaSystem *e, const EfdaContact *c, PetscReal t, CrMeeting *meeting);
PetscReal EfdaGapAt(const EfdaSystem *e, const EfdaContact *c, PetscReal t);
/* Returns the gap of a contact and the rate of the gap in the state `trial`, at the time s after the start of the
   sub-step. e->poses must be the poses in the state `trial`. */
EfdaLook EfdaLookAt(EfdaSystem *e, const EfdaContact *c, PetscReal s);
/* Updates the greatest overlap of the step with the overlaps of `state` at time t. */
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
/* Computes the relative velocity u in the frame of the contact, from the bodies' velocities in the middle of the
   sub-step. Returns the normal component of u. */
PetscReal EfdaSpeedAt(const EfdaSystem *e, const EfdaContact *c, PetscReal u[3]);
/* Computes the impulse of one contact exactly, while all other impulses are fixed. Changes the velocities of its
   bodies, and returns the greatest change of velocity. */
PetscReal EfdaSolveOne(EfdaSystem *e, EfdaContact *c);
/* Makes one Gauss-Seidel sweep of EfdaSolveOne over the held contacts, or over the struck contacts (contacts of an
   impact). Returns the greatest change of velocity. */
PetscReal EfdaSweep(EfdaSystem *e, PetscBool struck);
/* Returns the change of velocity that EfdaSolveOne would make, and changes nothing. */
PetscReal EfdaResidual(const EfdaSystem *e, const EfdaContact *c);
/* Sets c->p, half of the impulse of a contact, to p, and changes the velocities of its bodies accordingly. */
void            EfdaGive(EfdaSystem *e, EfdaContact *c, const PetscReal p[3]);
CrContactStatus EfdaStatus(const EfdaContact *c);
/* Adds to `work` the work of a contact whose bodies have the relative velocity u. */
void EfdaEnter(const EfdaSystem *e, const EfdaContact *c, const PetscReal u[3], EfdaWork *work);

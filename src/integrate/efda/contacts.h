/* Contacts of a system of bodies: the search (contacts.c), and the problem of one contact (local.c). */
#pragma once

#include "integrate/efda/system.h"

/* Lists the candidates: bodies and walls that may come near each other in a step of size h. */
PetscErrorCode EfdaFindCandidates(EfdaSystem *e, PetscReal h);
/* Adds a candidate to that list. */
PetscErrorCode EfdaAddCandidate(EfdaSystem *e, const CrRigidPair *pair, PetscInt body,
                                PetscInt other, PetscInt obstacle, PetscInt wall);
/* Finds the features of a candidate with a gap below `reach`, at e->poses. Returns their number. */
PetscInt EfdaFeatures(const EfdaSystem *e, const EfdaCandidate *c, PetscReal t, PetscReal reach,
                      CrFeature *features);
/* Appends n contacts of a candidate to the list. All their members are zero, except the features. */
PetscErrorCode EfdaAddContacts(EfdaSystem *e, PetscInt candidate, PetscInt n, const CrFeature *f);
/* Lists the contacts that can close within the time s, with gaps and velocities at `now`. */
PetscErrorCode EfdaCollect(EfdaSystem *e, PetscReal s);
/* Sets e->poses to the poses of `state`. */
void EfdaPoses(EfdaSystem *e, const CrRigidState *state);
/* Gap, normal and point of a contact at e->poses; walls are where they are at time t. */
void EfdaMeet(const EfdaSystem *e, const EfdaContact *c, PetscReal t, CrMeeting *meeting);
/* Gap of a contact and its rate in `trial`, s after the start of the part. e->poses must be those of `trial`. */
EfdaLook EfdaLookAt(EfdaSystem *e, const EfdaContact *c, PetscReal s);
/* Enters the overlaps of a state at time t into the ledger of the step. */
void EfdaEnterGaps(EfdaSystem *e, const CrRigidState *state, PetscReal t);

/* ---- one contact ---- */

/* The velocity u of the slave relative to the master at the contact, for given velocities v and angular
   velocities om of both bodies. */
void EfdaRelative(const EfdaContact *c, const PetscReal *v0, const PetscReal *om0,
                  const PetscReal *v1, const PetscReal *om1, PetscReal u[3]);
/* Computes the frame of a contact and its lever arms about the centres x0 and x1, from c->meeting. */
void EfdaRows(const EfdaSystem *e, EfdaContact *c, const PetscReal *x0, const PetscReal *x1);
/* Then computes the matrix W = J M^-1 J^T of the contact. */
void EfdaSetBlock(const EfdaSystem *e, EfdaContact *c);
/* The relative velocity u in the frame of the contact, from the bodies' velocities in the middle. Returns its
   normal part. */
PetscReal EfdaSpeedAt(const EfdaSystem *e, const EfdaContact *c, PetscReal u[3]);
/* Solves one contact exactly, and changes the velocities of its bodies. Returns the greatest change of velocity. */
PetscReal EfdaSolveOne(EfdaSystem *e, EfdaContact *c);
/* The change of velocity that EfdaSolveOne would make. It changes nothing. */
PetscReal EfdaResidual(const EfdaSystem *e, const EfdaContact *c);
/* Sets the half impulse of a contact to p, and changes the velocities of its bodies accordingly. */
void            EfdaGive(EfdaSystem *e, EfdaContact *c, const PetscReal p[3]);
CrContactStatus EfdaStatus(const EfdaSystem *e, const EfdaContact *c);
/* Enters a contact into the ledger and the works. u is the velocity with which its impulse does work. */
void EfdaEnter(const EfdaSystem *e, const EfdaContact *c, const PetscReal u[3], EfdaWork *work);

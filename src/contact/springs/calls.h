/* Contacts that are added to a step where a sharp edge penetrates the other body (calls.c, call_list.c, theory 17.7).
   The program is said to "call in" these contacts. */
#pragma once

#include "contact/geometry/way.h"
#include "contact/touch/touch.h"

#define CR_DEEP 2e-11 /* fraction of an edge: depth at which a contact is added */

/* A place where a sharp edge penetrates: the first entry of the edge in a pass, and the crossing edge (meeting) or the
   facet at this place. */
struct CrCall {
  PetscInt  pass, i, facet;
  PetscReal depth, size; /* size of the edge or facet */
  PetscInt  n, nodes[6]; /* nodes on which the contact force acts */
};

/* Returns the number of entries of each edge in a pass. An edge may have as many contacts at once. */
static inline PetscInt CrCallCopies(const CrPass *p)
{
  return CrPassHasEdges(p) ? p->ridges[0]->copies : p->samples->m;
}
/* If the step already has a contact of the same edge and facet, allows its place on the edge to move further, once in a
   step. Returns false if there is no such contact, or if its place has been allowed to move further before. */
PetscBool CrDipMoves(const CrContact *c, const CrCall *call);
/* Adds a place where an edge penetrates to the list. */
PetscErrorCode CrCallAdd(CrContact *c, PetscInt pass, PetscInt i, PetscInt facet, PetscReal depth,
                         PetscReal size, PetscInt n, const PetscInt *nodes);
/* List the places where edge i of a pass penetrates at u1. CrAcrossFind lists edges of the master that edge i has
   passed through. CrDipsFind lists facets that edge i penetrates between its ends. `deep` is the depth of the edge. */
PetscErrorCode CrAcrossFind(CrContact *c, PetscInt pass, PetscInt i, PetscReal deep,
                            const PetscReal *u0, const PetscReal *u1);
PetscErrorCode CrDipsFind(CrContact *c, PetscInt pass, PetscInt i, const PetscReal *u0,
                          const PetscReal *u1);
/* Return the gap of a new contact at the start of the step; PETSC_MAX_REAL: there is no gap. The second function also
   moves the contact to the lowest point of its edge at u1. */
PetscReal CrAcrossStart(const CrContact *c, const CrTouch *touch, const PetscReal *u0);
PetscReal CrDipStart(const CrContact *c, CrTouch *touch, const PetscReal *u0, const PetscReal *u1);

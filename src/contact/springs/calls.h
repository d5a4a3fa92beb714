/* Contacts that are added to a step at places where a sharp edge penetrates the other body (calls.c, call_list.c,
   theory 17.7). The code says that these contacts are "called in"; a call is one such place. */
#pragma once

#include "contact/geometry/way.h"
#include "contact/touch/touch.h"

#define CR_DEEP 2e-11 /* penetration / edge length above which a contact is added */

/* A place where a sharp edge penetrates the other body. i is the number of the edge's first contact point in the pass.
   `facet` is the penetrated facet, or the number of the meeting with the crossing edge (ridges.h). */
struct CrCall {
  PetscInt  pass, i, facet;
  PetscReal depth, size; /* depth of penetration, and size of the edge or facet */
  PetscInt  n, nodes[6]; /* local nodes on which the contact force acts */
};

/* Returns the number of contact points of each edge in a pass. An edge may have up to this number of contacts at
   once. */
static inline PetscInt CrCallCopies(const CrPass *p)
{
  return CrPassHasEdges(p) ? p->ridges[0]->copies : p->samples->m;
}
/* Returns true if a call asks for a further contact of an edge with a facet that it touches already. */
PetscBool CrDipRefines(const CrContact *c, const CrCall *call);
/* Moves a contact of the same edge and facet that exerts no force to the place of a call. Called if all contact points
   of the edge are used. Returns false if there is no such contact. */
PetscBool CrDipReplaces(const CrContact *c, const CrCall *call, const PetscReal *u0,
                        const PetscReal *u1);
/* Adds to contact->work->calls a place where an edge penetrates. The arguments are the members of CrCall. */
PetscErrorCode CrCallAdd(CrContact *c, PetscInt pass, PetscInt i, PetscInt facet, PetscReal depth,
                         PetscReal size, PetscInt n, const PetscInt *nodes);
/* Add to contact->work->calls the places where edge i of a pass penetrates at the displacements u1. CrAcrossFind finds
   edges of the master that edge i has passed through. CrDipsFind finds facets that edge i penetrates between its ends.
   `deep` is the penetration of edge i. */
PetscErrorCode CrAcrossFind(CrContact *c, PetscInt pass, PetscInt i, PetscReal deep,
                            const PetscReal *u0, const PetscReal *u1);
PetscErrorCode CrDipsFind(CrContact *c, PetscInt pass, PetscInt i, const PetscReal *u0,
                          const PetscReal *u1);
/* Return the gap of a new contact at the start of the step; PETSC_MAX_REAL: the gap is not defined. CrAcrossStart is
   for edges on edges. CrDipStart is for edges on facets, and also moves the contact to the lowest point of its edge at
   u1. */
PetscReal CrAcrossStart(const CrContact *c, const CrTouch *touch, const PetscReal *u0);
PetscReal CrDipStart(const CrContact *c, CrTouch *touch, const PetscReal *u0, const PetscReal *u1);

/* Laws that are called in where a sharp edge is inside (calls.c, call_list.c), shared by the files of the passes of such laws. */
#pragma once

#include "contact/geometry/way.h"
#include "contact/touch/touch.h"

#define CR_DEEP 2e-11 /* of an edge: depth at which a law is called in */

/* A place where an edge is inside: the first copy of the edge in a pass, and its meeting or facet there. */
struct CrCall {
  PetscInt  pass, i, facet;
  PetscReal depth, size; /* size of the edge or facet */
  PetscInt  n, nodes[6]; /* nodes on which the law acts */
};

/* How often each edge is listed in a pass, so that it may have so many laws at once. */
static inline PetscInt CrCallCopies(const CrPass *p)
{
  return CrPassHasEdges(p) ? p->ridges[0]->copies : p->samples->m;
}
/* Lets the place of a law on the same edge and facet move further, once in a step. Returns false if there is no such
   law, or if its place has moved further before. */
PetscBool CrDipMoves(const CrContact *c, const CrCall *call);
/* Lists a place. */
PetscErrorCode CrCallAdd(CrContact *c, PetscInt pass, PetscInt i, PetscInt facet, PetscReal depth,
                         PetscReal size, PetscInt n, const PetscInt *nodes);
/* List places of edge i of a pass, which is `deep` inside at u1: edges of the master that it has gone through, and
   facets below which it dips. */
PetscErrorCode CrAcrossFind(CrContact *c, PetscInt pass, PetscInt i, PetscReal deep,
                            const PetscReal *u0, const PetscReal *u1);
PetscErrorCode CrDipsFind(CrContact *c, PetscInt pass, PetscInt i, const PetscReal *u0,
                          const PetscReal *u1);
/* Return the gap of a new touch at the start of the step; PETSC_MAX_REAL: none. The second function also sets the place
   of the touch on its edge to the lowest one at u1. */
PetscReal CrAcrossStart(const CrContact *c, const CrTouch *touch, const PetscReal *u0);
PetscReal CrDipStart(const CrContact *c, CrTouch *touch, const PetscReal *u0, const PetscReal *u1);

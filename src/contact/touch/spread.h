/* The nodes behind a touch: those of its slave and of its facet, with their parts, and where they are. */
#pragma once

#include "contact/contact.h"
#include "contact/place.h"

/* The nodes that the forces of a touch act on. Its operators know a sample as one node; each node of the sample gets
   the part c of what belongs to that one. */
typedef struct {
  PetscInt  n;
  PetscInt  nodes[CR_SPREAD_NODES];  /* local */
  PetscInt  column[CR_SPREAD_NODES]; /* which node of the operators */
  PetscReal c[CR_SPREAD_NODES];
} CrSpread;

/* On the facet in use; the second function: on any facet. */
void CrTouchSpread(const CrContact *c, const CrTouch *touch, CrSpread *spread);
void CrTouchSpreadOn(const CrContact *c, const CrTouch *touch, PetscInt facet, CrSpread *spread);
/* Nodes of a touch on the facet in use: slave (-1: it is no node), then corners. The slave is an edge: its two nodes, then those
   of the other edge. */
void CrTouchNodes(const CrContact *c, const CrTouch *touch, PetscInt nodes[CR_CONTACT_NODES]);
/* Positions of all of them at u, a sample as one; the second function: slave and corners of any facet, whose number it
   returns. */
void     CrTouchGather(const CrContact *c, const CrTouch *touch, const PetscReal *u, PetscReal *x);
PetscInt CrTouchGatherOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                         const PetscReal *u, PetscReal *x);
/* Where the slave of a touch is, with the nodes at u. */
void CrSlaveAt(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
               CrInstant *at);

/* The nodes on which the force of a contact acts, with their positions and the fraction of the force on each node.
   These are the nodes of the slave and of its facet. A sample is a slave between nodes. */
#pragma once

#include "contact/contact.h"
#include "contact/place.h"

/* The nodes on which the force of a touch acts. In the operators G and H, a sample is one node. Node k of the sample
   gets the fraction c[k] of the force on this sample. A lifted vertex (lift.h) is also one node of the operators, and
   its force is distributed in the same way. A mesh node may occur more than once. */
typedef struct {
  PetscInt  n;
  PetscInt  nodes[CR_LIFTED_NODES];  /* local node numbers */
  PetscInt  column[CR_LIFTED_NODES]; /* node index in G and H of its sample or vertex */
  PetscReal c[CR_LIFTED_NODES];
} CrSpread;

/* Does the same as CrTouchSpread, but puts the whole force on a lifted vertex on its mid-side node. */
void CrTouchVertices(const CrContact *c, const CrTouch *touch, CrSpread *spread);
/* Find the nodes on which the force of a contact acts. CrTouchSpread uses the present facet of the contact.
   CrTouchSpreadOn uses the given facet. */
void CrTouchSpread(const CrContact *c, const CrTouch *touch, CrSpread *spread);
void CrTouchSpreadOn(const CrContact *c, const CrTouch *touch, PetscInt facet, CrSpread *spread);
/* Lists the local nodes of a contact on its present facet: the slave node (-1: the slave is no node), then the corners
   of the facet. If two edges touch, lists the two nodes of the slave's edge, then those of the master's edge. */
void CrTouchNodes(const CrContact *c, const CrTouch *touch, PetscInt nodes[CR_CONTACT_NODES]);
/* Compute the positions x of the nodes of a contact at the displacements u, dim numbers per node. A sample counts as
   one node. CrTouchGather uses the present facet of the contact. CrTouchGatherOn uses the given facet, and returns the
   number of its corners. */
void     CrTouchGather(const CrContact *c, const CrTouch *touch, const PetscReal *u, PetscReal *x);
PetscInt CrTouchGatherOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                         const PetscReal *u, PetscReal *x);
/* Computes at->x, the position of the slave of a contact, with the nodes at the displacements u. If the slave belongs
   to a rigid body, the body is at `pose`. */
void CrSlaveAt(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
               CrInstant *at);

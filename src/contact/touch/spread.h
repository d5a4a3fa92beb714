/* The nodes on which the force of a contact acts: the nodes of its slave and of its facet, with the fraction of the
   force on each node, and their positions. A sample is a slave between nodes. */
#pragma once

#include "contact/contact.h"
#include "contact/place.h"

/* The nodes that the forces of a touch act on. The operators treat a sample as one node; each node of the sample gets
   the fraction c of the values of that node. A lifted vertex is likewise one node of the operators (lift.h). A node may
   occur more than once. */
typedef struct {
  PetscInt  n;
  PetscInt  nodes[CR_LIFTED_NODES];  /* local */
  PetscInt  column[CR_LIFTED_NODES]; /* number of the node in the operators G and H */
  PetscReal c[CR_LIFTED_NODES];
} CrSpread;

/* Computes the vertices of a contact: as CrTouchSpread, but a lifted vertex counts as its mid-side node. */
void CrTouchVertices(const CrContact *c, const CrTouch *touch, CrSpread *spread);
/* Compute the nodes of a contact. CrTouchSpread uses the present facet of the contact, and CrTouchSpreadOn the given
   facet. */
void CrTouchSpread(const CrContact *c, const CrTouch *touch, CrSpread *spread);
void CrTouchSpreadOn(const CrContact *c, const CrTouch *touch, PetscInt facet, CrSpread *spread);
/* Nodes of a contact on its present facet: the slave (-1: the slave is no node), then the corners. If the slave is an
   edge: its two nodes, then those of the other edge. */
void CrTouchNodes(const CrContact *c, const CrTouch *touch, PetscInt nodes[CR_CONTACT_NODES]);
/* CrTouchGather computes the positions of all nodes of a contact at the displacements u; a sample counts as one node.
   CrTouchGatherOn computes the positions of the slave and of the corners of a given facet, and returns the number of
   corners. */
void     CrTouchGather(const CrContact *c, const CrTouch *touch, const PetscReal *u, PetscReal *x);
PetscInt CrTouchGatherOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                         const PetscReal *u, PetscReal *x);
/* Computes the position of the slave of a contact, with the nodes at u and its rigid body at `pose`. */
void CrSlaveAt(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
               CrInstant *at);

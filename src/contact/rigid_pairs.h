/* Pairs of rigid bodies, and of rigid bodies and obstacles, with the search for the pair of two bodies. */
#pragma once

#include "contact/contact.h"

/* A contact pair of rigid bodies. The slave is a group of bodies of the model, or one body of a group. The master is a
   group, one body of a group, or an obstacle. */
struct CrRigidPair {
  PetscInt pair, slave, master,
      obstacle; /* number of the pair, groups of slave and master, obstacle; master or obstacle is -1 */
  const CrDeckNode *where;          /* entry of the deck, for messages; borrowed */
  PetscInt slave_body, master_body; /* numbers of single bodies; -1: all bodies of the group */
};

/* Finds the pair of two rigid bodies, or of a rigid body and an obstacle (other is -1). NULL: there is no pair, and
   the bodies pass through one another. A pair that names both bodies takes precedence over a pair that names one body
   and a group. The latter takes precedence over a pair of two groups. *swapped becomes true if the slave of the pair
   is `other`. */
const CrRigidPair *CrContactRigidPairOf(const CrContact *contact, PetscInt body, PetscInt other,
                                        PetscInt obstacle, PetscBool *swapped);
/* Two bodies have the same kind if no pair distinguishes them. kind[b] is the kind of body b; body[k] is one body of
   kind k. The caller frees the arrays with PetscFree2. */
PetscErrorCode CrContactRigidKinds(const CrContact *contact, const CrRigid *rigid, PetscInt *nkinds,
                                   PetscInt **kind, PetscInt **body);

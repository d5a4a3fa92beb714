/* Contact pairs of two rigid bodies, or of a rigid body and an obstacle, and functions that find the pair of two given
   bodies. */
#pragma once

#include "contact/contact.h"

/* A contact pair of rigid bodies. The slave is a group of bodies of the model, or one body of a group. The master is a
   group, one body of a group, or an obstacle. */
struct CrRigidPair {
  /* pair: number of the pair in CrContact. slave, master: numbers of the groups. obstacle: number of the obstacle.
     Either master or obstacle is -1. */
  PetscInt          pair, slave, master, obstacle;
  const CrDeckNode *where; /* entry of the deck; messages print its line; borrowed */
  PetscInt          slave_body, master_body; /* numbers of the bodies; -1: all of the group */
};

/* Returns the pair of the rigid bodies `body` and `other`, or of `body` and `obstacle` (other is then -1). NULL means
   that there is no pair, so that the bodies pass through one another. A pair that names both bodies takes precedence
   over a pair that names one body and a group. A pair of one body and a group takes precedence over a pair of two
   groups. *swapped becomes true if the slave of the pair is `other`. */
const CrRigidPair *CrContactRigidPairOf(const CrContact *contact, PetscInt body, PetscInt other,
                                        PetscInt obstacle, PetscBool *swapped);
/* Groups the rigid bodies into kinds. Two bodies have the same kind if all pairs treat them alike. kind[b] is the kind
   of body b, and body[k] is one body of kind k. The caller frees both arrays with PetscFree2. */
PetscErrorCode CrContactRigidKinds(const CrContact *contact, const CrRigid *rigid, PetscInt *nkinds,
                                   PetscInt **kind, PetscInt **body);

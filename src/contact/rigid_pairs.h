/* Pairs of rigid bodies: who meets whom, and how far they have slid past each other. */
#pragma once

#include "contact/contact.h"

/* A contact pair of rigid bodies. The slave is a group of bodies of the model, or one body of a group. The master is
   the same, or an obstacle. */
struct CrRigidPair {
  PetscInt          pair, slave, master, obstacle; /* groups; one of the last two is -1 */
  const CrDeckNode *where;                         /* borrowed */
  PetscInt          slave_body, master_body;       /* -1: all of the group */
};

/* The pair of two rigid bodies, or of one and an obstacle (other is -1); NULL: they pass through one another. A pair
   that names both bodies singly goes first, then one that names one of them, then one of their groups. *swapped: the
   slave of the pair is `other`. */
const CrRigidPair *CrContactRigidPairOf(const CrContact *contact, PetscInt body, PetscInt other,
                                        PetscInt obstacle, PetscBool *swapped);
/* Two bodies have the same kind if no pair distinguishes them. kind[b] is the kind of body b; body[k] is one body of
   kind k. The caller frees the arrays with PetscFree2. */
PetscErrorCode CrContactRigidKinds(const CrContact *contact, const CrRigid *rigid, PetscInt *nkinds,
                                   PetscInt **kind, PetscInt **body);

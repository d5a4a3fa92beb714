/* Pairs of rigid bodies: who meets whom, and how far they have slid past each other. */
#pragma once

#include "contact/contact.h"

/* Rigid bodies of two groups of the model, or of one and an obstacle; or single ones of them. */
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
/* Bodies that pairs do not tell apart have one kind: kind[body], and body[kind], one of each. The arrays are
   the caller's, for PetscFree2. */
PetscErrorCode CrContactRigidKinds(const CrContact *contact, const CrRigid *rigid, PetscInt *nkinds,
                                   PetscInt **kind, PetscInt **body);

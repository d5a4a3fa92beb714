/* The deck's pairs and their sides. */
#pragma once

#include "contact/contact.h"

/* One side of a pair. */
typedef struct {
  const CrObstacle *obstacle;
  PetscInt          body, set;
  PetscInt          rigid; /* 1 + group of rigid bodies; 0: none */
  PetscInt          copy;  /* 1 + the body that is named singly; 0: all of the group */
} CrSide;

/* The side that a word of the deck names. */
PetscErrorCode CrSideFind(const CrContact *contact, const CrDeckNode *node, CrSide *side);
/* The name of its body or obstacle; borrowed. */
const char *CrSideName(const CrContact *contact, const CrSide *side);

/* Appends a pair with its friction, restitution, and the penalties that are given; zero: automatic ones. */
PetscErrorCode CrPairNew(CrContact *contact, const CrDeckNode *node, CrPair **pair);
/* Automatic penalties: the normal one and where it comes from. */
void CrPairPenalties(CrPair *pair, PetscReal kn, const char text[]);
/* Reads the deck: pairs and passes. */
PetscErrorCode CrPairsRead(CrContact *contact, const CrDeck *deck);
/* A pair of rigid bodies of the deck; and those that `default` finds. */
PetscErrorCode CrRigidPairAdd(CrContact *contact, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **pair);
PetscErrorCode CrRigidPairsFind(CrContact *contact, const CrDeckNode *node);
/* Points of rigid bodies on obstacles, for methods that hold both kinds of bodies with springs. */
PetscErrorCode CrRigidPassesAdd(CrContact *contact);
/* Points of rigid bodies on facets, as the pairs ask. */
PetscErrorCode CrBodyPassesAdd(CrContact *contact);

/* How far rigid bodies slide; of one pair that has no points: mean, least, greatest. */
PetscErrorCode CrSlidesCreate(CrContact *contact);
PetscErrorCode CrSlidesDestroy(CrContact *contact);
PetscErrorCode CrSlidesArchive(CrContact *contact, CrArchive *archive);
void           CrSlidesOfPair(const CrContact *contact, PetscInt pair, PetscReal slip[3]);
/* One slip more among n: their sum, least, greatest. */
void CrSlipCount(PetscReal s, PetscReal slip[3], PetscInt *n);

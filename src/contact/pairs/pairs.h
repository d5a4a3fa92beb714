/* Reads the contact pairs of the deck: their sides, and the passes that they need. */
#pragma once

#include "contact/rigid_pairs.h"

/* One side of a pair: an obstacle, a surface of a deformable body, or a group of rigid bodies. */
typedef struct {
  const CrObstacle *obstacle;  /* NULL: none; borrowed */
  PetscInt          body, set; /* numbers of the deformable body and of its surface; -1: none */
  PetscInt          rigid;     /* 1 + number of the group of rigid bodies; 0: none */
  PetscInt          copy;      /* 1 + number of the one body of the group that is meant; 0: all */
} CrSide;

/* Finds the side that a word of the deck names. */
PetscErrorCode CrSideFind(const CrContact *contact, const CrDeckNode *node, CrSide *side);
/* The name of the body or obstacle of a side; borrowed. */
const char *CrSideName(const CrContact *contact, const CrSide *side);

/* Appends a pair with its friction, restitution, and the penalties that are given; zero: automatic ones. */
PetscErrorCode CrPairNew(CrContact *contact, const CrDeckNode *node, CrPair **pair);
/* Do nodes meet facets by springs under the method of the deck? Other methods let nothing pass, and must not have
   a constraint twice. */
PetscBool CrMethodHasSprings(const CrDeck *deck);
/* Does it let only points of the finer surface meet the other one, by exact laws? */
PetscBool CrMethodTakesFiner(const CrDeck *deck);
/* Reads which points the pair has: `sides`, `cone`, `corner`. `auto` is replaced by what the method can. The second
   function finds the key by which the deck chooses sides; NULL: it does not. */
PetscErrorCode    CrPairSides(const CrContact *contact, const CrDeckNode *node, CrPair *pair);
const CrDeckNode *CrPairSidesGiven(const CrDeckNode *node);
/* Says once how the older key `passes` is read. */
void CrPairsNotePasses(const CrContact *contact);
/* Automatic penalties: the normal one and where it comes from. */
void CrPairPenalties(CrPair *pair, PetscReal kn, const char text[]);
/* Reads the deck: pairs and passes. */
PetscErrorCode CrPairsRead(CrContact *contact, const CrDeck *deck);
/* Adds a pair of rigid bodies that the deck lists. The second function adds those that `default` implies. */
PetscErrorCode CrRigidPairAdd(CrContact *contact, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **pair);
PetscErrorCode CrRigidPairsFind(CrContact *contact, const CrDeckNode *node);
/* Adds passes of points of rigid bodies on obstacles. */
PetscErrorCode CrRigidPassesAdd(CrContact *contact);
/* Adds passes of points of rigid bodies on facets, for pairs that ask for them. */
PetscErrorCode CrBodyPassesAdd(CrContact *contact);

/* Numbers for the bodies that pairs of rigid bodies have as slaves. */
PetscErrorCode CrSlidesCreate(CrContact *contact);
/* How far they have slid in one pair: mean, least, greatest. */
void CrSlidesOfPair(const CrContact *contact, PetscInt pair, PetscReal slip[3]);
/* Counts one slip more among n: their sum, least, greatest. */
void CrSlipCount(PetscReal s, PetscReal slip[3], PetscInt *n);

/* Reads the contact pairs of the deck and their sides, and creates their passes. A pass tests all slaves of one side of
   a pair for contact with the other side. */
#pragma once

#include "contact/rigid_pairs.h"

/* One side of a pair: an obstacle, a surface of a deformable body, or a group of rigid bodies. */
typedef struct {
  const CrObstacle *obstacle;  /* NULL: none; borrowed */
  PetscInt          body, set; /* numbers of the deformable body and of its surface; -1: none */
  PetscInt          rigid;     /* 1 + number of the group of rigid bodies; 0: none */
  /* 1 + number of the selected body of the group; 0: all bodies of the group */
  PetscInt copy;
} CrSide;

/* Finds the side that a word of the deck names. */
PetscErrorCode CrSideFind(const CrContact *contact, const CrDeckNode *node, CrSide *side);
/* Returns the name of the body or obstacle of a side; borrowed. */
const char *CrSideName(const CrContact *contact, const CrSide *side);

/* If the meshes of both sides are equally fine, exact laws use only the points of one side as slaves. CrSideLeads
   returns true if `side` has these slaves. The names of the bodies decide, so that neither the order of bodies in the
   deck nor that of `between` matters. Within one body, `reversed` marks the side that `between` names second. */
PetscBool CrSideLeads(const CrContact *contact, const CrSide *side, const CrSide *other,
                      PetscBool reversed);

/* Appends a pair with the friction, restitution and penalties of the deck. A penalty of zero is replaced by an
   automatic one later. */
PetscErrorCode CrPairNew(CrContact *contact, const CrDeckNode *node, CrPair **pair);
/* Sets the flags `springs`, `sweeps` and `tight` of the contact, according to the integration method of the deck. */
void CrContactSuitMethod(CrContact *contact, const CrDeck *deck);
/* CrPairSides reads the keys that choose the slaves of a pair: `sides`, `cone`, `corner`, `samples`. It replaces the
   value `auto` by a choice that suits the method. CrPairSidesGiven finds the key by which the deck chooses sides; NULL:
   the deck has no such key. */
PetscErrorCode    CrPairSides(const CrContact *contact, const CrDeckNode *node, CrPair *pair);
const CrDeckNode *CrPairSidesGiven(const CrDeckNode *node);
/* Prints a message once that explains how the program interprets the older key `passes`. */
void CrPairsNotePasses(const CrContact *contact);
/* Sets the penalties of a pair that the deck does not give. kn is the automatic normal penalty, text its origin for the
   log. The tangential penalty becomes equal to the normal one. */
void CrPairPenalties(CrPair *pair, PetscReal kn, const char text[]);
/* Reads all pairs of the deck, and creates their passes. */
PetscErrorCode CrPairsRead(CrContact *contact, const CrDeck *deck);
/* CrRigidPairAdd adds a pair of rigid bodies that the deck lists. CrRigidPairsFind adds the pairs that the key
   `default` implies. */
PetscErrorCode CrRigidPairAdd(CrContact *contact, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **pair);
PetscErrorCode CrRigidPairsFind(CrContact *contact, const CrDeckNode *node);
/* Returns the shape of a rigid side. */
const CrShape *CrSideShape(const CrContact *contact, const CrSide *side);
/* Returns true if cones of normals decide which facets a rigid body may touch. This is so if the body has sharp
   corners; round shapes have no corners. */
PetscBool CrPairHasCones(const CrContact *contact, const CrPair *pair, const CrSide *rigid);
/* Reads which side is the slave in a pair of a deformable and a rigid body. */
void CrPairSlaves(const CrContact *contact, const CrDeckNode *node, const CrSide *slave,
                  const CrSide *master, CrPair *pair);
/* Appends a pass. Its points are numbered after all other points. */
PetscErrorCode CrPassAdd(CrContact *contact, CrPass pass);
/* Adds passes of points of rigid bodies on obstacles. */
PetscErrorCode CrRigidPassesAdd(CrContact *contact);
/* Adds passes of points of rigid bodies on facets, for pairs with such slaves. */
PetscErrorCode CrBodyPassesAdd(CrContact *contact);

/* Adds passes of sharp edges on sharp edges (3D) for the passes of nodes on facets from number `from` on. */
PetscErrorCode CrEdgePassesAdd(CrContact *contact, PetscInt from);

/* Adds passes of samples for the n passes of nodes on facets from number `from` on, if their pairs have samples. */
PetscErrorCode CrSamplePassesAdd(CrContact *contact, PetscInt from, PetscInt n);

/* Ends with an error message if the deck has `samples` in a pair where one side has no facets. */
PetscErrorCode CrPairCheckSamples(const CrDeckNode *node, const CrSide *slave,
                                  const CrSide *master);

/* Adds two passes of edges on edges (3D) to the pass k of nodes on a rigid body: sharp edges of the surface as slaves,
   and sharp edges of the body as slaves. */
PetscErrorCode CrBodyEdgePassesAdd(CrContact *contact, PetscInt k);

/* Returns the number of slaves of a pair of rigid bodies. *first is the number of the first body among them. */
PetscInt CrRigidSlaves(const CrContact *contact, const CrRigidPair *pair, PetscInt *first);
/* Numbers the slaves of all pairs of rigid bodies (CrContact.slide_of). */
PetscErrorCode CrSlidesCreate(CrContact *contact);
/* Computes the mean, least and greatest slip of the slaves of one pair of rigid bodies. */
void CrSlidesOfPair(const CrContact *contact, PetscInt pair, PetscReal slip[3]);
/* Adds the slip s of one more slave to the sum, least and greatest slip of *n slaves. */
void CrSlipCount(PetscReal s, PetscReal slip[3], PetscInt *n);

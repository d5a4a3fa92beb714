/* Functions that read the contact pairs of the deck and their sides, and create their contact passes. A contact pass
   tests all slaves of one side of a pair for contact with the other side, the master. */
#pragma once

#include "contact/rigid_pairs.h"

/* One side of a pair: an obstacle, a surface of a deformable body, or a group of rigid bodies. */
typedef struct {
  const CrObstacle *obstacle;  /* NULL: none; borrowed */
  PetscInt          body, set; /* numbers of the deformable body and of its node set; -1: none */
  PetscInt          rigid;     /* 1 + number of the group of rigid bodies; 0: none */
  /* 1 + number of the rigid body in the model, if the deck selects one body of the group; 0: all bodies of the group */
  PetscInt copy;
} CrSide;

/* Finds the side that the word at `node` of the parsed deck names. */
PetscErrorCode CrSideFind(const CrContact *contact, const CrDeckNode *node, CrSide *side);
/* Returns the name of the body or obstacle of a side. The caller must not free the name. */
const char *CrSideName(const CrContact *contact, const CrSide *side);

/* Returns true if `side`, and not `other`, has the slaves of a pair whose two meshes are equally fine. Exact laws use
   only the points of one side as slaves. The names of the bodies decide. So the result depends neither on the order of
   bodies in the deck nor on their order in the key `between`. If both sides belong to one body, `reversed` marks the
   side that `between` names second. */
PetscBool CrSideLeads(const CrContact *contact, const CrSide *side, const CrSide *other,
                      PetscBool reversed);

/* Appends to contact->pairs a pair with the friction, restitution and penalties that the deck gives at `node`. A
   penalty of zero is replaced later by an automatic one. */
PetscErrorCode CrPairNew(CrContact *contact, const CrDeckNode *node, CrPair **pair);
/* Sets the flags `springs`, `sweeps` and `tight` of the contact, according to the integration method of the deck. */
void CrContactSuitMethod(CrContact *contact, const CrDeck *deck);
/* CrPairSides reads the keys that choose the slaves of a pair: `sides`, `cone`, `corner`, `samples`. CrPairSides
   replaces the value `auto` by a choice that suits the integration method. CrPairSidesGiven returns the entry of the
   deck that chooses the sides of the pair at `node`; NULL: there is none. */
PetscErrorCode    CrPairSides(const CrContact *contact, const CrDeckNode *node, CrPair *pair);
const CrDeckNode *CrPairSidesGiven(const CrDeckNode *node);
/* Prints a message once that explains how the program interprets the older key `passes`. */
void CrPairsNotePasses(const CrContact *contact);
/* Sets those penalties of a pair that the deck does not give. kn is the automatic normal penalty, and `text` describes
   for the log how it was found. The automatic tangential penalty is equal to the normal penalty. */
void CrPairPenalties(CrPair *pair, PetscReal kn, const char text[]);
/* Reads all pairs of the deck, and creates their passes. */
PetscErrorCode CrPairsRead(CrContact *contact, const CrDeck *deck);
/* CrRigidPairAdd adds a pair of rigid sides that the deck lists. CrRigidPairsFind adds the pairs of rigid sides that
   the key `default` implies. */
PetscErrorCode CrRigidPairAdd(CrContact *contact, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **pair);
PetscErrorCode CrRigidPairsFind(CrContact *contact, const CrDeckNode *node);
/* Returns the shape of a rigid side. */
const CrShape *CrSideShape(const CrContact *contact, const CrSide *side);
/* Returns true if cones of normals decide which facets a rigid body may touch. This is so if the body has sharp
   corners. Round shapes have no corners. */
PetscBool CrPairHasCones(const CrContact *contact, const CrPair *pair, const CrSide *rigid);
/* Reads the key `slaves`, which says whether nodes or points of the rigid body are slaves in a pair of a deformable and
   a rigid body. */
void CrPairSlaves(const CrContact *contact, const CrDeckNode *node, const CrSide *slave,
                  const CrSide *master, CrPair *pair);
/* Appends a pass to contact->passes. The contact points of the new pass are numbered after the points of all earlier
   passes. */
PetscErrorCode CrPassAdd(CrContact *contact, CrPass pass);
/* Adds passes in which points of rigid bodies touch obstacles. */
PetscErrorCode CrRigidPassesAdd(CrContact *contact);
/* Adds passes in which points of rigid bodies touch facets, for pairs with such slaves. */
PetscErrorCode CrBodyPassesAdd(CrContact *contact);

/* Adds passes in which sharp edges touch sharp edges (3D). The function adds such passes for each pass of nodes on
   facets, from pass number `from` on. */
PetscErrorCode CrEdgePassesAdd(CrContact *contact, PetscInt from);

/* Adds passes in which samples touch facets, if the pair has samples. The function adds such a pass for each of the n
   passes of nodes on facets, from pass number `from` on. */
PetscErrorCode CrSamplePassesAdd(CrContact *contact, PetscInt from, PetscInt n);

/* Adds passes in which points of long sharp edges touch facets (3D), with the same arguments. There is no such pass if
   no sharp edge is longer than the facets of the other side. */
PetscErrorCode CrLongEdgePassesAdd(CrContact *contact, PetscInt from, PetscInt n);
/* Adds such points of the edges of a rigid body to a pass of its corners on facets. */
PetscErrorCode CrBodyEdgePointsAdd(CrContact *contact, CrPass *pass);

/* Ends the program with an error message if the deck has the key `samples` in a pair where one side has no facets. */
PetscErrorCode CrPairCheckSamples(const CrDeckNode *node, const CrSide *slave,
                                  const CrSide *master);

/* Adds two passes in which edges touch edges (3D), for pass number k of nodes on a rigid body. In one pass sharp edges
   of the surface are slaves, and in the other pass sharp edges of the rigid body. */
PetscErrorCode CrBodyEdgePassesAdd(CrContact *contact, PetscInt k);

/* Returns the number of bodies that are slaves of a pair of rigid bodies. *first is the number of the first of these
   bodies. */
PetscInt CrRigidSlaves(const CrContact *contact, const CrRigidPair *pair, PetscInt *first);
/* Numbers the slaves of all pairs of rigid bodies (CrContact.slide_of). */
PetscErrorCode CrSlidesCreate(CrContact *contact);
/* Computes the mean, least and greatest slip of the slaves of one pair of rigid bodies. */
void CrSlidesOfPair(const CrContact *contact, PetscInt pair, PetscReal slip[3]);
/* Updates slip[], the sum, least and greatest slip of *n slaves, by the slip s of one more slave. Increases *n by
   one. */
void CrSlipCount(PetscReal s, PetscReal slip[3], PetscInt *n);

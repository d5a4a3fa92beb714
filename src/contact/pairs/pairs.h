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

/* Of two sides that are equally fine, does this one have the points of exact laws? By names, so that neither the order of
   bodies in the deck nor that of `between` matters. reversed: within one body, the side that is named second. */
PetscBool CrSideLeads(const CrContact *contact, const CrSide *side, const CrSide *other,
                      PetscBool reversed);

/* Appends a pair with its friction, restitution, and the penalties that are given; zero: automatic ones. */
PetscErrorCode CrPairNew(CrContact *contact, const CrDeckNode *node, CrPair **pair);
/* Do nodes meet facets by springs under the method of the deck? Other methods let nothing pass, and must not have
   a constraint twice. */
PetscBool CrMethodHasSprings(const CrDeck *deck);
/* Does it let only points of the finer surface meet the other one, by exact laws? */
PetscBool CrMethodTakesFiner(const CrDeck *deck);
/* Does it find multipliers by few sweeps over the points? */
PetscBool CrMethodSweeps(const CrDeck *deck);
/* Do its exact laws say that nothing is inside at the end of a step? */
PetscBool CrMethodIsTight(const CrDeck *deck);
/* Reads which points the pair has: `sides`, `cone`, `corner`, `samples`. `auto` is replaced by what the method can. The second
   function finds the key by which the deck chooses sides; NULL: it does not. */
PetscErrorCode    CrPairSides(const CrContact *contact, const CrDeckNode *node, CrPair *pair);
const CrDeckNode *CrPairSidesGiven(const CrDeckNode *node);
/* Says once how the older key `passes` is read. */
void CrPairsNotePasses(const CrContact *contact);
/* Sets the penalties of a pair: the normal one, and a text that says where it comes from. */
void CrPairPenalties(CrPair *pair, PetscReal kn, const char text[]);
/* Reads the deck: pairs and passes. */
PetscErrorCode CrPairsRead(CrContact *contact, const CrDeck *deck);
/* Adds a pair of rigid bodies that the deck lists. The second function adds those that `default` implies. */
PetscErrorCode CrRigidPairAdd(CrContact *contact, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **pair);
PetscErrorCode CrRigidPairsFind(CrContact *contact, const CrDeckNode *node);
/* The shape of a rigid side. */
const CrShape *CrSideShape(const CrContact *contact, const CrSide *side);
/* Do cones of normals decide what a rigid body touches? They do if it has sharp corners; round shapes have none. */
PetscBool CrPairHasCones(const CrContact *contact, const CrPair *pair, const CrSide *rigid);
/* Reads what is slave between a deformable and a rigid side. */
void CrPairSlaves(const CrContact *contact, const CrDeckNode *node, const CrSide *slave,
                  const CrSide *master, CrPair *pair);
/* Adds passes of points of rigid bodies on obstacles. */
PetscErrorCode CrRigidPassesAdd(CrContact *contact);
/* Adds passes of points of rigid bodies on facets, for pairs that ask for them. */
PetscErrorCode CrBodyPassesAdd(CrContact *contact);

/* Under exact laws without sweeps an edge meets other edges only if it turns by more than so many times `corner`: coarse meshes of round
   bodies turn by 20 to 30 degrees from facet to facet, and no law may be stated twice. */
#define CR_EXACT_CORNERS 2
/* Adds passes of sharp edges on sharp edges (3D) beside the passes of nodes on facets from number `from` on. */
PetscErrorCode CrEdgePassesAdd(CrContact *contact, PetscInt from);

/* Adds passes of samples beside the n passes of nodes on facets from number `from` on, for pairs that ask for them. */
PetscErrorCode CrSamplePassesAdd(CrContact *contact, PetscInt from, PetscInt n);

/* Refuses `samples` where one side has no facets. */
PetscErrorCode CrPairCheckSamples(const CrDeckNode *node, const CrSide *slave,
                                  const CrSide *master);

/* Adds passes of the sharp edges of a rigid body and of a surface (3D), either one as the slave, beside the pass k of
   nodes on the body. */
PetscErrorCode CrBodyEdgePassesAdd(CrContact *contact, PetscInt k);

/* Bodies that a pair of rigid bodies has as slaves: the number of the first, and (returned) how many. */
PetscInt CrRigidSlaves(const CrContact *contact, const CrRigidPair *pair, PetscInt *first);
/* Gives numbers to the bodies that are slaves in pairs of rigid bodies. */
PetscErrorCode CrSlidesCreate(CrContact *contact);
/* Slip of the slaves of one pair of rigid bodies: mean, least and greatest. */
void CrSlidesOfPair(const CrContact *contact, PetscInt pair, PetscReal slip[3]);
/* Adds a slip to those of n slaves: their sum, least and greatest. */
void CrSlipCount(PetscReal s, PetscReal slip[3], PetscInt *n);

/* The ledger of contact. Every method enters each pressed contact here: its state (sticking, slipping, smooth),
   force, friction loss, slip and penetration. The report of a step and contacts.csv are sums of these entries. */
#pragma once

#include "contact/laws/law.h"
#include "model/audit.h"
#include "model/history.h"

/* Sums over contacts in one step. All members are reals, so that a sum over parts of a step, or over ranks, is a sum of
   rows of numbers. Such a sum adds all members except max_penetration, of which it uses the greatest value. */
typedef struct {
  /* numbers of contact points; `points` is the sum of the other three */
  PetscReal points, sticking, slipping, smooth;
  PetscReal loss;    /* energy that friction dissipates */
  PetscReal dropped; /* the part of the loss that was stored in springs of points that slid off */
  /* Only for pairs, not for the total: the force on the slave, and its part along the normals. If the master is an
     obstacle: the moment about the origin, and the work of the obstacle's motion. Tables multiply forces by
     CrPairSign. */
  PetscReal force[3], normal[3], moment[3], drive;
  PetscReal max_penetration;
} CrTallySums;

typedef struct {
  PetscInt     npairs;
  CrTallySums  total;
  CrTallySums *pairs;              /* [npairs]; owned, like the other arrays */
  PetscInt     nentered, *entered; /* pairs with an entry in this step */
  PetscBool   *has_entry;          /* [npairs] */
  /* Slip of the rigid bodies that are slaves of pairs: a vector in space, and the sum of its weights. If `past` is not
     NULL, the ledger continues the slips of the history. Else the vector is the sum of slip times weight in this step.
     */
  const CrContactPast *past; /* borrowed */
  PetscReal (*slides)[4];    /* [nslides] */
  PetscInt nslid, *slid;     /* slaves with an entry in this step */
  /* The history to which losses and slips since the start are added, and in which pairs that have touched are marked.
     NULL: the ledger is for a part of a step. Borrowed. */
  CrContactHistory *history;
} CrTally;

/* Creates an empty ledger. `past` is NULL, except for ledgers that sum several parts of a step. */
PetscErrorCode CrTallyCreate(PetscInt npairs, PetscInt nslides, const CrContactPast *past,
                             CrTally *tally);
PetscErrorCode CrTallyDestroy(CrTally *tally);
/* Deletes all entries of the ledger. The history of an accepted step gets the losses, the slips, and the marks of
   pairs that have touched; `history` is NULL for a part of a step. */
void CrTallyBegin(CrTally *tally, CrContactHistory *history);

/* Enters a contact of a pair, with the force on the pair's slave and the unit normal, in either direction. Open
   contacts are not counted. */
void CrTallyPoint(CrTally *tally, PetscInt pair, CrContactStatus status, const PetscReal force[3],
                  const PetscReal nu[3]);
/* Enters the moment about the origin that an obstacle exerts at a contact, and the work of its motion there. */
void CrTallyObstacle(CrTally *tally, PetscInt pair, const PetscReal moment[3], PetscReal work);
/* Enters the friction loss of a contact. The contact may be open at the end of the step. */
void CrTallyLoss(CrTally *tally, PetscInt pair, PetscReal loss);
/* Enters the slip size * along of a point, in space, into the history. */
void CrTallySlip(CrTally *tally, PetscInt point, PetscReal size, const PetscReal along[3]);
/* Enters the slip of a contact of a rigid body, in space, times a weight (normal impulse). The slip of the body is the
   mean over its contacts. */
void CrTallySlide(CrTally *tally, PetscInt slide, PetscReal weight, const PetscReal weighted[3]);
/* Enters the energy of the springs of a contact that slid off a surface. This energy is lost. */
void CrTallyDrop(CrTally *tally, PetscInt pair, PetscReal energy);
/* Enters the gap of a contact; positive gaps are not counted. */
void CrTallyGap(CrTally *tally, PetscInt pair, PetscReal gap);

/* Adds the entries of another ledger, for steps that consist of several parts. */
void CrTallyAdd(CrTally *tally, const CrTally *part);
/* Adds up the entries of all ranks, where each rank has entered its own contacts: every rank then has the sums of all.
   Collective. */
PetscErrorCode CrTallyReduce(CrTally *tally, MPI_Comm comm);
/* Do the same as CrTallyReduce, for callers that already exchange data between ranks. CrTallyPack writes numbers to be
   summed, and numbers of which the greatest counts. CrTallyUnpack reads the results of the reduction. The other two
   functions say how many numbers there are. */
PetscInt CrTallySumCount(const CrTally *tally);
PetscInt CrTallyGreatestCount(const CrTally *tally);
void     CrTallyPack(const CrTally *tally, PetscReal *sums, PetscReal *greatest);
void     CrTallyUnpack(CrTally *tally, const PetscReal *sums, const PetscReal *greatest);
/* Replaces the entries of a ledger, which has the losses of this rank, by the entries of all ranks. */
void CrTallyTake(CrTally *tally, const CrTally *all);
/* Copies the sums over all pairs in this step into the report of the step. */
void CrTallyReport(const CrTally *tally, CrStepReport *report);

/* The ledger of contact, which sums the results of all contact points in a step. Every integration method enters each
   pressed contact: its state (sticking, slipping, smooth), force, friction loss, slip and penetration. The report of a
   step and the file contacts.csv show sums of these entries. */
#pragma once

#include "contact/laws/law.h"
#include "model/audit.h"
#include "model/history.h"

/* Sums over the contacts in one step. All members are reals, so that the struct can be summed over ranks like an array
   of numbers. A sum over ranks or over parts of a step adds all members except max_penetration, of which it takes the
   greatest value. */
typedef struct {
  /* numbers of pressed contact points by state; `points` is the sum of the other three */
  PetscReal points, sticking, slipping, smooth;
  PetscReal loss;    /* energy that friction dissipates */
  PetscReal dropped; /* part of `loss`: energy in the springs of points that slid off a surface */
  /* These members are used for single pairs, not for the total. `force` is the force on the slave, and `normal` is its
     part along the contact normals. If the master is an obstacle, `moment` is its moment about the origin and `drive`
     is the work of its motion. Tables multiply forces by CrPairSign. */
  PetscReal force[3], normal[3], moment[3], drive;
  PetscReal max_penetration;
} CrTallySums;

typedef struct {
  PetscInt     npairs;
  CrTallySums  total;
  CrTallySums *pairs;              /* [npairs]; owned, like the other arrays */
  PetscInt     nentered, *entered; /* numbers of the pairs with an entry in this step */
  PetscBool   *has_entry;          /* [npairs] */
  /* Slip of the rigid bodies that are slaves of pairs. slides[k] has three components of a vector in space and the sum
     of the weights. If `past` is NULL, the vector is the sum of slip times weight in this step. Otherwise the ledger
     continues the slips of the history `past`. */
  const CrContactPast *past; /* borrowed */
  PetscReal (*slides)[4];    /* [nslides] */
  PetscInt nslid, *slid;     /* indices in `slides` of bodies with an entry in this step */
  /* The history to which the ledger adds losses and slips, and in which it marks pairs that have touched. NULL: the
     ledger is for a part of a step. Borrowed. */
  CrContactHistory *history;
} CrTally;

/* Creates an empty ledger for npairs pairs and nslides rigid slaves. `past` is NULL, except for ledgers that sum
   several parts of a step. */
PetscErrorCode CrTallyCreate(PetscInt npairs, PetscInt nslides, const CrContactPast *past,
                             CrTally *tally);
PetscErrorCode CrTallyDestroy(CrTally *tally);
/* Deletes all entries of the ledger. Later entries add their losses, slips, and marks of pairs that have touched to
   `history`. `history` is NULL for a part of a step. */
void CrTallyBegin(CrTally *tally, CrContactHistory *history);

/* Enters a contact of a pair with the state `status`, the force on the pair's slave, and the unit normal nu (of either
   sign). An open contact is not counted. */
void CrTallyPoint(CrTally *tally, PetscInt pair, CrContactStatus status, const PetscReal force[3],
                  const PetscReal nu[3]);
/* Enters the moment about the origin that an obstacle exerts at a contact, and the work that the obstacle's motion does
   at this contact. */
void CrTallyObstacle(CrTally *tally, PetscInt pair, const PetscReal moment[3], PetscReal work);
/* Enters the friction loss of a contact. The contact may be open at the end of the step. */
void CrTallyLoss(CrTally *tally, PetscInt pair, PetscReal loss);
/* Adds to the history the slip of a contact point in this step, the vector size * along in space. */
void CrTallySlip(CrTally *tally, PetscInt point, PetscReal size, const PetscReal along[3]);
/* Enters the slip of one contact of a rigid body. `weighted` is the slip vector in space times `weight`, the normal
   impulse. The slip of the body is the weighted mean over its contacts. */
void CrTallySlide(CrTally *tally, PetscInt slide, PetscReal weight, const PetscReal weighted[3]);
/* Enters the spring energy of a contact whose slave slid off the surface. This energy counts as lost. */
void CrTallyDrop(CrTally *tally, PetscInt pair, PetscReal energy);
/* Updates max_penetration by the gap of a contact. A positive gap changes nothing. */
void CrTallyGap(CrTally *tally, PetscInt pair, PetscReal gap);

/* Adds to `tally` the entries of the ledger `part`, for steps that consist of several parts. */
void CrTallyAdd(CrTally *tally, const CrTally *part);
/* Adds up the ledgers of all ranks, where each rank has entered its own contacts. Every rank then has the sums over all
   ranks. Collective. */
PetscErrorCode CrTallyReduce(CrTally *tally, MPI_Comm comm);
/* Do the same as CrTallyReduce, for callers that already exchange data between ranks. CrTallyPack writes to sums[] the
   numbers to be summed, and to greatest[] the numbers of which the maximum is taken. CrTallyUnpack reads the results of
   this reduction. CrTallySumCount and CrTallyGreatestCount return the lengths of sums[] and greatest[]. */
PetscInt CrTallySumCount(const CrTally *tally);
PetscInt CrTallyGreatestCount(const CrTally *tally);
void     CrTallyPack(const CrTally *tally, PetscReal *sums, PetscReal *greatest);
void     CrTallyUnpack(CrTally *tally, const PetscReal *sums, const PetscReal *greatest);
/* Replaces the entries of `tally`, which has the contacts of this rank, by the entries of `all`, which has the contacts
   of all ranks. */
void CrTallyTake(CrTally *tally, const CrTally *all);
/* Copies to the report of the step the sums over all pairs in this step. */
void CrTallyReport(const CrTally *tally, CrStepReport *report);

/* The ledger of contact. Every method enters each pressed contact here: its state (sticking, slipping, smooth),
   force, friction loss and penetration. The report of a step and contacts.csv are sums of these entries. */
#pragma once

#include "contact/laws/law.h"
#include "model/audit.h"
#include "model/history.h"

/* Sums over contacts in one step. */
typedef struct {
  PetscInt  points, sticking, slipping, smooth; /* points is the sum of the other three */
  PetscReal loss;                               /* energy that friction dissipates */
  PetscReal dropped; /* the part of the loss that was in springs of points that slid off */
  PetscReal max_penetration;
  PetscReal force[3]; /* force on the slave; only pairs have it, the total has not */
} CrTallySums;

typedef struct {
  PetscInt     npairs;
  CrTallySums  total;
  CrTallySums *pairs;              /* [npairs]; owned, as the others */
  PetscInt     nentered, *entered; /* pairs with an entry in this step: */
  PetscBool   *has_entry;          /* [npairs] */
  /* Losses since the start and the pairs that have met go here; NULL for a part of a step. Borrowed. */
  CrContactHistory *history;
} CrTally;

PetscErrorCode CrTallyCreate(PetscInt npairs, CrTally *tally);
PetscErrorCode CrTallyDestroy(CrTally *tally);
/* An accepted step is entered, from zero; history: gets losses and who has met, NULL for the parts of a step. */
void CrTallyBegin(CrTally *tally, CrContactHistory *history);

/* Enters a contact of a pair, with the force on the pair's slave. Open contacts are not counted. */
void CrTallyPoint(CrTally *tally, PetscInt pair, CrContactStatus status, const PetscReal force[3]);
/* Enters the friction loss of a contact. The contact may be open at the end of the step. */
void CrTallyLoss(CrTally *tally, PetscInt pair, PetscReal loss);
/* Enters the energy of the springs of a contact that slid off a surface: it is lost. */
void CrTallyDrop(CrTally *tally, PetscInt pair, PetscReal energy);
/* Enters the gap of a contact; positive gaps are not counted. */
void CrTallyGap(CrTally *tally, PetscInt pair, PetscReal gap);

/* Adds the entries of another ledger, for steps that consist of several parts. */
void CrTallyAdd(CrTally *tally, const CrTally *part);
/* Copies the totals of the step into the report. */
void CrTallyReport(const CrTally *tally, CrStepReport *report);

/* The ledger of contact. Every pressed contact of every method is entered here: how it holds, its force, what friction
   takes from it, how deep it is. What a step reports and what contacts.csv shows are the sums of these entries. */
#pragma once

#include "contact/laws/law.h"
#include "model/audit.h"
#include "model/history.h"

/* Sums over contacts in one step. */
typedef struct {
  PetscInt  points, sticking, slipping, smooth; /* points: the sum of the other three */
  PetscReal loss;                               /* energy that friction takes */
  PetscReal max_penetration;
  PetscReal force[3]; /* on the slave; of a pair only */
} CrTallySums;

typedef struct {
  PetscInt     npairs;
  CrTallySums  total;
  CrTallySums *pairs;              /* [npairs]; owned, as the others */
  PetscInt     nentered, *entered; /* pairs with an entry in this step: */
  PetscBool   *has_entry;          /* [npairs] */
  CrContactHistory *
      history; /* of the contact: losses since the start, and who has met; NULL: of a part; borrowed */
} CrTally;

PetscErrorCode CrTallyCreate(PetscInt npairs, CrTally *tally);
PetscErrorCode CrTallyDestroy(CrTally *tally);
/* An accepted step is entered, from zero; history: gets losses and who has met, NULL for the parts of a step. */
void CrTallyBegin(CrTally *tally, CrContactHistory *history);

/* Enters a contact of a pair. One that is open counts nowhere. force: on the slave of the pair. */
void CrTallyPoint(CrTally *tally, PetscInt pair, CrContactStatus status, const PetscReal force[3]);
/* Enters the loss of a contact, which may have opened in the step. */
void CrTallyLoss(CrTally *tally, PetscInt pair, PetscReal loss);
/* Enters a gap; those that are open count nowhere. */
void CrTallyGap(CrTally *tally, PetscInt pair, PetscReal gap);

/* Enters all that another ledger has of its step: for steps that are made of parts. */
void CrTallyAdd(CrTally *tally, const CrTally *part);
/* The totals of the step. */
void CrTallyReport(const CrTally *tally, CrStepReport *report);

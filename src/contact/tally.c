#include "contact/tally.h"

PetscErrorCode CrTallyCreate(PetscInt npairs, CrTally *tally)
{
  PetscFunctionBeginUser;
  *tally = (CrTally){.npairs = npairs};
  PetscCall(
      PetscCalloc3(npairs, &tally->pairs, npairs, &tally->entered, npairs, &tally->has_entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTallyDestroy(CrTally *tally)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree3(tally->pairs, tally->entered, tally->has_entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrTallyBegin(CrTally *tally, CrContactHistory *history)
{
  static const CrTallySums zero = {0};

  tally->total = zero;
  tally->history = history;
  for (PetscInt k = 0; k < tally->nentered; k++) {
    tally->pairs[tally->entered[k]] = zero;
    tally->has_entry[tally->entered[k]] = PETSC_FALSE;
  }
  tally->nentered = 0;
}

/* The sums of a pair, which gets an entry in this step. Few of many pairs have one, and a part of a step must
   not cost more than its contacts. */
static CrTallySums *sums_of(CrTally *tally, PetscInt pair)
{
  if (!tally->has_entry[pair]) {
    tally->has_entry[pair] = PETSC_TRUE;
    tally->entered[tally->nentered++] = pair;
  }
  return &tally->pairs[pair];
}

static void count(CrTallySums *sums, CrContactStatus status)
{
  sums->points++;
  sums->sticking += status == CR_STICKING;
  sums->slipping += status == CR_SLIPPING;
  sums->smooth += status == CR_SMOOTH;
}

void CrTallyPoint(CrTally *tally, PetscInt pair, CrContactStatus status, const PetscReal force[3])
{
  CrTallySums *sums = sums_of(tally, pair);

  if (status == CR_OPEN) return;
  count(&tally->total, status);
  count(sums, status);
  for (int i = 0; i < 3; i++) sums->force[i] += force[i];
  if (tally->history) tally->history->met[pair] = 1;
}

void CrTallyLoss(CrTally *tally, PetscInt pair, PetscReal loss)
{
  tally->total.loss += loss;
  sums_of(tally, pair)->loss += loss;
  if (tally->history) tally->history->loss[pair] += loss;
}

void CrTallyDrop(CrTally *tally, PetscInt pair, PetscReal energy)
{
  CrTallyLoss(tally, pair, energy);
  tally->total.dropped += energy;
  tally->pairs[pair].dropped += energy;
}

void CrTallyGap(CrTally *tally, PetscInt pair, PetscReal gap)
{
  CrTallySums *sums = sums_of(tally, pair);

  tally->total.max_penetration = PetscMax(tally->total.max_penetration, -gap);
  sums->max_penetration = PetscMax(sums->max_penetration, -gap);
}

static void add(CrTallySums *to, const CrTallySums *from)
{
  to->points += from->points;
  to->sticking += from->sticking;
  to->slipping += from->slipping;
  to->smooth += from->smooth;
  to->loss += from->loss;
  to->dropped += from->dropped;
  to->max_penetration = PetscMax(to->max_penetration, from->max_penetration);
  for (int i = 0; i < 3; i++) to->force[i] += from->force[i];
}

void CrTallyAdd(CrTally *tally, const CrTally *part)
{
  add(&tally->total, &part->total);
  for (PetscInt k = 0; k < part->nentered; k++) {
    PetscInt pair = part->entered[k];

    add(sums_of(tally, pair), &part->pairs[pair]);
    if (!tally->history) continue;
    tally->history->loss[pair] += part->pairs[pair].loss;
    if (part->pairs[pair].points) tally->history->met[pair] = 1;
  }
}

void CrTallyReport(const CrTally *tally, CrStepReport *report)
{
  report->friction_loss = tally->total.loss;
  report->dropped = tally->total.dropped;
  report->contacts = tally->total.points;
  report->sticking = tally->total.sticking;
  report->max_penetration = tally->total.max_penetration;
}

#include <string.h>
#include "base/vector.h"
#include "contact/tally.h"

enum { NSUMS = sizeof(CrTallySums) / sizeof(PetscReal) - 1 }; /* numbers that add up */

PetscErrorCode CrTallyCreate(PetscInt npairs, PetscInt nslides, const CrContactPast *past,
                             CrTally *tally)
{
  PetscFunctionBeginUser;
  *tally = (CrTally){.npairs = npairs, .past = past};
  PetscCall(PetscCalloc5(npairs, &tally->pairs, npairs, &tally->entered, npairs, &tally->has_entry,
                         nslides, &tally->slides, nslides, &tally->slid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTallyDestroy(CrTally *tally)
{
  return PetscFree5(tally->pairs, tally->entered, tally->has_entry, tally->slides, tally->slid);
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
  for (PetscInt k = 0; k < tally->nslid; k++) tally->slides[tally->slid[k]][3] = 0;
  tally->nentered = tally->nslid = 0;
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

void CrTallyPoint(CrTally *tally, PetscInt pair, CrContactStatus status, const PetscReal force[3],
                  const PetscReal nu[3])
{
  CrTallySums *sums = sums_of(tally, pair);

  if (status == CR_OPEN) return;
  count(&tally->total, status);
  count(sums, status);
  v_add(sums->force, 1, force);
  v_add(sums->normal, v_dot(force, nu), nu);
  if (tally->history) tally->history->met[pair] = 1;
}

void CrTallyObstacle(CrTally *tally, PetscInt pair, const PetscReal moment[3], PetscReal work)
{
  CrTallySums *sums = sums_of(tally, pair);

  v_add(sums->moment, 1, moment);
  sums->drive += work;
}

void CrTallyLoss(CrTally *tally, PetscInt pair, PetscReal loss)
{
  tally->total.loss += loss;
  sums_of(tally, pair)->loss += loss;
  if (tally->history) tally->history->loss[pair] += loss;
}

void CrTallySlip(CrTally *tally, PetscInt point, PetscReal size, const PetscReal along[3])
{
  v_add(tally->history->slip + 3 * point, size, along);
  tally->history->touched[point] = 1;
}

void CrTallySlide(CrTally *tally, PetscInt slide, PetscReal weight, const PetscReal weighted[3])
{
  static const PetscReal none[3] = {0, 0, 0};
  PetscReal             *sum = tally->slides[slide];

  if (!(sum[3] > 0)) {
    v_copy(tally->past ? tally->past->slides + 3 * slide : none, sum);
    tally->slid[tally->nslid++] = slide;
  }
  v_add(sum, 1, weighted);
  sum[3] += weight;
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
  for (int i = 0; i < NSUMS; i++) ((PetscReal *)to)[i] += ((const PetscReal *)from)[i];
  to->max_penetration = PetscMax(to->max_penetration, from->max_penetration);
}

/* Slips of a part are means. A sum of parts has gone on from the history: its slips replace the others. */
static void add_slides(CrTally *tally, const CrTally *part)
{
  for (PetscInt k = 0; k < part->nslid; k++) {
    PetscInt         slide = part->slid[k];
    const PetscReal *sum = part->slides[slide], none[3] = {0};
    PetscReal        mean[3] = {sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]}, *to;

    if (!tally->history) CrTallySlide(tally, slide, 1, part->past ? none : mean);
    to = tally->history ? tally->history->slides + 3 * slide : tally->slides[slide];
    if (part->past)
      v_copy(sum, to);
    else if (tally->history)
      v_add(to, 1, mean);
    if (tally->history) tally->history->slid[slide] = 1;
  }
}

void CrTallyAdd(CrTally *tally, const CrTally *part)
{
  add_slides(tally, part);
  add(&tally->total, &part->total);
  for (PetscInt k = 0; k < part->nentered; k++) {
    PetscInt pair = part->entered[k];

    add(sums_of(tally, pair), &part->pairs[pair]);
    if (!tally->history) continue;
    tally->history->loss[pair] += part->pairs[pair].loss;
    if (part->pairs[pair].points) tally->history->met[pair] = 1;
  }
}

/* ---- ledgers of owned contacts ----------------------------------------------------------------- */

PetscInt CrTallySumCount(const CrTally *tally)
{
  return NSUMS * (tally->npairs + 1);
}

PetscInt CrTallyGreatestCount(const CrTally *tally)
{
  return tally->npairs + 1;
}

/* The sums of all pairs, and of the total behind them. Of a pair without an entry, the depth is negative. */
void CrTallyPack(const CrTally *tally, PetscReal *rows, PetscReal *deepest)
{
  for (PetscInt k = 0; k <= tally->npairs; k++) {
    const CrTallySums *sums = k < tally->npairs ? &tally->pairs[k] : &tally->total;

    memcpy(rows + NSUMS * k, sums, sizeof(PetscReal) * NSUMS);
    deepest[k] = k == tally->npairs || tally->has_entry[k] ? sums->max_penetration : -1;
  }
}

/* The history, if there is one, has the losses of this rank already. */
static void enter_losses(CrTally *tally, PetscInt pair, const CrTallySums *all)
{
  if (!tally->history) return;
  tally->history->loss[pair] += all->loss - tally->pairs[pair].loss;
  if (all->points) tally->history->met[pair] = 1;
}

void CrTallyUnpack(CrTally *tally, const PetscReal *rows, const PetscReal *deepest)
{
  for (PetscInt k = 0; k <= tally->npairs; k++) {
    CrTallySums *sums = k < tally->npairs ? &tally->pairs[k] : &tally->total, all;

    if (deepest[k] < 0) continue;
    memcpy(&all, rows + NSUMS * k, sizeof(PetscReal) * NSUMS);
    all.max_penetration = deepest[k];
    if (k < tally->npairs) enter_losses(tally, k, &all);
    if (k < tally->npairs) sums_of(tally, k);
    *sums = all;
  }
}

PetscErrorCode CrTallyReduce(CrTally *tally, MPI_Comm comm)
{
  PetscInt   n = CrTallySumCount(tally), m = CrTallyGreatestCount(tally);
  PetscReal *rows, *deepest;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(n, &rows, m, &deepest));
  CrTallyPack(tally, rows, deepest);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, rows, (PetscMPIInt)n, MPIU_REAL, MPIU_SUM, comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, deepest, (PetscMPIInt)m, MPIU_REAL, MPIU_MAX, comm));
  CrTallyUnpack(tally, rows, deepest);
  PetscCall(PetscFree2(rows, deepest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrTallyTake(CrTally *tally, const CrTally *all)
{
  tally->total = all->total;
  for (PetscInt k = 0; k < all->nentered; k++) {
    PetscInt pair = all->entered[k];

    enter_losses(tally, pair, &all->pairs[pair]);
    *sums_of(tally, pair) = all->pairs[pair];
  }
}

void CrTallyReport(const CrTally *tally, CrStepReport *report)
{
  report->friction_loss = tally->total.loss;
  report->dropped = tally->total.dropped;
  report->contacts = (PetscInt)tally->total.points;
  report->sticking = (PetscInt)tally->total.sticking;
  report->max_penetration = tally->total.max_penetration;
}

#include "base/vector.h"
#include "contact/tally.h"

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
  PetscFunctionBeginUser;
  PetscCall(PetscFree5(tally->pairs, tally->entered, tally->has_entry, tally->slides, tally->slid));
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
  for (int i = 0; i < 3; i++) sums->force[i] += force[i];
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
  to->points += from->points;
  to->sticking += from->sticking;
  to->slipping += from->slipping;
  to->smooth += from->smooth;
  to->loss += from->loss;
  to->dropped += from->dropped;
  to->max_penetration = PetscMax(to->max_penetration, from->max_penetration);
  to->drive += from->drive;
  for (int i = 0; i < 3; i++) {
    to->force[i] += from->force[i];
    to->normal[i] += from->normal[i];
    to->moment[i] += from->moment[i];
  }
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

/* Sums as plain numbers, for a reduction: those that add up, and the greatest penetration behind them. */
enum { NSUMS = 16 };

static void pack(const CrTallySums *s, PetscReal row[NSUMS])
{
  const PetscReal counts[6] = {s->points, s->sticking, s->slipping, s->smooth, s->loss, s->dropped};

  for (int i = 0; i < 6; i++) row[i] = counts[i];
  for (int i = 0; i < 3; i++) {
    row[6 + i] = s->force[i];
    row[9 + i] = s->normal[i];
    row[12 + i] = s->moment[i];
  }
  row[15] = s->drive;
}

static void unpack(const PetscReal row[NSUMS], CrTallySums *s)
{
  s->points = (PetscInt)row[0];
  s->sticking = (PetscInt)row[1];
  s->slipping = (PetscInt)row[2];
  s->smooth = (PetscInt)row[3];
  s->loss = row[4];
  s->dropped = row[5];
  for (int i = 0; i < 3; i++) {
    s->force[i] = row[6 + i];
    s->normal[i] = row[9 + i];
    s->moment[i] = row[12 + i];
  }
  s->drive = row[15];
}

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

    pack(sums, rows + NSUMS * k);
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
    unpack(rows + NSUMS * k, &all);
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
  report->contacts = tally->total.points;
  report->sticking = tally->total.sticking;
  report->max_penetration = tally->total.max_penetration;
}

/* Factors that depend on time: constant, ramp, wave, table. */
#include "model/conditions.h"

static PetscErrorCode read_ramp(const CrDeckNode *condition, CrFactor *factor)
{
  PetscReal t[2];

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(condition, "ramp", 2, 0, t, NULL));
  if (!(t[0] < t[1]))
    CrDeckFail(CrDeckFind(condition, "ramp"), "expected two ascending times, found [%g, %g]",
               (double)t[0], (double)t[1]);
  factor->kind = CR_RAMP;
  factor->t0 = t[0];
  factor->t1 = t[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void read_wave(const CrDeckNode *wave, CrFactor *factor)
{
  factor->kind = CR_WAVE;
  factor->mean = CrDeckReal(CrDeckFind(wave, "mean"));
  factor->amplitude = CrDeckReal(CrDeckFind(wave, "amplitude"));
  factor->omega = CrDeckReal(CrDeckFind(wave, "omega"));
  factor->phase = CrDeckReal(CrDeckFind(wave, "phase")) * PETSC_PI / 180;
}

static PetscErrorCode read_table(const CrDeckNode *table, CrFactor *factor)
{
  PetscFunctionBeginUser;
  factor->kind = CR_TABLE;
  factor->n = CrDeckCount(table);
  if (factor->n < 1) CrDeckFail(table, "expected at least one pair [time, factor]");
  PetscCall(PetscMalloc1(2 * factor->n, &factor->table));
  for (PetscInt k = 0; k < factor->n; k++) {
    const CrDeckNode *row = CrDeckItem(table, k);

    if (CrDeckCount(row) != 2)
      CrDeckFail(row, "expected a pair [time, factor], found %" PetscInt_FMT " numbers",
                 CrDeckCount(row));
    for (PetscInt i = 0; i < 2; i++) factor->table[2 * k + i] = CrDeckReal(CrDeckItem(row, i));
    if (k && !(factor->table[2 * k] > factor->table[2 * k - 2]))
      CrDeckFail(row, "times of a table must ascend: %g after %g", (double)factor->table[2 * k],
                 (double)factor->table[2 * k - 2]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFactorRead(const CrDeckNode *condition, CrFactor *factor)
{
  const CrDeckNode *ramp = CrDeckFind(condition, "ramp"), *wave = CrDeckFind(condition, "wave");
  const CrDeckNode *table = CrDeckFind(condition, "table");

  PetscFunctionBeginUser;
  factor->kind = CR_CONSTANT;
  if (!!ramp + !!wave + !!table > 1)
    CrDeckFail(condition, "a condition may have only one of ramp, wave and table");
  if (ramp) PetscCall(read_ramp(condition, factor));
  if (wave) read_wave(wave, factor);
  if (table) PetscCall(read_table(table, factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The table's segment that begins at or before t: -1 before the first, n-1 after the last point. */
static PetscInt segment(const CrFactor *f, PetscReal t)
{
  PetscInt k = -1;

  while (k + 1 < f->n && f->table[2 * (k + 1)] <= t) k++;
  return k;
}

PetscReal CrFactorAt(const CrFactor *f, PetscReal t)
{
  PetscInt k;

  switch (f->kind) {
  case CR_RAMP: return t <= f->t0 ? 0 : t >= f->t1 ? 1 : (t - f->t0) / (f->t1 - f->t0);
  case CR_WAVE: return f->mean + f->amplitude * PetscSinReal(f->omega * t + f->phase);
  case CR_TABLE:
    k = segment(f, t);
    if (k < 0) return f->table[1];
    if (k == f->n - 1) return f->table[2 * k + 1];
    return f->table[2 * k + 1] + (t - f->table[2 * k]) * CrFactorSlope(f, t);
  default: return 1;
  }
}

PetscReal CrFactorSlope(const CrFactor *f, PetscReal t)
{
  PetscInt k;

  switch (f->kind) {
  case CR_RAMP: return t < f->t0 || t >= f->t1 ? 0 : 1 / (f->t1 - f->t0);
  case CR_WAVE: return f->amplitude * f->omega * PetscCosReal(f->omega * t + f->phase);
  case CR_TABLE:
    k = segment(f, t);
    if (k < 0 || k == f->n - 1) return 0;
    return (f->table[2 * k + 3] - f->table[2 * k + 1]) / (f->table[2 * k + 2] - f->table[2 * k]);
  default: return 0;
  }
}

PetscReal CrFactorCurvature(const CrFactor *f, PetscReal t)
{
  if (f->kind != CR_WAVE) return 0;
  return -f->amplitude * f->omega * f->omega * PetscSinReal(f->omega * t + f->phase);
}

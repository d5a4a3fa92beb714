/* Computes the number that one row of expected.yaml describes. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>
#include "app/verify.h"
#include "base/text.h"

/* ---- of a series ----------------------------------------------------------------------------- */

/* Linear between the rows around t; NaN outside. A few roundings of the ends are let pass. */
static PetscReal interpolate(const AppSeries *s, PetscReal t)
{
  PetscReal slack = 1e-9 * (s->t[s->n - 1] - s->t[0]);
  PetscInt  k = 1;

  if (t < s->t[0] - slack || t > s->t[s->n - 1] + slack) return NAN;
  if (s->n == 1) return s->y[0];
  while (k < s->n - 1 && s->t[k] < t) k++;

  PetscReal weight = (t - s->t[k - 1]) / (s->t[k] - s->t[k - 1]);

  weight = PetscMin(1, PetscMax(0, weight));
  return (1 - weight) * s->y[k - 1] + weight * s->y[k];
}

/* The mean over time by the trapezoidal rule; of one row alone its value. */
static PetscReal mean(PetscInt n, const PetscReal *t, const PetscReal *y)
{
  PetscReal sum = 0;

  if (n == 1) return y[0];
  for (PetscInt k = 1; k < n; k++) sum += (t[k] - t[k - 1]) * (y[k] + y[k - 1]) / 2;
  return sum / (t[n - 1] - t[0]);
}

/* NaN must not hide behind a comparison: !(y <= max) takes it and then nothing replaces it. */
static PetscReal greatest(PetscInt n, const PetscReal *y, PetscReal sign, PetscReal from,
                          PetscBool size)
{
  PetscReal max = -INFINITY;

  for (PetscInt k = 0; k < n && !isnan(max); k++) {
    PetscReal v = sign * (y[k] - from);

    if (size) v = PetscAbsReal(v);
    if (!(v <= max)) max = v;
  }
  return max;
}

/* Rows that stand for their step, as forces do: the value of each times the length of its step. */
static PetscReal integral(const AppSeries *s, PetscInt first, PetscInt n)
{
  PetscReal total = 0;

  for (PetscInt k = PetscMax(first, 1); k < first + n; k++)
    total += s->y[k] * (s->t[k] - s->t[k - 1]);
  return total;
}

/* Greatest increase (sign 1) or decrease (-1) from a row to the next. */
static PetscReal jump(PetscInt n, const PetscReal *y, PetscReal sign)
{
  PetscReal max = n > 1 ? -INFINITY : NAN;

  for (PetscInt k = 1; k < n && !isnan(max); k++) {
    PetscReal v = sign * (y[k] - y[k - 1]);

    if (!(v <= max)) max = v;
  }
  return max;
}

/* When the value first, or last, was other than 0. */
static PetscReal time_of(PetscInt n, const PetscReal *t, const PetscReal *y, PetscBool last)
{
  PetscReal when = NAN;

  for (PetscInt k = 0; k < n; k++) {
    if (isnan(y[k])) return NAN;
    if (y[k] != 0 && (last || isnan(when))) when = t[k];
  }
  return when;
}

static PetscReal reduce(const AppSeries *s, const CrDeckNode *at, const PetscReal window[2])
{
  PetscReal        slack = 1e-9 * (s->t[s->n - 1] - s->t[0]);
  PetscInt         first = 0, n = 0;
  const PetscReal *t, *y;

  if (CrDeckIsWord(at, "start")) return s->y[0];
  if (CrDeckIsWord(at, "end")) return s->y[s->n - 1];
  if (CrDeckIsReal(at)) return interpolate(s, CrDeckReal(at));
  while (first < s->n && s->t[first] < window[0] - slack) first++;
  while (first + n < s->n && s->t[first + n] <= window[1] + slack) n++;
  if (!n) return NAN;
  t = s->t + first;
  y = s->y + first;
  if (CrDeckIsWord(at, "max")) return greatest(n, y, 1, 0, PETSC_FALSE);
  if (CrDeckIsWord(at, "min")) return -greatest(n, y, -1, 0, PETSC_FALSE);
  if (CrDeckIsWord(at, "maxabs")) return greatest(n, y, 1, 0, PETSC_TRUE);
  if (CrDeckIsWord(at, "drift")) return greatest(n, y, 1, s->y[0], PETSC_TRUE);
  if (CrDeckIsWord(at, "change")) return y[n - 1] - y[0];
  if (CrDeckIsWord(at, "integral")) return integral(s, first, n);
  if (CrDeckIsWord(at, "rise")) return jump(n, y, 1);
  if (CrDeckIsWord(at, "fall")) return jump(n, y, -1);
  if (CrDeckIsWord(at, "first")) return time_of(n, t, y, PETSC_FALSE);
  if (CrDeckIsWord(at, "last")) return time_of(n, t, y, PETSC_TRUE);
  return mean(n, t, y);
}

static PetscErrorCode of_table(const char dir[], const CrDeckNode *row, PetscReal *value,
                               const char **trouble)
{
  const CrDeckNode *nth = CrDeckFind(row, "row");
  AppSeries         series;
  PetscBool         found;
  PetscReal         window[2] = {-INFINITY, INFINITY};

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(row, "window", 2, 0, window, NULL));
  PetscCall(AppSeriesRead(dir, row, &found, &series));
  *value = NAN;
  if (!found)
    *trouble = "no file";
  else if (!series.n)
    *trouble = "no rows";
  else {
    if (nth)
      *value = CrDeckInteger(nth) <= series.n ? series.y[CrDeckInteger(nth) - 1] : NAN;
    else
      *value = reduce(&series, CrDeckFind(row, "at"), window);
    if (isnan(*value)) *trouble = "no such time, or no number";
    if (CrDeckTruth(CrDeckFind(row, "relative_to_start"))) *value /= PetscAbsReal(series.y[0]);
    if (isnan(*value) && !*trouble) *trouble = "starts from 0";
  }
  PetscCall(AppSeriesDestroy(&series));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- of the audit ---------------------------------------------------------------------------- */

static PetscErrorCode unknown_key(const CrDeckNode *column, const cJSON *object)
{
  const char *names[64];
  char        hint[CR_HINT];
  PetscInt    n = 0;

  for (const cJSON *item = object->child; item && n < 64; item = item->next)
    names[n++] = item->string;
  return CrDeckError(column, "audit.json has no key \"%s\"%s", CrDeckText(column),
                     CrNameHint(CrDeckText(column), n, names, "", hint));
}

static PetscErrorCode of_audit(const char dir[], const CrDeckNode *row, PetscReal *value,
                               const char **trouble)
{
  char           path[PETSC_MAX_PATH_LEN], *text;
  cJSON         *object = NULL;
  const cJSON   *item;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  *value = NAN;
  snprintf(path, sizeof path, "%s/audit.json", dir);
  PetscCall(CrTextRead(path, &text, NULL));
  if (text) object = cJSON_Parse(text);
  PetscCall(PetscFree(text));
  item = cJSON_GetObjectItemCaseSensitive(object, CrDeckText(CrDeckFind(row, "column")));
  if (!object)
    *trouble = "no file";
  else if (!item)
    code = unknown_key(CrDeckFind(row, "column"), object);
  else if (cJSON_IsBool(item))
    *value = cJSON_IsTrue(item);
  else if (cJSON_IsNumber(item))
    *value = item->valuedouble;
  else
    *trouble = cJSON_IsNull(item) ? "null" : "no number";
  cJSON_Delete(object);
  PetscFunctionReturn(code);
}

PetscErrorCode AppVerifyValue(const char dir[], const CrDeckNode *row, PetscReal *value,
                              const char **trouble)
{
  PetscFunctionBeginUser;
  *trouble = NULL;
  if (CrDeckIsWord(CrDeckFind(row, "file"), "audit"))
    PetscCall(of_audit(dir, row, value, trouble));
  else
    PetscCall(of_table(dir, row, value, trouble));
  *value /= CrDeckReal(CrDeckFind(row, "scale"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

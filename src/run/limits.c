/* Limits under `audit:` of the deck. A limit is the greatest allowed value, or the least allowed value of a number that
   is itself a minimum. If the deck shows that a number has no value, a limit on it is an error of the user. If a number
   has no value for another reason, its limit counts as exceeded. */
#include <string.h>
#include "run/internal.h"

/* One run alone cannot know how well it resolves: that limit is for `carom converge`. */
static PetscBool is_of_one_run(const char name[])
{
  return strcmp(name, CR_RESOLUTION_LIMIT) ? PETSC_TRUE : PETSC_FALSE;
}

static const CrDeckNode *limits_of(const CrRun *run)
{
  return CrDeckFind(CrDeckRoot(run->deck), "audit");
}

PetscBool CrLimitsHave(const CrRun *run, const char name[])
{
  const CrDeckNode *limit = CrDeckFind(limits_of(run), name);

  return limit && !CrDeckIsNull(limit);
}

PetscErrorCode CrLimitsCheckDeck(const CrRun *run)
{
  const CrDeckNode *limits = limits_of(run);

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < CrDeckCount(limits); k++) {
    const CrDeckNode *limit = CrDeckItem(limits, k);
    const char       *why;

    if (!is_of_one_run(CrDeckName(limits, k))) continue;
    why = CrAuditWhyNull(run->model, CrDeckName(limits, k));
    if (why && !CrDeckIsNull(limit))
      CrDeckFail(limit, "this limit is on a quantity that the run does not compute: %s", why);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrLimitsCheckRun(CrRun *run, const CrEnding *ending)
{
  const CrDeckNode *limits = limits_of(run);

  for (PetscInt k = 0; k < CrDeckCount(limits); k++) {
    const char *name = CrDeckName(limits, k);
    PetscReal   value, limit;
    PetscBool   least = !strncmp(name, "min_", 4);

    if (!is_of_one_run(name)) continue;
    value = CrAuditValue(run->model, run->audit, ending, name);
    if (CrDeckIsNull(CrDeckItem(limits, k))) continue; /* ~: none after all */
    limit = CrDeckReal(CrDeckItem(limits, k));
    if (PetscIsInfOrNanReal(value))
      CrWarn("audit: %s is not a number, so its limit %g is exceeded", name, (double)limit);
    else if (least ? value < limit : value > limit)
      CrWarn("audit: %s is %g, %s its limit %g", name, (double)value, least ? "below" : "above",
             (double)limit);
    else
      continue;
    run->failed = PETSC_TRUE;
  }
}

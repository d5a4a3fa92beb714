/* The time loop. */
#include <petsctime.h>
#include <string.h>
#include "run/run.h"
#include "solve/newton.h"

/* The steps; for explicit methods with the element bound in view. */
static PetscErrorCode plan_steps(CrRun *run, const CrDeckNode *time)
{
  const CrIntegratorOps *ops   = CrIntegratorFind(CrDeckText(CrDeckFind(time, "method")));
  const CrDeckNode      *step  = CrDeckFind(time, "step");
  PetscReal              bound = 0;

  PetscFunctionBeginUser;
  if (CrDeckIsWord(step, "auto") && !(ops->accepts & CR_AUTO_STEP))
    CrDeckFail(step, "auto is for explicit methods; %s wants a number", ops->name);
  if (!(ops->accepts & CR_AUTO_STEP)) {
    PetscCall(CrScheduleCreate(time, 0, &run->schedule));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrModelCriticalStep(run->model, NULL, &bound));
  PetscCall(CrScheduleCreate(time, bound * CrDeckReal(CrDeckFind(time, "safety")), &run->schedule));
  for (PetscInt k = 0; k < run->schedule.nsegments; k++)
    if (run->schedule.h[k] > bound) {
      CrWarn("step %g is above the critical one, %g (element bound)", (double)run->schedule.h[k],
             (double)bound);
      break;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create(CrRun *run, MPI_Comm comm, const char path[], PetscInt nsets,
                             const char *const sets[])
{
  const CrDeckNode *root, *time;

  PetscFunctionBeginUser;
  PetscCall(CrProblemRead(comm, path, nsets, sets, &run->deck));
  root = CrDeckRoot(run->deck);
  time = CrDeckFind(root, "time");
  PetscCall(CrModelCreate(comm, run->deck, &run->model));
  PetscCall(plan_steps(run, time));
  PetscCall(CrStateCreate(run->model, run->deck, &run->state));
  PetscCall(
      CrIntegratorCreate(time,
                         CrScheduleIsDone(&run->schedule) ? 0 : CrScheduleGoal(&run->schedule).h,
                         run->model, run->state, &run->integrator));
  PetscCall(CrAuditCreate(run->model, &run->audit));
  PetscCall(
      CrOutputCreate(run->model, CrDeckFind(root, "output"), run->schedule.t_end, &run->output));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunCreate(MPI_Comm comm, const char path[], PetscInt nsets,
                           const char *const sets[], CrRun **run)
{
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(run));
  code = create(*run, comm, path, nsets, sets);
  if (code) PetscCall(CrRunDestroy(run));
  PetscFunctionReturn(code);
}

PetscErrorCode CrRunDestroy(CrRun **run)
{
  PetscFunctionBeginUser;
  if (!*run) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrOutputDestroy(&(*run)->output));
  PetscCall(CrAuditDestroy(&(*run)->audit));
  PetscCall(CrIntegratorDestroy(&(*run)->integrator));
  PetscCall(CrStateDestroy(&(*run)->state));
  PetscCall(CrModelDestroy(&(*run)->model));
  PetscCall(CrScheduleDestroy(&(*run)->schedule));
  PetscCall(CrDeckDestroy(&(*run)->deck));
  PetscCall(PetscFree(*run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A failed step becomes two halves; at the smallest step the run ends. The state is still at t_n.
 */
static PetscErrorCode cut_step(CrRun *run, const CrStepReport *report)
{
  PetscReal h = CrScheduleGoal(&run->schedule).h;

  PetscFunctionBeginUser;
  run->audit->rejected++;
  run->audit->total_iterations += report->iterations;
  if (CrScheduleCut(&run->schedule, run->state->t)) PetscFunctionReturn(PETSC_SUCCESS);
  run->failed = PETSC_TRUE;
  CrWarn("gave up at t = %g with step %g: %s", (double)run->state->t, (double)h,
         CrStepReasonText(report->reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The row of an accepted step: audit, files, a line for the user. */
static PetscErrorCode record(CrRun *run, PetscReal h, const CrStepReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(CrAuditRow(run->model, run->state, h, report, run->audit));
  PetscCall(CrOutputWrite(run->output, run->model, run->state, run->audit));
  CrProgressStep(run);
  if (run->warned_stretch || !(run->audit->min_stretch < 0.65)) PetscFunctionReturn(PETSC_SUCCESS);
  run->warned_stretch = PETSC_TRUE;
  CrWarn("t = %g: a principal stretch of a saint-venant-kirchhoff body fell to %.3g; this law "
         "softens below "
         "0.65 and collapses at 0.58, consider neo-hookean",
         (double)run->state->t, (double)run->audit->min_stretch);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode loop(CrRun *run)
{
  CrStepReport start = {0};

  PetscFunctionBeginUser;
  PetscCall(CrIntegratorStep(run->integrator, run->model, run->state, 0, &start));
  PetscCall(record(run, 0, &start));
  while (!CrScheduleIsDone(&run->schedule) && !run->failed) {
    CrGoal       goal   = CrScheduleGoal(&run->schedule);
    CrStepReport report = {0};

    PetscCall(CrIntegratorStep(run->integrator, run->model, run->state, goal.h, &report));
    if (report.reason < 0) {
      PetscCall(cut_step(run, &report));
      continue;
    }
    run->state->t = goal.t; /* the deck's time to the last digit, not a sum of steps */
    CrScheduleAdvance(&run->schedule);
    PetscCall(record(run, goal.h, &report));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Limits under `audit:`. */
static PetscErrorCode check_limits(CrRun *run, const CrEnding *ending)
{
  const CrDeckNode *limits = CrDeckFind(CrDeckRoot(run->deck), "audit");

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < CrDeckCount(limits); k++) {
    const char *name  = CrDeckName(limits, k);
    PetscReal   limit = CrDeckReal(CrDeckItem(limits, k));
    PetscReal   value = CrAuditValue(run->model, run->audit, ending, name);

    if (!(value > limit)) continue;
    run->failed = PETSC_TRUE;
    CrWarn("audit: %s is %g, above its limit %g", name, (double)value, (double)limit);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunGo(CrRun *run, const char dir[], PetscBool force, PetscInt nnotes,
                       const char *const notes[])
{
  CrEnding       ending = {.method = run->integrator->ops->name};
  PetscLogDouble now;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrOutputOpen(run->output, dir, force, run->deck, nnotes, notes));
  CrProgressStart(run);
  code = loop(run);
  if (code) PetscFunctionReturn(code);
  PetscCall(PetscTime(&now));
  ending.completed    = run->failed ? PETSC_FALSE : PETSC_TRUE;
  ending.wall_seconds = now - run->started;
  PetscCall(check_limits(run, &ending));
  PetscCall(CrOutputClose(run->output, run->model, run->state, run->audit, &ending));
  CrAuditPrint(run, &ending, dir);
  PetscFunctionReturn(PETSC_SUCCESS);
}

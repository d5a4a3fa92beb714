/* The time loop of a run. */
#include <petsctime.h>
#include "base/program.h"
#include "report/report.h"
#include "run/internal.h"

#define STEP_ERROR 0.02 /* of the energy: what an explicit run may make or lose unmentioned */
#define FLOW_ERROR 0.02 /* the same with plastic flow, beyond which the run ends */
#define DROPPED    0.01 /* of the energy: what contacts that slide off edges may lose unmentioned */

/* The steps; for explicit methods with the element bound in view. */
static PetscErrorCode plan_steps(CrRun *run, const CrDeckNode *time)
{
  const CrIntegratorOps *ops = CrIntegratorFind(CrDeckText(CrDeckFind(time, "method")));
  const CrDeckNode      *step = CrDeckFind(time, "step");
  PetscReal              bound = 0;

  PetscFunctionBeginUser;
  if (CrDeckIsWord(step, "auto") && !(ops->accepts & CR_AUTO_STEP))
    CrDeckFail(step, "auto is for explicit methods only; method %s needs a number", ops->name);
  if (!(ops->accepts & CR_AUTO_STEP)) {
    PetscCall(CrScheduleCreate(time, 0, &run->schedule));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (CrDeckIsWord(step, "auto") && !run->model->nbodies)
    CrDeckFail(step, "auto needs elements, and the deck has no deformable bodies; give a number");
  if (run->model->nbodies) PetscCall(CrModelCriticalStep(run->model, NULL, NULL, &bound));
  PetscCall(CrScheduleCreate(time, bound * CrDeckReal(CrDeckFind(time, "safety")), &run->schedule));
  run->critical_step = bound;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void read_checkpoint_plan(CrRun *run, const CrDeckNode *output)
{
  const CrDeckNode *steps = CrDeckFind(output, "checkpoint_steps");

  run->checkpoint_steps = steps ? CrDeckInteger(steps) : 0;
  run->checkpoint_seconds = CrDeckReal(CrDeckFind(output, "checkpoint"));
}

static void choose_filter(CrRun *run, const CrDeckNode *filter)
{
  if (run->contact)
    CrContactSetFilter(run->contact, CrDeckIsReal(filter) ? CrDeckReal(filter) : -1);
}

/* Loads whose forces the caller sets (CrConditionsAddForce), in the order of the names. */
static PetscErrorCode add_forces(CrModel *model, PetscInt nforced, const char *const forced[])
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < nforced; k++) {
    const PetscInt body = CrIndexFindName(model->body_names, forced[k]);
    const PetscInt group = CrIndexFindName(model->rigid->names, forced[k]);

    if (body < 0 && group < 0) CrInputFail("there is no body \"%s\"", forced[k]);
    PetscCall(CrConditionsAddForce(model, body, body < 0 ? group : -1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create(CrRun *run, MPI_Comm comm, PetscInt nforced,
                             const char *const forced[])
{
  const CrDeckNode *root = CrDeckRoot(run->deck), *time = CrDeckFind(root, "time");

  PetscFunctionBeginUser;
  PetscCall(CrModelCreate(comm, run->deck, &run->model));
  PetscCall(add_forces(run->model, nforced, forced));
  PetscCall(CrLimitsCheckDeck(run));
  PetscCall(plan_steps(run, time));
  PetscCall(CrContactCreate(run->model, run->deck, &run->contact));
  PetscCall(CrModelTrimFacets(run->model));
  if (!run->contact && run->model->nbodies + run->model->rigid->n > 1)
    CrWarn("the deck has no `contact`: its bodies pass through each other");
  PetscCall(CrStateCreate(run->model, run->deck, &run->state));
  PetscCall(
      CrIntegratorCreate(time,
                         CrScheduleIsDone(&run->schedule) ? 0 : CrScheduleGoal(&run->schedule).h,
                         run->model, run->contact, run->state, &run->integrator));
  PetscCall(CrAuditCreate(run->model, &run->audit));
  PetscCall(CrOutputCreate(run->model, run->contact, CrDeckFind(root, "output"),
                           run->schedule.t_end, &run->output));
  if (run->contact)
    PetscCall(CrOverlapsCreate(run->contact, (run->integrator->ops->accepts & CR_SPRINGS) != 0,
                               CrLimitsHave(run, "max_penetration"), &run->overlaps));
  if (run->contact && !(run->integrator->ops->accepts & CR_RESTITUTION)) /* impacts in no time */
    PetscCall(CrResolutionCreate(run->contact, !run->model->quasi_static, &run->resolution));
  PetscCall(CrSharedSpaceCreate(run->model, run->contact, &run->space));
  if (run->space)
    PetscCall(CrSharedSpaceStart(run->space, run->state, CrLimitsHave(run, "max_penetration")));
  PetscCall(CrLockingCreate(run->model, &run->locking));
  PetscCall(CrHourglassCreate(run->model, &run->hourglass));
  choose_filter(run, CrDeckFind(root, "output.filter"));
  read_checkpoint_plan(run, CrDeckFind(root, "output"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunCreateFrom(MPI_Comm comm, CrDeck *deck, PetscInt nforced,
                               const char *const forced[], CrRun **run)
{
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(run));
  (*run)->deck = deck;
  code = create(*run, comm, nforced, forced);
  if (code) PetscCall(CrRunDestroy(run));
  PetscFunctionReturn(code);
}

PetscErrorCode CrRunCreate(MPI_Comm comm, const char path[], PetscInt nsets,
                           const char *const sets[], CrRun **run)
{
  CrDeck *deck;

  PetscFunctionBeginUser;
  CrWarningsClear();
  PetscCall(CrProblemRead(comm, path, nsets, sets, &deck));
  PetscCall(CrRunCreateFrom(comm, deck, 0, NULL, run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunDestroy(CrRun **run)
{
  PetscFunctionBeginUser;
  if (!*run) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrOutputDestroy(&(*run)->output));
  PetscCall(CrOverlapsDestroy(&(*run)->overlaps));
  PetscCall(CrResolutionDestroy(&(*run)->resolution));
  PetscCall(CrSharedSpaceDestroy(&(*run)->space));
  PetscCall(CrLockingDestroy(&(*run)->locking));
  PetscCall(CrHourglassDestroy(&(*run)->hourglass));
  PetscCall(CrAuditDestroy(&(*run)->audit));
  PetscCall(CrIntegratorDestroy(&(*run)->integrator));
  PetscCall(CrContactDestroy(&(*run)->contact));
  PetscCall(CrStateDestroy(&(*run)->state));
  PetscCall(CrModelDestroy(&(*run)->model));
  PetscCall(CrScheduleDestroy(&(*run)->schedule));
  PetscCall(CrDeckDestroy(&(*run)->deck));
  PetscCall(PetscFree(*run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A failed step becomes two halves; at the smallest step the run ends. The state is still at t_n. */
static PetscErrorCode cut_step(CrRun *run, const CrStepReport *report)
{
  PetscReal h = CrScheduleGoal(&run->schedule).h;

  PetscFunctionBeginUser;
  run->audit->rejected++;
  run->audit->total_iterations += report->iterations;
  if (CrScheduleCut(&run->schedule, run->state->t)) PetscFunctionReturn(PETSC_SUCCESS);
  run->failed = PETSC_TRUE;
  snprintf(run->failure, sizeof run->failure, "gave up at t = %g with step %g: %s%s%s",
           (double)run->state->t, (double)h, CrStepReasonText(report->reason),
           run->integrator->blame[0] ? "; " : "", run->integrator->blame);
  CrWarn("%s", run->failure);
  if (run->contact) CrContactExplain(run->contact);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Once each: what makes the numbers doubtful although the step was solved. */
static void warn_of_shape(CrRun *run)
{
  const CrAudit *audit = run->audit;

  if (!run->warned_inverted && audit->min_det_f <= 0) {
    run->warned_inverted = PETSC_TRUE;
    CrWarn(
        "t = %g: an element turned inside out (det F = %.3g); the run continues, but its results are no longer physical",
        (double)run->state->t, (double)audit->min_det_f);
  }
  if (!run->warned_stretch && audit->min_stretch < 0.65) {
    run->warned_stretch = PETSC_TRUE;
    CrWarn("t = %g: a principal stretch of a saint-venant-kirchhoff body fell to %.3g; this law "
           "softens below 0.65 and collapses at 0.58, consider neo-hookean",
           (double)run->state->t, (double)audit->min_stretch);
  }
}

/* A ledger without numbers judges nothing: the run ends with it. The balance has all energies in it. */
static void check_ledger(CrRun *run)
{
  if (!PetscIsInfOrNanReal(run->audit->balance)) return;
  run->failed = PETSC_TRUE;
  snprintf(
      run->failure, sizeof run->failure,
      "the energy balance at t = %g is not a number: the energies are too large for floating-point numbers; check that the deck uses one set of units",
      (double)run->state->t);
  CrWarn("%s", run->failure);
}

/* Overlap is measured where contacts.csv has a row, for every method. */
static PetscErrorCode measure_overlap(CrRun *run, PetscBool end)
{
  CrOverlapSums sums;

  PetscFunctionBeginUser;
  if (!run->overlaps || !CrOutputHasRows(run->output, run->state, end))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrOverlapsMeasure(run->overlaps, run->state));
  sums = CrOverlapsGreatest(run->overlaps);
  run->audit->overlap_ab = sums.ab;
  run->audit->overlap_ba = sums.ba;
  run->audit->unseen = sums.unseen;
  run->audit->unseen_pairs = sums.warned + CrSharedSpacePairs(run->space);
  run->audit->ghost_renewals = run->contact->picture->renewals;
  if (CrOverlapsFailure(run->overlaps) && !run->failed) {
    run->failed = PETSC_TRUE;
    snprintf(run->failure, sizeof run->failure, "%s", CrOverlapsFailure(run->overlaps));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Plastic flow hides steps above the critical one: nothing blows up, but stored energy and losses part from the
   work of the internal forces. */
static void check_flow(CrRun *run, const CrStepReport *report)
{
  const CrAudit *a = run->audit;
  PetscReal      made = a->balance - a->contact_work - a->defect;

  if (run->failed || !report->counts_internal || !CrModelLoses(run->model)) return;
  if (run->state->n < CR_FIRST_STEPS) return;
  if (!(PetscAbsReal(made) > FLOW_ERROR * a->energy_scale)) return;
  run->failed = PETSC_TRUE;
  snprintf(
      run->failure, sizeof run->failure,
      "stored energy and losses of the materials differ from the internal work by %.2g %% of "
      "the energy at t = %g: steps are longer than the critical step; use a smaller time.step, or "
      "step: auto",
      (double)(100 * PetscAbsReal(made) / a->energy_scale), (double)run->state->t);
  CrWarn("%s", run->failure);
}

/* The row of an accepted step: audit, files, a line for the user. */
static PetscErrorCode record(CrRun *run, PetscReal h, const CrStepReport *report)
{
  PetscFunctionBeginUser;
  (void)CrWatchTurn(run->model->watch, CR_PART_AUDIT);
  PetscCall(CrAuditRow(run->model, run->state, h, report, run->audit));
  if (run->locking) PetscCall(CrLockingLook(run->locking, run->state, run->audit->strain));
  if (run->hourglass)
    PetscCall(CrHourglassLook(run->hourglass, run->state, run->audit, PETSC_FALSE));
  if (run->space) PetscCall(CrSharedSpaceLook(run->space, run->state, run->schedule.t_end));
  PetscCall(measure_overlap(run, PETSC_FALSE));
  if (CrRunHasFiles(run)) {
    CrTimed(run->model->watch, CR_PART_FILES,
            CrOutputWrite(run->output, run->model, run->state, run->audit));
    CrProgressStep(run);
  }
  warn_of_shape(run);
  PetscCall(CrRunWarnOfBack(run));
  check_ledger(run);
  check_flow(run, report);
  CrRunCheckCreated(run);
  (void)CrWatchTurn(run->model->watch, CR_PART_STEPS);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A checkpoint when one is due; a run that is asked to stop does so after it. */
static PetscErrorCode pause_if_asked(CrRun *run)
{
  PetscBool checkpoint;

  PetscFunctionBeginUser;
  PetscCall(CrRunPause(run, &checkpoint, &run->stopped));
  if (CrScheduleIsDone(&run->schedule))
    run->stopped = PETSC_FALSE; /* nothing left to stop */
  else if (checkpoint)
    CrTimed(run->model->watch, CR_PART_FILES, CrRunWriteCheckpoint(run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunBegin(CrRun *run)
{
  CrStepReport report = {0};

  PetscFunctionBeginUser;
  (void)CrWatchTurn(run->model->watch, CR_PART_STEPS);
  PetscCall(CrIntegratorStep(run->integrator, run->model, run->state, 0, &report));
  PetscCall(record(run, 0, &report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies that start inside something are a slip of the pen more often than meant. */
static PetscErrorCode warn_of_overlap(const CrRun *run, const CrStepReport *report)
{
  const CrRigid *rigid = run->model->rigid;
  PetscReal      least = PETSC_MAX_REAL, depth;

  PetscFunctionBeginUser;
  if (run->contact) PetscCall(CrContactWarnOverlap(run->contact));
  for (PetscInt k = 0; k < rigid->nshapes; k++)
    if (rigid->shapes[k].reach > 0) least = PetscMin(least, rigid->shapes[k].reach);
  depth = PetscMax(report->max_penetration, run->audit->deepest); /* or of the start */
  if (!run->model->ncells && depth > 0.05 * least)
    CrWarn("rigid bodies overlap by up to %g in the first step; depending on the method this "
           "overlap is removed at once, gradually, or kept",
           (double)depth);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One try of the next step. */
static PetscErrorCode try_step(CrRun *run)
{
  CrGoal       goal = CrScheduleGoal(&run->schedule);
  CrStepReport report = {0};
  PetscInt     searched = CrNewtonSearched(run->integrator->newton);

  PetscFunctionBeginUser;
  run->integrator->last_try = !CrScheduleCanCut(&run->schedule);
  PetscCall(CrIntegratorStep(run->integrator, run->model, run->state, goal.h, &report));
  if (report.reason < 0) {
    PetscCall(cut_step(run, &report)); /* the state is still at t_n */
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (CrNewtonSearched(run->integrator->newton) > searched) run->audit->searched++;
  run->state->t = goal.t; /* the deck's time to the last digit, not a sum of steps */
  CrScheduleAdvance(&run->schedule);
  if (run->state->n == 1) PetscCall(warn_of_overlap(run, &report));
  if (run->resolution) PetscCall(CrResolutionStep(run->resolution, goal.h));
  PetscCall(record(run, goal.h, &report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunStep(CrRun *run)
{
  const PetscInt before = run->state->n;

  PetscFunctionBeginUser;
  while (run->state->n == before && !run->failed && !CrScheduleIsDone(&run->schedule))
    PetscCall(try_step(run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode loop(CrRun *run)
{
  PetscFunctionBeginUser;
  while (!CrScheduleIsDone(&run->schedule) && !run->failed && !run->stopped) {
    const PetscInt before = run->state->n;

    PetscCall(CrRunStep(run));
    if (run->state->n > before) PetscCall(pause_if_asked(run));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Central differences follow large strain with an error of their own, which the audit knows apart from
   what contact took. */
static void warn_of_long_steps(const CrRun *run)
{
  const CrAudit *a = run->audit;
  PetscReal      made = a->balance - a->contact_work - a->defect;

  if (!(PetscAbsReal(made) > STEP_ERROR * a->energy_scale)) return;
  CrWarn(
      "the time step is too large: %.3g %% of the energy was %s by the time integration; this error falls with the square of the step (time.step, time.safety)",
      (double)(100 * PetscAbsReal(made) / a->energy_scale), made > 0 ? "created" : "lost");
}

/* Points that slide off an edge under pressure lose what their springs hold. More than a trace of it says that
   springs are too soft, or facets too large, for the edges that meet. */
static void warn_of_dropped(const CrRun *run)
{
  const CrAudit *a = run->audit;

  if (!(a->dropped > DROPPED * a->energy_scale)) return;
  CrWarn(
      "%.3g %% of the energy was lost, because contacts slid off an edge while their penalty springs stored energy; set a stiffer normal_penalty, or refine the meshes there",
      (double)(100 * a->dropped / a->energy_scale));
}

/* The page, from the files, which are closed. */
static PetscErrorCode write_report(CrRun *run)
{
  PetscErrorCode code = PETSC_SUCCESS;
  PetscMPIInt    rank;

  PetscFunctionBeginUser;
  if (!CrDeckTruth(CrDeckFind(CrDeckRoot(run->deck), "output.report")))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(run->model->comm, &rank));
  if (!CrReportIsThere())
    CrLog("report.html is not written, because the program was built without its web page\n");
  if (rank == 0 && CrReportIsThere()) code = CrReportWrite(run->dir, CR_REPORT_SIZE);
  PetscCall(CrErrorAgree(run->model->comm, code));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static CrEnding describe_ending(const CrRun *run)
{
  const CrIntegratorOps *ops = run->integrator->ops;

  return (CrEnding){.method = ops->name,
                    .citation = ops->citation,
                    .help = ops->help,
                    .balances =
                        (ops->claims & CR_BALANCES_ENERGY) != 0 && !run->model->quasi_static};
}

/* Where the time went, the page included. */
static PetscErrorCode print_parts(CrRun *run)
{
  double seconds[CR_PARTS];
  char   text[256];

  PetscFunctionBeginUser;
  PetscCall(CrWatchRead(run->model->watch, run->model->comm, seconds));
  CrPartsDescribe(seconds, text, sizeof text);
  CrLog("  time by part      %s\n", text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Audit and files of the end. A run that was stopped leaves no audit.json: it is not over. */
static PetscErrorCode finish(CrRun *run)
{
  CrEnding       ending = describe_ending(run);
  PetscLogDouble now;
  char           here[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  if (run->stopped) {
    CrLog("stopped at t = %g after step %" PetscInt_FMT "; resume with: %s resume %s\n",
          (double)run->state->t, run->state->n, CrProgram(), CrPathHere(run->dir, here));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  (void)CrWatchTurn(run->model->watch, CR_PART_FILES);
  CrTimed(run->model->watch, CR_PART_AUDIT, measure_overlap(run, PETSC_TRUE));
  PetscCall(PetscTime(&now));
  ending.completed = !run->failed;
  ending.failure = run->failed ? run->failure : NULL;
  ending.wall_seconds = now - run->started + run->seconds_before;
  if (!run->failed)
    PetscCall(CrRunWriteCheckpoint(run)); /* so that it can be continued beyond its end */
  ending.resolved = CrResolutionEnd(run->resolution); /* after the checkpoint: it ends contacts */
  ending.resolved.volumetric = CrLockingEnd(run->locking);
  if (run->hourglass)
    PetscCall(CrHourglassLook(run->hourglass, run->state, run->audit, PETSC_TRUE));
  ending.resolved.hourglass = CrHourglassEnd(run->hourglass);
  CrLimitsCheckRun(run, &ending);
  if (!run->failed) warn_of_long_steps(run);
  warn_of_dropped(run);
  if (!run->failed) CrRunWarnOfCreated(run);
  if (!run->failed) CrRunWarnOfSoft(run);
  if (!run->failed && run->integrator->ops->advise)
    run->integrator->ops->advise(run->integrator, run->audit);
  ending.warnings = CrWarnings();
  PetscCall(CrWatchRead(run->model->watch, run->model->comm, ending.by_part));
  PetscCall(CrOutputClose(run->output, run->model, run->state, run->audit, &ending));
  CrTimed(run->model->watch, CR_PART_PAGE, write_report(run));
  CrAuditPrint(run, &ending, run->dir);
  PetscCall(print_parts(run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunGo(CrRun *run, const char dir[], PetscBool force, PetscInt nnotes,
                       const char *const notes[])
{
  PetscFunctionBeginUser;
  PetscCall(PetscStrncpy(run->dir, dir, sizeof run->dir));
  PetscCall(CrOutputOpen(run->output, dir, force, run->deck, nnotes, notes));
  CrSignalsCatch();
  CrProgressStart(run);
  PetscCall(CrRunBegin(run));
  /* a run that is killed can go on from the first moment */
  CrTimed(run->model->watch, CR_PART_FILES, CrRunWriteCheckpoint(run));
  PetscCall(loop(run));
  PetscCall(finish(run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunResume(CrRun *run, const char dir[], PetscReal until)
{
  PetscFunctionBeginUser;
  PetscCall(PetscStrncpy(run->dir, dir, sizeof run->dir));
  PetscCall(CrRunReadCheckpoint(run, dir));
  if (until > 0) PetscCall(CrScheduleSetEnd(&run->schedule, run->state->t, until));
  PetscCall(CrOutputReopen(run->output, dir, !CrScheduleIsDone(&run->schedule)));
  CrNote("resumed at t = %g after step %" PetscInt_FMT "\n", (double)run->state->t, run->state->n);
  CrSignalsCatch();
  CrProgressStart(run);
  (void)CrWatchTurn(run->model->watch, CR_PART_STEPS);
  PetscCall(loop(run));
  PetscCall(finish(run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A problem from deck text, built as a run builds it, without files; and functions for tests of this problem. */
#pragma once

#include <stdarg.h>
#include "check.h"
#include "integrate/integrator.h"
#include "model/conditions.h"
#include "model/graph.h"
#include "run/run.h"

typedef struct {
  CrDeck       *deck;
  CrModel      *model;
  CrState      *state;
  CrContact    *contact;
  CrIntegrator *it;
  CrAudit      *audit;
} Problem;

static inline PetscErrorCode problem_close(Problem *p)
{
  PetscFunctionBeginUser;
  PetscCall(CrAuditDestroy(&p->audit));
  PetscCall(CrIntegratorDestroy(&p->it));
  PetscCall(CrContactDestroy(&p->contact));
  PetscCall(CrStateDestroy(&p->state));
  PetscCall(CrModelDestroy(&p->model));
  PetscCall(CrDeckDestroy(&p->deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline PetscErrorCode problem_build(const char *text, Problem *p)
{
  CrStepReport      start = {0};
  const CrDeckNode *time, *step;

  PetscFunctionBeginUser;
  PetscCall(CrProblemParse("test", text, 0, NULL, &p->deck));
  time = CrDeckFind(CrDeckRoot(p->deck), "time");
  step = CrDeckFind(time, "step");
  PetscCall(CrModelCreate(PETSC_COMM_WORLD, p->deck, &p->model));
  PetscCall(CrContactCreate(p->model, p->deck, &p->contact));
  PetscCall(CrStateCreate(p->model, p->deck, &p->state));
  PetscCall(CrIntegratorCreate(time, step && CrDeckIsReal(step) ? CrDeckReal(step) : 0, p->model,
                               p->contact, p->state, &p->it));
  PetscCall(CrAuditCreate(p->model, &p->audit));
  PetscCall(CrIntegratorStep(p->it, p->model, p->state, 0, &start));
  PetscCall(CrAuditRow(p->model, p->state, 0, &start, p->audit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Creates model, contact, method and state from the text of a deck, which is given in the style of printf. The audit
   has the row of the initial state. */
static inline PetscErrorCode problem_open(Problem *p, const char *format, ...)
{
  char           text[8192];
  va_list        args;
  int            n;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  va_start(args, format);
  n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  PetscCheck(n < (int)sizeof text, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "deck of %d characters", n);
  PetscCall(PetscMemzero(p, sizeof *p));
  code = problem_build(text, p);
  if (code) PetscCall(problem_close(p));
  PetscFunctionReturn(code);
}

/* Computes one step and its row of the audit. If the step fails, the report has the reason. */
static inline PetscErrorCode problem_step(Problem *p, PetscReal h, CrStepReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(report, sizeof *report));
  PetscCall(CrIntegratorStep(p->it, p->model, p->state, h, report));
  if (report->reason == CR_STEP_OK) PetscCall(CrAuditRow(p->model, p->state, h, report, p->audit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computes n steps of size h, and checks that each step succeeds. */
static inline PetscErrorCode problem_run(Problem *p, PetscInt n, PetscReal h)
{
  CrStepReport report;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    PetscCall(problem_step(p, h, &report));
    PetscCheck(report.reason == CR_STEP_OK, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED, "step %d: %s",
               (int)k + 1, CrStepReasonText(report.reason));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computes all steps of the deck. As in a run, failed steps are repeated as halves; *rejected is the number of failed
   steps. note: called after every good step; may be NULL. */
static inline PetscErrorCode
problem_watch(Problem *p, void (*note)(Problem *, const CrStepReport *, PetscReal h, void *ctx),
              void *ctx, PetscInt *rejected)
{
  CrSchedule   schedule;
  CrStepReport report;

  PetscFunctionBeginUser;
  *rejected = 0;
  PetscCall(CrScheduleCreate(CrDeckFind(CrDeckRoot(p->deck), "time"), 0, &schedule));
  while (!CrScheduleIsDone(&schedule)) {
    CrGoal goal = CrScheduleGoal(&schedule);

    PetscCall(problem_step(p, goal.h, &report));
    if (report.reason == CR_STEP_OK) {
      p->state->t = goal.t;
      CrScheduleAdvance(&schedule);
      if (note) note(p, &report, goal.h, ctx);
      continue;
    }
    ++*rejected;
    PetscCheck(CrScheduleCut(&schedule, p->state->t), PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED,
               "t = %g: %s", (double)p->state->t, CrStepReasonText(report.reason));
  }
  PetscCall(CrScheduleDestroy(&schedule));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline PetscErrorCode problem_go(Problem *p, PetscInt *rejected)
{
  PetscFunctionBeginUser;
  PetscCall(problem_watch(p, NULL, NULL, rejected));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A copy of the owned and ghost values of a nodal vector; the caller frees it. */
static inline PetscReal *copy_of(const CrModel *model, Vec v)
{
  PetscInt         n = model->nlocal * model->dim;
  const PetscReal *from;
  PetscReal       *to = NULL;

  if (PetscMalloc1(n, &to) || VecGetArrayRead(v, &from)) return NULL;
  memcpy(to, from, sizeof(PetscReal) * (size_t)n);
  if (VecRestoreArrayRead(v, &from)) return NULL;
  return to;
}

/* Pseudo-random numbers in (-1, 1), the same everywhere. */
static inline PetscReal random_number(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (PetscReal)(*seed >> 8) / 8388608.0 - 1 + 1.0 / 16777216;
}

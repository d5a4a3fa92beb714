/* The command `carom friction`: solves one stored friction-contact problem. */
#include <stdio.h>
#include <string.h>
#include "app/app.h"
#include "base/program.h"
#include "cone/cone.h"

static PetscErrorCode choose_solver(const char name[], const char **solver)
{
  const char *names[16];
  char        hint[CR_HINT], rest[CR_HINT];
  PetscInt    n = 0;

  snprintf(rest, sizeof rest, "; see %s friction --help", CrProgram());
  for (; CrConeSolverName(n) && n < 16; n++) {
    names[n] = CrConeSolverName(n);
    if (name && !strcmp(name, names[n])) *solver = names[n];
  }
  if (!name) *solver = names[0];
  if (*solver) return PETSC_SUCCESS;
  return CrInputError("--solver: unknown \"%s\"%s", name, CrNameHint(name, n, names, rest, hint));
}

/* JSON has no word for what is no number. */
static const char *number(PetscReal x, char text[32])
{
  snprintf(text, 32, PetscIsInfOrNanReal(x) ? "null" : "%.17g", (double)x);
  return text;
}

static void print_json(const CrCone *cone, const CrConeReport *r)
{
  char error[32], scaled[32];

  CrLog("{\"contacts\": %" PetscInt_FMT ", \"dimension\": %" PetscInt_FMT
        ", \"solver\": \"%s\", \"iterations\": %" PetscInt_FMT
        ", \"error\": %s, \"error_scaled\": %s, \"seconds\": %.17g, \"sweeps\": %" PetscInt_FMT
        ", \"newton\": %" PetscInt_FMT ", \"proximal\": %" PetscInt_FMT
        ", \"islands\": %" PetscInt_FMT ", \"converged\": %s}\n",
        CrConeContacts(cone), CrConeDimension(cone), r->solver, r->iterations,
        number(r->error, error), number(r->error_scaled, scaled), r->seconds, r->sweeps, r->newton,
        r->proximal, r->islands, r->converged ? "true" : "false");
}

static void print_text(const CrCone *cone, const CrConeReport *r)
{
  CrLog("contacts      %" PetscInt_FMT " in %" PetscInt_FMT " dimensions, %" PetscInt_FMT
        " island%s\n",
        CrConeContacts(cone), CrConeDimension(cone), r->islands, r->islands == 1 ? "" : "s");
  CrLog("solver        %s\n", r->solver);
  CrLog("iterations    %" PetscInt_FMT " (%" PetscInt_FMT " sweeps, %" PetscInt_FMT " Newton)\n",
        r->iterations, r->sweeps, r->newton);
  CrLog("error         %.3e (eps)\n", r->error);
  CrLog("error scaled  %.3e (eta)\n", r->error_scaled);
  CrLog("seconds       %.3e (CPU)\n", r->seconds);
}

static void warn(const CrConeReport *r, PetscReal tolerance)
{
  if (r->unsupported)
    CrWarn(
        "%" PetscInt_FMT
        " contacts have a diagonal block of W that is zero, so contact forces have no effect there",
        r->unsupported);
  if (!r->converged)
    CrWarn(
        "not solved: the error %.3e is above the tolerance %.3e; the error is greatest at contact %" PetscInt_FMT,
        r->error, tolerance, r->worst);
}

/* From zero. A short solve is repeated, with all that it derives from W, and the shortest time printed: the first
   one pays for pages and for binding functions. */
static PetscErrorCode solve(CrCone *cone, const CrConeOptions *o, PetscInt repeats,
                            CrConeReport *report)
{
  const PetscInt size = CrConeContacts(cone) * CrConeDimension(cone);
  PetscReal     *r, best = PETSC_MAX_REAL, spent = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(size, &r));
  for (PetscInt k = 0; k < (repeats ? repeats : 5) && (repeats || spent < 0.02); k++) {
    PetscCall(PetscArrayzero(r, size));
    CrConeForget(cone);
    PetscCall(CrConeSolve(cone, o, r, report));
    best = PetscMin(best, report->seconds);
    spent += report->seconds;
  }
  report->seconds = best;
  PetscCall(PetscFree(r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppFriction(const AppArguments *a, int *status)
{
  CrConeOptions options = CrConeDefaults();
  CrConeReport  report;
  CrCone       *cone;

  PetscFunctionBeginUser;
  PetscCall(choose_solver(a->solver, &options.solver));
  if (a->tolerance > 0) options.tolerance = a->tolerance;
  PetscCall(CrConeRead(a->words[0], &cone));
  PetscCall(solve(cone, &options, a->repeat, &report));
  if (a->json)
    print_json(cone, &report);
  else
    print_text(cone, &report);
  warn(&report, options.tolerance);
  *status = report.converged ? 0 : 1;
  PetscCall(CrConeDestroy(&cone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

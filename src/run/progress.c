/* Prints the progress of a run, and its summary at the end. */
#include <math.h>
#include <petsctime.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/isa.h"
#include "base/program.h"
#include "deck/units.h"
#include "run/run.h"

#define ROUNDING  1e-11 /* of the greatest energy */
#define FEW_STEPS 8     /* of a contact; the page calls less of them few too */

static double now(void)
{
  PetscLogDouble t = 0;

  return PetscTime(&t) ? 0 : t;
}

/* The part of the run that is done, from 0 to 1. */
static double share_done(const CrRun *run)
{
  return run->schedule.t_end > 0 ? (double)(run->state->t / run->schedule.t_end) : 1;
}

void CrProgressStart(CrRun *run)
{
  const CrModel *m = run->model;

  run->started = now();
  run->percent = -1;
  CrPaceStart(&run->pace, run->started, share_done(run));
  /* mpiexec puts something like a terminal before its processes, but only for standard output */
  run->terminal = isatty(1) && isatty(2) && !CrLogIsQuiet();
  CrLog("%s: %" PetscInt_FMT " %s, %" PetscInt_FMT " elements, %" PetscInt_FMT
        " unknowns, %" PetscInt_FMT " steps to t = %g\n",
        run->integrator->ops->name, m->nbodies + m->rigid->n,
        m->nbodies + m->rigid->n == 1 ? "body" : "bodies", m->ncells, CrModelDofs(m),
        run->schedule.total, (double)run->schedule.t_end);
  if (m->ncells) CrLog("element kernels: %s\n", CrIsaName(CrIsaGet()));
  for (PetscInt k = 0; run->critical_step > 0 && k < run->schedule.nsegments; k++) {
    if (run->schedule.h[k] <= run->critical_step) continue;
    CrWarn("the step %g is longer than the critical step %g, which is estimated from the elements",
           (double)run->schedule.h[k], (double)run->critical_step);
    break;
  }
  for (PetscInt k = 0; run->contact && k < PetscMin(run->contact->npairs, 8); k++)
    if (run->integrator->ops->accepts & CR_RESTITUTION)
      CrLog("contact %s: friction %g, restitution %g\n", run->contact->pairs[k].name,
            (double)run->contact->pairs[k].friction, (double)run->contact->pairs[k].restitution);
    else if (run->integrator->ops->accepts & CR_SPRINGS)
      CrLog("contact %s: penalties %.6g (%s), %.6g (%s)\n", run->contact->pairs[k].name,
            (double)run->contact->pairs[k].kn, run->contact->pairs[k].kn_text,
            (double)run->contact->pairs[k].kt, run->contact->pairs[k].kt_text);
  if (run->contact && run->contact->npairs > 8)
    CrLog("contact: %" PetscInt_FMT " more pairs\n", run->contact->npairs - 8);
  if (run->integrator->newton)
    CrLog("linear solver: %s\n", CrNewtonSolverText(run->integrator->newton));
}

/* Seconds as a short text. */
static const char *duration(double s, char *text, size_t n)
{
  if (s < 99.5)
    snprintf(text, n, "%.0f s", s);
  else if (s < 5940)
    snprintf(text, n, "%.0f min", s / 60);
  else
    snprintf(text, n, "%.1f h", s / 3600);
  return text;
}

/* What the method does not account for. Losses that it books itself, such as those of impacts, are explained; a method
   that claims no balance answers for all. The page says the same. */
static PetscBool explains(const CrRun *run)
{
  return (run->integrator->ops->claims & CR_BALANCES_ENERGY) && !run->model->quasi_static;
}

static void describe_step(const CrRun *run, PetscInt percent, char line[160])
{
  const CrAudit *a = run->audit;
  char           eta[32];
  PetscBool      least = run->contact && run->contact->npairs && !run->pace.met && percent < 100;

  snprintf(line, 160,
           "%3d %%  t %-10.5g step %-7d h %-8.3g %s %-2d contacts %-4d balance %+.1e  ETA %s%s",
           (int)percent, (double)a->time, (int)a->step, (double)a->h,
           run->integrator->newton ? "Newton" : "inner", (int)a->iterations, (int)a->contacts,
           (double)(explains(run) ? a->defect : a->balance), least ? "> " : "",
           duration(CrPaceLeft(&run->pace), eta, sizeof eta));
}

#define BAR 20 /* characters of the bar */

/* Draws one line over and over: a bar and the line of the step, cut to the width of the terminal. */
static void redraw(const char line[], double share)
{
  struct winsize size;
  const int      width = !ioctl(1, TIOCGWINSZ, &size) && size.ws_col > 40 ? size.ws_col - 1 : 132;
  char           bar[BAR + 1], text[200];

  for (int k = 0; k < BAR; k++) bar[k] = share * BAR >= k + 1 ? '#' : '.';
  bar[BAR] = 0;
  snprintf(text, sizeof text, "[%s] %s", bar, line);
  printf("\r%-*.*s", PetscMin(width, 132), width, text);
  fflush(stdout);
  CrLogSetOpenLine(PETSC_TRUE);
}

/* A line every few percent. On a terminal these go into the log file alone, and a bar is drawn there. */
void CrProgressStep(CrRun *run)
{
  const double    t = now(), share = share_done(run);
  const PetscInt  percent = (PetscInt)(100 * share);
  const PetscBool due =
      run->audit->step > 0 && (run->percent < 0 || percent / 5 > run->percent / 5);
  const PetscBool again = run->terminal && (t - run->spoken >= 0.1 || percent >= 100);
  char            line[160];
  PetscMPIInt     rank;

  CrPaceStep(&run->pace, t, share, run->audit->contacts > 0);
  if (!due && !again) return;
  MPI_Comm_rank(run->model->comm, &rank);
  describe_step(run, percent, line);
  if (due) run->percent = percent;
  if (due && !run->terminal) CrLog("%s\n", line);
  if (due && run->terminal) CrNote("%s\n", line);
  if (!again) return;
  run->spoken = t;
  if (rank == 0) redraw(line, share);
}

/* Elements and facets of the contact. */
static void print_elements(const CrResolved *r)
{
  char   text[200] = "";
  size_t used = 0;

  if (isfinite(r->crossed))
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "a wave crosses %.2g elements per step, ", (double)r->crossed);
  if (isfinite(r->along[1]))
    used += (size_t)snprintf(text + used, sizeof text - used, "%.0f x %.0f contact points",
                             (double)r->along[0], (double)r->along[1]);
  else
    used += (size_t)snprintf(text + used, sizeof text - used, "%.0f %s", (double)r->along[0],
                             r->along[0] > 1 ? "contact points" : "contact point");
  if (r->turn > 0)
    snprintf(text + used, sizeof text - used, ", neighbouring facets differ by %.2g degrees",
             (double)r->turn);
  if (isfinite(r->along[0])) CrLog("                    %s\n", text);
}

/* Pair by pair, where there are several, but not a page of them. */
static void print_pairs(const CrResolved *r)
{
  for (PetscInt k = 0; r->npairs > 1 && r->npairs <= 8 && k < r->npairs; k++) {
    const CrResolvedPair *p = &r->pairs[k];

    if (isfinite(p->least))
      CrLog("                    %s: %d steps per contact, force ripple %.2g\n", p->name,
            (int)p->least, (double)p->ripple);
  }
}

/* What the ledger does not tell, and how to know it; where there was contact. */
static void print_resolution(const CrRun *run, const CrResolved *r)
{
  char here[PETSC_MAX_PATH_LEN];

  if (PetscIsInfOrNanReal(r->ripple)) {
    if (run->resolution) CrLog("  contact           no contact pair touched during the run\n");
    return;
  }
  if (PetscIsInfOrNanReal(r->least))
    CrLog("  resolution        force ripple %.2g\n", (double)r->ripple);
  else
    CrLog("  resolution        %d steps per contact at least (median %d), force ripple %.2g\n",
          (int)r->least, (int)r->median, (double)r->ripple);
  if (r->least < FEW_STEPS)
    CrLog("                    less than %d steps per contact are few: use shorter steps\n",
          FEW_STEPS);
  print_pairs(r);
  print_elements(r);
  CrLog("                    %s converge %s estimates the error of these numbers\n", CrProgram(),
        CrPathHere(CrDeckPath(run->deck), here));
}

/* Rejected steps, and those that Newton's method found by backtracking only. */
static void print_steps(const CrRun *run)
{
  const CrAudit *a = run->audit;
  char           searched[48] = "";

  if (a->searched)
    snprintf(searched, sizeof searched, ", %" PetscInt_FMT " by backtracking", a->searched);
  CrLog("  steps             %" PetscInt_FMT " (%" PetscInt_FMT " rejected%s), %" PetscInt_FMT
        " %s iterations\n",
        run->state->n, a->rejected, searched, a->total_iterations,
        run->integrator->newton ? "Newton" : "inner");
}

/* What contact took, and what is left then. Central differences count the work of their own internal forces: the
   energy that bodies store differs from it by an error of the step, which is a line of its own. */
static void print_contact_work(const CrRun *run)
{
  const CrAudit  *a = run->audit;
  const PetscReal steps = a->balance - a->contact_work - a->defect;

  if (a->contact_work != 0)
    CrLog("  contact work      %.10g; at the end an energy change of %.3e remains unexplained\n",
          (double)a->contact_work, (double)a->defect);
  if (PetscAbsReal(steps) > ROUNDING * a->energy_scale)
    CrLog(
        "  step error        %.3e at the end: difference between stored energy and work of internal forces\n",
        (double)steps);
}

/* The label of a unit with a blank before it; empty where the deck gives none. */
static void label_of(const CrUnits *units, CrUnit unit, char label[72])
{
  snprintf(label, 72, "%s%s", *units->label[unit] ? " " : "", units->label[unit]);
}

void CrAuditPrint(const CrRun *run, const CrEnding *ending, const char dir[])
{
  const CrAudit *a = run->audit;
  double         open = explains(run) ? a->defect_max : a->balance_max;
  double         relative = a->energy_scale > 0 ? open / (double)a->energy_scale : 0;
  CrUnits        units;
  char           energy[72], length[72];

  (void)CrUnitsRead(CrDeckRoot(run->deck), &units); /* it was checked at the start */
  label_of(&units, CR_UNIT_ENERGY, energy);
  label_of(&units, CR_UNIT_LENGTH, length);
  CrLogIn(ending->completed && !run->failed ? CR_TONE_GOOD : CR_TONE_BAD, "audit (%s): %s\n",
          run->integrator->ops->name,
          ending->completed ? run->failed ? "completed, a limit is broken" : "completed"
                            : "FAILED");
  CrLog("  energy            %.10g%s at the start, %.10g%s at the end\n", (double)a->energy0,
        energy, (double)a->energy, energy);
  CrLog("  %s    %.3e%s at most, %.3e of the greatest energy\n",
        run->model->quasi_static ? "path error    " : "energy balance", open, energy, relative);
  if (run->model->is_free)
    CrLog("  momentum drift    linear %.3e, angular %.3e\n", (double)a->momentum_drift,
          (double)a->angular_drift);
  else
    CrLog("  momentum drift    not evaluated, because loads or supports act\n");
  CrLog("  external work     %.10g%s\n", (double)a->external_work, energy);
  CrLog("  friction loss     %.10g%s\n", (double)a->friction_loss, energy);
  if (a->losses[CR_LOSS_PLASTIC] != 0)
    CrLog("  plastic loss      %.10g%s\n", (double)a->losses[CR_LOSS_PLASTIC], energy);
  if (a->losses[CR_LOSS_VISCOUS] != 0)
    CrLog("  viscous loss      %.10g%s\n", (double)a->losses[CR_LOSS_VISCOUS], energy);
  if (a->drag != 0) CrLog("  drag              %.10g%s\n", (double)a->drag, energy);
  if (a->dropped != 0)
    CrLog(
        "  dropped           %.3e of the losses: energy of springs of contacts that slid off an edge\n",
        (double)a->dropped);
  print_contact_work(run);
  CrLog("  deepest contact   %.3e%s\n", (double)a->deepest, length);
  if (run->overlaps) {
    char overlap[480];

    CrOverlapsDescribe(run->overlaps, overlap, sizeof overlap);
    if (*overlap) CrLog("  deepest overlap   %s\n", overlap);
  }
  if (a->ghost_renewals)
    CrLog("  the ghost nodes for contact were chosen anew %" PetscInt_FMT " times\n",
          a->ghost_renewals);
  print_resolution(run, &ending->resolved);
  print_steps(run);
  CrLog("  time              %.2f s, results in %s\n", ending->wall_seconds, dir);
}

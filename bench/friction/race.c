/* src/cone against Siconos on stored friction problems: one process, in turns, CPU time of the solve alone, both
   answers judged by our measure. Prints Markdown.

   usage: carom_race FILE...
          carom_race --variants N [--tries M] FILE...

   Every entry of the peer gets the loosest tolerance of its own, a power of ten, with which its answer has eps <= 1e-8:
   its measure is not quite ours, and neither more nor less shall be asked of it. An entry that reaches eps with none
   has no time. Then rounds of all that do, and of ours, which derives everything from W anew each time; a round gives
   one ratio. With --variants, N changed copies of each kind of every file: ours must solve all; the peer tries the
   first M of each, with a tolerance of 1e-8 and a fifth of the iterations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "cone/internal.h"
#include "friction/peer.h"
#include "friction_variants.h"

#define TOLERANCE 1e-8

/* MOST_DENSE: contacts up to which a copy is tried with a dense W, which is never the quicker for more;
   TRY_PART: a try gets that part of the iterations that a race gets */
enum { MOST_ENTRIES = 16, LEAST_ROUNDS = 7, MOST_ROUNDS = 51, MOST_DENSE = 60, TRY_PART = 5 };

typedef struct {
  PetscBool   works; /* reaches eps */
  PetscReal   tolerance, eps;
  PetscInt    iterations;
  PetscReal   time[MOST_ROUNDS];
  const char *name;
} Entry;

typedef struct {
  CrCone      *cone;
  Peer        *peer;
  PetscReal   *r;
  PetscInt     nentries, rounds;
  Entry        entry[MOST_ENTRIES];
  Entry        ours;
  CrConeReport report;
} Race;

/* ---- time ---------------------------------------------------------------------------------- */

static PetscReal clock_cost;

static PetscReal now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (PetscReal)t.tv_sec + 1e-9 * (PetscReal)t.tv_nsec;
}

/* The clock is a call of the system: 0.2 us, as much as a small solve. */
static void measure_clock(void)
{
  clock_cost = 1;
  for (int k = 0; k < 1000; k++) {
    PetscReal begin = now(), end = now();

    clock_cost = PetscMin(clock_cost, end - begin);
  }
}

static PetscReal since(PetscReal begin)
{
  return PetscMax(now() - begin - clock_cost, 1e-9);
}

static int ascending(const void *a, const void *b)
{
  PetscReal x = *(const PetscReal *)a, y = *(const PetscReal *)b;

  return (x > y) - (x < y);
}

/* `part` 0.5: the median. */
static PetscReal quantile(PetscInt n, const PetscReal x[], PetscReal part)
{
  PetscReal sorted[4 * MOST_ROUNDS];

  memcpy(sorted, x, (size_t)n * sizeof *x);
  qsort(sorted, (size_t)n, sizeof *sorted, ascending);
  return sorted[(PetscInt)floor(part * (PetscReal)(n - 1) + 0.5)];
}

/* ---- one solve ----------------------------------------------------------------------------- */

static PetscErrorCode solve_ours(Race *race, PetscReal *seconds)
{
  CrConeOptions o = CrConeDefaults();
  PetscReal     begin;

  PetscFunctionBeginUser;
  o.tolerance = TOLERANCE;
  PetscCall(PetscArrayzero(race->r, race->cone->n * race->cone->dim));
  CrConeForget(race->cone);
  begin = now();
  PetscCall(CrConeSolve(race->cone, &o, race->r, &race->report));
  *seconds = since(begin);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve_peer(Race *race, PetscInt k, PetscReal tolerance, PetscInt part,
                                 PetscReal *seconds, PetscReal *eps, PetscBool *content)
{
  PetscReal begin, eta;

  PetscFunctionBeginUser;
  PeerPrepare(race->peer, k, tolerance, part);
  begin = now();
  *content = PeerSolve(race->peer, race->r, &race->entry[k].iterations);
  *seconds = since(begin);
  PetscCall(CrConeErrors(race->cone, race->r, eps, &eta));
  if (!isfinite(*eps)) *eps = PETSC_MAX_REAL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a race -------------------------------------------------------------------------------- */

static PetscErrorCode make_peer(Race *race)
{
  const ConeSystem *s = &race->cone->system;
  PetscReal        *q;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(s->n * s->dim, &q));
  for (PetscInt i = 0; i < s->n; i++)
    for (PetscInt a = 0; a < s->dim; a++) q[i * s->dim + a] = s->q[i * s->stride + a];
  race->peer = PeerCreate(s->dim, s->n, s->stride, s->row, s->col, s->block, q, s->mu);
  PetscCall(PetscFree(q));
  for (race->nentries = 0; PeerName(s->dim, race->nentries); race->nentries++)
    race->entry[race->nentries].name = PeerName(s->dim, race->nentries);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The loosest tolerance that is tight enough, from 1e-8 on in one direction or the other. */
static PetscErrorCode find_tolerance(Race *race, PetscInt k)
{
  Entry    *e = &race->entry[k];
  PetscReal seconds, eps, tolerance = TOLERANCE, best = PETSC_MAX_REAL;
  PetscBool content, looser;

  PetscFunctionBeginUser;
  PetscCall(solve_peer(race, k, tolerance, 1, &seconds, &eps, &content));
  looser = eps <= TOLERANCE;
  for (int step = 0; step < 5; step++) {
    best = PetscMin(best, eps);
    if (eps <= TOLERANCE) e->works = PETSC_TRUE, e->tolerance = tolerance, e->eps = eps;
    if (looser ? eps > TOLERANCE : eps <= TOLERANCE || !content) break;
    tolerance *= looser ? 10 : 0.1;
    PetscCall(solve_peer(race, k, tolerance, 1, &seconds, &eps, &content));
  }
  if (!e->works) e->eps = best;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode run_rounds(Race *race)
{
  PetscReal seconds, eps, sum = 0;
  PetscBool content;

  PetscFunctionBeginUser;
  for (PetscInt round = 0; round == 0 || round < race->rounds; round++) {
    PetscCall(solve_ours(race, &race->ours.time[round]));
    for (PetscInt k = 0; k < race->nentries; k++) {
      Entry *e = &race->entry[k];

      if (!e->works) continue;
      PetscCall(solve_peer(race, k, e->tolerance, 1, &seconds, &eps, &content));
      e->time[round] = seconds;
      sum += seconds;
    }
    if (round == 0)
      race->rounds =
          (PetscInt)PetscMin(MOST_ROUNDS, PetscMax(LEAST_ROUNDS, 1 / PetscMax(sum, 1e-9)));
  }
  race->ours.works = race->report.converged;
  race->ours.eps = race->report.error;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The entry with the least median; -1: none works. `like`: of those whose name begins so. */
static PetscInt fastest(const Race *race, const char like[])
{
  PetscInt  best = -1;
  PetscReal time = PETSC_MAX_REAL;

  for (PetscInt k = 0; k < race->nentries; k++) {
    const Entry *e = &race->entry[k];
    PetscReal    t;

    if (!e->works || strncmp(e->name, like, strlen(like))) continue;
    t = quantile(race->rounds, e->time, 0.5);
    if (t < time) time = t, best = k;
  }
  return best;
}

/* ---- the table ----------------------------------------------------------------------------- */

static void print_family(const Race *race, const char like[])
{
  PetscInt  k = fastest(race, like);
  PetscReal best = PETSC_MAX_REAL;

  if (k >= 0) {
    printf(" %" PetscInt_FMT ", %.0e, %.3g |", race->entry[k].iterations, race->entry[k].eps,
           1e6 * quantile(race->rounds, race->entry[k].time, 0.5));
    return;
  }
  for (PetscInt e = 0; e < race->nentries; e++)
    if (!strncmp(race->entry[e].name, like, strlen(like)))
      best = PetscMin(best, race->entry[e].eps);
  if (best < PETSC_MAX_REAL)
    printf(" fails, %.0e |", best);
  else
    printf(" |");
}

/* Returns the median ratio, 0 where the peer has no time. */
static PetscReal print_row(const Race *race, const char path[])
{
  const char *name = strrchr(path, '/');
  PetscInt    winner = fastest(race, "");
  PetscReal   ratio[MOST_ROUNDS];

  printf("| %s | %" PetscInt_FMT " | %" PetscInt_FMT " | %" PetscInt_FMT ", %" PetscInt_FMT
         ", %" PetscInt_FMT " | %.0e | %.0e | %.3g |",
         name ? name + 1 : path, race->cone->dim, race->cone->n, race->report.sweeps,
         race->report.newton, race->report.proximal, race->report.error, race->report.error_scaled,
         1e6 * quantile(race->rounds, race->ours.time, 0.5));
  print_family(race, "NSGS");
  print_family(race, race->cone->dim == 3 ? "NSN_AC" : "Lemke");
  print_family(race, race->cone->dim == 3 ? "NSN_FB" : "none");
  if (!race->ours.works || winner < 0) {
    printf(" %s | %s |\n", winner < 0 ? "none" : race->entry[winner].name,
           race->ours.works ? "only ours" : "ours fails");
    return 0;
  }
  for (PetscInt k = 0; k < race->rounds; k++)
    ratio[k] = race->entry[winner].time[k] / race->ours.time[k];
  printf(" %s, %" PetscInt_FMT " rounds | %.1f (%.1f, %.1f) |\n", race->entry[winner].name,
         race->rounds, quantile(race->rounds, ratio, 0.5), quantile(race->rounds, ratio, 0.25),
         quantile(race->rounds, ratio, 0.75));
  return quantile(race->rounds, ratio, 0.5);
}

static PetscErrorCode open_race(const char path[], Race *race)
{
  PetscFunctionBeginUser;
  *race = (Race){0};
  PetscCall(CrConeRead(path, &race->cone));
  PetscCall(PetscMalloc1(race->cone->n * race->cone->dim, &race->r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_race(Race *race)
{
  PetscFunctionBeginUser;
  PeerDestroy(&race->peer);
  PetscCall(PetscFree(race->r));
  PetscCall(CrConeDestroy(&race->cone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode race_files(PetscInt n, char *path[])
{
  Race      race;
  PetscReal ratio[4 * MOST_ROUNDS];
  PetscInt  nratio = 0, slower = 0, alone = 0, failed = 0;

  PetscFunctionBeginUser;
  printf("| problem | d | contacts | ours: sweeps, Newton, proximal | eps | eta | us | NSGS: its, "
         "eps, us | Newton AC (2D: Lemke) | Newton FB | fastest | ratio: median (quartiles) |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (PetscInt f = 0; f < n; f++) {
    PetscReal one;

    PetscCall(open_race(path[f], &race));
    PetscCall(make_peer(&race));
    for (PetscInt k = 0; k < race.nentries; k++) PetscCall(find_tolerance(&race, k));
    PetscCall(run_rounds(&race));
    one = print_row(&race, path[f]);
    fflush(stdout);
    if (one > 0 && nratio < 4 * MOST_ROUNDS) ratio[nratio++] = one;
    if (!race.ours.works) failed++;
    if (race.ours.works && fastest(&race, "") < 0) alone++;
    if (one > 0 && one < 1 && quantile(race.rounds, race.ours.time, 0.5) > 50e-6) slower++;
    PetscCall(close_race(&race));
  }
  printf("\nMedian ratio %.1f over %" PetscInt_FMT " files; %" PetscInt_FMT
         " solved by ours alone; %" PetscInt_FMT
         " not solved by ours; slower than the peer on %" PetscInt_FMT " of those above 50 us.\n",
         nratio ? quantile(nratio, ratio, 0.5) : 0, nratio, alone, failed, slower);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- changed copies ------------------------------------------------------------------------ */

/* One copy: is it solved, and how long does it take; the peer's best of one try each, 0 where none comes to eps. */
static PetscErrorCode race_variant(const char path[], PetscInt kind, PetscInt k, PetscBool peer,
                                   PetscBool *solved, PetscReal *seconds, PetscReal *theirs)
{
  Race race;

  PetscFunctionBeginUser;
  PetscCall(open_race(path, &race));
  variant_change(&race.cone->system, kind, k);
  PetscCall(solve_ours(&race, seconds));
  *solved = race.report.converged;
  if (!*solved)
    fprintf(stderr, "%s, %s %" PetscInt_FMT ": eps %.2e, %.3g s\n", path, variant_kinds[kind].name,
            k, race.report.error, *seconds);
  *theirs = 0;
  if (peer) PetscCall(make_peer(&race));
  for (PetscInt e = 0; e < race.nentries; e++) {
    PetscReal time, eps;
    PetscBool content;

    if (race.cone->n > MOST_DENSE && strstr(race.entry[e].name, "dense")) continue;
    PetscCall(solve_peer(&race, e, TOLERANCE, TRY_PART, &time, &eps, &content));
    if (eps <= TOLERANCE && (*theirs == 0 || time < *theirs)) *theirs = time;
  }
  PetscCall(close_race(&race));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode race_variants(const char path[], PetscInt n, PetscInt npeer)
{
  const char *name = strrchr(path, '/');
  PetscReal   time[4 * MOST_ROUNDS], ratio[4 * MOST_ROUNDS];

  PetscFunctionBeginUser;
  for (PetscInt kind = 0; kind < VARIANT_KINDS; kind++) {
    PetscInt solved = 0, both = 0, theirs = 0;

    for (PetscInt k = 0; k < n; k++) {
      PetscBool ok;
      PetscReal other;

      PetscCall(race_variant(path, kind, k, k < npeer, &ok, &time[k], &other));
      if (ok) solved++;
      if (other > 0) theirs++;
      if (ok && other > 0) ratio[both++] = other / time[k];
    }
    printf("| %s | %s | %" PetscInt_FMT " of %" PetscInt_FMT " | %.3g | %.3g | %" PetscInt_FMT
           " of %" PetscInt_FMT " | ",
           name ? name + 1 : path, variant_kinds[kind].name, solved, n,
           1e6 * quantile(n, time, 0.5), 1e6 * quantile(n, time, 1), theirs, PetscMin(n, npeer));
    if (both)
      printf("%.1f (%.1f) |\n", quantile(both, ratio, 0.5), quantile(both, ratio, 0));
    else
      printf("|\n");
    fflush(stdout);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscInt variants = 0, tries = 0, first = 1;

  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  while (first + 1 < argc && !strncmp(argv[first], "--", 2)) {
    if (!strcmp(argv[first], "--variants")) variants = atoi(argv[first + 1]);
    if (!strcmp(argv[first], "--tries")) tries = atoi(argv[first + 1]);
    first += 2;
  }
  measure_clock();
  if (variants == 0) PetscCall(race_files(argc - first, argv + first));
  if (variants)
    printf("| problem | changed | solved | ours us: median | most | peer solves | ratio: median "
           "(least) |\n"
           "|---|---|---|---|---|---|---|\n");
  for (int f = first; variants && f < argc; f++) PetscCall(race_variants(argv[f], variants, tries));
  PetscCall(PetscFinalize());
  return 0;
}

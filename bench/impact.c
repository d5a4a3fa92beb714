/* Explicit steps with contact (P4): two slabs of H8 pressed together face to face, depth elements
   deep, so that one node in depth + 1 lies on the faces and all of those touch; nodes do not meet nodes. Beside them the same
   slabs without contact, and the bare kernel on data that stays in cache, all in one run. Times are
   CPU seconds of this process, the least of several tries. Under mpiexec: wall-clock times of whole
   steps only. usage: carom_bench_impact [elements per side of the faces] [depth] */
#include <stdlib.h>
#include <time.h>
#include "base/isa.h"
#include "run/run.h"

#define WARM  8  /* steps until contact is that of a long touch */
#define TRIES 25 /* steps that are timed */

typedef struct {
  CrDeck       *deck;
  CrModel      *model;
  CrContact    *contact;
  CrState      *state;
  CrIntegrator *it;
  PetscReal     h;
  PetscInt      contacts;
} Problem;

static double seconds(void)
{
  struct timespec t;
  int             ranks;

  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  clock_gettime(ranks > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static PetscErrorCode open_slabs(Problem *p, PetscInt n, PetscInt depth, const char *integration,
                                 const char *contact)
{
  char              text[2048];
  const CrDeckNode *time;
  PetscReal         thick = (PetscReal)depth / (PetscReal)n;

  PetscFunctionBeginUser;
  p->h = 0.2 / (PetscReal)n / 15.6; /* c = sqrt((lambda + 2 shear)/rho) = 4.93: well below */
  p->contacts = 0;
  p->contact = NULL;
  snprintf(text, sizeof text,
           "carom: 1\ndimension: 3\n"
           "materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]\nbodies:\n"
           "  - {name: a, material: m, integration: %s, velocity: [0.05, 0.02, -0.2], "
           "mesh: {block: {from: [0, 0, 0], to: [1, 1, %.17g], elements: [%d, %d, %d]}}}\n"
           "  - {name: b, material: m, integration: %s, position: [%.17g, %.17g, 0], "
           "mesh: {block: {from: [0, 0, %.17g], to: [1, 1, 0], elements: [%d, %d, %d]}}}\n"
           "%stime: {method: explicit, step: %.17g, end: 1}\n",
           integration, (double)thick, (int)n, (int)n, (int)depth, integration, 0.37 / (double)n,
           0.23 / (double)n, (double)-thick, (int)n, (int)n, (int)depth, contact, (double)p->h);
  PetscCall(CrProblemParse("bench", text, 0, NULL, &p->deck));
  time = CrDeckFind(CrDeckRoot(p->deck), "time");
  PetscCall(CrModelCreate(PETSC_COMM_WORLD, p->deck, &p->model));
  PetscCall(CrContactCreate(p->model, p->deck, &p->contact));
  PetscCall(CrStateCreate(p->model, p->deck, &p->state));
  PetscCall(CrIntegratorCreate(time, p->h, p->model, p->contact, p->state, &p->it));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_slabs(Problem *p)
{
  PetscFunctionBeginUser;
  PetscCall(CrIntegratorDestroy(&p->it));
  PetscCall(CrContactDestroy(&p->contact));
  PetscCall(CrStateDestroy(&p->state));
  PetscCall(CrModelDestroy(&p->model));
  PetscCall(CrDeckDestroy(&p->deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode time_step(Problem *p, double *least)
{
  CrStepReport report = {0};
  double       t;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  t = seconds();
  PetscCall(CrIntegratorStep(p->it, p->model, p->state, p->h, &report));
  t = seconds() - t;
  PetscCheck(report.reason >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s",
             CrStepReasonText(report.reason));
  p->contacts = PetscMax(p->contacts, report.contacts);
  *least = PetscMin(*least, t);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Element updates per second of the force kernel over a cube small enough for the cache. */
static PetscErrorCode kernel_rate(const char *integration, PetscReal *rate)
{
  Problem     p;
  PetscReal  *u, *out, W[CR_BATCH], det[CR_BATCH];
  double      best = 1e30;
  CrNodal     nodal;
  CrKernelOut result = {.energy = W, .det = det};

  PetscFunctionBeginUser;
  PetscCall(open_slabs(&p, 6, 6, integration, ""));
  PetscCall(PetscCalloc2(p.model->nlocal * 3, &u, CR_MAX_DOFS * CR_BATCH, &out));
  for (PetscInt k = 0; k < p.model->nlocal * 3; k++) u[k] = 1e-3 * (double)((k * 7919) % 101);
  nodal = (CrNodal){.X = p.model->X, .u0 = p.model->X, .u1 = u};
  result.force = out;
  for (int k = 0; k < 9; k++) {
    double t = seconds();

    for (int again = 0; again < 20; again++)
      for (PetscInt b = 0; b < p.model->nblocks; b++)
        for (PetscInt i = 0; i < p.model->blocks[b].nbatches; i++)
          p.model->blocks[b].element->force(&p.model->blocks[b], i, &nodal, CR_FORCE_POINT,
                                            &result);
    best = PetscMin(best, (seconds() - t) / 20);
  }
  *rate = (double)p.model->ncells / best;
  PetscCall(PetscFree2(u, out));
  PetscCall(close_slabs(&p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode slabs(PetscInt n, PetscInt depth, const char *integration)
{
  const char *pair = "contact: [{between: [a.bottom, b.top], friction: 0.3}]\n";
  Problem     with, without;
  PetscReal   ceiling, cells;
  double      least[2] = {1e30, 1e30};
  int         ranks;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  PetscCall(open_slabs(&without, n, depth, integration, ""));
  PetscCall(open_slabs(&with, n, depth, integration, pair));
  for (int k = -WARM; k < TRIES; k++) { /* in turn: the machine has other guests */
    if (k == 0) least[0] = least[1] = 1e30;
    PetscCall(time_step(&without, &least[0]));
    PetscCall(time_step(&with, &least[1]));
  }
  cells = (PetscReal)with.model->ncells;
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "%8.0f H8 %-9s %6d touch: step %8.3f ms, without contact %8.3f ms, share "
                        "of contact %4.1f %%\n",
                        (double)cells, integration, (int)with.contacts, 1e3 * least[1],
                        1e3 * least[0], 100 * (least[1] - least[0]) / least[1]));
  PetscCall(close_slabs(&with));
  PetscCall(close_slabs(&without));
  if (ranks > 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(kernel_rate(integration, &ceiling));
  printf("%8s    %-9s %.2f M updates/s, %.0f %% of the bare kernel (%.2f; must 40 %%)\n", "",
         integration, 1e-6 * (double)cells / least[1], 100 * (double)(cells / least[1] / ceiling),
         1e-6 * (double)ceiling);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode all(PetscInt n, PetscInt depth)
{
  PetscFunctionBeginUser;
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "instruction set %s\n", CrIsaName(CrIsaGet())));
  PetscCall(slabs(n, depth, "full"));
  PetscCall(slabs(n, depth, "one-point"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscInt n = argc > 1 ? atoi(argv[1]) : 224, depth = argc > 2 ? atoi(argv[2]) : 10;
  int      one = 1;

  if (PetscInitialize(&one, &argv, NULL, NULL)) return 1;
  if (PetscPushErrorHandler(CrErrorHandler, NULL) || all(n, depth)) {
    fprintf(stderr, "bench: %s\n", CrErrorMessage());
    return 1;
  }
  return PetscFinalize() ? 1 : 0;
}

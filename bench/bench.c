/* Costs of the parts, beside the machine's own ceilings measured in the same run: memory triad,
   bare kernels on data that stays in cache, assembly (P6), mesh reading (P9), contact search, Newton
   steps and explicit steps. Times are CPU seconds of this process, the least of several tries; ratios carry
   over between machines, seconds do not. usage: carom_bench [elements per side of the explicit
   cube] */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "base/isa.h"
#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"
#include "model/graph.h"
#include "run/run.h"
#include "model/forces.h"

static double cpu(void)
{
  struct timespec t;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_megabytes(void)
{
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

/* ---- a problem from text ------------------------------------------------------------------ */

typedef struct {
  CrDeck       *deck;
  CrModel      *model;
  CrState      *state;
  CrIntegrator *it;
} Problem;

static PetscErrorCode open_cube(Problem *p, PetscInt n, const char *type, const char *method,
                                const char *step, const char *integration)
{
  char              text[1024];
  const CrDeckNode *time;

  PetscFunctionBeginUser;
  snprintf(text, sizeof text,
           "carom: 1\ndimension: 3\n"
           "materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]\n"
           "bodies: [{name: b, material: m, integration: %s, spin: [0.4, 0.3, 1.5],\n"
           "  mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [%d, %d, %d], type: %s}}}]\n"
           "time: {method: %s, step: %s, end: 1}\n",
           integration, (int)n, (int)n, (int)n, type, method, step);
  PetscCall(CrProblemParse("bench", text, 0, NULL, &p->deck));
  time = CrDeckFind(CrDeckRoot(p->deck), "time");
  PetscCall(CrModelCreate(PETSC_COMM_WORLD, p->deck, &p->model));
  PetscCall(CrStateCreate(p->model, p->deck, &p->state));
  PetscCall(CrIntegratorCreate(time, CrDeckReal(CrDeckFind(time, "step")), p->model, NULL, p->state,
                               &p->it));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_cube(Problem *p)
{
  PetscFunctionBeginUser;
  PetscCall(CrIntegratorDestroy(&p->it));
  PetscCall(CrStateDestroy(&p->state));
  PetscCall(CrModelDestroy(&p->model));
  PetscCall(CrDeckDestroy(&p->deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- ceilings ----------------------------------------------------------------------------- */

static PetscErrorCode triad(void)
{
  size_t  n = 20000000;
  double *a, *b, *c, best = 1e30;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc3(n, &a, n, &b, n, &c));
  for (size_t i = 0; i < n; i++) a[i] = b[i] = c[i] = (double)i;
  for (int k = 0; k < 5; k++) {
    double t = cpu();

    for (size_t i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];
    best = PetscMin(best, cpu() - t);
  }
  printf("triad                         %8.2f GB/s (one core, from memory)\n",
         24e-9 * (double)n / best);
  PetscCall(PetscFree3(a, b, c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Element updates per second of a kernel over a cube small enough for the cache. */
static PetscErrorCode kernel_rate(const char *type, const char *integration, const char *what,
                                  PetscReal *rate)
{
  Problem     p;
  PetscReal  *u, *out, W[CR_BATCH], det[CR_BATCH];
  double      best = 1e30;
  CrNodal     nodal;
  CrKernelOut result = {0};
  PetscBool   tangent = !strcmp(what, "tangent"), between = strcmp(what, "force at") != 0;

  PetscFunctionBeginUser;
  PetscCall(open_cube(&p, 8, type, "midpoint", "0.01", integration));
  PetscCall(PetscCalloc2(p.model->nlocal * 3, &u, CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH, &out));
  for (PetscInt k = 0; k < p.model->nlocal * 3; k++) u[k] = 1e-3 * (double)((k * 7919) % 101);
  nodal = (CrNodal){.X = p.model->X, .u0 = p.model->X, .u1 = u};
  if (tangent)
    result.tangent = out;
  else
    result.force = out;
  if (!between) {
    result.energy = W;
    result.det = det;
  }
  for (int k = 0; k < 7; k++) {
    double t = cpu();

    for (int again = 0; again < 20; again++)
      for (PetscInt b = 0; b < p.model->nblocks; b++)
        for (PetscInt i = 0; i < p.model->blocks[b].nbatches; i++) {
          const CrElementBlock *block = &p.model->blocks[b];

          (tangent ? block->element->tangent : block->element->force)(block, i, &nodal,
                                                                      between ? CR_FORCE_CONSERVING
                                                                              : CR_FORCE_POINT,
                                                                      &result);
        }
    best = PetscMin(best, (cpu() - t) / 20);
  }
  *rate = (double)p.model->ncells / best;
  printf("bare kernel %-4s %-9s %-8s %7.2f M elements/s (%.3f us)\n", type, integration, what,
         1e-6 * *rate, 1e6 / *rate);
  PetscCall(PetscFree2(u, out));
  PetscCall(close_cube(&p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- assembly, P6 ------------------------------------------------------------------------- */

static PetscErrorCode assembly(void)
{
  Problem    p;
  Mat        A;
  PetscReal *u, *zero, *f;
  double     t, again = 1e30, force = 1e30;

  PetscFunctionBeginUser;
  PetscCall(open_cube(&p, 32, "H8", "explicit", "1e-3", "full"));
  PetscCall(
      PetscCalloc3(p.model->nlocal * 3, &u, p.model->nlocal * 3, &zero, p.model->nlocal * 3, &f));
  for (PetscInt k = 0; k < p.model->nlocal * 3; k++) u[k] = 1e-4 * (double)((k * 7919) % 101);
  t = cpu();
  PetscCall(CrModelCreateMatrix(p.model, &A));
  printf("pattern, 107811 unknowns      %8.3f s, once\n", cpu() - t);
  for (int k = 0; k < 5; k++) {
    t = cpu();
    PetscCall(CrModelTangent(p.model, p.state, CR_FORCE_CONSERVING, zero, u, 1, 1, A));
    again = PetscMin(again, cpu() - t);
    t = cpu();
    PetscCall(CrModelForce(p.model, p.state, CR_FORCE_CONSERVING, zero, u, f));
    force = PetscMin(force, cpu() - t);
  }
  printf("P6 assembly, again            %8.3f s (must 0.10), force %.3f s\n", again, force);
  PetscCall(MatDestroy(&A));
  PetscCall(PetscFree3(u, zero, f));
  PetscCall(close_cube(&p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- reading, P9 -------------------------------------------------------------------------- */

/* About a million tetrahedra as Gmsh 4.1 text, from our own generator. */
static PetscErrorCode write_mesh(const char path[])
{
  const char *text =
      "mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [55, 55, 55], type: T4}}\n";
  CrDeck *deck;
  CrMesh *mesh;
  FILE   *out = fopen(path, "w");

  PetscFunctionBeginUser;
  PetscCheck(out, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
  PetscCall(CrDeckParse("bench", text, strlen(text), 0, NULL, &deck));
  PetscCall(CrMeshCreate(CrDeckRoot(deck), 3, "bench", &mesh));
  fprintf(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 %d 1 %d\n3 1 0 %d\n",
          (int)mesh->nnodes, (int)mesh->nnodes, (int)mesh->nnodes);
  for (PetscInt A = 0; A < mesh->nnodes; A++) fprintf(out, "%d\n", (int)A + 1);
  for (PetscInt A = 0; A < mesh->nnodes; A++)
    fprintf(out, "%.16g %.16g %.16g\n", mesh->X[3 * A], mesh->X[3 * A + 1], mesh->X[3 * A + 2]);
  fprintf(out, "$EndNodes\n$Elements\n1 %d 1 %d\n3 1 4 %d\n", (int)mesh->blocks[0].n,
          (int)mesh->blocks[0].n, (int)mesh->blocks[0].n);
  for (PetscInt c = 0; c < mesh->blocks[0].n; c++) {
    const PetscInt *n = mesh->blocks[0].nodes + 4 * c;

    fprintf(out, "%d %d %d %d %d\n", (int)c + 1, (int)n[0] + 1, (int)n[1] + 1, (int)n[2] + 1,
            (int)n[3] + 1);
  }
  fprintf(out, "$EndElements\n");
  fclose(out);
  PetscCall(CrMeshDestroy(&mesh));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode reading(void)
{
  char    path[] = "/tmp/carom-bench-XXXXXX", text[128];
  CrDeck *deck;
  CrMesh *mesh;
  double  t, best = 1e30;
  int     fd = mkstemp(path);

  PetscFunctionBeginUser;
  PetscCheck(fd >= 0, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
  fclose(fdopen(fd, "w"));
  PetscCall(write_mesh(path));
  snprintf(text, sizeof text, "mesh: {file: %s}\n", path);
  PetscCall(CrDeckParse("bench", text, strlen(text), 0, NULL, &deck));
  for (int k = 0; k < 3; k++) {
    PetscInt n;

    t = cpu();
    PetscCall(CrMeshCreate(CrDeckRoot(deck), 3, "bench", &mesh));
    best = PetscMin(best, cpu() - t);
    n = mesh->blocks[0].n;
    PetscCall(CrMeshDestroy(&mesh));
    if (k == 2)
      printf("P9 %d tetrahedra read     %8.2f s (must 3), peak memory so far %.0f MB\n", (int)n,
             best, peak_megabytes());
  }
  remove(path);
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- contact search ----------------------------------------------------------------------- */

/* The surface of a plate of n x n x 1 elements: many facets, few cells. */
static PetscErrorCode open_plate(PetscInt n, CrDeck **deck, CrModel **model, CrSurface **surface)
{
  char        text[512];
  PetscInt    s = 0;
  PetscReal   height = 2.0 / (PetscReal)n;
  const char *pattern =
      "carom: 1\ndimension: 3\n"
      "materials: [{name: m, lambda: 1, shear: 1, density: 1}]\n"
      "bodies: [{name: b, material: m, mesh: {block: {from: [0, 0, 0], to: [1, 1, "
      "%g], elements: [%d, %d, 1]}}}]\n"
      "time: {method: explicit, step: 1, end: 1}\n";

  PetscFunctionBeginUser;
  snprintf(text, sizeof text, pattern, height, (int)n, (int)n);
  PetscCall(CrProblemParse("bench", text, 0, NULL, deck));
  PetscCall(CrModelCreate(PETSC_COMM_WORLD, *deck, model));
  while (strcmp((*model)->sets[s].name, "boundary")) s++;
  PetscCall(CrSurfaceCreate(*model, &(*model)->sets[s], surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The plate is wavy and goes a tenth of an element per step. */
static void wave(const CrModel *model, PetscReal way, PetscReal *x)
{
  for (PetscInt A = 0; A < model->nlocal; A++)
    for (int i = 0; i < 3; i++) {
      const PetscReal *X = &model->X[3 * A];

      x[3 * A + i] = X[i] + 0.1 * PetscSinReal(9 * X[0] + 7 * X[1] + i - way) + way;
    }
}

/* The box of n nodes over a step. */
static void sweep(PetscInt n, const PetscInt *nodes, const PetscReal *x0, const PetscReal *x1,
                  PetscReal *box)
{
  for (int i = 0; i < 3; i++) {
    box[i] = PETSC_INFINITY;
    box[3 + i] = PETSC_NINFINITY;
    for (PetscInt a = 0; a < n; a++) {
      PetscReal p = x0[3 * nodes[a] + i], q = x1[3 * nodes[a] + i];

      box[i] = PetscMin(box[i], PetscMin(p, q));
      box[3 + i] = PetscMax(box[3 + i], PetscMax(p, q));
    }
  }
}

/* Boxes and tree in times[0], one query per node in times[1]; *found in all. */
static PetscErrorCode search_once(const CrSurface *surface, const PetscReal *x0,
                                  const PetscReal *x1, CrTree *tree, PetscReal *boxes,
                                  double times[2], PetscInt *found)
{
  double t = cpu();

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < surface->nfacets; f++)
    sweep(surface->ncorners[f], surface->corners + 4 * f, x0, x1, boxes + 6 * f);
  CrTreeUpdate(tree, boxes);
  times[0] = cpu() - t;
  t = cpu();
  *found = 0;
  for (PetscInt i = 0; i < surface->nnodes; i++) {
    PetscInt  n = 0, some[256];
    PetscReal box[6];

    sweep(1, surface->nodes + i, x0, x1, box);
    PetscCheck(CrTreeQuery(tree, box, 256, some, &n), PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "%" PetscInt_FMT " facets near a node", n);
    *found += n;
  }
  times[1] = cpu() - t;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void report_search(const CrSurface *surface, double built, const double best[2],
                          PetscInt found, double before[2])
{
  double cost = (best[0] + best[1]) / (double)surface->nfacets;

  printf("search, %6d facets         %8.3f ms per step: refit %.3f (build %.3f), queries %.3f with "
         "%.1f found each",
         (int)surface->nfacets, 1e3 * (best[0] + best[1]), 1e3 * best[0], 1e3 * built,
         1e3 * best[1], (double)found / (double)surface->nnodes);
  if (before[0] > 0) printf("; per facet %.2f times that of %.0f", cost / before[1], before[0]);
  printf("\n");
  before[0] = (double)surface->nfacets;
  before[1] = cost;
}

/* A plate against itself, the least of nine steps, the first of which builds the tree. before[]:
   facets, and seconds per facet, of the size before this one. */
static PetscErrorCode search_step(PetscInt n, double before[2])
{
  CrDeck    *deck;
  CrModel   *model;
  CrSurface *surface;
  CrTree    *tree;
  PetscReal *boxes, *x[2];
  double     built = 0, best[2] = {1e30, 1e30};
  PetscInt   found = 0;

  PetscFunctionBeginUser;
  PetscCall(open_plate(n, &deck, &model, &surface));
  PetscCall(CrTreeCreate(3, surface->nfacets, &tree));
  PetscCall(PetscMalloc3(surface->nfacets * 6, &boxes, model->nlocal * 3, &x[0], model->nlocal * 3,
                         &x[1]));
  wave(model, 0, x[0]);
  for (int step = 1; step < 10; step++) {
    double times[2];

    wave(model, 0.1 * step / (PetscReal)n, x[step % 2]);
    PetscCall(search_once(surface, x[(step + 1) % 2], x[step % 2], tree, boxes, times, &found));
    if (step == 1) built = times[0];
    for (int k = 0; k < 2; k++) best[k] = PetscMin(best[k], times[k]);
  }
  report_search(surface, built, best, found, before);
  PetscCall(PetscFree3(boxes, x[0], x[1]));
  PetscCall(CrTreeDestroy(&tree));
  PetscCall(CrSurfaceDestroy(&surface));
  PetscCall(CrModelDestroy(&model));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode search(void)
{
  double before[2] = {0};

  PetscFunctionBeginUser;
  PetscCall(search_step(22, before));
  PetscCall(search_step(70, before));
  PetscCall(search_step(223, before));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- steps -------------------------------------------------------------------------------- */

static PetscErrorCode newton_step(PetscInt n, const char *step)
{
  Problem  p;
  double   t;
  PetscInt iterations = 0;

  PetscFunctionBeginUser;
  PetscCall(open_cube(&p, n, "H8", "midpoint", step, "full"));
  t = cpu();
  for (int k = 0; k < 2; k++) {
    CrStepReport report = {0};

    PetscCall(CrIntegratorStep(p.it, p.model, p.state,
                               CrDeckReal(CrDeckFind(CrDeckRoot(p.deck), "time.step")), &report));
    iterations += report.iterations;
  }
  printf("implicit, %6d unknowns     %8.3f s per Newton iteration, %s\n", (int)CrModelDofs(p.model),
         (cpu() - t) / (double)iterations, CrNewtonSolverText(p.it->newton));
  PetscCall(close_cube(&p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode explicit_step(PetscInt n, const char *integration, PetscReal ceiling)
{
  Problem  p;
  CrAudit *audit;
  double   best = 1e30, with_audit = 1e30;

  PetscFunctionBeginUser;
  PetscCall(open_cube(&p, n, "H8", "explicit", "1e-6", integration));
  PetscCall(CrAuditCreate(p.model, &audit));
  for (int k = 0; k < 5; k++) {
    CrStepReport report = {0};
    double       t = cpu();

    PetscCall(CrIntegratorStep(p.it, p.model, p.state, 1e-6, &report));
    best = PetscMin(best, cpu() - t);
    PetscCall(CrAuditRow(p.model, p.state, 1e-6, &report, audit));
    with_audit = PetscMin(with_audit, cpu() - t);
  }
  printf("explicit step, %8d H8, %-9s %6.2f M updates/s (%.0f %% of the bare kernel), with the "
         "audit %.2f "
         "(%.0f %%)\n",
         (int)p.model->ncells, integration, 1e-6 * (double)p.model->ncells / best,
         100 * (double)p.model->ncells / best / ceiling,
         1e-6 * (double)p.model->ncells / with_audit,
         100 * (double)p.model->ncells / with_audit / ceiling);
  PetscCall(CrAuditDestroy(&audit));
  PetscCall(close_cube(&p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode all(PetscInt side)
{
  PetscReal full, one, unused;

  PetscFunctionBeginUser;
  printf("instruction set               %s\n", CrIsaName(CrIsaGet()));
  PetscCall(triad());
  PetscCall(kernel_rate("H8", "full", "force at", &full));
  PetscCall(kernel_rate("H8", "one-point", "force at", &one));
  PetscCall(kernel_rate("H8", "full", "force", &unused));
  PetscCall(kernel_rate("H8", "full", "tangent", &unused));
  PetscCall(kernel_rate("T4", "full", "tangent", &unused));
  PetscCall(kernel_rate("T10", "full", "tangent", &unused));
  PetscCall(assembly());
  PetscCall(reading());
  PetscCall(search());
  PetscCall(newton_step(14, "0.1"));
  PetscCall(newton_step(25, "0.08"));
  PetscCall(explicit_step(side, "full", full));
  PetscCall(explicit_step(side, "one-point", one));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscInt side = argc > 1 ? atoi(argv[1]) : 100;
  int      one = 1;

  if (PetscInitialize(&one, &argv, NULL, NULL)) return 1;
  if (PetscPushErrorHandler(CrErrorHandler, NULL) || all(side)) {
    fprintf(stderr, "bench: %s\n", CrErrorMessage());
    return 1;
  }
  return PetscFinalize() ? 1 : 0;
}

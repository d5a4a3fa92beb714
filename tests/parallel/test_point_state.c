/* State at quadrature points, with a law that counts its commits (laws/wear.c), under every method:
   steps that fail leave it as it was, a restart continues it bit by bit, another number of ranks finds
   it by cell number, and a deck that it does not belong to is refused. */
#include <unistd.h>
#include "laws/wear.h"
#include "model_from_text.h"
#include "run/internal.h"
#include "model/slabs.h"

#define MATERIAL                                                                                   \
  "{name: m, model: wear, lambda: 130, shear: 43.33, density: 8.93, resistance: 0.02}"

static char        work[PETSC_MAX_PATH_LEN - 64]; /* folder of this test, the same on every rank */
static PetscMPIInt world_rank, world_size;

/* ---- what tests look at ---------------------------------------------------------------------- */

/* The value of a component at a point of a cell. */
static PetscReal state_of(const CrModel *model, const CrState *state, PetscInt k, PetscInt e,
                          PetscInt q, PetscInt c)
{
  const CrElementBlock *b = &model->blocks[k];

  return state->points
      .now[k]
          [((e / CR_BATCH * b->stress_rule.n + q) * b->state_size + c) * CR_BATCH + e % CR_BATCH];
}

/* Every number of this rank, ghosts and lanes left over too, one block after the other. */
static PetscReal *copy_points(const CrModel *model, const CrPoints *points, size_t *bytes)
{
  PetscReal *copy;
  size_t     n = 0;

  for (PetscInt k = 0; k < model->nblocks; k++)
    n += (size_t)(model->blocks[k].nbatches * points->width[k] * CR_BATCH);
  if (PetscMalloc1(n, &copy)) return NULL;
  *bytes = n * sizeof *copy;
  n = 0;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    size_t m = (size_t)(model->blocks[k].nbatches * points->width[k] * CR_BATCH);

    if (m) memcpy(copy + n, points->now[k], m * sizeof *copy);
    n += m;
  }
  return copy;
}

/* The same bits at points and owned nodes. On several ranks a direct solver adds up what other ranks
   send in the order in which it comes: there only central differences are held to the last bit. */
static void compare(const CrIntegratorOps *ops, const CrModel *model, const CrState *a,
                    const CrState *b)
{
  PetscReal  bound = world_size == 1 || ops->accepts & CR_AUTO_STEP ? 0 : 1e-12, worst = 0;
  PetscInt   ndofs = model->nowned * model->dim;
  size_t     na, nb;
  PetscReal *x = copy_points(model, &a->points, &na), *y = copy_points(model, &b->points, &nb);
  PetscReal *u = copy_of(model, a->u), *w = copy_of(model, b->u);

  CHECK(na == nb && na > 0);
  for (size_t k = 0; k < na / sizeof *x; k++) worst = PetscMax(worst, PetscAbsReal(x[k] - y[k]));
  for (PetscInt k = 0; k < ndofs; k++) worst = PetscMax(worst, PetscAbsReal(u[k] - w[k]));
  CHECK(worst <= bound);
  CHECK(PetscAbsReal(a->points.loss - b->points.loss) <= bound);
  CHECK(bound > 0 || !memcmp(x, y, na));
  CHECK_OK(PetscFree(x));
  CHECK_OK(PetscFree(y));
  CHECK_OK(PetscFree(u));
  CHECK_OK(PetscFree(w));
}

/* Commits and times of every point, of ghosts too: as many as accepted steps, no more. */
static void check_counts(const CrModel *model, const CrState *state)
{
  PetscInt wrong = 0, seen = 0;

  for (PetscInt k = 0; k < model->nblocks; k++)
    for (PetscInt e = 0; model->blocks[k].state_size && e < model->blocks[k].n; e++)
      for (PetscInt q = 0; q < model->blocks[k].stress_rule.n; q++) {
        PetscReal t = state_of(model, state, k, e, q, WEAR_TIME);

        seen++;
        wrong += state_of(model, state, k, e, q, WEAR_COUNT) != (PetscReal)state->n ||
                 !(PetscAbsReal(t - state->t) <= 1e-12 * state->t);
      }
  CHECK(seen > 0);
  CHECK(wrong == 0);
  CHECK(state->points.h == 0);
}

/* ---- an independent look: triangles have one strain ------------------------------------------ */

/* Energy density lambda/2 (tr E)^2 + G E:E of cell e, from the edges of the triangle before and now. */
static PetscReal density_of(const CrModel *model, const PetscReal *u, const CrElementBlock *b,
                            PetscInt e)
{
  PetscReal X[2][2], x[2][2], F[2][2], E[2][2], det, lambda = b->material->lambda;
  PetscInt  A[3];

  for (int a = 0; a < 3; a++) A[a] = b->nodes[(e / CR_BATCH * 3 + a) * CR_BATCH + e % CR_BATCH];
  for (int a = 0; a < 2; a++)
    for (int i = 0; i < 2; i++) {
      X[i][a] = model->X[2 * A[a + 1] + i] - model->X[2 * A[0] + i];
      x[i][a] = X[i][a] + u[2 * A[a + 1] + i] - u[2 * A[0] + i];
    }
  det = X[0][0] * X[1][1] - X[0][1] * X[1][0];
  for (int i = 0; i < 2; i++) { /* F = x X^-1 */
    F[i][0] = (x[i][0] * X[1][1] - x[i][1] * X[1][0]) / det;
    F[i][1] = (x[i][1] * X[0][0] - x[i][0] * X[0][1]) / det;
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) E[i][j] = (F[0][i] * F[0][j] + F[1][i] * F[1][j] - (i == j)) / 2;
  return lambda / 2 * PetscSqr(E[0][0] + E[1][1]) +
         b->material->shear * (PetscSqr(E[0][0]) + PetscSqr(E[1][1]) + 2 * PetscSqr(E[0][1]));
}

typedef struct {
  PetscReal *greatest; /* of each cell, over all accepted steps */
  PetscReal  worst;    /* difference between the state and the independent look */
} Watch;

static void watch(Problem *p, const CrStepReport *report, PetscReal h, void *ctx)
{
  Watch                *w = ctx;
  const CrElementBlock *b = &p->model->blocks[0];
  PetscReal            *u = copy_of(p->model, p->state->u);

  (void)report;
  (void)h;
  for (PetscInt e = 0; e < b->n; e++) {
    PetscReal now = density_of(p->model, u, b, e);
    PetscReal greatest = state_of(p->model, p->state, 0, e, 0, WEAR_GREATEST);
    PetscReal change = state_of(p->model, p->state, 0, e, 0, WEAR_CHANGE);

    w->greatest[e] = PetscMax(w->greatest[e], now);
    w->worst = PetscMax(w->worst, PetscAbsReal(greatest - w->greatest[e]));
    w->worst = PetscMax(w->worst, PetscAbsReal(change - now));
  }
  check_counts(p->model, p->state);
  CHECK_OK(PetscFree(u));
}

/* Triangles that are driven beyond all bounds from t = 10 on: a step to there fails. */
static PetscErrorCode open_triangles(Problem *p, const char method[], const char steps[], Watch *w)
{
  PetscFunctionBeginUser;
  PetscCall(
      problem_open(p,
                   "carom: 1\ndimension: 2\nmaterials: [" MATERIAL "]\n"
                   "bodies: [{name: b, material: m, velocity_gradient: [[-1, 0], [0, 0.5]],"
                   " mesh: {block: {from: [0, 0], to: [2, 1], elements: [6, 3], type: T3}}}]\n"
                   "conditions: [{on: b.right, displacement: [-3, 0], from: 10}, {on: b.left, "
                   "displacement: [0, 0], from: 10}]\n"
                   "time: {method: %s, steps: %s, tolerance: 1e-12}\n",
                   method, steps));
  PetscCall(PetscMalloc1(p->model->blocks[0].n, &w->greatest));
  for (PetscInt e = 0; e < p->model->blocks[0].n; e++) w->greatest[e] = 0.02; /* resistance */
  w->worst = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void close_triangles(const CrIntegratorOps *ops, PetscInt rejected, Problem *p, Watch *w)
{
  CHECK_LESS(w->worst, 1e-10);
  CHECK_LESS(1e-3 * p->audit->energy0, p->audit->material_loss);
  if (ops->claims & CR_BALANCES_ENERGY) CHECK_LESS(p->audit->defect_max / p->audit->energy0, 1e-10);
  if (world_rank == 0)
    printf("%s: %d steps, %d rejected, loss %.4g of %.4g, defect %.2e, state off by %.1e\n",
           ops->name, (int)p->state->n, (int)rejected, p->audit->material_loss, p->audit->energy0,
           p->audit->defect_max / p->audit->energy0, w->worst);
  CHECK_OK(PetscFree(w->greatest));
  CHECK_OK(problem_close(p));
}

/* Between good steps others fail, yet the state is that of the good ones. */
static void test_failures_between(const CrIntegratorOps *ops)
{
  PetscBool    is_explicit = (ops->accepts & CR_AUTO_STEP) != 0;
  PetscReal    h = is_explicit ? 0.01 : 0.05;
  Problem      p;
  CrStepReport report;
  Watch        w;

  CHECK_OK(open_triangles(&p, ops->name, is_explicit ? "[[0.01, 1]]" : "[[0.05, 1]]", &w));
  for (int k = 0; k < 20; k++) {
    CHECK_OK(problem_step(&p, 20, &report));
    CHECK(report.reason < 0);
    CHECK_OK(problem_run(&p, 1, h));
    watch(&p, &report, h, &w);
  }
  close_triangles(ops, 20, &p, &w);
}

/* Steps too large at first: they are halved as in a run. */
static void test_halved_steps(const CrIntegratorOps *ops)
{
  Problem  p;
  PetscInt rejected;
  Watch    w;

  CHECK_OK(open_triangles(&p, ops->name, "[[1.5, 2], [0.05, 20]]", &w));
  CHECK_OK(problem_watch(&p, watch, &w, &rejected));
  CHECK(rejected > 0);
  close_triangles(ops, rejected, &p, &w);
}

/* ---- failed steps ---------------------------------------------------------------------------- */

/* A step that fails leaves every number as it was; what follows is the same as without it. */
static void test_rejected(const CrIntegratorOps *ops)
{
  const char *deck =
      "carom: 1\ndimension: 2\nmaterials: [" MATERIAL "]\n"
      "bodies: [{name: b, material: m, velocity_gradient: [[-10, 0], [0, 0]], mesh:"
      " {block: {from: [0, 0], to: [2, 1], elements: [5, 2]}}}]\n"
      "conditions: [{on: b.left, fix: [x, y]}, {on: b.right, displacement: [-3, 0], from: 0.01}]\n"
      "time: {method: %s, step: 1e-4, end: 1}\n";
  Problem      p, fresh;
  CrStepReport report;
  PetscReal   *before, *after, loss;
  size_t       n, m;

  CHECK_OK(problem_open(&p, deck, ops->name));
  CHECK_OK(problem_open(&fresh, deck, ops->name));
  CHECK_OK(problem_run(&p, 3, 1e-4));
  CHECK_OK(problem_run(&fresh, 3, 1e-4));
  before = copy_points(p.model, &p.state->points, &n);
  loss = p.state->points.loss;
  CHECK_OK(problem_step(&p, 0.1, &report));
  CHECK(report.reason < 0);
  after = copy_points(p.model, &p.state->points, &m);
  CHECK(n == m && !memcmp(before, after, n) && p.state->points.loss == loss);
  check_counts(p.model, p.state);
  CHECK_OK(PetscFree(before));
  CHECK_OK(PetscFree(after));
  CHECK_OK(problem_run(&p, 3, 1e-4));
  CHECK_OK(problem_run(&fresh, 3, 1e-4));
  compare(ops, p.model, p.state, fresh.state);
  check_counts(p.model, p.state);
  CHECK_OK(problem_close(&p));
  CHECK_OK(problem_close(&fresh));
}

/* ---- restarts -------------------------------------------------------------------------------- */

/* A body with state between one without and one with another element; the methods' own history too. */
static const char *const deck_of_runs =
    "carom: 1\ndimension: 2\n"
    "materials:\n  - " MATERIAL "\n"
    "  - {name: n, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}\n"
    "bodies:\n"
    "  - {name: plain, material: n, mesh: {block: {from: [0, 2], to: [2, 3], elements: [3, 2]}}}\n"
    "  - {name: worn, material: m, integration: %s, velocity_gradient: [[-1, 0.5], [0, 1]],\n"
    "     mesh: {block: {from: [0, 0], to: [2, 1], elements: [7, 3], type: %s}}}\n"
    "  - {name: other, material: %s, spin: 3, velocity_gradient: [[1, 0], [0, -1]],\n"
    "     mesh: {block: {from: [0, -2], to: [2, -1], elements: [3, 2], type: T6}}}\n"
    "conditions: [{\"on\": worn.left, fix: [x]}, {gravity: [0, -1]}]\n"
    "time: {method: %s, step: %s, end: %s}\n"
    "output: {frames: 0, report: false}\n";

/* Writes a deck for all ranks. */
static void write_deck(const char name[], const char integration[], const char type[],
                       const char law[], const CrIntegratorOps *ops)
{
  PetscBool is_explicit = (ops->accepts & CR_AUTO_STEP) != 0;
  char      path[PETSC_MAX_PATH_LEN];
  FILE     *file;

  if (world_rank == 0) {
    snprintf(path, sizeof path, "%s/%s", work, name);
    file = fopen(path, "w");
    fprintf(file, deck_of_runs, integration, type, law, ops->name, is_explicit ? "0.002" : "0.02",
            is_explicit ? "0.05" : "0.5");
    fclose(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void create_run(MPI_Comm comm, const char name[], CrRun **run)
{
  char path[PETSC_MAX_PATH_LEN];

  snprintf(path, sizeof path, "%s/%s", work, name);
  CHECK_OK(CrRunCreate(comm, path, 0, NULL, run));
}

/* To the end, or to step `stop` if that is not 0. */
static void go(CrRun *run, const char name[], PetscBool resume, PetscInt stop)
{
  char dir[PETSC_MAX_PATH_LEN];

  snprintf(dir, sizeof dir, "%s/%s", work, name);
  run->stop_after = stop;
  if (resume)
    CHECK_OK(CrRunResume(run, dir, 0));
  else
    CHECK_OK(CrRunGo(run, dir, PETSC_TRUE, 0, NULL));
}

/* A run that was stopped twice ends with the bits of one that was not. */
static void test_resume(const CrIntegratorOps *ops)
{
  CrRun *whole, *parts;
  int    before = check_failures;

  write_deck("deck.yaml", "full", "Q4", "m", ops);
  create_run(PETSC_COMM_WORLD, "deck.yaml", &whole);
  go(whole, "whole", PETSC_FALSE, 0);
  check_counts(whole->model, whole->state);
  CHECK_LESS(0, whole->audit->material_loss);
  for (PetscInt part = 0; part < 3; part++) {
    create_run(PETSC_COMM_WORLD, part ? "parts/run.yaml" : "deck.yaml", &parts);
    go(parts, "parts", part > 0, part == 0 ? 9 : part == 1 ? 4 : 0);
    if (part < 2) CHECK_OK(CrRunDestroy(&parts));
  }
  CHECK(parts->state->n == whole->state->n);
  compare(ops, whole->model, whole->state, parts->state);
  CHECK_NEAR(parts->audit->energy, whole->audit->energy, 1e-12);
  CHECK(world_size > 1 || parts->audit->balance == whole->audit->balance);
  if (check_failures > before) printf("  rank %d, %s\n", world_rank, ops->name);
  CHECK_OK(CrRunDestroy(&whole));
  CHECK_OK(CrRunDestroy(&parts));
}

/* ---- other numbers of ranks ------------------------------------------------------------------ */

/* Numbers of all cells by cell number, on every rank of the world; the caller frees them. */
static PetscReal *gather(const CrRun *run, PetscInt *n)
{
  PetscReal *all = NULL;
  CrSlab     slab = {0};

  if (run)
    CHECK_OK(CrSlabFromCells(run->model, run->state->points.width, run->state->points.now, &slab));
  *n = (PetscInt)slab.all;
  MPI_Bcast(n, 1, MPIU_INT, 0, MPI_COMM_WORLD);
  CHECK_OK(PetscCalloc1(*n, &all));
  for (PetscInt k = 0; k < slab.n; k++) all[slab.begin + k] = slab.values[k];
  MPI_Allreduce(MPI_IN_PLACE, all, (int)*n, MPIU_REAL, MPI_SUM, MPI_COMM_WORLD);
  CHECK_OK(CrSlabDestroy(&slab));
  return all;
}

/* Do the cells of this rank, ghosts too, have the numbers that `all` has for their cell number? Cells of
   body 0 have none; those of the others all have `width` by their body. */
static void check_cells(const CrRun *run, const PetscReal *all)
{
  const CrModel *model = run->model;
  PetscInt       width[3] = {0, 0, 0}, wrong = 0, ghosts = 0;

  for (PetscInt k = 0; k < model->nblocks; k++)
    width[model->blocks[k].body] = run->state->points.width[k];
  MPI_Allreduce(MPI_IN_PLACE, width, 3, MPIU_INT, MPI_MAX, model->comm);
  for (PetscInt k = 0; k < model->nblocks; k++)
    for (PetscInt e = 0; width[model->blocks[k].body] && e < model->blocks[k].n; e++) {
      PetscInt cell = model->blocks[k].cell[e], body = model->blocks[k].body, size = WEAR_SIZE;
      PetscInt start = (cell - model->bodies[body].first_cell) * width[body];

      for (PetscInt b = 0; b < body; b++) start += model->bodies[b].ncells * width[b];
      ghosts += e >= model->blocks[k].nowned;
      for (PetscInt i = 0; i < width[body]; i++)
        wrong += all[start + i] != state_of(model, run->state, k, e, i / size, i % size);
    }
  CHECK(wrong == 0);
  MPI_Allreduce(MPI_IN_PLACE, &ghosts, 1, MPIU_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(ghosts > 0);
}

/* A run from a checkpoint on the ranks of comm. */
static CrRun *reopen(MPI_Comm comm, const char name[])
{
  char   dir[PETSC_MAX_PATH_LEN], deck[PETSC_MAX_PATH_LEN];
  CrRun *run;

  snprintf(dir, sizeof dir, "%s/%s", work, name);
  snprintf(deck, sizeof deck, "%.200s/run.yaml", name);
  create_run(comm, deck, &run);
  CHECK_OK(CrRunReadCheckpoint(run, dir));
  return run;
}

/* A new run on the ranks of comm, which may be none; stop: 0, to the end. Gives its numbers and ends it:
   it would hold the folder. */
static PetscReal *run_on(MPI_Comm comm, const char name[], PetscInt stop, PetscInt *n)
{
  CrRun     *run = NULL;
  PetscReal *all;

  if (comm != MPI_COMM_NULL) create_run(comm, "deck.yaml", &run);
  if (run) go(run, name, PETSC_FALSE, stop);
  MPI_Barrier(MPI_COMM_WORLD);
  all = gather(run, n);
  if (run) CHECK_OK(CrRunDestroy(&run));
  MPI_Barrier(MPI_COMM_WORLD);
  return all;
}

/* Written by the ranks of comm, read by all. */
static void test_more_ranks(MPI_Comm comm)
{
  PetscInt   n, m;
  PetscReal *a = run_on(comm, "ranks", 11, &n), *b;
  CrRun     *run = reopen(PETSC_COMM_WORLD, "ranks");

  b = gather(run, &m);
  CHECK(run->state->n == 11);
  CHECK(n == m && n > 0 && !memcmp(a, b, sizeof *a * (size_t)n)); /* bit by bit, by cell number */
  check_cells(run, a);
  CHECK_OK(PetscFree(a));
  CHECK_OK(PetscFree(b));
  CHECK_OK(CrRunDestroy(&run));
}

/* The other way: all ranks go on and write, those of comm read. Their own run to the same end agrees, but
   for the order of sums. */
static void test_fewer_ranks(MPI_Comm comm)
{
  CrRun     *many, *few = NULL;
  PetscReal *a, *b, worst = 0;
  PetscInt   n, m;

  create_run(PETSC_COMM_WORLD, "ranks/run.yaml", &many);
  go(many, "ranks", PETSC_TRUE, 0);
  check_counts(many->model, many->state);
  MPI_Barrier(MPI_COMM_WORLD);
  if (comm != MPI_COMM_NULL) few = reopen(comm, "ranks");
  a = gather(few, &n);
  b = gather(many, &m);
  CHECK(n == m && !memcmp(a, b, sizeof *a * (size_t)n));
  CHECK_OK(PetscFree(a));
  if (few) CHECK_OK(CrRunDestroy(&few));
  CHECK_OK(CrRunDestroy(&many));
  a = run_on(comm, "few", 0, &n);
  for (PetscInt k = 0; k < n; k++) worst = PetscMax(worst, PetscAbsReal(a[k] - b[k]));
  CHECK_LESS(worst, 1e-8); /* Newton's tolerance; the numbers are of order 1 */
  CHECK_OK(PetscFree(a));
  CHECK_OK(PetscFree(b));
}

static void test_ranks(const CrIntegratorOps *ops, PetscMPIInt writers)
{
  MPI_Comm comm;

  write_deck("deck.yaml", "full", "Q4", "m", ops);
  MPI_Comm_split(MPI_COMM_WORLD, world_rank < writers ? 0 : MPI_UNDEFINED, world_rank, &comm);
  test_more_ranks(comm);
  test_fewer_ranks(comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refuse(const char deck[], const char from[], const char words[])
{
  char   dir[PETSC_MAX_PATH_LEN];
  CrRun *run;

  snprintf(dir, sizeof dir, "%s/%s", work, from);
  create_run(PETSC_COMM_WORLD, deck, &run);
  CHECK_REFUSED(CrRunReadCheckpoint(run, dir), words);
  CHECK_OK(CrRunDestroy(&run));
}

/* The nodes of all these decks are the same. */
static void test_refused(const CrIntegratorOps *ops)
{
  CrRun *run;

  write_deck("deck.yaml", "full", "Q4", "m", ops);
  write_deck("triangles.yaml", "full", "T3", "m", ops);
  write_deck("point.yaml", "one-point", "Q4", "m", ops);
  write_deck("law.yaml", "full", "Q4", "n", ops);
  create_run(PETSC_COMM_WORLD, "deck.yaml", &run);
  go(run, "checkpoint", PETSC_FALSE, 2);
  CHECK_OK(CrRunDestroy(&run));
  refuse("triangles.yaml", "checkpoint", "mesh.block.type: the value is T3, but was Q4");
  refuse("point.yaml", "checkpoint", "integration: the value is one-point, but was full");
  refuse("law.yaml", "checkpoint", "material: the value is n, but was m");
}

/* The same deck under a program in which a law, its numbers per point or the rule of an element has changed: the
   checkpoint of test_refused has other marks then. */
static void test_refused_marks(void)
{
  char   dir[PETSC_MAX_PATH_LEN];
  CrRun *run;

  snprintf(dir, sizeof dir, "%s/checkpoint", work);
  create_run(PETSC_COMM_WORLD, "deck.yaml", &run);
  CHECK(run->state->points.nmarks > 0);
  for (PetscInt k = 0; k < run->state->points.nmarks; k++) {
    PetscInt *mark = &run->state->points.marks[k];

    (*mark)++;
    CHECK_REFUSED(CrRunReadCheckpoint(run, dir),
                  "has another element type, integration or material");
    (*mark)--;
  }
  CHECK_OK(CrRunReadCheckpoint(run, dir));
  CHECK_OK(CrRunDestroy(&run));
}

/* Law with state, checkpoint without, and the reverse. */
static void test_refused_without(void)
{
  const char *laws[2] = {"model: wear, resistance: 0.02", "model: saint-venant-kirchhoff"};
  const char *words[2] = {"model: the value is saint-venant-kirchhoff, but was wear",
                          "model: the value is wear, but was saint-venant-kirchhoff"};
  CrRun      *run;

  for (int k = 0; k < 2; k++) {
    char path[PETSC_MAX_PATH_LEN], name[16];

    snprintf(name, sizeof name, "law%d.yaml", k);
    snprintf(path, sizeof path, "%s/%s", work, name);
    if (world_rank == 0) {
      FILE *file = fopen(path, "w");

      fprintf(
          file,
          "carom: 1\ndimension: 2\nmaterials: [{name: m, %s, lambda: 130, shear: 43, density: 9}]\n"
          "bodies: [{name: b, material: m, spin: 1, mesh: {block: {from: [0, 0], to: [2, 1], "
          "elements: "
          "[4, 2]}}}]\n"
          "time: {method: midpoint, step: 0.01, end: 0.02}\noutput: {frames: 0, report: false}\n",
          laws[k]);
      fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    create_run(PETSC_COMM_WORLD, name, &run);
    go(run, k ? "without" : "with", PETSC_FALSE, 0);
    CHECK_OK(CrRunDestroy(&run));
  }
  refuse("law1.yaml", "with", words[0]);
  refuse("law0.yaml", "without", words[1]);
}

static void test_plane_stress(void)
{
  Problem p;

  CHECK_REFUSED(
      problem_open(&p, "carom: 1\ndimension: 2\nplane: stress\nmaterials: [" MATERIAL "]\n"
                       "bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [2, 1],"
                       " elements: [4, 2]}}}]\ntime: {method: midpoint, step: 1, end: 1}\n"),
      "plane stress");
}

/* In space, with every element; one point and hourglass control too. */
static void test_space(const CrIntegratorOps *ops, const char type[], const char integration[])
{
  PetscReal h = ops->accepts & CR_AUTO_STEP ? 0.002 : 0.02;
  Problem   p;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\nmaterials: [" MATERIAL "]\n"
      "bodies: [{name: b, material: m, integration: %s, velocity_gradient: [[-1, 0.3, 0],"
      " [0, 1, 0], [0, 0.5, 0]], mesh: {block: {from: [0, 0, 0], to: [2, 1, 1],"
      " elements: [3, 2, 1], type: %s}}}]\n"
      "time: {method: %s, step: %g, end: 1, tolerance: 1e-12}\n",
      integration, type, ops->name, (double)h));
  CHECK_OK(problem_run(&p, 15, h));
  check_counts(p.model, p.state);
  CHECK_LESS(0, p.audit->material_loss);
  if (ops->claims & CR_BALANCES_ENERGY) CHECK_LESS(p.audit->defect_max / p.audit->energy0, 1e-11);
  CHECK_OK(problem_close(&p));
}

static void make_folder(void)
{
  if (world_rank == 0) {
    snprintf(work, sizeof work, "%s/carom-points-XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    CHECK(mkdtemp(work) != NULL);
  }
  MPI_Bcast(work, sizeof work, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void remove_folder(void)
{
  char command[PETSC_MAX_PATH_LEN];

  MPI_Barrier(MPI_COMM_WORLD);
  snprintf(command, sizeof command, "rm -rf '%s'", work);
  if (world_rank == 0) CHECK(system(command) == 0);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  CrLogSetQuiet(PETSC_TRUE);
  make_folder();
  for (PetscInt i = 0; CrIntegratorAt(i); i++) {
    const CrIntegratorOps *ops = CrIntegratorAt(i);

    if (!(ops->accepts & CR_DEFORMABLE)) continue;
    test_rejected(ops);
    if (!strcmp(ops->name, "midpoint")) test_halved_steps(ops);
    /* what the others share with these two need not be seen again with several ranks */
    if (world_size > 1 && strcmp(ops->name, "newmark") && strcmp(ops->name, "explicit")) continue;
    test_failures_between(ops);
    test_resume(ops);
    for (PetscMPIInt n = 1; n < world_size; n++) test_ranks(ops, n);
    test_space(ops, "H8", "full");
    test_space(ops, "H8", "one-point");
    test_space(ops, "T10", "full");
  }
  test_refused(CrIntegratorAt(0));
  test_refused_marks();
  test_refused_without();
  test_plane_stress();
  remove_folder();
  return check_end();
}

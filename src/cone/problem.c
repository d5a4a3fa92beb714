/* The data of a Coulomb problem, which a caller can set in three ways, and its solution island by island. */
#include <math.h>
#include <string.h>
#include <time.h>
#include "cone/internal.h"

/* ---- memory -------------------------------------------------------------------------------- */

/* Contents are kept; half as much again, so that growing step by step stays cheap. */
PetscErrorCode ConeRealsFit(ConeReals *a, PetscInt n)
{
  PetscReal *more;
  PetscInt   most = n + n / 2 + 4;

  PetscFunctionBeginUser;
  if (n <= a->most && a->data) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(most, &more));
  if (a->most) memcpy(more, a->data, (size_t)a->most * sizeof *more);
  PetscCall(PetscFree(a->data));
  a->data = more, a->most = most;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ConeIntsFit(ConeInts *a, PetscInt n)
{
  PetscInt *more, most = n + n / 2 + 4;

  PetscFunctionBeginUser;
  if (n <= a->most && a->data) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(most, &more));
  if (a->most) memcpy(more, a->data, (size_t)a->most * sizeof *more);
  PetscCall(PetscFree(a->data));
  a->data = more, a->most = most;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConeCreate(PetscInt dim, PetscInt n, CrCone **cone)
{
  PetscFunctionBeginUser;
  PetscCheck(dim == 2 || dim == 3, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "dimension %" PetscInt_FMT ": must be 2 or 3", dim);
  PetscCall(PetscNew(cone));
  (*cone)->dim = dim;
  PetscCall(CrConeResize(*cone, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConeResize(CrCone *cone, PetscInt n)
{
  PetscFunctionBeginUser;
  PetscCheck(n >= 0, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "%" PetscInt_FMT " contacts", n);
  cone->n = n;
  cone->prepared = PETSC_FALSE;
  cone->system = (ConeSystem){.dim = cone->dim, .n = n};
  PetscCall(ConeRealsFit(&cone->diagonal, n * cone->dim * cone->dim));
  PetscCall(ConeRealsFit(&cone->inverse, n * cone->dim * cone->dim));
  PetscCall(ConeRealsFit(&cone->mu, n));
  PetscCall(ConeRealsFit(&cone->rho, n));
  PetscCall(ConeRealsFit(&cone->q, 4 * n)); /* the widest stride */
  PetscCall(ConeRealsFit(&cone->r, 4 * n));
  PetscCall(ConeRealsFit(&cone->z, 4 * n));
  memset(cone->mu.data, 0, (size_t)n * sizeof(PetscReal));
  memset(cone->q.data, 0, (size_t)(4 * n) * sizeof(PetscReal));
  cone->system.diagonal = cone->diagonal.data;
  cone->system.inverse = cone->inverse.data;
  cone->system.mu = cone->mu.data;
  cone->system.rho = cone->rho.data;
  cone->system.q = cone->q.data;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode free_work(ConeWork *w)
{
  ConeNewtonWork *n = &w->newton;
  ConeReals      *reals[] = {&w->z,       &w->best, &w->from, &w->center,  &w->kept,  &w->diagonal,
                             &w->inverse, &w->rho,  &w->q,    &w->shift,   &w->mix.G, &w->mix.H,
                             &n->F,       &n->C,    &n->E,    &n->step,    &n->trial, &n->z,
                             &n->best,    &n->rhs,  &n->A,    &n->residual};
  ConeInts       *ints[] = {&n->active, &n->number, &n->row, &n->col, &n->previous};

  PetscFunctionBeginUser;
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) PetscCall(PetscFree(reals[k]->data));
  for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) PetscCall(PetscFree(ints[k]->data));
  PetscCall(ConeLUFree(&n->lu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConeDestroy(CrCone **cone)
{
  PetscFunctionBeginUser;
  if (*cone) {
    CrCone    *c = *cone;
    ConeReals *reals[] = {&c->block,    &c->diagonal, &c->inverse, &c->mu,     &c->rho,
                          &c->q,        &c->r,        &c->z,       &c->iblock, &c->idiagonal,
                          &c->iinverse, &c->imu,      &c->irho,    &c->iq,     &c->ir};
    ConeInts  *ints[] = {&c->row,    &c->col,   &c->first, &c->member,
                         &c->number, &c->stack, &c->irow,  &c->icol};

    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) PetscCall(PetscFree(reals[k]->data));
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) PetscCall(PetscFree(ints[k]->data));
    PetscCall(free_work(&c->work));
  }
  PetscCall(PetscFree(*cone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrConeDimension(const CrCone *cone)
{
  return cone->dim;
}

PetscInt CrConeContacts(const CrCone *cone)
{
  return cone->n;
}

/* ---- W ------------------------------------------------------------------------------------- */

/* Pattern of W, W^T and I: row[] counts, then sorted columns without doubles. */
static PetscErrorCode symmetric_pattern(CrCone *cone, const PetscInt row[], const PetscInt col[])
{
  const PetscInt n = cone->n;
  PetscInt      *start, *next, kept = 0;

  PetscFunctionBeginUser;
  PetscCall(ConeIntsFit(&cone->row, n + 2));
  PetscCall(ConeIntsFit(&cone->col, 2 * row[n] + n));
  start = cone->row.data;
  PetscCall(PetscCalloc1(n + 1, &next));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt k = row[i]; k < row[i + 1]; k++) next[i]++, next[col[k]]++;
  start[0] = 0;
  for (PetscInt i = 0; i < n; i++) start[i + 1] = start[i] + next[i] + 1, next[i] = start[i];
  for (PetscInt i = 0; i < n; i++) {
    cone->col.data[next[i]++] = i;
    for (PetscInt k = row[i]; k < row[i + 1]; k++)
      cone->col.data[next[i]++] = col[k], cone->col.data[next[col[k]]++] = i;
  }
  for (PetscInt i = 0; i < n; i++) {
    PetscInt m = next[i] - start[i];

    PetscCall(PetscSortRemoveDupsInt(&m, cone->col.data + start[i]));
    memmove(cone->col.data + kept, cone->col.data + start[i], (size_t)m * sizeof *start);
    start[i] = kept;
    kept += m;
  }
  start[n] = kept;
  PetscCall(PetscFree(next));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_block(CrCone *cone, PetscInt i, PetscInt j, const PetscReal block[])
{
  const PetscInt d = cone->dim, stride = cone->system.stride, first = cone->row.data[i];
  PetscInt       at;
  PetscReal     *to;

  PetscFunctionBeginUser;
  PetscCall(PetscFindInt(j, cone->row.data[i + 1] - first, cone->col.data + first, &at));
  to = cone->block.data + (first + at) * d * stride;
  for (PetscInt c = 0; c < d; c++)
    for (PetscInt a = 0; a < d; a++) {
      to[c * stride + a] += block[c * d + a];
      if (i == j) cone->diagonal.data[i * d * d + c * d + a] += block[c * d + a];
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConeSetBlocks(CrCone *cone, const PetscInt row[], const PetscInt col[],
                               const PetscReal block[])
{
  const PetscInt n = cone->n, d = cone->dim;
  PetscInt       size;

  PetscFunctionBeginUser;
  cone->system.stride = d == 3 ? 4 : 2;
  cone->prepared = PETSC_FALSE;
  for (PetscInt k = 0; k < row[n]; k++)
    PetscCheck(col[k] >= 0 && col[k] < n, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
               "block column %" PetscInt_FMT " of %" PetscInt_FMT, col[k], n);
  PetscCall(symmetric_pattern(cone, row, col));
  size = cone->row.data[n] * d * cone->system.stride;
  PetscCall(ConeRealsFit(&cone->block, size));
  memset(cone->block.data, 0, (size_t)size * sizeof(PetscReal));
  memset(cone->diagonal.data, 0, (size_t)(n * d * d) * sizeof(PetscReal));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt k = row[i]; k < row[i + 1]; k++)
      PetscCall(add_block(cone, i, col[k], block + k * d * d));
  cone->system.row = cone->row.data;
  cone->system.col = cone->col.data;
  cone->system.block = cone->block.data;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Block (i, j) out of the dense matrix; false if it is zero. */
static PetscBool dense_block(PetscInt d, PetscInt size, const PetscReal W[], PetscInt i, PetscInt j,
                             PetscReal block[])
{
  PetscBool any = PETSC_FALSE;

  for (PetscInt c = 0; c < d; c++)
    for (PetscInt a = 0; a < d; a++) {
      block[c * d + a] = W[(j * d + c) * size + i * d + a];
      if (block[c * d + a] != 0) any = PETSC_TRUE;
    }
  return any;
}

PetscErrorCode CrConeSetDense(CrCone *cone, const PetscReal W[])
{
  const PetscInt n = cone->n, d = cone->dim;
  PetscInt      *row, *col, at = 0;
  PetscReal     *block;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc3(n + 1, &row, n * n, &col, n * n * d * d, &block));
  for (PetscInt i = 0; i < n; i++) {
    row[i] = at;
    for (PetscInt j = 0; j < n; j++)
      if (dense_block(d, n * d, W, i, j, block + at * d * d)) col[at++] = j;
  }
  row[n] = at;
  PetscCall(CrConeSetBlocks(cone, row, col, block));
  PetscCall(PetscFree3(row, col, block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void spread(const CrCone *cone, const PetscReal from[], PetscReal to[])
{
  const PetscInt d = cone->dim, stride = cone->system.stride;

  for (PetscInt i = 0; i < cone->n; i++)
    for (PetscInt a = 0; a < stride; a++) to[i * stride + a] = a < d ? from[i * d + a] : 0;
}

PetscErrorCode CrConeSetVectors(CrCone *cone, const PetscReal q[], const PetscReal mu[])
{
  PetscFunctionBeginUser;
  PetscCheck(cone->system.stride || !cone->n, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE,
             "W must be set before q and mu");
  spread(cone, q, cone->q.data);
  if (cone->n) memcpy(cone->mu.data, mu, (size_t)cone->n * sizeof *mu);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- solving ------------------------------------------------------------------------------- */

CrConeOptions CrConeDefaults(void)
{
  return (CrConeOptions){.tolerance = 1e-8, .max_sweeps = 100000, .max_newton = 20000};
}

/* What depends on W only. */
static PetscErrorCode prepare(CrCone *cone)
{
  const PetscInt d2 = cone->dim * cone->dim;

  PetscFunctionBeginUser;
  if (cone->prepared) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCheck(cone->system.stride || !cone->n, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE,
             "W is not set");
  ConeInvertDiagonal(&cone->system);
  cone->unsupported = 0;
  for (PetscInt i = 0; i < cone->n; i++)
    if (!(cone->diagonal.data[i * d2] > 0)) cone->unsupported++;
  PetscCall(ConeFindIslands(cone));
  cone->prepared = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void count(CrConeReport *report, const ConeOutcome *out)
{
  report->sweeps = PetscMax(report->sweeps, out->sweeps);
  report->newton = PetscMax(report->newton, out->newton);
  report->proximal = PetscMax(report->proximal, out->proximal);
  report->iterations = PetscMax(report->iterations, out->sweeps + out->newton);
}

static PetscErrorCode solve_islands(CrCone *cone, const ConeSolver *solver, const CrConeOptions *o,
                                    CrConeReport *report)
{
  const PetscBool whole = o->whole || !solver->islands || cone->nislands <= 1;
  PetscReal       square = 0; /* |q|^2 */

  PetscFunctionBeginUser;
  report->islands = whole ? (cone->n > 0) : cone->nislands;
  for (PetscInt k = 0; k < cone->n * cone->system.stride; k++)
    square += cone->q.data[k] * cone->q.data[k];
  if (o->mean > 0) square = PetscMax(square, PetscSqr(o->mean) * (PetscReal)cone->n);
  cone->system.floor = o->mean > 0 ? sqrt(square) : 0;
  for (PetscInt k = 0; k < report->islands; k++) {
    const ConeSystem *s = &cone->system;
    PetscReal        *r = cone->r.data;
    ConeOutcome       out = {0};

    if (!whole) PetscCall(ConeGatherIsland(cone, k, cone->r.data, &s, &r));
    if (!whole) cone->island.floor = sqrt(square * (PetscReal)s->n / (PetscReal)cone->n);
    PetscCall(solver->solve(s, o, &cone->work, r, &out));
    if (!whole) ConeScatterIsland(cone, k, r, cone->r.data);
    count(report, &out);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal cpu_seconds(void)
{
  struct timespec t;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (PetscReal)t.tv_sec + 1e-9 * (PetscReal)t.tv_nsec;
}

/* Islands that each meet the tolerance may miss it together, by a factor below sqrt(3), since the greatest of
   three norms is not the norm of the greatest: then once more, from there, a little tighter. */
static PetscErrorCode solve_all(CrCone *cone, const ConeSolver *solver, const CrConeOptions *o,
                                CrConeReport *report)
{
  CrConeOptions mine = *o;
  ConeError     error;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < 3; k++) {
    PetscCall(solve_islands(cone, solver, &mine, report));
    report->worst = -1;
    error = ConeMeasure(&cone->system, o, cone->r.data, cone->z.data, &report->worst);
    if (error.judged <= o->tolerance || report->islands <= 1) break;
    mine.tolerance *= 0.5, mine.tolerance_scaled *= 0.5;
  }
  report->error = error.eps;
  report->error_scaled = error.eta;
  report->converged = error.judged <= o->tolerance;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConeSolve(CrCone *cone, const CrConeOptions *options, PetscReal r[],
                           CrConeReport *report)
{
  const ConeSolver *solver = ConeSolverFind(options->solver);
  const PetscInt    d = cone->dim, stride = cone->system.stride;
  PetscReal         begin = cpu_seconds();

  PetscFunctionBeginUser;
  PetscCheck(solver, PETSC_COMM_SELF, PETSC_ERR_ARG_UNKNOWN_TYPE, "no solver \"%s\"",
             options->solver);
  *report = (CrConeReport){.solver = solver->name, .worst = -1, .converged = PETSC_TRUE};
  if (!cone->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(prepare(cone));
  PetscCall(ConeRealsFit(&cone->work.z, cone->n * stride));
  PetscCall(ConeRealsFit(&cone->work.rho, cone->n));
  spread(cone, r, cone->r.data);
  PetscCall(solve_all(cone, solver, options, report));
  for (PetscInt i = 0; i < cone->n; i++)
    for (PetscInt a = 0; a < d; a++) r[i * d + a] = cone->r.data[i * stride + a];
  report->unsupported = cone->unsupported;
  report->seconds = cpu_seconds() - begin;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrConeForget(CrCone *cone)
{
  cone->prepared = PETSC_FALSE;
}

PetscErrorCode CrConeErrors(CrCone *cone, const PetscReal r[], PetscReal *eps, PetscReal *eta)
{
  CrConeOptions o = CrConeDefaults();
  ConeError     error;

  PetscFunctionBeginUser;
  *eps = *eta = 0;
  if (!cone->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(prepare(cone));
  spread(cone, r, cone->r.data);
  error = ConeMeasure(&cone->system, &o, cone->r.data, cone->z.data, NULL);
  *eps = error.eps;
  *eta = error.eta;
  PetscFunctionReturn(PETSC_SUCCESS);
}

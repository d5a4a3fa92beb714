/* Sets up and solves the discrete Coulomb problem of a step: responses of the bodies, matrix W, solution (theory
   17.3). */
#include "base/cholesky.h"
#include "base/grow.h"
#include "contact/cones/active.h"
#include "contact/division.h"

#define CONE_TOLERANCE                                                                             \
  1e-13 /* tolerance of the error eps of cone.h, for a problem scaled so that flexibilities are about 1 */
#define CONE_ENOUGH                                                                                \
  1e-8 /* tolerance of the error eta of cone.h; it suffices if rounding prevents a smaller eps */
#define CONE_ROUGH                                                                                 \
  1e4 /* greatest friction coefficient: with greater ones, round-off of r_t exceeds what mu r_n can tell */
#define PROXIMAL       1e-6 /* of the mean flexibility, delta of choose_reactions */
#define PROXIMAL_STEPS 3
#define CONE_SWEEPS    3000
#define CONE_NEWTON    200 /* if a step needs more, it is better to cut it */

/* ---- responses ------------------------------------------------------------------------------ */

void CrConesTake(CrCones *s, PetscInt k, PetscInt axis, const PetscReal *x)
{
  const CrConesResponse *response = (const CrConesResponse *)s->responses + s->nresponses + k;
  PetscInt               dim = s->contact->model->dim, m = s->nnodes * dim;
  PetscReal             *y = response->x + axis * m;

  for (PetscInt b = 0; b < s->nnodes; b++)
    for (PetscInt j = 0; j < dim; j++) y[dim * b + j] = x[dim * s->nodes[b] + j];
}

/* Makes room for n more responses. */
static PetscErrorCode make_room(CrCones *s, PetscInt n)
{
  PetscInt         dim = s->contact->model->dim, before = s->room_responses, all;
  CrConesResponse *responses;

  PetscFunctionBeginUser;
  n += s->nresponses;
  if (n > before) {
    PetscCall(CrGrow(n, &s->room_responses, (CrConesResponse **)&s->responses));
    all = s->room_responses;
    responses = s->responses;
    for (PetscInt k = before; k < all; k++) responses[k] = (CrConesResponse){.x = NULL};
    PetscCall(PetscFree3(s->part, s->here, s->y));
    PetscCall(PetscMalloc3(all, &s->part, all, &s->here,
                           (all * dim + 6 * s->contact->model->rigid->n) * 4, &s->y));
  }
  responses = s->responses;
  for (PetscInt k = s->nresponses; k < n; k++)
    if (!responses[k].x) PetscCall(PetscMalloc1(dim * dim * s->nnodes, &responses[k].x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A list of nodes by their global numbers: list[0] is their number, the nodes follow. */
static PetscErrorCode learn(CrCones *s, const PetscInt *list, CrConesRespond *respond, void *ctx,
                            PetscBool *solved)
{
  PetscInt         dim = s->contact->model->dim, n = list[0];
  PetscInt        *nodes;
  CrConesResponse *responses;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &nodes));
  PetscCall(make_room(s, n));
  for (PetscInt k = 0; k < n; k++) nodes[k] = CrNodeLocal(s->contact->model, list[k + 1]);
  PetscCall(respond(ctx, n, nodes, solved));
  responses = s->responses;
  for (PetscInt k = 0; k < n && *solved; k++) {
    responses[s->nresponses + k].row = nodes[k] >= 0 ? s->index[nodes[k]] : -1;
    if (nodes[k] >= 0) s->known[nodes[k]] = s->nresponses + k;
  }
  PetscCall(PetscFree(nodes));
  if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc(sizeof(PetscInt) * (s->nlearned + n + 1), &s->learned));
  PetscCall(PetscArraycpy(s->learned + s->nlearned, list, n + 1));
  s->nlearned += n + 1;
  s->nresponses += n;
  s->columns += n * dim;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrConesForget(CrCones *s)
{
  for (PetscInt A = 0; A < s->contact->model->nlocal; A++) s->known[A] = -1;
  s->nlearned = s->nresponses = 0;
}

/* Numbers the nodes without a response in the order in which they first occur. list[] has room for all of them: their
   number, and then their global numbers. */
static PetscErrorCode list_unknown(CrCones *s, PetscInt room, PetscInt *list)
{
  CrConesOperators *all = s->operators;
  PetscInt         *sorted, *place, *number, m = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc3(room, &sorted, room, &place, room, &number));
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < all[l].n; a++)
      if (all[l].index[a] < 0) {
        sorted[m] = all[l].node[a];
        place[m] = m;
        m++;
      }
  PetscCall(PetscSortIntWithArray(m, sorted, place));
  for (PetscInt k = 0, end; k < m; k = end) { /* equal nodes: the first occurrence counts */
    PetscInt first = place[k];

    for (end = k; end < m && sorted[end] == sorted[k]; end++) first = PetscMin(first, place[end]);
    for (PetscInt e = k; e < end; e++) number[place[e]] = first;
  }
  list[0] = 0;
  m = 0;
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < all[l].n; a++) {
      if (all[l].index[a] >= 0) continue;
      if (number[m] == m) { /* `place` becomes the number of the response */
        place[m] = s->nresponses + list[0];
        list[++list[0]] = all[l].node[a];
      }
      all[l].index[a] = place[number[m]];
      m++;
    }
  PetscCall(PetscFree3(sorted, place, number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesLearn(CrCones *s, CrConesRespond *respond, void *ctx, PetscBool *solved)
{
  const CrConesOperators *all = s->operators;
  PetscInt                n = 0, *list;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < all[l].n; a++) n += all[l].index[a] < 0;
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(n + 1, &list));
  PetscCall(list_unknown(s, n, list));
  PetscCall(learn(s, list, respond, ctx, solved));
  PetscCall(PetscFree(list));
  if (!*solved) CrConesForget(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrConesColumns(const CrCones *s)
{
  return s->nresponses * s->contact->model->dim;
}

PetscInt *CrConesLearned(CrCones *s, PetscInt *n)
{
  PetscInt *learned = s->learned;

  *n = s->nlearned;
  s->learned = NULL;
  s->nlearned = 0;
  return learned;
}

PetscErrorCode CrConesLearnAgain(CrCones *s, PetscInt n, PetscInt *learned, CrConesRespond *respond,
                                 void *ctx)
{
  PetscBool solved = PETSC_TRUE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n && solved; k += learned[k] + 1)
    PetscCall(learn(s, learned + k, respond, ctx, &solved));
  PetscCall(PetscFree(learned));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrConesChange(const CrCones *s, const CrTouch *touch, PetscInt i, const PetscReal *y)
{
  const PetscReal *op = CrConesRow(s, touch, i);
  PetscInt         dim = s->contact->model->dim;
  PetscReal        sum = 0;
  CrSpread         spread;

  CrTouchSpread(s->contact, touch, &spread);
  for (PetscInt e = 0; e < spread.n; e++)
    for (PetscInt j = 0; j < dim; j++)
      sum += spread.c[e] * op[dim * spread.column[e] + j] * y[dim * spread.nodes[e] + j];
  return sum;
}

/* ---- the problem ---------------------------------------------------------------------------- */

PetscBool CrConesDropHeld(CrCones *s, PetscReal *mean)
{
  PetscInt  dim = s->contact->model->dim;
  PetscBool any = PETSC_FALSE;

  *mean = 0;
  for (PetscInt l = 0; l < s->n * dim; l++) *mean += PetscAbsReal(s->own[l]) / (s->n * dim);
  for (PetscInt l = 0; l < s->n; l++) {
    if (PetscAbsReal(s->own[dim * l]) > 1e-10 * *mean) continue;
    if (s->which[l] >= 0) s->touches[s->which[l]].state = HELD;
    any = PETSC_TRUE;
  }
  return any;
}

/* The reactions of a touch in the frame of the last evaluation. */
static void load_reaction(const CrCones *s, const CrTouch *touch, PetscReal *r)
{
  r[0] = touch->weight * touch->lambda;
  for (PetscInt i = 1; i < s->contact->model->dim; i++) {
    r[i] = 0;
    for (int j = 0; j < 3; j++) r[i] -= touch->weight * touch->traction[j] * touch->k.e[i - 1][j];
  }
}

/* Computes q and mu of all contacts, and the reactions with which the solution starts. */
static PetscErrorCode take_vectors(CrCones *s)
{
  const CrContact        *c = s->contact;
  const CrConesOperators *all = s->operators;
  PetscInt                dim = c->model->dim;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < s->n; l++) {
    PetscInt k = CrConesCounts(s, l) ? s->which[l] : -1;

    s->mu[l] = PetscMin(c->pairs[c->passes[all[l].pass].pair].friction, CONE_ROUGH);
    for (PetscInt i = 0; i < dim; i++) s->q[l * dim + i] = s->r[l * dim + i] = 0;
    if (k < 0) continue;
    load_reaction(s, &c->work->touches[k], s->r + l * dim);
    for (PetscInt i = 0; i < dim; i++) s->q[l * dim + i] = s->touches[k].free[i] / s->scale;
  }
  PetscCall(CrConesSum(s, dim * s->n, s->q));
  PetscCall(CrConesSum(s, dim * s->n, s->r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The vectors of an island follow each other, and so do those of all islands. */
static void order_vectors(const CrCones *s, const PetscReal *from, PetscReal *to)
{
  PetscInt dim = s->contact->model->dim;

  for (PetscInt k = 0; k < dim * s->n; k++) to[k] = from[dim * s->member[k / dim] + k % dim];
}

/* The norm of q of all contacts, over the square root of their number. */
static PetscReal mean_of(const CrCones *s)
{
  PetscReal square = 0;

  for (PetscInt k = 0; k < s->contact->model->dim * s->n; k++) square += PetscSqr(s->q[k]);
  return PetscSqrtReal(square / (PetscReal)s->n);
}

/* Numbers that ranks add after they have solved their islands. */
enum { UNSOLVED, INDEFINITE, STIFF, SWEEPS, NEWTON, COUNTS };

/* Is a body in statics unstable without its contacts? A force would then move it against the force. */
static PetscBool is_unstable(const CrCones *s, PetscInt m, const PetscReal *W)
{
  for (PetscInt k = 0; s->contact->model->quasi_static && k < m; k++)
    if (W[k * m + k] < 0) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The reactions of contacts that depend on each other are not unique. Rounding then keeps the solver from its tolerance,
   and decides how such contacts share their force. Of all solutions, the one is taken that is closest to the reactions
   before, by proximal steps: z = (W + delta) r + q - delta r_before. If that finds none, r stays as it is. */
static PetscErrorCode choose_reactions(CrCones *s, PetscInt n, PetscReal *W, const PetscReal *q0,
                                       const PetscReal *mu, const PetscReal *start,
                                       const CrConeOptions *options, PetscReal *r)
{
  PetscInt     m = n * s->contact->model->dim;
  PetscReal   *q = s->work + 4 * n, *diagonal = q + m, *x = diagonal + m, eps, eta = 0;
  CrConeReport report = {.converged = PETSC_TRUE};

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m; k++) {
    diagonal[k] = W[k * m + k];
    x[k] = start[k];
    if (diagonal[k] != 0) W[k * m + k] += PROXIMAL; /* supports hold the others */
  }
  PetscCall(CrConeSetDense(s->cone, W));
  for (PetscInt step = 0; step < PROXIMAL_STEPS && report.converged; step++) {
    for (PetscInt k = 0; k < m; k++) q[k] = q0[k] - (diagonal[k] != 0 ? PROXIMAL * x[k] : 0);
    PetscCall(CrConeSetVectors(s->cone, q, mu));
    PetscCall(CrConeSolve(s->cone, options, x, &report));
  }
  for (PetscInt k = 0; k < m; k++) W[k * m + k] = diagonal[k];
  PetscCall(CrConeSetDense(s->cone, W));
  PetscCall(CrConeSetVectors(s->cone, q0, mu));
  if (report.converged) PetscCall(CrConeErrors(s->cone, x, &eps, &eta));
  if (report.converged && eta <= CONE_ENOUGH) PetscCall(PetscArraycpy(r, x, m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Solves the problem of an island, with the vectors q and r. */
static PetscErrorCode solve_island(CrCones *s, PetscInt g, PetscReal mean, PetscReal *q,
                                   PetscReal *r, PetscReal counts[COUNTS])
{
  CrConeOptions options = CrConeDefaults();
  PetscInt      dim = s->contact->model->dim, n = s->first[g + 1] - s->first[g], m = n * dim;
  PetscReal    *W = s->W + s->block[g], *mu = s->work, *start = s->work + n;
  PetscBool     solved = PETSC_FALSE, unstable;

  PetscFunctionBeginUser;
  options.tolerance = CONE_TOLERANCE;
  options.max_sweeps = CONE_SWEEPS;
  options.max_newton = CONE_NEWTON;
  if (s->nislands > 1) options.mean = mean;
  for (PetscInt k = 0; k < m * m; k++) W[k] /= s->scale;
  for (PetscInt k = 0; k < n; k++) mu[k] = s->mu[s->member[s->first[g] + k]];
  PetscCall(CrConeResize(s->cone, n));
  PetscCall(PetscArraycpy(start, r, m));
  unstable = is_unstable(s, m, W);
  if (!unstable) {
    PetscCall(CrConeSetDense(s->cone, W));
    PetscCall(CrConeSetVectors(s->cone, q, mu));
    PetscCall(CrConeSolve(s->cone, &options, r, &s->report));
    solved = s->report.converged || s->report.error_scaled <= CONE_ENOUGH;
    if (!s->report.converged && solved)
      PetscCall(choose_reactions(s, n, W, q, mu, start, &options, r));
  }
  if (unstable || (!solved && s->contact->model->quasi_static)) {
    PetscCall(PetscArraycpy(r, start, m));
    PetscCall(CrConesSolveStiffened(s, n, W, q, mu, &options, r, &solved));
    counts[STIFF] += solved;
  }
  counts[SWEEPS] += (PetscReal)s->report.sweeps;
  counts[NEWTON] += (PetscReal)s->report.newton;
  if (solved) PetscFunctionReturn(PETSC_SUCCESS);
  counts[UNSOLVED]++;
  counts[INDEFINITE] += !CrCholeskySolve(m, m, W, q); /* both are computed anew */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Solves W r + q = z under the law, island by island on the ranks that solve them. The problem is scaled so that
   flexibilities are about 1, and eps has a meaning. */
PetscErrorCode CrConesSolveProblem(CrCones *s, PetscReal scale, PetscBool *solved)
{
  const CrDivision *d = s->contact->division;
  PetscInt          dim = s->contact->model->dim;
  PetscReal         counts[COUNTS] = {0}, mean, *q = s->vectors, *r = s->vectors + dim * s->n;

  PetscFunctionBeginUser;
  s->scale = scale;
  PetscCall(take_vectors(s));
  mean = mean_of(s);
  order_vectors(s, s->q, q);
  order_vectors(s, s->r, r);
  PetscCall(PetscArrayzero(s->r, dim * s->n));
  for (PetscInt g = 0; g < s->nislands; g++) {
    PetscInt first = s->first[g], last = s->first[g + 1];

    if (d && s->solver[g] != d->rank) continue;
    PetscCall(solve_island(s, g, mean, q + dim * first, r + dim * first, counts));
    for (PetscInt k = dim * first; k < dim * last; k++)
      s->r[dim * s->member[k / dim] + k % dim] = r[k];
  }
  PetscCall(CrConesSum(s, dim * s->n, s->r));
  PetscCall(CrConesSum(s, COUNTS, counts));
  *solved = counts[UNSOLVED] == 0;
  s->stiffened.stiff = counts[STIFF] > 0;
  if (!*solved) s->indefinite = counts[INDEFINITE] > 0;
  s->solves++;
  s->sweeps += (PetscInt)counts[SWEEPS];
  s->newton += (PetscInt)counts[NEWTON];
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrConesRespondTo(const CrCones *s, const PetscReal *chosen, const PetscReal *x, PetscReal *y)
{
  const CrDivision *d = s->contact->division;
  PetscInt          dim = s->contact->model->dim;

  for (PetscInt g = 0; g < s->nislands; g++) {
    const PetscInt  *member = s->member + s->first[g], n = s->first[g + 1] - s->first[g];
    const PetscReal *W = s->W + s->block[g];
    PetscBool        solves = !d || s->solver[g] == d->rank;

    for (PetscInt l = 0; l < n; l++) {
      if (!solves) y[member[l]] = 0; /* the rank that solves contributes it */
      if (!solves || chosen[member[l]] == 0) continue;
      for (PetscInt j = 0; j < n; j++)
        if (chosen[member[j]] != 0)
          y[member[l]] += s->scale * W[dim * j * dim * n + dim * l] * x[member[j]];
    }
  }
}

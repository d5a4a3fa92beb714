/* Sets up and solves the discrete Coulomb problem of a step: responses of the bodies, matrix W, solution (theory
   17.3). */
#include "base/cholesky.h"
#include "contact/cones/internal.h"

#define CONE_TOLERANCE                                                                             \
  1e-13 /* tolerance of the error eps of cone.h, for a problem scaled so that flexibilities are about 1 */
#define CONE_ENOUGH                                                                                \
  1e-8 /* tolerance of the error eta of cone.h; it suffices if rounding prevents a smaller eps */
#define CONE_ROUGH                                                                                 \
  1e4 /* greatest friction coefficient: with greater ones, round-off of r_t exceeds what mu r_n can tell */
#define CONE_SWEEPS 3000
#define CONE_NEWTON 200 /* if a step needs more, it is better to cut it */

PetscErrorCode CrConesFit(CrCones *s, PetscInt n)
{
  PetscInt m;

  PetscFunctionBeginUser;
  if (n <= s->room_n) PetscFunctionReturn(PETSC_SUCCESS);
  s->room_n = PetscMax(n, 2 * s->room_n);
  m = s->room_n * s->contact->model->dim;
  PetscCall(PetscFree5(s->which, s->W, s->q, s->r, s->mu));
  PetscCall(
      PetscMalloc5(s->room_n, &s->which, m * m, &s->W, m, &s->q, m, &s->r, s->room_n, &s->mu));
  PetscCall(PetscFree(s->operators));
  PetscCall(PetscMalloc(sizeof(CrConesOperators) * (size_t)s->room_n, &s->operators));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- responses ------------------------------------------------------------------------------ */

void CrConesTake(CrCones *s, PetscInt node, PetscInt axis, const PetscReal *x)
{
  PetscInt   dim = s->contact->model->dim, m = s->nnodes * dim;
  PetscReal *y = s->response[s->index[node]] + axis * m;

  for (PetscInt b = 0; b < s->nnodes; b++)
    for (PetscInt j = 0; j < dim; j++) y[dim * b + j] = x[dim * s->nodes[b] + j];
}

/* A list of nodes by their indices: list[0] is their number, the indices follow. */
static PetscErrorCode learn(CrCones *s, const PetscInt *list, CrConesRespond *respond, void *ctx,
                            PetscBool *solved)
{
  PetscInt  dim = s->contact->model->dim, n = list[0];
  PetscInt *nodes;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &nodes));
  for (PetscInt k = 0; k < n; k++) {
    PetscInt a = list[k + 1];

    if (!s->response[a]) PetscCall(PetscMalloc1(dim * dim * s->nnodes, &s->response[a]));
    nodes[k] = s->nodes[a];
  }
  PetscCall(respond(ctx, n, nodes, solved));
  PetscCall(PetscFree(nodes));
  if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < n; k++) s->known[list[k + 1]] = PETSC_TRUE;
  PetscCall(PetscRealloc(sizeof(PetscInt) * (s->nlearned + n + 1), &s->learned));
  PetscCall(PetscArraycpy(s->learned + s->nlearned, list, n + 1));
  s->nlearned += n + 1;
  s->columns += n * dim;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrConesForget(CrCones *s)
{
  for (PetscInt a = 0; a < s->nnodes; a++) s->known[a] = PETSC_FALSE;
  s->nlearned = 0;
}

PetscErrorCode CrConesLearn(CrCones *s, CrConesRespond *respond, void *ctx, PetscBool *solved)
{
  CrSpread spread;
  PetscInt n = 0;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < s->n; l++) {
    const CrTouch *touch = &s->contact->work->touches[s->which[l]];

    CrTouchSpread(s->contact, touch, &spread);
    for (PetscInt e = 0; e < spread.n; e++) {
      PetscInt index = s->index[spread.nodes[e]];

      if (index < 0 || s->known[index]) continue;
      s->known[index] = PETSC_TRUE;
      s->unknown[1 + n] = index;
      n++;
    }
  }
  s->unknown[0] = n;
  if (n) PetscCall(learn(s, s->unknown, respond, ctx, solved));
  if (!*solved) CrConesForget(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrConesColumns(const CrCones *s)
{
  PetscInt nodes = 0;

  for (PetscInt k = 0; k < s->nlearned; k += s->learned[k] + 1) nodes += s->learned[k];
  return nodes * s->contact->model->dim;
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
      sum += spread.c[e] * op[dim * spread.column[e] + j] * y[dim * s->index[spread.nodes[e]] + j];
  return sum;
}

/* ---- the problem ---------------------------------------------------------------------------- */

void CrConesKeepOwn(CrCones *s, PetscInt l, PetscInt pad, const PetscReal *w)
{
  CrConesTouch *at = &s->touches[s->which[l]];
  PetscInt      dim = s->contact->model->dim;

  at->flexible = 0;
  for (PetscInt i = 0; i < dim; i++) {
    at->own[i] = w[i * pad + i];
    at->flexible += PetscAbsReal(at->own[i]) / dim;
  }
}

PetscBool CrConesDropHeld(CrCones *s, PetscReal *mean)
{
  PetscInt  dim = s->contact->model->dim;
  PetscBool any = PETSC_FALSE;

  *mean = 0;
  for (PetscInt l = 0; l < s->n * dim; l++)
    *mean += PetscAbsReal(s->touches[s->which[l / dim]].own[l % dim]) / (s->n * dim);
  for (PetscInt l = 0; l < s->n; l++) {
    CrConesTouch *at = &s->touches[s->which[l]];

    if (PetscAbsReal(at->own[0]) > 1e-10 * *mean) continue;
    at->state = HELD;
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

/* Is a body in statics unstable without its contacts? A force would then move it against the force. */
static PetscBool is_unstable(const CrCones *s)
{
  PetscInt m = s->n * s->contact->model->dim;

  for (PetscInt k = 0; s->contact->model->quasi_static && k < m; k++)
    if (s->W[k * m + k] < 0) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Solves W r + q = z under the law. The problem is scaled so that flexibilities are about 1, and eps has a
   meaning. */
PetscErrorCode CrConesSolveProblem(CrCones *s, PetscReal scale, PetscBool *solved)
{
  const CrContact *c = s->contact;
  CrConeOptions    options = CrConeDefaults();
  PetscInt         dim = c->model->dim, m = s->n * dim;

  PetscFunctionBeginUser;
  options.tolerance = CONE_TOLERANCE;
  options.max_sweeps = CONE_SWEEPS;
  options.max_newton = CONE_NEWTON;
  s->scale = scale;
  for (PetscInt k = 0; k < m * m; k++) s->W[k] /= scale;
  for (PetscInt l = 0; l < s->n; l++) {
    const CrTouch *touch = &c->work->touches[s->which[l]];

    s->mu[l] = PetscMin(c->pairs[c->passes[touch->pass].pair].friction, CONE_ROUGH);
    load_reaction(s, touch, s->r + l * dim);
    for (PetscInt i = 0; i < dim; i++) s->q[l * dim + i] = s->touches[s->which[l]].free[i] / scale;
  }
  PetscCall(CrConeResize(s->cone, s->n));
  s->stiffened.stiff = is_unstable(s);
  if (!s->stiffened.stiff) {
    PetscCall(CrConeSetDense(s->cone, s->W));
    PetscCall(CrConeSetVectors(s->cone, s->q, s->mu));
    PetscCall(CrConeSolve(s->cone, &options, s->r, &s->report));
    *solved = s->report.converged || s->report.error_scaled <= CONE_ENOUGH;
  }
  if (s->stiffened.stiff || (!*solved && c->model->quasi_static)) {
    for (PetscInt l = 0; l < s->n; l++)
      load_reaction(s, &c->work->touches[s->which[l]], s->r + l * dim);
    PetscCall(CrConesSolveStiffened(s, &options, solved));
    s->stiffened.stiff = *solved;
  }
  if (!*solved) s->indefinite = !CrCholeskySolve(m, m, s->W, s->q); /* both are computed anew */
  s->solves++;
  s->sweeps += s->report.sweeps;
  s->newton += s->report.newton;
  PetscFunctionReturn(PETSC_SUCCESS);
}

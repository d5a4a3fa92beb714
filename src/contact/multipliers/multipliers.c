/* Contact of explicit steps: the algorithms that find pairs and multipliers, and the history of the points (theory 19).

   | slides | here |
   |---|---|
   | G_N, G_T | nu, W of a pair; forces act through W^T |
   | lam, F_c | lam: normal multiplier, then the tangential one, a vector in space |
   | j, k     | iterations of iterate.c, outer |

   The algorithms differ in three points, which the table below gives: the velocities that predict the positions of the
   search, the multipliers from which the iteration starts, and the number of searches. `sym` is not from the slides.
   Its forces act along the normals of t_n, and its gaps are those of t_{n+1}. So without friction the forces of a pair
   have no moment. */
#include "base/lazy.h"
#include "contact/multipliers/close.h"
#include "contact/multipliers/return.h"

#define START_ITERATIONS 50
#define CLOSINGS         30
#define LEAST_CLOSING    16  /* iterations of closing in a step, for any number of pairs */
#define CLOSING_WORK     2e4 /* further iterations of closing in a step, times the number of pairs */

static const CrVariant variants[] = {
    [CR_ALGORITHM_LEGACY] = {.once = PETSC_TRUE},
    [CR_ALGORITHM_1] = {.once = PETSC_FALSE},
    [CR_ALGORITHM_2] = {.searches = PETSC_TRUE},
    [CR_ALGORITHM_3] = {.warm = PETSC_TRUE},
    [CR_ALGORITHM_SYM] = {.warm = PETSC_TRUE, .searches = PETSC_TRUE, .middle = PETSC_TRUE},
};

/* ---- creation and destruction ---------------------------------------------------------------- */

static PetscErrorCode create_arrays(CrMultipliers *m, const PetscReal *inverse)
{
  const CrContact *c = m->contact;
  PetscInt         n = c->model->nlocal, ndofs = n * c->model->dim;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &m->inverse));
  PetscCall(PetscArraycpy(m->inverse, inverse, n));
  PetscCall(CrLazyCreate(n, &m->share));
  PetscCall(CrLazyCreate(ndofs, &m->star));
  PetscCall(CrLazyCreate(ndofs, &m->where));
  if (CrPressMayHaveTwins(c)) PetscCall(CrLazyCreate(CR_TWIN_REALS * n, &m->twin));
  PetscCall(CrLazyCreate(4 * c->npoints, &m->guess));
  PetscCall(CrLazyCreate(c->npoints, &m->guessed));
  PetscCall(CrLazyCreate(2 * c->npoints, &m->pressed.items));
  PetscCall(CrLazyCreate(c->npoints, &m->shown));
  PetscCall(CrLazyCreate(c->npoints, &m->taken));
  PetscCall(CrTallyCreate(c->npairs, 0, NULL, &m->tally));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Tells the user how contact is divided among the ranks. */
static PetscErrorCode log_division(const CrMultipliers *m)
{
  PetscReal all = 0, most;

  PetscFunctionBeginUser;
  if (CrRoundsRanks(m->rounds) == 1) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < m->contact->npasses; k++) all += (PetscReal)m->lists->passes[k].nmine;
  most = all;
  PetscCall(CrRoundsSum(m->rounds, 1, &all));
  PetscCall(CrRoundsGreatest(m->rounds, 1, &most));
  CrLog("contact points: %.0f in all, at most %.0f on one of the %d processes\n", (double)all,
        (double)most, CrRoundsRanks(m->rounds));
  if (m->options.inner == CR_INNER_GAUSS_SEIDEL)
    CrLog(
        "`inner: gauss-seidel`: the first process computes the contact forces of all processes\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersCreate(CrContact *c, const CrMultiplierOptions *options,
                                   const PetscReal *inverse, CrContactHistory *history,
                                   CrMultipliers **out)
{
  CrMultipliers *m;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->npasses; k++)
    PetscCheck(CrPressOpsOf(&c->passes[k]), PETSC_COMM_SELF, PETSC_ERR_SUP,
               "pass %" PetscInt_FMT " is of a kind without a row in CrPressOpsOf", k);
  PetscCall(PetscNew(&m));
  m->contact = c;
  m->options = *options;
  m->variant = variants[options->algorithm];
  if (m->variant.once) m->options.iterations = 1;
  m->closes = c->closes;
  PetscCall(CrContactDivide(c, PETSC_TRUE));
  PetscCall(CrRigidStepCreate(c->model->rigid, &m->bodies));
  PetscCall(CrRoundsCreate(c->model, &m->rounds));
  if (CrRoundsRanks(m->rounds) > 1) {
    PetscCall(CrSweepsCreate(c->model, &m->sweeps));
    PetscCall(CrDoublesCreate(c->model, &m->doubles));
  }
  PetscCall(CrNearCreate(c, m->rounds, &m->lists));
  m->lists->pose0 = m->bodies->pose0;
  m->lists->pose = m->bodies->pose;
  if (options->returns) PetscCall(CrReturnsCreate(c, &m->returns));
  PetscCall(create_arrays(m, inverse));
  PetscCall(CrContactWiden(c, history, MEMORY_REALS));
  m->memory = (const CrPointMemory *)history->method;
  PetscCall(log_division(m));
  *out = m;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersDestroy(CrMultipliers **out)
{
  CrMultipliers *m = *out;

  PetscFunctionBeginUser;
  if (!m) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrNearDestroy(&m->lists));
  PetscCall(CrRigidStepDestroy(&m->bodies));
  PetscCall(CrRoundsDestroy(&m->rounds));
  PetscCall(CrSweepsDestroy(&m->sweeps));
  PetscCall(CrDoublesDestroy(&m->doubles));
  PetscCall(CrTallyDestroy(&m->tally));
  PetscCall(CrReturnsDestroy(&m->returns));
  PetscCall(PetscFree(m->inverse));
  PetscCall(CrLazyDestroy(&m->share));
  PetscCall(CrLazyDestroy(&m->star));
  PetscCall(CrLazyDestroy(&m->where));
  PetscCall(CrLazyDestroy(&m->twin));
  PetscCall(CrLazyDestroy(&m->guess));
  PetscCall(CrLazyDestroy(&m->guessed));
  PetscCall(CrLazyDestroy(&m->pressed.items));
  PetscCall(CrLazyDestroy(&m->shown));
  PetscCall(CrLazyDestroy(&m->taken));
  PetscCall(PetscFree(m->pairs));
  PetscCall(PetscFree(m->valley));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersResume(CrMultipliers *m, const PetscReal *u, const CrRigidState *rigid,
                                   PetscReal t)
{
  const CrContact *c = m->contact;

  PetscFunctionBeginUser;
  CrRigidStepBegin(m->bodies, c->model->rigid, rigid, 0, NULL);
  CrNearCopy(c->model->dim, m->lists, u, m->where);
  PetscCall(CrNearMove(m->lists, m->where, t, u));
  m->pressed.n = 0;
  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt j = 0; j < m->lists->passes[k].nmine; j++) {
      PetscInt i = c->passes[k].first + m->lists->passes[k].mine[j];

      if (m->memory[i].lam[0] > 0) CrPointListPut(&m->pressed, i, k);
    }
  if (m->returns) CrReturnsResume(m);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrRigidState *CrMultipliersRigidEnd(const CrMultipliers *m)
{
  return m->bodies->end;
}

/* ---- a step ----------------------------------------------------------------------------------
   Loops over the nodes of all pairs get the dimension as a constant: CrMultipliersSolve, Move and Work
   choose once. */

/* Stores v*, and sets the contact forces of the last step to zero. */
static inline void begin(PetscInt dim, CrMultipliers *m, const PetscReal *v)
{
  for (PetscInt k = 0; k < m->lists->nnodes; k++)
    for (PetscInt r = dim * m->lists->nodes[k]; r < dim * (m->lists->nodes[k] + 1); r++) {
      m->star[r] = v[r];
      m->contact->picture->force[r] = 0;
    }
}

/* Adds the force of a pair to v. */
static inline void push(PetscInt dim, const CrPress *p, PetscReal kick, PetscReal *v)
{
  PetscReal force[3];

  CrPressForce(p, force);
  CrPressPush(dim, p, kick, force, v);
}

/* Adds the force that a pressed point had in the last step to v. */
static inline void push_again(PetscInt dim, const CrMultipliers *m, PetscInt point, PetscInt pass,
                              const CrMultiplierStep *step, PetscReal *v)
{
  CrPress pair;

  CrPressRecall(m, point, pass, step, &pair);
  push(dim, &pair, step->kick, v);
}

/* Adds the forces of the last step to v*, to predict where the search should look; or takes them away again.
   The pairs of the last step are still in the list, unless an attempt has failed since. Prescribed dofs and
   arms of rigid bodies may have changed. */
static inline PetscErrorCode find_warm(PetscInt dim, CrMultipliers *m, const CrMultiplierStep *step,
                                       PetscReal *v)
{
  PetscFunctionBeginUser;
  PetscCall(CrRoundsBegin(m->rounds, v, m->bodies));
  for (const CrPress *p = m->pairs; m->accepted && p < m->pairs + m->npairs; p++) {
    if (!(p->lam[0] > 0) || p->returned || p->second) continue;
    if (p->plain && !step->fixed)
      push(dim, p, step->kick, v);
    else
      push_again(dim, m, p->point, p->pass, step, v);
  }
  for (PetscInt k = 0; !m->accepted && k < m->pressed.n; k++)
    push_again(dim, m, m->pressed.items[2 * k], m->pressed.items[2 * k + 1], step, v);
  PetscCall(CrRoundsEnd(m->rounds, v, m->bodies));
  PetscCall(CrPressFind(m, step, v));
  CrNearCopy(dim, m->lists, m->star, v);
  CrRigidStepRestore(m->bodies);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sets v to v* plus the forces of the multipliers. `clean` says that v is v* already. */
static inline PetscErrorCode apply(PetscInt dim, CrMultipliers *m, PetscReal kick, PetscBool clean,
                                   PetscReal *v)
{
  PetscFunctionBeginUser;
  if (!clean) CrNearCopy(dim, m->lists, m->star, v);
  CrRigidStepRestore(m->bodies);
  if (!(m->all > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrRoundsBegin(m->rounds, v, m->bodies));
  for (const CrPress *p = m->pairs; p < m->pairs + m->npairs; p++)
    if (p->lam[0] != 0) push(dim, p, kick, v);
  PetscCall(CrRoundsEnd(m->rounds, v, m->bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode iterate(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  const CrPressList all = CrPressAll(m);

  return CrPressIterate(m, &m->options, step->kick, &all, v, &m->iterations);
}

/* Keeps the multipliers of points between two searches. */
static void keep_guesses(CrMultipliers *m)
{
  for (const CrPress *p = m->pairs; p < m->pairs + m->npairs; p++) {
    if (p->second) continue;
    for (int i = 0; i < 4; i++) m->guess[4 * p->point + i] = p->lam[i];
    m->guessed[m->nguessed++] = p->point;
  }
}

static void forget_guesses(CrMultipliers *m)
{
  for (PetscInt k = 0; k < m->nguessed; k++)
    for (int i = 0; i < 4; i++) m->guess[4 * m->guessed[k] + i] = 0;
  m->nguessed = 0;
}

/* Algorithm 2: finds pairs again at the positions to which the multipliers lead. */
static inline PetscErrorCode solve_again(PetscInt dim, CrMultipliers *m,
                                         const CrMultiplierStep *step, PetscReal *v)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->options.outer; k++) {
    PetscCall(CrPressFind(m, step, v));
    forget_guesses(m);
    if (k > 0) CrNearCopy(dim, m->lists, m->star, v);
    PetscCall(apply(dim, m, step->kick, PETSC_TRUE, v));
    PetscCall(iterate(m, step, v));
    PetscCall(CrPressIterateValleys(m, step, v));
    keep_guesses(m);
  }
  forget_guesses(m);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The symmetric variant: forces act along the normals of t_n, and close the gaps of t_{n+1}. */
static inline PetscErrorCode solve_middle(PetscInt dim, CrMultipliers *m,
                                          const CrMultiplierStep *step, PetscReal *v)
{
  PetscFunctionBeginUser;
  PetscCall(CrPressTurnBack(m, step, v));
  for (PetscInt k = 0; k < m->options.outer; k++) {
    PetscCall(apply(dim, m, step->kick, PETSC_FALSE, v));
    CrPressBoundAtEnd(m, step, v);
    PetscCall(apply(dim, m, step->kick, PETSC_FALSE, v)); /* some slaves may have slid off */
    PetscCall(iterate(m, step, v));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Iterates without a new search for pairs. */
static inline PetscErrorCode solve_once(PetscInt dim, CrMultipliers *m,
                                        const CrMultiplierStep *step, PetscReal *v)
{
  PetscFunctionBeginUser;
  PetscCall(apply(dim, m, step->kick, PETSC_TRUE, v));
  PetscCall(iterate(m, step, v));
  PetscCall(CrPressIterateValleys(m, step, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Closes what penetrates at the end of the step (theory 19.9). The work is limited: if many pairs state almost the same
   conditions, a little penetration remains. */
static inline PetscErrorCode close_gaps(PetscInt dim, CrMultipliers *m,
                                        const CrMultiplierStep *step, PetscReal *v)
{
  CrMultiplierOptions options = m->options;
  PetscReal           slack = 0;
  PetscInt            k = 0, last;
  PetscBool           open;

  PetscFunctionBeginUser;
  last = m->iterations + LEAST_CLOSING + (PetscInt)(CLOSING_WORK / PetscMax(1, m->all));
  options.inner = CR_INNER_CLOSING;
  options.tolerance = CrPressFine(m, step->h);
  for (; k < CLOSINGS && m->iterations < last; k++) {
    CrPressList all;

    PetscCall(CrPressOpen(m, step, v, k, &slack, &open));
    if (!open) break;
    options.iterations = last - m->iterations;
    PetscCall(apply(dim, m, step->kick, PETSC_FALSE, v));
    all = CrPressAll(m);
    PetscCall(CrPressIterate(m, &options, step->kick, &all, v, &m->iterations));
  }
  m->still = m->settled = PETSC_FALSE;
  if (k) PetscCall(CrPressRelease(m, step->kick, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline PetscErrorCode solve(PetscInt dim, CrMultipliers *m, const CrMultiplierStep *step,
                                   PetscReal *v)
{
  PetscFunctionBeginUser;
  begin(dim, m, v);
  CrRigidStepBegin(m->bodies, m->contact->model->rigid, step->rigid, step->kick, step->rigid_a);
  if (m->variant.warm)
    PetscCall(find_warm(dim, m, step, v));
  else if (!m->variant.searches)
    PetscCall(CrPressFind(m, step, v));
  if (m->variant.middle)
    PetscCall(solve_middle(dim, m, step, v));
  else if (m->variant.searches)
    PetscCall(solve_again(dim, m, step, v));
  else
    PetscCall(solve_once(dim, m, step, v));
  if (m->closes && !m->too_far) PetscCall(close_gaps(dim, m, step, v));
  if (m->returns && !m->too_far) PetscCall(CrPressReturn(m, step, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersSolve(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v,
                                  PetscInt *iterations, PetscBool *too_far)
{
  PetscInt makes = m->lists->makes;

  PetscFunctionBeginUser;
  m->iterations = 0;
  PetscCall(BY_DIMENSION(m, solve, m, step, v));
  /* nodes that were in an older halo have lost v* */
  if (m->all > 0 || m->returns || m->lists->makes > makes)
    PetscCall(CrModelBringGhosts(m->contact->model, v));
  *iterations = m->iterations;
  CrRigidStepPlace(m->bodies, m->contact->model->rigid, step->rigid, step->h);
  *too_far = m->too_far;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersStart(CrMultipliers *m, CrContactHistory *history, const PetscReal *u,
                                  const char *fixed, PetscReal t, const CrRigidState *rigid,
                                  PetscReal *a, PetscReal *rigid_a)
{
  CrMultiplierOptions options = m->options;
  CrPressBody        *bodies = m->bodies->now;
  CrPressList         all;
  PetscInt            done = 0;

  PetscFunctionBeginUser;
  CrRigidStepBegin(m->bodies, m->contact->model->rigid, rigid, 0, NULL);
  PetscCall(CrPressFindClosed(m, history, u, fixed, t));
  PetscCall(CrVicinityBring(CrRoundsHalo(m->rounds), m->contact->model->dim, a));
  for (PetscInt b = 0; b < m->bodies->n; b++) {
    v_copy(rigid_a + 6 * b, bodies[b].v);
    v_copy(rigid_a + 6 * b + 3, bodies[b].pi);
    m_times(bodies[b].inverse, bodies[b].pi, bodies[b].spin);
  }
  options.iterations = START_ITERATIONS;
  options.tolerance = 0;
  all = CrPressAll(m);
  PetscCall(CrPressIterate(m, &options, 1, &all, a, &done));
  for (PetscInt b = 0; b < m->bodies->n; b++) {
    v_copy(bodies[b].v, rigid_a + 6 * b);
    v_copy(bodies[b].pi, rigid_a + 6 * b + 3);
  }
  m->npairs = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline void move(PetscInt dim, const CrMultipliers *m, const CrMultiplierStep *step,
                        const PetscReal *v1, PetscReal *u1)
{
  const CrNearLists *lists = m->lists;

  for (PetscInt k = 0; k < lists->nowned; k++)
    for (PetscInt r = dim * lists->nodes[k]; r < dim * (lists->nodes[k] + 1); r++)
      if (!step->fixed || !step->fixed[r]) u1[r] = step->u0[r] + step->h * v1[r];
}

void CrMultipliersMove(const CrMultipliers *m, const CrMultiplierStep *step, const PetscReal *v1,
                       PetscReal *u1)
{
  BY_DIMENSION(m, move, m, step, v1, u1);
}

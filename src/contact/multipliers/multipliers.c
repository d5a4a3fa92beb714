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
#include "contact/multipliers/return.h"

#define START_ITERATIONS 50

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
  PetscCall(PetscCalloc4(n, &m->inverse, n, &m->share, ndofs, &m->star, ndofs, &m->where));
  if (CrPressMayHaveTwins(c)) PetscCall(PetscCalloc1(CR_TWIN_REALS * n, &m->twin));
  PetscCall(PetscArraycpy(m->inverse, inverse, n));
  PetscCall(PetscCalloc4(4 * c->npoints, &m->guess, c->npoints, &m->guessed, 2 * c->npoints,
                         &m->pressed.items, c->npoints, &m->shown));
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
  CrLog("contact points: %.0f in all, at most %.0f on one of %d ranks\n", (double)all, (double)most,
        CrRoundsRanks(m->rounds));
  if (m->options.inner == CR_INNER_GAUSS_SEIDEL)
    CrLog("inner: gauss-seidel: rank 0 sweeps over the contact of all ranks\n");
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
  PetscCall(CrContactDivide(c, PETSC_TRUE));
  PetscCall(CrRigidStepCreate(c->model->rigid, &m->bodies));
  PetscCall(CrRoundsCreate(c->model, &m->rounds));
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
  PetscCall(CrTallyDestroy(&m->tally));
  PetscCall(CrReturnsDestroy(&m->returns));
  PetscCall(PetscFree4(m->inverse, m->share, m->star, m->where));
  PetscCall(PetscFree(m->twin));
  PetscCall(PetscFree4(m->guess, m->guessed, m->pressed.items, m->shown));
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
  PetscCall(PetscArraycpy(m->where, u, c->model->nlocal * c->model->dim));
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

/* Calls a function whose first argument is the dimension, with a constant. */
#define BY_DIMENSION(m, function, ...)                                                             \
  ((m)->contact->model->dim == 2 ? function(2, __VA_ARGS__) : function(3, __VA_ARGS__))

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

  PetscFunctionBeginUser;
  PetscCall(CrPressIterate(m, &m->options, step->kick, &all, v, &m->iterations));
  PetscFunctionReturn(PETSC_SUCCESS);
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
  PetscCall(CrPressTurnBack(m, step));
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
  if (m->returns && !m->too_far) PetscCall(CrPressReturn(m, step, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersSolve(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v,
                                  PetscInt *iterations, PetscBool *too_far)
{
  PetscFunctionBeginUser;
  m->iterations = 0;
  PetscCall(BY_DIMENSION(m, solve, m, step, v));
  if (m->all > 0 || m->returns) PetscCall(CrRoundsBringAll(m->rounds, m->contact->model->dim, v));
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
  const CrNearLists *lists = m->lists; /* in the list, ghosts come after owned nodes */

  for (PetscInt k = 0; k < lists->nnodes && lists->nodes[k] < m->contact->model->nowned; k++)
    for (PetscInt r = dim * lists->nodes[k]; r < dim * (lists->nodes[k] + 1); r++)
      if (!step->fixed || !step->fixed[r]) u1[r] = step->u0[r] + step->h * v1[r];
}

void CrMultipliersMove(const CrMultipliers *m, const CrMultiplierStep *step, const PetscReal *v1,
                       PetscReal *u1)
{
  BY_DIMENSION(m, move, m, step, v1, u1);
}

/* ---- after a step ---------------------------------------------------------------------------- */

/* The relative velocity of a pair before the step. */
static inline void velocity_before(PetscInt dim, const CrMultipliers *m,
                                   const CrMultiplierStep *step, const CrPress *p,
                                   PetscReal wall[3], PetscReal w0[3])
{
  const CrPass *pass = &m->contact->passes[p->pass];
  CrPress       before;

  if (pass->kind == CR_NODE_ON_FACET) {
    CrPressVelocity(dim, p, step->v0, w0);
    return;
  }
  before = *p;
  CrPassVelocity(pass, step->t - step->h0, step->t, before.wall);
  if (pass->ops->body) before.body = &m->bodies->before[pass->partner];
  CrPressVelocity(dim, &before, step->v0, w0);
  v_copy(before.wall, wall);
}

static inline void work(PetscInt dim, CrMultipliers *m, const CrMultiplierStep *step,
                        const PetscReal *v1, CrMultiplierWorks *works)
{
  PetscReal *forces = m->contact->picture->force; /* on the nodes of this rank */

  for (CrPress *p = m->pairs; p < m->pairs + m->npairs; p++) {
    PetscReal force[3], w0[3] = {0}, w1[3] = {0}, wall[3] = {0}, push, normal = 0;

    p->loss = p->drive = 0;
    if (p->lam[0] == 0) continue;
    velocity_before(dim, m, step, p, wall, w0);
    CrPressVelocity(dim, p, v1, w1);
    CrPressForce(p, force);
    for (PetscInt a = 0; a < p->n; a++)
      for (PetscInt i = 0; i < dim; i++) forces[dim * p->nodes[a] + i] += p->W[a] * force[i];
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal way = step->kick * (w0[i] + w1[i]) / 2;

      normal += p->lam[0] * p->nu[i] * way;
      p->loss += p->lam[i + 1] * way;
      works->obstacles += step->kick * force[i] * (wall[i] + p->wall[i]) / 2;
      p->drive += step->kick * force[i] * (wall[i] + p->wall[i]) / 2;
      works->obstacles_size += step->kick * PetscAbsReal(force[i]) *
                               PetscMax(PetscAbsReal(wall[i]), PetscAbsReal(p->wall[i]));
    }
    push = step->kick / step->h * p->lam[0] * p->pushed;
    works->normal += normal - push;
    works->obstacles += push;
    works->obstacles_size += push;
    if (m->returns) CrPressStore(dim, normal - push, w0, p);
    CrPressClosing(dim, p, w1);
    v_copy(w1, p->slide);
  }
}

PetscErrorCode CrMultipliersWork(CrMultipliers *m, const CrMultiplierStep *step,
                                 const PetscReal *v1, CrMultiplierWorks *works)
{
  PetscFunctionBeginUser;
  *works = (CrMultiplierWorks){0};
  BY_DIMENSION(m, work, m, step, v1, works);
  if (m->all > 0 || m->returns)
    PetscCall(CrRoundsAdd(m->rounds, m->contact->model->dim, m->contact->picture->force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Enters the moment of an obstacle on the slave at t_n, and its work. */
static void enter_obstacle(CrMultipliers *m, const CrMultiplierStep *step, const CrPress *p,
                           const PetscReal force[3])
{
  const CrContact *c = m->contact;
  const CrPass    *pass = &c->passes[p->pass];
  PetscReal        x[3], moment[3];

  if (!pass->obstacle) return;
  if (p->n)
    CrGatherVector(c, p->nodes[0], step->u0, x);
  else
    for (int i = 0; i < 3; i++) x[i] = step->rigid->x[3 * pass->partner + i] + p->arm[i];
  v_cross(x, force, moment);
  CrTallyObstacle(&m->tally, pass->pair, moment, p->drive);
}

static CrContactStatus status_of(const CrPress *p)
{
  return CrCoulombStatus(p->mu, p->lam[0], v_length(p->lam + 1));
}

static void count(CrMultipliers *m, const CrMultiplierStep *step, const CrPress *p)
{
  const CrPass *pass = &m->contact->passes[p->pass];
  PetscReal     force[3];

  CrPressForce(p, force);
  for (int j = 0; j < 3; j++) force[j] = pass->reversed ? -force[j] : force[j];
  CrTallyLoss(&m->tally, pass->pair, p->loss);
  CrTallyPoint(&m->tally, pass->pair, status_of(p), force, p->nu);
  enter_obstacle(m, step, p, force);
}

CrTally *CrMultipliersCount(CrMultipliers *m, const CrMultiplierStep *step, const PetscReal *u1,
                            const CrContactHistory *history)
{
  PetscReal overlap = 0;

  CrTallyBegin(&m->tally, NULL);
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress *p = &m->pairs[k];

    p->gap1 = CrPressGapAt(m, p, u1, step->t + step->h);
    if (k == 0 || p[-1].point != p->point) overlap = history->overlap[p->point];
    if (p->gap1 >= 0) overlap = 0; /* once apart, overlap is over */
    if (p->lam[0] > 0) count(m, step, p);
    if (p->gap1 <= overlap || p->lam[0] > 0)
      CrTallyGap(&m->tally, m->contact->passes[p->pass].pair, p->gap1);
  }
  return &m->tally;
}

PetscInt CrMultipliersPairs(const CrMultipliers *m)
{
  return m->npairs;
}

static void start_counting(CrMultipliers *m, CrContactHistory *history)
{
  CrContact *c = m->contact;

  CrTallyBegin(&c->picture->tally, history);
  for (PetscInt k = 0; k < m->nshown; k++) {
    c->picture->status[m->shown[k]] = CR_OPEN;
    c->picture->pressure[m->shown[k]] = 0;
    c->picture->gap[m->shown[k]] = PETSC_MAX_REAL;
  }
  for (PetscInt k = 0; k < m->pressed.n; k++) {
    PetscInt point = m->pressed.items[2 * k];

    if (CrReturnsWait(m, point))
      CrPointMemories(history)[point].lam[0] = 0;
    else
      CrPointForget(history, point);
  }
  if (m->returns) CrReturnsCommit(m, history);
  m->nshown = m->pressed.n = 0;
}

/* Stores the history of a pressed point, and adds its slip. */
static void remember(CrMultipliers *m, const CrMultiplierStep *step, const CrPress *p,
                     CrContactHistory *history)
{
  CrPointMemory *memory = &CrPointMemories(history)[p->point];
  PetscInt       first = m->contact->passes[p->pass].ops->slave->is_node ? 1 : 0;

  for (int i = 0; i < 4; i++) memory->lam[i] = p->lam[i];
  memory->offset = p->offset;
  memory->store = p->store;
  memory->most = p->most;
  v_copy(p->nu, memory->nu);
  for (PetscInt a = first; a < p->n; a++) memory->N[a - first] = -p->W[a];
  CrPointListPut(&m->pressed, p->point, p->pass);
  CrTallySlip(&m->contact->picture->tally, p->point, step->h, p->slide);
  history->facet[p->point] = p->facet;
}

/* Shows a pressed pair in the output. */
static void show(const CrContact *c, const CrPress *p)
{
  const CrPass *pass = &c->passes[p->pass];

  c->picture->status[p->point] = status_of(p);
  c->picture->pressure[p->point] +=
      pass->ops->slave->is_node ? p->lam[0] / pass->slave->weight[p->point - pass->first] : 0;
}

void CrMultipliersCommit(CrMultipliers *m, const CrMultiplierStep *step, CrContactHistory *history,
                         CrStepReport *report)
{
  CrContact *c = m->contact;

  start_counting(m, history);
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress  *p = &m->pairs[k];
    PetscReal gap = p->gap1;

    if (k == 0 || p[-1].point != p->point) m->shown[m->nshown++] = p->point;
    c->picture->gap[p->point] = p->second ? PetscMin(gap, c->picture->gap[p->point]) : gap;
    if (p->lam[0] > 0) {
      if (!p->second || CrPressPassesOver(history, p))
        if (!p->returned) remember(m, step, p, history);
      show(c, p);
      CrTallyLoss(&c->picture->tally, c->passes[p->pass].pair, p->loss);
    }
    if (gap >= 0) history->overlap[p->point] = 0;
  }
  CrTallyTake(&c->picture->tally, &m->tally);
  CrTallyReport(&c->picture->tally, report);
  history->begun = 1;
  m->accepted = PETSC_TRUE;
}

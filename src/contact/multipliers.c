/* Pairs of explicit steps: who is near, along what forces act, what is kept (theory 19).

   | slides | here |
   |---|---|
   | G_N, G_T | nu, W of a pair; forces act through W^T |
   | lam, F_c | lam, tan: normal multiplier and tangential one, a vector in space |
   | j, k     | iterations of inner.c, outer |

   The algorithms differ in what predicts the search, in the first guess, and in how often pairs are
   found again: the table below. `sym` is ours: forces along the normals of t_n, gaps of t_{n+1}, so
   that without friction no pair turns the bodies. */
#include "contact/pairing.h"

#define START_ITERATIONS 50

static const CrVariant variants[] = {
    [CR_ALGORITHM_LEGACY] = {.once = PETSC_TRUE},
    [CR_ALGORITHM_1] = {.once = PETSC_FALSE},
    [CR_ALGORITHM_2] = {.searches = PETSC_TRUE},
    [CR_ALGORITHM_3] = {.warm = PETSC_TRUE},
    [CR_ALGORITHM_SYM] = {.warm = PETSC_TRUE, .searches = PETSC_TRUE, .middle = PETSC_TRUE},
};

/* ---- life ------------------------------------------------------------------------------------ */

PetscErrorCode CrMultipliersCreate(CrContact *c, const CrMultiplierOptions *options,
                                   const PetscReal *inverse, CrMultipliers **out)
{
  PetscInt       n = c->model->nlocal, m = n * c->model->dim;
  CrMultipliers *mu;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&mu));
  mu->contact = c;
  mu->options = *options;
  mu->variant = variants[options->algorithm];
  if (mu->variant.once) mu->options.iterations = 1;
  PetscCall(CrBodiesCreate(c->model->rigid, &mu->bodies));
  PetscCall(CrSkinCreate(c, &mu->skin));
  mu->skin->pose0 = mu->bodies->pose0;
  mu->skin->pose = mu->bodies->pose;
  PetscCall(CrDealCreate(c->model->comm, n, &mu->deal));
  if (options->returns) PetscCall(CrReturnsCreate(c, &mu->returns));
  PetscCall(PetscCalloc4(n, &mu->inverse, n, &mu->share, m, &mu->star, m, &mu->where));
  PetscCall(PetscArraycpy(mu->inverse, inverse, n));
  PetscCall(PetscCalloc5(c->npoints, &mu->memory, 4 * c->npoints, &mu->guess, c->npoints,
                         &mu->guessed, 2 * c->npoints, &mu->pressed, c->npoints, &mu->shown));
  *out = mu;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersDestroy(CrMultipliers **out)
{
  CrMultipliers *mu = *out;

  PetscFunctionBeginUser;
  if (!mu) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrSkinDestroy(&mu->skin));
  PetscCall(CrBodiesDestroy(&mu->bodies));
  PetscCall(CrDealDestroy(&mu->deal));
  PetscCall(CrReturnsDestroy(&mu->returns));
  PetscCall(PetscFree4(mu->inverse, mu->share, mu->star, mu->where));
  PetscCall(PetscFree5(mu->memory, mu->guess, mu->guessed, mu->pressed, mu->shown));
  PetscCall(PetscFree(mu->pairs));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersArchive(CrMultipliers *mu, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "explicit.multipliers", MEMORY_REALS * mu->contact->npoints,
                              (PetscReal *)mu->memory));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersResume(CrMultipliers *mu, const PetscReal *u, const CrRigidState *rigid,
                                   PetscReal t)
{
  const CrContact *c = mu->contact;

  PetscFunctionBeginUser;
  CrBodiesBegin(mu->bodies, c->model->rigid, rigid, 0, NULL);
  PetscCall(CrSkinMove(mu->skin, u, t));
  mu->npressed = 0;
  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = 0; i < c->passes[k].n; i++)
      if (mu->memory[c->passes[k].first + i].lam > 0) {
        mu->pressed[2 * mu->npressed] = c->passes[k].first + i;
        mu->pressed[2 * mu->npressed++ + 1] = k;
      }
  if (mu->returns) CrReturnsResume(mu);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrRigidState *CrMultipliersRigidEnd(const CrMultipliers *mu)
{
  return mu->bodies->end;
}

/* ---- a step ----------------------------------------------------------------------------------
   Loops over the nodes of all pairs get the dimension as a constant: CrMultipliersSolve, Move and Work
   choose once. */

/* v* is noted, the contact forces of the last step go. */
static inline void begin(PetscInt dim, CrMultipliers *mu, const PetscReal *v)
{
  for (PetscInt k = 0; k < mu->skin->nnodes; k++)
    for (PetscInt r = dim * mu->skin->nodes[k]; r < dim * (mu->skin->nodes[k] + 1); r++) {
      mu->star[r] = v[r];
      mu->contact->force[r] = 0;
    }
}

/* Back to v*. */
static inline void restore_all(PetscInt dim, const CrMultipliers *mu, PetscReal *v)
{
  for (PetscInt k = 0; k < mu->skin->nnodes; k++)
    for (PetscInt r = dim * mu->skin->nodes[k]; r < dim * (mu->skin->nodes[k] + 1); r++)
      v[r] = mu->star[r];
}

static inline void restore(PetscInt dim, const CrMultipliers *mu, const CrMultiplierPair *p,
                           PetscReal *v)
{
  for (PetscInt a = 0; a < p->n; a++)
    for (PetscInt r = dim * p->nodes[a]; r < dim * (p->nodes[a] + 1); r++) v[r] = mu->star[r];
}

/* v += the force of a pair. */
static inline void push(PetscInt dim, const CrMultiplierPair *p, PetscReal kick, PetscReal *v)
{
  PetscReal force[3];

  CrPairForce(p, force);
  CrPairPush(dim, p, kick, force, v);
}

/* v += the force that a pressed point had in the last step. */
static inline void push_again(PetscInt dim, const CrMultipliers *mu, PetscInt point, PetscInt pass,
                              const CrMultiplierStep *step, PetscReal *v)
{
  CrMultiplierPair pair;

  CrPairRecall(mu, point, pass, step, &pair);
  push(dim, &pair, step->kick, v);
}

/* v = v* with the forces of the last step, to look where bodies are led; and back to v*. The pairs of that
   step still stand in the list, unless an attempt has failed since; what is prescribed and the arms of
   rigid bodies may be others now. */
static inline PetscErrorCode find_warm(PetscInt dim, CrMultipliers *mu,
                                       const CrMultiplierStep *step, PetscReal *v)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; mu->accepted && k < mu->npairs; k++) {
    const CrMultiplierPair *p = &mu->pairs[k];

    if (!(p->lam > 0) || p->returned) continue;
    if (p->plain && !step->fixed)
      push(dim, p, step->kick, v);
    else
      push_again(dim, mu, p->point, p->pass, step, v);
  }
  for (PetscInt k = 0; !mu->accepted && k < mu->npressed; k++)
    push_again(dim, mu, mu->pressed[2 * k], mu->pressed[2 * k + 1], step, v);
  PetscCall(CrPairsFind(mu, step, v));
  restore_all(dim, mu, v);
  CrBodiesRestore(mu->bodies);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* v = v* with the forces of the multipliers; `clean`: v is v* already. */
static inline void apply(PetscInt dim, const CrMultipliers *mu, const CrPairList *list,
                         PetscReal kick, PetscBool clean, PetscReal *v)
{
  for (PetscInt k = 0; !clean && k < list->n; k++) restore(dim, mu, CrPairAt(list, k), v);
  CrBodiesRestore(mu->bodies);
  for (PetscInt k = 0; k < list->n; k++) {
    const CrMultiplierPair *p = CrPairAt(list, k);

    if (p->lam != 0) push(dim, p, kick, v);
  }
}

static inline void iterate(PetscInt dim, CrMultipliers *mu, const CrMultiplierStep *step,
                           PetscReal *v, PetscInt *iterations)
{
  *iterations += CrPairsIterate(&mu->options, dim, step->kick, &mu->mine, v, &mu->residual);
}

/* Multipliers between two searches, by point. */
static void keep_guesses(CrMultipliers *mu)
{
  for (PetscInt k = 0; k < mu->npairs; k++) {
    const CrMultiplierPair *p = &mu->pairs[k];
    PetscReal              *guess = mu->guess + 4 * p->point;

    guess[0] = p->lam;
    for (int i = 0; i < 3; i++) guess[i + 1] = p->tan[i];
    mu->guessed[mu->nguessed++] = p->point;
  }
}

static void forget_guesses(CrMultipliers *mu)
{
  for (PetscInt k = 0; k < mu->nguessed; k++)
    for (int i = 0; i < 4; i++) mu->guess[4 * mu->guessed[k] + i] = 0;
  mu->nguessed = 0;
}

/* Algorithm 2: pairs are found again where the multipliers lead. */
static inline PetscErrorCode solve_again(PetscInt dim, CrMultipliers *mu,
                                         const CrMultiplierStep *step, PetscReal *v,
                                         PetscInt *iterations)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < mu->options.outer; k++) {
    PetscCall(CrPairsFind(mu, step, v));
    forget_guesses(mu);
    if (k > 0) restore_all(dim, mu, v);
    apply(dim, mu, &mu->mine, step->kick, PETSC_TRUE, v);
    iterate(dim, mu, step, v, iterations);
    keep_guesses(mu);
  }
  forget_guesses(mu);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The symmetric variant: forces along G(x_n), gaps of x_{n+1}. */
static inline PetscErrorCode solve_middle(PetscInt dim, CrMultipliers *mu,
                                          const CrMultiplierStep *step, PetscReal *v,
                                          PetscInt *iterations)
{
  PetscFunctionBeginUser;
  PetscCall(CrPairsTurnBack(mu, step));
  for (PetscInt k = 0; k < mu->options.outer; k++) {
    apply(dim, mu, &mu->mine, step->kick, PETSC_FALSE, v);
    CrPairsBoundAtEnd(mu, step, v);
    apply(dim, mu, &mu->mine, step->kick, PETSC_FALSE, v); /* some may have slid off */
    iterate(dim, mu, step, v, iterations);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One iteration on pairs that stay. Of a share the multipliers alone are right; the others need them too. */
static inline PetscErrorCode solve_once(PetscInt dim, CrMultipliers *mu,
                                        const CrMultiplierStep *step, PetscReal *v,
                                        PetscInt *iterations)
{
  const CrPairList all = {.pairs = mu->pairs, .n = mu->npairs};

  PetscFunctionBeginUser;
  apply(dim, mu, &mu->mine, step->kick, PETSC_TRUE, v);
  iterate(dim, mu, step, v, iterations);
  if (!mu->mine.index) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrDealTell(mu));
  restore_all(dim, mu, v);
  apply(dim, mu, &all, step->kick, PETSC_TRUE, v);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline PetscErrorCode solve(PetscInt dim, CrMultipliers *mu, const CrMultiplierStep *step,
                                   PetscReal *v, PetscInt *iterations)
{
  PetscFunctionBeginUser;
  begin(dim, mu, v);
  CrBodiesBegin(mu->bodies, mu->contact->model->rigid, step->rigid, step->kick, step->rigid_a);
  if (mu->variant.warm)
    PetscCall(find_warm(dim, mu, step, v));
  else if (!mu->variant.searches)
    PetscCall(CrPairsFind(mu, step, v));
  if (mu->variant.middle)
    PetscCall(solve_middle(dim, mu, step, v, iterations));
  else if (mu->variant.searches)
    PetscCall(solve_again(dim, mu, step, v, iterations));
  else
    PetscCall(solve_once(dim, mu, step, v, iterations));
  if (mu->returns && !mu->too_far) PetscCall(CrPairsReturn(mu, step, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersSolve(CrMultipliers *mu, const CrMultiplierStep *step, PetscReal *v,
                                  PetscInt *iterations, PetscBool *too_far)
{
  PetscFunctionBeginUser;
  *iterations = 0;
  PetscCall(mu->contact->model->dim == 2 ? solve(2, mu, step, v, iterations)
                                         : solve(3, mu, step, v, iterations));
  CrBodiesPlace(mu->bodies, mu->contact->model->rigid, step->rigid, step->h);
  *too_far = mu->too_far;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultipliersStart(CrMultipliers *mu, const PetscReal *u, const char *fixed,
                                  PetscReal t, const CrRigidState *rigid, PetscReal *a,
                                  PetscReal *rigid_a)
{
  CrMultiplierOptions options = mu->options;
  CrPairBody         *bodies = mu->bodies->now;

  PetscFunctionBeginUser;
  CrBodiesBegin(mu->bodies, mu->contact->model->rigid, rigid, 0, NULL);
  PetscCall(CrPairsFindClosed(mu, u, fixed, t));
  for (PetscInt b = 0; b < mu->bodies->n; b++) {
    v_copy(rigid_a + 6 * b, bodies[b].v);
    v_copy(rigid_a + 6 * b + 3, bodies[b].pi);
    m_times(bodies[b].inverse, bodies[b].pi, bodies[b].spin);
  }
  options.iterations = START_ITERATIONS;
  options.tolerance = 0;
  CrPairsIterate(&options, mu->contact->model->dim, 1, &mu->mine, a, &mu->residual);
  for (PetscInt b = 0; b < mu->bodies->n; b++) {
    v_copy(bodies[b].v, rigid_a + 6 * b);
    v_copy(bodies[b].pi, rigid_a + 6 * b + 3);
  }
  mu->npairs = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline void move(PetscInt dim, const CrMultipliers *mu, const CrMultiplierStep *step,
                        const PetscReal *v1, PetscReal *u1)
{
  const CrSkin *skin = mu->skin; /* ghosts are behind the others */

  for (PetscInt k = 0; k < skin->nnodes && skin->nodes[k] < mu->contact->model->nowned; k++)
    for (PetscInt r = dim * skin->nodes[k]; r < dim * (skin->nodes[k] + 1); r++)
      if (!step->fixed || !step->fixed[r]) u1[r] = step->u0[r] + step->h * v1[r];
}

void CrMultipliersMove(const CrMultipliers *mu, const CrMultiplierStep *step, const PetscReal *v1,
                       PetscReal *u1)
{
  if (mu->contact->model->dim == 2)
    move(2, mu, step, v1, u1);
  else
    move(3, mu, step, v1, u1);
}

/* ---- after a step ---------------------------------------------------------------------------- */

/* Relative velocity of a pair before the step. */
static inline void velocity_before(PetscInt dim, const CrMultipliers *mu,
                                   const CrMultiplierStep *step, const CrMultiplierPair *p,
                                   PetscReal wall[3], PetscReal w0[3])
{
  const CrPass *pass = &mu->contact->passes[p->pass];

  if (pass->obstacle || pass->partner >= 0) {
    CrMultiplierPair before = *p;

    if (pass->obstacle) CrWallVelocity(pass, step->t - step->h0, step->t, before.wall);
    if (pass->partner >= 0) before.body = &mu->bodies->before[pass->partner];
    CrPairVelocity(dim, &before, step->v0, w0);
    v_copy(before.wall, wall);
  } else
    CrPairVelocity(dim, p, step->v0, w0);
}

/* Contact forces on the nodes of this rank. */
static inline void add_force(PetscInt dim, const CrMultiplierPair *p, const PetscReal force[3],
                             PetscReal *forces)
{
  for (PetscInt a = 0; a < p->n; a++)
    for (PetscInt i = 0; i < dim; i++) forces[dim * p->nodes[a] + i] += p->W[a] * force[i];
}

static inline void work(PetscInt dim, CrMultipliers *mu, const CrMultiplierStep *step,
                        const PetscReal *v1, CrMultiplierWorks *works)
{
  for (PetscInt k = 0; k < mu->npairs; k++) {
    CrMultiplierPair *p = &mu->pairs[k];
    PetscReal         force[3], w0[3] = {0}, w1[3] = {0}, wall[3] = {0}, push, normal = 0;

    p->loss = 0;
    if (p->lam == 0) continue;
    velocity_before(dim, mu, step, p, wall, w0);
    CrPairVelocity(dim, p, v1, w1);
    CrPairForce(p, force);
    add_force(dim, p, force, mu->contact->force);
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal way = step->kick * (w0[i] + w1[i]) / 2;

      normal += p->lam * p->nu[i] * way;
      p->loss += p->tan[i] * way;
      works->obstacles += step->kick * force[i] * (wall[i] + p->wall[i]) / 2;
      works->obstacles_size += step->kick * PetscAbsReal(force[i]) *
                               PetscMax(PetscAbsReal(wall[i]), PetscAbsReal(p->wall[i]));
    }
    works->friction += p->loss;
    push = step->kick / step->h * p->lam * p->pushed;
    works->normal += normal - push;
    works->obstacles += push;
    works->obstacles_size += push;
    if (mu->returns) CrPairStore(dim, normal - push, w0, p);
    CrPairClosing(dim, p, w1);
    v_copy(w1, p->slide);
  }
}

void CrMultipliersWork(CrMultipliers *mu, const CrMultiplierStep *step, const PetscReal *v1,
                       CrMultiplierWorks *works)
{
  *works = (CrMultiplierWorks){0};
  if (mu->contact->model->dim == 2)
    work(2, mu, step, v1, works);
  else
    work(3, mu, step, v1, works);
}

void CrPointForget(CrMultipliers *mu, PetscInt point)
{
  mu->memory[point] = (CrPointMemory){0};
  mu->contact->facet[point] = -1;
}

static void start_counting(CrMultipliers *mu)
{
  CrContact *c = mu->contact;

  for (PetscInt k = 0; k < c->npairs; k++) {
    CrPair *pair = &c->pairs[k];

    pair->points = pair->sticking = pair->slipping = 0;
    pair->force[0] = pair->force[1] = pair->force[2] = pair->max_penetration = 0;
  }
  for (PetscInt k = 0; k < mu->nshown; k++) {
    c->status[mu->shown[k]] = CR_OPEN;
    c->pressure[mu->shown[k]] = 0;
    c->gap[mu->shown[k]] = PETSC_MAX_REAL;
  }
  for (PetscInt k = 0; k < mu->npressed; k++) {
    PetscInt point = mu->pressed[2 * k];

    if (CrReturnsWait(mu, point))
      mu->memory[point].lam = 0;
    else
      CrPointForget(mu, point);
  }
  if (mu->returns) CrReturnsCommit(mu);
  mu->nshown = mu->npressed = 0;
}

static CrContactStatus status_of(const CrMultiplierPair *p)
{
  PetscReal size = 0;

  if (p->mu == 0) return CR_SMOOTH;
  for (int i = 0; i < 3; i++) size += PetscSqr(p->tan[i]);
  return size < PetscSqr((1 - 1e-9) * p->mu * p->lam) ? CR_STICKING : CR_SLIPPING;
}

/* What a pressed point keeps. */
static void remember(CrMultipliers *mu, const CrMultiplierStep *step, const CrMultiplierPair *p)
{
  CrContact     *c = mu->contact;
  CrPointMemory *memory = &mu->memory[p->point];

  memory->lam = p->lam;
  memory->offset = p->offset;
  memory->store = p->store;
  memory->most = p->most;
  for (int i = 0; i < 3; i++) {
    memory->tan[i] = p->tan[i];
    memory->nu[i] = p->nu[i];
  }
  for (PetscInt a = 1; a < p->n; a++) memory->N[a - 1] = -p->W[a];
  mu->pressed[2 * mu->npressed] = p->point;
  mu->pressed[2 * mu->npressed++ + 1] = p->pass;
  for (int i = 0; i < 3; i++) c->slip[3 * p->point + i] += step->h * p->slide[i];
  c->facet[p->point] = p->facet;
  c->touched[p->point] = 1;
}

static void count(CrMultipliers *mu, const CrMultiplierPair *p, CrStepReport *report)
{
  CrContact    *c = mu->contact;
  const CrPass *pass = &c->passes[p->pass];
  CrPair       *pair = &c->pairs[pass->pair];
  PetscReal     force[3];

  CrPairForce(p, force);
  c->status[p->point] = status_of(p);
  c->pressure[p->point] = pass->slave ? p->lam / pass->slave->weight[p->point - pass->first] : 0;
  if (pair->rigid) c->met[pass->pair] = 1;
  c->loss[pass->pair] += p->loss;
  pair->points++;
  report->contacts++;
  if (c->status[p->point] == CR_STICKING) pair->sticking++, report->sticking++;
  if (c->status[p->point] == CR_SLIPPING) pair->slipping++;
  for (int j = 0; j < 3; j++) pair->force[j] += pass->reversed ? -force[j] : force[j];
}

PetscErrorCode CrMultipliersCommit(CrMultipliers *mu, const CrMultiplierStep *step,
                                   const PetscReal *u1, CrStepReport *report)
{
  CrContact *c = mu->contact;

  PetscFunctionBeginUser;
  start_counting(mu);
  for (PetscInt k = 0; k < mu->npairs; k++) {
    const CrMultiplierPair *p = &mu->pairs[k];
    CrPair                 *pair = &c->pairs[c->passes[p->pass].pair];
    PetscReal gap = mu->gaps ? mu->gaps[k] : CrPairGapAt(mu, p, u1, step->t + step->h);

    mu->shown[mu->nshown++] = p->point;
    c->gap[p->point] = gap;
    if (p->lam > 0) {
      if (!p->returned) remember(mu, step, p);
      count(mu, p, report);
    }
    if (gap >= 0) c->overlap[p->point] = 0; /* once apart, overlap is over */
    if (!(gap < 0) || (gap > c->overlap[p->point] && !(p->lam > 0))) continue;
    pair->max_penetration = PetscMax(pair->max_penetration, -gap);
    report->max_penetration = PetscMax(report->max_penetration, -gap);
  }
  c->begun = 1;
  mu->accepted = PETSC_TRUE;
  mu->gaps = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the pairs of an explicit step, and computes the directions of their forces and the allowed closing rates. */
#include "contact/multipliers/close.h"

/* ---- finding pairs --------------------------------------------------------------------------- */

/* Keeps the overlap that a pair has when it is found. It would else be pushed out with the speed g/h. What
   `overlap: resolve` removes in this step is not kept. */
static PetscReal kept_offset(const CrMultipliers *m, const CrPress *p, PetscReal gap)
{
  const PetscReal before = PetscMin(0, gap + p->pushed);

  if (gap >= 0) return 0;
  return m->memory[p->point].lam[0] > 0 && !p->fresh ? PetscMax(p->offset, before) : before;
}

/* The closing rate that is allowed. */
static void set_bound(const CrMultipliers *m, PetscReal h, CrPress *p)
{
  PetscReal gap = p->gap0 + p->shift;

  p->offset = m->options.constraint == CR_CONSTRAINT_OFFSET ? kept_offset(m, p, gap) : 0;
  p->bound = 0;
  if (m->options.constraint == CR_CONSTRAINT_RATE) return;
  p->bound = (gap - p->offset) / h;
}

static void set_limits(const CrMultipliers *m, const CrMultiplierStep *step, CrPress *p)
{
  set_bound(m, step->h, p);
  p->store = m->memory[p->point].store;
  p->most = m->memory[p->point].most;
}

/* Does a force move anything? */
static PetscBool is_movable(const CrPress *p)
{
  if (p->body && (p->body->inverse_mass > 0 || p->body->greatest > 0)) return PETSC_TRUE;
  for (PetscInt a = 0; a < p->n; a++)
    if (p->flow[a] != 0) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Removes pairs that no force can move. */
static void drop_immovable(CrMultipliers *m)
{
  PetscInt kept = 0;

  while (kept < m->npairs && is_movable(&m->pairs[kept])) kept++; /* mostly this skips all pairs */
  for (PetscInt k = kept; k < m->npairs; k++)
    if (is_movable(&m->pairs[k])) m->pairs[kept++] = m->pairs[k];
  m->npairs = kept;
}

/* Does the halo lack a node of a pair? */
static PetscBool lacks_nodes(const CrMultipliers *m, const CrPress *p)
{
  for (PetscInt a = 0; a < p->n; a++)
    if (!CrVicinityHas(CrRoundsHalo(m->rounds), p->nodes[a])) return PETSC_TRUE;
  return PETSC_FALSE;
}

static void need_nodes(const CrMultipliers *m, const CrPress *p)
{
  for (PetscInt a = 0; a < p->n; a++) CrVicinityNeed(CrRoundsHalo(m->rounds), p->nodes[a]);
}

/* Sets the masses of all pairs, and drops those that no force can move. Then all ranks know how many pairs there are. If
   the halo lacks nodes of some pairs, it gets them. *grown says so. */
static PetscErrorCode agree(CrMultipliers *m, const char *fixed, PetscBool *grown)
{
  PetscReal counts[5] = {0};

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->npairs; k++) CrPressSetMasses(m, fixed, &m->pairs[k]);
  drop_immovable(m);
  counts[0] = (PetscReal)m->npairs;
  for (PetscInt k = 0; k < m->npairs; k++) {
    counts[1] += m->pairs[k].second;
    counts[2] += lacks_nodes(m, &m->pairs[k]);
  }
  CrPressCountTwins(m, counts + 3);
  PetscCall(CrRoundsSum(m->rounds, 5, counts));
  m->all = counts[0];
  m->all_seconds = counts[1];
  m->twins = counts[3] > 0 && counts[4] > 0;
  *grown = counts[2] > 0;
  if (!*grown) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < m->npairs; k++) need_nodes(m, &m->pairs[k]);
  PetscCall(CrNearBuildHalo(m->lists));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A new halo: its nodes get displacements and velocities of t_n, v*, and v. Contact forces begin at zero there. */
static PetscErrorCode refresh(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  const PetscReal *const arrays[] = {step->u0, step->v0, m->star, v};
  const PetscInt         dim = m->contact->model->dim;

  PetscFunctionBeginUser;
  for (int k = 0; k < 4; k++) PetscCall(CrVicinityRefresh(CrRoundsHalo(m->rounds), dim, arrays[k]));
  for (PetscInt k = m->lists->nowned; k < m->lists->nnodes; k++)
    for (PetscInt r = dim * m->lists->nodes[k]; r < dim * (m->lists->nodes[k] + 1); r++)
      m->contact->picture->force[r] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Prepares the pairs for the iteration, after all ranks have agreed on them. */
static PetscErrorCode prepare(CrMultipliers *m, const CrMultiplierStep *step)
{
  CrPressList all;

  PetscFunctionBeginUser;
  m->nvalley = 0;
  if (!(m->all > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPressDropTwins(m));
  PetscCall(CrPressListValleys(m));
  for (PetscInt k = 0; k < m->npairs; k++) set_limits(m, step, &m->pairs[k]);
  all = CrPressAll(m);
  PetscCall(CrPressPrecondition(m, m->options.inner, &all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Appends the pairs of a pass at m->where and the poses, which v led to. */
static PetscErrorCode find_pass(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                const PetscReal *v)
{
  CrFound found;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->lists->passes[pass].n; k++)
    if (CrPressLook(m, step, pass, k, &found)) PetscCall(CrPressAdd(m, step, &found, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the pairs at m->where. If the halo had to grow, some nodes were not where v leads to: the search is repeated. */
static PetscErrorCode find_all(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  PetscBool again = PETSC_TRUE;

  PetscFunctionBeginUser;
  while (again) {
    CrNearWhere(m->lists, step->u0, step->h, v, m->where);
    m->npairs = 0;
    for (PetscInt pass = 0; pass < m->contact->npasses; pass++)
      PetscCall(find_pass(m, step, pass, v));
    PetscCall(agree(m, step->fixed, &again));
    if (again) PetscCall(refresh(m, step, v));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressFind(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  const CrContact *c = m->contact;
  const PetscReal  end = step->t + step->h;

  PetscFunctionBeginUser;
  CrNearWhere(m->lists, step->u0, step->h, v, m->where);
  CrRigidStepPlace(m->bodies, c->model->rigid, step->rigid, step->h);
  PetscCall(CrNearMove(m->lists, m->where, end, step->u0));
  if (m->lists->made) PetscCall(refresh(m, step, v));
  PetscCall(CrNearIsTooFar(m->lists, end, step->u0, step->t, &m->too_far));
  m->accepted = PETSC_FALSE;
  PetscCall(find_all(m, step, v));
  PetscCall(prepare(m, step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressReach(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v,
                            PetscBool *grown)
{
  PetscReal lacks = 0;

  PetscFunctionBeginUser;
  *grown = PETSC_FALSE;
  if (CrRoundsRanks(m->rounds) == 1) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress now = m->pairs[k];

    if (!CrPressOpsOf(&m->contact->passes[now.pass])
             ->again(m, m->bodies->pose, m->where, step->t + step->h, &now) ||
        !lacks_nodes(m, &now))
      continue;
    need_nodes(m, &now);
    lacks++;
  }
  PetscCall(CrRoundsSum(m->rounds, 1, &lacks));
  *grown = lacks > 0;
  if (!*grown) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrNearBuildHalo(m->lists));
  PetscCall(refresh(m, step, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressAgree(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  PetscBool   grown;
  CrPressList all;

  PetscFunctionBeginUser;
  PetscCall(agree(m, step->fixed, &grown));
  if (grown) PetscCall(refresh(m, step, v));
  all = CrPressAll(m);
  PetscCall(CrPressPrecondition(m, CR_INNER_GAUSS_SEIDEL, &all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- other configurations -------------------------------------------------------------------- */

PetscErrorCode CrPressTurnBack(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  const CrContact *c = m->contact;
  PetscInt         kept = 0;
  PetscBool        grown;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress           pair = m->pairs[k];
    const CrPressOps *ops = CrPressOpsOf(&c->passes[pair.pass]);

    if (!ops->again(m, m->bodies->pose0, step->u0, step->t, &pair)) continue;
    if (ops->arm) ops->arm(m, step->u0, step->t, &pair);
    CrPressGuess(pair.lam, &pair);
    m->pairs[kept++] = pair;
  }
  m->npairs = kept;
  PetscCall(agree(m, step->fixed, &grown));
  if (grown) PetscCall(refresh(m, step, v));
  PetscCall(prepare(m, step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrPressBoundAtEnd(CrMultipliers *m, const CrMultiplierStep *step, const PetscReal *v)
{
  const CrContact *c = m->contact;
  PetscInt         dim = c->model->dim;

  if (m->options.constraint == CR_CONSTRAINT_RATE) return;
  for (PetscInt k = 0; k < m->npairs; k++)
    for (PetscInt a = 0; a < m->pairs[k].n; a++)
      for (PetscInt r = dim * m->pairs[k].nodes[a]; r < dim * (m->pairs[k].nodes[a] + 1); r++)
        m->where[r] = step->u0[r] + step->h * v[r];
  CrRigidStepPlace(m->bodies, c->model->rigid, step->rigid, step->h);
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress  *pair = &m->pairs[k], now = *pair;
    PetscReal w[3] = {0};

    if (!CrPressOpsOf(&c->passes[pair->pass])
             ->again(m, m->bodies->pose, m->where, step->t + step->h,
                     &now)) { /* the slave has slid off */
      CrPressGuess((PetscReal[4]){0}, pair);
      pair->bound = PETSC_MAX_REAL;
      continue;
    }
    CrPressVelocity(dim, pair, v, w);
    pair->bound = CrPressClosing(dim, pair, w) + (now.gap0 + pair->shift - pair->offset) / step->h;
  }
}

/* ---- the start ------------------------------------------------------------------------------- */

/* A pair that is closed, and its overlap. */
static PetscErrorCode close_entry(CrMultipliers *m, CrContactHistory *history, PetscInt pass,
                                  PetscInt k, const PetscReal *u, PetscReal t)
{
  CrContact        *c = m->contact;
  const CrPass     *p = &c->passes[pass];
  const CrPressOps *ops = CrPressOpsOf(p);
  CrFound           found = {.pass = pass, .item = m->lists->passes[pass].item[k], .facet = -1};
  CrPress          *pair;

  PetscFunctionBeginUser;
  if (!ops->closed(m, k, u, t, &found) || found.gap0 > CR_CLOSED * p->reach)
    PetscFunctionReturn(PETSC_SUCCESS);
  if (!history->begun) history->overlap[p->first + found.item] = PetscMin(found.gap0, 0);
  PetscCall(CrPressNew(m, &found, &pair));
  if (ops->arm) ops->arm(m, u, t, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressFindClosed(CrMultipliers *m, CrContactHistory *history, const PetscReal *u,
                                 const char *fixed, PetscReal t)
{
  CrContact  *c = m->contact;
  PetscReal   ndeep;
  PetscBool   grown;
  CrPressList all;

  PetscFunctionBeginUser;
  CrNearCopy(c->model->dim, m->lists, u, m->where);
  PetscCall(CrNearMove(m->lists, m->where, t, u));
  PetscCall(CrVicinityRefresh(CrRoundsHalo(m->rounds), c->model->dim, u));
  m->npairs = 0;
  for (PetscInt pass = 0; pass < c->npasses; pass++)
    for (PetscInt k = 0; k < m->lists->passes[pass].n; k++)
      PetscCall(close_entry(m, history, pass, k, u, t));
  for (PetscInt k = 0; k < m->npairs; k++) m->pairs[k].mu = 0;
  PetscCall(agree(m, fixed, &grown));
  if (m->all > 0) PetscCall(CrPressDropTwins(m));
  all = CrPressAll(m);
  if (m->all > 0) PetscCall(CrPressPrecondition(m, m->options.inner, &all));
  ndeep = (PetscReal)c->work->ndeep;
  PetscCall(CrRoundsSum(m->rounds, 1, &ndeep));
  c->work->ndeep = (PetscInt)ndeep;
  CrContactWarnDeep(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

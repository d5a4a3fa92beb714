/* Finds the pairs of an explicit step: which slaves are near, the directions of forces, and the closing rates
   that are allowed. */
#include "base/grow.h"
#include "contact/multipliers/press.h"
#include "contact/multipliers/share.h"

/* ---- kinds of passes -------------------------------------------------------------------------- */

extern const CrPressOps CrPress_node_on_facet, CrPress_node_on_wall, CrPress_node_on_body,
    CrPress_point_on_wall;

const CrPressOps *CrPressOpsOf(const CrPass *pass)
{
  static const CrPressOps *const rows[CR_PASS_KINDS] = {
      [CR_NODE_ON_FACET] = &CrPress_node_on_facet,
      [CR_NODE_ON_WALL] = &CrPress_node_on_wall,
      [CR_NODE_ON_BODY] = &CrPress_node_on_body,
      [CR_POINT_ON_WALL] = &CrPress_point_on_wall,
  };

  return rows[pass->kind];
}

/* ---- one pair -------------------------------------------------------------------------------- */

PetscErrorCode CrPressAppend(CrMultipliers *m, CrPress **pair)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(m->npairs + 1, &m->room, &m->pairs));
  *pair = &m->pairs[m->npairs++];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Enters the slave, if it is a node. */
static void set_slave(const CrPass *p, CrPress *pair)
{
  if (!p->ops->slave->is_node) return;
  pair->n = 1;
  pair->nodes[0] = p->slave->nodes[pair->point - p->first];
  pair->W[0] = 1;
}

PetscErrorCode CrPressNew(CrMultipliers *m, PetscInt pass, PetscInt i, CrPress **pair)
{
  const CrPass *p = &m->contact->passes[pass];

  PetscFunctionBeginUser;
  PetscCall(CrPressAppend(m, pair));
  **pair = (CrPress){.pass = pass, .point = p->first + i, .facet = -1};
  (*pair)->mu = m->contact->pairs[p->pair].friction;
  set_slave(p, *pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The bits of the prescribed dofs of a node. */
static unsigned held_dofs(PetscInt dim, const char *fixed)
{
  unsigned held = 0;

  for (PetscInt i = 0; i < dim; i++)
    if (fixed[i]) held |= 1u << i;
  return held;
}

/* Computes `flow`, the motion of each node per force. It is zero for prescribed dofs. fixed may be NULL. */
static void set_masses(const CrMultipliers *m, const char *fixed, CrPress *p)
{
  const CrPass *pass = &m->contact->passes[p->pass];
  PetscInt      dim = m->contact->model->dim;

  p->body = pass->ops->body ? &m->bodies->now[pass->partner] : NULL;
  p->held = 0;
  for (PetscInt a = 0; a < p->n; a++) p->flow[a] = p->W[a] * m->inverse[p->nodes[a]];
  for (PetscInt a = 0; fixed && a < p->n; a++) {
    unsigned held = held_dofs(dim, fixed + dim * p->nodes[a]);

    p->held |= held << 3 * a;
    if (held == (1u << dim) - 1) p->flow[a] = 0;
  }
  p->plain = pass->ops->facets && !p->body && !p->held;
}

/* The overlap of the start that is not pushed out at time t, >= 0. */
PetscReal CrPressOverlapLeft(const CrContact *c, const CrPass *p, PetscInt point, PetscReal t)
{
  const CrPair *pair = &c->pairs[p->pair];

  if (c->overlap[point] == 0) return 0;
  return -c->overlap[point] * (pair->resolve ? 1 - CrFactorAt(&pair->ramp, t) : 1);
}

/* Keeps the overlap that a pair has when it is found. It would else be pushed out with the speed g/h. */
static PetscReal kept_offset(const CrPointMemory *memory, PetscReal gap)
{
  if (gap >= 0) return 0;
  return memory->lam > 0 ? PetscMax(memory->offset, gap) : gap;
}

/* The closing rate that is allowed. */
static void set_bound(const CrMultipliers *m, PetscReal h, CrPress *p)
{
  PetscReal gap = p->gap0 + p->shift;

  p->offset = p->bound = 0;
  if (m->options.constraint == CR_CONSTRAINT_RATE) return;
  if (m->options.constraint == CR_CONSTRAINT_OFFSET)
    p->offset = kept_offset(&m->memory[p->point], gap);
  p->bound = (gap - p->offset) / h;
}

/* The friction with which the iteration starts: that of the last step, projected on the new tangent plane. */
void CrPressGuess(PetscReal lam, const PetscReal tan[3], CrPress *p)
{
  PetscReal along = 0;

  p->lam = lam;
  for (int i = 0; i < 3; i++) along += tan[i] * p->nu[i];
  for (int i = 0; i < 3; i++) p->tan[i] = tan[i] - along * p->nu[i];
}

/* Restores the pair of a point from the last step. */
void CrPressRecall(const CrMultipliers *m, PetscInt point, PetscInt pass,
                   const CrMultiplierStep *step, CrPress *pair)
{
  const CrPass        *p = &m->contact->passes[pass];
  const CrPointMemory *memory = &m->memory[point];
  PetscInt             facet = m->contact->facet[point];

  *pair = (CrPress){.pass = pass, .point = point, .lam = memory->lam};
  set_slave(p, pair);
  for (PetscInt a = 0; p->ops->facets && a < p->master->ncorners[facet]; a++, pair->n++) {
    pair->nodes[a + 1] = p->master->corners[4 * facet + a];
    pair->W[a + 1] = -memory->N[a];
  }
  for (int i = 0; i < 3; i++) {
    pair->nu[i] = memory->nu[i];
    pair->tan[i] = memory->tan[i];
  }
  if (p->ops->body) CrPressOpsOf(p)->arm(m, step->u0, step->t, pair);
  set_masses(m, step->fixed, pair);
}

/* ---- finding pairs --------------------------------------------------------------------------- */

/* The multipliers with which a point starts: those of the last step, or of the last search in this step. */
const PetscReal *CrPressStart(const CrMultipliers *m, PetscInt point)
{
  return m->variant.warm ? &m->memory[point].lam : m->guess + 4 * point;
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

/* Sets the masses of all pairs in the list, and bounds and diagonals of those that this rank iterates on. */
static PetscErrorCode prepare(CrMultipliers *m, const CrMultiplierStep *step)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->npairs; k++) set_masses(m, step->fixed, &m->pairs[k]);
  drop_immovable(m);
  PetscCall(CrSharingChoose(m));
  for (PetscInt k = 0; k < m->mine.n; k++) {
    CrPress *p = CrPressAt(&m->mine, k);

    set_bound(m, step->h, p);
    p->store = m->memory[p->point].store;
    p->most = m->memory[p->point].most;
  }
  CrPressPrecondition(m->options.inner, &m->mine, m->share);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the pairs at u0 + h v. */
PetscErrorCode CrPressFind(CrMultipliers *m, const CrMultiplierStep *step, const PetscReal *v)
{
  const CrContact *c = m->contact;
  PetscInt         dim = c->model->dim;
  PetscBool        shared = CrSharingIsWorthIt(m);

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->lists->nnodes; k++)
    for (PetscInt r = dim * m->lists->nodes[k]; r < dim * (m->lists->nodes[k] + 1); r++)
      m->where[r] = step->u0[r] + step->h * v[r];
  CrRigidStepPlace(m->bodies, c->model->rigid, step->rigid, step->h);
  PetscCall(CrNearMove(m->lists, m->where, step->t + step->h));
  PetscCall(CrNearIsTooFar(m->lists, m->where, step->t + step->h, step->u0, step->t, &m->too_far));
  m->npairs = 0;
  m->accepted = PETSC_FALSE;
  m->gaps = NULL;
  if (shared) PetscCall(CrSharingLook(m, step));
  for (PetscInt pass = 0; pass < c->npasses; pass++) {
    const CrPressOps *ops = CrPressOpsOf(&c->passes[pass]);

    PetscCall(shared && ops->shares ? CrSharingTake(m, step, pass) : ops->find(m, step, pass, v));
  }
  PetscCall(prepare(m, step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- other configurations -------------------------------------------------------------------- */

PetscReal CrPressGapAt(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t)
{
  return CrPressOpsOf(&m->contact->passes[pair->pass])->gap(m, pair, u, t);
}

PetscErrorCode CrPressTurnBack(CrMultipliers *m, const CrMultiplierStep *step)
{
  const CrContact *c = m->contact;
  PetscInt         kept = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress pair = m->pairs[k];

    if (!CrPressOpsOf(&c->passes[pair.pass])->again(m, m->bodies->pose0, step->u0, step->t, &pair))
      continue;
    CrPressGuess(pair.lam, pair.tan, &pair);
    m->pairs[kept++] = pair;
  }
  m->npairs = kept;
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
      pair->lam = pair->tan[0] = pair->tan[1] = pair->tan[2] = 0;
      pair->bound = PETSC_MAX_REAL;
      continue;
    }
    CrPressVelocity(dim, pair, v, w);
    pair->bound = CrPressClosing(dim, pair, w) + (now.gap0 + pair->shift - pair->offset) / step->h;
  }
}

/* ---- the start ------------------------------------------------------------------------------- */

PetscErrorCode CrPressFindClosed(CrMultipliers *m, const PetscReal *u, const char *fixed,
                                 PetscReal t)
{
  CrContact *c = m->contact;

  PetscFunctionBeginUser;
  PetscCall(CrNearMove(m->lists, u, t));
  m->npairs = 0;
  for (PetscInt pass = 0; pass < c->npasses; pass++)
    PetscCall(CrPressOpsOf(&c->passes[pass])->find_closed(m, pass, u, t));
  for (PetscInt k = 0; k < m->npairs; k++) {
    set_masses(m, fixed, &m->pairs[k]);
    m->pairs[k].mu = 0;
  }
  drop_immovable(m);
  m->mine = (CrPressList){.pairs = m->pairs, .n = m->npairs};
  CrPressPrecondition(m->options.inner, &m->mine, m->share);
  CrContactWarnDeep(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

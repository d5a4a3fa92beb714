/* Called after the solution of an explicit step: computes works, fills the ledger, and updates the history of contact
   points when the step is accepted. */
#include "contact/multipliers/return.h"

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
    PetscCall(CrVicinityAdd(CrRoundsHalo(m->rounds), m->contact->model->dim, 0,
                            m->contact->picture->force));
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
  PetscInt       first = CrPressSlaveNodes(&m->contact->passes[p->pass]);

  for (int i = 0; i < 4; i++) memory->lam[i] = p->lam[i];
  memory->offset = p->offset;
  memory->store = p->store;
  memory->most = p->most;
  memory->share = p->share;
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

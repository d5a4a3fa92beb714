/* Accepts a step: stores the results of the last evaluation in the history, and fills the ledger. */
#include "base/vector.h"
#include "contact/division.h"
#include "contact/partners/partners.h"
#include "contact/springs/springs.h"
#include "contact/touch/touch.h"

#define SUNK 0.01 /* of a facet: depth of a node that is worth a word */

/* The energy of the tangential spring of a point, from its history. */
static PetscReal tangential_energy(const CrContactHistory *h, const CrPair *pair, PetscInt point)
{
  return pair->kt / 2 * (PetscSqr(h->eta[2 * point]) + PetscSqr(h->eta[2 * point + 1]));
}

/* Does the history hold energy? */
static PetscBool stores(const CrContactLaw *law)
{
  return law->memory == CR_MEMORY_DYNAMIC || law->memory == CR_MEMORY_REAL;
}

static PetscReal normal_energy(const CrContactLaw *law, const CrPair *pair, PetscReal gap)
{
  return law->potential ? law->potential(pair->kn, gap) : 0;
}

static PetscReal weight_of(const CrContact *c, const CrPass *p, const CrContactHistory *h,
                           PetscInt point)
{
  return h->share[point] * CrPointWeight(c, p, point - p->first);
}

static const CrPass *pass_of(const CrContact *c, PetscInt point)
{
  PetscInt k = 0;

  while (point >= c->passes[k].first + c->passes[k].n) k++;
  return &c->passes[k];
}

static void forget(CrContactHistory *h, PetscInt point)
{
  for (int i = 0; i < 4; i++) h->pushed[4 * point + i] = 0;
  h->gd[point] = h->eta[2 * point] = h->eta[2 * point + 1] = 0;
  h->overlap[point] = h->press[point] = 0;
  h->facet[point] = -1;
  h->share[point] = 1;
}

/* Deletes the history of points that have slid off, of passes that are divided among the ranks or of the others. The
   energy of their springs is lost. */
static void settle_dropped(const CrContact *c, const CrContactLaw *law, PetscBool divided,
                           CrContactHistory *h)
{
  for (PetscInt k = 0; k < c->work->ndropped; k++) {
    PetscInt      point = c->work->dropped[k];
    const CrPass *p = pass_of(c, point);
    const CrPair *pair = &c->pairs[p->pair];
    PetscReal     lost = weight_of(c, p, h, point) *
                     (normal_energy(law, pair, h->gd[point]) + tangential_energy(h, pair, point));

    if (CrPassIsDivided(c, p) != divided) continue;
    forget(h, point);
    if (stores(law)) CrTallyDrop(&c->picture->tally, p->pair, lost);
  }
}

/* Exact laws hold a node by one facet. Where one facet cannot hold it (theory 13.10), it penetrates. */
static void note_sinking(const CrContact *c, const CrContactLaw *law, const CrTouch *touch,
                         PetscReal gap)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     depth = PetscMin(touch->overlap, 0) - gap;

  if (!law->exact || law->facet != CR_FACET_END || !p->ops->facets) return;
  if (!(depth > SUNK * p->master->mean_size) || c->work->notes[p->pair].depth > 0) return;
  c->work->notes[p->pair].depth = depth;
}

/* The user is warned once of each pair. */
static PetscErrorCode warn_of_sinking(const CrContact *c, const CrContactLaw *law)
{
  PetscFunctionBeginUser;
  if (!law->exact || law->facet != CR_FACET_END) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < c->npairs; k++) {
    CrPairNotes *notes = &c->work->notes[k];

    if (notes->sunk) continue;
    PetscCall(CrDivisionMax(c, 1, &notes->depth));
    if (!(notes->depth > 0)) continue;
    notes->sunk = PETSC_TRUE;
    CrWarn(
        "contact %s: at t = %g a slave node is inside the master by %.2g, because it is in a concave corner or the step is too long. Name the finer surface first, set `sides: both` for this pair, or use `method: dissipative`.",
        c->pairs[k].name, (double)(c->work->t + c->work->h), (double)notes->depth);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Force on the slave. */
static void force_of(const CrContact *c, const CrTouch *touch, PetscReal force[3])
{
  PetscInt dim = c->model->dim;

  for (PetscInt i = 0; i < 3; i++) force[i] = 0;
  for (PetscInt i = 0; i < dim; i++) {
    for (PetscInt a = 0; a < CrTouchOwnNodes(c, touch); a++) {
      force[i] += touch->out.p * touch->k.G[dim * a + i];
      for (PetscInt k = 0; k < dim - 1; k++)
        force[i] -= touch->out.t[k] * touch->k.H[k][dim * a + i];
    }
    force[i] = touch->weight * force[i] + touch->kick[i];
  }
}

/* Where the slave meets an obstacle at the end of the step. */
static void end_of_slave(const CrContact *c, const CrTouch *touch, const PetscReal *u1,
                         PetscReal x[3])
{
  const CrPass *p = &c->passes[touch->pass];
  CrKinematics  k;
  CrGrip        grip;

  if (touch->node >= 0) {
    CrGatherVector(c, touch->node, u1, x);
    return;
  }
  (void)p->ops->finish(c, touch, u1, &k, &grip);
  v_copy(grip.arm[0], x);
  v_add(x, 1, c->work->partners[p->partner].end.x);
}

/* Enters moment and work of an obstacle. Impulses of a velocity update act at the end of the step. */
static void enter_obstacle(const CrContact *c, const CrTouch *touch, const CrStepEnds *ends,
                           const PetscReal force[3], PetscReal work)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     x[3], moment[3], way[3], more[3];

  if (!p->obstacle) return;
  if (touch->node >= 0)
    CrGatherVector(c, touch->node, ends->where, x);
  else
    for (int i = 0; i < 3; i++) x[i] = c->work->partners[p->partner].xm[i] + touch->arm[i];
  v_cross(x, force, moment);
  end_of_slave(c, touch, ends->u1, way);
  v_add(way, -1, x);
  v_cross(way, touch->kick, more);
  v_add(moment, 1, more);
  CrTallyObstacle(&c->picture->tally, p->pair, moment, work);
}

/* The work of moving obstacles and of the overlap ramp on the bodies. Laws at the end of the step use the mean of the
   forces at both ends, as for loads and supports (theory 13.9). */
static PetscReal outside_work(const CrContact *c, const CrContactLaw *law, const CrTouch *touch,
                              const CrStepEnds *ends, const PetscReal force[3], CrContactHistory *h)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal    *before = h->pushed + 4 * touch->point;
  PetscReal     now[4] = {force[0], force[1], force[2], touch->weight * touch->out.p};
  PetscReal     share = law->where == CR_WHERE_END ? 0.5 : 1, mean[4], work, move[3];

  for (int i = 0; i < 4; i++) {
    mean[i] = share * now[i] + (1 - share) * before[i];
    before[i] = law->where == CR_WHERE_END ? now[i] : 0;
  }
  CrPassMove(p, c->work->t, c->work->t + c->work->h, move);
  enter_obstacle(c, touch, ends, force, v_dot(mean, move));
  work = -mean[3] * (touch->shift1 - touch->shift0);
  for (int i = 0; i < 3; i++) work += mean[i] * move[i];
  return work;
}

/* Stores the history of a touch. Returns its friction loss: the work against friction, minus the energy that the spring
   gained. */
static PetscReal take_history(const CrContact *c, const CrContactLaw *law, const CrTouch *touch,
                              CrContactHistory *h)
{
  const CrPair *pair = &c->pairs[c->passes[touch->pass].pair];
  PetscInt      point = touch->point, n = c->model->dim - 1;
  PetscReal     before = tangential_energy(h, pair, point), work = 0;

  if (touch->inherits) before = pair->kt / 2 * v_dot(touch->spring, touch->spring);
  /* an edge that begins a new contact may have given its spring to the next edge in this step */
  if (!touch->keeps && CrPassHasEdges(&c->passes[touch->pass])) before = 0;
  for (PetscInt i = 0; i < n; i++) {
    PetscReal t = touch->out.t[i];

    if (law->where == CR_WHERE_END && law->memory != CR_MEMORY_NONE && touch->out.p > 0)
      t = (t + pair->kt * touch->in.eta0[i]) / 2; /* as above */
    work += t * touch->in.ds[i] / touch->in.metric;
  }
  h->gd[point] = touch->out.gd1;
  for (PetscInt i = 0; i < n; i++) h->eta[2 * point + i] = touch->out.eta1[i];
  h->facet[point] = touch->facet;
  for (PetscInt i = 0; touch->out.p > 0 && i < n; i++)
    CrTallySlip(&c->picture->tally, point, touch->in.ds[i], touch->k.e[i]);
  return touch->weight * (work + before - tangential_energy(h, pair, point));
}

/* Does a point come to rest? It bounces until half of the impulse of its pressure exceeds the impulse that would
   reverse its velocity at t_n. A pressure that only stops the mass of the nodes has half of the latter impulse. */
static PetscBool comes_to_rest(const CrContact *c, const CrTouch *touch)
{
  if (!(touch->out.p > 0)) return PETSC_FALSE;
  if (!touch->out.bounces) return PETSC_TRUE;
  return touch->push > 0 && touch->swing <= c->work->h * touch->weight * touch->out.p / 2;
}

static void count(const CrContact *c, const CrTouch *touch, const PetscReal force[3])
{
  const CrPass *p = &c->passes[touch->pass];
  PetscInt      i = touch->point - p->first;
  PetscReal     sign = p->reversed ? -1 : 1, nu[3] = {0};

  if (!(CrTouchPush(touch) > 0)) return;
  for (PetscInt d = 0; d < c->model->dim; d++) nu[d] = touch->k.nu[d];
  c->picture->status[touch->point] = touch->out.status;
  c->picture->pressure[touch->point] =
      CrTouchPush(touch) / (p->ops->slave->is_node ? p->slave->weight[i] : 1);
  CrTallyPoint(&c->picture->tally, p->pair, touch->out.status,
               (PetscReal[3]){sign * force[0], sign * force[1], sign * force[2]}, nu);
}

static void start_counting(const CrContact *c, CrContactHistory *h)
{
  CrTallyBegin(&c->picture->tally, h);
  for (PetscInt k = 0; k < c->npairs; k++) {
    c->work->notes[k].valleys = 0;
    c->work->notes[k].depth = 0;
  }
  for (PetscInt k = 0; k < c->npoints; k++) {
    c->picture->status[k] = CR_OPEN;
    c->picture->pressure[k] = 0;
    c->picture->gap[k] = PETSC_MAX_REAL;
  }
  h->stored = 0;
}

/* Has the point separated, so that the overlap of the start no longer matters? A point whose curve stands above its
   facet presses while the facets are still apart by `rest`, the gap at which all overlap of the curves is pushed out. */
static PetscBool has_parted(const CrTouch *touch, PetscReal gap)
{
  const PetscReal rest = touch->overlap - touch->press;

  return rest > 0 ? !(touch->out.p > 0) && gap > rest : gap >= 0;
}

static void settle(const CrContact *c, const CrContactLaw *law, const CrTouch *touch,
                   const CrStepEnds *ends, CrContactHistory *h, CrStepReport *report)
{
  PetscInt      k = c->passes[touch->pass].pair, point = touch->point;
  const CrPair *pair = &c->pairs[k];
  PetscReal     force[3], loss, gap = c->passes[touch->pass].ops->gap(c, touch, ends->u1), spring;

  h->share[point] = touch->share;
  h->overlap[point] = touch->overlap;
  h->press[point] = touch->press;
  note_sinking(c, law, touch, gap);
  force_of(c, touch, force);
  loss = take_history(c, law, touch, h);
  if (!stores(law)) loss = touch->weight * touch->out.loss;
  if (law->memory == CR_MEMORY_NONE) {
    h->gd[point] = gap < PETSC_MAX_REAL ? gap : 0;
    /* a pressed point counts as in contact, even if rounding makes its gap positive */
    if (law->exact && touch->out.p > 0) h->gd[point] = PetscMin(h->gd[point], -1e-300);
    if (touch->waits && !(touch->out.p > 0)) h->gd[point] = PetscMax(h->gd[point], 0);
  }
  if (law->bounces) h->method[point] = comes_to_rest(c, touch);
  c->picture->gap[point] = gap;
  CrTallyLoss(&c->picture->tally, k, loss + touch->lost);
  report->external_work += outside_work(c, law, touch, ends, force, h);
  count(c, touch, force);
  spring = law->memory == CR_MEMORY_REAL ? gap - h->overlap[point] + touch->shift1 : h->gd[point];
  if (stores(law))
    h->stored +=
        touch->weight * (normal_energy(law, pair, spring) + tangential_energy(h, pair, point));
  if (has_parted(touch, gap)) h->overlap[point] = h->press[point] = 0;
  if (gap <= h->overlap[point] || touch->out.p > 0) CrTallyGap(&c->picture->tally, k, gap);
}

/* The second touch of a point in a valley: its history is that of the first. */
static void settle_beside(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     force[3], first = c->picture->pressure[touch->point];

  CrTallyLoss(&c->picture->tally, p->pair, touch->weight * touch->out.loss);
  force_of(c, touch, force);
  count(c, touch, force);
  if (touch->out.p > 0) c->picture->pressure[touch->point] += first;
}

/* Settles the points of passes that are divided among the ranks, or those of the others. */
static void settle_passes(const CrContact *c, const CrContactLaw *law, const CrStepEnds *ends,
                          PetscBool divided, CrContactHistory *h, CrStepReport *report)
{
  settle_dropped(c, law, divided, h);
  CR_EACH_TOUCH (touch, c) {
    if (CrPassIsDivided(c, &c->passes[touch->pass]) != divided) continue;
    if (touch->beside)
      settle_beside(c, touch);
    else if (!touch->idle)
      settle(c, law, touch, ends, h, report);
    else if (h->facet[touch->point] >= 0)
      forget(h, touch->point);
  }
}

/* Sums of divided passes over the ranks. The other passes come after them, on every rank alike. */
static PetscErrorCode settle_divided(const CrContact *c, const CrContactLaw *law,
                                     const CrStepEnds *ends, CrContactHistory *h,
                                     CrStepReport *report)
{
  CrStepReport part = {0};
  PetscReal    sums[2];

  PetscFunctionBeginUser;
  settle_passes(c, law, ends, PETSC_TRUE, h, &part);
  PetscCall(CrTallyReduce(&c->picture->tally, c->model->comm));
  sums[0] = part.external_work;
  sums[1] = h->stored;
  PetscCall(CrDivisionSum(c, 2, sums));
  report->external_work += sums[0];
  h->stored = sums[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactCommit(const CrContact *c, const CrContactLaw *law, const CrStepEnds *ends,
                               CrContactHistory *h, CrStepReport *report)
{
  PetscFunctionBeginUser;
  start_counting(c, h);
  if (c->division) PetscCall(settle_divided(c, law, ends, h, report));
  settle_passes(c, law, ends, PETSC_FALSE, h, report);
  PetscCall(warn_of_sinking(c, law));
  CrTallyReport(&c->picture->tally, report);
  h->begun = 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactSetForce(CrContact *c, const PetscReal *force)
{
  return PetscArraycpy(c->picture->force, force, c->model->nowned * c->model->dim);
}

/* Contact: creation, update after a step, and restart. */
#include "contact/pairs/pairs.h"
#include "contact/touch/touch.h"

#define SUNK 0.01 /* a penetration above this part of a facet is reported */

static PetscErrorCode allocate_points(CrContact *c)
{
  PetscInt n = c->npoints;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc6(n, &c->gd, 2 * n, &c->eta, 3 * n, &c->slip, n, &c->overlap, n, &c->facet,
                         n, &c->touched));
  PetscCall(PetscCalloc2(4 * n, &c->pushed, n, &c->press));
  PetscCall(PetscCalloc3(n, &c->pressure, n, &c->gap, n, &c->status));
  for (PetscInt k = 0; k < n; k++) {
    c->facet[k] = -1;
    c->gap[k] = PETSC_MAX_REAL;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode free_points(CrContact *c)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree6(c->gd, c->eta, c->slip, c->overlap, c->facet, c->touched));
  PetscCall(PetscFree2(c->pushed, c->press));
  PetscCall(PetscFree3(c->pressure, c->gap, c->status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode allocate(CrContact *c)
{
  PetscInt m = c->model->nlocal * c->model->dim, facets = 0;

  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < c->model->nsets; s++)
    if (c->surfaces[s]) facets = PetscMax(facets, c->surfaces[s]->nfacets);
  PetscCall(allocate_points(c));
  PetscCall(CrTallyCreate(c->npairs, &c->tally));
  PetscCall(CrSlidesCreate(c));
  PetscCall(PetscMalloc1(c->model->nlocal, &c->nodal));
  for (PetscInt k = 0; k < c->model->nlocal; k++) c->nodal[k] = (CrContactNodal){0};
  PetscCall(PetscCalloc4(m, &c->force, 2 * m, &c->path, m, &c->predicted,
                         2 * c->model->dim * facets, &c->boxes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactAddRigidPasses(CrContact *c)
{
  PetscFunctionBeginUser;
  PetscCall(CrRigidPassesAdd(c));
  PetscCall(free_points(c));
  PetscCall(allocate_points(c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactAddBodyPoints(CrContact *c)
{
  PetscFunctionBeginUser;
  PetscCall(CrBodyPassesAdd(c));
  PetscCall(free_points(c));
  PetscCall(allocate_points(c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactCreate(const CrModel *model, const CrDeck *deck, CrContact **out)
{
  const CrDeckNode *root = CrDeckRoot(deck);
  CrContact        *c;
  PetscErrorCode    code;

  PetscFunctionBeginUser;
  *out = NULL;
  PetscCall(PetscNew(&c));
  c->model = model;
  PetscCall(PetscCalloc2(model->nsets, &c->surfaces, model->nsets, &c->trees));
  code = CrObstaclesRead(root, model->dim, &c->nobstacles, &c->obstacles);
  if (!code) code = CrPairsRead(c, deck);
  if (!code && (c->npairs || model->rigid->n)) code = allocate(c);
  if (code || !(c->npairs || model->rigid->n)) PetscCall(CrContactDestroy(&c));
  *out = c;
  PetscFunctionReturn(code);
}

PetscErrorCode CrContactDestroy(CrContact **out)
{
  CrContact *c = *out;

  PetscFunctionBeginUser;
  if (!c) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt s = 0; s < c->model->nsets; s++) {
    PetscCall(CrSurfaceDestroy(&c->surfaces[s]));
    PetscCall(CrTreeDestroy(&c->trees[s]));
  }
  for (PetscInt k = 0; k < c->npairs; k++) PetscCall(PetscFree(c->pairs[k].ramp.table));
  PetscCall(PetscFree2(c->surfaces, c->trees));
  PetscCall(PetscFree(c->obstacles));
  PetscCall(PetscFree(c->pairs));
  PetscCall(PetscFree(c->passes));
  PetscCall(free_points(c));
  PetscCall(PetscFree4(c->force, c->path, c->predicted, c->boxes));
  PetscCall(CrTallyDestroy(&c->tally));
  PetscCall(CrSlidesDestroy(c));
  PetscCall(PetscFree(c->rigid));
  PetscCall(CrIndexDestroy(&c->rigid_index));
  PetscCall(CrIndexDestroy(&c->pair_index));
  PetscCall(CrIndexDestroy(&c->pass_index));
  PetscCall(PetscFree2(c->partners, c->loads));
  PetscCall(PetscFree(c->schur));
  PetscCall(PetscFree(c->near));
  PetscCall(PetscFree(c->nodal));
  PetscCall(PetscFree(c->touches));
  PetscCall(PetscFree(c->found));
  PetscCall(PetscFree(c->dropped));
  PetscCall(PetscFree(c->couples));
  PetscCall(PetscFree(c->pattern));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactArchive(CrContact *c, CrArchive *archive)
{
  PetscInt n = c->npoints;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "contact.gd", n, c->gd));
  PetscCall(CrArchiveAddReals(archive, "contact.eta", 2 * n, c->eta));
  PetscCall(CrArchiveAddReals(archive, "contact.slip", 3 * n, c->slip));
  PetscCall(CrArchiveAddReals(archive, "contact.overlap", n, c->overlap));
  PetscCall(CrArchiveAddReals(archive, "contact.press", n, c->press));
  PetscCall(CrArchiveAddReals(archive, "contact.loss", c->npairs, c->tally.loss));
  PetscCall(CrArchiveAddReals(archive, "contact.stored", 1, &c->stored));
  PetscCall(CrArchiveAddReals(archive, "contact.pushed", 4 * n, c->pushed));
  PetscCall(CrArchiveAddInts(archive, "contact.facet", n, c->facet));
  PetscCall(CrArchiveAddInts(archive, "contact.touched", n, c->touched));
  PetscCall(CrArchiveAddInts(archive, "contact.begun", 1, &c->begun));
  if (c->nrigid) PetscCall(CrArchiveAddInts(archive, "contact.met", c->npairs, c->tally.met));
  PetscCall(CrSlidesArchive(c, archive));
  PetscCall(CrArchiveAddList(archive, "contact.pattern", &c->npattern, &c->pattern));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The archive has the couplings of the matrix, because rounding depends on them. */
void CrContactResume(CrContact *c)
{
  c->resumed = c->npattern > 0;
}

/* ---- the step that is being solved ---------------------------------------------------------- */

void CrContactSetLaw(CrContact *c, const CrContactLaw *law)
{
  c->splits = law->facet == CR_FACET_OWN;
}

PetscInt CrContactTouches(const CrContact *c)
{
  return c->ntouches;
}

PetscBool CrContactIsTooFar(const CrContact *c)
{
  return c->too_far;
}

PetscBool CrContactIsLost(const CrContact *c)
{
  return c->lost;
}

/* ---- after a step --------------------------------------------------------------------------- */

/* The energy of the springs of a point, from its history. */
static PetscReal tangential_energy(const CrContact *c, const CrPair *pair, PetscInt point)
{
  return pair->kt / 2 * (PetscSqr(c->eta[2 * point]) + PetscSqr(c->eta[2 * point + 1]));
}

static PetscReal normal_energy(const CrPair *pair, PetscReal gap)
{
  return gap < 0 ? pair->kn / 2 * gap * gap : 0;
}

static PetscReal weight_of(const CrContact *c, const CrPass *p, PetscInt point)
{
  return CrPointWeight(c, p, point - p->first);
}

static const CrPass *pass_of(const CrContact *c, PetscInt point)
{
  PetscInt k = 0;

  while (point >= c->passes[k].first + c->passes[k].n) k++;
  return &c->passes[k];
}

static void forget(CrContact *c, PetscInt point)
{
  for (int i = 0; i < 4; i++) c->pushed[4 * point + i] = 0;
  c->gd[point] = c->eta[2 * point] = c->eta[2 * point + 1] = 0;
  c->overlap[point] = c->press[point] = 0;
  c->facet[point] = -1;
}

/* Drops points that have slid off. The energy of their springs counts as lost. */
static void settle_dropped(CrContact *c, const CrContactLaw *law)
{
  for (PetscInt k = 0; k < c->ndropped; k++) {
    PetscInt      point = c->dropped[k];
    const CrPass *p = pass_of(c, point);
    CrPair       *pair = &c->pairs[p->pair];
    PetscReal     lost = weight_of(c, p, point) *
                     (normal_energy(pair, c->gd[point]) + tangential_energy(c, pair, point));

    forget(c, point);
    if (law->memory != CR_MEMORY_NONE) CrTallyLoss(&c->tally, p->pair, lost);
  }
}

/* A law without penetration holds a node by one facet. If one facet cannot hold it (theory 13.10), the user is
   told. */
static void warn_of_sinking(CrContact *c, const CrContactLaw *law, const CrTouch *touch,
                            PetscReal gap)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     depth = PetscMin(c->overlap[touch->point], 0) - gap;

  if (!law->exact || law->facet != CR_FACET_END || !p->ops->facets || c->pairs[p->pair].sunk)
    return;
  if (!(depth > SUNK * p->master->mean_size)) return;
  c->pairs[p->pair].sunk = PETSC_TRUE;
  CrWarn(
      "contact %s: at t = %g a node of the slave has sunk %.2g into the master, in a valley "
      "between "
      "facets or by a step that is too long: name the finer surface first, set passes: 2 for this "
      "pair, or take method: dissipative",
      c->pairs[p->pair].name, (double)(c->t + c->h), (double)depth);
}

/* The force on the slave. */
static void force_of(const CrContact *c, const CrTouch *touch, PetscReal force[3])
{
  PetscInt dim = c->model->dim;

  for (PetscInt i = 0; i < 3; i++) force[i] = 0;
  for (PetscInt i = 0; i < dim; i++) {
    force[i] = touch->out.p * touch->k.G[i];
    for (PetscInt k = 0; k < dim - 1; k++) force[i] -= touch->out.t[k] * touch->k.H[k][i];
    force[i] = touch->weight * force[i] + touch->kick[i];
  }
}

/* The work of moving obstacles, and of overlaps that are pushed out, on the bodies. Laws at the end of the step
   use the mean of the forces at both ends, as the method does for loads and supports (theory 13.9). */
static PetscReal outside_work(CrContact *c, const CrContactLaw *law, const CrTouch *touch,
                              const PetscReal force[3])
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal    *before = c->pushed + 4 * touch->point;
  PetscReal     now[4] = {force[0], force[1], force[2], touch->weight * touch->out.p};
  PetscReal     share = law->where == CR_WHERE_END ? 0.5 : 1, mean[4], work, move[3];

  for (int i = 0; i < 4; i++) {
    mean[i] = share * now[i] + (1 - share) * before[i];
    before[i] = law->where == CR_WHERE_END ? now[i] : 0;
  }
  work = -mean[3] * (touch->shift1 - touch->shift0);
  CrPassMove(p, c->t, c->t + c->h, move);
  for (int i = 0; i < 3; i++) work += mean[i] * move[i];
  return work;
}

/* Friction loss: the work against friction, minus the energy that went into the spring. */
static PetscReal take_history(CrContact *c, const CrContactLaw *law, const CrTouch *touch)
{
  const CrPair *pair = &c->pairs[c->passes[touch->pass].pair];
  PetscInt      point = touch->point, n = c->model->dim - 1;
  PetscReal     before = tangential_energy(c, pair, point), work = 0;

  for (PetscInt i = 0; i < n; i++) {
    PetscReal t = touch->out.t[i];

    if (law->where == CR_WHERE_END && law->memory != CR_MEMORY_NONE && touch->out.p > 0)
      t = (t + pair->kt * touch->in.eta0[i]) / 2; /* as above */
    work += t * touch->in.ds[i] / touch->in.metric;
  }
  c->gd[point] = touch->out.gd1;
  for (PetscInt i = 0; i < n; i++) c->eta[2 * point + i] = touch->out.eta1[i];
  c->facet[point] = touch->facet;
  for (int j = 0; touch->out.p > 0 && j < 3; j++)
    for (PetscInt i = 0; i < n; i++) c->slip[3 * point + j] += touch->in.ds[i] * touch->k.e[i][j];
  if (touch->out.p > 0) c->touched[point] = 1;
  return touch->weight * (work + before - tangential_energy(c, pair, point));
}

static void count(CrContact *c, const CrTouch *touch, const PetscReal force[3])
{
  const CrPass *p = &c->passes[touch->pass];
  PetscInt      i = touch->point - p->first;
  PetscReal     sign = p->reversed ? -1 : 1;

  if (!(touch->out.p > 0)) return;
  c->status[touch->point] = touch->out.status;
  c->pressure[touch->point] = touch->weight * touch->out.p * (1 + touch->impulse) /
                              (p->ops->slave->is_node ? p->slave->weight[i] : 1);
  CrTallyPoint(&c->tally, p->pair, touch->out.status,
               (PetscReal[3]){sign * force[0], sign * force[1], sign * force[2]});
}

static void start_counting(CrContact *c)
{
  CrTallyBegin(&c->tally);
  for (PetscInt k = 0; k < c->npairs; k++) c->pairs[k].valleys = 0;
  for (PetscInt k = 0; k < c->npoints; k++) {
    c->status[k] = CR_OPEN;
    c->pressure[k] = 0;
    c->gap[k] = PETSC_MAX_REAL;
  }
  c->stored = 0;
}

static void settle(CrContact *c, const CrContactLaw *law, const CrTouch *touch, const PetscReal *u1,
                   CrStepReport *report)
{
  PetscInt  k = c->passes[touch->pass].pair, point = touch->point;
  CrPair   *pair = &c->pairs[k];
  PetscReal force[3], loss, gap = c->passes[touch->pass].ops->gap(c, touch, u1), spring;

  warn_of_sinking(c, law, touch, gap);
  force_of(c, touch, force);
  loss = take_history(c, law, touch);
  if (law->memory == CR_MEMORY_NONE) {
    loss = touch->weight * touch->out.loss;
    c->gd[point] = gap < PETSC_MAX_REAL ? gap : 0;
    /* a pressed point is in contact, whatever rounding says */
    if (law->exact && touch->out.p > 0) c->gd[point] = PetscMin(c->gd[point], -1e-300);
  }
  c->gap[point] = gap;
  CrTallyLoss(&c->tally, k, loss);
  report->external_work += outside_work(c, law, touch, force);
  count(c, touch, force);
  spring = law->memory == CR_MEMORY_REAL ? gap - c->overlap[point] + touch->shift1 : c->gd[point];
  if (law->memory != CR_MEMORY_NONE)
    c->stored += touch->weight * (normal_energy(pair, spring) + tangential_energy(c, pair, point));
  /* once the bodies are apart, the overlap is over; if only curves overlapped, facets are always apart */
  if (c->overlap[point] > 0 ? !(touch->out.p > 0) && gap > c->overlap[point] - touch->shift1
                            : gap >= 0)
    c->overlap[point] = c->press[point] = 0;
  if (gap <= c->overlap[point] || touch->out.p > 0) CrTallyGap(&c->tally, k, gap);
}

PetscErrorCode CrContactCommit(CrContact *c, const CrContactLaw *law, const PetscReal *u1,
                               CrStepReport *report)
{
  PetscFunctionBeginUser;
  start_counting(c);
  settle_dropped(c, law);
  for (PetscInt k = 0; k < c->ntouches; k++) {
    const CrTouch *touch = &c->touches[k];

    if (!touch->idle)
      settle(c, law, touch, u1, report);
    else if (c->facet[touch->point] >= 0)
      forget(c, touch->point);
  }
  CrTallyReport(&c->tally, report);
  c->begun = 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactSetForce(CrContact *c, const PetscReal *force)
{
  PetscFunctionBeginUser;
  PetscCall(PetscArraycpy(c->force, force, c->model->nowned * c->model->dim));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrContactAddImpulses(CrContact *c, PetscInt n, const CrImpulsePoint *points,
                          const PetscReal *j)
{
  PetscInt dim = c->model->dim;

  for (PetscInt l = 0; l < n; l++)
    for (PetscInt a = 0; a < points[l].n; a++)
      for (PetscInt i = 0; i < dim && points[l].nodes[a] < c->model->nowned; i++)
        c->force[dim * points[l].nodes[a] + i] += j[l] / c->h * points[l].G[dim * a + i];
}

/* Finding the pairs of an explicit step: who is near, along what forces act, how fast gaps may close. */
#include "contact/internal.h"
#include "contact/pairing.h"

#define CLOSED 1e-6 /* of half a facet: gaps of the start that are none */

/* ---- one pair -------------------------------------------------------------------------------- */

PetscErrorCode CrPairAppend(CrMultipliers *mu, CrMultiplierPair **pair)
{
  PetscFunctionBeginUser;
  if (mu->npairs == mu->room) {
    mu->room = mu->room ? 2 * mu->room : 64;
    PetscCall(PetscRealloc(sizeof(CrMultiplierPair) * mu->room, &mu->pairs));
  }
  *pair = &mu->pairs[mu->npairs++];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPairNew(CrMultipliers *mu, PetscInt pass, PetscInt i, CrMultiplierPair **pair)
{
  const CrPass *p = &mu->contact->passes[pass];

  PetscFunctionBeginUser;
  PetscCall(CrPairAppend(mu, pair));
  **pair = (CrMultiplierPair){.pass = pass, .point = p->first + i, .facet = -1};
  (*pair)->mu = mu->contact->pairs[p->pair].friction;
  if (p->slave) {
    (*pair)->n = 1;
    (*pair)->nodes[0] = p->slave->nodes[i];
    (*pair)->W[0] = 1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bits of the dofs of a node that are prescribed. */
static unsigned held_dofs(PetscInt dim, const char *fixed)
{
  unsigned held = 0;

  for (PetscInt i = 0; i < dim; i++)
    if (fixed[i]) held |= 1u << i;
  return held;
}

/* What forces move, none where a dof is prescribed. fixed: NULL, none. */
static void set_masses(const CrMultipliers *mu, const char *fixed, CrMultiplierPair *p)
{
  const CrPass *pass = &mu->contact->passes[p->pass];
  PetscInt      dim = mu->contact->model->dim;

  p->body = pass->partner < 0 ? NULL : &mu->bodies->now[pass->partner];
  p->held = 0;
  for (PetscInt a = 0; a < p->n; a++) p->flow[a] = p->W[a] * mu->inverse[p->nodes[a]];
  for (PetscInt a = 0; fixed && a < p->n; a++) {
    unsigned held = held_dofs(dim, fixed + dim * p->nodes[a]);

    p->held |= held << 3 * a;
    if (held == (1u << dim) - 1) p->flow[a] = 0;
  }
  p->plain = pass->master && !p->body && !p->held;
}

/* Weights, normal and nodes of a foot on a facet. */
static void set_foot(const CrMultipliers *mu, PetscInt n, const PetscReal N[4],
                     const PetscReal nu[3], PetscInt facet, CrMultiplierPair *p)
{
  const CrSurface *master = mu->contact->passes[p->pass].master;

  p->facet = facet;
  p->n = n + 1;
  for (PetscInt a = 0; a < n; a++) {
    p->nodes[a + 1] = master->corners[4 * facet + a];
    p->W[a + 1] = -N[a];
  }
  for (int i = 0; i < 3; i++) p->nu[i] = nu[i];
}

/* Overlap of the start that has not been pushed out at time t, >= 0. */
PetscReal CrPairOverlapLeft(const CrContact *c, const CrPass *p, PetscInt point, PetscReal t)
{
  const CrPair *pair = &c->pairs[p->pair];

  if (c->overlap[point] == 0) return 0;
  return -c->overlap[point] * (pair->resolve ? 1 - CrFactorAt(&pair->ramp, t) : 1);
}

/* An overlap that is met with when a pair is caught is kept, not thrown out with speed g/h. */
static PetscReal kept_offset(const CrPointMemory *memory, PetscReal gap)
{
  if (gap >= 0) return 0;
  return memory->lam > 0 ? PetscMax(memory->offset, gap) : gap;
}

/* The closing rate that is allowed. */
static void set_bound(const CrMultipliers *mu, PetscReal h, CrMultiplierPair *p)
{
  PetscReal gap = p->gap0 + p->shift;

  p->offset = p->bound = 0;
  if (mu->options.constraint == CR_CONSTRAINT_RATE) return;
  if (mu->options.constraint == CR_CONSTRAINT_OFFSET)
    p->offset = kept_offset(&mu->memory[p->point], gap);
  p->bound = (gap - p->offset) / h;
}

/* Where the iteration starts: the friction of before, in the new tangent plane. */
void CrPairGuess(PetscReal lam, const PetscReal tan[3], CrMultiplierPair *p)
{
  PetscReal along = 0;

  p->lam = lam;
  for (int i = 0; i < 3; i++) along += tan[i] * p->nu[i];
  for (int i = 0; i < 3; i++) p->tan[i] = tan[i] - along * p->nu[i];
}

/* The pair of a point as it was in the last step. */
void CrPairRecall(const CrMultipliers *mu, PetscInt point, PetscInt pass,
                  const CrMultiplierStep *step, CrMultiplierPair *pair)
{
  const CrPass        *p = &mu->contact->passes[pass];
  const CrPointMemory *memory = &mu->memory[point];
  PetscInt             facet = mu->contact->facet[point];

  *pair = (CrMultiplierPair){.pass = pass, .point = point, .lam = memory->lam};
  if (p->slave) {
    pair->n = 1;
    pair->nodes[0] = p->slave->nodes[point - p->first];
    pair->W[0] = 1;
  }
  for (PetscInt a = 0; p->master && a < p->master->ncorners[facet]; a++, pair->n++) {
    pair->nodes[a + 1] = p->master->corners[4 * facet + a];
    pair->W[a + 1] = -memory->N[a];
  }
  for (int i = 0; i < 3; i++) {
    pair->nu[i] = memory->nu[i];
    pair->tan[i] = memory->tan[i];
  }
  if (p->partner >= 0) CrPairSetArm(mu, step->u0, step->t, pair);
  set_masses(mu, step->fixed, pair);
}

/* ---- finding pairs --------------------------------------------------------------------------- */

/* Multipliers that a point comes with: of the last step, or of the last search in this one. */
const PetscReal *CrPairStart(const CrMultipliers *mu, PetscInt point)
{
  return mu->variant.warm ? &mu->memory[point].lam : mu->guess + 4 * point;
}

/* Where weights of a facet say that the foot was; W: of the slave, then of the corners. */
static void guess_xi(PetscInt n, const PetscReal *W, CrFoot *foot)
{
  foot->xi[0] = foot->xi[1] = 0;
  if (n != 4) return; /* the others need no guess */
  foot->xi[0] = W[1] + W[4] - W[2] - W[3];
  foot->xi[1] = W[1] + W[2] - W[3] - W[4];
}

/* The foot of a point that was pressed, from the guess in foot->xi: it stays on its patch unless it has slid off. */
static PetscBool hold(const CrMultipliers *mu, const CrPass *p, PetscInt node, const PetscReal *u,
                      PetscInt *facet, CrFoot *foot)
{
  PetscReal over;

  if (!CrFootWalk(mu->contact, p->master, node, u, facet, foot, &over)) return PETSC_FALSE;
  return over <= mu->options.overhang && foot->gap > -CrSkinDepth(p);
}

/* Beyond an open end a point may be caught as far as it may be held there; beyond a crease the other
   side of it is near. Within a patch a point in the wedge under a valley is beyond both facets, by
   no more than it is deep; one that is farther beyond belongs to a facet that it does not face. */
static PetscReal catching_overhang(const CrMultipliers *mu, const CrSurface *master, PetscInt facet,
                                   const CrFoot *foot)
{
  PetscInt next = foot->edge < 0 ? facet : master->neighbour[4 * facet + foot->edge];

  if (next < 0) return mu->options.overhang;
  if (master->patch[next] != master->patch[facet]) return PetscMin(OPEN_EDGE, mu->options.overhang);
  return PetscMax(mu->options.overhang, PetscAbsReal(foot->gap) / master->size[facet]);
}

/* The foot of a free point, if it may be caught. */
static PetscBool meet(const CrMultipliers *mu, PetscInt pass, PetscInt entry, const PetscReal *u,
                      PetscInt *facet, CrFoot *foot)
{
  const CrContact *c = mu->contact;
  const CrPass    *p = &c->passes[pass];
  PetscReal        x[CR_CONTACT_DOFS];
  PetscInt         n, node = p->slave->nodes[mu->skin->passes[pass].item[entry]];

  *facet = CrSkinNearest(mu->skin, pass, entry, u, PetscMax(mu->options.overhang, OPEN_EDGE));
  if (*facet < 0) return PETSC_FALSE;
  n = CrGatherFacet(c, p->master, node, *facet, u, x);
  if (!CrFootFind(c->model->dim, n, x, foot)) return PETSC_FALSE;
  if (foot->excess > catching_overhang(mu, p->master, *facet, foot)) return PETSC_FALSE;
  return foot->gap > -CrSkinDepth(p);
}

/* At an end of the patch forces act on the end itself. */
static void clip(const CrMultipliers *mu, const CrSurface *master, PetscInt facet,
                 const PetscReal *x, CrFoot *foot)
{
  PetscInt next = foot->edge < 0 ? facet : master->neighbour[4 * facet + foot->edge];

  if (mu->variant.middle) return; /* the force must point from foot to slave */
  if (next < 0 || master->patch[next] != master->patch[facet])
    CrFootClip(mu->contact->model->dim, x, foot);
}

PetscBool CrPairLook(CrMultipliers *mu, const CrMultiplierStep *step, PetscInt pass, PetscInt entry,
                     CrFound *found)
{
  const CrContact *c = mu->contact;
  const CrPass    *p = &c->passes[pass];
  PetscInt         i = mu->skin->passes[pass].item[entry], point = p->first + i;
  PetscInt         node = p->slave->nodes[i], facet = c->facet[point];
  PetscBool        held = mu->memory[point].lam > 0 && facet >= 0;
  PetscReal        x[CR_CONTACT_DOFS], lam = CrPairStart(mu, point)[0];
  CrFoot           foot;

  if (!held && !(lam > 0) && CrSkinSleeps(&mu->skin->passes[pass], entry)) return PETSC_FALSE;
  if (held) {
    const PetscReal *N = mu->memory[point].N, W[CR_CONTACT_NODES] = {1, -N[0], -N[1], -N[2], -N[3]};

    guess_xi(p->master->ncorners[facet], W, &foot);
    held = hold(mu, p, node, mu->where, &facet, &foot);
  }
  if (!held) { /* free, or slid off */
    if (mu->variant.warm) lam = 0;
    if (!meet(mu, pass, entry, mu->where, &facet, &foot)) return PETSC_FALSE;
  }
  if (!(foot.gap + CrPairOverlapLeft(c, p, point, step->t + step->h) < 0) && !(lam > 0))
    return PETSC_FALSE;
  CrGatherFacet(c, p->master, node, facet, mu->where, x);
  clip(mu, p->master, facet, x, &foot);
  CrGatherFacet(c, p->master, node, facet, step->u0, x);
  *found = (CrFound){.pass = pass, .item = i, .facet = facet, .n = foot.n, .lam = lam};
  for (PetscInt a = 0; a < foot.n; a++) found->N[a] = foot.N[a];
  for (int d = 0; d < 3; d++) found->nu[d] = foot.nu[d];
  found->gap0 = CrFootGap(c->model->dim, x, &foot);
  return !(p->self && !held && found->gap0 < -0.2 * p->reach);
}

PetscErrorCode CrPairAdd(CrMultipliers *mu, const CrMultiplierStep *step, const CrFound *found)
{
  const CrPass     *p = &mu->contact->passes[found->pass];
  CrMultiplierPair *pair;

  PetscFunctionBeginUser;
  PetscCall(CrPairNew(mu, found->pass, found->item, &pair));
  set_foot(mu, found->n, found->N, found->nu, found->facet, pair);
  pair->gap0 = found->gap0;
  pair->shift = CrPairOverlapLeft(mu->contact, p, pair->point, step->t + step->h);
  pair->pushed = CrPairOverlapLeft(mu->contact, p, pair->point, step->t) - pair->shift;
  if (found->lam > 0) CrPairGuess(found->lam, CrPairStart(mu, pair->point) + 1, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode look_at_facets(CrMultipliers *mu, const CrMultiplierStep *step, PetscInt pass,
                                     PetscInt entry)
{
  CrFound found;

  PetscFunctionBeginUser;
  if (CrPairLook(mu, step, pass, entry, &found)) PetscCall(CrPairAdd(mu, step, &found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Normal and gap of a wall where it is at time t; its foot moves with it. */
static PetscReal look_along_wall(const CrContact *c, const CrPass *p, PetscInt node,
                                 const PetscReal *u, PetscReal t, PetscReal nu[3])
{
  PetscReal    x[3], shift[3];
  CrKinematics k;

  CrGatherNode(c, node, u, x);
  CrObstacleShift(p->obstacle, t, shift);
  CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift, 0, x, &k);
  for (int d = 0; d < 3; d++) nu[d] = d < c->model->dim ? k.nu[d] : 0;
  return k.gap;
}

/* Velocity of an obstacle over a step. */
void CrWallVelocity(const CrPass *p, PetscReal t0, PetscReal t1, PetscReal velocity[3])
{
  PetscReal s0[3], s1[3];

  CrObstacleShift(p->obstacle, t0, s0);
  CrObstacleShift(p->obstacle, t1, s1);
  for (int i = 0; i < 3; i++) velocity[i] = (s1[i] - s0[i]) / (t1 - t0);
}

static PetscErrorCode look_at_wall(CrMultipliers *mu, const CrMultiplierStep *step, PetscInt pass,
                                   PetscInt entry)
{
  const CrContact *c = mu->contact;
  const CrPass    *p = &c->passes[pass];
  PetscInt dim = c->model->dim, i = mu->skin->passes[pass].item[entry], point = p->first + i;
  PetscInt node = p->slave->nodes[i];
  const PetscReal  *start = CrPairStart(mu, point);
  PetscReal         gap, shift, x[3], s[3];
  CrMultiplierPair *pair;

  PetscFunctionBeginUser;
  if (!(start[0] > 0) && CrSkinSleeps(&mu->skin->passes[pass], entry))
    PetscFunctionReturn(PETSC_SUCCESS);
  CrGatherNode(c, node, mu->where, x);
  CrObstacleShift(p->obstacle, step->t + step->h, s);
  gap = CrObstacleGap(p->obstacle, p->wall, dim, s, x);
  shift = CrPairOverlapLeft(c, p, point, step->t + step->h);
  CrSkinWall(mu->skin, pass, entry, gap);
  if (!(gap + shift < 0) && !(start[0] > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPairNew(mu, pass, i, &pair));
  CrWallVelocity(p, step->t, step->t + step->h, pair->wall);
  gap = look_along_wall(c, p, node, mu->where, step->t + step->h, pair->nu);
  /* back to t_n along the same normal */
  pair->gap0 = gap;
  for (PetscInt d = 0; d < dim; d++)
    pair->gap0 -= pair->nu[d] *
                  (mu->where[dim * node + d] - step->u0[dim * node + d] - step->h * pair->wall[d]);
  pair->shift = shift;
  pair->pushed = CrPairOverlapLeft(c, p, point, step->t) - shift;
  if (start[0] > 0) CrPairGuess(start[0], start + 1, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a force move anything? */
static PetscBool is_movable(const CrMultiplierPair *p)
{
  if (p->body && (p->body->inverse_mass > 0 || p->body->greatest > 0)) return PETSC_TRUE;
  for (PetscInt a = 0; a < p->n; a++)
    if (p->flow[a] != 0) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Pairs that cannot move are none. */
static void drop_immovable(CrMultipliers *mu)
{
  PetscInt kept = 0;

  while (kept < mu->npairs && is_movable(&mu->pairs[kept])) kept++; /* all of them, mostly */
  for (PetscInt k = kept; k < mu->npairs; k++)
    if (is_movable(&mu->pairs[k])) mu->pairs[kept++] = mu->pairs[k];
  mu->npairs = kept;
}

/* Pairs that stand in the list get masses, and those that this rank iterates on bounds and diagonals. */
static PetscErrorCode prepare(CrMultipliers *mu, const CrMultiplierStep *step)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < mu->npairs; k++) set_masses(mu, step->fixed, &mu->pairs[k]);
  drop_immovable(mu);
  PetscCall(CrDealChoose(mu));
  for (PetscInt k = 0; k < mu->mine.n; k++) {
    CrMultiplierPair *p = CrPairAt(&mu->mine, k);

    set_bound(mu, step->h, p);
    p->store = mu->memory[p->point].store;
    p->most = mu->memory[p->point].most;
  }
  CrPairsPrecondition(mu->options.inner, &mu->mine, mu->share);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pairs at u0 + h v. */
PetscErrorCode CrPairsFind(CrMultipliers *mu, const CrMultiplierStep *step, const PetscReal *v)
{
  const CrContact *c = mu->contact;
  PetscInt         dim = c->model->dim;
  PetscBool        shared = CrDealIsWorthIt(mu);

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < mu->skin->nnodes; k++)
    for (PetscInt r = dim * mu->skin->nodes[k]; r < dim * (mu->skin->nodes[k] + 1); r++)
      mu->where[r] = step->u0[r] + step->h * v[r];
  CrBodiesPlace(mu->bodies, c->model->rigid, step->rigid, step->h);
  PetscCall(CrSkinMove(mu->skin, mu->where, step->t + step->h));
  PetscCall(
      CrSkinIsTooFar(mu->skin, mu->where, step->t + step->h, step->u0, step->t, &mu->too_far));
  mu->npairs = 0;
  mu->accepted = PETSC_FALSE;
  mu->gaps = NULL;
  if (shared) PetscCall(CrDealLook(mu, step));
  for (PetscInt pass = 0; pass < c->npasses; pass++) {
    const CrPass *p = &c->passes[pass];

    if (!p->slave) PetscCall(CrPairsLookAtWalls(mu, step, pass, v));
    if (shared && p->master) {
      PetscCall(CrDealTake(mu, step, pass));
      continue;
    }
    for (PetscInt k = 0; k < mu->skin->passes[pass].n; k++)
      PetscCall(p->master         ? look_at_facets(mu, step, pass, k)
                : p->partner >= 0 ? CrPairsLookAtBody(mu, step, pass, k, v)
                                  : look_at_wall(mu, step, pass, k));
  }
  PetscCall(prepare(mu, step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- other configurations -------------------------------------------------------------------- */

PetscReal CrPairGapAt(const CrMultipliers *mu, const CrMultiplierPair *pair, const PetscReal *u,
                      PetscReal t)
{
  const CrContact *c = mu->contact;
  const CrPass    *p = &c->passes[pair->pass];
  PetscReal        x[CR_CONTACT_DOFS], shift[3];
  CrFoot           foot;
  PetscInt         n;
  PetscBool        on;

  if (p->partner >= 0) return CrPairBodyGap(mu, pair, mu->bodies->pose, u, t, NULL, &on);
  if (!p->master) {
    CrGatherNode(c, pair->nodes[0], u, x);
    CrObstacleShift(p->obstacle, t, shift);
    return CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift, x);
  }
  n = CrGatherFacet(c, p->master, pair->nodes[0], pair->facet, u, x);
  guess_xi(n, pair->W, &foot);
  return CrFootNear(c->model->dim, n, x, &foot) ? foot.gap : pair->gap0;
}

PetscErrorCode CrPairsTurnBack(CrMultipliers *mu, const CrMultiplierStep *step)
{
  const CrContact *c = mu->contact;
  PetscInt         kept = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < mu->npairs; k++) {
    CrMultiplierPair pair = mu->pairs[k];
    const CrPass    *p = &c->passes[pair.pass];
    PetscInt         facet = pair.facet;
    PetscBool        on;
    CrFoot           foot;

    if (p->partner >= 0) {
      pair.gap0 = CrPairBodyGap(mu, &pair, mu->bodies->pose0, step->u0, step->t, pair.nu, &on);
      if (!on) continue;
    } else if (p->master) {
      guess_xi(pair.n - 1, pair.W, &foot);
      if (!hold(mu, p, pair.nodes[0], step->u0, &facet, &foot)) continue;
      set_foot(mu, foot.n, foot.N, foot.nu, facet, &pair);
      pair.gap0 = foot.gap;
    } else
      pair.gap0 = look_along_wall(c, p, pair.nodes[0], step->u0, step->t, pair.nu);
    CrPairGuess(pair.lam, pair.tan, &pair);
    mu->pairs[kept++] = pair;
  }
  mu->npairs = kept;
  PetscCall(prepare(mu, step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrPairsBoundAtEnd(CrMultipliers *mu, const CrMultiplierStep *step, const PetscReal *v)
{
  const CrContact *c = mu->contact;
  PetscInt         dim = c->model->dim;

  if (mu->options.constraint == CR_CONSTRAINT_RATE) return;
  for (PetscInt k = 0; k < mu->npairs; k++)
    for (PetscInt a = 0; a < mu->pairs[k].n; a++)
      for (PetscInt r = dim * mu->pairs[k].nodes[a]; r < dim * (mu->pairs[k].nodes[a] + 1); r++)
        mu->where[r] = step->u0[r] + step->h * v[r];
  CrBodiesPlace(mu->bodies, c->model->rigid, step->rigid, step->h);
  for (PetscInt k = 0; k < mu->npairs; k++) {
    CrMultiplierPair *pair = &mu->pairs[k];
    const CrPass     *p = &c->passes[pair->pass];
    PetscInt          facet = pair->facet;
    PetscReal         end = step->t + step->h, w[3] = {0}, nu[3], gap;
    PetscBool         on = PETSC_TRUE;
    CrFoot            foot;

    if (p->partner >= 0)
      gap = CrPairBodyGap(mu, pair, mu->bodies->pose, mu->where, end, nu, &on);
    else if (!p->master)
      gap = look_along_wall(c, p, pair->nodes[0], mu->where, end, nu);
    else {
      guess_xi(pair->n - 1, pair->W, &foot);
      on = hold(mu, p, pair->nodes[0], mu->where, &facet, &foot);
      gap = foot.gap;
    }
    if (!on) { /* slid off */
      pair->lam = pair->tan[0] = pair->tan[1] = pair->tan[2] = 0;
      pair->bound = PETSC_MAX_REAL;
      continue;
    }
    CrPairVelocity(dim, pair, v, w);
    pair->bound = CrPairClosing(dim, pair, w) + (gap + pair->shift - pair->offset) / step->h;
  }
}

/* ---- the start ------------------------------------------------------------------------------- */

static PetscErrorCode close_facets(CrMultipliers *mu, PetscInt pass, PetscInt entry,
                                   const PetscReal *u)
{
  CrContact        *c = mu->contact;
  const CrPass     *p = &c->passes[pass];
  PetscInt          i = mu->skin->passes[pass].item[entry], facet;
  CrMultiplierPair *pair;
  CrFoot            foot;

  PetscFunctionBeginUser;
  foot.gap = foot.excess = 0;
  if (!meet(mu, pass, entry, u, &facet, &foot)) {
    if (facet >= 0 && foot.excess == 0 && foot.gap < -CrSkinDepth(p) && !p->self) c->ndeep++;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (foot.gap > CLOSED * p->reach || (p->self && foot.gap < -CLOSED * p->reach))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (!c->begun) c->overlap[p->first + i] = PetscMin(foot.gap, 0);
  PetscCall(CrPairNew(mu, pass, i, &pair));
  set_foot(mu, foot.n, foot.N, foot.nu, facet, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_walls(CrMultipliers *mu, PetscInt pass, PetscInt entry,
                                  const PetscReal *u, PetscReal t)
{
  CrContact        *c = mu->contact;
  const CrPass     *p = &c->passes[pass];
  PetscInt          i = mu->skin->passes[pass].item[entry];
  PetscReal         nu[3], gap;
  CrMultiplierPair *pair;

  PetscFunctionBeginUser;
  gap = look_along_wall(c, p, p->slave->nodes[i], u, t, nu);
  if (gap > CLOSED * p->reach) PetscFunctionReturn(PETSC_SUCCESS);
  if (!c->begun) c->overlap[p->first + i] = PetscMin(gap, 0);
  PetscCall(CrPairNew(mu, pass, i, &pair));
  for (int d = 0; d < 3; d++) pair->nu[d] = nu[d];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPairsFindClosed(CrMultipliers *mu, const PetscReal *u, const char *fixed,
                                 PetscReal t)
{
  CrContact *c = mu->contact;

  PetscFunctionBeginUser;
  PetscCall(CrSkinMove(mu->skin, u, t));
  mu->npairs = 0;
  for (PetscInt pass = 0; pass < c->npasses; pass++) {
    const CrPass *p = &c->passes[pass];

    if (!p->slave) PetscCall(CrPairsCloseWalls(mu, pass, t));
    for (PetscInt k = 0; k < mu->skin->passes[pass].n; k++)
      PetscCall(p->master         ? close_facets(mu, pass, k, u)
                : p->partner >= 0 ? CrPairsCloseBody(mu, pass, k, u)
                                  : close_walls(mu, pass, k, u, t));
  }
  for (PetscInt k = 0; k < mu->npairs; k++) {
    set_masses(mu, fixed, &mu->pairs[k]);
    mu->pairs[k].mu = 0;
  }
  drop_immovable(mu);
  mu->mine = (CrPairList){.pairs = mu->pairs, .n = mu->npairs};
  CrPairsPrecondition(mu->options.inner, &mu->mine, mu->share);
  if (c->ndeep)
    CrWarn("%" PetscInt_FMT " slave nodes lie more than a facet inside another body at the "
           "start and are not held back there",
           c->ndeep);
  c->ndeep = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

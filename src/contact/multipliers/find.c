/* Finding the pairs of an explicit step: who is near, along what forces act, how fast gaps may close. */
#include "base/grow.h"
#include "contact/internal.h"
#include "contact/multipliers/press.h"

#define CLOSED 1e-6 /* of half a facet: gaps of the start that are none */

/* ---- one pair -------------------------------------------------------------------------------- */

PetscErrorCode CrPressAppend(CrMultipliers *m, CrPress **pair)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(m->npairs + 1, &m->room, &m->pairs));
  *pair = &m->pairs[m->npairs++];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressNew(CrMultipliers *m, PetscInt pass, PetscInt i, CrPress **pair)
{
  const CrPass *p = &m->contact->passes[pass];

  PetscFunctionBeginUser;
  PetscCall(CrPressAppend(m, pair));
  **pair = (CrPress){.pass = pass, .point = p->first + i, .facet = -1};
  (*pair)->mu = m->contact->pairs[p->pair].friction;
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
static void set_masses(const CrMultipliers *m, const char *fixed, CrPress *p)
{
  const CrPass *pass = &m->contact->passes[p->pass];
  PetscInt      dim = m->contact->model->dim;

  p->body = pass->partner < 0 ? NULL : &m->bodies->now[pass->partner];
  p->held = 0;
  for (PetscInt a = 0; a < p->n; a++) p->flow[a] = p->W[a] * m->inverse[p->nodes[a]];
  for (PetscInt a = 0; fixed && a < p->n; a++) {
    unsigned held = held_dofs(dim, fixed + dim * p->nodes[a]);

    p->held |= held << 3 * a;
    if (held == (1u << dim) - 1) p->flow[a] = 0;
  }
  p->plain = pass->master && !p->body && !p->held;
}

/* Weights, normal and nodes of a foot on a facet. */
static void set_foot(const CrMultipliers *m, PetscInt n, const PetscReal N[4],
                     const PetscReal nu[3], PetscInt facet, CrPress *p)
{
  const CrSurface *master = m->contact->passes[p->pass].master;

  p->facet = facet;
  p->n = n + 1;
  for (PetscInt a = 0; a < n; a++) {
    p->nodes[a + 1] = master->corners[4 * facet + a];
    p->W[a + 1] = -N[a];
  }
  for (int i = 0; i < 3; i++) p->nu[i] = nu[i];
}

/* Overlap of the start that has not been pushed out at time t, >= 0. */
PetscReal CrPressOverlapLeft(const CrContact *c, const CrPass *p, PetscInt point, PetscReal t)
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
static void set_bound(const CrMultipliers *m, PetscReal h, CrPress *p)
{
  PetscReal gap = p->gap0 + p->shift;

  p->offset = p->bound = 0;
  if (m->options.constraint == CR_CONSTRAINT_RATE) return;
  if (m->options.constraint == CR_CONSTRAINT_OFFSET)
    p->offset = kept_offset(&m->memory[p->point], gap);
  p->bound = (gap - p->offset) / h;
}

/* Where the iteration starts: the friction of before, in the new tangent plane. */
void CrPressGuess(PetscReal lam, const PetscReal tan[3], CrPress *p)
{
  PetscReal along = 0;

  p->lam = lam;
  for (int i = 0; i < 3; i++) along += tan[i] * p->nu[i];
  for (int i = 0; i < 3; i++) p->tan[i] = tan[i] - along * p->nu[i];
}

/* The pair of a point as it was in the last step. */
void CrPressRecall(const CrMultipliers *m, PetscInt point, PetscInt pass,
                   const CrMultiplierStep *step, CrPress *pair)
{
  const CrPass        *p = &m->contact->passes[pass];
  const CrPointMemory *memory = &m->memory[point];
  PetscInt             facet = m->contact->facet[point];

  *pair = (CrPress){.pass = pass, .point = point, .lam = memory->lam};
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
  if (p->partner >= 0) CrPressSetArm(m, step->u0, step->t, pair);
  set_masses(m, step->fixed, pair);
}

/* ---- finding pairs --------------------------------------------------------------------------- */

/* Multipliers that a point comes with: of the last step, or of the last search in this one. */
const PetscReal *CrPressStart(const CrMultipliers *m, PetscInt point)
{
  return m->variant.warm ? &m->memory[point].lam : m->guess + 4 * point;
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
static PetscBool hold(const CrMultipliers *m, const CrPass *p, PetscInt node, const PetscReal *u,
                      PetscInt *facet, CrFoot *foot)
{
  PetscReal over;

  if (!CrFootWalk(m->contact, p->master, node, u, facet, foot, &over)) return PETSC_FALSE;
  return over <= m->options.overhang && foot->gap > -CrNearDepth(p);
}

/* Beyond an open end a point may be caught as far as it may be held there; beyond a crease the other
   side of it is near. Within a patch a point in the wedge under a valley is beyond both facets, by
   no more than it is deep; one that is farther beyond belongs to a facet that it does not face. */
static PetscReal catching_overhang(const CrMultipliers *m, const CrSurface *master, PetscInt facet,
                                   const CrFoot *foot)
{
  PetscInt next = foot->edge < 0 ? facet : master->neighbour[4 * facet + foot->edge];

  if (next < 0) return m->options.overhang;
  if (master->patch[next] != master->patch[facet]) return PetscMin(OPEN_EDGE, m->options.overhang);
  return PetscMax(m->options.overhang, PetscAbsReal(foot->gap) / master->size[facet]);
}

/* The foot of a free point, if it may be caught. */
static PetscBool meet(const CrMultipliers *m, PetscInt pass, PetscInt entry, const PetscReal *u,
                      PetscInt *facet, CrFoot *foot)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];
  PetscReal        x[CR_CONTACT_DOFS];
  PetscInt         n, node = p->slave->nodes[m->lists->passes[pass].item[entry]];

  *facet = CrNearNearest(m->lists, pass, entry, u, PetscMax(m->options.overhang, OPEN_EDGE));
  if (*facet < 0) return PETSC_FALSE;
  n = CrGatherFacet(c, p->master, node, *facet, u, x);
  if (!CrFootFind(c->model->dim, n, x, foot)) return PETSC_FALSE;
  if (foot->excess > catching_overhang(m, p->master, *facet, foot)) return PETSC_FALSE;
  return foot->gap > -CrNearDepth(p);
}

/* At an end of the patch forces act on the end itself. */
static void clip(const CrMultipliers *m, const CrSurface *master, PetscInt facet,
                 const PetscReal *x, CrFoot *foot)
{
  PetscInt next = foot->edge < 0 ? facet : master->neighbour[4 * facet + foot->edge];

  if (m->variant.middle) return; /* the force must point from foot to slave */
  if (next < 0 || master->patch[next] != master->patch[facet])
    CrFootClip(m->contact->model->dim, x, foot);
}

PetscBool CrPressLook(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass, PetscInt entry,
                      CrFound *found)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];
  PetscInt         i = m->lists->passes[pass].item[entry], point = p->first + i;
  PetscInt         node = p->slave->nodes[i], facet = c->facet[point];
  PetscBool        held = m->memory[point].lam > 0 && facet >= 0;
  PetscReal        x[CR_CONTACT_DOFS], lam = CrPressStart(m, point)[0];
  CrFoot           foot;

  if (!held && !(lam > 0) && CrNearSleeps(&m->lists->passes[pass], entry)) return PETSC_FALSE;
  if (held) {
    const PetscReal *N = m->memory[point].N, W[CR_CONTACT_NODES] = {1, -N[0], -N[1], -N[2], -N[3]};

    guess_xi(p->master->ncorners[facet], W, &foot);
    held = hold(m, p, node, m->where, &facet, &foot);
  }
  if (!held) { /* free, or slid off */
    if (m->variant.warm) lam = 0;
    if (!meet(m, pass, entry, m->where, &facet, &foot)) return PETSC_FALSE;
  }
  if (!(foot.gap + CrPressOverlapLeft(c, p, point, step->t + step->h) < 0) && !(lam > 0))
    return PETSC_FALSE;
  CrGatherFacet(c, p->master, node, facet, m->where, x);
  clip(m, p->master, facet, x, &foot);
  CrGatherFacet(c, p->master, node, facet, step->u0, x);
  *found = (CrFound){.pass = pass, .item = i, .facet = facet, .n = foot.n, .lam = lam};
  for (PetscInt a = 0; a < foot.n; a++) found->N[a] = foot.N[a];
  for (int d = 0; d < 3; d++) found->nu[d] = foot.nu[d];
  found->gap0 = CrFootGap(c->model->dim, x, &foot);
  return !(p->self && !held && found->gap0 < -0.2 * p->reach);
}

PetscErrorCode CrPressAdd(CrMultipliers *m, const CrMultiplierStep *step, const CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];
  CrPress      *pair;

  PetscFunctionBeginUser;
  PetscCall(CrPressNew(m, found->pass, found->item, &pair));
  set_foot(m, found->n, found->N, found->nu, found->facet, pair);
  pair->gap0 = found->gap0;
  pair->shift = CrPressOverlapLeft(m->contact, p, pair->point, step->t + step->h);
  pair->pushed = CrPressOverlapLeft(m->contact, p, pair->point, step->t) - pair->shift;
  if (found->lam > 0) CrPressGuess(found->lam, CrPressStart(m, pair->point) + 1, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode look_at_facets(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                     PetscInt entry)
{
  CrFound found;

  PetscFunctionBeginUser;
  if (CrPressLook(m, step, pass, entry, &found)) PetscCall(CrPressAdd(m, step, &found));
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

static PetscErrorCode look_at_wall(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                   PetscInt entry)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];
  PetscInt dim = c->model->dim, i = m->lists->passes[pass].item[entry], point = p->first + i;
  PetscInt node = p->slave->nodes[i];
  const PetscReal *start = CrPressStart(m, point);
  PetscReal        gap, shift, x[3], s[3];
  CrPress         *pair;

  PetscFunctionBeginUser;
  if (!(start[0] > 0) && CrNearSleeps(&m->lists->passes[pass], entry))
    PetscFunctionReturn(PETSC_SUCCESS);
  CrGatherNode(c, node, m->where, x);
  CrObstacleShift(p->obstacle, step->t + step->h, s);
  gap = CrObstacleGap(p->obstacle, p->wall, dim, s, x);
  shift = CrPressOverlapLeft(c, p, point, step->t + step->h);
  CrNearWall(m->lists, pass, entry, gap);
  if (!(gap + shift < 0) && !(start[0] > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPressNew(m, pass, i, &pair));
  CrWallVelocity(p, step->t, step->t + step->h, pair->wall);
  gap = look_along_wall(c, p, node, m->where, step->t + step->h, pair->nu);
  /* back to t_n along the same normal */
  pair->gap0 = gap;
  for (PetscInt d = 0; d < dim; d++)
    pair->gap0 -= pair->nu[d] *
                  (m->where[dim * node + d] - step->u0[dim * node + d] - step->h * pair->wall[d]);
  pair->shift = shift;
  pair->pushed = CrPressOverlapLeft(c, p, point, step->t) - shift;
  if (start[0] > 0) CrPressGuess(start[0], start + 1, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a force move anything? */
static PetscBool is_movable(const CrPress *p)
{
  if (p->body && (p->body->inverse_mass > 0 || p->body->greatest > 0)) return PETSC_TRUE;
  for (PetscInt a = 0; a < p->n; a++)
    if (p->flow[a] != 0) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Pairs that cannot move are none. */
static void drop_immovable(CrMultipliers *m)
{
  PetscInt kept = 0;

  while (kept < m->npairs && is_movable(&m->pairs[kept])) kept++; /* all of them, mostly */
  for (PetscInt k = kept; k < m->npairs; k++)
    if (is_movable(&m->pairs[k])) m->pairs[kept++] = m->pairs[k];
  m->npairs = kept;
}

/* Pairs that stand in the list get masses, and those that this rank iterates on bounds and diagonals. */
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

/* Pairs at u0 + h v. */
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
    const CrPass *p = &c->passes[pass];

    if (!p->slave) PetscCall(CrPressLookAtWalls(m, step, pass, v));
    if (shared && p->master) {
      PetscCall(CrSharingTake(m, step, pass));
      continue;
    }
    for (PetscInt k = 0; k < m->lists->passes[pass].n; k++)
      PetscCall(p->master         ? look_at_facets(m, step, pass, k)
                : p->partner >= 0 ? CrPressLookAtBody(m, step, pass, k, v)
                                  : look_at_wall(m, step, pass, k));
  }
  PetscCall(prepare(m, step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- other configurations -------------------------------------------------------------------- */

PetscReal CrPressGapAt(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pair->pass];
  PetscReal        x[CR_CONTACT_DOFS], shift[3];
  CrFoot           foot;
  PetscInt         n;
  PetscBool        on;

  if (p->partner >= 0) return CrPressBodyGap(m, pair, m->bodies->pose, u, t, NULL, &on);
  if (!p->master) {
    CrGatherNode(c, pair->nodes[0], u, x);
    CrObstacleShift(p->obstacle, t, shift);
    return CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift, x);
  }
  n = CrGatherFacet(c, p->master, pair->nodes[0], pair->facet, u, x);
  guess_xi(n, pair->W, &foot);
  return CrFootNear(c->model->dim, n, x, &foot) ? foot.gap : pair->gap0;
}

PetscErrorCode CrPressTurnBack(CrMultipliers *m, const CrMultiplierStep *step)
{
  const CrContact *c = m->contact;
  PetscInt         kept = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress       pair = m->pairs[k];
    const CrPass *p = &c->passes[pair.pass];
    PetscInt      facet = pair.facet;
    PetscBool     on;
    CrFoot        foot;

    if (p->partner >= 0) {
      pair.gap0 = CrPressBodyGap(m, &pair, m->bodies->pose0, step->u0, step->t, pair.nu, &on);
      if (!on) continue;
    } else if (p->master) {
      guess_xi(pair.n - 1, pair.W, &foot);
      if (!hold(m, p, pair.nodes[0], step->u0, &facet, &foot)) continue;
      set_foot(m, foot.n, foot.N, foot.nu, facet, &pair);
      pair.gap0 = foot.gap;
    } else
      pair.gap0 = look_along_wall(c, p, pair.nodes[0], step->u0, step->t, pair.nu);
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
    CrPress      *pair = &m->pairs[k];
    const CrPass *p = &c->passes[pair->pass];
    PetscInt      facet = pair->facet;
    PetscReal     end = step->t + step->h, w[3] = {0}, nu[3], gap;
    PetscBool     on = PETSC_TRUE;
    CrFoot        foot;

    if (p->partner >= 0)
      gap = CrPressBodyGap(m, pair, m->bodies->pose, m->where, end, nu, &on);
    else if (!p->master)
      gap = look_along_wall(c, p, pair->nodes[0], m->where, end, nu);
    else {
      guess_xi(pair->n - 1, pair->W, &foot);
      on = hold(m, p, pair->nodes[0], m->where, &facet, &foot);
      gap = foot.gap;
    }
    if (!on) { /* slid off */
      pair->lam = pair->tan[0] = pair->tan[1] = pair->tan[2] = 0;
      pair->bound = PETSC_MAX_REAL;
      continue;
    }
    CrPressVelocity(dim, pair, v, w);
    pair->bound = CrPressClosing(dim, pair, w) + (gap + pair->shift - pair->offset) / step->h;
  }
}

/* ---- the start ------------------------------------------------------------------------------- */

static PetscErrorCode close_facets(CrMultipliers *m, PetscInt pass, PetscInt entry,
                                   const PetscReal *u)
{
  CrContact    *c = m->contact;
  const CrPass *p = &c->passes[pass];
  PetscInt      i = m->lists->passes[pass].item[entry], facet;
  CrPress      *pair;
  CrFoot        foot;

  PetscFunctionBeginUser;
  foot.gap = foot.excess = 0;
  if (!meet(m, pass, entry, u, &facet, &foot)) {
    if (facet >= 0 && foot.excess == 0 && foot.gap < -CrNearDepth(p) && !p->self) c->ndeep++;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (foot.gap > CLOSED * p->reach || (p->self && foot.gap < -CLOSED * p->reach))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (!c->begun) c->overlap[p->first + i] = PetscMin(foot.gap, 0);
  PetscCall(CrPressNew(m, pass, i, &pair));
  set_foot(m, foot.n, foot.N, foot.nu, facet, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_walls(CrMultipliers *m, PetscInt pass, PetscInt entry,
                                  const PetscReal *u, PetscReal t)
{
  CrContact    *c = m->contact;
  const CrPass *p = &c->passes[pass];
  PetscInt      i = m->lists->passes[pass].item[entry];
  PetscReal     nu[3], gap;
  CrPress      *pair;

  PetscFunctionBeginUser;
  gap = look_along_wall(c, p, p->slave->nodes[i], u, t, nu);
  if (gap > CLOSED * p->reach) PetscFunctionReturn(PETSC_SUCCESS);
  if (!c->begun) c->overlap[p->first + i] = PetscMin(gap, 0);
  PetscCall(CrPressNew(m, pass, i, &pair));
  for (int d = 0; d < 3; d++) pair->nu[d] = nu[d];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressFindClosed(CrMultipliers *m, const PetscReal *u, const char *fixed,
                                 PetscReal t)
{
  CrContact *c = m->contact;

  PetscFunctionBeginUser;
  PetscCall(CrNearMove(m->lists, u, t));
  m->npairs = 0;
  for (PetscInt pass = 0; pass < c->npasses; pass++) {
    const CrPass *p = &c->passes[pass];

    if (!p->slave) PetscCall(CrPressCloseWalls(m, pass, t));
    for (PetscInt k = 0; k < m->lists->passes[pass].n; k++)
      PetscCall(p->master         ? close_facets(m, pass, k, u)
                : p->partner >= 0 ? CrPressCloseBody(m, pass, k, u)
                                  : close_walls(m, pass, k, u, t));
  }
  for (PetscInt k = 0; k < m->npairs; k++) {
    set_masses(m, fixed, &m->pairs[k]);
    m->pairs[k].mu = 0;
  }
  drop_immovable(m);
  m->mine = (CrPressList){.pairs = m->pairs, .n = m->npairs};
  CrPressPrecondition(m->options.inner, &m->mine, m->share);
  if (c->ndeep)
    CrWarn("%" PetscInt_FMT " slave nodes lie more than a facet inside another body at the "
           "start and are not held back there",
           c->ndeep);
  c->ndeep = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

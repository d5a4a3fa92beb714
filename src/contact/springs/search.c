/* Finds the slaves and facets that may touch in a step. The search assumes that nodes move straight from x_n to x_n + h
   v_n. A tree of the bounding boxes of the facets' paths finds the facets near each slave. A point in contact stays on
   its smooth patch. A free point is assigned to the patch through which its path passes first, or else to the closest
   patch (theory 13.3). After the solution, the program checks whether a point has passed through another facet. */
#include "contact/division.h"
#include "contact/springs/edges.h"
#include "contact/springs/springs.h"
#include "contact/stage.h"
#include "contact/partners/partners.h"
#include "contact/touch/approach.h"

/* ---- boxes of paths ------------------------------------------------------------------------- */

/* The box of the path of each node on stage. */
static void node_paths(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                       const PetscReal *guess)
{
  PetscInt dim = c->model->dim;

  for (PetscInt k = 0; k < c->stage->nnodes; k++) {
    PetscInt   A = c->stage->nodes[k];
    PetscReal *box = c->work->path + 2 * dim * A;

    for (PetscInt i = 0; i < dim; i++) {
      PetscReal x = c->model->X[dim * A + i] + u0[dim * A + i], move = c->work->h * v0[dim * A + i];
      PetscReal other = guess ? guess[dim * A + i] - u0[dim * A + i] : 0;

      box[i] = x + PetscMin(0, PetscMin(move, other));
      box[dim + i] = x + PetscMax(0, PetscMax(move, other));
    }
  }
}

/* The box of the paths of some nodes. */
static void join_paths(const CrContact *c, PetscInt n, const PetscInt *nodes, PetscReal *box)
{
  PetscInt dim = c->model->dim;

  for (PetscInt i = 0; i < 2 * dim; i++) box[i] = c->work->path[2 * dim * nodes[0] + i];
  for (PetscInt a = 1; a < n; a++) {
    const PetscReal *path = c->work->path + 2 * dim * nodes[a];

    for (PetscInt i = 0; i < dim; i++) {
      box[i] = PetscMin(box[i], path[i]);
      box[dim + i] = PetscMax(box[dim + i], path[dim + i]);
    }
  }
}

static PetscErrorCode facet_boxes(CrContact *c, PetscInt set)
{
  const CrSurface *s = c->surfaces[set];
  const PetscInt  *facets = c->stage->facets[set], n = c->stage->nfacets[set];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++)
    join_paths(c, s->ncorners[facets[k]], s->corners + 4 * facets[k],
               c->work->boxes + 2 * c->model->dim * k);
  if (!c->stage->whole) PetscCall(CrTreeRename(c->trees[set], n, facets));
  CrTreeUpdate(c->trees[set], c->work->boxes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ridge_boxes(CrContact *c, CrRidges *r)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < r->n; i++) CrRidgePath(c, r, i, c->work->boxes + 6 * i);
  CrTreeUpdate(r->tree, c->work->boxes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode update_trees(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                                   const PetscReal *guess)
{
  PetscFunctionBeginUser;
  node_paths(c, u0, v0, guess);
  for (PetscInt s = 0; s < c->model->nsets; s++) {
    PetscBool needed = PETSC_FALSE;

    CR_EACH_PASS (p, c)
      if (p->tree && p->tree == c->trees[s]) needed = PETSC_TRUE;
    if (needed) PetscCall(facet_boxes(c, s));
  }
  for (PetscInt k = 0; k < c->nridges; k++) PetscCall(ridge_boxes(c, c->ridges[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the step ------------------------------------------------------------------------------- */

/* Overlap that is pushed out is a shift of the gap. */
static void set_shifts(const CrContact *c, CrTouch *touch)
{
  const CrPair *pair = &c->pairs[c->passes[touch->pass].pair];
  PetscReal     overlap = touch->press;

  touch->shift0 = touch->shift1 = 0;
  if (!pair->resolve || overlap == 0) return;
  touch->shift0 = overlap * CrFactorAt(&pair->ramp, c->work->t);
  touch->shift1 = overlap * CrFactorAt(&pair->ramp, c->work->t + c->work->h);
}

/* Searches all passes. *deep counts the points of divided passes that are too deep inside; those of other passes are
   counted in the work space, on every rank alike. */
static PetscErrorCode search_passes(CrContact *c, const PetscReal *u0, PetscInt nends,
                                    const PetscReal *const ends[], PetscInt *deep)
{
  PetscFunctionBeginUser;
  *deep = 0;
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];
    PetscInt      before = c->work->ndeep;

    c->work->first[k] = c->work->ntouches;
    if (!p->ops->body || c->work->partners) PetscCall(p->ops->search(c, k, u0, nends, ends));
    if (!CrPassIsDivided(c, p)) continue;
    *deep += c->work->ndeep - before;
    c->work->ndeep = before;
  }
  c->work->first[c->npasses] = c->work->ntouches;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_pressed(const CrContact *c)
{
  CR_EACH_TOUCH (touch, c)
    if (CrTouchWasPressed(c, touch)) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* All ranks take the same decisions. */
static PetscErrorCode agree(CrContact *c, PetscInt deep)
{
  CrContactWork *w = c->work;
  PetscInt       sums[4] = {w->too_far ? 1 : 0, is_pressed(c) ? 1 : 0, deep, 0};

  PetscFunctionBeginUser;
  CR_EACH_TOUCH (touch, c)
    if (CrPassIsDivided(c, &c->passes[touch->pass])) sums[3]++;
  if (c->division) c->division->ntouches = w->ntouches - sums[3]; /* those of every rank */
  PetscCall(CrDivisionSumInts(c, 4, sums));
  if (c->division) c->division->ntouches += sums[3];
  w->too_far = sums[0] > 0;
  w->pressed = sums[1] > 0;
  w->ndeep += sums[2];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactBegin(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                              const PetscReal *guess, PetscReal t, PetscReal h)
{
  const PetscReal *ends[2] = {c->work->predicted, guess};
  PetscInt         m = c->model->nlocal * c->model->dim, deep;

  PetscFunctionBeginUser;
  c->work->t = t;
  c->work->h = h;
  c->work->ntouches = c->work->nfound = c->work->ndropped = 0;
  c->work->too_far = PETSC_FALSE;
  if (!guess) c->work->dented = c->work->wide = c->work->hung = PETSC_FALSE;
  PetscCall(CrStageMove(c, u0, v0, guess));
  for (PetscInt r = 0; r < m; r++) c->work->predicted[r] = u0[r] + h * v0[r];
  PetscCall(update_trees(c, u0, v0, guess));
  CrOverlapForget(c);
  PetscCall(search_passes(c, u0, 2, ends, &deep));
  PetscCall(CrEdgesPassOnDivided(c, u0));
  if (!c->springs) PetscCall(CrTouchDropTwins(c, u0));
  PetscCall(CrDivisionReach(c));
  PetscCall(CrPartnersShare(c));
  PetscCall(agree(c, deep));
  PetscCall(CrOverlapDecide(c));
  CR_EACH_TOUCH (touch, c) set_shifts(c, touch);
  CrContactRestart(c);
  CrContactWarnDeep(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactReach(const CrContact *c, const PetscReal *u0, PetscReal *reach)
{
  PetscReal x[3], sum = 0;

  PetscFunctionBeginUser;
  CR_EACH_TOUCH (touch, c) {
    const CrPass *p = &c->passes[touch->pass];
    PetscReal     spring = c->pairs[p->pair].kn * touch->weight;

    if (touch->node < 0 && !touch->sample) continue;
    if (!CrPointCounts(c, p, touch->point - p->first)) continue;
    if (touch->sample)
      CrGatherSample(c, touch->sample, u0, x);
    else
      CrGatherNode(c, touch->node, u0, x);
    for (PetscInt i = 0; i < c->model->dim; i++) sum += PetscSqr(spring * x[i]);
  }
  PetscCall(CrDivisionSum(c, 1, &sum));
  *reach = PetscSqrtReal(sum);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrContactRestart(CrContact *c)
{
  c->work->iteration = 0;
  c->work->lost = PETSC_FALSE;
}

/* The greatest distance of a surface's nodes from the boxes of the paths that were searched; 0 if there is no
   surface. */
static PetscReal surprise(const CrContact *c, const CrSurface *s, const PetscReal *u1)
{
  PetscInt  dim = c->model->dim;
  PetscReal greatest = 0;

  for (PetscInt k = 0; s && k < s->nnodes; k++) {
    PetscInt         A = s->nodes[k];
    const PetscReal *box = c->work->path + 2 * dim * A;

    if (c->division && A >= c->model->nowned) continue; /* its owner looks at it */
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal x = c->model->X[dim * A + i] + u1[dim * A + i];

      greatest = PetscMax(greatest, PetscMax(box[i] - x, x - box[dim + i]));
    }
  }
  return greatest;
}

/* Finds points that went through a facet or an edge that was not searched. */
static PetscInt count_pierced(CrContact *c, const PetscReal *u0, const PetscReal *u1)
{
  PetscInt  count = 0;
  PetscReal when;

  CR_EACH_TOUCH (touch, c) {
    CrInstant start, end;
    PetscInt  f;

    if (touch->out.p > 0 || touch->twin || touch->beside) continue;
    if (CrPassIsCalled(&c->passes[touch->pass])) continue; /* CrContactCall looks at these */
    if (CrTouchWasPressed(c, touch)) continue;             /* bound to its patch */
    if (CrPassHasEdges(&c->passes[touch->pass])) {
      if (CrEdgeBindPierced(c, touch, u0, u1)) count++;
      continue;
    }
    if (!c->passes[touch->pass].ops->facets) continue;
    CrSlaveAt(c, touch, u0, CR_POSE_START, &start);
    CrSlaveAt(c, touch, u1, CR_POSE_END, &end);
    f = CrFirstPierced(c, touch, &start, &end, PETSC_TRUE, &when);
    if (f < 0) {
      if (CrTouchMayWait(c, touch) && CrTouchCatch(c, touch, &start, &end)) count++;
      continue;
    }
    touch->idle = touch->keeps = PETSC_FALSE;
    touch->cached = -1;
    touch->locked = PETSC_FALSE;
    CrTouchBind(c, touch, f, &start);
    if (touch->idle)
      continue; /* it has no share on this facet: points of the other surface hold it */
    touch->gap0 = CrTouchGapOn(c, touch, f, &start);
    if (!touch->idle) count++; /* without a share it takes no part there */
  }
  return count;
}

/* Did a point sink that one facet alone cannot hold? Such points are few, so that mild valleys count only then. */
static PetscBool has_sunk(const CrContact *c, const PetscReal *u1)
{
  CR_EACH_TOUCH (touch, c) {
    CrInstant end;

    if (!(touch->out.p > 0) || touch->locked || touch->idle) continue;
    if (c->passes[touch->pass].kind != CR_NODE_ON_FACET) continue;
    CrSlaveAt(c, touch, u1, CR_POSE_END, &end);
    if (CrTouchSinks(c, touch, &end)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* How many pressed points hang on the edge of a valley? They are few. */
static PetscInt count_hanging(CrContact *c)
{
  PetscInt count = 0;

  CR_EACH_TOUCH (touch, c)
    if (!touch->idle && touch->hangs && touch->out.p > 0) count++;
  return count;
}

PetscErrorCode CrContactReview(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                               const PetscReal *u1, PetscBool *again)
{
  PetscBool surprised = PETSC_FALSE;
  PetscInt  count, sums[3] = {0, 0, 0};

  PetscFunctionBeginUser;
  CR_EACH_PASS (p, c)
    surprised = surprised || surprise(c, p->slave, u1) > p->reach / 2 ||
                surprise(c, p->master, u1) > p->reach / 2;
  if (c->work->partners && CrPartnersSurprise(c)) surprised = PETSC_TRUE;
  sums[0] = surprised ? 1 : 0;
  sums[1] = c->tight && !c->work->dented && has_sunk(c, u1);
  sums[2] = c->work->hung ? 0 : count_hanging(c);
  PetscCall(CrDivisionSumInts(c, 3, sums));
  if (sums[1]) c->work->dented = PETSC_TRUE;
  surprised = sums[0] || sums[1];
  if (c->work->partners && surprised) CrPartnersGuess(c);
  count = surprised ? 1 : count_pierced(c, u0, u1);
  PetscCall(CrDivisionSumInts(c, 1, &count));
  *again = count > 0 || sums[2];
  if (sums[2]) c->work->hung = PETSC_TRUE;
  if (surprised) PetscCall(CrContactBegin(c, u0, v0, u1, c->work->t, c->work->h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactDent(CrContact *c, const PetscReal *u0, const PetscReal *v0)
{
  PetscFunctionBeginUser;
  c->work->dented = c->work->wide = PETSC_TRUE;
  PetscCall(CrContactBegin(c, u0, v0, u0, c->work->t, c->work->h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- what methods ask ------------------------------------------------------------------------- */

void CrContactSetLaw(CrContact *c, const CrContactLaw *law)
{
  c->work->splits = law->facet == CR_FACET_OWN;
}

PetscInt CrContactTouches(const CrContact *c)
{
  return c->division ? c->division->ntouches : c->work->ntouches;
}

/* Energy that nodes lose when they meet, given back when they part (theory 19.6). Nodes with lumped
   masses collide plastically on first touch; a pair notes what its normal force has lost since it is
   pressed. When it opens, an impulse j along its normal gives that back, apart from the iteration, so
   that the works of all pairs together grow by

     sum_s j_s Q_s + j.H j/2  <=  sum_s (j_s Q_s + Ht_s j_s^2/2),    Q = (q_0 + 2 q_1 - q*)/2,

   q the opening rates before the step, after the iteration, and without contact. Ht is the diagonal
   of inner.c over the pairs that open, which bounds H; j_s makes each term of the bound what the pair
   has in store, so that together they never give back more than was lost. A pair that is no longer
   pressed but still closes, or whose slave others press, waits. */
#include "contact/internal.h"
#include "contact/pairing.h"

#define REBOUND 2.0   /* most that is given back: so many times the energy of a plastic collision */
#define CLOSING 0.01  /* of the speed to be given: a pair that still closes faster has not opened */
#define APART   0.02  /* of half a facet: a gap across which nothing is given back */
#define TRACE   1e-12 /* of the force of the last step: what rounding may leave of it */

typedef struct {
  PetscInt n, *items; /* points with their passes, ascending; owned */
} List;

struct CrReturns {
  PetscInt *where;   /* [npoints] 1 + index of the pair of a point; zero between uses; owned */
  char     *waits;   /* [npoints] in `next`; owned */
  List      waiting; /* not pressed, with something in store, of the last accepted step */
  List      next;    /* the same after this step */
  PetscInt  n, room;
  CrMultiplierPair *pairs; /* those that open; owned */
};

PetscErrorCode CrReturnsCreate(const CrContact *c, CrReturns **returns)
{
  CrReturns *r;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  PetscCall(PetscCalloc4(c->npoints, &r->where, c->npoints, &r->waits, 2 * c->npoints,
                         &r->waiting.items, 2 * c->npoints, &r->next.items));
  *returns = r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReturnsDestroy(CrReturns **returns)
{
  CrReturns *r = *returns;

  PetscFunctionBeginUser;
  if (!r) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4(r->where, r->waits, r->waiting.items, r->next.items));
  PetscCall(PetscFree(r->pairs));
  PetscCall(PetscFree(*returns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void put(List *list, PetscInt point, PetscInt pass)
{
  list->items[2 * list->n] = point;
  list->items[2 * list->n++ + 1] = pass;
}

void CrReturnsResume(CrMultipliers *mu)
{
  const CrContact *c = mu->contact;

  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = c->passes[k].first; i < c->passes[k].first + c->passes[k].n; i++)
      if (mu->memory[i].lam == 0 && mu->memory[i].store > 0) put(&mu->returns->waiting, i, k);
}

/* The loss is kept as it is, negative too: what persistent contact gains or loses by its iterates is
   set against it. The most that is given back follows from the fastest approach. */
void CrPairStore(PetscInt dim, PetscReal work, const PetscReal w0[3], CrMultiplierPair *p)
{
  PetscReal closing = 0;

  if (p->returned) return;
  for (PetscInt i = 0; i < dim; i++) closing -= p->nu[i] * w0[i];
  if (closing > 0) p->most = PetscMax(p->most, REBOUND * closing * closing / (2 * p->diagonal));
  p->store = PetscMin(p->store - work, p->most);
}

static PetscReal opening(PetscInt dim, const CrMultiplierPair *p, const PetscReal *v)
{
  PetscReal w[3] = {0}, rate = 0;

  CrPairVelocity(dim, p, v, w);
  for (PetscInt i = 0; i < dim; i++) rate += p->nu[i] * w[i];
  return rate;
}

/* ---- who opens ------------------------------------------------------------------------------- */

/* A pair that parts in this very step may keep a trace of its force. */
static PetscBool presses(const CrMultipliers *mu, const CrMultiplierPair *p)
{
  return p->lam > TRACE * mu->memory[p->point].lam;
}

/* A pair that is not pressed: as it stands in the list, or as it was when it was pressed. */
static void recall(const CrMultipliers *mu, const CrMultiplierStep *step, PetscInt point,
                   PetscInt pass, CrMultiplierPair *pair)
{
  const CrReturns *r = mu->returns;

  if (r->where[point]) {
    CrMultiplierPair *p = &mu->pairs[r->where[point] - 1];

    p->lam = p->tan[0] = p->tan[1] = p->tan[2] = 0; /* but for a trace, it was */
    *pair = *p;
    return;
  }
  CrPairRecall(mu, point, pass, step, pair);
  pair->point = point;
  pair->facet = mu->contact->facet[point];
  pair->mu = mu->contact->pairs[mu->contact->passes[pass].pair].friction;
  pair->store = mu->memory[point].store;
  pair->lam = 0;
  if (!mu->contact->passes[pass].master)
    CrWallVelocity(&mu->contact->passes[pass], step->t, step->t + step->h, pair->wall);
}

/* A point that was pressed or has waited: does it open, wait, or neither? mu->share: not zero at nodes
   that are pressed. */
static PetscErrorCode sort_out(CrMultipliers *mu, const CrMultiplierStep *step, PetscInt point,
                               PetscInt pass, const PetscReal *v)
{
  const CrPass     *p = &mu->contact->passes[pass];
  CrReturns        *r = mu->returns;
  CrMultiplierPair *pair;
  PetscReal         speed;

  PetscFunctionBeginUser;
  if (!(mu->memory[point].store > 0) || p->partner >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (r->where[point] && presses(mu, &mu->pairs[r->where[point] - 1]))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (r->n == r->room) {
    r->room = r->room ? 2 * r->room : 64;
    PetscCall(PetscRealloc(sizeof(CrMultiplierPair) * r->room, &r->pairs));
  }
  pair = &r->pairs[r->n];
  recall(mu, step, point, pass, pair);
  if (CrPairGapAt(mu, pair, step->u0, step->t) > APART * p->reach)
    PetscFunctionReturn(PETSC_SUCCESS);
  speed = PetscSqrtReal(2 * pair->store * pair->flow[0]); /* of the slave, about */
  if (mu->share[pair->nodes[0]] > 0 ||
      opening(mu->contact->model->dim, pair, v) < -CLOSING * speed) {
    put(&r->next, point, pass);
    r->waits[point] = 1;
  } else
    r->n++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Both lists are ascending, and so is what comes of them: nothing depends on a restart. */
static PetscErrorCode find_opened(CrMultipliers *mu, const CrMultiplierStep *step,
                                  const PetscReal *v)
{
  CrReturns  *r = mu->returns;
  const List *w = &r->waiting;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < r->next.n; k++) r->waits[r->next.items[2 * k]] = 0; /* of an attempt */
  r->n = r->next.n = 0;
  for (PetscInt k = 0; k < mu->npairs; k++) r->where[mu->pairs[k].point] = k + 1;
  for (PetscInt k = 0; k < mu->npairs; k++)
    for (PetscInt a = 0; presses(mu, &mu->pairs[k]) && a < mu->pairs[k].n; a++)
      mu->share[mu->pairs[k].nodes[a]] = 1;
  for (PetscInt i = 0, k = 0; i < mu->npressed || k < w->n;) {
    PetscBool waited = i == mu->npressed || (k < w->n && w->items[2 * k] < mu->pressed[2 * i]);
    const PetscInt *item = waited ? w->items + 2 * k++ : mu->pressed + 2 * i++;

    PetscCall(sort_out(mu, step, item[0], item[1], v));
  }
  for (PetscInt k = 0; k < mu->npairs; k++)
    for (PetscInt a = 0; a < mu->pairs[k].n; a++) mu->share[mu->pairs[k].nodes[a]] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- giving back ----------------------------------------------------------------------------- */

/* The impulse that gains what the pair has in store, by the bound. v: after the iteration. */
static PetscReal impulse(const CrMultipliers *mu, const CrMultiplierStep *step,
                         const CrMultiplierPair *p, const PetscReal *v)
{
  PetscInt         dim = mu->contact->model->dim;
  CrMultiplierPair before = *p;
  PetscReal        Q, speed2;

  if (!(p->diagonal > 0)) return 0;
  if (!mu->contact->passes[p->pass].master)
    CrWallVelocity(&mu->contact->passes[p->pass], step->t - step->h0, step->t, before.wall);
  Q = opening(dim, &before, step->v0) + 2 * opening(dim, p, v) - opening(dim, p, mu->star);
  Q = PetscMax(Q / 2, 0);

  speed2 = 2 * p->store * p->diagonal;
  return speed2 / (p->diagonal * (Q + PetscSqrtReal(Q * Q + speed2)));
}

PetscErrorCode CrPairsReturn(CrMultipliers *mu, const CrMultiplierStep *step, PetscReal *v)
{
  CrReturns *r = mu->returns;
  PetscInt   dim = mu->contact->model->dim, n = mu->npairs;
  CrPairList opened;

  PetscFunctionBeginUser;
  PetscCall(find_opened(mu, step, v));
  opened = (CrPairList){.pairs = r->pairs, .n = r->n};
  CrPairsPrecondition(CR_INNER_JACOBI, &opened, mu->share);
  for (PetscInt k = 0; k < r->n; k++) {
    CrMultiplierPair *p = &r->pairs[k];

    p->lam = impulse(mu, step, p, v) / step->kick;
    p->returned = PETSC_TRUE;
    for (int i = 0; i < 3; i++) p->tan[i] = 0;
  }
  for (PetscInt k = 0; k < r->n; k++) { /* all impulses are found before the first acts */
    CrMultiplierPair *p = &r->pairs[k], *to;
    PetscReal         force[3];

    if (!(p->lam > 0)) continue;
    CrPairForce(p, force);
    CrPairPush(dim, p, step->kick, force, v);
    if (r->where[p->point])
      to = &mu->pairs[r->where[p->point] - 1];
    else
      PetscCall(CrPairAppend(mu, &to));
    *to = *p;
  }
  for (PetscInt k = 0; k < n; k++) r->where[mu->pairs[k].point] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrReturnsCommit(CrMultipliers *mu)
{
  CrReturns *r = mu->returns;
  List       w = r->waiting;

  for (PetscInt k = 0; k < w.n; k++)
    if (!r->waits[w.items[2 * k]]) CrPointForget(mu, w.items[2 * k]);
  r->waiting = r->next;
  r->next = w;
  for (PetscInt k = 0; k < r->waiting.n; k++) r->waits[r->waiting.items[2 * k]] = 0;
  r->next.n = 0;
}

PetscBool CrReturnsWait(const CrMultipliers *mu, PetscInt point)
{
  return mu->returns && mu->returns->waits[point];
}

/* Energy that nodes lose when they meet, given back when they part (theory 19.6). Nodes with lumped
   masses collide plastically on first touch; a pair notes what its normal force has lost since it is
   pressed. In the step in which it opens, an impulse j along its normal gives that back, apart from
   the iteration, so that the works of all pairs together grow by

     sum_s j_s Q_s + j.H j/2  <=  sum_s (j_s Q_s + Ht_s j_s^2/2),    Q = (q_0 + 2 q_1 - q*)/2,

   q the opening rates before the step, after the iteration, and without contact. Ht is the diagonal
   of inner.c over the pairs that open, which bounds H; j_s makes each term of the bound what the pair
   has in store, so that together they never give back more than was lost. */
#include "contact/pairing.h"

#define REBOUND 2.0  /* most that is given back: so many times the energy of a plastic collision */
#define CLOSING 0.01 /* of the speed to be given: a pair that still closes faster has not opened */

struct CrReturns {
  PetscInt *where; /* [npoints] 1 + index of the pair of a point; zero between uses; owned */
  PetscInt  n, room;
  CrMultiplierPair *pairs; /* those that open; owned */
};

PetscErrorCode CrReturnsCreate(const CrContact *c, CrReturns **returns)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(returns));
  PetscCall(PetscCalloc1(c->npoints, &(*returns)->where));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReturnsDestroy(CrReturns **returns)
{
  PetscFunctionBeginUser;
  if (!*returns) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*returns)->where));
  PetscCall(PetscFree((*returns)->pairs));
  PetscCall(PetscFree(*returns));
  PetscFunctionReturn(PETSC_SUCCESS);
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

/* A pair that was pressed and is not: as it stands in the list, or as it was. */
static PetscErrorCode add_opened(CrMultipliers *mu, const CrMultiplierStep *step, PetscInt point,
                                 PetscInt pass)
{
  CrReturns        *r = mu->returns;
  CrMultiplierPair *pair;

  PetscFunctionBeginUser;
  if (r->n == r->room) {
    r->room = r->room ? 2 * r->room : 64;
    PetscCall(PetscRealloc(sizeof(CrMultiplierPair) * r->room, &r->pairs));
  }
  pair = &r->pairs[r->n++];
  if (r->where[point]) {
    *pair = mu->pairs[r->where[point] - 1];
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  CrPairRecall(mu, point, pass, step->fixed, pair);
  pair->point = point;
  pair->facet = mu->contact->facet[point];
  pair->mu    = mu->contact->pairs[mu->contact->passes[pass].pair].friction;
  pair->store = mu->memory[point].store;
  if (!mu->contact->passes[pass].master)
    CrWallVelocity(&mu->contact->passes[pass], step->t, step->t + step->h, pair->wall);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_opened(CrMultipliers *mu, const CrMultiplierStep *step)
{
  CrReturns *r = mu->returns;

  PetscFunctionBeginUser;
  r->n = 0;
  for (PetscInt k = 0; k < mu->npairs; k++) r->where[mu->pairs[k].point] = k + 1;
  for (PetscInt k = 0; k < mu->npressed; k++) {
    PetscInt point = mu->pressed[2 * k], pass = mu->pressed[2 * k + 1];

    if (!(mu->memory[point].store > 0) || mu->contact->passes[pass].partner >= 0) continue;
    if (r->where[point] && mu->pairs[r->where[point] - 1].lam > 0) continue;
    PetscCall(add_opened(mu, step, point, pass));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The impulse of a pair; v: after the iteration. */
static PetscReal impulse(const CrMultipliers *mu, const CrMultiplierStep *step,
                         const CrMultiplierPair *p, const PetscReal *v)
{
  PetscInt         dim    = mu->contact->model->dim;
  CrMultiplierPair before = *p;
  PetscReal        q1     = opening(dim, p, v), Q, speed;

  if (!(p->diagonal > 0)) return 0;
  speed = PetscSqrtReal(2 * p->store * p->diagonal);
  if (q1 < -CLOSING * speed) return 0;
  if (!mu->contact->passes[p->pass].master)
    CrWallVelocity(&mu->contact->passes[p->pass], step->t - step->h0, step->t, before.wall);
  Q = (opening(dim, &before, step->v0) + 2 * q1 - opening(dim, p, mu->star)) / 2;
  Q = PetscMax(Q, 0);
  return speed * speed / (p->diagonal * (Q + PetscSqrtReal(Q * Q + speed * speed)));
}

PetscErrorCode CrPairsReturn(CrMultipliers *mu, const CrMultiplierStep *step, PetscReal *v)
{
  CrReturns *r   = mu->returns;
  PetscInt   dim = mu->contact->model->dim, n = mu->npairs;

  PetscFunctionBeginUser;
  PetscCall(find_opened(mu, step));
  CrPairsPrecondition(CR_INNER_JACOBI, r->n, r->pairs, mu->share);
  for (PetscInt k = 0; k < r->n; k++) {
    CrMultiplierPair *p = &r->pairs[k];

    p->lam      = impulse(mu, step, p, v) / step->kick;
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

/* Returns the energy of impacts (theory 19.6). A node with a lumped mass does not rebound when it comes into contact,
   and loses energy. While a pair is pressed, it stores the energy that its normal force takes from the bodies. When the
   pair opens, an impulse along its normal returns this energy, after the iteration. The impulses j_s of all pairs s
   that open increase the energy of the bodies by

     sum_s j_s Q_s + j.H j/2  <=  sum_s (j_s Q_s + Ht_s j_s^2/2),    Q = (q_0 + 2 q_1 - q*)/2,

   where q_0, q_1 and q* are the opening rates before the step, after the iteration, and without contact. H has the
   inverse masses. Its bound Ht is the diagonal of iterate.c for the pairs that open. Each j_s makes its term of the
   bound equal to the energy that the pair has stored. So all pairs together never return more than they have lost.

   A pair that is no longer pressed waits with its impulse, as long as it still closes or other pairs press its
   slave. */
#include "base/grow.h"
#include "base/lazy.h"
#include "contact/multipliers/return.h"

#define REBOUND 2.0 /* at most this many times the energy of a plastic collision is given back */
#define CLOSING                                                                                    \
  0.01 /* a pair that closes faster than this part of the speed to be given has not opened */
#define APART 0.02  /* beyond a gap of this part of half a facet no energy is given back */
#define TRACE 1e-12 /* forces below this part of the last force are rounding errors */

struct CrReturns {
  PetscInt *where; /* [npoints] 1 + index of the pair of a point; zero between uses; owned */
  char     *waits; /* [npoints] is the point in `next`? owned */
  /* Points that are not pressed and have stored energy: after the last accepted step, and after this step. */
  CrPointList waiting, next;
  PetscInt    n, room;
  CrPress    *pairs; /* pairs that open; owned */
};

PetscErrorCode CrReturnsCreate(const CrContact *c, CrReturns **returns)
{
  CrReturns *r;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  PetscCall(CrLazyCreate(c->npoints, &r->where));
  PetscCall(CrLazyCreate(c->npoints, &r->waits));
  PetscCall(CrLazyCreate(2 * c->npoints, &r->waiting.items));
  PetscCall(CrLazyCreate(2 * c->npoints, &r->next.items));
  *returns = r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReturnsDestroy(CrReturns **returns)
{
  CrReturns *r = *returns;

  PetscFunctionBeginUser;
  if (!r) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrLazyDestroy(&r->where));
  PetscCall(CrLazyDestroy(&r->waits));
  PetscCall(CrLazyDestroy(&r->waiting.items));
  PetscCall(CrLazyDestroy(&r->next.items));
  PetscCall(PetscFree(r->pairs));
  PetscCall(PetscFree(*returns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrReturnsResume(CrMultipliers *m)
{
  const CrContact *c = m->contact;

  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt j = 0; j < m->lists->passes[k].nmine; j++) {
      PetscInt i = c->passes[k].first + m->lists->passes[k].mine[j];

      if (m->memory[i].lam[0] == 0 && m->memory[i].store > 0)
        CrPointListPut(&m->returns->waiting, i, k);
    }
}

/* The loss of a step may be negative: an iteration that is not converged may also create energy, and the store balances
   the two. The fastest approach limits the energy that is returned. */
void CrPressStore(PetscInt dim, PetscReal work, const PetscReal w0[3], CrPress *p)
{
  PetscReal closing = 0;

  if (p->returned) return;
  for (PetscInt i = 0; i < dim; i++) closing -= p->nu[i] * w0[i];
  if (closing > 0) p->most = PetscMax(p->most, REBOUND * closing * closing / (2 * p->diagonal));
  p->store = PetscMin(p->store - work, p->most);
}

static PetscReal opening(PetscInt dim, const CrPress *p, const PetscReal *v)
{
  PetscReal w[3] = {0}, rate = 0;

  CrPressVelocity(dim, p, v, w);
  for (PetscInt i = 0; i < dim; i++) rate += p->nu[i] * w[i];
  return rate;
}

/* ---- who opens ------------------------------------------------------------------------------- */

/* A pair that opens in this step may still have a trace of its force. */
static PetscBool presses(const CrMultipliers *m, const CrPress *p)
{
  return p->lam[0] > TRACE * m->memory[p->point].lam[0];
}

/* Finds a pair that is not pressed: its entry in the list, or its state when it was last pressed. */
static void recall(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt point,
                   PetscInt pass, CrPress *pair)
{
  const CrReturns *r = m->returns;

  if (r->where[point]) {
    CrPress *p = &m->pairs[r->where[point] - 1];

    CrPressGuess((PetscReal[4]){0}, p); /* except for a trace, it was not pressed */
    *pair = *p;
    return;
  }
  CrPressRecall(m, point, pass, step, pair);
  pair->mu = m->contact->pairs[m->contact->passes[pass].pair].friction;
  pair->store = m->memory[point].store;
  pair->lam[0] = 0;
  CrPassVelocity(&m->contact->passes[pass], step->t, step->t + step->h, pair->wall);
}

/* Decides about a point that was pressed or has waited: it opens now, it waits, or it gets nothing back. m->share is
   not zero at the nodes of pressed pairs. */
static PetscErrorCode sort_out(CrMultipliers *m, const CrMultiplierStep *step, PetscInt point,
                               PetscInt pass, const PetscReal *v)
{
  const CrPass *p = &m->contact->passes[pass];
  CrReturns    *r = m->returns;
  CrPress      *pair;
  PetscReal     speed;

  PetscFunctionBeginUser;
  if (!(m->memory[point].store > 0) || p->ops->body) PetscFunctionReturn(PETSC_SUCCESS);
  if (r->where[point] && presses(m, &m->pairs[r->where[point] - 1]))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(r->n + 1, &r->room, &r->pairs));
  pair = &r->pairs[r->n];
  recall(m, step, point, pass, pair);
  if (CrPressGapAt(m, pair, step->u0, step->t) > APART * p->reach)
    PetscFunctionReturn(PETSC_SUCCESS);
  speed = PetscSqrtReal(2 * pair->store * pair->flow[0]); /* approximate speed of the slave */
  if (m->share[pair->nodes[0]] > 0 || opening(m->contact->model->dim, pair, v) < -CLOSING * speed) {
    CrPointListPut(&r->next, point, pass);
    r->waits[point] = 1;
  } else
    r->n++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the pairs that open. It merges the points that were pressed and those that have waited. Both lists are
   ascending, so the result is ascending too, and does not depend on a restart. */
static PetscErrorCode find_opened(CrMultipliers *m, const CrMultiplierStep *step,
                                  const PetscReal *v)
{
  CrReturns         *r = m->returns;
  const CrPointList *w = &r->waiting, *pressed = &m->pressed;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < r->next.n; k++)
    r->waits[r->next.items[2 * k]] = 0; /* left by an attempt that failed */
  r->n = r->next.n = 0;
  for (PetscInt k = 0; k < m->npairs; k++)
    if (!m->pairs[k].second) r->where[m->pairs[k].point] = k + 1;
  for (PetscInt k = 0; k < m->npairs; k++)
    for (PetscInt a = 0; presses(m, &m->pairs[k]) && a < m->pairs[k].n; a++)
      m->share[m->pairs[k].nodes[a]] = 1;
  PetscCall(CrVicinityAdd(CrRoundsHalo(m->rounds), 1, 0,
                          m->share)); /* a slave may be pressed by pairs of other ranks */
  for (PetscInt i = 0, k = 0; i < pressed->n || k < w->n;) {
    PetscBool waited = i == pressed->n || (k < w->n && w->items[2 * k] < pressed->items[2 * i]);
    const PetscInt *item = waited ? w->items + 2 * k++ : pressed->items + 2 * i++;

    PetscCall(sort_out(m, step, item[0], item[1], v));
  }
  for (PetscInt k = 0; k < m->npairs; k++)
    for (PetscInt a = 0; a < m->pairs[k].n; a++) m->share[m->pairs[k].nodes[a]] = 0;
  CrRoundsZero(m->rounds, 1, m->share);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- giving back ----------------------------------------------------------------------------- */

/* The impulse that returns the stored energy of the pair, by the bound above. v are the velocities after the
   iteration. */
static PetscReal impulse(const CrMultipliers *m, const CrMultiplierStep *step, const CrPress *p,
                         const PetscReal *v)
{
  PetscInt  dim = m->contact->model->dim;
  CrPress   before = *p;
  PetscReal Q, speed2;

  if (!(p->diagonal > 0)) return 0;
  CrPassVelocity(&m->contact->passes[p->pass], step->t - step->h0, step->t, before.wall);
  Q = opening(dim, &before, step->v0) + 2 * opening(dim, p, v) - opening(dim, p, m->star);
  Q = PetscMax(Q / 2, 0);

  speed2 = 2 * p->store * p->diagonal;
  return speed2 / (p->diagonal * (Q + PetscSqrtReal(Q * Q + speed2)));
}

/* Sets the force that returns the stored energy. Where the pair slides, friction acts with the impulse, as with any other
   normal force. It does not reverse the slip: the diagonal is a bound for all pairs together. */
static void set_force(const CrMultipliers *m, const CrMultiplierStep *step, const PetscReal *v,
                      CrPress *p)
{
  const PetscInt dim = m->contact->model->dim;
  PetscReal      lam[4] = {impulse(m, step, p, v) / step->kick}, w[3] = {0}, slip, friction;

  CrPressVelocity(dim, p, v, w);
  (void)CrPressClosing(dim, p, w);
  slip = v_length(w);
  if (p->mu > 0 && slip > 0 && lam[0] > 0) {
    friction = PetscMin(p->mu * lam[0], slip / (step->kick * p->diagonal));
    v_add(lam + 1, friction / slip, w);
  }
  CrPressGuess(lam, p);
  p->returned = PETSC_TRUE;
}

/* Applies the impulses, which are all computed before the first one acts. Pairs that are not in the list are appended.
   */
static PetscErrorCode give_back(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  CrReturns *r = m->returns;

  PetscFunctionBeginUser;
  PetscCall(CrRoundsBegin(m->rounds, v, m->bodies));
  for (PetscInt k = 0; k < r->n; k++) {
    CrPress  *p = &r->pairs[k], *to;
    PetscReal force[3];

    if (!(p->lam[0] > 0)) continue;
    CrPressForce(p, force);
    CrPressPush(m->contact->model->dim, p, step->kick, force, v);
    if (r->where[p->point])
      to = &m->pairs[r->where[p->point] - 1];
    else
      PetscCall(CrPressAppend(m, &to));
    *to = *p;
  }
  PetscCall(CrRoundsEnd(m->rounds, v, m->bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressReturn(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  CrReturns  *r = m->returns;
  PetscInt    n = m->npairs;
  PetscReal   all;
  CrPressList opened;

  PetscFunctionBeginUser;
  PetscCall(find_opened(m, step, v));
  all = (PetscReal)r->n;
  PetscCall(CrRoundsSum(m->rounds, 1, &all));
  if (all > 0) {
    opened = (CrPressList){.pairs = r->pairs, .n = r->n};
    PetscCall(CrPressPrecondition(m, CR_INNER_JACOBI, &opened));
    for (PetscInt k = 0; k < r->n; k++) set_force(m, step, v, &r->pairs[k]);
    PetscCall(give_back(m, step, v));
  }
  for (PetscInt k = 0; k < n; k++) r->where[m->pairs[k].point] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrReturnsCommit(CrMultipliers *m, CrContactHistory *history)
{
  CrReturns  *r = m->returns;
  CrPointList w = r->waiting;

  for (PetscInt k = 0; k < w.n; k++)
    if (!r->waits[w.items[2 * k]]) CrPointForget(history, w.items[2 * k]);
  r->waiting = r->next;
  r->next = w;
  for (PetscInt k = 0; k < r->waiting.n; k++) r->waits[r->waiting.items[2 * k]] = 0;
  r->next.n = 0;
}

PetscBool CrReturnsWait(const CrMultipliers *m, PetscInt point)
{
  return m->returns && m->returns->waits[point];
}

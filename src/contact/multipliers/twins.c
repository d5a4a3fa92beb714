/* Removes redundant pairs of twins. Twins are nodes of two surfaces that coincide. Both may be slaves, one on the side
   that leads and the other one because it is sharp. Their two pairs impose the same condition, so that only the sum of
   their forces would be determined. The pair of the side that leads stays. Its iteration starts from the sum of both
   forces. */
#include "contact/multipliers/press.h"

#define TWIN   0.95 /* weight of the corner on which a point stands */
#define MIRROR 0.95 /* cosine of the angle between both directions of contact */

/* The node of the master on which the point of a pair stands; -1: none. */
static PetscInt stands_on(const CrPress *p)
{
  for (PetscInt a = 1; a < p->n; a++)
    if (-p->W[a] > TWIN) return p->nodes[a];
  return -1;
}

/* May a pair of the pass have a twin? Of two bodies, the pair of the one that leads stays. */
static PetscBool may_go(const CrPass *p)
{
  return p->cones && p->kind == CR_NODE_ON_FACET && p->slave->body != p->master->body && !p->leads;
}

static PetscBool may_stay(const CrPass *p)
{
  return p->cones && p->kind == CR_NODE_ON_FACET && p->slave->body != p->master->body && p->leads;
}

PetscBool CrPressMayHaveTwins(const CrContact *c)
{
  PetscBool goes = PETSC_FALSE, stays = PETSC_FALSE;

  for (PetscInt k = 0; k < c->npasses; k++) {
    goes = goes || may_go(&c->passes[k]);
    stays = stays || may_stay(&c->passes[k]);
  }
  return goes && stays;
}

void CrPressCountTwins(const CrMultipliers *m, PetscReal counts[2])
{
  for (PetscInt k = 0; m->twin && k < m->npairs; k++) {
    const CrPass *p = &m->contact->passes[m->pairs[k].pass];

    if (stands_on(&m->pairs[k]) < 0) continue;
    counts[0] += may_stay(p);
    counts[1] += may_go(p);
  }
}

/* What the node of a pair that stays carries to the ranks that need it: 1 + pair, the node on which it stands (natural),
   pair of the deck, normal. What comes back: the number of pairs that go, and the sum of their multipliers. */
enum { NUMBER, ON, DECK, NORMAL, GONE = NORMAL + 3, LAM };

/* Notes the pairs whose points stand on nodes, by their own node, or forgets them. */
static void note(CrMultipliers *m, PetscBool forget)
{
  for (PetscInt k = 0; k < m->npairs; k++) {
    const CrPress *p = &m->pairs[k];
    const CrPass  *pass = &m->contact->passes[p->pass];
    PetscReal     *t = m->twin + CR_TWIN_REALS * p->nodes[0];
    PetscInt       on = stands_on(p);

    if (!may_stay(pass)) continue;
    for (int i = 0; i < CR_TWIN_REALS; i++) t[i] = 0;
    if (forget || on < 0) continue;
    t[NUMBER] = (PetscReal)k + 1;
    t[ON] = (PetscReal)m->contact->model->natural[on];
    t[DECK] = (PetscReal)pass->pair;
    v_copy(p->nu, t + NORMAL);
  }
}

/* The notes of the pair that states the same law as q, and stays; NULL: none. */
static PetscReal *twin_of(const CrMultipliers *m, const CrPress *q)
{
  const CrPass *pass = &m->contact->passes[q->pass];
  PetscInt      on = may_go(pass) ? stands_on(q) : -1;
  PetscReal    *t = m->twin + CR_TWIN_REALS * PetscMax(on, 0);

  if (on < 0 || t[NUMBER] == 0 || (PetscInt)t[DECK] != pass->pair) return NULL;
  if ((PetscInt)t[ON] != m->contact->model->natural[q->nodes[0]]) return NULL;
  return v_dot(t + NORMAL, q->nu) < -MIRROR ? t : NULL;
}

/* The forces of the twins that go are added to that of the pair that stays. */
static void take_over(CrMultipliers *m)
{
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress         *p = &m->pairs[k];
    const PetscReal *t = m->twin + CR_TWIN_REALS * p->nodes[0];
    PetscReal        lam[4] = {p->lam[0] + t[LAM]};

    if (!may_stay(&m->contact->passes[p->pass]) || (PetscInt)t[NUMBER] != k + 1 || t[GONE] == 0)
      continue;
    for (int i = 1; i < 4; i++) lam[i] = p->lam[i] - t[LAM + i];
    CrPressGuess(lam, p);
  }
}

static void drop(CrMultipliers *m)
{
  PetscInt kept = 0;

  for (PetscInt k = 0; k < m->npairs; k++) {
    if (m->pairs[k].n == 0 && may_go(&m->contact->passes[m->pairs[k].pass])) continue;
    if (kept < k) m->pairs[kept] = m->pairs[k];
    kept++;
  }
  m->npairs = kept;
}

/* The notes go to the ranks with the other pair. Then only the answers at the halo may be added to the owners'. */
PetscErrorCode CrPressDropTwins(CrMultipliers *m)
{
  PetscFunctionBeginUser;
  if (!m->twins) PetscFunctionReturn(PETSC_SUCCESS);
  note(m, PETSC_FALSE);
  PetscCall(CrVicinityBring(CrRoundsHalo(m->rounds), CR_TWIN_REALS, m->twin));
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress   *q = &m->pairs[k];
    PetscReal *t = twin_of(m, q);

    if (!t) continue;
    t[GONE] += 1;
    for (int i = 0; i < 4; i++) t[LAM + i] += q->lam[i];
    q->n = 0;
  }
  PetscCall(CrVicinityAdd(CrRoundsHalo(m->rounds), CR_TWIN_REALS, GONE, m->twin));
  take_over(m);
  note(m, PETSC_TRUE);
  CrRoundsZero(m->rounds, CR_TWIN_REALS, m->twin);
  drop(m);
  PetscFunctionReturn(PETSC_SUCCESS);
}

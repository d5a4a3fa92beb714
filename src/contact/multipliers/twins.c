/* Twins: where nodes of two surfaces stand on each other, both may be slaves. One belongs to the side that leads, the
   other one is sharp. Their two pairs state the same law, so that only the sum of their forces would be determined. The
   pair of the side that leads stays. Its iteration starts from the sum of both forces. */
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

static PetscBool is_mirror(const CrMultipliers *m, const CrPress *p, const CrPress *q)
{
  const CrPass *passes = m->contact->passes;

  return passes[p->pass].pair == passes[q->pass].pair && stands_on(p) == q->nodes[0] &&
         v_dot(p->nu, q->nu) < -MIRROR;
}

/* The force of q is added to that of p. */
static void take_over(const CrPress *q, CrPress *p)
{
  PetscReal lam[4] = {p->lam[0] + q->lam[0]};

  for (int i = 1; i < 4; i++) lam[i] = p->lam[i] - q->lam[i];
  CrPressGuess(lam, p);
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

/* Notes the pairs whose points stand on nodes, by their own node, or forgets them. */
static void note(CrMultipliers *m, PetscBool forget)
{
  for (PetscInt k = 0; k < m->npairs; k++) {
    const CrPass *pass = &m->contact->passes[m->pairs[k].pass];

    if (may_stay(pass))
      m->twin[m->pairs[k].nodes[0]] = forget || stands_on(&m->pairs[k]) < 0 ? 0 : k + 1;
  }
}

/* The pair that states the same law as q, and stays; NULL: none. */
static CrPress *twin_of(const CrMultipliers *m, const CrPress *q)
{
  const CrPass *pass = &m->contact->passes[q->pass];
  PetscInt      on = may_go(pass) ? stands_on(q) : -1;

  if (on < 0 || !m->twin[on] || !is_mirror(m, &m->pairs[m->twin[on] - 1], q)) return NULL;
  return &m->pairs[m->twin[on] - 1];
}

void CrPressDropTwins(CrMultipliers *m)
{
  PetscInt kept = 0;

  note(m, PETSC_FALSE);
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress *p = twin_of(m, &m->pairs[k]);

    if (!p) continue;
    take_over(&m->pairs[k], p);
    m->pairs[k].n = 0;
  }
  note(m, PETSC_TRUE);
  for (PetscInt k = 0; k < m->npairs; k++) {
    if (m->pairs[k].n == 0 && may_go(&m->contact->passes[m->pairs[k].pass])) continue;
    if (kept < k) m->pairs[kept] = m->pairs[k];
    kept++;
  }
  m->npairs = kept;
}

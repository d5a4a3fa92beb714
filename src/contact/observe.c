/* What output shows of contact. */
#include "contact/internal.h"

static PetscReal length(const PetscReal v[3])
{
  return PetscSqrtReal(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void CrContactGatherNodes(CrContact *c)
{
  static const CrContactNodal nothing = {PETSC_MAX_REAL, 0, 0, CR_OPEN};

  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = 0; c->passes[k].slave && i < c->passes[k].n; i++)
      c->nodal[c->passes[k].slave->nodes[i]] = nothing;
  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = 0; c->passes[k].slave && i < c->passes[k].n; i++) {
      PetscInt        point = c->passes[k].first + i;
      CrContactNodal *node  = &c->nodal[c->passes[k].slave->nodes[i]];

      node->gap  = PetscMin(node->gap, c->gap[point]);
      node->slip = PetscMax(node->slip, length(c->slip + 3 * point));
      node->pressure += c->pressure[point];
      if (c->status[point]) node->status = (CrContactStatus)c->status[point];
    }
}

/* A node that slides along several walls of a box slides once. */
static PetscReal slip_of(const CrContact *c, const CrPass *first, PetscInt i, PetscBool *touched)
{
  PetscReal greatest = 0;

  *touched = PETSC_FALSE;
  for (const CrPass *p = first; p < c->passes + c->npasses && p->pair == first->pair; p++) {
    if (p->slave != first->slave) continue;
    greatest = PetscMax(greatest, length(c->slip + 3 * (p->first + i)));
    if (c->touched[p->first + i]) *touched = PETSC_TRUE;
  }
  return greatest;
}

static const CrPass *first_pass(const CrContact *c, PetscInt pair)
{
  const CrPass *p = c->passes;

  while (p->pair != pair) p++;
  return p;
}

void CrPairSlip(const CrContact *c, PetscInt pair, PetscReal slip[3])
{
  const CrPass *p;
  PetscReal     mean = 0, least = PETSC_MAX_REAL, greatest = 0;
  PetscInt      n = 0;

  slip[0] = slip[1] = slip[2] = 0;
  if (c->pairs[pair].rigid) {
    CrSlidesOfPair(c, pair, slip);
    return;
  }
  p = first_pass(c, pair);
  for (PetscInt i = 0; i < p->n; i++) {
    PetscBool touched;
    PetscReal s = slip_of(c, p, i, &touched);

    if (c->pairs[pair].whole && !touched) continue;
    mean += s;
    least    = PetscMin(least, s);
    greatest = PetscMax(greatest, s);
    n++;
  }
  slip[0] = n ? mean / n : 0;
  slip[1] = n ? least : 0;
  slip[2] = greatest;
}

PetscBool CrPairHasTouched(const CrContact *c, PetscInt pair)
{
  if (c->pairs[pair].rigid) return c->met[pair] ? PETSC_TRUE : PETSC_FALSE;
  for (const CrPass *p = first_pass(c, pair); p < c->passes + c->npasses && p->pair == pair; p++)
    for (PetscInt i = 0; i < p->n; i++)
      if (c->touched[p->first + i]) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrContactHasTouched(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++)
    if (c->met[k]) return PETSC_TRUE;
  for (PetscInt k = 0; k < c->npoints; k++)
    if (c->touched[k]) return PETSC_TRUE;
  return PETSC_FALSE;
}

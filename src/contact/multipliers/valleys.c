/* Pairs of points in valleys. A point in a valley may be in contact with several facets (theory 19.8). The pairs of
   such a point are consecutive in the list. The first pair is on the facet of the point's history. The other pairs are
   on facets beyond the concave edges of this facet. */
#include "base/grow.h"
#include "contact/multipliers/press.h"

#define SWEEPS 24

PetscErrorCode CrPressListValleys(CrMultipliers *m)
{
  PetscFunctionBeginUser;
  m->nvalley = 0;
  for (PetscInt k = 1; k < m->npairs; k++) {
    if (!m->pairs[k].second || m->pairs[k - 1].point != m->pairs[k].point) continue;
    PetscCall(CrGrow(m->nvalley + 2, &m->room_valley, &m->valley));
    if (!m->pairs[k - 1].second) m->valley[m->nvalley++] = k - 1;
    m->valley[m->nvalley++] = k;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The pairs of one point depend on each other more than others do, so they get more iterations. */
PetscErrorCode CrPressIterateValleys(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v)
{
  const CrPressList   list = {.pairs = m->pairs, .n = m->nvalley, .index = m->valley};
  CrMultiplierOptions options = m->options;
  PetscInt            more = 0;

  PetscFunctionBeginUser;
  if (!(m->all_seconds > 0) || m->options.iterations >= SWEEPS) PetscFunctionReturn(PETSC_SUCCESS);
  options.inner = CR_INNER_GAUSS_SEIDEL;
  options.iterations = SWEEPS;
  PetscCall(CrPressPrecondition(m, options.inner, &list));
  PetscCall(CrPressIterate(m, &options, step->kick, &list, v, &more));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrPressPassesOver(CrContactHistory *history, CrPress *p)
{
  CrPointMemory *memory = &CrPointMemories(history)[p->point];
  int            at = memory->beside[0].lam > 0;

  p->second = memory->lam[0] > 0;
  if (!p->second) return PETSC_TRUE;
  memory->beside[at] = (CrBesideMemory){(PetscReal)p->facet + 1, p->lam[0], p->offset};
  return PETSC_FALSE;
}

/* Where surfaces are: see place.h. */
#include "contact/place.h"

/* The slave's own normal at t_n: mean of its facets, weighted by size; none at the rim of a surface,
   where it would say little. */
void CrSlaveNormal(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u0,
                   PetscReal normal[3])
{
  const CrSurface *s = p->slave;
  PetscReal        x[CR_CONTACT_DOFS], sum = 0;
  CrProximity      near;

  for (int d = 0; d < 3; d++) normal[d] = 0;
  if (s->rim[i]) return;
  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++) {
    PetscInt f = s->around[k], n = CrGatherFacet(c, s, s->nodes[i], f, u0, x);

    CrFacetProximity(c->model->dim, n, x, &near);
    for (int d = 0; d < 3; d++) normal[d] += s->size[f] * near.nu[d];
  }
  for (int d = 0; d < 3; d++) sum += PetscSqr(normal[d]);
  for (int d = 0; d < 3 && sum > 0; d++) normal[d] /= PetscSqrtReal(sum);
}

/* Positions of surfaces: see place.h. */
#include "contact/place.h"

/* The normal of the slave's surface: the mean over its facets, weighted by size. It is zero at the rim of a
   surface, where a mean has no meaning. */
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

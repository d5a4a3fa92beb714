/* Positions of surfaces: see place.h. */
#include "contact/place.h"
#include "base/vector.h"

void CrSlaveNormal(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u0,
                   PetscReal normal[3])
{
  const CrSurface *s = p->slave;
  PetscReal        x[CR_CONTACT_DOFS];
  CrProximity      near;

  for (int d = 0; d < 3; d++) normal[d] = 0;
  if (s->rim[i]) return;
  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++) {
    PetscInt f = s->around[k], n = CrGatherFacet(c, s, s->nodes[i], f, u0, x);

    CrFacetProximity(c->model->dim, n, x, &near);
    v_add(normal, s->size[f], near.nu);
  }
  (void)v_unit(normal);
}

/* Both sides have samples, so that the spacings of facets stand for those of points. */
static PetscReal sample_share(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                              PetscBool leads)
{
  const CrPair   *pair = &c->pairs[p->pair];
  const CrSample *sample = &p->samples->list[i];
  PetscReal       other = p->master->features->facet_spacing[facet];

  if (pair->sides == CR_SIDES_BOTH)
    return CrShareBothBySpacing(sample->spacing, other, sample->turn > pair->corner);
  return CrShareFinerBySpacing(sample->spacing, other, sample->turn > 2 * pair->corner, leads);
}

PetscReal CrPointShare(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet)
{
  const CrPair *pair = &c->pairs[p->pair];
  PetscBool     leads =
      p->slave->body != p->master->body ? p->slave->body < p->master->body : !p->reversed;

  if (p->kind == CR_SAMPLE_ON_FACET) return sample_share(c, p, i, facet, leads);
  if (pair->sides == CR_SIDES_BOTH) return CrShareBoth(p->slave, i, p->master, facet, pair->corner);
  if (pair->sides == CR_SIDES_FINER)
    /* coarse polygons of round bodies turn by up to 30 degrees and must not have points of both sides everywhere */
    return CrShareFiner(p->slave, i, p->master, facet, 2 * pair->corner, leads);
  return 1;
}

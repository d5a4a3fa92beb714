/* Creates the passes of samples on facets, in addition to those of nodes (theory 13.11). */
#include "contact/pairs/pairs.h"

/* The samples of a surface; each list is made once. */
static PetscErrorCode use_samples(CrContact *c, const CrSurface *surface, PetscInt m,
                                  const CrSamples **out)
{
  PetscInt k = 0;

  PetscFunctionBeginUser;
  while (k < c->nsamples && (c->samples[k]->surface != surface || c->samples[k]->m != m)) k++;
  if (k == c->nsamples) {
    PetscCall(PetscRealloc(sizeof(CrSamples *) * (size_t)(k + 1), &c->samples));
    c->samples[k] = NULL;
    c->nsamples++;
    PetscCall(CrSamplesCreate(c->model, surface, m, &c->samples[k]));
  }
  *out = c->samples[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSamplePassesAdd(CrContact *c, PetscInt from, PetscInt n)
{
  PetscFunctionBeginUser;
  for (PetscInt k = from; k < from + n; k++) {
    const PetscInt m = c->pairs[c->passes[k].pair].samples;
    CrPass         p;

    if (m < 2) continue;
    PetscCall(use_samples(c, c->passes[k].slave, m, &c->passes[k].samples));
    p = c->passes[k];
    CrPassSetKind(&p, CR_SAMPLE_ON_FACET);
    p.n = p.samples->n;
    PetscCall(CrPassAdd(c, p));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Walls and rigid bodies have no facets. */
PetscErrorCode CrPairCheckSamples(const CrDeckNode *node, const CrSide *slave, const CrSide *master)
{
  const CrDeckNode *samples = CrDeckFind(node, "samples");

  PetscFunctionBeginUser;
  if (CrDeckInteger(samples) > 1 && (slave->rigid || master->set < 0))
    CrDeckFail(samples,
               "contact points between nodes (samples) need two surfaces of deformable bodies");
  PetscFunctionReturn(PETSC_SUCCESS);
}

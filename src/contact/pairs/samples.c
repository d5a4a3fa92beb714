/* Creates the passes of samples on facets, in addition to those of nodes (theory 13.11). */
#include "base/vector.h"
#include "contact/geometry/edges.h"
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

/* The shortest side of a facet. Where facets are largest does not matter: a point is used only on facets that are
   smaller than its edge. */
static PetscReal shortest_side(const CrModel *model, const CrSurface *s)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt f = 0; f < s->nfacets; f++) {
    PetscReal x[4][3], way[3];
    PetscInt  n = CrFacetCorners(model, s->ncorners, s->corners, f, NULL, x);

    for (PetscInt a = 0; a < n; a++) {
      v_less(x[(a + 1) % n], x[a], way);
      least = PetscMin(least, v_length(way));
    }
  }
  return least;
}

/* Gives a list of points to the contact, which owns it; an empty one goes. */
static PetscErrorCode keep(CrContact *c, CrSamples *points, const CrSamples **out)
{
  PetscFunctionBeginUser;
  *out = NULL;
  if (!points->n) {
    PetscCall(CrSamplesDestroy(&points));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscRealloc(sizeof(CrSamples *) * (size_t)(c->nsamples + 1), &c->samples));
  *out = c->samples[c->nsamples++] = points;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBodyEdgePointsAdd(CrContact *c, CrPass *p)
{
  CrSamples *points;

  PetscFunctionBeginUser;
  PetscCall(CrSamplesOfBody(CrRigidShape(c->model->rigid, p->partner), c->pairs[p->pair].corner,
                            shortest_side(c->model, p->master), &points));
  PetscCall(keep(c, points, &p->samples));
  if (p->samples) p->n += p->samples->n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLongEdgePassesAdd(CrContact *c, PetscInt from, PetscInt n)
{
  PetscFunctionBeginUser;
  for (PetscInt k = from; k < from + n; k++) {
    const CrPair *pair = &c->pairs[c->passes[k].pair];
    CrPass        p = c->passes[k];
    CrSamples    *points;

    PetscCall(CrSamplesOfLongEdges(c->model, p.slave, pair->corner, PetscMax(pair->samples, 1),
                                   shortest_side(c->model, p.master), &points));
    PetscCall(keep(c, points, &p.samples));
    if (!p.samples) continue;
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

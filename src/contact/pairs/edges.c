/* Passes of sharp edges on sharp edges, beside those of nodes on facets. */
#include "contact/pairs/pairs.h"

/* The sharp edges of a surface; each list is made once. */
static PetscErrorCode use_ridges(CrContact *c, const CrSurface *surface, PetscReal corner,
                                 const CrRidges **out)
{
  PetscInt k = 0;

  PetscFunctionBeginUser;
  while (k < c->nridges && (c->ridges[k]->surface != surface || c->ridges[k]->corner != corner))
    k++;
  if (k == c->nridges) {
    PetscCall(PetscRealloc(sizeof(CrRidges *) * (size_t)(k + 1), &c->ridges));
    c->ridges[k] = NULL;
    c->nridges++;
    PetscCall(CrRidgesCreate(c->model, surface, corner, &c->ridges[k]));
  }
  *out = c->ridges[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrEdgePassesAdd(CrContact *c, PetscInt from)
{
  const PetscInt to = c->finer ? from + 1 : c->npasses; /* an exact law needs each crossing once */

  PetscFunctionBeginUser;
  for (PetscInt k = from; k < to; k++) {
    CrPass    p = c->passes[k];
    PetscReal corner = (c->finer ? CR_EXACT_CORNERS : 1) * c->pairs[p.pair].corner;

    PetscCall(use_ridges(c, p.slave, corner, &p.ridges[0]));
    PetscCall(use_ridges(c, p.master, corner, &p.ridges[1]));
    if (!p.ridges[0]->n || !p.ridges[1]->n) continue;
    CrPassSetKind(&p, CR_EDGE_ON_EDGE);
    p.tree = p.ridges[1]->tree;
    p.first = c->npoints;
    p.n = p.ridges[0]->n;
    PetscCall(PetscRealloc(sizeof(CrPass) * (size_t)(c->npasses + 1), &c->passes));
    c->passes[c->npasses++] = p;
    c->npoints += p.n;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

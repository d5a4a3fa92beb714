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

/* A pass of the edges of both surfaces of pass k that turn by more than `corner`, unless one has none. */
static PetscErrorCode add_pass(CrContact *c, PetscInt k, PetscReal corner, PetscBool waits)
{
  CrPass p = c->passes[k];

  PetscFunctionBeginUser;
  PetscCall(use_ridges(c, p.slave, corner, &p.ridges[0]));
  PetscCall(use_ridges(c, p.master, corner, &p.ridges[1]));
  if (!p.ridges[0]->n || !p.ridges[1]->n) PetscFunctionReturn(PETSC_SUCCESS);
  CrPassSetKind(&p, CR_EDGE_ON_EDGE);
  p.tree = p.ridges[1]->tree;
  p.first = c->npoints;
  p.n = p.ridges[0]->n;
  p.waits = waits;
  PetscCall(PetscRealloc(sizeof(CrPass) * (size_t)(c->npasses + 1), &c->passes));
  c->passes[c->npasses++] = p;
  c->npoints += p.n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrEdgePassesAdd(CrContact *c, PetscInt from)
{
  const PetscInt  end = c->npasses;
  const PetscInt  to = c->finer ? from + 1 : end; /* an exact law needs each crossing once */
  const PetscReal corner = c->pairs[c->passes[from].pair].corner;

  PetscFunctionBeginUser;
  for (PetscInt k = from; k < to; k++)
    PetscCall(
        add_pass(c, k, (c->finer && !c->sweeps ? CR_EXACT_CORNERS : 1) * corner, PETSC_FALSE));
  /* An edge may cross several edges, which then see it from their side. In statics the
     iterates of faces that lie on each other would call all of their edges. */
  for (PetscInt k = from; c->tight && !c->model->quasi_static && k < end; k++)
    PetscCall(add_pass(c, k, corner, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

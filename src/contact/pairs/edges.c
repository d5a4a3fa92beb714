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

/* The sharp edges of a rigid body. */
static PetscErrorCode use_body_ridges(CrContact *c, PetscInt body, PetscReal corner,
                                      const CrRidges **out)
{
  PetscInt k = 0;

  PetscFunctionBeginUser;
  while (k < c->nridges &&
         (!c->ridges[k]->shape || c->ridges[k]->body != body || c->ridges[k]->corner != corner))
    k++;
  if (k == c->nridges) {
    PetscCall(PetscRealloc(sizeof(CrRidges *) * (size_t)(k + 1), &c->ridges));
    c->ridges[k] = NULL;
    c->nridges++;
    PetscCall(CrRidgesOfBody(CrRigidShape(c->model->rigid, body), body, corner, &c->ridges[k]));
  }
  *out = c->ridges[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds a pass in which edges of one side meet those of the other. */
static PetscErrorCode add_pass(CrContact *c, CrPass p, CrPassKind kind)
{
  PetscFunctionBeginUser;
  CrPassSetKind(&p, kind);
  p.tree = p.ridges[1]->tree;
  p.first = c->npoints;
  p.n = p.ridges[0]->n;
  PetscCall(PetscRealloc(sizeof(CrPass) * (size_t)(c->npasses + 1), &c->passes));
  c->passes[c->npasses++] = p;
  c->npoints += p.n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal shortest(const CrRidges *r)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt i = 0; i < r->n; i++) least = PetscMin(least, r->length[i]);
  return least;
}

/* An exact law needs each crossing once. The shorter edges are its slaves, because a long one may cross several. An
   edge of a rigid body has the mean weight of an edge of the surface, because its own area has nothing to do with
   the mesh. */
PetscErrorCode CrBodyEdgePassesAdd(CrContact *c, PetscInt k)
{
  CrPass          p = c->passes[k];
  const PetscReal corner = c->pairs[p.pair].corner;
  const CrRidges *own;

  PetscFunctionBeginUser;
  PetscCall(use_ridges(c, p.slave, corner, &own));
  PetscCall(use_body_ridges(c, p.partner, corner, &p.ridges[1]));
  p.ridges[0] = own;
  if (!own->n || !p.ridges[1]->n) PetscFunctionReturn(PETSC_SUCCESS);
  if (c->springs || shortest(own) <= shortest(p.ridges[1]))
    PetscCall(add_pass(c, p, CR_EDGE_ON_BODY));
  if (!c->springs && shortest(own) <= shortest(p.ridges[1])) PetscFunctionReturn(PETSC_SUCCESS);
  p.ridges[0] = p.ridges[1];
  p.ridges[1] = own;
  p.master = p.slave;
  p.slave = NULL;
  p.reversed = PETSC_TRUE;
  p.weight = 0;
  for (PetscInt i = 0; i < own->n; i++) p.weight += own->weight[i] / (PetscReal)own->n;
  PetscCall(add_pass(c, p, CR_BODY_ON_EDGE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A pass of the edges of both surfaces of pass k that turn by more than `corner`, unless one has none. */
static PetscErrorCode add_edges(CrContact *c, PetscInt k, PetscReal corner)
{
  CrPass p = c->passes[k];

  PetscFunctionBeginUser;
  PetscCall(use_ridges(c, p.slave, corner, &p.ridges[0]));
  PetscCall(use_ridges(c, p.master, corner, &p.ridges[1]));
  if (!p.ridges[0]->n || !p.ridges[1]->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(add_pass(c, p, CR_EDGE_ON_EDGE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrEdgePassesAdd(CrContact *c, PetscInt from)
{
  const PetscInt  end = c->npasses;
  const PetscInt  to = c->finer ? from + 1 : end; /* an exact law needs each crossing once */
  const PetscReal corner = c->pairs[c->passes[from].pair].corner;

  PetscFunctionBeginUser;
  for (PetscInt k = from; k < to; k++)
    PetscCall(add_edges(c, k, (c->finer && !c->sweeps ? CR_EXACT_CORNERS : 1) * corner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

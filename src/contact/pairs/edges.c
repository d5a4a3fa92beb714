/* Creates the passes of sharp edges on sharp edges, in addition to those of nodes on facets. */
#include "contact/pairs/pairs.h"

/* The sharp edges of a surface, or of a rigid body (surface is NULL); each list is made once. */
static PetscErrorCode use_ridges(CrContact *c, const CrSurface *surface, PetscInt body,
                                 PetscReal corner, PetscInt copies, const CrRidges **out)
{
  PetscInt k = 0;

  PetscFunctionBeginUser;
  while (k < c->nridges &&
         (c->ridges[k]->surface != surface || c->ridges[k]->corner != corner ||
          c->ridges[k]->copies != copies || (!surface && c->ridges[k]->body != body)))
    k++;
  if (k == c->nridges) {
    PetscCall(PetscRealloc(sizeof(CrRidges *) * (size_t)(k + 1), &c->ridges));
    c->ridges[k] = NULL;
    c->nridges++;
    if (surface)
      PetscCall(CrRidgesCreate(c->model, surface, corner, copies, &c->ridges[k]));
    else
      PetscCall(CrRidgesOfBody(CrRigidShape(c->model->rigid, body), body, corner, &c->ridges[k]));
  }
  *out = c->ridges[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The shell of a surface; each is made once. */
static PetscErrorCode use_shell(CrContact *c, const CrSurface *surface, CrShell **out)
{
  PetscInt k = 0;

  PetscFunctionBeginUser;
  while (k < c->nshells && c->shells[k]->surface != surface) k++;
  if (k == c->nshells) {
    PetscCall(PetscRealloc(sizeof(CrShell *) * (size_t)(k + 1), &c->shells));
    c->shells[k] = NULL;
    c->nshells++;
    PetscCall(CrShellCreate(c->model, surface, 180, &c->shells[k])); /* needs no edges */
  }
  *out = c->shells[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds a pass in which edges of one side meet those of the other. */
static PetscErrorCode add_pass(CrContact *c, CrPass p, CrPassKind kind)
{
  PetscFunctionBeginUser;
  CrPassSetKind(&p, kind);
  p.tree = p.ridges[1]->tree;
  p.n = p.ridges[0]->n;
  PetscCall(CrPassAdd(c, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define CROSSINGS 8 /* most edges that an edge crosses at once, beside those of edges on edges */

/* Edges of a pair that turn by more than this meet other edges. */
static PetscReal exact_corner(const CrContact *c, PetscInt pair)
{
  return (!c->springs && !c->sweeps ? CR_EXACT_CORNERS : 1) * c->pairs[pair].corner;
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
  const PetscReal corner = exact_corner(c, p.pair);
  const CrRidges *own;

  PetscFunctionBeginUser;
  PetscCall(use_ridges(c, p.slave, -1, corner, 1, &own));
  PetscCall(use_ridges(c, NULL, p.partner, corner, 1, &p.ridges[1]));
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

#define LONGER 1.5 /* how much longer an edge may become */

static PetscReal longest(const CrRidges *r)
{
  PetscReal most = 0;

  for (PetscInt i = 0; i < r->n; i++) most = PetscMax(most, r->length[i]);
  return most;
}

static PetscBool has_quads(const CrSurface *s)
{
  for (PetscInt f = 0; f < s->nfacets; f++)
    if (s->ncorners[f] == 4) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Adds the pass of the same edges on the facets of the other side. */
static PetscErrorCode add_dips(CrContact *c, CrPass p)
{
  const CrRidges *edges = p.ridges[0];
  CrSamples      *places;

  PetscFunctionBeginUser;
  PetscCall(CrSamplesOfEdges(c->model, p.slave, edges->n, edges->number, edges->weight, &places));
  places->m = edges->copies;
  PetscCall(PetscRealloc(sizeof(CrSamples *) * (size_t)(c->nsamples + 1), &c->samples));
  c->samples[c->nsamples++] = places;
  CrPassSetKind(&p, CR_EDGE_ON_FACET);
  p.ridges[0] = p.ridges[1] = NULL;
  p.samples = places;
  p.n = places->n;
  if (c->closes) p.extent = LONGER / 2 * longest(edges);
  PetscCall(CrPassAdd(c, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the passes of sharp edges of one side on all edges and facets of the other side. In explicit steps a point may
   have several pairs, so that one copy of each edge is enough. */
static PetscErrorCode add_called(CrContact *c, CrPass p, PetscReal corner)
{
  PetscFunctionBeginUser;
  if (p.self) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(use_ridges(c, p.slave, -1, corner, c->closes ? 1 : CROSSINGS, &p.ridges[0]));
  PetscCall(use_ridges(c, p.master, -1, CR_ALL_EDGES, 1, &p.ridges[1]));
  if (!p.ridges[0]->n || !p.ridges[1]->n) PetscFunctionReturn(PETSC_SUCCESS);
  if (c->tight) PetscCall(use_shell(c, p.master, &p.shell));
  PetscCall(add_pass(c, p, CR_EDGE_ACROSS));
  if (c->tight || has_quads(p.master)) PetscCall(add_dips(c, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrEdgePassesAdd(CrContact *c, PetscInt from)
{
  const PetscInt  end = c->npasses;
  const PetscInt  to = c->springs ? end : from + 1; /* an exact law needs each crossing once */
  const PetscInt  pair = c->passes[from].pair;
  const PetscReal corner = c->tight ? c->pairs[pair].corner : exact_corner(c, pair);

  PetscFunctionBeginUser;
  for (PetscInt k = from; k < to; k++) { /* milder edges wait, where nothing may be inside */
    CrPass p = c->passes[k];

    PetscCall(use_ridges(c, p.slave, -1, corner, 1, &p.ridges[0]));
    PetscCall(use_ridges(c, p.master, -1, corner, 1, &p.ridges[1]));
    if (p.ridges[0]->n && p.ridges[1]->n) PetscCall(add_pass(c, p, CR_EDGE_ON_EDGE));
  }
  for (PetscInt k = from; (c->tight || c->closes) && k < end; k++)
    PetscCall(add_called(c, c->passes[k], corner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

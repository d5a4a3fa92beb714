/* Finds the pairs of nodes that the matrix must couple because of contact. The search is wider than the step needs, so
   that the matrix serves many steps. */
#include "base/grow.h"
#include "contact/division.h"
#include "contact/springs/springs.h"
#include "contact/partners/partners.h"
#include "contact/touch/approach.h"

static PetscErrorCode add_couple(CrContact *c, PetscInt *n, PetscInt A, PetscInt B)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(2 * *n + 2, &c->work->npairs_room, &c->work->couples));
  c->work->couples[2 * *n] = A;
  c->work->couples[2 * *n + 1] = B;
  (*n)++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_missing(const CrContact *c, PetscInt A, PetscInt B)
{
  const CrModel *model = c->model;

  if (!model->graph) return PETSC_TRUE;
  if (c->division && A >= model->nowned && B >= model->nowned) return !CrDivisionKnows(c, A, B);
  if (A < model->nowned && !CrGraphHas(model->graph, A, B)) return PETSC_TRUE;
  return B < model->nowned && !CrGraphHas(model->graph, B, A);
}

/* Adds a node to the list of nodes near one rigid body, if it is not in there. */
static PetscErrorCode add_near(CrContact *c, PetscInt *m, PetscInt node)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < *m; k++)
    if (c->work->near[k] == node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(*m + 1, &c->work->near_room, &c->work->near));
  c->work->near[(*m)++] = node;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the corners of the facets that a point of a rigid body found; patch < 0: of all patches. */
static PetscErrorCode add_near_facets(CrContact *c, const CrTouch *touch, PetscInt patch,
                                      PetscInt *m)
{
  const CrSurface *s = c->passes[touch->pass].master;

  PetscFunctionBeginUser;
  for (PetscInt j = touch->found; j < touch->found + touch->nfound; j++) {
    PetscInt f = c->work->found[j];

    if (patch >= 0 && s->patch[f] != patch) continue;
    for (PetscInt a = 0; a < s->ncorners[f]; a++) PetscCall(add_near(c, m, s->corners[4 * f + a]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the nodes of the deformable edges of a touch with a rigid body: its own, or those that it found. */
static PetscErrorCode add_near_edges(CrContact *c, const CrTouch *touch, PetscInt *m)
{
  const CrPass   *p = &c->passes[touch->pass];
  const CrRidges *r = p->ridges[p->ridges[0]->shape ? 1 : 0];
  PetscInt        n = r == p->ridges[0] ? PetscMin(touch->nfound, 1) : touch->nfound;

  PetscFunctionBeginUser;
  for (PetscInt j = 0; j < n; j++) {
    const PetscInt *nodes = CrRidgeNodes(r, r == p->ridges[0] ? touch->point - p->first
                                                              : c->work->found[touch->found + j]);

    for (int a = 0; a < 2; a++) PetscCall(add_near(c, m, nodes[a]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes near one rigid body move one another, so all pairs of them are coupled. */
static PetscErrorCode lacks_partner_couplings(CrContact *c, PetscInt partner, PetscBool *lacks)
{
  PetscInt m = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];
    const CrPass  *p = &c->passes[touch->pass];

    if (p->partner != partner || touch->idle) continue;
    if (p->ops->slave->is_node) PetscCall(add_near(c, &m, touch->node));
    if (p->ops->facets) PetscCall(add_near_facets(c, touch, touch->patch, &m));
    if (CrPassHasEdges(p)) PetscCall(add_near_edges(c, touch, &m));
  }
  for (PetscInt k = 0; k < m && !*lacks; k++)
    for (PetscInt l = k + 1; l < m && !*lacks; l++)
      *lacks = is_missing(c, c->work->near[k], c->work->near[l]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does the matrix lack couplings between the corners of a facet and of its neighbours? They are needed if the force
   acts on one facet while the pressure depends on the gap over the next. */
static PetscBool lacks_split_couplings(const CrContact *c, const CrSurface *s, PetscInt f)
{
  for (PetscInt e = 0; c->work->splits && e < 4; e++) {
    PetscInt g = s->neighbour[4 * f + e];

    for (PetscInt a = 0; g >= 0 && a < s->ncorners[f]; a++)
      for (PetscInt b = 0; b < s->ncorners[g]; b++)
        if (is_missing(c, s->corners[4 * f + a], s->corners[4 * g + b])) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static PetscErrorCode split_couplings(CrContact *c, const CrSurface *s, PetscInt f, PetscInt *n)
{
  PetscFunctionBeginUser;
  for (PetscInt e = 0; c->work->splits && e < 4; e++) {
    PetscInt g = s->neighbour[4 * f + e];

    for (PetscInt a = 0; g >= 0 && a < s->ncorners[f]; a++)
      for (PetscInt b = 0; b < s->ncorners[g]; b++)
        PetscCall(add_couple(c, n, s->corners[4 * f + a], s->corners[4 * g + b]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes of one edge are coupled to those of the other. */
static PetscBool lacks_edge_couplings(const CrContact *c, const CrTouch *touch)
{
  PetscInt nodes[CR_CONTACT_NODES];

  if (touch->idle) return PETSC_FALSE;
  CrTouchNodes(c, touch, nodes);
  for (int k = 0; k < 4; k++)
    if (is_missing(c, nodes[k % 2], nodes[2 + k / 2])) return PETSC_TRUE;
  return PETSC_FALSE;
}

static PetscErrorCode wide_edge_couplings(CrContact *c, const CrTouch *wide, PetscInt *n)
{
  const CrPass   *p = &c->passes[wide->pass];
  const PetscInt *own = CrRidgeNodes(p->ridges[0], wide->point - p->first);

  PetscFunctionBeginUser;
  for (PetscInt j = wide->found; j < wide->found + wide->nfound; j++) {
    const PetscInt *other = CrRidgeNodes(p->ridges[1], c->work->found[j]);

    for (int k = 0; k < 4; k++) PetscCall(add_couple(c, n, own[k % 2], other[k / 2]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a node, or a sample between nodes, meet facets? */
static PetscBool is_on_facets(const CrContact *c, const CrTouch *touch)
{
  const CrPassOps *ops = c->passes[touch->pass].ops;

  return ops->facets && !ops->body;
}

/* The nodes of the slave: itself, or those that a sample moves with. */
static PetscInt slave_nodes(const CrTouch *touch, const PetscInt **nodes)
{
  *nodes = touch->sample ? touch->sample->nodes : &touch->node;
  return touch->sample ? touch->sample->n : 1;
}

static PetscBool lacks_facet_couplings(const CrContact *c, const CrTouch *touch, PetscInt f)
{
  const CrSurface *master = c->passes[touch->pass].master;
  const PetscInt  *own, n = slave_nodes(touch, &own);

  for (PetscInt k = 0; k < n; k++)
    for (PetscInt a = 0; a < master->ncorners[f]; a++)
      if (is_missing(c, own[k], master->corners[4 * f + a])) return PETSC_TRUE;
  return PETSC_FALSE;
}

static PetscErrorCode facet_couplings(CrContact *c, const CrTouch *touch, PetscInt f, PetscInt *n)
{
  const CrSurface *master = c->passes[touch->pass].master;
  const PetscInt  *own, m = slave_nodes(touch, &own);

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < master->ncorners[f]; a++)
    for (PetscInt k = 0; k < m; k++)
      PetscCall(add_couple(c, n, own[k], master->corners[4 * f + a]));
  PetscCall(split_couplings(c, master, f, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool lacks_couplings(const CrContact *c)
{
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch   *touch = &c->work->touches[k];
    const CrSurface *master = c->passes[touch->pass].master;

    if (c->passes[touch->pass].kind == CR_EDGE_ON_EDGE && lacks_edge_couplings(c, touch))
      return PETSC_TRUE;
    if (touch->idle || !is_on_facets(c, touch)) continue;
    for (PetscInt j = touch->admitted; j < touch->admitted + touch->nadmitted; j++) {
      PetscInt f = c->work->found[j];

      if (master->patch[f] != touch->patch) continue;
      if (lacks_facet_couplings(c, touch, f)) return PETSC_TRUE;
      if (lacks_split_couplings(c, master, f)) return PETSC_TRUE;
    }
  }
  return PETSC_FALSE;
}

/* Couples the nodes that may come near one rigid body: those within twice the reach, and those of facets near
   its points. */
static PetscErrorCode wide_partner_couplings(CrContact *c, PetscInt partner, PetscInt *n)
{
  PetscInt m = 0, before = c->work->nfound;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];

    if (p->partner != partner) continue;
    for (PetscInt i = 0; p->kind == CR_NODE_ON_BODY && i < p->n; i++)
      if (CrPartnerIsNear(c, p, i, 2 * p->reach)) PetscCall(add_near(c, &m, p->slave->nodes[i]));
    for (PetscInt i = 0; (p->ops->facets || CrPassHasEdges(p)) && i < p->n; i++) {
      CrTouch wide = {.pass = k, .point = p->first + i};

      p->ops->slave->begin(c, p, i, &wide);
      PetscCall(CrTouchFind(c, p, i, 2 * p->reach + wide.extent, &wide));
      if (CrPassHasEdges(p))
        PetscCall(add_near_edges(c, &wide, &m));
      else
        PetscCall(add_near_facets(c, &wide, -1, &m));
      c->work->nfound = before;
    }
  }
  for (PetscInt k = 0; k < m; k++)
    for (PetscInt l = k + 1; l < m; l++)
      PetscCall(add_couple(c, n, c->work->near[k], c->work->near[l]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Couples everything that may come near in the next steps, found with twice the reach. */
static PetscErrorCode wide_couplings(CrContact *c, PetscInt *n)
{
  PetscInt before = c->work->nfound;

  PetscFunctionBeginUser;
  *n = 0;
  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++)
    PetscCall(wide_partner_couplings(c, b, n));
  if (c->division) c->division->nshared = *n;
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    CrTouch       wide = c->work->touches[k];
    const CrPass *p = &c->passes[wide.pass];

    if (!is_on_facets(c, &wide) && p->kind != CR_EDGE_ON_EDGE) continue;
    PetscCall(CrTouchFind(c, p, wide.point - p->first, 2 * p->reach, &wide));
    if (p->kind == CR_EDGE_ON_EDGE) PetscCall(wide_edge_couplings(c, &wide, n));
    for (PetscInt j = wide.found; p->ops->facets && j < wide.found + wide.nfound; j++)
      PetscCall(facet_couplings(c, &wide, c->work->found[j], n));
    c->work->nfound = before;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keeps the couplings in natural numbers, for a restart. */
static PetscErrorCode remember_pattern(CrContact *c, PetscInt n)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(c->work->pattern));
  PetscCall(PetscMalloc1(PetscMax(2 * n, 1), &c->work->pattern));
  for (PetscInt k = 0; k < 2 * n; k++) c->work->pattern[k] = c->model->natural[c->work->couples[k]];
  c->work->npattern = 2 * n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The couplings of a checkpoint, in local numbers. */
static PetscErrorCode recall_pattern(CrContact *c, PetscInt *n)
{
  PetscInt *local;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(c->model->nglobal, &local));
  for (PetscInt A = 0; A < c->model->nlocal; A++) local[c->model->natural[A]] = A;
  *n = 0;
  for (PetscInt k = 0; k + 1 < c->work->npattern; k += 2)
    PetscCall(add_couple(c, n, local[c->work->pattern[k]], local[c->work->pattern[k + 1]]));
  PetscCall(PetscFree(local));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactCouplings(CrContact *c, PetscBool *missing, PetscInt *n,
                                  const PetscInt **pairs)
{
  PetscBool near = PETSC_FALSE;
  int       lacks;

  PetscFunctionBeginUser;
  *missing = PETSC_TRUE;
  if (c->work->resumed) {
    c->work->resumed = PETSC_FALSE;
    PetscCall(recall_pattern(c, n));
    if (c->division) PetscCall(CrDivisionRecall(c, *n));
    *pairs = c->work->couples;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++)
    PetscCall(lacks_partner_couplings(c, b, &near));
  lacks = near || lacks_couplings(c) ? 1 : 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, c->model->comm));
  *missing = lacks != 0;
  if (lacks) PetscCall(wide_couplings(c, n));
  if (lacks) PetscCall(remember_pattern(c, *n));
  if (lacks) PetscCall(CrDivisionCouple(c, n));
  *pairs = c->work->couples;
  PetscFunctionReturn(PETSC_SUCCESS);
}

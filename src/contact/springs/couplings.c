/* Finds the pairs of nodes that the matrix must couple because of contact. The search is wider than the step needs, so
   that the pattern of the matrix is valid for many steps. */
#include "base/grow.h"
#include "base/mail.h"
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

/* The couplings that touches need are listed, or the matrix is asked whether it has them. */
typedef struct {
  CrContact *contact; /* borrowed */
  PetscInt  *n;       /* number of pairs in the list; NULL: the matrix is asked */
  PetscBool  lacks;   /* the matrix lacks a coupling */
} Couplings;

static PetscErrorCode couple_nodes(Couplings *w, PetscInt A, PetscInt B)
{
  PetscFunctionBeginUser;
  if (w->n)
    PetscCall(add_couple(w->contact, w->n, A, B));
  else if (!w->lacks)
    w->lacks = is_missing(w->contact, A, B);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Couples the nodes of the vertices at A and B (lift.h). */
static PetscErrorCode couple(Couplings *w, PetscInt A, PetscInt B)
{
  const CrVertex a = CrVertexAt(w->contact, A), b = CrVertexAt(w->contact, B);

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < a.n; i++)
    for (PetscInt j = 0; j < b.n; j++)
      if (a.nodes[i] != b.nodes[j] || A == B) PetscCall(couple_nodes(w, a.nodes[i], b.nodes[j]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds a node to the list of nodes near one rigid body, if it is not in there. */
static PetscErrorCode add_near_node(CrContact *c, PetscInt *m, PetscInt node)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < *m; k++)
    if (c->work->near[k] == node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(*m + 1, &c->work->near_room, &c->work->near));
  c->work->near[(*m)++] = node;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the nodes of the vertex at a node. */
static PetscErrorCode add_near(CrContact *c, PetscInt *m, PetscInt node)
{
  const CrVertex vertex = CrVertexAt(c, node);

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < vertex.n; k++) PetscCall(add_near_node(c, m, vertex.nodes[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of this rank near a body become those of all ranks, each once. */
static PetscErrorCode gather_near(CrContact *c, PetscInt *m)
{
  CrContactWork *w = c->work;
  PetscInt      *all, n;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < *m; k++) w->near[k] = CrNodeGlobal(c->model, w->near[k]);
  PetscCall(CrGatherAll(c->model->comm, *m, sizeof *all, w->near, &n, NULL, &all));
  PetscCall(PetscSortRemoveDupsInt(&n, all));
  PetscCall(CrGrow(n, &w->near_room, &w->near));
  for (PetscInt k = 0; k < n; k++) w->near[k] = CrNodeLocal(c->model, all[k]);
  *m = n;
  PetscCall(PetscFree(all));
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

/* Nodes near one rigid body move one another, so all pairs of the m nodes are coupled. */
static PetscErrorCode couple_near(Couplings *w, PetscInt m)
{
  const PetscInt *near = w->contact->work->near;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m; k++)
    for (PetscInt l = k + 1; l < m; l++) PetscCall(couple_nodes(w, near[k], near[l]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode couple_partner(Couplings *w, PetscInt partner)
{
  CrContact *c = w->contact;
  PetscInt   m = 0;

  PetscFunctionBeginUser;
  CR_EACH_TOUCH (touch, c) {
    const CrPass *p = &c->passes[touch->pass];

    if (p->partner != partner || touch->idle) continue;
    if (p->ops->slave->is_node) PetscCall(add_near(c, &m, touch->node));
    if (p->ops->facets) PetscCall(add_near_facets(c, touch, touch->patch, &m));
    if (CrPassHasEdges(p)) PetscCall(add_near_edges(c, touch, &m));
  }
  if (c->work->partners[partner].shared) PetscCall(gather_near(c, &m));
  PetscCall(couple_near(w, m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Couples the corners of a facet and of its neighbours, if the force acts on one facet while the pressure depends on
   the gap over the next. */
static PetscErrorCode couple_neighbours(Couplings *w, const CrSurface *s, PetscInt f)
{
  PetscFunctionBeginUser;
  for (PetscInt e = 0; w->contact->work->splits && e < 4; e++) {
    PetscInt g = s->neighbour[4 * f + e];

    for (PetscInt a = 0; g >= 0 && a < s->ncorners[f]; a++)
      for (PetscInt b = 0; b < s->ncorners[g]; b++)
        PetscCall(couple(w, s->corners[4 * f + a], s->corners[4 * g + b]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes of one edge are coupled to those of the other. */
static PetscErrorCode couple_edges(Couplings *w, const PetscInt own[2], const PetscInt other[2])
{
  PetscFunctionBeginUser;
  for (int k = 0; k < 4; k++) PetscCall(couple(w, own[k % 2], other[k / 2]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a node, or a sample between nodes, meet facets? */
static PetscBool is_on_facets(const CrContact *c, const CrTouch *touch)
{
  const CrPassOps *ops = c->passes[touch->pass].ops;

  return ops->facets && !ops->body;
}

/* Couples the slave, which is a node or a sample that moves with several, to the corners of a facet. */
static PetscErrorCode couple_facet(Couplings *w, const CrTouch *touch, PetscInt f)
{
  const CrSurface *master = w->contact->passes[touch->pass].master;
  const PetscInt  *own = touch->sample ? touch->sample->nodes : &touch->node;
  const PetscInt   n = touch->sample ? touch->sample->n : 1;

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < master->ncorners[f]; a++)
    for (PetscInt k = 0; k < n; k++) PetscCall(couple(w, own[k], master->corners[4 * f + a]));
  PetscCall(couple_neighbours(w, master, f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Asks for the couplings of the touches of this step. */
static PetscErrorCode couple_touches(Couplings *w)
{
  const CrContact *c = w->contact;

  PetscFunctionBeginUser;
  CR_EACH_TOUCH (touch, c) {
    const CrPass *p = &c->passes[touch->pass];
    PetscInt      nodes[CR_CONTACT_NODES];

    if (touch->idle || w->lacks) continue;
    if (p->kind == CR_EDGE_ON_EDGE) {
      CrTouchNodes(c, touch, nodes);
      PetscCall(couple_edges(w, nodes, nodes + 2));
    }
    for (PetscInt j = touch->admitted; j < touch->admitted + touch->nadmitted; j++)
      if (is_on_facets(c, touch) && p->master->patch[c->work->found[j]] == touch->patch)
        PetscCall(couple_facet(w, touch, c->work->found[j]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Couples the nodes that may come near one rigid body: those within twice the reach, and those of facets near
   its points. */
static PetscErrorCode couple_partner_widely(Couplings *w, PetscInt partner)
{
  CrContact *c = w->contact;
  PetscInt   m = 0, before = c->work->nfound;

  PetscFunctionBeginUser;
  CR_EACH_PASS (p, c) {
    if (p->partner != partner) continue;
    for (PetscInt i = 0; p->kind == CR_NODE_ON_BODY && i < p->n; i++)
      if (CrPointIsMine(c, p, i) && CrPartnerIsNear(c, p, i, 2 * p->reach))
        PetscCall(add_near(c, &m, p->slave->nodes[i]));
    for (PetscInt i = 0; (p->ops->facets || CrPassHasEdges(p)) && i < p->n; i++) {
      CrTouch wide = {.pass = p - c->passes, .point = p->first + i};

      p->ops->slave->begin(c, p, i, &wide);
      PetscCall(CrTouchFind(c, p, i, 2 * p->reach + wide.extent, &wide));
      if (CrPassHasEdges(p))
        PetscCall(add_near_edges(c, &wide, &m));
      else
        PetscCall(add_near_facets(c, &wide, -1, &m));
      c->work->nfound = before;
    }
  }
  if (c->division) PetscCall(gather_near(c, &m));
  PetscCall(couple_near(w, m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Couples everything that may come near in the next steps, found with twice the reach. */
static PetscErrorCode couple_widely(Couplings *w)
{
  CrContact *c = w->contact;
  PetscInt   before = c->work->nfound;

  PetscFunctionBeginUser;
  *w->n = 0;
  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++)
    PetscCall(couple_partner_widely(w, b));
  if (c->division) c->division->nshared = *w->n;
  CR_EACH_TOUCH (touch, c) {
    CrTouch       wide = *touch;
    const CrPass *p = &c->passes[wide.pass];
    PetscInt      i = wide.point - p->first;

    if (!is_on_facets(c, &wide) && p->kind != CR_EDGE_ON_EDGE) continue;
    PetscCall(CrTouchFind(c, p, i, 2 * p->reach, &wide));
    for (PetscInt j = wide.found; j < wide.found + wide.nfound; j++)
      if (p->ops->facets)
        PetscCall(couple_facet(w, &wide, c->work->found[j]));
      else
        PetscCall(couple_edges(w, CrRidgeNodes(p->ridges[0], i),
                               CrRidgeNodes(p->ridges[1], c->work->found[j])));
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
  Couplings asked = {.contact = c}, listed = {.contact = c, .n = n};
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
    PetscCall(couple_partner(&asked, b));
  PetscCall(couple_touches(&asked));
  lacks = asked.lacks ? 1 : 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, c->model->comm));
  *missing = lacks != 0;
  if (lacks) PetscCall(couple_widely(&listed));
  if (lacks) PetscCall(remember_pattern(c, *n));
  if (lacks) PetscCall(CrDivisionCouple(c, n));
  *pairs = c->work->couples;
  PetscFunctionReturn(PETSC_SUCCESS);
}

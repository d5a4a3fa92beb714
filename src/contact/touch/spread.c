/* Finds the nodes on which the force of a contact acts, with their fractions of the force and their positions. */
#include "contact/touch/touch.h"

void CrSlaveAt(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
               CrInstant *at)
{
  c->passes[touch->pass].ops->slave->at(c, touch, u, pose, at);
}

void CrTouchNodes(const CrContact *c, const CrTouch *touch, PetscInt nodes[CR_CONTACT_NODES])
{
  const CrPass    *p = &c->passes[touch->pass];
  const CrSurface *master = p->master;

  if (CrPassHasEdges(p)) { /* a rigid body has no nodes */
    CrMeetingNodes(p->ridges[0], touch->point - p->first, p->ridges[1], touch->facet, nodes);
    for (int a = 0; a < 4; a++)
      if (p->ridges[a / 2]->shape) nodes[a] = -1;
    return;
  }
  nodes[0] = touch->node;
  for (PetscInt a = 0; a < touch->k.nmaster; a++)
    nodes[a + 1] = master->corners[4 * touch->facet + a];
}

static void spread_add(PetscInt node, PetscInt column, PetscReal part, CrSpread *s)
{
  s->nodes[s->n] = node;
  s->column[s->n] = column;
  s->c[s->n++] = part;
}

/* Adds the nodes of the vertex at a node. Edges on edges have no lifted vertices. */
static void add_vertex(const CrContact *c, PetscInt node, PetscInt column, PetscReal part,
                       CrSpread *s)
{
  const CrVertex vertex = CrVertexAt(c, node);

  for (PetscInt k = 0; k < vertex.n; k++)
    spread_add(vertex.nodes[k], column, part * vertex.c[k], s);
}

void CrTouchSpreadOn(const CrContact *c, const CrTouch *touch, PetscInt facet, CrSpread *s)
{
  const CrSurface *master = c->passes[touch->pass].master;

  s->n = 0;
  for (PetscInt a = 0; touch->sample && a < touch->sample->n; a++)
    add_vertex(c, touch->sample->nodes[a], 0, touch->sample->c[a], s);
  if (touch->node >= 0) add_vertex(c, touch->node, 0, 1, s);
  for (PetscInt a = 0; facet >= 0 && a < master->ncorners[facet]; a++)
    add_vertex(c, master->corners[4 * facet + a], a + 1, 1, s);
}

void CrTouchVertices(const CrContact *c, const CrTouch *touch, CrSpread *s)
{
  PetscInt nodes[CR_CONTACT_NODES];

  s->n = 0;
  for (PetscInt a = 0; touch->sample && a < touch->sample->n; a++)
    spread_add(touch->sample->nodes[a], 0, touch->sample->c[a], s);
  CrTouchNodes(c, touch, nodes);
  for (PetscInt a = 0; a <= touch->k.nmaster; a++)
    if (nodes[a] >= 0) spread_add(nodes[a], a, 1, s);
}

void CrTouchSpread(const CrContact *c, const CrTouch *touch, CrSpread *s)
{
  CrSpread vertices;

  CrTouchVertices(c, touch, &vertices);
  s->n = 0;
  for (PetscInt e = 0; e < vertices.n; e++) {
    if (CrPassHasEdges(&c->passes[touch->pass]))
      spread_add(vertices.nodes[e], vertices.column[e], vertices.c[e], s);
    else
      add_vertex(c, vertices.nodes[e], vertices.column[e], vertices.c[e], s);
  }
}

void CrTouchGather(const CrContact *c, const CrTouch *touch, const PetscReal *u, PetscReal *x)
{
  PetscInt nodes[CR_CONTACT_NODES], dim = c->model->dim;

  CrTouchNodes(c, touch, nodes);
  if (touch->sample) CrGatherSample(c, touch->sample, u, x);
  for (PetscInt a = touch->sample ? 1 : 0; a <= touch->k.nmaster; a++)
    CrGatherNode(c, nodes[a], u, x + dim * a);
}

PetscInt CrTouchGatherOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                         const PetscReal *u, PetscReal *x)
{
  CrInstant at;

  CrSlaveAt(c, touch, u, CR_POSE_END, &at);
  return CrGatherAt(c, c->passes[touch->pass].master, facet, &at, x);
}

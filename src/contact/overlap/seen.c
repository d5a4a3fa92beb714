/* Finds the penetrations that contact has noticed: those with a pressed contact point of the pair nearby. A rank knows
   the pressed points that it owns. It marks the nodes of these points, and sends the marks to all ranks that measure
   overlap there. */
#include "base/vector.h"
#include "contact/overlap/internal.h"

static void hold_nodes(CrOverlaps *o, PetscInt n, const PetscInt *nodes)
{
  for (PetscInt a = 0; a < n; a++) o->held[nodes[a]] = PetscMax(o->held[nodes[a]], o->stamp);
}

/* Marks the nodes of an edge that is pressed, and of the one that holds it. */
static void hold_edges(CrOverlaps *o, const CrPass *p, PetscInt i, PetscInt meeting)
{
  PetscInt nodes[4];

  CrMeetingNodes(p->ridges[0], i, p->ridges[1], meeting, nodes);
  for (int e = 0; e < 2; e++)
    if (!p->ridges[e]->shape) hold_nodes(o, 2, nodes + 2 * e);
}

/* Springs also see a released point that is still inside: its spring is empty, and presses as soon as the point moves
   inwards. */
PetscBool CrPointIsSeen(const CrOverlaps *o, PetscInt point)
{
  const CrContactPicture *picture = o->contact->picture;

  return picture->status[point] != CR_OPEN || (o->springs && picture->gap[point] < 0);
}

PetscErrorCode CrOverlapsHold(CrOverlaps *o, PetscInt pair)
{
  const CrContact *c = o->contact;

  PetscFunctionBeginUser;
  o->stamp += 2;
  for (PetscInt k = o->pass_start[pair]; k < o->pass_start[pair + 1]; k++) {
    const CrPass *p = &c->passes[o->passes[k]];

    for (PetscInt i = 0; i < p->n; i++) {
      PetscInt f = c->past.facet[p->first + i];

      if (!CrPointIsSeen(o, p->first + i)) continue;
      if (p->ops->slave->is_node) o->held[p->slave->nodes[i]] = o->stamp + 1;
      if (CrPassHasSamples(p)) /* its facet is held, though none of the nodes may be */
        hold_nodes(o, p->samples->list[i].n, p->samples->list[i].nodes);
      if (CrPassHasEdges(p) && f >= 0) hold_edges(o, p, i, f);
      if (p->ops->facets && f >= 0)
        hold_nodes(o, p->master->ncorners[f], p->master->corners + 4 * f);
    }
  }
  PetscCall(CrVicinityGreatest(o->near, o->held));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_held(const CrOverlaps *o, const CrSurface *s, PetscInt f)
{
  for (PetscInt a = 0; a < s->ncorners[f]; a++)
    if (o->held[s->corners[4 * f + a]] >= o->stamp) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrInsideIsPressed(const CrOverlaps *o, const CrInside *in)
{
  return in->node >= 0 && in->look->kind != CR_EDGES_IN_SHELL &&
         in->look->kind != CR_EDGES_IN_BODY &&
         o->held[o->shells[in->look->from]->surface->nodes[in->node]] == o->stamp + 1;
}

#define LONG                                                                                       \
  1.5 /* facets that it penetrates: an edge that is longer needs contact points between its nodes */

/* Is the item an edge that is much longer than the facet that it penetrates? A contact point at its ends does not hold
   it there. */
static PetscBool is_long_edge(const CrOverlaps *o, const CrInside *in)
{
  const CrShell *from;
  PetscReal      way[3];

  if (in->look->kind != CR_EDGES_IN_SHELL || in->facet < 0) return PETSC_FALSE;
  from = o->shells[in->look->from];
  v_less(CrShellNode(from, from->edges[2 * (in->item - in->look->first) + 1]),
         CrShellNode(from, from->edges[2 * (in->item - in->look->first)]), way);
  return v_length(way) > LONG * o->shells[in->look->into]->surface->size[in->facet];
}

PetscBool CrInsideIsSeen(const CrOverlaps *o, const CrInside *in)
{
  const CrSurface *s;

  if (in->facet >= 0 && is_held(o, o->shells[in->look->into]->surface, in->facet))
    return PETSC_TRUE;
  if (in->node < 0 || is_long_edge(o, in)) return PETSC_FALSE;
  s = o->shells[in->look->from]->surface;
  for (PetscInt k = s->around_start[in->node]; k < s->around_start[in->node + 1]; k++)
    if (is_held(o, s, s->around[k])) return PETSC_TRUE;
  return PETSC_FALSE;
}

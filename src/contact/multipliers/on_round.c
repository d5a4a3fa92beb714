/* Contact of round parts of rigid bodies (balls and ellipsoids) with facets in explicit steps (theory 14.4, 19.5). The
   geometry is that of implicit methods (contact/round.h). A ball touches the facet, edge or corner that is closest to
   its centre. The forces on body and facet are opposite and act at the closest point on the facet. */
#include "contact/round.h"
#include "contact/multipliers/press.h"

#define MOST_WALKS 16

/* The round part of a body: an ellipsoid, or balls of one radius. */
typedef struct {
  const CrShape *ellipsoid;
  PetscReal      radius;
} Round;

static Round round_of(const CrContact *c, const CrPass *p)
{
  const CrShape *s = CrRigidShape(c->model->rigid, p->partner);
  PetscReal      Y[3];

  return (Round){.ellipsoid = s->kind == CR_SHAPE_ELLIPSOID ? s : NULL,
                 .radius = CrShapePoint(s, 0, Y)};
}

/* The distance of a slave from a facet, by which facets are compared. */
static PetscReal distance_from(const CrContact *c, const CrPass *p, PetscInt facet,
                               const CrInstant *at)
{
  const Round round = round_of(c, p);
  PetscReal   x[CR_CONTACT_DOFS];
  PetscInt    n = CrRoundGather(c, p->master, facet, round.ellipsoid, at, x);
  CrProximity near;

  CrFacetProximity(c->model->dim, n, x, &near);
  return CrRoundDistance(c->model->dim, round.ellipsoid, at, x, &near) +
         1e-9 * p->master->size[facet] * near.outside; /* breaks ties at edges */
}

/* The closest of the facets that are listed for an entry; -1: none. Sets `wake`. */
static PetscInt nearest(CrNearLists *lists, PetscInt pass, PetscInt entry, const CrInstant *at)
{
  const CrContact *c = lists->contact;
  const CrPass    *p = &c->passes[pass];
  CrNearPass      *list = &lists->passes[pass];
  PetscReal        least = PETSC_MAX_REAL, way = PETSC_MAX_REAL, x[CR_CONTACT_DOFS];
  PetscInt         best = -1;

  for (PetscInt j = list->start[entry]; j < list->start[entry + 1]; j++) {
    PetscInt    f = list->found[j];
    PetscReal   rank = distance_from(c, p, f, at);
    CrProximity near;

    CrFacetProximity(c->model->dim, CrGatherAt(c, p->master, f, at, x), x, &near);
    way = PetscMin(way, near.distance - p->extent);
    if (best >= 0 && (rank > least || (rank == least && f > best))) continue;
    least = rank;
    best = f;
  }
  list->wake[entry] = list->odometer + way / 4; /* as for other slaves on facets */
  return best;
}

/* The closest facet, walking from neighbour to neighbour. */
static PetscInt walk(const CrContact *c, const CrPass *p, PetscInt facet, const CrInstant *at)
{
  PetscReal least = distance_from(c, p, facet, at);

  for (int k = 0; k < MOST_WALKS; k++) {
    PetscInt best = facet;

    for (PetscInt a = 0; a < p->master->ncorners[facet]; a++) {
      PetscInt  next = p->master->neighbour[4 * facet + a];
      PetscReal rank = next < 0 ? PETSC_MAX_REAL : distance_from(c, p, next, at);

      if (!(rank < least)) continue;
      least = rank;
      best = next;
    }
    if (best == facet) break;
    facet = best;
  }
  return facet;
}

/* Gap, normal and weights on a facet. Returns false if the slave has no closest point there, or is too deep inside. */
static PetscBool touch_facet(const CrContact *c, const CrPass *p, PetscInt facet,
                             const CrInstant *at, CrFound *found)
{
  const Round  round = round_of(c, p);
  PetscReal    x[CR_CONTACT_DOFS];
  CrKinematics k;

  if (!CrRoundProject(c, p->master, facet, round.ellipsoid, round.radius, at, x, &k))
    return PETSC_FALSE;
  found->facet = facet;
  found->n = k.nmaster;
  for (PetscInt a = 0; a < k.nmaster; a++) {
    found->N[a] = k.shape[a];
    if (round.ellipsoid && k.shape[a] < -OPEN_EDGE) return PETSC_FALSE; /* it is beside the facet */
  }
  v_copy(k.nu, found->nu);
  found->gap0 = k.gap - round.radius;
  return found->gap0 > -CrNearDepth(p) - p->extent;
}

static PetscBool meet(CrMultipliers *m, PetscInt entry, const CrPose *poses, const PetscReal *u,
                      CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];
  PetscInt      facet;
  CrInstant     at;

  CrSlaveAtPose(m->contact, p, found->item, poses, u, &at);
  facet = nearest(m->lists, found->pass, entry, &at);
  return facet >= 0 && touch_facet(m->contact, p, facet, &at, found);
}

/* The gap is that at the end. Normal and closest point are those of t_n, where the force acts. Otherwise a force at the
   closest point of the end would brake a ball that rolls. */
static PetscBool look(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                      CrFound *found)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];
  CrInstant        at;
  PetscReal        gap1;

  if (!meet(m, entry, m->bodies->pose, m->where, found)) return PETSC_FALSE;
  if (!CrPressIsPair(m, step, found)) return PETSC_FALSE;
  gap1 = found->gap0;
  CrSlaveAtPose(c, p, found->item, m->bodies->pose0, step->u0, &at);
  if (!touch_facet(c, p, walk(c, p, found->facet, &at), &at, found)) return PETSC_FALSE;
  found->gap0 = gap1;
  return PETSC_TRUE;
}

static PetscBool closed(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                        CrFound *found)
{
  (void)t;
  return meet(m, entry, m->bodies->pose0, u, found);
}

/* At the end of the step only the gap is evaluated: see look(). */
static PetscBool again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                       CrPress *pair)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  CrFound       now = {.pass = pair->pass};
  CrInstant     at;

  (void)t;
  CrSlaveAtPose(m->contact, p, pair->point - p->first, poses, u, &at);
  if (!touch_facet(m->contact, p, walk(m->contact, p, pair->facet, &at), &at, &now))
    return PETSC_FALSE;
  pair->gap0 = now.gap0;
  if (poses == m->bodies->pose) return PETSC_TRUE;
  CrPressSetFacet(p, now.facet, now.n, now.N, pair);
  v_copy(now.nu, pair->nu);
  return PETSC_TRUE;
}

/* A ball that moves by less stays in front of the surface with its centre. */
static PetscReal safe_way(const CrContact *c, const CrPass *p)
{
  return PetscMin(CrNearDepth(p), CrShapeInnerRadius(CrRigidShape(c->model->rigid, p->partner)));
}

const CrPressOps CrPress_round_on_facet = {.ask = CrNearAskFacets,
                                           .list = CrNearListFacets,
                                           .safe_way = safe_way,
                                           .apart = CrNearFacetsApart,
                                           .look = look,
                                           .closed = closed,
                                           .again = again,
                                           .arm = CrPressArmToNodes};

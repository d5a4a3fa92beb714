/* Sharp edges on warped quads in explicit steps (theory 19.9). A straight edge may dip below a quad between its ends. The
   pair holds the lowest point of the edge over the quad. No search finds these pairs: closing calls them in. */
#include "contact/geometry/lowest.h"
#include "contact/geometry/way.h"
#include "contact/multipliers/close.h"

#define BEFORE   1e-8 /* of half a facet: edges that are deeper at t_n stay as deep as they are */
#define STEEPEST 1e3  /* change of the distance to the lowest point, when the place moves by 1 */
#define DEEPEST  0.5  /* of a facet: deeper edges came from another side */

/* Positions of the ends of edge i, and of the corners of a facet from x[3] on. */
static void gather(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                   const PetscReal *u, PetscReal ends[2][3], PetscReal x[CR_CONTACT_DOFS])
{
  const CrSample *edge = &p->samples->list[i];

  for (int a = 0; a < 2; a++) CrGatherNode(c, edge->nodes[a], u, ends[a]);
  (void)CrGatherFacet(c, p->master, edge->nodes[0], facet, u, x);
}

/* The closest point of a place on edge i. */
static PetscBool foot_at(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                         const PetscReal *u, PetscReal share, CrFoot *foot)
{
  PetscReal ends[2][3], x[CR_CONTACT_DOFS];

  gather(c, p, i, facet, u, ends, x);
  for (int d = 0; d < 3; d++) x[d] = (1 - share) * ends[0][d] + share * ends[1][d];
  return CrFootFind(3, 4, x, foot);
}

/* The lowest point of edge i over a facet at u, with its weights and normal. False: there is none, or it is higher than
   `above`. */
static PetscBool lowest_at(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                           const PetscReal *u, PetscReal above, CrLowest *lowest, CrFoot *foot)
{
  PetscReal ends[2][3], x[CR_CONTACT_DOFS];

  if (p->master->ncorners[facet] != 4) return PETSC_FALSE;
  gather(c, p, i, facet, u, ends, x);
  return CrEdgeLowest(ends[0], ends[1], x, above, lowest) &&
         foot_at(c, p, i, facet, u, lowest->share, foot);
}

/* The gap at u with the place, the weights and the normal of `found`. */
static PetscReal gap_along(const CrContact *c, const CrPass *p, const CrFound *found,
                           const PetscReal *u)
{
  PetscReal ends[2][3], x[CR_CONTACT_DOFS], gap = 0;

  gather(c, p, found->item, found->facet, u, ends, x);
  for (int d = 0; d < 3; d++) {
    gap += found->nu[d] * ((1 - found->share) * ends[0][d] + found->share * ends[1][d]);
    for (int a = 0; a < 4; a++) gap -= found->nu[d] * found->N[a] * x[3 * (a + 1) + d];
  }
  return gap;
}

static void set_found(PetscInt facet, const CrLowest *lowest, const CrFoot *foot, CrFound *found)
{
  found->facet = facet;
  found->n = 4;
  for (int a = 0; a < 4; a++) found->N[a] = foot->N[a];
  v_copy(foot->nu, found->nu);
  found->gap0 = foot->gap;
  found->share = lowest->share;
}

/* Is the edge of an entry below its k-th listed facet at m->where, and did it come there in this step? */
static PetscBool through(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                         PetscInt k, CrFound *found, PetscReal *gap1)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];
  const PetscInt  f = m->lists->passes[found->pass].found[k], *corners = p->master->corners + 4 * f;
  const CrSample *edge = &p->samples->list[found->item];
  CrLowest        lowest;
  CrFoot          foot;

  (void)entry;
  if (!lowest_at(c, p, found->item, f, m->where, 0, &lowest, &foot) || !(foot.gap < 0))
    return PETSC_FALSE;
  if (foot.gap < -DEEPEST * p->master->size[f] ||
      -foot.gap > CrRelativeWay(2, edge->nodes, 4, corners, step->u0, m->where))
    return PETSC_FALSE;
  if (!CrSampleIsAdmitted(c->model, p->slave, edge, m->where, foot.nu, c->pairs[p->pair].cone))
    return PETSC_FALSE;
  *gap1 = foot.gap;
  set_found(f, &lowest, &foot, found);
  found->gap0 = gap_along(c, p, found, step->u0);
  if (lowest_at(c, p, found->item, f, step->u0, 0, &lowest, &foot) && foot.gap < -BEFORE * p->reach)
    found->offset = foot.gap;
  return PETSC_TRUE;
}

static PetscBool look(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                      CrFound *found)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];
  const PetscInt   f = found->facet;
  CrLowest         lowest;
  CrFoot           foot;

  (void)entry;
  if (f < 0 || !lowest_at(c, p, found->item, f, m->where, p->reach, &lowest, &foot))
    return PETSC_FALSE;
  set_found(f, &lowest, &foot, found);
  if (!CrPressIsPair(m, step, found)) return PETSC_FALSE;
  found->gap0 = gap_along(c, p, found, step->u0);
  return PETSC_TRUE;
}

/* Keeps the part of the edge in which the place of a pair is: below it the lowest point is ahead, above it behind. If
   other pairs have changed so much that the place cannot be there, the whole edge counts again. */
static void narrow(PetscReal here, PetscReal ahead, CrPress *pair)
{
  if (ahead > 0) pair->below = here;
  if (ahead < 0) pair->above = 1 - here;
  if (2 * STEEPEST * (1 - pair->above - pair->below) < PetscAbsReal(ahead))
    pair->below = pair->above = 0;
}

/* Moves the place of a pair towards the lowest point of the edge. The force at the place tilts the edge, so that the
   lowest point moves away. The secant method finds the place at which both agree. If the place moves by 1, its distance
   to the lowest point changes by -1 or more: a smaller change is due to other pairs. Where other pairs begin and end,
   the secant method may alternate, and bisection takes its place. */
static void move_on(PetscReal lowest, CrPress *pair)
{
  PetscReal here = pair->share, ahead = lowest - here, slope = -1, next;

  if (pair->ahead0 != 0 && here != pair->share0)
    slope = (ahead - pair->ahead0) / (here - pair->share0);
  slope = PetscMax(-STEEPEST, PetscMin(-1, slope));
  pair->share0 = here;
  pair->ahead0 = ahead;
  narrow(here, ahead, pair);
  next = PetscMax(0, PetscMin(1, here - ahead / slope));
  if (next < pair->below || next > 1 - pair->above) next = (pair->below + 1 - pair->above) / 2;
  pair->share = next;
}

/* The force tilts the edge, and the lowest point moves. In slow cases it would alternate between two places. So pairs
   stay at their places then, and closing calls in further pairs of the edge at its lowest points. */
static PetscBool again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                       CrPress *pair)
{
  const CrPass  *p = &m->contact->passes[pair->pass];
  const PetscInt i = pair->point - p->first;
  CrLowest       lowest;
  CrFoot         foot;

  (void)poses, (void)t;
  if (!m->settled) {
    if (!lowest_at(m->contact, p, i, pair->facet, u, p->reach, &lowest, &foot)) return PETSC_FALSE;
    move_on(lowest.share, pair);
  }
  if (!foot_at(m->contact, p, i, pair->facet, u, pair->share, &foot)) return PETSC_FALSE;
  pair->gap0 = foot.gap;
  pair->W[0] = 1 - pair->share;
  pair->W[1] = pair->share;
  CrPressSetFacet(p, pair->facet, 4, foot.N, pair);
  v_copy(foot.nu, pair->nu);
  return PETSC_TRUE;
}

const CrPressOps CrPress_edge_on_facet = {.ask = CrNearAskFacets,
                                          .list = CrNearListFacets,
                                          .safe_way = CrPressAnyWay,
                                          .look = look,
                                          .closed = CrPressNeverClosed,
                                          .again = again,
                                          .through = through};

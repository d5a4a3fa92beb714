/* Contact of sharp edges with sharp edges in explicit steps (theory 13.12). Only the edges of one surface are slaves,
   so that each crossing of two edges is one pair. If two edges continue each other at a node, a crossing at this node
   belongs to one of them. One of the edges may belong to a rigid body of finite mass. The two opposite forces then act
   at the point of the other edge (theory 19.5). */
#include "base/grow.h"
#include "contact/geometry/way.h"
#include "contact/multipliers/close.h"

#define BESIDE   1e-6 /* of an edge, on both sides of a node at which the next edge goes on */
#define TOUCHING 0.1  /* of an edge: free edges that are deeper did not come this way */
#define WIDE     0.35 /* radians: edges that have gone through each other may have such normals */
#define BEFORE   1e-8 /* of half a facet: edges that are deeper at t_n did not go through */
#define DEEPEST  0.5  /* of the shorter edge */

/* ---- lists ------------------------------------------------------------------------------------ */

/* The position of an end of a ridge: of a node at displacements u, or of a corner of a body at one of these poses. */
static void end_at(const CrContact *c, const CrRidges *r, PetscInt end, const CrPose *poses,
                   const PetscReal *u, PetscReal x[3])
{
  if (!r->shape) {
    CrGatherNode(c, end, u, x);
    return;
  }
  m_times(poses[r->body].R, r->shape->vertices + 3 * end, x);
  v_add(x, 1, poses[r->body].x);
}

static void box_of(const CrNearLists *lists, const CrRidges *r, PetscInt i, const PetscReal *u,
                   PetscReal reach, PetscReal box[6])
{
  const PetscInt *nodes = CrRidgeNodes(r, i);
  PetscReal       a[3], b[3];

  end_at(lists->contact, r, nodes[0], lists->pose, u, a);
  end_at(lists->contact, r, nodes[1], lists->pose, u, b);
  for (int k = 0; k < 3; k++) {
    box[k] = PetscMin(a[k], b[k]) - reach;
    box[3 + k] = PetscMax(a[k], b[k]) + reach;
  }
}

static void ask(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal box[6])
{
  const CrNearPass *p = &lists->passes[k];
  PetscReal         own[6];

  for (PetscInt j = 0; j < p->nmine; j++) {
    box_of(lists, lists->contact->passes[k].ridges[0], p->mine[j], where, 0, own);
    CrScoutInclude(3, own, box);
    CrScoutInclude(3, own + 3, box);
  }
}

static PetscErrorCode list(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;
  const CrPass    *pass = &c->passes[k];
  CrNearPass      *p = &lists->passes[k];
  PetscReal        box[6];

  const CrScout *near = &lists->scouts->list[k];

  PetscFunctionBeginUser;
  (void)t;
  if (pass->ridges[1]->shape)
    for (PetscInt j = 0; j < pass->ridges[1]->n; j++)
      box_of(lists, pass->ridges[1], j, where, 0, c->work->boxes + 6 * j);
  else {
    for (PetscInt j = 0; j < near->n; j++)
      box_of(lists, pass->ridges[1], near->items[j], where, 0, c->work->boxes + 6 * j);
    PetscCall(CrTreeRename(pass->tree, near->n, near->items));
  }
  CrTreeUpdate(pass->tree, c->work->boxes);
  for (PetscInt j = 0; j < p->nmine; j++) {
    box_of(lists, pass->ridges[0], p->mine[j], where, CrNearDepth(pass) + p->skin, box);
    PetscCall(CrNearAddFound(pass, p->mine[j], box, p));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- meetings --------------------------------------------------------------------------------- */

static void gather(const CrContact *c, const CrPass *p, PetscInt i, PetscInt meeting,
                   const CrPose *poses, const PetscReal *u, PetscReal x[12])
{
  PetscInt nodes[4];

  CrMeetingNodes(p->ridges[0], i, p->ridges[1], meeting, nodes);
  for (int a = 0; a < 4; a++) end_at(c, p->ridges[a / 2], nodes[a], poses, u, x + 3 * a);
}

/* Gap, normal, weights and place xi of a meeting at u. False: the edges are parallel. Corners of a body have no
   weights. */
static PetscBool cross(const CrContact *c, const CrPass *p, PetscInt i, PetscInt meeting,
                       const CrPose *poses, const PetscReal *u, CrFound *found, PetscReal xi[2])
{
  PetscReal    x[12];
  CrKinematics k;

  gather(c, p, i, meeting, poses, u, x);
  if (!CrKinematicsEdges(x, &k)) return PETSC_FALSE;
  found->facet = meeting;
  found->n = 0;
  for (int e = 0; e < 2; e++) {
    if (p->ridges[e]->shape) continue;
    found->N[found->n++] = e ? 1 - k.xi[1] : k.xi[0] - 1;
    found->N[found->n++] = e ? k.xi[1] : -k.xi[0];
  }
  v_copy(k.nu, found->nu);
  found->gap0 = k.gap;
  for (int e = 0; e < 2; e++) xi[e] = k.xi[e];
  return PETSC_TRUE;
}

/* May contact begin where ridge i of the slave meets another one? At a node where ridges go on into each other, one of
   them reaches over the node, and the other one stays away from it. */
static PetscBool may_begin(const CrPass *p, PetscInt i, PetscInt meeting, const PetscReal xi[2])
{
  static const PetscReal reach[] = {
      [CR_RIDGE_ENDS] = 0, [CR_RIDGE_KEEPS] = BESIDE, [CR_RIDGE_YIELDS] = -BESIDE};

  for (int e = 0; e < 2; e++)
    for (int side = 0; side < 2; side++) {
      PetscInt ridge = e ? CR_MEETING_RIDGE(meeting) : i;
      PetscInt end = e ? (side + meeting) % 2 : side;

      if ((side ? xi[e] - 1 : -xi[e]) > reach[p->ridges[e]->end[2 * ridge + end]])
        return PETSC_FALSE;
    }
  return PETSC_TRUE;
}

/* The gap at u with the weights and the normal of `found`, for edges of deformable bodies. */
static PetscReal gap_along(const CrContact *c, const CrPass *p, const CrFound *found,
                           const PetscReal *u)
{
  PetscReal x[12], gap = 0;

  gather(c, p, found->item, found->facet, NULL, u, x);
  for (int d = 0; d < 3; d++)
    gap += found->nu[d] * (found->N[2] * (x[d] - x[6 + d]) + found->N[3] * (x[d] - x[9 + d]) -
                           found->N[1] * (x[3 + d] - x[d]));
  return gap;
}

/* The meeting of ridge i of the slave with ridge j of the master at t_n; -1: they cannot touch. Normals may be outside
   the cones by an angle. */
static PetscInt meeting_of(const CrMultipliers *m, const CrPass *p, PetscInt i, PetscInt j,
                           PetscReal angle, const PetscReal *u0)
{
  const CrPose *poses = m->bodies->pose0;
  const CrPose *pose[2] = {&poses[p->ridges[0]->body], &poses[p->ridges[1]->body]};

  return CrMeetingFind(m->contact->model, p->ridges, i, j, u0, pose,
                       PetscMax(angle, m->contact->pairs[p->pair].cone));
}

/* Finds the edge that a free edge meets first on its path from u0 to u. At the start of a run, u0 and u are equal.
   Edges that penetrate each other already at u0 do not come into contact. */
static PetscBool meet(const CrMultipliers *m, PetscInt entry, const PetscReal *u0,
                      const PetscReal *u, CrFound *found)
{
  const CrContact  *c = m->contact;
  const CrPass     *p = &c->passes[found->pass];
  const CrNearPass *near = &m->lists->passes[found->pass];
  PetscReal         first = PETSC_MAX_REAL, xi[2];
  CrFound           then = *found, now = *found, best = *found;

  for (PetscInt k = near->start[entry]; k < near->start[entry + 1]; k++) {
    PetscInt  j = near->found[k], meeting;
    PetscReal when;

    if (p->slave == p->master && j < found->item) continue; /* each crossing once */
    meeting = meeting_of(m, p, found->item, j, 0, u0);
    if (meeting < 0 || !cross(c, p, found->item, meeting, m->bodies->pose0, u0, &then, xi))
      continue;
    if (then.gap0 < -TOUCHING * CrMeetingLength(p->ridges, found->item, meeting)) continue;
    if (!cross(c, p, found->item, meeting, m->bodies->pose, u, &now, xi) ||
        !may_begin(p, found->item, meeting, xi))
      continue;
    when = u == u0 ? now.gap0 : then.gap0 / PetscMax(then.gap0 - now.gap0, PETSC_SMALL);
    if ((u != u0 && now.gap0 >= 0) || !(when < first)) continue;
    first = when;
    best = now;
  }
  *found = best;
  return first < PETSC_MAX_REAL ? PETSC_TRUE : PETSC_FALSE;
}

/* Did edges penetrate each other at t_n? Beyond their ends they do not, even if the lines through them do. */
static PetscBool were_inside(const CrPass *p, const CrFound *then, const PetscReal xi[2])
{
  return CrEdgesBeyond(xi) <= 0 && then->gap0 < -BEFORE * p->reach;
}

PetscReal CrPressEdgesBefore(const CrMultipliers *m, const CrMultiplierStep *step,
                             const CrPress *pair)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  CrFound       then = {.pass = pair->pass, .item = pair->point - p->first};
  PetscReal     xi[2];

  if (!cross(m->contact, p, then.item, pair->facet, m->bodies->pose0, step->u0, &then, xi) ||
      !were_inside(p, &then, xi))
    return 0;
  return then.gap0;
}

/* Has a free edge gone through the k-th edge of its list in this step? Both are then inside each other's body. */
static PetscBool through(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                         PetscInt k, CrFound *found, PetscReal *gap1)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];
  PetscInt         j = m->lists->passes[found->pass].found[k], nodes[4], meeting;
  PetscReal        xi[2], least;
  CrFound          then = *found;

  (void)entry;
  if (!cross(c, p, found->item, CR_MEETING(j, 0), m->bodies->pose, m->where, &then, xi) ||
      CrEdgesBeyond(xi) > 0)
    return PETSC_FALSE; /* so do most */
  least = TOUCHING * CrMeetingLength(p->ridges, found->item, CR_MEETING(j, 0));
  if (PetscAbsReal(then.gap0) > least) return PETSC_FALSE;
  meeting = meeting_of(m, p, found->item, j, WIDE, step->u0);
  if (meeting < 0 || !cross(c, p, found->item, meeting, m->bodies->pose0, step->u0, &then, xi) ||
      were_inside(p, &then, xi))
    return PETSC_FALSE;
  if (!cross(c, p, found->item, meeting, m->bodies->pose, m->where, found, xi) ||
      !(found->gap0 < 0))
    return PETSC_FALSE;
  CrMeetingNodes(p->ridges[0], found->item, p->ridges[1], meeting, nodes);
  if (-found->gap0 > CrRelativeWay(2, nodes, 2, nodes + 2, step->u0, m->where)) return PETSC_FALSE;
  *gap1 = found->gap0;
  found->gap0 = gap_along(c, p, found, step->u0);
  return PETSC_TRUE;
}

/* Is an edge still at the meeting that it had in the last step? */
static PetscBool is_held(const CrMultipliers *m, CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];
  PetscInt      old = found->facet;
  PetscReal     xi[2];

  return old >= 0 && cross(m->contact, p, found->item, old, m->bodies->pose, m->where, found, xi) &&
         CrEdgesBeyond(xi) <= OPEN_EDGE &&
         found->gap0 > -DEEPEST * CrMeetingLength(p->ridges, found->item, old);
}

static PetscBool look(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                      CrFound *found)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];

  if (!is_held(m, found)) { /* free, or slid off */
    if (m->variant.warm) found->lam = 0;
    found->facet = -1;
    found->fresh = PETSC_TRUE;
    if (!meet(m, entry, step->u0, m->where, found)) return PETSC_FALSE;
  }
  if (!CrPressIsPair(m, step, found)) return PETSC_FALSE;
  if (!p->ops->body) found->gap0 = gap_along(c, p, found, step->u0);
  return PETSC_TRUE;
}

static PetscBool closed(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                        CrFound *found)
{
  (void)t;
  return meet(m, entry, u, u, found);
}

/* ---- other configurations --------------------------------------------------------------------- */

static PetscBool again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                       CrPress *pair)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  CrFound       now = {.pass = pair->pass, .item = pair->point - p->first};
  PetscReal     xi[2];

  (void)t;
  if (!cross(m->contact, p, now.item, pair->facet, poses, u, &now, xi) ||
      CrEdgesBeyond(xi) > OPEN_EDGE)
    return PETSC_FALSE;
  CrPressSetFacet(p, now.facet, now.n, now.N, pair);
  v_copy(now.nu, pair->nu);
  pair->gap0 = now.gap0;
  return PETSC_TRUE;
}

/* ---- any edges of the other surface ------------------------------------------------------------ */

/* Is ridge j of the master sharp? Then the pass of the other direction has the crossing too. */
static PetscBool is_sharp(const CrPass *p, PetscInt j)
{
  const CrRidges *r = p->ridges[1];

  return r->surface->features->ridges[r->number[j]].turn > p->ridges[0]->corner;
}

/* Has a crossing of edges a pair, in a pass of the same direction? */
static PetscBool has_pair(const CrMultipliers *m, const PetscInt nodes[4])
{
  for (const CrPress *pair = m->pairs; pair < m->pairs + m->npairs; pair++) {
    PetscInt same = 0;

    if (!CrPassHasEdges(&m->contact->passes[pair->pass])) continue;
    for (int a = 0; a < 4; a++)
      for (PetscInt b = 0; b < pair->n; b++) same += nodes[a] == pair->nodes[b];
    if (same == 4) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* As `through`, for edges of the other surface that are not sharp. An edge that was inside at t_n may stay as deep as
   it was. */
static PetscBool through_any(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                             PetscInt k, CrFound *found, PetscReal *gap1)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];
  const PetscReal  cone = c->pairs[p->pair].cone;
  PetscInt         j = m->lists->passes[found->pass].found[k], nodes[4], meeting;
  PetscReal        xi[2], before;

  (void)entry;
  if (p->reversed && is_sharp(p, j)) return PETSC_FALSE;
  meeting = CrCrossingFind(c->model, p->ridges, found->item, j, m->where, cone, gap1);
  if (meeting < 0 || !(*gap1 < 0)) return PETSC_FALSE;
  CrMeetingNodes(p->ridges[0], found->item, p->ridges[1], meeting, nodes);
  if (-*gap1 > CrRelativeWay(2, nodes, 2, nodes + 2, step->u0, m->where)) return PETSC_FALSE;
  if (has_pair(m, nodes) ||
      !cross(c, p, found->item, meeting, m->bodies->pose, m->where, found, xi))
    return PETSC_FALSE;
  found->gap0 = gap_along(c, p, found, step->u0);
  if (CrCrossingFind(c->model, p->ridges, found->item, j, step->u0, cone, &before) == meeting &&
      before < -BEFORE * p->reach)
    found->offset = before;
  return PETSC_TRUE;
}

static PetscBool look_again(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                            CrFound *found)
{
  (void)entry;
  if (!is_held(m, found) || !CrPressIsPair(m, step, found)) return PETSC_FALSE;
  found->gap0 = gap_along(m->contact, &m->contact->passes[found->pass], found, step->u0);
  return PETSC_TRUE;
}

/* No search finds these pairs: closing calls them in. */
const CrPressOps CrPress_edge_across = {.ask = ask,
                                        .list = list,
                                        .safe_way = CrPressAnyWay,
                                        .look = look_again,
                                        .closed = CrPressNeverClosed,
                                        .again = again,
                                        .through = through_any};

/* ---- tables ------------------------------------------------------------------------------------ */

#define ON_EDGES                                                                                   \
  .ask = ask, .list = list, .safe_way = CrPressAnyWay, .look = look, .closed = closed,             \
  .again = again

const CrPressOps CrPress_edge_on_edge = {ON_EDGES, .through = through};
const CrPressOps CrPress_edge_on_body = {ON_EDGES, .arm = CrPressArmToNodes};

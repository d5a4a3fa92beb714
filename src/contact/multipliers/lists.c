/* Makes the lists of facets near each slave. New lists are made when the surfaces have moved far enough since the last
   lists. */
#include "base/grow.h"
#include "base/lazy.h"
#include "contact/division.h"
#include "contact/multipliers/press.h"

#define SKIN 1.0 /* lists are made again when surfaces have moved by so many facet sizes */

/* ---- life ------------------------------------------------------------------------------------ */

static PetscErrorCode collect_nodes(CrNearLists *lists)
{
  const CrContact *c = lists->contact;
  char            *seen;
  PetscInt         n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(c->model->nlocal, &seen));
  for (PetscInt s = 0; s < c->model->nsets; s++)
    for (PetscInt i = 0; c->surfaces[s] && i < c->surfaces[s]->nnodes; i++)
      seen[c->surfaces[s]->nodes[i]] = 1;
  for (PetscInt A = 0; A < c->model->nowned; A++) n += seen[A];
  PetscCall(CrGrow(n, &lists->nodes_room, &lists->nodes));
  for (PetscInt A = 0; A < c->model->nowned; A++)
    if (seen[A]) lists->nodes[lists->nowned++] = A;
  lists->nnodes = lists->nowned;
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists the nodes of each surface that this rank owns. */
static PetscErrorCode collect_own(CrNearLists *lists)
{
  const CrContact *c = lists->contact;
  PetscInt         n = 0;

  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < c->model->nsets; s++)
    for (PetscInt i = 0; c->surfaces[s] && i < c->surfaces[s]->nnodes; i++)
      n += c->surfaces[s]->nodes[i] < c->model->nowned;
  PetscCall(PetscMalloc3(c->model->nsets + 1, &lists->own_start, n, &lists->own, c->model->nsets,
                         &lists->first));
  n = 0;
  for (PetscInt s = 0; s < c->model->nsets; s++) {
    lists->own_start[s] = n;
    lists->first[s] = -1;
    for (PetscInt i = 0; c->surfaces[s] && i < c->surfaces[s]->nnodes; i++) {
      if (c->surfaces[s]->nodes[i] >= c->model->nowned) continue;
      if (i == 0) lists->first[s] = c->surfaces[s]->nodes[0];
      lists->own[n++] = c->surfaces[s]->nodes[i];
    }
  }
  lists->own_start[c->model->nsets] = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt set_of(const CrContact *c, const CrSurface *s)
{
  PetscInt k = 0;

  while (c->surfaces[k] != s) k++;
  return k;
}

/* Sets the motions of slave and master that a pass depends on. */
static void watch(const CrNearLists *lists, const CrPass *pass, CrNearPass *p)
{
  const CrContact *c = lists->contact;
  const PetscInt   still = c->model->nsets + c->model->rigid->n;
  const PetscInt   body = pass->ops->body ? c->model->nsets + pass->partner : still;

  p->slave = pass->slave ? set_of(c, pass->slave) : body;
  p->master = pass->master ? set_of(c, pass->master) : pass->slave ? body : still;
}

/* Room in contact->work->found for the faces of one rigid body that a node may touch. */
static PetscErrorCode make_face_room(CrContact *c)
{
  PetscInt most = 0;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < c->model->rigid->n; b++)
    most = PetscMax(most, CrRigidShape(c->model->rigid, b)->nfaces);
  PetscCall(CrGrow(most, &c->work->found_room, &c->work->found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create_pass(CrNearLists *lists, const CrPass *pass, CrNearPass *p)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  watch(lists, pass, p);
  p->skin = 2 * SKIN * pass->reach; /* reach is half a facet */
  for (PetscInt i = 0; i < pass->n; i++) n += CrPointIsMine(lists->contact, pass, i);
  PetscCall(PetscMalloc4(n, &p->mine, n, &p->item, n, &p->wake, n + 1, &p->start));
  for (PetscInt i = 0; i < pass->n; i++)
    if (CrPointIsMine(lists->contact, pass, i)) p->mine[p->nmine++] = i;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearCreate(CrContact *c, CrRounds *rounds, CrNearLists **out)
{
  PetscInt     n = c->model->nsets + c->model->rigid->n + 1;
  CrNearLists *lists;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&lists));
  lists->contact = c;
  lists->rounds = rounds;
  PetscCall(collect_nodes(lists));
  PetscCall(make_face_room(c));
  PetscCall(collect_own(lists));
  PetscCall(CrScoutsOfPasses(c, &lists->scouts));
  PetscCall(PetscCalloc4(c->npasses, &lists->passes, n, &lists->motion, n, &lists->path,
                         PetscMax(8 * n, c->npasses), &lists->sums));
  PetscCall(CrLazyCreate(c->model->nlocal * c->model->dim, &lists->last));
  PetscCall(PetscCalloc1(c->model->rigid->n, &lists->last_pose));
  for (PetscInt k = 0; k < c->npasses; k++)
    PetscCall(create_pass(lists, &c->passes[k], &lists->passes[k]));
  PetscCall(CrModelNarrow(c->model, CrRoundsHalo(rounds))); /* to ghosts of elements, at first */
  *out = lists;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearDestroy(CrNearLists **lists)
{
  PetscFunctionBeginUser;
  if (!*lists) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < (*lists)->contact->npasses; k++) {
    CrNearPass *p = &(*lists)->passes[k];

    PetscCall(PetscFree4(p->mine, p->item, p->wake, p->start));
    PetscCall(PetscFree(p->found));
  }
  PetscCall(CrScoutsDestroy(&(*lists)->scouts));
  PetscCall(PetscFree((*lists)->nodes));
  PetscCall(PetscFree3((*lists)->own_start, (*lists)->own, (*lists)->first));
  PetscCall(PetscFree4((*lists)->passes, (*lists)->motion, (*lists)->path, (*lists)->sums));
  PetscCall(CrLazyDestroy(&(*lists)->last));
  PetscCall(PetscFree((*lists)->last_pose));
  PetscCall(PetscFree(*lists));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- odometers ------------------------------------------------------------------------------- */

/* The displacement of the first node of every surface since `base`, on the rank that owns it; zero on others. */
static void first_motions(const CrNearLists *lists, const PetscReal *where, const PetscReal *base,
                          PetscReal *sums)
{
  PetscInt dim = lists->contact->model->dim;

  for (PetscInt s = 0; s < lists->contact->model->nsets; s++)
    for (PetscInt d = 0; d < 3; d++) {
      PetscInt r = dim * lists->first[s] + d;

      sums[3 * s + d] = lists->first[s] >= 0 && d < dim ? where[r] - base[r] : 0;
    }
}

/* The greatest difference of nodes that this rank owns from the displacement of the first node of their surface. */
static void spread_motions(const CrNearLists *lists, const PetscReal *where, const PetscReal *base,
                           const PetscReal *first, PetscReal *greatest)
{
  PetscInt dim = lists->contact->model->dim;

  for (PetscInt s = 0; s < lists->contact->model->nsets; s++) {
    greatest[s] = 0;
    for (PetscInt k = lists->own_start[s]; k < lists->own_start[s + 1]; k++) {
      PetscReal sum = 0;

      for (PetscInt d = 0; d < dim; d++) {
        PetscInt r = dim * lists->own[k] + d;

        sum += PetscSqr(where[r] - base[r] - first[3 * s + d]);
      }
      greatest[s] = PetscMax(greatest[s], sum);
    }
  }
}

/* The motions of surfaces since the last search and since `from`, in one exchange. */
static PetscErrorCode surface_motions(CrNearLists *lists, const PetscReal *where,
                                      const PetscReal *from)
{
  const PetscInt n = lists->contact->model->nsets;
  PetscReal     *first = lists->sums, *greatest = lists->sums + 6 * n;

  PetscFunctionBeginUser;
  first_motions(lists, where, lists->last, first);
  first_motions(lists, where, from, first + 3 * n);
  PetscCall(CrRoundsSum(lists->rounds, 6 * n, first));
  for (PetscInt s = 0; s < n; s++)
    for (PetscInt d = 0; d < 3; d++) {
      lists->motion[s][d] = first[3 * s + d];
      lists->path[s][d] = first[3 * (n + s) + d];
    }
  spread_motions(lists, where, lists->last, first, greatest);
  spread_motions(lists, where, from, first + 3 * n, greatest + n);
  PetscCall(CrRoundsGreatest(lists->rounds, 2 * n, greatest));
  for (PetscInt s = 0; s < n; s++) {
    lists->motion[s][3] = PetscSqrtReal(greatest[s]);
    lists->path[s][3] = PetscSqrtReal(greatest[n + s]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motion of a rigid body: the displacement of its centre, and a bound of the displacement of other points
   by rotation. */
static void body_motion(const CrNearLists *lists, PetscInt b, const CrPose *base, CrMotion motion)
{
  const CrRigid *r = lists->contact->model->rigid;
  const CrPose  *pose = &lists->pose[b];
  PetscReal      sum = 0;

  for (int i = 0; i < 3; i++) motion[i] = pose->x[i] - base->x[i];
  for (int i = 0; i < 9; i++) sum += PetscSqr(pose->R[i] - base->R[i]);
  motion[3] = CrRigidShape(r, b)->reach * PetscSqrtReal(sum);
}

/* An upper bound of the relative displacement of the surfaces of a pass, from the motions found last. wall is
   the displacement of its wall. */
static PetscReal pass_motion(const CrNearPass *p, CrMotion *motions, const PetscReal wall[3])
{
  const PetscReal *slave = motions[p->slave], *master = motions[p->master];
  PetscReal        sum = 0;

  for (int d = 0; d < 3; d++) sum += PetscSqr(slave[d] - master[d] - wall[d]);
  return PetscSqrtReal(sum) + slave[3] + master[3];
}

static PetscErrorCode find_motions(CrNearLists *lists, const PetscReal *where,
                                   const PetscReal *from)
{
  const PetscInt nsets = lists->contact->model->nsets;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < lists->contact->model->rigid->n; b++) {
    body_motion(lists, b, &lists->last_pose[b], lists->motion[nsets + b]);
    body_motion(lists, b, &lists->pose0[b], lists->path[nsets + b]);
  }
  PetscCall(surface_motions(lists, where, from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void advance_odometers(CrNearLists *lists, PetscReal t)
{
  const CrContact *c = lists->contact;

  for (PetscInt k = 0; k < c->npasses; k++) {
    PetscReal move[3];

    CrPassMove(&c->passes[k], lists->last_time, t, move);
    lists->passes[k].odometer += pass_motion(&lists->passes[k], lists->motion, move);
  }
}

static void remember(CrNearLists *lists, const PetscReal *where, PetscReal t)
{
  PetscInt dim = lists->contact->model->dim;

  for (PetscInt k = 0; k < lists->nowned; k++)
    for (PetscInt r = dim * lists->nodes[k]; r < dim * (lists->nodes[k] + 1); r++)
      lists->last[r] = where[r];
  lists->last_time = t;
  for (PetscInt b = 0; b < lists->contact->model->rigid->n; b++)
    lists->last_pose[b] = lists->pose[b];
}

/* ---- lists ----------------------------------------------------------------------------------- */

void CrNearAdd(CrNearPass *p, PetscInt i)
{
  p->item[p->n] = i;
  p->wake[p->n] = PETSC_NINFINITY;
  p->n++;
}

PetscErrorCode CrNearAddFound(const CrPass *pass, PetscInt i, const PetscReal box[], CrNearPass *p)
{
  PetscInt first = p->start[p->n], n = first, kept = first;

  PetscFunctionBeginUser;
  while (!CrTreeQuery(pass->tree, box, p->room, p->found, &n)) {
    PetscCall(CrGrow(n, &p->room, &p->found));
    n = first;
  }
  for (PetscInt k = first; k < n; k++)
    if (!pass->self || !CrPassIsOwn(pass, i, p->found[k])) p->found[kept++] = p->found[k];
  if (kept == first) PetscFunctionReturn(PETSC_SUCCESS);
  CrNearAdd(p, i);
  p->start[p->n] = kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists slaves that are near a wall or a rigid body, or all slaves if there is no `distance`. */
static void list_slaves(const CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t)
{
  const CrPass     *pass = &lists->contact->passes[k];
  const CrPressOps *ops = CrPressOpsOf(pass);
  CrNearPass       *p = &lists->passes[k];
  PetscReal         least = PETSC_MAX_REAL;

  for (PetscInt j = 0; j < p->nmine; j++) {
    PetscInt  i = p->mine[j];
    PetscReal gap =
        ops->distance ? ops->distance(lists->contact, pass, i, lists->pose, where, t) : 0;

    least = PetscMin(least, gap);
    if (!(gap > p->skin)) CrNearAdd(p, i);
  }
  if (p->n == 0) p->due = PetscMax(p->due, p->made + least);
}

void CrNearWhere(const CrNearLists *lists, const PetscReal *u0, PetscReal h, const PetscReal *v,
                 PetscReal *where)
{
  PetscInt dim = lists->contact->model->dim;

  for (PetscInt k = 0; k < lists->nnodes; k++)
    for (PetscInt r = dim * lists->nodes[k]; r < dim * (lists->nodes[k] + 1); r++)
      where[r] = u0[r] + h * v[r];
}

static PetscBool is_due(const CrNearLists *lists, PetscInt k)
{
  const CrNearPass *p = &lists->passes[k];

  return !lists->begun || !(p->odometer < p->due); /* not a number: lists are made again */
}

/* ---- the halo of the lists --------------------------------------------------------------------- */

static void need_facet(CrVicinity *halo, const CrSurface *s, PetscInt f)
{
  for (PetscInt a = 0; a < s->ncorners[f]; a++) CrVicinityNeed(halo, s->corners[4 * f + a]);
}

/* An edge at the rim of its surface has a facet beyond it, on which its normals depend. */
static void need_edge(CrVicinity *halo, const CrRidges *ridges, PetscInt i)
{
  const CrSurface *s = ridges->shape ? NULL : ridges->surface;

  for (int k = 0; s && k < 2; k++) {
    const PetscInt *nodes,
        n = CrSkinNodes(s, s->features->ridges[ridges->number[i]].facets[k], &nodes);

    CrVicinityNeed(halo, CrRidgeNodes(ridges, i)[k]);
    for (PetscInt a = 0; a < n; a++) CrVicinityNeed(halo, nodes[a]);
  }
}

/* A slave may walk from a facet to its neighbours, and its normal depends on the facets around it. */
static void need_around(const CrNearLists *lists, const CrPass *pass, PetscInt i, PetscInt f)
{
  const CrSurface *s = pass->master;

  if (CrPassHasEdges(pass)) {
    need_edge(CrRoundsHalo(lists->rounds), pass->ridges[0], i);
    need_edge(CrRoundsHalo(lists->rounds), pass->ridges[1], f);
    return;
  }
  need_facet(CrRoundsHalo(lists->rounds), s, f);
  for (PetscInt a = 0; a < s->ncorners[f]; a++)
    if (s->neighbour[4 * f + a] >= 0)
      need_facet(CrRoundsHalo(lists->rounds), s, s->neighbour[4 * f + a]);
}

static void need_slave(const CrNearLists *lists, const CrPass *pass, PetscInt i)
{
  const CrSurface *s = pass->slave;

  if (CrPassHasSamples(pass)) {
    const CrSample *edge = &pass->samples->list[i];

    for (int k = 0; k < 2; k++) {
      CrVicinityNeed(CrRoundsHalo(lists->rounds), edge->nodes[k]);
      if (edge->facets[k] >= 0) need_facet(CrRoundsHalo(lists->rounds), s, edge->facets[k]);
    }
    return;
  }
  if (!pass->ops->slave->is_node || pass->cones) return;
  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
    need_facet(CrRoundsHalo(lists->rounds), s, s->around[k]);
}

PetscErrorCode CrNearBuildHalo(CrNearLists *lists)
{
  CrVicinity     *halo = CrRoundsHalo(lists->rounds);
  const PetscInt *nodes;
  PetscInt        n;

  PetscFunctionBeginUser;
  PetscCall(CrVicinityBuild(halo));
  PetscCall(CrModelNarrow(lists->contact->model, halo));
  n = CrVicinityNodes(halo, &nodes);
  /* corners of facets beyond the rim of a surface are no nodes of the surface */
  PetscCall(CrGrow(lists->nowned + n, &lists->nodes_room, &lists->nodes));
  for (PetscInt k = 0; k < n; k++) lists->nodes[lists->nowned + k] = nodes[k];
  lists->nnodes = lists->nowned + n;
  if (CrRoundsRanks(lists->rounds) > 1) lists->contact->picture->renewals++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes near the listed slaves, and those of the facets that hold slaves. */
static PetscErrorCode build_halo(CrNearLists *lists)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  CrVicinityForget(CrRoundsHalo(lists->rounds));
  for (PetscInt k = 0; CrRoundsRanks(lists->rounds) > 1 && k < c->npasses; k++) {
    const CrPass     *pass = &c->passes[k];
    const CrNearPass *p = &lists->passes[k];

    if (!pass->ops->facets && !CrPassHasEdges(pass)) continue;
    for (PetscInt e = 0; e < p->n; e++) {
      need_slave(lists, pass, p->item[e]);
      for (PetscInt j = p->start[e]; j < p->start[e + 1]; j++)
        need_around(lists, pass, p->item[e], p->found[j]);
    }
    for (PetscInt j = 0; j < p->nmine; j++) {
      PetscInt f = c->past.facet[pass->first + p->mine[j]];

      if (f >= 0)
        need_around(lists, pass, p->mine[j], CrPassHasEdges(pass) ? CR_MEETING_RIDGE(f) : f);
    }
  }
  PetscCall(CrNearBuildHalo(lists));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- moving ------------------------------------------------------------------------------------ */

/* Asks for facets and edges near the slaves of passes that are due. Slaves may walk to facets beside those that they
   found, so the box is wider than a list needs. Owners know the positions of their items with ghosts of elements. */
static PetscErrorCode ask(CrNearLists *lists, PetscReal *where)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  PetscCall(CrModelBringGhosts(c->model, where));
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPressOps *ops = CrPressOpsOf(&c->passes[k]);
    CrScout          *p = &lists->scouts->list[k];

    /* the edges of a rigid body are known everywhere */
    p->asks = ops->ask && is_due(lists, k) &&
              !(CrPassHasEdges(&c->passes[k]) && c->passes[k].ridges[1]->shape);
    if (!p->asks) continue;
    CrScoutEmpty(p->box);
    ops->ask(lists, k, where, p->box);
    CrScoutWiden(CrNearDepth(&c->passes[k]) + c->passes[k].extent + 3 * lists->passes[k].skin,
                 p->box);
  }
  PetscCall(CrScoutsAsk(lists->scouts, where, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Makes the lists of the passes that are due. The rank whose slaves are nearest decides when the next ones are. */
static PetscErrorCode make_lists(CrNearLists *lists, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPressOps *ops = CrPressOpsOf(&c->passes[k]);
    CrNearPass       *p = &lists->passes[k];

    if (!is_due(lists, k)) continue;
    p->n = 0;
    p->start[0] = 0;
    p->made = p->odometer;
    p->due = p->made + p->skin;
    if (ops->list)
      PetscCall(ops->list(lists, k, where, t));
    else
      list_slaves(lists, k, where, t);
  }
  for (PetscInt k = 0; k < c->npasses; k++) lists->sums[k] = -lists->passes[k].due;
  PetscCall(CrRoundsGreatest(lists->rounds, c->npasses, lists->sums));
  for (PetscInt k = 0; k < c->npasses; k++) lists->passes[k].due = -lists->sums[k];
  lists->makes++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearMove(CrNearLists *lists, PetscReal *where, PetscReal t, const PetscReal *from)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  PetscCall(find_motions(lists, where, from));
  if (lists->begun) advance_odometers(lists, t);
  remember(lists, where, t);
  lists->made = PETSC_FALSE;
  for (PetscInt k = 0; k < c->npasses; k++)
    if (is_due(lists, k)) lists->made = PETSC_TRUE;
  if (lists->made) {
    PetscCall(ask(lists, where));
    PetscCall(make_lists(lists, where, t));
    PetscCall(build_halo(lists));
    PetscCall(CrVicinityBring(CrRoundsHalo(lists->rounds), c->model->dim, where));
  }
  lists->begun = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearIsTooFar(CrNearLists *lists, PetscReal t, const PetscReal *from,
                              PetscReal t_from, PetscBool *too_far)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  *too_far = PETSC_FALSE;
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass     *p = &c->passes[k];
    const CrPressOps *ops = CrPressOpsOf(p);
    PetscReal         move[3], way, apart = 0;

    CrPassMove(p, t_from, t, move);
    way = pass_motion(&lists->passes[k], lists->path, move);
    if (way <= (ops->safe_way ? ops->safe_way(c, p) : CrNearDepth(p))) continue;
    /* the motion is fast, but the sides may be far apart; that follows from `from` alone, not from the lists */
    if (ops->apart) PetscCall(ops->apart(lists, p, from, &apart));
    if (!(way < apart)) *too_far = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrNearWall(CrNearLists *lists, PetscInt pass, PetscInt k, PetscReal gap)
{
  lists->passes[pass].wake[k] = lists->passes[pass].odometer + gap;
}

PetscReal CrNearWallWay(const CrContact *c, const CrPass *p)
{
  (void)c;
  return p->obstacle->kind == CR_SPHERE && !p->obstacle->inside ? 0.5 * p->obstacle->radius
                                                                : PETSC_MAX_REAL;
}

/* Near lists are made again when the surfaces have moved far enough since the last time. */
#include "base/grow.h"
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
  for (PetscInt A = 0; A < c->model->nlocal; A++) n += seen[A];
  PetscCall(PetscMalloc1(n, &lists->nodes));
  for (PetscInt A = 0; A < c->model->nlocal; A++)
    if (seen[A]) lists->nodes[lists->nnodes++] = A;
  PetscCall(PetscFree(seen));
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
  static const PetscReal still[4] = {0};
  const CrContact       *c = lists->contact;
  const PetscReal       *body = pass->ops->body ? lists->body_motion + 4 * pass->partner : still;

  p->slave = pass->slave ? lists->motion + 4 * set_of(c, pass->slave) : body;
  p->master = pass->master  ? lists->motion + 4 * set_of(c, pass->master)
              : pass->slave ? body
                            : still;
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

PetscErrorCode CrNearCreate(CrContact *c, CrNearLists **out)
{
  CrNearLists *lists;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&lists));
  lists->contact = c;
  PetscCall(collect_nodes(lists));
  PetscCall(make_face_room(c));
  PetscCall(PetscCalloc3(c->npasses, &lists->passes, c->model->nlocal * c->model->dim, &lists->last,
                         4 * c->model->nsets, &lists->motion));
  PetscCall(PetscCalloc2(c->model->rigid->n, &lists->last_pose, 4 * c->model->rigid->n,
                         &lists->body_motion));
  for (PetscInt k = 0; k < c->npasses; k++) {
    CrNearPass *p = &lists->passes[k];

    watch(lists, &c->passes[k], p);
    p->skin = 2 * SKIN * c->passes[k].reach; /* reach is half a facet */
    PetscCall(PetscMalloc3(c->passes[k].n, &p->item, c->passes[k].n, &p->wake, c->passes[k].n + 1,
                           &p->start));
  }
  *out = lists;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearDestroy(CrNearLists **lists)
{
  PetscFunctionBeginUser;
  if (!*lists) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < (*lists)->contact->npasses; k++) {
    CrNearPass *p = &(*lists)->passes[k];

    PetscCall(PetscFree3(p->item, p->wake, p->start));
    PetscCall(PetscFree(p->found));
  }
  PetscCall(PetscFree((*lists)->nodes));
  PetscCall(PetscFree3((*lists)->passes, (*lists)->last, (*lists)->motion));
  PetscCall(PetscFree2((*lists)->last_pose, (*lists)->body_motion));
  PetscCall(PetscFree(*lists));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- odometers ------------------------------------------------------------------------------- */

/* The motion of a surface since `base`: the displacement of its first node, and the greatest difference of
   other nodes from it. */
static void surface_motion(const CrNearLists *lists, const CrSurface *s, const PetscReal *where,
                           const PetscReal *base, PetscReal motion[4])
{
  PetscInt  dim = lists->contact->model->dim;
  PetscReal greatest = 0;

  for (PetscInt d = 0; d < 3; d++)
    motion[d] = d < dim ? where[dim * s->nodes[0] + d] - base[dim * s->nodes[0] + d] : 0;
  for (PetscInt i = 1; i < s->nnodes; i++) {
    PetscReal sum = 0;

    for (PetscInt d = 0; d < dim; d++)
      sum += PetscSqr(where[dim * s->nodes[i] + d] - base[dim * s->nodes[i] + d] - motion[d]);
    greatest = PetscMax(greatest, sum);
  }
  motion[3] = PetscSqrtReal(greatest);
}

/* The motion of a rigid body: the displacement of its centre, and a bound of the displacement of other points
   by rotation. */
static void body_motion(const CrNearLists *lists, PetscInt b, const CrPose *base,
                        PetscReal motion[4])
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
static PetscReal pass_motion(const CrNearPass *p, const PetscReal wall[3])
{
  PetscReal sum = 0;

  for (int d = 0; d < 3; d++) sum += PetscSqr(p->slave[d] - p->master[d] - wall[d]);
  return PetscSqrtReal(sum) + p->slave[3] + p->master[3];
}

static void find_motions(CrNearLists *lists, const PetscReal *where, const PetscReal *base,
                         const CrPose *poses)
{
  const CrContact *c = lists->contact;

  for (PetscInt b = 0; b < c->model->rigid->n; b++)
    body_motion(lists, b, &poses[b], lists->body_motion + 4 * b);
  for (PetscInt s = 0; s < c->model->nsets; s++)
    if (c->surfaces[s]) surface_motion(lists, c->surfaces[s], where, base, lists->motion + 4 * s);
}

static void advance_odometers(CrNearLists *lists, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;

  find_motions(lists, where, lists->last, lists->last_pose);
  for (PetscInt k = 0; k < c->npasses; k++) {
    PetscReal move[3];

    CrPassMove(&c->passes[k], lists->last_time, t, move);
    lists->passes[k].odometer += pass_motion(&lists->passes[k], move);
  }
}

static void remember(CrNearLists *lists, const PetscReal *where, PetscReal t)
{
  CrNearCopy(lists->contact->model->dim, lists, where, lists->last);
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

  for (PetscInt i = 0; i < pass->n; i++) {
    PetscReal gap =
        ops->distance ? ops->distance(lists->contact, pass, i, lists->pose, where, t) : 0;

    least = PetscMin(least, gap);
    if (!(gap > p->skin)) CrNearAdd(p, i);
  }
  if (p->n == 0) p->due = PetscMax(p->due, p->made + least);
}

PetscErrorCode CrNearMove(CrNearLists *lists, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  if (lists->begun) advance_odometers(lists, where, t);
  remember(lists, where, t);
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPressOps *ops = CrPressOpsOf(&c->passes[k]);
    CrNearPass       *p = &lists->passes[k];

    if (lists->begun && p->odometer < p->due) continue; /* not a number: lists are made again */
    p->n = 0;
    p->start[0] = 0;
    p->made = p->odometer;
    p->due = p->made + p->skin;
    if (ops->list)
      PetscCall(ops->list(lists, k, where, t));
    else
      list_slaves(lists, k, where, t);
  }
  lists->begun = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearIsTooFar(CrNearLists *lists, const PetscReal *where, PetscReal t,
                              const PetscReal *from, PetscReal t_from, PetscBool *too_far)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  *too_far = PETSC_FALSE;
  find_motions(lists, where, from, lists->pose0);
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass     *p = &c->passes[k];
    const CrPressOps *ops = CrPressOpsOf(p);
    PetscReal         move[3], way, apart = 0;

    CrPassMove(p, t_from, t, move);
    way = pass_motion(&lists->passes[k], move);
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

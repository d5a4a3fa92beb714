/* Contact of nodes with one wall of an obstacle. */
#include <string.h>
#include "contact/division.h"
#include "contact/touch/approach.h"

/* A path that crosses much of a round obstacle in one step has no one normal. */
static PetscBool leaps(const CrPass *p, PetscReal gap0, PetscReal gap1, PetscReal length)
{
  if (p->obstacle->kind != CR_SPHERE || p->obstacle->inside) return PETSC_FALSE;
  return length > 0.5 * p->obstacle->radius && PetscMin(gap0, gap1) < length;
}

static PetscErrorCode search(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[])
{
  const CrPass *p = &c->passes[pass];
  PetscReal     shift0[3], shift1[3], x0[3], x1[3];

  PetscFunctionBeginUser;
  CrObstacleShift(p->obstacle, c->work->t, shift0);
  CrObstacleShift(p->obstacle, c->work->t + c->work->h, shift1);
  for (PetscInt i = 0; i < p->n; i++) {
    PetscInt  point = p->first + i;
    PetscReal gap, least, length = 0;
    CrTouch  *touch;

    if (!CrPointIsMine(c, p, i)) continue;
    CrGatherNode(c, p->slave->nodes[i], u0, x0);
    gap = least = CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift0, x0);
    for (PetscInt k = 0; k < nends; k++) {
      if (!ends[k]) continue;
      CrGatherNode(c, p->slave->nodes[i], ends[k], x1);
      least = PetscMin(least, CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift1, x1));
      length = 0;
      for (PetscInt d = 0; d < c->model->dim; d++)
        length += PetscSqr(x1[d] - shift1[d] - x0[d] + shift0[d]);
      length = PetscSqrtReal(length);
      if (leaps(p, gap, least, length)) c->work->too_far = PETSC_TRUE;
    }
    if (least > p->reach && !(c->past.gd[point] < 0)) {
      PetscCall(CrPointDrop(c, point));
      continue;
    }
    PetscCall(CrTouchNew(c, pass, i, &touch));
    touch->keeps = c->past.facet[point] >= 0 && (c->past.gd[point] < 0 || gap < 0);
    touch->facet = c->past.facet[point]; /* axis of the tangents, chosen at first evaluation */
    touch->gd0 = touch->gap0 = gap;
    CrOverlapNote(c, touch, gap);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* History in the tangents of the wall: a constant of the step. */
static void set_history(const CrContact *c, CrTouch *touch)
{
  PetscInt point = touch->point;

  if (touch->cached == 0) return;
  touch->cached = 0;
  if (touch->keeps) touch->gd0 = c->past.gd[point];
  touch->gd0 = touch->keeps ? touch->gd0 : PetscMax(touch->gd0, 0);
  for (int i = 0; i < 2; i++) touch->eta0[i] = touch->keeps ? c->past.eta[2 * point + i] : 0;
}

/* Operators of slip at t_n, where the wall was displaced by `shift`. */
static void set_start(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const PetscReal shift[3], const CrContactLaw *law)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     x[3];
  CrKinematics  k;

  if (law->slip != CR_SLIP_MEAN || touch->started == touch->facet) return;
  CrGatherNode(c, touch->node, u0, x);
  CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift, touch->facet, x, &k);
  memcpy(touch->H0, k.H, sizeof touch->H0);
  touch->started = touch->facet;
}

/* Operators of the wall at the configuration. */
static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool choose)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     x[3], shift0[3], shift1[3], shift[3];

  (void)choose;
  CrObstacleShift(p->obstacle, c->work->t, shift0);
  CrObstacleShift(p->obstacle, c->work->t + c->work->h, shift1);
  for (int i = 0; i < 3; i++)
    shift[i] = step->law->where == CR_WHERE_END ? shift1[i] : (shift0[i] + shift1[i]) / 2;
  CrGatherNode(c, touch->node, step->u, x);
  if (touch->facet < 0) { /* the tangents keep this axis as long as the point is tracked */
    CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift, 0, x, &touch->k);
    touch->facet = c->model->dim == 3 ? CrSphereAxis(touch->k.nu) : 0;
  }
  CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift, touch->facet, x, &touch->k);
  set_history(c, touch);
  set_start(c, touch, u0, shift0, step->law);
  if (step->law->facet != CR_FACET_NONE) {
    CrGatherNode(c, touch->node, step->end, x);
    CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift1, touch->facet, x, &touch->k1);
  }
  CrTouchAsk(c, touch, step);
  return PETSC_TRUE;
}

static PetscReal gap(const CrContact *c, const CrTouch *touch, const PetscReal *u1)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     x[3], shift[3];

  CrGatherNode(c, touch->node, u1, x);
  CrObstacleShift(p->obstacle, c->work->t + c->work->h, shift);
  return CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift, x);
}

const CrPassOps CrPass_node_on_wall = {.slave = &CrSlaveNode,
                                       .search = search,
                                       .look = look,
                                       .gap = gap};

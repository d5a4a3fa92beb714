/* Points of a rigid body of finite mass on an obstacle: corners of a polytope, round ends of a capsule, the nearest
   point of other shapes. One force acts at the point. Its displacement relative to the obstacle is D = Dx_c + th x r.
   */
#include "base/vector.h"
#include "contact/partners/partners.h"
#include "contact/touch/approach.h"

/* Gap, normal and arm of the i-th point of the body in a pose, with the wall at time t. */
static PetscReal meet(const CrContact *c, const CrPass *pass, PetscInt i, PetscReal t,
                      const CrPose *pose, PetscReal nu[3], PetscReal arm[3])
{
  return CrObstacleMeet(pass->obstacle, pass->wall, t, t, c->work->partners[pass->partner].shape, i,
                        pose->x, pose->R, pose->R, nu, arm);
}

/* Sets the history (elastic slip) in the tangents of this step. e_1 follows the axis that is least parallel to
   the normal at t_n. */
static void set_history(const CrContact *c, CrTouch *touch, CrKinematics *k)
{
  PetscInt         dim = c->model->dim;
  const PetscReal *eta = c->past.eta + 2 * touch->point;

  touch->facet = touch->cached = dim == 3 ? CrSphereAxis(k->nu) : 0;
  touch->eta0[0] = touch->eta0[1] = 0;
  touch->gd0 = touch->keeps ? c->past.gd[touch->point] : PetscMax(touch->gap0, 0);
  if (!touch->keeps) return;
  CrKinematicsAxis(dim, c->past.facet[touch->point], k);
  CrSpringKeep(eta, k, touch);
  CrKinematicsAxis(dim, touch->facet, k);
  CrSpringCarry(dim, touch, k);
}

static PetscErrorCode search(CrContact *c, PetscInt pass_index, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[])
{
  const CrPass    *pass = &c->passes[pass_index];
  const CrPartner *p = &c->work->partners[pass->partner];
  PetscReal        end = c->work->t + c->work->h;

  PetscFunctionBeginUser;
  (void)u0, (void)nends, (void)ends; /* nodes take no part */
  for (PetscInt i = 0; i < pass->n; i++) {
    PetscInt     point = pass->first + i;
    PetscReal    arm[3], nu[3], gap, least;
    CrKinematics k;
    CrTouch     *touch;

    gap = least = meet(c, pass, i, c->work->t, &p->start, k.nu, arm);
    for (int e = 0; e < (p->guessed ? 2 : 1); e++) {
      PetscReal then = meet(c, pass, i, end, e ? &p->guess : &p->path, nu, arm);

      least = PetscMin(least, then);
    }
    if (least > pass->reach && !(c->past.gd[point] < 0)) {
      PetscCall(CrPointDrop(c, point));
      continue;
    }
    PetscCall(CrTouchNew(c, pass_index, i, &touch));
    touch->gap0 = gap;
    touch->keeps = c->past.facet[point] >= 0 && (c->past.gd[point] < 0 || gap < 0);
    set_history(c, touch, &k);
    CrOverlapNote(c, touch, gap);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void look_from(const CrContact *c, CrTouch *touch, const CrContactStep *step,
                      const CrPartner *p)
{
  const CrPass *pass = &c->passes[touch->pass];
  PetscInt      i = touch->point - pass->first, dim = c->model->dim;
  PetscReal     end = c->work->t + c->work->h, turned[3], move[3], arm[3];
  PetscReal     from = p->at_end ? end : c->work->t; /* the wall stands between these times */

  touch->k1.gap = meet(c, pass, i, end, &p->end, touch->k.nu, arm);
  touch->k.gap = CrObstacleMeet(pass->obstacle, pass->wall, from, end, p->shape, i, p->xm, p->Rm,
                                p->Rh, touch->k.nu, touch->arm);
  CrKinematicsAxis(dim, touch->facet, &touch->k);
  CrPassMove(pass, c->work->t, end, move);
  v_cross(p->turn, touch->arm, turned);
  for (int d = 0; d < 3; d++) touch->way[d] = p->move[d] + turned[d] - move[d];
  CrLawAsk(c, touch, step, dim, touch->way, touch->way);
}

static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool choose)
{
  (void)u0, (void)choose;
  look_from(c, touch, step, &c->work->partners[c->passes[touch->pass].partner]);
  return PETSC_TRUE;
}

/* The last evaluation of the law has computed the gap. */
static PetscReal gap(const CrContact *c, const CrTouch *touch, const PetscReal *u1)
{
  (void)c, (void)u1;
  return touch->k1.gap;
}

static PetscBool finish(const CrContact *c, const CrTouch *touch, const PetscReal *u1,
                        CrKinematics *k, CrGrip *grip)
{
  const CrPass *pass = &c->passes[touch->pass];

  (void)u1;
  *grip = (CrGrip){.facet = -1, .n = 1, .side = 1};
  k->gap = meet(c, pass, touch->point - pass->first, c->work->t + c->work->h,
                &c->work->partners[pass->partner].end, k->nu, grip->arm[0]);
  CrKinematicsAxis(c->model->dim, touch->facet, k);
  return PETSC_TRUE;
}

/* Gap, increments and frame come from `moved`. The law is linear about the touch: its kinks, such as that between open
   and pressed, would spoil differences. */
static void follow(const CrTouch *touch, CrTouch *moved)
{
  const CrLawOutput *o = &touch->out;
  PetscReal          dg = moved->in.dg - touch->in.dg, gap = moved->in.gap - touch->in.gap;
  PetscReal          dp = o->p_dg * dg + o->p_gap * gap;

  moved->out.p = o->p + dp;
  for (PetscInt i = 0; i < touch->in.ntangents; i++) {
    moved->out.t[i] = o->t[i] + o->t_p[i] * dp;
    for (PetscInt j = 0; j < touch->in.ntangents; j++)
      moved->out.t[i] += o->t_ds[i][j] * (moved->in.ds[j] - touch->in.ds[j]);
  }
}

/* On walls the derivative is computed by differences of the point's geometry. So the code is the same for all
   shapes and obstacles. */
static void turn(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                 PetscReal K[36])
{
  const CrPartner *p = &c->work->partners[c->passes[touch->pass].partner];

  for (int j = 0; j < 6; j++) {
    PetscReal small = j < 3 ? 1e-7 * p->shape->reach : 1e-7;

    if (!p->is_free[j]) continue;
    for (int side = -1; side < 2; side += 2) {
      CrPartner moved = *p;
      CrTouch   point = *touch;
      PetscReal F[3] = {0}, T[3] = {0}, sizes[2] = {0};

      (j < 3 ? moved.move : moved.turn)[j % 3] += side * small;
      CrPartnerPlace(&moved);
      look_from(c, &point, step, &moved);
      follow(touch, &point);
      CrPartnerAddPoint(c, &point, F, T, sizes);
      for (int i = 0; i < 3; i++) {
        K[6 * i + j] += side * F[i] / (2 * small);
        K[6 * (3 + i) + j] += side * T[i] / (2 * small);
      }
    }
  }
}

const CrPassOps CrPass_point_on_wall = {.slave = &CrSlavePoint,
                                        .body = PETSC_TRUE,
                                        .search = search,
                                        .look = look,
                                        .gap = gap,
                                        .finish = finish,
                                        .turn = turn};

/* Points of a rigid body of finite mass on an obstacle: corners of a polytope, the round ends of a
   capsule, the nearest point of other shapes. One force acts at the point, D = Dx_c + th x r is its way
   relative to the obstacle. */
#include "base/vector.h"
#include "contact/internal.h"

static PetscReal meet(const CrContact *c, const CrPass *pass, PetscInt i, PetscReal t0,
                      PetscReal t1, const PetscReal x[3], const PetscReal mean[9],
                      const PetscReal half[9], PetscReal nu[3], PetscReal arm[3])
{
  return CrObstacleMeet(pass->obstacle, pass->wall, t0, t1, c->partners[pass->partner].shape, i, x,
                        mean, half, nu, arm);
}

static void set_frame(PetscInt dim, PetscInt axis, CrKinematics *k)
{
  k->dim = dim;
  k->nmaster = 0;
  if (dim == 2)
    k->e[0][0] = -k->nu[1], k->e[0][1] = k->nu[0], k->e[0][2] = 0;
  else {
    for (int i = 0; i < 3; i++) k->e[0][i] = (i == axis) - k->nu[axis] * k->nu[i];
    v_unit(k->e[0]);
    v_cross(k->nu, k->e[0], k->e[1]);
  }
  for (PetscInt i = 0; i < dim; i++) {
    k->G[i] = k->nu[i];
    for (PetscInt a = 0; a < dim - 1; a++) k->H[a][i] = k->e[a][i];
  }
}

/* History in the tangents of this step, which follow the axis least parallel to the normal at t_n. */
static void set_history(const CrContact *c, CrTouch *touch, CrKinematics *k)
{
  PetscInt         dim = c->model->dim;
  const PetscReal *eta = c->eta + 2 * touch->point;

  touch->facet = touch->cached = dim == 3 ? CrSphereAxis(k->nu) : 0;
  touch->eta0[0] = touch->eta0[1] = 0;
  touch->gd0 = touch->keeps ? c->gd[touch->point] : PetscMax(touch->gap0, 0);
  if (!touch->keeps) return;
  set_frame(dim, c->facet[touch->point], k);
  v_copy(k->nu, touch->nu0);
  for (int i = 0; i < 3; i++)
    touch->spring[i] = eta[0] * k->e[0][i] + (dim == 3 ? eta[1] * k->e[1][i] : 0);
  set_frame(dim, touch->facet, k);
  CrSpringCarry(dim, touch, k);
}

PetscErrorCode CrPartnerSearchWall(CrContact *c, PetscInt pass_index)
{
  const CrPass    *pass = &c->passes[pass_index];
  const CrPartner *p = &c->partners[pass->partner];
  PetscReal        end = c->t + c->h;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < pass->n; i++) {
    PetscInt     point = pass->first + i;
    PetscReal    arm[3], nu[3], gap, least;
    CrKinematics k;
    CrTouch     *touch;

    gap = meet(c, pass, i, c->t, c->t, p->x0, p->R0, p->R0, k.nu, arm);
    least = PetscMin(gap, meet(c, pass, i, end, end, p->path_x, p->path_R, p->path_R, nu, arm));
    if (p->guessed)
      least =
          PetscMin(least, meet(c, pass, i, end, end, p->guess_x, p->guess_R, p->guess_R, nu, arm));
    if (least > pass->reach && !(c->gd[point] < 0)) {
      PetscCall(CrPointDrop(c, point));
      continue;
    }
    PetscCall(CrTouchNew(c, pass_index, i, &touch));
    touch->gap0 = gap;
    touch->keeps = c->facet[point] >= 0 && (c->gd[point] < 0 || gap < 0);
    set_history(c, touch, &k);
    CrOverlapNote(c, touch, gap);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrPartnerLookWall(const CrContact *c, CrTouch *touch, const CrContactStep *step,
                       const CrPartner *p)
{
  const CrPass *pass = &c->passes[touch->pass];
  PetscInt      i = touch->point - pass->first, dim = c->model->dim;
  PetscReal     end = c->t + c->h, turned[3], s0[3], s1[3], arm[3];

  touch->k1.gap = meet(c, pass, i, end, end, p->x1, p->R1, p->R1, touch->k.nu, arm);
  touch->k.gap = meet(c, pass, i, c->t, end, p->xm, p->Rm, p->Rh, touch->k.nu, touch->arm);
  set_frame(dim, touch->facet, &touch->k);
  CrObstacleShift(pass->obstacle, c->t, s0);
  CrObstacleShift(pass->obstacle, end, s1);
  v_cross(p->turn, touch->arm, turned);
  for (int d = 0; d < 3; d++) touch->way[d] = p->move[d] + turned[d] - (s1[d] - s0[d]);
  CrLawAsk(c, touch, step, dim, touch->way, touch->way);
}

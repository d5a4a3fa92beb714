/* Computes the derivative of the contact force of a node on a rigid body, in closed form (theory 14.3). */
#include "base/vector.h"
#include "contact/partners/partners.h"

/* Computes how normal and tangents of a curved shape rotate when the point moves relative to the body. */
static void frame_turn(const CrTouch *touch, const CrPartner *p, PetscReal W[9])
{
  const CrKinematics *k = &touch->k;
  PetscReal           n[3], Y[3], body[9], half[9], back[9], N[9], X[9], along, row[3];

  m_back(p->Rh, k->nu, n);
  m_back(p->Rh, touch->arm, Y);
  CrShapeBend(p->shape, k->gap, n, Y, body);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) back[3 * i + j] = p->Rh[3 * j + i];
  m_multiply(p->Rh, body, half);
  m_multiply(half, back, N);
  m_cross(k->nu, X);
  m_multiply(X, N, W);
  if (p->shape->dim == 2) return;
  along = -v_dot(k->frame, k->nu) /
          k->length; /* e_1 also turns about nu, since its axis does not follow */
  m_back(N, k->e[1], row);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) W[3 * i + j] += along * k->nu[i] * row[j];
}

/* Derivative of one direction b of the frame: db = Y d(x_S - x_c) + T d(turn). y and t are the rotations of the frame
   by both. */
static void direction(const CrPartner *p, const PetscReal b[3], const PetscReal y[9],
                      const PetscReal t[9], PetscReal Y[9], PetscReal T[9])
{
  const PetscReal minus[3] = {-b[0], -b[1], -b[2]};
  PetscReal       X[9];

  m_cross(minus, X);
  if (p->shape->kind == CR_SHAPE_POLYTOPE) {
    CrPartnerCarry(p, b, T);
    for (int i = 0; i < 9; i++) Y[i] = 0;
    return;
  }
  m_multiply(X, y, Y);
  m_multiply(X, t, T);
}

/* Computes the rotation of the frame by x_S - x_c (y), and by `turn` (t). */
static void frame_rotation(const CrTouch *touch, const CrPartner *p, PetscReal y[9], PetscReal t[9])
{
  PetscReal W[9], X[9], M[9];

  if (p->shape->kind == CR_SHAPE_POLYTOPE) return;
  frame_turn(touch, p, W);
  m_cross(touch->arm, X);
  m_multiply(W, X, M);
  for (int i = 0; i < 9; i++) {
    M[i] += i % 4 == 0;
    y[i] = W[i] * p->part;
  }
  m_multiply(M, p->B, t);
}

/* Gradient of b . D by x_S - x_c and by `turn`. */
static void way_gradient(const CrTouch *touch, const CrPartner *p, const PetscReal b[3],
                         const PetscReal Y[9], const PetscReal T[9], PetscReal gy[3],
                         PetscReal gt[3])
{
  PetscReal c[3];

  m_back(Y, touch->way, gy);
  m_back(T, touch->way, gt);
  v_add(gy, 1, b);
  if (p->at_end) { /* the place on the body at t_n turns with the body */
    PetscReal before[3], turned[3];

    v_less(touch->arm, touch->way, before);
    v_cross(b, before, c);
    m_back(p->B, c, turned);
    v_add(gt, 1, turned);
    return;
  }
  v_cross(p->turn, b, c); /* -(th^)^T b / 2 */
  v_add(gy, 0.5, c);
  v_cross(b, touch->arm, c); /* (r^)^T b */
  v_add(gt, 1, c);
}

/* The gradient of the real gap by `turn`. T is the derivative of the normal by `turn`. */
static void gap_by_turn(const CrTouch *touch, const CrPartner *p, const PetscReal T[9],
                        PetscReal by[3])
{
  PetscReal c[3];

  v_cross(touch->k.nu, touch->arm, c);
  if (p->shape->kind == CR_SHAPE_POLYTOPE && !p->at_end)
    m_back(T, touch->arm, by); /* the mean of two rotations does not only turn the normal */
  else
    m_back(p->B, c, by);
}

/* The gradient of the pressure by x_S - x_c and by `turn`, from those of dg and of the real gap. */
static void pressure_gradient(const CrTouch *touch, const CrPartner *p, const PetscReal gy[3],
                              const PetscReal gt[3], const PetscReal T[9], PetscReal py[3],
                              PetscReal pt[3])
{
  PetscReal turned[3];

  gap_by_turn(touch, p, T, turned);
  for (int j = 0; j < 3; j++) {
    py[j] = touch->out.p_dg * gy[j] + touch->out.p_gap * p->part * touch->k.nu[j];
    pt[j] = touch->out.p_dg * gt[j] + touch->out.p_gap * turned[j];
  }
}

void CrNodeOnBodyTangent(const CrContact *c, const CrTouch *touch, PetscReal K1[9], PetscReal K2[9])
{
  const CrPartner   *p = &c->work->partners[c->passes[touch->pass].partner];
  const CrLawOutput *o = &touch->out;
  PetscInt           nt = c->model->dim - 1;
  PetscReal          y[9], t[9], Y[3][9], T[3][9], gy[3][3], gt[3][3], dpy[3], dpt[3];

  frame_rotation(touch, p, y, t);
  for (PetscInt k = 0; k <= nt; k++) {
    const PetscReal *b = k == 0 ? touch->k.nu : touch->k.e[k - 1];

    direction(p, b, y, t, Y[k], T[k]);
    way_gradient(touch, p, b, Y[k], T[k], gy[k], gt[k]);
  }
  pressure_gradient(touch, p, gy[0], gt[0], T[0], dpy, dpt);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal py = dpy[j], pt = dpt[j];
      PetscReal sum1 = touch->k.nu[i] * py + o->p * Y[0][3 * i + j];
      PetscReal sum2 = touch->k.nu[i] * pt + o->p * T[0][3 * i + j];

      for (PetscInt a = 0; a < nt; a++) {
        PetscReal ty = o->t_p[a] * py, tt = o->t_p[a] * pt;

        for (PetscInt b = 0; b < nt; b++) {
          ty += o->t_ds[a][b] * gy[b + 1][j];
          tt += o->t_ds[a][b] * gt[b + 1][j];
        }
        sum1 -= touch->k.e[a][i] * ty + o->t[a] * Y[a + 1][3 * i + j];
        sum2 -= touch->k.e[a][i] * tt + o->t[a] * T[a + 1][3 * i + j];
      }
      K1[3 * i + j] = touch->weight * sum1;
      K2[3 * i + j] = touch->weight * sum2;
    }
}

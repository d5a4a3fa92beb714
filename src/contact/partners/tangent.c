/* Derivative of the force of a node on a rigid partner, in closed form (theory 14.3). */
#include "base/vector.h"
#include "contact/internal.h"

/* d nu / dx of the distance to an ellipsoid: S (1 + g S)^-1 with the curvature S of the surface at the
   foot point; in the axes of the body. */
static void ellipsoid_bend(const CrShape *s, PetscReal gap, const PetscReal n[3],
                           const PetscReal Y[3], PetscReal N[9])
{
  PetscReal foot[3], slope[3] = {0}, w[3] = {0}, S[9], M[9], size;

  v_copy(Y, foot);
  v_add(foot, -gap, n);
  for (PetscInt i = 0; i < s->dim; i++) {
    w[i] = 1 / (s->axes[i] * s->axes[i]);
    slope[i] = w[i] * foot[i];
  }
  size = v_length(slope);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal sum = 0;

      for (int k = 0; k < 3; k++) sum += ((i == k) - n[i] * n[k]) * w[k] * ((k == j) - n[k] * n[j]);
      S[3 * i + j] = sum / size;
    }
  for (int i = 0; i < 9; i++) M[i] = (i % 4 == 0) + gap * S[i];
  for (int j = 0; j < 3; j++) { /* columns of (1 + g S)^-1 S */
    PetscReal b[3] = {S[j], S[3 + j], S[6 + j]}, x[3] = {0, 0, 0};

    (void)m_solve(M, b, x);
    for (int i = 0; i < 3; i++) N[3 * i + j] = x[i];
  }
}

/* Distance to a straight line with a radius around it: d nu / dx = (1 - nu nu - u u)/distance, without
   the u u beyond the ends and for balls. */
static void round_bend(const CrShape *s, const PetscReal n[3], const PetscReal Y[3], PetscReal N[9])
{
  PetscBool beside = s->kind == CR_SHAPE_CAPSULE && PetscAbsReal(Y[2]) < s->half;
  PetscReal d[3];

  v_copy(Y, d);
  if (s->kind == CR_SHAPE_CAPSULE) d[2] -= PetscMax(-s->half, PetscMin(s->half, Y[2]));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      N[3 * i + j] = ((i == j) - n[i] * n[j] - (beside && i == 2 && j == 2 ? 1 : 0)) / v_length(d);
}

/* Rotation of the directions of a curved shape by a motion of the point relative to the body. */
static void frame_turn(const CrTouch *touch, const CrPartner *p, PetscReal W[9])
{
  const CrKinematics *k = &touch->k;
  PetscReal           n[3], Y[3], body[9], half[9], back[9], N[9], X[9], along, row[3];

  m_back(p->Rh, k->nu, n);
  m_back(p->Rh, touch->arm, Y);
  if (p->shape->kind == CR_SHAPE_ELLIPSOID)
    ellipsoid_bend(p->shape, k->gap, n, Y, body);
  else
    round_bend(p->shape, n, Y, body);
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

/* d b = Y d(x_S - x_c) + T d(turn) of one direction b; y: rotation of the frame by d(x_S - x_c). */
static void direction(const CrPartner *p, const PetscReal b[3], const PetscReal y[9],
                      const PetscReal t[9], PetscReal Y[9], PetscReal T[9])
{
  PetscReal X[9];

  m_cross(b, X);
  if (p->shape->kind == CR_SHAPE_POLYTOPE) {
    m_multiply(p->C, X, T);
    for (int i = 0; i < 9; i++) {
      T[i] *= -0.5;
      Y[i] = 0;
    }
    return;
  }
  m_multiply(X, y, Y);
  m_multiply(X, t, T);
  for (int i = 0; i < 9; i++) {
    Y[i] = -Y[i];
    T[i] = -T[i];
  }
}

/* How nu and the tangents turn: first by d(x_S - x_c), then by d(turn). */
static void frame_rotation(const CrTouch *touch, const CrPartner *p, PetscReal y[9], PetscReal t[9])
{
  PetscReal W[9], X[9], M[9];

  if (p->shape->kind == CR_SHAPE_POLYTOPE) return;
  frame_turn(touch, p, W);
  m_cross(touch->arm, X);
  m_multiply(W, X, M);
  for (int i = 0; i < 9; i++) {
    M[i] += i % 4 == 0;
    y[i] = W[i] / 2;
  }
  m_multiply(M, p->B, t);
}

/* gradient of b . D by d(x_S - x_c) and d(turn) */
static void way_gradient(const CrTouch *touch, const CrPartner *p, const PetscReal b[3],
                         const PetscReal Y[9], const PetscReal T[9], PetscReal gy[3],
                         PetscReal gt[3])
{
  PetscReal c[3];

  m_back(Y, touch->way, gy);
  m_back(T, touch->way, gt);
  v_add(gy, 1, b);
  v_cross(p->turn, b, c); /* -(th^)^T b / 2 */
  v_add(gy, 0.5, c);
  v_cross(b, touch->arm, c); /* (r^)^T b */
  v_add(gt, 1, c);
}

void CrPartnerPointTangent(const CrContact *c, const CrTouch *touch, PetscReal K1[9],
                           PetscReal K2[9])
{
  const CrPartner   *p = &c->partners[c->passes[touch->pass].partner];
  const CrLawOutput *o = &touch->out;
  PetscInt           nt = c->model->dim - 1;
  PetscReal          y[9], t[9], Y[3][9], T[3][9], gy[3][3], gt[3][3];

  frame_rotation(touch, p, y, t);
  for (PetscInt k = 0; k <= nt; k++) {
    const PetscReal *b = k == 0 ? touch->k.nu : touch->k.e[k - 1];

    direction(p, b, y, t, Y[k], T[k]);
    way_gradient(touch, p, b, Y[k], T[k], gy[k], gt[k]);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal py = o->p_dg * gy[0][j], pt = o->p_dg * gt[0][j];
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

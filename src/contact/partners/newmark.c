/* Rigid bodies of finite mass under Newmark's method (theory 8.3). Contact and loads act at the end of the step. The
   centre moves as a node does. The rotation has the same form in body axes, with Th = R_0^T th,

     W_1 = W_0 + h [(1 - gamma) A_0 + gamma A_1],   Th = h W_0 + h^2 [(1/2 - beta) A_0 + beta A_1],   R_1 = R_0 cay(Th),
     R_1 (I A_1 + W_1 x I W_1) = T.

   (Simo and Vu-Quoc 1988, with Cayley's map for the exponential one: the same to second order.) */
#include "base/vector.h"
#include "contact/partners/partners.h"

/* Angular velocity and acceleration at the end, in body axes. */
static void spin_at_end(const CrPartner *p, PetscReal h, PetscReal W[3], PetscReal A[3])
{
  PetscReal b = p->newmark->beta, gamma = p->newmark->gamma, Th[3];

  m_back(p->start.R, p->turn, Th);
  for (int i = 0; i < 3; i++) {
    A[i] = (Th[i] - h * p->Om0[i]) / (b * h * h) - (0.5 / b - 1) * p->A0[i];
    W[i] = p->Om0[i] + h * ((1 - gamma) * p->A0[i] + gamma * A[i]);
  }
}

/* The rate of the angular momentum in body axes, I A + W x I W. */
static void euler(const CrPartner *p, const PetscReal W[3], const PetscReal A[3], PetscReal out[3])
{
  const PetscReal L[3] = {p->I[0] * W[0], p->I[1] * W[1], p->I[2] * W[2]};

  v_cross(W, L, out);
  for (int i = 0; i < 3; i++) out[i] += p->I[i] * A[i];
}

static void way_at_end(const CrPartner *p, PetscReal h, PetscReal a[3])
{
  PetscReal b = p->newmark->beta;

  for (int i = 0; i < 3; i++)
    a[i] = (p->move[i] - h * p->v0[i]) / (b * h * h) - (0.5 / b - 1) * p->a0[i];
}

void CrNewmarkAccelerations(const CrPartner *p, PetscReal h, PetscReal a[3], PetscReal rate[3])
{
  PetscReal W[3], A[3], own[3];

  way_at_end(p, h, a);
  spin_at_end(p, h, W, A);
  euler(p, W, A, own);
  m_times(p->end.R, own, rate);
}

/* d(rate) = -rate^ B d(turn) + R_1 [I/(beta h^2) + gamma/(beta h) (W^ I - (I W)^)] R_0^T d(turn) */
void CrNewmarkAddInertia(const CrPartner *p, PetscReal h, PetscReal K[36])
{
  PetscReal b = p->newmark->beta, a[3], rate[3], W[3], A[3], L[3], X[9], Y[9], M[9], N[9], R0[9];

  CrNewmarkAccelerations(p, h, a, rate);
  spin_at_end(p, h, W, A);
  for (int i = 0; i < 3; i++) L[i] = p->I[i] * W[i];
  m_cross(W, X);
  m_cross(L, Y);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      M[3 * i + j] = p->newmark->gamma / (b * h) * (X[3 * i + j] * p->I[j] - Y[3 * i + j]);
      if (i == j) M[3 * i + j] += p->I[i] / (b * h * h);
      R0[3 * i + j] = p->start.R[3 * j + i];
    }
  m_multiply(p->end.R, M, X);
  m_multiply(X, R0, N);
  m_cross(rate, X);
  m_multiply(X, p->B, M);
  for (int i = 0; i < 3; i++) {
    K[7 * i] -= p->mass / (b * h * h);
    for (int j = 0; j < 3; j++) K[6 * (3 + i) + 3 + j] -= N[3 * i + j] - M[3 * i + j];
  }
}

void CrNewmarkAccept(const CrPartner *p, PetscInt b, PetscReal h, CrRigidState *state)
{
  const CrRigidNewmark *nm = p->newmark;
  PetscReal             a[3], W[3], A[3], L[3];

  way_at_end(p, h, a);
  spin_at_end(p, h, W, A);
  for (int i = 0; i < 3; i++) {
    if (p->is_free[i]) state->v[3 * b + i] += h * ((1 - nm->gamma) * p->a0[i] + nm->gamma * a[i]);
    L[i] = p->I[i] * W[i];
    nm->a[6 * b + i] = p->is_free[i] ? a[i] : 0;
    nm->a[6 * b + 3 + i] = p->is_free[3 + i] ? A[i] : 0;
  }
  m_times(p->end.R, L, state->pi + 3 * b);
}

void CrContactUseNewmark(CrContact *c, const CrRigidState *state, PetscReal t,
                         const CrRigidNewmark *newmark)
{
  const CrRigid *r = c->model->rigid;

  c->work->newmark = newmark;
  CrRigidAccelerations(c->model, t, newmark->a);
  for (PetscInt b = r->n - 1; b >= 0; b--) { /* from three numbers a body to six */
    PetscReal Pi[3], W[3], torque[3], a[3];
    CrPose    pose;

    v_copy(newmark->a + 3 * b, a);
    v_copy(a, newmark->a + 6 * b);

    CrPoseGet(r, state, b, &pose);
    m_back(pose.R, state->pi + 3 * b, Pi);
    for (int i = 0; i < 3; i++) W[i] = r->inverse[3 * b + i] * Pi[i];
    v_cross(W, Pi, torque);
    for (int i = 0; i < 3; i++) newmark->a[6 * b + 3 + i] = -r->inverse[3 * b + i] * torque[i];
  }
}

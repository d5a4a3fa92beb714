/* Finds the closest points of two ellipsoids (also balls, ellipses and points) by the direction n of greatest
   separation. The separation is G(n) = n.d - h1(-n) - h2(n) with the support functions h. Its gradient is the vector
   between the support points without its component along n. Its negative Hessian is H1 + H2 + g 1 (theory 18.2). */
#include "rigid/internal.h"

#define MOST_STEPS 60
#define MOST_TURN  0.3

/* A in space: R diag(a^2) R^T. */
static void metric(const CrShape *s, const CrPose *p, PetscReal A[9])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      A[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        A[3 * i + j] += p->R[3 * i + k] * s->axes[k] * s->axes[k] * p->R[3 * j + k];
    }
}

/* h = sqrt(l.A l), its point A l/h. */
static PetscReal support(const PetscReal A[9], const PetscReal l[3], PetscReal x[3])
{
  PetscReal h;

  m_times(A, l, x);
  h = sqrt(PetscMax(0, v_dot(x, l)));
  for (int i = 0; i < 3; i++) x[i] = h > 0 ? x[i] / h : 0;
  return h;
}

typedef struct {
  PetscReal A[9], B[9], d[3];
  PetscReal pa[3], pb[3], ha, hb; /* support points from the centres */
} Two;

static PetscReal apart(Two *w, const PetscReal n[3])
{
  PetscReal l[3] = {-n[0], -n[1], -n[2]};

  w->ha = support(w->A, l, w->pa);
  w->hb = support(w->B, n, w->pb);
  return v_dot(n, w->d) - w->ha - w->hb;
}

/* (t.A t' - (t.p)(t'.p))/h, what curvature adds for one body. */
static PetscReal curve(const PetscReal A[9], const PetscReal p[3], PetscReal h,
                       const PetscReal t[3], const PetscReal u[3])
{
  PetscReal Au[3];

  if (!(h > 0)) return 0;
  m_times(A, u, Au);
  return (v_dot(t, Au) - v_dot(t, p) * v_dot(u, p)) / h;
}

/* Newton's step in the tangent plane, made uphill where the matrix is not positive. */
static void newton(const Two *w, PetscInt dim, const PetscReal n[3], PetscReal g, PetscReal step[3])
{
  PetscReal t[2][3], s[3], r[2], K[3], shift, det;

  v_frame(dim, n, t[0], t[1]);
  for (int i = 0; i < 3; i++) s[i] = w->d[i] + w->pa[i] - w->pb[i];
  for (int a = 0; a < 2; a++) r[a] = v_dot(t[a], s);
  for (int a = 0; a < 3; a++) {
    const PetscReal *ta = t[a == 2], *tb = t[a > 0];

    K[a] = curve(w->A, w->pa, w->ha, ta, tb) + curve(w->B, w->pb, w->hb, ta, tb) + (a == 1 ? 0 : g);
  }
  if (dim == 2) K[1] = 0, K[2] = 1, r[1] = 0;
  /* K[0], K[1], K[2] = 11, 12, 22 */
  det = K[0] * K[2] - K[1] * K[1];
  if (!(det > 0 && K[0] > 0)) {
    shift = fabs(K[0]) + fabs(K[1]) + fabs(K[2]);
    K[0] += shift, K[2] += shift;
    det = K[0] * K[2] - K[1] * K[1];
  }
  for (int i = 0; i < 3; i++)
    step[i] =
        det > 0
            ? ((K[2] * r[0] - K[1] * r[1]) * t[0][i] + (K[0] * r[1] - K[1] * r[0]) * t[1][i]) / det
            : 0;
}

static PetscReal improve(Two *w, PetscInt dim, PetscReal n[3])
{
  PetscReal g = apart(w, n);

  for (int k = 0; k < MOST_STEPS; k++) {
    PetscReal step[3], next[3], size, f = 1, now = g;

    newton(w, dim, n, g, step);
    size = v_length(step);
    if (size > MOST_TURN) f = MOST_TURN / size;
    for (int half = 0; half < 30; half++, f /= 2) {
      v_copy(n, next);
      v_add(next, f, step);
      v_unit(next);
      now = apart(w, next);
      if (now >= g || size < 1e-7) break;
    }
    v_copy(next, n);
    g = now;
    if (size < 4e-16) break;
    if (size < 1e-9 && k > 0) { /* quadratic: done but for round-off */
      newton(w, dim, n, g, step);
      v_add(n, 1, step);
      v_unit(n);
      g = apart(w, n);
      break;
    }
  }
  return g;
}

void CrMeetSmooth(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                  CrMeeting *m)
{
  Two       w;
  PetscReal S[9], n[3], xa[3], xb[3];

  metric(a, pa, w.A);
  metric(b, pb, w.B);
  v_less(pa->x, pb->x, w.d);
  for (int i = 0; i < 9; i++) S[i] = w.A[i] + w.B[i];
  if (a->dim == 2) S[8] = 1;
  if (!m_solve(S, w.d, n)) v_copy(w.d, n);
  if (!(v_unit(n) > 0)) n[0] = 1, n[1] = n[2] = 0;
  m->gap = improve(&w, a->dim, n);
  v_copy(n, m->normal);
  for (int i = 0; i < 3; i++) {
    xa[i] = pa->x[i] + w.pa[i];
    xb[i] = pb->x[i] + w.pb[i];
    m->point[i] = (xa[i] + xb[i]) / 2;
  }
}

/* Logarithmic strain H = ln(C)/2 between two configurations (theory 5.10). C0 = sum a_i P_i and C1 = sum b_j R_j are
   the spectral forms of C at both ends, and z = C1 - C0. The change of H is exactly
     H1 - H0 = 1/2 sum_ij ln[a_i,b_j] P_i z R_j,
   with the divided differences ln[a,b]. The adjoint of this map turns a stress T that is conjugate to H into a
   symmetric stress S with S:z/2 = T:(H1 - H0). Tensors between the two configurations are stored in mixed form Q0^T T
   Q1, with the eigenvectors Q0 and Q1 of both ends. Products and norms are the same in this form, and no tensor has to
   be rotated back. Plane problems (ns = 4) have one block of 2 x 2 and the entry 33. */
#pragma once

#include "material/power.h"
#include "material/tensor.h"

#define CR_UNROLL3 _Pragma("GCC unroll 3")

typedef CrLanes Matrix[3][3];

/* True if matrices have the entry i, j. In plane problems some entries are always zero. */
#define CR_HAS(ns, i, j) ((ns) == 6 || ((i) == 2) == ((j) == 2))

/* Computes the product C of A and B. TURN_A means that A is transposed, and TURN_B that B is transposed. */
CR_INLINE void multiply(const int ns, const int TURN_A, CrLanes A[3][3], const int TURN_B,
                        CrLanes B[3][3], CrLanes C[3][3])
{
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) {
    CrLanes sum = lanes_set(0);

    CR_UNROLL3
    for (int k = 0; k < 3; k++)
      if (CR_HAS(ns, i, k) && CR_HAS(ns, k, j))
        sum += (TURN_A ? A[k][i] : A[i][k]) * (TURN_B ? B[j][k] : B[k][j]);
    C[i][j] = sum;
  }
}

CR_INLINE CrLanes matrix_product(const int ns, CrLanes A[3][3], CrLanes B[3][3])
{
  CrLanes sum = lanes_set(0);

  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++)
    if (CR_HAS(ns, i, j)) sum += A[i][j] * B[i][j];
  return sum;
}

CR_INLINE void matrix_of(const int ns, const CrLanes *S, CrLanes A[3][3])
{
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) A[i][j] = CR_HAS(ns, i, j) ? S[tensor_index[i][j]] : lanes_set(0);
}

CR_INLINE void symmetric_part(const int ns, CrLanes A[3][3], CrLanes *S)
{
  for (int I = 0; I < ns; I++)
    S[I] = (A[tensor_row[I]][tensor_col[I]] + A[tensor_col[I]][tensor_row[I]]) / 2;
}

/* ---- eigenvalues ------------------------------------------------------------------------------ */

/* Eigenvalues and eigenvectors of C = 1 + 2E. e are the eigenvalues of E, so that small strains keep their digits. */
typedef struct {
  CrLanes e[3], h[3]; /* h = ln(1 + 2e)/2 */
  Matrix  Q;          /* eigenvectors as columns */
} Spectrum;

/* Returns true if the entry p, q of A is so small that it changes no digit of the eigenvalues. */
CR_INLINE CrMask is_still(const int p, const int q, CrLanes A[3][3])
{
  return A[p][q] * A[p][q] <= 1e-34 * (A[p][p] * A[p][p] + A[q][q] * A[q][q]);
}

/* Does one Jacobi rotation of A and Q in the plane p, q. The angle has tan = x/(delta +- r) and cos^2 = (r +
   |delta|)/(2 r). A lane in which the entry p, q is too small to change any digit does not change, even if other lanes
   are rotated. */
CR_INLINE void rotate(const int p, const int q, CrLanes A[3][3], CrLanes Q[3][3])
{
  const int k = 3 - p - q;
  CrLanes   x = A[p][q], delta = (A[q][q] - A[p][p]) / 2, r = lanes_sqrt(delta * delta + x * x);
  CrMask    still = is_still(p, q, A), negative = delta < lanes_set(0);
  CrLanes   sum = lanes_select(still, lanes_set(1), lanes_select(negative, r - delta, r + delta));
  CrLanes   t = lanes_select(still, lanes_set(0), lanes_select(negative, -x, x) / sum);
  CrLanes   c = lanes_select(still, lanes_set(1),
                             lanes_sqrt(sum / (2 * lanes_select(still, lanes_set(1), r))));
  CrLanes   s = t * c, kp = A[k][p], kq = A[k][q];

  A[p][p] -= t * x;
  A[q][q] += t * x;
  A[p][q] = A[q][p] = lanes_select(still, x, lanes_set(0));
  A[k][p] = A[p][k] = c * kp - s * kq;
  A[k][q] = A[q][k] = s * kp + c * kq;
  CR_UNROLL3
  for (int i = 0; i < 3; i++) {
    CrLanes a = Q[i][p], b = Q[i][q];

    Q[i][p] = c * a - s * b;
    Q[i][q] = s * a + c * b;
  }
}

/* Returns atanh(y)/y by the series 1 + y^2/3 + y^4/5 + ..., exact to the last digit for |y| < 0.172. */
CR_INLINE CrLanes atanh_ratio(CrLanes y)
{
  CrLanes x = y * y, sum = lanes_set(1.0 / 21);

  for (int k = 19; k > 0; k -= 2) sum = 1.0 / k + x * sum;
  return sum;
}

#define CR_ATANH_REACH 0.17

/* Returns ln(x) in all lanes, without a function call for every lane. The function uses x = 2^k m with m between
   sqrt(1/2) and sqrt(2). The result is NaN unless x > 0. */
CR_INLINE CrLanes lanes_log(CrLanes x)
{
  const CrMask half = (CrMask)lanes_set(0.70710678118654752), magic = (CrMask)lanes_set(0x1.8p52);
  const CrMask good = (x > lanes_set(0)) & (x < lanes_set(HUGE_VAL));
  const CrMask bits =
      (CrMask)lanes_select(good, x, lanes_set(1)); /* for other x, integers would overflow */
  CrMask  k = (bits - half) >> 52;
  CrLanes m = (CrLanes)(bits - (k << 52)), power = (CrLanes)(k + magic) - 0x1.8p52;
  CrLanes y = (m - 1) / (m + 1);
  CrLanes value = power * 0.693147180369123816490 +
                  (power * 1.90821492927058770002e-10 + 2 * y * atanh_ratio(y));

  return lanes_select(good, value, lanes_set(NAN));
}

/* Returns ln(1 + x) in all lanes, without a function call for every lane. */
CR_INLINE CrLanes lanes_log_near(CrLanes x)
{
  CrLanes y = x / (2 + x), value = 2 * y * atanh_ratio(y);
  CrMask  near = y * y < lanes_set(CR_ATANH_REACH * CR_ATANH_REACH);

  return in_all_lanes(near) ? value : lanes_select(near, value, lanes_log(1 + x));
}

/* Computes the eigenvalues and eigenvectors of E by cyclic Jacobi rotations. Five sweeps are enough (measured error:
   1e-15 after four). A sweep that would rotate no lane is left out, which changes no digit. */
CR_INLINE void spectrum_of(const int ns, const CrLanes *E, Spectrum *s)
{
  Matrix A;

  matrix_of(ns, E, A);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) s->Q[i][j] = lanes_set(i == j);
  if (ns == 4)
    rotate(0, 1, A, s->Q);
  else
    for (int sweep = 0; sweep < 5; sweep++) {
      if (in_all_lanes(is_still(0, 1, A) & is_still(0, 2, A) & is_still(1, 2, A))) break;
      rotate(0, 1, A, s->Q);
      rotate(0, 2, A, s->Q);
      rotate(1, 2, A, s->Q);
    }
  CR_UNROLL3
  for (int i = 0; i < 3; i++) {
    s->e[i] = A[i][i];
    s->h[i] = lanes_log_near(2 * A[i][i]) / 2;
  }
}

/* ---- without eigenvectors -------------------------------------------------------------------------- */

/* Computes the product A B of symmetric tensors that commute, such as functions of the same tensor. */
CR_INLINE void multiply_symmetric(const int ns, const CrLanes *A, const CrLanes *B, CrLanes *C)
{
  for (int I = 0; I < ns; I++) {
    const int i = tensor_row[I], j = tensor_col[I];

    C[I] = lanes_set(0);
    CR_UNROLL3
    for (int k = 0; k < 3; k++)
      if (CR_HAS(ns, i, k) && CR_HAS(ns, k, j))
        C[I] += A[tensor_index[i][k]] * B[tensor_index[k][j]];
  }
}

/* for smaller |Y|, 15 terms of the series of atanh(Y) are exact to the last digit */
#define CR_LOG_REACH 0.3
#define CR_LOG_TERMS 15
#define CR_LOG_SHORT 0.16 /* for smaller |Y|, 9 terms are sufficient */
#define CR_LOG_FEW   9

/* Computes the coefficients of atanh(Y) = Y (c0 + c1 Z + c2 Z^2), where Z = Y^2 has the invariants I. By the theorem of
   Cayley and Hamilton, every power of Z is a sum of this form, so that only the series of the coefficients is
   needed. */
CR_INLINE void atanh_sum(const int terms, const CrLanes I[3], CrLanes c[3])
{
  c[0] = lanes_set(1.0 / (2 * terms + 1));
  c[1] = c[2] = lanes_set(0);
  for (int k = 2 * terms - 1; k > 0; k -= 2) {
    CrLanes last = c[2];

    c[2] = c[1] + last * I[0];
    c[1] = c[0] - last * I[1];
    c[0] = last * I[2] + 1.0 / k;
  }
}

/* Computes the coefficients of atanh_sum. Every lane uses as many terms of the series as it needs, independently of the
   other lanes. */
CR_INLINE void atanh_powers(const CrLanes I[3], CrLanes c[3])
{
  CrMask  few = I[0] < lanes_set(CR_LOG_SHORT * CR_LOG_SHORT);
  CrLanes all[3];

  atanh_sum(CR_LOG_FEW, I, c);
  if (in_all_lanes(few)) return;
  atanh_sum(CR_LOG_TERMS, I, all);
  for (int k = 0; k < 3; k++) c[k] = lanes_select(few, c[k], all[k]);
}

/* Computes the coefficients t1 and t2 of dev H = t1 X + t2 dev X^2. The tensor X is defined by C = a (1 + 2X) and has
   no trace; q = X:X and K = det X. The method is H = ln(a)/2 + atanh(Y) with Y = X (1 + X)^-1 = (K + X - X^2)/d and d =
   det(1 + X). `over` is 1/d. All invariants of Y follow from q and K, so the function needs no tensors. Returns true in
   lanes in which the series converges. */
CR_INLINE CrMask log_deviator(CrLanes q, CrLanes K, CrLanes over, CrLanes *t1, CrLanes *t2)
{
  CrLanes bend = 3 * K - q, J1 = bend * over, J2 = (3 * K - q / 2) * over, J3 = K * over;
  CrLanes I[3] = {J1 * J1 - 2 * J2, J2 * J2 - 2 * J1 * J3, J3 * J3}, c[3], A = J1 * J1 - J2;
  CrLanes g1, g2;

  atanh_powers(I, c);
  g1 = (c[0] - c[1] * J2 + c[2] * (J1 * J3 - A * J2)) *
       over; /* atanh(Y) = g0 + g1 d Y + g2 d^2 Y^2 */
  g2 = (c[1] * J1 + c[2] * (A * J1 + J3 - J1 * J2)) * (over * over);
  *t1 = g1 + g2 * bend;
  *t2 = g2 * (1 + q / 2 - 2 * K) - g1;
  return I[0] < lanes_set(CR_LOG_REACH * CR_LOG_REACH);
}

/* Computes M = C^-1 dev H, as a sum of coefficients times 1, X and X^2 (log_deviator), and *square = |dev H|^2. Returns
   true in lanes in which the series of log_deviator converges. */
CR_INLINE CrMask log_near(const int ns, const CrLanes *E, CrLanes *M, CrLanes *square)
{
  CrLanes mean = trace(E) / 3, over = 1 / (1 + 2 * mean), X[6], XX[6];
  CrLanes q, K, t0, t1, t2, t3, d, det, part, scale, start, m0, m1, m2;
  CrMask  near;

  for (int I = 0; I < ns; I++) X[I] = (E[I] - identity2(I) * mean) * over;
  multiply_symmetric(ns, X, X, XX);
  q = trace(XX);
  K = determinant(ns, X);
  d = 1 - q / 2 + K;
  start = 1 - 2 * q;
  det = start + 8 * K; /* det(1 + 2X); the inverse of 1 + 2X is (start - 2X + 4X^2)/det */
  part = 1 / (d * det);
  scale = part * d * over;
  near = log_deviator(q, K, part * det, &t1, &t2);
  *square = q * t1 * t1 + 6 * K * t1 * t2 + q * q / 6 * t2 * t2;
  t0 = -t2 * q / 3;
  t3 = 4 * t1 - 2 * t2; /* X^3 = q/2 X + K */
  m0 = scale * (t0 * start + t3 * K);
  m1 = scale * (t1 * start - 2 * t0 + t3 * q / 2 + 4 * t2 * K);
  m2 = scale * (t2 * start - 2 * t1 + 4 * t0 + 2 * t2 * q);
  for (int I = 0; I < ns; I++) M[I] = m0 * identity2(I) + m1 * X[I] + m2 * XX[I];
  return near;
}

/* ---- the secant ------------------------------------------------------------------------------- */

/* Returns the divided difference ln[a,b] = (ln b - ln a)/(b - a), where a is eigenvalue i of s0 and b eigenvalue j of
   s1. If a and b are close, the function uses ln(b/a) = 2 atanh((b-a)/(b+a)). */
CR_INLINE CrLanes log_secant(const Spectrum *s0, int i, const Spectrum *s1, int j)
{
  CrLanes half = s1->e[j] - s0->e[i], sum = 1 + s0->e[i] + s1->e[j], y = half / sum;
  CrMask  near = y * y < lanes_set(CR_ATANH_REACH * CR_ATANH_REACH);

  if (in_all_lanes(near)) return atanh_ratio(y) / sum;
  return lanes_select(near, atanh_ratio(y) / sum,
                      (s1->h[j] - s0->h[i]) / lanes_select(near, lanes_set(1), half));
}

/* Data of the secant between two configurations of the metric P^T C P. P is the identity for total strains, or the
   inverse of a plastic deformation gradient. */
typedef struct {
  Spectrum s0, s1;
  Matrix   B0, B1; /* P Q0, P Q1 */
  Matrix   R;      /* Q0^T Q1: the identity in mixed form */
  Matrix   D;      /* ln[a_i,b_j] */
} LogSecant;

/* Computes B0, B1, R and D of a secant whose spectra s0 and s1 are known. P = NULL means the identity. */
CR_INLINE void log_secant_fill(const int ns, CrLanes (*P)[3], LogSecant *s)
{
  multiply(ns, 1, s->s0.Q, 0, s->s1.Q, s->R);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) {
    s->D[i][j] = CR_HAS(ns, i, j) ? log_secant(&s->s0, i, &s->s1, j) : lanes_set(0);
    if (P) continue;
    s->B0[i][j] = s->s0.Q[i][j];
    s->B1[i][j] = s->s1.Q[i][j];
  }
  if (!P) return;
  multiply(ns, 0, P, 0, s->s0.Q, s->B0);
  multiply(ns, 0, P, 0, s->s1.Q, s->B1);
}

/* Computes d, the deviator of H1 - H0 in mixed form, from z = C1 - C0. */
CR_INLINE void log_change(const int ns, LogSecant *s, const CrLanes *z, CrLanes d[3][3])
{
  Matrix  Z, half;
  CrLanes mean;

  matrix_of(ns, z, Z);
  multiply(ns, 1, s->B0, 0, Z, half);
  multiply(ns, 0, half, 0, s->B1, d);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) d[i][j] *= s->D[i][j] / 2;
  mean = matrix_product(ns, d, s->R) / 3;
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) d[i][j] -= mean * s->R[i][j];
}

/* Computes the stress S with S:z/2 = T:(H1 - H0), from the stress T in mixed form. */
CR_INLINE void pull(const int ns, LogSecant *s, CrLanes T[3][3], CrLanes *S)
{
  Matrix weighted, half, full;

  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++)
    weighted[i][j] = CR_HAS(ns, i, j) ? s->D[i][j] * T[i][j] : lanes_set(0);
  multiply(ns, 0, s->B0, 0, weighted, half);
  multiply(ns, 0, half, 1, s->B1, full);
  symmetric_part(ns, full, S);
}

/* ---- derivative of the secant with respect to E1 ---------------------------------------------- */

/* Returns the second divided difference ln[a,b,c], from the three first divided differences. If a, b and c are close to
   each other, a series is used instead of a quotient. The error of the series is 1e-9, and only tangents use it. */
CR_INLINE CrLanes log_second_of(CrLanes a, CrLanes b, CrLanes c, CrLanes ab, CrLanes ac, CrLanes bc)
{
  CrLanes x = (b - c) * (b - c), y = (a - c) * (a - c), w = (a - b) * (a - b);
  CrLanes s = (a + b + c) / 3, square = s * s, spread = (x + y + w) / 3; /* sum of d_i^2 */
  CrMask  first = (x >= y) & (x >= w), second = y >= w, close = spread < 2e-6 * square;
  CrLanes top = lanes_select(first, ab - ac, lanes_select(second, ab - bc, ac - bc));
  CrLanes base = lanes_select(first, b - c, lanes_select(second, a - c, a - b));

  return lanes_select(close, -(1 + spread / (4 * square)) / (2 * square),
                      top / lanes_select(close, lanes_set(1), base));
}

/* The derivative of the stress T with respect to H1, in mixed form: dT = iso dev(dH) + N (w:dH). */
typedef struct {
  CrLanes iso;
  Matrix  N, w;
  int     ends; /* 1: only E1 changes; 2: E0 = E1, and both change together */
} LogModulus;

/* Computes V_ijk = 2 m->ends T_ij ln[a_i,b_j,b_k], the factors of pull_change for the change of the eigenvectors and
   eigenvalues. */
CR_INLINE void second_weights(const int ns, LogSecant *s, CrLanes T[3][3], const LogModulus *m,
                              CrLanes D1[3][3], CrLanes V[3][3][3])
{
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) CR_UNROLL3
  for (int k = 0; k < 3; k++)
    V[i][j][k] = CR_HAS(ns, i, j) && CR_HAS(ns, j, k)
                     ? 2 * m->ends * T[i][j] *
                           log_second_of(1 + 2 * s->s0.e[i], 1 + 2 * s->s1.e[j], 1 + 2 * s->s1.e[k],
                                         s->D[i][j], s->D[i][k], D1[j][k])
                     : lanes_set(0);
}

/* Computes dS, the change of S = pull(T) for a change e of the strain E1. e is given in the axes of the eigenvectors
   Q1. */
CR_INLINE void pull_change(const int ns, LogSecant *s, const LogModulus *m, CrLanes D1[3][3],
                           CrLanes V[3][3][3], CrLanes e[3][3], CrLanes *dS)
{
  Matrix  h, RH, W, half, full, *N = (Matrix *)&m->N, *w = (Matrix *)&m->w;
  CrLanes along, mean = lanes_set(0);

  CR_UNROLL3
  for (int j = 0; j < 3; j++) CR_UNROLL3
  for (int k = 0; k < 3; k++) h[j][k] = CR_HAS(ns, j, k) ? D1[j][k] * e[j][k] : lanes_set(0);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) mean += h[i][i] / 3;
  multiply(ns, 0, s->R, 0, h, RH);
  along = matrix_product(ns, *w, RH);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int k = 0; k < 3; k++) {
    if (!CR_HAS(ns, i, k)) continue;
    W[i][k] = s->D[i][k] * (m->iso * (RH[i][k] - mean * s->R[i][k]) + (*N)[i][k] * along);
    CR_UNROLL3
    for (int j = 0; j < 3; j++)
      if (CR_HAS(ns, i, j)) W[i][k] += V[i][j][k] * e[j][k];
  }
  multiply(ns, 0, s->B0, 0, W, half);
  multiply(ns, 0, half, 1, s->B1, full);
  symmetric_part(ns, full, dS);
}

/* Computes the derivative A = dS/dE1 of the stress S = pull(T), as ns x ns tensor components. */
CR_INLINE void pull_tangent(const int ns, LogSecant *s, CrLanes T[3][3], const LogModulus *m,
                            CrLanes *A)
{
  Matrix  D1;
  CrLanes V[3][3][3];

  CR_UNROLL3
  for (int j = 0; j < 3; j++) CR_UNROLL3
  for (int k = 0; k < 3; k++)
    D1[j][k] = CR_HAS(ns, j, k) ? log_secant(&s->s1, j, &s->s1, k) : lanes_set(0);
  second_weights(ns, s, T, m, D1, V);
  for (int J = 0; J < ns; J++) {
    const int p = tensor_row[J], q = tensor_col[J];
    Matrix    e;
    CrLanes   dS[6];

    CR_UNROLL3
    for (int j = 0; j < 3; j++) CR_UNROLL3
    for (int k = 0; k < 3; k++)
      e[j][k] = (s->B1[p][j] * s->B1[q][k] + s->B1[q][j] * s->B1[p][k]) / 2;
    pull_change(ns, s, m, D1, V, e, dS);
    for (int I = 0; I < ns; I++) A[I * ns + J] = dS[I];
  }
}

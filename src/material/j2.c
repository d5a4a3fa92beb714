/* Plasticity of von Mises with finite strain (theory 5.12): multiplicative, with the inverse plastic deformation
   P = Fp^-1 (det 1) as state, Ce = P^T C P, He = ln(Ce)/2 and psi = G |dev He|^2 + Hk/3 |X|^2 beside the volume.
   The return is that of the end of the step, one scalar equation. The stress of the step does the exact work
   S:z/2 = psi1 - psi0 + D with the loss D = g (max(a, Y0) + b)/2 >= 0 of the flow g, a = N:xi0, b = |xi1|, where
   xi is the stress beyond the back stress. Part of a step may pass before yield begins: c N in the stress stands
   for it. The energy of isotropic hardening cannot be had back, so it counts as loss. */
#include "deck/deck.h"
#include "material/hardening.h"
#include "material/spectral.h"

#define ROOT23 0.81649658092772603 /* sqrt(2/3) */

/* ---- state ------------------------------------------------------------------------------------ */

/* P by rows without the zeros of plane problems; then plastic strain, loss per volume, and X if there is a
   kinematic part. */
#define P_SIZE(ns)      ((ns) == 4 ? 5 : 9)
#define ALPHA(ns)       P_SIZE(ns)
#define LOSS(ns)        (P_SIZE(ns) + 1)
#define BACK(ns)        (P_SIZE(ns) + 2)
#define PLACE(ns, i, j) ((ns) == 6 ? 3 * (i) + (j) : (i) == 2 ? 4 : 2 * (i) + (j))

static PetscInt state_size(const CrMaterial *material, PetscInt ns)
{
  return P_SIZE(ns) + 2 + (material->constants[J2_KINEMATIC] > 0 ? ns : 0);
}

static PetscInt state_place(const CrMaterial *material, PetscInt ns, CrStateField field)
{
  if (field == CR_STATE_BACK) return material->constants[J2_KINEMATIC] > 0 ? BACK(ns) : -1;
  return field == CR_STATE_STRAIN ? ALPHA(ns) : LOSS(ns);
}

static void state_init(const CrMaterial *material, PetscInt ns, PetscReal *state)
{
  (void)material;
  for (int i = 0; i < 3; i++) state[PLACE(ns, i, i)] = 1;
}

CR_INLINE void load_plastic(const int ns, const PetscReal *state, CrLanes P[3][3])
{
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++)
    P[i][j] = CR_HAS(ns, i, j) ? state_load(state, PLACE(ns, i, j)) : lanes_set(0);
}

/* Ee = P^T E P + (P^T P - 1)/2 = P^T (E P + p) + p^T with p = (P - 1)/2. It loses no digits while P = 1. */
CR_INLINE void elastic_strain(const int ns, CrLanes P[3][3], const CrLanes *E, CrLanes *Ee)
{
  Matrix p, A;

  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) {
    if (!CR_HAS(ns, i, j)) continue;
    A[i][j] = p[i][j] = (i == j ? P[i][j] - 1 : P[i][j]) / 2;
    CR_UNROLL3
    for (int k = 0; k < 3; k++)
      if (CR_HAS(ns, i, k) && CR_HAS(ns, k, j)) A[i][j] += E[tensor_index[i][k]] * P[k][j];
  }
  for (int I = 0; I < ns; I++) {
    const int i = tensor_row[I], j = tensor_col[I];

    Ee[I] = p[j][i];
    CR_UNROLL3
    for (int k = 0; k < 3; k++)
      if (CR_HAS(ns, k, i)) Ee[I] += P[k][i] * A[k][j];
  }
}

CR_INLINE void elastic_spectrum(const int ns, CrLanes P[3][3], const CrLanes *E, Spectrum *s)
{
  CrLanes Ee[6];

  elastic_strain(ns, P, E, Ee);
  spectrum_of(ns, Ee, s);
}

/* ---- a step ------------------------------------------------------------------------------------ */

/* A step from the state to E1; tensors in mixed form. */
typedef struct {
  LogSecant s;
  Matrix    P, T0, xi0, d, N; /* N: direction of flow */
  CrLanes   xi, g, slope;     /* |xi_tr|; flow; its derivative by N:dH */
  CrLanes   f, a, Y0;         /* |xi_tr| - Y0, N:xi0, sqrt(2/3) Y at the start */
} Step;

/* Subtracts the back stress 2/3 Hk X, turned to Q0 and Q1. */
CR_INLINE void subtract_back(const int ns, const CrMaterial *material, const PetscReal *state,
                             LogSecant *s, CrLanes xi[3][3])
{
  const double Hk = material->constants[J2_KINEMATIC];
  CrLanes      X[6];
  Matrix       full, half, mixed;

  if (!(Hk > 0)) return;
  for (int I = 0; I < ns; I++) X[I] = state_load(state, BACK(ns) + I);
  matrix_of(ns, X, full);
  multiply(ns, 1, s->s0.Q, 0, full, half);
  multiply(ns, 0, half, 0, s->s1.Q, mixed);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) xi[i][j] -= 2.0 / 3 * Hk * mixed[i][j];
}

/* g and its slope from the size of xi_tr. */
CR_INLINE void flow_of(const int ns, const CrMaterial *material, const CrPast *past, CrLanes xi,
                       Step *step)
{
  const double G = material->shear, k = 1 + material->constants[J2_KINEMATIC] / (3 * G);
  FlowProblem  p = {.stiff = 2 * G * k, .h = past->h, .xi = xi};
  CrLanes      Y, dY;

  p.alpha = state_load(past->state, ALPHA(ns));
  strength(material->constants, p.alpha, &Y, &p.dY);
  step->xi = xi;
  step->Y0 = ROOT23 * Y;
  step->f = p.f = xi - step->Y0;
  p.flows = (step->f > lanes_set(0)) & (lanes_set(past->h) > lanes_set(0));
  solve_flow(material->constants, &p, &step->g, &dY);
  step->slope =
      lanes_select(p.flows, 2 * G / (2 * G * k + 2.0 / 3 * dY), lanes_set(0)); /* dg = slope N:dH */
}

/* The same, and N, from xi_tr in the place of N. */
CR_INLINE void flow(const int ns, const CrMaterial *material, const CrPast *past, Step *step)
{
  CrLanes xi = lanes_sqrt(matrix_product(ns, step->N, step->N)), over;

  flow_of(ns, material, past, xi, step);
  over = 1 / lanes_select(xi > lanes_set(0), xi, lanes_set(1));
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) step->N[i][j] *= over;
}

/* The elastic deviator at the start of the step, the change, and the flow. */
CR_INLINE void step_between(const int ns, const CrMaterial *material, const CrPast *past,
                            const CrLanes *E0, const CrLanes *E1, const CrLanes *z, Step *step)
{
  const double G = material->shear;
  LogSecant   *s = &step->s;
  CrLanes      mean;

  load_plastic(ns, past->state, step->P);
  elastic_spectrum(ns, step->P, E0, &s->s0);
  elastic_spectrum(ns, step->P, E1, &s->s1);
  log_secant_fill(ns, step->P, s);
  log_change(ns, s, z, step->d);
  mean = (s->s0.h[0] + s->s0.h[1] + s->s0.h[2]) / 3;
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++)
    step->T0[i][j] = step->xi0[i][j] = 2 * G * (s->s0.h[i] - mean) * s->R[i][j];
  subtract_back(ns, material, past->state, s, step->xi0);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) step->N[i][j] = step->xi0[i][j] + 2 * G * step->d[i][j];
  flow(ns, material, past, step);
  step->a = matrix_product(ns, step->N, step->xi0);
}

/* ---- the stress of the step ----------------------------------------------------------------------- */

/* c and the coefficients of its derivative dc = cN N:dH + cx xi0:dH. */
typedef struct {
  CrLanes c, cN, cx;
} Passed;

CR_INLINE void passed_before(const CrMaterial *material, const Step *step, Passed *p)
{
  const double G = material->shear;
  CrLanes      short_of = step->Y0 - step->a, s, sum, share, e;
  CrMask       passed = (short_of > lanes_set(0)) & (step->slope > lanes_set(0));

  s = lanes_select(passed, short_of, lanes_set(0));
  sum = lanes_select(passed, step->f + s, lanes_set(1)); /* 2G N:d */
  share = s / sum;
  e = lanes_select(passed, step->g / (sum * sum), lanes_set(0));
  p->c = G * step->g * share;
  p->cx = -G * e * step->f * 2 * G / lanes_select(passed, step->xi, lanes_set(1));
  p->cN = G * share * step->slope - 2 * G * G * s * e - p->cx * step->a;
}

CR_INLINE void stress_between(const CrMaterial *material, const int ns, const CrPast *past,
                              const CrLanes *E0, const CrLanes *E1, const CrLanes *z, CrLanes *S,
                              CrLanes *A)
{
  const double G = material->shear;
  CrLanes      back, turn, along;
  Matrix       T;
  LogModulus   m = {.ends = 1};
  Passed       p;
  Step         step;

  step_between(ns, material, past, E0, E1, z, &step);
  passed_before(material, &step, &p);
  back = p.c - G * step.g;
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) T[i][j] = step.T0[i][j] + G * step.d[i][j] + back * step.N[i][j];
  pull(ns, &step.s, T, S);
  if (!A) return;
  turn = back * 2 * G / lanes_select(step.xi > lanes_set(0), step.xi, lanes_set(1));
  along = p.cN - G * step.slope - turn;
  m.iso = G + turn;
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) {
    m.N[i][j] = step.N[i][j];
    m.w[i][j] = along * step.N[i][j] + p.cx * step.xi0[i][j];
  }
  pull_tangent(ns, &step.s, T, &m, A);
}

/* ---- the stress at the end --------------------------------------------------------------------- */

/* Hk/3 |X + g N|^2 in the eigenvectors of the end. */
CR_INLINE CrLanes back_energy(const int ns, const CrMaterial *material, const PetscReal *state,
                              Step *step)
{
  const double Hk = material->constants[J2_KINEMATIC];
  Matrix       X;

  if (!(Hk > 0)) return lanes_set(0);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) X[i][j] = -2.0 / 3 * Hk * step->g * step->N[i][j];
  subtract_back(ns, material, state, &step->s, X); /* minus the back stress of the end */
  return 3 / (4 * Hk) * matrix_product(ns, X, X);
}

/* M = C^-1 dev H and |dev H|^2 in all lanes: by series, and by eigenvectors where these do not reach. */
CR_INLINE void log_over_metric(const int ns, const CrLanes *E, CrLanes *M, CrLanes *square)
{
  CrMask   near = log_near(ns, E, M, square);
  Spectrum s;
  CrLanes  mean, h[3], far = lanes_set(0);

  if (in_all_lanes(near)) return;
  spectrum_of(ns, E, &s);
  mean = (s.h[0] + s.h[1] + s.h[2]) / 3;
  for (int k = 0; k < 3; k++) {
    far += (s.h[k] - mean) * (s.h[k] - mean);
    h[k] = (s.h[k] - mean) / (1 + 2 * s.e[k]);
  }
  *square = lanes_select(near, *square, far);
  for (int I = 0; I < ns; I++) {
    CrLanes sum = lanes_set(0);

    CR_UNROLL3
    for (int k = 0; k < 3; k++)
      if (CR_HAS(ns, tensor_row[I], k)) sum += s.Q[tensor_row[I]][k] * h[k] * s.Q[tensor_col[I]][k];
    M[I] = lanes_select(near, M[I], sum);
  }
}

/* S = scale P M P^T, of a symmetric M */
CR_INLINE void push_plastic(const int ns, CrLanes P[3][3], const CrLanes *M, CrLanes scale,
                            CrLanes *S)
{
  Matrix full, half;

  matrix_of(ns, M, full);
  multiply(ns, 0, P, 0, full, half);
  for (int I = 0; I < ns; I++) {
    CrLanes sum = lanes_set(0);

    CR_UNROLL3
    for (int k = 0; k < 3; k++)
      if (CR_HAS(ns, tensor_row[I], k)) sum += half[tensor_row[I]][k] * P[tensor_col[I]][k];
    S[I] = scale * sum;
  }
}

/* Without a back stress T commutes with Ce, so that no eigenvectors are needed: S = P Ce^-1 T P^T. */
CR_INLINE void coaxial_stress_at(const CrMaterial *material, const int ns, const CrPast *past,
                                 const CrLanes *E1, CrLanes *W, CrLanes *S)
{
  const double G = material->shear;
  CrLanes      Ee[6], M[6], square, shrink;
  Step         step;

  load_plastic(ns, past->state, step.P);
  elastic_strain(ns, step.P, E1, Ee);
  log_over_metric(ns, Ee, M, &square);
  flow_of(ns, material, past, 2 * G * lanes_sqrt(square), &step);
  shrink = 1 - 2 * G * step.g / lanes_select(step.xi > lanes_set(0), step.xi, lanes_set(1));
  if (W) *W = G * shrink * shrink * square;
  if (S) push_plastic(ns, step.P, M, 2 * G * shrink, S);
}

CR_INLINE void stress_at(const CrMaterial *material, const int ns, const CrPast *past,
                         const CrLanes *E1, CrLanes *W, CrLanes *S, CrLanes *A)
{
  const double G = material->shear;
  CrLanes      mean, turn;
  Matrix       T;
  LogModulus   m = {.ends = 2};
  Step         step;
  LogSecant   *s = &step.s;

  load_plastic(ns, past->state, step.P);
  elastic_spectrum(ns, step.P, E1, &s->s1);
  s->s0 = s->s1;
  mean = (s->s1.h[0] + s->s1.h[1] + s->s1.h[2]) / 3;
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++)
    T[i][j] = step.N[i][j] = i == j ? 2 * G * (s->s1.h[i] - mean) : lanes_set(0);
  subtract_back(ns, material, past->state, s, step.N);
  flow(ns, material, past, &step);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) T[i][j] -= 2 * G * step.g * step.N[i][j];
  if (W) *W = matrix_product(ns, T, T) / (4 * G) + back_energy(ns, material, past->state, &step);
  if (!S) return;
  log_secant_fill(ns, step.P, s);
  pull(ns, s, T, S);
  if (!A) return;
  turn = 2 * G * step.g / lanes_select(step.xi > lanes_set(0), step.xi, lanes_set(1));
  m.iso = 2 * G * (1 - turn);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) {
    m.N[i][j] = step.N[i][j];
    m.w[i][j] = 2 * G * (turn - step.slope) * step.N[i][j];
  }
  pull_tangent(ns, s, T, &m, A);
}

/* ---- the state at the end ----------------------------------------------------------------------- */

/* exp(H) of a symmetric matrix. */
CR_INLINE void exponential(const int ns, const CrLanes *H, CrLanes out[3][3])
{
  Spectrum s;
  Matrix   half;

  spectrum_of(ns, H, &s);
  CR_UNROLL3
  for (int j = 0; j < 3; j++) {
    CrLanes power = lanes_exp(s.e[j]);

    CR_UNROLL3
    for (int i = 0; i < 3; i++) half[i][j] = s.Q[i][j] * power;
  }
  multiply(ns, 0, half, 1, s.Q, out);
}

CR_INLINE CrLanes determinant_of_matrix(CrLanes a[3][3])
{
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
         a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* P1 = P exp(-dev He_tr) exp(dev He1), of det 1, in the eigenvectors Q1 of the trial; n: N there. */
CR_INLINE void flow_plastic(const int ns, Step *step, const CrLanes *n, CrLanes P1[3][3])
{
  const Spectrum *s1 = &step->s.s1;
  CrLanes         H[6], mean = (s1->h[0] + s1->h[1] + s1->h[2]) / 3, scale;
  Matrix          power, half;

  for (int I = 0; I < ns; I++) H[I] = (I < 3 ? s1->h[I] - mean : lanes_set(0)) - step->g * n[I];
  exponential(ns, H, power);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) {
    CrLanes away = lanes_exp(mean - s1->h[i]);

    CR_UNROLL3
    for (int j = 0; j < 3; j++) power[i][j] *= away;
  }
  multiply(ns, 0, step->s.B1, 0, power, half);
  multiply(ns, 0, half, 1, step->s.s1.Q, P1);
  scale = 1 - (determinant_of_matrix(P1) - 1) / 3;
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++)
    P1[i][j] = lanes_select(step->g > lanes_set(0), P1[i][j] * scale, step->P[i][j]);
}

CR_INLINE void store_back(const int ns, const PetscReal *state0, PetscReal *state1, Step *step,
                          const CrLanes *n)
{
  Matrix  N, half, full;
  CrLanes turned[6];

  matrix_of(ns, n, N);
  multiply(ns, 0, step->s.s1.Q, 0, N, half);
  multiply(ns, 0, half, 1, step->s.s1.Q, full);
  symmetric_part(ns, full, turned);
  for (int I = 0; I < ns; I++)
    state_store(state1, BACK(ns) + I, state_load(state0, BACK(ns) + I) + step->g * turned[I]);
}

CR_INLINE void commit_step(const CrMaterial *material, const int ns, const CrPast *past,
                           const CrLanes *E0, const CrLanes *E1, const CrLanes *z,
                           PetscReal *state1, CrLanes *D)
{
  const double G = material->shear, Hk = material->constants[J2_KINEMATIC];
  CrLanes      n[6], b;
  Matrix       N, P1;
  Step         step;

  step_between(ns, material, past, E0, E1, z, &step);
  multiply(ns, 1, step.s.R, 0, step.N, N); /* Q1^T N Q1 */
  symmetric_part(ns, N, n);
  flow_plastic(ns, &step, n, P1);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++)
    if (CR_HAS(ns, i, j)) state_store(state1, PLACE(ns, i, j), P1[i][j]);
  b = step.xi - (2 * G + 2.0 / 3 * Hk) * step.g;
  *D = step.g * (lanes_select(step.a > step.Y0, step.a, step.Y0) + b) / 2;
  state_store(state1, ALPHA(ns), state_load(past->state, ALPHA(ns)) + ROOT23 * step.g);
  state_store(state1, LOSS(ns), state_load(past->state, LOSS(ns)) + *D);
  if (Hk > 0) store_back(ns, past->state, state1, &step, n);
}

/* ---- instances for plane problems and for space -------------------------------------------------- */

static void between(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
                    const void *E1, const void *z, void *S, void *A)
{
  if (ns == 4)
    stress_between(material, 4, past, E0, E1, z, S, A);
  else
    stress_between(material, 6, past, E0, E1, z, S, A);
}

static void at(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
               const void *E1, const void *z, void *W, void *S, void *CC)
{
  (void)E0;
  (void)z;
  if (!CC && !(material->constants[J2_KINEMATIC] > 0)) {
    if (ns == 4)
      coaxial_stress_at(material, 4, past, E1, W, S);
    else
      coaxial_stress_at(material, 6, past, E1, W, S);
  } else if (ns == 4)
    stress_at(material, 4, past, E1, W, S, CC);
  else
    stress_at(material, 6, past, E1, W, S, CC);
}

static void commit(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
                   const void *E1, const void *z, PetscReal *state1, void *D)
{
  if (ns == 4)
    commit_step(material, 4, past, E0, E1, z, state1, D);
  else
    commit_step(material, 6, past, E0, E1, z, state1, D);
}

const CrMaterialOps CR_VARIANT(CrMaterial_j2) = {
    .name = "j2",
    .help = "plasticity of von Mises at finite strain, with isotropic and kinematic hardening",
    .flags = CR_FLOWS | CR_END_ALONE,
    .keys = CrHardeningKeys,
    .configure = CrHardeningConfigure,
    .volume = CR_VOLUME_LOG,
    .loss = CR_LOSS_PLASTIC,
    .state_size = state_size,
    .state_place = state_place,
    .state_init = state_init,
    .between = between,
    .at = at,
    .commit = commit,
};

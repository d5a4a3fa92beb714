/* An elastic law with viscosity (theory 5.11). The branches of the generalised Maxwell model use logarithmic strains:
   branch i stores the energy psi_i = G_i H_i:H_i and relaxes by H_i' = dev H' - H_i/tau_i. For a constant strain rate
   within the step this equation is integrated exactly, with r = h/tau, d = dev(H1 - H0) and
     rho = exp(-r), sigma = (1 - rho)/r, beta = (1 - sigma)/r, eps = 2 (r - 2 tanh(r/2))/r^2:
     H1 = rho H0 + sigma d,  T = 2 G (sigma H0 + beta d),  D = G {(1 - rho^2) |H0 + sigma/(1 + rho) d|^2 + eps |d|^2}.
   Kelvin-Voigt viscosity adds the stress [2 eta_s dev(E1 - E0) + eta_b tr(E1 - E0) 1]/h, and all of its work is
   dissipated. Both viscous stresses vanish for rigid motions. The elastic law keeps its own functions, and kernels add
   its volumetric energy U. If kernels use the mean volume of an element, they also add the bulk part of the
   Kelvin-Voigt viscosity, eta_b (Theta1 - Theta0)/h. */
#include "material/conserving.h"
#include "material/spectral.h"

static PetscBool has_kelvin(const CrMaterial *material)
{
  return material->viscosity.eta_shear > 0 || material->viscosity.eta_bulk > 0;
}

/* H of every branch; of Kelvin-Voigt the stress and, if it has a bulk part, the pressure at the mean volume, both in
   the last step; then the loss per volume. */
static PetscInt state_size(const CrMaterial *material, PetscInt ns)
{
  const CrViscosity *v = &material->viscosity;

  return ns * (v->n + (has_kelvin(material) ? 1 : 0)) + (v->eta_bulk > 0 ? 1 : 0) + 1;
}

static PetscInt state_place(const CrMaterial *material, PetscInt ns, CrStateField field)
{
  return field == CR_STATE_LOSS ? state_size(material, ns) - 1 : -1;
}

/* ---- branches ---------------------------------------------------------------------------------- */

typedef struct {
  double G, rho, sigma, beta, eps, fade; /* fade: 1 - rho^2 */
} Branch;

static void branch_of(const CrViscosity *v, PetscInt i, PetscReal h, Branch *b)
{
  const double r = h / v->time[i];

  b->G = v->shear[i];
  b->rho = exp(-r);
  b->fade = -expm1(-2 * r);
  if (r < 0.03) { /* series, where the quotients would lose digits */
    double sigma = 0, beta = 0, term = 1;

    for (int k = 0; k < 12; k++, term *= -r / k) {
      sigma += term / (k + 1);
      beta += term / ((k + 1) * (k + 2));
    }
    b->sigma = sigma;
    b->beta = beta;
    b->eps = r * (1.0 / 6 + r * r * (-1.0 / 60 + r * r * (17.0 / 10080 - r * r * 31 / 181440)));
  } else {
    b->sigma = -expm1(-r) / r;
    b->beta = (1 - b->sigma) / r;
    b->eps = 2 * (r - 2 * tanh(r / 2)) / (r * r);
  }
}

/* H of branch i in mixed form. */
CR_INLINE void load_branch(const int ns, const PetscReal *state, PetscInt i, LogSecant *s,
                           CrLanes H[3][3])
{
  CrLanes stored[6];
  Matrix  full, half;

  for (int I = 0; I < ns; I++) stored[I] = state_load(state, (int)i * ns + I);
  matrix_of(ns, stored, full);
  multiply(ns, 1, s->s0.Q, 0, full, half);
  multiply(ns, 0, half, 0, s->s1.Q, H);
}

CR_INLINE void add_matrix(CrLanes scale, CrLanes A[3][3], CrLanes B[3][3])
{
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) B[i][j] += scale * A[i][j];
}

CR_INLINE void clear_matrix(CrLanes A[3][3])
{
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) A[i][j] = lanes_set(0);
}

CR_INLINE void secant_between(const int ns, const CrLanes *E0, const CrLanes *E1, LogSecant *s)
{
  spectrum_of(ns, E0, &s->s0);
  spectrum_of(ns, E1, &s->s1);
  log_secant_fill(ns, NULL, s);
}

/* Adds the stress that belongs to T, and its modulus, of which the isotropic part is `sum`. ends: as in LogModulus. */
CR_INLINE void add_pulled(const int ns, LogSecant *s, Matrix T, const double sum, const int ends,
                          CrLanes *S, CrLanes *A)
{
  LogModulus m = {.ends = ends};
  CrLanes    more[6], modulus[36];

  pull(ns, s, T, more);
  for (int I = 0; I < ns; I++) S[I] += more[I];
  if (!A) return;
  m.iso = lanes_set(sum);
  clear_matrix(m.N);
  clear_matrix(m.w);
  pull_tangent(ns, s, T, &m, modulus);
  for (int I = 0; I < ns * ns; I++) A[I] += modulus[I];
}

/* Adds stress and modulus of all branches to S and A. */
CR_INLINE void add_branches_between(const CrMaterial *material, const int ns, const CrPast *past,
                                    const CrLanes *E0, const CrLanes *E1, const CrLanes *z,
                                    CrLanes *S, CrLanes *A)
{
  const CrViscosity *v = &material->viscosity;
  LogSecant          s;
  Matrix             T, H, d;
  double             sum = 0;

  secant_between(ns, E0, E1, &s);
  log_change(ns, &s, z, d);
  clear_matrix(T);
  for (PetscInt i = 0; i < v->n; i++) {
    Branch b;

    branch_of(v, i, past->h, &b);
    load_branch(ns, past->state, i, &s, H);
    add_matrix(lanes_set(2 * b.G * b.sigma), H, T);
    sum += 2 * b.G * b.beta;
  }
  add_matrix(lanes_set(sum), d, T);
  add_pulled(ns, &s, T, sum, 1, S, A);
}

/* The same at the end of the step, with the energy. */
CR_INLINE void add_branches_at(const CrMaterial *material, const int ns, const CrPast *past,
                               const CrLanes *E0, const CrLanes *E1, const CrLanes *z, CrLanes *W,
                               CrLanes *S, CrLanes *A)
{
  const CrViscosity *v = &material->viscosity;
  LogSecant          s;
  Matrix             T, H, d, turned;
  double             sum = 0;

  secant_between(ns, E0, E1, &s);
  log_change(ns, &s, z, d);
  clear_matrix(T);
  for (PetscInt i = 0; i < v->n; i++) {
    Branch b;

    branch_of(v, i, past->h, &b);
    load_branch(ns, past->state, i, &s, H);
    CR_UNROLL3
    for (int k = 0; k < 3; k++) CR_UNROLL3
    for (int j = 0; j < 3; j++) H[k][j] = b.rho * H[k][j] + b.sigma * d[k][j];
    if (W) *W += b.G * matrix_product(ns, H, H);
    add_matrix(lanes_set(2 * b.G), H, T);
    sum += 2 * b.G * b.sigma;
  }
  if (!S) return;
  multiply(ns, 1, s.R, 0, T, turned); /* from Q0, Q1 to Q1 on both sides */
  s.s0 = s.s1;
  log_secant_fill(ns, NULL, &s);
  add_pulled(ns, &s, turned, sum, 2, S, A);
}

/* States at the end, and the loss. */
CR_INLINE CrLanes commit_branches(const CrMaterial *material, const int ns, const CrPast *past,
                                  const CrLanes *E0, const CrLanes *E1, const CrLanes *z,
                                  PetscReal *state1)
{
  const CrViscosity *v = &material->viscosity;
  LogSecant          s;
  Matrix             d, half, full;
  CrLanes            change[6], loss = lanes_set(0), dd;

  secant_between(ns, E0, E1, &s);
  log_change(ns, &s, z, d);
  multiply(ns, 0, s.s0.Q, 0, d, half);
  multiply(ns, 0, half, 1, s.s1.Q, full);
  symmetric_part(ns, full, change);
  dd = contract(ns, change, change);
  for (PetscInt i = 0; i < v->n; i++) {
    Branch  b;
    CrLanes mean[6];

    branch_of(v, i, past->h, &b);
    for (int I = 0; I < ns; I++) {
      CrLanes H = state_load(past->state, (int)i * ns + I);

      mean[I] = H + b.sigma / (1 + b.rho) * change[I];
      state_store(state1, (int)i * ns + I, b.rho * H + b.sigma * change[I]);
    }
    loss += b.G * (b.fade * contract(ns, mean, mean) + b.eps * dd);
  }
  return loss;
}

/* ---- Kelvin-Voigt ----------------------------------------------------------------------------------- */

/* Adds its stress and modulus; returns the work of the stress on the step. Nothing flows at h = 0. */
CR_INLINE CrLanes add_kelvin(const CrMaterial *material, const int ns, const CrPast *past,
                             const CrLanes *z, CrLanes *S, CrLanes *A)
{
  const double over = past->h > 0 ? 1 / past->h : 0, shear = material->viscosity.eta_shear * over;
  const double bulk = material->viscosity.eta_bulk * over * (1 - past->mean);
  CrLanes      mean = trace(z) / 6, work = lanes_set(0);

  for (int I = 0; I < ns; I++) {
    CrLanes change = z[I] / 2 - identity2(I) * mean;
    CrLanes stress = 2 * shear * change + 3 * bulk * identity2(I) * mean;

    work += CR_WEIGHT(I) * stress * z[I] / 2;
    if (S) S[I] += stress;
  }
  for (int I = 0; A && I < ns; I++)
    for (int J = 0; J < ns; J++)
      A[I * ns + J] += 2 * shear * (identity4(I, J) - identity2(I) * identity2(J) / 3) +
                       bulk * identity2(I) * identity2(J);
  return work;
}

/* The loss of Kelvin-Voigt: the work of its stress. Under central differences the stresses of both ends act by
   halves, as in the internal work of theory 12.2; then the loss of a single step may be negative. */
CR_INLINE CrLanes commit_kelvin(const CrMaterial *material, const int ns, const CrPast *past,
                                const CrLanes *z, PetscReal *state1)
{
  const int first = ns * (int)material->viscosity.n;
  CrLanes   S[6], before[6], work;

  for (int I = 0; I < ns; I++) {
    S[I] = lanes_set(0);
    before[I] = state_load(past->state, first + I);
  }
  work = add_kelvin(material, ns, past, z, S, NULL);
  for (int I = 0; I < ns; I++) state_store(state1, first + I, S[I]);
  return past->lags ? (work + contract(ns, before, z) / 2) / 2 : work;
}

/* The loss of the bulk part at the mean volume, the same at all points of an element. */
CR_INLINE CrLanes commit_mean(const CrMaterial *material, const int ns, const CrPast *past,
                              PetscReal *state1)
{
  const int    place = ns * ((int)material->viscosity.n + 1);
  const double over = past->h > 0 ? 1 / past->h : 0;
  CrLanes      dj = past->dilatation ? *(const CrLanes *)past->dilatation : lanes_set(0);
  CrLanes      p = material->viscosity.eta_bulk * over * past->mean * dj;

  state_store(state1, place, p);
  return past->lags ? (p + state_load(past->state, place)) / 2 * dj : p * dj;
}

/* ---- the law ------------------------------------------------------------------------------------------- */

CR_INLINE void law_between(const CrMaterial *material, const int ns, const CrPast *past,
                           const CrLanes *E0, const CrLanes *E1, const CrLanes *z, CrLanes *S,
                           CrLanes *A)
{
  if (material->elastic->rest_between)
    material->elastic->rest_between(material, ns, E0, E1, z, S, A);
  else
    CR_VARIANT(CrStressBetween)(material, ns, E0, E1, z, S, A);
  if (material->viscosity.n) add_branches_between(material, ns, past, E0, E1, z, S, A);
  add_kelvin(material, ns, past, z, S, A);
}

CR_INLINE void law_at(const CrMaterial *material, const int ns, const CrPast *past,
                      const CrLanes *E0, const CrLanes *E1, const CrLanes *z, CrLanes *W,
                      CrLanes *S, CrLanes *A)
{
  if (material->elastic->rest)
    material->elastic->rest(material, ns, E1, W, S, A);
  else
    CR_VARIANT(CrStressAt)(material, ns, E1, W, S, A);
  if (material->viscosity.n) add_branches_at(material, ns, past, E0, E1, z, W, S, A);
  if (S) add_kelvin(material, ns, past, z, S, A);
}

CR_INLINE void law_commit(const CrMaterial *material, const int ns, const CrPast *past,
                          const CrLanes *E0, const CrLanes *E1, const CrLanes *z, PetscReal *state1,
                          CrLanes *D)
{
  const int place = (int)state_size(material, ns) - 1;

  *D = has_kelvin(material) ? commit_kelvin(material, ns, past, z, state1) : lanes_set(0);
  if (material->viscosity.eta_bulk > 0) *D += commit_mean(material, ns, past, state1);
  if (material->viscosity.n) *D += commit_branches(material, ns, past, E0, E1, z, state1);
  state_store(state1, place, state_load(past->state, place) + *D);
}

static void between(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
                    const void *E1, const void *z, void *S, void *A)
{
  if (ns == 4)
    law_between(material, 4, past, E0, E1, z, S, A);
  else
    law_between(material, 6, past, E0, E1, z, S, A);
}

static void at(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
               const void *E1, const void *z, void *W, void *S, void *CC)
{
  if (ns == 4)
    law_at(material, 4, past, E0, E1, z, W, S, CC);
  else
    law_at(material, 6, past, E0, E1, z, W, S, CC);
}

static void commit(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
                   const void *E1, const void *z, PetscReal *state1, void *D)
{
  if (ns == 4)
    law_commit(material, 4, past, E0, E1, z, state1, D);
  else
    law_commit(material, 6, past, E0, E1, z, state1, D);
}

/* One entry for each kind of elastic law: its flags and its part of the volume are constants of the kernels. */
#define VISCOUS(KIND, FLAGS, VOLUME)                                                               \
  const CrMaterialOps CR_VARIANT(CrViscous_##KIND) = {                                             \
      .name = "viscous",                                                                           \
      .help = "an elastic law with viscosity",                                                     \
      .flags = (FLAGS),                                                                            \
      .volume = VOLUME,                                                                            \
      .loss = CR_LOSS_VISCOUS,                                                                     \
      .state_size = state_size,                                                                    \
      .state_place = state_place,                                                                  \
      .between = between,                                                                          \
      .at = at,                                                                                    \
      .commit = commit,                                                                            \
  };

VISCOUS(log, 0, CR_VOLUME_LOG)
VISCOUS(quadratic, 0, CR_VOLUME_QUADRATIC)
VISCOUS(whole, CR_QUADRATIC, CR_VOLUME_WHOLE)
VISCOUS(small, CR_SMALL_STRAIN | CR_QUADRATIC, CR_VOLUME_WHOLE)

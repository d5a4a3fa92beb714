/* Secants of the logarithmic strain (theory 5.10): eigenvalues, the change of ln(C)/2 between two configurations, its
   adjoint, and their derivatives, in space and in the plane; near equal eigenvalues and at small strains too. */
#include "check.h"
#include "material/hardening.h"
#include "material/spectral.h"

static PetscReal random_number(unsigned *seed) /* between -1 and 1 */
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 2147483648.0 - 1;
}

static void keep_greatest(PetscReal *worst, CrLanes value)
{
  PetscReal v = value[CR_WIDTH - 1];

  if (!(PetscAbsReal(v) <= *worst)) *worst = PetscAbsReal(v); /* NaN too */
}

static PetscReal last(CrLanes value)
{
  return value[CR_WIDTH - 1];
}

/* Green strain of a random deformation gradient 1 + H, |H_ij| < size. */
static void random_strain(int ns, PetscReal size, unsigned *seed, CrLanes *E)
{
  PetscReal H[3][3] = {{0}};

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (CR_HAS(ns, i, j) && (ns == 6 || i < 2)) H[i][j] = size * random_number(seed);
  for (int I = 0; I < ns; I++) {
    int       i = tensor_row[I], j = tensor_col[I];
    PetscReal e = (H[i][j] + H[j][i]) / 2;

    for (int k = 0; k < 3; k++) e += H[k][i] * H[k][j] / 2;
    E[I] = lanes_set(e);
  }
}

static void random_matrix(int ns, PetscReal size, unsigned *seed, CrLanes A[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      A[i][j] = lanes_set(CR_HAS(ns, i, j) ? (i == j) + size * random_number(seed) : 0);
}

/* The deviator of ln(1 + 2E)/2. */
static void logarithm(int ns, const CrLanes *E, CrLanes H[3][3])
{
  Spectrum s;
  CrLanes  mean;

  spectrum_of(ns, E, &s);
  mean = (s.h[0] + s.h[1] + s.h[2]) / 3;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      H[i][j] = lanes_set(0);
      for (int k = 0; k < 3; k++) H[i][j] += s.Q[i][k] * (s.h[k] - mean) * s.Q[j][k];
    }
}

/* P^T E P + (P^T P - 1)/2 */
static void transform(int ns, CrLanes P[3][3], const CrLanes *E, CrLanes *out)
{
  Matrix A, B, C, G;

  matrix_of(ns, E, A);
  multiply(ns, 1, P, 0, A, B);
  multiply(ns, 0, B, 0, P, C);
  multiply(ns, 1, P, 0, P, G);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) C[i][j] += (G[i][j] - (i == j ? 1.0 : 0.0)) / 2;
  symmetric_part(ns, C, out);
}

static void secant_of(int ns, CrLanes P[3][3], const CrLanes *E0, const CrLanes *E1, LogSecant *s)
{
  CrLanes e[6];

  transform(ns, P, E0, e);
  spectrum_of(ns, e, &s->s0);
  transform(ns, P, E1, e);
  spectrum_of(ns, e, &s->s1);
  log_secant_fill(ns, P, s);
}

static void mix(int ns, LogSecant *s, CrLanes T[3][3], CrLanes mixed[3][3])
{
  Matrix half;

  multiply(ns, 1, s->s0.Q, 0, T, half);
  multiply(ns, 0, half, 0, s->s1.Q, mixed);
}

static void test_logarithms(void)
{
  unsigned  seed = 3;
  PetscReal worst[2] = {0};

  for (int trial = 0; trial < 20000; trial++) {
    PetscReal x = exp(30 * random_number(&seed)), y = 0.999 * random_number(&seed);

    y *= pow(10, -8 * PetscAbsReal(random_number(&seed)));
    keep_greatest(&worst[0], (lanes_log(lanes_set(x)) - log(x)) / (1e-3 + fabs(log(x))));
    keep_greatest(&worst[1], lanes_log_near(lanes_set(y)) / log1p(y) - 1);
  }
  CHECK_LESS(worst[0], 1e-15);
  CHECK_LESS(worst[1], 1e-15);
  CHECK(last(lanes_log(lanes_set(0))) != last(lanes_log(lanes_set(0)))); /* NaN */
  CHECK(last(lanes_log(lanes_set(-1))) != last(lanes_log(lanes_set(-1))));
}

static void test_exponentials(void)
{
  unsigned  seed = 7;
  PetscReal worst = 0;

  for (int trial = 0; trial < 20000; trial++) {
    PetscReal x = (trial % 2 ? 60 : 2) * random_number(&seed);

    x *= pow(10, -(trial % 9));
    keep_greatest(&worst, exp_minus_one(lanes_set(x)) / expm1(x) - 1);
  }
  CHECK_LESS(worst, 2e-15);
  CHECK(last(exp_minus_one(lanes_set(0))) == 0);
  CHECK(last(exp_minus_one(lanes_set(-1e4))) == -1);
  CHECK(last(exp_minus_one(lanes_set(1e4))) != last(exp_minus_one(lanes_set(1e4)))); /* NaN */
}

/* Saturation: the flow of a step against the equation it solves, from soft to steep and from tiny to huge steps. A lane
   gives the same bits whatever its neighbour does. */
static void test_saturated_flow(void)
{
  unsigned  seed = 17;
  PetscReal worst[2] = {0};
  int       alone = 0;

  for (int trial = 0; trial < 20000; trial++) {
    PetscReal   k[J2_SIZE] = {0}, size = pow(10, 8 * random_number(&seed) - 8 + trial % 12);
    CrMaterial  m = {.shear = 1};
    FlowProblem p = {.stiff = 2, .h = 1, .flows = lanes_set(1) > lanes_set(0)};
    CrLanes     Y, g, dY, again, other, error;
    PetscReal   steep;

    k[J2_YIELD] = 0.1;
    k[J2_SATURATION] = pow(10, 2 * random_number(&seed) - 1);
    k[J2_EXPONENT] = pow(10, 1 + 2 * random_number(&seed));
    k[J2_HARDENING] = trial % 3 ? 0 : 0.3;
    k[J2_ITERATES] = J2_BENDS_EVENLY;
    CrHardeningBoundSeries(&m, k);
    p.alpha = lanes_set(trial % 2 ? 0 : PetscAbsReal(random_number(&seed)));
    strength(k, p.alpha, &Y, &p.dY);
    p.f = lanes_set(size);
    p.xi = p.f + FLOW_ROOT * Y;
    solve_flow(k, &p, &g, &dY);
    strength(k, p.alpha + FLOW_ROOT * g, &Y, &other);
    steep = 1 + k[J2_SATURATION] * k[J2_EXPONENT] / p.stiff; /* cancellation is that of 1 - b */
    error = (p.xi - p.stiff * g - FLOW_ROOT * Y) * p.stiff / (p.stiff + 2.0 / 3 * other);
    keep_greatest(&worst[0], error / (p.xi * steep)); /* error of the stress */
    keep_greatest(&worst[1], (dY - other) / (p.stiff + other));
    p.f[0] *= 1e-3; /* the first lane now ends sooner */
    p.xi[0] = p.xi[1] + p.f[0] - p.f[1];
    solve_flow(k, &p, &again, &dY);
    alone += again[1] == g[1];
  }
  CHECK_LESS(worst[0], 2e-15);
  CHECK_LESS(worst[1], 1e-8); /* only tangents use it */
  CHECK(alone == 20000);
}

/* C^-1 dev H without eigenvectors beside that with them, and how far it says that it reaches. Volume may change much. */
static void test_log_near(int ns)
{
  unsigned  seed = 11;
  PetscReal worst[2] = {0};
  int       near = 0, far = 0;

  for (int trial = 0; trial < 10000; trial++) {
    PetscReal size = 0.4 * pow(10, -(trial % 5)),
              swell = trial % 2 ? size * random_number(&seed) : 0;
    CrLanes  E[6], M[6], square, exact = lanes_set(0), mean;
    Spectrum s;

    for (int I = 0; I < ns; I++)
      E[I] = lanes_set(size * random_number(&seed) + swell * identity2(I));
    spectrum_of(ns, E, &s);
    if (!(last(s.h[0] + s.h[1] + s.h[2]) > -1)) continue; /* not a metric, or hardly one */
    if (!log_near(ns, E, M, &square)[0]) {
      far++;
      continue;
    }
    near++;
    mean = (s.h[0] + s.h[1] + s.h[2]) / 3;
    for (int k = 0; k < 3; k++) exact += (s.h[k] - mean) * (s.h[k] - mean);
    keep_greatest(&worst[0], square / exact - 1);
    for (int I = 0; I < ns; I++) {
      CrLanes sum = lanes_set(0);

      for (int k = 0; k < 3; k++)
        sum += s.Q[tensor_row[I]][k] * (s.h[k] - mean) / (1 + 2 * s.e[k]) * s.Q[tensor_col[I]][k];
      keep_greatest(&worst[1], (M[I] - sum) / lanes_sqrt(exact));
    }
  }
  CHECK_LESS(worst[0], 3e-14);
  CHECK_LESS(worst[1], 3e-14);
  CHECK(near > 8000 && far > 10);
}

/* Q diag(e) Q^T = E and Q^T Q = 1; a third of the matrices has eigenvalues that are nearly equal. */
static void test_eigenvalues(int ns)
{
  unsigned  seed = 5;
  PetscReal worst[2] = {0};

  for (int trial = 0; trial < 20000; trial++) {
    CrLanes  E[6];
    Spectrum s;
    Matrix   one;

    random_strain(ns, 0.5, &seed, E);
    if (trial % 3 == 0) {
      PetscReal tiny = pow(10, -9 - 4 * PetscAbsReal(random_number(&seed)));

      for (int I = 0; I < ns; I++) E[I] = tiny * E[I] + (I < 3 ? 0.3 : 0.0);
    }
    spectrum_of(ns, E, &s);
    multiply(ns, 1, s.Q, 0, s.Q, one);
    for (int i = 0; i < 3; i++)
      for (int j = i; j < 3; j++) {
        CrLanes sum = lanes_set(0);

        for (int k = 0; k < 3; k++) sum += s.Q[i][k] * s.e[k] * s.Q[j][k];
        if (CR_HAS(ns, i, j)) keep_greatest(&worst[0], sum - E[tensor_index[i][j]]);
        keep_greatest(&worst[1], one[i][j] - (i == j ? 1.0 : 0.0));
      }
  }
  CHECK_LESS(worst[0], 4e-15);
  CHECK_LESS(worst[1], 4e-15);
}

/* The change of H is that of its two ends, and S:z/2 = T:(H1 - H0) for any symmetric T. */
static void test_identity(int ns, PetscReal size, PetscReal step)
{
  unsigned  seed = 7;
  PetscReal worst[2] = {0};

  for (int trial = 0; trial < 200; trial++) {
    CrLanes   E0[6], E1[6], e[6], z[6], S[6], stress[6], mean;
    Matrix    P, H0, H1, T, mixed, d, dH;
    LogSecant s;

    random_strain(ns, size, &seed, E0);
    random_strain(ns, size, &seed, E1);
    random_matrix(ns, trial % 2 ? 0.3 : 0, &seed, P);
    for (int I = 0; I < ns; I++) {
      z[I] = 2 * step * (E1[I] - E0[I]);
      E1[I] = E0[I] + z[I] / 2;
      stress[I] = lanes_set(random_number(&seed));
    }
    mean = trace(stress) / 3;
    for (int I = 0; I < 3; I++) stress[I] -= mean;
    secant_of(ns, P, E0, E1, &s);
    log_change(ns, &s, z, d);
    transform(ns, P, E0, e);
    logarithm(ns, e, H0);
    transform(ns, P, E1, e);
    logarithm(ns, e, H1);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) H1[i][j] -= H0[i][j];
    mix(ns, &s, H1, dH);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) keep_greatest(&worst[0], d[i][j] - dH[i][j]);
    matrix_of(ns, stress, T);
    mix(ns, &s, T, mixed);
    pull(ns, &s, mixed, S);
    keep_greatest(&worst[1], (contract(ns, S, z) / 2 - matrix_product(ns, mixed, d)) /
                                 (lanes_sqrt(contract(ns, S, S)) * lanes_sqrt(contract(ns, z, z))));
  }
  CHECK_LESS(worst[0], 2e-14);
  CHECK_LESS(worst[1], 1e-14);
}

/* T = iso dev(H1) + stress, so that dT = iso dev(dH); and the derivative of its pull by differences. */
static void tangent_case(int ns, CrLanes P[3][3], const CrLanes *E0, const CrLanes *E1,
                         const CrLanes *stress, int ends, CrLanes *S, CrLanes *A)
{
  CrLanes    e[6];
  Matrix     T, H, mixed;
  LogSecant  s;
  LogModulus m = {.iso = lanes_set(0.7), .ends = ends};

  secant_of(ns, P, ends == 2 ? E1 : E0, E1, &s);
  transform(ns, P, E1, e);
  logarithm(ns, e, H);
  matrix_of(ns, stress, T);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      T[i][j] += 0.7 * H[i][j];
      m.N[i][j] = m.w[i][j] = lanes_set(0);
    }
  mix(ns, &s, T, mixed);
  pull(ns, &s, mixed, S);
  if (A) pull_tangent(ns, &s, mixed, &m, A);
}

static void test_tangent(int ns, int ends, PetscReal size, PetscReal step)
{
  const PetscReal h = 1e-5;
  unsigned        seed = 11;
  PetscReal       worst = 0;

  for (int trial = 0; trial < 100; trial++) {
    CrLanes E0[6], E1[6], stress[6], S[2][6], A[36];
    Matrix  P;

    random_strain(ns, size, &seed, E0);
    random_strain(ns, size, &seed, E1);
    random_matrix(ns, 0.2, &seed, P);
    for (int I = 0; I < ns; I++) {
      E1[I] = E0[I] + step * (E1[I] - E0[I]);
      stress[I] = lanes_set(random_number(&seed));
    }
    tangent_case(ns, P, E0, E1, stress, ends, S[0], A);
    for (int J = 0; J < ns; J++) {
      CrLanes value = E1[J];

      for (int k = 0; k < 2; k++) {
        E1[J] = value + (k ? h : -h);
        tangent_case(ns, P, E0, E1, stress, ends, S[k], NULL);
      }
      E1[J] = value;
      for (int I = 0; I < ns; I++)
        keep_greatest(&worst, (S[1][I] - S[0][I]) / (2 * h) - CR_WEIGHT(J) * A[I * ns + J]);
    }
  }
  CHECK_LESS(worst, 1e-6);
}

/* At small strain H is E, and S is T: 2 E^2 is left out. No digit may be lost beyond that. */
static void test_small(int ns, PetscReal size)
{
  unsigned  seed = 13;
  PetscReal worst[2] = {0};

  for (int trial = 0; trial < 50; trial++) {
    CrLanes   E0[6], E1[6], z[6], S[6], E[6], mean;
    Matrix    P, d, De, T;
    LogSecant s;

    random_matrix(ns, 0, &seed, P);
    for (int I = 0; I < ns; I++) {
      E0[I] = lanes_set(I == 2 && ns == 4 ? 0 : size * random_number(&seed));
      E1[I] = lanes_set(I == 2 && ns == 4 ? 0 : size * random_number(&seed));
      z[I] = 2 * (E1[I] - E0[I]);
    }
    secant_of(ns, P, E0, E1, &s);
    log_change(ns, &s, z, d);
    mean = trace(z) / 6;
    for (int I = 0; I < ns; I++) E[I] = z[I] / 2 - (I < 3 ? mean : lanes_set(0));
    matrix_of(ns, E, T);
    mix(ns, &s, T, De);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) keep_greatest(&worst[0], (d[i][j] - De[i][j]) / size);
    pull(ns, &s, De, S);
    for (int I = 0; I < ns; I++) keep_greatest(&worst[1], (S[I] - E[I]) / size);
  }
  CHECK_LESS(worst[0], 2e-15 + 20 * size);
  CHECK_LESS(worst[1], 2e-15 + 20 * size);
}

int main(int argc, char **argv)
{
  static const PetscReal steps[] = {1, 1e-2, 1e-5, 1e-9};

  if (check_start(argc, argv)) return 1;
  test_logarithms();
  test_exponentials();
  test_saturated_flow();
  for (int ns = 4; ns <= 6; ns += 2) {
    test_eigenvalues(ns);
    test_log_near(ns);
    for (int k = 0; k < 4; k++) {
      test_identity(ns, 0.3, steps[k]);
      test_identity(ns, 1e-8, steps[k]); /* all eigenvalues nearly equal */
      test_tangent(ns, 1, 0.3, steps[k]);
    }
    test_tangent(ns, 2, 0.3, 1);
    test_tangent(ns, 1, 1e-8, 1);
    test_small(ns, 1e-9);
    test_small(ns, 1e-12);
  }
  return check_end();
}

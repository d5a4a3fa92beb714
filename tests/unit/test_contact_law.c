/* The contact laws alone, without geometry: the pressure does exactly the work the potential gives
   up, derivatives, the cone, friction that never gives energy back, and the spring that follows the
   slip. */
#include "integrate/middle.h"
#include "model_from_text.h"

/* The law of the method as a deck configures it. */
static CrContactLaw law_of(const char *options)
{
  CrDeck      *deck = NULL;
  CrMiddle     data = {0};
  CrIntegrator it = {.ops = CrIntegratorFind("dissipative"), .data = &data};
  char         text[512];

  CHECK(it.ops && it.ops->data_size == sizeof data);
  snprintf(text, sizeof text,
           "carom: 1\ndimension: 2\nmaterials: [{name: m, young: 1, poisson: 0, density: 1}]\n"
           "bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [1, 1],"
           " elements: [1, 1]}}}]\ntime: {method: dissipative, step: 1, end: 1%s}\n",
           options);
  CHECK_OK(CrProblemParse("test", text, 0, NULL, &deck));
  CHECK_OK(it.ops->configure(&it, CrDeckFind(CrDeckRoot(deck), "time")));
  CHECK_OK(CrDeckDestroy(&deck));
  return data.law;
}

static CrLawOutput ask(const CrContactLaw *law, const CrLawInput *in)
{
  CrLawOutput out = {0};

  law->evaluate(law, in, &out);
  return out;
}

/* ---- pressure ----------------------------------------------------------------------------- */

/* U0 - U1 without cancellation: by factors where both are inside. */
static long double given_up(PetscReal kn, long double g0, long double g1)
{
  if (g0 < 0 && g1 < 0) return kn * (g0 - g1) * (g0 + g1) / 2;
  return (g0 < 0 ? kn * g0 * g0 / 2 : 0) - (g1 < 0 ? kn * g1 * g1 / 2 : 0);
}

static void check_quotient(const CrContactLaw *law, PetscReal kn, PetscReal g0, PetscReal dg,
                           PetscReal shift0, PetscReal shift1)
{
  CrLawInput  in = {.ntangents = 1, .kn = kn, .kt = 1, .gd0 = g0, .dg = dg};
  CrLawOutput out;
  long double begin, end, want, got;

  in.shift0 = shift0;
  in.shift1 = shift1;
  out = ask(law, &in);
  begin = g0;
  end = (PetscReal)(g0 + dg + (shift1 - shift0)); /* as the law rounds it */
  want = given_up(kn, begin, end);
  got = (long double)out.p * (end - begin);
  CHECK(out.p >= 0);
  CHECK_NEAR((double)(got - want), 0, 8 * PETSC_MACHINE_EPSILON * (double)fabsl(want));
  CHECK(out.gd1 == (PetscReal)end); /* what is remembered is what the spring holds */
  CHECK((out.status != CR_OPEN) == (begin < 0 || end < 0 || (begin == 0 && end == 0)));
  if (begin >= 0 && end >= 0) CHECK(out.p == 0);
}

/* The ledger uses the increment itself: p dg against the potential of what is remembered. */
static void check_work(const CrContactLaw *law, PetscReal kn, PetscReal g0, PetscReal dg)
{
  CrLawInput  in = {.ntangents = 1, .kn = kn, .kt = 1, .gd0 = g0, .dg = dg};
  CrLawOutput out = ask(law, &in);
  PetscReal   scale = PetscMax(PetscAbsReal(g0), PetscAbsReal(g0 + dg));

  CHECK_NEAR(out.p * dg, (double)given_up(kn, g0, out.gd1),
             8 * PETSC_MACHINE_EPSILON * kn * scale * scale);
}

static void test_pressure_balances_potential(const CrContactLaw *law)
{
  const PetscReal special[] = {-1, -1e-3, -1e-9, -1e-300, -0.0, 0, 1e-300, 1e-9, 1e-3, 1};
  unsigned        seed = 7;

  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++)
      check_quotient(law, 1e4, special[i], special[j] - special[i], 0, 0);
  for (int k = 0; k < 4000; k++) {
    PetscReal g0 = random_number(&seed) * pow(10, 6 * random_number(&seed) - 6);
    PetscReal dg = random_number(&seed) * pow(10, 6 * random_number(&seed) - 6);
    PetscReal kn = pow(10, 5 * random_number(&seed) + 3);

    if (k % 4 == 0) dg = g0 * random_number(&seed) * 1e-14;        /* tiny differences */
    if (k % 4 == 1) dg = -g0 * (1 + 1e-15 * random_number(&seed)); /* ends within rounding of 0 */
    if (k % 97 == 0) dg = 0;
    check_quotient(law, kn, g0, dg, 0, 0);
    check_work(law, kn, g0, dg);
    check_quotient(law, kn, g0, dg, 1e-3 * random_number(&seed), 1e-3 * random_number(&seed));
  }
}

/* Newton meets no jump: p is continuous in g1 across every border of the table. */
static void test_pressure_is_continuous(const CrContactLaw *law)
{
  const PetscReal starts[] = {-2e-3, -1e-12, 1e-12, 2e-3}, kn = 1e5;

  for (int k = 0; k < 4; k++) {
    CrLawInput in = {.ntangents = 1, .kn = kn, .kt = 1, .gd0 = starts[k]};
    PetscReal  p[3];

    for (int i = 0; i < 3; i++) {
      in.dg = -starts[k] + (i - 1) * 1e-9 * PetscAbsReal(starts[k]);
      p[i] = ask(law, &in).p;
    }
    CHECK_NEAR(p[0], p[1], 2e-9 * kn * PetscAbsReal(starts[k]));
    CHECK_NEAR(p[2], p[1], 2e-9 * kn * PetscAbsReal(starts[k]));
  }
}

/* ---- derivatives -------------------------------------------------------------------------- */

/* Fourth-order differences of p and t by x, a member of *in. */
static void differences(const CrContactLaw *law, const CrLawInput *in, PetscReal *x, PetscReal h,
                        PetscReal d[3])
{
  const PetscReal at[4] = {-2, -1, 1, 2}, w[4] = {1, -8, 8, -1}, x0 = *x;

  d[0] = d[1] = d[2] = 0;
  for (int k = 0; k < 4; k++) {
    CrLawOutput out;

    *x = x0 + at[k] * h;
    out = ask(law, in);
    d[0] += w[k] * out.p / (12 * h);
    for (int i = 0; i < in->ntangents; i++) d[1 + i] += w[k] * out.t[i] / (12 * h);
  }
  *x = x0;
}

/* By the normal increment everything changes (t through p), by the slip increments only t. `normal`:
   dg of the dissipative law, the gap of the plain one. */
static void check_derivatives(const CrContactLaw *law, CrLawInput *in, PetscReal *normal)
{
  CrLawOutput out = ask(law, in);
  PetscReal   size = in->kn + in->kt, d[3], p_n = normal == &in->dg ? out.p_dg : out.p_gap;

  differences(law, in, normal, 1e-6, d);
  CHECK_NEAR(p_n, d[0], 1e-9 * size);
  CHECK((normal == &in->dg ? out.p_gap : out.p_dg) == 0);
  for (int i = 0; i < in->ntangents; i++) CHECK_NEAR(out.t_p[i] * p_n, d[1 + i], 1e-9 * size);
  for (int j = 0; j < in->ntangents; j++) {
    differences(law, in, &in->ds[j], 1e-6, d);
    CHECK_NEAR(d[0], 0, 1e-9 * size);
    for (int i = 0; i < in->ntangents; i++) CHECK_NEAR(out.t_ds[i][j], d[1 + i], 1e-8 * size);
  }
}

/* Every branch: [normal] pressed, onset, release, open; [tangential] stick, slip. */
static void test_derivatives(const CrContactLaw *law)
{
  const PetscReal gap[4][2] = {{-0.03, -0.01}, {0.02, -0.04}, {-0.05, 0.03}, {0.01, 0.02}};
  int             seen[4] = {0};

  for (int n = 1; n <= 2; n++)
    for (int k = 0; k < 4; k++)
      for (int far = 0; far < 2; far++) {
        CrLawInput in = {.ntangents = n, .kn = 200, .kt = 100, .mu = 0.4};

        in.gd0 = gap[k][0];
        in.dg = gap[k][1] - gap[k][0];
        in.gap = gap[k][1];
        in.eta0[0] = 1e-3;
        in.eta0[1] = n == 2 ? -2e-3 : 0;
        in.ds[0] = far ? 0.3 : 2e-3;
        in.ds[1] = n == 2 ? (far ? 0.2 : 1e-3) : 0;
        seen[ask(law, &in).status]++;
        check_derivatives(law, &in, law->memory == CR_MEMORY_REAL ? &in.gap : &in.dg);
      }
  CHECK(seen[CR_OPEN] && seen[CR_STICKING] && seen[CR_SLIPPING]);
}

/* ---- friction ----------------------------------------------------------------------------- */

static PetscReal norm2(const PetscReal a[2])
{
  return a[0] * a[0] + a[1] * a[1];
}

/* What a step dissipates, by its own numbers and by the formula of the proof (theory 14.2). */
static PetscReal loss(const CrLawInput *in, const CrLawOutput *out)
{
  PetscReal work = 0;

  for (int i = 0; i < in->ntangents; i++) work += out->t[i] * in->ds[i];
  return work - in->kt / 2 * (norm2(out->eta1) - norm2(in->eta0));
}

static PetscReal proof(const CrContactLaw *law, const CrLawInput *in, const CrLawOutput *out)
{
  PetscReal trial[2] = {0}, u[2] = {0}, away[2], th = law->theta, size, t;

  for (int i = 0; i < in->ntangents; i++) {
    trial[i] = in->kt * (in->eta0[i] + th * in->ds[i]);
    u[i] = (out->t[i] / in->kt - (1 - th) * in->eta0[i]) / th;
    away[i] = u[i] - in->eta0[i];
  }
  if (in->ntangents == 1) away[1] = 0;
  size = PetscSqrtReal(norm2(trial));
  t = PetscSqrtReal(norm2(out->t));
  return t * (size - t) / (th * in->kt) + in->kt / 2 * (norm2(u) - norm2(out->eta1)) +
         in->kt * (th - 0.5) * norm2(away);
}

static void check_friction(const CrContactLaw *law, const CrLawInput *in, const CrLawOutput *out)
{
  PetscReal t = PetscSqrtReal(norm2(out->t)), D;
  PetscReal scale =
      in->kt * (norm2(in->eta0) + norm2(in->ds)) + in->mu * out->p * PetscSqrtReal(norm2(in->ds));

  D = loss(in, out);
  CHECK(D >= -1e-14 * scale);
  CHECK(t <= in->mu * out->p * (1 + 4 * PETSC_MACHINE_EPSILON));
  if (out->p == 0) CHECK(norm2(out->t) == 0 && norm2(out->eta1) == 0);
  if (law->memory == CR_MEMORY_REAL || out->p == 0) return;
  CHECK_NEAR(D, proof(law, in, out), 1e-13 * scale);
  if (out->status == CR_STICKING && law->theta == 0.5 && norm2(out->eta1) > 0)
    CHECK_NEAR(D, 0, 1e-14 * scale);
}

/* A slave node dragged along a random path under random pressure: pressed, released, onset. */
static void test_friction_takes_energy(const CrContactLaw *law, int n, unsigned seed)
{
  CrLawInput in = {.ntangents = n, .kn = 1e4, .kt = 3e3, .mu = 0.35, .gd0 = -1e-3};
  int        seen[4] = {0};

  for (int k = 0; k < 3000; k++) {
    CrLawOutput out;
    PetscReal to = 1e-3 * (random_number(&seed) - 0.4), step = pow(10, -4.5 + random_number(&seed));

    if (k % 31 == 0) to = -3e-3 * (k % 7); /* now and then exactly zero, or a leap */
    in.dg = to - in.gd0;
    in.gap = to;
    for (int i = 0; i < n; i++) in.ds[i] = step * random_number(&seed);
    if (k % 17 == 0) in.ds[0] = in.ds[1] = 0;
    out = ask(law, &in);
    seen[out.status]++;
    check_friction(law, &in, &out);
    in.gd0 = out.gd1;
    for (int i = 0; i < n; i++) in.eta0[i] = out.eta1[i];
    if (in.gd0 >= 0) CHECK(norm2(out.eta1) == 0 || law->memory == CR_MEMORY_REAL);
    if (law->memory == CR_MEMORY_REAL && to > 0) in.eta0[0] = in.eta0[1] = 0;
  }
  for (int s = CR_OPEN; s <= CR_SLIPPING; s++) CHECK_LESS(60, seen[s]);
}

/* Without friction there is none. */
static void test_smooth(const CrContactLaw *law)
{
  CrLawInput  in = {.ntangents = 2, .kn = 1, .kt = 1, .gd0 = -1, .gap = -1, .ds = {1, 2}};
  CrLawOutput out = ask(law, &in);

  CHECK(out.status == CR_SMOOTH && out.p == 1 && norm2(out.t) == 0 && norm2(out.eta1) == 0);
}

/* ---- the spring after a slip step ---------------------------------------------------------- */

/* Angle, in degrees, by which friction lags behind a slip that turns by 3 degrees per step, and the
   mean traction over its limit, once the start is forgotten. `reach`: slip per step over the
   greatest stretch of the spring. Exact: asin of the turn per stretch. */
static PetscReal lag(const CrContactLaw *law, PetscReal reach, PetscReal *traction)
{
  const PetscReal turn = 3 * PETSC_PI / 180;
  CrLawInput      in = {.ntangents = 2, .kn = 1, .kt = 1, .mu = 1, .gd0 = -1};
  PetscReal       sum = 0, angle = 0;

  *traction = 0;
  for (int k = 0; k < 2400; k++) {
    CrLawOutput out;
    PetscReal   a = turn * k;

    in.ds[0] = reach * PetscCosReal(a);
    in.ds[1] = reach * PetscSinReal(a);
    out = ask(law, &in);
    for (int i = 0; i < 2; i++) in.eta0[i] = out.eta1[i];
    if (k < 1200) continue;
    angle += PetscAtan2Real(out.t[0] * in.ds[1] - out.t[1] * in.ds[0],
                            out.t[0] * in.ds[0] + out.t[1] * in.ds[1]);
    sum += PetscSqrtReal(norm2(out.t));
  }
  *traction = sum / 1200;
  return angle / 1200 * 180 / PETSC_PI;
}

static void test_lag(const CrContactLaw *law)
{
  const PetscReal reach[] = {0.2, 1, 5}, reset[] = {4.27, 1, 0}, part[] = {0.57, 0.75, 1};

  for (int k = 0; k < 3; k++) {
    PetscReal traction, angle = lag(law, reach[k], &traction);

    if (law->reset) { /* published rule: measured once with another program, to its digits */
      CHECK_NEAR(angle, reset[k], 0.006);
      CHECK_NEAR(traction, part[k], 0.015); /* its mean depends on where the count begins */
    } else {
      PetscReal exact = asin(3 * PETSC_PI / 180 / reach[k]) * 180 / PETSC_PI;

      CHECK_NEAR(angle, exact, 0.005);
      CHECK_NEAR(traction, 1, 1e-12);
    }
  }
}

/* Slow sliding, a tenth of the stretch per step; then the limit falls from 1 to 0.3. */
static void test_falling_limit(const CrContactLaw *law)
{
  const PetscReal reset[4] = {0.3, 0.05, 0.15, 0.25};
  CrLawInput      in = {.ntangents = 1, .kn = 1, .kt = 1, .mu = 1, .ds = {0.1}};

  for (int n = 1; n <= 2; n++) {
    in.ntangents = n;
    in.eta0[0] = in.eta0[1] = 0;
    for (int k = 0; k < 44; k++) {
      CrLawOutput out;

      in.gd0 = k < 40 ? -1 : -0.3;
      out = ask(law, &in);
      in.eta0[0] = out.eta1[0];
      if (k >= 40) CHECK_NEAR(out.t[0], law->reset ? reset[k - 40] : 0.3, 1e-12);
    }
  }
}

int main(int argc, char **argv)
{
  CrContactLaw plain = CrLaw_end_penalty;
  const char  *options[] = {"",
                            ", stick_point: reset",
                            ", theta: 0.75",
                            ", theta: 0.6, stick_point: reset",
                            ", theta: 1",
                            ", theta: 1, stick_point: reset"};

  if (check_start(argc, argv)) return 1;
  for (int k = 0; k < 6; k++) {
    CrContactLaw law = law_of(options[k]);

    CHECK(law.reset == (strstr(options[k], "reset") != NULL));
    test_pressure_balances_potential(&law);
    test_pressure_is_continuous(&law);
    test_derivatives(&law);
    test_smooth(&law);
    for (int n = 1; n <= 2; n++) test_friction_takes_energy(&law, n, (unsigned)(k + 1));
    if (law.theta == 0.5) test_lag(&law);
    if (law.theta == 0.5) test_falling_limit(&law);
  }
  test_derivatives(&plain);
  test_smooth(&plain);
  for (int n = 1; n <= 2; n++) test_friction_takes_energy(&plain, n, 11);
  return check_end();
}

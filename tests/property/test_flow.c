/* Laws with state at points, without the part of the volume: the balance S:z/2 = W1 - W0 + D of random steps of any
   size, D >= 0, tangents against differences, the energy of the new state, the yield condition, no work in rigid
   motions. The laws of the table have each kind of hardening, rate and branch; the registry adds whatever law there is.
   Compiled for the baseline instruction set, like test_materials. */
#include "material_constants.h"
#include "material/tensor.h"
#include "model_from_text.h"

#define BASE  "model: j2, bulk: 160, shear: 80, "
#define PRONY "prony: [{shear: 20, time: 0.1}, {shear: 10, time: 1}]"

static const struct {
  const char *name, *text;
  PetscReal   h; /* a usual step */
} laws[] = {
    {"linear", BASE "yield: 0.5, hardening: 2", 1e-2},
    {"ideal", BASE "yield: 0.5", 1e-2},
    {"Voce and kinematic",
     BASE "yield: 0.5, hardening: 0.1, saturation: {stress: 0.8, exponent: 15}, kinematic: 5",
     1e-2},
    {"softening", BASE "yield: 0.5, saturation: {stress: 0.2, exponent: 5}", 1e-2},
    {"power", BASE "yield: 0.5, power: {factor: 1, exponent: 0.3}", 1e-2},
    {"table", BASE "table: [[0, 0.5], [0.1, 0.8], [0.5, 1]]", 1e-2},
    {"Johnson-Cook",
     BASE "yield: 0.5, hardening: 1, rate: {johnson-cook: {factor: 0.05, reference: 0.01}}", 1e-2},
    {"Perzyna and kinematic",
     BASE "yield: 0.5, kinematic: 3, rate: {perzyna: {viscosity: 0.5, exponent: 2}}", 1e-2},
    {"neo-Hookean with branches", "model: neo-hookean, lambda: 130, shear: 43.33, " PRONY, 0.05},
    {"branches, fast", "model: neo-hookean, lambda: 130, shear: 43.33, " PRONY, 1e3},
    {"branches, slow", "model: neo-hookean, lambda: 130, shear: 43.33, " PRONY, 2e-7},
    {"Mooney-Rivlin with branches", "model: mooney-rivlin, c10: 15, c01: 6, bulk: 100, " PRONY,
     0.05},
    {"Kelvin-Voigt",
     "model: neo-hookean, lambda: 130, shear: 43.33, viscosity: {shear: 1, bulk: 0.5}", 0.05},
    {"Saint-Venant Kirchhoff, damped",
     "model: saint-venant-kirchhoff, lambda: 130, shear: 43.33, damping: {stiffness: 0.01}", 0.05},
};

#define NLAWS   (int)(sizeof laws / sizeof laws[0])
#define NUMBERS 64 /* of a state */

typedef struct {
  CrMaterial material;
  PetscInt   ns, size;
  PetscReal  h;
  PetscReal  state[NUMBERS * CR_BATCH], next[NUMBERS * CR_BATCH];
  CrLanes    E[6]; /* that the state belongs to */
} Point;

static PetscErrorCode open_point(const char text[], PetscInt ns, PetscReal h, Point *p)
{
  char      deck_text[2048];
  CrDeck   *deck;
  PetscReal start[NUMBERS] = {0};

  PetscFunctionBeginUser;
  memset(p, 0, sizeof *p);
  snprintf(deck_text, sizeof deck_text, "materials: [{name: m, density: 1, %s}]", text);
  PetscCall(CrDeckParse("law", deck_text, strlen(deck_text), 0, NULL, &deck));
  PetscCall(CrDeckValidate(deck, CrMaterialKeys));
  PetscCall(CrMaterialRead(CrDeckFind(CrDeckRoot(deck), "materials.0"), PETSC_FALSE, &p->material));
  PetscCall(CrDeckDestroy(&deck));
  p->ns = ns;
  p->h = h;
  p->size = p->material.ops->state_size(&p->material, ns);
  PetscCheck(p->size <= NUMBERS, PETSC_COMM_SELF, PETSC_ERR_PLIB, "room");
  if (p->material.ops->state_init) p->material.ops->state_init(&p->material, ns, start);
  for (PetscInt c = 0; c < p->size; c++)
    for (PetscInt l = 0; l < CR_BATCH; l++) p->state[c * CR_BATCH + l] = start[c];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal last(CrLanes value)
{
  return value[CR_WIDTH - 1];
}

static void keep_greatest(PetscReal *worst, PetscReal value)
{
  if (!(value <= *worst)) *worst = value; /* NaN too */
}

/* Green strain of a random deformation gradient 1 + H, |H_ij| < size. */
static void random_strain(int ns, PetscReal size, unsigned *seed, CrLanes *E)
{
  PetscReal H[3][3] = {{0}};
  int       dim = ns == 4 ? 2 : 3;

  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) H[i][j] = size * random_number(seed);
  for (int I = 0; I < ns; I++) {
    int       i = tensor_row[I], j = tensor_col[I];
    PetscReal e = (H[i][j] + H[j][i]) / 2;

    for (int k = 0; k < 3; k++) e += H[k][i] * H[k][j] / 2;
    E[I] = lanes_set(e);
  }
}

static PetscReal energy(const Point *p, const PetscReal *state, const CrLanes *E)
{
  const CrPast still = {.state = state};
  CrLanes      z[6] = {{0}}, W;

  p->material.ops->at(&p->material, p->ns, &still, E, E, z, &W, NULL, NULL);
  return last(W);
}

/* How well a step balances: beyond 1e-13 of its terms, and the least loss. */
typedef struct {
  PetscReal identity, loss;
} Worst;

static void step_to(Point *p, const CrLanes *E1, Worst *worst)
{
  const CrPast past = {.state = p->state, .h = p->h};
  CrLanes      z[6], S[6], D = {0};
  PetscReal    W0, W1, work, size, again[NUMBERS * CR_BATCH] = {0};

  for (int I = 0; I < p->ns; I++) z[I] = 2 * (E1[I] - p->E[I]);
  W0 = energy(p, p->state, p->E);
  p->material.ops->between(&p->material, p->ns, &past, p->E, E1, z, S, NULL);
  p->material.ops->commit(&p->material, p->ns, &past, p->E, E1, z, p->next, &D);
  p->material.ops->commit(&p->material, p->ns, &past, p->E, E1, z, again, &D);
  CHECK(!memcmp(p->next, again, (size_t)p->size * CR_BATCH * sizeof *again));
  W1 = energy(p, p->next, E1);
  work = last(contract((int)p->ns, S, z)) / 2;
  size = last(lanes_sqrt(contract((int)p->ns, S, S)) * lanes_sqrt(contract((int)p->ns, z, z)));
  keep_greatest(&worst->identity, fabs(work - (W1 - W0) - last(D)) - 1e-13 * (size + last(D)));
  keep_greatest(&worst->loss, -last(D));
  memcpy(p->state, p->next, sizeof p->state);
  for (int I = 0; I < p->ns; I++) p->E[I] = E1[I];
}

static void test_balance(const char text[], PetscInt ns, PetscReal h)
{
  unsigned seed = 31;
  Worst    worst = {0};

  for (int trial = 0; trial < 40; trial++) {
    Point   p;
    CrLanes E1[6], target[6];

    CHECK_OK(open_point(text, ns, h, &p));
    for (int k = 0; k < 8; k++) {
      PetscReal size = 0.2 * pow(10, -k * 0.9);

      random_strain((int)ns, 0.2, &seed, target);
      for (int I = 0; I < ns; I++) E1[I] = k < 2 ? target[I] : p.E[I] + size * (target[I] - p.E[I]);
      step_to(&p, E1, &worst);
    }
  }
  CHECK_LESS(worst.identity, 5e-14); /* W of a state is that good: 2G times a few roundings */
  CHECK_LESS(worst.loss, 1e-18);
}

/* dS/dE1 of both stresses; random states, steps of several sizes. Differences across or
   close to the kink of yield are no derivative: one trial in twenty may be off. */
static void test_tangents(const char text[], PetscInt ns, PetscReal h, PetscBool between)
{
  const PetscReal e = 3e-7;
  unsigned        seed = 37;
  PetscReal       all[40];

  for (int trial = 0; trial < 40; trial++) {
    Point   p;
    Worst   ignored = {0};
    CrLanes E1[6], z[6], S[2][6], A[36], W;
    CrPast  past;

    all[trial] = 0;
    CHECK_OK(open_point(text, ns, h, &p));
    past = (CrPast){.state = p.state, .h = h};
    for (int k = 0; k < 2; k++) {
      random_strain((int)ns, 0.1, &seed, E1);
      step_to(&p, E1, &ignored);
    }
    random_strain((int)ns, 0.1, &seed, E1);
    for (int I = 0; I < ns; I++) E1[I] = p.E[I] + pow(10, -(trial % 4)) * (E1[I] - p.E[I]);
    for (int J = -1; J < ns; J++)
      for (int k = 0; k < 2; k++) {
        CrLanes x[6];

        if (J < 0 && k) break;
        for (int I = 0; I < ns; I++) {
          x[I] = E1[I] + (I == J ? (k ? e : -e) : 0.0);
          z[I] = 2 * (x[I] - p.E[I]);
        }
        if (between)
          p.material.ops->between(&p.material, ns, &past, p.E, x, z, S[k], J < 0 ? A : NULL);
        else
          p.material.ops->at(&p.material, ns, &past, p.E, x, z, &W, S[k], J < 0 ? A : NULL);
        for (int I = 0; k && I < ns; I++)
          keep_greatest(&all[trial], fabs(last(S[1][I] - S[0][I]) / (2 * e) -
                                          CR_WEIGHT(J) * last(A[I * ns + J])));
      }
  }
  PetscSortReal(40, all);
  CHECK_LESS(all[20] / 100, 1e-8); /* moduli of about 100 */
  CHECK_LESS(all[37] / 100, 1e-6);
}

/* +-5 % in one step of an ideal plastic: D is the yield stress times the plastic strain. */
static void test_reversal(void)
{
  Point     p;
  Worst     worst = {0};
  CrLanes   E1[6] = {{0}};
  PetscReal alpha, before;

  CHECK_OK(open_point(BASE "yield: 0.5", 6, 0.01, &p));
  for (int k = 0; k < 3; k++) {
    CrLanes D = {0}, z[6];

    for (int I = 0; I < 6; I++) E1[I] = lanes_set(0);
    E1[3] = lanes_set(k % 2 ? -0.05 : 0.05);
    E1[1] = lanes_set(2 * 0.05 * 0.05);
    for (int I = 0; I < 6; I++) z[I] = 2 * (E1[I] - p.E[I]);
    p.material.ops->commit(&p.material, 6, &(CrPast){.state = p.state, .h = 0.01}, p.E, E1, z,
                           p.next, &D);
    before = p.state[9 * CR_BATCH];
    step_to(&p, E1, &worst);
    alpha = p.state[9 * CR_BATCH];
    CHECK_LESS(0.01, alpha - before);
    CHECK_NEAR(last(D) / (0.5 * (alpha - before)), 1, 1e-13);
  }
}

/* At the end of a step with flow the stress is on the yield surface, and det P = 1. Read from the energy of an ideal
   plastic: psi = |T|^2/(4G) with |T|^2 = 2/3 Y^2. */
static void test_yield(PetscInt ns)
{
  unsigned  seed = 41;
  PetscReal worst[2] = {0};

  for (int trial = 0; trial < 50; trial++) {
    Point   p;
    Worst   ignored = {0};
    CrLanes E1[6];

    CHECK_OK(open_point(BASE "yield: 0.5", ns, 0.01, &p));
    for (int k = 0; k < 5; k++) {
      const PetscReal *s = p.state;

      random_strain((int)ns, 0.3, &seed, E1);
      step_to(&p, E1, &ignored);
      keep_greatest(&worst[0], fabs(energy(&p, p.state, p.E) / (0.25 / (6 * 80)) - 1));
#define P(c) s[(c)*CR_BATCH + CR_WIDTH - 1]
      keep_greatest(&worst[1], fabs(ns == 4 ? (P(0) * P(3) - P(1) * P(2)) * P(4) - 1
                                            : P(0) * (P(4) * P(8) - P(5) * P(7)) -
                                                  P(1) * (P(3) * P(8) - P(5) * P(6)) +
                                                  P(2) * (P(3) * P(7) - P(4) * P(6)) - 1));
    }
  }
  CHECK_LESS(worst[0],
             3e-12); /* steps of 0.3: the spectrum of the state is that of a large strain */
  CHECK_LESS(worst[1], 1e-14);
}

/* Simple shear in steps of 0.01: the shear stress of Kirchhoff, tau = F S F^T, at 1, 2, ... 5. */
static void shear_to_five(const char text[], PetscReal tau[5])
{
  Point   p;
  Worst   worst = {0};
  CrLanes E1[6], z[6] = {{0}}, S[6], W;

  CHECK_OK(open_point(text, 4, 0.01, &p));
  for (int k = 1; k <= 500; k++) {
    PetscReal g = 0.01 * k;

    E1[0] = E1[2] = lanes_set(0);
    E1[1] = lanes_set(g * g / 2);
    E1[3] = lanes_set(g / 2);
    step_to(&p, E1, &worst);
    if (k % 100) continue;
    p.material.ops->at(&p.material, 4, &(CrPast){.state = p.state}, p.E, p.E, z, &W, S, NULL);
    tau[k / 100 - 1] = last(S[3]) + g * last(S[1]);
  }
  CHECK_LESS(worst.identity, 5e-14);
}

/* An ideal plastic stays at Y/sqrt(3). Kinematic hardening without plastic spin falls again beyond 1.5, as a
   reference prototype has it (to the digits printed there). */
static void test_shear(void)
{
  PetscReal ideal[5], kinematic[5];

  shear_to_five(BASE "yield: 0.5", ideal);
  CHECK_NEAR(ideal[4] / (0.5 / sqrt(3)), 1, 2e-3);
  shear_to_five(BASE "yield: 0.4, kinematic: 1", kinematic);
  CHECK_NEAR(kinematic[0], 0.509, 5e-3);
  CHECK_NEAR(kinematic[1], 0.533, 5e-3);
  CHECK_NEAR(kinematic[2], 0.280, 5e-3);
  CHECK_NEAR(kinematic[4], -0.090, 5e-3);
}

/* A rigid turn of a strained point leaves C as it is: no work, no loss, the same state. */
static void test_rigid_turn(void)
{
  unsigned  seed = 43;
  Point     p;
  Worst     worst = {0};
  CrLanes   E1[6];
  PetscReal before[NUMBERS * CR_BATCH], alpha;

  CHECK_OK(open_point(BASE "yield: 0.5, hardening: 1, kinematic: 2", 6, 0.01, &p));
  random_strain(6, 0.2, &seed, E1);
  step_to(&p, E1, &worst);
  alpha = p.state[9 * CR_BATCH];
  memcpy(before, p.state, sizeof before);
  for (int k = 0; k < 12; k++) step_to(&p, E1, &worst);
  CHECK_LESS(0.01, alpha);
  CHECK_NEAR(p.state[9 * CR_BATCH], alpha, 1e-14);
  for (PetscInt c = 0; c < p.size; c++)
    CHECK_NEAR(p.state[c * CR_BATCH], before[c * CR_BATCH], 1e-13);
}

/* Shear of an ideal plastic, from `from` to three times the strain of first yield: what the mean of both stresses, the
   return without its part c N, lacks of W1 - W0 + D, and the same from the flow: g (Y0 - a)/2, over D. */
static void step_without_c(PetscReal from, PetscReal *lacks, PetscReal *known)
{
  const PetscReal yield = 1e-4, root = sqrt(2.0 / 3);
  Point           p;
  Worst           worst = {0};
  CrLanes         E[6] = {{0}}, z[6] = {{0}}, S0[6], S1[6], D = {0};
  PetscReal       strain, W0, W1, flow, work;

  CHECK_OK(open_point(BASE "yield: 1.0e-4", 6, 0.01, &p));
  strain = root * yield / (2 * sqrt(2) * p.material.shear);
  E[3] = lanes_set(from * strain);
  step_to(&p, E, &worst);
  W0 = energy(&p, p.state, E);
  p.material.ops->at(&p.material, 6, &(CrPast){.state = p.state}, E, E, z, NULL, S0, NULL);
  E[3] = lanes_set(3 * strain);
  z[3] = 2 * (E[3] - p.E[3]);
  p.material.ops->commit(&p.material, 6, &(CrPast){.state = p.state, .h = 0.01}, p.E, E, z, p.next,
                         &D);
  step_to(&p, E, &worst);
  W1 = energy(&p, p.state, E);
  for (int I = 0; I < 6; I++) z[I] = lanes_set(0);
  p.material.ops->at(&p.material, 6, &(CrPast){.state = p.state}, E, E, z, NULL, S1, NULL);
  for (int I = 0; I < 6; I++) S1[I] = (S0[I] + S1[I]) / 2;
  z[3] = lanes_set(2 * (3 - from) * strain);
  work = last(contract(6, S1, z)) / 2;
  flow = p.state[9 * CR_BATCH] / root;
  *lacks = (W1 - W0 + last(D) - work) / last(D);
  *known = flow * root * yield * (1 - from) / 2 / last(D);
  CHECK_LESS(worst.identity, 5e-14 * yield);
}

/* The stress of a step that enters flow is not the mean of both ends: without c the ledger lacks up to half of D. */
static void test_without_c(void)
{
  for (int k = 0; k < 4; k++) {
    PetscReal lacks, known;

    step_without_c(k / 4.0, &lacks, &known);
    CHECK_NEAR(lacks, (1 - k / 4.0) / 2, 1e-3);
    CHECK_NEAR(lacks, known, 1e-3);
  }
}

static void test_law(const char name[], const char text[], PetscReal h)
{
  for (int ns = 4; ns <= 6; ns += 2) {
    int before = check_failures;

    test_balance(text, ns, h);
    test_tangents(text, ns, h, PETSC_TRUE);
    test_tangents(text, ns, h, PETSC_FALSE);
    if (check_failures > before) printf("  %s, %d components\n", name, ns);
  }
}

/* Whatever law is registered: one with state as it is, an elastic one with each kind of viscosity beside it. */
static void test_registered(const CrMaterialOps *ops)
{
  static const char *const beside[] = {", viscosity: {shear: 1, bulk: 0.5}", ", " PRONY};
  char                     constants[1536], text[1700];

  CHECK_OK(material_constants(ops, 100, constants, sizeof constants));
  if (ops->state_size) {
    test_law(ops->name, constants, 0.05);
    return;
  }
  for (int k = 0; k < (ops->volume == CR_VOLUME_WHOLE ? 1 : 2); k++) {
    snprintf(text, sizeof text, "%s%s", constants, beside[k]);
    test_law(text, text, 0.05);
  }
}

int main(int argc, char **argv)
{
  setenv("CAROM_ISA", CrIsaName(CR_ISA_BASELINE), 1);
  if (check_start(argc, argv)) return 1;
  CrLogSetQuiet(PETSC_TRUE);
  for (int k = 0; k < NLAWS; k++) test_law(laws[k].name, laws[k].text, laws[k].h);
  for (PetscInt i = 0; CrMaterialAt(i); i++) test_registered(CrMaterialAt(i));
  test_reversal();
  test_yield(4);
  test_yield(6);
  test_shear();
  test_rigid_turn();
  test_without_c();
  return check_end();
}

/* Reads the keys of the law j2: yield stress, hardening, rates, heat. A yield stress that falls to zero is rejected,
   because the loss of a step could then be negative. */
#include "material/hardening.h"

static const CrKey saturation_keys[] = {
    {"stress", CR_REAL | CR_MUST, .range = "(0,inf)",
     .help = "yield stress that is approached at large plastic strain"},
    {"exponent", CR_REAL | CR_MUST, .range = "(0,inf)",
     .help =
         "factor k: the yield stress approaches its limit as exp(-k alpha), where alpha is the plastic strain"},
    {.name = NULL}};

static const CrKey power_keys[] = {
    {"factor", CR_REAL | CR_MUST, .range = "[0,inf)",
     .help =
         "factor K of the term K alpha^exponent that is added to the yield stress, where alpha is the plastic strain"},
    {"exponent", CR_REAL | CR_MUST, .range = "(0,inf)",
     .help =
         "exponent n of the term K alpha^n that is added to the yield stress, where alpha is the plastic strain"},
    {.name = NULL}};

static const CrKey johnson_cook_keys[] = {
    {"factor", CR_REAL | CR_MUST, .range = "[0,inf)",
     .help =
         "coefficient C: the yield stress is multiplied by 1 + C ln(rate/reference), where rate is the plastic strain rate"},
    {"reference", CR_REAL | CR_MUST, .range = "(0,inf)",
     .help = "plastic strain rate below which the yield stress does not depend on the rate"},
    {.name = NULL}};

static const CrKey perzyna_keys[] = {
    {"viscosity", CR_REAL | CR_MUST, .range = "[0,inf)",
     .help =
         "factor V of the term V rate^(1/exponent) that is added to the yield stress, where rate is the plastic strain rate"},
    {"exponent", CR_REAL | CR_MUST, .range = "(0,inf)",
     .help =
         "exponent p of the term V rate^(1/p) that is added to the yield stress, where rate is the plastic strain rate"},
    {.name = NULL}};

static const CrKey rate_keys[] = {
    {"johnson-cook", CR_MAP, .keys = johnson_cook_keys,
     .help =
         "multiplies the yield stress by 1 + factor ln(rate/reference), where rate is the plastic strain rate"},
    {"perzyna", CR_MAP, .keys = perzyna_keys,
     .help =
         "adds the product of `viscosity` and rate^(1/exponent) to the yield stress, where rate is the plastic strain rate"},
    {.name = NULL}};

static const CrKey heat_keys[] = {{"fraction", CR_REAL | CR_MUST, .range = "[0,1]",
                                   .help = "fraction of the dissipated energy that becomes heat"},
                                  {"capacity", CR_REAL | CR_MUST, .range = "(0,inf)",
                                   .help = "heat capacity per mass"},
                                  {.name = NULL}};

const CrKey CrHardeningKeys[] = {
    {"yield", CR_REAL, .range = "(0,inf)", .help = "j2: initial yield stress"},
    {"hardening", CR_REAL,
     .help = "j2: derivative of the yield stress with respect to the plastic strain"},
    {"kinematic", CR_REAL, .range = "[0,inf)", .help = "j2: modulus of linear kinematic hardening"},
    {"saturation", CR_MAP, .keys = saturation_keys,
     .help = "j2: exponential saturation of the yield stress"},
    {"power", CR_MAP, .keys = power_keys,
     .help = "j2: part of the yield stress that grows as a power of the plastic strain alpha"},
    {"table", CR_MATRIX,
     .help = "j2: pairs [plastic strain, yield stress], instead of `yield` and the hardening keys"},
    {"rate", CR_MAP, .keys = rate_keys,
     .help = "j2: dependence of the yield stress on the plastic strain rate"},
    {"heat", CR_MAP, .keys = heat_keys,
     .help = "j2: rise of temperature caused by the dissipated energy"},
    {.name = NULL}};

static PetscReal real_at(const CrDeckNode *node, const char path[])
{
  const CrDeckNode *value = CrDeckFind(node, path);

  return value ? CrDeckReal(value) : 0;
}

static PetscErrorCode read_table(const CrDeckNode *node, PetscReal *k)
{
  const CrDeckNode *table = CrDeckFind(node, "table");
  const char *const others[] = {"yield", "hardening", "saturation", "power"};
  PetscInt          n = CrDeckCount(table);

  PetscFunctionBeginUser;
  for (int i = 0; i < 4; i++)
    if (CrDeckFind(node, others[i]))
      CrDeckFail(CrDeckFind(node, others[i]), "\"%s\" and a table cannot be given together",
                 others[i]);
  if (n < 2 || n > J2_MAX_TABLE)
    CrDeckFail(table, "the table must have 2 to %d points, but has %" PetscInt_FMT, J2_MAX_TABLE,
               n);
  for (PetscInt i = 0; i < n; i++) {
    const CrDeckNode *row = CrDeckItem(table, i);

    if (CrDeckCount(row) != 2) CrDeckFail(row, "expected [plastic strain, yield stress]");
    for (int c = 0; c < 2; c++) k[J2_TABLE + 2 * i + c] = CrDeckReal(CrDeckItem(row, c));
    if (i == 0 && k[J2_TABLE] != 0) CrDeckFail(row, "the table must start at plastic strain 0");
    if (i > 0 && !(k[J2_TABLE + 2 * i] > k[J2_TABLE + 2 * i - 2]))
      CrDeckFail(row, "plastic strains of the table must increase");
    if (!(k[J2_TABLE + 2 * i + 1] > 0))
      CrDeckFail(row, "the yield stress must be greater than 0, but is %g",
                 (double)k[J2_TABLE + 2 * i + 1]);
  }
  k[J2_NTABLE] = (PetscReal)n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_formula(const CrDeckNode *node, PetscReal *k)
{
  const CrDeckNode *hardening = CrDeckFind(node, "hardening");

  PetscFunctionBeginUser;
  if (!CrDeckFind(node, "yield"))
    CrDeckFail(node, "the model j2 needs the key \"yield\" or \"table\"");
  k[J2_YIELD] = real_at(node, "yield");
  k[J2_HARDENING] = real_at(node, "hardening");
  if (k[J2_HARDENING] < 0)
    CrDeckFail(
        hardening,
        "with a negative slope the yield stress would reach zero; use saturation to describe softening");
  if (CrDeckFind(node, "saturation")) {
    k[J2_SATURATION] = real_at(node, "saturation.stress") - k[J2_YIELD];
    k[J2_EXPONENT] = real_at(node, "saturation.exponent");
  }
  k[J2_FACTOR] = real_at(node, "power.factor");
  k[J2_POWER] = real_at(node, "power.exponent");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_rate(const CrDeckNode *node, PetscReal *k)
{
  const CrDeckNode *rate = CrDeckFind(node, "rate");
  PetscReal         p = real_at(node, "rate.perzyna.exponent");

  PetscFunctionBeginUser;
  if (rate && CrDeckCount(rate) != 1) CrDeckFail(rate, "give either johnson-cook or perzyna");
  k[J2_JOHNSON_COOK] = real_at(node, "rate.johnson-cook.factor");
  k[J2_REFERENCE] = real_at(node, "rate.johnson-cook.reference");
  k[J2_PERZYNA] = real_at(node, "rate.perzyna.viscosity");
  k[J2_RATE_POWER] = p > 0 ? 1 / p : 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool softens(const PetscReal *k)
{
  for (int i = 1; i < (int)k[J2_NTABLE]; i++)
    if (k[J2_TABLE + 2 * i + 1] < k[J2_TABLE + 2 * i - 1]) return PETSC_TRUE;
  return k[J2_SATURATION] < 0;
}

void CrHardeningBoundSeries(const CrMaterial *material, PetscReal *k)
{
  const PetscReal stiff = 2 * material->shear + 2.0 / 3 * k[J2_KINEMATIC];
  const PetscReal rise = 2.0 / 3 * k[J2_SATURATION] * k[J2_EXPONENT];
  const PetscReal b = rise / (stiff + 2.0 / 3 * k[J2_HARDENING] + rise);

  k[J2_SERIES] = 4 * b * (1.0 / 720 + b * (0.08 + b * (0.7 + b * 3.1)));
  k[J2_LIMIT] = FLOW_TOLERANCE / 10 * k[J2_EXPONENT] * FLOW_ROOT / stiff;
}

PetscErrorCode CrHardeningConfigure(CrMaterial *material, const CrDeckNode *node)
{
  PetscReal *k = material->constants;

  PetscFunctionBeginUser;
  PetscCall(CrElasticConstants(node, &material->lambda, &material->shear));
  material->volume_modulus = material->lambda + 2.0 / 3 * material->shear;
  PetscCall(CrDeckFind(node, "table") ? read_table(node, k) : read_formula(node, k));
  PetscCall(read_rate(node, k));
  k[J2_KINEMATIC] = real_at(node, "kinematic");
  k[J2_ITERATES] = k[J2_NTABLE] > 0 || k[J2_EXPONENT] > 0 || k[J2_FACTOR] > 0 ||
                   k[J2_JOHNSON_COOK] > 0 || k[J2_PERZYNA] > 0;
  if (k[J2_SATURATION] > 0 && !(k[J2_FACTOR] > 0 || k[J2_JOHNSON_COOK] > 0 || k[J2_PERZYNA] > 0))
    k[J2_ITERATES] = J2_BENDS_EVENLY;
  CrHardeningBoundSeries(material, k);
  if (CrDeckFind(node, "heat"))
    material->heating =
        real_at(node, "heat.fraction") / (material->density * real_at(node, "heat.capacity"));
  if (softens(k))
    CrWarn(
        "the yield stress of material %s decreases, so plastic strain concentrates in few elements and the results depend on the mesh",
        material->name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Reads the keys of viscosity, which any elastic law may have. */
#include "material/viscosity.h"
#include "base/isa.h"
#include "deck/deck.h"

CR_ISA_TABLE(const CrMaterialOps, CrViscous_log);
CR_ISA_TABLE(const CrMaterialOps, CrViscous_quadratic);
CR_ISA_TABLE(const CrMaterialOps, CrViscous_whole);
CR_ISA_TABLE(const CrMaterialOps, CrViscous_small);

static const CrKey prony_keys[] = {{"shear", CR_REAL | CR_MUST, .range = "[0,inf)",
                                    .help = "shear modulus of the Maxwell element"},
                                   {"time", CR_REAL | CR_MUST, .range = "(0,inf)",
                                    .help = "relaxation time of the Maxwell element"},
                                   {.name = NULL}};

static const CrKey viscosity_keys[] = {{"shear", CR_REAL, .range = "[0,inf)",
                                        .help = "shear viscosity"},
                                       {"bulk", CR_REAL, .range = "[0,inf)",
                                        .help = "bulk viscosity"},
                                       {.name = NULL}};

static const CrKey damping_keys[] = {
    {"mass", CR_REAL, .range = "[0,inf)",
     .help =
         "coefficient of a drag relative to the ground: drag force divided by mass and velocity"},
    {"stiffness", CR_REAL, .range = "[0,inf)",
     .help = "viscosity divided by elastic modulus, with the unit of a time"},
    {.name = NULL}};

const CrKey CrViscosityKeys[] = {
    {"prony", CR_LIST, .keys = prony_keys,
     .help = "Maxwell elements (spring and damper in series), parallel to the elastic law"},
    {"viscosity", CR_MAP, .keys = viscosity_keys, .help = "Kelvin-Voigt viscosity"},
    {"damping", CR_MAP, .keys = damping_keys, .help = "Rayleigh damping"},
    {.name = NULL}};

static PetscErrorCode read_branches(const CrDeckNode *list, CrMaterial *material)
{
  CrViscosity *v = &material->viscosity;

  PetscFunctionBeginUser;
  v->n = CrDeckCount(list);
  if (v->n > CR_MAX_BRANCHES)
    CrDeckFail(list, "at most %d Maxwell elements are allowed, found %" PetscInt_FMT,
               CR_MAX_BRANCHES, v->n);
  if (v->n && material->ops->volume == CR_VOLUME_WHOLE)
    CrDeckFail(list,
               "this key is for laws of large strain such as neo-hookean, but the model is %s",
               material->ops->name);
  for (PetscInt i = 0; i < v->n; i++) {
    v->shear[i] = CrDeckReal(CrDeckFind(CrDeckItem(list, i), "shear"));
    v->time[i] = CrDeckReal(CrDeckFind(CrDeckItem(list, i), "time"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_kelvin(const CrDeckNode *node, CrMaterial *material)
{
  const CrDeckNode *viscosity = CrDeckFind(node, "viscosity");
  const CrDeckNode *stiffness = CrDeckFind(node, "damping.stiffness");
  const CrDeckNode *shear = CrDeckFind(viscosity, "shear"), *bulk = CrDeckFind(viscosity, "bulk");
  CrViscosity      *v = &material->viscosity;

  PetscFunctionBeginUser;
  if (viscosity && stiffness)
    CrDeckFail(stiffness, "this key is a viscosity as well; give either this key or \"viscosity\"");
  if (shear) v->eta_shear = CrDeckReal(shear);
  if (bulk) v->eta_bulk = CrDeckReal(bulk);
  if (stiffness) {
    v->eta_shear = CrDeckReal(stiffness) * material->shear;
    v->eta_bulk = CrDeckReal(stiffness) * (material->lambda + 2.0 / 3 * material->shear);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The viscous law that goes with an elastic one. */
static const CrMaterialOps *viscous_of(const CrMaterialOps *elastic)
{
  if (elastic->flags & CR_SMALL_STRAIN) return CR_ISA_OWN(CrViscous_small);
  if (elastic->volume == CR_VOLUME_LOG) return CR_ISA_OWN(CrViscous_log);
  if (elastic->volume == CR_VOLUME_QUADRATIC) return CR_ISA_OWN(CrViscous_quadratic);
  return CR_ISA_OWN(CrViscous_whole);
}

PetscErrorCode CrViscosityRead(CrMaterial *material, const CrDeckNode *node)
{
  const CrDeckNode *prony = CrDeckFind(node, "prony"), *viscosity = CrDeckFind(node, "viscosity");
  const CrDeckNode *stiffness = CrDeckFind(node, "damping.stiffness");
  const CrDeckNode *mass = CrDeckFind(node, "damping.mass");
  const CrDeckNode *first = prony ? prony : viscosity ? viscosity : stiffness;
  CrViscosity      *v = &material->viscosity;

  PetscFunctionBeginUser;
  if (mass) material->mass_damping = CrDeckReal(mass);
  if (!first) PetscFunctionReturn(PETSC_SUCCESS);
  if (material->ops->state_size)
    CrDeckFail(first, "viscosity is for elastic laws only, but the model is %s",
               material->ops->name);
  if (material->plane_stress)
    CrDeckFail(first, "plane stress cannot be used with viscosity; use `plane: strain`");
  PetscCall(read_branches(prony, material));
  PetscCall(read_kelvin(node, material));
  for (PetscInt i = 0; i < v->n; i++) { /* the bulk modulus stays */
    material->shear += v->shear[i];
    material->lambda -= 2.0 / 3 * v->shear[i];
  }
  if (v->n || v->eta_shear > 0 || v->eta_bulk > 0) material->ops = viscous_of(material->ops);
  PetscFunctionReturn(PETSC_SUCCESS);
}

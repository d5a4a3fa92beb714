/* Reading materials, and the registry of their laws for the chosen instruction set. */
#include <string.h>
#include "base/isa.h"
#include "deck/deck.h"
#include "material/material.h"
#include "material/viscosity.h"

#define CR_MATERIAL(name) CR_ISA_DECLARE(const CrMaterialOps, CrMaterial_##name);
#include "material/registry.def"
#undef CR_MATERIAL
#define CR_MATERIAL(name) CR_ISA_ROW(CrMaterial_##name),

static const CrMaterialOps *const table[][CR_NISAS] = {
#include "material/registry.def"
};

const CrMaterialOps *CrMaterialAt(PetscInt i)
{
  return i < (PetscInt)(sizeof table / sizeof table[0]) ? table[i][CrIsaGet()] : NULL;
}

const char *CrMaterialNameAt(PetscInt i)
{
  const CrMaterialOps *ops = CrMaterialAt(i);

  return ops ? ops->name : NULL;
}

/* The keys of all laws, and at last those of viscosity, which goes with many. */
static const CrKey *material_keys_at(PetscInt i)
{
  static const CrKey   none[] = {{.name = NULL}};
  const CrMaterialOps *ops = CrMaterialAt(i);

  if (!ops) return i == 0 || CrMaterialAt(i - 1) ? CrViscosityKeys : NULL;
  return ops->keys ? ops->keys : none;
}

/* What every material takes; the laws add their own. */
static const CrKey common_keys[] = {
    {"name", CR_TEXT | CR_MUST, .help = "name of the material, used by bodies"},
    {"model", CR_WORD, "saint-venant-kirchhoff", .more_words = CrMaterialNameAt,
     .help = "constitutive law"},
    {"density", CR_REAL | CR_MUST, .range = "(0,inf)", .help = "mass per reference volume"},
    {"lambda", CR_REAL, .help = "first Lame constant; needs `shear`"},
    {"shear", CR_REAL, .range = "(0,inf)", .help = "shear modulus; needs `lambda` or `bulk`"},
    {"young", CR_REAL, .range = "(0,inf)", .help = "Young's modulus; needs `poisson`"},
    {"poisson", CR_REAL, .range = "(-1,0.5)", .help = "Poisson's ratio; needs `young`"},
    {"bulk", CR_REAL, .range = "(0,inf)", .help = "bulk modulus; needs `shear`"},
    {.name = NULL}};

const CrKey CrMaterialKeys[] = {{"materials", CR_LIST, .keys = common_keys,
                                 .more = material_keys_at, .help = "list of the materials"},
                                {.name = NULL}};

PetscErrorCode CrElasticConstants(const CrDeckNode *node, PetscReal *lambda, PetscReal *shear)
{
  const CrDeckNode *l = CrDeckFind(node, "lambda"), *g = CrDeckFind(node, "shear");
  const CrDeckNode *e = CrDeckFind(node, "young"), *nu = CrDeckFind(node, "poisson");
  const CrDeckNode *k = CrDeckFind(node, "bulk");
  int               given = !!l + !!g + !!e + !!nu + !!k;

  PetscFunctionBeginUser;
  if (given != 2 || !((l && g) || (e && nu) || (k && g)))
    CrDeckFail(node,
               "give exactly one pair of elastic constants: lambda and shear, young and poisson, "
               "or bulk and shear");
  if (l) {
    *lambda = CrDeckReal(l);
    *shear = CrDeckReal(g);
    if (!(*lambda + *shear * 2 / 3 > 0))
      CrDeckFail(l, "the bulk modulus, lambda + 2/3 shear, must be greater than 0, but is %g",
                 (double)(*lambda + *shear * 2 / 3));
  } else if (e) {
    PetscReal E = CrDeckReal(e), v = CrDeckReal(nu);

    *shear = E / (2 * (1 + v));
    *lambda = E * v / ((1 + v) * (1 - 2 * v));
  } else {
    *shear = CrDeckReal(g);
    *lambda = CrDeckReal(k) - *shear * 2 / 3;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool has_key(const CrMaterialOps *ops, const char name[])
{
  for (const CrKey *key = ops->keys; key && key->name; key++)
    if (!strcmp(key->name, name)) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Keys of another law would be read by nobody. */
static PetscErrorCode check_keys(const CrDeckNode *node, const CrMaterialOps *own)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; CrMaterialAt(i); i++)
    for (const CrKey *key = CrMaterialAt(i)->keys; key && key->name; key++) {
      const CrDeckNode *value = CrDeckFind(node, key->name);

      if (value && !has_key(own, key->name))
        CrDeckFail(value, "\"%s\" is a key of model %s, but the model is %s", key->name,
                   CrMaterialNameAt(i), own->name);
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMaterialRead(const CrDeckNode *node, PetscBool plane_stress, CrMaterial *material)
{
  const char *model = CrDeckText(CrDeckFind(node, "model"));

  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(material, sizeof *material));
  PetscCall(
      PetscStrncpy(material->name, CrDeckText(CrDeckFind(node, "name")), sizeof material->name));
  material->density = CrDeckReal(CrDeckFind(node, "density"));
  material->plane_stress = plane_stress;
  for (PetscInt i = 0; CrMaterialAt(i); i++)
    if (!strcmp(model, CrMaterialAt(i)->name)) material->ops = CrMaterialAt(i);
  PetscCheck(material->ops, PETSC_COMM_SELF, PETSC_ERR_PLIB, "model %s passed the tables", model);
  if (material->ops->state_size && plane_stress)
    CrDeckFail(
        CrDeckFind(node, "model"),
        "%s has internal variables, which plane stress does not support; use `plane: strain`",
        model);
  material->elastic = material->ops;
  PetscCall(check_keys(node, material->ops));
  PetscCall(material->ops->configure(material, node));
  PetscCall(CrViscosityRead(material, node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrMaterialStateSize(const CrMaterial *material, PetscInt dim)
{
  return material->ops->state_size ? material->ops->state_size(material, dim == 2 ? 4 : 6) : 0;
}

PetscReal CrMaterialWaveSpeed(const CrMaterial *material)
{
  PetscReal lambda = material->lambda;

  if (material->plane_stress) lambda *= 2 * material->shear / (lambda + 2 * material->shear);
  return PetscSqrtReal((lambda + 2 * material->shear) / material->density);
}

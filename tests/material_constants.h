/* Constants for any registered law. The law's own keys get numbers of their own. The elastic constants are the first
   common choice that the law accepts. So a new law is tested without an edit. */
#pragma once

#include "check.h"
#include "material/material.h"

/* "lambda: .., shear: .." or another choice of constants that the law accepts; moduli are about `scale`. */
static inline PetscErrorCode material_constants(const CrMaterialOps *ops, PetscReal scale,
                                                char text[], size_t size)
{
  char         commons[4][80] = {{0}}, own[1024] = "";
  CrMaterial   material;
  const CrKey *key = ops->keys;

  PetscFunctionBeginUser;
  snprintf(commons[0], 80, ", lambda: %.17g, shear: %.17g", 1.3 * scale, 0.7 * scale);
  snprintf(commons[1], 80, ", bulk: %.17g", 1.6 * scale);
  snprintf(commons[2], 80, ", bulk: %.17g, shear: %.17g", 1.6 * scale, 0.7 * scale);
  for (int i = 0; key && key->name; key++, i++)
    if (!strcmp(key->name, "mu"))
      snprintf(own + strlen(own), sizeof own - strlen(own), ", mu: [%.17g, %.17g, %.17g]",
               0.4 * scale, 0.1 * scale, -0.05 * scale);
    else if (!strcmp(key->name, "alpha"))
      snprintf(own + strlen(own), sizeof own - strlen(own), ", alpha: [1.3, 4, -2]");
    else if (key->types & CR_REAL) /* ratios have no scale; moduli are greater than coefficients */
      snprintf(own + strlen(own), sizeof own - strlen(own), ", %s: %.17g", key->name,
               (0.2 + 0.05 * i) * (!strncmp(key->name, "poisson", 7) ? 1
                                   : !strncmp(key->name, "young", 5) ? 6 * scale
                                                                     : scale));
  for (int k = 0; k < 4; k++) {
    char           deck_text[2048];
    CrDeck        *deck;
    PetscErrorCode code;

    snprintf(text, size, "model: %s%s%s", ops->name, commons[k], own);
    snprintf(deck_text, sizeof deck_text, "materials: [{name: m, density: 1, %s}]", text);
    PetscCall(CrDeckParse("constants", deck_text, strlen(deck_text), 0, NULL, &deck));
    PetscCall(CrDeckValidate(deck, CrMaterialKeys));
    code = CrMaterialRead(CrDeckFind(CrDeckRoot(deck), "materials.0"), PETSC_FALSE, &material);
    PetscCall(CrDeckDestroy(&deck));
    CrErrorClear();
    if (!code) PetscFunctionReturn(PETSC_SUCCESS);
  }
  SETERRQ(PETSC_COMM_SELF, PETSC_ERR_SUP, "no constants found that %s takes", ops->name);
}

/* The law as a material with moduli of about 1. */
static inline PetscErrorCode material_sample(const CrMaterialOps *ops, PetscReal density,
                                             PetscBool plane_stress, CrMaterial *material)
{
  char    constants[1536], text[2048];
  CrDeck *deck;

  PetscFunctionBeginUser;
  PetscCall(material_constants(ops, 1, constants, sizeof constants));
  snprintf(text, sizeof text, "materials: [{name: m, density: %.17g, %s}]", density, constants);
  PetscCall(CrDeckParse("material", text, strlen(text), 0, NULL, &deck));
  PetscCall(CrDeckValidate(deck, CrMaterialKeys));
  PetscCall(CrMaterialRead(CrDeckFind(CrDeckRoot(deck), "materials.0"), plane_stress, material));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

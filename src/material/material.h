/* Materials: energy, stress and tangent at points of many elements at once. Everybody needs the
   first part; the second is for the element kernels and the tests. */
#pragma once

#include "base/base.h"
#include "deck/deck.h"

#define CR_MAX_CONSTANTS 8

/* A material as a body uses it. */
struct CrMaterial {
  char                 name[64];
  const CrMaterialOps *ops;
  PetscReal            density;
  PetscReal            constants[CR_MAX_CONSTANTS]; /* what the law wants, in its own order */
  PetscReal            lambda, shear;               /* Lame constants at small strain */
  PetscBool            plane_stress;
};

enum {
  CR_SMALL_STRAIN = 1, /* strain is sym(grad u): not frame invariant, angular momentum not kept */
  CR_QUADRATIC = 2 /* the energy is quadratic in the strain: averaged stress conserves as it is */
};

/* Reads one entry of `materials:`. */
PetscErrorCode CrMaterialRead(const CrDeckNode *node, PetscBool plane_stress, CrMaterial *material);
PetscReal      CrMaterialWaveSpeed(const CrMaterial *material); /* of pressure waves, at rest */

/* For registries and tables of keys. CrMaterialAt gives NULL after the last. */
const CrMaterialOps *CrMaterialAt(PetscInt i);
const char          *CrMaterialNameAt(PetscInt i);
extern const CrKey   CrMaterialKeys[];

/* ---- the laws ---------------------------------------------------------------------------------- */

/* Symmetric tensors are stored by components in the order 11 22 33 12 23 13; plane problems use the
   first four. Fourth order tensors are ns x ns with tensor components (no factors of two):
   contractions weigh shear components twice (CR_WEIGHT). Each number is CR_WIDTH lanes. `void`
   hides the lane type, whose size depends on the instruction set. */
#define CR_WEIGHT(I) ((I) < 3 ? 1.0 : 2.0)

typedef void CrPointLaw(const CrMaterial *, PetscInt ns, const void *E, void *W, void *S, void *CC);
typedef void CrDifferenceLaw(const CrMaterial *, PetscInt ns, const void *E0, const void *E1,
                             const void *z, void *dW);

struct CrMaterialOps {
  const char  *name; /* deck word */
  const char  *help;
  unsigned     flags;
  const CrKey *keys; /* constants beside the common ones, or NULL */
  /* Fills constants, lambda and shear from the deck. */
  PetscErrorCode (*configure)(CrMaterial *, const CrDeckNode *);
  /* Energy, stress S = 2 dW/dC and tangent 2 dS/dC at the strain E; S or CC may be NULL (CC asks
   * for S). */
  CrPointLaw *point;
  /* W(E1) - W(E0) as a difference that loses no digits; z = C1 - C0 = 2 (E1 - E0). */
  CrDifferenceLaw *difference;
};

/* Elastic constants from exactly one consistent pair of keys. */
PetscErrorCode CrElasticConstants(const CrDeckNode *node, PetscReal *lambda, PetscReal *shear);

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

/* Numbers that the law keeps at every quadrature point; 0: none. */
PetscInt CrMaterialStateSize(const CrMaterial *material, PetscInt dim);

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
#define CR_BATCH     8 /* elements that a kernel takes at once, whatever the processor */

typedef void CrPointLaw(const CrMaterial *, PetscInt ns, const void *E, void *W, void *S, void *CC);
typedef void CrDifferenceLaw(const CrMaterial *, PetscInt ns, const void *E0, const void *E1,
                             const void *z, void *dW);

/* What a law with state remembers at one point: component c of CR_WIDTH elements stands at
   state + c * CR_BATCH (state_load of tensor.h). */
typedef struct {
  const PetscReal *state; /* of the last accepted step, borrowed; a law never writes here */
  PetscReal        h;     /* time since then; 0: that time itself, where nothing flows */
} CrPast;

/* From E0, where the state belongs, to E1; z = C1 - C0. At h = 0 both strains are the same. */
typedef void CrPastBetween(const CrMaterial *, PetscInt ns, const CrPast *, const void *E0,
                           const void *E1, const void *z, void *S, void *A);
typedef void CrPastAt(const CrMaterial *, PetscInt ns, const CrPast *, const void *E0,
                      const void *E1, const void *z, void *W, void *S, void *CC);
typedef void CrPastCommit(const CrMaterial *, PetscInt ns, const CrPast *, const void *E0,
                          const void *E1, const void *z, PetscReal *state1, void *D);

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

  /* A law with state (theory 5.8) has these instead of `point` and `difference`; others leave them
     NULL. */
  PetscInt (*state_size)(const CrMaterial *, PetscInt ns); /* numbers per point */
  /* The numbers of one point at the start, which come in as zeros; NULL: they stay so. */
  void (*state_init)(const CrMaterial *, PetscInt ns, PetscReal *state);
  /* The conserving stress of the step, S:z/2 = W1 - W0 + D, and A = dS/dE1 (NULL: not wanted). */
  CrPastBetween *between;
  /* At the end of the step: energy, stress, tangent dS/dE1; each may be NULL. */
  CrPastAt *at;
  /* The state at the end of the step, in the layout of `state`, and the loss D >= 0 per volume. */
  CrPastCommit *commit;
};

/* Elastic constants from exactly one consistent pair of keys. */
PetscErrorCode CrElasticConstants(const CrDeckNode *node, PetscReal *lambda, PetscReal *shear);

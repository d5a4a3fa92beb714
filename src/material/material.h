/* Material laws: energy, stress and tangent at quadrature points of several elements at once. The first part of this
   header is for all users of materials, the second part for element kernels and tests. State means the internal
   variables that a law stores at a quadrature point. Sections refer to docs/theory.md. */
#pragma once

#include "base/base.h"
#include "deck/deck.h"

#define CR_MAX_CONSTANTS 64
#define CR_MAX_BRANCHES  8 /* greatest number of viscous branches of a material */

/* Viscosity that is added to an elastic law (theory 5.11): n branches of a generalised Maxwell model with shear moduli
   and relaxation times, and Kelvin-Voigt viscosities for shear and bulk. */
typedef struct {
  PetscInt  n;
  PetscReal shear[CR_MAX_BRANCHES], time[CR_MAX_BRANCHES];
  PetscReal eta_shear, eta_bulk;
} CrViscosity;

/* A material of the deck, with its law and constants. */
struct CrMaterial {
  char                 name[64];
  const CrMaterialOps *ops;
  /* the law without viscosity; equal to ops if the material has no viscosity */
  const CrMaterialOps *elastic;
  PetscReal            density;
  PetscReal            constants[CR_MAX_CONSTANTS]; /* constants of the law, in its own order */
  PetscReal            lambda, shear;               /* Lame constants at small strain */
  PetscReal            mass_damping;   /* coefficient alpha of the damping force -alpha M v */
  PetscReal            volume_modulus; /* modulus k of the volumetric part U of a split law */
  /* rise of temperature per dissipated energy; 0: the material has no key `heat` */
  PetscReal   heating;
  CrViscosity viscosity;
  PetscBool   plane_stress;
};

enum {
  CR_SMALL_STRAIN = 1, /* strain is sym(grad u): not objective, angular momentum not conserved */
  /* the energy is quadratic in the strain, so the mean of the stresses at both ends conserves energy */
  CR_QUADRATIC = 2,
  CR_FLOWS = 4, /* plastic flow at constant volume, so elements may lock at any Poisson's ratio */
  /* the function `at` of a law with internal variables needs E1 only, so E0 and z may be NULL */
  CR_END_ALONE = 8
};

/* The volumetric part U of a law that can be split, W = W_rest(C) + U(J) (theory 5.9). */
typedef enum {
  CR_VOLUME_WHOLE,    /* the law is not split */
  CR_VOLUME_LOG,      /* U = k/2 (ln J)^2 */
  CR_VOLUME_QUADRATIC /* U = k/2 (J - 1)^2 */
} CrVolumeLaw;

/* The kind of energy loss in the output, to which the dissipated energy of a law with internal variables is added. */
typedef enum { CR_LOSS_PLASTIC, CR_LOSS_VISCOUS, CR_NLOSSES } CrLossKind;

/* Internal variables of a law that are available for output. */
typedef enum {
  CR_STATE_STRAIN, /* equivalent plastic strain */
  CR_STATE_LOSS,   /* energy per volume that the law has dissipated */
  CR_STATE_BACK    /* the first of the ns components of the back strain (kinematic hardening) */
} CrStateField;

/* Reads one entry of `materials:`. */
PetscErrorCode CrMaterialRead(const CrDeckNode *node, PetscBool plane_stress, CrMaterial *material);
/* Returns the speed of pressure waves in the undeformed material. */
PetscReal CrMaterialWaveSpeed(const CrMaterial *material);

/* Returns the number of internal variables that the law stores at every quadrature point; 0 if it has none. */
PetscInt CrMaterialStateSize(const CrMaterial *material, PetscInt dim);

/* Return the i-th law of the registry (NULL after the last), its name, and the keys of all laws. */
const CrMaterialOps *CrMaterialAt(PetscInt i);
const char          *CrMaterialNameAt(PetscInt i);
extern const CrKey   CrMaterialKeys[];

/* ---- the laws ---------------------------------------------------------------------------------- */

/* Symmetric tensors are stored by components in the order 11 22 33 12 23 13; plane problems use the first four. Tensors
   of fourth order are ns x ns tensor components, without factors of two: contractions count shear components twice
   (CR_WEIGHT). Each number is a vector of CR_WIDTH lanes. The arguments have the type `void`, because the size of this
   vector depends on the instruction set. */
#define CR_WEIGHT(I) ((I) < 3 ? 1.0 : 2.0)
#define CR_BATCH     8 /* number of elements that a kernel processes at once, on every processor */

typedef void CrPointLaw(const CrMaterial *, PetscInt ns, const void *E, void *W, void *S, void *CC);
typedef void CrDifferenceLaw(const CrMaterial *, PetscInt ns, const void *E0, const void *E1,
                             const void *z, void *dW);

typedef void CrBetweenLaw(const CrMaterial *, PetscInt ns, const void *E0, const void *E1,
                          const void *z, void *S, void *A);

/* Internal variables of one quadrature point, and the time step, for laws that have internal variables. Component c of
   CR_WIDTH elements is at state + c * CR_BATCH (state_load of tensor.h). */
typedef struct {
  /* state after the last accepted step, borrowed; a law never writes to it */
  const PetscReal *state;
  PetscReal        h; /* time since the last accepted step; 0: internal variables must not change */
  /* true for central differences, in which the forces at both ends act for half of the step each */
  PetscBool lags;
  /* mean: fraction of the volumetric energy that kernels compute with the mean volume ratio of the element. The law
     leaves this fraction out, also in viscous stresses. dilatation: change of the mean volume ratio in the step, in
     lanes; it is set for `commit` if the law has a bulk viscosity. */
  PetscReal   mean;
  const void *dilatation;
} CrPast;

/* Types of the functions of a law with internal variables, for a step from the strain E0 to E1; z = C1 - C0. E0 is the
   strain at which the internal variables are known. At h = 0 both strains are the same. */
typedef void CrPastBetween(const CrMaterial *, PetscInt ns, const CrPast *, const void *E0,
                           const void *E1, const void *z, void *S, void *A);
typedef void CrPastAt(const CrMaterial *, PetscInt ns, const CrPast *, const void *E0,
                      const void *E1, const void *z, void *W, void *S, void *CC);
typedef void CrPastCommit(const CrMaterial *, PetscInt ns, const CrPast *, const void *E0,
                          const void *E1, const void *z, PetscReal *state1, void *D);

struct CrMaterialOps {
  const char  *name; /* name of the law in the deck */
  const char  *help;
  unsigned     flags;
  const CrKey *keys; /* keys of constants that only this law has, or NULL */
  /* Sets the members constants, lambda and shear from the deck. */
  PetscErrorCode (*configure)(CrMaterial *, const CrDeckNode *);
  /* Rotates the axes of an anisotropic law to the columns of Q. NULL: the law is isotropic. */
  void (*turn)(CrMaterial *, PetscReal Q[3][3]);
  /* Computes the energy W, the stress S = 2 dW/dC and the tangent CC = 2 dS/dC at the strain E. S and CC may be NULL.
     If CC is not NULL, S must not be NULL either. */
  CrPointLaw *point;
  /* Computes dW = W(E1) - W(E0) without cancellation. z = C1 - C0 = 2 (E1 - E0). */
  CrDifferenceLaw *difference;

  /* For a law that can be split, W = W_rest + U, where U has the modulus `volume_modulus`. `rest` computes what `point`
     does, but for W_rest alone. `rest_between` computes the conserving stress of W_rest, S:z/2 = W_rest(E1) -
     W_rest(E0), and A = dS/dE1, which may be NULL. */
  CrVolumeLaw   volume;
  CrPointLaw   *rest;
  CrBetweenLaw *rest_between;

  /* A law with internal variables (theory 5.8) has the members below instead of the functions above. For other laws,
     the members below are NULL. If `volume` says that the law is split, these functions compute W_rest only, and
     kernels add U. */
  /* number of internal variables per point */
  PetscInt (*state_size)(const CrMaterial *, PetscInt ns);
  /* Returns the index of the internal variable that this output field shows; -1 if the law does not have the field. The
     pointer is NULL if the law has no field for output. */
  PetscInt (*state_place)(const CrMaterial *, PetscInt ns, CrStateField);
  CrLossKind loss; /* kind of loss to which the dissipated energy of this law is added */
  /* Sets the internal variables of one point at the start of a run. The internal variables are zero before the call.
     The pointer is NULL if they stay zero. */
  void (*state_init)(const CrMaterial *, PetscInt ns, PetscReal *state);
  /* Computes the conserving stress S of the step, with S:z/2 = W1 - W0 + D, where D is the dissipated energy. Computes
     A = dS/dE1, which may be NULL. */
  CrPastBetween *between;
  /* Computes energy W, stress S and tangent CC = dS/dE1 at the end of the step. W, S and CC may be NULL. */
  CrPastAt *at;
  /* Computes the internal variables state1 at the end of the step, in the layout of `state`, and the dissipated energy
     D >= 0 per volume. */
  CrPastCommit *commit;
};

/* Reads the Lame constants lambda and shear. The deck must give exactly one valid pair of elastic constants. */
PetscErrorCode CrElasticConstants(const CrDeckNode *node, PetscReal *lambda, PetscReal *shear);

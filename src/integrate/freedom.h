/* Finds bodies that drift in a quasi-static step, because neither supports nor contact hold them. For example, a block
   that is pressed on a flat surface without friction may slide along the surface. Its matrix is nearly singular, so
   rounding and the mesh decide where the block goes, although Newton's method converges.

   The test uses the translations of bodies. The stiffness of such a translation is the sum of
   the contact blocks of the matrix, because elements have no stiffness against translations. A group of bodies drifts
   along a direction if its stiffness there is far below that along another direction, and if it has moved there. */
#pragma once

#include "integrate/implicit.h"

typedef struct {
  PetscInt   n;  /* number of translations at present */
  PetscInt  *at; /* [dim nbodies] number of the translation of each body and direction; -1: none */
  PetscInt  *held;  /* [room] 1: a support prevents the translation */
  PetscReal *S;     /* [room^2] stiffness of the translations */
  PetscReal *moved; /* [room] mean displacement along each translation in the step */
  PetscReal *scaled, *vectors, *weakest, *scale; /* work space */
  PetscInt   room, told;                         /* told: 1 if the warning has been given */
  Vec        one, force; /* NULL: there is nothing to test. All pointers are owned */
} CrFreedom;

/* Creates the test for the bodies of a model. Collective. */
PetscErrorCode CrFreedomCreate(const CrModel *model, const CrContact *contact, CrFreedom *freedom);
PetscErrorCode CrFreedomDestroy(CrFreedom *freedom);
/* Warns once per run if a body has drifted in the step that was solved last. im->A must be the last matrix of Newton's
   method. The function is called before the step arrays are closed. Collective. */
PetscErrorCode CrFreedomLook(CrFreedom *freedom, const CrImplicit *im);

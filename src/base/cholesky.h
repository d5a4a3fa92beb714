/* Solves small dense linear systems with a symmetric, positive definite matrix. */
#pragma once

#include "base/base.h"

/* Solves A x = b and stores x in b. A has n rows of `width` reals, of which the first n are used. The lower triangle of
   A is replaced by the Cholesky factor L. Returns false if A is not positive definite; b is then invalid. */
PetscBool CrCholeskySolve(PetscInt n, PetscInt width, PetscReal A[], PetscReal b[]);

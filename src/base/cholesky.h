/* Small dense systems that are symmetric and positive definite. */
#pragma once

#include "base/base.h"

/* Replaces b by A^-1 b. A has n rows of `width` reals; the first n reals of each row are used. The lower triangle of A
   is replaced by the Cholesky factor L. Returns false if A is not positive definite; b is then invalid. */
PetscBool CrCholeskySolve(PetscInt n, PetscInt width, PetscReal A[], PetscReal b[]);

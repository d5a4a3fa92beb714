/* Small dense systems that are symmetric and positive definite. */
#pragma once

#include "base/base.h"

/* Replaces b by A^-1 b. A has rows of `width` reals, of which the first n are used; it is replaced by its
   factor L in the lower triangle. Returns false if A is not positive definite; then b is invalid. */
PetscBool CrCholeskySolve(PetscInt n, PetscInt width, PetscReal A[], PetscReal b[]);

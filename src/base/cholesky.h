/* Small dense systems that are symmetric and positive definite. */
#pragma once

#include "base/base.h"

/* b <- A^-1 b; A has rows of `width` reals, of which the first n are used, and ends as its factor L
   in the lower triangle. False, and b is of no use, where A is not positive definite. */
PetscBool CrCholeskySolve(PetscInt n, PetscInt width, PetscReal A[], PetscReal b[]);

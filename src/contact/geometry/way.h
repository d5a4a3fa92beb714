/* How far nodes move relative to others in a step. */
#pragma once

#include "base/base.h"

/* Returns the greatest displacement in the step of the nodes a relative to the nodes b. An edge that came inside within
   the step is not deeper. */
PetscReal CrRelativeWay(PetscInt na, const PetscInt *a, PetscInt nb, const PetscInt *b,
                        const PetscReal *u0, const PetscReal *u1);

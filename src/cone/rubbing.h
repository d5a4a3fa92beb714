/* Declarations that the source files for impulses with friction share (CrRubbingSolve of impulse.h). */
#pragma once

#include "cone/impulse.h"

/* Solves the system by Newton's method, starting from the impulses r. *good is true if r then solves the equations up
   to rounding errors. Otherwise r is the last iterate. */
PetscErrorCode RubbingNewton(const CrRubbingSystem *s, PetscReal *r, PetscBool *good);

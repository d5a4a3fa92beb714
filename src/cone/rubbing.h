/* Declarations that the files of impulses with friction share (impulse.h). */
#pragma once

#include "cone/impulse.h"

/* Applies Newton's method, starting from r. *good is true if r solves the equations up to the rounding error.
   Otherwise r is the last iterate. */
PetscErrorCode RubbingNewton(const CrRubbingSystem *s, PetscReal *r, PetscBool *good);

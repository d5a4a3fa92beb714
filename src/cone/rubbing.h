/* Declarations that the files of impulses with friction share (impulse.h). */
#pragma once

#include "cone/impulse.h"

/* Newton's method from r; *good: r solves the equations up to rounding. Else r is the last iterate. */
PetscErrorCode RubbingNewton(const CrRubbingSystem *s, PetscReal *r, PetscBool *good);

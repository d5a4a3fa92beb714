/* Solves dense linear systems without symmetry by Gaussian elimination with row exchanges (partial pivoting). */
#pragma once

#include "base/base.h"

/* Replaces the matrix A, with n rows of n reals, by its triangular factors. rows[n] receives the row exchanges. Returns
   the sign of the determinant: 1, -1, or 0 if A is singular within the rounding error. */
int CrGaussFactor(PetscInt n, PetscReal A[], PetscInt rows[]);
/* Replaces the m right-hand sides in b by the solutions. b has n rows of m reals. A and `rows` are results of
   CrGaussFactor. */
void CrGaussSolve(PetscInt n, const PetscReal A[], const PetscInt rows[], PetscInt m,
                  PetscReal b[]);

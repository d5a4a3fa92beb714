/* Stresses of any material law, for the element kernels: the stress in one configuration, and the energy-conserving
   stress between two configurations. */
#pragma once

#include "base/lanes.h"
#include "material/material.h"

/* Computes the energy W, the stress S and the tangent CC at the strain E. In plane stress, E is the strain in the
   plane, and the function eliminates the strain across the thickness. ns is the number of tensor components. */
void CR_VARIANT(CrStressAt)(const CrMaterial *, PetscInt ns, const CrLanes *E, CrLanes *W,
                            CrLanes *S, CrLanes *CC);

/* Computes the stress S between the strains E0 and E1, with S:z/2 = W1 - W0 and z = C1 - C0. Computes its derivative A
   = dS/dE1, which is unsymmetric. A may be NULL. */
void CR_VARIANT(CrStressBetween)(const CrMaterial *, PetscInt ns, const CrLanes *E0,
                                 const CrLanes *E1, const CrLanes *z, CrLanes *S, CrLanes *A);

/* Returns the strain E33 across the thickness for which S33 = 0 (plane stress). */
CrLanes CR_VARIANT(CrThicknessStrain)(const CrMaterial *, PetscInt ns, const CrLanes *E);

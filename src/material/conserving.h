/* Stresses of any material law, for the element kernels: the stress at a configuration, and the conserving
   stress between two configurations. */
#pragma once

#include "base/lanes.h"
#include "material/material.h"

/* Computes energy, stress and tangent at the strain E. In plane stress, E is the strain in the plane, and this function
   eliminates the strain across the thickness. */
void CR_VARIANT(CrStressAt)(const CrMaterial *, PetscInt ns, const CrLanes *E, CrLanes *W,
                            CrLanes *S, CrLanes *CC);

/* Computes the stress S with S:z/2 = W1 - W0, and its derivative A = dS/dE1, which is unsymmetric. A may be NULL. */
void CR_VARIANT(CrStressBetween)(const CrMaterial *, PetscInt ns, const CrLanes *E0,
                                 const CrLanes *E1, const CrLanes *z, CrLanes *S, CrLanes *A);

/* Returns the strain across the thickness in plane stress, for which S33 = 0. */
CrLanes CR_VARIANT(CrThicknessStrain)(const CrMaterial *, PetscInt ns, const CrLanes *E);

/* What the element kernels ask of a material, whatever its law: stress at a configuration, and the
   conserving stress between two. Lanes behind `void *` as in material.h. */
#pragma once

#include "base/lanes.h"
#include "material/material.h"

/* Energy, stress and tangent at the in-plane strain E; plane stress is condensed inside. */
void CR_VARIANT(CrStressAt)(const CrMaterial *, PetscInt ns, const CrLanes *E, CrLanes *W,
                            CrLanes *S, CrLanes *CC);

/* S with S:z/2 = W1 - W0 and its derivative A = dS/dE1 (unsymmetric; NULL if not wanted). */
void CR_VARIANT(CrStressBetween)(const CrMaterial *, PetscInt ns, const CrLanes *E0,
                                 const CrLanes *E1, const CrLanes *z, CrLanes *S, CrLanes *A);

/* Strain across the thickness in plane stress, where S33 = 0. */
CrLanes CR_VARIANT(CrThicknessStrain)(const CrMaterial *, PetscInt ns, const CrLanes *E);

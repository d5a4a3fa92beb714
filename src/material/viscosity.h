/* Reading the viscosity of a material. */
#pragma once

#include "material/material.h"

extern const CrKey CrViscosityKeys[];
/* Reads the keys `prony`, `viscosity` and `damping.stiffness`. A material with at least one of these keys gets the
   functions of the viscous law, and its moduli become the instantaneous moduli. */
PetscErrorCode CrViscosityRead(CrMaterial *material, const CrDeckNode *node);

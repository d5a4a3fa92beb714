/* Reading the viscosity of a material. */
#pragma once

#include "material/material.h"

extern const CrKey CrViscosityKeys[];
/* Reads `prony`, `viscosity` and `damping.stiffness`. A material that has any of them takes over the functions of the
   viscous law, and its moduli become the instantaneous ones. */
PetscErrorCode CrViscosityRead(CrMaterial *material, const CrDeckNode *node);

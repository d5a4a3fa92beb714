/* Reads the viscosity of a material from the deck. */
#pragma once

#include "material/material.h"

extern const CrKey CrViscosityKeys[];
/* Reads the keys `prony`, `viscosity` and `damping.stiffness` of a material. With at least one of these keys, the
   material gets the functions of the viscous law, and lambda and shear become the instantaneous moduli. */
PetscErrorCode CrViscosityRead(CrMaterial *material, const CrDeckNode *node);

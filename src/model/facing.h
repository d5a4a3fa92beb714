/* Cells near other bodies, for the partition: contact is work there. */
#pragma once

#include "model/share.h"

/* near[2 e + up]: how many facets of cell e face another body at the start, and are as near to it as the nearest ones.
   up: that body has the higher number. Only bodies that `contact:` names count, and only distances of a few facets.
   Self-contact is not seen. Collective. */
PetscErrorCode CrShareFacing(MPI_Comm comm, const CrShare *share, PetscInt *near);

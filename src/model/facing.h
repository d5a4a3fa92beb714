/* Finds cells near other bodies. Contact causes additional computing work for these cells, which the partition of the
   mesh takes into account. */
#pragma once

#include "model/share.h"

/* Computes near[2 e + up], the number of facets of cell e that face another body at the start, and are about as near to
   this body as the nearest facets. `up` is 1 if the other body has the higher number. Only bodies that `contact:` names
   count, and only distances of a few facets. Self-contact is not considered. Collective. */
PetscErrorCode CrShareFacing(MPI_Comm comm, const CrShare *share, PetscInt *near);

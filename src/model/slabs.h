/* Values at nodes and cells for output files. Files contain nodal values in the order of natural node numbers, and cell
   values in the order of cell numbers. These orders do not depend on the number of ranks. A slab is the range of these
   values that one rank writes or reads. No rank has all values. */
#pragma once

#include "model/model.h"

typedef struct {
  /* number of reals in the slabs of all ranks, and in the slabs of the ranks before this rank */
  PetscInt64 all, begin;
  PetscInt   n;      /* number of reals in the slab of this rank */
  PetscReal *values; /* [n], owned */
} CrSlab;

/* Functions for rows of `width` values. CrSlabFromRows copies n rows of this rank to the slabs, and CrSlabToRows copies
   rows from the slabs. number[] has the number of each row among `all` rows. In CrSlabFromRows, every row is given by
   one rank; in CrSlabToRows, several ranks may request it. CrSlabFromRows and CrSlabMakeRows allocate the slab.
   CrSlabMakeRows sets no values. Collective. */
PetscErrorCode CrSlabFromRows(MPI_Comm comm, PetscInt all, PetscInt n, const PetscInt *number,
                              PetscInt width, const PetscReal *values, CrSlab *slab);
PetscErrorCode CrSlabMakeRows(MPI_Comm comm, PetscInt all, PetscInt width, CrSlab *slab);
PetscErrorCode CrSlabToRows(MPI_Comm comm, PetscInt all, PetscInt n, const PetscInt *number,
                            PetscInt width, const CrSlab *slab, PetscReal *values);
/* Functions for nodal values, like those for rows above, with `width` values per owned node. Collective. */
PetscErrorCode CrSlabFromNodes(const CrModel *model, PetscInt width, const PetscReal *owned,
                               CrSlab *slab);
PetscErrorCode CrSlabMakeNodes(const CrModel *model, PetscInt width, CrSlab *slab);
PetscErrorCode CrSlabToNodes(const CrModel *model, PetscInt width, const CrSlab *slab,
                             PetscReal *owned);
/* Functions for cell values, like those for rows above. width[k] is the number of reals per cell of block k. The array
   blocks[k] has the shape [nbatches][width][CR_BATCH]. CrSlabToCells also fills ghost cells, and the unused lanes of
   the last batch. Collective. */
PetscErrorCode CrSlabFromCells(const CrModel *model, const PetscInt *width,
                               PetscReal *const *blocks, CrSlab *slab);
PetscErrorCode CrSlabMakeCells(const CrModel *model, const PetscInt *width, CrSlab *slab);
PetscErrorCode CrSlabToCells(const CrModel *model, const PetscInt *width, const CrSlab *slab,
                             PetscReal *const *blocks);
PetscErrorCode CrSlabDestroy(CrSlab *slab);

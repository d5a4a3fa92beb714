/* Values at nodes and cells, in the order of files, which does not depend on the number of ranks: the order of natural
   node numbers, or of cell numbers. Every rank has a slab, which is a range of this order. No rank has all numbers. */
#pragma once

#include "model/model.h"

typedef struct {
  PetscInt64 all, begin; /* number of reals on all ranks, and on the ranks before this one */
  PetscInt   n;          /* reals of this rank */
  PetscReal *values;     /* [n], owned */
} CrSlab;

/* Copy n rows of this rank, with `width` values each, to the slabs, or back. Each row has a number among `all` rows.
   Every row is given once, and may be requested by several ranks. The functions From and Make allocate an empty slab.
   Collective. */
PetscErrorCode CrSlabFromRows(MPI_Comm comm, PetscInt all, PetscInt n, const PetscInt *number,
                              PetscInt width, const PetscReal *values, CrSlab *slab);
PetscErrorCode CrSlabMakeRows(MPI_Comm comm, PetscInt all, PetscInt width, CrSlab *slab);
PetscErrorCode CrSlabToRows(MPI_Comm comm, PetscInt all, PetscInt n, const PetscInt *number,
                            PetscInt width, const CrSlab *slab, PetscReal *values);
/* Copy `width` numbers per owned node to the slabs, or back. The functions From and Make allocate an empty slab.
   Collective. */
PetscErrorCode CrSlabFromNodes(const CrModel *model, PetscInt width, const PetscReal *owned,
                               CrSlab *slab);
PetscErrorCode CrSlabMakeNodes(const CrModel *model, PetscInt width, CrSlab *slab);
PetscErrorCode CrSlabToNodes(const CrModel *model, PetscInt width, const CrSlab *slab,
                             PetscReal *owned);
/* Do the same for cells. width[k] is the number of reals per cell of block k, whose array is
   [nbatches][width][CR_BATCH]. CrSlabToCells also fills ghost cells, and the unused lanes of the last batch.
   Collective. */
PetscErrorCode CrSlabFromCells(const CrModel *model, const PetscInt *width,
                               PetscReal *const *blocks, CrSlab *slab);
PetscErrorCode CrSlabMakeCells(const CrModel *model, const PetscInt *width, CrSlab *slab);
PetscErrorCode CrSlabToCells(const CrModel *model, const PetscInt *width, const CrSlab *slab,
                             PetscReal *const *blocks);
PetscErrorCode CrSlabDestroy(CrSlab *slab);

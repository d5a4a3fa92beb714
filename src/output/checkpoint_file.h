/* Declares the types and functions that the writer and the reader of checkpoint.h5 share. */
#pragma once

#include "base/archive.h"
#include "model/model.h"
#include "output/h5.h"

/* number of the present file format; format 1 had no texts, format 2 had other checksums */
#define CR_CHECKPOINT_FORMAT 3

/* Computes *sum, a checksum of the mesh. The checksum is a sum over nodes modulo 2^64, so it does not depend on the
   number of ranks. Collective. */
PetscErrorCode CrCheckpointMesh(const CrModel *model, int64_t *sum);
/* CrEntryIsNodal returns true for an archive entry with values at nodes. CrEntryHasReals returns true for an entry with
   real values. */
PetscBool CrEntryIsNodal(const CrEntry *e);
PetscBool CrEntryHasReals(const CrEntry *e);
/* Returns the number of values per row of an archive entry whose rows are distributed over the ranks. */
PetscInt CrEntryWidth(const CrEntry *e);
/* Makes an archive entry *marks that contains the marks of the entry `e`. `e` is an entry with values of cells
   (CrArchiveAddCells). */
void CrEntryMarks(const CrEntry *e, CrEntry *marks);

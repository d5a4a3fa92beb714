/* Declarations that the writer and the reader of checkpoint.h5 share. */
#pragma once

#include "base/archive.h"
#include "model/model.h"
#include "output/h5.h"

#define CR_CHECKPOINT_FORMAT 3 /* format 1 had no texts, format 2 had other checksums */

/* Computes a checksum of the mesh, which does not depend on the number of ranks: a sum over nodes, modulo 2^64.
   Collective. */
PetscErrorCode CrCheckpointMesh(const CrModel *model, int64_t *sum);
/* CrEntryIsNodal returns true for an entry with values at nodes, CrEntryHasReals for an entry with real values. */
PetscBool CrEntryIsNodal(const CrEntry *e);
PetscBool CrEntryHasReals(const CrEntry *e);
/* Returns the number of values in a row of an entry whose rows are divided among the ranks. */
PetscInt CrEntryWidth(const CrEntry *e);
/* Sets *marks to an archive entry with the marks of `e`, an entry with numbers of cells (CrArchiveAddCells). */
void CrEntryMarks(const CrEntry *e, CrEntry *marks);

/* Shared by the writer and the reader of checkpoint.h5. */
#pragma once

#include "base/archive.h"
#include "model/model.h"
#include "output/h5.h"

#define CR_CHECKPOINT_FORMAT 3 /* 1 had no texts, 2 other sums */

/* The mesh in one number, whatever the ranks: a wrapping sum over nodes. Collective. */
PetscErrorCode CrCheckpointMesh(const CrModel *model, int64_t *sum);
/* Kinds of entries: numbers of nodes, and reals that all ranks share. */
PetscBool CrEntryIsNodal(const CrEntry *e);
PetscBool CrEntryHasReals(const CrEntry *e);
/* Numbers in a row of an entry in rows by rank. */
PetscInt CrEntryWidth(const CrEntry *e);
/* The entry under which the marks of numbers of cells stand, beside them. */
void CrEntryMarks(const CrEntry *e, CrEntry *marks);

/* checkpoint.h5: an archive on disk, whole or not there, read on any number of ranks. */
#pragma once

#include "base/archive.h"
#include "model/model.h"

/* Replaces dir/checkpoint.h5 atomically. Collective. */
PetscErrorCode CrCheckpointWrite(const char dir[], const CrModel *model, const CrArchive *archive);
/* Fills everything in the archive from dir/checkpoint.h5; what is missing or of another size,
   another mesh or a damaged file is an error of input. Ghosts of vectors are up to date afterwards.
   Texts are left alone. Collective. */
PetscErrorCode CrCheckpointRead(const char dir[], const CrModel *model, CrArchive *archive);
/* A text of dir/checkpoint.h5, on rank 0; the caller frees. Not collective. */
PetscErrorCode CrCheckpointReadText(const char dir[], const char name[], char **text);

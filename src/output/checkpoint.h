/* Writes and reads checkpoint.h5, which contains the data of an archive (base/archive.h). Any number of ranks can read
   the file. An interrupted write leaves the previous file unchanged. */
#pragma once

#include "base/archive.h"
#include "model/model.h"

/* Writes the archive to dir/checkpoint.h5. The old file is replaced atomically. Collective. */
PetscErrorCode CrCheckpointWrite(const char dir[], const CrModel *model, const CrArchive *archive);
/* Fills all entries of the archive from dir/checkpoint.h5, except texts. Missing entries, other sizes, another
   mesh or a damaged file are user errors. Ghosts of vectors are up to date afterwards. Collective. */
PetscErrorCode CrCheckpointRead(const char dir[], const CrModel *model, CrArchive *archive);
/* Reads a text from dir/checkpoint.h5, on rank 0. The caller frees it. Not collective. */
PetscErrorCode CrCheckpointReadText(const char dir[], const char name[], char **text);

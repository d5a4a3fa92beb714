/* Writes and reads checkpoint.h5, which contains the data of an archive (base/archive.h). Any number of ranks can read
   the file. If writing is interrupted, the previous file stays unchanged. */
#pragma once

#include "base/archive.h"
#include "model/model.h"

/* Writes the data that the archive lists to dir/checkpoint.h5. The old file is replaced atomically. Collective. */
PetscErrorCode CrCheckpointWrite(const char dir[], const CrModel *model, const CrArchive *archive);
/* Reads dir/checkpoint.h5 into the memory of all archive entries except texts. Missing entries, other sizes, another
   mesh or a damaged file are user errors. The ghost values of vectors are up to date afterwards. Collective. */
PetscErrorCode CrCheckpointRead(const char dir[], const CrModel *model, CrArchive *archive);
/* Reads the text entry `name` from dir/checkpoint.h5, on rank 0. The caller frees *text. Not collective. */
PetscErrorCode CrCheckpointReadText(const char dir[], const char name[], char **text);

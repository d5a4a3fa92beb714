/* Writes fields.pvd, the list of frames with their times. The whole file is written again each time, so that it never
   lists a frame that does not exist. */
#include "output/internal.h"

void CrFrameName(PetscInt k, PetscBool pieces, char name[32])
{
  snprintf(name, 32, "fields/%04" PetscInt_FMT ".%s", k, pieces ? "pvtu" : "vtu");
}

PetscErrorCode CrPvdWrite(const char dir[], PetscInt n, const PetscReal times[], PetscBool pieces)
{
  OutputFile file = {0};
  char       name[32];

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, dir, "fields.pvd"));
  PetscCall(CrFilePrint(&file, "<?xml version=\"1.0\"?>\n"
                               "<VTKFile type=\"Collection\" version=\"1.0\">\n"
                               "  <Collection>\n"));
  for (PetscInt k = 0; k < n; k++) {
    CrFrameName(k, pieces, name);
    PetscCall(CrFilePrint(&file, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                          times[k], name));
  }
  PetscCall(CrFilePrint(&file, "  </Collection>\n</VTKFile>\n"));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

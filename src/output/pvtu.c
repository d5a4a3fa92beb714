/* Writes the file that joins the pieces of a frame: the arrays of the pieces, and their file names. */
#include "output/internal.h"

void CrPieceName(PetscInt k, PetscMPIInt rank, char name[32])
{
  snprintf(name, 32, "fields/%04" PetscInt_FMT "_p%d.vtu", k, rank);
}

void CrPieceRigidName(PetscInt k, char name[32])
{
  snprintf(name, 32, "fields/%04" PetscInt_FMT "_rigid.vtu", k);
}

void CrSurfaceName(PetscInt k, char name[32])
{
  snprintf(name, 32, "fields/%04" PetscInt_FMT "_surface.vtu", k);
}

static PetscErrorCode describe(OutputFile *file, const char type[], const char name[],
                               PetscInt width)
{
  PetscFunctionBeginUser;
  PetscCall(
      CrFilePrint(file,
                  "      <PDataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%" PetscInt_FMT
                  "\"/>\n",
                  type, name, width));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sources are relative to the file itself, which lies beside them. */
static PetscErrorCode name_pieces(OutputFile *file, PetscInt frame, PetscMPIInt nranks,
                                  PetscBool rigid)
{
  char      name[32];
  const int folder = sizeof "fields/" - 1;

  PetscFunctionBeginUser;
  for (PetscMPIInt p = 0; p < nranks; p++) {
    CrPieceName(frame, p, name);
    PetscCall(CrFilePrint(file, "    <Piece Source=\"%s\"/>\n", name + folder));
  }
  CrPieceRigidName(frame, name);
  if (rigid) PetscCall(CrFilePrint(file, "    <Piece Source=\"%s\"/>\n", name + folder));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPvtuWrite(const char dir[], PetscInt frame, PetscMPIInt nranks, PetscBool rigid,
                           PetscInt nfields, const VtuField fields[])
{
  OutputFile file = {0};
  char       name[32];

  PetscFunctionBeginUser;
  CrFrameName(frame, PETSC_TRUE, name);
  PetscCall(CrFileBegin(&file, dir, name));
  PetscCall(CrFilePrint(&file, "<?xml version=\"1.0\"?>\n"
                               "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\">\n"
                               "  <PUnstructuredGrid GhostLevel=\"0\">\n"
                               "    <PPointData>\n"));
  for (PetscInt f = 0; f < nfields; f++)
    PetscCall(describe(&file, "Float64", fields[f].name, fields[f].width));
  PetscCall(CrFilePrint(&file, "    </PPointData>\n    <PCellData>\n"));
  PetscCall(describe(&file, "Int64", "body", 1));
  if (rigid) PetscCall(describe(&file, "Int64", "rigid", 1));
  PetscCall(CrFilePrint(&file, "    </PCellData>\n    <PPoints>\n"));
  PetscCall(describe(&file, "Float64", "Points", 3));
  PetscCall(CrFilePrint(&file, "    </PPoints>\n"));
  PetscCall(name_pieces(&file, frame, nranks, rigid));
  PetscCall(CrFilePrint(&file, "  </PUnstructuredGrid>\n</VTKFile>\n"));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

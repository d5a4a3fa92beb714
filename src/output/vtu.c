/* Writes one frame as a VTK UnstructuredGrid. The arrays are compressed in blocks and follow, as raw bytes, the XML
   part that gives their offsets. */
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include "base/grow.h"
#include "output/internal.h"

#define BLOCK_BYTES 32768
#define MAX_ARRAYS  (6 + NFIELDS)

#ifdef PETSC_WORDS_BIGENDIAN
#define BYTE_ORDER_NAME "BigEndian"
#else
#define BYTE_ORDER_NAME "LittleEndian"
#endif

/* An array as the XML names it. */
typedef struct {
  const char *type, *name;
  PetscInt    width;
  size_t      offset;
} VtuArray;

typedef struct {
  PetscInt       narrays;
  VtuArray       arrays[MAX_ARRAYS];
  unsigned char *bytes; /* the appended part, owned */
  size_t         size, capacity;
} VtuData;

static PetscErrorCode reserve(VtuData *data, size_t more)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrowBytes(data->size + more, &data->capacity, &data->bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Header: number of blocks, their size, size of the last if it is shorter (else 0), then the
   compressed size of each; then the blocks. */
static PetscErrorCode add_bytes(VtuData *data, const void *from, size_t n)
{
  const size_t nblocks = (n + BLOCK_BYTES - 1) / BLOCK_BYTES;
  const size_t head = data->size;
  uint64_t     word[3] = {nblocks, BLOCK_BYTES, n % BLOCK_BYTES};

  PetscFunctionBeginUser;
  PetscCall(reserve(data, (3 + nblocks) * sizeof *word));
  memcpy(data->bytes + head, word, sizeof word);
  data->size += (3 + nblocks) * sizeof *word;
  for (size_t b = 0; b < nblocks; b++) {
    size_t   length = PetscMin((size_t)BLOCK_BYTES, n - b * BLOCK_BYTES);
    uLongf   packed = compressBound((uLong)length);
    uint64_t size;
    int      status;

    PetscCall(reserve(data, packed));
    /* numbers hardly shrink further at higher levels */
    status = compress2(data->bytes + data->size, &packed, (const Bytef *)from + b * BLOCK_BYTES,
                       (uLong)length, Z_BEST_SPEED);
    PetscCheck(status == Z_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "zlib: error %d", status);
    size = packed;
    memcpy(data->bytes + head + (3 + b) * sizeof size, &size, sizeof size);
    data->size += packed;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void add_name(VtuData *data, const char type[], const char name[], PetscInt width)
{
  data->arrays[data->narrays++] = (VtuArray){type, name, width, data->size};
}

static PetscErrorCode add_reals(VtuData *data, const char name[], PetscInt width, PetscInt n,
                                const PetscReal *values)
{
  PetscFunctionBeginUser;
  add_name(data, "Float64", name, width);
  PetscCall(add_bytes(data, values, sizeof(double) * (size_t)n * (size_t)width));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_integers(VtuData *data, const char name[], PetscInt n,
                                   const PetscInt *values)
{
  int64_t *wide;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &wide));
  for (PetscInt i = 0; i < n; i++) wide[i] = values[i];
  add_name(data, "Int64", name, 1);
  PetscCall(add_bytes(data, wide, sizeof *wide * (size_t)n));
  PetscCall(PetscFree(wide));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_types(VtuData *data, PetscInt n, const PetscInt *types)
{
  unsigned char *vtk;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &vtk));
  for (PetscInt i = 0; i < n; i++) vtk[i] = (unsigned char)types[i];
  add_name(data, "UInt8", "types", 1);
  PetscCall(add_bytes(data, vtk, (size_t)n));
  PetscCall(PetscFree(vtk));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The order in which describe() lists them. */
static PetscErrorCode pack(VtuData *data, const VtuMesh *mesh, PetscInt nfields,
                           const VtuField fields[])
{
  PetscInt length = mesh->ncells ? mesh->offsets[mesh->ncells] : 0;

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < nfields; f++)
    PetscCall(add_reals(data, fields[f].name, fields[f].width, mesh->npoints, fields[f].values));
  PetscCall(add_integers(data, "body", mesh->ncells, mesh->bodies));
  if (mesh->parts) PetscCall(add_integers(data, "rigid", mesh->ncells, mesh->parts));
  PetscCall(add_reals(data, "Points", 3, mesh->npoints, mesh->points));
  PetscCall(add_integers(data, "connectivity", length, mesh->nodes));
  /* VTK wants the end of each cell */
  PetscCall(add_integers(data, "offsets", mesh->ncells, mesh->ncells ? mesh->offsets + 1 : NULL));
  PetscCall(add_types(data, mesh->ncells, mesh->types));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_group(OutputFile *file, const char group[], PetscInt n,
                                     const VtuArray arrays[])
{
  static const char *const tensor[] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};

  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(file, "      <%s>\n", group));
  for (PetscInt i = 0; i < n; i++) {
    const VtuArray *a = &arrays[i];

    PetscCall(CrFilePrint(file, "        <DataArray type=\"%s\" Name=\"%s\"", a->type, a->name));
    PetscCall(CrFilePrint(file, " NumberOfComponents=\"%" PetscInt_FMT "\"", a->width));
    for (int c = 0; a->width == 6 && c < 6; c++)
      PetscCall(CrFilePrint(file, " ComponentName%d=\"%s\"", c, tensor[c]));
    PetscCall(CrFilePrint(file, " format=\"appended\" offset=\"%zu\"/>\n", a->offset));
  }
  PetscCall(CrFilePrint(file, "      </%s>\n", group));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe(OutputFile *file, PetscReal time, const VtuMesh *mesh,
                               PetscInt nfields, const VtuArray arrays[])
{
  const PetscInt ncell = mesh->parts ? 2 : 1;

  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(
      file,
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"" BYTE_ORDER_NAME
      "\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
      "  <UnstructuredGrid>\n"
      "    <FieldData>\n"
      "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
      "%.17g</DataArray>\n"
      "    </FieldData>\n",
      time));
  PetscCall(CrFilePrint(file,
                        "    <Piece NumberOfPoints=\"%" PetscInt_FMT
                        "\" NumberOfCells=\"%" PetscInt_FMT "\">\n",
                        mesh->npoints, mesh->ncells));
  PetscCall(describe_group(file, "PointData", nfields, arrays));
  PetscCall(describe_group(file, "CellData", ncell, arrays + nfields));
  PetscCall(describe_group(file, "Points", 1, arrays + nfields + ncell));
  PetscCall(describe_group(file, "Cells", 3, arrays + nfields + ncell + 1));
  PetscCall(CrFilePrint(file, "    </Piece>\n"
                              "  </UnstructuredGrid>\n"
                              "  <AppendedData encoding=\"raw\">\n"
                              "   _"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_all(const char dir[], const char name[], PetscReal time,
                                const VtuMesh *mesh, PetscInt nfields, const VtuData *data)
{
  OutputFile file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, dir, name));
  PetscCall(describe(&file, time, mesh, nfields, data->arrays));
  PetscCall(CrFileWrite(&file, data->bytes, data->size));
  PetscCall(CrFilePrint(&file, "\n  </AppendedData>\n</VTKFile>\n"));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVtuWrite(const char dir[], const char name[], PetscReal time, const VtuMesh *mesh,
                          PetscInt nfields, const VtuField fields[])
{
  VtuData        data = {0};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCheck(nfields <= NFIELDS, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "%" PetscInt_FMT " fields, there is room for %d", nfields, NFIELDS);
  PetscCall(pack(&data, mesh, nfields, fields));
  code = write_all(dir, name, time, mesh, nfields, &data);
  PetscCall(PetscFree(data.bytes));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

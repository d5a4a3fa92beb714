/* Field files: what is read back is what was written, for every cell type, and nothing half-written
   is left under a final name. With a folder as argument the files stay there as a run, for
   tests/physics/check_vtu.py. */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "check.h"
#include "mesh/mesh.h"
#include "output/internal.h"

/* Reference shapes; the cells with fewer nodes take the first ones. */
static const PetscReal triangle[][3] = {{0, 0, 0},   {1, 0, 0},     {0, 1, 0},
                                        {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}};
static const PetscReal square[][3] = {{0, 0, 0},   {1, 0, 0},   {1, 1, 0},
                                      {0, 1, 0},   {0.5, 0, 0}, {1, 0.5, 0},
                                      {0.5, 1, 0}, {0, 0.5, 0}, {0.5, 0.5, 0}};
static const PetscReal tetra[][3] = {{0, 0, 0},     {1, 0, 0},     {0, 1, 0},   {0, 0, 1},
                                     {0.5, 0, 0},   {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5},
                                     {0.5, 0, 0.5}, {0, 0.5, 0.5}};
static const PetscReal brick[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

static const PetscReal (*const shapes[CR_NCELLS])[3] = {
    [CR_T3] = triangle, [CR_T6] = triangle, [CR_Q4] = square, [CR_Q8] = square,
    [CR_Q9] = square,   [CR_T4] = tetra,    [CR_T10] = tetra, [CR_H8] = brick};

/* A row of n cells of one type, none sharing a node, and fields on it. */
typedef struct {
  VtuMesh    mesh;
  PetscReal *points, *values[NFIELDS];
  PetscInt  *types, *offsets, *nodes, *bodies;
} Row;

static PetscErrorCode row_create(CrCellType type, PetscInt n, Row *row)
{
  const PetscInt nn = CrCells[type].nnodes, npoints = n * nn;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc5(3 * npoints, &row->points, n, &row->types, n + 1, &row->offsets, npoints,
                         &row->nodes, n, &row->bodies));
  for (PetscInt c = 0; c < n; c++) {
    row->types[c] = CrCells[type].vtk;
    row->offsets[c] = c * nn;
    row->bodies[c] = c % 3;
    for (PetscInt A = 0; A < nn; A++) {
      row->nodes[c * nn + A] = c * nn + nn - 1 - A; /* any numbering must do */
      for (PetscInt i = 0; i < 3; i++)
        row->points[3 * (c * nn + nn - 1 - A) + i] =
            shapes[type][A][i] + (i ? 0 : 2 * (PetscReal)c);
    }
  }
  row->offsets[n] = npoints;
  for (PetscInt f = 0; f < NFIELDS; f++) {
    PetscInt width = CrOutputFields[f].width;

    PetscCall(PetscMalloc1(width * npoints, &row->values[f]));
    for (PetscInt i = 0; i < width * npoints; i++) row->values[f][i] = sin(1.0 + f + 0.37 * i) / 3;
  }
  row->mesh =
      (VtuMesh){npoints, n, row->points, row->types, row->offsets, row->nodes, row->bodies, NULL};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode row_destroy(Row *row)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree5(row->points, row->types, row->offsets, row->nodes, row->bodies));
  for (PetscInt f = 0; f < NFIELDS; f++) PetscCall(PetscFree(row->values[f]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode row_write(const char dir[], const char name[], PetscReal time, const Row *row)
{
  VtuField fields[NFIELDS];

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < NFIELDS; f++)
    fields[f] = (VtuField){CrOutputFields[f].name, CrOutputFields[f].width, row->values[f]};
  PetscCall(CrVtuWrite(dir, name, time, &row->mesh, NFIELDS, fields));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- reading back ------------------------------------------------------------------------- */

typedef struct {
  char  *text;
  size_t length;
} Text;

static Text slurp(const char dir[], const char name[])
{
  char  path[PETSC_MAX_PATH_LEN];
  Text  file = {0};
  FILE *in;

  snprintf(path, sizeof path, "%s/%s", dir, name);
  in = fopen(path, "rb");
  if (!in) return file;
  fseek(in, 0, SEEK_END);
  file.length = (size_t)ftell(in);
  file.text = malloc(file.length + 1);
  file.text[file.length] = 0;
  rewind(in);
  if (fread(file.text, 1, file.length, in) != file.length) file.length = 0;
  fclose(in);
  return file;
}

/* Inflates an array by name; the caller frees it. */
static unsigned char *unpack(const Text *file, const char name[], size_t *length)
{
  const char    *appended = strstr(file->text, "<AppendedData"), *place, *base;
  char           word[64];
  uint64_t       head[3], packed;
  unsigned char *out;
  const char    *block;

  *length = 0;
  snprintf(word, sizeof word, "Name=\"%s\"", name);
  place = strstr(file->text, word);
  if (!appended || !place || place > appended) return NULL;
  place = strstr(place, "offset=\"");
  base = strchr(appended, '_') + 1 + strtoull(place + 8, NULL, 10);
  memcpy(head, base, sizeof head);
  block = base + (3 + head[0]) * sizeof packed;
  out = malloc(head[0] * head[1] + 1);
  for (uint64_t b = 0; b < head[0]; b++) {
    uLongf room = head[1];

    memcpy(&packed, base + (3 + b) * sizeof packed, sizeof packed);
    if (uncompress(out + *length, &room, (const Bytef *)block, packed) != Z_OK) break;
    CHECK(room == (b + 1 == head[0] && head[2] ? head[2] : head[1]));
    *length += room;
    block += packed;
  }
  return out;
}

static void check_reals(const Text *file, const char name[], PetscInt n, const PetscReal *expected)
{
  size_t         length;
  unsigned char *found = unpack(file, name, &length);

  CHECK(found && length == (size_t)n * sizeof(double) && !memcmp(found, expected, length));
  free(found);
}

static void check_integers(const Text *file, const char name[], PetscInt n,
                           const PetscInt *expected)
{
  size_t         length;
  unsigned char *found = unpack(file, name, &length);
  PetscInt       wrong = 0;
  int64_t        number;

  CHECK(found && length == (size_t)n * sizeof number);
  for (PetscInt i = 0; found && length && i < n; i++) {
    memcpy(&number, found + (size_t)i * sizeof number, sizeof number);
    wrong += number != expected[i];
  }
  CHECK(wrong == 0);
  free(found);
}

static void check_row(const char dir[], const char name[], const Row *row)
{
  const VtuMesh *mesh = &row->mesh;
  Text           file = slurp(dir, name);
  size_t         length;
  unsigned char *types;

  CHECK(file.text && file.length);
  if (!file.text) return;
  check_reals(&file, "Points", 3 * mesh->npoints, row->points);
  for (PetscInt f = 0; f < NFIELDS; f++)
    check_reals(&file, CrOutputFields[f].name, CrOutputFields[f].width * mesh->npoints,
                row->values[f]);
  check_integers(&file, "connectivity", mesh->npoints, row->nodes);
  check_integers(&file, "offsets", mesh->ncells, row->offsets + 1);
  check_integers(&file, "body", mesh->ncells, row->bodies);
  types = unpack(&file, "types", &length);
  CHECK(length == (size_t)mesh->ncells);
  if (length) CHECK(types[length - 1] == row->types[mesh->ncells - 1]);
  free(types);
  free(file.text);
}

/* ---- the tests ---------------------------------------------------------------------------- */

/* Every type, and sizes on both sides of the compressor's block: 4096 points are whole blocks. */
static PetscErrorCode test_roundtrip(const char dir[], PetscInt *nframes, PetscReal times[])
{
  static const struct {
    CrCellType type;
    PetscInt   n;
  } cases[] = {{CR_T3, 3}, {CR_Q4, 2},  {CR_T6, 2},   {CR_Q8, 2},   {CR_Q9, 1},
               {CR_T4, 2}, {CR_T10, 2}, {CR_H8, 512}, {CR_H8, 700}, {CR_Q4, 1024}};
  char name[32];

  PetscFunctionBeginUser;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Row row;

    PetscCall(row_create(cases[k].type, cases[k].n, &row));
    CrFrameName((PetscInt)k, PETSC_FALSE, name);
    times[k] = 0.1 * (PetscReal)k;
    CHECK_OK(row_write(dir, name, times[k], &row));
    check_row(dir, name, &row);
    PetscCall(row_destroy(&row));
    *nframes = (PetscInt)k + 1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* No body with a mesh: still a file that opens. */
static void test_empty(const char dir[], PetscInt *nframes, PetscReal times[])
{
  const VtuMesh mesh = {0};
  VtuField      fields[NFIELDS];
  char          name[32];

  for (PetscInt f = 0; f < NFIELDS; f++)
    fields[f] = (VtuField){CrOutputFields[f].name, CrOutputFields[f].width, NULL};
  CrFrameName(*nframes, PETSC_FALSE, name);
  times[*nframes] = 0.1 * (PetscReal)*nframes;
  CHECK_OK(CrVtuWrite(dir, name, times[*nframes], &mesh, NFIELDS, fields));
  (*nframes)++;
}

static void test_names(void)
{
  char name[32];

  CrFrameName(7, PETSC_FALSE, name);
  CHECK_TEXT(name, "fields/0007.vtu");
  CrFrameName(123456, PETSC_FALSE, name);
  CHECK_TEXT(name, "fields/123456.vtu");
}

static void test_list(const char dir[], PetscInt n, const PetscReal times[])
{
  Text file;

  CHECK_OK(CrPvdWrite(dir, 1, times, PETSC_FALSE));
  CHECK_OK(CrPvdWrite(dir, n, times, PETSC_FALSE)); /* replaces */
  file = slurp(dir, "fields.pvd");
  CHECK(file.text && strstr(file.text, "timestep=\"0\" part=\"0\" file=\"fields/0000.vtu\""));
  CHECK(file.text && strstr(file.text, "timestep=\"0.10000000000000001\""));
  free(file.text);
}

static PetscInt count_files(const char dir[])
{
  DIR           *folder = opendir(dir);
  struct dirent *entry;
  PetscInt       n = 0;

  while (folder && (entry = readdir(folder))) n += entry->d_name[0] != '.';
  if (folder) closedir(folder);
  return n;
}

/* The disk is full: an error that names the file, the older one as it was, nothing half-written. */
static PetscErrorCode test_full(const char dir[])
{
  struct rlimit before, small;
  Row           row;
  Text          first, second;
  PetscInt      n;
  char          folder[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  snprintf(folder, sizeof folder, "%s/fields", dir);
  PetscCall(row_create(CR_H8, 700, &row));
  first = slurp(dir, "fields/0000.vtu");
  n = count_files(folder);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 20000;
  setrlimit(RLIMIT_FSIZE, &small);
  CHECK(row_write(dir, "fields/0000.vtu", 0, &row) == CR_ERR_MACHINE);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(strstr(CrErrorMessage(), "fields/0000.vtu: cannot be written: File too large"));
  CrErrorClear();
  second = slurp(dir, "fields/0000.vtu");
  CHECK(first.length == second.length && !memcmp(first.text, second.text, first.length));
  CHECK(count_files(folder) == n);
  CHECK(row_write(dir, "nowhere/0000.vtu", 0, &row) == CR_ERR_MACHINE);
  CHECK(strstr(CrErrorMessage(), "nowhere/0000.vtu: cannot be created: No such file"));
  CrErrorClear();
  free(first.text);
  free(second.text);
  PetscCall(row_destroy(&row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A row that does not fit goes as a whole. */
static void test_whole_rows(const char dir[])
{
  struct rlimit  before, small;
  OutputFile     file = {0};
  PetscErrorCode code = PETSC_SUCCESS;
  Text           text;

  CHECK_OK(CrFileBegin(&file, dir, "rows.csv"));
  CHECK_OK(CrFileShow(&file));
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 99999;
  setrlimit(RLIMIT_FSIZE, &small);
  for (PetscInt i = 0; i < 40000 && !code; i++) {
    code = CrFilePrint(&file, "%06" PetscInt_FMT "\n", i);
    if (!code) code = CrFileEndRow(&file);
  }
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(code == CR_ERR_MACHINE);
  CrErrorClear();
  text = slurp(dir, "rows.csv");
  CHECK(text.length > 90000 && text.length % 7 == 0);
  free(text.text);
}

static void clean(const char dir[], PetscInt nframes)
{
  char path[PETSC_MAX_PATH_LEN], name[32];

  for (PetscInt k = 0; k < nframes; k++) {
    CrFrameName(k, PETSC_FALSE, name);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/fields.pvd", dir);
  unlink(path);
  snprintf(path, sizeof path, "%s/fields", dir);
  rmdir(path);
  CHECK(rmdir(dir) == 0); /* nothing else was left */
}

static PetscErrorCode run(const char given[])
{
  char      dir[PETSC_MAX_PATH_LEN] = "carom-vtu-XXXXXX", path[PETSC_MAX_PATH_LEN + 16];
  PetscInt  nframes = 0;
  PetscReal times[32];

  PetscFunctionBeginUser;
  if (given)
    snprintf(dir, sizeof dir, "%s", given);
  else
    CHECK(mkdtemp(dir) != NULL);
  snprintf(path, sizeof path, "%s/fields", dir);
  mkdir(dir, 0777);
  mkdir(path, 0777);
  test_names();
  PetscCall(test_roundtrip(dir, &nframes, times));
  test_empty(dir, &nframes, times);
  test_list(dir, nframes, times);
  PetscCall(test_full(dir));
  test_whole_rows(dir);
  snprintf(path, sizeof path, "%s/rows.csv", dir);
  unlink(path);
  if (!given) clean(dir, nframes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  const char *dir = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;

  if (check_start(argc, argv)) return 1;
  CHECK_OK(run(dir));
  return check_end();
}

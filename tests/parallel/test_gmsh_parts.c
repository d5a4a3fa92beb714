/* Gmsh files in chunks: the parts are those that rank 0 would deal out, in every number and name. A file that the reader
   of whole files refuses is refused here too. Bytes of good files are changed at random to find files of both kinds. */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>
#include "check.h"
#include "mesh/internal.h"
#include "mesh/readers/gmsh_chunks.h"

static PetscMPIInt rank;
static long        compared, refused, left_whole;

static PetscBool same_ints(PetscInt n, const PetscInt *a, const PetscInt *b)
{
  return !n || !memcmp(a, b, sizeof *a * (size_t)n);
}

static PetscBool same_blocks(const CrMeshPart *a, const CrMeshPart *b)
{
  if (a->mesh->nblocks != b->mesh->nblocks) return PETSC_FALSE;
  for (PetscInt k = 0; k < a->mesh->nblocks; k++) {
    const CrCellBlock *p = &a->mesh->blocks[k], *q = &b->mesh->blocks[k];

    if (p->type != q->type || p->n != q->n || a->first[k] != b->first[k]) return PETSC_FALSE;
    if (!same_ints(p->n, p->tags, q->tags)) return PETSC_FALSE;
    if (!same_ints(p->n * CrCells[p->type].nnodes, p->nodes, q->nodes)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscBool same_sets(const CrMeshPart *a, const CrMeshPart *b)
{
  if (a->mesh->nsets != b->mesh->nsets || a->mesh->nfacets != b->mesh->nfacets) return PETSC_FALSE;
  if (!same_ints(3 * a->mesh->nfacets, (PetscInt *)a->mesh->facets, (PetscInt *)b->mesh->facets))
    return PETSC_FALSE;
  for (PetscInt s = 0; s < a->mesh->nsets; s++) {
    const CrSet *p = &a->mesh->sets[s], *q = &b->mesh->sets[s];

    if (strcmp(p->name, q->name) || p->nnodes != q->nnodes || p->nfacets != q->nfacets ||
        a->is_surface[s] != b->is_surface[s])
      return PETSC_FALSE;
    if (!same_ints(p->nnodes, p->nodes, q->nodes)) return PETSC_FALSE;
    if (!same_ints(p->nfacets, p->facets, q->facets)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscBool same_parts(const CrMeshPart *a, const CrMeshPart *b)
{
  const PetscInt n = a->mesh->nnodes;

  if (a->nnodes != b->nnodes || a->ncells != b->ncells || n != b->mesh->nnodes) return PETSC_FALSE;
  for (PetscInt A = 0; A < n; A++)
    if (a->number[A] != (b->number ? b->number[A] : A)) return PETSC_FALSE;
  if (n && memcmp(a->mesh->X, b->mesh->X, sizeof(PetscReal) * (size_t)(n * a->mesh->dim)))
    return PETSC_FALSE;
  return same_blocks(a, b) && same_sets(a, b);
}

/* Reads a file both ways. */
static void test_file(const char path[], PetscInt dim, PetscInt most, PetscBool must_split)
{
  CrMesh        *whole = NULL;
  CrMeshPart     dealt = {0}, part;
  PetscErrorCode code = PETSC_SUCCESS;

  CrErrorClear();
  CHECK_OK(CrGmshReadPart(PETSC_COMM_WORLD, path, dim, most, &part));
  CHECK(!*CrErrorMessage());
  if (rank == 0) code = CrGmshRead(path, dim, &whole);
  code = CrErrorAgree(PETSC_COMM_WORLD, code);
  CrErrorClear();
  if (code) {
    if (part.mesh) printf("%s: read in chunks, but refused as a whole\n", path);
    CHECK(!part.mesh);
    refused++;
  } else {
    CHECK_OK(CrMeshDeal(PETSC_COMM_WORLD, &whole, &dealt));
    if (!part.mesh) left_whole++;
    if (must_split) CHECK(part.mesh != NULL);
    if (part.mesh) {
      PetscBool same = same_parts(&part, &dealt);

      if (!same) printf("%s: other parts, dimension %d, rank %d\n", path, (int)dim, rank);
      CHECK(same);
      compared++;
    }
  }
  CHECK_OK(CrMeshDestroyPart(&part));
  CHECK_OK(CrMeshDestroyPart(&dealt));
}

/* ---- changed files ------------------------------------------------------------------------- */

static unsigned long long seed = 12345;

static unsigned random_below(unsigned n)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)((seed >> 33) % n);
}

/* Some bytes become others of the file, or a stretch is left out or doubled. All ranks draw the same numbers. */
static void change(const char *text, size_t n, FILE *out)
{
  size_t at = random_below((unsigned)n), length = 1 + random_below(8);

  if (at + length > n) length = n - at;
  switch (random_below(4)) {
  case 0: /* other bytes */
    fwrite(text, 1, at, out);
    fwrite(text + random_below((unsigned)(n - length + 1)), 1, length, out);
    fwrite(text + at + length, 1, n - at - length, out);
    break;
  case 1: /* left out */
    fwrite(text, 1, at, out);
    fwrite(text + at + length, 1, n - at - length, out);
    break;
  case 2: /* doubled */
    fwrite(text, 1, at + length, out);
    fwrite(text + at, 1, n - at, out);
    break;
  default: /* one digit */
    fwrite(text, 1, at, out);
    fputc((int)('0' + random_below(10)), out);
    fwrite(text + at + 1, 1, n - at - 1, out);
  }
}

static void test_changes(const char path[], const char scratch[], int times)
{
  static char text[40000];
  FILE       *in = fopen(path, "rb");
  size_t      n;

  CHECK(in != NULL);
  if (!in) return;
  n = fread(text, 1, sizeof text, in);
  fclose(in);
  for (int k = 0; k < times; k++) {
    FILE *out = fopen(rank ? "/dev/null" : scratch, "wb");

    change(text, n, out);
    fclose(out);
    MPI_Barrier(PETSC_COMM_WORLD);
    for (PetscInt dim = 2; dim <= 3; dim++) test_file(scratch, dim, 1 + k % 40, PETSC_FALSE);
    MPI_Barrier(PETSC_COMM_WORLD);
  }
}

/* ---- files of the tests -------------------------------------------------------------------- */

static void test_folder(const char folder[], PetscBool good)
{
  DIR           *dir = opendir(folder);
  struct dirent *entry;

  CHECK(dir != NULL);
  while (dir && (entry = readdir(dir))) {
    char   path[512];
    size_t n = strlen(entry->d_name);

    if (n < 4 || strcmp(entry->d_name + n - 4, ".msh")) continue;
    snprintf(path, sizeof path, "%s/%.100s", folder, entry->d_name);
    for (PetscInt dim = 2; dim <= 3; dim++) {
      test_file(path, dim, 1 << 16, good);
      test_file(path, dim, 3, good);
    }
  }
  if (dir) closedir(dir);
}

/* Nodes that all cells of a rank have, and a third cell at a face that two cells of another rank share. */
static void test_three_cells(const char scratch[])
{
  static const char text[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n"
                             "3 0 1 0\n4 0 0 1\n5 0 0 -1\n6 1 1 1\n$EndNodes\n$Elements\n3\n"
                             "1 4 0 1 2 3 4\n2 4 0 1 3 2 5\n3 4 0 1 2 3 6\n$EndElements\n";
  FILE             *out = fopen(rank ? "/dev/null" : scratch, "wb");

  fputs(text, out);
  fclose(out);
  MPI_Barrier(PETSC_COMM_WORLD);
  refused = 0;
  test_file(scratch, 3, 1 << 16, PETSC_TRUE);
  CHECK(refused == 1);
  MPI_Barrier(PETSC_COMM_WORLD);
}

int main(int argc, char **argv)
{
  static const char *const seeds[] = {"mixed.msh",    "mixed-q8.msh", "tets-22.msh",
                                      "tets-22b.msh", "tets-41.msh",  "tets-41b.msh",
                                      "jaws-2d.msh",  "jaws-3d.msh",  "tets-order2.msh"};
  char                     scratch[64];
  int                      pid = (int)getpid(), failures;

  if (check_start(argc, argv)) return 1;
  CrLogSetQuiet(PETSC_TRUE);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Bcast(&pid, 1, MPI_INT, 0, PETSC_COMM_WORLD);
  snprintf(scratch, sizeof scratch, "/tmp/carom-gmsh-parts-%d.msh", pid);
  test_folder(CR_TEST_DATA, PETSC_TRUE);
  CHECK(compared >= 22); /* eleven files, cut two ways */
  test_folder(CR_TEST_DATA "/../bad", PETSC_FALSE);
  test_folder(CR_TEST_DATA "/../fuzz/found", PETSC_FALSE);
  test_three_cells(scratch);
  compared = left_whole = 0;
  for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
    char path[512];

    snprintf(path, sizeof path, CR_TEST_DATA "/%s", seeds[k]);
    test_changes(path, scratch, argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 60);
  }
  if (rank == 0)
    printf("changed files: %ld in chunks, %ld as a whole, %ld refused\n", compared, left_whole,
           refused);
  CHECK(compared > 100 && refused > 100); /* changes reach both sides */
  if (rank == 0) unlink(scratch);
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}

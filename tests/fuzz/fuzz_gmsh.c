/* Gmsh files from noise: a mesh or one message, in 2D and 3D. The reader in chunks must take no file that the reader of
   whole files refuses, and find as many nodes, cells and sets. Built by `make fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mesh/internal.h"
#include "mesh/readers/gmsh_chunks.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char    path[64];
static CrDeck *decks[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  static char  name[] = "fuzz";
  static char *words[] = {name, NULL}, **pointer = words;
  char         text[128];
  int          one = 1;

  (void)argc;
  (void)argv;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  if (PetscInitialize(&one, &pointer, NULL, NULL)) abort();
  snprintf(path, sizeof path, "/dev/shm/carom-fuzz-%d.msh", (int)getpid());
  snprintf(text, sizeof text, "mesh: {file: %s}\n", path);
  for (int k = 0; k < 2; k++)
    if (CrDeckParse("fuzz", text, strlen(text), 0, NULL, &decks[k])) abort();
  return PetscPushErrorHandler(CrErrorHandler, NULL);
}

static void read_chunks(PetscInt dim, PetscInt most, const CrMesh *whole)
{
  CrMeshPart part;

  CrErrorClear();
  if (CrGmshReadPart(PETSC_COMM_SELF, path, dim, most, &part) || *CrErrorMessage()) abort();
  if (part.mesh) {
    if (!whole || part.mesh->nnodes != whole->nnodes || part.mesh->nfacets != whole->nfacets ||
        part.mesh->nsets != whole->nsets || part.mesh->nblocks != whole->nblocks)
      abort();
    for (PetscInt s = 0; s < whole->nsets; s++)
      if (strcmp(part.mesh->sets[s].name, whole->sets[s].name) ||
          part.mesh->sets[s].nnodes != whole->sets[s].nnodes ||
          part.mesh->sets[s].nfacets != whole->sets[s].nfacets)
        abort();
  }
  if (CrMeshDestroyPart(&part)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  FILE *file = fopen(path, "wb");

  if (!file || fwrite(data, 1, size, file) != size || fclose(file)) abort();
  for (int dim = 2; dim <= 3; dim++) {
    CrMesh *mesh = NULL;

    CrErrorClear();
    if (CrMeshCreate(CrDeckRoot(decks[dim - 2]), dim, "deck.yaml", &mesh)) {
      if (!*CrErrorMessage()) abort(); /* refused without a word */
    }
    read_chunks(dim, 1 + (PetscInt)(size % 7), mesh);
    if (CrMeshDestroy(&mesh)) abort();
  }
  return 0;
}

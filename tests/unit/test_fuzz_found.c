/* What fuzzing found is read again: any outcome is good but a crash, which the sanitizers make of every
   undefined step. */
#include <dirent.h>
#include "check.h"
#include "deck/deck.h"
#include "mesh/mesh.h"
#include "run/run.h"

static void read_mesh(const char *path)
{
  char    text[512];
  CrDeck *deck = NULL;

  snprintf(text, sizeof text, "mesh: {file: %s}\n", path);
  CHECK_OK(CrDeckParse("found", text, strlen(text), 0, NULL, &deck));
  for (PetscInt dim = 2; dim <= 3; dim++) {
    CrMesh        *mesh = NULL;
    PetscErrorCode code;

    CrErrorClear();
    code = CrMeshCreate(CrDeckRoot(deck), dim, "deck.yaml", &mesh);
    CHECK(!code || *CrErrorMessage());
    CHECK_OK(CrMeshDestroy(&mesh));
  }
  CrErrorClear();
  CHECK_OK(CrDeckDestroy(&deck));
}

static void read_deck(const char *path)
{
  CrDeck        *deck = NULL;
  PetscErrorCode code;

  CrErrorClear();
  code = CrDeckRead(PETSC_COMM_WORLD, path, 0, NULL, &deck);
  if (!code) code = CrDeckValidate(deck, CrProblemKeys());
  CHECK(!code || *CrErrorMessage());
  CrErrorClear();
  CHECK_OK(CrDeckDestroy(&deck));
}

int main(int argc, char **argv)
{
  const char    *folder = CR_TEST_DATA "/../fuzz/found";
  DIR           *dir;
  struct dirent *entry;

  if (check_start(argc, argv)) return 1;
  dir = opendir(folder);
  CHECK(dir != NULL);
  while (dir && (entry = readdir(dir))) {
    char path[400];

    snprintf(path, sizeof path, "%s/%.100s", folder, entry->d_name);
    if (!strncmp(entry->d_name, "gmsh-", 5)) read_mesh(path);
    if (!strncmp(entry->d_name, "deck-", 5)) read_deck(path);
  }
  if (dir) closedir(dir);
  return check_end();
}

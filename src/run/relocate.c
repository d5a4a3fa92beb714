/* run.yaml stands in the run's folder: paths of mesh files are rewritten as seen from there, so
   that it runs and resumes where it is, and still does when the whole tree is moved. */
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "run/internal.h"

/* Absolute path of something whose parent exists. */
static PetscBool absolute(const char *path, char out[PATH_MAX])
{
  char copy[PATH_MAX], again[PATH_MAX], parent[PATH_MAX];

  if (strlen(path) >= sizeof copy) return PETSC_FALSE;
  strcpy(copy, path);
  strcpy(again, path);
  if (realpath(path, out)) return PETSC_TRUE;
  if (!realpath(dirname(copy), parent)) return PETSC_FALSE;
  return snprintf(out, PATH_MAX, "%s/%s", parent, basename(again)) < PATH_MAX ? PETSC_TRUE
                                                                              : PETSC_FALSE;
}

/* How to get from one folder to a file, both absolute. */
static void relative(const char *folder, const char *file, char *out, size_t size)
{
  size_t common = 0;

  for (size_t k = 0; folder[k] && folder[k] == file[k]; k++)
    if (folder[k] == '/') common = k + 1;
  if (!strncmp(folder, file, strlen(folder)) && file[strlen(folder)] == '/')
    common = strlen(folder) + 1;
  out[0] = 0;
  for (const char *k = folder + PetscMin(common, strlen(folder)); *k; k++)
    if (k == folder + common || *k == '/') snprintf(out + strlen(out), size - strlen(out), "../");
  snprintf(out + strlen(out), size - strlen(out), "%s", file + common);
}

PetscErrorCode CrRelocateMeshes(CrDeck *deck, const char dir[])
{
  const CrDeckNode *bodies = CrDeckFind(CrDeckRoot(deck), "bodies");
  char folder[PATH_MAX], base[PATH_MAX], joined[2 * PATH_MAX], file[PATH_MAX], text[2 * PATH_MAX];

  PetscFunctionBeginUser;
  if (strlen(CrDeckPath(deck)) >= sizeof base || !absolute(dir, folder))
    PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < CrDeckCount(bodies); b++) {
    const CrDeckNode *node = CrDeckFind(CrDeckItem(bodies, b), "mesh.file");

    if (!node || CrDeckText(node)[0] == '/') continue;
    strcpy(base, CrDeckPath(deck));
    snprintf(joined, sizeof joined, "%s/%s", dirname(base), CrDeckText(node));
    if (!absolute(joined, file)) continue;
    relative(folder, file, text, sizeof text);
    PetscCall(CrDeckSetText(deck, node, text));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The command `carom new`: writes a new deck, from a template or from an example. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "app/app.h"
#include "app/examples.h"
#include "base/program.h"
#include "base/text.h"
#include "deck/deck.h"

static const char template[] =
    "carom: 1\n"
    "title: A block drops on a plate\n"
    "dimension: 2                       # 2 or 3\n"
    "units: {length: m, mass: kg, time: s}\n"
    "\n"
    "materials:\n"
    "  - {name: alloy, model: neo-hookean, young: 2.0e9, poisson: 0.3, density: 7800}\n"
    "\n"
    "bodies:\n"
    "  - name: block\n"
    "    mesh: {block: {from: [-0.05, 0], to: [0.05, 0.1], elements: [8, 8]}}\n"
    "    material: alloy\n"
    "    angle: 20                      # degrees about the origin, then moved:\n"
    "    position: [0, 0.045]\n"
    "    velocity: [0, -5]\n"
    "  - name: plate\n"
    "    mesh: {block: {from: [-0.4, -0.04], to: [0.4, 0], elements: [64, 4]}}\n"
    "    material: alloy\n"
    "\n"
    "contact:\n"
    "  - {between: [block, plate], friction: 0.2}\n"
    "\n"
    "conditions:\n"
    "  - {on: plate.left, fix: [x, y]}\n"
    "  - {on: plate.right, fix: [x, y]}\n"
    "\n"
    "time: {method: dissipative, step: 2.0e-5, end: 0.01}\n";

const char *AppNewDeck(void)
{
  return template;
}

/* Writes a new file; one that exists is left as it is. */
static PetscErrorCode write_new(const char path[], const char text[], size_t size)
{
  int       fd;
  ssize_t   written;
  PetscBool failed;

  PetscFunctionBeginUser;
  PetscCall(CrTextCheck(path, PETSC_FALSE));
  fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST)
    CrInputFail("%s: this file exists already and was not changed; choose another name", path);
  if (fd < 0) CrInputFail("%s: cannot be written: %s", path, strerror(errno));
  written = write(fd, text, size);
  failed = close(fd) || written != (ssize_t)size;
  if (failed) CrMachineFail("%s: cannot be written: %s", path, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode copy_file(const char from[], const char to[])
{
  char          *text;
  size_t         size;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrTextRead(from, &text, &size));
  if (!text) CrInputFail("%s: cannot be read: %s", from, strerror(errno));
  code = write_new(to, text, size);
  PetscCall(PetscFree(text));
  PetscFunctionReturn(code);
}

/* The folder of a path, with its last slash; empty for the working folder. */
static void folder_of(const char path[], char folder[], size_t size)
{
  const char *slash = strrchr(path, '/');

  snprintf(folder, size, "%.*s", slash ? (int)(slash - path + 1) : 0, path);
}

/* The mesh files that the deck names, beside the new deck. Files that are there already are left: they may be the same. */
static PetscErrorCode copy_meshes(const CrDeckNode *root, const char from[], const char to[])
{
  const CrDeckNode *bodies = CrDeckFind(root, "bodies");

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < CrDeckCount(bodies); k++) {
    const CrDeckNode *mesh = CrDeckFind(CrDeckItem(bodies, k), "mesh");
    const CrDeckNode *file = mesh ? CrDeckFind(mesh, "file") : NULL;
    char              source[2 * PETSC_MAX_PATH_LEN], copy[2 * PETSC_MAX_PATH_LEN];

    if (!file || strchr(CrDeckText(file), '/')) continue;
    snprintf(source, sizeof source, "%s/%s", from, CrDeckText(file));
    snprintf(copy, sizeof copy, "%s%s", to, CrDeckText(file));
    if (!access(copy, F_OK)) continue;
    PetscCall(copy_file(source, copy));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode copy_example(const char name[], const char deck[])
{
  char           folder[PETSC_MAX_PATH_LEN], path[2 * PETSC_MAX_PATH_LEN], to[PETSC_MAX_PATH_LEN];
  CrDeck        *read;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(AppExampleFind(name, folder, sizeof folder));
  snprintf(path, sizeof path, "%s/deck.yaml", folder);
  folder_of(deck, to, sizeof to);
  PetscCall(copy_file(path, deck));
  PetscCall(CrDeckRead(PETSC_COMM_WORLD, path, 0, NULL, &read));
  code = copy_meshes(CrDeckRoot(read), folder, to);
  PetscCall(CrDeckDestroy(&read));
  PetscFunctionReturn(code);
}

PetscErrorCode AppNew(const AppArguments *a, int *status)
{
  const char *deck = a->words[0];

  PetscFunctionBeginUser;
  (void)status;
  if (a->from)
    PetscCall(copy_example(a->from, deck));
  else
    PetscCall(write_new(deck, template, strlen(template)));
  CrLog("%s: the new deck was written. Next commands: %s check %s; %s run %s; %s view --edit %s\n",
        deck, CrProgram(), deck, CrProgram(), deck, CrProgram(), deck);
  PetscFunctionReturn(PETSC_SUCCESS);
}

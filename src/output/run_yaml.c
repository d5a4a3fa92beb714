/* Writes run.yaml, the deck as it was run. The file is itself a deck. Comments at its top describe the program and the
   machine of the run. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "base/isa.h"
#include "base/program.h"
#include "base/text.h"
#include "output/internal.h"

/* One comment on one line, whatever the text holds: YAML takes neither control characters nor bytes that
   are no UTF-8. */
static PetscErrorCode put_comment(OutputFile *file, const char label[], const char text[])
{
  char shown[2 * PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  CrTextShow(text, shown, sizeof shown);
  PetscCall(CrFilePrint(file, "# %s%s%s\n", label, label[0] && text[0] ? " " : "", shown));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The processor's name where the system tells it. */
static void read_processor(char name[128])
{
  FILE *info = fopen("/proc/cpuinfo", "r");
  char  line[512];

  name[0] = 0;
  while (info && !name[0] && fgets(line, sizeof line, info)) {
    char *colon = strchr(line, ':');

    if (strncmp(line, "model name", 10) || !colon) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(name, 128, "%.127s", colon + 1 + strspn(colon + 1, " "));
  }
  if (info) fclose(info);
}

/* Without the host's name, which says nothing about the run. */
static void describe_machine(char text[512])
{
  struct utsname system;
  char           processor[128];

  read_processor(processor);
  if (uname(&system))
    snprintf(text, 512, "unknown");
  else
    snprintf(text, 512, "%.64s %.64s", system.sysname, system.machine);
  if (processor[0]) {
    size_t used = strlen(text);

    snprintf(text + used, 512 - used, ", %s", processor);
  }
}

static PetscErrorCode put_comments(OutputFile *file, const CrDeck *deck, PetscMPIInt nranks,
                                   PetscInt nnotes, const char *const notes[])
{
  char machine[512], ranks[32], here[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  describe_machine(machine);
  snprintf(ranks, sizeof ranks, "%d", nranks);
  PetscCall(put_comment(file, "carom", CrVersion()));
  PetscCall(put_comment(file, "deck:", CrPathHere(CrDeckPath(deck), here)));
  PetscCall(put_comment(file, "program:", CrProgram()));
  PetscCall(put_comment(file, "machine:", machine));
  PetscCall(put_comment(file, "ranks:", ranks));
  PetscCall(put_comment(file, "instructions:", CrIsaName(CrIsaGet())));
  for (PetscInt i = 0; i < nnotes; i++) PetscCall(put_comment(file, "", notes[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Meshes are looked for beside the deck, and run.yaml lies elsewhere: so their whole paths. */
static PetscErrorCode fix_paths(const CrDeck *deck)
{
  const CrDeckNode *bodies = CrDeckFind(CrDeckRoot(deck), "bodies");
  const char       *slash = strrchr(CrDeckPath(deck), '/');
  int               folder = slash ? (int)(slash - CrDeckPath(deck)) + 1 : 0;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < CrDeckCount(bodies); b++) {
    const CrDeckNode *file = CrDeckFind(CrDeckItem(bodies, b), "mesh.file");
    char              path[2 * PETSC_MAX_PATH_LEN], *whole;
    PetscErrorCode    code;

    if (!file || CrDeckText(file)[0] == '/') continue;
    snprintf(path, sizeof path, "%.*s%s", folder, CrDeckPath(deck), CrDeckText(file));
    whole = realpath(path, NULL);
    code = whole ? CrDeckSetText(file, whole) : PETSC_SUCCESS;
    free(whole);
    PetscCall(code);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By way of memory, so that errors name this file. */
static PetscErrorCode put_deck(OutputFile *file, const CrDeck *deck)
{
  char          *text = NULL;
  size_t         length = 0;
  FILE          *memory = open_memstream(&text, &length);
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCheck(memory, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for run.yaml");
  code = CrDeckWrite(deck, memory);
  if (fclose(memory) && !code) code = PETSC_ERR_MEM;
  if (!code) code = CrFileWrite(file, text, length);
  free(text);
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunYamlBegin(OutputFile *file, const char dir[], const CrDeck *deck,
                              PetscMPIInt nranks, PetscInt nnotes, const char *const notes[])
{
  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(file, dir, "run.yaml"));
  PetscCall(put_comments(file, deck, nranks, nnotes, notes));
  PetscCall(fix_paths(deck));
  PetscCall(put_deck(file, deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

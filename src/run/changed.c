/* Rejects a resumed run if its deck has changed. The message names the keys that differ in run.yaml. */
#define _GNU_SOURCE /* open_memstream */
#include <stdlib.h>
#include <string.h>
#include "output/checkpoint.h"
#include "run/internal.h"

/* What may change, as paths with * for an index: texts, limits, when to save. Meshes may move: their
   nodes are compared with those of the checkpoint. */
static const char *const free_keys[] = {"title",
                                        "audit",
                                        "output.report",
                                        "output.checkpoint",
                                        "output.checkpoint_steps",
                                        "bodies.*.mesh.file"};

#define LONGEST 512

static PetscBool matches(const char pattern[], const char path[])
{
  while (*pattern && *path) {
    if (*pattern == '*') {
      path += strspn(path, "0123456789");
      pattern++;
    } else if (*pattern++ != *path++)
      return PETSC_FALSE;
  }
  return !*pattern && !*path;
}

static PetscBool may_change(const char path[])
{
  for (size_t k = 0; k < sizeof free_keys / sizeof free_keys[0]; k++)
    if (matches(free_keys[k], path)) return PETSC_TRUE;
  return PETSC_FALSE;
}

static PetscBool is_same_scalar(const CrDeckNode *a, const CrDeckNode *b)
{
  if (CrDeckIsReal(a) && CrDeckIsReal(b)) return CrDeckReal(a) == CrDeckReal(b);
  return !strcmp(CrDeckText(a), CrDeckText(b));
}

/* A value in a few words. */
static const char *shown(const CrDeckNode *node, char text[64])
{
  if (CrDeckIsMap(node) || CrDeckIsList(node)) return CrDeckIsMap(node) ? "a mapping" : "a list";
  snprintf(text, 64, "%.60s", CrDeckText(node));
  return text;
}

/* How to go on. */
static const char *advice(const char path[])
{
  if (!strcmp(path, "time.end"))
    return "restore the old value and use resume --until T, or start a new run (carom run DIR/run.yaml -o OTHER)";
  return "restore the old value, or start a new run (carom run DIR/run.yaml -o OTHER)";
}

static PetscErrorCode compare(const CrDeckNode *then, const CrDeckNode *now, const char path[]);

/* The entries of two maps by name, of two lists by number. */
static PetscErrorCode compare_entry(const CrDeckNode *then, const CrDeckNode *now,
                                    const char name[], const char path[])
{
  const CrDeckNode *a = CrDeckFind(then, name), *b = CrDeckFind(now, name);
  char              whole[LONGEST], text[64];

  PetscFunctionBeginUser;
  snprintf(whole, sizeof whole, "%s%s%s", path, *path ? "." : "", name);
  if (may_change(whole) || (!a && !b)) PetscFunctionReturn(PETSC_SUCCESS);
  if (!a)
    CrDeckFail(b, "this entry is new: the deck at the start of the run did not contain it; %s",
               advice(whole));
  if (!b)
    CrDeckFail(now, "\"%s\" is missing; when the run began its value was %s; %s", name,
               shown(a, text), advice(whole));
  PetscCall(compare(a, b, whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode compare(const CrDeckNode *then, const CrDeckNode *now, const char path[])
{
  const PetscBool map = CrDeckIsMap(then), list = CrDeckIsList(then);
  char            old[64], new[64], index[16];

  PetscFunctionBeginUser;
  if (map != CrDeckIsMap(now) || list != CrDeckIsList(now) ||
      (!map && !list && !is_same_scalar(then, now)))
    CrDeckFail(now, "the value is %s, but was %s when the run began; %s", shown(now, new),
               shown(then, old), advice(path));
  for (PetscInt i = 0; map && i < CrDeckCount(now); i++)
    PetscCall(compare_entry(then, now, CrDeckName(now, i), path));
  for (PetscInt i = 0; map && i < CrDeckCount(then); i++)
    if (!CrDeckFind(now, CrDeckName(then, i)))
      PetscCall(compare_entry(then, now, CrDeckName(then, i), path));
  for (PetscInt i = 0; list && i < PetscMax(CrDeckCount(then), CrDeckCount(now)); i++) {
    snprintf(index, sizeof index, "%" PetscInt_FMT, i);
    PetscCall(compare_entry(then, now, index, path));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check(const CrRun *run, const char dir[])
{
  char          *text;
  CrDeck        *then;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrCheckpointReadText(dir, "deck", &text));
  code = CrProblemParse("the deck of the checkpoint", text, 0, NULL, &then);
  PetscCall(PetscFree(text));
  PetscCall(code);
  code = compare(CrDeckRoot(then), CrDeckRoot(run->deck), "");
  PetscCall(CrDeckDestroy(&then));
  PetscFunctionReturn(code);
}

PetscErrorCode CrRunCheckDeck(const CrRun *run, const char dir[])
{
  PetscErrorCode code = PETSC_SUCCESS;
  PetscMPIInt    rank;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(run->model->comm, &rank));
  if (rank == 0) code = check(run, dir);
  PetscCall(CrErrorAgree(run->model->comm, code));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunDeckText(const CrRun *run, char **text)
{
  size_t         length = 0;
  FILE          *memory;
  PetscMPIInt    rank;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *text = NULL;
  PetscCallMPI(MPI_Comm_rank(run->model->comm, &rank));
  if (rank) PetscFunctionReturn(PETSC_SUCCESS);
  memory = open_memstream(text, &length);
  PetscCheck(memory, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the deck");
  code = CrDeckWrite(run->deck, memory);
  if (fclose(memory) && !code) code = PETSC_ERR_MEM;
  PetscFunctionReturn(code);
}

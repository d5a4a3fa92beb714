/* Information about a run for its web page: deck, method, audit, warnings. */
#define _GNU_SOURCE /* strsep */
#include "report/about.h"
#include <string.h>
#include "base/text.h"
#include "deck/units.h"
#include "output/output.h"
#include "report/json.h"

static PetscErrorCode describe_method(const char name[], cJSON *run)
{
  cJSON *method = cJSON_CreateObject();

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(run, "method", method));
  PetscCall(CrJsonAddText(method, "name", name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Labels of units, where the deck gives them. */
static PetscErrorCode describe_units(const CrDeckNode *root, cJSON *run)
{
  cJSON  *object = cJSON_CreateObject();
  CrUnits units;

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(run, "units", object));
  if (CrUnitsRead(root, &units)) PetscFunctionReturn(PETSC_SUCCESS); /* somebody edited run.yaml */
  for (CrUnit unit = 0; unit < CR_UNITS; unit++)
    if (*units.label[unit]) PetscCall(CrJsonAddText(object, CrUnitWord(unit), units.label[unit]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrAboutDeck(const char dir[], cJSON *run, PetscInt *dim)
{
  char              path[PETSC_MAX_PATH_LEN], *text;
  CrDeck           *deck;
  const CrDeckNode *dimension, *method;
  cJSON            *tree;

  PetscFunctionBeginUser;
  PetscCall(CrRunDeckPath(dir, path, sizeof path));
  PetscCall(CrTextRead(path, &text, NULL));
  if (!text) CrInputFail("%s: cannot be read", path);
  PetscCall(CrJsonAddText(run, "yaml", text));
  PetscCall(PetscFree(text));
  PetscCall(CrDeckRead(PETSC_COMM_SELF, path, 0, NULL, &deck));
  dimension = CrDeckFind(CrDeckRoot(deck), "dimension");
  method = CrDeckFind(CrDeckRoot(deck), "time.method");
  *dim = CrDeckIsReal(dimension) && CrDeckReal(dimension) == 3 ? 3 : 2;
  PetscCall(CrJsonOfDeck(CrDeckRoot(deck), &tree));
  PetscCall(CrJsonAdd(run, "deck", tree));
  PetscCall(describe_units(CrDeckRoot(deck), run));
  PetscCall(describe_method(method ? CrDeckText(method) : "", run));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the audit knows about the method goes to its name. */
static PetscErrorCode add_method_info(const cJSON *audit, cJSON *run)
{
  cJSON       *method = cJSON_GetObjectItemCaseSensitive(run, "method");
  const cJSON *info = cJSON_GetObjectItemCaseSensitive(audit, "method_info");

  PetscFunctionBeginUser;
  for (const cJSON *item = info ? info->child : NULL; item; item = item->next)
    if (item->string) PetscCall(CrJsonAdd(method, item->string, cJSON_Duplicate(item, 1)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool holds(const cJSON *texts, const char text[])
{
  const cJSON *item;

  cJSON_ArrayForEach(item, texts)
  {
    if (cJSON_IsString(item) && !strcmp(item->valuestring, text)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* A run that is not over has its warnings in the log alone; what was said again after a restart counts
   once. */
static PetscErrorCode add_warnings(const char dir[], cJSON *run)
{
  static const char head[] = "carom: warning: ";
  char              path[PETSC_MAX_PATH_LEN], *text, *rest, *line;
  cJSON            *list = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(run, "warnings", list));
  snprintf(path, sizeof path, "%s/log.txt", dir);
  PetscCall(CrTextRead(path, &text, NULL));
  rest = text;
  while (rest && (line = strsep(&rest, "\n"))) {
    if (strncmp(line, head, sizeof head - 1)) continue;
    line += sizeof head - 1;
    if (!holds(list, line)) PetscCall(CrJsonAdd(list, NULL, cJSON_CreateString(line)));
  }
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrAboutAudit(const char dir[], cJSON *run)
{
  char   path[PETSC_MAX_PATH_LEN], *text;
  cJSON *audit = NULL;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/audit.json", dir);
  PetscCall(CrTextRead(path, &text, NULL));
  if (text) audit = cJSON_Parse(text);
  if (audit) PetscCall(CrJsonAdd(run, "audit", cJSON_CreateRaw(text))); /* with all its digits */
  if (audit) PetscCall(add_method_info(audit, run));
  if (!audit) PetscCall(add_warnings(dir, run));
  cJSON_Delete(audit);
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrAboutStudy(const char dir[], cJSON *run)
{
  char   path[PETSC_MAX_PATH_LEN], *text;
  cJSON *study = NULL;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/converge.json", dir);
  PetscCall(CrTextRead(path, &text, NULL));
  if (text) study = cJSON_Parse(text);
  if (study) PetscCall(CrJsonAdd(run, "study", study));
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

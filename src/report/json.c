/* Functions for the JSON description of the web page. */
#include "report/json.h"
#include <math.h>

/* Raw: cJSON's own numbers are printed with 15 digits when the last two hardly matter. */
static cJSON *number(PetscReal value)
{
  char text[40];

  snprintf(text, sizeof text, "%.17g", (double)value);
  return cJSON_CreateRaw(isfinite(value) ? text : "null");
}

PetscErrorCode CrJsonAdd(cJSON *object, const char name[], cJSON *value)
{
  PetscBool done = PETSC_FALSE;

  PetscFunctionBeginUser;
  if (value && name) done = cJSON_AddItemToObject(object, name, value) != 0;
  if (value && !name) done = cJSON_AddItemToArray(object, value) != 0;
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the page");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrJsonAddText(cJSON *object, const char name[], const char text[])
{
  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(object, name, cJSON_CreateString(text)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrJsonAddReal(cJSON *object, const char name[], PetscReal value)
{
  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(object, name, number(value)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrJsonAddReals(cJSON *object, const char name[], PetscInt n,
                              const PetscReal values[])
{
  cJSON *array = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(object, name, array));
  for (PetscInt i = 0; i < n; i++) PetscCall(CrJsonAdd(array, NULL, number(values[i])));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static cJSON *scalar(const CrDeckNode *node)
{
  if (CrDeckIsNull(node)) return cJSON_CreateNull();
  if (CrDeckIsReal(node)) return number(CrDeckReal(node));
  if (CrDeckIsWord(node, "true")) return cJSON_CreateTrue();
  if (CrDeckIsWord(node, "false")) return cJSON_CreateFalse();
  return cJSON_CreateString(CrDeckText(node));
}

PetscErrorCode CrJsonOfDeck(const CrDeckNode *node, cJSON **json)
{
  const PetscBool map = CrDeckIsMap(node), list = CrDeckIsList(node);

  PetscFunctionBeginUser;
  *json = map ? cJSON_CreateObject() : list ? cJSON_CreateArray() : scalar(node);
  PetscCheck(*json, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the page");
  for (PetscInt i = 0; (map || list) && i < CrDeckCount(node); i++) {
    cJSON *item;

    PetscCall(CrJsonOfDeck(CrDeckItem(node, i), &item));
    PetscCall(CrJsonAdd(*json, map ? CrDeckName(node, i) : NULL, item));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Writes the tree of a deck as JSON, for other programs. */
#include <cjson/cJSON.h>
#include <string.h>
#include "deck/internal.h"

static cJSON *make_scalar(const CrDeckNode *node)
{
  PetscReal value;

  if (CrDeckIsNull(node)) return cJSON_CreateNull();
  if (node->quoted) return cJSON_CreateString(node->text);
  if (CrDeckTextNumber(node->text, &value) == DECK_NUMBER) return cJSON_CreateNumber(value);
  if (!strcmp(node->text, "true")) return cJSON_CreateTrue();
  if (!strcmp(node->text, "false")) return cJSON_CreateFalse();
  return cJSON_CreateString(node->text);
}

/* NULL: out of memory. */
static cJSON *make(const CrDeckNode *node)
{
  cJSON *json;

  if (node->kind == DECK_SCALAR) return make_scalar(node);
  json = node->kind == DECK_MAP ? cJSON_CreateObject() : cJSON_CreateArray();
  for (PetscInt i = 0; json && i < node->count; i++) {
    const char *name = node->items[i]->name;
    cJSON      *item = make(node->items[i]);

    if (!item) {
      cJSON_Delete(json);
      return NULL;
    }
    if (name)
      cJSON_AddItemToObject(json, name, item);
    else
      cJSON_AddItemToArray(json, item);
  }
  return json;
}

PetscErrorCode CrDeckToJson(const CrDeck *deck, char **text)
{
  cJSON *json = make(deck->root);

  PetscFunctionBeginUser;
  *text = json ? cJSON_PrintUnformatted(json) : NULL;
  cJSON_Delete(json);
  if (!*text) CrMachineFail("out of memory for the deck");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Writes the tables of keys as a JSON Schema (draft 2020-12), for editors. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <cJSON.h>
#include "deck/internal.h"

#define DEEPEST 16 /* tables that refer to each other in a circle end here */

static cJSON *typed(const char type[])
{
  cJSON *schema = cJSON_CreateObject();

  cJSON_AddStringToObject(schema, "type", type);
  return schema;
}

static cJSON *array_of(cJSON *items)
{
  cJSON *schema = typed("array");

  cJSON_AddItemToObject(schema, "items", items);
  return schema;
}

static cJSON *number(const CrKey *key, const char type[], PetscBool nulls)
{
  DeckRange r = CrDeckRange(key->range);
  cJSON    *schema = cJSON_CreateObject();

  if (nulls) {
    cJSON *types = cJSON_AddArrayToObject(schema, "type");

    cJSON_AddItemToArray(types, cJSON_CreateString(type));
    cJSON_AddItemToArray(types, cJSON_CreateString("null"));
  } else
    cJSON_AddStringToObject(schema, "type", type);
  if (isfinite(r.low))
    cJSON_AddNumberToObject(schema, r.low_in ? "minimum" : "exclusiveMinimum", r.low);
  if (isfinite(r.high))
    cJSON_AddNumberToObject(schema, r.high_in ? "maximum" : "exclusiveMaximum", r.high);
  return schema;
}

/* A word that looks like a number or a truth value reaches the checker of an editor as such. */
static cJSON *word(const CrKey *key)
{
  cJSON      *schema = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(schema, "enum");
  char        buffer[DECK_LINE];
  const char *words[DECK_WORDS];
  PetscInt    n = CrDeckWords(key, buffer, words);
  PetscReal   value;

  for (PetscInt i = 0; i < n; i++) {
    cJSON_AddItemToArray(list, cJSON_CreateString(words[i]));
    if (CrDeckTextNumber(words[i], &value) == DECK_NUMBER)
      cJSON_AddItemToArray(list, cJSON_CreateNumber(value));
    if (!strcmp(words[i], "true")) cJSON_AddItemToArray(list, cJSON_CreateTrue());
    if (!strcmp(words[i], "false")) cJSON_AddItemToArray(list, cJSON_CreateFalse());
  }
  return schema;
}

/* ---- maps ------------------------------------------------------------------------------------ */

static PetscErrorCode row_schema(const CrKey *row, int depth, cJSON **schema);

/* The same key in several tables: either will do. */
static void add_property(cJSON *properties, const char name[], cJSON *schema)
{
  cJSON *old = cJSON_GetObjectItemCaseSensitive(properties, name), *any, *choices;

  if (!old) {
    cJSON_AddItemToObject(properties, name, schema);
    return;
  }
  if (cJSON_Compare(old, schema, 1)) {
    cJSON_Delete(schema);
    return;
  }
  any = cJSON_CreateObject();
  choices = cJSON_AddArrayToObject(any, "anyOf");
  cJSON_AddItemToArray(choices, cJSON_DetachItemViaPointer(properties, old));
  cJSON_AddItemToArray(choices, schema);
  cJSON_AddItemToObject(properties, name, any);
}

static PetscErrorCode map_schema(const CrKey *key, PetscBool partial, int depth, cJSON **schema)
{
  cJSON       *properties, *required, *property = NULL;
  const CrKey *table;

  PetscFunctionBeginUser;
  *schema = typed("object");
  if (depth > DEEPEST) PetscFunctionReturn(PETSC_SUCCESS);
  properties = cJSON_AddObjectToObject(*schema, "properties");
  for (PetscInt i = 0; (table = CrDeckTable(key, i)); i++)
    for (; table->name; table++) {
      PetscCall(row_schema(table, depth + 1, &property));
      add_property(properties, table->name, property);
    }
  cJSON_AddFalseToObject(*schema, "additionalProperties");
  if (partial) PetscFunctionReturn(PETSC_SUCCESS);
  required = cJSON_CreateArray();
  for (table = CrDeckTable(key, 0); table->name; table++)
    if (table->types & CR_MUST) cJSON_AddItemToArray(required, cJSON_CreateString(table->name));
  if (cJSON_GetArraySize(required))
    cJSON_AddItemToObject(*schema, "required", required);
  else
    cJSON_Delete(required);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode named_schema(const CrKey *key, int depth, cJSON **schema)
{
  cJSON      *value;
  char        buffer[DECK_LINE];
  const char *words[DECK_WORDS];
  PetscInt    n = CrDeckWords(key, buffer, words);

  PetscFunctionBeginUser;
  PetscCall(map_schema(key, PETSC_TRUE, depth, &value));
  *schema = typed("object");
  cJSON_AddItemToObject(*schema, "propertyNames", cJSON_CreateObject());
  cJSON_AddItemToObject(cJSON_GetObjectItem(*schema, "propertyNames"), "enum",
                        cJSON_CreateStringArray(words, (int)n));
  cJSON_AddItemToObject(*schema, "additionalProperties", value);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static cJSON *default_value(const CrDeckNode *node, unsigned types)
{
  cJSON         *value;
  const unsigned numbers = CR_REAL | CR_INTEGER | CR_REALS | CR_MATRIX;

  if (CrDeckIsNull(node)) return cJSON_CreateNull();
  if (node->kind == DECK_SCALAR) {
    if (types & numbers && CrDeckIsReal(node)) return cJSON_CreateNumber(CrDeckReal(node));
    if (types & CR_TRUTH && (CrDeckIsWord(node, "true") || CrDeckIsWord(node, "false")))
      return cJSON_CreateBool(CrDeckTruth(node));
    return cJSON_CreateString(node->text);
  }
  value = node->kind == DECK_MAP ? cJSON_CreateObject() : cJSON_CreateArray();
  for (PetscInt i = 0; i < node->count; i++) {
    cJSON *item = default_value(node->items[i], types | CR_REAL | CR_TRUTH);

    if (node->kind == DECK_MAP)
      cJSON_AddItemToObject(value, node->items[i]->name, item);
    else
      cJSON_AddItemToArray(value, item);
  }
  return value;
}

static PetscErrorCode add_default(const CrKey *row, cJSON *schema)
{
  CrDeck     *deck;
  CrDeckNode *node;

  PetscFunctionBeginUser;
  if (!row->fallback) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrDeckCreate(row->name, &deck));
  PetscCall(
      CrDeckNodeParse(deck, row->fallback, strlen(row->fallback), NULL, PETSC_FALSE, 1, &node));
  cJSON_AddItemToObject(schema, "default", default_value(node, row->types));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One schema for each kind of value that the row allows. */
static PetscErrorCode add_choices(const CrKey *row, int depth, cJSON *choices)
{
  const unsigned  types = row->types;
  const PetscBool nulls = (types & CR_NULLS) != 0;
  cJSON          *map;

  PetscFunctionBeginUser;
  if (types & CR_REAL)
    cJSON_AddItemToArray(choices, number(row, "number", PETSC_FALSE));
  else if (types & CR_INTEGER)
    cJSON_AddItemToArray(choices, number(row, "integer", PETSC_FALSE));
  if (types & CR_TRUTH) cJSON_AddItemToArray(choices, typed("boolean"));
  if (types & CR_WORD) cJSON_AddItemToArray(choices, word(row));
  if (types & CR_TEXT) cJSON_AddItemToArray(choices, typed("string"));
  if (types & CR_REALS) cJSON_AddItemToArray(choices, array_of(number(row, "number", nulls)));
  if (types & CR_WORDS) cJSON_AddItemToArray(choices, array_of(word(row)));
  if (types & CR_TEXTS) cJSON_AddItemToArray(choices, array_of(typed("string")));
  if (types & CR_MATRIX)
    cJSON_AddItemToArray(choices, array_of(array_of(number(row, "number", nulls))));
  if (types & CR_MAP) {
    PetscCall(map_schema(row, PETSC_FALSE, depth, &map));
    cJSON_AddItemToArray(choices, map);
  }
  if (types & CR_LIST) {
    PetscCall(map_schema(row, PETSC_FALSE, depth, &map));
    cJSON_AddItemToArray(choices, array_of(map));
  }
  if (types & CR_NAMED) {
    PetscCall(named_schema(row, depth, &map));
    cJSON_AddItemToArray(choices, map);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode row_schema(const CrKey *row, int depth, cJSON **schema)
{
  cJSON *choices = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCall(add_choices(row, depth, choices));
  if (cJSON_GetArraySize(choices) == 1) {
    *schema = cJSON_DetachItemFromArray(choices, 0);
    cJSON_Delete(choices);
  } else {
    *schema = cJSON_CreateObject();
    cJSON_AddItemToObject(*schema, "anyOf", choices);
  }
  if (row->help) cJSON_AddStringToObject(*schema, "description", row->help);
  PetscCall(add_default(row, *schema));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckWriteSchema(const CrKey *top, FILE *out)
{
  const CrKey key = {.name = "deck", .types = CR_MAP, .keys = top};
  cJSON      *page = cJSON_CreateObject(), *map;
  char       *text;

  PetscFunctionBeginUser;
  cJSON_AddStringToObject(page, "$schema", "https://json-schema.org/draft/2020-12/schema");
  cJSON_AddStringToObject(page, "title", "carom deck");
  PetscCall(map_schema(&key, PETSC_FALSE, 0, &map));
  while (map->child) {
    char *name = map->child->string;

    cJSON_AddItemToObject(page, name, cJSON_DetachItemViaPointer(map, map->child));
  }
  cJSON_Delete(map);
  text = cJSON_Print(page);
  cJSON_Delete(page);
  if (!text) PetscFunctionReturn(PETSC_ERR_MEM);
  errno = 0;
  fprintf(out, "%s\n", text);
  cJSON_free(text);
  if (fflush(out) || ferror(out))
    CrMachineFail("the schema cannot be written: %s", strerror(errno ? errno : EIO));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Fills in the defaults of keys that the user has not given. */
#include <string.h>
#include "deck/internal.h"

/* Most defaults are a word or a number, which need no parser. */
static PetscBool is_simple(const char text[])
{
  const char *safe = "0123456789.+_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";

  return text[0] && text[0] != '-' && !text[strspn(text, safe)];
}

static PetscErrorCode make_default(const CrDeckNode *map, const CrKey *row, CrDeckNode **node)
{
  const char *text = row->fallback;

  PetscFunctionBeginUser;
  if (is_simple(text)) {
    PetscCall(CrDeckNodeCreate(map->deck, DECK_SCALAR, map->mark, node));
    (*node)->text = text;
    (*node)->given = PETSC_FALSE;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrDeckNodeParse(map->deck, text, strlen(text), &map->mark, PETSC_FALSE, DECK_DEPTH / 2,
                            node));
  PetscCheck(*node, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the default of %s is empty", row->name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill_map(CrDeckNode *map, const CrKey *table);

static PetscErrorCode fill_value(CrDeckNode *node, const CrKey *row)
{
  PetscFunctionBeginUser;
  if (node->kind == DECK_MAP && row->types & CR_MAP) PetscCall(fill_map(node, row->keys));
  if (node->kind == DECK_LIST && row->types & CR_LIST)
    for (PetscInt i = 0; i < node->count; i++)
      if (node->items[i]->kind == DECK_MAP) PetscCall(fill_map(node->items[i], row->keys));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill_map(CrDeckNode *map, const CrKey *table)
{
  PetscFunctionBeginUser;
  for (const CrKey *row = table; row && row->name; row++) {
    PetscInt    i = CrDeckNodeIndex(map, row->name, strlen(row->name));
    CrDeckNode *node = i < 0 ? NULL : map->items[i];

    if (CrDeckIsNull(node) && row->fallback) {
      PetscCall(make_default(map, row, &node));
      if (i < 0)
        PetscCall(CrDeckNodeAdd(map, row->name, map->mark, node));
      else
        CrDeckNodeReplace(map, i, node);
    }
    /* what says no more than the default was not given: run.yaml spells all of them out */
    if (node && row->fallback && node->kind == DECK_SCALAR && !strcmp(node->text, row->fallback))
      node->given = PETSC_FALSE;
    if (node) PetscCall(fill_value(node, row));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Checked a second time, for what a default map may leave missing. */
static PetscErrorCode check_and_fill(CrDeckNode *map, const CrKey *key, PetscBool strict)
{
  PetscFunctionBeginUser;
  PetscCall(CrDeckCheckMap(map, key, strict));
  PetscCall(fill_map(map, key->keys));
  PetscCall(CrDeckCheckMap(map, key, strict));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckValidate(CrDeck *deck, const CrKey *top)
{
  const CrKey key = {.name = "deck", .types = CR_MAP, .keys = top};

  PetscFunctionBeginUser;
  PetscCall(check_and_fill(deck->root, &key, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckFill(CrDeck *deck, const CrDeckNode *map, const CrKey *table)
{
  const CrKey key = {.name = "map", .types = CR_MAP, .keys = table};

  PetscFunctionBeginUser;
  PetscCheck(map && map->deck == deck, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "no map of this deck");
  PetscCall(check_and_fill((CrDeckNode *)map, &key, PETSC_FALSE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

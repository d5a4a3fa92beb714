/* The tree of a deck: memory, nodes, and functions to find values. */
#include <stddef.h>
#include <string.h>
#include "deck/internal.h"

struct DeckBlock {
  DeckBlock  *next;
  max_align_t data[];
};

PetscErrorCode CrDeckCreate(const char name[], CrDeck **deck)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(1, deck));
  PetscCall(CrDeckCopyText(*deck, name, strlen(name), &(*deck)->path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckDestroy(CrDeck **deck)
{
  PetscFunctionBeginUser;
  if (!*deck) PetscFunctionReturn(PETSC_SUCCESS);
  while ((*deck)->blocks) {
    DeckBlock *block = (*deck)->blocks;

    (*deck)->blocks = block->next;
    PetscCall(PetscFree(block));
  }
  PetscCall(PetscFree(*deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckMalloc(CrDeck *deck, size_t bytes, void *out)
{
  DeckBlock *block;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc(offsetof(DeckBlock, data) + bytes, &block));
  memset(block->data, 0, bytes);
  block->next = deck->blocks;
  deck->blocks = block;
  *(void **)out = block->data;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckCopyText(CrDeck *deck, const char text[], size_t length, const char **copy)
{
  char *room;

  PetscFunctionBeginUser;
  PetscCall(CrDeckMalloc(deck, length + 1, &room));
  memcpy(room, text, length);
  *copy = room;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckSetText(const CrDeckNode *node, const char text[])
{
  CrDeckNode *scalar = (CrDeckNode *)node; /* the deck is ours to change, the caller only points */

  PetscFunctionBeginUser;
  PetscCall(CrDeckCopyText(node->deck, text, strlen(text), &scalar->text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckNodeCreate(CrDeck *deck, DeckKind kind, DeckMark mark, CrDeckNode **node)
{
  PetscFunctionBeginUser;
  PetscCall(CrDeckMalloc(deck, sizeof **node, node));
  (*node)->deck = deck;
  (*node)->kind = kind;
  (*node)->mark = mark;
  (*node)->given = PETSC_TRUE;
  deck->nodes++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckNodeAdd(CrDeckNode *parent, const char name[], DeckMark name_mark,
                             CrDeckNode *child)
{
  PetscFunctionBeginUser;
  if (parent->count == parent->capacity) {
    PetscInt     capacity = PetscMax(4, 2 * parent->capacity);
    CrDeckNode **items;

    PetscCall(CrDeckMalloc(parent->deck, (size_t)capacity * sizeof *items, &items));
    for (PetscInt i = 0; i < parent->count; i++) items[i] = parent->items[i];
    parent->items = items;
    parent->capacity = capacity;
  }
  child->parent = parent;
  child->index = parent->count;
  child->name = name;
  child->name_mark = name_mark;
  parent->items[parent->count++] = child;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrDeckNodeReplace(CrDeckNode *parent, PetscInt i, CrDeckNode *child)
{
  child->parent = parent;
  child->index = i;
  child->name = parent->items[i]->name;
  child->name_mark = parent->items[i]->name_mark;
  parent->items[i] = child;
}

PetscErrorCode CrDeckNodeCopy(CrDeck *deck, const CrDeckNode *from, PetscInt depth,
                              CrDeckNode **copy)
{
  CrDeckNode *top;

  PetscFunctionBeginUser;
  if (depth > DECK_DEPTH)
    CrDeckFail(from, "lists and mappings are nested deeper than %d levels", DECK_DEPTH);
  PetscCall(CrDeckNodeCreate(deck, from->kind, from->mark, &top));
  top->sense = from->sense;
  top->given = from->given;
  top->quoted = from->quoted;
  top->text = from->text;
  for (PetscInt i = 0; i < from->count; i++) {
    const CrDeckNode *item = from->items[i];
    CrDeckNode       *child;

    PetscCall(CrDeckNodeCopy(deck, item, depth + 1, &child));
    PetscCall(CrDeckNodeAdd(top, item->name, item->name_mark, child));
  }
  *copy = top;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrDeckNodeIndex(const CrDeckNode *map, const char name[], size_t length)
{
  if (map->kind != DECK_MAP) return -1;
  for (PetscInt i = 0; i < map->count; i++) {
    const char *key = map->items[i]->name;

    if (!strncmp(key, name, length) && !key[length]) return i;
  }
  return -1;
}

PetscInt CrDeckPathIndex(const char segment[], size_t length)
{
  PetscInt index = 0;

  if (length == 0 || length > 8) return -1;
  for (size_t i = 0; i < length; i++) {
    if (segment[i] < '0' || segment[i] > '9') return -1;
    index = 10 * index + (segment[i] - '0');
  }
  return index;
}

const CrDeckNode *CrDeckRoot(const CrDeck *deck)
{
  return deck ? deck->root : NULL;
}

const char *CrDeckPath(const CrDeck *deck)
{
  return deck->path;
}

const CrDeckNode *CrDeckFind(const CrDeckNode *node, const char path[])
{
  while (node && *path) {
    size_t   length = strcspn(path, ".");
    PetscInt i = node->kind == DECK_LIST ? CrDeckPathIndex(path, length)
                                         : CrDeckNodeIndex(node, path, length);

    node = CrDeckItem(node, i);
    path += length;
    if (*path) path++;
  }
  return CrDeckIsNull(node) ? NULL : node;
}

PetscBool CrDeckIsMap(const CrDeckNode *node)
{
  return node && node->kind == DECK_MAP;
}

PetscBool CrDeckIsList(const CrDeckNode *node)
{
  return node && node->kind == DECK_LIST;
}

PetscBool CrDeckIsGiven(const CrDeckNode *node)
{
  return node ? node->given : PETSC_FALSE;
}

PetscInt CrDeckCount(const CrDeckNode *node)
{
  return node ? node->count : 0;
}

const CrDeckNode *CrDeckItem(const CrDeckNode *node, PetscInt i)
{
  return i >= 0 && i < CrDeckCount(node) ? node->items[i] : NULL;
}

const char *CrDeckName(const CrDeckNode *map, PetscInt i)
{
  const CrDeckNode *item = CrDeckItem(map, i);

  return item ? item->name : NULL;
}

/* Replaces values of the tree: by --set from the command line, or by the entries of another map. */
#include <string.h>
#include "deck/internal.h"

/* "time.step" of "time.step=0.1", and the place that its nodes get. */
typedef struct {
  CrDeck     *deck;
  const char *path; /* up to '=' */
  const char *end;  /* '=' */
  DeckMark    mark;
} Set;

static PetscErrorCode fail_at(const Set *set, const CrDeckNode *node, const char message[])
{
  char path[DECK_LINE];

  CrDeckNodePath(node, path);
  return CrDeckErrorAt(set->mark, path, message);
}

static size_t segment_length(const char segment[])
{
  return strcspn(segment, ".=");
}

/* Room for "--set ..." in messages, the text itself clipped. */
static PetscErrorCode begin(CrDeck *deck, const char text[], Set *set)
{
  char     clip[DECK_CLIP], place[DECK_CLIP + 8];
  PetscInt segments = 0;

  PetscFunctionBeginUser;
  snprintf(place, sizeof place, "--set %s", CrDeckClip(text, clip));
  PetscCall(CrDeckCopyText(deck, place, strlen(place), &set->mark.file));
  set->mark.line = set->mark.column = 0;
  set->deck = deck;
  set->path = text;
  set->end = strchr(text, '=');
  if (!set->end)
    PetscFunctionReturn(CrDeckErrorAt(set->mark, "", "expected key.path=value, found no \"=\""));
  for (const char *s = text; s <= set->end; s += segment_length(s) + 1, segments++)
    if (segment_length(s) == 0)
      PetscFunctionReturn(CrDeckErrorAt(set->mark, "", "a key before the \"=\" is empty"));

  /* every key of the tables is plain ASCII, so this cannot be one */
  for (const char *s = text; s < set->end; s++)
    if (*s < ' ' || *s > '~')
      PetscFunctionReturn(
          CrDeckErrorAt(set->mark, "", "a key contains a character that is not allowed"));
  if (segments >= DECK_DEPTH) PetscFunctionReturn(CrDeckErrorAt(set->mark, "", "nested too deep"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode parse_value(const Set *set, PetscInt depth, CrDeckNode **value)
{
  PetscFunctionBeginUser;
  PetscCall(CrDeckNodeParse(set->deck, set->end + 1, strlen(set->end + 1), &set->mark, PETSC_TRUE,
                            depth, value));
  if (!*value) { /* "key=": null */
    PetscCall(CrDeckNodeCreate(set->deck, DECK_SCALAR, set->mark, value));
    (*value)->text = "~";
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Index of a path segment in its parent; the parent's count where it can be added. */
static PetscErrorCode find_slot(const Set *set, const CrDeckNode *node, const char segment[],
                                PetscInt *slot)
{
  size_t length = segment_length(segment);
  char   message[256];

  PetscFunctionBeginUser;
  if (node->kind == DECK_SCALAR)
    PetscFunctionReturn(fail_at(set, node, "is a single value, so nothing can be set inside it"));
  if (node->kind == DECK_MAP) {
    *slot = CrDeckNodeIndex(node, segment, length);
    if (*slot < 0) *slot = node->count;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  *slot = CrDeckPathIndex(segment, length);
  if (*slot >= 0 && *slot <= node->count) PetscFunctionReturn(PETSC_SUCCESS);
  snprintf(message, sizeof message,
           "expected an index from 0 to %" PetscInt_FMT " of the list, found \"%.*s\"", node->count,
           (int)PetscMin(length, 60), segment);
  PetscFunctionReturn(fail_at(set, node, message));
}

static PetscErrorCode put(const Set *set, CrDeckNode *parent, PetscInt slot, const char segment[],
                          CrDeckNode *child)
{
  const char *name = NULL;

  PetscFunctionBeginUser;
  if (slot < parent->count) {
    CrDeckNodeReplace(parent, slot, child);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (parent->kind == DECK_MAP)
    PetscCall(CrDeckCopyText(set->deck, segment, segment_length(segment), &name));
  PetscCall(CrDeckNodeAdd(parent, name, set->mark, child));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One level down; what is missing becomes a list where an index follows, else a map. */
static PetscErrorCode descend(const Set *set, const char segment[], CrDeckNode **node)
{
  const char *next = segment + segment_length(segment) + 1;
  CrDeckNode *child;
  PetscInt    slot;
  DeckKind    kind = CrDeckPathIndex(next, segment_length(next)) < 0 ? DECK_MAP : DECK_LIST;

  PetscFunctionBeginUser;
  PetscCall(find_slot(set, *node, segment, &slot));
  if (slot < (*node)->count && !CrDeckIsNull((*node)->items[slot])) {
    *node = (*node)->items[slot];
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrDeckNodeCreate(set->deck, kind, set->mark, &child));
  PetscCall(put(set, *node, slot, segment, child));
  *node = child;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode apply(CrDeck *deck, const char text[])
{
  Set         set;
  CrDeckNode *node = deck->root, *value;
  const char *segment;
  PetscInt    slot, depth = 2;

  PetscFunctionBeginUser;
  PetscCall(begin(deck, text, &set));
  segment = set.path;
  for (; segment[segment_length(segment)] == '.'; segment += segment_length(segment) + 1, depth++)
    PetscCall(descend(&set, segment, &node));
  PetscCall(find_slot(&set, node, segment, &slot));
  PetscCall(parse_value(&set, depth, &value));
  PetscCall(put(&set, node, slot, segment, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckApplySets(CrDeck *deck)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < deck->nsets; i++) PetscCall(apply(deck, deck->sets[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt depth_of(const CrDeckNode *node)
{
  PetscInt depth = 1;

  while ((node = node->parent)) depth++;
  return depth;
}

static PetscErrorCode lay_over(CrDeckNode *onto, const CrDeckNode *over)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < over->count; i++) {
    const CrDeckNode *item = over->items[i];
    PetscInt          slot = CrDeckNodeIndex(onto, item->name, strlen(item->name));
    CrDeckNode       *copy;

    PetscCall(CrDeckNodeCopy(onto->deck, item, depth_of(onto) + 1, &copy));
    if (slot >= 0)
      CrDeckNodeReplace(onto, slot, copy);
    else
      PetscCall(CrDeckNodeAdd(onto, item->name, item->name_mark, copy));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What of a --set path follows the path of the node, NULL if it leads elsewhere. */
static const char *path_below(const CrDeckNode *node, const char path[])
{
  const char *rest;
  size_t      length;

  if (!node->parent) return path;
  rest = path_below(node->parent, path);
  if (!rest) return NULL;
  length = segment_length(rest);
  if (node->name) {
    if (strlen(node->name) != length || strncmp(node->name, rest, length)) return NULL;
  } else if (CrDeckPathIndex(rest, length) != node->index)
    return NULL;
  return rest[length] == '.' ? rest + length + 1 : rest + length;
}

/* --set of something inside the map again; --set of the whole map lays its entries over. */
static PetscErrorCode apply_again(CrDeckNode *onto, const char text[])
{
  const char *rest = path_below(onto, text);
  Set         set;
  CrDeckNode *value;

  PetscFunctionBeginUser;
  if (!rest) PetscFunctionReturn(PETSC_SUCCESS);
  if (*rest != '=') {
    PetscCall(apply(onto->deck, text));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(begin(onto->deck, text, &set));
  PetscCall(parse_value(&set, depth_of(onto), &value));
  if (value->kind == DECK_MAP) PetscCall(lay_over(onto, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckMerge(CrDeck *deck, const CrDeckNode *onto, const CrDeckNode *over)
{
  CrDeckNode *map = (CrDeckNode *)onto; /* the deck is ours to change, the caller only points */

  PetscFunctionBeginUser;
  if (CrDeckIsNull(over)) PetscFunctionReturn(PETSC_SUCCESS);
  if (!CrDeckIsMap(over)) CrDeckFail(over, "expected a mapping");
  PetscCheck(CrDeckIsMap(onto) && onto->deck == deck, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
             "%s: no mapping of this deck to lay over", CrDeckPlace(onto));
  PetscCall(lay_over(map, over));
  for (PetscInt i = 0; i < deck->nsets; i++) PetscCall(apply_again(map, deck->sets[i]));
  ((CrDeckNode *)over)->count = 0; /* spent: the deck, written and read again, is the same */
  PetscFunctionReturn(PETSC_SUCCESS);
}

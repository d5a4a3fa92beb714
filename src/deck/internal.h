/* Declares the types and functions that the files of src/deck share: nodes of the tree, their positions in the file,
   and reading of YAML text. The position of a node is called its mark: a file with line and column. */
#pragma once

#include "deck/deck.h"

#define DECK_DEPTH 64 /* greatest depth of nested maps and lists */
/* greatest number of values that all YAML aliases together may copy */
#define DECK_COPIES  100000
#define DECK_VALUES  4000000  /* greatest number of values in one deck */
#define DECK_ANCHORS 1000     /* greatest number of YAML anchors in one deck */
#define DECK_BYTES   67108864 /* greatest size of a deck, in bytes */
#define DECK_CLIP    72       /* bytes for a text that is shown in a message */
#define DECK_LINE    1024     /* bytes for a dotted path, or for a list of words in a message */
#define DECK_WORDS   256      /* greatest number of words that one key allows */

typedef enum { DECK_SCALAR, DECK_MAP, DECK_LIST } DeckKind;

/* The type of a scalar according to the table of keys. The type decides how CrDeckWrite writes the scalar. */
typedef enum { DECK_AS_WRITTEN, DECK_AS_NUMBER, DECK_AS_TRUTH, DECK_AS_TEXT } DeckSense;

typedef enum { DECK_NO_NUMBER, DECK_NOT_FINITE, DECK_NUMBER } DeckNumber;

typedef struct {
  /* name of the file, borrowed from the deck; if `line` is 0, the whole position as text, such as "--set a=1" */
  const char *file;
  PetscInt    line, column; /* line and column, counted from 1 */
} DeckMark;

struct CrDeckNode {
  CrDeck      *deck;   /* borrowed; the deck owns the memory of all its nodes */
  CrDeckNode  *parent; /* borrowed; NULL for the root */
  DeckKind     kind;
  DeckSense    sense;
  PetscBool    given, quoted;
  DeckMark     mark, name_mark; /* positions of the value and of its key */
  const char  *name;            /* key of this node if its parent is a map, else NULL */
  PetscInt     index;           /* index among the items of the parent, from 0 */
  const char  *text; /* text of a scalar; copies of a node share the text of the original */
  PetscInt     count, capacity; /* maps and lists: number of items, and allocated number of items */
  CrDeckNode **items;
  const char  *place; /* text that CrDeckPlace returns, made by its first call */
};

typedef struct DeckBlock DeckBlock;

/* A deck. Nodes are freed only together with the deck, so pointers to nodes that were replaced stay valid. */
struct CrDeck {
  const char  *path;
  CrDeckNode  *root;
  PetscInt     nsets, nodes, copies;
  const char **sets;
  DeckBlock   *blocks; /* list of all memory blocks of the deck; owned */
};

/* ---- memory and tree (tree.c) ---------------------------------------------------------------- */

PetscErrorCode CrDeckCreate(const char name[], CrDeck **deck);
PetscErrorCode CrDeckMalloc(CrDeck *deck, size_t bytes, void *out);
PetscErrorCode CrDeckCopyText(CrDeck *deck, const char text[], size_t length, const char **copy);
PetscErrorCode CrDeckNodeCreate(CrDeck *deck, DeckKind kind, DeckMark mark, CrDeckNode **node);
/* Appends a child to the items of `parent`. `name` is the key of the child if the parent is a map, and NULL for a
   list. */
PetscErrorCode CrDeckNodeAdd(CrDeckNode *parent, const char name[], DeckMark name_mark,
                             CrDeckNode *child);
void           CrDeckNodeReplace(CrDeckNode *parent, PetscInt i, CrDeckNode *child);
/* Copies the node `from` and all nodes below it. The copied top node has no parent. `depth` is the depth in the deck at
   which the copy will be put. */
PetscErrorCode CrDeckNodeCopy(CrDeck *deck, const CrDeckNode *from, PetscInt depth,
                              CrDeckNode **copy);
/* Returns the index of the entry `name` (of `length` bytes) in a map, also if its value is null. Returns -1 if the
   entry is absent. */
PetscInt CrDeckNodeIndex(const CrDeckNode *map, const char name[], size_t length);
/* Returns the list index that one segment of a dotted path denotes, such as 12 for "12". Returns -1 if the segment is
   not an index. */
PetscInt CrDeckPathIndex(const char segment[], size_t length);

/* ---- messages (place.c) ---------------------------------------------------------------------- */

void CrDeckNodePath(const CrDeckNode *node, char path[DECK_LINE]);
/* Copies a text to `clip` so that it fits into one line of a message: long texts are cut, and control characters are
   replaced. Returns `clip`. */
const char *CrDeckClip(const char text[], char clip[DECK_CLIP]);
/* Records the error message "mark: path: message", where mark is shown as file:line:column. Returns CR_ERR_INPUT. */
PetscErrorCode CrDeckErrorAt(DeckMark mark, const char path[], const char message[]);
/* Appends formatted text to the text in a buffer of `size` bytes. The result is cut if it does not fit. */
void CrDeckAppend(char buffer[], size_t size, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(3, 4);

/* ---- scalars (scalar.c) ---------------------------------------------------------------------- */

DeckNumber CrDeckTextNumber(const char text[], PetscReal *value);
/* true: the value is an integer that fits into PetscInt */
PetscBool CrDeckNumberIsInteger(PetscReal value);

/* ---- reading and laying over (parse.c, set.c) ------------------------------------------------ */

/* Parses YAML text into a tree and sets *node to its top node, which has no parent. *node is NULL if the text is empty.
   If `fixed` is not NULL, every node gets the position *fixed. Otherwise a node gets its position in the deck's file.
   If `given` is true, the nodes are marked as written by the user. `depth` is the depth in the deck at which the tree
   will be put. */
PetscErrorCode CrDeckNodeParse(CrDeck *deck, const char text[], size_t length,
                               const DeckMark *fixed, PetscBool given, PetscInt depth,
                               CrDeckNode **node);
PetscErrorCode CrDeckApplySets(CrDeck *deck);

/* ---- tables (table.c, validate.c) ------------------------------------------------------------ */

/* CrDeckTable returns the i-th table for the maps under a key: first the key's own table, then the tables of registries
   (CrKey.more). CrDeckTable returns NULL after the last table. CrDeckRow returns the row of a table with this name, or
   NULL. */
const CrKey *CrDeckTable(const CrKey *key, PetscInt i);
const CrKey *CrDeckRow(const CrKey *table, const char name[]);
/* Lists in `words` all words that a key allows: its own words, which are copied to the buffer, and the words of
   registries (CrKey.more_words). Returns the number of words. */
PetscInt CrDeckWords(const CrKey *key, char buffer[DECK_LINE], const char *words[DECK_WORDS]);

typedef struct {
  PetscReal low, high;
  PetscBool low_in, high_in; /* true: the bound itself is allowed */
} DeckRange;
DeckRange CrDeckRange(const char range[]);
PetscBool CrDeckRangeHas(const DeckRange *range, PetscReal value);

/* Checks the node `map` against all tables of a key. If `strict` is true, unknown keys in the map are user errors. */
PetscErrorCode CrDeckCheckMap(CrDeckNode *map, const CrKey *key, PetscBool strict);

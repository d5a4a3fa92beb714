/* Declarations that the files of this folder share: nodes of the tree, their places in the file, and reading of YAML
   text. A place (mark) is a file with line and column. */
#pragma once

#include "deck/deck.h"

#define DECK_DEPTH   64       /* deepest nesting */
#define DECK_COPIES  100000   /* most values that all aliases together may copy */
#define DECK_VALUES  4000000  /* most values of one deck */
#define DECK_ANCHORS 1000     /* most anchors of one deck */
#define DECK_BYTES   67108864 /* size of the longest file */
#define DECK_CLIP    72       /* room for a text shown in a message */
#define DECK_LINE    1024     /* room for a dotted path or a list of words in a message */
#define DECK_WORDS   256      /* most words of one key */

typedef enum { DECK_SCALAR, DECK_MAP, DECK_LIST } DeckKind;

/* The type that the tables gave a scalar. The type decides how the scalar is written. */
typedef enum { DECK_AS_WRITTEN, DECK_AS_NUMBER, DECK_AS_TRUTH, DECK_AS_TEXT } DeckSense;

typedef enum { DECK_NO_NUMBER, DECK_NOT_FINITE, DECK_NUMBER } DeckNumber;

typedef struct {
  const char      *
      file; /* name of the file, borrowed from the deck; if `line` is 0: the whole place, such as "--set a=1" */
  PetscInt line, column; /* line and column, counted from 1 */
} DeckMark;

struct CrDeckNode {
  CrDeck      *deck;   /* borrowed; the deck owns the memory of all its nodes */
  CrDeckNode  *parent; /* borrowed; NULL for the root */
  DeckKind     kind;
  DeckSense    sense;
  PetscBool    given, quoted;
  DeckMark     mark, name_mark; /* places of the value and of its key */
  const char  *name;            /* key in a parent map, else NULL */
  PetscInt     index;           /* position in the parent */
  const char  *text; /* scalars: the text; copies of a node share the text of the original */
  PetscInt     count, capacity; /* maps and lists: number of items, and room for items */
  CrDeckNode **items;
  const char  *place; /* result of CrDeckPlace, made by its first call */
};

typedef struct DeckBlock DeckBlock;

/* A deck. No node is freed before the deck, so pointers to nodes that were replaced stay valid. */
struct CrDeck {
  const char  *path;
  CrDeckNode  *root;
  PetscInt     nsets, nodes, copies;
  const char **sets;
  DeckBlock   *blocks; /* owned: every allocation of the deck */
};

/* ---- memory and tree (tree.c) ---------------------------------------------------------------- */

PetscErrorCode CrDeckCreate(const char name[], CrDeck **deck);
PetscErrorCode CrDeckMalloc(CrDeck *deck, size_t bytes, void *out);
PetscErrorCode CrDeckCopyText(CrDeck *deck, const char text[], size_t length, const char **copy);
PetscErrorCode CrDeckNodeCreate(CrDeck *deck, DeckKind kind, DeckMark mark, CrDeckNode **node);
/* Appends a child to a map (with a name) or to a list. */
PetscErrorCode CrDeckNodeAdd(CrDeckNode *parent, const char name[], DeckMark name_mark,
                             CrDeckNode *child);
void           CrDeckNodeReplace(CrDeckNode *parent, PetscInt i, CrDeckNode *child);
/* Copies a tree. The top of the copy has no parent. `depth` is the depth in the deck at which the copy will be
   put. */
PetscErrorCode CrDeckNodeCopy(CrDeck *deck, const CrDeckNode *from, PetscInt depth,
                              CrDeckNode **copy);
/* Returns the index of an entry in a map, whether its value is null or not; -1 if it is absent. */
PetscInt CrDeckNodeIndex(const CrDeckNode *map, const char name[], size_t length);
/* Returns the index that a segment of a path denotes, such as 12 for "12"; -1 if the segment is not an index. */
PetscInt CrDeckPathIndex(const char segment[], size_t length);

/* ---- messages (place.c) ---------------------------------------------------------------------- */

void CrDeckNodePath(const CrDeckNode *node, char path[DECK_LINE]);
/* Makes a text fit for one line of a message: it is cut, and control characters are replaced. */
const char *CrDeckClip(const char text[], char clip[DECK_CLIP]);
/* Records the error "place: path: message". Returns CR_ERR_INPUT. */
PetscErrorCode CrDeckErrorAt(DeckMark mark, const char path[], const char message[]);
/* Appends to a text in a buffer of `size` bytes; the text is cut if it does not fit. */
void CrDeckAppend(char buffer[], size_t size, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(3, 4);

/* ---- scalars (scalar.c) ---------------------------------------------------------------------- */

DeckNumber CrDeckTextNumber(const char text[], PetscReal *value);
PetscBool  CrDeckNumberIsInteger(PetscReal value); /* integral and within PetscInt */

/* ---- reading and laying over (parse.c, set.c) ------------------------------------------------ */

/* Parses YAML text into a tree without a parent; *node is NULL if the text is empty. If `fixed` is not NULL, every node
   gets the place *fixed; else a node gets its place in the deck's file. `given` marks the nodes as written by the user.
   `depth` is the depth in the deck at which the tree will be put. */
PetscErrorCode CrDeckNodeParse(CrDeck *deck, const char text[], size_t length,
                               const DeckMark *fixed, PetscBool given, PetscInt depth,
                               CrDeckNode **node);
PetscErrorCode CrDeckApplySets(CrDeck *deck);

/* ---- tables (table.c, validate.c) ------------------------------------------------------------ */

/* CrDeckTable returns the i-th table of a key that has maps: first its own table, then the tables of registries; NULL
   after the last. */
const CrKey *CrDeckTable(const CrKey *key, PetscInt i);
const CrKey *CrDeckRow(const CrKey *table, const char name[]);
/* Lists all words of a key: its own words, which are copied to the buffer, and those of registries. Returns the number
   of words. */
PetscInt CrDeckWords(const CrKey *key, char buffer[DECK_LINE], const char *words[DECK_WORDS]);

typedef struct {
  PetscReal low, high;
  PetscBool low_in, high_in; /* the bound itself is allowed */
} DeckRange;
DeckRange CrDeckRange(const char range[]);
PetscBool CrDeckRangeHas(const DeckRange *range, PetscReal value);

/* Checks a map against all tables of a key. If `strict` is true, unknown keys are user errors. */
PetscErrorCode CrDeckCheckMap(CrDeckNode *map, const CrKey *key, PetscBool strict);

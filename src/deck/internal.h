/* What the files of this folder share: the nodes, their places, and reading YAML text into them. */
#pragma once

#include "deck/deck.h"

#define DECK_DEPTH   64       /* deepest nesting */
#define DECK_COPIES  100000   /* values that aliases may copy, all together */
#define DECK_VALUES  4000000  /* values of one deck */
#define DECK_ANCHORS 1000     /* anchors of one deck */
#define DECK_BYTES   67108864 /* longest file */
#define DECK_CLIP    72       /* room for a text shown in a message */
#define DECK_LINE    1024     /* room for a dotted path or a list of words in a message */
#define DECK_WORDS   256      /* most words of one key */

typedef enum { DECK_SCALAR, DECK_MAP, DECK_LIST } DeckKind;

/* What the tables took a scalar for; decides how it is written. */
typedef enum { DECK_AS_WRITTEN, DECK_AS_NUMBER, DECK_AS_TRUTH, DECK_AS_TEXT } DeckSense;

typedef enum { DECK_NO_NUMBER, DECK_NOT_FINITE, DECK_NUMBER } DeckNumber;

typedef struct {
  const char *file;         /* borrowed from the deck; with line 0 the whole place ("--set a=1") */
  PetscInt    line, column; /* from 1 */
} DeckMark;

struct CrDeckNode {
  CrDeck      *deck;   /* borrowed; owns all the memory below */
  CrDeckNode  *parent; /* borrowed; NULL for the root */
  DeckKind     kind;
  DeckSense    sense;
  PetscBool    given, quoted;
  DeckMark     mark, name_mark; /* of the value and of its key */
  const char  *name;            /* key in a parent map, else NULL */
  PetscInt     index;           /* in the parent */
  const char  *text;            /* scalars; shared by copies */
  PetscInt     count, capacity; /* maps and lists */
  CrDeckNode **items;
  const char  *place; /* CrDeckPlace, made when first asked for */
};

typedef struct DeckBlock DeckBlock;

/* Nothing is freed before the deck: nodes that were laid over stay valid for who looked at them. */
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
/* Puts the child at the end of a map (with a name) or of a list. */
PetscErrorCode CrDeckNodeAdd(CrDeckNode *parent, const char name[], DeckMark name_mark,
                             CrDeckNode *child);
void           CrDeckNodeReplace(CrDeckNode *parent, PetscInt i, CrDeckNode *child);
/* Deep copy, its top without a parent. `depth`: how deep the copy will stand. */
PetscErrorCode CrDeckNodeCopy(CrDeck *deck, const CrDeckNode *from, PetscInt depth,
                              CrDeckNode **copy);
/* Entry of a map, null or not; -1 if absent. */
PetscInt CrDeckNodeIndex(const CrDeckNode *map, const char name[], size_t length);
/* "12" as an index; -1 if it is none. */
PetscInt CrDeckPathIndex(const char segment[], size_t length);

/* ---- messages (place.c) ---------------------------------------------------------------------- */

void CrDeckNodePath(const CrDeckNode *node, char path[DECK_LINE]);
/* A text fit for one line of a message: not too long, without control characters. */
const char *CrDeckClip(const char text[], char clip[DECK_CLIP]);
/* "place: path: message" recorded; returns CR_ERR_INPUT. */
PetscErrorCode CrDeckErrorAt(DeckMark mark, const char path[], const char message[]);
/* Appends to a text in a buffer; what does not fit is cut. */
void CrDeckAppend(char buffer[], size_t size, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(3, 4);

/* ---- scalars (scalar.c) ---------------------------------------------------------------------- */

DeckNumber CrDeckTextNumber(const char text[], PetscReal *value);
PetscBool  CrDeckNumberIsInteger(PetscReal value); /* integral and within PetscInt */

/* ---- reading and laying over (parse.c, set.c) ------------------------------------------------ */

/* YAML text as a tree without a parent, NULL if it is empty. With `fixed` every node has that
   place, without it stands in the deck's own file. `depth`: how deep the tree will stand. */
PetscErrorCode CrDeckNodeParse(CrDeck *deck, const char text[], size_t length,
                               const DeckMark *fixed, PetscBool given, PetscInt depth,
                               CrDeckNode **node);
PetscErrorCode CrDeckApplySets(CrDeck *deck);

/* ---- tables (table.c, validate.c) ------------------------------------------------------------ */

/* i-th table of a key that holds maps: its own first, then those of registries; NULL after the
 * last. */
const CrKey *CrDeckTable(const CrKey *key, PetscInt i);
const CrKey *CrDeckRow(const CrKey *table, const char name[]);
/* The words of a key, own and further ones; the buffer keeps the own ones. */
PetscInt CrDeckWords(const CrKey *key, char buffer[DECK_LINE], const char *words[DECK_WORDS]);

typedef struct {
  PetscReal low, high;
  PetscBool low_in, high_in; /* the bound itself is allowed */
} DeckRange;
DeckRange CrDeckRange(const char range[]);
PetscBool CrDeckRangeHas(const DeckRange *range, PetscReal value);

/* Checks a map against all tables of a key. `strict`: unknown keys are mistakes. */
PetscErrorCode CrDeckCheckMap(CrDeckNode *map, const CrKey *key, PetscBool strict);

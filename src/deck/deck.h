/* Reads, checks and writes decks. A deck is the user's input file, in YAML 1.2. The deck is read into a tree whose
   nodes are maps, lists and scalars. Each node stores its line and column in the file, for messages. Tables of keys
   state which keys and values are valid, and the defaults. The tree is checked against these tables, and the JSON
   Schema is made from them. */
#pragma once

#include "base/base.h"

/* ---- the tables -------------------------------------------------------------------------------- */

/* Types of values that a key may have. The types are combined by | if a key accepts several types. */
enum {
  CR_REAL = 1 << 0, /* a finite number */
  CR_INTEGER = 1 << 1,
  CR_TRUTH = 1 << 2,  /* true or false */
  CR_WORD = 1 << 3,   /* one of the words listed in the member `words` */
  CR_WORDS = 1 << 4,  /* a list of words, each listed in the member `words` */
  CR_TEXT = 1 << 5,   /* any text: a name, a title, a path */
  CR_TEXTS = 1 << 6,  /* a list of texts */
  CR_REALS = 1 << 7,  /* a list of numbers */
  CR_NULLS = 1 << 8,  /* with CR_REALS: a number of the list may be missing, written as ~ */
  CR_MATRIX = 1 << 9, /* a list of lists of numbers */
  CR_MAP = 1 << 10,   /* a mapping with the keys in the tables `keys` and `more` */
  CR_LIST = 1 << 11,  /* a list of mappings with the keys in the tables `keys` and `more` */
  /* a mapping from words of `words` to mappings with the keys of `keys`, as under `methods:` */
  CR_NAMED = 1 << 12,
  CR_MUST = 1 << 13 /* the key must be given */
};

/* One row of a table of keys: it describes one key of the deck. Tables end with a row whose name is NULL. */
struct CrKey {
  const char *name;
  unsigned    types;
  const char *fallback; /* default value, as YAML text; NULL: the key has no default */
  const char *words;    /* for CR_WORD, CR_WORDS, CR_NAMED: the words, such as "strain|stress" */
  /* interval of allowed numbers, such as "(0,inf)", "[0,0.5)" or "[1,inf)"; NULL: any */
  const char  *range;
  const CrKey *keys; /* for CR_MAP, CR_LIST, CR_NAMED: table of the mapping's keys */
  const char  *help; /* description in one line, for the JSON Schema */
  /* more_words(i) returns the i-th allowed word in addition to `words`. more(i) returns the i-th table in addition to
     `keys`. Both functions return NULL after the last one. A mapping may have keys of all these tables. CrDeckValidate
     does not fill in the defaults of the additional tables; CrDeckFill does. */
  const char *(*more_words)(PetscInt i);
  const CrKey *(*more)(PetscInt i);
};

/* ---- reading and checking ---------------------------------------------------------------------- */

/* Reads a deck from a file. Rank 0 reads the file, and all ranks parse it. `sets` has nsets texts of the form
   "key.path=value" (option --set), which replace values of the tree. For a mistake in the deck the function returns
   CR_ERR_INPUT, with a message that begins with file:line:column. Collective. */
PetscErrorCode CrDeckRead(MPI_Comm comm, const char path[], PetscInt nsets,
                          const char *const sets[], CrDeck **deck);
/* Reads a deck from a text in memory, as CrDeckRead does from a file. Messages show `name` instead of a file name. */
PetscErrorCode CrDeckParse(const char name[], const char text[], size_t length, PetscInt nsets,
                           const char *const sets[], CrDeck **deck);
/* Moves all entries of the map `over` into the map `onto`, where they replace entries of the same name. `over` is empty
   afterwards. The function then applies the --set values again, so that these values take precedence. CrDeckMerge is
   used for the key `methods:`, whose entries replace settings for one method. */
PetscErrorCode CrDeckMerge(CrDeck *deck, const CrDeckNode *onto, const CrDeckNode *over);
/* Replaces the text of a scalar node, for instance a path that must be valid from another folder. */
PetscErrorCode CrDeckSetText(const CrDeckNode *node, const char text[]);
/* Checks the whole tree against `top`, the table of top-level keys, and fills in the defaults. */
PetscErrorCode CrDeckValidate(CrDeck *deck, const CrKey *top);
/* Checks the node `map` against one table, for instance the options of a method, and fills in defaults. Keys that are
   not in the table are ignored. */
PetscErrorCode CrDeckFill(CrDeck *deck, const CrDeckNode *map, const CrKey *table);
PetscErrorCode CrDeckDestroy(CrDeck **deck);

/* ---- looking ----------------------------------------------------------------------------------- */

const CrDeckNode *CrDeckRoot(const CrDeck *deck);
const char       *CrDeckPath(const CrDeck *deck); /* path of the deck's file, as the user gave it */
/* CrDeckFind returns the node at a dotted path below `node`, such as "disc.radius" or "contact.0.friction". CrDeckFind
   returns NULL if there is no such node, or if its value is null. */
const CrDeckNode *CrDeckFind(const CrDeckNode *node, const char path[]);
PetscBool         CrDeckIsMap(const CrDeckNode *node);
PetscBool         CrDeckIsList(const CrDeckNode *node);
PetscBool CrDeckIsNull(const CrDeckNode *node);  /* true: `node` is NULL or has the value ~ */
PetscBool CrDeckIsGiven(const CrDeckNode *node); /* true: written by the user; false: default */
PetscInt  CrDeckCount(const CrDeckNode *node); /* number of entries of a list or map; 0 for NULL */
/* i-th value of a list or map, from 0 */
const CrDeckNode *CrDeckItem(const CrDeckNode *node, PetscInt i);
const char       *CrDeckName(const CrDeckNode *map, PetscInt i); /* i-th key of a map, from 0 */

/* Return the value of a scalar node as a C type. These functions cannot fail after validation. If the scalar has
   another type, they abort the program. */
PetscReal   CrDeckReal(const CrDeckNode *node);
PetscInt    CrDeckInteger(const CrDeckNode *node);
PetscBool   CrDeckTruth(const CrDeckNode *node);
const char *CrDeckText(const CrDeckNode *node);
PetscBool
CrDeckIsReal(const CrDeckNode *node); /* true for a scalar whose text is a finite number */
PetscBool CrDeckIsWord(const CrDeckNode *node, const char word[]);

/* Reads into v the list of n numbers that a map has under a key. Numbers that are missing in the list (CR_NULLS) get
   the value `null`. A list of another length is a user error. *given is true if the map has the key; otherwise v does
   not change. `given` may be NULL. */
PetscErrorCode CrDeckVector(const CrDeckNode *map, const char key[], PetscInt n, PetscReal null,
                            PetscReal v[], PetscBool *given);

/* Records an error message about a node of the deck, such as "deck.yaml:14:9: time.method: ...". Returns
   CR_ERR_INPUT. */
PetscErrorCode CrDeckError(const CrDeckNode *node, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(2, 3);
#define CrDeckFail(...) PetscFunctionReturn(CrDeckError(__VA_ARGS__))
/* Returns the position of a node in the deck's file, such as "deck.yaml:14:9", for messages. The text is valid until
   the deck is destroyed. */
const char *CrDeckPlace(const CrDeckNode *node);

/* ---- writing ----------------------------------------------------------------------------------- */

/* Writes the tree as YAML that readers of versions 1.1 and 1.2 understand in the same way. For this purpose, on, off,
   y, no, 1e4 and similar texts are quoted or written in full. Reading the written deck gives the same values. */
PetscErrorCode CrDeckWrite(const CrDeck *deck, FILE *out);
/* Makes *text, the tree as JSON in one line. The caller frees *text with free(). */
PetscErrorCode CrDeckToJson(const CrDeck *deck, char **text);
/* Writes the JSON Schema of decks, made from the table `top` of top-level keys. */
PetscErrorCode CrDeckWriteSchema(const CrKey *top, FILE *out);

/* The deck is the user's input file, in YAML 1.2. It is read into a tree. Each node of the tree knows its line and
   column in the file. Tables of keys state which keys and values are valid, and the defaults. The tree is checked
   against these tables, and the JSON Schema is made from them. */
#pragma once

#include "base/base.h"

/* ---- the tables -------------------------------------------------------------------------------- */

/* Types of values that a key may have. They are combined by | if a key accepts several types. */
enum {
  CR_REAL = 1 << 0, /* a finite number */
  CR_INTEGER = 1 << 1,
  CR_TRUTH = 1 << 2,  /* true or false */
  CR_WORD = 1 << 3,   /* one of the words in `words` */
  CR_WORDS = 1 << 4,  /* a list of words of `words` */
  CR_TEXT = 1 << 5,   /* any text: a name, a title, a path */
  CR_TEXTS = 1 << 6,  /* a list of texts */
  CR_REALS = 1 << 7,  /* a list of numbers */
  CR_NULLS = 1 << 8,  /* with CR_REALS: a number may be missing, written as ~ */
  CR_MATRIX = 1 << 9, /* a list of lists of numbers */
  CR_MAP = 1 << 10,   /* a mapping with the keys of `keys` and `more` */
  CR_LIST = 1 << 11,  /* a list of mappings with the keys of `keys` and `more` */
  CR_NAMED =
      1
      << 12, /* a mapping from words of `words` to mappings with the keys of `keys` (as in `methods:`) */
  CR_MUST = 1 << 13 /* the key must be given */
};

/* One row of a table of keys. Tables end with a row whose name is NULL. */
struct CrKey {
  const char  *name;
  unsigned     types;
  const char  *fallback; /* default, as YAML text; NULL: an absent key stays absent */
  const char  *words;    /* for CR_WORD, CR_WORDS, CR_NAMED: the words, such as "strain|stress" */
  const char  *range;    /* range of every number: "(0,inf)", "[0,0.5)", "[1,inf)"; NULL: any */
  const CrKey *keys;     /* for CR_MAP, CR_LIST, CR_NAMED: table of the mapping's keys */
  const char  *help;     /* one line, for the schema */
  /* more_words(i) returns the i-th word in addition to `words`, and more(i) the i-th table in addition to `keys`; both
     return NULL after the last one. A mapping may have keys of all these tables. CrDeckValidate does not fill in the
     defaults of additional tables; CrDeckFill does. */
  const char *(*more_words)(PetscInt i);
  const CrKey *(*more)(PetscInt i);
};

/* ---- reading and checking ---------------------------------------------------------------------- */

/* Reads a deck. Rank 0 reads the file, and all ranks parse it. `sets` are values in the form "key.path=value"
   (option --set); they replace values of the tree. User errors give CR_ERR_INPUT, with file:line:column.
   Collective. */
PetscErrorCode CrDeckRead(MPI_Comm comm, const char path[], PetscInt nsets,
                          const char *const sets[], CrDeck **deck);
/* Reads a deck from a text in memory, as CrDeckRead does from a file. Messages show `name` instead of a file name. */
PetscErrorCode CrDeckParse(const char name[], const char text[], size_t length, PetscInt nsets,
                           const char *const sets[], CrDeck **deck);
/* Moves the entries of map `over` into map `onto`, where they replace entries of the same name. Then applies the --set
   values again. `over` is empty afterwards. So a deck that is written and read again keeps the --set values. This
   function is used for `methods:`, whose entries replace settings for one method. */
PetscErrorCode CrDeckMerge(CrDeck *deck, const CrDeckNode *onto, const CrDeckNode *over);
/* Replaces the text of a scalar, for instance a path that must be valid from another folder. */
PetscErrorCode CrDeckSetText(const CrDeckNode *node, const char text[]);
/* Checks the whole tree against the table `top` of top-level keys, and fills in the defaults. */
PetscErrorCode CrDeckValidate(CrDeck *deck, const CrKey *top);
/* Checks one mapping against one table, for instance the options of a method, and fills in defaults. Keys that
   are not in the table are ignored. */
PetscErrorCode CrDeckFill(CrDeck *deck, const CrDeckNode *map, const CrKey *table);
PetscErrorCode CrDeckDestroy(CrDeck **deck);

/* ---- looking ----------------------------------------------------------------------------------- */

const CrDeckNode *CrDeckRoot(const CrDeck *deck);
const char       *CrDeckPath(const CrDeck *deck); /* path of the file, as the user gave it */
/* CrDeckFind returns the value at a dotted path below `node`, such as "disc.radius" or "contact.0.friction". It returns
   NULL if the value is absent or null. */
const CrDeckNode *CrDeckFind(const CrDeckNode *node, const char path[]);
PetscBool         CrDeckIsMap(const CrDeckNode *node);
PetscBool         CrDeckIsList(const CrDeckNode *node);
PetscBool         CrDeckIsNull(const CrDeckNode *node);  /* NULL or ~ */
PetscBool         CrDeckIsGiven(const CrDeckNode *node); /* written by the user, not a default */
PetscInt          CrDeckCount(const CrDeckNode *node);   /* entries of a list or map; 0 for NULL */
const CrDeckNode *CrDeckItem(const CrDeckNode *node, PetscInt i); /* i-th value of a list or map */
const char       *CrDeckName(const CrDeckNode *map, PetscInt i);  /* i-th key of a map */

/* Return the values of scalars. These functions cannot fail after validation. Asking for a wrong type aborts the
   program. */
PetscReal   CrDeckReal(const CrDeckNode *node);
PetscInt    CrDeckInteger(const CrDeckNode *node);
PetscBool   CrDeckTruth(const CrDeckNode *node);
const char *CrDeckText(const CrDeckNode *node);
PetscBool
CrDeckIsReal(const CrDeckNode *node); /* true for a scalar whose text is a finite number */
PetscBool CrDeckIsWord(const CrDeckNode *node, const char word[]);

/* Reads the list of exactly n numbers under a key of a map into v. Numbers that are missing in the list (CR_NULLS) get
   the value `null`. A list of another length is a user error. *given states whether the map has the key; without the
   key, v does not change. `given` may be NULL. */
PetscErrorCode CrDeckVector(const CrDeckNode *map, const char key[], PetscInt n, PetscReal null,
                            PetscReal v[], PetscBool *given);

/* Records an error at a node, such as "deck.yaml:14:9: time.method: ...". Returns CR_ERR_INPUT. */
PetscErrorCode CrDeckError(const CrDeckNode *node, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(2, 3);
#define CrDeckFail(...) PetscFunctionReturn(CrDeckError(__VA_ARGS__))
/* Returns the place of a node, such as "deck.yaml:14:9", for messages. The text is valid until the deck is
   destroyed. */
const char *CrDeckPlace(const CrDeckNode *node);

/* ---- writing ----------------------------------------------------------------------------------- */

/* Writes the tree as YAML that readers of versions 1.1 and 1.2 understand in the same way: on, off, y, no, 1e4
   and similar texts are quoted or written in full. Reading the written deck gives the same values. */
PetscErrorCode CrDeckWrite(const CrDeck *deck, FILE *out);
/* Writes the tree as JSON, in one line. The caller frees the text with free(). */
PetscErrorCode CrDeckToJson(const CrDeck *deck, char **text);
PetscErrorCode CrDeckWriteSchema(const CrKey *top, FILE *out);

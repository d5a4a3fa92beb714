/* The deck is the user's input file. Decks are YAML 1.2, and are read into a tree whose nodes have their line and
   column. The tree is checked against tables of keys; the tables also give the defaults and the JSON Schema. */
#pragma once

#include "base/base.h"

/* ---- the tables -------------------------------------------------------------------------------- */

/* Types of values that a key may have; several may be combined. */
enum {
  CR_REAL = 1 << 0, /* a finite number */
  CR_INTEGER = 1 << 1,
  CR_TRUTH = 1 << 2,  /* true or false */
  CR_WORD = 1 << 3,   /* one of the words in `words` */
  CR_WORDS = 1 << 4,  /* a list of such words */
  CR_TEXT = 1 << 5,   /* anything: a name, a title, a path */
  CR_TEXTS = 1 << 6,  /* a list of texts */
  CR_REALS = 1 << 7,  /* a list of numbers */
  CR_NULLS = 1 << 8,  /* with CR_REALS: a number may be missing, written as ~ */
  CR_MATRIX = 1 << 9, /* a list of lists of numbers */
  CR_MAP = 1 << 10,   /* a mapping with the keys of `keys` and `more` */
  CR_LIST = 1 << 11,  /* a list of such mappings */
  CR_NAMED = 1 << 12, /* a mapping from words of `words` to such mappings (methods:) */
  CR_MUST = 1 << 13   /* the key must be given */
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
  /* Words and tables from registries: the i-th further word, and the i-th further table. A mapping may have
     keys of any of these tables. Both give NULL after the last. Defaults of further tables are not filled in
     (see CrDeckFill). */
  const char *(*more_words)(PetscInt i);
  const CrKey *(*more)(PetscInt i);
};

/* ---- reading and checking ---------------------------------------------------------------------- */

/* Reads a deck. Rank 0 reads the file, and all ranks parse it. `sets` are values in the form "key.path=value"
   (option --set); they replace values of the tree. User errors give CR_ERR_INPUT, with file:line:column.
   Collective. */
PetscErrorCode CrDeckRead(MPI_Comm comm, const char path[], PetscInt nsets,
                          const char *const sets[], CrDeck **deck);
/* Does the same for a text in memory. `name` is used in messages in place of a file name. */
PetscErrorCode CrDeckParse(const char name[], const char text[], size_t length, PetscInt nsets,
                           const char *const sets[], CrDeck **deck);
/* Copies the entries of map `over` into map `onto`, where they replace entries of the same name. Then applies the --set
   values again. `over` is empty afterwards, so that a written deck does not undo the --set values. This function is for
   `methods:`. */
PetscErrorCode CrDeckMerge(CrDeck *deck, const CrDeckNode *onto, const CrDeckNode *over);
/* Replaces the text of a scalar, for instance a path that must be valid from another folder. */
PetscErrorCode CrDeckSetText(const CrDeckNode *node, const char text[]);
/* Checks the whole tree against the table and fills in the defaults. */
PetscErrorCode CrDeckValidate(CrDeck *deck, const CrKey *top);
/* Checks one mapping against one table, for instance the options of a method, and fills in defaults. Keys that
   are not in the table are ignored. */
PetscErrorCode CrDeckFill(CrDeck *deck, const CrDeckNode *map, const CrKey *table);
PetscErrorCode CrDeckDestroy(CrDeck **deck);

/* ---- looking ----------------------------------------------------------------------------------- */

const CrDeckNode *CrDeckRoot(const CrDeck *deck);
const char       *CrDeckPath(const CrDeck *deck); /* path of the file, as the user gave it */
/* The value at a dotted path ("disc.radius", "contact.0.friction"); NULL if it is absent or null. */
const CrDeckNode *CrDeckFind(const CrDeckNode *node, const char path[]);
PetscBool         CrDeckIsMap(const CrDeckNode *node);
PetscBool         CrDeckIsList(const CrDeckNode *node);
PetscBool         CrDeckIsNull(const CrDeckNode *node);  /* NULL or ~ */
PetscBool         CrDeckIsGiven(const CrDeckNode *node); /* written by the user, not a default */
PetscInt          CrDeckCount(const CrDeckNode *node);   /* entries of a list or map; 0 for NULL */
const CrDeckNode *CrDeckItem(const CrDeckNode *node, PetscInt i); /* i-th value of a list or map */
const char       *CrDeckName(const CrDeckNode *map, PetscInt i);  /* i-th key of a map */

/* Values of scalars. The functions below cannot fail after validation. Asking for a wrong type aborts the program. */
PetscReal   CrDeckReal(const CrDeckNode *node);
PetscInt    CrDeckInteger(const CrDeckNode *node);
PetscBool   CrDeckTruth(const CrDeckNode *node);
const char *CrDeckText(const CrDeckNode *node);
PetscBool   CrDeckIsReal(const CrDeckNode *node); /* a scalar that reads as a finite number */
PetscBool   CrDeckIsWord(const CrDeckNode *node, const char word[]);

/* Reads a list of exactly n numbers at a key of a map into v. Missing components (CR_NULLS) become `null`.
   Another length is a user error. If the key is absent, v does not change and *given is false. given may be
   NULL. */
PetscErrorCode CrDeckVector(const CrDeckNode *map, const char key[], PetscInt n, PetscReal null,
                            PetscReal v[], PetscBool *given);

/* Records an error at a node, such as "deck.yaml:14:9: time.method: ...". Returns CR_ERR_INPUT. */
PetscErrorCode CrDeckError(const CrDeckNode *node, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(2, 3);
#define CrDeckFail(...) PetscFunctionReturn(CrDeckError(__VA_ARGS__))
/* The place of a node, such as "deck.yaml:14:9", for messages. The text is valid until the deck is destroyed. */
const char *CrDeckPlace(const CrDeckNode *node);

/* ---- writing ----------------------------------------------------------------------------------- */

/* Writes the tree as YAML that readers of versions 1.1 and 1.2 understand in the same way: on, off, y, no, 1e4
   and the like are quoted or written in full. Reading gives the same values again. */
PetscErrorCode CrDeckWrite(const CrDeck *deck, FILE *out);
/* The tree as JSON, in one line. The caller frees the text with free(). */
PetscErrorCode CrDeckToJson(const CrDeck *deck, char **text);
PetscErrorCode CrDeckWriteSchema(const CrKey *top, FILE *out);

/* The problem deck: YAML 1.2 read into a tree whose nodes remember where they stood, checked
   against tables of keys that also give the defaults and the JSON Schema. */
#pragma once

#include "base/base.h"

/* ---- the tables -------------------------------------------------------------------------------- */

/* What a key may hold; several may be or-ed. */
enum {
  CR_REAL = 1 << 0, /* a finite number */
  CR_INTEGER = 1 << 1,
  CR_TRUTH = 1 << 2,  /* true or false */
  CR_WORD = 1 << 3,   /* one of the words */
  CR_WORDS = 1 << 4,  /* a list of them */
  CR_TEXT = 1 << 5,   /* anything: a name, a title, a path */
  CR_TEXTS = 1 << 6,  /* a list of texts */
  CR_REALS = 1 << 7,  /* a list of numbers */
  CR_NULLS = 1 << 8,  /* with CR_REALS: ~ may stand for a number */
  CR_MATRIX = 1 << 9, /* a list of lists of numbers */
  CR_MAP = 1 << 10,   /* a mapping with the keys of `keys` and `more` */
  CR_LIST = 1 << 11,  /* a list of such mappings */
  CR_NAMED = 1 << 12, /* a mapping from words of `words` to such mappings (methods:) */
  CR_MUST = 1 << 13   /* the key must be given */
};

/* One row. Tables end with a row whose name is NULL. */
struct CrKey {
  const char  *name;
  unsigned     types;
  const char  *fallback; /* YAML text filled in when the key is absent; NULL: stays absent */
  const char  *words;    /* "strain|stress", for CR_WORD, CR_WORDS, CR_NAMED */
  const char  *range;    /* of every number: "(0,inf)", "[0,0.5)", "[1,inf)"; NULL: any */
  const CrKey *keys;     /* of CR_MAP, CR_LIST, CR_NAMED */
  const char  *help;     /* one line, for the schema */
  /* From registries: further words, and further tables of which a key may match any. Both give NULL
     after the last. Defaults of further tables are not filled in (see CrDeckFill). */
  const char *(*more_words)(PetscInt i);
  const CrKey *(*more)(PetscInt i);
};

/* ---- reading and checking ---------------------------------------------------------------------- */

/* Rank 0 reads the file, all ranks parse it. Collective. `sets`: "key.path=value" as after --set,
   laid over the tree. Mistakes come back as CR_ERR_INPUT with file:line:column. */
PetscErrorCode CrDeckRead(MPI_Comm comm, const char path[], PetscInt nsets,
                          const char *const sets[], CrDeck **deck);
/* The same from memory; name stands in messages. */
PetscErrorCode CrDeckParse(const char name[], const char text[], size_t length, PetscInt nsets,
                           const char *const sets[], CrDeck **deck);
/* Lays the entries of map `over` over map `onto` (deep copy; `methods:`), then the --set values
   again. `over` is empty afterwards, so that the deck as written does not undo the --set values. */
PetscErrorCode CrDeckMerge(CrDeck *deck, const CrDeckNode *onto, const CrDeckNode *over);
/* Another text for a scalar (a path that must hold elsewhere too). */
PetscErrorCode CrDeckSetText(const CrDeckNode *node, const char text[]);
/* Checks the whole tree against the table and fills in the defaults. */
PetscErrorCode CrDeckValidate(CrDeck *deck, const CrKey *top);
/* Checks and fills one mapping against one table (a method's options); keys that the table does not
   know are left alone. */
PetscErrorCode CrDeckFill(CrDeck *deck, const CrDeckNode *map, const CrKey *table);
PetscErrorCode CrDeckDestroy(CrDeck **deck);

/* ---- looking ----------------------------------------------------------------------------------- */

const CrDeckNode *CrDeckRoot(const CrDeck *deck);
const char       *CrDeckPath(const CrDeck *deck); /* of the file, as given */
/* Value under a dotted path ("disc.radius", "contact.0.friction"); NULL if absent or null. */
const CrDeckNode *CrDeckFind(const CrDeckNode *node, const char path[]);
PetscBool         CrDeckIsMap(const CrDeckNode *node);
PetscBool         CrDeckIsList(const CrDeckNode *node);
PetscBool         CrDeckIsNull(const CrDeckNode *node);  /* NULL or ~ */
PetscBool         CrDeckIsGiven(const CrDeckNode *node); /* written by the user, not a default */
PetscInt          CrDeckCount(const CrDeckNode *node);   /* entries of a list or map; 0 for NULL */
const CrDeckNode *CrDeckItem(const CrDeckNode *node, PetscInt i); /* i-th value of a list or map */
const char       *CrDeckName(const CrDeckNode *map, PetscInt i);  /* i-th key of a map */

/* Values of scalars. After validation they cannot fail; asking for the wrong kind aborts. */
PetscReal   CrDeckReal(const CrDeckNode *node);
PetscInt    CrDeckInteger(const CrDeckNode *node);
PetscBool   CrDeckTruth(const CrDeckNode *node);
const char *CrDeckText(const CrDeckNode *node);
PetscBool   CrDeckIsReal(const CrDeckNode *node); /* a scalar that reads as a finite number */
PetscBool   CrDeckIsWord(const CrDeckNode *node, const char word[]);

/* A list of exactly n numbers under a key of a map, into v; null components (CR_NULLS) give `null`.
   An error names the key and the length expected. Leaves v alone and given (may be NULL) false if
   the key is absent. */
PetscErrorCode CrDeckVector(const CrDeckNode *map, const char key[], PetscInt n, PetscReal null,
                            PetscReal v[], PetscBool *given);

/* "deck.yaml:14:9: time.method: ..." recorded as the error; returns CR_ERR_INPUT. */
PetscErrorCode CrDeckError(const CrDeckNode *node, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(2, 3);
#define CrDeckFail(...) PetscFunctionReturn(CrDeckError(__VA_ARGS__))
/* "deck.yaml:14:9" of a node, for warnings and messages of others. Valid until the deck goes. */
const char *CrDeckPlace(const CrDeckNode *node);

/* ---- writing ----------------------------------------------------------------------------------- */

/* The tree as YAML that 1.1 and 1.2 readers understand alike (on, off, y, no, 1e4 and such are
   quoted or spelled out), every value as it will be read again. */
PetscErrorCode CrDeckWrite(const CrDeck *deck, FILE *out);
PetscErrorCode CrDeckWriteSchema(const CrKey *top, FILE *out);

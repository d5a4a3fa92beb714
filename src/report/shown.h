/* The fields of a page: which there are, and their values and ranges over a film. */
#pragma once

#include "report/film.h"

/* How the value of a field is computed. */
typedef enum {
  CR_SHOWN_FIELD,    /* film->field[index] */
  CR_SHOWN_MOVED,    /* component of the displacement, from positions and origins */
  CR_SHOWN_PART,     /* film->part[index] */
  CR_SHOWN_PRINCIPAL /* principal stress, the greatest first */
} CrShownKind;

typedef struct {
  const char *name;
  CrShownKind kind;
  PetscInt    index;
} CrShown;

#define CR_SHOWN_FIELDS 24
extern const CrShown CrShownTable[CR_SHOWN_FIELDS];

/* Range of a field over all frames. Values beyond eight times the typical size are coded as the end of the
   range. */
typedef struct {
  PetscReal coded[2];        /* range of coded values */
  PetscReal typical;         /* 99 % of the values that are not the least are smaller in size */
  PetscReal least, greatest; /* least and greatest of all values */
} CrShownRange;

/* Does the film hold it? parts: components are coded too. */
PetscBool CrShownIs(const CrFilm *film, const CrShown *shown, PetscBool parts);
/* Is it coded? The others follow from those that are. */
PetscBool CrShownIsCoded(const CrFilm *film, const CrShown *shown, PetscBool parts);
/* The value of the field at node k of frame f. */
PetscReal CrShownValue(const CrFilm *film, const CrShown *shown, PetscInt f, PetscInt k);
/* The ranges of all fields that the film holds. */
PetscErrorCode CrShownRanges(const CrFilm *film, CrShownRange ranges[CR_SHOWN_FIELDS]);
/* Principal values of a symmetric tensor xx, yy, zz, xy, yz, xz; the greatest first. */
void CrPrincipal(const PetscReal s[6], PetscReal values[3]);

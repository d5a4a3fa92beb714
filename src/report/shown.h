/* The fields that a web page can show, with their values and ranges over a film (report/film.h). */
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
  PetscReal coded[2]; /* range of coded values */
  PetscReal
      typical; /* magnitude below which 99 % of the values lie, without values equal to the least one */
  PetscReal least, greatest; /* least and greatest of all values */
} CrShownRange;

/* Returns true if the page can show the field. `parts` states whether components of velocity and stress are coded. */
PetscBool CrShownIs(const CrFilm *film, const CrShown *shown, PetscBool parts);
/* Returns true if the page's data contain the field itself. The page computes other fields from coded fields. */
PetscBool CrShownIsCoded(const CrFilm *film, const CrShown *shown, PetscBool parts);
/* Returns the value of the field at node k of frame f. */
PetscReal CrShownValue(const CrFilm *film, const CrShown *shown, PetscInt f, PetscInt k);
/* Computes the ranges of all fields that the film contains. */
PetscErrorCode CrShownRanges(const CrFilm *film, CrShownRange ranges[CR_SHOWN_FIELDS]);
/* Computes the principal values of a symmetric tensor with components xx, yy, zz, xy, yz, xz; the greatest first. */
void CrPrincipal(const PetscReal s[6], PetscReal values[3]);

/* Lists the fields that a web page can show, and computes their values and ranges over a film (report/film.h). */
#pragma once

#include "report/film.h"

/* States how the value of a field is computed from the film. */
typedef enum {
  CR_SHOWN_FIELD,    /* film->field[index] */
  CR_SHOWN_MOVED,    /* component of the displacement: position minus film->origin */
  CR_SHOWN_PART,     /* film->part[index] */
  CR_SHOWN_PRINCIPAL /* principal stress; index 0 is the greatest one */
} CrShownKind;

typedef struct {
  const char *name;
  CrShownKind kind;
  PetscInt    index;
} CrShown;

#define CR_SHOWN_FIELDS 24
extern const CrShown CrShownTable[CR_SHOWN_FIELDS];

/* The range of a field over all frames. Values whose magnitude is above eight times `typical` are coded as the end of
   the range. */
typedef struct {
  PetscReal coded[2]; /* least and greatest coded value */
  /* magnitude below which 99 % of the values lie; values equal to the least one are not counted */
  PetscReal typical;
  PetscReal least, greatest; /* least and greatest value in all frames */
} CrShownRange;

/* Returns true if the page can show the field. `parts` says whether components of velocity and stress are coded. */
PetscBool CrShownIs(const CrFilm *film, const CrShown *shown, PetscBool parts);
/* Returns true if the data of the page contain the field itself. The page computes the other fields from the coded
   ones. */
PetscBool CrShownIsCoded(const CrFilm *film, const CrShown *shown, PetscBool parts);
/* Returns the value of the field at node k of frame f. */
PetscReal CrShownValue(const CrFilm *film, const CrShown *shown, PetscInt f, PetscInt k);
/* Computes the ranges of all fields that the film contains. */
PetscErrorCode CrShownRanges(const CrFilm *film, CrShownRange ranges[CR_SHOWN_FIELDS]);
/* Computes the principal values of a symmetric tensor, the greatest first. The components s[6] are xx, yy, zz, xy, yz,
   xz. */
void CrPrincipal(const PetscReal s[6], PetscReal values[3]);

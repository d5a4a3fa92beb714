/* What a picture is drawn on: an image, or a file of lines and areas. */
#pragma once

#include "draw/internal.h"

typedef struct CrSheet    CrSheet;
typedef struct CrSheetOps CrSheetOps;

/* What consecutive lines or areas have in common. They become one path of the file. */
typedef struct {
  char      kind; /* 0: none is open; p: lines, a: areas */
  PetscReal width, opacity;
  CrColour  colour;
} CrSheetPen;

struct CrSheetOps {
  const char *ending; /* of the file, with its dot */
  void (*path)(CrSheet *, PetscInt n, PetscReal points[][2], PetscReal width, const CrColour,
               PetscReal opacity);
  void (*area)(CrSheet *, PetscInt n, PetscReal points[][2], const CrColour);
  void (*text)(CrSheet *, PetscReal x, PetscReal y, PetscReal size, PetscReal align, const CrColour,
               const char text[]);
  PetscErrorCode (*write)(CrSheet *, const char path[]);
  /* For files alone: begin a path, add a point to it, end it, close an area. */
  void (*begin)(CrSheet *, const CrSheetPen *);
  void (*point)(CrSheet *, const PetscReal point[2], PetscBool first);
  void (*end)(CrSheet *, char kind);
  const char *close;
};

struct CrSheet {
  const CrSheetOps *ops;
  PetscInt          width, height; /* in pixels, or in points of a PDF file */
  CrImage           image;         /* for pixels; owned */
  PetscBool         small;         /* for pixels: 256 colours */
  PetscBool         brief;         /* for pixels: packed with little effort */
  char             *bytes;         /* for files; owned */
  size_t            used, room;
  CrSheetPen        pen;
  PetscErrorCode    code; /* the first failure; later calls do nothing */
};

extern const CrSheetOps CrSheetPixels, CrSheetSvg, CrSheetPdf;

/* The kind of sheet for a file name, by its ending; NULL: none. Without an ending it is an image. */
const CrSheetOps *CrSheetFor(const char path[]);
PetscErrorCode    CrSheetDestroy(CrSheet *sheet);
/* Add text, or bytes, to what a file will hold. */
void CrSheetPut(CrSheet *sheet, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
void CrSheetAdd(CrSheet *sheet, const void *bytes, size_t n);
/* Lines and areas of files: `path` and `area` of their operations. Neighbouring areas get a thin line of their own colour,
   because viewers would show the paper between them. */
void CrSheetPath(CrSheet *, PetscInt n, PetscReal points[][2], PetscReal width, const CrColour,
                 PetscReal opacity);
void CrSheetArea(CrSheet *, PetscInt n, PetscReal points[][2], const CrColour);
/* Ends the path that is open, if there is one. */
void CrSheetEndPath(CrSheet *sheet);
/* Writes the bytes as a file. */
PetscErrorCode CrSheetWriteBytes(const void *bytes, size_t n, const char path[]);

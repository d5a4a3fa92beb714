/* The sheet on which a picture is drawn: an image, or a file of lines and areas. */
#pragma once

#include "draw/internal.h"

typedef struct CrSheet    CrSheet;
typedef struct CrSheetOps CrSheetOps;

/* Common properties of consecutive lines or areas, which become one path of the file. */
typedef struct {
  char      kind; /* 0: no path is open; p: lines, a: areas */
  PetscReal width, opacity;
  CrColour  colour;
} CrSheetPen;

struct CrSheetOps {
  const char *ending; /* ending of the file name, with the dot */
  void (*path)(CrSheet *, PetscInt n, PetscReal points[][2], PetscReal width, const CrColour,
               PetscReal opacity);
  void (*area)(CrSheet *, PetscInt n, PetscReal points[][2], const CrColour);
  void (*text)(CrSheet *, PetscReal x, PetscReal y, PetscReal size, PetscReal align, const CrColour,
               const char text[]);
  PetscErrorCode (*write)(CrSheet *, const char path[]);
  /* Only for SVG and PDF files: functions that begin a path, add a point to the path, and end the path; `close` is the
     text that closes an area. */
  void (*begin)(CrSheet *, const CrSheetPen *);
  void (*point)(CrSheet *, const PetscReal point[2], PetscBool first);
  void (*end)(CrSheet *, char kind);
  const char *close;
};

struct CrSheet {
  const CrSheetOps *ops;
  PetscInt          width, height; /* in pixels, or in points of a PDF file */
  CrImage           image;         /* image, for pictures of pixels; owned */
  PetscBool         small;         /* pictures of pixels: use 256 colours */
  PetscBool         brief;         /* pictures of pixels: compress fast, not well */
  char             *bytes;         /* contents of SVG and PDF files; owned */
  size_t            used, room;
  CrSheetPen        pen;
  PetscErrorCode    code; /* the first failure; later calls do nothing */
};

extern const CrSheetOps CrSheetPixels, CrSheetSvg, CrSheetPdf;

/* Returns the operations for a file name, chosen by its ending; NULL if the ending is unknown. A name without an ending
   gives CrSheetPixels. */
const CrSheetOps *CrSheetFor(const char path[]);
PetscErrorCode    CrSheetDestroy(CrSheet *sheet);
/* Add text, or bytes, to the contents of the file. */
void CrSheetPut(CrSheet *sheet, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
void CrSheetAdd(CrSheet *sheet, const void *bytes, size_t n);
/* The operations `path` and `area` of SVG and PDF files. Each area gets a thin outline of its own colour, because
   viewers would show the background between neighbouring areas. */
void CrSheetPath(CrSheet *, PetscInt n, PetscReal points[][2], PetscReal width, const CrColour,
                 PetscReal opacity);
void CrSheetArea(CrSheet *, PetscInt n, PetscReal points[][2], const CrColour);
/* Ends the path that is open, if there is one. */
void CrSheetEndPath(CrSheet *sheet);
/* Writes the bytes as a file. */
PetscErrorCode CrSheetWriteBytes(const void *bytes, size_t n, const char path[]);

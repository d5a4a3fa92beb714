/* Declares the sheet on which a picture is drawn: an image of pixels (PNG) or a vector graphic (SVG, PDF). */
#pragma once

#include "draw/internal.h"

typedef struct CrSheet    CrSheet;
typedef struct CrSheetOps CrSheetOps;

/* The properties of the open path. Consecutive lines or areas with the same properties become one path of the file. */
typedef struct {
  char kind; /* 0: no path is open; 'p': the path consists of lines; 'a': it consists of areas */
  PetscReal width, opacity;
  CrColour  colour;
} CrSheetPen;

/* The drawing operations of one file format: draw a polyline, draw a filled area, draw a text, write the file. */
struct CrSheetOps {
  const char *ending; /* ending of file names, with the dot */
  void (*path)(CrSheet *, PetscInt n, PetscReal points[][2], PetscReal width, const CrColour,
               PetscReal opacity);
  void (*area)(CrSheet *, PetscInt n, PetscReal points[][2], const CrColour);
  void (*text)(CrSheet *, PetscReal x, PetscReal y, PetscReal size, PetscReal align, const CrColour,
               const char text[]);
  PetscErrorCode (*write)(CrSheet *, const char path[]);
  /* Only for SVG and PDF files: functions that begin a path, add a point to the path, and end the path. `close` is the
     text in the file that closes an area. */
  void (*begin)(CrSheet *, const CrSheetPen *);
  void (*point)(CrSheet *, const PetscReal point[2], PetscBool first);
  void (*end)(CrSheet *, char kind);
  const char *close;
};

struct CrSheet {
  const CrSheetOps *ops;
  PetscInt          width, height; /* size of the sheet in pixels, or in points of a PDF file */
  CrImage           image;         /* image of a PNG picture; owned */
  PetscBool         small;         /* PNG pictures: use 256 colours */
  PetscBool         brief;         /* PNG pictures: compress faster, but less */
  char             *bytes;         /* contents of SVG and PDF files; owned */
  size_t            used, room;
  CrSheetPen        pen;
  PetscErrorCode    code; /* error code of the first failure; after a failure, calls do nothing */
};

extern const CrSheetOps CrSheetPixels, CrSheetSvg, CrSheetPdf;

/* Returns the drawing operations for a file name, chosen by its ending, or NULL if the ending is unknown. A name
   without an ending gives CrSheetPixels. */
const CrSheetOps *CrSheetFor(const char path[]);
PetscErrorCode    CrSheetDestroy(CrSheet *sheet);
/* CrSheetPut adds formatted text to the contents of an SVG or PDF file. CrSheetAdd adds n bytes. */
void CrSheetPut(CrSheet *sheet, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
void CrSheetAdd(CrSheet *sheet, const void *bytes, size_t n);
/* Implement the operations `path` and `area` of SVG and PDF files. Each area gets a thin outline of its own colour.
   Without it, viewers would show the background between neighbouring areas. */
void CrSheetPath(CrSheet *, PetscInt n, PetscReal points[][2], PetscReal width, const CrColour,
                 PetscReal opacity);
void CrSheetArea(CrSheet *, PetscInt n, PetscReal points[][2], const CrColour);
/* Ends the open path, if there is one. */
void CrSheetEndPath(CrSheet *sheet);
/* Writes n bytes to the file `path`. */
PetscErrorCode CrSheetWriteBytes(const void *bytes, size_t n, const char path[]);

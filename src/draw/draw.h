/* Drawing without a browser. Pictures of meshes are PNG files (drawn with a z-buffer); pictures of 2D models can also
   be SVG or PDF files. Curves are SVG files. */
#pragma once

#include "base/base.h"

/* ---- pictures ----------------------------------------------------------------------------- */

enum { CR_RANGE_FRAME, CR_RANGE_RUN, CR_RANGE_GIVEN };

#define CR_MOST_PANELS 16

typedef struct {
  /* One panel per frame; frames count from 0, negative ones from the end (-1 is the last). If `panels` is not 0, the
     picture shows this number of frames, evenly spaced from the first to the last, instead of `frames`. */
  PetscInt nframes, frames[CR_MOST_PANELS], panels;
  /* The field that colours show; "none": one colour per body. NULL: von-mises, else the first field in the files, else
     "none" for a run that has only rigid bodies. */
  const char *field;
  const char
      *view; /* name of the view, or "AZIMUTH,ELEVATION" in degrees; NULL: front in 2D, iso in 3D */
  PetscInt  width, height;   /* in pixels; height 0: computed from the shape of the bodies */
  PetscInt  range;           /* range of the colours: CR_RANGE_... */
  PetscReal least, greatest; /* ends of the colour scale, for CR_RANGE_GIVEN */
  PetscBool
      whole; /* the picture shows the space that bodies occupy in all frames, not only in this one */
  PetscBool plain;   /* without title, time and axes */
  PetscBool no_axes; /* without axes */
  PetscBool mesh;    /* draw the sides of elements */
  PetscBool small;   /* a small file, with 256 colours */
  PetscBool brief;   /* a temporary file: it is larger, but written faster */
} CrPicture;

CrPicture CrPictureDefault(void);
/* Draws frames of the run in dir. The ending of the path decides whether the file is PNG, SVG or PDF. Invalid options
   give CR_ERR_INPUT. */
PetscErrorCode CrPictureWrite(const char dir[], const CrPicture *picture, const char path[]);
/* Draws all frames of the run as folder/0000.png, folder/0001.png and so on. *n is the number of pictures. For a long
   run of a large mesh, frames are left out at regular intervals. */
PetscErrorCode CrPicturesWrite(const char dir[], const CrPicture *picture, const char folder[],
                               PetscInt *n);

/* ---- plots -------------------------------------------------------------------------------- */

/* Writes plots of the run in dir as SVG files into the folder `to`, which it creates. *n is the number of plots. */
PetscErrorCode CrPlotsWrite(const char dir[], const char to[], PetscInt *n);

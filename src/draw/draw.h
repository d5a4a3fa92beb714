/* Draws pictures and plots of a run without a browser. Pictures of meshes are PNG files, drawn with a z-buffer.
   Pictures of 2D models can also be SVG or PDF files. Plots of curves are SVG files. */
#pragma once

#include "base/base.h"

/* ---- pictures ----------------------------------------------------------------------------- */

/* Range of the colour scale: values of the shown frames, values of all frames of the run, or a range that the user
   gives. */
enum { CR_RANGE_FRAME, CR_RANGE_RUN, CR_RANGE_GIVEN };

#define CR_MOST_PANELS 16

typedef struct {
  /* The picture has one panel for each entry of `frames`. Frames are counted from 0, and negative numbers count from
     the end (-1 is the last frame). If `panels` is not 0, `frames` is ignored. The picture then shows this number of
     frames, evenly spaced from the first to the last. */
  PetscInt nframes, frames[CR_MOST_PANELS], panels;
  /* Name of the field that colours show; "none": one colour per body. NULL means the von Mises stress. If the files do
     not have it, NULL means the first field in the files, or "none" for a run with only rigid bodies. */
  const char *field;
  /* name of the viewing direction, or "AZIMUTH,ELEVATION" in degrees; NULL: front in 2D, iso in 3D */
  const char *view;
  /* size of the picture in pixels; height 0: computed from the shape of the bodies */
  PetscInt width, height;
  PetscInt range; /* range of the colour scale: CR_RANGE_FRAME, CR_RANGE_RUN or CR_RANGE_GIVEN */
  /* least and greatest value of the colour scale, for CR_RANGE_GIVEN */
  PetscReal least, greatest;
  /* true: the picture shows all space that bodies occupy in any frame of the run, not only in the shown frames */
  PetscBool whole;
  PetscBool plain;   /* true: without title, time and axes */
  PetscBool no_axes; /* true: without axes */
  PetscBool mesh;    /* true: draw the sides of elements */
  PetscBool small;   /* true: write a small file, with 256 colours */
  PetscBool brief;   /* true: the file is temporary, so it is written fast and is larger */
} CrPicture;

CrPicture CrPictureDefault(void);
/* Draws frames of the run in the folder `dir`, and writes the picture to `path`. The ending of the path decides whether
   the file is PNG, SVG or PDF. Invalid options give CR_ERR_INPUT. */
PetscErrorCode CrPictureWrite(const char dir[], const CrPicture *picture, const char path[]);
/* Draws each frame of the run in the folder `dir` as a picture folder/0000.png, folder/0001.png and so on. *n is the
   number of pictures. For a long run of a large mesh, frames are left out at regular intervals. */
PetscErrorCode CrPicturesWrite(const char dir[], const CrPicture *picture, const char folder[],
                               PetscInt *n);

/* ---- plots -------------------------------------------------------------------------------- */

/* Writes plots of the run in the folder `dir` as SVG files into the folder `to`, which the function creates. *n is the
   number of plots. */
PetscErrorCode CrPlotsWrite(const char dir[], const char to[], PetscInt *n);

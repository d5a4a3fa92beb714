/* Drawing without a browser: pictures of meshes as PNG files, by a z-buffer, in the plane as SVG and PDF files too; and
   curves as SVG files. */
#pragma once

#include "base/base.h"

/* ---- pictures ----------------------------------------------------------------------------- */

enum { CR_RANGE_FRAME, CR_RANGE_RUN, CR_RANGE_GIVEN };

#define CR_MOST_PANELS 16

typedef struct {
  /* One panel per frame; frames count from 0, negative ones from the end (-1 is the last). panels: so many
     frames from the first to the last, instead of those named; 0: those named. */
  PetscInt nframes, frames[CR_MOST_PANELS], panels;
  /* NULL: von-mises, or the first field of the files, or "none" for rigid bodies alone; "none": one colour per body */
  const char *field;
  const char *view; /* NULL: front (2D), iso (3D); a name, or "AZIMUTH,ELEVATION" in degrees */
  PetscInt    width, height;   /* in pixels; height 0: it follows from the shape of the bodies */
  PetscInt    range;           /* range of the colours: CR_RANGE_... */
  PetscReal   least, greatest; /* ends of the colour scale, for CR_RANGE_GIVEN */
  PetscBool   whole;   /* the picture shows the space of the whole run, not only of this frame */
  PetscBool   plain;   /* without title, time and axes */
  PetscBool   no_axes; /* without axes */
  PetscBool   mesh;    /* draw the sides of elements */
  PetscBool   small;   /* a small file, with 256 colours */
  PetscBool   brief;   /* a file that is read once: large, but written sooner */
} CrPicture;

CrPicture CrPictureDefault(void);
/* Draws frames of the run in dir. The ending of the path says whether it becomes a PNG, SVG or PDF file. Invalid
   options give CR_ERR_INPUT. */
PetscErrorCode CrPictureWrite(const char dir[], const CrPicture *picture, const char path[]);
/* Draws all frames of the run as folder/0000.png, folder/0001.png, ... *n is their number. A long run of a large
   mesh keeps every so many-th frame. */
PetscErrorCode CrPicturesWrite(const char dir[], const CrPicture *picture, const char folder[],
                               PetscInt *n);

/* ---- plots -------------------------------------------------------------------------------- */

/* Writes plots of the run in dir as SVG files into the folder `to`, which it creates. *n is their number. */
PetscErrorCode CrPlotsWrite(const char dir[], const char to[], PetscInt *n);

/* Drawing without a browser: meshes by a z-buffer into PNG files, curves into SVG files. */
#pragma once

#include "base/base.h"

/* ---- pictures ----------------------------------------------------------------------------- */

enum { CR_RANGE_FRAME, CR_RANGE_RUN, CR_RANGE_GIVEN };

typedef struct {
  PetscInt    frame; /* from 0; negative: from the end, -1 is the last */
  const char *field; /* NULL: von-mises, or the first that there is; "none": bodies by colour */
  const char *view;  /* NULL: front (2D), iso (3D); a name, or "AZIMUTH,ELEVATION" in degrees */
  PetscInt    width, height; /* pixels; height 0: as the shape asks for */
  PetscInt    range;         /* of the colours */
  PetscReal   least, greatest;
  PetscBool   whole; /* as far as the whole run reaches, not only this frame */
  PetscBool   plain; /* no title and time */
  PetscBool   mesh;  /* sides of elements */
  PetscBool   small; /* file, in 256 colours */
} CrPicture;

CrPicture CrPictureDefault(void);
/* Draws a frame of the run in dir. What cannot be asked for is CR_ERR_INPUT. */
PetscErrorCode CrPictureWrite(const char dir[], const CrPicture *picture, const char path[]);

/* ---- plots -------------------------------------------------------------------------------- */

/* Writes the histories of the run in dir as SVG files into folder `to`, which is made. *n of them. */
PetscErrorCode CrPlotsWrite(const char dir[], const char to[], PetscInt *n);

/* Codes a film (report/film.h) as compressed bytes for the web page. */
#pragma once

#include "report/code.h"
#include "report/film.h"
#include "report/shown.h"

/* States how accurately a film is coded. Values are rounded to a number of equal levels; more levels need more
   bytes. */
typedef struct {
  /* number of levels for positions of nodes relative to the body, for each sign */
  PetscInt  position_levels;
  PetscInt  field_levels; /* number of levels for the values of a field */
  PetscBool parts;        /* true: the code contains the components of velocity and stress */
  PetscInt  every; /* interval: only every n-th frame of the film, and the last one, is coded */
} CrFilmQuality;

typedef struct {
  /* data that do not depend on time: corners, sides and bodies of triangles; bodies of nodes; nodes with contact
     forces; shapes and reference centres of rigid bodies */
  CrBytes    mesh;
  PetscInt   nblocks;
  CrBytes   *blocks;      /* [nblocks] groups of frames, compressed by deflate; owned */
  PetscInt  *counts;      /* [nblocks] number of frames in each block; owned */
  PetscInt   nframes;     /* number of frames in all blocks */
  PetscInt  *frames;      /* [nframes] number of each of these frames in the film; owned */
  PetscInt   nforces;     /* number of nodes that have a contact force in at least one frame */
  PetscInt  *force_nodes; /* [nforces] these nodes; owned */
  PetscReal *extent; /* [nbodies] greatest offset of a node from the centre of its body; owned */
  /* [nbodies] greatest change of such an offset from its reference value; owned */
  PetscReal *reach;
  PetscReal *from;       /* [nbodies][3] centre in the reference position; owned */
  PetscInt   ntriangles; /* number of coded triangles, without the triangles of balls */
  /* lowest corner and side length of a cube that contains the centres of all bodies in all frames */
  PetscReal low[3], size;
  /* bounding box of all nodes in all frames: least and greatest coordinates */
  PetscReal box[2][3];
  PetscReal greatest_force;
  /* greatest component of velocity and of angular velocity of rigid bodies */
  PetscReal greatest_speed, greatest_spin;
  size_t    total; /* total number of bytes after compression */
} CrFilmCode;

/* Returns the number of levels to which the values of a field are rounded. The contact status has few values and is
   coded without loss. */
PetscInt       CrFilmLevels(const CrShown *shown, const CrFilmQuality *quality);
PetscErrorCode CrFilmCodeCreate(const CrFilm *film, const CrFilmQuality *quality,
                                const CrShownRange ranges[CR_SHOWN_FIELDS], CrFilmCode **code);
PetscErrorCode CrFilmCodeDestroy(CrFilmCode **code);

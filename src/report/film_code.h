/* A film, coded as bytes for the page. */
#pragma once

#include "report/code.h"
#include "report/film.h"
#include "report/shown.h"

/* The quality of the code. */
typedef struct {
  PetscInt  position_levels; /* number of levels of an offset from the centre, on either side */
  PetscInt  field_levels;    /* number of levels of a field */
  PetscBool parts;           /* the code contains components of velocity and stress */
  PetscInt  every;           /* only every n-th frame of the film is coded, and the last one */
} CrFilmQuality;

typedef struct {
  CrBytes    mesh; /* triangles: corners, sides, bodies; bodies of the nodes; nodes with forces;
                      shapes and start of rigid bodies */
  PetscInt   nblocks;
  CrBytes   *blocks;       /* blocks of frames, deflated; owned */
  PetscInt  *counts;       /* number of frames in each block; owned */
  PetscInt   nframes;      /* number of frames in all blocks */
  PetscInt  *frames;       /* their numbers in the film; owned */
  PetscInt   nforces;      /* number of nodes that have a contact force in some frame */
  PetscInt  *force_nodes;  /* owned */
  PetscReal *extent;       /* [nbodies] greatest offset; owned */
  PetscReal *reach;        /* [nbodies] greatest change of an offset since the start; owned */
  PetscReal *from;         /* [nbodies][3] centre before any displacement; owned */
  PetscInt   ntriangles;   /* number of triangles that are drawn, without the triangles of balls */
  PetscReal  low[3], size; /* lowest corner and side of a cube around the centres of all bodies */
  PetscReal  box[2][3];    /* around all nodes over the whole film */
  PetscReal  greatest_force;
  PetscReal  greatest_speed,
      greatest_spin; /* greatest velocity and angular velocity of rigid bodies */
  size_t total;      /* number of bytes after compression */
} CrFilmCode;

/* Returns the number of levels of a field. Fields with words are coded without loss. */
PetscInt       CrFilmLevels(const CrShown *shown, const CrFilmQuality *quality);
PetscErrorCode CrFilmCodeCreate(const CrFilm *film, const CrFilmQuality *quality,
                                const CrShownRange ranges[CR_SHOWN_FIELDS], CrFilmCode **code);
PetscErrorCode CrFilmCodeDestroy(CrFilmCode **code);

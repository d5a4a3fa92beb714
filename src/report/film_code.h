/* A film as bytes for the page. */
#pragma once

#include "report/code.h"
#include "report/film.h"

/* How much of it. */
typedef struct {
  PetscInt position_levels; /* of an offset from the centre, on either side */
  PetscInt field_levels;
  PetscInt every; /* each so many-th frame of the film, and the last */
} CrFilmQuality;

typedef struct {
  CrBytes    mesh; /* triangles: corners, sides, bodies; bodies of the nodes; nodes with forces;
                      shapes and start of rigid bodies */
  PetscInt   nblocks;
  CrBytes   *blocks;                   /* frames, deflated; owned */
  PetscInt  *counts;                   /* frames in each; owned */
  PetscInt   nframes;                  /* in all */
  PetscInt  *frames;                   /* which ones of the film; owned */
  PetscInt   nforces;                  /* nodes that ever carry a contact force */
  PetscInt  *force_nodes;              /* owned */
  PetscReal *extent;                   /* [nbodies] greatest offset; owned */
  PetscReal  low[3], size;             /* cube around the centres */
  PetscReal  box[2][3];                /* around all nodes over the whole film */
  PetscReal  range[CR_FILM_FIELDS][2]; /* what is told apart; above it is its end */
  PetscReal  typical[CR_FILM_FIELDS];  /* below it are 99 of 100 that are not the least */
  PetscReal  greatest[CR_FILM_FIELDS], greatest_force;
  PetscReal  greatest_speed, greatest_spin; /* of rigid bodies */
  PetscInt   levels[CR_FILM_FIELDS];
  size_t     total; /* bytes, deflated */
} CrFilmCode;

PetscErrorCode CrFilmCodeCreate(const CrFilm *film, const CrFilmQuality *quality,
                                CrFilmCode **code);
PetscErrorCode CrFilmCodeDestroy(CrFilmCode **code);

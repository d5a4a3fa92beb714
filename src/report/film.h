/* The moving picture of a run: the surface that its frames show, and what stands on it, read from
   the field files of the run's folder. */
#pragma once

#include "base/base.h"

/* What can be coloured by. */
enum {
  CR_FILM_DISPLACEMENT,
  CR_FILM_VELOCITY,
  CR_FILM_VON_MISES,
  CR_FILM_PRESSURE,
  CR_FILM_STATUS,
  CR_FILM_FIELDS
};

typedef struct {
  const char *name;  /* in the field files */
  PetscInt    width; /* of vectors the length is shown */
} CrFilmField;

extern const CrFilmField CrFilmFieldTable[CR_FILM_FIELDS];

/* A triangle of the surface. Bit i of `sides`: the side from corner i to the next is a side of an
   element or a mark, not a diagonal. Corners 1 and 2 equal: a line; all three: a point. */
typedef struct {
  PetscInt      nodes[3];
  PetscInt      body;
  unsigned char sides;
  unsigned char round; /* part of a round rigid surface that it is a piece of; 0: none */
} CrFilmTriangle;

typedef struct {
  PetscInt        dim, nnodes, ntriangles, nbodies;
  PetscInt       *node;      /* [nnodes] number in the field files, rising; owned, as all below */
  PetscInt       *node_body; /* [nnodes] */
  PetscInt       *elements;  /* [nbodies] */
  CrFilmTriangle *triangles;
  PetscInt        nframes, every; /* of the run's frames each so many-th was taken, and the last */
  PetscInt        room;           /* frames that there is room for */
  PetscReal      *times;          /* [nframes] */
  PetscReal      *centre;         /* [nframes][nbodies][3]: mean of a body's surface nodes */
  float          *offset;         /* [nframes][nnodes][3] from there */
  float          *field[CR_FILM_FIELDS]; /* [nframes][nnodes]; NULL: not in the files */
  float          *force;                 /* [nframes][nnodes][3] of contact; NULL */
  /* rigid bodies and their nodes stand behind the others (motion.c) */
  PetscInt   first_rigid, first_rigid_node;
  PetscReal *start; /* [rigid][3]: centre before anything moved */
  float     *shape; /* [nodes of theirs][3]: from there */
  float     *turn;  /* [nframes][rigid][4]: since then, a quaternion */
  float     *speed; /* [nframes][rigid][6]: of the centre, and spin; NULL: not in the files */
} CrFilm;

/* Reads the frames that fields.pvd lists, at most `most` nodes times frames of them. NULL if there
   are none. dim: of the deck. Not collective. */
PetscErrorCode CrFilmRead(const char dir[], PetscInt dim, PetscReal most, CrFilm **film);
/* The same of `count` frames from `first` on (negative: from the end); *total: how many there are. */
PetscErrorCode CrFilmReadPart(const char dir[], PetscInt dim, PetscReal most, PetscInt first,
                              PetscInt count, PetscInt *total, CrFilm **film);

/* A mesh in memory. types: as VTK numbers them; ends[c]: end of cell c in nodes. */
typedef struct {
  PetscInt         npoints, ncells;
  const PetscInt  *types, *ends, *nodes, *bodies;
  const PetscInt  *parts; /* of the surface of a rigid body, 0: an element; NULL: no rigid bodies */
  const PetscReal *points, *velocity; /* npoints x 3 */
} CrFilmCells;

/* A film of one frame at time 0, with its velocity (preview.c). */
PetscErrorCode CrFilmOf(PetscInt dim, const CrFilmCells *cells, CrFilm **film);
PetscErrorCode CrFilmDestroy(CrFilm **film);

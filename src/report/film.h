/* The film of a run: the moving surface of its bodies and the fields on it, read from the field files in the
   run's folder. */
#pragma once

#include "base/base.h"

/* Fields that can be shown by colours. */
enum {
  CR_FILM_DISPLACEMENT,
  CR_FILM_VELOCITY,
  CR_FILM_VON_MISES,
  CR_FILM_PRESSURE,
  CR_FILM_STATUS,
  CR_FILM_PLASTIC_STRAIN,
  CR_FILM_PLASTIC_WORK,
  CR_FILM_VISCOUS_WORK,
  CR_FILM_TEMPERATURE_RISE,
  CR_FILM_FIELDS
};

typedef struct {
  const char *name;  /* name in the field files */
  PetscInt    width; /* number of components; for vectors the length is shown */
} CrFilmField;

extern const CrFilmField CrFilmFieldTable[CR_FILM_FIELDS];

/* Components for the page: of the velocity and of the stress. */
enum {
  CR_PART_VX,
  CR_PART_VY,
  CR_PART_VZ,
  CR_PART_XX,
  CR_PART_YY,
  CR_PART_ZZ,
  CR_PART_XY,
  CR_PART_YZ,
  CR_PART_XZ,
  CR_FILM_PARTS
};

/* A triangle of the surface. Bit i of `sides` says that the side from corner i to the next is drawn: it is a
   side of an element or a mark, not a diagonal. If corners 1 and 2 are equal it is a line; if all three are
   equal, a point. */
typedef struct {
  PetscInt      nodes[3];
  PetscInt      body;
  unsigned char sides;
  unsigned char round; /* part of a round rigid surface that contains the triangle; 0: none */
} CrFilmTriangle;

typedef struct {
  PetscInt        dim, nnodes, ntriangles, nbodies;
  PetscInt       *node; /* [nnodes] number in the field files, ascending; owned, like all below */
  PetscInt       *node_body; /* [nnodes] */
  PetscInt       *elements;  /* [nbodies] */
  CrFilmTriangle *triangles;
  PetscInt        nframes,
      every; /* number of frames; `every`: only every n-th frame of the run was read, and the last one */
  PetscInt   room;   /* number of frames for which memory is allocated */
  PetscReal *times;  /* [nframes] */
  PetscReal *centre; /* [nframes][nbodies][3] mean position of a body's surface nodes */
  float     *offset; /* [nframes][nnodes][3] position relative to the centre of the body */
  float     *field[CR_FILM_FIELDS]; /* [nframes][nnodes]; NULL: not in the files */
  float     *force;                 /* [nframes][nnodes][3] contact force; NULL: not in the files */
  /* The members below exist only if CrFilmAsk.detail is true. */
  float     *part[CR_FILM_PARTS]; /* [nframes][nnodes]; NULL: not in the files, or not in detail */
  PetscReal *origin;              /* [nnodes][3] position before any displacement */
  /* [nbodies] radius of a rigid ball or disc, of which four nodes are kept; 0: another shape */
  PetscReal *ball;
  /* Rigid bodies and their nodes come after the others (motion.c). */
  PetscInt   first_rigid, first_rigid_node;
  PetscReal *start; /* [rigid bodies][3] centre at the start */
  float     *shape; /* [rigid nodes][3] position relative to that centre at the start */
  float     *turn;  /* [nframes][rigid bodies][4] rotation since the start, a quaternion */
  /* [nframes][rigid bodies][6] velocity of the centre, angular velocity; NULL: not in the files */
  float *speed;
} CrFilm;

/* The frames that are read. */
typedef struct {
  PetscInt dim; /* dimension of the deck */
  /* limit for the number of nodes times frames; frames are left out to meet this limit */
  PetscReal most;
  PetscInt  first, count; /* frames from `first` on (negative: from the end), at most `count` */
  PetscBool detail;       /* the film has components of vectors, reference positions and balls */
} CrFilmAsk;

/* Reads the frames that fields.pvd lists. *film is NULL if there are none. *total is the number of all frames.
   Not collective. */
PetscErrorCode CrFilmRead(const char dir[], const CrFilmAsk *ask, PetscInt *total, CrFilm **film);

/* A mesh in memory. types are VTK's cell types; ends[c] is the end of cell c in nodes. */
typedef struct {
  PetscInt        npoints, ncells;
  const PetscInt *types, *ends, *nodes, *bodies;
  const PetscInt
      *parts; /* part of a rigid body's surface, 0 for an element; NULL: no rigid bodies */
  const PetscReal *points, *velocity; /* npoints x 3 */
} CrFilmCells;

/* Makes a film of one frame at time 0, with velocities and with the data of `detail` in CrFilmAsk (preview.c). */
PetscErrorCode CrFilmOf(PetscInt dim, const CrFilmCells *cells, CrFilm **film);
PetscErrorCode CrFilmDestroy(CrFilm **film);

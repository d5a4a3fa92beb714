/* Reads the film of a run from the field files in the run's folder. A film consists of frames. Each frame contains the
   surface of the bodies at one time, and the fields on this surface. */
#pragma once

#include "base/base.h"

/* Scalar fields that a picture or page can show by colours. */
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
  const char *name;  /* name of the field in the field files */
  PetscInt    width; /* number of components; colours show the length of a vector */
} CrFilmField;

extern const CrFilmField CrFilmFieldTable[CR_FILM_FIELDS];

/* Components of the velocity and of the stress that the web page can show. */
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

/* A triangle of the surface. Bit i of `sides` says whether the side from corner i to the next corner is drawn. Sides of
   elements are drawn, and diagonals within an element face are not. On round rigid bodies, only lines that show the
   rotation are drawn. If corners 1 and 2 are equal, the triangle is a line; if all three corners are equal, it is a
   point. */
typedef struct {
  PetscInt      nodes[3];
  PetscInt      body;
  unsigned char sides;
  /* number of the part of a round rigid surface that contains the triangle; 0: the surface is not round */
  unsigned char round;
} CrFilmTriangle;

typedef struct {
  PetscInt dim, nnodes, ntriangles, nbodies;
  /* [nnodes] node number in the field files, ascending; owned, like all members below */
  PetscInt       *node;
  PetscInt       *node_body; /* [nnodes] body of each node */
  PetscInt       *elements;  /* [nbodies] number of elements */
  CrFilmTriangle *triangles;
  /* number of frames, and interval: only every `every`-th frame of the run, and the last one, was read */
  PetscInt   nframes, every;
  PetscInt   room;  /* number of frames for which memory is allocated in the arrays below */
  PetscReal *times; /* [nframes] simulated times */
  /* [nframes][nbodies][3] centre of a body: mean position of its surface nodes */
  PetscReal *centre;
  float *offset; /* [nframes][nnodes][3] position of a node relative to the centre of its body */
  /* [nframes][nnodes] values; NULL: the files do not have the field */
  float *field[CR_FILM_FIELDS];
  float *force; /* [nframes][nnodes][3] contact forces; NULL: the files do not have them */
  /* The members below exist only if CrFilmAsk.detail is true. */
  /* [nframes][nnodes] components CR_PART_...; NULL: the files do not have them */
  float     *part[CR_FILM_PARTS];
  PetscReal *origin; /* [nnodes][3] reference positions (zero displacement) */
  /* [nbodies] radius of a rigid ball or disc, for which the film keeps only four nodes; 0: the body has another
     shape */
  PetscReal *ball;
  /* First rigid body, and its first node. Rigid bodies and their nodes come after the deformable ones (motion.c). */
  PetscInt   first_rigid, first_rigid_node;
  PetscReal *start; /* [rigid bodies][3] centre in the reference position */
  float     *shape; /* [rigid nodes][3] reference position of each node relative to this centre */
  /* [nframes][rigid bodies][4] rotation from the reference position, as a quaternion */
  float *turn;
  /* [nframes][rigid bodies][6] velocity of the centre, and angular velocity; NULL: the files do not have them */
  float *speed;
} CrFilm;

/* States which frames and which data CrFilmRead reads. */
typedef struct {
  PetscInt dim; /* space dimension of the deck */
  /* greatest allowed number of nodes times frames; frames are left out to stay below it */
  PetscReal most;
  /* first frame (negative: counted from the end), and greatest number of frames */
  PetscInt first, count;
  /* true: the film also has components of vectors, reference positions and balls */
  PetscBool detail;
} CrFilmAsk;

/* Reads the frames that fields.pvd in the folder `dir` lists. *film is NULL if there are none. *total is the number of
   all frames of the run. Not collective. */
PetscErrorCode CrFilmRead(const char dir[], const CrFilmAsk *ask, PetscInt *total, CrFilm **film);

/* A mesh in memory. `types` are VTK cell types. The points of cell c in `nodes` begin at ends[c-1] (or 0) and end
   before ends[c]. */
typedef struct {
  PetscInt        npoints, ncells;
  const PetscInt *types, *ends, *nodes, *bodies;
  /* [ncells] part of a rigid body's surface, 0 for an element; NULL: no rigid bodies */
  const PetscInt  *parts;
  const PetscReal *points, *velocity; /* [npoints][3] positions and velocities */
} CrFilmCells;

/* Makes a film of one frame at time 0 from a mesh in memory (preview.c). The film has velocities, and the data that
   CrFilmAsk.detail asks for. */
PetscErrorCode CrFilmOf(PetscInt dim, const CrFilmCells *cells, CrFilm **film);
PetscErrorCode CrFilmDestroy(CrFilm **film);

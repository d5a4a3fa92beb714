/* One frame of a run, ready to be drawn. */
#pragma once

#include "deck/units.h"
#include "draw/internal.h"
#include "report/film.h"

#define CR_MOST_OBSTACLES 64

typedef enum { CR_SEEN_PLANE, CR_SEEN_BOX, CR_SEEN_BALL } CrSeenKind;

/* An obstacle at the time of the frame. */
typedef struct {
  CrSeenKind kind;
  PetscReal  a[3],
      b[3]; /* plane: point a, unit normal b; box: two corners; ball: centre a, radius b[0] */
  PetscBool inside; /* ball: a hollow ball with the bodies inside */
} CrSeen;

/* General data of a run, from run.yaml. */
typedef struct {
  char      title[200];
  PetscInt  dim;
  PetscInt  up;        /* axis that points upwards, against gravity; z without gravity */
  PetscReal tolerance; /* tolerance of the solver */
  CrUnits   units;
} CrRunHead;

PetscErrorCode CrRunHeadRead(const char dir[], CrRunHead *head);

typedef struct {
  PetscInt   dim, frame; /* frame is the index in the film */
  CrRunHead  head;
  PetscReal  time;
  CrFilm    *film; /* owned */
  PetscReal *x;    /* [film->nnodes*3] owned */
  PetscReal  low[3], high[3];
  PetscInt   nseen;
  CrSeen     seen[CR_MOST_OBSTACLES];
} CrScene;

/* Counts the frames of a run. */
PetscErrorCode CrSceneFrames(const char dir[], PetscInt *n);
/* Reads frame k of a run; a negative k counts from the end. If `all` is true, the function reads all frames, and
   scene->low, scene->high is the bounding box of all frames, not only of frame k. */
PetscErrorCode CrSceneCreate(const char dir[], PetscInt k, PetscBool all, CrScene *scene);
/* Moves the scene to frame f of its film. */
PetscErrorCode CrSceneSeek(const char dir[], PetscInt f, CrScene *scene);
PetscErrorCode CrSceneDestroy(CrScene *scene);

/* A line of the picture: a border or a crease of the surface (edges.c). */
typedef struct {
  PetscInt nodes[2];
} CrSceneEdge;

/* Finds borders and creases of the surface, as seen by a viewer in the direction `towards`. The caller frees *edges. */
PetscErrorCode CrSceneEdges(const CrScene *scene, const PetscReal towards[3], PetscInt *n,
                            CrSceneEdge **edges);

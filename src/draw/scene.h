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
  PetscReal  a[3], b[3]; /* plane: point, unit normal; box: corners; ball: centre, radius in b[0] */
  PetscBool  inside;     /* ball: bodies are inside */
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

/* How many frames a run has. */
PetscErrorCode CrSceneFrames(const char dir[], PetscInt *n);
/* Reads frame k (negative: from the end). If `all`, it reads the other frames too, and low, high is the box of
   all frames. */
PetscErrorCode CrSceneCreate(const char dir[], PetscInt k, PetscBool all, CrScene *scene);
/* Goes to frame f of the film that the scene holds. */
PetscErrorCode CrSceneSeek(const char dir[], PetscInt f, CrScene *scene);
PetscErrorCode CrSceneDestroy(CrScene *scene);

/* A line of the picture: a border or a crease of the surface (edges.c). */
typedef struct {
  PetscInt nodes[2];
} CrSceneEdge;

/* Finds these lines, as seen from the direction `towards`. */
PetscErrorCode CrSceneEdges(const CrScene *scene, const PetscReal towards[3], PetscInt *n,
                            CrSceneEdge **edges);

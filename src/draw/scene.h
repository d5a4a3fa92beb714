/* Declares a scene: one frame of a run, with bodies and obstacles, ready to be drawn. */
#pragma once

#include "deck/units.h"
#include "draw/internal.h"
#include "report/film.h"

#define CR_MOST_OBSTACLES 64

typedef enum { CR_SEEN_PLANE, CR_SEEN_BOX, CR_SEEN_BALL } CrSeenKind;

/* An obstacle (fixed or moving rigid surface) at the time of the frame. */
typedef struct {
  CrSeenKind kind;
  /* plane: point a and unit normal b; box: two opposite corners a and b; ball: centre a and radius b[0] */
  PetscReal a[3], b[3];
  PetscBool inside; /* true: the ball is hollow, and the bodies are inside */
} CrSeen;

/* General data of a run, read from run.yaml. */
typedef struct {
  char      title[200];
  PetscInt  dim;
  PetscInt  up; /* coordinate axis that points upwards, against gravity; without gravity it is z */
  PetscReal tolerance; /* tolerance of the nonlinear solver */
  CrUnits   units;
} CrRunHead;

PetscErrorCode CrRunHeadRead(const char dir[], CrRunHead *head);

typedef struct {
  PetscInt   dim, frame; /* dimension; index of the frame in the film */
  CrRunHead  head;
  PetscReal  time;
  CrFilm    *film; /* owned */
  PetscReal *x;    /* [3 film->nnodes] positions of the nodes in this frame; owned */
  PetscReal  low[3], high[3];
  PetscInt   nseen;
  CrSeen     seen[CR_MOST_OBSTACLES];
} CrScene;

/* Sets *n to the number of frames of the run in the folder `dir`. */
PetscErrorCode CrSceneFrames(const char dir[], PetscInt *n);
/* Reads frame k of the run in the folder `dir`; a negative k counts from the end. If `all` is true, the function reads
   all frames. The bounding box scene->low, scene->high then contains the bodies of all frames, not only of frame k. */
PetscErrorCode CrSceneCreate(const char dir[], PetscInt k, PetscBool all, CrScene *scene);
/* Changes the scene so that it shows frame f of its film. */
PetscErrorCode CrSceneSeek(const char dir[], PetscInt f, CrScene *scene);
PetscErrorCode CrSceneDestroy(CrScene *scene);

/* A line of the picture between two nodes: part of a border or of a crease of the surface (edges.c). */
typedef struct {
  PetscInt nodes[2];
} CrSceneEdge;

/* Lists the border and crease lines of the surface that a viewer in the direction `towards` sees. *n is the number of
   lines. The caller frees *edges. */
PetscErrorCode CrSceneEdges(const CrScene *scene, const PetscReal towards[3], PetscInt *n,
                            CrSceneEdge **edges);

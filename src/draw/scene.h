/* One frame of a run, ready to be drawn. */
#pragma once

#include "deck/deck.h"
#include "draw/internal.h"
#include "report/film.h"

#define CR_MOST_OBSTACLES 64

typedef enum { CR_SEEN_PLANE, CR_SEEN_BOX, CR_SEEN_BALL } CrSeenKind;

/* An obstacle where it is at the time of the frame. */
typedef struct {
  CrSeenKind kind;
  PetscReal  a[3], b[3]; /* plane: point, unit normal; box: corners; ball: centre, radius in b[0] */
  PetscBool  inside;     /* ball: bodies are inside */
} CrSeen;

/* What run.yaml says at its top. */
typedef struct {
  char      title[200];
  PetscInt  dim;
  PetscInt  up;        /* upright axis: against gravity, else z */
  PetscReal tolerance; /* of the solver */
} CrRunHead;

PetscErrorCode CrRunHeadRead(const char dir[], CrRunHead *head);

typedef struct {
  PetscInt   dim, frame; /* frame: index in the film */
  CrRunHead  head;
  PetscReal  time;
  CrFilm    *film; /* owned */
  PetscReal *x;    /* [film->nnodes*3] owned */
  PetscReal  low[3], high[3];
  PetscInt   nseen;
  CrSeen     seen[CR_MOST_OBSTACLES];
} CrScene;

/* Reads frame k (negative: from the end); all: the other frames too, and low, high are theirs. */
PetscErrorCode CrSceneCreate(const char dir[], PetscInt k, PetscBool all, CrScene *scene);
PetscErrorCode CrSceneDestroy(CrScene *scene);

/* Lines where the picture changes: borders and creases, seen from `towards` (edges.c). */
typedef struct {
  PetscInt nodes[2];
} CrSceneEdge;

PetscErrorCode CrSceneEdges(const CrScene *scene, const PetscReal towards[3], PetscInt *n,
                            CrSceneEdge **edges);

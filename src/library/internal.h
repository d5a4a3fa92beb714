/* Shared by the files of the public library (include/carom.h). */
#pragma once

#include "carom.h"
#include "run/run.h"
#include "run/saved.h"

/* A force of the caller: its function, and the numbers that it gets. */
typedef struct {
  char        body[96];
  carom_force function; /* NULL: removed; the force is zero */
  void       *context;
} SimForce;

#define SIM_FORCES 64

/* Numbers that the run does not keep as an array, such as positions. These arrays are computed on request, at most once
   per step. */
typedef struct {
  PetscInt   room;
  PetscReal *at; /* owned */
} SimBuffer;

typedef enum {
  SIM_POSITION,
  SIM_SPIN,
  SIM_ROTATION,
  SIM_NODE,
  SIM_GATHERED,
  SIM_BUFFERS
} SimBufferKind;

/* A run, and the arrays in which the caller sees it. */
typedef struct {
  CrRun *run; /* owned, like all below */
  /* [2 nbodies] first and number of the owned nodes of a body, which stand one after the other */
  PetscInt  *rows;
  PetscInt   nentries; /* bodies of the deck: those with a mesh, then groups of rigid ones */
  SimBuffer *buffers;  /* [nentries][SIM_BUFFERS] */
  PetscReal *pairs;    /* [npairs][3] */
} SimRun;

struct carom_sim {
  SimRun    now;  /* owned, like all below */
  PetscBool lent; /* the caller has asked for arrays of it */
  PetscInt  nolder;
  SimRun    older
      [SIM_FORCES]; /* runs that a new force replaced, whose arrays the caller may still hold */
  MPI_Comm   comm;
  CrLogBook *book;
  char       error[4096];
  PetscBool  broken; /* an internal error: nothing but closing is safe */
  PetscBool  begun;  /* the start was audited, so no force can be added */
  /* arguments to open the simulation again, with more forces */
  char    *deck;
  PetscInt nsets;
  char   **sets;
  PetscInt nforces;
  SimForce forces[SIM_FORCES];
};

struct carom_saved {
  CrSaved *saved; /* owned */
};

/* Every public function works between these two. Enter returns false if the simulation may not be used. Leave closes
   the message log of the simulation, keeps the message of an error, and converts the error code to a code of carom.h.
   */
typedef struct {
  CrLogBook *before;
} SimCall;
PetscBool SimEnter(carom_sim *sim, SimCall *call);
int       SimLeave(carom_sim *sim, SimCall *call, PetscErrorCode code);
/* The same for calls without a simulation. */
int SimReport(PetscErrorCode code);
/* Records why a call is refused, and returns CAROM_INPUT. */
int SimRefuse(carom_sim *sim, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);

/* arrays.c */
PetscErrorCode SimBuffersCreate(SimRun *of);
PetscErrorCode SimBuffersDestroy(SimRun *of);
/* The number of a body among the entries; -1: there is none. */
PetscInt SimEntry(const carom_sim *sim, const char body[]);
/* An array of an entry; NULL in view->data if the body has none of this name. */
PetscErrorCode SimArray(carom_sim *sim, PetscInt entry, const char name[], carom_view *view);

/* Room for n numbers that are computed for the caller. */
PetscErrorCode SimBufferOpen(carom_sim *sim, PetscInt entry, SimBufferKind kind, PetscInt n,
                             PetscReal **at);
/* carom_array without its frame: a name that does not exist is an error. */
PetscErrorCode SimArrayFind(carom_sim *sim, const char body[], const char name[], carom_view *view);

/* forces.c: calls the functions of the user before a step. *stop is true if one of these functions asks to stop. */
PetscErrorCode SimForces(carom_sim *sim, PetscBool *stop);

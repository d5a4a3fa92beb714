/* Declarations that the files of the public library (include/carom.h) share. The caller is the program that uses the
   library. An entry is a body of the deck: a body with a mesh, or a group of rigid bodies. */
#pragma once

#include "carom.h"
#include "run/run.h"
#include "run/saved.h"

/* A force on a body that the caller computes: the function, and the pointer `context` that the function receives. */
typedef struct {
  char        body[96];
  carom_force function; /* NULL: the caller has removed the function, and the force is zero */
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

/* A run, and the arrays through which the caller reads its state. */
typedef struct {
  CrRun *run; /* owned, like all below */
  /* [2 nbodies] first and number of the owned nodes of a body, which are consecutive */
  PetscInt  *rows;
  PetscInt   nentries; /* bodies of the deck: those with a mesh, then groups of rigid ones */
  SimBuffer *buffers;  /* [nentries][SIM_BUFFERS] */
  PetscReal *pairs;    /* [npairs][3] */
} SimRun;

struct carom_sim {
  SimRun    now;  /* owned, like all below */
  PetscBool lent; /* the caller has asked for arrays of this run */
  PetscInt  nolder;
  SimRun    older
      [SIM_FORCES]; /* runs that were replaced when a force was added; the caller may still use their arrays */
  MPI_Comm   comm;
  CrLogBook *book;
  char       error[4096];
  PetscBool  broken; /* there was an internal error; the simulation can only be closed */
  PetscBool  begun;  /* the initial state has been audited, so no force can be added */
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

/* Every public function calls SimEnter first and SimLeave last. SimEnter opens the message log of the simulation, and
   returns false if the simulation may not be used. SimLeave closes this message log, stores the message of an error,
   and returns the code of carom.h for the error code. */
typedef struct {
  CrLogBook *before;
} SimCall;
PetscBool SimEnter(carom_sim *sim, SimCall *call);
int       SimLeave(carom_sim *sim, SimCall *call, PetscErrorCode code);
/* Does the same as SimLeave, for public functions that have no simulation as argument. */
int SimReport(PetscErrorCode code);
/* Records why a call is refused, and returns CAROM_INPUT. */
int SimRefuse(carom_sim *sim, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);

/* arrays.c */
PetscErrorCode SimBuffersCreate(SimRun *of);
PetscErrorCode SimBuffersDestroy(SimRun *of);
/* Returns the number of the entry with this name; -1 if no entry has the name. */
PetscInt SimEntry(const carom_sim *sim, const char body[]);
/* Finds an array of an entry. view->data is NULL if the body has no array of this name. */
PetscErrorCode SimArray(carom_sim *sim, PetscInt entry, const char name[], carom_view *view);

/* Provides memory for n numbers that are computed for the caller. */
PetscErrorCode SimBufferOpen(carom_sim *sim, PetscInt entry, SimBufferKind kind, PetscInt n,
                             PetscReal **at);
/* Does the work of carom_array, between SimEnter and SimLeave. An unknown body or array name is a user error. */
PetscErrorCode SimArrayFind(carom_sim *sim, const char body[], const char name[], carom_view *view);

/* forces.c: calls the functions of the user before a step. *stop is true if one of these functions asks to stop. */
PetscErrorCode SimForces(carom_sim *sim, PetscBool *stop);

/* Declares the types and functions that the source files of the public library share (include/carom.h). The caller is
   the program that uses the library. An entry is a body of the deck: a deformable body with a mesh, or a group of rigid
   bodies. */
#pragma once

#include "carom.h"
#include "run/run.h"
#include "run/saved.h"

/* A force on a body that the caller computes (carom_on_force): the function, and the pointer `context` that the library
   passes to it. */
typedef struct {
  char        body[96];
  carom_force function; /* NULL: the caller has removed the function, and the force is zero */
  void       *context;
} SimForce;

#define SIM_FORCES 64

/* Memory for an array that the run itself does not store, such as positions. Such an array is computed when the caller
   asks for it, at most once per step. */
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

/* A run, and the arrays through which the caller reads the state of this run. */
typedef struct {
  CrRun *run; /* owned, like all below */
  /* [2 nbodies] first owned node of each body, and number of its owned nodes, which are consecutive */
  PetscInt *rows;
  /* number of entries: first bodies with a mesh, then groups of rigid bodies */
  PetscInt   nentries;
  SimBuffer *buffers; /* [nentries][SIM_BUFFERS] */
  PetscReal *pairs;   /* [npairs][3] contact force on the first body of each pair */
} SimRun;

struct carom_sim {
  SimRun    now;  /* owned, like all below */
  PetscBool lent; /* true: the caller has asked for arrays of the run `now` */
  PetscInt  nolder;
  /* [nolder] runs that were replaced when a force was added; the caller may still use their arrays */
  SimRun     older[SIM_FORCES];
  MPI_Comm   comm;
  CrLogBook *book;
  char       error[4096];
  /* true: an internal error has occurred, so the simulation can only be closed */
  PetscBool broken;
  /* true: energies of the initial state have been computed, so no force can be added */
  PetscBool begun;
  /* arguments with which the simulation is opened again when a force is added */
  char    *deck;
  PetscInt nsets;
  char   **sets;
  PetscInt nforces;
  SimForce forces[SIM_FORCES];
  /* true: a force function of the caller is running. It may read the simulation, but not step, restore or close it */
  PetscBool asking;
};

struct carom_saved {
  CrSaved *saved; /* owned */
};

/* Every public function calls SimEnter first and SimLeave last. SimEnter directs messages to the log of the simulation,
   and returns false if the simulation may not be used. SimLeave restores the previous log and stores the message of an
   error. SimLeave returns the error code of carom.h that corresponds to the PETSc error code `code`. */
typedef struct {
  CrLogBook *before;
} SimCall;
PetscBool SimEnter(carom_sim *sim, SimCall *call);
int       SimLeave(carom_sim *sim, SimCall *call, PetscErrorCode code);
/* Does the same as SimLeave, for public functions without an argument `sim`. */
int SimReport(PetscErrorCode code);
/* Records the reason why a call is refused, formatted as by printf, and returns CAROM_INPUT. */
int SimRefuse(carom_sim *sim, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);

/* arrays.c */
PetscErrorCode SimBuffersCreate(SimRun *of);
PetscErrorCode SimBuffersDestroy(SimRun *of);
/* Returns the index of the entry (body) with this name, or -1 if no entry has the name. */
PetscInt SimEntry(const carom_sim *sim, const char body[]);
/* Sets *view to the array `name` of an entry. view->data is NULL if the body has no array of this name. */
PetscErrorCode SimArray(carom_sim *sim, PetscInt entry, const char name[], carom_view *view);

/* Sets *at to memory for n numbers of the buffer `kind` of an entry. */
PetscErrorCode SimBufferOpen(carom_sim *sim, PetscInt entry, SimBufferKind kind, PetscInt n,
                             PetscReal **at);
/* Does the work of carom_array, which calls this function between SimEnter and SimLeave. An unknown body or array name
   is a user error. */
PetscErrorCode SimArrayFind(carom_sim *sim, const char body[], const char name[], carom_view *view);

/* Calls the force functions of the caller before a step (forces.c). *stop is true if one of these functions asks to
   stop. */
PetscErrorCode SimForces(carom_sim *sim, PetscBool *stop);

/* The step of many bodies as a whole (theory 18.6): list the contacts that may press, start from the forces of the step
   before, sweep, guard the energy, move, push apart, keep. The energy balance is exact however far the sweeps have come;
   what loose sweeps cost is overlap. A kernel knows the bodies: balls (crowd_ball.c), any shape (crowd_shape.c). */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt  sweeps;    /* of a step, at most */
  PetscReal tolerance; /* of h a: sweeps end when no velocity changes by more */
  PetscInt  again;     /* rounds of pushes for pairs that the step had not listed */
  PetscReal deep;      /* overlap that calls for them, in sizes of a body */
} EfdaCrowdTuning;

typedef struct EfdaCrowd EfdaCrowd;

/* Data is the kernel's; h the size of the step. */
typedef struct {
  EfdaCrowdTuning tuning;
  /* Contacts of the state as it is that may press in a step; sets crowd->deepest. */
  PetscErrorCode (*list)(EfdaCrowd *crowd, PetscReal h);
  /* All that the list depends on: crowd->nkey numbers. */
  void (*key)(const EfdaCrowd *crowd, PetscReal h, PetscReal *key);
  /* Velocities of the middle, with the impulses that the contacts start from; sets load, speed and energy. */
  PetscErrorCode (*begin)(EfdaCrowd *crowd, PetscReal h, PetscBool *good);
  /* Sweeps until no velocity changes by more than `tolerance`, at most `most` times; returns how many. */
  PetscInt (*sweep)(EfdaCrowd *crowd, PetscInt most, PetscReal tolerance);
  /* All contacts at once, where sweeps do not get on; NULL: the kernel has no such solver. */
  PetscErrorCode (*together)(EfdaCrowd *crowd);
  /* Work that friction, and the normal forces, do on the bodies with these impulses. */
  PetscErrorCode (*work)(EfdaCrowd *crowd, PetscReal h, PetscReal *friction, PetscReal *normal,
                         PetscBool *good);
  /* Contacts will take energy rather than make it; strict: each of them, whatever its neighbours do. makes: friction
     makes energy now. */
  void (*tame)(EfdaCrowd *crowd, PetscBool makes, PetscBool strict);
  /* Positions of the end, pushed apart; contacts are entered into the ledger and kept. */
  PetscErrorCode (*move)(EfdaCrowd *crowd, PetscReal h);
  /* The state is pushed apart once more, and listed. */
  PetscErrorCode (*push)(EfdaCrowd *crowd, PetscReal h);
} EfdaCrowdKernel;

struct EfdaCrowd {
  const EfdaCrowdKernel *kernel; /* borrowed, as data */
  void                  *data;
  EfdaCrowdTuning        tuning;
  PetscReal  load, speed, energy; /* acceleration; greatest velocity; an energy of the system */
  PetscReal  size;                /* of a body */
  PetscReal  deepest;             /* overlap in the list */
  PetscInt   sweeps;              /* of the step */
  PetscBool  is_listed;           /* the list is that of a step, */
  PetscInt   nkey;
  PetscReal *listed, *now; /* [nkey] of this key; scratch; owned */
};

PetscErrorCode EfdaCrowdCreate(const EfdaCrowdKernel *kernel, void *data, PetscInt nkey,
                               EfdaCrowd *crowd);
PetscErrorCode EfdaCrowdDestroy(EfdaCrowd *crowd);
/* *good false: no solution. */
PetscErrorCode EfdaCrowdStep(EfdaCrowd *crowd, PetscReal h, PetscBool *good);

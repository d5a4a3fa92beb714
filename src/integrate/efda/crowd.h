/* A crowd is an engine that solves all contacts of a step together, without computing the times of impacts (theory
   18.6). A crowd lists the contacts that may close, starts from the forces of the last step, sweeps over the contacts
   (Gauss-Seidel), prevents contacts from creating energy, moves the bodies, and pushes overlapping bodies apart. The
   energy balance is exact after any number of sweeps; with too few sweeps, bodies overlap. A kernel has the functions
   for one type of body: balls (crowd_ball.c) or any shape (crowd_shape.c). */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt sweeps; /* greatest number of sweeps in a step */
  /* sweeps end when no velocity changes by more than this fraction of h times the acceleration by loads */
  PetscReal tolerance;
  PetscInt
      /* Greatest number of further position corrections (pushes) after the step, for pairs of bodies that were not in
         its list. */
      again;
  /* Overlap above which these corrections are made, as a fraction of the size of a body. */
  PetscReal deep;
} EfdaCrowdTuning;

typedef struct EfdaCrowd EfdaCrowd;

/* The functions of a kernel. crowd->data belongs to the kernel; h is the size of the step. */
typedef struct {
  EfdaCrowdTuning tuning;
  /* Lists the contacts that may close in a step from the present state. Sets crowd->deepest. */
  PetscErrorCode (*list)(EfdaCrowd *crowd, PetscReal h);
  /* Writes all numbers on which the list depends, crowd->nkey of them. */
  void (*key)(const EfdaCrowd *crowd, PetscReal h, PetscReal *key);
  /* Computes the velocities in the middle of the step, with the impulses from which the contacts start. Sets
     load, speed and energy of the crowd. */
  PetscErrorCode (*begin)(EfdaCrowd *crowd, PetscReal h, PetscBool *good);
  /* Sweeps until no velocity changes by more than `tolerance`, at most `most` times. Returns the number of
     sweeps. */
  PetscInt (*sweep)(EfdaCrowd *crowd, PetscInt most, PetscReal tolerance);
  /* Solves all contacts as one system, if sweeps converge too slowly. NULL: the kernel has no such solver. */
  PetscErrorCode (*together)(EfdaCrowd *crowd);
  /* Computes the work that friction and normal forces do on the bodies with the present impulses. Returns false if
     there is no solution. */
  PetscBool (*work)(EfdaCrowd *crowd, PetscReal h, PetscReal *friction, PetscReal *normal);
  /* Changes the prescribed velocities (biases) of the contacts so that they dissipate energy instead of creating it. If
     `strict` is true, no contact creates energy, whatever its neighbours do. `makes` is true if friction creates energy
     at present. */
  void (*tame)(EfdaCrowd *crowd, PetscBool makes, PetscBool strict);
  /* Computes the positions at the end of the step, and moves overlapping bodies apart. Enters contacts into the ledger,
     and stores their impulses for the next step. */
  PetscErrorCode (*move)(EfdaCrowd *crowd, PetscReal h);
  /* Pushes the bodies apart once more, and makes a new list. */
  PetscErrorCode (*push)(EfdaCrowd *crowd, PetscReal h);
} EfdaCrowdKernel;

struct EfdaCrowd {
  const EfdaCrowdKernel *kernel; /* borrowed, like data */
  void                  *data;
  EfdaCrowdTuning        tuning;
  PetscReal  load, speed, energy; /* acceleration by loads, greatest velocity, typical energy */
  PetscReal  size;                /* size of a body */
  PetscReal  deepest;             /* greatest overlap in the list */
  PetscInt   sweeps;              /* number of sweeps in this step */
  PetscBool  is_listed;           /* the list belongs to a step with the key `listed` */
  PetscInt   nkey;
  PetscReal *listed, *now; /* [nkey] key of the list; scratch; both owned */
};

PetscErrorCode EfdaCrowdCreate(const EfdaCrowdKernel *kernel, void *data, PetscInt nkey,
                               EfdaCrowd *crowd);
PetscErrorCode EfdaCrowdDestroy(EfdaCrowd *crowd);
/* Computes a step. *good is false if there is no solution. */
PetscErrorCode EfdaCrowdStep(EfdaCrowd *crowd, PetscReal h, PetscBool *good);

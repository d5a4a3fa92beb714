/* Engines for many bodies. A crowd is an engine that solves all contacts of a step together, without computing the
   times of impacts (theory 18.6). In each step, a crowd lists the contacts that may close, and starts from the contact
   forces of the last step. It computes the impulses by Gauss-Seidel sweeps over the contacts, and prevents contacts
   from creating energy. Then it moves the bodies, and pushes overlapping bodies apart. The energy balance is exact
   after any number of sweeps; with too few sweeps, bodies overlap. A kernel has the functions for one type of body:
   balls (crowd_ball.c) or any shape (crowd_shape.c). */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt sweeps; /* greatest number of sweeps in a step */
  /* sweeps end when no velocity changes by more than this fraction of h times the acceleration by loads */
  PetscReal tolerance;
  /* greatest number of further position corrections at the end of the step, for pairs of bodies that were not in the
     contact list */
  PetscInt again;
  /* overlap above which these further corrections are made, as a fraction of the size of a body */
  PetscReal deep;
} EfdaCrowdTuning;

typedef struct EfdaCrowd EfdaCrowd;

/* The functions of a kernel. crowd->data belongs to the kernel; h is the size of the step. */
typedef struct {
  EfdaCrowdTuning tuning;
  /* Lists the contacts that may close in a step of size h from the present state. Sets crowd->deepest. */
  PetscErrorCode (*list)(EfdaCrowd *crowd, PetscReal h);
  /* Writes to key[] the crowd->nkey numbers on which the contact list depends. If they have not changed, the list is
     used again. */
  void (*key)(const EfdaCrowd *crowd, PetscReal h, PetscReal *key);
  /* Computes the velocities in the middle of the step, with the initial values of the contact impulses. Sets load,
     speed and energy of the crowd. *good is false if there is no solution. */
  PetscErrorCode (*begin)(EfdaCrowd *crowd, PetscReal h, PetscBool *good);
  /* Sweeps until no velocity changes by more than `tolerance`, at most `most` times. Returns the number of
     sweeps. */
  PetscInt (*sweep)(EfdaCrowd *crowd, PetscInt most, PetscReal tolerance);
  /* Solves all contacts as one system, if sweeps converge too slowly. NULL: the kernel has no such solver. */
  PetscErrorCode (*together)(EfdaCrowd *crowd);
  /* Computes *friction and *normal, the works that friction and normal forces do on the bodies with the present
     impulses. Returns false if there is no solution. */
  PetscBool (*work)(EfdaCrowd *crowd, PetscReal h, PetscReal *friction, PetscReal *normal);
  /* Changes the target velocities (biases) of the contacts so that contacts dissipate energy instead of creating it. If
     `strict` is true, no contact creates energy, whatever its neighbours do. `makes` is true if friction creates energy
     at present. */
  void (*tame)(EfdaCrowd *crowd, PetscBool makes, PetscBool strict);
  /* Computes the positions at the end of the step, and moves overlapping bodies apart. Adds the works of contacts to
     the sums of the step, and stores their impulses for the next step. */
  PetscErrorCode (*move)(EfdaCrowd *crowd, PetscReal h);
  /* Moves overlapping bodies apart once more, and makes a new contact list. */
  PetscErrorCode (*push)(EfdaCrowd *crowd, PetscReal h);
} EfdaCrowdKernel;

struct EfdaCrowd {
  const EfdaCrowdKernel *kernel; /* borrowed, like data */
  void                  *data;
  EfdaCrowdTuning        tuning;
  /* acceleration by loads, greatest velocity of a body, typical energy of the system */
  PetscReal  load, speed, energy;
  PetscReal  size;      /* typical size of a body */
  PetscReal  deepest;   /* greatest overlap of the listed contacts */
  PetscInt   sweeps;    /* number of sweeps in this step */
  PetscBool  is_listed; /* there is a contact list, and its key is `listed` */
  PetscInt   nkey;
  PetscReal *listed, *now; /* [nkey] key of the contact list; key of the present step; both owned */
};

PetscErrorCode EfdaCrowdCreate(const EfdaCrowdKernel *kernel, void *data, PetscInt nkey,
                               EfdaCrowd *crowd);
PetscErrorCode EfdaCrowdDestroy(EfdaCrowd *crowd);
/* Computes a step of size h. *good is false if there is no solution. */
PetscErrorCode EfdaCrowdStep(EfdaCrowd *crowd, PetscReal h, PetscBool *good);

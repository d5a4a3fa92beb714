/* Several runs of the program as its children: `compare`, `converge`. */
#pragma once

#include "app/app.h"

/* What tables of many runs say below the column `energy drift`. */
#define ENERGY_DRIFT                                                                                \
  "energy drift: energy that appeared or went beside friction and loads, at most, of the greatest " \
  "energy"

#define POOL_SETS 512

typedef enum { JOB_COMPLETED, JOB_BROKE_LIMIT, JOB_FAILED, JOB_REFUSED } JobState;

/* One run: how it is started, and how it ended. */
typedef struct {
  const char   *name; /* in messages; borrowed */
  char          dir[PETSC_MAX_PATH_LEN], log[PETSC_MAX_PATH_LEN];
  PetscInt      nsets;
  char         *sets[POOL_SETS]; /* --set values of its own; owned */
  PetscBool     force;           /* it may replace what its folder holds */
  PetscBool     resume;          /* its folder holds a part of the run, which goes on */
  PetscBool     done;            /* its folder holds the whole run, which is only read */
  JobState      state;
  char          trouble[512]; /* why it refused or failed; "" if it did not */
  struct cJSON *audit;        /* audit.json; NULL: there is none; owned */
} AppJob;

/* Adds a value of its own. */
PetscErrorCode AppJobSet(AppJob *job, const char format[], ...);
PetscErrorCode AppJobFree(AppJob *job);
const char    *AppJobStateName(JobState state);
/* A number of audit.json; NaN: there is none. */
double AppJobNumber(const AppJob *job, const char name[]);
/* The same of its "resolution". */
double AppJobResolution(const AppJob *job, const char name[]);

/* Starts the runs as children, `workers` at a time (0: as many as there are processors), waits for all, and finds
   out how they ended. *interrupted: a signal ended them; then they have written checkpoints. */
PetscErrorCode AppPoolRun(const AppArguments *arguments, PetscInt workers, PetscInt n,
                          AppJob *const jobs[], PetscBool *interrupted);

/* Runs the program in child processes, several at a time, for the commands `compare`, `converge` and `sweep`. */
#pragma once

#include "app/app.h"

/* Explanation of the column `energy drift`, printed below tables of many runs. */
#define ENERGY_DRIFT                                                                                                \
  "energy drift: greatest error of the energy balance, which includes friction and loads, divided by the greatest " \
  "energy"

#define POOL_SETS 512

typedef enum { JOB_COMPLETED, JOB_BROKE_LIMIT, JOB_FAILED, JOB_REFUSED } JobState;

/* One run: its start and its result. */
typedef struct {
  const char   *name; /* name for messages; borrowed */
  char          dir[PETSC_MAX_PATH_LEN], log[PETSC_MAX_PATH_LEN];
  PetscInt      nsets;
  char         *sets[POOL_SETS]; /* --set values of this run; owned */
  PetscBool     force;           /* the run may replace the contents of its folder */
  PetscBool     resume;          /* its folder contains a part of the run, which is resumed */
  PetscBool     done;            /* its folder contains the completed run, which is only read */
  JobState      state;
  char          trouble[512]; /* why the deck was refused or the run failed; "": neither */
  struct cJSON *audit;        /* audit.json; NULL: there is none; owned */
} AppJob;

/* Adds a --set value to the run. */
PetscErrorCode AppJobSet(AppJob *job, const char format[], ...);
PetscErrorCode AppJobFree(AppJob *job);
const char    *AppJobStateName(JobState state);
/* Returns a number of audit.json, or NaN if the number is missing. */
double AppJobNumber(const AppJob *job, const char name[]);
/* Does the same for a number of the section "resolution". */
double AppJobResolution(const AppJob *job, const char name[]);

/* Starts the runs as children, `workers` at a time (0: as many as there are processors), waits for all of them, and
   reads their results. *interrupted is true if a signal ended the runs. They have then written checkpoints. */
PetscErrorCode AppPoolRun(const AppArguments *arguments, PetscInt workers, PetscInt n,
                          AppJob *const jobs[], PetscBool *interrupted);

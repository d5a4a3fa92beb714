/* Runs the program in child processes, several at a time, for the commands `compare`, `converge` and `sweep`. */
#pragma once

#include "app/app.h"

/* The text that explains the column `energy drift`. This text is printed below tables that compare several runs. */
#define ENERGY_DRIFT                                                                                                \
  "energy drift: greatest error of the energy balance, which includes friction and loads, divided by the greatest " \
  "energy"

#define POOL_SETS 512

typedef enum { JOB_COMPLETED, JOB_BROKE_LIMIT, JOB_FAILED, JOB_REFUSED } JobState;

/* One run of the program in a child process: the settings with which it starts, and its result. */
typedef struct {
  const char *name; /* name of the run in messages; borrowed */
  char        dir[PETSC_MAX_PATH_LEN], log[PETSC_MAX_PATH_LEN];
  PetscInt    nsets;
  char       *sets[POOL_SETS]; /* --set values of this run; owned */
  PetscBool   force;           /* true: the run may replace the contents of its folder */
  PetscBool   resume;          /* true: the folder contains an interrupted run, which is resumed */
  PetscBool   done;            /* true: the folder contains the completed run, which is only read */
  JobState    state;
  char        trouble[512]; /* message why the deck was refused or the run failed; "": neither */
  /* contents of audit.json of the run; NULL: the file does not exist; owned */
  struct cJSON *audit;
} AppJob;

/* Adds to the run a value for the option --set, formatted as by printf. */
PetscErrorCode AppJobSet(AppJob *job, const char format[], ...);
PetscErrorCode AppJobFree(AppJob *job);
const char    *AppJobStateName(JobState state);
/* Returns the number with this name in audit.json of the run, or NaN if the number is missing. */
double AppJobNumber(const AppJob *job, const char name[]);
/* Returns a number of the section "resolution" in audit.json, or NaN if the number is missing. */
double AppJobResolution(const AppJob *job, const char name[]);

/* Starts n runs as child processes, `workers` at a time (0: as many as there are processors). Then waits for all of
   them and reads their results into `jobs`. *interrupted is true if a signal ended the runs. In this case each run has
   written a checkpoint. */
PetscErrorCode AppPoolRun(const AppArguments *arguments, PetscInt workers, PetscInt n,
                          AppJob *const jobs[], PetscBool *interrupted);

/* Declares the types and functions that the source files of the command `carom converge` share. This command runs one
   deck at several levels of refinement and estimates the errors of its results. Level 0 is the unchanged deck; each
   further level has finer time steps or meshes. */
#pragma once

#include "app/pool.h"
#include "base/estimate.h"

/* One result of the run, such as a velocity, with its value at every level of refinement. */
typedef struct {
  char      name[240];
  PetscReal values[CR_ESTIMATE_MOST];
  /* resolution of the value at each level: differences below the resolution mean nothing; 0: all digits are
     significant */
  PetscReal grains[CR_ESTIMATE_MOST];
  /* magnitude with which errors are compared: of the vector if the result is a vector component, or of the energy */
  PetscReal  scale;
  CrEstimate estimate;
} ConvergeValue;

#define CONVERGE_WINDOWS 64 /* greatest number of contact pairs that have a common time window */

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  PetscInt            n; /* number of levels of refinement */
  /* ratio: refinement from one level to the next; limit: greatest relative error that the deck allows, 0: no limit */
  PetscReal ratio, limit;
  /* [n] runs of the levels; the first job runs the unchanged deck */
  AppJob jobs[CR_ESTIMATE_MOST];
  /* text printed before the names of levels, such as the name of a method; NULL: nothing */
  const char *label;
  char        names[CR_ESTIMATE_MOST][64];
  char steps[CR_ESTIMATE_MOST][160]; /* [n] text that describes how a level changes the deck */
  /* True if the mesh changes from level to level and the deck sets no time window (output.filter) for filtered contact
     forces. Each level would then choose its own window. Instead, all levels use the windows of the first level, one
     window for each contact pair. */
  PetscBool own_windows;
  PetscReal windows[CONVERGE_WINDOWS];
  /* [n] greatest error of the energy balance at each level, divided by the greatest energy */
  PetscReal      open[CR_ESTIMATE_MOST];
  PetscInt       nvalues, room;
  ConvergeValue *values; /* owned */
  /* message about an item of the option --quantities that names no result; empty: none */
  char unknown[400];
  char partial[400]; /* names of results that are missing at some level; empty: none */
  /* simulated time from which on the positions of bodies differ between the two finest levels; negative: never */
  PetscReal apart;
} Converge;

/* Initialises `converge`: sets the number of levels and the ratio from the command line, and the folder of the study to
   `dir`. */
void AppConvergeStart(Converge *converge, const AppArguments *arguments, const char dir[]);
/* Finds out which levels the folder of the study already contains from an earlier call (converge.c). */
PetscErrorCode AppConvergeOpen(Converge *converge);
PetscErrorCode AppConvergeFree(Converge *converge);
/* Makes the --set values that change the deck into each level (converge_levels.c). Time steps, meshes or both become
   finer by the ratio from level to level. */
PetscErrorCode AppConvergeLevels(Converge *converge);
/* Stores `value`, a result of this level, under the name "what.name" (converge_entries.c). `scale` is described at
   ConvergeValue. */
PetscErrorCode AppConvergeEnter(Converge *converge, PetscInt level, const char what[],
                                const char name[], PetscReal value, PetscReal scale);
/* Stores `grain`, the resolution of the result "what.name" at this level. If the function is called several times for
   one result, it keeps the greatest resolution. */
PetscErrorCode AppConvergeEnterGrain(Converge *converge, PetscInt level, const char what[],
                                     const char name[], PetscReal grain);
/* Removes the results that the option --quantities does not name. Also finds the items of --quantities that name no
   result. */
PetscErrorCode AppConvergeKeepWanted(Converge *converge);
/* Reads the results of all levels from their folders, and estimates the order of convergence and the error of each
   result (converge_values.c). */
PetscErrorCode AppConvergeRead(Converge *converge);
/* AppConvergePrint prints the table of results on the screen. AppConvergeWriteTable writes converge.csv, and
   AppConvergeWritePage writes converge.html. All three are in converge_table.c. */
void           AppConvergePrint(const Converge *converge);
PetscErrorCode AppConvergeWriteTable(const Converge *converge);
PetscErrorCode AppConvergeWritePage(const Converge *converge);
/* Makes a JSON object *study that describes the convergence study, for a web page. */
PetscErrorCode AppConvergeDescribe(const Converge *converge, struct cJSON **study);

/* The parts of `carom converge`. */
#pragma once

#include "app/pool.h"
#include "base/estimate.h"

/* One result of the run, at every level. */
typedef struct {
  char      name[240];
  PetscReal values[CR_ESTIMATE_MOST];
  PetscReal grains
      [CR_ESTIMATE_MOST]; /* resolution of the values: smaller differences mean nothing; 0: all digits are significant */
  PetscReal
      scale; /* magnitude of the vector of which the result is a component, or of the energy */
  CrEstimate estimate;
} ConvergeValue;

#define CONVERGE_WINDOWS 64 /* greatest number of pairs with a window */

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  PetscInt            n;    /* number of levels */
  PetscReal   ratio, limit; /* limit: greatest relative error that the deck allows; 0: no limit */
  AppJob      jobs[CR_ESTIMATE_MOST]; /* the first job runs the unchanged deck */
  const char *label; /* printed before the names of levels: a method; NULL: nothing */
  char        names[CR_ESTIMATE_MOST][64];
  char        steps[CR_ESTIMATE_MOST][160]; /* readable description of the changes of a level */
  /* True if the mesh changes and the deck sets no window for filtered forces. Every level would then choose its own
     window, so all levels use the windows of the first level. */
  PetscBool own_windows;
  PetscReal windows[CONVERGE_WINDOWS];
  PetscReal open
      [CR_ESTIMATE_MOST]; /* greatest energy that is not accounted for, relative to the greatest energy */
  PetscInt       nvalues, room;
  ConvergeValue *values; /* owned */
  char unknown[400]; /* message about an item of --quantities that names no result; empty: none */
  char partial[400]; /* names of results that some level does not have; empty: none */
  PetscReal
      apart; /* from this time on, positions of bodies differ between the two finest levels; negative: never */
} Converge;

/* Sets the number of levels and the ratio from the command line, and the folder of the study. */
void AppConvergeStart(Converge *converge, const AppArguments *arguments, const char dir[]);
/* Finds out which levels the folder already contains (converge.c). */
PetscErrorCode AppConvergeOpen(Converge *converge);
PetscErrorCode AppConvergeFree(Converge *converge);
/* Makes the --set values of each level. Steps, meshes or both become finer by the ratio from level to level
   (converge_levels.c). */
PetscErrorCode AppConvergeLevels(Converge *converge);
/* Stores the value of a level under the name "what.name" (converge_entries.c). */
PetscErrorCode AppConvergeEnter(Converge *converge, PetscInt level, const char what[],
                                const char name[], PetscReal value, PetscReal scale);
/* Stores the resolution of the value of a level. If the function is called several times, it keeps the greatest
   resolution. */
PetscErrorCode AppConvergeEnterGrain(Converge *converge, PetscInt level, const char what[],
                                     const char name[], PetscReal grain);
/* Removes results that --quantities does not name, and finds items of --quantities that name no result. */
PetscErrorCode AppConvergeKeepWanted(Converge *converge);
/* Reads the results of all levels from their folders, and estimates orders and errors (converge_values.c). */
PetscErrorCode AppConvergeRead(Converge *converge);
/* Print the table on the screen, and write converge.csv and converge.html (converge_table.c). */
void           AppConvergePrint(const Converge *converge);
PetscErrorCode AppConvergeWriteTable(const Converge *converge);
PetscErrorCode AppConvergeWritePage(const Converge *converge);
/* Describes the study as JSON, for a page. */
PetscErrorCode AppConvergeDescribe(const Converge *converge, struct cJSON **study);

/* The parts of `carom converge`. */
#pragma once

#include "app/pool.h"
#include "base/estimate.h"

/* One number of the run, at every level. */
typedef struct {
  char       name[240];
  PetscReal  values[CR_ESTIMATE_MOST];
  PetscReal  grains[CR_ESTIMATE_MOST]; /* what values can be told apart by; 0: all digits */
  PetscReal  scale; /* size of the vector of which it is a component, or of the energy */
  CrEstimate estimate;
} ConvergeValue;

#define CONVERGE_WINDOWS 64 /* pairs with a window */

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  PetscInt            n;                      /* levels */
  PetscReal           ratio, limit;           /* limit: of the deck on relative errors; 0: none */
  AppJob              jobs[CR_ESTIMATE_MOST]; /* the first is the deck as it stands */
  const char         *label;                  /* before the names of levels: a method; NULL: none */
  char                names[CR_ESTIMATE_MOST][64];
  char                steps[CR_ESTIMATE_MOST][160]; /* what the level changed, for people */
  /* The mesh changes, and so do the windows of filtered forces, unless the deck gives one: then all levels take the
     windows of the first one. */
  PetscBool own_windows;
  PetscReal windows[CONVERGE_WINDOWS];
  PetscReal open[CR_ESTIMATE_MOST]; /* greatest energy without explanation, of the greatest one */
  PetscInt  nvalues, room;
  ConvergeValue *values; /* owned */
  char unknown[400];     /* message about an item of --quantities that is no number; empty: none */
  char partial[400];     /* names of numbers that are not at every level; empty: none */
  PetscReal
      apart; /* from this time on bodies of the two finest levels are apart; negative: never */
} Converge;

/* Levels and ratio as the command line asks for them; a folder of its own. */
void AppConvergeStart(Converge *converge, const AppArguments *arguments, const char dir[]);
/* Finds out which levels the folder holds already (converge.c). */
PetscErrorCode AppConvergeOpen(Converge *converge);
PetscErrorCode AppConvergeFree(Converge *converge);
/* Sets of each level: steps, meshes or both, smaller by the ratio (converge_levels.c). */
PetscErrorCode AppConvergeLevels(Converge *converge);
/* Enters the value of a level under the name "what.name" (converge_entries.c). */
PetscErrorCode AppConvergeEnter(Converge *converge, PetscInt level, const char what[],
                                const char name[], PetscReal value, PetscReal scale);
/* What the value of that level can be told apart by: the greatest of all that are given. */
PetscErrorCode AppConvergeEnterGrain(Converge *converge, PetscInt level, const char what[],
                                     const char name[], PetscReal grain);
/* Drops entries that --quantities does not name, and looks for items that name none. */
PetscErrorCode AppConvergeKeepWanted(Converge *converge);
/* Reads the numbers of all levels from their folders, and estimates orders and errors (converge_values.c). */
PetscErrorCode AppConvergeRead(Converge *converge);
/* The table on the screen, converge.csv and converge.html (converge_table.c). */
void           AppConvergePrint(const Converge *converge);
PetscErrorCode AppConvergeWriteTable(const Converge *converge);
PetscErrorCode AppConvergeWritePage(const Converge *converge);
/* The study as JSON, for a page. */
PetscErrorCode AppConvergeDescribe(const Converge *converge, struct cJSON **study);

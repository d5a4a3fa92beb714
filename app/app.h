/* The commands of the program. Each command has its own source file and a row in main.c. */
#pragma once

#include <stdio.h>
#include "base/base.h"
#include "draw/draw.h"

/* Texts that `carom --help` and the man page share. */
#define APP_PURPOSE "carom simulates impacts of bodies and reports where the energy goes."
#define APP_EXIT_CODES                                                                                                     \
  "Exit codes: 0 done; 1 the run failed; 2 wrong usage or bad input;\n3 the machine failed (memory, disk, permissions);\n" \
  "130 interrupted, after a checkpoint was written."

/* Arguments of the command line, parsed by the table of the command's options. */
#define APP_MOST 64

typedef struct {
  PetscInt    nwords;
  const char *words[APP_MOST]; /* arguments that are not options */
  PetscInt    nsets;
  const char *sets[APP_MOST]; /* --set */
  const char *output;         /* -o */
  PetscInt    threads;        /* --threads; 0: not given */
  PetscInt    stop_after;     /* --stop-after; 0: not given */
  PetscReal   until;          /* --until; 0: not given */
  const char *methods;        /* --methods */
  PetscReal   limit;          /* --limit; 0: not given */
  const char *solver;         /* --solver */
  PetscReal   fps;            /* --fps; 0: not given */
  PetscReal   tolerance;      /* --tolerance; 0: not given */
  PetscInt    repeat;         /* --repeat; 0: not given */
  const char *frame, *field, *view, *size,
      *range; /* --frame, --field, --view, --size and --range of pictures */
  PetscBool   whole, plain, small, no_mesh, no_axes; /* flags of the same names */
  PetscBool   open;                                  /* --open */
  PetscInt    panels;                                /* --panels */
  const char *edit, *port;                           /* --edit, --port, of the viewer */
  const char *from;                                  /* --from, of `new` */
  PetscInt    novers;
  const char *overs[APP_MOST];        /* --over, of `sweep` */
  const char *of, *quantities;        /* --of, --quantities, of `converge` */
  PetscInt    levels, ratio, workers; /* --levels, --ratio, --workers; 0: not given */
  PetscBool   force, quick, quiet, json, preview, leash, converge;
  PetscInt    npetsc;
  char      **petsc; /* arguments after -- */
} AppArguments;

/* Groups of options that a command accepts, combined by |. options.c lists the options of each group. */
enum {
  APP_OUTPUT = 1,
  APP_FORCE = 2,
  APP_SET = 4,
  APP_PETSC = 8,
  APP_QUICK = 16,
  APP_THREADS = 32,
  APP_STOP = 64,
  APP_UNTIL = 128,
  APP_CONE = 256, /* options of `friction` */
  APP_METHODS = 512,
  APP_LIMIT = 1024,
  APP_PICTURE = 2048,
  APP_VIEW = 4096,
  APP_JSON = 8192,
  APP_CONVERGE = 16384,
  APP_SWEEP = 32768,
  APP_FROM = 65536, /* options of `new` */
  APP_SAY = 131072, /* options for the amount of terminal output */
  APP_FILM = 262144 /* also has those options of APP_PICTURE that change the look */
};

typedef struct {
  const char *name, *usage, *help;
  unsigned    options;
  PetscInt    least, most; /* least and greatest number of arguments that are not options */
  PetscBool   mpi;         /* the command may run on several MPI ranks */
  /* Runs the command and returns an error code of PETSc. If this code is 0, *status is the exit code. */
  PetscErrorCode (*go)(const AppArguments *, int *status);
} AppCommand;

/* If argv[*k] is an option of these groups, stores the option and its value in `a`. *k then is the last argument that
   was read. */
PetscErrorCode AppTakeOption(unsigned groups, int argc, char **argv, int *k, AppArguments *a,
                             PetscBool *taken);
/* Stores the names of the options of these groups (at most APP_MOST), and returns their number. */
PetscInt AppOptionNames(unsigned groups, const char *names[]);
/* Prints the lines of `carom COMMAND --help` about these options. */
void AppPrintOptions(FILE *to, unsigned groups);
/* Returns the k-th command of the table, or NULL after the last one. */
const AppCommand *AppCommandGet(PetscInt k);

PetscErrorCode AppRun(const AppArguments *, int *status);
PetscErrorCode AppResume(const AppArguments *, int *status);
PetscErrorCode AppReport(const AppArguments *, int *status);
PetscErrorCode AppPicture(const AppArguments *, int *status);
PetscErrorCode AppFilm(const AppArguments *, int *status);
PetscErrorCode AppPlot(const AppArguments *, int *status);
PetscErrorCode AppCompare(const AppArguments *, int *status);
PetscErrorCode AppConverge(const AppArguments *, int *status);
PetscErrorCode AppSweep(const AppArguments *, int *status);
PetscErrorCode AppView(const AppArguments *, int *status);
PetscErrorCode AppCheck(const AppArguments *, int *status);
PetscErrorCode AppExamples(const AppArguments *, int *status);
PetscErrorCode AppNew(const AppArguments *, int *status);
PetscErrorCode AppVerify(const AppArguments *, int *status);
PetscErrorCode AppFriction(const AppArguments *, int *status);
PetscErrorCode AppMethods(const AppArguments *, int *status);
PetscErrorCode AppSchema(const AppArguments *, int *status);
PetscErrorCode AppCompletion(const AppArguments *, int *status);
PetscErrorCode AppMan(const AppArguments *, int *status);

/* Sets the options of a picture from --field, --view, --size and so on. */
PetscErrorCode AppPictureTake(const AppArguments *, CrPicture *picture);
/* Makes the name of a folder in the working directory: the name of the deck with another ending, such as deck.out. */
void AppDefaultFolder(const char deck[], const char ending[], char dir[], size_t size);
/* Runs a deck and writes the results to a folder. */
PetscErrorCode AppRunDeck(const char deck[], const char dir[], const AppArguments *arguments,
                          int *status);
/* The main function of the program. launch.c finds it in the library by this name. */
PETSC_VISIBILITY_PUBLIC int CrMain(int argc, char **argv);

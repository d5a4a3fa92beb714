/* Declares the commands of the program carom, such as `run` and `check`, and the arguments of the command line. Each
   command has its own source file and a row in the table of main.c. */
#pragma once

#include <stdio.h>
#include "base/base.h"
#include "draw/draw.h"

/* These texts are used both by `carom --help` and by the man page. */
#define APP_PURPOSE "carom simulates impacts of bodies and reports where the energy goes."
#define APP_EXIT_CODES                                                                                                     \
  "Exit codes: 0 done; 1 the run failed; 2 wrong usage or bad input;\n3 the machine failed (memory, disk, permissions);\n" \
  "130 interrupted, after a checkpoint was written."

/* The arguments of the command line after parsing. A member whose comment is only an option, such as --set, stores the
   value of this option. */
#define APP_MOST 64

typedef struct {
  PetscInt nwords;
  /* command-line arguments that are not options, such as DECK.yaml */
  const char *words[APP_MOST];
  PetscInt    nsets;
  const char *sets[APP_MOST]; /* values of the options --set */
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
  /* values of the picture options --frame, --field, --view, --size and --range */
  const char *frame, *field, *view, *size, *range;
  /* true: the option of the same name was given, such as --no-mesh */
  PetscBool   whole, plain, small, no_mesh, no_axes;
  PetscBool   open;        /* --open */
  PetscInt    panels;      /* --panels */
  const char *edit, *port; /* --edit and --port of the command `view` */
  const char *from;        /* --from of the command `new` */
  PetscInt    novers;
  const char *overs[APP_MOST];        /* values of the options --over of the command `sweep` */
  const char *of, *quantities;        /* --of and --quantities of the command `converge` */
  PetscInt    levels, ratio, workers; /* --levels, --ratio, --workers; 0: not given */
  PetscBool   force, quick, quiet, json, preview, leash, converge;
  PetscInt    npetsc;
  char      **petsc; /* arguments after "--", which are passed to PETSc */
} AppArguments;

/* Groups of command-line options. A command accepts several groups, combined by |. The file options.c lists the options
   of each group. */
enum {
  APP_OUTPUT = 1,
  APP_FORCE = 2,
  APP_SET = 4,
  APP_PETSC = 8,
  APP_QUICK = 16,
  APP_THREADS = 32,
  APP_STOP = 64,
  APP_UNTIL = 128,
  APP_CONE = 256, /* options of the command `friction` */
  APP_METHODS = 512,
  APP_LIMIT = 1024,
  APP_PICTURE = 2048,
  APP_VIEW = 4096,
  APP_JSON = 8192,
  APP_CONVERGE = 16384,
  APP_SWEEP = 32768,
  APP_FROM = 65536, /* options of the command `new` */
  APP_SAY = 131072, /* options that set the amount of terminal output */
  /* options of `film`; includes the options of APP_PICTURE that change the look */
  APP_FILM = 262144
};

typedef struct {
  const char *name, *usage, *help;
  unsigned    options;
  PetscInt    least, most; /* least and greatest number of arguments besides the options */
  PetscBool   mpi;         /* true: the command may run on several MPI ranks */
  /* Runs the command and returns a PETSc error code. If the error code is 0, *status is the exit code of the
     program. */
  PetscErrorCode (*go)(const AppArguments *, int *status);
} AppCommand;

/* Looks whether argv[*k] is an option of these groups. If it is, the function stores the option and its value in `a`,
   and *taken is true. *k is then the index of the last argument that belongs to the option. */
PetscErrorCode AppTakeOption(unsigned groups, int argc, char **argv, int *k, AppArguments *a,
                             PetscBool *taken);
/* Stores in `names` the names of all options of these groups (at most APP_MOST), and returns the number of names. */
PetscInt AppOptionNames(unsigned groups, const char *names[]);
/* Prints to the file `to` the help lines of all options of these groups, as `carom COMMAND --help` shows them. */
void AppPrintOptions(FILE *to, unsigned groups);
/* Returns the k-th command of the table in main.c, from 0, or NULL after the last command. */
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

/* Sets the members of `picture` from the options --field, --view, --size and the other options of pictures. */
PetscErrorCode AppPictureTake(const AppArguments *, CrPicture *picture);
/* Makes in `dir` the name of a folder in the working directory. The name is the deck's file name with another ending.
   For the deck impact.yaml and the ending ".out" it is impact.out. */
void AppDefaultFolder(const char deck[], const char ending[], char dir[], size_t size);
/* Runs a deck and writes the results to the folder `dir`. *status is the exit code of the program. */
PetscErrorCode AppRunDeck(const char deck[], const char dir[], const AppArguments *arguments,
                          int *status);
/* Is the main function of the program. The small executable (launch.c) loads the library and finds this function by its
   name. */
PETSC_VISIBILITY_PUBLIC int CrMain(int argc, char **argv);

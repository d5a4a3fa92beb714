/* The commands of the program. One file and one row in main.c each. */
#pragma once

#include <stdio.h>
#include "base/base.h"
#include "draw/draw.h"

/* What `carom --help` and the man page both say. */
#define APP_PURPOSE "carom strikes bodies together and says where the energy went."
#define APP_EXIT_CODES                                                                             \
  "Exit codes: 0 done; 1 the run failed; 2 wrong usage or bad input; 3 the machine failed;\n"      \
  "130 interrupted, after a checkpoint was written."

/* What stood on the command line, taken apart by the table of a command. */
#define APP_MOST 64

typedef struct {
  PetscInt    nwords;
  const char *words[APP_MOST]; /* what is no option */
  PetscInt    nsets;
  const char *sets[APP_MOST];                        /* --set */
  const char *output;                                /* -o */
  PetscInt    threads;                               /* --threads; 0: not given */
  PetscInt    stop_after;                            /* --stop-after; 0: not given */
  PetscReal   until;                                 /* --until; 0: not given */
  const char *methods;                               /* --methods */
  PetscReal   limit;                                 /* --limit; 0: not given */
  const char *solver;                                /* --solver */
  PetscReal   fps;                                   /* --fps; 0: not given */
  PetscReal   tolerance;                             /* --tolerance; 0: not given */
  PetscInt    repeat;                                /* --repeat; 0: not given */
  const char *frame, *field, *view, *size, *range;   /* --frame and so on, of pictures */
  PetscBool   whole, plain, small, no_mesh, no_axes; /* --whole and so on */
  PetscBool   open;                                  /* --open */
  PetscInt    panels;                                /* --panels */
  const char *edit, *port;                           /* --edit, --port, of the viewer */
  const char *from;                                  /* --from, of `new` */
  PetscInt    novers;
  const char *overs[APP_MOST];        /* --over, of `sweep` */
  const char *of, *quantities;        /* --of, --quantities, of `converge` */
  PetscInt    levels, ratio, workers; /* --levels and so on; 0: not given */
  PetscBool   force, quick, quiet, json, preview, leash, converge;
  PetscInt    npetsc;
  char      **petsc; /* what stood behind -- */
} AppArguments;

/* Groups of options that a command takes, or-ed; options.c says what is in each. */
enum {
  APP_OUTPUT = 1,
  APP_FORCE = 2,
  APP_SET = 4,
  APP_PETSC = 8,
  APP_QUICK = 16,
  APP_THREADS = 32,
  APP_STOP = 64,
  APP_UNTIL = 128,
  APP_CONE = 256, /* of `friction` */
  APP_METHODS = 512,
  APP_LIMIT = 1024,
  APP_PICTURE = 2048,
  APP_VIEW = 4096,
  APP_JSON = 8192,
  APP_CONVERGE = 16384,
  APP_SWEEP = 32768,
  APP_FROM = 65536, /* of `new` */
  APP_SAY = 131072, /* how much a run says */
  APP_FILM = 262144 /* with APP_PICTURE's options of the look */
};

typedef struct {
  const char *name, *usage, *help;
  unsigned    options;
  PetscInt    least, most; /* words */
  PetscBool   mpi;         /* may run on several ranks */
  /* Returns PETSc's code; *status is the exit code where that is 0. */
  PetscErrorCode (*go)(const AppArguments *, int *status);
} AppCommand;

/* Takes argv[*k], and its value, if it is an option of these groups. */
PetscErrorCode AppTakeOption(unsigned groups, int argc, char **argv, int *k, AppArguments *a,
                             PetscBool *taken);
/* Their names, at most APP_MOST; how many. */
PetscInt AppOptionNames(unsigned groups, const char *names[]);
/* Their part of `carom COMMAND --help`. */
void AppPrintOptions(FILE *to, unsigned groups);
/* The k-th command of the table; NULL behind the last. */
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

/* What --field and so on say of a picture. */
PetscErrorCode AppPictureTake(const AppArguments *, CrPicture *picture);
/* deck.yaml with another ending, in the working directory: deck.out */
void AppDefaultFolder(const char deck[], const char ending[], char dir[], size_t size);
/* Runs a deck into a folder. */
PetscErrorCode AppRunDeck(const char deck[], const char dir[], const AppArguments *arguments,
                          int *status);
/* The program; launch.c looks it up by this name. */
PETSC_VISIBILITY_PUBLIC int CrMain(int argc, char **argv);

/* The main function of the program, which the executable (launch.c) calls. It reads the command line, starts PETSc, and
   calls the function of the command. */
#include <errno.h>
#include <malloc.h>
#include <petscsys.h>
#include <signal.h>
#include <string.h>
#include "app/app.h"
#include "app/child.h"
#include "base/program.h"

static const AppCommand commands[] = {
    {"new", "DECK.yaml [--from NAME]", "write a new deck from a template, or from an example",
     APP_FROM, 1, 1, PETSC_FALSE, AppNew},
    {"run",
     "DECK.yaml [-o DIR] [--force] [--set key.path=value]... [--stop-after N] [--threads N] "
     "[--quiet] [--json] [-- PETSc options]",
     "run a deck; results go to DIR (default: the deck's name with .out)",
     APP_OUTPUT | APP_FORCE | APP_SET | APP_STOP | APP_THREADS | APP_SAY | APP_PETSC, 1, 1,
     PETSC_TRUE, AppRun},
    {"resume",
     "DIR [--until T] [--stop-after N] [--threads N] [--quiet] [--json] [-- PETSc options]",
     "continue an interrupted run from its last checkpoint; the results are as if the run had not stopped",
     APP_UNTIL | APP_STOP | APP_THREADS | APP_SAY | APP_PETSC, 1, 1, PETSC_TRUE, AppResume},
    {"picture",
     "DIR [-o FILE.png] [--frame N[,N...]] [--panels N] [--field NAME] [--view NAME|A,E] [--size W[xH]] "
     "[--range run|MIN,MAX] [--whole] [--plain] [--no-axes] [--no-mesh] [--small]",
     "draw frames of a run as a PNG, SVG or PDF file (default: DIR/picture.png)", APP_PICTURE, 1, 1,
     PETSC_FALSE, AppPicture},
    {"film",
     "DIR [-o FILE.mp4|FILE.gif|FILE.webm|DIR] [--field NAME] [--view NAME|A,E] [--size W[xH]] "
     "[--range run|MIN,MAX] [--fps N] [--plain] [--no-axes] [--no-mesh]",
     "draw all frames of a run and make a film of them (default: DIR/film.mp4)", APP_FILM, 1, 1,
     PETSC_FALSE, AppFilm},
    {"plot", "DIR [-o DIR]",
     "draw energies, momenta and forces over time as SVG files (default: into DIR/plots)",
     APP_OUTPUT, 1, 1, PETSC_FALSE, AppPlot},
    {"view", "DIR | --edit DECK.yaml [--open] [--port N]",
     "show a run in the browser, also while it is active; --edit: edit, preview and run a deck",
     APP_VIEW, 0, 1, PETSC_FALSE, AppView},
    {"check", "DECK.yaml [--set key.path=value]... [--json] [-- PETSc options]",
     "check a deck and its meshes without running it, and print a summary",
     APP_SET | APP_PETSC | APP_JSON, 1, 1, PETSC_TRUE, AppCheck},
    {"compare",
     "DECK.yaml --methods a,b,c [--converge [--of ...] [--levels N] ...] [-o DIR] [--force] "
     "[--set key.path=value]...",
     "run a deck with several methods and compare their results in a table (compare.csv, compare.html)",
     APP_OUTPUT | APP_FORCE | APP_SET | APP_METHODS | APP_CONVERGE, 1, 1, PETSC_FALSE, AppCompare},
    {"converge",
     "DECK.yaml [--of step|mesh|both] [--levels N] [--ratio R] [--quantities a,b*] [--workers N] [-o DIR] "
     "[--force] [--set key.path=value]...",
     "run a deck at finer and finer steps or meshes, and estimate the errors of its results",
     APP_OUTPUT | APP_FORCE | APP_SET | APP_CONVERGE, 1, 1, PETSC_FALSE, AppConverge},
    {"sweep",
     "DECK.yaml --over key=a,b,c | key=A:B:N [--over ...] [--workers N] [-o DIR] [--force] "
     "[--set key.path=value]...",
     "run a deck with all combinations of given values and collect the results in a table (sweep.csv, sweep.html)",
     APP_OUTPUT | APP_FORCE | APP_SET | APP_SWEEP, 1, 1, PETSC_FALSE, AppSweep},
    {"report", "DIR [--limit MB]", "write the HTML page of a run again: DIR/report.html", APP_LIMIT,
     1, 1, PETSC_FALSE, AppReport},
    {"examples", "[NAME [-o DIR] [--force] [--set key.path=value]... [--quiet] [--json]]",
     "list the examples that come with the program, or run one example",
     APP_OUTPUT | APP_FORCE | APP_SET | APP_SAY | APP_PETSC, 0, 1, PETSC_TRUE, AppExamples},
    {"verify", "[NAME...] [--quick] [-o FILE.csv]",
     "run the verification examples and compare their results with published and analytic results",
     APP_QUICK, 0, APP_MOST, PETSC_FALSE, AppVerify},
    {"friction", "FILE [--solver NAME] [--tolerance T] [--json] [--repeat N]",
     "solve one friction-contact problem that is stored in a file", APP_CONE, 1, 1, PETSC_FALSE,
     AppFriction},
    {"methods", "", "list methods, materials, elements, contact laws and friction laws", 0, 0, 0,
     PETSC_FALSE, AppMethods},
    {"schema", "", "print the JSON Schema of the deck, with which text editors can check decks", 0,
     0, 0, PETSC_FALSE, AppSchema},
    {"completion", "bash|zsh", "print a script that completes commands of carom in bash or zsh", 0,
     1, 1, PETSC_FALSE, AppCompletion},
    {"man", "", "print the man page: carom man | man -l -", 0, 0, 0, PETSC_FALSE, AppMan},
};

#define NCOMMANDS ((PetscInt)(sizeof commands / sizeof commands[0]))

const AppCommand *AppCommandGet(PetscInt k)
{
  return k < NCOMMANDS ? &commands[k] : NULL;
}

/* ---- help --------------------------------------------------------------------------------- */

static void print_help(void)
{
  printf(APP_PURPOSE "\n\nusage: %s COMMAND ...\n\n", CrProgram());
  for (PetscInt k = 0; k < NCOMMANDS; k++)
    printf("  %-10s %s\n", commands[k].name, commands[k].help);
  printf("\n  %s COMMAND --help   how to use a command\n  %s --version\n"
         "  mpiexec -n P %s run DECK.yaml   run a deck on P processes\n\n",
         CrProgram(), CrProgram(), CrProgram());
  puts(APP_EXIT_CODES);
}

static void print_command_help(const AppCommand *c)
{
  printf("usage: %s %s %s\n\n%s\n", CrProgram(), c->name, c->usage, c->help);
  if (c->options) puts("");
  AppPrintOptions(stdout, c->options);
}

/* ---- the command line --------------------------------------------------------------------- */

static const AppCommand *find_command(const char *name)
{
  for (PetscInt k = 0; k < NCOMMANDS; k++)
    if (!strcmp(name, commands[k].name)) return &commands[k];
  return NULL;
}

static PetscErrorCode unknown_command(const char *name)
{
  const char *names[NCOMMANDS];
  char        hint[CR_HINT], rest[CR_HINT];

  snprintf(rest, sizeof rest, "; see %s --help", CrProgram());
  for (PetscInt k = 0; k < NCOMMANDS; k++) names[k] = commands[k].name;
  return CrInputError("unknown command \"%s\"%s", name,
                      CrNameHint(name, NCOMMANDS, names, rest, hint));
}

static PetscErrorCode unknown_option(const AppCommand *c, const char *word)
{
  const char *names[APP_MOST];
  PetscInt    n = strlen(word) > 2 ? AppOptionNames(c->options, names) : 0;
  char        hint[CR_HINT], rest[CR_HINT];

  snprintf(rest, sizeof rest, "; see %s %s --help", CrProgram(), c->name);
  return CrInputError("unknown option \"%s\"%s", word, CrNameHint(word, n, names, rest, hint));
}

/* One word of the command line; argv[*k]. */
static PetscErrorCode take_word(const AppCommand *c, int argc, char **argv, int *k, AppArguments *a)
{
  const char    *word = argv[*k];
  PetscBool      taken;
  PetscErrorCode code = AppTakeOption(c->options, argc, argv, k, a, &taken);

  if (taken || code) return code;
  if (word[0] == '-' && word[1]) return unknown_option(c, word);
  if (a->nwords == c->most)
    return CrInputError("\"%s\" was not expected; usage: %s %s %s", word, CrProgram(), c->name,
                        c->usage);
  a->words[a->nwords++] = word;
  return PETSC_SUCCESS;
}

static PetscErrorCode take_apart(const AppCommand *c, int argc, char **argv, AppArguments *a)
{
  for (int k = 2; k < argc; k++) {
    PetscErrorCode code;

    if (!strcmp(argv[k], "--") && c->options & APP_PETSC) {
      a->npetsc = argc - k - 1;
      a->petsc = argv + k + 1;
      break;
    }
    code = take_word(c, argc, argv, &k, a);
    if (code) return code;
  }
  if (a->nwords < c->least)
    return CrInputError("%s needs %.*s; usage: %s %s %s", c->name, (int)strcspn(c->usage, " "),
                        c->usage, CrProgram(), c->name, c->usage);
  return PETSC_SUCCESS;
}

/* ---- PETSc -------------------------------------------------------------------------------- */

/* Open MPI keeps freed memory for ever. What the set-up has freed would then count as memory of the run. With glibc's own
   settings, large arrays go back to the system. */
static void give_back_memory(void)
{
#ifdef M_MMAP_MAX
  mallopt(M_MMAP_MAX, 65536);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
#endif
}

/* PETSc sees the words behind "--", and no .petscrc. */
static PetscErrorCode start_petsc(char **words, const AppArguments *a)
{
  static char skip[] = "-skip_petscrc",
              plain[] = "-no_signal_handler"; /* a closed pipe is no crash */
  static char *argv[APP_MOST + 4];
  static int   argc;
  char       **pointer = argv;

  if (a->npetsc > APP_MOST) return CrInputError("more than %d words after --", APP_MOST);
  argv[argc++] = words[0];
  argv[argc++] = skip;
  argv[argc++] = plain;
  for (PetscInt k = 0; k < a->npetsc; k++) argv[argc++] = a->petsc[k];
  signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit of its size is a write that fails */
  if (PetscInitialize(&argc, &pointer, NULL, NULL)) return PETSC_ERR_SYS;
  give_back_memory();
  return PetscPushErrorHandler(CrErrorHandler, NULL);
}

/* Options that nothing asked for are probably misspelt. */
static void report_unused(void)
{
  PetscInt n;
  char   **names, **values;

  if (PetscOptionsLeftGet(NULL, &n, &names, &values)) return;
  for (PetscInt k = 0; k < n; k++)
    if (strcmp(names[k], "skip_petscrc") && strcmp(names[k], "no_signal_handler"))
      CrWarn("the PETSc option -%s was not used, so it had no effect", names[k]);
  (void)!PetscOptionsLeftRestore(NULL, &n, &names, &values);
}

/* What one process met alone, the others know nothing about and wait for it: a defect, or memory that
   ended. */
static void abort_others(PetscErrorCode code, int status, int rank, int size)
{
  const PetscBool memory = code == PETSC_ERR_MEM && size > 1;

  if (memory && rank) fprintf(stderr, "carom: out of memory in process %d\n", rank);
  if (memory || (code && status == 1)) MPI_Abort(PETSC_COMM_WORLD, status);
}

static int run_command(const AppCommand *c, char **argv, const AppArguments *a)
{
  PetscErrorCode code = start_petsc(argv, a);
  int            status = 0, rank = 0, size = 1;

  if (code) {
    fprintf(stderr, "carom: %s\n", code == CR_ERR_INPUT ? CrErrorMessage() : "PETSc did not start");
    return code == CR_ERR_INPUT ? 2 : 3;
  }
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  if (a->leash) AppChildHold();
  if (size > 1 && !c->mpi)
    code = CrInputError("%s runs on one process", c->name);
  else
    code = c->go(a, &status);
  if (code) status = CrExitCode(code);
  if (code) CrErrorPrint();
  if (!code) report_unused();
  CrLogClose();
  abort_others(code, status, rank, size);
  if (PetscFinalize() && !status) status = 3;
  return status;
}

/* What a command prints is what was asked for, so a full disk is no success; but a run has its results
   in files. */
static int end_output(const AppCommand *c, int status)
{
  if (status || (c && c->options & (APP_STOP | APP_FORCE))) return status;
  errno = 0;
  if (!fflush(stdout) && !ferror(stdout)) return status;
  fprintf(stderr, "carom: standard output cannot be written%s%s\n", errno ? ": " : "",
          errno ? strerror(errno) : "");
  return 3;
}

static int refuse(void)
{
  fprintf(stderr, "carom: %s\n", CrErrorMessage());
  return 2;
}

int CrMain(int argc, char **argv)
{
  const AppCommand *c;
  AppArguments      a = {0};

  CrProgramStart(argv[0]);
  if (argc < 2) {
    print_help();
    return 2;
  }
  if (!strcmp(argv[1], "help") && argc == 3) argv[1] = argv[2], argv[2] = "--help";
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    print_help();
    return end_output(NULL, 0);
  }
  if (!strcmp(argv[1], "--version")) {
    printf("carom %s\n", CrVersion());
    return end_output(NULL, 0);
  }
  c = find_command(argv[1]);
  if (!c) {
    unknown_command(argv[1]);
    return refuse();
  }
  for (int k = 2; k < argc && strcmp(argv[k], "--"); k++)
    if (!strcmp(argv[k], "--help") || !strcmp(argv[k], "-h")) {
      print_command_help(c);
      return end_output(NULL, 0);
    }
  if (take_apart(c, argc, argv, &a)) return refuse();
  return end_output(c, run_command(c, argv, &a));
}

/* The program behind the executable (launch.c): takes the command line apart, starts PETSc, hands
   over to a command. */
#include <petscsys.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "app/app.h"
#include "cone/cone.h"

static const AppCommand commands[] = {
    {"run",
     "DECK.yaml [-o DIR] [--force] [--set key.path=value]... [--stop-after N] [--threads N] "
     "[-- PETSc options]",
     "run a deck; results go to DIR (default: the deck's name with .out)",
     APP_OUTPUT | APP_FORCE | APP_SET | APP_STOP | APP_THREADS | APP_PETSC, 1, 1, PETSC_TRUE,
     AppRun},
    {"resume", "DIR [--until T] [--stop-after N] [--threads N] [-- PETSc options]",
     "go on from the last checkpoint of a run, as if it had not stopped",
     APP_UNTIL | APP_STOP | APP_THREADS | APP_PETSC, 1, 1, PETSC_TRUE, AppResume},
    {"picture",
     "DIR [-o FILE.png] [--frame N] [--field NAME] [--view NAME|A,E] [--size W[xH]] "
     "[--range run|MIN,MAX] [--whole] [--plain] [--no-mesh] [--small]",
     "draw one frame of a run as a PNG file (default: DIR/picture.png)", APP_OUTPUT | APP_PICTURE,
     1, 1, PETSC_FALSE, AppPicture},
    {"plot", "DIR [-o DIR]", "draw the histories of a run as SVG files (default: into DIR/plots)",
     APP_OUTPUT, 1, 1, PETSC_FALSE, AppPlot},
    {"view", "DIR | --edit DECK.yaml [--port N]",
     "show a run in the browser, also while it goes on; --edit: set up a deck, look at it, run it",
     APP_VIEW, 0, 1, PETSC_FALSE, AppView},
    {"check", "DECK.yaml [--set key.path=value]... [--json]",
     "check a deck and its meshes without running, and say what it holds",
     APP_SET | APP_PETSC | APP_JSON, 1, 1, PETSC_TRUE, AppCheck},
    {"compare", "DECK.yaml --methods a,b,c [-o DIR] [--force] [--set key.path=value]...",
     "run a deck under several methods: one table, compare.csv and compare.html",
     APP_OUTPUT | APP_FORCE | APP_SET | APP_METHODS, 1, 1, PETSC_FALSE, AppCompare},
    {"report", "DIR [--limit MB]", "write the page of a run anew: DIR/report.html", APP_LIMIT, 1, 1,
     PETSC_FALSE, AppReport},
    {"examples", "[NAME [-o DIR] [--force] [--set key.path=value]...]",
     "list the shipped examples, or run one", APP_OUTPUT | APP_FORCE | APP_SET | APP_PETSC, 0, 1,
     PETSC_TRUE, AppExamples},
    {"verify", "[NAME...] [--quick]",
     "run the verification suite and compare with published and analytic answers", APP_QUICK, 0,
     APP_MOST, PETSC_FALSE, AppVerify},
    {"friction", "FILE [--solver NAME] [--tolerance T] [--json] [--repeat N]",
     "solve one stored friction-contact problem", APP_CONE, 1, 1, PETSC_FALSE, AppFriction},
    {"methods", "", "list integrators, materials and elements", 0, 0, 0, PETSC_FALSE, AppMethods},
    {"schema", "", "print the JSON Schema of the deck, for editors", 0, 0, 0, PETSC_FALSE,
     AppSchema},
};

#define NCOMMANDS ((PetscInt)(sizeof commands / sizeof commands[0]))

/* ---- help --------------------------------------------------------------------------------- */

static void print_help(void)
{
  puts("carom strikes bodies together and says where the energy went.\n\nusage: carom COMMAND "
       "...\n");
  for (PetscInt k = 0; k < NCOMMANDS; k++)
    printf("  %-9s %s\n", commands[k].name, commands[k].help);
  puts("\n  carom COMMAND --help   how to use one\n  carom --version\n"
       "  mpiexec -n P carom run DECK.yaml   the same on P processes\n");
  puts("Exit codes: 0 done; 1 the run failed; 2 wrong usage or bad input; 3 the machine failed;\n"
       "130 interrupted, after a checkpoint was written.");
}

static void print_cone_help(void)
{
  puts("  --solver NAME          one of these, the first if not given:");
  for (PetscInt k = 0; CrConeSolverName(k); k++)
    printf("                           %-13s %s\n", CrConeSolverName(k), CrConeSolverHelp(k));
  puts("  --tolerance T          on the error eps (default 1e-8)\n"
       "  --json                 print one object with numbers of full length\n"
       "  --repeat N             solve N times and print the shortest time (default: 5 times if it "
       "is short)");
}

static void print_picture_help(void)
{
  puts("  --frame N              from 0; -1 is the last (default), -2 the one before\n"
       "  --field NAME           von-mises (default), displacement, velocity, pressure, status; "
       "none: "
       "bodies by colour\n"
       "  --view NAME            iso (default in space), front, back, left, right, top, bottom\n"
       "  --view A,E             or from azimuth A and elevation E, in degrees\n"
       "  --size W[xH]           pixels (default 1280, as high as the shape asks for)\n"
       "  --range run            one scale of colours for all frames (default: that of the frame)\n"
       "  --range MIN,MAX        the scale itself\n"
       "  --whole                show all the room that the run needs, not only the frame's\n"
       "  --plain                no title, no time\n"
       "  --no-mesh              no sides of elements\n"
       "  --small                256 colours: half of the bytes and less");
}

static void print_command_help(const AppCommand *c)
{
  printf("usage: carom %s %s\n\n%s\n", c->name, c->usage, c->help);
  if (c->options) puts("");
  if (c->options & APP_OUTPUT)
    printf("  -o %-19s where results go\n", c->options & APP_PICTURE ? "FILE.png" : "DIR");
  if (c->options & APP_LIMIT)
    puts("  --limit MB             of the page at most, about (default 20); frames and colours are "
         "thinned");
  if (c->options & APP_METHODS)
    puts("  --methods a,b,c        the methods, as `carom methods` names them");
  if (c->options & APP_FORCE) puts("  --force                replace an older run in DIR");
  if (c->options & APP_SET)
    puts("  --set key.path=value   change one value of the deck; list indices count from 0:\n"
         "                         --set bodies.0.velocity='[1, 0]' --set time.method=newmark");
  if (c->options & APP_STOP)
    puts(
        "  --stop-after N         checkpoint after N steps and exit 130, as an interruption would");
  if (c->options & APP_UNTIL)
    puts("  --until T              end at this time instead of the deck's");
  if (c->options & APP_THREADS)
    puts("  --threads N            threads of the dense linear algebra per process (default 1)");
  if (c->options & APP_QUICK) puts("  --quick                only the cases that `make test` runs");
  if (c->options & APP_CONE) print_cone_help();
  if (c->options & APP_PICTURE) print_picture_help();
  if (c->options & APP_VIEW)
    puts("  --edit DECK.yaml       edit this deck, see its meshes, run it; writes in its folder "
         "only\n"
         "  --port N               of 127.0.0.1 (default: one that is free)");
  if (c->options & APP_JSON)
    puts(
        "  --json                 print one object: what there is with its meshes, or the mistake");
  if (c->options & APP_PETSC)
    puts("  -- OPTIONS             options for PETSc, such as -ksp_monitor");
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
  char        hint[CR_HINT];

  for (PetscInt k = 0; k < NCOMMANDS; k++) names[k] = commands[k].name;
  return CrInputError("unknown command \"%s\"%s", name,
                      CrNameHint(name, NCOMMANDS, names, "; see carom --help", hint));
}

/* The value of an option: what follows it, or stands behind "=". */
static PetscErrorCode take_value(const char *option, int argc, char **argv, int *k,
                                 const char **value)
{
  size_t length = strlen(option);

  if (argv[*k][length] == '=')
    *value = argv[*k] + length + 1;
  else if (*k + 1 < argc)
    *value = argv[++*k];
  else
    return CrInputError("%s needs a value", option);
  return PETSC_SUCCESS;
}

static PetscBool is_option(const char *word, const char *option)
{
  size_t length = strlen(option);

  return !strncmp(word, option, length) && (word[length] == 0 || word[length] == '=') ? PETSC_TRUE
                                                                                      : PETSC_FALSE;
}

static PetscErrorCode take_threads(int argc, char **argv, int *k, AppArguments *a)
{
  PetscErrorCode code = take_value("--threads", argc, argv, k, &a->threads);

  if (!code && (strspn(a->threads, "0123456789") != strlen(a->threads) || atoi(a->threads) < 1 ||
                atoi(a->threads) > 1024))
    return CrInputError("--threads %s: expected a number from 1 to 1024", a->threads);
  return code;
}

static PetscErrorCode take_stop(int argc, char **argv, int *k, AppArguments *a)
{
  const char    *value, *rest;
  PetscErrorCode code = take_value("--stop-after", argc, argv, k, &value);
  long           n;

  if (code) return code;
  n = strtol(value, (char **)&rest, 10);
  if (*rest || rest == value || n < 1 || n > 1000000000)
    return CrInputError("--stop-after %s: expected a whole number of steps, at least 1", value);
  a->stop_after = (PetscInt)n;
  return PETSC_SUCCESS;
}

static PetscErrorCode take_until(int argc, char **argv, int *k, AppArguments *a)
{
  const char    *value, *rest;
  PetscErrorCode code = take_value("--until", argc, argv, k, &value);

  if (code) return code;
  a->until = strtod(value, (char **)&rest);
  if (*rest || rest == value || !(a->until > 0 && a->until < 1e300))
    return CrInputError("--until %s: expected a time greater than 0", value);
  return PETSC_SUCCESS;
}

static PetscErrorCode take_limit(int argc, char **argv, int *k, AppArguments *a)
{
  const char    *value, *rest;
  PetscErrorCode code = take_value("--limit", argc, argv, k, &value);

  if (code) return code;
  a->limit = strtod(value, (char **)&rest);
  if (*rest || rest == value || !(a->limit > 0 && a->limit <= 1000))
    return CrInputError("--limit %s: expected megabytes, from above 0 to 1000", value);
  return PETSC_SUCCESS;
}

static PetscErrorCode take_tolerance(int argc, char **argv, int *k, AppArguments *a)
{
  const char    *value, *rest;
  PetscErrorCode code = take_value("--tolerance", argc, argv, k, &value);

  if (code) return code;
  a->tolerance = strtod(value, (char **)&rest);
  if (*rest || rest == value || !(a->tolerance > 0 && a->tolerance < 1e300))
    return CrInputError("--tolerance %s: expected a number greater than 0", value);
  return PETSC_SUCCESS;
}

static PetscErrorCode take_repeat(int argc, char **argv, int *k, AppArguments *a)
{
  const char    *value, *rest;
  PetscErrorCode code = take_value("--repeat", argc, argv, k, &value);
  long           n;

  if (code) return code;
  n = strtol(value, (char **)&rest, 10);
  if (*rest || rest == value || n < 1 || n > 1000000)
    return CrInputError("--repeat %s: expected a whole number from 1 to 1000000", value);
  a->repeat = (PetscInt)n;
  return PETSC_SUCCESS;
}

/* Options of `friction`; *taken says whether the word was one. */
static PetscErrorCode take_cone(int argc, char **argv, int *k, AppArguments *a, PetscBool *taken)
{
  const char *word = argv[*k];

  *taken = PETSC_TRUE;
  if (is_option(word, "--solver")) return take_value("--solver", argc, argv, k, &a->solver);
  if (is_option(word, "--tolerance")) return take_tolerance(argc, argv, k, a);
  if (is_option(word, "--repeat")) return take_repeat(argc, argv, k, a);
  if (!strcmp(word, "--json"))
    a->json = PETSC_TRUE;
  else
    *taken = PETSC_FALSE;
  return PETSC_SUCCESS;
}

/* Options of `picture`; their values are looked at by the command. */
static PetscErrorCode take_picture(int argc, char **argv, int *k, AppArguments *a, PetscBool *taken)
{
  const struct {
    const char  *name;
    const char **to;
  } texts[] = {{"--frame", &a->frame},
               {"--field", &a->field},
               {"--view", &a->view},
               {"--size", &a->size},
               {"--range", &a->range}};
  const struct {
    const char *name;
    PetscBool  *to;
  } truths[] = {{"--whole", &a->whole},
                {"--plain", &a->plain},
                {"--small", &a->small},
                {"--no-mesh", &a->no_mesh}};

  *taken = PETSC_TRUE;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (is_option(argv[*k], texts[i].name))
      return take_value(texts[i].name, argc, argv, k, texts[i].to);
  for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++)
    if (!strcmp(argv[*k], truths[i].name)) {
      *truths[i].to = PETSC_TRUE;
      return PETSC_SUCCESS;
    }
  *taken = PETSC_FALSE;
  return PETSC_SUCCESS;
}

/* One word of the command line; argv[*k]. */
static PetscErrorCode take_word(const AppCommand *c, int argc, char **argv, int *k, AppArguments *a)
{
  const char *word = argv[*k];

  if (c->options & APP_OUTPUT && is_option(word, "-o"))
    return take_value("-o", argc, argv, k, &a->output);
  if (c->options & APP_LIMIT && is_option(word, "--limit")) return take_limit(argc, argv, k, a);
  if (c->options & APP_METHODS && is_option(word, "--methods"))
    return take_value("--methods", argc, argv, k, &a->methods);
  if (c->options & APP_STOP && is_option(word, "--stop-after")) return take_stop(argc, argv, k, a);
  if (c->options & APP_UNTIL && is_option(word, "--until")) return take_until(argc, argv, k, a);
  if (c->options & APP_THREADS && is_option(word, "--threads"))
    return take_threads(argc, argv, k, a);
  if (c->options & APP_SET && is_option(word, "--set")) {
    if (a->nsets == APP_MOST) return CrInputError("more than %d --set", APP_MOST);
    return take_value("--set", argc, argv, k, &a->sets[a->nsets++]);
  }
  if (c->options & APP_FORCE && !strcmp(word, "--force")) {
    a->force = PETSC_TRUE;
    return PETSC_SUCCESS;
  }
  if (c->options & APP_QUICK && !strcmp(word, "--quick")) {
    a->quick = PETSC_TRUE;
    return PETSC_SUCCESS;
  }
  if (c->options & APP_CONE) {
    PetscBool      taken;
    PetscErrorCode code = take_cone(argc, argv, k, a, &taken);

    if (taken || code) return code;
  }
  if (c->options & APP_VIEW && is_option(word, "--edit"))
    return take_value("--edit", argc, argv, k, &a->edit);
  if (c->options & APP_VIEW && is_option(word, "--port"))
    return take_value("--port", argc, argv, k, &a->port);
  if (c->options & APP_JSON && !strcmp(word, "--json")) {
    a->json = PETSC_TRUE;
    return PETSC_SUCCESS;
  }
  if (c->options & APP_JSON && !strcmp(word, "--preview")) {
    a->preview = PETSC_TRUE;
    return PETSC_SUCCESS;
  }
  if (c->options & APP_PICTURE) {
    PetscBool      taken;
    PetscErrorCode code = take_picture(argc, argv, k, a, &taken);

    if (taken || code) return code;
  }
  if (word[0] == '-' && word[1])
    return CrInputError("unknown option \"%s\"; see carom %s --help", word, c->name);
  if (a->nwords == c->most)
    return CrInputError("\"%s\" is one word too many; usage: carom %s %s", word, c->name, c->usage);
  a->words[a->nwords++] = word;
  return PETSC_SUCCESS;
}

static PetscErrorCode take_apart(const AppCommand *c, int argc, char **argv, AppArguments *a)
{
  for (int k = 2; k < argc; k++) {
    PetscErrorCode code;

    if (!strcmp(argv[k], "--") && c->options & APP_PETSC) {
      a->npetsc = argc - k - 1;
      a->petsc  = argv + k + 1;
      break;
    }
    code = take_word(c, argc, argv, &k, a);
    if (code) return code;
  }
  if (a->nwords < c->least)
    return CrInputError("%s needs %.*s; usage: carom %s %s", c->name, (int)strcspn(c->usage, " "),
                        c->usage, c->name, c->usage);
  return PETSC_SUCCESS;
}

/* ---- PETSc -------------------------------------------------------------------------------- */

/* PETSc sees the words behind "--", and no .petscrc. */
static PetscErrorCode start_petsc(char **words, const AppArguments *a)
{
  static char skip[]  = "-skip_petscrc",
              plain[] = "-no_signal_handler"; /* a closed pipe is no crash */
  static char *argv[APP_MOST + 4];
  static int   argc;
  char       **pointer = argv;

  if (a->npetsc > APP_MOST) return CrInputError("more than %d words behind --", APP_MOST);
  argv[argc++] = words[0];
  argv[argc++] = skip;
  argv[argc++] = plain;
  for (PetscInt k = 0; k < a->npetsc; k++) argv[argc++] = a->petsc[k];
  signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit of its size is a write that fails */
  if (PetscInitialize(&argc, &pointer, NULL, NULL)) return PETSC_ERR_SYS;
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
      CrWarn("PETSc option -%s was not used", names[k]);
  (void)!PetscOptionsLeftRestore(NULL, &n, &names, &values);
}

static int run_command(const AppCommand *c, char **argv, const AppArguments *a)
{
  PetscErrorCode code   = start_petsc(argv, a);
  int            status = 0, rank = 0, size = 1;

  if (code) {
    fprintf(stderr, "carom: %s\n", code == CR_ERR_INPUT ? CrErrorMessage() : "PETSc did not start");
    return code == CR_ERR_INPUT ? 2 : 3;
  }
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  if (size > 1 && !c->mpi)
    code = CrInputError("%s runs on one process", c->name);
  else
    code = c->go(a, &status);
  if (code) status = CrExitCode(code);
  if (code && rank == 0 && *CrErrorMessage()) fprintf(stderr, "carom: %s\n", CrErrorMessage());
  if (!code) report_unused();
  if (code && status == 1) MPI_Abort(PETSC_COMM_WORLD, 1); /* a defect: ranks may not agree on it */
  if (PetscFinalize() && !status) status = 3;
  return status;
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

  if (argc < 2) {
    print_help();
    return 2;
  }
  if (!strcmp(argv[1], "help") && argc == 3) argv[1] = argv[2], argv[2] = "--help";
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    print_help();
    return 0;
  }
  if (!strcmp(argv[1], "--version")) {
    puts("carom " CR_VERSION);
    return 0;
  }
  c = find_command(argv[1]);
  if (!c) {
    unknown_command(argv[1]);
    return refuse();
  }
  for (int k = 2; k < argc && strcmp(argv[k], "--"); k++)
    if (!strcmp(argv[k], "--help") || !strcmp(argv[k], "-h")) {
      print_command_help(c);
      return 0;
    }
  if (take_apart(c, argc, argv, &a)) return refuse();
  return run_command(c, argv, &a);
}

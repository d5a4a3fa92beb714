/* The table of the options of all commands. The program reads options and prints their help by this table. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "app/app.h"
#include "cone/cone.h"

typedef enum { TEXT, TRUTH, WHOLE, REAL, SET, OVER } Kind;

typedef struct {
  const char *name;
  unsigned    group;
  Kind        kind;
  size_t      to;        /* in AppArguments */
  const char *help;      /* NULL: not for people */
  double      low, high; /* of numbers; REAL: the low end itself is out */
  const char *expected;  /* of numbers, for messages */
} Option;

#define TO(member) offsetof(AppArguments, member)

static const Option options[] = {
    {"-o", APP_OUTPUT, TEXT, TO(output), .help = "  -o DIR                 folder for the results"},
    {"-o", APP_PICTURE, TEXT, TO(output),
     .help =
         "  -o FILE.png            file name of the picture; .svg and .pdf are possible for 2D runs"},
    {"-o", APP_QUICK, TEXT, TO(output),
     .help = "  -o FILE.csv            also write the printed table to this file"},
    {"--from", APP_FROM, TEXT, TO(from),
     .help = "  --from NAME            copy the deck and the mesh files of this example"},
    {"-o", APP_FILM, TEXT, TO(output),
     .help =
         "  -o FILE.mp4|gif|webm   file name of the film (needs ffmpeg)\n"
         "  -o DIR                 folder for the pictures as PNG files, in place of a film (needs no ffmpeg)"},
    {"--limit", APP_LIMIT, REAL, TO(limit),
     .help =
         "  --limit MB             approximate greatest size of the page (default 20); a page that would be larger leaves out frames and digits",
     .low = 0, .high = 1000, .expected = "megabytes, from above 0 to 1000"},
    {"--methods", APP_METHODS, TEXT, TO(methods),
     .help = "  --methods a,b,c        names of the methods, from the list of `carom methods`"},
    {"--converge", APP_METHODS, TRUTH, TO(converge),
     .help =
         "  --converge             run every method at several refinement levels; compare errors and run times"},
    {"--of", APP_CONVERGE, TEXT, TO(of),
     .help = "  --of step|mesh|both    refine the time step (default), the mesh, or both"},
    {"--levels", APP_CONVERGE, WHOLE, TO(levels),
     .help =
         "  --levels N             number of refinement levels; the deck itself is the first (default 3)",
     .low = 2, .high = 12, .expected = "a whole number from 2 to 12"},
    {"--ratio", APP_CONVERGE, WHOLE, TO(ratio),
     .help = "  --ratio R              refinement factor from one level to the next (default 2)",
     .low = 2, .high = 10, .expected = "a whole number from 2 to 10"},
    {"--quantities", APP_CONVERGE, TEXT, TO(quantities),
     .help =
         "  --quantities a,b*      show only the results with these names; * stands for any characters"},
    {"--over", APP_SWEEP, OVER, TO(overs),
     .help =
         "  --over key=a,b,c       list of values for a key of the deck; with several --over options all combinations are run\n"
         "  --over key=A:B:N       N values from A to B, evenly spaced"},
    {"--workers", APP_CONVERGE | APP_SWEEP, WHOLE, TO(workers),
     .help =
         "  --workers N            number of simultaneous runs (default: the number of processors)",
     .low = 1, .high = 64, .expected = "a whole number from 1 to 64"},
    {"--force", APP_FORCE, TRUTH, TO(force),
     .help = "  --force                replace an older run in DIR"},
    {"--quiet", APP_SAY, TRUTH, TO(quiet),
     .help =
         "  --quiet                print only warnings and errors; all other messages go to DIR/log.txt"},
    {"--json", APP_SAY, TRUTH, TO(json),
     .help =
         "  --json                 print only the audit, as one JSON object, on standard output"},
    {"--set", APP_SET, SET, TO(sets),
     .help = "  --set key.path=value   change one value of the deck; list indices start at 0:\n"
             "                         --set bodies.0.velocity='[1, 0]' --set time.method=newmark"},
    {"--stop-after", APP_STOP, WHOLE, TO(stop_after),
     .help =
         "  --stop-after N         write a checkpoint after N steps and stop with exit code 130, as if interrupted",
     .low = 1, .high = 1e9, .expected = "a whole number of steps, at least 1"},
    {"--until", APP_UNTIL, REAL, TO(until),
     .help = "  --until T              end the run at this time, not at the end time of the deck",
     .low = 0, .high = 1e300, .expected = "a time greater than 0"},
    {"--threads", APP_THREADS, WHOLE, TO(threads),
     .help =
         "  --threads N            number of threads that each process uses for dense linear algebra (default 1)",
     .low = 1, .high = 1024, .expected = "a number from 1 to 1024"},
    {"--quick", APP_QUICK, TRUTH, TO(quick),
     .help =
         "  --quick                run only the short verification cases, which `make test` runs too"},
    {"--solver", APP_CONE, TEXT, TO(solver),
     .help = "  --solver NAME          one of the following solvers; the first is the default:"},
    {"--tolerance", APP_CONE, REAL, TO(tolerance),
     .help =
         "  --tolerance T          solve until the error eps of the solution is below T (default 1e-8)",
     .low = 0, .high = 1e300, .expected = "a number greater than 0"},
    {"--json", APP_CONE, TRUTH, TO(json),
     .help = "  --json                 print the result as one JSON object, with all digits"},
    {"--repeat", APP_CONE, WHOLE, TO(repeat),
     .help =
         "  --repeat N             solve the problem N times and print the shortest time (default: up to 5 times, within 0.02 s)",
     .low = 1, .high = 1e6, .expected = "a whole number from 1 to 1000000"},
    {"--frame", APP_PICTURE, TEXT, TO(frame),
     .help =
         "  --frame N[,N...]       frame number, from 0; -1 is the last (default); several frames are drawn side by side"},
    {"--panels", APP_PICTURE, WHOLE, TO(panels),
     .help = "  --panels N             draw N frames, evenly spaced over the run, side by side",
     .low = 1, .high = CR_MOST_PANELS, .expected = "a whole number from 1 to 16"},
    {"--field", APP_PICTURE | APP_FILM, TEXT, TO(field),
     .help =
         "  --field NAME           von-mises (default), displacement, velocity, pressure, status,\n"
         "                         plastic_strain, ...; none: one colour per body (default if all bodies are rigid)"},
    {"--view", APP_PICTURE | APP_FILM, TEXT, TO(view),
     .help =
         "  --view NAME            direction of view: iso (default in 3D), front, back, left, right, top, bottom\n"
         "  --view A,E             view from azimuth A and elevation E, in degrees"},
    {"--size", APP_PICTURE | APP_FILM, TEXT, TO(size),
     .help =
         "  --size W[xH]           width and height in pixels (default width 1280; the default height fits the bodies)"},
    {"--range", APP_PICTURE | APP_FILM, TEXT, TO(range),
     .help =
         "  --range run            use the range of the whole run for the colour scale; without --range, a picture uses the range of its frames\n"
         "  --range MIN,MAX        use MIN and MAX as the ends of the colour scale"},
    {"--whole", APP_PICTURE, TRUTH, TO(whole),
     .help =
         "  --whole                show the region that the bodies cover during the whole run, not only in this frame"},
    {"--plain", APP_PICTURE | APP_FILM, TRUTH, TO(plain),
     .help = "  --plain                draw no title, no time and no axes"},
    {"--no-mesh", APP_PICTURE | APP_FILM, TRUTH, TO(no_mesh),
     .help = "  --no-mesh              do not draw the edges of elements"},
    {"--no-axes", APP_PICTURE | APP_FILM, TRUTH, TO(no_axes),
     .help =
         "  --no-axes              draw no axes with numbers; in 3D no coordinate directions and no length scale"},
    {"--fps", APP_FILM, REAL, TO(fps),
     .help =
         "  --fps N                frames per second (default: chosen so that the film lasts about eight seconds)",
     .low = 0, .high = 1000, .expected = "a number greater than 0, at most 1000"},
    {"--small", APP_PICTURE, TRUTH, TO(small),
     .help = "  --small                use 256 colours; the file has half the size or less"},
    {"--edit", APP_VIEW, TEXT, TO(edit),
     .help =
         "  --edit DECK.yaml       edit and run this deck in the browser; files are written in the folder of the deck only.\n                         If the deck does not exist, the editor shows a template"},
    {"--open", APP_VIEW, TRUTH, TO(open),
     .help = "  --open                 show the page in the browser of the desktop (xdg-open)"},
    {"--port", APP_VIEW, TEXT, TO(port),
     .help = "  --port N               port number on 127.0.0.1 (default: any free port)"},
    {"--json", APP_JSON, TRUTH, TO(json),
     .help =
         "  --json                 print one JSON object: the contents of the deck and its meshes, or the error"},
    {"--preview", APP_JSON, TRUTH, TO(preview), .help = NULL}, /* the editor's */
    {"--leash", APP_STOP | APP_JSON, TRUTH, TO(leash),
     .help = NULL}, /* of children of the program */
};

#define NOPTIONS ((int)(sizeof options / sizeof options[0]))

void AppPrintOptions(FILE *to, unsigned groups)
{
  for (int i = 0; i < NOPTIONS; i++) {
    if (!(groups & options[i].group) || !options[i].help) continue;
    fprintf(to, "%s\n", options[i].help);
    for (PetscInt k = 0; options[i].to == TO(solver) && CrConeSolverName(k); k++)
      fprintf(to, "                           %-13s %s\n", CrConeSolverName(k),
              CrConeSolverHelp(k));
  }
  if (groups & APP_PETSC)
    fputs("  -- OPTIONS             options for PETSc, such as -ksp_monitor\n", to);
}

static const Option *find(unsigned groups, const char word[])
{
  for (int i = 0; i < NOPTIONS; i++) {
    const Option *o = &options[i];
    size_t        n = strlen(o->name);

    if (!(groups & o->group) || strncmp(word, o->name, n)) continue;
    if (!word[n] || (word[n] == '=' && o->kind != TRUTH)) return o;
  }
  return NULL;
}

PetscInt AppOptionNames(unsigned groups, const char *names[])
{
  PetscInt n = 0;

  for (int i = 0; i < NOPTIONS && n < APP_MOST; i++)
    if (groups & options[i].group && options[i].help) names[n++] = options[i].name;
  return n;
}

static PetscErrorCode put_number(const Option *o, const char value[], char *to)
{
  char  *rest;
  double number = strtod(value, &rest);

  if (*rest || rest == value || !(number <= o->high) || number < o->low ||
      (o->kind == REAL ? number == o->low : strspn(value, "0123456789") != strlen(value)))
    return CrInputError("%s %s: expected %s", o->name, value, o->expected);
  if (o->kind == REAL)
    *(PetscReal *)to = number;
  else
    *(PetscInt *)to = (PetscInt)number;
  return PETSC_SUCCESS;
}

static PetscErrorCode put_text(const Option *o, const char value[], AppArguments *a)
{
  if (o->kind == TEXT)
    *(const char **)((char *)a + o->to) = value;
  else if ((o->kind == OVER ? a->novers : a->nsets) == APP_MOST)
    return CrInputError("more than %d %s", APP_MOST, o->name);
  else if (o->kind == OVER)
    a->overs[a->novers++] = value;
  else
    a->sets[a->nsets++] = value;
  return PETSC_SUCCESS;
}

PetscErrorCode AppTakeOption(unsigned groups, int argc, char **argv, int *k, AppArguments *a,
                             PetscBool *taken)
{
  const char   *word = argv[*k], *value;
  const Option *o = find(groups, word);

  *taken = o != NULL;
  if (!o) return PETSC_SUCCESS;
  if (o->kind == TRUTH) {
    *(PetscBool *)((char *)a + o->to) = PETSC_TRUE;
    return PETSC_SUCCESS;
  }
  if (word[strlen(o->name)] == '=') /* the value stands behind it, or is the next word */
    value = word + strlen(o->name) + 1;
  else if (*k + 1 < argc)
    value = argv[++*k];
  else
    return CrInputError("%s needs a value", o->name);
  if (o->kind == WHOLE || o->kind == REAL) return put_number(o, value, (char *)a + o->to);
  return put_text(o, value, a);
}

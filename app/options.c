/* The options of all commands: one table for taking them and for telling of them. */
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
    {"-o", APP_OUTPUT, TEXT, TO(output), .help = "  -o DIR                 where results go"},
    {"-o", APP_PICTURE, TEXT, TO(output),
     .help =
         "  -o FILE.png            where the picture goes; .svg and .pdf for runs in the plane"},
    {"-o", APP_QUICK, TEXT, TO(output),
     .help = "  -o FILE.csv            file for the rows as a table; the terminal shows them too"},
    {"--from", APP_FROM, TEXT, TO(from),
     .help = "  --from NAME            begin with the deck and the meshes of this example"},
    {"-o", APP_FILM, TEXT, TO(output),
     .help = "  -o FILE.mp4|gif|webm   where the film goes, made by ffmpeg\n"
             "  -o DIR                 only the pictures, as PNG files; needs no ffmpeg"},
    {"--limit", APP_LIMIT, REAL, TO(limit),
     .help =
         "  --limit MB             greatest size of the page, about (default 20); frames and colours are thinned",
     .low = 0, .high = 1000, .expected = "megabytes, from above 0 to 1000"},
    {"--methods", APP_METHODS, TEXT, TO(methods),
     .help = "  --methods a,b,c        the methods, as `carom methods` names them"},
    {"--converge", APP_METHODS, TRUTH, TO(converge),
     .help = "  --converge             every method at several levels: error against cost"},
    {"--of", APP_CONVERGE, TEXT, TO(of),
     .help = "  --of step|mesh|both    refine step (default), mesh, or both"},
    {"--levels", APP_CONVERGE, WHOLE, TO(levels),
     .help = "  --levels N             number of levels; the deck is the first (default 3)",
     .low = 2, .high = 12, .expected = "a whole number from 2 to 12"},
    {"--ratio", APP_CONVERGE, WHOLE, TO(ratio),
     .help = "  --ratio R              factor from level to level (default 2)", .low = 2,
     .high = 10, .expected = "a whole number from 2 to 10"},
    {"--quantities", APP_CONVERGE, TEXT, TO(quantities),
     .help = "  --quantities a,b*      only these numbers, as the table names them"},
    {"--over", APP_SWEEP, OVER, TO(overs),
     .help =
         "  --over key=a,b,c       values that a key of the deck takes; several --over: all combinations\n"
         "  --over key=A:B:N       N values from A to B, evenly spaced"},
    {"--workers", APP_CONVERGE | APP_SWEEP, WHOLE, TO(workers),
     .help = "  --workers N            runs at a time (default: as many as there are processors)",
     .low = 1, .high = 64, .expected = "a whole number from 1 to 64"},
    {"--force", APP_FORCE, TRUTH, TO(force),
     .help = "  --force                replace an older run in DIR"},
    {"--quiet", APP_SAY, TRUTH, TO(quiet),
     .help = "  --quiet                print only warnings and errors; DIR/log.txt has the rest"},
    {"--json", APP_SAY, TRUTH, TO(json),
     .help =
         "  --json                 print the audit as one object, and nothing else, on standard output"},
    {"--set", APP_SET, SET, TO(sets),
     .help = "  --set key.path=value   change one value of the deck; list indices count from 0:\n"
             "                         --set bodies.0.velocity='[1, 0]' --set time.method=newmark"},
    {"--stop-after", APP_STOP, WHOLE, TO(stop_after),
     .help =
         "  --stop-after N         checkpoint after N steps and exit 130, as an interruption would",
     .low = 1, .high = 1e9, .expected = "a whole number of steps, at least 1"},
    {"--until", APP_UNTIL, REAL, TO(until),
     .help = "  --until T              end at this time instead of the deck's", .low = 0,
     .high = 1e300, .expected = "a time greater than 0"},
    {"--threads", APP_THREADS, WHOLE, TO(threads),
     .help = "  --threads N            threads of the dense linear algebra per process (default 1)",
     .low = 1, .high = 1024, .expected = "a number from 1 to 1024"},
    {"--quick", APP_QUICK, TRUTH, TO(quick),
     .help = "  --quick                only the cases that `make test` runs"},
    {"--solver", APP_CONE, TEXT, TO(solver),
     .help = "  --solver NAME          one of these; the default is the first:"},
    {"--tolerance", APP_CONE, REAL, TO(tolerance),
     .help = "  --tolerance T          bound on the error eps (default 1e-8)", .low = 0,
     .high = 1e300, .expected = "a number greater than 0"},
    {"--json", APP_CONE, TRUTH, TO(json),
     .help = "  --json                 print the result as one JSON object, with all digits"},
    {"--repeat", APP_CONE, WHOLE, TO(repeat),
     .help =
         "  --repeat N             solve N times and print the shortest time (default: 5 times if it is short)",
     .low = 1, .high = 1e6, .expected = "a whole number from 1 to 1000000"},
    {"--frame", APP_PICTURE, TEXT, TO(frame),
     .help =
         "  --frame N[,N...]       from 0; -1 is the last (default), -2 the one before; several "
         "make a panel each"},
    {"--panels", APP_PICTURE, WHOLE, TO(panels),
     .help = "  --panels N             N frames from the first to the last, in one picture",
     .low = 1, .high = CR_MOST_PANELS, .expected = "a whole number from 1 to 16"},
    {"--field", APP_PICTURE | APP_FILM, TEXT, TO(field),
     .help =
         "  --field NAME           von-mises (default), displacement, velocity, pressure, status,\n"
         "                         plastic_strain, ...; none: bodies by colour (default of rigid ones)"},
    {"--view", APP_PICTURE | APP_FILM, TEXT, TO(view),
     .help =
         "  --view NAME            iso (default in space), front, back, left, right, top, bottom\n"
         "  --view A,E             or from azimuth A and elevation E, in degrees"},
    {"--size", APP_PICTURE | APP_FILM, TEXT, TO(size),
     .help = "  --size W[xH]           pixels (default 1280; the height follows from the bodies)"},
    {"--range", APP_PICTURE | APP_FILM, TEXT, TO(range),
     .help = "  --range run            one scale of colours for all frames (default of picture: a "
             "scale for each)\n"
             "  --range MIN,MAX        the scale itself"},
    {"--whole", APP_PICTURE, TRUTH, TO(whole),
     .help = "  --whole                show the space of the whole run, not only of this frame"},
    {"--plain", APP_PICTURE | APP_FILM, TRUTH, TO(plain),
     .help = "  --plain                no title, no time, no axes"},
    {"--no-mesh", APP_PICTURE | APP_FILM, TRUTH, TO(no_mesh),
     .help = "  --no-mesh              do not draw the sides of elements"},
    {"--no-axes", APP_PICTURE | APP_FILM, TRUTH, TO(no_axes),
     .help = "  --no-axes              no axes with numbers, in space no directions and no scale"},
    {"--fps", APP_FILM, REAL, TO(fps),
     .help =
         "  --fps N                frames a second (default: the film takes about eight seconds)",
     .low = 0, .high = 1000, .expected = "a number greater than 0, at most 1000"},
    {"--small", APP_PICTURE, TRUTH, TO(small),
     .help = "  --small                256 colours: a file of half the size or less"},
    {"--edit", APP_VIEW, TEXT, TO(edit),
     .help = "  --edit DECK.yaml       edit this deck, see its meshes, run it; writes in its "
             "folder only.\n                         A new deck begins with a template"},
    {"--open", APP_VIEW, TRUTH, TO(open),
     .help = "  --open                 show the page in the browser of the desktop (xdg-open)"},
    {"--port", APP_VIEW, TEXT, TO(port),
     .help = "  --port N               port of 127.0.0.1 (default: a free one)"},
    {"--json", APP_JSON, TRUTH, TO(json),
     .help = "  --json                 print one object: what there is with its meshes, or the "
             "mistake"},
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

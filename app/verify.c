/* The command `carom verify`: runs every case of the examples, and compares the results with expected.yaml. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "app/examples.h"
#include "app/verify.h"
#include "base/program.h"
#include "base/text.h"

typedef struct {
  char    name[128], folder[PETSC_MAX_PATH_LEN];
  CrDeck *expected; /* owned */
} Example;

/* The sum of all rows. */
typedef struct {
  PetscInt passed, failed;
  FILE    *table; /* every row goes there too; NULL: no table */
} Count;

/* One row: an expected and an obtained value. */
typedef struct {
  const char *example, *one, *what, *expected, *obtained, *tolerance, *source;
} Row;

/* ---- one line -------------------------------------------------------------------------------- */

#define LINE "%-14s %-22s %-34s %14s %17s %10s  %s\n"

/* A field of the table in quotation marks; those inside are doubled. */
static void write_field(FILE *file, const char text[], char after)
{
  putc('"', file);
  for (const char *c = text; *c; c++) {
    if (*c == '"') putc('"', file);
    putc(*c, file);
  }
  putc('"', file);
  putc(after, file);
}

static void write_row(FILE *file, const Row *row, const char verdict[])
{
  const char *const fields[] = {row->example,  row->one,       row->what,  row->expected,
                                row->obtained, row->tolerance, row->source};

  for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) write_field(file, fields[k], ',');
  write_field(file, verdict, '\n');
  fflush(file);
}

static void print_line(const Row *row, PetscBool good, Count *count)
{
  const char *verdict = good ? "ok" : "WRONG";

  CrLog(LINE, row->example, row->one, row->what, row->expected, row->obtained, row->tolerance,
        verdict);
  if (count->table) write_row(count->table, row, verdict);
  if (good)
    count->passed++;
  else
    count->failed++;
}

/* "probes tip uy at 1.2" */
static void describe(const CrDeckNode *row, char text[], size_t size)
{
  static const char *const keys[] = {"file",  "body", "pair", "probe",
                                     "field", "name", "over", "column"};
  const CrDeckNode        *at = CrDeckFind(row, "at");

  text[0] = 0;
  for (int k = 0; k < 8; k++) {
    const CrDeckNode *node = CrDeckFind(row, keys[k]);
    size_t            used = strlen(text);

    if (node) snprintf(text + used, size - used, "%s%s", used ? " " : "", CrDeckText(node));
  }
  if (at)
    snprintf(text + strlen(text), size - strlen(text), " %s%s", CrDeckIsReal(at) ? "at " : "",
             CrDeckText(at));
}

/* NaN is never right: every comparison with it is false. */
static PetscBool judge(const CrDeckNode *row, PetscReal value, char expected[32],
                       char tolerance[32])
{
  const CrDeckNode *right = CrDeckFind(row, "expected"), *relative = CrDeckFind(row, "relative");
  const CrDeckNode *below = CrDeckFind(row, "below"), *above = CrDeckFind(row, "above");

  snprintf(tolerance, 32, "-");
  if (right) {
    PetscReal answer = CrDeckReal(right),
              bound = CrDeckReal(relative ? relative : CrDeckFind(row, "absolute"));

    snprintf(expected, 32, "%.10g", (double)answer);
    snprintf(tolerance, 32, "%.3g %s", (double)bound, relative ? "rel" : "abs");
    if (relative) bound *= PetscAbsReal(answer);
    return PetscAbsReal(value - answer) <= bound;
  }
  if (below && above)
    snprintf(expected, 32, "%.4g to %.4g", (double)CrDeckReal(above), (double)CrDeckReal(below));
  else
    snprintf(expected, 32, "%s %.6g", below ? "<" : ">", (double)CrDeckReal(below ? below : above));
  return isfinite(value) && (!below || value < CrDeckReal(below)) &&
         (!above || value > CrDeckReal(above));
}

static PetscErrorCode compare_row(const char *example, const char *one, const char dir[],
                                  const CrDeckNode *row, Count *count)
{
  char        what[256], expected[32], obtained[32], tolerance[32];
  const char *trouble, *source = CrDeckText(CrDeckFind(row, "source"));
  PetscReal   value;
  PetscBool   good;

  PetscFunctionBeginUser;
  PetscCall(AppVerifyValue(dir, row, &value, &trouble));
  describe(row, what, sizeof what);
  good = judge(row, value, expected, tolerance);
  snprintf(obtained, sizeof obtained, "%.10g", (double)value);
  print_line(&(const Row){example, one, what, expected, trouble ? trouble : obtained, tolerance,
                          source},
             good, count);
  if (!good) CrLog("    %s: source: %s\n", CrDeckPlace(row), source);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- one case -------------------------------------------------------------------------------- */

/* The last lines of what a run said. */
static PetscErrorCode show_log(const char dir[])
{
  char     path[PETSC_MAX_PATH_LEN], *text, *line;
  PetscInt lines = 0;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/log", dir);
  PetscCall(CrTextRead(path, &text, NULL));
  if (!text) PetscFunctionReturn(PETSC_SUCCESS);
  line = text + strlen(text);
  while (line > text && (line[-1] != '\n' || ++lines <= 6)) line--;
  for (line = strtok(line, "\n"); line; line = strtok(NULL, "\n")) CrLog("    | %s\n", line);
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode run_case_in(const char dir[], const Example *example, const CrDeckNode *one,
                                  Count *count)
{
  const CrDeckNode *rows = CrDeckFind(one, "rows");
  const char       *name = CrDeckText(CrDeckFind(one, "name"));
  char              deck[PETSC_MAX_PATH_LEN + 256], out[PETSC_MAX_PATH_LEN];
  char              expected[32], obtained[32];
  int               wanted = (int)CrDeckInteger(CrDeckFind(one, "exit")), code;

  PetscFunctionBeginUser;
  snprintf(deck, sizeof deck, "%s/%s", example->folder, CrDeckText(CrDeckFind(one, "deck")));
  snprintf(out, sizeof out, "%s/out", dir);
  PetscCall(AppVerifyRun(deck, one, dir, &code));
  if (AppVerifyIsInterrupted()) PetscFunctionReturn(PETSC_SUCCESS);
  if (code != wanted || wanted) {
    snprintf(expected, sizeof expected, "exit %d", wanted);
    snprintf(obtained, sizeof obtained, "exit %d", code);
    print_line(&(const Row){example->name, name, "run", expected, obtained, "-", ""},
               code == wanted, count);
  }
  if (code != wanted) {
    PetscCall(show_log(dir));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt k = 0; k < CrDeckCount(rows); k++)
    PetscCall(compare_row(example->name, name, out, CrDeckItem(rows, k), count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode run_case(const Example *example, const CrDeckNode *one, Count *count)
{
  char           dir[PETSC_MAX_PATH_LEN - 8];
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(AppVerifyMakeFolder(dir, sizeof dir));
  code = run_case_in(dir, example, one, count);
  AppVerifyRemoveFolder(dir);
  PetscFunctionReturn(code);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static PetscErrorCode run_examples(PetscInt n, const Example *examples, PetscBool quick,
                                   Count *count)
{
  PetscFunctionBeginUser;
  for (PetscInt e = 0; e < n; e++) {
    const CrDeckNode *cases = CrDeckFind(CrDeckRoot(examples[e].expected), "cases");

    for (PetscInt k = 0; k < CrDeckCount(cases); k++) {
      const CrDeckNode *one = CrDeckItem(cases, k);

      if (quick && !CrDeckTruth(CrDeckFind(one, "quick"))) continue;
      PetscCall(run_case(&examples[e], one, count));
      if (AppVerifyIsInterrupted()) PetscFunctionReturn(PETSC_SUCCESS);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_example(const char folder[], const char name[], Example *example)
{
  PetscFunctionBeginUser;
  snprintf(example->name, sizeof example->name, "%s", name);
  snprintf(example->folder, sizeof example->folder, "%s/%s", folder, name);
  PetscCall(AppVerifyRead(example->folder, &example->expected));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool has_expected(const char folder[], const char name[])
{
  char path[PETSC_MAX_PATH_LEN];

  snprintf(path, sizeof path, "%s/%s/expected.yaml", folder, name);
  return !access(path, F_OK);
}

/* A folder of one's own with an expected.yaml: its parent and its name. */
static PetscBool is_own(const char word[], char parent[PETSC_MAX_PATH_LEN], char **name)
{
  if (!realpath(word, parent) || !(*name = strrchr(parent, '/')) || !(*name)[1]) return PETSC_FALSE;
  *(*name)++ = 0;
  return has_expected(parent, *name);
}

/* All of them are read before the first runs: a mistake in the last should not cost an hour. */
static PetscErrorCode read_examples(const char folder[], PetscInt n, char **names,
                                    const AppArguments *a, PetscInt *nexamples, Example *examples)
{
  PetscFunctionBeginUser;
  for (PetscInt w = 0; w < a->nwords; w++) {
    const char *name = a->words[w], *near = CrNearestName(name, n, (const char *const *)names);
    PetscInt    k = 0;
    char        parent[PETSC_MAX_PATH_LEN], *own;

    while (k < n && strcmp(names[k], name)) k++;
    if (k == n && is_own(name, parent, &own)) {
      PetscCall(read_example(parent, own, &examples[(*nexamples)++]));
      continue;
    }
    if (k == n && near) CrInputFail("unknown example \"%s\"; did you mean \"%s\"?", name, near);
    if (k == n)
      CrInputFail(
          "no example, and no folder with an expected.yaml, is called \"%s\"; see %s examples",
          name, CrProgram());
    if (!has_expected(folder, name))
      CrInputFail("example \"%s\" has no file expected.yaml, so there is nothing to verify", name);
    PetscCall(read_example(folder, name, &examples[*nexamples]));
    (*nexamples)++;
  }
  for (PetscInt k = 0; !a->nwords && k < n; k++) {
    if (!has_expected(folder, names[k])) continue;
    PetscCall(read_example(folder, names[k], &examples[*nexamples]));
    (*nexamples)++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode verify(const char folder[], PetscInt n, char **names, const AppArguments *a,
                             Count *count)
{
  Example       *examples;
  PetscInt       nexamples = 0;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(n + a->nwords, &examples));
  code = read_examples(folder, n, names, a, &nexamples, examples);
  if (!code) {
    CrLog(LINE, "example", "case", "what", "expected", "obtained", "tolerance", "verdict");
    AppVerifyWatchBegin();
    code = run_examples(nexamples, examples, a->quick, count);
    AppVerifyWatchEnd();
  }
  for (PetscInt k = 0; k < nexamples; k++) PetscCall(CrDeckDestroy(&examples[k].expected));
  PetscCall(PetscFree(examples));
  PetscFunctionReturn(code);
}

/* The table is written beside its place and takes it at the end, so that an older one is not lost.
   After an interruption it stays beside it: its rows may have cost an hour. */
static PetscErrorCode open_table(const char path[], char beside[], size_t size, Count *count)
{
  PetscFunctionBeginUser;
  snprintf(beside, size, "%s.part", path);
  count->table = fopen(beside, "w");
  if (!count->table) CrInputFail("%s: cannot be written: %s", path, strerror(errno));
  fputs("example,case,what,expected,obtained,tolerance,source,verdict\n", count->table);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_table(const char path[], const char beside[], PetscErrorCode code,
                                  Count *count)
{
  PetscBool rows = count->passed || count->failed;
  int       failed = fclose(count->table);

  PetscFunctionBeginUser;
  if (!code && AppVerifyIsInterrupted() && rows)
    CrLog("interrupted; the results of the completed cases are in %s\n", beside);
  else if (code || AppVerifyIsInterrupted())
    failed |= remove(beside);
  else
    failed |= rename(beside, path);
  if (failed) CrInputFail("%s: cannot be written: %s", path, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode verify_all(const AppArguments *a, Count *count)
{
  char           folder[PETSC_MAX_PATH_LEN], **names = NULL;
  PetscInt       n = 0;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = AppExamplesFolder(folder, sizeof folder);
  if (!code) code = AppExampleNames(folder, &n, &names);
  if (code && !a->nwords) PetscFunctionReturn(code);
  CrErrorClear(); /* folders of one's own need no examples */
  code = verify(folder, n, names, a, count);
  PetscCall(AppFreeNames(n, &names));
  PetscFunctionReturn(code);
}

PetscErrorCode AppVerify(const AppArguments *a, int *status)
{
  char           beside[PETSC_MAX_PATH_LEN];
  Count          count = {0, 0, NULL};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (a->output) PetscCall(open_table(a->output, beside, sizeof beside, &count));
  code = verify_all(a, &count);
  if (a->output) PetscCall(close_table(a->output, beside, code, &count));
  if (code) PetscFunctionReturn(code);
  if (!AppVerifyIsInterrupted() && !count.passed && !count.failed)
    CrInputFail("there is nothing to verify: %s",
                a->quick ? "no case is marked quick" : "there are no cases");
  if (AppVerifyIsInterrupted()) CrLog("interrupted\n");
  CrLog("%" PetscInt_FMT " passed, %" PetscInt_FMT " failed\n", count.passed, count.failed);
  if (count.failed) *status = 1;
  if (AppVerifyIsInterrupted()) *status = 130;
  PetscFunctionReturn(PETSC_SUCCESS);
}

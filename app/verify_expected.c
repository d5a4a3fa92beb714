/* The keys of expected.yaml, and the checks that need several keys. */
#include <string.h>
#include <unistd.h>
#include "app/verify.h"

static const CrKey row_keys[] = {
    {"file", CR_WORD | CR_MUST, NULL,
     "history|bodies|contacts|probes|extremes|events|reactions|audit",
     .help = "table of the run that has the compared value, such as history or contacts"},
    {"column", CR_TEXT | CR_MUST,
     .help =
         "the compared value: a column of the table, a formula with columns such as px/mass, or a key of audit.json"},
    {"body", CR_TEXT,
     .help =
         "for the tables bodies and extremes: body whose values are compared; a name that ends in * selects all names with this beginning"},
    {"pair", CR_TEXT,
     .help = "for the tables contacts and events: contact pair whose values are compared"},
    {"probe", CR_TEXT, .help = "for the table probes: probe whose values are compared"},
    {"field", CR_TEXT, .help = "for the table extremes: field whose values are compared"},
    {"name", CR_TEXT,
     .help = "for the table reactions: condition or obstacle whose values are compared"},
    {"over", CR_WORD, NULL, "max|min|sum|mean",
     .help =
         "how the rows of one time are combined to one value if a name with * selects several rows"},
    {"at", CR_REAL | CR_WORD, NULL,
     "start|end|max|min|maxabs|mean|drift|change|integral|rise|fall|first|last",
     .help =
         "time of the compared value, or how the values at all times are combined to one value"},
    {"row", CR_INTEGER, .range = "[1,inf)",
     .help = "for the file events, instead of `at`: number of the row of this pair"},
    {"window", CR_REALS,
     .help =
         "[t0, t1]: only rows at these times are used; not allowed if `at` is a time, start or end"},
    {"scale", CR_REAL, "1",
     .help = "the value of the run is divided by this number before it is compared"},
    {"relative_to_start", CR_TRUTH, "false",
     .help = "whether the value is also divided by the magnitude of its first value"},
    {"expected", CR_REAL, .help = "expected value; needs `absolute` or `relative`"},
    {"absolute", CR_REAL, .range = "[0,inf)",
     .help = "greatest absolute difference from the expected value"},
    {"relative", CR_REAL, .range = "[0,inf)",
     .help = "greatest difference, as a fraction of the expected value"},
    {"below", CR_REAL, .help = "instead of `expected`: the value must be less than this number"},
    {"above", CR_REAL, .help = "instead of `expected`: the value must be greater than this number"},
    {"source", CR_TEXT | CR_MUST, .help = "origin of the expected value"},
    {.name = NULL}};

static const CrKey case_keys[] = {
    {"name", CR_TEXT | CR_MUST, .help = "name of the case"},
    {"deck", CR_TEXT, "deck.yaml", .help = "deck in the same folder"},
    {"set", CR_TEXTS, "[]",
     .help = "changes of the deck, key.path=value, as after the option --set"},
    {"quick", CR_TRUTH, "false", .help = "whether --quick runs this case too"},
    {"ranks", CR_INTEGER, "1", .range = "[1,64]", .help = "number of MPI processes"},
    {"exit", CR_INTEGER, "0", .range = "[0,255]", .help = "exit code that the run should have"},
    {"rows", CR_LIST, "[]", .keys = row_keys,
     .help = "values of the run that are compared with expected values"},
    {.name = NULL}};

static const CrKey top_keys[] = {{"cases", CR_LIST | CR_MUST, .keys = case_keys,
                                  .help = "runs and their expected results"},
                                 {.name = NULL}};

/* Which keys say whose rows of a table are meant. */
static const struct {
  const char *file, *keys[2];
} selectors[] = {{"history", {NULL, NULL}},       {"bodies", {"body", NULL}},
                 {"contacts", {"pair", NULL}},    {"probes", {"probe", NULL}},
                 {"extremes", {"field", "body"}}, {"events", {"pair", NULL}},
                 {"reactions", {"name", NULL}},   {"audit", {NULL, NULL}}};

static PetscBool ends_in_star(const CrDeckNode *given)
{
  const char *text = CrDeckText(given);

  return *text && text[strlen(text) - 1] == '*';
}

static PetscErrorCode check_selectors(const CrDeckNode *row)
{
  static const char *const all[] = {"body", "pair", "probe", "field", "name"};
  const char              *file = CrDeckText(CrDeckFind(row, "file"));
  const CrDeckNode        *over = CrDeckFind(row, "over");
  PetscBool                many = PETSC_FALSE;
  PetscInt                 k = 0;

  PetscFunctionBeginUser;
  while (strcmp(selectors[k].file, file)) k++;
  for (int i = 0; i < 5; i++) {
    const CrDeckNode *given = CrDeckFind(row, all[i]);
    PetscBool         needed = PETSC_FALSE;

    for (int j = 0; j < 2; j++)
      if (selectors[k].keys[j] && !strcmp(selectors[k].keys[j], all[i])) needed = PETSC_TRUE;
    if (given && !needed)
      CrDeckFail(given, "the key \"%s\" selects nothing in the file %s", all[i], file);
    if (!given && needed)
      CrDeckFail(row, "the key \"%s\" is missing; it selects the rows of %s", all[i], file);
    if (given && ends_in_star(given)) many = PETSC_TRUE;
  }
  if (many && !over)
    CrDeckFail(
        row,
        "the key \"over\" is missing; it is needed because a * selects several rows of the same time");
  if (over && !many)
    CrDeckFail(over,
               "this key needs a name that ends in * and selects several rows of the same time");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Only the syntax: which columns a table has is known when there is one. */
static PetscErrorCode check_column(const CrDeckNode *row)
{
  const CrDeckNode *column = CrDeckFind(row, "column");
  char              trouble[128];

  PetscFunctionBeginUser;
  if (CrDeckIsWord(CrDeckFind(row, "file"), "audit")) PetscFunctionReturn(PETSC_SUCCESS);
  AppFormulaValue(CrDeckText(column), -1, NULL, NULL, trouble, sizeof trouble);
  if (*trouble) CrDeckFail(column, "%s", trouble);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_time(const CrDeckNode *row)
{
  const CrDeckNode *at = CrDeckFind(row, "at"), *window = CrDeckFind(row, "window");
  PetscBool         audit = CrDeckIsWord(CrDeckFind(row, "file"), "audit");
  const CrDeckNode *nth = CrDeckFind(row, "row");
  PetscReal         t[2];

  PetscFunctionBeginUser;
  if (nth && !CrDeckIsWord(CrDeckFind(row, "file"), "events"))
    CrDeckFail(nth, "this key is allowed only with `file: events`");
  if (nth && (at || window))
    CrDeckFail(at ? at : window, "this key and \"row\" cannot be given together");
  if (nth) PetscFunctionReturn(PETSC_SUCCESS);
  if (audit && (at || window))
    CrDeckFail(at ? at : window, "this key cannot be used, because audit.json has no times");
  if (audit && CrDeckTruth(CrDeckFind(row, "relative_to_start")))
    CrDeckFail(CrDeckFind(row, "relative_to_start"),
               "this key cannot be used, because audit.json has no times");
  if (audit) PetscFunctionReturn(PETSC_SUCCESS);
  if (!at)
    CrDeckFail(
        row,
        "the key \"at\" is missing; expected a number (the time), or a word such as \"start\", \"end\", \"max\", \"min\", \"maxabs\", \"mean\" or \"drift\"");
  if (!window) PetscFunctionReturn(PETSC_SUCCESS);
  if (CrDeckIsReal(at) || CrDeckIsWord(at, "start") || CrDeckIsWord(at, "end"))
    CrDeckFail(window, "this key cannot be used if `at` is a number, \"start\" or \"end\"");
  PetscCall(CrDeckVector(row, "window", 2, 0, t, NULL));
  if (!(t[0] <= t[1])) CrDeckFail(window, "the second time must not be before the first");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A right answer with one tolerance, or bounds. */
static PetscErrorCode check_judgement(const CrDeckNode *row)
{
  const CrDeckNode *expected = CrDeckFind(row, "expected"), *relative = CrDeckFind(row, "relative");
  const CrDeckNode *absolute = CrDeckFind(row, "absolute");
  PetscBool         bounds = CrDeckFind(row, "below") || CrDeckFind(row, "above");

  PetscFunctionBeginUser;
  if (!expected && !bounds)
    CrDeckFail(row, "one of the keys \"expected\", \"below\" and \"above\" is needed");
  if (expected && bounds)
    CrDeckFail(expected,
               "this key and a bound (below, above) cannot be given together; remove one of them");
  if (expected && !absolute == !relative)
    CrDeckFail(expected, "an expected value needs one tolerance: \"absolute\" or \"relative\"");
  if (!expected && (absolute || relative))
    CrDeckFail(absolute ? absolute : relative,
               "this key is a tolerance, but a bound (below, above) needs no tolerance");
  if (relative && CrDeckReal(expected) == 0)
    CrDeckFail(relative,
               "a relative tolerance needs an expected value other than 0; use \"absolute\"");
  if (CrDeckReal(CrDeckFind(row, "scale")) == 0)
    CrDeckFail(CrDeckFind(row, "scale"), "this number must not be 0");
  if (!*CrDeckText(CrDeckFind(row, "source")))
    CrDeckFail(CrDeckFind(row, "source"),
               "this text must name the origin of the expected value (a paper, a formula)");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_case(const char folder[], const CrDeckNode *cases, PetscInt k)
{
  const CrDeckNode *one = CrDeckItem(cases, k), *rows = CrDeckFind(one, "rows");
  const CrDeckNode *name = CrDeckFind(one, "name"), *deck = CrDeckFind(one, "deck");
  const CrDeckNode *set = CrDeckFind(one, "set");
  char              path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  for (PetscInt j = 0; j < k; j++)
    if (!strcmp(CrDeckText(CrDeckFind(CrDeckItem(cases, j), "name")), CrDeckText(name)))
      CrDeckFail(name, "another case is called \"%s\" already", CrDeckText(name));
  snprintf(path, sizeof path, "%s/%s", folder, CrDeckText(deck));
  if (access(path, R_OK)) CrDeckFail(deck, "%s cannot be read", path);
  for (PetscInt i = 0; i < CrDeckCount(set); i++)
    if (!strchr(CrDeckText(CrDeckItem(set, i)), '='))
      CrDeckFail(CrDeckItem(set, i), "expected key.path=value, found no \"=\"");
  if (!CrDeckCount(rows) && !CrDeckInteger(CrDeckFind(one, "exit")))
    CrDeckFail(one, "this case compares nothing; give \"rows\", or an \"exit\" code that is not 0");
  for (PetscInt i = 0; i < CrDeckCount(rows); i++) {
    PetscCall(check_selectors(CrDeckItem(rows, i)));
    PetscCall(check_column(CrDeckItem(rows, i)));
    PetscCall(check_time(CrDeckItem(rows, i)));
    PetscCall(check_judgement(CrDeckItem(rows, i)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check(const char folder[], CrDeck *expected)
{
  const CrDeckNode *cases;

  PetscFunctionBeginUser;
  PetscCall(CrDeckValidate(expected, top_keys));
  cases = CrDeckFind(CrDeckRoot(expected), "cases");
  for (PetscInt k = 0; k < CrDeckCount(cases); k++) PetscCall(check_case(folder, cases, k));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppVerifyRead(const char folder[], CrDeck **expected)
{
  char           path[PETSC_MAX_PATH_LEN];
  PetscErrorCode code;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/expected.yaml", folder);
  PetscCall(CrDeckRead(PETSC_COMM_SELF, path, 0, NULL, expected));
  code = check(folder, *expected);
  if (code) PetscCall(CrDeckDestroy(expected));
  PetscFunctionReturn(code);
}

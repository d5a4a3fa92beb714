/* Names, errors, exit codes, texts for the eyes, warnings, growing arrays, union-find, and the choice of the
   instruction set. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/grow.h"
#include "base/isa.h"
#include "base/text.h"
#include "base/union.h"
#include "check.h"

static void test_nearest_name(void)
{
  const char *const names[] = {"dissipative", "midpoint", "newmark", "x", "fix"};

  CHECK_TEXT(CrNearestName("dissipatve", 5, names), "dissipative");
  CHECK_TEXT(CrNearestName("mdipoint", 5, names), "midpoint"); /* neighbours swapped: one slip */
  CHECK_TEXT(CrNearestName("newmark", 5, names), "newmark");
  CHECK_TEXT(CrNearestName("Newmark", 5, names), "newmark");
  CHECK_TEXT(CrNearestName("fi", 5, names), "fix");
  CHECK(!CrNearestName("gravity", 5, names));
  CHECK(!CrNearestName("q", 5, names)); /* every letter wrong is not near */
  CHECK(!CrNearestName("", 5, names));
  CHECK(!CrNearestName("midpoint", 0, NULL));
  CHECK(!CrNearestName(
      "a word that is longer than sixty-four characters is near to none of them, and "
      "does no harm",
      5, names));
}

static void test_first_message_stays(void)
{
  CrErrorClear();
  CHECK_TEXT(CrErrorMessage(), "");
  CHECK(CrInputError("first %d", 1) == CR_ERR_INPUT);
  CHECK(CrMachineError("echo") == CR_ERR_MACHINE);
  CHECK_TEXT(CrErrorMessage(), "first 1");
  CrErrorClear();
  CHECK(CrMachineError("disk %s", "full") == CR_ERR_MACHINE);
  CHECK_TEXT(CrErrorMessage(), "disk full");
  CrErrorClear();
}

/* A message longer than its place is cut, not written over its end. */
static void test_long_message(void)
{
  static char text[10000];

  memset(text, 'a', sizeof text - 1);
  CHECK(CrInputError("%s", text) == CR_ERR_INPUT);
  CHECK(strlen(CrErrorMessage()) > 1000 && strlen(CrErrorMessage()) < sizeof text - 1);
  CrErrorClear();
}

static const char *shown(const char text[], size_t size)
{
  static char to[100];

  CrTextShow(text, to, size);
  return to;
}

/* What a terminal would obey, and what is no UTF-8 (RFC 3629), is spelled out. */
static void test_shown_text(void)
{
  CHECK_TEXT(shown("plain \\ text", 100), "plain \\ text");
  CHECK_TEXT(shown("a\nb\tc\rd", 100), "a\\nb\\tc\\rd");
  CHECK_TEXT(shown("\033[31m\177\001", 100), "\\x1b[31m\\x7f\\x01");
  CHECK_TEXT(shown("\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80", 100),
             "\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80");
  CHECK_TEXT(shown("\xc2\x9b", 100), "\\xc2\\x9b");          /* CSI of eight bits */
  CHECK_TEXT(shown("\x9b!\xff", 100), "\\x9b!\\xff");        /* no beginning */
  CHECK_TEXT(shown("\xe2\x82", 100), "\\xe2\\x82");          /* cut short */
  CHECK_TEXT(shown("\xc0\xaf", 100), "\\xc0\\xaf");          /* longer than it needs */
  CHECK_TEXT(shown("\xed\xa0\x80", 100), "\\xed\\xa0\\x80"); /* half a pair */
  CHECK_TEXT(shown("abc", 3), "ab");
  CHECK_TEXT(shown("ab\033", 6), "ab"); /* nothing is cut in the middle */
  CHECK_TEXT(shown("", 1), "");
  CrErrorClear();
  CHECK(CrInputError("%s: no", "a\nb") == CR_ERR_INPUT);
  CHECK_TEXT(CrErrorMessage(), "a\\nb: no");
  CrErrorClear();
}

/* Each once, in the order of saying. */
static void test_warnings(void)
{
  CrWarningsClear();
  CHECK_TEXT(CrWarnings(), "");
  CrWarn("one\n%s", "and");
  CrWarn("two");
  CrWarn("one\nand");
  CrWarn("tw");
  CHECK_TEXT(CrWarnings(), "one\\nand\ntwo\ntw\n");
  CrWarningsAdd("three\ntwo\n");
  CHECK_TEXT(CrWarnings(), "one\\nand\ntwo\ntw\nthree\n");
  CrWarningsClear();
  CHECK_TEXT(CrWarnings(), "");
}

static void test_exit_codes(void)
{
  CHECK(CrExitCode(PETSC_SUCCESS) == 0);
  CHECK(CrExitCode(CR_ERR_INPUT) == 2);
  CHECK(CrExitCode(CR_ERR_MACHINE) == 3);
  CHECK(CrExitCode(PETSC_ERR_MEM) == 3);
  CHECK(CrExitCode(PETSC_ERR_PLIB) == 1);
}

/* What was there stays, and a thousand entries one by one make a few moves only. */
static void test_grow(void)
{
  PetscInt  *numbers = NULL, room = 0, shared = 0, moves = 0;
  PetscReal *a = NULL;
  char      *b = NULL, *bytes = NULL;
  size_t     nbytes = 0;

  CHECK_OK(CrGrow(0, &room, &numbers));
  CHECK(room == 0 && !numbers);
  for (PetscInt n = 0; n < 1000; n++) {
    PetscInt before = room;

    CHECK_OK(CrGrow(n + 1, &room, &numbers));
    CHECK_OK(CrGrowTwo(n + 1, &shared, &a, &b));
    CHECK_OK(CrGrowBytes((size_t)n + 1, &nbytes, &bytes));
    moves += room != before;
    numbers[n] = n, a[n] = 0.5 * n, b[n] = bytes[n] = (char)(n % 100);
  }
  for (PetscInt n = 0; n < 1000; n++)
    CHECK(numbers[n] == n && a[n] == 0.5 * n && b[n] == n % 100 && bytes[n] == n % 100);
  CHECK(moves <= 10 && room >= 1000 && shared == room && nbytes >= 1000);
  CHECK_OK(CrGrow(5000, &room, &numbers)); /* more than twice as many */
  CHECK(room >= 5000 && numbers[999] == 999);
  CHECK_OK(PetscFree(numbers));
  CHECK_OK(PetscFree(a));
  CHECK_OK(PetscFree(b));
  CHECK_OK(PetscFree(bytes));
}

/* Chains in any order: the root of a set is its least member, and sets stay apart. */
static void test_union(void)
{
  PetscInt parent[12];

  CrUnionStart(12, parent);
  for (PetscInt k = 0; k < 12; k++) CHECK(CrUnionRoot(parent, k) == k);
  for (PetscInt k = 9; k >= 3; k -= 3) CrUnionJoin(parent, k, k - 3); /* 0 3 6 9 */
  CrUnionJoin(parent, 4, 10);
  CrUnionJoin(parent, 10, 7);
  CrUnionJoin(parent, 7, 4); /* they are one already */
  for (PetscInt k = 0; k < 12; k++) {
    const PetscInt root[] = {0, 1, 2, 0, 4, 5, 0, 4, 8, 0, 4, 11};

    CHECK(CrUnionRoot(parent, k) == root[k]);
  }
}

/* The set that a fresh process chooses under CAROM_ISA. */
static int choice_under(const char *wish)
{
  int   status = -1;
  pid_t child = fork();

  if (child == 0) {
    if (wish)
      setenv("CAROM_ISA", wish, 1);
    else
      unsetenv("CAROM_ISA");
    if (!freopen("/dev/null", "w", stderr)) _exit(99); /* the warning is meant */
    _exit((int)CrIsaGet());
  }
  if (child > 0) waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Before MPI is up: children must not inherit it. */
static void test_instruction_set(void)
{
  int best = choice_under(NULL);

  CHECK(CrIsaIsThere(CR_ISA_BASELINE));
  for (CrIsa isa = 0; isa < CR_NISAS; isa++) {
    CHECK(choice_under(CrIsaName(isa)) == (CrIsaIsThere(isa) ? (int)isa : best));
    if (CrIsaIsThere(isa)) CHECK(best >= (int)isa);
  }
  CHECK(choice_under("abacus") == best);
  CHECK(choice_under("") == best);
}

int main(int argc, char **argv)
{
  test_instruction_set();
  if (check_start(argc, argv)) return 1;
  test_nearest_name();
  test_first_message_stays();
  test_long_message();
  test_shown_text();
  test_warnings();
  test_exit_codes();
  test_grow();
  test_union();
  return check_end();
}

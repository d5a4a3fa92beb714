/* Words for hints: the program as the user starts it, and paths from the current folder. */
#include "base/program.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"

static void test_program(void)
{
  char far[200];

  CHECK_TEXT(CrProgram(), "carom");
  CrProgramStart("carom");
  CHECK_TEXT(CrProgram(), "carom");
  memset(far, 'a', sizeof far - 1);
  far[0] = '/';
  far[sizeof far - 1] = 0;
  CrProgramStart(far); /* nobody wants to read that */
  CHECK_TEXT(CrProgram(), "carom");
  CrProgramStart("build/carom");
  CHECK_TEXT(CrProgram(), "build/carom");
}

static void test_paths(void)
{
  char here[PETSC_MAX_PATH_LEN];

  CHECK(!chdir("/usr/share"));
  CHECK_TEXT(CrPathHere("deck.yaml", here), "deck.yaml");
  CHECK_TEXT(CrPathHere("../x/deck.yaml", here), "../x/deck.yaml");
  CHECK_TEXT(CrPathHere("/usr/share/deck.yaml", here), "deck.yaml");
  CHECK_TEXT(CrPathHere("/usr/share/a/deck.yaml", here), "a/deck.yaml");
  CHECK_TEXT(CrPathHere("/usr/shared/deck.yaml", here), "../shared/deck.yaml");
  CHECK_TEXT(CrPathHere("/usr/deck.yaml", here), "../deck.yaml");
  CHECK_TEXT(CrPathHere("/a/deck.yaml", here), "/a/deck.yaml"); /* ../../a is longer */
  CHECK(!chdir("/"));
  CHECK_TEXT(CrPathHere("/usr/deck.yaml", here), "usr/deck.yaml");
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_program();
  test_paths();
  return check_end();
}

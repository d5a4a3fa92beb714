/* Decks from noise: whatever the bytes are, reading, checking and writing them must end in a tree
   or in one message, and a tree that was written must read again. Built by `make fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include "run/run.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  static char  name[] = "fuzz";
  static char *words[] = {name, NULL}, **pointer = words;
  int          one = 1;

  (void)argc;
  (void)argv;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  if (PetscInitialize(&one, &pointer, NULL, NULL)) abort();
  return PetscPushErrorHandler(CrErrorHandler, NULL);
}

/* The tree goes out and comes back. */
static void write_and_read(const CrDeck *deck)
{
  char   *text = NULL;
  size_t  length = 0;
  FILE   *out = open_memstream(&text, &length);
  CrDeck *again = NULL;

  if (CrDeckWrite(deck, out)) abort();
  fclose(out);
  if (CrDeckParse("again", text, length, 0, NULL, &again)) {
    fprintf(stderr, "written but not read: %s\n%s\n", CrErrorMessage(), text);
    abort();
  }
  if (CrDeckDestroy(&again)) abort();
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  CrDeck     *deck = NULL;
  const char *sets[] = {"time.step=0.5", "bodies.0.velocity=[1, 2]"};
  CrSchedule  schedule;

  CrErrorClear();
  if (CrDeckParse("fuzz", (const char *)data, size, size % 3 == 0 ? 2 : 0, sets, &deck)) return 0;
  if (!CrDeckValidate(deck, CrProblemKeys())) {
    write_and_read(deck);
    CrErrorClear();
    if (!CrScheduleCreate(CrDeckFind(CrDeckRoot(deck), "time"), 0.1, &schedule) &&
        CrScheduleDestroy(&schedule))
      abort();
  } else if (!*CrErrorMessage())
    abort(); /* refused without a word */
  if (CrDeckDestroy(&deck)) abort();
  return 0;
}

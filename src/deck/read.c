/* Reads a deck from a file or from memory. */
#include <errno.h>
#include <string.h>
#include "base/text.h"
#include "deck/internal.h"

static PetscErrorCode build(CrDeck *deck, const char text[], size_t length, PetscInt nsets,
                            const char *const sets[])
{
  DeckMark top = {deck->path, 1, 1};

  PetscFunctionBeginUser;
  PetscCall(CrDeckMalloc(deck, (size_t)nsets * sizeof *deck->sets, &deck->sets));
  for (PetscInt i = 0; i < nsets; i++)
    PetscCall(CrDeckCopyText(deck, sets[i], strlen(sets[i]), &deck->sets[i]));
  deck->nsets = nsets;
  PetscCall(CrDeckNodeParse(deck, text, length, NULL, PETSC_TRUE, 1, &deck->root));
  if (CrDeckIsNull(deck->root))
    PetscFunctionReturn(CrDeckErrorAt(top, "", "the deck is empty; expected a mapping of keys"));
  if (!CrDeckIsMap(deck->root))
    CrDeckFail(deck->root, "expected a mapping of keys, found a %s",
               CrDeckIsList(deck->root) ? "list" : "text");
  PetscCall(CrDeckApplySets(deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckParse(const char name[], const char text[], size_t length, PetscInt nsets,
                           const char *const sets[], CrDeck **deck)
{
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrDeckCreate(name, deck));
  code = build(*deck, text, length, nsets, sets);
  if (code) PetscCall(CrDeckDestroy(deck));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The whole file, however long it says it is: pipes do not know. */
static PetscErrorCode read_stream(const char path[], FILE *file, char **text, int *length)
{
  size_t room = 1 << 16, used = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc(room, text));
  for (size_t got = 1; got;) {
    if (used == room) PetscCall(PetscRealloc(room *= 2, text));
    errno = 0;
    got = fread(*text + used, 1, room - used, file);
    used += got;
    if (ferror(file)) CrInputFail("%s: cannot be read: %s", path, strerror(errno));
    if (used > DECK_BYTES)
      CrInputFail("%s: cannot be read: longer than %d MB", path, DECK_BYTES >> 20);
  }
  *length = (int)used;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_file(const char path[], char **text, int *length)
{
  PetscErrorCode code;
  FILE          *file;

  PetscFunctionBeginUser;
  PetscCall(CrTextOpen(path, PETSC_TRUE, &file));
  if (!file) CrInputFail("%s: cannot be read: %s", path, strerror(errno));
  code = read_stream(path, file, text, length);
  fclose(file);
  if (code) PetscCall(PetscFree(*text));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckRead(MPI_Comm comm, const char path[], PetscInt nsets,
                          const char *const sets[], CrDeck **deck)
{
  PetscMPIInt    rank;
  PetscErrorCode code = PETSC_SUCCESS;
  char          *text = NULL;
  int            length = 0;

  PetscFunctionBeginUser;
  *deck = NULL;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) code = read_file(path, &text, &length);
  PetscCall(CrErrorAgree(comm, code));

  /* the other ranks parse the same bytes, so a mistake is one on every rank */
  PetscCallMPI(MPI_Bcast(&length, 1, MPI_INT, 0, comm));
  if (rank) PetscCall(PetscMalloc1(length + 1, &text));
  PetscCallMPI(MPI_Bcast(text, length, MPI_CHAR, 0, comm));
  code = CrDeckParse(path, text, (size_t)length, nsets, sets, deck);
  PetscCall(PetscFree(text));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

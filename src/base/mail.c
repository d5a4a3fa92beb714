#include "base/mail.h"
#include <string.h>
#include "base/grow.h"

PetscInt CrShareBegin(PetscInt n, PetscMPIInt size, PetscInt rank)
{
  return (PetscInt)((PetscInt64)n * rank / size);
}

PetscInt CrShareRank(PetscInt n, PetscMPIInt size, PetscInt k)
{
  /* the least rank whose share ends behind k */
  return (PetscInt)((((PetscInt64)k + 1) * size + n - 1) / n) - 1;
}

PetscErrorCode CrMailBegin(MPI_Comm comm, PetscInt nints, PetscInt nreals, CrMail *mail)
{
  PetscFunctionBeginUser;
  *mail = (CrMail){.nints = nints, .nreals = nreals};
  PetscCallMPI(MPI_Comm_size(comm, &mail->size));
  PetscCall(PetscCalloc2(mail->size, &mail->sent, mail->size, &mail->got));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMailAdd(CrMail *mail, PetscInt to, const PetscInt ints[], const PetscReal reals[])
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(mail->n + 1, &mail->room, &mail->to));
  PetscCall(CrGrow((mail->n + 1) * mail->nints, &mail->int_room, &mail->ints));
  if (mail->nreals) PetscCall(CrGrow((mail->n + 1) * mail->nreals, &mail->real_room, &mail->reals));
  mail->to[mail->n] = (PetscMPIInt)to;
  for (PetscInt i = 0; i < mail->nints; i++) mail->ints[mail->n * mail->nints + i] = ints[i];
  for (PetscInt i = 0; i < mail->nreals; i++) mail->reals[mail->n * mail->nreals + i] = reals[i];
  mail->sent[to]++;
  mail->n++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- one kind of numbers ------------------------------------------------------------------ */

static PetscErrorCode offsets_of(PetscMPIInt size, const PetscMPIInt *counts, PetscMPIInt **offsets)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(size, offsets));
  for (PetscMPIInt p = 0, n = 0; p < size; n += counts[p++]) (*offsets)[p] = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the k-th record goes if records are ordered by rank: place[k]. */
static PetscErrorCode places_of(const CrMail *mail, PetscInt **place)
{
  PetscMPIInt *next;

  PetscFunctionBeginUser;
  PetscCall(offsets_of(mail->size, mail->sent, &next));
  PetscCall(PetscMalloc1(mail->n, place));
  for (PetscInt k = 0; k < mail->n; k++) (*place)[k] = next[mail->to[k]]++;
  PetscCall(PetscFree(next));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Records of `bytes` bytes, ordered by rank, to all ranks. */
static PetscErrorCode deliver(MPI_Comm comm, PetscMPIInt size, size_t bytes,
                              const PetscMPIInt *sent, const void *data, const PetscMPIInt *got,
                              void *arrived)
{
  PetscMPIInt *to, *from;
  MPI_Datatype type;

  PetscFunctionBeginUser;
  PetscCall(offsets_of(size, sent, &to));
  PetscCall(offsets_of(size, got, &from));
  PetscCallMPI(MPI_Type_contiguous((int)bytes, MPI_BYTE, &type));
  PetscCallMPI(MPI_Type_commit(&type));
  PetscCallMPI(MPI_Alltoallv(data, sent, to, type, arrived, got, from, type, comm));
  PetscCallMPI(MPI_Type_free(&type));
  PetscCall(PetscFree(to));
  PetscCall(PetscFree(from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void permute(PetscInt n, const PetscInt *place, size_t bytes, const char *from, char *to)
{
  for (PetscInt k = 0; k < n; k++)
    memcpy(to + (size_t)place[k] * bytes, from + (size_t)k * bytes, bytes);
}

/* Sends *data, which is freed, and allocates what arrives. */
static PetscErrorCode send_kind(MPI_Comm comm, const CrMail *mail, const PetscInt *place,
                                PetscInt nrecords, size_t bytes, void **data, void **arrived)
{
  char *ordered;

  PetscFunctionBeginUser;
  *arrived = NULL;
  if (!bytes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1((size_t)mail->n * bytes, &ordered));
  permute(mail->n, place, bytes, *data, ordered);
  PetscCall(PetscFree(*data));
  PetscCall(PetscMalloc((size_t)nrecords * bytes, arrived));
  PetscCall(deliver(comm, mail->size, bytes, mail->sent, ordered, mail->got, *arrived));
  PetscCall(PetscFree(ordered));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------- */

PetscErrorCode CrMailSend(MPI_Comm comm, CrMail *mail, CrPost *post)
{
  PetscInt *place;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Alltoall(mail->sent, 1, MPI_INT, mail->got, 1, MPI_INT, comm));
  *post = (CrPost){0};
  for (PetscMPIInt p = 0; p < mail->size; p++) post->n += mail->got[p];
  PetscCall(PetscMalloc1(post->n, &post->from));
  for (PetscMPIInt p = 0, k = 0; p < mail->size; p++)
    for (PetscMPIInt i = 0; i < mail->got[p]; i++) post->from[k++] = p;
  if (mail->size == 1) { /* nothing travels */
    post->ints = mail->ints;
    post->reals = mail->reals;
    mail->ints = NULL;
    mail->reals = NULL;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(places_of(mail, &place));
  PetscCall(send_kind(comm, mail, place, post->n, sizeof(PetscInt) * (size_t)mail->nints,
                      (void **)&mail->ints, (void **)&post->ints));
  PetscCall(send_kind(comm, mail, place, post->n, sizeof(PetscReal) * (size_t)mail->nreals,
                      (void **)&mail->reals, (void **)&post->reals));
  PetscCall(PetscFree(place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Answers arrive ordered by rank and go to the places of their questions. */
static PetscErrorCode answer_kind(MPI_Comm comm, const CrMail *mail, const PetscInt *place,
                                  size_t bytes, const void *data, char *answers)
{
  char *arrived;

  PetscFunctionBeginUser;
  if (!bytes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1((size_t)mail->n * bytes, &arrived));
  PetscCall(deliver(comm, mail->size, bytes, mail->got, data, mail->sent, arrived));
  for (PetscInt k = 0; k < mail->n; k++)
    memcpy(answers + (size_t)k * bytes, arrived + (size_t)place[k] * bytes, bytes);
  PetscCall(PetscFree(arrived));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMailAnswer(MPI_Comm comm, const CrMail *mail, PetscInt nints,
                            const PetscInt ints[], PetscInt answers[], PetscInt nreals,
                            const PetscReal reals[], PetscReal real_answers[])
{
  PetscInt *place;

  PetscFunctionBeginUser;
  PetscCall(places_of(mail, &place));
  PetscCall(
      answer_kind(comm, mail, place, sizeof(PetscInt) * (size_t)nints, ints, (char *)answers));
  PetscCall(answer_kind(comm, mail, place, sizeof(PetscReal) * (size_t)nreals, reals,
                        (char *)real_answers));
  PetscCall(PetscFree(place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMailEnd(CrMail *mail)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(mail->to));
  PetscCall(PetscFree(mail->ints));
  PetscCall(PetscFree(mail->reals));
  PetscCall(PetscFree2(mail->sent, mail->got));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPostEnd(CrPost *post)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(post->from));
  PetscCall(PetscFree(post->ints));
  PetscCall(PetscFree(post->reals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGatherAll(MPI_Comm comm, PetscInt n, size_t bytes, const void *own, PetscInt *nall,
                           PetscInt *first, void *all)
{
  PetscMPIInt  size, rank, mine = (PetscMPIInt)n, total = 0, *counts, *starts;
  MPI_Datatype thing;
  char        *list;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscMalloc2(size, &counts, size, &starts));
  PetscCallMPI(MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, comm));
  for (PetscMPIInt k = 0; k < size; k++) {
    starts[k] = total;
    total += counts[k];
  }
  PetscCall(PetscMalloc1((size_t)total * bytes, &list));
  PetscCallMPI(MPI_Type_contiguous((PetscMPIInt)bytes, MPI_BYTE, &thing));
  PetscCallMPI(MPI_Type_commit(&thing));
  PetscCallMPI(MPI_Allgatherv(own, mine, thing, list, counts, starts, thing, comm));
  PetscCallMPI(MPI_Type_free(&thing));
  *nall = total;
  if (first) *first = starts[rank];
  *(void **)all = list;
  PetscCall(PetscFree2(counts, starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sends messages between ranks. A mail is a list of records, each with the rank that receives it. A record has some
   integers and some reals; all records of a mail have the same size. One call sends all records. The receivers can then
   send one answer to each record. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt     nints, nreals; /* number of integers and number of reals in each record */
  PetscInt     n, room, int_room, real_room;
  PetscMPIInt *to;    /* [n] receiving rank of each record; owned, like all arrays below */
  PetscInt    *ints;  /* [n][nints] */
  PetscReal   *reals; /* [n][nreals] */
  PetscMPIInt  size;
  /* [size] number of records sent to each rank, and number received from it */
  PetscMPIInt *sent, *got;
} CrMail;

/* The records that this rank has received. The records are ordered by the sending rank, and then in the order in which
   the sender added them. */
typedef struct {
  PetscInt   n;
  PetscInt  *from; /* [n] sending rank of each record; owned, like all arrays below */
  PetscInt  *ints;
  PetscReal *reals;
} CrPost;

/* Initialises an empty list of records. Every record has nints integers and nreals reals. */
PetscErrorCode CrMailBegin(MPI_Comm comm, PetscInt nints, PetscInt nreals, CrMail *mail);
/* Adds a record for the rank `to`. `reals` may be NULL if records have no reals. */
PetscErrorCode CrMailAdd(CrMail *mail, PetscInt to, const PetscInt ints[], const PetscReal reals[]);
/* Sends all records to their receivers. `post` gets the records that this rank receives. `mail` keeps only the data
   that CrMailAnswer needs. Collective. */
PetscErrorCode CrMailSend(MPI_Comm comm, CrMail *mail, CrPost *post);
/* Sends an answer to each received record. `ints` and `reals` contain one answer of nints integers and nreals reals for
   every record of the post, in the order of the post. `answers` and `real_answers` get the answers to this rank's own
   records, in the order in which it added them. The caller allocates these arrays. Collective. */
PetscErrorCode CrMailAnswer(MPI_Comm comm, const CrMail *mail, PetscInt nints,
                            const PetscInt ints[], PetscInt answers[], PetscInt nreals,
                            const PetscReal reals[], PetscReal real_answers[]);
PetscErrorCode CrMailEnd(CrMail *mail);
PetscErrorCode CrPostEnd(CrPost *post);

/* Gathers on all ranks the items of all ranks, in the order of the ranks. This rank has n items of `bytes` bytes each,
   stored at `own`. `all` is the address of a pointer, which is set to the *nall items; the caller frees them. *first is
   the index of this rank's first item among all items. Collective. */
PetscErrorCode CrGatherAll(MPI_Comm comm, PetscInt n, size_t bytes, const void *own, PetscInt *nall,
                           PetscInt *first, void *all);

/* Divide n items into equal ranges, one for each of `size` ranks. CrShareBegin returns the first item in the range of a
   rank. CrShareRank returns the rank whose range contains item k. */
PetscInt CrShareBegin(PetscInt n, PetscMPIInt size, PetscInt rank);
PetscInt CrShareRank(PetscInt n, PetscMPIInt size, PetscInt k);

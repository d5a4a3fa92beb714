/* Messages between ranks. A mail is a list of records (integers and reals, all records of the same size), each with the
   rank that receives it. One call sends all records. The receivers can then send one answer to each record. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt     nints, nreals; /* number of integers and reals of a record */
  PetscInt     n, room, int_room, real_room;
  PetscMPIInt *to;    /* [n] receiving rank of each record; owned, like all arrays below */
  PetscInt    *ints;  /* [n][nints] */
  PetscReal   *reals; /* [n][nreals] */
  PetscMPIInt  size;
  PetscMPIInt *sent, *got; /* [size] numbers of records sent to each rank and received from it */
} CrMail;

/* The received records, ordered by sender, and then in the order in which the sender added the records. */
typedef struct {
  PetscInt   n;
  PetscInt  *from; /* [n] sending rank of each record; owned, like all arrays below */
  PetscInt  *ints;
  PetscReal *reals;
} CrPost;

/* Initialises an empty list of records. Every record has nints integers and nreals reals. */
PetscErrorCode CrMailBegin(MPI_Comm comm, PetscInt nints, PetscInt nreals, CrMail *mail);
/* Adds a record; reals may be NULL if records have none. */
PetscErrorCode CrMailAdd(CrMail *mail, PetscInt to, const PetscInt ints[], const PetscReal reals[]);
/* Sends all records to their receivers. `post` gets the records that this rank receives. `mail` keeps only the data
   that CrMailAnswer needs. Collective. */
PetscErrorCode CrMailSend(MPI_Comm comm, CrMail *mail, CrPost *post);
/* Answers the received records. ints and reals contain one answer of nints integers and nreals reals for every record
   of the post, in the order of the post. `answers` and `real_answers` get the answers to this rank's own records, in
   the order in which it added the records. The caller allocates these arrays. Collective. */
PetscErrorCode CrMailAnswer(MPI_Comm comm, const CrMail *mail, PetscInt nints,
                            const PetscInt ints[], PetscInt answers[], PetscInt nreals,
                            const PetscReal reals[], PetscReal real_answers[]);
PetscErrorCode CrMailEnd(CrMail *mail);
PetscErrorCode CrPostEnd(CrPost *post);

/* Gathers n items of `bytes` bytes from each rank on all ranks, in the order of the ranks. *first is the place of this
   rank's first item in the result. `all` is the address of a pointer, which is set to the *nall items; the caller frees
   them. Collective. */
PetscErrorCode CrGatherAll(MPI_Comm comm, PetscInt n, size_t bytes, const void *own, PetscInt *nall,
                           PetscInt *first, void *all);

/* Divide n items into equal shares for `size` ranks. CrShareBegin returns the first item of a rank's share,
   CrShareRank the rank whose share contains item k. */
PetscInt CrShareBegin(PetscInt n, PetscMPIInt size, PetscInt rank);
PetscInt CrShareRank(PetscInt n, PetscMPIInt size, PetscInt k);

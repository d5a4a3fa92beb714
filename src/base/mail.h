/* Mail between ranks: records of integers and reals, all of one size, each with the rank that shall have it. All
   mail is delivered at once, and every record can be answered. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt     nints, nreals; /* number of integers and reals of a record */
  PetscInt     n, room, int_room, real_room;
  PetscMPIInt *to;    /* [n] receivers; owned, like all below */
  PetscInt    *ints;  /* [n][nints] */
  PetscReal   *reals; /* [n][nreals] */
  PetscMPIInt  size;
  PetscMPIInt *sent, *got; /* [size] numbers of records, for the answers */
} CrMail;

/* The received records, ordered by sender, and then in the order in which the sender added the records. */
typedef struct {
  PetscInt   n;
  PetscInt  *from; /* [n] ranks; owned, like all below */
  PetscInt  *ints;
  PetscReal *reals;
} CrPost;

/* Begins an empty mail. */
PetscErrorCode CrMailBegin(MPI_Comm comm, PetscInt nints, PetscInt nreals, CrMail *mail);
/* Adds a record; reals may be NULL if records have none. */
PetscErrorCode CrMailAdd(CrMail *mail, PetscInt to, const PetscInt ints[], const PetscReal reals[]);
/* Delivers all records. The mail keeps only the data that are needed to send answers. Collective. */
PetscErrorCode CrMailSend(MPI_Comm comm, CrMail *mail, CrPost *post);
/* The way back: records of nints integers and nreals reals for every record of the post, in its order, become
   answers in the order in which this rank added its records. The caller provides both sides. Collective. */
PetscErrorCode CrMailAnswer(MPI_Comm comm, const CrMail *mail, PetscInt nints,
                            const PetscInt ints[], PetscInt answers[], PetscInt nreals,
                            const PetscReal reals[], PetscReal real_answers[]);
PetscErrorCode CrMailEnd(CrMail *mail);
PetscErrorCode CrPostEnd(CrPost *post);

/* Gathers n items of `bytes` bytes from each rank on all ranks, in the order of the ranks. *first: place of the first
   one of this rank. *all points to the *nall things; the caller frees it. Collective. */
PetscErrorCode CrGatherAll(MPI_Comm comm, PetscInt n, size_t bytes, const void *own, PetscInt *nall,
                           PetscInt *first, void *all);

/* n things in equal shares for `size` ranks: the first thing of a rank's share, and the rank of a thing. */
PetscInt CrShareBegin(PetscInt n, PetscMPIInt size, PetscInt rank);
PetscInt CrShareRank(PetscInt n, PetscMPIInt size, PetscInt k);

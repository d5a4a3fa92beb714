/* Finds nodes of a Gmsh file that have the same position, if the nodes are distributed over the ranks. Nodes with the
   same position are sent to the same rank, which their position determines. */
#include <stdint.h>
#include <stdlib.h>
#include "base/mail.h"
#include "mesh/readers/gmsh_chunks.h"

/* A node on the rank of its place. */
typedef struct {
  const PetscReal *at; /* in steps of the grid */
  PetscInt         node, record;
} Guest;

static int compare_places(const Guest *a, const Guest *b)
{
  for (int i = 0; i < 3; i++)
    if (a->at[i] != b->at[i]) return a->at[i] < b->at[i] ? -1 : 1;
  return 0;
}

static int compare_guests(const void *x, const void *y)
{
  const Guest *a = x, *b = y;
  int          c = compare_places(a, b);

  return c ? c : (a->node > b->node) - (a->node < b->node);
}

static PetscInt rank_of_place(const PetscReal at[3], PetscMPIInt size)
{
  uint64_t h = 1469598103934665603ull;

  for (int i = 0; i < 3; i++) {
    h = (h ^ (uint64_t)(int64_t)at[i]) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return (PetscInt)(h % (uint64_t)size);
}

/* The grid on which places are compared; 0: places are rounding. */
static PetscErrorCode find_grid(const CrGmsh *g, const CrGmshShared *s, PetscReal *grid)
{
  PetscReal box[7], size = 0; /* greatest; least, with a minus; greatest of all, without sign */

  PetscFunctionBeginUser;
  for (int i = 0; i < 7; i++) box[i] = i < 6 ? PETSC_MIN_REAL : 0;
  for (PetscInt A = 0; A < s->n; A++)
    for (int i = 0; i < 3 && s->kept_number[A] >= 0; i++) {
      box[i] = PetscMax(box[i], g->X[3 * A + i]);
      box[3 + i] = PetscMax(box[3 + i], -g->X[3 * A + i]);
      box[6] = PetscMax(box[6], PetscAbsReal(g->X[3 * A + i]));
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, box, 7, MPIU_REAL, MPI_MAX, s->comm));
  for (int i = 0; i < 3; i++) size = PetscMax(size, 1e-9 * (box[i] + box[3 + i]));
  *grid = size > 1e-15 * box[6] ? size : 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* twins[] of the records: the first node of the file at the same place; -1: it is the first. */
static PetscErrorCode match(const CrPost *post, PetscInt *twins)
{
  Guest *guests;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(post->n, &guests));
  for (PetscInt k = 0; k < post->n; k++) guests[k] = (Guest){post->reals + 3 * k, post->ints[k], k};
  if (post->n) qsort(guests, (size_t)post->n, sizeof *guests, compare_guests);
  for (PetscInt k = 0, first = 0; k < post->n; k++) {
    if (compare_places(&guests[first], &guests[k])) first = k;
    twins[guests[k].record] = k == first ? -1 : guests[first].node;
  }
  PetscCall(PetscFree(guests));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* twin[] of the nodes that this rank keeps. */
static PetscErrorCode find_twins(const CrGmsh *g, const CrGmshShared *s, PetscReal grid,
                                 PetscInt *twin)
{
  CrMail    mail;
  CrPost    post;
  PetscInt *twins, *answers, n = 0;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(s->comm, 1, 3, &mail));
  for (PetscInt A = 0; A < s->n; A++) {
    const PetscInt node = s->begin + A;
    PetscReal      at[3];

    for (int i = 0; i < 3; i++) at[i] = PetscFloorReal(g->X[3 * A + i] / grid + 0.5);
    if (s->kept_number[A] >= 0) PetscCall(CrMailAdd(&mail, rank_of_place(at, s->size), &node, at));
  }
  PetscCall(CrMailSend(s->comm, &mail, &post));
  PetscCall(PetscMalloc2(post.n, &twins, mail.n, &answers));
  PetscCall(match(&post, twins));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailAnswer(s->comm, &mail, 1, twins, answers, 0, NULL, NULL));
  for (PetscInt A = 0; A < s->n; A++) twin[A] = s->kept_number[A] >= 0 ? answers[n++] : -1;
  PetscCall(PetscFree2(twins, answers));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Twins of the known nodes. */
static PetscErrorCode ask_twins(const CrGmshShared *s, const PetscInt *twin, PetscInt *known)
{
  CrMail    mail;
  CrPost    post;
  PetscInt *found;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(s->comm, 1, 0, &mail));
  for (PetscInt k = 0; k < s->nknown; k++)
    PetscCall(CrMailAdd(&mail, CrShareRank(s->all, s->size, s->index[k]), &s->index[k], NULL));
  PetscCall(CrMailSend(s->comm, &mail, &post));
  PetscCall(PetscMalloc1(post.n, &found));
  for (PetscInt k = 0; k < post.n; k++) found[k] = twin[post.ints[k] - s->begin];
  PetscCall(CrMailAnswer(s->comm, &mail, 1, found, known, 0, NULL, NULL));
  PetscCall(PetscFree(found));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two corners of one cell at one place make a triangle of a quad, or a cell that is refused. */
static PetscErrorCode forget_collapsed(const CrGmsh *g, const CrGmshShared *s, PetscInt *twin)
{
  CrMail    mail;
  CrPost    post;
  PetscInt *known;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(s->nknown, &known));
  PetscCall(ask_twins(s, twin, known));
  PetscCall(CrMailBegin(s->comm, 1, 0, &mail));
  for (int shape = 0; shape < CR_NSHAPES; shape++) {
    const PetscInt nn = CrCells[shape].nnodes, *nodes = g->lists[shape].nodes;

    for (PetscInt i = 0; CrCells[shape].dim == g->dim && i < g->lists[shape].n * nn; i++)
      for (PetscInt b = i / nn * nn; b < i / nn * nn + nn && known[nodes[i]] >= 0; b++)
        if (known[nodes[i]] == s->index[nodes[b]])
          PetscCall(CrMailAdd(&mail, CrShareRank(s->all, s->size, s->index[nodes[i]]),
                              &s->index[nodes[i]], NULL));
  }
  PetscCall(CrMailSend(s->comm, &mail, &post));
  for (PetscInt k = 0; k < post.n; k++) twin[post.ints[k] - s->begin] = -1;
  PetscCall(PetscFree(known));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The tag of a node of the file. Collective. */
static PetscErrorCode tag_of(const CrGmsh *g, const CrGmshShared *s, PetscInt node, int64_t *tag)
{
  PetscFunctionBeginUser;
  *tag = node >= s->begin && node < s->begin + s->n ? g->tags[node - s->begin].tag : INT64_MIN;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, tag, 1, MPI_INT64_T, MPI_MAX, s->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode warn(const CrGmsh *g, const CrGmshShared *s, const PetscInt *twin)
{
  PetscInt first[2] = {PETSC_MAX_INT, PETSC_MAX_INT}, n = 0; /* the node, and its twin */
  int64_t  tags[2];

  PetscFunctionBeginUser;
  for (PetscInt A = s->n; A-- > 0;)
    if (twin[A] >= 0) {
      n++;
      first[0] = s->begin + A;
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPIU_INT, MPI_SUM, s->comm));
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, first, 1, MPIU_INT, MPI_MIN, s->comm));
  if (first[0] >= s->begin && first[0] < s->begin + s->n) first[1] = twin[first[0] - s->begin];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, first + 1, 1, MPIU_INT, MPI_MIN, s->comm));
  for (int i = 0; i < 2; i++) PetscCall(tag_of(g, s, first[i], &tags[i]));
  CrGmshWarnOfTwins(g, tags[1], tags[0], n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshWarnOfDoubles(const CrGmsh *g, const CrGmshShared *s)
{
  PetscReal grid;
  PetscInt *twin, any = 0;

  PetscFunctionBeginUser;
  PetscCall(find_grid(g, s, &grid));
  if (grid == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(s->n, &twin));
  PetscCall(find_twins(g, s, grid, twin));
  for (PetscInt A = 0; A < s->n; A++) any = any || twin[A] >= 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPIU_INT, MPI_MAX, s->comm));
  if (any) {
    PetscCall(forget_collapsed(g, s, twin));
    PetscCall(warn(g, s, twin));
  }
  PetscCall(PetscFree(twin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

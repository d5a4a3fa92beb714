/* Computes sums at nodes that several ranks have (mutual.h). */
#include "model/mutual.h"
#include <stdlib.h>
#include "base/grow.h"
#include "base/mail.h"

/* A node in common with another rank. */
typedef struct {
  PetscInt rank, global, local;
} Link;

typedef CR_LIST(Link) Links;

static int compare(const void *x, const void *y)
{
  const Link *a = x, *b = y;

  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  return (a->global > b->global) - (a->global < b->global);
}

/* ---- who has what ------------------------------------------------------------------------------ */

/* The users of each owned node, as compressed rows. */
static PetscErrorCode list_users(const CrHalo *halo, PetscInt **start, PetscInt **user)
{
  const CrHaloEnd *end = &halo->owned;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(halo->nowned + 2, start));
  PetscCall(PetscMalloc1(end->start[end->nranks], user));
  for (PetscInt j = 0; j < end->start[end->nranks]; j++) (*start)[end->node[j] + 2]++;
  for (PetscInt A = 0; A < halo->nowned; A++) (*start)[A + 2] += (*start)[A + 1];
  for (PetscInt k = 0; k < end->nranks; k++)
    for (PetscInt j = end->start[k]; j < end->start[k + 1]; j++)
      (*user)[(*start)[end->node[j] + 1]++] = end->ranks[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Owners tell the users of a node of each other. */
static PetscErrorCode introduce(const CrHalo *halo, PetscInt first, Links *links, CrPost *post)
{
  PetscInt *start, *user;
  CrMail    mail;

  PetscFunctionBeginUser;
  PetscCall(list_users(halo, &start, &user));
  PetscCall(CrMailBegin(halo->comm, 2, 0, &mail));
  for (PetscInt A = 0; A < halo->nowned; A++)
    for (PetscInt j = start[A]; j < start[A + 1]; j++) {
      CrListAdd(links, (Link){user[j], first + A, A});
      for (PetscInt i = start[A]; i < start[A + 1]; i++) {
        const PetscInt ints[] = {first + A, user[i]};

        if (i != j) PetscCall(CrMailAdd(&mail, user[j], ints, NULL));
      }
    }
  PetscCall(CrMailSend(halo->comm, &mail, post));
  PetscCall(CrMailEnd(&mail));
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(user));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All nodes in common with other ranks. global[] is ascending. */
static PetscErrorCode list_links(const CrHalo *halo, PetscInt first, const PetscInt *local,
                                 const PetscInt *global, Links *links)
{
  CrPost post;

  PetscFunctionBeginUser;
  PetscCall(introduce(halo, first, links, &post));
  for (PetscInt k = 0; k < halo->needed.nranks; k++)
    for (PetscInt j = halo->needed.start[k]; j < halo->needed.start[k + 1]; j++) {
      PetscInt i = halo->needed.node[j];

      CrListAdd(links, (Link){halo->needed.ranks[k], global[i], local[i]});
    }
  for (PetscInt k = 0; k < post.n; k++) {
    PetscInt i;

    PetscCall(PetscFindInt(post.ints[2 * k], halo->n, global, &i));
    PetscCheck(i >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a node that nobody asked for");
    CrListAdd(links, (Link){post.ints[2 * k + 1], global[i], local[i]});
  }
  PetscCall(CrPostEnd(&post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- life -------------------------------------------------------------------------------------- */

/* Sorts the links by rank and node. */
static PetscErrorCode take_links(Links *links, CrHaloEnd *with)
{
  PetscFunctionBeginUser;
  if (links->n) qsort(links->at, (size_t)links->n, sizeof *links->at, compare);
  for (PetscInt k = 0; k < links->n; k++)
    with->nranks += k == 0 || links->at[k].rank != links->at[k - 1].rank;
  PetscCall(PetscMalloc3(with->nranks, &with->ranks, with->nranks + 1, &with->start, links->n,
                         &with->node));
  with->nranks = 0;
  for (PetscInt k = 0; k < links->n; k++) {
    if (k == 0 || links->at[k].rank != links->at[k - 1].rank) {
      with->ranks[with->nranks] = (PetscMPIInt)links->at[k].rank;
      with->start[with->nranks++] = k;
    }
    with->node[k] = links->at[k].local;
  }
  with->start[with->nranks] = links->n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMutualCreate(const CrHalo *halo, PetscInt first, const PetscInt *local,
                              const PetscInt *global, CrMutual *m)
{
  Links links = {0};

  PetscFunctionBeginUser;
  *m = (CrMutual){0};
  PetscCall(PetscCommDuplicate(halo->comm, &m->comm, &m->tag));
  PetscCallMPI(MPI_Comm_rank(m->comm, &m->rank));
  PetscCall(list_links(halo, first, local, global, &links));
  PetscCall(take_links(&links, &m->with));
  PetscCall(PetscMalloc1(links.n, &m->nodes));
  PetscCall(PetscArraycpy(m->nodes, m->with.node, links.n));
  m->n = links.n;
  PetscCall(PetscSortRemoveDupsInt(&m->n, m->nodes));
  PetscCall(PetscMalloc1(2 * m->with.nranks, &m->requests));
  PetscCall(PetscFree(links.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode free_room(CrMutual *m)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree3(m->own, m->sent, m->got));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMutualDestroy(CrMutual *m)
{
  PetscFunctionBeginUser;
  if (!m->comm) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3(m->with.ranks, m->with.start, m->with.node));
  PetscCall(PetscFree(m->nodes));
  PetscCall(PetscFree(m->requests));
  PetscCall(free_room(m));
  PetscCall(PetscCommDestroy(&m->comm));
  PetscCall(PetscMemzero(m, sizeof *m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- sums -------------------------------------------------------------------------------------- */

static PetscErrorCode exchange(CrMutual *m, PetscInt width, const PetscReal *values)
{
  const CrHaloEnd *w = &m->with;
  PetscMPIInt      n = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < w->nranks; k++)
    PetscCallMPI(MPI_Irecv(m->got + width * w->start[k],
                           (PetscMPIInt)(width * (w->start[k + 1] - w->start[k])), MPIU_REAL,
                           w->ranks[k], m->tag, m->comm, &m->requests[n++]));
  for (PetscInt j = 0; j < w->start[w->nranks]; j++)
    for (PetscInt i = 0; i < width; i++) m->sent[width * j + i] = values[width * w->node[j] + i];
  for (PetscInt k = 0; k < w->nranks; k++)
    PetscCallMPI(MPI_Isend(m->sent + width * w->start[k],
                           (PetscMPIInt)(width * (w->start[k + 1] - w->start[k])), MPIU_REAL,
                           w->ranks[k], m->tag, m->comm, &m->requests[n++]));
  PetscCallMPI(MPI_Waitall(n, m->requests, MPI_STATUSES_IGNORE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the own part, after those of lower ranks. */
static void add_own(const CrMutual *m, PetscInt width, PetscReal *values)
{
  for (PetscInt k = 0; k < m->n; k++)
    for (PetscInt i = 0; i < width; i++) values[width * m->nodes[k] + i] += m->own[width * k + i];
}

PetscErrorCode CrMutualSum(CrMutual *m, PetscInt width, PetscReal *values)
{
  const CrHaloEnd *w = &m->with;
  const PetscInt   most = width * w->start[w->nranks];
  PetscBool        added = PETSC_FALSE;

  PetscFunctionBeginUser;
  if (most > m->room) {
    PetscCall(free_room(m));
    PetscCall(PetscMalloc3(most, &m->own, most, &m->sent, most, &m->got));
    m->room = most;
  }
  PetscCall(exchange(m, width, values));
  for (PetscInt r = 0; r < width * m->n; r++) {
    PetscReal *value = &values[width * m->nodes[r / width] + r % width];

    m->own[r] = *value;
    *value = 0;
  }
  for (PetscInt k = 0; k < w->nranks; k++) {
    if (!added && w->ranks[k] > m->rank) {
      add_own(m, width, values);
      added = PETSC_TRUE;
    }
    for (PetscInt j = w->start[k]; j < w->start[k + 1]; j++)
      for (PetscInt i = 0; i < width; i++) values[width * w->node[j] + i] += m->got[width * j + i];
  }
  if (!added) add_own(m, width, values);
  PetscFunctionReturn(PETSC_SUCCESS);
}

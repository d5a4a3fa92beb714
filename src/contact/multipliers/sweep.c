/* Gauss and Seidel's sweeps go through the pairs one by one, so they need all pairs in one place. The pairs of all ranks
   come to rank 0 by mail, with the velocities of their nodes. Rank 0 sweeps in the order that one rank would have, and
   answers with the multipliers. Every rank then pushes its own nodes. */
#include <stdlib.h>
#include <string.h>
#include "base/mail.h"
#include "contact/multipliers/press.h"

#define PAIR_REALS ((PetscInt)((sizeof(CrPress) + sizeof(PetscReal) - 1) / sizeof(PetscReal)))
#define REALS      (PAIR_REALS + 3 * CR_CONTACT_NODES)
#define INTS       (1 + CR_CONTACT_NODES) /* point, global numbers of the nodes */

static PetscInt sweep(PetscInt dim, const CrMultiplierOptions *options, PetscReal kick,
                      const CrPressList *list, PetscReal *v)
{
  PetscInt j = 0;

  while (list->n && j < options->iterations) {
    PetscReal moved;

    j++;
    moved = CrPressSweepOnce(dim, kick, list, !(j % 2), v);
    if (moved < PetscSqr(options->tolerance)) break;
  }
  return j;
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

/* The gathered pairs. */
typedef struct {
  PetscInt   n, nnodes;
  PetscInt  *nodes; /* [nnodes] global numbers, ascending; owned, like the rest */
  PetscInt  *order; /* [n] entry of the post */
  CrPress   *pairs; /* [n] in the order of one rank; their nodes are places in `nodes` */
  PetscReal *v;     /* [nnodes*dim] */
} Island;

/* Points are numbered in the order of the lists. The pairs of one point come from one rank, in their order. */
static PetscErrorCode sort_pairs(const CrPost *post, Island *at)
{
  PetscInt *points;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(at->n, &points));
  for (PetscInt k = 0; k < at->n; k++) {
    points[k] = post->ints[INTS * k];
    at->order[k] = k;
  }
  /* by point, and by entry within a point */
  PetscCall(PetscSortIntWithArray(at->n, points, at->order));
  for (PetscInt k = 0, end; k < at->n; k = end) {
    for (end = k + 1; end < at->n && points[end] == points[k];) end++;
    PetscCall(PetscSortInt(end - k, at->order + k));
  }
  PetscCall(PetscFree(points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode number_nodes(const CrPost *post, Island *at)
{
  PetscFunctionBeginUser;
  at->nnodes = 0;
  for (PetscInt k = 0; k < at->n; k++)
    for (PetscInt a = 0; a < CR_CONTACT_NODES; a++)
      if (post->ints[INTS * k + 1 + a] >= 0) at->nodes[at->nnodes++] = post->ints[INTS * k + 1 + a];
  PetscCall(PetscSortRemoveDupsInt(&at->nnodes, at->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode unpack(const CrMultipliers *m, const CrPost *post, PetscInt entry, Island *at,
                             CrPress *p)
{
  const PetscReal *reals = post->reals + REALS * entry;
  const CrPass    *pass;
  PetscInt         dim = m->contact->model->dim;

  PetscFunctionBeginUser;
  memcpy(p, reals, sizeof *p);
  pass = &m->contact->passes[p->pass];
  p->body = pass->ops->body ? &m->bodies->now[pass->partner] : NULL;
  for (PetscInt a = 0; a < p->n; a++) {
    PetscCall(PetscFindInt(post->ints[INTS * entry + 1 + a], at->nnodes, at->nodes, &p->nodes[a]));
    for (PetscInt i = 0; i < dim; i++)
      at->v[dim * p->nodes[a] + i] = reals[PAIR_REALS + dim * a + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sweeps over the pairs that have come. Answers have the multipliers, in the order of the post. The velocities of rigid
   bodies stay as they were: all ranks push them later. */
static PetscErrorCode sweep_post(CrMultipliers *m, const CrMultiplierOptions *options,
                                 PetscReal kick, const CrPost *post, PetscReal *answers,
                                 PetscInt *iterations)
{
  const PetscInt dim = m->contact->model->dim;
  Island         at = {.n = post->n};
  CrPressBody   *kept;
  CrPressList    list;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc5(at.n, &at.order, at.n, &at.pairs, CR_CONTACT_NODES * at.n, &at.nodes,
                         CR_CONTACT_NODES * at.n * dim, &at.v, m->bodies->n, &kept));
  PetscCall(sort_pairs(post, &at));
  PetscCall(number_nodes(post, &at));
  for (PetscInt k = 0; k < at.n; k++) PetscCall(unpack(m, post, at.order[k], &at, &at.pairs[k]));
  PetscCall(PetscArraycpy(kept, m->bodies->now, m->bodies->n));
  list = (CrPressList){.pairs = at.pairs, .n = at.n};
  *iterations = sweep(dim, options, kick, &list, at.v);
  PetscCall(PetscArraycpy(m->bodies->now, kept, m->bodies->n));
  for (PetscInt k = 0; k < at.n; k++)
    for (int i = 0; i < 4; i++) answers[4 * at.order[k] + i] = at.pairs[k].lam[i];
  PetscCall(PetscFree5(at.order, at.pairs, at.nodes, at.v, kept));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ranks ------------------------------------------------------------------------------- */

static PetscErrorCode post_pair(const CrMultipliers *m, const CrPress *p, const PetscReal *v,
                                CrMail *mail)
{
  const CrModel *model = m->contact->model;
  PetscInt       ints[INTS] = {p->point, -1, -1, -1, -1, -1}, dim = model->dim;
  PetscReal      reals[REALS] = {0};

  PetscFunctionBeginUser;
  memcpy(reals, p, sizeof *p);
  for (PetscInt a = 0; a < p->n; a++) {
    PetscInt A = p->nodes[a];

    ints[1 + a] = A < model->nowned ? model->first + A : model->ghosts[A - model->nowned];
    for (PetscInt i = 0; i < dim; i++) reals[PAIR_REALS + dim * a + i] = v[dim * A + i];
  }
  PetscCall(CrMailAdd(mail, 0, ints, reals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every rank gets the multipliers of its pairs, and pushes its nodes with what has changed. */
static PetscErrorCode push_all(CrMultipliers *m, PetscReal kick, const CrPressList *list,
                               const PetscReal *lam, PetscReal *v)
{
  PetscInt dim = m->contact->model->dim, k = 0;

  PetscFunctionBeginUser;
  PetscCall(CrRoundsBegin(m->rounds, v, m->bodies));
  CR_EACH_PRESS (p, list) CrPressTake(dim, p, kick, lam + 4 * k++, v);
  PetscCall(CrRoundsEnd(m->rounds, v, m->bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressSweep(CrMultipliers *m, const CrMultiplierOptions *options, PetscReal kick,
                            const CrPressList *list, PetscReal *v, PetscInt *iterations)
{
  MPI_Comm   comm = m->contact->model->comm;
  CrMail     mail;
  CrPost     post;
  PetscReal *answers, *lam;
  PetscInt   done = 0;

  PetscFunctionBeginUser;
  if (CrRoundsRanks(m->rounds) == 1) {
    *iterations += sweep(m->contact->model->dim, options, kick, list, v);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrMailBegin(comm, INTS, REALS, &mail));
  CR_EACH_PRESS (p, list) PetscCall(post_pair(m, p, v, &mail));
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc2(4 * post.n, &answers, 4 * list->n, &lam));
  if (post.n) PetscCall(sweep_post(m, options, kick, &post, answers, &done));
  PetscCall(CrMailAnswer(comm, &mail, 0, NULL, NULL, 4, answers, lam));
  PetscCallMPI(MPI_Bcast(&done, 1, MPIU_INT, 0, comm));
  PetscCall(push_all(m, kick, list, lam, v));
  *iterations += done;
  PetscCall(PetscFree2(answers, lam));
  PetscCall(CrMailEnd(&mail));
  PetscCall(CrPostEnd(&post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

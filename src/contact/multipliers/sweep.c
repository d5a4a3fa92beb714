/* Gauss-Seidel sweeps on several ranks. The sweeps correct the pairs one by one, so that one rank must have all pairs.
   All ranks send their pairs, with the velocities of their nodes, to rank 0. Rank 0 sweeps in the order of a run on one
   rank, and sends the multipliers back. Every rank then changes the velocities of its own nodes. */
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "contact/multipliers/close.h"

/* A pair on its way to rank 0, with the global numbers and the velocities of its nodes. */
typedef struct {
  CrPress   pair;
  PetscInt  entry; /* its place among the pairs of all ranks, which come rank after rank */
  PetscInt  nodes[CR_PRESS_NODES];
  PetscReal v[3 * CR_PRESS_NODES];
} Letter;

typedef struct {
  PetscReal lam[4];
} Answer;

/* What the ranks exchange. The arrays grow with the number of pairs, and serve all steps. Those of all ranks are in use
   on rank 0 alone. */
struct CrSweeps {
  MPI_Datatype letter, answer;
  PetscMPIInt  rank, *counts,
      *starts; /* [ranks] pairs of each rank, and the first of them; owned, like the rest */
  PetscInt     room, all_room, pairs_room, node_room;
  Letter      *own, *all;     /* pairs of this rank, and of all ranks in the order of one rank */
  Answer      *taken, *given; /* multipliers of the pairs of this rank, and of all */
  CrPress     *pairs;         /* of all ranks; their nodes are places in `nodes` */
  PetscInt    *nodes;         /* global numbers of the nodes of all pairs, ascending */
  PetscReal   *v;             /* their velocities */
  CrPressBody *kept;          /* [rigid->n] bodies as they were before the sweeps */
};

PetscErrorCode CrSweepsCreate(const CrModel *model, CrSweeps **sweeps)
{
  PetscMPIInt size;
  CrSweeps   *s;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&s));
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  PetscCallMPI(MPI_Comm_rank(model->comm, &s->rank));
  PetscCall(PetscMalloc3(size, &s->counts, size, &s->starts, model->rigid->n, &s->kept));
  PetscCallMPI(MPI_Type_contiguous((int)sizeof(Letter), MPI_BYTE, &s->letter));
  PetscCallMPI(MPI_Type_contiguous((int)sizeof(Answer), MPI_BYTE, &s->answer));
  PetscCallMPI(MPI_Type_commit(&s->letter));
  PetscCallMPI(MPI_Type_commit(&s->answer));
  *sweeps = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSweepsDestroy(CrSweeps **sweeps)
{
  CrSweeps *s = *sweeps;

  PetscFunctionBeginUser;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Type_free(&s->letter));
  PetscCallMPI(MPI_Type_free(&s->answer));
  PetscCall(PetscFree3(s->counts, s->starts, s->kept));
  PetscCall(PetscFree(s->own));
  PetscCall(PetscFree(s->taken));
  PetscCall(PetscFree(s->all));
  PetscCall(PetscFree(s->given));
  PetscCall(PetscFree(s->pairs));
  PetscCall(PetscFree(s->nodes));
  PetscCall(PetscFree(s->v));
  PetscCall(PetscFree(*sweeps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define SWEEPS        60 /* iterations of closing after which no further round begins */
#define BEFORE_ACTIVE 4  /* sweeps that find the pressed pairs for conjugate gradients */

/* Do friction forces change in the iteration? */
static PetscBool rubs(const CrPressList *list)
{
  CR_EACH_PRESS (p, list)
    if (p->mu > 0 && !p->frozen) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The iteration of closing. It ends when gaps are closed. Friction forces need not converge: they have had the
   iterations of the deck, and closing changes them only as normal forces change. */
static PetscInt sweep_closing(PetscInt dim, const CrMultiplierOptions *options, PetscReal kick,
                              const CrPressList *list, PetscReal *v)
{
  const PetscBool friction = rubs(list);
  PetscInt        j = 0, active = 1;

  while (list->n && j < PetscMin(SWEEPS, options->iterations) && active) {
    for (int k = 0; k < BEFORE_ACTIVE; k++) {
      PetscReal moved = CrPressSweepOnce(dim, kick, list, !(++j % 2), v);

      if (moved < PetscSqr(options->tolerance)) return j;
    }
    active = CrPressActive(dim, kick, options->iterations - j, options->tolerance, list, v);
    j += active;
    if (!friction) break;
  }
  if (active) (void)CrPressSweepOnce(dim, kick, list, PETSC_FALSE, v); /* friction into its cones */
  return j;
}

static PetscInt sweep(PetscInt dim, const CrMultiplierOptions *options, PetscReal kick,
                      const CrPressList *list, PetscReal *v)
{
  PetscInt j = 0;

  if (options->inner == CR_INNER_CLOSING) return sweep_closing(dim, options, kick, list, v);
  while (list->n && j < options->iterations) {
    PetscReal moved;

    j++;
    moved = CrPressSweepOnce(dim, kick, list, !(j % 2), v);
    if (moved < PetscSqr(options->tolerance)) break;
  }
  return j;
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

/* Points are numbered in the order of the lists. The pairs of one point come from one rank, in their order. */
static int by_point(const void *a, const void *b)
{
  const Letter *x = a, *y = b;

  if (x->pair.point != y->pair.point) return x->pair.point < y->pair.point ? -1 : 1;
  return (x->entry > y->entry) - (x->entry < y->entry);
}

static PetscErrorCode number_nodes(CrSweeps *s, PetscInt n, PetscInt *nnodes)
{
  PetscFunctionBeginUser;
  *nnodes = 0;
  for (PetscInt k = 0; k < n; k++)
    for (PetscInt a = 0; a < s->all[k].pair.n; a++) s->nodes[(*nnodes)++] = s->all[k].nodes[a];
  PetscCall(PetscSortRemoveDupsInt(nnodes, s->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode open_letter(const CrMultipliers *m, const Letter *letter, PetscInt nnodes,
                                  CrPress *p)
{
  const CrPass *pass = &m->contact->passes[letter->pair.pass];
  PetscInt      dim = m->contact->model->dim;

  PetscFunctionBeginUser;
  *p = letter->pair;
  p->body = pass->ops->body ? &m->bodies->now[pass->partner] : NULL;
  for (PetscInt a = 0; a < p->n; a++) {
    PetscCall(PetscFindInt(letter->nodes[a], nnodes, m->sweeps->nodes, &p->nodes[a]));
    for (PetscInt i = 0; i < dim; i++) m->sweeps->v[dim * p->nodes[a] + i] = letter->v[dim * a + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sweeps over the n pairs that have come. Answers are in the order in which they came. The velocities of rigid bodies
   stay as they were: all ranks push them later. */
static PetscErrorCode sweep_all(CrMultipliers *m, const CrMultiplierOptions *options,
                                PetscReal kick, PetscInt n, PetscInt *iterations)
{
  const PetscInt dim = m->contact->model->dim;
  CrSweeps      *s = m->sweeps;
  PetscInt       nnodes;
  CrPressList    list;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(n, &s->pairs_room, &s->pairs));
  PetscCall(CrGrowArrays(CR_PRESS_NODES * n, &s->node_room, sizeof *s->nodes, &s->nodes,
                         3 * sizeof *s->v, &s->v));
  qsort(s->all, (size_t)n, sizeof *s->all, by_point);
  PetscCall(number_nodes(s, n, &nnodes));
  for (PetscInt k = 0; k < n; k++) PetscCall(open_letter(m, &s->all[k], nnodes, &s->pairs[k]));
  PetscCall(PetscArraycpy(s->kept, m->bodies->now, m->bodies->n));
  list = (CrPressList){.pairs = s->pairs, .n = n};
  *iterations = sweep(dim, options, kick, &list, s->v);
  PetscCall(PetscArraycpy(m->bodies->now, s->kept, m->bodies->n));
  for (PetscInt k = 0; k < n; k++)
    memcpy(s->given[s->all[k].entry].lam, s->pairs[k].lam, sizeof s->pairs[k].lam);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ranks ------------------------------------------------------------------------------- */

static void write_letter(const CrMultipliers *m, const CrPress *p, const PetscReal *v, Letter *to)
{
  const CrModel *model = m->contact->model;
  PetscInt       dim = model->dim;

  *to = (Letter){.pair = *p};
  for (PetscInt a = 0; a < p->n; a++) {
    PetscInt A = p->nodes[a];

    to->nodes[a] = A < model->nowned ? model->first + A : model->ghosts[A - model->nowned];
    for (PetscInt i = 0; i < dim; i++) to->v[dim * a + i] = v[dim * A + i];
  }
}

/* Rank 0 gets the pairs of all ranks. *n is their number, 0 on other ranks. */
static PetscErrorCode gather(CrMultipliers *m, const CrPressList *list, const PetscReal *v,
                             PetscInt *n)
{
  MPI_Comm    comm = m->contact->model->comm;
  CrSweeps   *s = m->sweeps;
  PetscMPIInt mine = (PetscMPIInt)list->n, k = 0;

  PetscFunctionBeginUser;
  PetscCall(CrGrowTwo(list->n, &s->room, &s->own, &s->taken));
  CR_EACH_PRESS (p, list) write_letter(m, p, v, &s->own[k++]);
  PetscCallMPI(MPI_Gather(&mine, 1, MPI_INT, s->counts, 1, MPI_INT, 0, comm));
  *n = 0;
  for (PetscMPIInt r = 0; s->rank == 0 && r < CrRoundsRanks(m->rounds); *n += s->counts[r++])
    s->starts[r] = (PetscMPIInt)*n;
  PetscCall(CrGrowTwo(*n, &s->all_room, &s->all, &s->given));
  PetscCallMPI(
      MPI_Gatherv(s->own, mine, s->letter, s->all, s->counts, s->starts, s->letter, 0, comm));
  for (PetscInt entry = 0; entry < *n; entry++) s->all[entry].entry = entry;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every rank gets the multipliers of its pairs, and pushes its nodes with what has changed. */
static PetscErrorCode push_all(CrMultipliers *m, PetscReal kick, const CrPressList *list,
                               PetscReal *v)
{
  PetscInt dim = m->contact->model->dim, k = 0;

  PetscFunctionBeginUser;
  PetscCall(CrRoundsBegin(m->rounds, v, m->bodies));
  CR_EACH_PRESS (p, list) CrPressTake(dim, p, kick, m->sweeps->taken[k++].lam, v);
  PetscCall(CrRoundsEnd(m->rounds, v, m->bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressSweep(CrMultipliers *m, const CrMultiplierOptions *options, PetscReal kick,
                            const CrPressList *list, PetscReal *v, PetscInt *iterations)
{
  MPI_Comm  comm = m->contact->model->comm;
  CrSweeps *s = m->sweeps;
  PetscInt  n, done = 0;

  PetscFunctionBeginUser;
  if (!s) {
    *iterations += sweep(m->contact->model->dim, options, kick, list, v);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(gather(m, list, v, &n));
  if (n) PetscCall(sweep_all(m, options, kick, n, &done));
  PetscCallMPI(MPI_Scatterv(s->given, s->counts, s->starts, s->answer, s->taken,
                            (PetscMPIInt)list->n, s->answer, 0, comm));
  PetscCallMPI(MPI_Bcast(&done, 1, MPIU_INT, 0, comm));
  PetscCall(push_all(m, kick, list, v));
  *iterations += done;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which facets come near the points of a rank: see scout.h. */
#include "contact/scout.h"
#include "base/grow.h"
#include "base/mail.h"
#include "contact/place.h"

enum { QUESTION = 7 }; /* a question on its way: the pass and its box */

/* ---- life ------------------------------------------------------------------------------------- */

/* Facets of each surface whose first corner is owned. */
static PetscInt list_own(const CrContact *c, PetscInt *start, PetscInt *own)
{
  PetscInt n = 0;

  for (PetscInt k = 0; k < c->model->nsets; k++) {
    const CrSurface *s = c->surfaces[k];

    start[k] = n;
    for (PetscInt f = 0; s && f < s->nfacets; f++) {
      if (s->corners[4 * f] >= c->model->nowned) continue;
      if (own) own[n] = f;
      n++;
    }
  }
  start[c->model->nsets] = n;
  return n;
}

PetscErrorCode CrScoutsCreate(const CrContact *c, CrScouts **out)
{
  CrScouts *s;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&s));
  s->contact = c;
  s->npasses = c->npasses;
  PetscCall(PetscCalloc2(c->npasses, &s->passes, c->model->nsets + 1, &s->start));
  PetscCall(PetscMalloc1(list_own(c, s->start, NULL), &s->own));
  (void)list_own(c, s->start, s->own);
  *out = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrScoutsDestroy(CrScouts **out)
{
  CrScouts *s = *out;

  PetscFunctionBeginUser;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < s->npasses; k++) PetscCall(PetscFree(s->passes[k].items));
  PetscCall(PetscFree2(s->passes, s->start));
  PetscCall(PetscFree(s->own));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- boxes ------------------------------------------------------------------------------------ */

void CrScoutEmpty(PetscReal box[6])
{
  for (int i = 0; i < 3; i++) {
    box[i] = PETSC_MAX_REAL;
    box[3 + i] = -PETSC_MAX_REAL;
  }
}

void CrScoutInclude(PetscInt dim, const PetscReal *x, PetscReal box[6])
{
  for (PetscInt i = 0; i < dim; i++) {
    box[i] = PetscMin(box[i], x[i]);
    box[3 + i] = PetscMax(box[3 + i], x[i]);
  }
}

void CrScoutWiden(PetscReal distance, PetscReal box[6])
{
  for (int i = 0; i < 3; i++) {
    box[i] -= distance;
    box[3 + i] += distance;
  }
}

/* Not a number: they may meet. */
static PetscBool may_meet(PetscInt dim, const PetscReal a[6], const PetscReal b[6])
{
  for (PetscInt i = 0; i < dim; i++)
    if (a[i] > b[3 + i] || b[i] > a[3 + i]) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* ---- items ------------------------------------------------------------------------------------ */

/* The nodes of an item, and their number. */
static PetscInt nodes_of(const CrPass *p, PetscInt item, const PetscInt **nodes)
{
  if (CrPassHasEdges(p)) {
    *nodes = CrRidgeNodes(p->ridges[1], item);
    return 2;
  }
  *nodes = p->master->corners + 4 * item;
  return p->master->ncorners[item];
}

/* The k-th of the items that may be this rank's, and their number. Edges are few: all are looked at. */
static PetscInt count_items(const CrScouts *s, const CrPass *p, PetscInt *first)
{
  PetscInt k = 0;

  *first = 0;
  if (CrPassHasEdges(p)) return p->ridges[1]->n;
  while (s->contact->surfaces[k] != p->master) k++;
  *first = s->start[k];
  return s->start[k + 1] - s->start[k];
}

static PetscInt item_at(const CrScouts *s, const CrPass *p, PetscInt first, PetscInt k)
{
  return CrPassHasEdges(p) ? k : s->own[first + k];
}

static PetscBool is_own(const CrScouts *s, const CrPass *p, PetscInt item)
{
  const PetscInt *nodes;

  (void)nodes_of(p, item, &nodes);
  return nodes[0] < s->contact->model->nowned;
}

static void box_of(const CrContact *c, const CrPass *p, PetscInt item, const PetscReal *u,
                   PetscReal box[6])
{
  const PetscInt *nodes, n = nodes_of(p, item, &nodes);

  CrScoutEmpty(box);
  for (PetscInt a = 0; a < n; a++) {
    PetscReal x[3];

    CrGatherNode(c, nodes[a], u, x);
    CrScoutInclude(c->model->dim, x, box);
  }
}

/* ---- questions -------------------------------------------------------------------------------- */

/* The questions of all ranks, one rank after the other: QUESTION reals each. starts[size+1] */
static PetscErrorCode collect_questions(const CrScouts *s, PetscMPIInt size, PetscMPIInt *starts,
                                        PetscReal **all)
{
  const CrContact *c = s->contact;
  PetscMPIInt      n = 0, *counts;
  PetscReal       *mine;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(QUESTION * c->npasses, &mine, size, &counts));
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrScoutPass *p = &s->passes[k];

    if (!p->asks || p->box[0] > p->box[3]) continue; /* this rank has no points */
    mine[n] = (PetscReal)k;
    PetscCall(PetscArraycpy(mine + n + 1, p->box, 6));
    n += QUESTION;
  }
  PetscCallMPI(MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, c->model->comm));
  starts[0] = 0;
  for (PetscMPIInt r = 0; r < size; r++) starts[r + 1] = starts[r] + counts[r];
  PetscCall(PetscMalloc1(starts[size], all));
  PetscCallMPI(MPI_Allgatherv(mine, n, MPIU_REAL, *all, counts, starts, MPIU_REAL, c->model->comm));
  PetscCall(PetscFree2(mine, counts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_item(CrScoutPass *p, PetscInt item)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(p->n + 1, &p->room, &p->items));
  p->items[p->n++] = item;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sends an item with the displacements of its nodes. */
static PetscErrorCode send_item(const CrScouts *s, PetscInt k, PetscInt item, PetscInt to,
                                const PetscReal *u, CrMail *mail)
{
  const PetscInt *nodes, dim = s->contact->model->dim,
                         n = nodes_of(&s->contact->passes[k], item, &nodes);
  PetscInt  ints[2] = {k, item};
  PetscReal reals[12] = {0};

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < n; a++)
    for (PetscInt i = 0; i < dim; i++) reals[dim * a + i] = u[dim * nodes[a] + i];
  PetscCall(CrMailAdd(mail, to, ints, reals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_item(CrScouts *s, const PetscInt ints[2], const PetscReal *reals,
                                PetscReal *u)
{
  const PetscInt *nodes, dim = s->contact->model->dim,
                         n = nodes_of(&s->contact->passes[ints[0]], ints[1], &nodes);

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < n; a++) {
    if (nodes[a] < s->contact->model->nowned) continue;
    for (PetscInt i = 0; i < dim; i++) u[dim * nodes[a] + i] = reals[dim * a + i];
  }
  PetscCall(add_item(&s->passes[ints[0]], ints[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the items of this rank that answer a question of a rank. */
static PetscErrorCode answer(CrScouts *s, const PetscReal *question, PetscInt from, PetscInt rank,
                             const PetscReal *u, CrMail *mail)
{
  const CrContact *c = s->contact;
  const PetscInt   k = (PetscInt)question[0];
  const CrPass    *p = &c->passes[k];
  PetscInt         first, n = count_items(s, p, &first);

  PetscFunctionBeginUser;
  for (PetscInt j = 0; j < n; j++) {
    PetscInt  item = item_at(s, p, first, j);
    PetscReal box[6];

    if (!is_own(s, p, item)) continue;
    box_of(c, p, item, u, box);
    if (!may_meet(c->model->dim, box, question + 1)) continue;
    if (from == rank)
      PetscCall(add_item(&s->passes[k], item));
    else
      PetscCall(send_item(s, k, item, from, u, mail));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The boxes around all items of the masters. Low ends have their signs turned, so that all are greatest values. */
static PetscErrorCode bound_masters(CrScouts *s, const PetscReal *u)
{
  const CrContact *c = s->contact;
  PetscReal       *ends;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(6 * c->npasses, &ends));
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];
    PetscReal    *all = s->passes[k].all;
    PetscInt      first = 0, n = s->passes[k].asks ? count_items(s, p, &first) : 0;

    CrScoutEmpty(all);
    for (PetscInt j = 0; j < n; j++) {
      PetscInt  item = item_at(s, p, first, j);
      PetscReal box[6];

      if (!is_own(s, p, item)) continue;
      box_of(c, p, item, u, box);
      CrScoutInclude(3, box, all);
      CrScoutInclude(3, box + 3, all);
    }
    for (int i = 0; i < 6; i++) ends[6 * k + i] = i < 3 ? -all[i] : all[i];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, ends, (PetscMPIInt)(6 * c->npasses), MPIU_REAL, MPIU_MAX,
                             c->model->comm));
  for (PetscInt k = 0; k < 6 * c->npasses; k++)
    s->passes[k / 6].all[k % 6] = k % 6 < 3 ? -ends[k] : ends[k];
  PetscCall(PetscFree(ends));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrScoutsAsk(CrScouts *s, PetscReal *u)
{
  const CrContact *c = s->contact;
  PetscMPIInt      size, rank, *starts;
  PetscReal       *questions;
  CrMail           mail;
  CrPost           post;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(c->model->comm, &size));
  PetscCallMPI(MPI_Comm_rank(c->model->comm, &rank));
  for (PetscInt k = 0; k < c->npasses; k++) s->passes[k].n = 0;
  PetscCall(bound_masters(s, u));
  PetscCall(PetscMalloc1(size + 1, &starts));
  PetscCall(collect_questions(s, size, starts, &questions));
  PetscCall(CrMailBegin(c->model->comm, 2, 12, &mail));
  for (PetscMPIInt r = 0; r < size; r++)
    for (PetscMPIInt q = starts[r]; q < starts[r + 1]; q += QUESTION)
      PetscCall(answer(s, questions + q, r, rank, u, &mail));
  PetscCall(PetscFree(questions));
  PetscCall(PetscFree(starts));
  PetscCall(CrMailSend(c->model->comm, &mail, &post));
  for (PetscInt k = 0; k < post.n; k++)
    PetscCall(take_item(s, post.ints + 2 * k, post.reals + 12 * k, u));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  for (PetscInt k = 0; k < c->npasses; k++)
    PetscCall(PetscSortInt(s->passes[k].n, s->passes[k].items));
  PetscFunctionReturn(PETSC_SUCCESS);
}

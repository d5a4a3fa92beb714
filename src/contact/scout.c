/* Finds the facets that come near the contact points of a rank (scout.h). */
#include "contact/scout.h"
#include "base/grow.h"
#include "base/mail.h"
#include "contact/place.h"

enum { QUESTION = 7 }; /* a question on its way: its number and its box */

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

PetscErrorCode CrScoutsCreate(const CrContact *c, PetscInt n, CrScouts **out)
{
  CrScouts *s;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&s));
  s->contact = c;
  s->n = n;
  PetscCall(PetscCalloc2(n, &s->list, c->model->nsets + 1, &s->start));
  PetscCall(PetscMalloc1(list_own(c, s->start, NULL), &s->own));
  (void)list_own(c, s->start, s->own);
  *out = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrScoutsOfPasses(const CrContact *c, CrScouts **out)
{
  PetscFunctionBeginUser;
  PetscCall(CrScoutsCreate(c, c->npasses, out));
  for (PetscInt k = 0; k < c->npasses; k++) {
    (*out)->list[k].surface = c->passes[k].master;
    (*out)->list[k].ridges = c->passes[k].ridges[1];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrScoutsDestroy(CrScouts **out)
{
  CrScouts *s = *out;

  PetscFunctionBeginUser;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < s->n; k++) PetscCall(PetscFree(s->list[k].items));
  PetscCall(PetscFree2(s->list, s->start));
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
static PetscInt nodes_of(const CrScout *q, PetscInt item, const PetscInt **nodes)
{
  if (q->ridges) {
    *nodes = CrRidgeNodes(q->ridges, item);
    return 2;
  }
  *nodes = q->surface->corners + 4 * item;
  return q->surface->ncorners[item];
}

/* The number of items that may be this rank's. Edges are few: all are looked at. */
static PetscInt count_items(const CrScouts *s, const CrScout *q, PetscInt *first)
{
  PetscInt k = 0;

  *first = 0;
  if (q->ridges) return q->ridges->n;
  while (s->contact->surfaces[k] != q->surface) k++;
  *first = s->start[k];
  return s->start[k + 1] - s->start[k];
}

/* The k-th of them; false: it is not this rank's. Its box at u. */
static PetscBool look_at(const CrScouts *s, const CrScout *q, PetscInt k, const PetscReal *u,
                         PetscInt *item, PetscReal box[6])
{
  const PetscInt *nodes, dim = s->contact->model->dim;
  PetscInt        n;

  *item = q->ridges ? k : s->own[k];
  n = nodes_of(q, *item, &nodes);
  if (nodes[0] >= s->contact->model->nowned) return PETSC_FALSE;
  CrScoutEmpty(box);
  for (PetscInt a = 0; a < n; a++) {
    PetscReal x[3];

    CrGatherPlain(s->contact, nodes[a], u, x);
    CrScoutInclude(dim, x, box);
  }
  return PETSC_TRUE;
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
  PetscCall(PetscMalloc2(QUESTION * s->n, &mine, size, &counts));
  for (PetscInt k = 0; k < s->n; k++) {
    const CrScout *q = &s->list[k];

    if (!q->asks || q->box[0] > q->box[3]) continue; /* this rank has no points */
    mine[n] = (PetscReal)k;
    PetscCall(PetscArraycpy(mine + n + 1, q->box, 6));
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

static PetscErrorCode add_item(CrScout *q, PetscInt item)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(q->n + 1, &q->room, &q->items));
  q->items[q->n++] = item;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sends an item with the displacements of its nodes. */
static PetscErrorCode send_item(const CrScouts *s, PetscInt k, PetscInt item, PetscInt to,
                                const PetscReal *u, CrMail *mail)
{
  const PetscInt *nodes, dim = s->contact->model->dim, n = nodes_of(&s->list[k], item, &nodes);
  PetscInt        ints[2] = {k, item};
  PetscReal       reals[12] = {0};

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
                         n = nodes_of(&s->list[ints[0]], ints[1], &nodes);

  PetscFunctionBeginUser;
  for (PetscInt a = 0; reals && a < n; a++) {
    if (nodes[a] < s->contact->model->nowned) continue;
    for (PetscInt i = 0; i < dim; i++) u[dim * nodes[a] + i] = reals[dim * a + i];
  }
  PetscCall(add_item(&s->list[ints[0]], ints[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the items of this rank that answer a question of a rank. */
static PetscErrorCode answer(CrScouts *s, const PetscReal *question, PetscInt from, PetscInt rank,
                             const PetscReal *u, CrMail *mail)
{
  const PetscInt k = (PetscInt)question[0];
  PetscInt       first, item, n = count_items(s, &s->list[k], &first);
  PetscReal      box[6];

  PetscFunctionBeginUser;
  for (PetscInt j = first; j < first + n; j++) {
    if (!look_at(s, &s->list[k], j, u, &item, box)) continue;
    if (!may_meet(s->contact->model->dim, box, question + 1)) continue;
    if (from == rank)
      PetscCall(add_item(&s->list[k], item));
    else
      PetscCall(send_item(s, k, item, from, u, mail));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The boxes around all items. Low ends have their signs turned, so that all are greatest values. */
static PetscErrorCode bound(CrScouts *s, const PetscReal *u)
{
  const PetscInt dim = s->contact->model->dim;
  PetscReal     *ends;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(6 * s->n, &ends));
  for (PetscInt k = 0; k < s->n; k++) {
    CrScout  *q = &s->list[k];
    PetscInt  first = 0, item, n = q->asks ? count_items(s, q, &first) : 0;
    PetscReal box[6];

    CrScoutEmpty(q->all);
    for (PetscInt j = first; j < first + n; j++) {
      if (!look_at(s, q, j, u, &item, box)) continue;
      CrScoutInclude(dim, box, q->all);
      CrScoutInclude(dim, box + 3, q->all);
    }
    if (dim == 2) q->all[2] = q->all[5] = 0;
    for (int i = 0; i < 6; i++) ends[6 * k + i] = i < 3 ? -q->all[i] : q->all[i];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, ends, (PetscMPIInt)(6 * s->n), MPIU_REAL, MPIU_MAX,
                             s->contact->model->comm));
  for (PetscInt k = 0; k < 6 * s->n; k++)
    s->list[k / 6].all[k % 6] = k % 6 < 3 ? -ends[k] : ends[k];
  PetscCall(PetscFree(ends));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrScoutsAsk(CrScouts *s, PetscReal *u, PetscBool bring)
{
  MPI_Comm    comm = s->contact->model->comm;
  PetscMPIInt size, rank, *starts;
  PetscReal  *questions;
  CrMail      mail;
  CrPost      post;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  for (PetscInt k = 0; k < s->n; k++) s->list[k].n = 0;
  PetscCall(bound(s, u));
  PetscCall(PetscMalloc1(size + 1, &starts));
  PetscCall(collect_questions(s, size, starts, &questions));
  PetscCall(CrMailBegin(comm, 2, bring ? 12 : 0, &mail));
  for (PetscMPIInt r = 0; r < size; r++)
    for (PetscMPIInt q = starts[r]; q < starts[r + 1]; q += QUESTION)
      PetscCall(answer(s, questions + q, r, rank, u, &mail));
  PetscCall(PetscFree(questions));
  PetscCall(PetscFree(starts));
  PetscCall(CrMailSend(comm, &mail, &post));
  for (PetscInt k = 0; k < post.n; k++)
    PetscCall(take_item(s, post.ints + 2 * k, bring ? post.reals + 12 * k : NULL, u));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  for (PetscInt k = 0; k < s->n; k++) PetscCall(PetscSortInt(s->list[k].n, s->list[k].items));
  PetscFunctionReturn(PETSC_SUCCESS);
}

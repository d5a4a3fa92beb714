/* Divides contact points among the ranks (division.h). */
#include "contact/division.h"
#include "base/grow.h"
#include "base/lazy.h"
#include "base/mail.h"
#include "contact/touch/touch.h"

/* ---- life ------------------------------------------------------------------------------------- */

PetscErrorCode CrContactDivide(CrContact *c, PetscBool whole)
{
  PetscMPIInt size, rank;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(c->model->comm, &size));
  PetscCallMPI(MPI_Comm_rank(c->model->comm, &rank));
  if (size == 1 || c->division) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(&c->division));
  PetscCall(CrLazyCreate(c->model->nlocal - c->model->nowned, &c->division->slot));
  PetscCall(CrLazyCreate(c->model->nowned, &c->division->owned));
  PetscCall(CrLazyCreate(c->model->nlocal, &c->division->first));
  c->division->leads = rank == 0;
  c->division->whole = whole;
  c->division->rank = rank;
  c->division->ranks = size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDivisionDestroy(CrDivision **out)
{
  CrDivision *d = *out;

  PetscFunctionBeginUser;
  if (!d) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrHaloDestroy(&d->halo));
  PetscCall(CrLazyDestroy(&d->slot));
  PetscCall(CrLazyDestroy(&d->owned));
  PetscCall(CrLazyDestroy(&d->first));
  PetscCall(PetscFree(d->away));
  PetscCall(PetscFree2(d->sums, d->keys_away));
  PetscCall(PetscFree(d->keys));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrPointCounts(const CrContact *c, const CrPass *p, PetscInt i)
{
  if (!c->division || CrPassIsDivided(c, p)) return CrPointIsMine(c, p, i);
  return c->division->leads;
}

/* ---- sums ------------------------------------------------------------------------------------- */

static PetscErrorCode reduce(const CrContact *c, PetscInt n, void *values, MPI_Datatype type,
                             MPI_Op op)
{
  PetscFunctionBeginUser;
  if (c->division)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, values, (PetscMPIInt)n, type, op, c->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDivisionSumInts(const CrContact *c, PetscInt n, PetscInt *values)
{
  return reduce(c, n, values, MPIU_INT, MPI_SUM);
}

PetscErrorCode CrDivisionSum(const CrContact *c, PetscInt n, PetscReal *values)
{
  return reduce(c, n, values, MPIU_REAL, MPIU_SUM);
}

PetscErrorCode CrDivisionMax(const CrContact *c, PetscInt n, PetscReal *values)
{
  return reduce(c, n, values, MPIU_REAL, MPIU_MAX);
}

/* ---- forces on nodes of other ranks ----------------------------------------------------------- */

/* Adds the nodes of the vertex at a node (lift.h), as far as other ranks own them. */
static PetscErrorCode add_node(CrContact *c, PetscInt node)
{
  const CrVertex vertex = CrVertexAt(c, node);
  CrDivision    *d = c->division;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < vertex.n; k++) {
    PetscInt ghost = vertex.nodes[k] - c->model->nowned;

    if (ghost < 0 || d->slot[ghost]) continue;
    PetscCall(CrGrow(d->naway + 1, &d->away_room, &d->away));
    d->away[d->naway++] = vertex.nodes[k];
    d->slot[ghost] = d->naway;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the nodes of an edge, and those of all edges that it found. */
static PetscErrorCode add_edges(CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];

  PetscFunctionBeginUser;
  for (PetscInt j = -1; j < touch->nfound; j++)
    for (int a = 0; a < 2; a++)
      PetscCall(add_node(c, j < 0
                                ? CrRidgeNodes(p->ridges[0], touch->point - p->first)[a]
                                : CrRidgeNodes(p->ridges[1], c->work->found[touch->found + j])[a]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the nodes on which a touch may act: those of a sample or an edge, and of all facets or edges that it found. */
static PetscErrorCode add_touch(CrContact *c, const CrTouch *touch)
{
  const CrPass    *p = &c->passes[touch->pass];
  const CrSurface *s = p->master;

  PetscFunctionBeginUser;
  if (!CrPassIsDivided(c, p)) PetscFunctionReturn(PETSC_SUCCESS);
  if (p->kind == CR_EDGE_ON_EDGE) PetscCall(add_edges(c, touch));
  for (PetscInt a = 0; touch->sample && a < touch->sample->n; a++)
    PetscCall(add_node(c, touch->sample->nodes[a]));
  if (touch->node >= 0 && CrIsLifted(c, touch->node)) PetscCall(add_node(c, touch->node));
  for (PetscInt j = touch->found; p->ops->facets && j < touch->found + touch->nfound; j++) {
    PetscInt f = c->work->found[j];

    for (PetscInt a = 0; a < s->ncorners[f]; a++) PetscCall(add_node(c, s->corners[4 * f + a]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode build_halo(CrContact *c)
{
  CrDivision *d = c->division;
  PetscInt   *global;

  PetscFunctionBeginUser;
  PetscCall(CrHaloDestroy(&d->halo));
  PetscCall(PetscFree2(d->sums, d->keys_away));
  PetscCall(PetscMalloc1(d->naway, &global));
  for (PetscInt k = 0; k < d->naway; k++) global[k] = CrNodeGlobal(c->model, d->away[k]);
  PetscCall(CrHaloCreate(c->model->comm, c->model->nowned, d->naway, global, &d->halo));
  PetscCall(PetscFree(global));
  PetscCall(PetscCalloc2(c->model->dim * d->naway, &d->sums, d->naway, &d->keys_away));
  d->built++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The halo is built again if some rank found a node that is not in it. Nodes that nobody needs any more then leave. */
PetscErrorCode CrDivisionReach(CrContact *c)
{
  CrDivision *d = c->division;
  PetscInt    before, grown;

  PetscFunctionBeginUser;
  if (!d) PetscFunctionReturn(PETSC_SUCCESS);
  before = d->naway;
  for (PetscInt k = 0; k < c->work->ntouches; k++) PetscCall(add_touch(c, &c->work->touches[k]));
  grown = d->naway > before || !d->built;
  PetscCall(CrDivisionSumInts(c, 1, &grown));
  if (!grown) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < d->naway; k++) d->slot[d->away[k] - c->model->nowned] = 0;
  d->naway = 0;
  for (PetscInt k = 0; k < c->work->ntouches; k++) PetscCall(add_touch(c, &c->work->touches[k]));
  PetscCall(build_halo(c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrDivisionBegin(const CrContact *c)
{
  if (c->division)
    for (PetscInt k = 0; k < c->model->dim * c->division->naway; k++) c->division->sums[k] = 0;
}

PetscErrorCode CrDivisionEnd(const CrContact *c, PetscReal *f)
{
  PetscFunctionBeginUser;
  if (c->division && c->division->built)
    PetscCall(CrHaloAdd(&c->division->halo, c->model->dim, c->division->sums, f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- nodes ------------------------------------------------------------------------------------ */

PetscErrorCode CrNodeOwner(const CrModel *model, PetscInt node, PetscInt *rank)
{
  const PetscInt *ranges;
  PetscInt        dof = model->dim * CrNodeGlobal(model, node), high;
  PetscMPIInt     size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  PetscCall(VecGetOwnershipRanges(model->prototype, &ranges));
  *rank = 0;
  high = size;
  while (high - *rank >
         1) { /* a rank without nodes is never found: the next one begins there too */
    PetscInt middle = (*rank + high) / 2;

    if (ranges[middle] <= dof)
      *rank = middle;
    else
      high = middle;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrNodeGlobal(const CrModel *model, PetscInt node)
{
  return node < model->nowned ? model->first + node : model->ghosts[node - model->nowned];
}

PetscInt CrNodeLocal(const CrModel *model, PetscInt global)
{
  PetscInt low = 0, high = model->nlocal - model->nowned, n = high;

  if (global >= model->first && global < model->first + model->nowned) return global - model->first;
  while (low < high) {
    PetscInt middle = (low + high) / 2;

    if (model->ghosts[middle] < global)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && model->ghosts[low] == global ? model->nowned + low : -1;
}

/* ---- couplings of the matrix ------------------------------------------------------------------ */

static PetscInt64 key_of(const CrModel *model, PetscInt A, PetscInt B)
{
  PetscInt64 a = model->natural[A], b = model->natural[B];

  return PetscMin(a, b) * (PetscInt64)model->nglobal + PetscMax(a, b);
}

static int by_key(const void *a, const void *b)
{
  PetscInt64 x = *(const PetscInt64 *)a, y = *(const PetscInt64 *)b;

  return (x > y) - (x < y);
}

PetscBool CrDivisionKnows(const CrContact *c, PetscInt A, PetscInt B)
{
  const CrDivision *d = c->division;
  PetscInt64        key = key_of(c->model, A, B);

  return d->nkeys && bsearch(&key, d->keys, (size_t)d->nkeys, sizeof key, by_key) ? PETSC_TRUE
                                                                                  : PETSC_FALSE;
}

static PetscErrorCode keep_keys(CrContact *c, PetscInt n)
{
  CrDivision *d = c->division;

  PetscFunctionBeginUser;
  PetscCall(PetscFree(d->keys));
  PetscCall(PetscMalloc1(n, &d->keys));
  for (PetscInt k = 0; k < n; k++)
    d->keys[k] = key_of(c->model, c->work->couples[2 * k], c->work->couples[2 * k + 1]);
  qsort(d->keys, (size_t)n, sizeof *d->keys, by_key);
  d->nkeys = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Writes a pair of nodes to the owners of both. */
static PetscErrorCode write_pair(const CrContact *c, const PetscInt pair[2], CrMail *mail)
{
  const CrModel *model = c->model;
  const PetscInt global[2] = {CrNodeGlobal(model, pair[0]), CrNodeGlobal(model, pair[1])};
  PetscInt       rank[2] = {-1, -1};

  PetscFunctionBeginUser;
  for (int k = 0; k < 2; k++) {
    if (pair[k] < model->nowned) continue;
    PetscCall(CrNodeOwner(model, pair[k], &rank[k]));
    if (k == 0 || rank[1] != rank[0]) PetscCall(CrMailAdd(mail, rank[k], global, NULL));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Appends the pairs that came from other ranks. */
static PetscErrorCode read_pairs(CrContact *c, const CrPost *post, PetscInt *n)
{
  CrContactWork *w = c->work;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(2 * (*n + post->n), &w->npairs_room, &w->couples));
  for (PetscInt k = 0; k < post->n; k++, (*n)++)
    for (int i = 0; i < 2; i++) {
      w->couples[2 * *n + i] = CrNodeLocal(c->model, post->ints[2 * k + i]);
      PetscCheck(w->couples[2 * *n + i] >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                 "coupling with node %" PetscInt_FMT ", which is no ghost", post->ints[2 * k + i]);
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDivisionRecall(CrContact *c, PetscInt n)
{
  PetscFunctionBeginUser;
  c->division->complete = PETSC_TRUE;
  PetscCall(keep_keys(c, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDivisionCouple(CrContact *c, PetscInt *n)
{
  CrMail mail;
  CrPost post;

  PetscFunctionBeginUser;
  if (!c->division) PetscFunctionReturn(PETSC_SUCCESS);
  c->division->complete = PETSC_FALSE;
  PetscCall(keep_keys(c, *n));
  PetscCall(CrMailBegin(c->model->comm, 2, 0, &mail));
  for (PetscInt k = c->division->nshared; k < *n; k++)
    PetscCall(write_pair(c, c->work->couples + 2 * k, &mail));
  PetscCall(CrMailSend(c->model->comm, &mail, &post));
  PetscCall(read_pairs(c, &post, n));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- checkpoints ------------------------------------------------------------------------------ */

/* Lists the points that this rank writes, and those that it computes. Points that every rank computes are written by
   one, and read by all. */
static PetscErrorCode list_rows(const CrContact *c, CrRows *rows)
{
  PetscInt given = 0, needed = 0;

  PetscFunctionBeginUser;
  CR_EACH_PASS (p, c)
    for (PetscInt i = 0; i < p->n; i++) {
      given += CrPointCounts(c, p, i);
      needed += CrPointIsMine(c, p, i);
    }
  PetscCall(PetscFree2(rows->given, rows->needed));
  PetscCall(PetscMalloc2(given, &rows->given, needed, &rows->needed));
  *rows = (CrRows){.all = c->npoints, .given = rows->given, .needed = rows->needed};
  CR_EACH_PASS (p, c)
    for (PetscInt i = 0; i < p->n; i++) {
      if (CrPointCounts(c, p, i)) rows->given[rows->ngiven++] = p->first + i;
      if (CrPointIsMine(c, p, i)) rows->needed[rows->nneeded++] = p->first + i;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The couplings of all ranks, one rank after the other. */
static PetscErrorCode collect_pattern(CrContact *c)
{
  CrContactWork *w = c->work;
  PetscInt      *pattern;

  PetscFunctionBeginUser;
  PetscCall(CrGatherAll(c->model->comm, w->npattern, sizeof *pattern, w->pattern, &w->npattern,
                        NULL, &pattern));
  PetscCall(PetscFree(w->pattern));
  w->pattern = pattern;
  c->division->complete = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactCollect(CrContact *c, CrContactHistory *h)
{
  PetscFunctionBeginUser;
  if (!c->division) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(list_rows(c, &h->rows));
  if (!c->division->complete) PetscCall(collect_pattern(c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

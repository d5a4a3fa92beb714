/* The active contacts of all ranks. A rank evaluates the touches of its own nodes only (contact/division.h). The Coulomb
   problem has all active contacts, in the order that they have on one rank. Every rank gets the list of their operators
   G and H. The displacements of surface nodes, the matrix W and the solution are divided among the ranks:
   - A rank stores the displacements of its own nodes under unit forces, and computes the rows of W at these nodes.
   - Contacts whose bodies touch form an island. One rank solves the problem of an island. This is the rank with most of
     its contacts. The other ranks send to it the rows of W that they have computed.
   - Numbers of contacts, such as reactions, are sums over the ranks, to which only one rank contributes. */
#include <stdlib.h>
#include "base/grow.h"
#include "base/mail.h"
#include "base/union.h"
#include "contact/cones/active.h"
#include "contact/division.h"
#include "contact/stage.h"

/* ---- sums over the ranks ---------------------------------------------------------------------- */

PetscErrorCode CrConesSum(const CrCones *s, PetscInt n, PetscReal *values)
{
  return CrDivisionSum(s->contact, n, values);
}

PetscErrorCode CrConesAny(const CrCones *s, PetscBool *yes)
{
  PetscInt n = *yes ? 1 : 0;

  PetscFunctionBeginUser;
  PetscCall(CrDivisionSumInts(s->contact, 1, &n));
  *yes = n > 0 ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt rank_of(const CrCones *s)
{
  return s->contact->division ? s->contact->division->rank : 0;
}

PetscBool CrConesCounts(const CrCones *s, PetscInt l)
{
  return ((const CrConesOperators *)s->operators)[l].rank == rank_of(s) ? PETSC_TRUE : PETSC_FALSE;
}

PetscBool CrConesTouchCounts(const CrCones *s, PetscInt k)
{
  const CrContact *c = s->contact;
  const CrPass    *p = &c->passes[c->work->touches[k].pass];

  return CrPointCounts(c, p, c->work->touches[k].point - p->first);
}

PetscErrorCode CrConesBring(const CrCones *s, const PetscReal *moved, PetscReal *y)
{
  const CrContact *c = s->contact;
  PetscInt         dim = c->model->dim;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < s->nnodes; b++)
    for (PetscInt j = 0; j < dim; j++) y[dim * s->nodes[b] + j] = moved[dim * b + j];
  if (c->division) PetscCall(CrVicinityBring(c->stage->near, dim, y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the list --------------------------------------------------------------------------------- */

static PetscErrorCode fit(CrCones *s, PetscInt n)
{
  PetscInt m;

  PetscFunctionBeginUser;
  if (n <= s->room_n) PetscFunctionReturn(PETSC_SUCCESS);
  s->room_n = PetscMax(n, 2 * s->room_n);
  m = s->room_n * s->contact->model->dim;
  PetscCall(PetscFree6(s->which, s->member, s->q, s->r, s->mu, s->work));
  PetscCall(PetscMalloc6(s->room_n, &s->which, s->room_n, &s->member, m, &s->q, m, &s->r, s->room_n,
                         &s->mu, (4 + 3 * 3) * s->room_n, &s->work));
  PetscCall(PetscFree4(s->own, s->diagonal, s->rows, s->vectors));
  PetscCall(PetscMalloc4(m, &s->own, m, &s->diagonal, s->room_n, &s->rows, 2 * m, &s->vectors));
  PetscCall(PetscFree(s->operators));
  PetscCall(PetscMalloc(sizeof(CrConesOperators) * (size_t)s->room_n, &s->operators));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesFreeLists(CrCones *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree6(s->which, s->member, s->q, s->r, s->mu, s->work));
  PetscCall(PetscFree4(s->own, s->diagonal, s->rows, s->vectors));
  PetscCall(PetscFree(s->operators));
  PetscCall(PetscFree4(s->parent, s->first, s->solver, s->block));
  PetscCall(PetscFree(s->W));
  PetscCall(PetscFree(s->given));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Takes the operators of touch k at the last evaluation. */
static PetscErrorCode take_operators(const CrCones *s, PetscInt k, CrConesOperators *o)
{
  const CrContact *c = s->contact;
  const CrTouch   *touch = &c->work->touches[k];
  const CrPass    *p = &c->passes[touch->pass];
  PetscInt         dim = c->model->dim;
  CrSpread         spread;

  PetscFunctionBeginUser;
  CrTouchSpread(c, touch, &spread);
  *o = (CrConesOperators){.n = spread.n,
                          .pass = touch->pass,
                          .point = touch->point,
                          .order = CrPassIsDivided(c, p) ? touch->point : 0,
                          .touch = k,
                          .rank = rank_of(s)};
  for (PetscInt n = 0; n < spread.n; n++) {
    const PetscReal part = spread.c[n];

    o->index[n] = s->known[spread.nodes[n]];
    o->node[n] = CrNodeGlobal(c->model, spread.nodes[n]);
    if (c->division) PetscCall(CrNodeOwner(c->model, spread.nodes[n], &o->owner[n]));
    o->of[n] = spread.column[n];
    o->part[n] = part;
    for (PetscInt j = 0; j < dim; j++)
      for (PetscInt i = 0, a = spread.column[n]; i < dim; i++) {
        o->row[n][j][i] = part * CrConesRow(s, touch, i)[dim * a + j];
        o->column[n][j][i] = part * (i ? touch->k.H[i - 1] : touch->k.G)[dim * a + j];
      }
  }
  o->body = CrConesBody(s, touch);
  for (PetscInt i = 0; o->body >= 0 && i < dim; i++) CrConesLever(s, touch, i, o->lever[i]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The order that contacts have on one rank. */
static int by_order(const void *a, const void *b)
{
  const CrConesOperators *A = a, *B = b;

  if (A->pass != B->pass) return A->pass < B->pass ? -1 : 1;
  if (A->order != B->order) return A->order < B->order ? -1 : 1;
  return (A->touch > B->touch) - (A->touch < B->touch);
}

/* Contacts of this rank become those of all ranks. */
static PetscErrorCode gather(CrCones *s)
{
  CrConesOperators *all;

  PetscFunctionBeginUser;
  PetscCall(
      CrGatherAll(s->contact->model->comm, s->n, sizeof *all, s->operators, &s->n, NULL, &all));
  qsort(all, (size_t)s->n, sizeof *all, by_order);
  PetscCall(fit(s, s->n));
  PetscCall(PetscMemcpy(s->operators, all, sizeof *all * (size_t)s->n));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the contacts among the touches of this rank. Touches have the same order as contacts. */
static PetscErrorCode find_own(CrCones *s)
{
  const CrContactWork    *w = s->contact->work;
  const CrConesOperators *all = s->operators;
  PetscInt                k = 0;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < s->n; l++) {
    while (k < w->ntouches && s->touches[k].state != ACTIVE) k++;
    s->which[l] = -1;
    if (k < w->ntouches && w->touches[k].pass == all[l].pass && w->touches[k].point == all[l].point)
      s->which[l] = k++;
  }
  while (k < w->ntouches && s->touches[k].state != ACTIVE) k++;
  PetscCheck(k == w->ntouches, PETSC_COMM_SELF, PETSC_ERR_PLIB,
             "the ranks do not agree which contacts are active");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- islands ---------------------------------------------------------------------------------- */

/* Joins a body, or starts with it if *with is negative. */
static void join(CrCones *s, PetscInt body, PetscInt *with)
{
  if (*with >= 0) CrUnionJoin(s->parent, *with, body);
  *with = body;
}

/* Joins the bodies of a pass, and returns one of them. Rigid bodies are numbered after those with a mesh. */
static PetscInt join_bodies(CrCones *s, const CrPass *p)
{
  PetscInt with = -1;

  if (p->slave) join(s, p->slave->body, &with);
  if (p->master) join(s, p->master->body, &with);
  for (int e = 0; e < 2; e++)
    if (p->ridges[e] && p->ridges[e]->surface) join(s, p->ridges[e]->surface->body, &with);
  if (p->ops->body) join(s, s->contact->model->nbodies + p->partner, &with);
  return with;
}

/* Sets the island of each contact. On one rank all contacts form one island: CrConeSolve divides it further. */
static void number_islands(CrCones *s, PetscInt nbodies)
{
  const CrContact  *c = s->contact;
  CrConesOperators *all = s->operators;

  s->nislands = s->n > 0;
  for (PetscInt l = 0; l < s->n; l++) all[l].island = 0;
  if (!c->division) return;
  CrUnionStart(nbodies, s->parent);
  for (PetscInt l = 0; l < s->n; l++) all[l].island = join_bodies(s, &c->passes[all[l].pass]);
  for (PetscInt l = 0; l < s->n; l++) all[l].island = CrUnionRoot(s->parent, all[l].island);
  for (PetscInt b = 0; b < nbodies; b++) s->parent[b] = -1;
  s->nislands = 0;
  for (PetscInt l = 0; l < s->n; l++) {
    if (s->parent[all[l].island] < 0) s->parent[all[l].island] = s->nislands++;
    all[l].island = s->parent[all[l].island];
  }
}

/* The rank that has most contacts of an island. */
static PetscErrorCode choose_solver(const CrCones *s, PetscInt g, PetscInt *rank)
{
  const CrConesOperators *all = s->operators;
  PetscInt               *counts;

  PetscFunctionBeginUser;
  *rank = 0;
  if (!s->contact->division) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(s->contact->division->ranks, &counts));
  for (PetscInt k = s->first[g]; k < s->first[g + 1]; k++) counts[all[s->member[k]].rank]++;
  for (PetscInt r = 1; r < s->contact->division->ranks; r++)
    if (counts[r] > counts[*rank]) *rank = r;
  PetscCall(PetscFree(counts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first time, the log says how many contacts are solved on another rank. */
static void tell(CrCones *s)
{
  const CrConesOperators *all = s->operators;
  PetscInt                moved = 0;

  for (PetscInt l = 0; l < s->n; l++) moved += s->solver[all[l].island] != all[l].rank;
  if (!moved || s->told) return;
  s->told = PETSC_TRUE;
  CrLog(
      "bipotential: contact couples points of several processes; one of these processes solves the friction problem of all (contacts that are sent to another process: %" PetscInt_FMT
      ")\n",
      moved);
}

static PetscErrorCode find_islands(CrCones *s)
{
  const CrModel    *model = s->contact->model;
  const PetscInt    nbodies = model->nbodies + model->rigid->n, dim = model->dim;
  CrConesOperators *all = s->operators;
  PetscInt          room = 0;

  PetscFunctionBeginUser;
  if (!s->parent)
    PetscCall(PetscMalloc4(nbodies, &s->parent, nbodies + 2, &s->first, nbodies + 1, &s->solver,
                           nbodies + 1, &s->block));
  number_islands(s, nbodies);
  for (PetscInt g = 0; g <= s->nislands; g++) s->first[g] = 0;
  for (PetscInt l = 0; l < s->n; l++) all[l].spot = s->first[all[l].island + 1]++;
  for (PetscInt g = 0; g < s->nislands; g++) s->first[g + 1] += s->first[g];
  for (PetscInt l = 0; l < s->n; l++) s->member[s->first[all[l].island] + all[l].spot] = l;
  for (PetscInt g = 0; g < s->nislands; g++) {
    PetscInt m = dim * (s->first[g + 1] - s->first[g]);

    PetscCall(choose_solver(s, g, &s->solver[g]));
    s->block[g] = room;
    if (s->solver[g] == rank_of(s)) room += m * m;
  }
  PetscCall(CrGrow(room, &s->room_W, &s->W));
  tell(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesList(CrCones *s)
{
  CrConesOperators *all;
  PetscInt          n = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->contact->work->ntouches; k++)
    n += s->touches[k].state == ACTIVE && CrConesTouchCounts(s, k);
  PetscCall(fit(s, n));
  all = s->operators;
  s->n = 0;
  for (PetscInt k = 0; k < s->contact->work->ntouches; k++)
    if (s->touches[k].state == ACTIVE && CrConesTouchCounts(s, k))
      PetscCall(take_operators(s, k, &all[s->n++]));
  if (s->contact->division) PetscCall(gather(s));
  PetscCall(find_own(s));
  PetscCall(find_islands(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesInform(const CrCones *s)
{
  const PetscReal dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  PetscCall(PetscInfo(NULL,
                      "contact of bipotential on this rank: %g touches evaluated, %g entries of W "
                      "computed, %g bytes of responses, %g bytes of W\n",
                      (double)s->evaluated, (double)s->entries,
                      (double)(dim * dim * (PetscReal)s->nnodes * (PetscReal)s->room_responses *
                               (PetscReal)sizeof(PetscReal)),
                      (double)((PetscReal)s->room_W * (PetscReal)sizeof(PetscReal))));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computes the impulses of the velocity update with lumped masses (theory 16.2). Points that share nodes or rigid
   bodies are coupled. A group of coupled points is called an island. If all points of an island belong to one rank,
   this rank solves the island. Otherwise the points are sent to the last of these ranks, which computes the impulses
   and returns them. */
#include <stdlib.h>
#include <string.h>
#include "base/mail.h"
#include "base/vector.h"
#include "contact/division.h"
#include "contact/stage.h"
#include "integrate/velocity_update.h"

/* A point on its way to the rank that solves for it. */
typedef struct {
  CrImpulsePoint point; /* nodes are global numbers, then places in the system */
  PetscReal      mass[CR_LIFTED_NODES], b[3], c;
  char           fixed[3 * CR_LIFTED_NODES];
} Row;

#define ROW_REALS ((PetscInt)((sizeof(Row) + sizeof(PetscReal) - 1) / sizeof(PetscReal)))

/* The points that this rank solves for, in ascending order. */
typedef struct {
  PetscInt   n, parts, nnodes; /* number of points, of rows of each, and of nodes */
  Row       *rows;             /* owned, like all below */
  PetscInt  *start;            /* [parts n + 1] */
  PetscReal *b, *c, *mu, *j, *u;
  /* points at each node, and then at each rigid body, as compressed rows */
  PetscInt *touching_start, *touching;
} System;

/* ---- which rank solves ------------------------------------------------------------------------ */

static PetscBool can_move(const VelocityUpdate *vu, PetscInt dim, PetscInt node)
{
  for (PetscInt i = 0; i < dim; i++)
    if (!vu->middle.im.supports.fixed[dim * node + i]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Every point takes the greatest rank that its nodes and its body know, and tells it to them. Returns whether one has
   changed. */
static PetscBool take_greatest(VelocityUpdate *vu, PetscInt dim, PetscInt n, PetscInt *rank,
                               PetscInt *bodies)
{
  PetscBool changed = PETSC_FALSE;

  for (PetscInt l = 0; l < n; l++) {
    const CrImpulsePoint *P = &vu->points[l];
    PetscInt              most = rank[l];

    for (PetscInt a = 0; a < P->n; a++) most = PetscMax(most, vu->marks[P->nodes[a]] - 1);
    if (P->rigid.body >= 0) most = PetscMax(most, bodies[P->rigid.body]);
    if (most > rank[l]) changed = PETSC_TRUE;
    rank[l] = most;
    for (PetscInt a = 0; a < P->n; a++)
      if (can_move(vu, dim, P->nodes[a])) vu->marks[P->nodes[a]] = most + 1;
    if (P->rigid.body >= 0) bodies[P->rigid.body] = most;
  }
  return changed;
}

static void forget_marks(VelocityUpdate *vu, PetscInt n)
{
  const CrVicinity *near = vu->middle.im.contact->stage->near;
  const PetscInt   *nodes;

  for (PetscInt k = CrVicinityNodes(near, &nodes) - 1; k >= 0; k--) vu->marks[nodes[k]] = 0;
  for (PetscInt k = CrVicinityGiven(near, &nodes) - 1; k >= 0; k--) vu->marks[nodes[k]] = 0;
  for (PetscInt l = 0; l < n; l++)
    for (PetscInt a = 0; a < vu->points[l].n; a++) vu->marks[vu->points[l].nodes[a]] = 0;
}

/* The rank that solves for each point: the last one that has a point of its island. */
static PetscErrorCode choose_ranks(VelocityUpdate *vu, const CrModel *model, PetscInt n,
                                   PetscInt *rank)
{
  const CrContact *c = vu->middle.im.contact;
  PetscInt        *bodies, changed = 1;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(model->rigid->n, &bodies));
  for (PetscInt b = 0; b < model->rigid->n; b++) bodies[b] = -1;
  for (PetscInt l = 0; l < n; l++) rank[l] = c->division->rank;
  while (changed) {
    changed = 0;
    while (take_greatest(vu, model->dim, n, rank, bodies)) changed = 1;
    PetscCall(CrVicinityGreatest(c->stage->near, vu->marks));
    if (model->rigid->n)
      PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bodies, (PetscMPIInt)model->rigid->n, MPIU_INT,
                                 MPI_MAX, model->comm));
    if (take_greatest(vu, model->dim, n, rank, bodies)) changed = 1;
    PetscCall(CrDivisionSumInts(c, 1, &changed));
  }
  forget_marks(vu, n);
  PetscCall(PetscFree(bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the system ------------------------------------------------------------------------------- */

static void pack(const VelocityUpdate *vu, const CrModel *model, PetscInt l, Row *row)
{
  const CrImpulsePoint *P = &vu->points[l];
  PetscInt              dim = model->dim;

  row->point = *P;
  row->c = vu->c[l];
  for (PetscInt p = 0; p < P->parts; p++) row->b[p] = vu->b[P->parts * l + p];
  for (PetscInt a = 0; a < P->n; a++) {
    row->point.nodes[a] = CrNodeGlobal(model, P->nodes[a]);
    row->mass[a] = vu->mass[P->nodes[a]];
    for (PetscInt i = 0; i < dim; i++)
      row->fixed[dim * a + i] = vu->middle.im.supports.fixed[dim * P->nodes[a] + i];
  }
}

/* What a point acts on: its nodes, then its rigid body, which is numbered after all nodes. */
static PetscInt count_of(const CrImpulsePoint *P)
{
  return P->n + (P->rigid.body >= 0);
}

static PetscInt place_of(const System *s, const CrImpulsePoint *P, PetscInt a)
{
  return a < P->n ? P->nodes[a] : s->nnodes + P->rigid.body;
}

/* Numbers the nodes of all points from 0 on. */
static PetscErrorCode number_nodes(System *s)
{
  PetscInt *nodes, n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(CR_LIFTED_NODES * s->n, &nodes));
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < s->rows[l].point.n; a++) nodes[n++] = s->rows[l].point.nodes[a];
  PetscCall(PetscSortRemoveDupsInt(&n, nodes));
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < s->rows[l].point.n; a++)
      PetscCall(PetscFindInt(s->rows[l].point.nodes[a], n, nodes, &s->rows[l].point.nodes[a]));
  s->nnodes = n;
  PetscCall(PetscFree(nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode points_of_places(System *s, PetscInt nbodies)
{
  PetscInt all = 0, places = s->nnodes + nbodies;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < s->n; l++) all += count_of(&s->rows[l].point);
  PetscCall(PetscCalloc2(places + 2, &s->touching_start, all, &s->touching));
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < count_of(&s->rows[l].point); a++)
      s->touching_start[place_of(s, &s->rows[l].point, a) + 2]++;
  for (PetscInt A = 0; A <= places; A++) s->touching_start[A + 1] += s->touching_start[A];
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < count_of(&s->rows[l].point); a++)
      s->touching[s->touching_start[place_of(s, &s->rows[l].point, a) + 1]++] = l;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* G^k . M^-1 G^l / 2 over the free dofs of what they share; G: part p of point k, part q of point l. */
static PetscReal shared(const System *s, PetscInt dim, PetscInt k, PetscInt p, PetscInt l,
                        PetscInt q)
{
  const CrImpulsePoint *P = &s->rows[k].point, *Q = &s->rows[l].point;
  PetscReal             sum = VelocityUpdateShared(P, p, Q, q) / 2;

  for (PetscInt a = 0; a < P->n; a++)
    for (PetscInt b = 0; b < Q->n; b++) {
      if (P->nodes[a] != Q->nodes[b]) continue;
      for (PetscInt i = 0; i < dim; i++)
        if (!s->rows[k].fixed[dim * a + i])
          sum += P->along[p][dim * a + i] * Q->along[q][dim * b + i] / (2 * s->rows[k].mass[a]);
    }
  return sum;
}

/* The row of part p of point l. seen[k]: the last row with an entry for point k. */
static PetscErrorCode fill_row(VelocityUpdate *vu, System *s, PetscInt dim, PetscInt l, PetscInt p,
                               PetscInt *seen, PetscInt *entries)
{
  const CrImpulsePoint *P = &s->rows[l].point;
  PetscInt              row = s->parts * l + p;

  PetscFunctionBeginUser;
  s->start[row] = *entries;
  s->b[row] = s->rows[l].b[p];
  for (PetscInt a = 0; a < count_of(P); a++) {
    PetscInt A = place_of(s, P, a);

    for (PetscInt e = s->touching_start[A]; e < s->touching_start[A + 1]; e++) {
      PetscInt k = s->touching[e];

      if (seen[k] == row) continue;
      seen[k] = row;
      for (PetscInt q = 0; q < s->parts; q++)
        PetscCall(VelocityUpdateEntry(vu, entries, s->parts * k + q, shared(s, dim, l, p, k, q)));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Fills the system from its rows. */
static PetscErrorCode fill(VelocityUpdate *vu, const CrModel *model, System *s)
{
  PetscInt *seen, entries = 0, rows = s->parts * s->n;

  PetscFunctionBeginUser;
  PetscCall(number_nodes(s));
  PetscCall(points_of_places(s, model->rigid->n));
  PetscCall(PetscMalloc6(rows + 1, &s->start, rows, &s->b, s->n, &s->c, s->n, &s->mu, rows, &s->j,
                         rows, &s->u));
  PetscCall(PetscMalloc1(s->n, &seen));
  for (PetscInt l = 0; l < s->n; l++) seen[l] = -1;
  for (PetscInt l = 0; l < s->n; l++) {
    s->c[l] = s->rows[l].c;
    s->mu[l] = s->rows[l].point.friction;
    for (PetscInt p = 0; p < s->parts; p++)
      PetscCall(fill_row(vu, s, model->dim, l, p, seen, &entries));
  }
  s->start[rows] = entries;
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(System *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(s->rows));
  PetscCall(PetscFree2(s->touching_start, s->touching));
  PetscCall(PetscFree6(s->start, s->b, s->c, s->mu, s->j, s->u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve(VelocityUpdate *vu, const CrModel *model, System *s,
                            PetscBool *converged)
{
  VelocityUpdateSystem system;

  PetscFunctionBeginUser;
  PetscCall(fill(vu, model, s));
  system = (VelocityUpdateSystem){s->n, s->parts, s->start, s->b, s->c, s->mu};
  for (PetscInt k = 0; k < s->parts * s->n; k++) s->j[k] = s->u[k] = 0;
  *converged = PETSC_TRUE;
  if (s->n) PetscCall(VelocityUpdateSolve(vu, &system, s->j, s->u, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- points of several ranks ------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
  PetscInt p = ((const Row *)a)->point.point, q = ((const Row *)b)->point.point;

  return (p > q) - (p < q);
}

/* The points that arrived, each once: several ranks send points that each of them has. */
static PetscErrorCode read_rows(const CrPost *post, System *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(post->n, &s->rows));
  for (PetscInt k = 0; k < post->n; k++)
    memcpy(&s->rows[k], post->reals + ROW_REALS * k, sizeof *s->rows);
  qsort(s->rows, (size_t)post->n, sizeof *s->rows, by_number);
  s->n = 0;
  for (PetscInt k = 0; k < post->n; k++)
    if (!s->n || s->rows[k].point.point != s->rows[s->n - 1].point.point)
      s->rows[s->n++] = s->rows[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Impulses and mean velocities go back to who sent the points. */
static PetscErrorCode answer(VelocityUpdate *vu, const CrModel *model, const System *s,
                             const CrMail *mail, const CrPost *post, PetscInt n)
{
  const PetscInt width = 2 * s->parts;
  PetscReal     *given, *got;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(width * post->n, &given, width * n, &got));
  for (PetscInt k = 0; k < post->n; k++) {
    Row        key = {.point = {.point = post->ints[k]}};
    const Row *row = bsearch(&key, s->rows, (size_t)s->n, sizeof key, by_number);
    PetscInt   l = row - s->rows;

    for (PetscInt p = 0; p < s->parts; p++) {
      given[width * k + p] = s->j[s->parts * l + p];
      given[width * k + s->parts + p] = s->u[s->parts * l + p];
    }
  }
  PetscCall(CrMailAnswer(model->comm, mail, 0, NULL, NULL, width, given, got));
  for (PetscInt l = 0; l < n; l++)
    for (PetscInt p = 0; p < s->parts; p++) {
      vu->j[s->parts * l + p] = got[width * l + p];
      vu->u[s->parts * l + p] = got[width * l + s->parts + p];
    }
  PetscCall(PetscFree2(given, got));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All ranks take the same decision. The first time, the log says how many points went to another rank. */
static PetscErrorCode agree(VelocityUpdate *vu, PetscInt moved, PetscBool *converged)
{
  PetscInt sums[2] = {*converged ? 0 : 1, moved};

  PetscFunctionBeginUser;
  PetscCall(CrDivisionSumInts(vu->middle.im.contact, 2, sums));
  *converged = sums[0] == 0;
  if (sums[1] && !vu->told)
    CrLog(
        "velocity-update: contact couples points of several processes; one of these processes computes the impulses of all (points that are sent to another process: %" PetscInt_FMT
        ")\n",
        sums[1]);
  if (sums[1]) vu->told = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve_together(VelocityUpdate *vu, const CrModel *model, PetscInt n,
                                     System *s, PetscBool *converged)
{
  PetscInt *rank, moved = 0;
  union {
    Row       row;
    PetscReal reals[ROW_REALS];
  } letter;
  CrMail mail;
  CrPost post;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &rank));
  PetscCall(choose_ranks(vu, model, n, rank));
  PetscCall(CrMailBegin(model->comm, 1, ROW_REALS, &mail));
  memset(&letter, 0, sizeof letter);
  for (PetscInt l = 0; l < n; l++) {
    pack(vu, model, l, &letter.row);
    PetscCall(CrMailAdd(&mail, rank[l], &vu->points[l].point, letter.reals));
    moved += rank[l] != vu->middle.im.contact->division->rank;
  }
  PetscCall(CrMailSend(model->comm, &mail, &post));
  PetscCall(read_rows(&post, s));
  PetscCall(solve(vu, model, s, converged));
  PetscCall(answer(vu, model, s, &mail, &post, n));
  PetscCall(agree(vu, moved, converged));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscCall(PetscFree(rank));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve_alone(VelocityUpdate *vu, const CrModel *model, PetscInt n, System *s,
                                  PetscBool *converged)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &s->rows));
  for (PetscInt l = 0; l < n; l++) pack(vu, model, l, &s->rows[l]);
  s->n = n;
  PetscCall(solve(vu, model, s, converged));
  PetscCall(PetscArraycpy(vu->j, s->j, s->parts * n));
  PetscCall(PetscArraycpy(vu->u, s->u, s->parts * n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void VelocityUpdateLoads(VelocityUpdate *vu, const CrModel *model, PetscInt n)
{
  const char *fixed = vu->middle.im.supports.fixed;
  PetscInt    dim = model->dim;

  for (PetscInt l = 0; l < n; l++) {
    const CrImpulsePoint *P = &vu->points[l];

    for (PetscInt p = 0; p < P->parts; p++) {
      PetscReal *b = &vu->b[P->parts * l + p];

      *b = P->rigid.body >= 0 ? P->rigid.rate[p] : 0;
      for (PetscInt a = 0; a < P->n; a++)
        for (PetscInt i = 0; i < dim; i++)
          if (!fixed[dim * P->nodes[a] + i])
            *b += P->along[p][dim * a + i] * vu->v[dim * P->nodes[a] + i];
    }
  }
}

PetscErrorCode VelocityUpdateIslands(VelocityUpdate *vu, const CrModel *model, PetscInt n,
                                     PetscBool *converged)
{
  System s = {.parts = vu->kind == CR_IMPULSE_PARTS ? model->dim : 1};

  PetscFunctionBeginUser;
  if (vu->middle.im.contact->division)
    PetscCall(solve_together(vu, model, n, &s, converged));
  else
    PetscCall(solve_alone(vu, model, n, &s, converged));
  PetscCall(destroy(&s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

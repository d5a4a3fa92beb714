/* Computes the matrix W = B^T C B of the active contacts, from the responses C of the surface nodes (theory 17.3).
   Contacts share nodes, and most nodes of a surface belong to no active contact. So only the columns of C for nodes of
   active contacts are read. A rank has the rows of C for its own nodes. It computes the part of W to which these nodes
   contribute, and sends it to the rank that solves the problem of the island (active.c). */
#include <string.h>
#include "base/grow.h"
#include "base/isa.h"
#include "contact/cones/active.h"
#include "contact/division.h"

#define INLINE   static inline __attribute__((always_inline)) /* so that dim is a constant */
#define PAD(dim) ((dim) == 3 ? 4 : 2) /* room for the dim reactions of a touch: whole vectors */
#define ROWS     17 /* tag of messages with rows of W; all ranks treat islands in the same order */

/* ---- the nodes of active contacts ------------------------------------------------------------- */

/* Lists the responses of all nodes of active contacts, each when it first occurs. */
static void list_part(CrCones *s)
{
  CrConesOperators *all = s->operators;
  CrConesResponse  *responses = s->responses;

  for (PetscInt k = 0; k < s->nresponses; k++) responses[k].place = responses[k].seat = -1;
  s->npart = 0;
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < all[l].n; a++) {
      CrConesResponse *response = &responses[all[l].index[a]];

      if (response->place < 0) {
        response->place = s->npart;
        s->part[s->npart++] = all[l].index[a];
      }
      all[l].place[a] = response->place;
    }
}

/* Lists the nodes whose displacements this rank computes. */
static void list_here(CrCones *s, PetscBool gathers)
{
  CrConesOperators *all = s->operators;
  CrConesResponse  *responses = s->responses;

  s->nhere = 0;
  for (PetscInt k = 0; k < s->npart; k++) {
    CrConesResponse *response = &responses[s->part[k]];

    if (!gathers && response->row < 0) continue;
    response->seat = s->nhere;
    s->here[s->nhere++] = gathers ? k : response->row;
  }
  for (PetscInt l = 0; l < s->n; l++) {
    all[l].here = all[l].body >= 0;
    for (PetscInt a = 0; a < all[l].n; a++) {
      all[l].seat[a] = responses[all[l].index[a]].seat;
      all[l].here = all[l].here || all[l].seat[a] >= 0;
    }
  }
}

/* If reactions rotate, every rank needs the rows of C for all nodes of active contacts. */
static PetscErrorCode gather_rows(CrCones *s)
{
  const CrConesResponse *responses = s->responses;
  PetscInt               dim = s->contact->model->dim, m = dim * s->npart, from = dim * s->nnodes;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(m * m, &s->room_gathered, &s->gathered));
  PetscCall(PetscArrayzero(s->gathered, m * m));
  for (PetscInt column = 0; column < m; column++)
    for (PetscInt k = 0; k < s->npart; k++) {
      PetscInt row = responses[s->part[k]].row;

      for (PetscInt i = 0; row >= 0 && i < dim; i++)
        s->gathered[column * m + dim * k + i] =
            responses[s->part[column / dim]].x[column % dim * from + dim * row + i];
    }
  PetscCall(CrConesSum(s, m * m, s->gathered));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool gathers(const CrCones *s)
{
  return s->turns && s->contact->division ? PETSC_TRUE : PETSC_FALSE;
}

const PetscReal *CrConesTable(const CrCones *s, PetscInt index, PetscInt *m)
{
  const CrConesResponse *response = (const CrConesResponse *)s->responses + index;
  PetscInt               dim = s->contact->model->dim;

  *m = dim * (gathers(s) ? s->npart : s->nnodes);
  return gathers(s) ? s->gathered + dim * response->place * *m : response->x;
}

/* ---- W ---------------------------------------------------------------------------------------- */

/* Computes the displacements y of the listed nodes under unit reactions of a touch: y[node][direction][reaction].
   */
INLINE void displace(const CrCones *s, const CrConesOperators *o, PetscInt dim, PetscReal *y)
{
  const PetscInt   pad = PAD(dim);
  const PetscReal *table[CR_SPREAD_NODES];
  PetscInt         m = 0;

  for (PetscInt a = 0; a < o->n; a++) table[a] = CrConesTable(s, o->index[a], &m);
  for (PetscInt k = 0; k < s->nhere; k++) {
    PetscReal sum[12] = {0};

    for (PetscInt a = 0; a < o->n; a++)
      for (PetscInt j = 0; j < dim; j++) {
        const PetscReal *x = table[a] + j * m + dim * s->here[k];

        for (PetscInt d = 0; d < dim; d++)
          for (PetscInt i = 0; i < pad; i++) sum[d * pad + i] += o->column[a][j][i] * x[d];
      }
    for (PetscInt i = 0; i < dim * pad; i++) y[k * dim * pad + i] = s->ease * sum[i];
  }
}

/* Computes the block of W for two touches: the changes of gap and slip (z) of one touch, with the operators o, under
   unit reactions of the other. y are the displacements of the nodes under these reactions. Nodes of other ranks do not
   contribute. */
INLINE void block(const CrConesOperators *o, const PetscReal *y, PetscInt dim, PetscReal w[12])
{
  const PetscInt pad = PAD(dim);
  PetscReal      sum[12] = {0};

  for (PetscInt a = 0; a < o->n; a++)
    for (PetscInt j = 0; j < dim && o->seat[a] >= 0; j++)
      for (PetscInt i = 0; i < dim; i++)
        for (PetscInt c = 0; c < pad; c++)
          sum[i * pad + c] += o->row[a][j][i] * y[(o->seat[a] * dim + j) * pad + c];
  memcpy(w, sum, sizeof sum);
}

/* The part of a rigid body whose displacements are in y, behind those of the nodes. */
INLINE void add_body(const CrCones *s, const CrConesOperators *o, PetscInt dim, PetscReal w[12])
{
  const PetscInt   pad = PAD(dim);
  const PetscReal *y = s->y + (s->npart * dim + 6 * o->body) * pad;

  for (PetscInt i = 0; o->body >= 0 && i < dim; i++)
    for (int j = 0; j < 6; j++)
      for (PetscInt c = 0; c < dim; c++) w[i * pad + c] += o->lever[i][j] * y[j * pad + c];
}

/* The rows of the matrix of an island that a rank computes: those of the n contacts `list` with a node of the rank. The
   rank that solves has all rows, and adds the terms that do not belong to nodes. */
typedef struct {
  PetscInt   island, n;
  PetscInt  *list; /* borrowed, like W */
  PetscBool  solves;
  PetscReal *W; /* columns of dim n reals */
} Rows;

INLINE void assemble(CrCones *s, PetscInt dim, const Rows *rows)
{
  const CrConesOperators *all = s->operators;
  PetscInt                m = rows->n * dim;
  PetscReal               w[12], *column = rows->W;

  for (PetscInt e = s->first[rows->island]; e < s->first[rows->island + 1];
       e++, column += dim * m) {
    PetscInt l = s->member[e];

    displace(s, &all[l], dim, s->y);
    block(&all[l], s->y, dim, w);
    if (rows->solves) CrConesAddBody(s, &all[l], &all[l], PAD(dim), w);
    for (PetscInt i = 0; i < dim; i++) s->own[l * dim + i] = w[i * PAD(dim) + i];
    if (s->turns) CrConesTurnColumns(s, &all[l], PAD(dim), s->y);
    for (PetscInt k = 0; k < rows->n; k++) {
      const CrConesOperators *of = &all[rows->list[k]];

      if (!of->here) continue;
      block(of, s->y, dim, w);
      if (s->turns)
        add_body(s, of, dim, w);
      else if (rows->solves)
        CrConesAddBody(s, &all[l], of, PAD(dim), w);
      for (PetscInt c = 0; c < dim; c++)
        for (PetscInt i = 0; i < dim; i++) column[c * m + k * dim + i] = w[i * PAD(dim) + c];
    }
  }
}

INLINE void assemble_any(CrCones *s, const Rows *rows)
{
  if (s->contact->model->dim == 2)
    assemble(s, 2, rows);
  else
    assemble(s, 3, rows);
}

static CR_TARGET_WIDE void assemble_wide(CrCones *s, const Rows *rows)
{
  assemble_any(s, rows);
}

/* Lists the contacts of an island with a node of a rank. Returns their number. */
static PetscInt list_rows(const CrCones *s, PetscInt island, PetscInt rank, PetscInt *list)
{
  const CrConesOperators *all = s->operators;
  PetscInt                n = 0;

  for (PetscInt e = s->first[island]; e < s->first[island + 1]; e++) {
    const CrConesOperators *o = &all[s->member[e]];
    PetscBool               has = PETSC_FALSE;

    for (PetscInt a = 0; a < o->n; a++)
      if (o->owner[a] == rank) has = PETSC_TRUE;
    if (has) list[n++] = s->member[e];
  }
  return n;
}

/* Adds the rows that other ranks have computed to the matrix of an island. */
static PetscErrorCode receive_rows(CrCones *s, PetscInt island, PetscReal *W)
{
  const CrDivision       *d = s->contact->division;
  const CrConesOperators *all = s->operators;
  PetscInt                dim = s->contact->model->dim, *list = s->rows;
  PetscInt                m = dim * (s->first[island + 1] - s->first[island]);

  PetscFunctionBeginUser;
  for (PetscMPIInt rank = 0; rank < d->ranks; rank++) {
    PetscInt    n = rank == d->rank ? 0 : dim * list_rows(s, island, rank, list);
    PetscMPIInt count;

    if (!n) continue;
    PetscCall(PetscMPIIntCast(n * m, &count));
    PetscCall(CrGrow(n * m, &s->room_given, &s->given));
    PetscCallMPI(MPI_Recv(s->given, count, MPIU_REAL, rank, ROWS, s->contact->model->comm,
                          MPI_STATUS_IGNORE));
    for (PetscInt c = 0; c < m; c++)
      for (PetscInt k = 0; k < n; k++)
        W[c * m + dim * all[list[k / dim]].spot + k % dim] += s->given[c * n + k];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The part of this rank in the matrix of an island. If reactions rotate, one rank computes the whole matrix. */
static PetscErrorCode assemble_island(CrCones *s, PetscInt g)
{
  const CrDivision       *d = s->contact->division;
  const CrConesOperators *all = s->operators;
  PetscInt                dim = s->contact->model->dim, n = s->first[g + 1] - s->first[g];
  Rows        rows = {.island = g, .list = s->rows, .solves = !d || s->solver[g] == d->rank};
  PetscMPIInt count;

  PetscFunctionBeginUser;
  if (rows.solves) {
    rows.n = n;
    rows.list = s->member + s->first[g];
    rows.W = s->W + s->block[g];
    if (d) PetscCall(PetscArrayzero(rows.W, dim * n * dim * n));
  } else {
    rows.n = s->turns ? 0 : list_rows(s, g, d->rank, rows.list);
    if (!rows.n) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(CrGrow(dim * dim * n * rows.n, &s->room_given, &s->given));
    rows.W = s->given;
  }
  for (PetscInt k = 0; k < rows.n; k++)
    s->entries += all[rows.list[k]].here ? (PetscReal)(dim * dim * n) : 0;
  if (CrIsaGet() == CR_ISA_BASELINE)
    assemble_any(s, &rows);
  else
    assemble_wide(s, &rows);
  if (!rows.solves) {
    PetscCall(PetscMPIIntCast(dim * dim * n * rows.n, &count));
    PetscCallMPI(MPI_Send(s->given, count, MPIU_REAL, (PetscMPIInt)s->solver[g], ROWS,
                          s->contact->model->comm));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (d && !s->turns) PetscCall(receive_rows(s, g, rows.W));
  for (PetscInt k = 0; k < dim * n; k++)
    s->diagonal[dim * rows.list[k / dim] + k % dim] = rows.W[k * dim * n + k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All ranks get the diagonals, and the touches get their parts. */
static PetscErrorCode share_diagonals(CrCones *s)
{
  PetscInt dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  PetscCall(CrConesSum(s, dim * s->n, s->own));
  PetscCall(CrConesSum(s, dim * s->n, s->diagonal));
  for (PetscInt l = 0; l < s->n; l++) {
    CrConesTouch *at = &s->touches[PetscMax(s->which[l], 0)];

    if (s->which[l] < 0) continue;
    at->flexible = 0;
    for (PetscInt i = 0; i < dim; i++) {
      at->own[i] = s->own[dim * l + i];
      at->flexible += PetscAbsReal(at->own[i]) / dim;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesAssemble(CrCones *s, PetscBool *solved)
{
  PetscInt dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  list_part(s);
  list_here(s, gathers(s));
  *solved = PETSC_TRUE;
  if (gathers(s)) PetscCall(gather_rows(s));
  if (s->turns) PetscCall(CrConesTakeTurning(s, solved));
  if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscArrayzero(s->own, dim * s->n));
  PetscCall(PetscArrayzero(s->diagonal, dim * s->n));
  for (PetscInt g = 0; g < s->nislands; g++) PetscCall(assemble_island(s, g));
  PetscCall(share_diagonals(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- reactions -------------------------------------------------------------------------------- */

/* Adds the forces of all reactions to f, [place in part][direction]. */
static void add_forces(const CrCones *s, PetscReal *f)
{
  const CrConesOperators *all = s->operators;
  PetscInt                dim = s->contact->model->dim;

  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < all[l].n; a++)
      for (PetscInt j = 0; j < dim; j++)
        for (PetscInt i = 0; i < dim; i++)
          f[dim * all[l].place[a] + j] += s->r[l * dim + i] * all[l].column[a][j][i];
}

void CrConesDisplace(const CrCones *s, const PetscReal *force, PetscReal *y)
{
  const CrConesResponse *responses = s->responses;
  PetscInt               dim = s->contact->model->dim, m = s->nnodes * dim;

  for (PetscInt k = 0; k < s->npart; k++)
    for (PetscInt j = 0; j < dim; j++) {
      const PetscReal *x = responses[s->part[k]].x + j * m, f = s->ease * force[dim * k + j];

      for (PetscInt r = 0; r < m && f != 0; r++) y[r] += f * x[r];
    }
}

PetscErrorCode CrConesPush(CrCones *s)
{
  PetscInt dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(s->moved, s->nnodes * dim));
  PetscCall(PetscArrayzero(s->y, s->npart * dim));
  add_forces(s, s->y);
  CrConesPushBodies(s);
  CrConesDisplace(s, s->y, s->moved);
  if (s->turns) PetscCall(CrConesTurnPush(s));
  PetscCall(CrConesBring(s, s->moved, s->push));
  PetscFunctionReturn(PETSC_SUCCESS);
}

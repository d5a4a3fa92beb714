/* Computes the matrix W = B^T C B of the active contacts, from the responses C of the surface nodes (theory 17.3).
   Contacts share nodes, and most nodes of a surface belong to no active contact. So only the columns of C for nodes of
   active contacts are read. */
#include <string.h>
#include "base/isa.h"
#include "contact/cones/internal.h"

#define INLINE   static inline __attribute__((always_inline)) /* so that dim is a constant */
#define PAD(dim) ((dim) == 3 ? 4 : 2) /* room for the dim reactions of a touch: whole vectors */

/* The place of a node in the list of nodes of active touches; it is listed at its first call. */
static PetscInt place_of(CrCones *s, PetscInt index)
{
  if (s->place[index] < 0) {
    s->place[index] = s->npart;
    s->part[s->npart++] = index;
  }
  return s->place[index];
}

static void take_operators(CrCones *s, const CrTouch *touch, CrConesOperators *o)
{
  PetscInt dim = s->contact->model->dim;
  CrSpread spread;

  CrTouchSpread(s->contact, touch, &spread);
  o->n = spread.n;
  for (PetscInt n = 0; n < spread.n; n++) {
    const PetscReal part = spread.c[n];

    o->index[n] = s->index[spread.nodes[n]];
    o->place[n] = place_of(s, o->index[n]);
    o->of[n] = spread.column[n];
    o->part[n] = part;
    for (PetscInt j = 0; j < dim; j++)
      for (PetscInt i = 0, a = spread.column[n]; i < dim; i++) {
        o->column[n][j][3] = 0;
        o->row[n][j][i] = part * CrConesRow(s, touch, i)[dim * a + j];
        o->column[n][j][i] = part * (i ? touch->k.H[i - 1] : touch->k.G)[dim * a + j];
      }
  }
  o->body = CrConesBody(s, touch);
  for (PetscInt i = 0; o->body >= 0 && i < dim; i++) CrConesLever(s, touch, i, o->lever[i]);
}

static void list_operators(CrCones *s)
{
  CrConesOperators *all = s->operators;

  for (PetscInt k = 0; k < s->npart; k++) s->place[s->part[k]] = -1;
  s->npart = 0;
  for (PetscInt l = 0; l < s->n; l++)
    take_operators(s, &s->contact->work->touches[s->which[l]], &all[l]);
}

/* Computes the displacements y of the listed nodes under unit reactions of a touch: y[node][direction][reaction].
   */
INLINE void displace(const CrCones *s, const CrConesOperators *o, PetscInt dim, PetscReal *y)
{
  const PetscInt pad = PAD(dim), m = s->nnodes * dim;

  for (PetscInt k = 0; k < s->npart; k++) {
    PetscReal sum[12] = {0};

    for (PetscInt a = 0; a < o->n; a++)
      for (PetscInt j = 0; j < dim; j++) {
        const PetscReal *x = s->response[o->index[a]] + j * m + dim * s->part[k];

        for (PetscInt d = 0; d < dim; d++)
          for (PetscInt i = 0; i < pad; i++) sum[d * pad + i] += o->column[a][j][i] * x[d];
      }
    for (PetscInt i = 0; i < dim * pad; i++) y[k * dim * pad + i] = s->ease * sum[i];
  }
}

/* Computes the block of W for two touches: the changes of gap and slip (z) of one touch, with the operators o, under
   unit reactions of the other. y are the displacements of the nodes under these reactions. */
INLINE void block(const CrConesOperators *o, const PetscReal *y, PetscInt dim, PetscReal w[12])
{
  const PetscInt pad = PAD(dim);
  PetscReal      sum[12] = {0};

  for (PetscInt a = 0; a < o->n; a++)
    for (PetscInt j = 0; j < dim; j++)
      for (PetscInt i = 0; i < dim; i++)
        for (PetscInt c = 0; c < pad; c++)
          sum[i * pad + c] += o->row[a][j][i] * y[(o->place[a] * dim + j) * pad + c];
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

INLINE void assemble(CrCones *s, PetscInt dim)
{
  const CrConesOperators *all = s->operators;
  PetscInt                m = s->n * dim;
  PetscReal               w[12];

  for (PetscInt l = 0; l < s->n; l++) {
    displace(s, &all[l], dim, s->y);
    block(&all[l], s->y, dim, w);
    CrConesAddBody(s, &all[l], &all[l], PAD(dim), w);
    CrConesKeepOwn(s, l, PAD(dim), w);
    if (s->turns) CrConesTurnColumns(s, &all[l], PAD(dim), s->y);
    for (PetscInt k = 0; k < s->n; k++) {
      block(&all[k], s->y, dim, w);
      if (s->turns)
        add_body(s, &all[k], dim, w);
      else
        CrConesAddBody(s, &all[l], &all[k], PAD(dim), w);
      for (PetscInt c = 0; c < dim; c++)
        for (PetscInt i = 0; i < dim; i++)
          s->W[(l * dim + c) * m + k * dim + i] = w[i * PAD(dim) + c];
    }
  }
}

INLINE void assemble_any(CrCones *s)
{
  if (s->contact->model->dim == 2)
    assemble(s, 2);
  else
    assemble(s, 3);
}

static CR_TARGET_WIDE void assemble_wide(CrCones *s)
{
  assemble_any(s);
}

PetscErrorCode CrConesAssemble(CrCones *s, PetscBool *solved)
{
  PetscFunctionBeginUser;
  list_operators(s);
  *solved = PETSC_TRUE;
  if (s->turns) PetscCall(CrConesTakeTurning(s, solved));
  if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
  if (CrIsaGet() == CR_ISA_BASELINE)
    assemble_any(s);
  else
    assemble_wide(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the forces of all reactions to f, [node index][direction]. */
static void add_forces(const CrCones *s, PetscReal *f)
{
  const CrConesOperators *all = s->operators;
  PetscInt                dim = s->contact->model->dim;

  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt a = 0; a < all[l].n; a++)
      for (PetscInt j = 0; j < dim; j++)
        for (PetscInt i = 0; i < dim; i++)
          f[dim * all[l].index[a] + j] += s->r[l * dim + i] * all[l].column[a][j][i];
}

void CrConesDisplace(const CrCones *s, const PetscReal *force, PetscReal *y)
{
  PetscInt dim = s->contact->model->dim, m = s->nnodes * dim;

  for (PetscInt k = 0; k < s->npart; k++)
    for (PetscInt j = 0; j < dim; j++) {
      const PetscReal *x = s->response[s->part[k]] + j * m,
                      f = s->ease * force[dim * s->part[k] + j];

      for (PetscInt r = 0; r < m && f != 0; r++) y[r] += f * x[r];
    }
}

PetscErrorCode CrConesPush(CrCones *s)
{
  PetscInt m = s->nnodes * s->contact->model->dim;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(s->push, m));
  PetscCall(PetscArrayzero(s->y, m));
  add_forces(s, s->y);
  CrConesPushBodies(s);
  CrConesDisplace(s, s->y, s->push);
  if (s->turns) CrConesTurnPush(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

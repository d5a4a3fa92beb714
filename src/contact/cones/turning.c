/* The geometric stiffness of reactions that rotate with their facets (theory 17.4). A reaction r acts along B(u), so a
   correction d of the bodies changes its force by dB(u)[d] r = K d. Without this geometric stiffness K the iteration
   oscillates. It diverges if the reactions are large compared with the stiffness of the surface times the size of a
   facet. The matrix of the bodies does not change: K acts on the nodes in contact, for which the responses C of the
   bodies are known. A correction x without K becomes (1 - C K)^-1 x. */
#include <stdlib.h>
#include "base/gauss.h"
#include "base/grow.h"
#include "base/mail.h"
#include "contact/cones/active.h"
#include "contact/touch/dip.h"

PetscErrorCode CrConesCreateTurning(CrCones *s)
{
  CrConesTurning *t;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&t));
  PetscCall(PetscCalloc1(s->contact->model->nlocal * s->contact->model->dim, &t->extra));
  s->turning = t;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesDestroyTurning(CrCones *s)
{
  CrConesTurning *t = s->turning;

  PetscFunctionBeginUser;
  PetscCall(PetscFree(t->e));
  PetscCall(PetscFree(t->extra));
  PetscCall(PetscFree3(t->M, t->rows, t->x));
  PetscCall(PetscFree(t->turns));
  PetscCall(PetscFree(s->turning));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the stiffness of one touch --------------------------------------------------------------- */

static void turn_nodes(const CrCones *s, const CrTouch *touch, const CrConesOperators *o,
                       CrConesTurn *turn)
{
  const CrContact *c = s->contact;
  PetscInt         dim = c->model->dim;
  PetscReal        x[CR_CONTACT_DOFS], none[CR_CONTACT_DOFS] = {0};
  PetscReal        K[CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  PetscReal        part = touch->weight * (s->law.where == CR_WHERE_END ? 1 : 0.5);

  CrTouchGather(c, touch, s->at.u, x);
  CrPointTangent(&s->at, touch, x, none, none, K);
  turn->n = dim * o->n;
  for (PetscInt q = 0; q < turn->n; q++) turn->slot[q] = dim * o->place[q / dim] + q % dim;
  for (PetscInt q = 0; q < turn->n; q++)
    for (PetscInt r = 0; r < turn->n; r++)
      turn->K[q][r] = part * o->part[q / dim] * o->part[r / dim] *
                      K[dim * o->of[q / dim] + q % dim][dim * o->of[r / dim] + r % dim];
}

/* The lowest place of an edge over a facet moves, and the reaction with it. */
static void move_place(const CrCones *s, const CrTouch *touch, CrConesTurn *turn)
{
  PetscReal row[CR_DIP_DOFS], column[CR_DIP_DOFS];
  PetscReal factor =
      touch->weight * touch->out.p * CrDipTurn(s->contact, touch, &s->at, row, column);

  for (PetscInt q = 0; factor != 0 && q < CR_DIP_DOFS; q++)
    for (PetscInt r = 0; r < CR_DIP_DOFS; r++) turn->K[q][r] += factor * row[q] * column[r];
}

/* ---- all of them ------------------------------------------------------------------------------ */

static PetscErrorCode make_room(CrConesTurning *t, PetscInt n, PetscInt nslots)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(nslots, &t->room_e, &t->e));
  PetscCall(CrGrow(n, &t->room_n, &t->turns));
  if (nslots > t->room_slots) {
    t->room_slots = PetscMax(nslots, 2 * t->room_slots);
    PetscCall(PetscFree3(t->M, t->rows, t->x));
    PetscCall(PetscMalloc3(t->room_slots * t->room_slots, &t->M, t->room_slots, &t->rows,
                           4 * t->room_slots, &t->x));
  }
  t->n = 0;
  t->nslots = nslots;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* M -= C K of one touch. */
static void couple(CrCones *s, const CrConesTurn *turn, PetscReal *M)
{
  PetscInt dim = s->contact->model->dim, N = ((CrConesTurning *)s->turning)->nslots;
  PetscInt nodes = dim * s->npart, m;

  for (PetscInt r = 0; r < turn->n; r++) {
    PetscInt         slot = turn->slot[r], body = slot < nodes ? -1 : (slot - nodes) / 6;
    const PetscReal *column;

    if (body >= 0) {
      const PetscReal *C = s->flexibility + 36 * body;
      PetscInt         first = nodes + 6 * body;

      for (PetscInt i = 0; i < 6; i++)
        for (PetscInt q = 0; q < turn->n; q++)
          M[(first + i) * N + turn->slot[q]] -= C[6 * i + slot - first] * turn->K[r][q];
      continue;
    }
    column = CrConesTable(s, s->part[slot / dim], &m);
    column += slot % dim * m;
    for (PetscInt k = 0; k < nodes; k++) {
      const PetscReal c = s->ease * column[dim * s->here[k / dim] + k % dim];

      for (PetscInt q = 0; q < turn->n; q++) M[k * N + turn->slot[q]] -= c * turn->K[r][q];
    }
  }
}

static int by_contact(const void *a, const void *b)
{
  PetscInt p = ((const CrConesTurn *)a)->contact, q = ((const CrConesTurn *)b)->contact;

  return (p > q) - (p < q);
}

/* The stiffnesses of this rank's touches become those of all ranks, in the order of contacts. */
static PetscErrorCode gather(const CrCones *s, CrConesTurning *t)
{
  CrConesTurn *all;

  PetscFunctionBeginUser;
  PetscCall(CrGatherAll(s->contact->model->comm, t->n, sizeof *all, t->turns, &t->n, NULL, &all));
  qsort(all, (size_t)t->n, sizeof *all, by_contact);
  PetscCall(PetscArraycpy(t->turns, all, t->n));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesTakeTurning(CrCones *s, PetscBool *solved)
{
  CrConesTurning         *t = s->turning;
  const CrConesOperators *all = s->operators;
  PetscInt                dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  PetscCall(make_room(t, s->n, dim * s->npart + 6 * s->contact->model->rigid->n));
  for (PetscInt l = 0; l < s->n; l++) {
    const CrConesTouch *at = &s->touches[PetscMax(s->which[l], 0)];
    CrTouch             touch;

    if (!CrConesCounts(s, l) || at->kept[0] == 0 || all[l].body >= 0) continue;
    touch = s->contact->work->touches[s->which[l]];
    touch.out = (CrLawOutput){.p = at->kept[0], .t = {at->kept[1], at->kept[2]}};
    t->turns[t->n].contact = l;
    turn_nodes(s, &touch, &all[l], &t->turns[t->n]);
    if (s->contact->passes[touch.pass].kind == CR_EDGE_ON_FACET)
      move_place(s, &touch, &t->turns[t->n]);
    t->n++;
  }
  if (s->contact->division) PetscCall(gather(s, t));
  PetscCall(PetscArrayzero(t->M, t->nslots * t->nslots));
  for (PetscInt k = 0; k < t->nslots; k++) t->M[k * t->nslots + k] = 1;
  for (PetscInt k = 0; k < t->n; k++) couple(s, &t->turns[k], t->M);
  t->sign = CrGaussFactor(t->nslots, t->M, t->rows);
  *solved = t->sign != 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- displacements ---------------------------------------------------------------------------- */

void CrConesTurnColumns(CrCones *s, const CrConesOperators *by, PetscInt pad, PetscReal *y)
{
  const CrConesTurning *t = s->turning;
  PetscInt              dim = s->contact->model->dim, nodes = dim * s->npart;

  for (PetscInt k = nodes * pad; k < t->nslots * pad; k++) y[k] = 0;
  for (PetscInt i = 0; by->body >= 0 && i < 6; i++)
    for (PetscInt j = 0; j < 6; j++)
      for (PetscInt c = 0; c < dim; c++)
        y[(nodes + 6 * by->body + i) * pad + c] +=
            s->flexibility[36 * by->body + 6 * i + j] * by->lever[c][j];
  CrGaussSolve(t->nslots, t->M, t->rows, pad, y);
}

/* Replaces the displacements x of all slots by M^-1 x, and adds the forces K x of nodes to e. */
static void turn(const CrCones *s, PetscReal *x, PetscReal *e)
{
  const CrConesTurning *t = s->turning;
  PetscInt              nodes = s->contact->model->dim * s->npart;

  CrGaussSolve(t->nslots, t->M, t->rows, 1, x);
  for (PetscInt k = 0; k < t->n; k++) {
    const CrConesTurn *one = &t->turns[k];

    for (PetscInt q = 0; q < one->n; q++) {
      PetscInt slot = one->slot[q];

      if (slot >= nodes) continue;
      for (PetscInt r = 0; r < one->n; r++) e[slot] += one->K[q][r] * x[one->slot[r]];
    }
  }
}

/* Sets x to the displacements y of the nodes of active contacts, on all ranks. y is ordered by `nodes`. */
static PetscErrorCode take_nodes(const CrCones *s, const PetscReal *y, PetscReal *x)
{
  const CrConesResponse *responses = s->responses;
  PetscInt               dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < dim * s->npart; k++) {
    PetscInt row = responses[s->part[k / dim]].row;

    x[k] = row < 0 ? 0 : y[dim * row + k % dim];
  }
  PetscCall(CrConesSum(s, dim * s->npart, x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesTurnFree(CrCones *s, const PetscReal *d)
{
  CrConesTurning *t = s->turning;
  PetscInt        dim = s->contact->model->dim, nodes = dim * s->npart, m = dim * s->nnodes;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m; k++) s->moved[k] = s->ease * d[dim * s->nodes[k / dim] + k % dim];
  PetscCall(take_nodes(s, s->moved, t->x));
  for (PetscInt k = nodes; k < t->nslots; k++) t->x[k] = s->body_free[k - nodes];
  PetscCall(PetscArrayzero(t->e, nodes));
  PetscCall(PetscArrayzero(s->moved, m));
  turn(s, t->x, t->e);
  for (PetscInt k = nodes; k < t->nslots; k++) s->body_free[k - nodes] = t->x[k];
  CrConesDisplace(s, t->e, s->moved);
  PetscCall(CrConesBring(s, s->moved, t->extra));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesTurnPush(CrCones *s)
{
  CrConesTurning *t = s->turning;
  PetscInt        nodes = s->contact->model->dim * s->npart;
  PetscReal      *e = s->y;

  PetscFunctionBeginUser;
  PetscCall(take_nodes(s, s->moved, t->x));
  for (PetscInt k = nodes; k < t->nslots; k++) t->x[k] = s->body_push[k - nodes];
  PetscCall(PetscArrayzero(e, nodes));
  turn(s, t->x, e);
  for (PetscInt k = nodes; k < t->nslots; k++) s->body_push[k - nodes] = t->x[k];
  CrConesDisplace(s, e, s->moved);
  for (PetscInt k = 0; k < nodes; k++) t->e[k] += e[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

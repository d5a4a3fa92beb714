/* The geometric stiffness of reactions that rotate with their facets (theory 17.4). A reaction r acts along B(u), so a
   correction d of the bodies changes its force by dB(u)[d] r = K d. Without this geometric stiffness K the iteration
   oscillates. It diverges if the reactions are large compared with the stiffness of the surface times the size of a
   facet. The matrix of the bodies does not change: K acts on the nodes in contact, for which the responses C of the
   bodies are known. A correction x without K becomes (1 - C K)^-1 x. */
#include <string.h>
#include "base/gauss.h"
#include "base/grow.h"
#include "contact/cones/internal.h"
#include "contact/touch/dip.h"

PetscErrorCode CrConesCreateTurning(CrCones *s)
{
  CrConesTurning *t;
  PetscInt        m = s->nnodes * s->contact->model->dim;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&t));
  PetscCall(PetscCalloc2(m, &t->e, m, &t->extra));
  s->turning = t;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesDestroyTurning(CrCones *s)
{
  CrConesTurning *t = s->turning;

  PetscFunctionBeginUser;
  PetscCall(PetscFree2(t->e, t->extra));
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
  PetscInt nodes = dim * s->npart, m = dim * s->nnodes;

  for (PetscInt r = 0; r < turn->n; r++) {
    PetscInt slot = turn->slot[r], body = slot < nodes ? -1 : (slot - nodes) / 6;

    if (body >= 0) {
      const PetscReal *C = s->flexibility + 36 * body;
      PetscInt         first = nodes + 6 * body;

      for (PetscInt i = 0; i < 6; i++)
        for (PetscInt q = 0; q < turn->n; q++)
          M[(first + i) * N + turn->slot[q]] -= C[6 * i + slot - first] * turn->K[r][q];
      continue;
    }
    for (PetscInt k = 0; k < nodes; k++) {
      const PetscReal c =
          s->ease *
          s->response[s->part[slot / dim]][slot % dim * m + dim * s->part[k / dim] + k % dim];

      for (PetscInt q = 0; q < turn->n; q++) M[k * N + turn->slot[q]] -= c * turn->K[r][q];
    }
  }
}

PetscErrorCode CrConesTakeTurning(CrCones *s, PetscBool *solved)
{
  CrConesTurning         *t = s->turning;
  const CrConesOperators *all = s->operators;
  PetscInt                dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  PetscCall(make_room(t, s->n, dim * s->npart + 6 * s->contact->model->rigid->n));
  for (PetscInt l = 0; l < s->n; l++) {
    const CrConesTouch *at = &s->touches[s->which[l]];
    CrTouch             touch = s->contact->work->touches[s->which[l]];

    if (at->kept[0] == 0 || all[l].body >= 0) continue;
    touch.out = (CrLawOutput){.p = at->kept[0], .t = {at->kept[1], at->kept[2]}};
    turn_nodes(s, &touch, &all[l], &t->turns[t->n]);
    if (s->contact->passes[touch.pass].kind == CR_EDGE_ON_FACET)
      move_place(s, &touch, &t->turns[t->n]);
    t->n++;
  }
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
  PetscInt              dim = s->contact->model->dim, nodes = dim * s->npart;

  CrGaussSolve(t->nslots, t->M, t->rows, 1, x);
  for (PetscInt k = 0; k < t->n; k++) {
    const CrConesTurn *one = &t->turns[k];

    for (PetscInt q = 0; q < one->n; q++) {
      PetscInt slot = one->slot[q];

      if (slot >= nodes) continue;
      for (PetscInt r = 0; r < one->n; r++)
        e[dim * s->part[slot / dim] + slot % dim] += one->K[q][r] * x[one->slot[r]];
    }
  }
}

void CrConesTurnFree(CrCones *s, const PetscReal *d)
{
  CrConesTurning *t = s->turning;
  PetscInt        dim = s->contact->model->dim, nodes = dim * s->npart, m = dim * s->nnodes;

  for (PetscInt k = 0; k < nodes; k++)
    t->x[k] = s->ease * d[dim * s->nodes[s->part[k / dim]] + k % dim];
  for (PetscInt k = nodes; k < t->nslots; k++) t->x[k] = s->body_free[k - nodes];
  memset(t->e, 0, sizeof *t->e * (size_t)m);
  memset(t->extra, 0, sizeof *t->extra * (size_t)m);
  turn(s, t->x, t->e);
  for (PetscInt k = nodes; k < t->nslots; k++) s->body_free[k - nodes] = t->x[k];
  CrConesDisplace(s, t->e, t->extra);
}

void CrConesTurnPush(CrCones *s)
{
  CrConesTurning *t = s->turning;
  PetscInt        dim = s->contact->model->dim, nodes = dim * s->npart, m = dim * s->nnodes;
  PetscReal      *e = s->y;

  for (PetscInt k = 0; k < nodes; k++) t->x[k] = s->push[dim * s->part[k / dim] + k % dim];
  for (PetscInt k = nodes; k < t->nslots; k++) t->x[k] = s->body_push[k - nodes];
  memset(e, 0, sizeof *e * (size_t)m);
  turn(s, t->x, e);
  for (PetscInt k = nodes; k < t->nslots; k++) s->body_push[k - nodes] = t->x[k];
  CrConesDisplace(s, e, s->push);
  for (PetscInt k = 0; k < m; k++) t->e[k] += e[k];
}

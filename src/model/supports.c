/* Computes the prescribed motion in a step, and checks whether supports hold every body of a quasi-static analysis. */
#include "model/internal.h"

/* Without a support every dof is free, and nobody asks how it moves: 84 bytes of a node are saved. */
PetscErrorCode CrSupportsCreate(const CrModel *model, CrSupports *s)
{
  PetscInt n = model->nlocal * model->dim, held = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nconditions && !held; k++)
    held = model->conditions[k].kind <= CR_MOTION ? n : 0;
  PetscCall(PetscCalloc5(n, &s->fixed, held, &s->owner, held, &s->u, held, &s->v, held, &s->a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSupportsDestroy(CrSupports *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree5(s->fixed, s->owner, s->u, s->v, s->a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Motion of one component; u0: where it is at t. A prescribed displacement is measured from the
   start, a prescribed velocity moves on from where the node is. */
static void prescribe(const CrCondition *c, PetscInt i, PetscReal start, PetscReal t, PetscReal h,
                      PetscReal u0, PetscReal *u, PetscReal *v, PetscReal *a)
{
  PetscReal t1 = t + h, origin = c->from == PETSC_MIN_REAL ? 0 : c->from;

  *u = u0;
  *v = *a = 0;
  if (c->kind == CR_DISPLACEMENT) {
    *u = start + c->value[i] * CrFactorAt(&c->factor, t1);
    *v = c->value[i] * CrFactorSlope(&c->factor, t1);
    *a = c->value[i] * CrFactorCurvature(&c->factor, t1);
  }
  if (c->kind == CR_MOTION) {
    *u = u0 + h * (c->value[i] + c->acceleration[i] * (t + t1 - 2 * origin) / 2);
    *v = c->value[i] + c->acceleration[i] * (t1 - origin);
    *a = c->acceleration[i];
  }
}

PetscErrorCode CrSupportsAt(const CrModel *model, PetscReal t, PetscReal h, const PetscReal *u0,
                            CrSupports *s)
{
  PetscInt  dim = model->dim;
  PetscReal tm = t + h / 2;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(s->fixed, model->nlocal * dim));
  s->any = PETSC_FALSE;
  for (PetscInt k = 0; k < model->nconditions; k++) {
    const CrCondition *c = &model->conditions[k];

    if (c->kind > CR_MOTION || tm < c->from || tm > c->until) continue;
    s->any = PETSC_TRUE;
    for (PetscInt n = 0; n < c->nnodes; n++)
      for (PetscInt i = 0; i < dim; i++) {
        PetscInt r = c->nodes[n] * dim + i;

        if (!c->held[i]) continue;
        s->fixed[r] = 1;
        s->owner[r] = k;
        prescribe(c, i, c->start[n * dim + i], t, h, u0[r], &s->u[r], &s->v[r], &s->a[r]);
      }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- is every body held ------------------------------------------------------------------- */

#define MODES 6

static PetscInt count_modes(const CrModel *model)
{
  return model->axial ? 1 : model->dim == 2 ? 3 : 6;
}

/* Rigid modes about a centre: dim translations, then rotations; in axial symmetry, along the axis. */
static PetscInt rigid_modes(const CrModel *model, const PetscReal r[3], PetscReal mode[MODES][3])
{
  PetscInt dim = model->dim, n = 0;

  for (int k = 0; k < MODES; k++) mode[k][0] = mode[k][1] = mode[k][2] = 0;
  if (model->axial) {
    mode[0][1] = 1;
    return 1;
  }
  for (; n < dim; n++) mode[n][n] = 1;
  for (int axis = dim == 2 ? 2 : 0; axis < 3; axis++, n++) {
    mode[n][(axis + 1) % 3] = -r[(axis + 2) % 3];
    mode[n][(axis + 2) % 3] = r[(axis + 1) % 3];
  }
  return n;
}

/* Rank of a small symmetric positive semi-definite matrix by Cholesky with pivots. */
static PetscInt small_rank(PetscInt n, PetscReal G[MODES][MODES])
{
  PetscInt  rank = 0;
  PetscReal top = 0;

  for (PetscInt i = 0; i < n; i++) top = PetscMax(top, G[i][i]);
  for (; rank < n; rank++) {
    PetscInt p = 0;

    for (PetscInt i = 0; i < n; i++)
      if (G[i][i] > G[p][p]) p = i;
    if (!(G[p][p] > 1e-10 * top)) break;
    for (PetscInt i = 0; i < n; i++)
      for (PetscInt j = 0; j < n; j++)
        if (i != p && j != p) G[i][j] -= G[i][p] * G[p][j] / G[p][p];
    for (PetscInt i = 0; i < n; i++) G[i][p] = G[p][i] = 0;
  }
  return rank;
}

PetscErrorCode CrSupportsFreeMotions(const CrModel *model, PetscInt *free)
{
  PetscReal(*G)[MODES][MODES];
  CrSupports s;
  PetscInt   dim = model->dim, n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(model->nbodies, &G));
  PetscCall(CrSupportsCreate(model, &s));
  PetscCall(CrSupportsAt(model, 0, 0, s.u, &s));
  for (PetscInt A = 0; A < model->nowned; A++) {
    const CrBody *body = &model->bodies[model->node_body[A]];
    PetscReal     r[3] = {0}, mode[MODES][3];

    for (PetscInt i = 0; i < dim; i++)
      r[i] = (model->X[dim * A + i] - body->centroid[i]) / body->size;
    n = rigid_modes(model, r, mode);
    for (PetscInt i = 0; i < dim; i++)
      for (PetscInt a = 0; s.fixed[dim * A + i] && a < n; a++)
        for (PetscInt b = 0; b < n; b++) G[model->node_body[A]][a][b] += mode[a][i] * mode[b][i];
  }
  n = count_modes(model);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, G, (int)(model->nbodies * MODES * MODES), MPIU_REAL,
                             MPIU_SUM, model->comm));
  for (PetscInt b = 0; b < model->nbodies; b++) free[b] = n - small_rank(n, G[b]);
  PetscCall(CrSupportsDestroy(&s));
  PetscCall(PetscFree(G));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSupportsCheckStatic(const CrModel *model, const CrDeck *deck)
{
  PetscInt *free, open = 0, body = -1, n = count_modes(model);

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(model->nbodies, &free));
  PetscCall(CrSupportsFreeMotions(model, free));
  for (PetscInt b = 0; b < model->nbodies && body < 0; b++) {
    if (!free[b] || model->bodies[b].touches) continue; /* contact may hold it */
    body = b;
    open = free[b];
  }
  PetscCall(PetscFree(free));
  if (body >= 0)
    CrDeckFail(CrDeckItem(CrDeckFind(CrDeckRoot(deck), "bodies"), body),
               "quasi-static, but body \"%s\" is not held: its supports leave %" PetscInt_FMT
               " of %" PetscInt_FMT " rigid motions free",
               model->bodies[body].name, open, n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

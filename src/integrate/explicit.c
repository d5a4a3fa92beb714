/* Central differences (theory 12) with contact by multipliers on the rates after the step (EXD, theory 19,
   contact/multipliers/multipliers.h):
     v_{n+1/2} = v_{n-1/2} + h M^-1 (f_ext(t_n) - f_int(u_n) + f_c),   u_{n+1} = u_n + h v_{n+1/2}.
   The velocities of the state are those at t_{n-1/2}. At the start, the set-up computes v_{-1/2} = v_0 - (h/2) a_0. The
   energy at t_n is E_n = T(v_{n-1/2}) + U(u_n) - (h/2) f_n.v_{n-1/2}, where f is the internal force minus the weight.
   If the strain energy U is replaced by the internal work, which is the sum of (f_n + f_{n+1}).Du/2, then E_n - E_0 is
   the work of loads and supports up to round-off, for any step. E_n stays bounded even if the scheme is unstable. So an
   unstable run is recognised by its kinetic energy, which is compared with all energy that loads and initial conditions
   gave. If two steps have different sizes, the velocity update uses their mean: v_{n+1/2} - v_{n-1/2} = (h_- + h_+)/2
   a_n. Under large strain the critical step changes, and is computed again at intervals (bound.h). With `step: auto` a
   step above `safety` times the critical step fails, and the run halves it. If the user has given the step size, the
   run only prints a warning.

   A step without contact has one force evaluation, one update of ghosts and one sum over the ranks.
   contact/multipliers/rounds.h describes the messages of contact. */
#include "base/lazy.h"
#include "contact/multipliers/multipliers.h"
#include "integrate/bound.h"
#include "integrate/explicit_options.h"
#include "integrate/explicit_rigid.h"
#include "integrate/integrator.h"
#include "model/conditions.h"
#include "model/forces.h"
#include "model/reactions.h"
#include "model/vicinity.h"

#define UNSTABLE 100 /* times the energy put in */

typedef struct {
  CrExplicitOptions   options;
  CrMultipliers      *multipliers;      /* NULL: nothing touches; owned */
  CrMultiplierStep    contact;          /* the step as contact sees it */
  CrSupports          supports, last;   /* of this step and of the one before; owned */
  Vec                 trial_u, trial_v; /* change places with the state's vectors; owned */
  const PetscReal    *u0, *v0;          /* of the state: local dofs, from `open_arrays` to */
  PetscReal          *u1, *v1;          /*   `close_arrays`, as those of the trial state */
  PetscReal          *f, *f1;  /* internal forces at t_n and t_{n+1}, with room for ghosts; owned */
  PetscReal          *loads;   /* owned dofs; NULL: none; owned */
  PetscReal          *drag;    /* part of them by damping with mass; NULL: none; owned */
  PetscReal          *strain;  /* per body, owned */
  CrMultiplierWorks   works;   /* of contact, in this step */
  PetscReal          *rigid_a; /* accelerations of rigid bodies [6n], owned */
  CrExplicitRigidWork rigid_work;      /* of them, in this step */
  PetscReal          *sums, *greatest; /* what ranks add up at the end of a step; owned */
  PetscReal           h;               /* size of the step that made v_{n-1/2} */
  PetscReal           internal_work;   /* since the start */
  PetscReal           put_in;          /* energy at the start and absolute works since */
  PetscReal           shift;           /* of the kinetic energy, after step shift_n */
  PetscInt            shift_n;
  CrBound             bound; /* the element bound under large strain */
} Explicit;

/* ---- arrays ------------------------------------------------------------------------------- */

static PetscErrorCode open_arrays(Explicit *ex, const CrState *state)
{
  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &ex->u0));
  PetscCall(VecGetArrayRead(state->v, &ex->v0));
  PetscCall(VecGetArray(ex->trial_u, &ex->u1));
  PetscCall(VecGetArray(ex->trial_v, &ex->v1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_arrays(Explicit *ex, const CrState *state)
{
  PetscFunctionBeginUser;
  PetscCall(VecRestoreArrayRead(state->u, &ex->u0));
  PetscCall(VecRestoreArrayRead(state->v, &ex->v0));
  PetscCall(VecRestoreArray(ex->trial_u, &ex->u1));
  PetscCall(VecRestoreArray(ex->trial_v, &ex->v1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ghosts of an open vector of the trial state; the vector is closed meanwhile. */
static PetscErrorCode update_ghosts(const CrModel *model, Vec trial, PetscReal **array)
{
  PetscFunctionBeginUser;
  PetscCall(VecRestoreArray(trial, array));
  PetscCall(CrModelUpdateGhosts(model, trial));
  PetscCall(VecGetArray(trial, array));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a step ------------------------------------------------------------------------------- */

/* Forces of t_n act from the middle of the step before to that of this one. */
static PetscReal middle_of(const Explicit *ex, PetscReal t, PetscReal h)
{
  return t + (h - ex->h) / 4;
}

/* Damping by mass acts on the mean velocity of the step as it would be without contact:
   m (v1 - v0) = k (f - alpha m (v0 + v1)/2). Supports take no drag. */
static void drag(const Explicit *ex, const CrModel *model, PetscReal h)
{
  PetscReal kick = (ex->h + h) / 2;

  for (PetscInt k = 0; k < model->nowned * model->dim; k++) {
    PetscReal m = model->row_mass[k / model->dim], alpha = CrDragOf(model, k / model->dim);
    PetscReal a = model->gravity[k % model->dim] + (ex->loads[k] - ex->f[k]) / m;

    ex->drag[k] = -alpha * m * (ex->v0[k] + kick / 2 * a) / (1 + alpha * kick / 2);
    if (ex->supports.fixed[k] || ex->last.fixed[k]) ex->drag[k] = 0;
    ex->loads[k] += ex->drag[k];
  }
}

/* ex->loads: those of a step h from t on, at u0; there is no such array where there are no loads. */
static PetscErrorCode load(Explicit *ex, const CrModel *model, PetscReal t, PetscReal h)
{
  PetscFunctionBeginUser;
  if (!ex->loads) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscArrayzero(ex->loads, model->nowned * model->dim));
  PetscCall(CrLoadsAddOver(model, middle_of(ex, t, h), (ex->h + h) / 2, ex->u0, ex->loads));
  if (ex->drag) drag(ex, model, h);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes in free flight, with the dimension as a constant; loads: NULL, none. The arrays are
   longer than the cache of large models: every one that is not read makes a step shorter. */
static inline void fly(const PetscInt DIM, const Explicit *ex, const CrModel *model, PetscReal h)
{
  const PetscReal *f = ex->f, *loads = ex->loads, *u0 = ex->u0, *v0 = ex->v0;
  PetscReal        kick = (ex->h + h) / 2, *restrict u1 = ex->u1, *restrict v1 = ex->v1;

  for (PetscInt A = 0; A < model->nowned; A++) {
    PetscReal over = kick / model->row_mass[A];

    for (PetscInt i = 0; i < DIM; i++) {
      PetscInt k = DIM * A + i;

      v1[k] = v0[k] + kick * model->gravity[i] + over * ((loads ? loads[k] : 0) - f[k]);
      u1[k] = u0[k] + h * v1[k];
    }
  }
}

/* Supports lead their dofs; what was held until t_n sets out from there with half a step of its own. */
static void lead(const Explicit *ex, const CrModel *model, PetscReal h)
{
  PetscInt   dim = model->dim;
  PetscReal *u1 = ex->u1, *v1 = ex->v1;

  for (PetscInt k = 0; k < model->nowned * dim; k++)
    if (ex->supports.fixed[k]) {
      u1[k] = ex->supports.u[k];
      v1[k] = (u1[k] - ex->u0[k]) / h;
    } else if (ex->last.fixed[k]) {
      PetscReal outer = ex->loads ? ex->loads[k] : 0;

      v1[k] = ex->last.v[k] +
              h / 2 * (model->gravity[k % dim] + (outer - ex->f[k]) / model->row_mass[k / dim]);
      u1[k] = ex->u0[k] + h * v1[k];
    }
}

/* Velocities and positions of the trial state, without contact. */
static PetscErrorCode predict(Explicit *ex, const CrModel *model, const CrState *state, PetscReal h)
{
  PetscFunctionBeginUser;
  PetscCall(CrSupportsAt(model, state->t, h, ex->u0, &ex->supports));
  PetscCall(load(ex, model, state->t, h));
  if (model->dim == 2)
    fly(2, ex, model, h);
  else
    fly(3, ex, model, h);
  if (ex->supports.any || ex->last.any) lead(ex, model, h);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Moves the ghosts that this rank needs at present. The values of other ghosts stay out of date. */
static void move_ghosts(const Explicit *ex, const CrModel *model, PetscReal h)
{
  const PetscInt *nodes, n = CrVicinityNodes(model->live, &nodes), dim = model->dim;
  const char     *fixed = ex->contact.fixed;

  for (PetscInt k = 0; k < n; k++)
    for (PetscInt r = dim * nodes[k]; r < dim * (nodes[k] + 1); r++)
      ex->u1[r] = fixed && fixed[r] ? ex->supports.u[r] : ex->u0[r] + h * ex->v1[r];
}

/* Contact changes velocities of its nodes, and so where they go. With the ghosts of v* here, those of
   the end follow without another exchange. */
static PetscErrorCode touch(Explicit *ex, const CrModel *model, const CrState *state, PetscReal h,
                            CrStepReport *report)
{
  CrMultiplierStep *step = &ex->contact;
  PetscBool         too_far;

  PetscFunctionBeginUser;
  PetscCall(update_ghosts(model, ex->trial_v, &ex->v1));
  step->u0 = ex->u0;
  step->v0 = ex->v0;
  step->fixed = ex->supports.any ? ex->supports.fixed : NULL;
  step->rigid = state->rigid;
  step->t = state->t;
  step->h = h;
  step->h0 = ex->h;
  step->kick = (ex->h + h) / 2;
  CrRigidAccelerationsOver(model, middle_of(ex, state->t, h), step->kick, ex->rigid_a);
  step->rigid_a = ex->rigid_a;
  CrTimed(model->watch, CR_PART_CONTACT,
          CrMultipliersSolve(ex->multipliers, step, ex->v1, &report->iterations, &too_far));
  if (too_far) report->reason = CR_FAIL_METHOD;
  move_ghosts(ex, model, h);
  CrMultipliersMove(ex->multipliers, step, ex->v1, ex->u1);
  CrTimed(model->watch, CR_PART_CONTACT,
          CrMultipliersWork(ex->multipliers, step, ex->v1, &ex->works));
  CrExplicitRigidWorks(model, state->rigid, CrMultipliersRigidEnd(ex->multipliers), ex->rigid_a, h,
                       ex->h, &ex->rigid_work);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode advance(Explicit *ex, const CrModel *model, const CrState *state, PetscReal h,
                              CrStepReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(predict(ex, model, state, h));
  if (ex->multipliers)
    PetscCall(touch(ex, model, state, h, report));
  else
    PetscCall(update_ghosts(model, ex->trial_u, &ex->u1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum {
  EXTERNAL,
  INTERNAL,
  PUT_IN,
  KINETIC,
  SHIFT,
  DRAG,
  OBSTACLES, /* works of contact, as in CrMultiplierWorks */
  OBSTACLES_SIZE,
  NORMAL,
  LEAST, /* det F, a minimum */
  SUMS
};

/* The sums over owned dofs: works of the step, by the mean velocity; the reaction of a support is what
   its dof lacks. Where the size of steps changes, forces act for the mean of both while the
   trapezoidal rule and the shift of the kinetic energy know one each: the internal work takes the
   difference (theory 12.2). force: of contact, NULL: none. Constants: dimension; whether there are
   loads or supports. */
static inline void sum_dofs(const PetscInt DIM, const PetscBool OUTER, const Explicit *ex,
                            const CrModel *model, PetscReal h, const PetscReal *force,
                            PetscReal sums[SUMS])
{
  const PetscReal *f = ex->f, *f1 = ex->f1, *loads = ex->loads, *v0 = ex->v0, *v1 = ex->v1;
  PetscReal        kick = (ex->h + h) / 2, change = (h - ex->h) / 4, part[LEAST][3] = {{0}};

  for (PetscInt A = 0; A < model->nowned; A++)
    for (PetscInt i = 0; i < DIM; i++) { /* sums by direction do not wait for one another */
      PetscInt  k = DIM * A + i;
      PetscReal m = model->row_mass[A], weight = m * model->gravity[i], inner = f[k] - weight;
      PetscReal outside = OUTER && loads ? loads[k] : 0, gain = v1[k] - v0[k];

      if (OUTER && (ex->supports.fixed[k] || ex->last.fixed[k]))
        outside = m * gain / kick + inner - (force ? force[k] : 0);
      if (OUTER) part[EXTERNAL][i] += outside * (v0[k] + v1[k]);
      if (OUTER && ex->drag) part[DRAG][i] -= ex->drag[k] * (v0[k] + v1[k]);
      part[INTERNAL][i] += h / 2 * (f[k] + f1[k]) * v1[k] - change * inner * gain;
      part[PUT_IN][i] += (PetscAbsReal(outside) + PetscAbsReal(weight)) *
                         PetscMax(PetscAbsReal(v0[k]), PetscAbsReal(v1[k]));
      part[KINETIC][i] += m * v1[k] * v1[k];
      part[SHIFT][i] += (f1[k] - weight) * v1[k]; /* see kinetic_shift */
    }
  for (int i = 0; i < DIM; i++) {
    sums[EXTERNAL] += kick / 2 * part[EXTERNAL][i];
    sums[DRAG] += kick / 2 * part[DRAG][i];
    sums[INTERNAL] += part[INTERNAL][i];
    sums[PUT_IN] += kick * part[PUT_IN][i];
    sums[KINETIC] += part[KINETIC][i] / 2;
    sums[SHIFT] -= h / 2 * part[SHIFT][i];
  }
}

typedef struct {
  const Explicit  *ex;
  const CrModel   *model;
  PetscReal        kick;
  const PetscReal *force; /* of contact */
} Balance;

/* What a dof that is held, or was until t_n, lacks. */
static CrDofReaction reaction_of(const void *ctx, PetscInt k)
{
  const Balance  *b = ctx;
  const Explicit *ex = b->ex;
  PetscInt        dim = b->model->dim;
  PetscReal       m = b->model->row_mass[k / dim], gain = ex->v1[k] - ex->v0[k];
  PetscReal       outer = (ex->loads ? ex->loads[k] : 0) + (b->force ? b->force[k] : 0);
  PetscReal       lack = m * gain / b->kick + ex->f[k] - m * b->model->gravity[k % dim] - outer;

  return (CrDofReaction){lack, b->kick * lack, b->kick / 2 * lack * (ex->v0[k] + ex->v1[k])};
}

static void react(const Explicit *ex, const CrModel *model, PetscReal h, const PetscReal *force,
                  CrReactions *reactions, CrStepReport *report)
{
  const Balance balance = {ex, model, (ex->h + h) / 2, force};

  CrReactionsEnterSupports(reactions, model, &ex->supports, &ex->last, ex->u0, reaction_of,
                           &balance);
  report->impulse_now = balance.kick;
}

/* The sums of this rank: those above, those of the audit, the ledger of contact. */
static void pack(Explicit *ex, const CrModel *model, PetscReal h, const PetscReal *force,
                 PetscReal least, const CrTally *tally)
{
  PetscBool  outer = ex->loads || ex->supports.any || ex->last.any;
  PetscReal *sums = ex->sums;

  for (int i = 0; i < SUMS; i++) sums[i] = 0;
  if (model->dim == 2)
    sum_dofs(2, PETSC_TRUE, ex, model, h, force, sums);
  else if (outer)
    sum_dofs(3, PETSC_TRUE, ex, model, h, force, sums);
  else
    sum_dofs(3, PETSC_FALSE, ex, model, h, force, sums);
  sums[OBSTACLES] = ex->works.obstacles;
  sums[OBSTACLES_SIZE] = ex->works.obstacles_size;
  sums[NORMAL] = ex->works.normal;
  ex->greatest[0] = least == least ? -least : 1; /* NaN: a maximum would lose it */
  CrAuditSum(model, ex->u1, ex->v1, ex->strain, sums + SUMS);
  if (tally) CrTallyPack(tally, sums + SUMS + CrAuditSumCount(model), ex->greatest + 1);
}

/* Adds up the sums of all ranks. */
static PetscErrorCode exchange(Explicit *ex, const CrModel *model, CrTally *tally)
{
  PetscInt    n = SUMS + CrAuditSumCount(model);
  PetscMPIInt count, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  if (size > 1) {
    PetscCall(PetscMPIIntCast(n + (tally ? CrTallySumCount(tally) : 0), &count));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, ex->sums, count, MPIU_REAL, MPIU_SUM, model->comm));
    PetscCall(PetscMPIIntCast(1 + (tally ? CrTallyGreatestCount(tally) : 0), &count));
    PetscCallMPI(
        MPI_Allreduce(MPI_IN_PLACE, ex->greatest, count, MPIU_REAL, MPIU_MAX, model->comm));
  }
  ex->sums[LEAST] = -ex->greatest[0];
  if (tally) CrTallyUnpack(tally, ex->sums + n, ex->greatest + 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The works of the step and the sums of the audit, the same on every rank; lent until the next step. */
static PetscErrorCode works(Explicit *ex, const CrModel *model, const CrState *state, PetscReal h,
                            const PetscReal *force, PetscReal least)
{
  PetscReal *s = ex->sums;
  CrTally   *tally = NULL;

  PetscFunctionBeginUser;
  if (ex->multipliers)
    tally = CrMultipliersCount(ex->multipliers, &ex->contact, ex->u1, state->contact);
  pack(ex, model, h, force, least, tally);
  PetscCall(exchange(ex, model, tally));
  s[EXTERNAL] += s[OBSTACLES] + ex->rigid_work.external; /* every rank has all rigid bodies */
  s[PUT_IN] += s[OBSTACLES_SIZE] + ex->rigid_work.put_in;
  s[INTERNAL] += ex->rigid_work.internal;
  s[KINETIC] += ex->rigid_work.kinetic;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers that are none, elements inside out, energy out of nothing. */
static void judge(Explicit *ex, const PetscReal sums[SUMS], CrStepReport *report)
{
  if (sums[KINETIC] > UNSTABLE * (ex->put_in + sums[PUT_IN]))
    report->reason = CR_FAIL_UNSTABLE;
  else if (!(sums[LEAST] > 0))
    report->reason = CR_FAIL_INVERTED;
  else if (PetscIsInfOrNanReal(sums[KINETIC]) || PetscIsInfOrNanReal(sums[INTERNAL]))
    report->reason = CR_FAIL_NOT_A_NUMBER;
  else
    ex->bound.least_det = sums[LEAST];
}

/* The trial state becomes the state: vectors, forces and supports change places. */
static void accept(Explicit *ex, CrState *state, PetscReal h, const PetscReal sums[SUMS])
{
  Vec        u = state->u, v = state->v;
  PetscReal *f = ex->f;
  CrSupports s = ex->last;

  ex->last = ex->supports;
  ex->supports = s;

  state->u = ex->trial_u;
  state->v = ex->trial_v;
  ex->trial_u = u;
  ex->trial_v = v;
  ex->f = ex->f1;
  ex->f1 = f;
  ex->h = h;
  ex->internal_work += sums[INTERNAL];
  ex->put_in += sums[PUT_IN];
  state->t += h;
  state->n++;
  ex->shift = sums[SHIFT];
  ex->shift_n = state->n;
}

/* From the state to a trial state that has been judged; ex->sums: of `works`. */
static PetscErrorCode attempt(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                              CrStepReport *report)
{
  Explicit  *ex = it->data;
  PetscReal *force = it->contact ? it->contact->picture->force : NULL;

  PetscFunctionBeginUser;
  PetscCall(advance(ex, model, state, h, report));
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrModelForceObserve(model, state, ex->u1, ex->f1, ex->strain, &report->least_det));
  PetscCall(CrBulkForce(model, state, ex->u0, ex->u1, h, ex->f1));
  PetscCall(works(ex, model, state, h, force, report->least_det));
  judge(ex, ex->sums, report);
  react(ex, model, h, force, state->reactions, report);
  if (report->reason < 0 || !ex->multipliers) PetscFunctionReturn(PETSC_SUCCESS);
  CrMultipliersCommit(ex->multipliers, &ex->contact, state->contact, report);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Explicit  *ex = it->data;
  PetscReal *sums = ex->sums;

  PetscFunctionBeginUser;
  if (CrBoundIsBelow(&ex->bound, state->t, h) && ex->bound.automatic) {
    report->reason = CR_FAIL_UNSTABLE;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(open_arrays(ex, state));
  PetscCall(attempt(it, model, state, h, report));
  PetscCall(close_arrays(ex, state));
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (ex->multipliers)
    PetscCall(CrRigidStateCopy(CrMultipliersRigidEnd(ex->multipliers), state->rigid));
  report->least_det = sums[LEAST];
  report->contact_work = sums[NORMAL];
  accept(ex, state, h, sums);
  PetscCall(CrBulkAccept(model, state));
  PetscCall(CrBoundFollow(&ex->bound, model, state, h));
  report->strain = ex->strain;
  report->sums = model->all_lumped ? sums + SUMS : NULL;
  report->drag = sums[DRAG];
  report->external_work = sums[EXTERNAL] + sums[DRAG]; /* drag is no load of the deck */
  report->counts_internal = PETSC_TRUE;
  report->internal_work = ex->internal_work;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* -(h/2) f.v, f = internal force minus weight. */
static PetscErrorCode kinetic_shift(CrIntegrator *it, const CrModel *model, const CrState *state,
                                    PetscReal *shift)
{
  Explicit        *ex = it->data;
  PetscInt         dim = model->dim;
  const PetscReal *v;
  PetscReal        sum = 0;

  PetscFunctionBeginUser;
  if (state->n > 0 && ex->shift_n == state->n)
    *shift = ex->shift; /* the step has summed it up */
  else {
    PetscCall(VecGetArrayRead(state->v, &v));
    for (PetscInt k = 0; k < model->nowned * dim; k++)
      sum -= ex->h / 2 * (ex->f[k] - model->row_mass[k / dim] * model->gravity[k % dim]) * v[k];
    PetscCall(VecRestoreArrayRead(state->v, &v));
    PetscCallMPI(MPI_Allreduce(&sum, shift, 1, MPIU_REAL, MPIU_SUM, model->comm));
  }
  *shift += CrExplicitRigidShift(model, state->rigid, ex->h);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Contact needs the masses of ghosts too. */
static PetscErrorCode create_multipliers(Explicit *ex, const CrModel *model, CrContact *contact,
                                         CrState *state)
{
  PetscReal *inverse;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(model->nlocal, &inverse));
  PetscCall(CrModelNodeMasses(model, inverse));
  for (PetscInt A = 0; A < model->nlocal; A++) inverse[A] = 1 / inverse[A];
  PetscCall(CrMultipliersCreate(contact, &ex->options.contact, inverse, state->contact,
                                &ex->multipliers));
  PetscCall(PetscFree(inverse));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Internal forces at the state's positions. */
static PetscErrorCode renew_forces(Explicit *ex, const CrModel *model, const CrState *state)
{
  PetscReal least;

  PetscFunctionBeginUser;
  PetscCall(CrModelForceObserve(model, state, ex->u0, ex->f, ex->strain, &least));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Accelerations of the start in ex->v1; supports by their own, contact lets none close what is
   closed. */
static PetscErrorCode first_accelerations(Explicit *ex, const CrModel *model, const CrState *state)
{
  PetscInt   dim = model->dim;
  PetscReal *a = ex->v1;

  PetscFunctionBeginUser;
  PetscCall(CrSupportsAt(model, state->t, 0, ex->u0, &ex->supports));
  PetscCall(load(ex, model, state->t, ex->h));
  for (PetscInt k = 0; k < model->nowned * dim; k++)
    a[k] = ex->supports.fixed[k]
               ? 0
               : model->gravity[k % dim] +
                     ((ex->loads ? ex->loads[k] : 0) - ex->f[k]) / model->row_mass[k / dim];
  CrRigidAccelerationsOver(model, state->t, ex->h, ex->rigid_a);
  for (PetscInt b = model->rigid->n - 1; b >= 0; b--) /* with room for rates of rotation */
    for (int i = 5; i >= 0; i--) ex->rigid_a[6 * b + i] = i < 3 ? ex->rigid_a[3 * b + i] : 0;
  if (ex->multipliers) {
    PetscCall(update_ghosts(model, ex->trial_v, &ex->v1));
    a = ex->v1;
    PetscCall(CrMultipliersStart(ex->multipliers, state->contact, ex->u0, ex->supports.fixed,
                                 state->t, state->rigid, a, ex->rigid_a));
  }
  for (PetscInt k = 0; k < model->nowned * dim; k++)
    if (ex->supports.fixed[k]) a[k] = ex->supports.a[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* v_{-1/2} = v_0 - (h/2) a_0; also what energy there is at the start. */
static PetscErrorCode step_back(Explicit *ex, const CrModel *model, CrState *state)
{
  PetscInt  dim = model->dim;
  PetscReal energy = 0;

  PetscFunctionBeginUser;
  PetscCall(open_arrays(ex, state));
  PetscCall(renew_forces(ex, model, state));
  PetscCall(first_accelerations(ex, model, state));
  for (PetscInt k = 0; k < model->nowned * dim; k++) {
    energy += model->row_mass[k / dim] * ex->v0[k] * ex->v0[k] / 2;
    ex->v1[k] = ex->v0[k] - ex->h / 2 * ex->v1[k];
  }
  for (PetscInt b = 0; b < model->nbodies; b++) energy += ex->strain[b];
  PetscCall(close_arrays(ex, state));
  PetscCall(VecCopy(ex->trial_v, state->v));
  PetscCall(CrModelUpdateGhosts(model, state->v));
  PetscCallMPI(MPI_Allreduce(&energy, &ex->put_in, 1, MPIU_REAL, MPIU_SUM, model->comm));
  CrExplicitRigidStart(model, state->rigid, ex->rigid_a, ex->h, &ex->put_in);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create_sums(Explicit *ex, const CrModel *model, const CrContact *contact)
{
  const CrTally *tally = ex->multipliers ? &contact->picture->tally : NULL;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(SUMS + CrAuditSumCount(model) + (tally ? CrTallySumCount(tally) : 0),
                         &ex->sums, 1 + (tally ? CrTallyGreatestCount(tally) : 0), &ex->greatest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  Explicit *ex = it->data;

  PetscFunctionBeginUser;
  CrExplicitOptionsRead(time, &ex->options);
  ex->bound.safety = ex->options.safety;
  ex->bound.automatic = ex->options.automatic;
  ex->h = it->first_step;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Explicit *ex = it->data;
  PetscInt  n = model->nowned * model->dim;

  PetscFunctionBeginUser;
  PetscCall(CrSupportsCreate(model, &ex->supports));
  PetscCall(CrSupportsCreate(model, &ex->last));
  PetscCall(CrModelCreateVec(model, &ex->trial_u));
  PetscCall(CrModelCreateVec(model, &ex->trial_v));
  PetscCall(CrLazyCreate(model->nlocal * model->dim, &ex->f));
  PetscCall(CrLazyCreate(model->nlocal * model->dim, &ex->f1));
  PetscCall(PetscCalloc1(model->nbodies, &ex->strain));
  if (CrLoadsExist(model) || model->drags) PetscCall(PetscCalloc1(n, &ex->loads));
  if (model->drags) PetscCall(PetscCalloc1(n, &ex->drag));
  PetscCall(PetscCalloc1(6 * model->rigid->n, &ex->rigid_a));
  PetscCall(CrExplicitRigidCheck(model, it->contact));
  if (it->contact && !model->nbodies)
    PetscCall(CrContactAddPoints(it->contact, CR_POINT_ON_WALL, state));
  if (it->contact && model->nbodies && model->rigid->n)
    PetscCall(CrContactAddPoints(it->contact, CR_POINT_ON_FACET, state));
  if (model->rigid->n) CrExplicitPreferAccelerated(&ex->options);
  if (it->contact && (it->contact->npasses || model->rigid->n))
    PetscCall(create_multipliers(ex, model, it->contact, state));
  PetscCall(create_sums(ex, model, it->contact));
  PetscCall(step_back(ex, model, state));
  PetscCall(CrBoundStart(&ex->bound, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *list)
{
  Explicit *ex = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(list, "explicit.last_step", 1, &ex->h));
  PetscCall(CrArchiveAddReals(list, "explicit.internal_work", 1, &ex->internal_work));
  PetscCall(CrArchiveAddReals(list, "explicit.put_in", 1, &ex->put_in));
  PetscCall(
      CrArchiveAddReals(list, "explicit.bound_seen", CR_BOUND_REALS, (PetscReal *)&ex->bound.seen));
  if (it->remembers) PetscCall(CrArchiveAddNodal(list, "explicit.internal", ex->f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces at the state, unless they were in the checkpoint, and what supports held in the step before. */
static PetscErrorCode resume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  Explicit *ex = it->data;

  PetscFunctionBeginUser;
  PetscCall(open_arrays(ex, state));
  if (!it->remembers) PetscCall(renew_forces(ex, model, state));
  if (ex->multipliers)
    PetscCall(CrMultipliersResume(ex->multipliers, ex->u0, state->rigid, state->t));
  if (state->n > 0) PetscCall(CrSupportsAt(model, state->t - ex->h, ex->h, ex->u0, &ex->last));
  PetscCall(close_arrays(ex, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  Explicit *ex = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrMultipliersDestroy(&ex->multipliers));
  PetscCall(PetscFree(ex->rigid_a));
  PetscCall(CrSupportsDestroy(&ex->supports));
  PetscCall(CrSupportsDestroy(&ex->last));
  PetscCall(VecDestroy(&ex->trial_u));
  PetscCall(VecDestroy(&ex->trial_v));
  PetscCall(CrLazyDestroy(&ex->f));
  PetscCall(CrLazyDestroy(&ex->f1));
  PetscCall(PetscFree(ex->loads));
  PetscCall(PetscFree(ex->drag));
  PetscCall(PetscFree(ex->strain));
  PetscCall(PetscFree2(ex->sums, ex->greatest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_explicit = {
    .name = "explicit",
    .citation =
        "central differences (Courant, Friedrichs and Lewy 1928), iterated multipliers [EXD]",
    .help =
        "explicit central differences with lumped mass; Lagrange multipliers enforce contact; `step: auto` is possible",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_SECOND_ORDER,
    .accepts = CR_DRAG | CR_DEFORMABLE | CR_RIGID | CR_PARTNERS | CR_CONTACT | CR_AUTO_STEP,
    .data_size = sizeof(Explicit),
    .options = CrExplicitKeys,
    .configure = configure,
    .setup = setup,
    .step = step,
    .kinetic_shift = kinetic_shift,
    .archive = archive,
    .resume = resume,
    .destroy = destroy,
};

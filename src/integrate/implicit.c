#include <math.h>
#include "integrate/implicit.h"
#include "solve/blocks.h"
#include "model/forces.h"

static void restart(void *ctx, PetscBool search)
{
  CrImplicit *im = ctx;

  im->fresh = PETSC_TRUE;
  im->now = im->next;
  im->next = PETSC_FALSE;
  im->continues = im->iterate && !search && (im->step.model->quasi_static || im->led);
  if (!im->contact) return;
  CrContactRestart(im->contact);
  im->contact->work->loose = !im->contact->work->loose;
}

PetscErrorCode CrForcesCreate(const CrModel *model, CrForces *f)
{
  PetscInt n = model->nowned * model->dim;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc4(n, &f->internal, n, &f->loads, n, &f->inertia, n, &f->touch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrForcesDestroy(CrForces *f)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree4(f->internal, f->loads, f->inertia, f->touch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Norm of the masses at all dofs, over all ranks. */
static PetscErrorCode mass_norm(const CrModel *model, PetscReal *norm)
{
  PetscReal sum = 0;

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < model->nowned; A++)
    sum += (PetscReal)model->dim * PetscSqr(model->row_mass[A]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPIU_REAL, MPIU_SUM, model->comm));
  *norm = model->quasi_static ? 0 : PetscSqrtReal(sum);
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define CR_STIFF_VOLUME 50 /* modulus of volume over that of shear */

/* Where an element has a mean volume, Newton continues its pressure from iterate to iterate. */
static PetscErrorCode make_room_for_iterate(const CrModel *model, CrImplicit *im)
{
  PetscBool any = PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    PetscBool             mean = b->split && b->volume_part < 1;

    any |= mean;
    im->stiff |= mean && b->material->lambda > CR_STIFF_VOLUME * b->material->shear;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &im->stiff, 1, MPIU_BOOL, MPI_LOR, model->comm));
  if (any) PetscCall(PetscMalloc1(model->nlocal * model->dim, &im->iterate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitCreate(CrIntegrator *it, const CrModel *model, CrImplicit *im)
{
  PetscFunctionBeginUser;
  PetscCall(CrModelCreateMatrix(model, &im->A));
  PetscCall(CrNewtonCreate(im->A, model->prototype, model->dim, !model->quasi_static && !im->many,
                           it->tolerance, &it->newton));
  PetscCall(CrSupportsCreate(model, &im->supports));
  PetscCall(CrSupportsCreate(model, &im->last));
  PetscCall(CrStepArraysCreate(model, &im->step));
  PetscCall(CrModelCreateVec(model, &im->predictor));
  PetscCall(CrModelCreateVec(model, &im->fallback));
  PetscCall(CrForcesCreate(model, &im->f));
  PetscCall(PetscCalloc2(model->nowned * model->dim, &im->weight, model->nbodies, &im->strain));
  im->contact = it->contact;
  if (model->drags) PetscCall(PetscCalloc1(model->nowned * model->dim, &im->drag));
  CrNewtonSetRestart(it->newton, restart, im);
  PetscCall(make_room_for_iterate(model, im));
  CrGravityAdd(model, im->weight);
  PetscCall(CrModelStiffest(model, &im->stiffest));
  PetscCall(mass_norm(model, &im->masses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitDestroy(CrImplicit *im)
{
  PetscFunctionBeginUser;
  PetscCall(MatDestroy(&im->A));
  PetscCall(CrSupportsDestroy(&im->supports));
  PetscCall(CrSupportsDestroy(&im->last));
  PetscCall(CrStepArraysDestroy(&im->step));
  PetscCall(VecDestroy(&im->predictor));
  PetscCall(VecDestroy(&im->fallback));
  PetscCall(CrForcesDestroy(&im->f));
  PetscCall(PetscFree2(im->weight, im->strain));
  PetscCall(PetscFree(im->drag));
  PetscCall(PetscFree(im->iterate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitTangent(CrImplicit *im, CrForceKind kind, PetscReal mass, Mat A)
{
  const CrStepArrays *s = &im->step;
  const PetscReal    *u0 = kind == CR_FORCE_CONSERVING ? s->u0 : NULL;
  CrTangentAt         at = {.kind = kind, .u0 = u0, .u1 = s->u1};

  PetscFunctionBeginUser;
  if (im->continues) { /* supports may have moved far, so a rung begins with the pressure of t_n */
    at.before = im->fresh ? s->u0 : im->iterate;
    at.reached = im->fresh && !im->now ? s->u0 : s->u1;
  }
  PetscCall(CrModelTangentAt(s->model, s->state, &at, 1, mass, A));
  if (im->continues) PetscCall(PetscArraycpy(im->iterate, s->u1, s->model->nlocal * s->model->dim));
  im->fresh = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_prescribed(const CrImplicit *im, Vec u)
{
  const CrModel *model = im->step.model;
  PetscReal     *a;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(u, &a));
  for (PetscInt r = 0; r < model->nowned * model->dim; r++)
    if (im->supports.fixed[r]) a[r] = im->supports.u[r];
  PetscCall(VecRestoreArray(u, &a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rounding of displacements |u| gives forces of about eps E |u| size^(dim-2) (size/element), more
   where elements are slender, and inertia forces of about eps 2 |M| |u| / h^2; a residual judged only
   by forces that are themselves rounding would never pass. The first step leaves from u = 0, so what it leads
   to counts as well. */
static PetscErrorCode round_off_floor(CrImplicit *im)
{
  const CrModel *model = im->step.model;
  PetscReal      greatest, reached, modulus = 0, stiffness;

  PetscFunctionBeginUser;
  PetscCall(VecNorm(im->step.state->u, NORM_INFINITY, &greatest));
  PetscCall(VecNorm(im->predictor, NORM_INFINITY, &reached));
  for (PetscInt k = 0; k < model->nmaterials; k++)
    modulus = PetscMax(modulus, model->materials[k].lambda + 2 * model->materials[k].shear);
  stiffness = modulus * (model->dim == 3 || model->axial ? model->size : model->thickness);
  stiffness = PetscMax(PetscMax(stiffness, im->stiffest), 2 * im->masses / PetscSqr(im->step.h));
  im->floor = 1e-4 * stiffness * PetscMax(greatest, reached);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Slaves are eliminated before masters (theory 10.3). Couplings begin with the slave. */
static PetscErrorCode order(const CrModel *model, PetscInt npairs, const PetscInt *pairs, Mat A)
{
  PetscInt *slaves, n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(npairs, &slaves));
  for (PetscInt k = 0; k < npairs; k++)
    if (pairs[2 * k] < model->nowned) slaves[n++] = pairs[2 * k];
  PetscCall(CrBlocksSetFirst(A, n, slaves));
  PetscCall(PetscFree(slaves));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Contact may couple what the elements do not: then the matrix is made anew. After a restart it is
   first made as it was. The old one goes first, with its factors: together they would be what a run
   needs most memory for. */
static PetscErrorCode couple(CrIntegrator *it, CrImplicit *im)
{
  const CrModel  *model = im->step.model;
  PetscBool       missing = PETSC_TRUE;
  PetscInt        n;
  const PetscInt *pairs;

  PetscFunctionBeginUser;
  for (;;) {
    CrTimed(model->watch, CR_PART_CONTACT, CrContactCouplings(im->contact, &missing, &n, &pairs));
    if (!missing) break;
    PetscCall(CrNewtonDropMatrix(it->newton));
    PetscCall(MatDestroy(&im->A));
    PetscCall(CrModelCouple(model, n, pairs));
    PetscCall(CrModelCreateMatrix(model, &im->A));
    PetscCall(order(model, n, pairs, im->A));
    PetscCall(CrNewtonSetMatrix(it->newton, im->A));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitSearch(CrImplicit *im)
{
  const CrStepArrays *s = &im->step;

  PetscFunctionBeginUser;
  if (s->model->rigid->n)
    CrTimed(s->model->watch, CR_PART_CONTACT,
            CrContactBeginRigid(im->contact, s->state->rigid, s->state->t, s->h));
  CrTimed(s->model->watch, CR_PART_CONTACT,
          CrContactBegin(im->contact, s->u0, s->v0, NULL, s->state->t, s->h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Mean velocity of all bodies with a mesh. */
static PetscErrorCode mean_velocity(const CrModel *model, const PetscReal *v, PetscReal mean[3])
{
  PetscReal sums[4] = {0};

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < model->nowned; A++) {
    for (PetscInt i = 0; i < model->dim; i++) sums[i] += model->row_mass[A] * v[model->dim * A + i];
    sums[3] += model->row_mass[A];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPIU_REAL, MPIU_SUM, model->comm));
  for (int i = 0; i < 3; i++) mean[i] = sums[i] / sums[3];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Norm of M (v0 - mean) over all ranks: a tolerance that knew the speed of the frame would let fast bodies keep
   wrong strains. step.um and f.inertia serve as scratch; the latter is left zero. */
static PetscErrorCode measure_momentum(CrImplicit *im)
{
  const CrStepArrays *s = &im->step;
  const CrModel      *model = s->model;
  PetscReal           sum = 0, mean[3];

  PetscFunctionBeginUser;
  PetscCall(mean_velocity(model, s->v0, mean));
  for (PetscInt k = 0; k < model->nlocal * model->dim; k++)
    s->um[k] = s->v0[k] - mean[k % model->dim];
  PetscCall(CrModelMassTimes(model, s->um, im->f.inertia));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) sum += PetscSqr(im->f.inertia[k]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPIU_REAL, MPIU_SUM, model->comm));
  PetscCall(PetscArrayzero(im->f.inertia, model->nowned * model->dim));
  im->momentum = PetscSqrtReal(sum);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitStart(CrImplicit *im)
{
  const CrStepArrays *s = &im->step;
  const CrState      *state = s->state;

  PetscFunctionBeginUser;
  PetscCall(measure_momentum(im));
  PetscCall(CrSupportsAt(s->model, state->t, s->h, s->u0, &im->supports));
  PetscCall(VecCopy(state->u, im->fallback));
  PetscCall(VecWAXPY(im->predictor, s->model->quasi_static ? 0 : s->h, state->v, state->u));
  PetscCall(set_prescribed(im, im->fallback));
  PetscCall(set_prescribed(im, im->predictor));
  PetscCall(round_off_floor(im));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitBegin(CrIntegrator *it, CrImplicit *im)
{
  PetscReal reach;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitStart(im));
  if (!im->contact) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrImplicitSearch(im));
  PetscCall(couple(it, im));
  /* positions are rounded, and springs on the gap between them make forces of that, however light the
     load is */
  if (im->real_gap) {
    PetscCall(CrContactReach(im->contact, im->step.u0, &reach));
    im->floor = PetscMax(im->floor, 1e-6 * reach);
  }
  /* where bodies press, free flight would lead deep inside */
  if (im->contact->work->pressed) PetscCall(VecCopy(im->fallback, im->predictor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem,
                            CrStepReport *report)
{
  static const CrStepReason reasons[] = {[CR_NEWTON_CONVERGED] = CR_STEP_OK,
                                         [CR_NEWTON_DIVERGED] = CR_FAIL_DIVERGED,
                                         [CR_NEWTON_LINEAR_FAILED] = CR_FAIL_LINEAR,
                                         [CR_NEWTON_NOT_A_NUMBER] = CR_FAIL_NOT_A_NUMBER};

  PetscFunctionBeginUser;
  CrTimed(im->step.model->watch, CR_PART_SOLVER,
          CrNewtonSolve(it->newton, problem, im->predictor, im->fallback, im->predictor,
                        &it->newton_report));
  report->iterations += it->newton_report.iterations;
  report->reason = reasons[it->newton_report.outcome];
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define MOST_REVIEWS 6

PetscErrorCode CrImplicitSolve(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem,
                               CrStepReport *report)
{
  const CrStepArrays *s = &im->step;
  PetscBool           again = PETSC_TRUE;

  PetscFunctionBeginUser;
  if (im->contact && im->contact->work->too_far) {
    report->reason = CR_FAIL_METHOD;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrImplicitLead(it, im, problem));
  for (PetscInt k = 0; again && report->reason == CR_STEP_OK; k++) {
    PetscCall(solve(it, im, problem, report)); /* from where the last one ended */
    again = PETSC_FALSE;
    if (!im->contact || report->reason < 0) break;
    CrTimed(s->model->watch, CR_PART_CONTACT,
            CrContactReview(im->contact, s->u0, s->v0, s->u1, &again));
    if (again && k == MOST_REVIEWS) report->reason = CR_FAIL_METHOD;
    if (again) PetscCall(couple(it, im));
  }
  if (im->contact && report->reason < 0) PetscCall(CrContactBlame(im->contact, s->u1));
  if (report->reason < 0) { /* nobody needs the fallback any more */
    PetscReal reference;

    PetscCall(CrImplicitResidual(im, im->fallback, &reference));
    PetscCall(CrImplicitBlame(it, im, im->fallback));
  }
  if (report->reason == CR_STEP_OK) PetscCall(CrImplicitCheck(it, im, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- contact -------------------------------------------------------------------------------- */

PetscErrorCode CrImplicitTouch(CrImplicit *im, CrContactStep *at)
{
  const CrStepArrays *s = &im->step;

  PetscFunctionBeginUser;
  at->du = s->du;
  if (!at->slide) {
    at->slide = s->du;
    at->slide_factor = at->law->where == CR_WHERE_END ? 1 : 2;
    at->slide_from = s->state->t;
    at->slide_to = s->state->t + s->h;
  }
  PetscCall(PetscArrayzero(im->f.touch, s->model->nowned * s->model->dim));
  CrTimed(s->model->watch, CR_PART_CONTACT, CrContactForce(im->contact, s->u0, at, im->f.touch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitCommit(CrImplicit *im, const CrContactLaw *law, CrState *state,
                                CrStepReport *report)
{
  const CrStepArrays *s = &im->step;
  const CrStepEnds    ends = {law->where == CR_WHERE_END ? s->u1 : s->um, s->u1};

  PetscFunctionBeginUser;
  if (!im->contact) PetscFunctionReturn(PETSC_SUCCESS);
  CrTimed(s->model->watch, CR_PART_CONTACT,
          CrContactCommit(im->contact, law, &ends, state->contact, report));
  report->external_work += CrContactRigidWork(im->contact);
  PetscCall(CrContactSetForce(im->contact, im->f.touch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- residual, work ------------------------------------------------------------------------- */

PetscErrorCode CrImplicitResidual(const CrImplicit *im, Vec r, PetscReal *reference)
{
  const CrModel  *model = im->step.model;
  const CrForces *f = &im->f;
  PetscReal      *a, sums[4] = {0};

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(r, &a));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) {
    PetscReal outside = f->loads[k] + im->weight[k];

    sums[0] += PetscSqr(f->internal[k]);
    sums[1] += PetscSqr(outside);
    sums[2] += PetscSqr(f->inertia[k]);
    sums[3] += PetscSqr(f->touch[k]);
    a[k] = im->supports.fixed[k] ? 0 : f->internal[k] + f->inertia[k] - outside - f->touch[k];
  }
  PetscCall(VecRestoreArray(r, &a));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPIU_REAL, MPIU_SUM, model->comm));
  *reference = PetscMax(im->momentum, im->floor);
  for (int i = 0; i < 4; i++) *reference = PetscMax(*reference, PetscSqrtReal(sums[i]));
  if (im->contact && im->contact->work->lost) *reference = NAN; /* on every rank alike */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Laws with a logarithm of det F have none for an element inside out. */
static PetscBool has_energy(const CrImplicit *im)
{
  for (PetscInt b = 0; b < im->step.model->nbodies; b++)
    if (PetscIsInfOrNanReal(im->strain[b])) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Is an element inside out at t_n? Collective. */
static PetscErrorCode is_inverted(const CrStepArrays *s, PetscBool *inverted)
{
  PetscReal least;

  PetscFunctionBeginUser;
  PetscCall(CrModelObserve(s->model, s->state, s->u0, NULL, &least, NULL));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPIU_REAL, MPIU_MIN, s->model->comm));
  *inverted = least <= 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitCheck(const CrIntegrator *it, const CrImplicit *im, CrStepReport *report)
{
  const CrStepArrays *s = &im->step;
  PetscReal           least;
  PetscBool           goes_on = it->last_try;

  PetscFunctionBeginUser;
  PetscCall(CrModelObserve(s->model, s->state, s->u1, im->strain, &least, NULL));
  if (least != least || (least <= 0 && !has_energy(im))) least = -PETSC_MAX_REAL;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPIU_REAL, MPIU_MIN, s->model->comm));
  report->strain = im->strain;
  report->least_det = least;
  if (least > 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (im->through && !goes_on) PetscCall(is_inverted(s, &goes_on));
  if (!im->through || !goes_on || least == -PETSC_MAX_REAL) report->reason = CR_FAIL_INVERTED;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Work of the support of a dof. */
static PetscReal held_work(const CrImplicit *im, const CrForces *f, PetscInt k)
{
  const CrStepArrays *s = &im->step;

  return (f->internal[k] - f->loads[k] - im->weight[k] - f->touch[k]) * s->du[k] +
         (s->v0[k] + s->dv[k] / 2) * f->inertia[k] * s->h;
}

typedef struct {
  const CrImplicit *im;
  const CrForces   *f;
} Balance;

static CrDofReaction reaction_of(const void *ctx, PetscInt k)
{
  const Balance  *b = ctx;
  const CrForces *f = b->f;
  PetscReal force = f->internal[k] + f->inertia[k] - f->loads[k] - b->im->weight[k] - f->touch[k];

  return (CrDofReaction){force, b->im->step.h * force, held_work(b->im, f, k)};
}

void CrImplicitReactions(const CrImplicit *im, const CrForces *f, CrReactions *reactions)
{
  const Balance balance = {im, f};

  CrReactionsEnterSupports(reactions, im->step.model, &im->supports, NULL, im->step.um, reaction_of,
                           &balance);
}

PetscErrorCode CrImplicitWork(const CrImplicit *im, const CrForces *f, PetscReal *work)
{
  const CrStepArrays *s = &im->step;
  PetscReal           sum = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->model->nowned * s->model->dim; k++) {
    PetscReal du = s->du[k];

    sum += f->loads[k] * du;
    if (im->supports.fixed[k]) sum += held_work(im, f, k);
  }
  PetscCallMPI(MPI_Allreduce(&sum, work, 1, MPIU_REAL, MPIU_SUM, s->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitAddDrag(CrImplicit *im, const PetscReal *dx, PetscReal h)
{
  PetscFunctionBeginUser;
  if (im->drag) PetscCall(CrDragAdd(im->step.model, dx, h, im->drag, im->f.loads));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitBookDrag(const CrImplicit *im, CrStepReport *report)
{
  PetscFunctionBeginUser;
  if (!im->drag) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrDragLoss(im->step.model, im->drag, im->step.du, &report->drag));
  report->external_work += report->drag; /* no load of the deck */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The state takes the trial over. */
static PetscErrorCode accept(CrImplicit *im, CrState *state)
{
  const CrModel *model = im->step.model;
  PetscReal     *v;

  PetscFunctionBeginUser;
  PetscCall(VecCopy(im->step.trial, state->u));
  PetscCall(CrModelUpdateGhosts(model, state->u));
  PetscCall(VecGetArray(state->v, &v));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++)
    v[k] = im->supports.fixed[k] ? im->supports.v[k] : v[k] + im->step.dv[k];
  PetscCall(VecRestoreArray(state->v, &v));
  if (model->quasi_static) PetscCall(VecSet(state->v, 0));
  PetscCall(CrModelUpdateGhosts(model, state->v));
  if (model->quasi_static) {
    CrSupports swap = im->last;

    im->last = im->supports;
    im->supports = swap;
  }
  if (im->contact) CrContactAcceptRigid(im->contact, state->rigid);
  state->t += im->step.h;
  state->n++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitEnd(CrImplicit *im, const CrStepReport *report, CrState *state)
{
  PetscFunctionBeginUser;
  PetscCall(CrStepClose(&im->step));
  if (report->reason == CR_STEP_OK) PetscCall(accept(im, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

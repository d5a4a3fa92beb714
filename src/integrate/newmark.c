/* Newmark's method (N59, theory 8), which is common in other programs:
     M a1 + f_int(u1) = f_ext(t1) - alpha M v1
     u1 = u0 + h v0 + h^2 [(1/2 - beta) a0 + beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1].
   The method does not balance energy for large deformation. Works are computed by the trapezoidal rule, which is exact
   for linear bodies with beta = 1/4 and gamma = 1/2.

   Prescribed dofs have the displacement, velocity and acceleration of the prescribed motion. */
#include "integrate/statics.h"
#include "model/forces.h"

typedef struct {
  CrImplicit       im;
  PetscReal        beta, gamma;
  Vec              a;               /* accelerations, with ghosts; a restart needs them; owned */
  Vec              force, response; /* of dofs that are freed; owned */
  CrSupports       next;            /* what the next step holds; owned */
  PetscReal       *a1;              /* trial accelerations, local dofs; owned */
  const PetscReal *a0;              /* of `a`, during a step */
  CrForces         before;          /* forces at t_n, without inertia; owned */
  CrForces         mean;            /* trapezoidal means of the step, for the works; owned */
  Vec              touch0;          /* before.touch, for a restart; owned */
  PetscReal *v, *drag0; /* v1 of local dofs, and the drag at t_n; NULL: no material drags; owned */
  CrContactLaw   law;
  CrContactStep  contact; /* of the last residual */
  CrRigidNewmark rigid;   /* rigid bodies beside deformable ones; its array is owned and archived */
} Newmark;

/* Damping by mass at the end of the step, with the velocities that the state will have. */
static PetscErrorCode add_drag(Newmark *nm)
{
  const CrSupports   *supports = &nm->im.supports;
  const CrStepArrays *s = &nm->im.step;

  PetscFunctionBeginUser;
  if (!nm->v) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < s->model->nlocal * s->model->dim; k++)
    nm->v[k] = supports->fixed[k] ? supports->v[k] : s->v0[k] + s->dv[k];
  PetscCall(CrImplicitAddDrag(&nm->im, nm->v, 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The loss of it, by the trapezoidal rule; drag is no load of the deck. */
static PetscErrorCode book_drag(const Newmark *nm, CrStepReport *report)
{
  const CrStepArrays *s = &nm->im.step;
  PetscReal           before, now;

  PetscFunctionBeginUser;
  if (!nm->v) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrDragLoss(s->model, nm->drag0, s->du, &before));
  PetscCall(CrDragLoss(s->model, nm->im.drag, s->du, &now));
  report->drag = (before + now) / 2;
  report->external_work += report->drag;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* a1 and dv at the trial positions x; local dofs. */
static PetscErrorCode kinematics(Newmark *nm, Vec x)
{
  const CrSupports *supports = &nm->im.supports;
  CrStepArrays     *s = &nm->im.step;
  PetscReal         h = s->h, b = nm->beta, gamma = nm->gamma;

  PetscFunctionBeginUser;
  PetscCall(CrStepTry(s, x));
  for (PetscInt k = 0; k < s->model->nlocal * s->model->dim; k++) {
    PetscBool fixed = supports->fixed[k] != 0;

    nm->a1[k] = fixed ? supports->a[k]
                      : (s->du[k] - h * s->v0[k]) / (b * h * h) - (0.5 / b - 1) * nm->a0[k];
    s->dv[k] =
        fixed ? supports->v[k] - s->v0[k] : h * ((1 - gamma) * nm->a0[k] + gamma * nm->a1[k]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode residual(void *ctx, Vec x, Vec r, PetscReal *reference)
{
  Newmark            *nm = ctx;
  CrImplicit         *im = &nm->im;
  const CrStepArrays *s = &im->step;
  const CrModel      *model = s->model;

  PetscFunctionBeginUser;
  PetscCall(kinematics(nm, x));
  PetscCall(CrModelForce(model, s->state, CR_FORCE_POINT, NULL, s->u1, im->f.internal));
  PetscCall(PetscArrayzero(im->f.loads, model->nowned * model->dim));
  PetscCall(CrLoadsAddOver(model, s->state->t + s->h, s->h, s->u1, im->f.loads));
  PetscCall(add_drag(nm));
  nm->contact = (CrContactStep){.law = &nm->law, .u = s->u1};
  if (im->contact) PetscCall(CrImplicitTouch(im, &nm->contact));
  PetscCall(CrModelMassTimes(model, nm->a1, im->f.inertia));
  PetscCall(CrImplicitResidual(im, r, reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode tangent(void *ctx, Vec x, Mat A)
{
  Newmark            *nm = ctx;
  CrImplicit         *im = &nm->im;
  const CrStepArrays *s = &im->step;
  const CrModel      *model = s->model;
  PetscReal           mass = 1 / (nm->beta * s->h * s->h);

  PetscFunctionBeginUser;
  PetscCall(kinematics(nm, x));
  PetscCall(CrModelTangent(model, s->state, CR_FORCE_POINT, NULL, s->u1, 1, mass, A));
  if (im->drag) PetscCall(CrDragAddTangent(model, nm->gamma * mass * s->h, A));
  PetscCall(CrLoadsAddTangent(model, s->state->t + s->h, s->h, s->u1, -1, A));
  nm->contact.u = s->u1;
  if (im->contact)
    CrTimed(model->watch, CR_PART_CONTACT, CrContactAddTangent(im->contact, &nm->contact, 1, A));
  if (im->supports.any) PetscCall(CrMatrixConstrain(model, im->supports.fixed, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Works by the trapezoidal rule; the inertia force that takes v0 to v1 is M dv / h. */
static PetscErrorCode work(Newmark *nm, PetscReal *out)
{
  const CrStepArrays *s = &nm->im.step;
  const CrForces     *f0 = &nm->before, *f1 = &nm->im.f;

  PetscFunctionBeginUser;
  PetscCall(CrModelMassTimes(s->model, s->dv, nm->mean.inertia));
  for (PetscInt k = 0; k < s->model->nowned * s->model->dim; k++) {
    nm->mean.touch[k] = (f0->touch[k] + f1->touch[k]) / 2;
    nm->mean.internal[k] = (f0->internal[k] + f1->internal[k]) / 2;
    nm->mean.loads[k] = (f0->loads[k] + f1->loads[k]) / 2;
    nm->mean.inertia[k] /= s->h;
  }
  PetscCall(CrImplicitWork(&nm->im, &nm->mean, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the other forces on a dof lack, and the force that the supports exert over the step (theory 8): M dv = h times
   the forces at both ends, weighed by gamma. */
static PetscReal lacks(const Newmark *nm, const CrForces *f, PetscInt k)
{
  return f->internal[k] - f->loads[k] - nm->im.weight[k] - f->touch[k];
}

static CrDofReaction reaction_of(const void *ctx, PetscInt k)
{
  const Newmark      *nm = ctx;
  const CrStepArrays *s = &nm->im.step;
  PetscReal           inertia = nm->mean.inertia[k];
  PetscReal           before = lacks(nm, &nm->before, k), now = lacks(nm, &nm->im.f, k);
  PetscReal           force = inertia + (1 - nm->gamma) * before + nm->gamma * now;

  return (CrDofReaction){force, s->h * force,
                         (before + now) / 2 * s->du[k] +
                             (s->v0[k] + s->dv[k] / 2) * inertia * s->h};
}

/* After `work`. */
static void react(const Newmark *nm, CrReactions *reactions, CrStepReport *report)
{
  const CrImplicit *im = &nm->im;

  CrReactionsEnterSupports(reactions, im->step.model, &im->supports, NULL, im->step.um, reaction_of,
                           nm);
  report->impulse_now = nm->gamma * im->step.h;
  report->impulse_before = (1 - nm->gamma) * im->step.h;
}

/* M a = loads + weight + touch - internal on dofs that are not held. */
static PetscErrorCode accelerate(Newmark *nm, const CrForces *f, const char *held, Vec a)
{
  const CrModel *model = nm->im.step.model;
  PetscReal     *sum;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(nm->force, &sum));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++)
    sum[k] = f->loads[k] + nm->im.weight[k] + f->touch[k] - f->internal[k];
  PetscCall(VecRestoreArray(nm->force, &sum));
  PetscCall(CrModelMassSolve(model, held, nm->force, a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Dofs that the next step frees start with the acceleration of the forces on them, not with that of
   the motion they were held to. */
static PetscErrorCode release(Newmark *nm)
{
  CrImplicit      *im = &nm->im;
  CrStepArrays    *s = &im->step;
  PetscInt         freed = 0, n = s->model->nowned * s->model->dim;
  const PetscReal *a;

  PetscFunctionBeginUser;
  if (!im->supports.any) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrSupportsAt(s->model, s->state->t + s->h, s->h, s->u1, &nm->next));
  for (PetscInt k = 0; k < n; k++) freed += im->supports.fixed[k] && !nm->next.fixed[k];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &freed, 1, MPIU_INT, MPI_SUM, s->model->comm));
  if (!freed) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(accelerate(nm, &im->f, nm->next.fixed, nm->response));
  PetscCall(VecGetArrayRead(nm->response, &a));
  for (PetscInt k = 0; k < n; k++)
    if (im->supports.fixed[k] && !nm->next.fixed[k]) nm->a1[k] = a[k];
  PetscCall(VecRestoreArrayRead(nm->response, &a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Accelerations and forces of the new time become those of the old one. */
static PetscErrorCode keep(Newmark *nm)
{
  const CrModel *model = nm->im.step.model;
  CrForces       f = nm->before;
  PetscReal     *drag = nm->drag0;

  PetscFunctionBeginUser;
  nm->before = nm->im.f;
  nm->im.f = f;
  nm->drag0 = nm->im.drag;
  nm->im.drag = drag;
  PetscCall(CrVecTake(nm->a, model->nlocal * model->dim, nm->a1));
  PetscCall(CrModelUpdateAllGhosts(model, nm->a));
  PetscCall(CrVecTake(nm->touch0, model->nowned * model->dim, nm->before.touch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Internal forces and loads at t_n. */
static PetscErrorCode forces_at_start(Newmark *nm, PetscBool internal)
{
  const CrStepArrays *s = &nm->im.step;

  PetscFunctionBeginUser;
  if (internal)
    PetscCall(CrModelForce(s->model, s->state, CR_FORCE_POINT, NULL, s->u0, nm->before.internal));
  PetscCall(PetscArrayzero(nm->before.loads, s->model->nowned * s->model->dim));
  PetscCall(CrLoadsAddOver(s->model, s->state->t, s->h, s->u0, nm->before.loads));
  if (nm->v) PetscCall(CrDragAdd(s->model, s->v0, 1, nm->drag0, nm->before.loads));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces at the start, and the accelerations they give: M a0 = f_ext - f_int on free dofs. */
static PetscErrorCode start(Newmark *nm)
{
  const CrStepArrays *s = &nm->im.step;
  CrSupports         *supports = &nm->im.supports;
  PetscReal          *a;

  PetscFunctionBeginUser;
  PetscCall(forces_at_start(nm, PETSC_TRUE));
  PetscCall(CrSupportsAt(s->model, s->state->t, 0, s->u0, supports));
  PetscCall(accelerate(nm, &nm->before, supports->fixed, nm->a));
  PetscCall(VecGetArray(nm->a, &a));
  for (PetscInt k = 0; k < s->model->nowned * s->model->dim; k++)
    if (supports->fixed[k]) a[k] = supports->a[k];
  PetscCall(VecRestoreArray(nm->a, &a));
  PetscCall(CrModelUpdateAllGhosts(s->model, nm->a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Newmark              *nm = it->data;
  CrImplicit           *im = &nm->im;
  const CrNewtonProblem problem = {.ctx = nm, .residual = residual, .tangent = tangent};

  PetscFunctionBeginUser;
  PetscCall(CrStepOpen(&im->step, model, state, h));
  /* a load that comes or goes in the first half step: only now is it known how long that is */
  if (state->n == 0 && CrLoadsExist(model)) PetscCall(start(nm));
  PetscCall(CrStepRead(&im->step, nm->a, &nm->a0));
  PetscCall(CrImplicitBegin(it, im));
  im->momentum /= h;
  PetscCall(CrImplicitSolve(it, im, &problem, report));
  if (report->reason == CR_STEP_OK) {
    PetscCall(work(nm, &report->external_work));
    PetscCall(book_drag(nm, report));
    react(nm, state->reactions, report);
    PetscCall(CrImplicitCommit(im, &nm->law, state, report));
    PetscCall(release(nm));
  }
  PetscCall(CrImplicitEnd(im, report, state));
  if (report->reason == CR_STEP_OK) PetscCall(keep(nm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const CrKey options[] = {
    {"beta", CR_REAL, "0.25", .range = "(0,1]",
     .help = "newmark: weight beta of the new acceleration in the displacement"},
    {"gamma", CR_REAL, "0.5", .range = "[0.5,1]",
     .help = "newmark: weight gamma of the new acceleration in the velocity"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  Newmark *nm = it->data;

  PetscFunctionBeginUser;
  nm->beta = CrDeckReal(CrDeckFind(time, "beta"));
  nm->gamma = CrDeckReal(CrDeckFind(time, "gamma"));
  nm->law = CrLaw_end_penalty;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Newmark *nm = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitAddRigid(it, model, state));
  nm->rigid = (CrRigidNewmark){.beta = nm->beta, .gamma = nm->gamma};
  PetscCall(PetscCalloc1(6 * model->rigid->n, &nm->rigid.a));
  if (model->rigid->n) CrContactUseNewmark(it->contact, state->rigid, state->t, &nm->rigid);
  if (it->contact) PetscCall(CrContactDivide(it->contact, PETSC_FALSE));
  PetscCall(CrImplicitCreate(it, model, &nm->im));
  nm->im.real_gap = PETSC_TRUE;
  nm->im.through = it->contact != NULL; /* a baseline goes on, with a warning */
  PetscCall(CrModelCreateVec(model, &nm->a));
  PetscCall(CrModelCreateVec(model, &nm->force));
  PetscCall(CrModelCreateVec(model, &nm->response));
  PetscCall(CrModelCreateVec(model, &nm->touch0));
  PetscCall(CrSupportsCreate(model, &nm->next));
  PetscCall(PetscCalloc1(model->nlocal * model->dim, &nm->a1));
  if (model->drags) PetscCall(PetscCalloc1(model->nlocal * model->dim, &nm->v));
  if (model->drags) PetscCall(PetscCalloc1(model->nowned * model->dim, &nm->drag0));
  PetscCall(CrForcesCreate(model, &nm->before));
  PetscCall(CrForcesCreate(model, &nm->mean));
  PetscCall(CrStepOpen(&nm->im.step, model, state, 0));
  PetscCall(start(nm));
  PetscCall(CrStepClose(&nm->im.step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *list)
{
  Newmark *nm = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddVec(list, "newmark.acceleration", nm->a));
  PetscCall(CrArchiveAddReals(list, "newmark.h", 1, &nm->im.step.h));
  if (it->contact) PetscCall(CrArchiveAddVec(list, "newmark.contact", nm->touch0));
  if (it->remembers) PetscCall(CrArchiveAddNodal(list, "newmark.internal", nm->before.internal));
  if (it->contact && it->contact->work->newmark)
    PetscCall(
        CrArchiveAddReals(list, "newmark.rigid", 6 * it->contact->model->rigid->n, nm->rigid.a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces at t_n follow from the state, unless they were in the checkpoint. */
static PetscErrorCode resume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  Newmark         *nm = it->data;
  const PetscReal *touch0;

  PetscFunctionBeginUser;
  PetscCall(CrStepOpen(&nm->im.step, model, state, nm->im.step.h));
  PetscCall(CrStepRead(&nm->im.step, nm->touch0, &touch0));
  PetscCall(PetscArraycpy(nm->before.touch, touch0, model->nowned * model->dim));
  PetscCall(forces_at_start(nm, !it->remembers));
  PetscCall(CrStepClose(&nm->im.step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  Newmark *nm = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitDestroy(&nm->im));
  PetscCall(VecDestroy(&nm->a));
  PetscCall(VecDestroy(&nm->force));
  PetscCall(VecDestroy(&nm->response));
  PetscCall(VecDestroy(&nm->touch0));
  PetscCall(CrSupportsDestroy(&nm->next));
  PetscCall(PetscFree(nm->a1));
  PetscCall(PetscFree(nm->v));
  PetscCall(PetscFree(nm->drag0));
  PetscCall(PetscFree(nm->rigid.a));
  PetscCall(CrForcesDestroy(&nm->before));
  PetscCall(CrForcesDestroy(&nm->mean));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_newmark = {
    .name = "newmark",
    .citation = "Newmark 1959",
    .help =
        "Newmark's method (beta, gamma), forces at the end of the step; a well-known method for comparison",
    .claims = CR_KEEPS_LINEAR | CR_SECOND_ORDER,
    .accepts = CR_DRAG | CR_DEFORMABLE | CR_QUASI_STATIC | CR_CONSISTENT_MASS | CR_CONTACT |
               CR_PARTNERS | CR_SPRINGS,
    .data_size = sizeof(Newmark),
    .options = options,
    .statics = &CrStatics,
    .configure = configure,
    .setup = setup,
    .step = step,
    .archive = archive,
    .resume = resume,
    .advise = CrImplicitAdvise,
    .destroy = destroy,
};

/* Newmark's method (N59, theory 8), the scheme that users know from other codes:
     M a1 + f_int(u1) = f_ext(t1)
     u1 = u0 + h v0 + h^2 [(1/2 - beta) a0 + beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1].
   It claims no balance for large deformation; works are by the trapezoidal rule, exact for linear
   bodies with beta = 1/4, gamma = 1/2. Quasi-static: f_int(u1) = f_ext(t1).

   Prescribed dofs take displacement, velocity and acceleration from the prescribed motion. */
#include "integrate/implicit.h"

typedef struct {
  CrImplicit im;
  PetscReal  beta, gamma;
  Vec        a;                  /* accelerations, with ghosts; a restart needs them; owned */
  Vec        force, response;    /* of dofs that are freed; owned */
  CrSupports next;               /* what the next step holds; owned */
  PetscReal *a1;                 /* trial accelerations, local dofs; owned */
  PetscReal *internal0, *loads0; /* forces at t_n, owned dofs; owned */
  Vec        touch0;             /* contact forces at t_n; a restart needs them; owned */
  PetscReal *touch;              /* trapezoidal mean of contact forces, owned */
  PetscReal *internal, *loads, *inertia; /* trapezoidal means of the step, for the works; owned */
  /* during a step */
  const CrModel *model; /* borrowed */
  const CrState *state; /* borrowed */
  PetscReal      h, momentum;
  CrContactLaw   law;
  CrContactStep  contact; /* of the last residual */
} Newmark;

/* a1 and dv at the trial positions; local dofs. */
static PetscErrorCode kinematics(Newmark *nm, Vec x)
{
  CrImplicit      *im = &nm->im;
  PetscReal        h = nm->h, b = nm->beta;
  const PetscReal *u0, *u1, *v0, *a0;

  PetscFunctionBeginUser;
  PetscCall(VecCopy(x, im->u1));
  PetscCall(CrModelUpdateGhosts(nm->model, im->u1));
  PetscCall(VecGetArrayRead(nm->state->u, &u0));
  PetscCall(VecGetArrayRead(nm->state->v, &v0));
  PetscCall(VecGetArrayRead(nm->a, &a0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  for (PetscInt k = 0; k < nm->model->nlocal * nm->model->dim; k++) {
    PetscBool fixed = im->supports.fixed[k] != 0;

    nm->a1[k] = fixed ? im->supports.a[k]
                      : (u1[k] - u0[k] - h * v0[k]) / (b * h * h) - (0.5 / b - 1) * a0[k];
    im->dv[k] =
        fixed ? im->supports.v[k] - v0[k] : h * ((1 - nm->gamma) * a0[k] + nm->gamma * nm->a1[k]);
  }
  PetscCall(VecRestoreArrayRead(nm->state->u, &u0));
  PetscCall(VecRestoreArrayRead(nm->state->v, &v0));
  PetscCall(VecRestoreArrayRead(nm->a, &a0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode residual(void *ctx, Vec x, Vec r, PetscReal *reference)
{
  Newmark         *nm = ctx;
  CrImplicit      *im = &nm->im;
  const CrModel   *model = nm->model;
  const PetscReal *u1;

  PetscFunctionBeginUser;
  PetscCall(kinematics(nm, x));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  PetscCall(CrModelForce(model, nm->state, CR_FORCE_POINT, NULL, u1, im->internal));
  PetscCall(PetscArrayzero(im->loads, model->nowned * model->dim));
  PetscCall(CrLoadsAddOver(model, nm->state->t + nm->h, nm->h, u1, im->loads));
  nm->contact = (CrContactStep){.law = &nm->law, .u = u1};
  if (im->contact) PetscCall(CrImplicitTouch(im, model, nm->state, &nm->contact));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  if (!model->quasi_static) PetscCall(CrModelMassTimes(model, nm->a1, im->inertia));
  PetscCall(CrImplicitResidual(im, model, nm->momentum, r, reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode tangent(void *ctx, Vec x, Mat A)
{
  Newmark         *nm = ctx;
  CrImplicit      *im = &nm->im;
  const CrModel   *model = nm->model;
  PetscReal        mass = model->quasi_static ? 0 : 1 / (nm->beta * nm->h * nm->h);
  const PetscReal *u1;

  PetscFunctionBeginUser;
  PetscCall(kinematics(nm, x));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  PetscCall(CrModelTangent(model, nm->state, CR_FORCE_POINT, NULL, u1, 1, mass, A));
  PetscCall(CrLoadsAddTangent(model, nm->state->t + nm->h, nm->h, u1, -1, A));
  nm->contact.u = u1;
  if (im->contact) PetscCall(CrImplicitTouchTangent(im, nm->state, &nm->contact, 1, A));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  if (im->supports.any) PetscCall(CrMatrixConstrain(model, im->supports.fixed, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Works by the trapezoidal rule; the inertia force that takes v0 to v1 is M dv / h. */
static PetscErrorCode work(Newmark *nm, PetscReal *out)
{
  CrImplicit      *im = &nm->im;
  PetscInt         n = nm->model->nowned * nm->model->dim;
  const PetscReal *touch0;

  PetscFunctionBeginUser;
  if (!nm->model->quasi_static) PetscCall(CrModelMassTimes(nm->model, im->dv, nm->inertia));
  PetscCall(VecGetArrayRead(nm->touch0, &touch0));
  for (PetscInt k = 0; k < n; k++) {
    nm->touch[k] = (touch0[k] + im->touch[k]) / 2;
    nm->internal[k] = (nm->internal0[k] + im->internal[k]) / 2;
    nm->loads[k] = (nm->loads0[k] + im->loads[k]) / 2;
    nm->inertia[k] /= nm->h;
  }
  PetscCall(VecRestoreArrayRead(nm->touch0, &touch0));
  PetscCall(CrImplicitWork(im, nm->model, nm->state, nm->internal, nm->loads, nm->inertia,
                           nm->touch, nm->h, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Dofs that the next step frees start with the acceleration of the forces on them, not with that of
   the motion they were held to. */
static PetscErrorCode release(Newmark *nm, PetscReal t1, PetscReal h)
{
  const CrModel   *model = nm->model;
  CrImplicit      *im = &nm->im;
  PetscInt         freed = 0, n = model->nowned * model->dim;
  const PetscReal *u1;
  PetscReal       *f, *a;

  PetscFunctionBeginUser;
  if (!im->supports.any || model->quasi_static) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGetArrayRead(im->u1, &u1));
  PetscCall(CrSupportsAt(model, t1, h, u1, &nm->next));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  for (PetscInt k = 0; k < n; k++) freed += im->supports.fixed[k] && !nm->next.fixed[k];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &freed, 1, MPIU_INT, MPI_SUM, model->comm));
  if (!freed) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGetArray(nm->force, &f));
  for (PetscInt k = 0; k < n; k++)
    f[k] = im->loads[k] + im->weight[k] + im->touch[k] - im->internal[k];
  PetscCall(VecRestoreArray(nm->force, &f));
  PetscCall(CrModelMassSolve(model, nm->next.fixed, nm->force, nm->response));
  PetscCall(VecGetArray(nm->response, &a));
  for (PetscInt k = 0; k < n; k++)
    if (im->supports.fixed[k] && !nm->next.fixed[k]) nm->a1[k] = a[k];
  PetscCall(VecRestoreArray(nm->response, &a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Accelerations and forces of the new time become those of the old one. */
static PetscErrorCode keep(Newmark *nm)
{
  PetscInt   n = nm->model->nowned * nm->model->dim;
  PetscReal *a;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(nm->a, &a));
  PetscCall(PetscArraycpy(a, nm->a1, nm->model->nlocal * nm->model->dim));
  PetscCall(VecRestoreArray(nm->a, &a));
  PetscCall(CrModelUpdateGhosts(nm->model, nm->a));
  PetscCall(VecGetArray(nm->touch0, &a));
  PetscCall(PetscArraycpy(a, nm->im.touch, n));
  PetscCall(VecRestoreArray(nm->touch0, &a));
  PetscCall(PetscArraycpy(nm->internal0, nm->im.internal, n));
  PetscCall(PetscArraycpy(nm->loads0, nm->im.loads, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces at the start, and the accelerations they give: M a0 = f_ext - f_int on free dofs. */
static PetscErrorCode start(Newmark *nm, const CrModel *model, const CrState *state)
{
  PetscInt         n = model->nowned * model->dim;
  const PetscReal *u;
  PetscReal       *a, *f;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(CrModelForce(model, state, CR_FORCE_POINT, NULL, u, nm->internal0));
  PetscCall(PetscArrayzero(nm->loads0, n));
  PetscCall(CrLoadsAddOver(model, state->t, nm->h, u, nm->loads0));
  PetscCall(CrSupportsAt(model, state->t, 0, u, &nm->im.supports));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  PetscCall(VecGetArray(nm->force, &f));
  for (PetscInt k = 0; k < n; k++) f[k] = nm->loads0[k] + nm->im.weight[k] - nm->internal0[k];
  PetscCall(VecRestoreArray(nm->force, &f));
  if (!model->quasi_static)
    PetscCall(CrModelMassSolve(model, nm->im.supports.fixed, nm->force, nm->a));
  PetscCall(VecGetArray(nm->a, &a));
  for (PetscInt k = 0; k < n; k++)
    if (nm->im.supports.fixed[k]) a[k] = nm->im.supports.a[k];
  PetscCall(VecRestoreArray(nm->a, &a));
  PetscCall(CrModelUpdateGhosts(model, nm->a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Newmark              *nm = it->data;
  const CrNewtonProblem problem = {nm, residual, tangent};

  PetscFunctionBeginUser;
  nm->model = model;
  nm->state = state;
  nm->h = h;
  /* a load that comes or goes in the first half step: only now is it known how long that is */
  if (state->n == 0 && !model->quasi_static && CrLoadsExist(model))
    PetscCall(start(nm, model, state));
  PetscCall(CrImplicitMomentum(&nm->im, model, state->v, &nm->momentum));
  nm->momentum /= h;
  PetscCall(CrImplicitBegin(it, &nm->im, model, state, h));
  PetscCall(CrImplicitSolve(it, &nm->im, model, state, &problem, report));
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrImplicitCheck(it, &nm->im, model, state, report)); /* no element inside out */
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(work(nm, &report->external_work));
  PetscCall(CrImplicitCommit(&nm->im, model, &nm->law, report));
  PetscCall(release(nm, state->t + h, h));
  PetscCall(keep(nm));
  PetscCall(CrImplicitAccept(&nm->im, model, h, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const CrKey options[] = {{"beta", CR_REAL, "0.25", .range = "(0,1]",
                                 .help = "newmark: weight of a1 in the displacement"},
                                {"gamma", CR_REAL, "0.5", .range = "[0.5,1]",
                                 .help = "newmark: weight of a1 in the velocity"},
                                {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  Newmark *nm = it->data;

  PetscFunctionBeginUser;
  nm->beta = CrDeckReal(CrDeckFind(time, "beta"));
  nm->gamma = CrDeckReal(CrDeckFind(time, "gamma"));
  nm->law = (CrContactLaw){.real_gap = PETSC_TRUE,
                           .at_end = PETSC_TRUE,
                           .theta = 1,
                           .evaluate = CrPlainPenalty};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Newmark *nm = it->data;
  PetscInt n = model->nowned * model->dim, m = model->nlocal * model->dim;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitCreate(it, model, &nm->im));
  nm->im.real_gap = PETSC_TRUE;
  nm->im.through = it->contact && !model->quasi_static; /* a baseline goes on, with a warning */
  PetscCall(CrModelCreateVec(model, &nm->a));
  PetscCall(CrModelCreateVec(model, &nm->force));
  PetscCall(CrModelCreateVec(model, &nm->response));
  PetscCall(CrModelCreateVec(model, &nm->touch0));
  PetscCall(PetscCalloc1(n, &nm->touch));
  PetscCall(CrSupportsCreate(model, &nm->next));
  PetscCall(PetscCalloc6(m, &nm->a1, n, &nm->internal0, n, &nm->loads0, n, &nm->internal, n,
                         &nm->loads, n, &nm->inertia));
  PetscCall(start(nm, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *list)
{
  Newmark *nm = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddVec(list, "newmark.acceleration", nm->a));
  PetscCall(CrArchiveAddReals(list, "newmark.h", 1, &nm->h));
  if (it->contact) PetscCall(CrArchiveAddVec(list, "newmark.contact", nm->touch0));
  if (it->remembers) PetscCall(CrArchiveAddNodal(list, "newmark.internal", nm->internal0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces at t_n follow from the state, unless they were in the checkpoint. */
static PetscErrorCode resume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  Newmark         *nm = it->data;
  const PetscReal *u;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u));
  if (!it->remembers) PetscCall(CrModelForce(model, state, CR_FORCE_POINT, NULL, u, nm->internal0));
  PetscCall(PetscArrayzero(nm->loads0, model->nowned * model->dim));
  PetscCall(CrLoadsAddOver(model, state->t, nm->h, u, nm->loads0));
  PetscCall(VecRestoreArrayRead(state->u, &u));
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
  PetscCall(PetscFree(nm->touch));
  PetscCall(CrSupportsDestroy(&nm->next));
  PetscCall(PetscFree6(nm->a1, nm->internal0, nm->loads0, nm->internal, nm->loads, nm->inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_newmark = {
    .name = "newmark",
    .citation = "Newmark 1959",
    .help = "Newmark's method (beta, gamma), end-point forces: the baseline users know",
    .claims = CR_KEEPS_LINEAR | CR_SECOND_ORDER,
    .accepts = CR_DEFORMABLE | CR_QUASI_STATIC | CR_CONSISTENT_MASS | CR_CONTACT | CR_SPRINGS,
    .data_size = sizeof(Newmark),
    .options = options,
    .configure = configure,
    .setup = setup,
    .step = step,
    .archive = archive,
    .resume = resume,
    .destroy = destroy,
};

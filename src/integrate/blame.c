/* Explains why a step fails: finds the node that is farthest from equilibrium, for the message of a run that fails.
   Also warns at the end of a run if contact springs have created energy. */
#include <math.h>
#include "contact/springs/springs.h"
#include "integrate/implicit.h"

#define OFF 0.01 /* of the energy: what contact may create or lose unmentioned */

void CrImplicitAdvise(const CrIntegrator *it, const CrAudit *a)
{
  if (!it->contact || it->contact->model->quasi_static) return;
  if (!(a->balance_max > OFF * a->energy_scale)) return;
  CrWarn(
      "%.3g %% of the energy is unexplained: method %s creates or loses energy at contact, so speeds, forces and losses may be wrong; use shorter steps, or `method: dissipative`",
      (double)(100 * a->balance_max / a->energy_scale), it->ops->name);
}

/* The owned node with the greatest residual, *worst; one that is not a number counts most. -1: none is above 0. */
static PetscErrorCode find_worst(const CrModel *model, Vec r, PetscInt *node, double *worst)
{
  const PetscReal *a;

  PetscFunctionBeginUser;
  *node = -1;
  *worst = 0;
  PetscCall(VecGetArrayRead(r, &a));
  for (PetscInt A = 0; A < model->nowned; A++) {
    double size = 0;

    for (PetscInt i = 0; i < model->dim; i++) size += (double)PetscSqr(a[model->dim * A + i]);
    if (isnan(size)) size = INFINITY;
    if (!(size > *worst)) continue;
    *worst = size;
    *node = A;
  }
  PetscCall(VecRestoreArrayRead(r, &a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What to try. `loose`: a body that supports do not hold in a quasi-static analysis; -1: none. */
static void advise(const CrIntegrator *it, const CrModel *model, PetscBool touches, PetscInt loose,
                   char *text, size_t size)
{
  const char *words =
      !touches ? "try shorter steps, or loads with a ramp, and check whether supports hold the body"
      : it->ops->accepts & CR_SPRINGS
          ? "try shorter steps, a smaller normal_penalty of this pair, or `method: bipotential`"
          : "try shorter steps, or `method: dissipative`";

  snprintf(text, size, "%s", words);
  if (loose >= 0)
    snprintf(text, size,
             "%s; supports do not hold body %s, so only contact can: let it touch at the start, "
             "hold it with a condition as well, or use `analysis: dynamic`",
             words, model->bodies[loose].name);
}

static void describe(const CrIntegrator *it, const CrImplicit *im, PetscInt A, const char *pair,
                     CrContactStatus status, PetscInt loose, char *text, size_t size)
{
  static const char *const words[] = {"open", "sticking", "slipping", "smooth"};
  const CrStepArrays      *s = &im->step;
  const CrModel           *model = s->model;
  const CrBody            *body = &model->bodies[model->node_body[A]];
  PetscReal                x[3] = {0};
  char                     place[80], contact[200] = "", advice[320];

  advise(it, model, pair ? PETSC_TRUE : PETSC_FALSE, loose, advice, sizeof advice);
  for (PetscInt i = 0; i < model->dim; i++)
    x[i] = model->X[model->dim * A + i] + s->u0[model->dim * A + i];
  if (model->dim == 2)
    snprintf(place, sizeof place, "(%.4g, %.4g)", (double)x[0], (double)x[1]);
  else
    snprintf(place, sizeof place, "(%.4g, %.4g, %.4g)", (double)x[0], (double)x[1], (double)x[2]);
  if (pair) snprintf(contact, sizeof contact, ", in contact %s (%s)", pair, words[status]);
  snprintf(text, size, "farthest from equilibrium: node %" PetscInt_FMT " of body %s at %s%s; %s",
           model->natural[A] - body->first_node, body->name, place, contact, advice);
}

/* A rigid body without equilibrium in a quasi-static step; every rank knows of it. */
static PetscBool blame_rigid(CrIntegrator *it, const CrImplicit *im)
{
  const CrModel *model = im->step.model;
  char           name[96];

  if (!model->quasi_static || !model->rigid->n || !im->contact || im->contact->work->unheld < 0)
    return PETSC_FALSE;
  CrRigidName(model->rigid, im->contact->work->unheld, name);
  snprintf(
      it->blame, sizeof it->blame,
      "rigid body %s has no equilibrium: no support or contact balances its load; put it in contact with its support, or use `analysis: dynamic`",
      name);
  return PETSC_TRUE;
}

/* The first body that supports do not hold in a quasi-static analysis; -1: none. Collective. */
static PetscErrorCode find_loose(const CrModel *model, PetscInt *loose)
{
  PetscInt *free;

  PetscFunctionBeginUser;
  *loose = -1;
  if (!model->quasi_static) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(model->nbodies, &free));
  PetscCall(CrSupportsFreeMotions(model, free));
  for (PetscInt b = model->nbodies - 1; b >= 0; b--)
    if (free[b]) *loose = b;
  PetscCall(PetscFree(free));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitBlame(CrIntegrator *it, const CrImplicit *im, Vec r)
{
  const CrModel  *model = im->step.model;
  PetscMPIInt     rank;
  PetscInt        node;
  const char     *pair = NULL;
  CrContactStatus status = CR_OPEN;
  PetscInt        loose;
  struct {
    double size;
    int    rank;
  } worst;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  PetscCall(find_worst(model, r, &node, &worst.size));
  worst.rank = rank;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, model->comm));
  it->blame[0] = 0;
  if (blame_rigid(it, im) || !(worst.size > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  if (im->contact)
    PetscCall(CrContactOfNode(im->contact, rank == worst.rank ? node : -1, &pair, &status));
  PetscCall(find_loose(model, &loose));
  if (rank == worst.rank) describe(it, im, node, pair, status, loose, it->blame, sizeof it->blame);
  PetscCallMPI(MPI_Bcast(it->blame, (int)sizeof it->blame, MPI_CHAR, worst.rank, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

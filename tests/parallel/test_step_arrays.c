/* The arrays of a step on several ranks: trial positions with the ghosts of their owners, the middle and
   the increment that follow from them, and nothing left open at the end. */
#include "integrate/arrays.h"
#include "model_from_text.h"

static const char deck[] =
    "carom: 1\ndimension: 2\nmaterials: [{name: m, young: 100, poisson: 0.3, density: 1}]\n"
    "bodies: [{name: a, material: m, velocity: [3, 0], mesh: {block: {from: [0, 0], to: [4, 1],"
    " elements: [8, 2]}}}]\ntime: {method: midpoint, step: 0.01, end: 1}\n";

/* Owners write scale times the reference position; ghosts are left as they are. */
static void write_owned(const CrModel *model, PetscReal scale, Vec x)
{
  PetscReal *a;

  CHECK_OK(VecGetArray(x, &a));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) a[k] = scale * model->X[k];
  CHECK_OK(VecRestoreArray(x, &a));
}

/* scale is a power of two, so that products and means are exact. */
static void check_trial(const CrStepArrays *step, PetscReal start, PetscReal scale)
{
  const PetscReal *X = step->model->X;

  for (PetscInt k = 0; k < step->model->nlocal * step->model->dim; k++) {
    CHECK(step->u0[k] == start * X[k]);
    CHECK(step->v0[k] == (k % 2 ? 0 : 3));
    CHECK(step->u1[k] == scale * X[k]);
    CHECK(step->du[k] == (scale - start) * X[k]);
    CHECK(step->um[k] == (scale + start) / 2 * X[k]);
  }
}

static void test_step(Problem *p)
{
  const CrModel   *model = p->model;
  CrStepArrays     step = {0};
  const PetscReal *other = NULL;
  Vec              x;

  CHECK_OK(CrModelCreateVec(model, &x));
  CHECK_OK(CrStepArraysCreate(model, &step));
  write_owned(model, 0.5, p->state->u);
  CHECK_OK(CrModelUpdateGhosts(model, p->state->u));
  for (int again = 0; again < 2; again++) { /* a step that was closed can be opened */
    CHECK_OK(CrStepOpen(&step, model, p->state, 0.25));
    CHECK(step.h == 0.25 && step.state == p->state && !step.u1);
    for (PetscReal scale = 0.25; scale < 8; scale *= 2) {
      write_owned(model, scale, x);
      CHECK_OK(CrStepTry(&step, x));
      check_trial(&step, 0.5, scale);
    }
    CHECK_OK(CrStepRead(&step, p->state->v, &other));
    CHECK(other == step.v0);
    CHECK_OK(CrStepClose(&step));
    CHECK(!step.u0 && !step.v0 && !step.u1 && !other && !step.nopen);
  }
  CHECK_OK(CrStepArraysDestroy(&step));
  CHECK_OK(VecDestroy(&x));
}

/* An array becomes the local part of a vector. */
static void test_take(const CrModel *model)
{
  PetscInt         n = model->nlocal * model->dim;
  const PetscReal *a;
  Vec              x;

  CHECK_OK(CrModelCreateVec(model, &x));
  CHECK_OK(CrVecTake(x, n, model->X));
  CHECK_OK(VecGetArrayRead(x, &a));
  for (PetscInt k = 0; k < n; k++) CHECK(a[k] == model->X[k]);
  CHECK_OK(VecRestoreArrayRead(x, &a));
  CHECK_OK(VecDestroy(&x));
}

int main(int argc, char **argv)
{
  Problem p;
  int     failures;

  if (check_start(argc, argv)) return 1;
  CHECK_OK(problem_open(&p, deck));
  if (!check_failures) {
    test_step(&p);
    test_take(p.model);
    CHECK_OK(problem_close(&p));
  }
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}

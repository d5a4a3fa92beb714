/* Pairs of explicit contact are held once over all ranks, by the owner of their slave. A lid of 6 by 5 elements moves
   onto a wider and coarser base, all of it at once: every one of its 7 by 6 nodes presses, and nothing else does. */
#include "contact/multipliers/press.h"
#include "model/forces.h"
#include "model/halo.h"
#include "model_from_text.h"

#define NODES 42

static const char deck[] =
    "carom: 1\ndimension: 3\nmaterials: [{name: m, young: 100, poisson: 0.3, density: 1}]\n"
    "bodies:\n"
    "  - {name: lid, material: m, velocity: [0.1, 0.05, -1], mesh: {block: {from: [0.1, 0.1, 0.001],"
    " to: [0.9, 0.9, 0.2], elements: [6, 5, 1]}}}\n"
    "  - {name: base, material: m, mesh: {block: {from: [0, 0, -0.3], to: [1, 1, 0], elements: [4, 3, 1]}}}\n"
    "contact: [{between: [lid.bottom, base.top], friction: 0.2}]\n"
    "time: {method: explicit, step: 0.002, end: 1}\n";

static const PetscReal h = 0.002;

/* Every lower node of the lid is the slave of one pair on one rank, and the rank owns it. */
static void check_pairs(const CrMultipliers *m)
{
  const CrModel *model = m->contact->model;
  PetscInt       all = m->npairs, *times, once = 0;

  CHECK_OK(PetscCalloc1(model->nglobal, &times));
  for (PetscInt k = 0; k < m->npairs; k++) {
    CHECK(m->pairs[k].nodes[0] < model->nowned);
    CHECK(m->pairs[k].n == 5);
    CHECK_NEAR(model->X[3 * m->pairs[k].nodes[0] + 2], 0.001, 1e-14);
    times[model->natural[m->pairs[k].nodes[0]]]++;
  }
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, times, (int)model->nglobal, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  for (PetscInt A = 0; A < model->nglobal; A++) {
    CHECK(times[A] <= 1);
    once += times[A];
  }
  CHECK(all == NODES && once == NODES);
  CHECK_OK(PetscFree(times));
}

/* The iteration changes velocities by forces between the bodies alone: momentum stays, and ghosts that the
   model updates have the velocities of their owners. */
static void check_velocities(const CrMultipliers *m, const PetscReal *before, const PetscReal *v)
{
  const CrModel *model = m->contact->model;
  PetscReal      change[3] = {0}, moved = 0, *copy;
  CrHalo         all;

  for (PetscInt k = 0; k < 3 * model->nowned; k++) {
    change[k % 3] += (v[k] - before[k]) / m->inverse[k / 3];
    moved += PetscAbsReal(v[k] - before[k]) / m->inverse[k / 3];
  }
  MPI_Allreduce(MPI_IN_PLACE, change, 3, MPIU_REAL, MPIU_SUM, PETSC_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPIU_REAL, MPIU_SUM, PETSC_COMM_WORLD);
  CHECK(moved > 1e-3); /* so much at least is exchanged, or nothing is tested */
  for (int i = 0; i < 3; i++) CHECK_NEAR(change[i], 0, 1e-13 * moved);
  CHECK_OK(PetscMalloc1(3 * model->nlocal, &copy));
  CHECK_OK(PetscArraycpy(copy, v, 3 * model->nlocal));
  CHECK_OK(
      CrHaloCreate(model->comm, model->nowned, model->nlocal - model->nowned, model->ghosts, &all));
  CHECK_OK(CrHaloBring(&all, 3, copy, copy + 3 * model->nowned));
  CHECK_OK(CrHaloDestroy(&all));
  for (PetscInt k = 0; k < 3 * model->nlocal; k++)
    CHECK(copy[k] == v[k] || !CrVicinityHas(model->live, k / 3));
  CHECK_OK(PetscFree(copy));
}

static void test_inner(Problem *p, CrInner inner, CrAlgorithm algorithm)
{
  const CrModel      *model = p->model;
  CrMultiplierOptions options = {
      .algorithm = algorithm, .inner = inner, .iterations = 4, .outer = 2, .overhang = 0.2};
  CrMultiplierStep step = {.h = h, .h0 = h, .kick = h, .rigid = p->state->rigid};
  PetscReal       *inverse, *v;
  PetscInt         iterations;
  PetscBool        too_far;
  CrMultipliers   *m;

  CHECK_OK(PetscMalloc2(model->nlocal, &inverse, 3 * model->nlocal, &v));
  CHECK_OK(CrModelNodeMasses(model, inverse));
  for (PetscInt A = 0; A < model->nlocal; A++) inverse[A] = 1 / inverse[A];
  CHECK_OK(CrMultipliersCreate(p->contact, &options, inverse, p->state->contact, &m));
  CHECK_OK(VecGetArrayRead(p->state->u, &step.u0));
  CHECK_OK(VecGetArrayRead(p->state->v, &step.v0));
  CHECK_OK(PetscArraycpy(v, step.v0, 3 * model->nlocal));
  CHECK_OK(CrMultipliersSolve(m, &step, v, &iterations, &too_far));
  CHECK(!too_far && iterations >= 4);
  check_pairs(m);
  check_velocities(m, step.v0, v);
  CHECK_OK(VecRestoreArrayRead(p->state->u, &step.u0));
  CHECK_OK(VecRestoreArrayRead(p->state->v, &step.v0));
  CHECK_OK(CrMultipliersDestroy(&m));
  CHECK_OK(PetscFree2(inverse, v));
}

int main(int argc, char **argv)
{
  Problem p = {0};

  if (check_start(argc, argv)) return 1;
  CHECK_OK(problem_open(&p, "%s", deck));
  test_inner(&p, CR_INNER_JACOBI, CR_ALGORITHM_3);
  test_inner(&p, CR_INNER_NESTEROV, CR_ALGORITHM_2);
  test_inner(&p, CR_INNER_GAUSS_SEIDEL, CR_ALGORITHM_1);
  test_inner(&p, CR_INNER_JACOBI, CR_ALGORITHM_SYM);
  CHECK_OK(problem_close(&p));
  return check_end();
}

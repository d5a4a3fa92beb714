/* The model on several ranks: every node and cell counted once, ghosts equal to their owners,
   gathered data in the order of the mesh, forces that sum up as on one rank. */
#include "model_from_text.h"
#include "model/forces.h"
#include "model/gather.h"

static const char deck[] =
    "carom: 1\ndimension: 3\nmaterials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]\n"
    "bodies:\n"
    "  - {name: a, material: m, mass: consistent, mesh: {block: {from: [0, 0, 0], to: [2, 1, 1],"
    " elements: [4, 2, 2], type: T10}}, spin: [0, 0, 1]}\n"
    "  - {name: b, material: m, mesh: {ball: {center: [5, 0, 0], radius: 1, elements: 2}}}\n"
    "conditions: [{on: a.left, fix: [x, y, z]}, {on: a.right, traction: [1, 2, 3]}]\n"
    "time: {method: midpoint, step: 0.01, end: 1}\n";

static PetscInt sum_of(PetscInt mine)
{
  PetscInt sum;

  MPI_Allreduce(&mine, &sum, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  return sum;
}

static PetscReal sum_of_reals(PetscReal mine)
{
  PetscReal sum;

  MPI_Allreduce(&mine, &sum, 1, MPIU_REAL, MPIU_SUM, PETSC_COMM_WORLD);
  return sum;
}

static void test_ownership(const CrModel *model)
{
  PetscInt owned = 0;

  CHECK(sum_of(model->nowned) == model->nglobal);
  for (PetscInt k = 0; k < model->nblocks; k++) owned += model->blocks[k].nowned;
  CHECK(sum_of(owned) == model->ncells);
  CHECK(model->bodies[0].ncells + model->bodies[1].ncells == model->ncells);
  for (PetscInt g = 0; g < model->nlocal - model->nowned; g++) {
    CHECK(model->ghosts[g] < model->first || model->ghosts[g] >= model->first + model->nowned);
    if (g) CHECK(model->ghosts[g] > model->ghosts[g - 1]);
  }
}

/* Owners write a function of the reference position; ghosts must agree with their own X. */
static void test_ghosts(const CrModel *model)
{
  Vec        v;
  PetscReal *a;

  CHECK_OK(CrModelCreateVec(model, &v));
  CHECK_OK(VecGetArray(v, &a));
  for (PetscInt k = 0; k < model->nowned * 3; k++) a[k] = 2 * model->X[k] + (PetscReal)(k % 3);
  CHECK_OK(VecRestoreArray(v, &a));
  CHECK_OK(CrModelUpdateGhosts(model, v));
  CHECK_OK(VecGetArray(v, &a));
  for (PetscInt k = model->nowned * 3; k < model->nlocal * 3; k++)
    CHECK(a[k] == 2 * model->X[k] + (PetscReal)(k % 3));
  CHECK_OK(VecRestoreArray(v, &a));
  CHECK_OK(VecDestroy(&v));
}

/* Rank 0 gets nodes and cells as the mesh has them: cells name their own body's nodes, and their
   volumes (of the corner tetrahedron, or by the mass) are positive. */
static void test_gather(const CrModel *model)
{
  PetscReal  *all;
  PetscInt   *types, *offsets, *nodes, *bodies;
  PetscMPIInt rank;

  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  CHECK_OK(PetscCalloc1(model->nglobal * 3, &all));
  CHECK_OK(CrModelGather(model, 3, model->X, all));
  CHECK_OK(CrModelGatherCells(model, &types, &offsets, &nodes, &bodies));
  for (PetscInt c = 0; rank == 0 && c < model->ncells; c++) {
    const CrBody    *body = &model->bodies[bodies[c]];
    const PetscInt  *n = nodes + offsets[c];
    const PetscReal *x = all;
    PetscReal        e[3][3];

    CHECK(types[c] == (bodies[c] ? CR_H8 : CR_T10));
    CHECK(offsets[c + 1] - offsets[c] == CrCells[types[c]].nnodes);
    CHECK(c >= body->first_cell && c < body->first_cell + body->ncells);
    for (PetscInt a = 0; a < CrCells[types[c]].nnodes; a++)
      CHECK(n[a] >= body->first_node && n[a] < body->first_node + body->nnodes);
    for (int d = 0; d < 3; d++) { /* from the first corner along its three edges */
      PetscInt other = types[c] == CR_T10 ? d + 1 : d == 0 ? 1 : d == 1 ? 3 : 4;

      for (int i = 0; i < 3; i++) e[d][i] = x[3 * n[other] + i] - x[3 * n[0] + i];
    }
    CHECK(e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
              e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
              e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]) >
          0);
  }
  CHECK_OK(PetscFree(types));
  CHECK_OK(PetscFree(offsets));
  CHECK_OK(PetscFree(nodes));
  CHECK_OK(PetscFree(bodies));
  CHECK_OK(PetscFree(all));
}

/* Exactly one rank owns the node nearest to a point; ties go to one node too. */
static void test_nearest(const CrModel *model)
{
  const PetscReal at[2][3] = {{2.1, 1.1, 1.1}, {1, 0.5, 0.51}};
  PetscInt        node;

  for (int k = 0; k < 2; k++) {
    CHECK_OK(CrModelNearestNode(model, 0, NULL, NULL, at[k], &node));
    CHECK(sum_of(node >= 0) == 1);
    if (node >= 0)
      for (int i = 0; i < 3; i++)
        CHECK_NEAR(model->X[3 * node + i], k ? (i ? 0.5 : 1) : (i ? 1 : 2), 1e-12);
  }
}

/* Mass, weight, loads: sums over the owned rows are those of the bodies. Internal forces of any
   state have no resultant. */
static void test_sums(const Problem *p)
{
  const CrModel *model = p->model;
  PetscInt       n = model->nowned * 3, m = model->nlocal * 3;
  PetscReal     *u, *f, sum[3], mass = 0, force = 0;

  for (PetscInt A = 0; A < model->nowned; A++) mass += model->row_mass[A];
  CHECK_NEAR(sum_of_reals(mass), model->total_mass, 1e-12);
  CHECK_NEAR(model->bodies[0].mass, 2 * 8.93, 1e-12);
  CHECK_OK(PetscCalloc2(m, &u, n, &f));
  CHECK_OK(CrLoadsAdd(model, 0, u, f));
  for (int i = 0; i < 3; i++) sum[i] = 0;
  for (PetscInt k = 0; k < n; k++) sum[k % 3] += f[k];
  for (int i = 0; i < 3; i++) CHECK_NEAR(sum_of_reals(sum[i]), i + 1, 1e-13); /* area 1 */

  /* a state that every rank knows: a function of the position */
  for (PetscInt k = 0; k < m; k++) u[k] = 0.05 * sin(3 * model->X[k] + (PetscReal)(k % 3));
  CHECK_OK(CrModelForce(model, NULL, CR_FORCE_POINT, NULL, u, f));
  for (int i = 0; i < 3; i++) sum[i] = 0;
  for (PetscInt k = 0; k < n; k++) {
    sum[k % 3] += f[k];
    force += PetscAbsReal(f[k]);
  }
  force = sum_of_reals(force);
  for (int i = 0; i < 3; i++) CHECK_NEAR(sum_of_reals(sum[i]), 0, 1e-13 * force);
  CHECK_OK(PetscFree2(u, f));
}

/* A few steps: the ledger needs every rank's share. */
static void test_steps(Problem *p)
{
  CHECK_OK(problem_run(p, 3, 0.01));
  CHECK_LESS(p->audit->balance_max, 1e-10 * p->audit->energy_scale);
  CHECK_LESS(1e-6, PetscAbsReal(p->audit->external_work));
}

int main(int argc, char **argv)
{
  Problem p;
  int     failures;

  if (check_start(argc, argv)) return 1;
  CHECK_OK(problem_open(&p, deck));
  if (!check_failures) {
    test_ownership(p.model);
    test_ghosts(p.model);
    test_gather(p.model);
    test_nearest(p.model);
    test_sums(&p);
    test_steps(&p);
    CHECK_OK(problem_close(&p));
  }
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}

/* The partition of bodies that touch, or are about to: every rank gets its part of the cells and of the nodes in
   contact. A rank that had all of the latter would do all the work of contact. */
#include "model_from_text.h"

#define BLOCKS                                                                                     \
  "carom: 1\ndimension: 3\nmaterials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]\n"     \
  "bodies:\n"                                                                                      \
  "  - {name: a, material: m, position: [0, 0, %g], mesh: {block: {from: [0, 0, 0], "              \
  "to: [1, 1, 1], elements: [%d, %d, %d]}}}\n"                                                     \
  "  - {name: b, material: m, mesh: {block: {from: [0, 0, -1], to: [1, 1, 0], "                    \
  "elements: [12, 12, 12]}}}\n"                                                                    \
  "contact: [{between: [%s, %s]}]\n"                                                               \
  "time: {method: explicit, step: 1e-4, end: 1}\n"

/* The largest of the ranks, over the mean. */
static double unevenness(PetscInt mine)
{
  PetscInt    most, sum;
  PetscMPIInt size;

  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  MPI_Allreduce(&mine, &most, 1, MPIU_INT, MPI_MAX, PETSC_COMM_WORLD);
  MPI_Allreduce(&mine, &sum, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  return (double)(most * size) / (double)sum;
}

static PetscInt cells_of(const CrModel *model)
{
  PetscInt n = 0;

  for (PetscInt k = 0; k < model->nblocks; k++) n += model->blocks[k].n;
  return n;
}

/* Owned nodes of body b on the plane z = at. */
static PetscInt nodes_at(const CrModel *model, PetscInt b, PetscReal at)
{
  PetscInt n = 0;

  for (PetscInt A = 0; A < model->nowned; A++)
    n += model->node_body[A] == b && PetscAbsReal(model->X[3 * A + 2] - at) < 1e-9;
  return n;
}

/* A third of the nodes more than the mean would still let 3 ranks be 2.2 times as fast as one. With all nodes on one
   rank the ratio is the number of ranks. Cells that contact outweighs may be fewer. */
static void test_blocks(double gap, int n, const char *first, const char *second)
{
  Problem p;

  CHECK_OK(problem_open(&p, BLOCKS, gap, n, n, n, first, second));
  if (check_failures) return;
  CHECK_LESS(unevenness(nodes_at(p.model, 0, gap)), 1.34);
  CHECK_LESS(unevenness(nodes_at(p.model, 1, 0)), 1.34);
  CHECK_LESS(unevenness(cells_of(p.model)), 1.25);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  int failures;

  if (check_start(argc, argv)) return 1;
  test_blocks(0, 12, "a.bottom", "b.top");
  test_blocks(0, 12, "b.top", "a.bottom");
  test_blocks(0.01, 9, "a", "b"); /* whole bodies, a small gap, other facets */
  test_blocks(0.6, 12, "a", "b"); /* far apart: seven facets */
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}

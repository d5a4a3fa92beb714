/* Halos: values of nodes go to all ranks that need them, contributions come back and are summed at the owners. The
   expected values follow from the numbers of the nodes alone. */
#include "check.h"
#include "model/mutual.h"

#define MOST 64

/* The k-th of n nodes that a rank needs, of `all`: in disorder, with doubles, and some of its own. */
static PetscInt needed_node(int rank, PetscInt k, PetscInt all)
{
  return (7 * k + 3 * rank * rank + rank) % all;
}

static PetscInt count_needed(int rank)
{
  return rank == 1 ? 0 : 9 + rank; /* rank 1 needs nothing */
}

static PetscReal value_of(PetscInt node, PetscInt i)
{
  return 1.0 / (1 + node) + 0.25 * i;
}

static void test_bring(CrHalo *halo, PetscInt first, PetscInt width, const PetscInt *global)
{
  PetscReal owned[4 * MOST], needed[4 * MOST];
  PetscInt  ints[4 * MOST], copies[4 * MOST];

  for (PetscInt k = 0; k < width * halo->nowned; k++) {
    owned[k] = value_of(first + k / width, k % width);
    ints[k] = 10 * (first + k / width) + k % width;
  }
  CHECK(!CrHaloBring(halo, width, owned, needed));
  CHECK(!CrHaloBringInts(halo, width, ints, copies));
  for (PetscInt k = 0; k < width * halo->n; k++) {
    CHECK(needed[k] == value_of(global[k / width], k % width)); /* copies are exact */
    CHECK(copies[k] == 10 * global[k / width] + k % width);
  }
}

/* What all ranks contribute to a node: rank + 1 for each time that they need it, times 0.1 and the component. */
static PetscReal sum_at(int size, PetscInt all, PetscInt node, PetscInt i)
{
  PetscReal sum = 0;

  for (int rank = 0; rank < size; rank++)
    for (PetscInt k = 0; k < count_needed(rank); k++)
      if (needed_node(rank, k, all) == node) sum += 0.1 * (rank + 1) * (i + 1);
  return sum;
}

static void test_add(CrHalo *halo, int rank, int size, PetscInt first, PetscInt all, PetscInt width)
{
  PetscReal owned[4 * MOST], needed[4 * MOST];
  PetscInt  counts[MOST] = {0}, ones[MOST];

  for (PetscInt k = 0; k < width * halo->nowned; k++) owned[k] = 1;
  for (PetscInt k = 0; k < width * halo->n; k++) needed[k] = 0.1 * (rank + 1) * (k % width + 1);
  for (PetscInt k = 0; k < halo->n; k++) ones[k] = 10 * (rank + 1);
  CHECK(!CrHaloAdd(halo, width, needed, owned));
  CHECK(!CrHaloAddInts(halo, 1, ones, counts));
  for (PetscInt k = 0; k < width * halo->nowned; k++)
    CHECK_NEAR(owned[k], 1 + sum_at(size, all, first + k / width, k % width), 1e-13);
  for (PetscInt k = 0; k < halo->nowned; k++)
    CHECK(counts[k] == (PetscInt)(100 * sum_at(size, all, first + k, 0) + 0.5));
}

/* Ghosts lie behind the owned nodes of one array, as in the vectors of the model. */
static void test_in_place(CrHalo *halo, PetscInt first, const PetscInt *global)
{
  PetscReal values[3 * MOST];

  for (PetscInt k = 0; k < 2 * halo->nowned; k++) values[k] = value_of(first + k / 2, k % 2);
  CHECK(!CrHaloBring(halo, 2, values, values + 2 * halo->nowned));
  for (PetscInt k = 0; k < 2 * halo->n; k++)
    CHECK(values[2 * halo->nowned + k] == value_of(global[k / 2], k % 2));
}

/* Sums at nodes in common. Rank r needs the nodes g of others with (g g + r) % 3 > 0; rank 1 needs nothing. */
static PetscBool needs(int rank, PetscInt node)
{
  return rank != 1 && (node * node + rank) % 3 > 0;
}

static int owner_of(int size, PetscInt node)
{
  int rank = 0;

  for (PetscInt end = 11; node >= end && rank < size; end += rank == 2 ? 0 : 11 - rank) rank++;
  return rank;
}

static PetscReal part_of(int rank, PetscInt node, PetscInt i)
{
  return 1.0 / (1 + node) + 0.3 * rank + 0.7 * i;
}

/* The sum in the order of the ranks, bit by bit; of one rank alone, its own part. */
static PetscReal common_sum(int size, PetscInt node, PetscInt i)
{
  PetscReal sum = 0;

  for (int rank = 0; rank < size; rank++)
    if (owner_of(size, node) == rank || needs(rank, node)) sum += part_of(rank, node, i);
  return sum;
}

static void test_mutual(int rank, int size, PetscInt first, PetscInt nowned, PetscInt all)
{
  PetscInt  global[MOST], local[MOST], n = 0;
  PetscReal values[6 * MOST];
  CrHalo    halo;
  CrMutual  mutual;

  for (PetscInt g = 0; g < all; g++) {
    if ((g >= first && g < first + nowned) || !needs(rank, g)) continue;
    local[n] = nowned + n;
    global[n++] = g;
  }
  CHECK(!CrHaloCreate(PETSC_COMM_WORLD, nowned, n, global, &halo));
  CHECK(!CrMutualCreate(&halo, first, local, global, &mutual));
  for (PetscInt width = 1; width <= 3; width++) {
    for (PetscInt k = 0; k < width * (nowned + n); k++) {
      PetscInt A = k / width;

      values[k] = part_of(rank, A < nowned ? first + A : global[A - nowned], k % width);
    }
    CHECK(!CrMutualSum(&mutual, width, values));
    for (PetscInt k = 0; k < width * (nowned + n); k++) {
      PetscInt A = k / width;

      CHECK(values[k] == common_sum(size, A < nowned ? first + A : global[A - nowned], k % width));
    }
  }
  CHECK(!CrMutualDestroy(&mutual));
  CHECK(!CrHaloDestroy(&halo));
}

int main(int argc, char **argv)
{
  int      rank, size, failures;
  PetscInt global[MOST], nowned, first = 0, all = 0;
  CrHalo   halo;

  if (check_start(argc, argv)) return 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  for (int r = 0; r < size; r++) {
    if (r == rank) first = all;
    all += r == 2 ? 0 : 11 - r; /* rank 2 owns nothing */
  }
  nowned = rank == 2 ? 0 : 11 - rank;
  for (PetscInt k = 0; k < count_needed(rank); k++) global[k] = needed_node(rank, k, all);
  CHECK(!CrHaloCreate(PETSC_COMM_WORLD, nowned, count_needed(rank), global, &halo));
  for (PetscInt width = 1; width <= 4; width++) test_bring(&halo, first, width, global);
  for (PetscInt width = 1; width <= 3; width++) test_add(&halo, rank, size, first, all, width);
  test_in_place(&halo, first, global);
  CHECK(!CrHaloDestroy(&halo));
  CHECK(!halo.comm);
  test_mutual(rank, size, first, nowned, all);
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}

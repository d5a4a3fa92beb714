/* Parts of meshes: together they are the mesh that one rank makes, and none is much larger than its share. */
#include "mesh_measure.h"

static const struct {
  PetscInt    dim;
  const char *text;
} bodies[] = {
    {2,
     "mesh: {block: {from: [0, 0], to: [2, 1], elements: [7, 5]}}\nangle: 30\nposition: [1, 2]\n"},
    {2, "mesh: {block: {from: [0, 0], to: [2, 1], elements: [1, 9], type: Q8, grading: [1, 4]}}\n"},
    {2, "mesh: {block: {from: [0, 0], to: [2, 1], elements: [5, 4], type: Q9}}\n"},
    {2, "mesh: {quad: {corners: [[0, 0], [1, 0], [1, 2], [0, 1]], elements: [4, 6], type: T6}}\n"},
    {2, "mesh: {disc: {center: [0, 0], radius: 1, core: 4, rings: 3}, refine: 1}\n"},
    {3, "mesh: {block: {from: [0, 0, 0], to: [2, 1, 1], elements: [5, 4, 3]}}\nscale: 2\n"},
    {3,
     "mesh: {block: {from: [0, 0, 0], to: [2, 1, 1], elements: [3, 2, 2], type: T10}, refine: 1}\n"},
    {3, "mesh: {block: {from: [0, 0, 0], to: [2, 1, 1], elements: [9, 1, 1], type: T4}}\n"},
    {3, "mesh: {ball: {center: [0, 0, 0], radius: 1, elements: 2}}\n"},
    {2, "mesh: {file: mixed.msh, refine: 2}\nangle: 20\n"},
    {2, "mesh: {file: mixed-q8.msh, refine: 1}\n"},
    {3, "mesh: {file: tets-41.msh, refine: 1}\nscale: 3\n"},
    {3, "mesh: {file: tets-order2.msh, refine: 2}\n"},
    {2,
     "mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}\n"}, /* fewer cells than ranks */
};

static PetscInt sum_of(PetscInt mine)
{
  PetscInt sum;

  MPI_Allreduce(&mine, &sum, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  return sum;
}

static PetscErrorCode make_part(const char text[], PetscInt dim, CrMeshPart *part)
{
  CrDeck        *deck = NULL;
  PetscErrorCode code;

  code = CrDeckParse("deck.yaml", text, strlen(text), 0, NULL, &deck);
  if (!code) code = CrDeckValidate(deck, body_keys);
  if (!code)
    code =
        CrMeshCreatePart(PETSC_COMM_WORLD, CrDeckRoot(deck), dim, CR_TEST_DATA "/deck.yaml", part);
  CrDeckDestroy(&deck);
  return code;
}

static PetscInt number_of(const CrMeshPart *part, PetscInt node)
{
  return part->number ? part->number[node] : node;
}

/* The block of the whole mesh that has a cell, and the cell's number in it. */
static const CrCellBlock *find_cell(const CrMesh *whole, PetscInt cell, PetscInt *in_block)
{
  PetscInt b = 0;

  while (cell >= whole->blocks[b].n) cell -= whole->blocks[b++].n;
  *in_block = cell;
  return &whole->blocks[b];
}

static void test_cells(const CrMesh *whole, const CrMeshPart *part)
{
  PetscInt n = 0;

  for (PetscInt b = 0; b < part->mesh->nblocks; b++) {
    const CrCellBlock *block = &part->mesh->blocks[b];
    PetscInt           nn = CrCells[block->type].nnodes;

    for (PetscInt c = 0; c < block->n; c++, n++) {
      PetscInt           other;
      const CrCellBlock *same = find_cell(whole, part->first[b] + c, &other);

      CHECK(same->type == block->type && same->tags[other] == block->tags[c]);
      for (PetscInt a = 0; a < nn; a++)
        CHECK(number_of(part, block->nodes[c * nn + a]) == same->nodes[other * nn + a]);
    }
  }
  CHECK(sum_of(n) == part->ncells);
  CHECK(part->nnodes == whole->nnodes);
}

static void test_nodes(const CrMesh *whole, const CrMeshPart *part)
{
  for (PetscInt A = 0; A < part->mesh->nnodes; A++) {
    PetscInt B = number_of(part, A);

    if (A) CHECK(B > number_of(part, A - 1));
    for (PetscInt i = 0; i < whole->dim; i++)
      CHECK(part->mesh->X[A * whole->dim + i] == whole->X[B * whole->dim + i]);
  }
}

/* Every facet of a set is on one rank; every node of a set on at least one. */
static void test_sets(const CrMesh *whole, const CrMeshPart *part)
{
  CHECK(part->mesh->nsets == whole->nsets);
  for (PetscInt s = 0; s < whole->nsets; s++) {
    const CrSet *set = &whole->sets[s], *mine = &part->mesh->sets[s];
    PetscInt    *has, n = 0;

    CHECK_TEXT(mine->name, set->name);
    CHECK(part->is_surface[s] == (set->nfacets > 0));
    CHECK(sum_of(mine->nfacets) == set->nfacets);
    CHECK_OK(PetscCalloc1(whole->nnodes, &has));
    for (PetscInt i = 0; i < mine->nnodes; i++) has[number_of(part, mine->nodes[i])] = 1;
    MPI_Allreduce(MPI_IN_PLACE, has, (int)whole->nnodes, MPIU_INT, MPI_MAX, PETSC_COMM_WORLD);
    for (PetscInt i = 0; i < set->nnodes; i++) CHECK(has[set->nodes[i]]);
    for (PetscInt A = 0; A < whole->nnodes; A++) n += has[A];
    CHECK(n == set->nnodes);
    CHECK_OK(PetscFree(has));
  }
}

/* Facets of the whole are faces that one cell alone has, whoever says so. */
static void test_boundary(const CrMesh *whole)
{
  CrMesh *copy;

  CHECK_OK(CrMeshAllocate(whole->dim, whole->nnodes, "copy", &copy));
  CHECK_OK(PetscArraycpy(copy->X, whole->X, whole->nnodes * whole->dim));
  for (PetscInt b = 0; b < whole->nblocks; b++) {
    PetscInt *nodes, n = whole->blocks[b].n * CrCells[whole->blocks[b].type].nnodes;

    CHECK_OK(CrMeshAddBlock(copy, whole->blocks[b].type, whole->blocks[b].n, &nodes));
    CHECK_OK(PetscArraycpy(nodes, whole->blocks[b].nodes, n));
  }
  CHECK_OK(CrMeshFindBoundary(copy));
  CHECK(copy->nfacets == whole->nfacets);
  for (PetscInt f = 0; f < PetscMin(copy->nfacets, whole->nfacets); f++)
    CHECK(copy->facets[f].cell == whole->facets[f].cell &&
          copy->facets[f].face == whole->facets[f].face);
  CHECK_OK(CrMeshDestroy(&copy));
}

static void test_body(PetscInt dim, const char text[])
{
  CrMesh     *whole;
  CrMeshPart  part;
  PetscMPIInt size;
  PetscInt    n = 0;

  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  CHECK_OK(make_mesh_in(CR_TEST_DATA "/deck.yaml", text, dim, &whole));
  CHECK_OK(make_part(text, dim, &part));
  test_cells(whole, &part);
  test_nodes(whole, &part);
  test_sets(whole, &part);
  test_boundary(whole);
  for (PetscInt b = 0; b < part.mesh->nblocks; b++) n += part.mesh->blocks[b].n;
  CHECK(n <= part.ncells / size + 64); /* a box may have six cells, and a cell 64 children */
  CHECK_OK(CrMeshDestroyPart(&part));
  CHECK_OK(CrMeshDestroy(&whole));
}

int main(int argc, char **argv)
{
  int failures;

  if (check_start(argc, argv)) return 1;
  for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
    test_body(bodies[k].dim, bodies[k].text);
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}

/* Uniform refinement: the same volume, the nodes of a generator with twice the counts, surfaces that stay. */
#include "mesh/internal.h"
#include "mesh_measure.h"

static int compare_reals(const void *x, const void *y)
{
  const PetscReal *a = x, *b = y;

  for (int i = 0; i < 3; i++)
    if (PetscAbsReal(a[i] - b[i]) > 1e-9) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* Nodes sorted by their coordinates. */
static PetscReal *sorted(const CrMesh *mesh)
{
  PetscReal *x = calloc((size_t)mesh->nnodes * 3, sizeof *x);

  for (PetscInt A = 0; A < mesh->nnodes; A++)
    for (PetscInt i = 0; i < mesh->dim; i++) x[3 * A + i] = mesh->X[mesh->dim * A + i];
  qsort(x, (size_t)mesh->nnodes, 3 * sizeof *x, compare_reals);
  return x;
}

static PetscReal surface_size(const CrMesh *mesh, const char name[])
{
  const CrSet *set = CrMeshFindSet(mesh, name);
  PetscReal    sum = 0, N[3];

  for (PetscInt f = 0; set && f < set->nfacets; f++) {
    facet_flux(mesh, &mesh->facets[set->facets[f]], N);
    sum += PetscSqrtReal(N[0] * N[0] + N[1] * N[1] + N[2] * N[2]);
  }
  return sum;
}

static void check_like(const CrMesh *fine, const CrMesh *grid, PetscReal volume)
{
  PetscReal *x, *y, worst = 0;

  CHECK(fine->nnodes == grid->nnodes);
  CHECK(fine->blocks[0].n == grid->blocks[0].n);
  CHECK(fine->nfacets == grid->nfacets);
  CHECK(fine->nsets == grid->nsets);
  CHECK_NEAR(mesh_measure(fine), volume, 1e-12 * volume);
  CHECK(least_measure(fine) > 0);
  check_boundary_is_outward(fine);
  check_sets_are_valid(fine);
  for (PetscInt s = 0; s < grid->nsets; s++) {
    CHECK_NEAR(surface_size(fine, grid->sets[s].name), surface_size(grid, grid->sets[s].name),
               1e-12);
    CHECK(CrMeshFindSet(fine, grid->sets[s].name)->nnodes == grid->sets[s].nnodes);
  }
  if (fine->nnodes != grid->nnodes) return;
  x = sorted(fine);
  y = sorted(grid);
  for (PetscInt k = 0; k < 3 * fine->nnodes; k++)
    worst = PetscMax(worst, PetscAbsReal(x[k] - y[k]));
  CHECK_LESS(worst, 1e-12);
  free(x);
  free(y);
}

/* A box that is refined has the nodes of a box with twice the counts. */
static void test_boxes(void)
{
  for (CrCellType type = 0; type < CR_NCELLS; type++) {
    const PetscInt dim = CrCells[type].dim;
    const char    *format =
        dim == 2
               ? "mesh: {block: {from: [0, 0], to: [2, 1], elements: [%d, %d], type: %s}}"
               : "mesh: {block: {from: [0, 0, 0], to: [2, 1, 3], elements: [%d, %d, 1], type: %s}}";
    char    text[160];
    CrMesh *mesh, *grid;

    snprintf(text, sizeof text, format, 3, 2, CrCells[type].name);
    CHECK_OK(make_mesh(text, dim, &mesh));
    CHECK_OK(CrMeshRefine(&mesh));
    snprintf(text, sizeof text, format, 6, 4, CrCells[type].name);
    if (dim == 3) *strstr(text, "1], type") = '2';
    CHECK_OK(make_mesh(text, dim, &grid));
    check_like(mesh, grid, dim == 2 ? 2 : 6);
    CHECK_OK(CrMeshDestroy(&mesh));
    CHECK_OK(CrMeshDestroy(&grid));
  }
}

/* The key: generators follow their curve, files are split and keep their boundary and their surfaces. */
static void test_key(void)
{
  CrMesh *mesh, *other;

  CHECK_OK(make_mesh("mesh: {disc: {radius: 1, core: 2, rings: 1}, refine: 2}", 2, &mesh));
  CHECK_OK(make_mesh("mesh: {disc: {radius: 1, core: 8, rings: 4}}", 2, &other));
  check_like(mesh, other, mesh_measure(other));
  CHECK_OK(CrMeshDestroy(&mesh));
  CHECK_OK(CrMeshDestroy(&other));
  CHECK_REFUSED(make_mesh("mesh: {disc: {radius: 1, core: 2, rings: 1}, refine: -1}", 2, &mesh),
                "refine");
  CHECK_REFUSED(
      make_mesh("mesh: {block: {from: [0, 0], to: [1, 1], elements: [20000, 20000]}, refine: 8}", 2,
                &mesh),
      "elements");
}

static void test_files(void)
{
  static const char *const files[] = {"tets-22.msh", "tets-order2.msh", "mixed.msh",
                                      "mixed-q8.msh"};

  for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
    const PetscInt dim = k < 2 ? 3 : 2;
    char           text[96];
    CrMesh        *mesh, *fine;
    PetscInt       cells = 0;

    snprintf(text, sizeof text, "mesh: {file: %s}", files[k]);
    CHECK_OK(make_mesh_in(CR_TEST_DATA "/deck.yaml", text, dim, &mesh));
    snprintf(text, sizeof text, "mesh: {file: %s, refine: 1}", files[k]);
    CHECK_OK(make_mesh_in(CR_TEST_DATA "/deck.yaml", text, dim, &fine));
    if (!mesh || !fine) continue;
    for (PetscInt b = 0; b < mesh->nblocks; b++) {
      CHECK(fine->blocks[b].n == mesh->blocks[b].n * (dim == 2 ? 4 : 8));
      cells += mesh->blocks[b].n;
    }
    CHECK(cells > 0 && fine->nfacets == mesh->nfacets * (dim == 2 ? 2 : 4));
    CHECK_NEAR(mesh_measure(fine), mesh_measure(mesh), 1e-12 * mesh_measure(mesh));
    CHECK(least_measure(fine) > 0);
    check_boundary_is_outward(fine);
    check_sets_are_valid(fine);
    CHECK(fine->nsets == mesh->nsets);
    for (PetscInt s = 0; s < mesh->nsets; s++)
      CHECK_NEAR(surface_size(fine, mesh->sets[s].name), surface_size(mesh, mesh->sets[s].name),
                 1e-12);
    CHECK_OK(CrMeshDestroy(&mesh));
    CHECK_OK(CrMeshDestroy(&fine));
  }
}

/* A quadratic cell with a curved edge: new nodes of the edge lie on its parabola. */
static void test_curved(void)
{
  static const PetscReal X[] = {0, 0, 1, 0, 0, 1, 0.5, -0.2, 0.5, 0.5, 0, 0.5};
  CrMesh                *mesh;
  PetscInt              *nodes, on = 0;

  CHECK_OK(CrMeshAllocate(2, 6, "by hand", &mesh));
  for (int k = 0; k < 12; k++) mesh->X[k] = X[k];
  CHECK_OK(CrMeshAddBlock(mesh, CR_T6, 1, &nodes));
  for (PetscInt a = 0; a < 6; a++) nodes[a] = a;
  CHECK_OK(CrMeshFindBoundary(mesh));
  CHECK_OK(CrMeshRefine(&mesh));
  CHECK(mesh->nnodes == 15);
  for (PetscInt A = 6; A < mesh->nnodes; A++) {
    PetscReal x = mesh->X[2 * A], y = mesh->X[2 * A + 1];

    if (PetscAbsReal(y + 0.8 * x * (1 - x)) < 1e-14) on++;
  }
  CHECK(on == 2);
  CHECK_OK(CrMeshDestroy(&mesh));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_boxes();
  test_key();
  test_files();
  test_curved();
  return check_end();
}

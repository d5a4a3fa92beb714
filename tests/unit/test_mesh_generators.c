/* Generators: counts, sizes, fitting faces, named surfaces, placement, refusals. */
#include "mesh_measure.h"

/* ---- what holds for every mesh ----------------------------------------------------------------- */

/* Sorted node lists of two faces, mid-side nodes included. */
static PetscBool same_face(PetscInt n, const PetscInt a[], const PetscInt b[])
{
  for (PetscInt i = 0; i < n; i++) {
    PetscInt found = 0;

    for (PetscInt j = 0; j < n; j++) found += a[i] == b[j];
    if (found != 1) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* Every face is on the boundary once or inside twice: all pairs are tried, against the library's
 * way. */
static void check_faces_fit(const CrMesh *mesh)
{
  const CrCellBlock *block = &mesh->blocks[0];
  PetscInt           nf = CrCells[block->type].nfaces, single = 0, bad = 0;

  CHECK(mesh->nblocks == 1);
  for (PetscInt i = 0; i < block->n * nf; i++) {
    CrFacet  p = {0, i / nf, i % nf};
    PetscInt a[CR_MAX_FACE_NODES], n = CrMeshFacetNodes(mesh, &p, a), partners = 0;

    for (PetscInt j = 0; j < block->n * nf; j++) {
      CrFacet  q = {0, j / nf, j % nf};
      PetscInt b[CR_MAX_FACE_NODES];

      CrMeshFacetNodes(mesh, &q, b);
      if (j != i && same_face(n, a, b)) partners++;
    }
    single += partners == 0;
    bad += partners > 1;
  }
  CHECK(bad == 0);
  CHECK(single == mesh->nfacets);
}

static void check_counts(const CrMesh *mesh, CrCellType type, PetscInt ncells, PetscInt nnodes,
                         PetscInt nfacets)
{
  CHECK(mesh->nblocks == 1 && mesh->blocks[0].type == type);
  CHECK(mesh->blocks[0].n == ncells);
  CHECK(mesh->nnodes == nnodes);
  CHECK(mesh->nfacets == nfacets);
  for (PetscInt c = 0; c < ncells; c++)
    if (mesh->blocks[0].tags[c] != c + 1) CHECK(!"tags count from 1");
}

static void check_mesh(const CrMesh *mesh)
{
  check_faces_fit(mesh);
  check_boundary_is_outward(mesh);
  check_sets_are_valid(mesh);
  CHECK(least_measure(mesh) > 0);
}

/* A surface's area (by its normals), and whether all of it is where coordinate i has one value. */
static void check_plane_side(const CrMesh *mesh, const char name[], PetscInt i, PetscReal at,
                             PetscReal area, PetscInt sign)
{
  const CrSet *set = CrMeshFindSet(mesh, name);
  PetscReal    total[3] = {0}, N[3];

  CHECK(set != NULL);
  if (!set) return;
  for (PetscInt a = 0; a < set->nnodes; a++)
    CHECK_NEAR(mesh->X[set->nodes[a] * mesh->dim + i], at, 0); /* straight to the last bit */
  for (PetscInt f = 0; f < set->nfacets; f++) {
    facet_flux(mesh, &mesh->facets[set->facets[f]], N);
    for (int k = 0; k < 3; k++) total[k] += N[k];
  }
  for (int k = 0; k < 3; k++) CHECK_NEAR(total[k], k == i ? sign * area : 0, 1e-13);
}

/* Nodes on edges halve them where the grid is a plain box. */
static void check_middles(const CrMesh *mesh)
{
  static const PetscInt edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  const CrCell         *cell = &CrCells[mesh->blocks[0].type];
  PetscReal             worst = 0;

  for (PetscInt c = 0; c < mesh->blocks[0].n; c++)
    for (PetscInt a = cell->ncorners;
         a < PetscMin(cell->nnodes, cell->ncorners + (mesh->dim == 2 ? cell->ncorners : 6)); a++) {
      const PetscInt *nodes = &mesh->blocks[0].nodes[c * cell->nnodes];
      PetscInt        e = a - cell->ncorners, p = mesh->dim == 2 ? e : edges[e][0];
      PetscInt        q = mesh->dim == 2 ? (e + 1) % cell->ncorners : edges[e][1];

      for (PetscInt i = 0; i < mesh->dim; i++)
        worst = PetscMax(worst, PetscAbsReal(mesh->X[nodes[a] * mesh->dim + i] -
                                             0.5 * mesh->X[nodes[p] * mesh->dim + i] -
                                             0.5 * mesh->X[nodes[q] * mesh->dim + i]));
    }
  CHECK_NEAR(worst, 0, 1e-15);
}

/* ---- block, quad, hex -------------------------------------------------------------------------- */

static void test_block_2d(void)
{
  /* 4 x 3 boxes: cells, nodes, boundary edges */
  static const struct {
    CrCellType type;
    PetscInt   cells, nodes;
  } rows[] = {{CR_T3, 24, 20}, {CR_Q4, 12, 20}, {CR_T6, 24, 63}, {CR_Q8, 12, 51}, {CR_Q9, 12, 63}};

  for (int r = 0; r < 5; r++) {
    CrMesh *mesh;
    char    text[200];

    snprintf(text, sizeof text,
             "mesh: {block: {from: [-1, 0.1], to: [1, 0.7], elements: [4, 3], type: %s}}",
             CrCells[rows[r].type].name);
    CHECK_OK(make_mesh(text, 2, &mesh));
    if (!mesh) continue;
    check_counts(mesh, rows[r].type, rows[r].cells, rows[r].nodes, 14);
    check_mesh(mesh);
    check_middles(mesh);
    CHECK_NEAR(mesh_measure(mesh), 1.2, 1e-14);
    check_plane_side(mesh, "left", 0, -1, 0.6, -1);
    check_plane_side(mesh, "right", 0, 1, 0.6, 1);
    check_plane_side(mesh, "bottom", 1, 0.1, 2, -1);
    check_plane_side(mesh, "top", 1, 0.7, 2, 1);
    CHECK(mesh->nsets == 5);
    CHECK(!CrMeshFindSet(mesh, "front"));
    CHECK_TEXT(mesh->source, "block");
    CHECK_OK(CrMeshDestroy(&mesh));
    CHECK(mesh == NULL);
  }
}

static void test_block_3d(void)
{
  static const struct {
    CrCellType type;
    PetscInt   cells, nodes, facets;
  } rows[] = {{CR_T4, 72, 36, 64}, {CR_H8, 12, 36, 32}, {CR_T10, 72, 175, 64}};

  for (int r = 0; r < 3; r++) {
    CrMesh *mesh;
    char    text[200];

    snprintf(text, sizeof text,
             "mesh: {block: {from: [0, 0, 0.1], to: [2, 1, 0.7], elements: [3, 2, 2], type: %s}}",
             CrCells[rows[r].type].name);
    CHECK_OK(make_mesh(text, 3, &mesh));
    if (!mesh) continue;
    check_counts(mesh, rows[r].type, rows[r].cells, rows[r].nodes, rows[r].facets);
    check_mesh(mesh);
    check_middles(mesh);
    CHECK_NEAR(mesh_measure(mesh), 1.2, 1e-14);
    check_plane_side(mesh, "left", 0, 0, 0.6, -1);
    check_plane_side(mesh, "right", 0, 2, 0.6, 1);
    check_plane_side(mesh, "front", 1, 0, 1.2, -1);
    check_plane_side(mesh, "back", 1, 1, 1.2, 1);
    check_plane_side(mesh, "bottom", 2, 0.1, 2, -1);
    check_plane_side(mesh, "top", 2, 0.7, 2, 1);
    CHECK(mesh->nsets == 7);
    CHECK_OK(CrMeshDestroy(&mesh));
  }
}

/* Thinnest grids: every type with one box. */
static void test_one_box(void)
{
  for (int t = 0; t < CR_NCELLS; t++) {
    CrMesh  *mesh;
    PetscInt dim = CrCells[t].dim;
    char     text[200];

    snprintf(text, sizeof text,
             "mesh: {block: {from: [0, 0%s], to: [1, 1%s], elements: [1, 1%s], type: %s}}",
             dim == 3 ? ", 0" : "", dim == 3 ? ", 1" : "", dim == 3 ? ", 1" : "", CrCells[t].name);
    CHECK_OK(make_mesh(text, dim, &mesh));
    if (!mesh) continue;
    check_mesh(mesh);
    CHECK_NEAR(mesh_measure(mesh), 1, 1e-15);
    CHECK_OK(CrMeshDestroy(&mesh));
  }
}

static void test_grading(void)
{
  /* sizes 1, 2, 4, 8 of 15; 2, 1 of 3 */
  const PetscReal x[] = {0, 1. / 15, 3. / 15, 7. / 15, 1}, y[] = {0, 2. / 3, 1};
  CrMesh         *mesh;

  CHECK_OK(
      make_mesh("mesh: {block: {from: [0, 0], to: [1, 1], elements: [4, 2], grading: [8, 0.5]}}", 2,
                &mesh));
  if (!mesh) return;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 5; i++) {
      CHECK_NEAR(mesh->X[2 * (5 * j + i)], x[i], 1e-15);
      CHECK_NEAR(mesh->X[2 * (5 * j + i) + 1], y[j], 1e-15);
    }
  CHECK_OK(CrMeshDestroy(&mesh));
  /* mid-side nodes halve the graded boxes */
  CHECK_OK(make_mesh(
      "mesh: {block: {from: [0, 0], to: [1, 1], elements: [4, 2], grading: [8, 0.5], type: Q9}}", 2,
      &mesh));
  if (!mesh) return;
  check_middles(mesh);
  CHECK_NEAR(mesh->X[2 * 7], 11. / 15, 1e-15);
  CHECK_OK(CrMeshDestroy(&mesh));
}

static void test_quad(void)
{
  for (int t = CR_T3; t <= CR_Q9; t++) {
    CrMesh   *mesh;
    char      text[200];
    PetscReal N[3], total[2] = {0};

    snprintf(text, sizeof text,
             "mesh: {quad: {corners: [[0, 0], [2, 0], [2.5, 1.5], [0, 1]], elements: [5, 3], "
             "grading: [2, 1], type: %s}}",
             CrCells[t].name);
    CHECK_OK(make_mesh(text, 2, &mesh));
    if (!mesh) continue;
    check_mesh(mesh);
    CHECK_NEAR(mesh_measure(mesh), 2.75, 1e-14); /* shoelace of the corners */
    check_plane_side(mesh, "bottom", 1, 0, 2, -1);
    check_plane_side(mesh, "left", 0, 0, 1, -1);
    /* right is corner 2-3, outward normal (dy, -dx) */
    for (PetscInt f = 0; f < CrMeshFindSet(mesh, "right")->nfacets; f++) {
      facet_flux(mesh, &mesh->facets[CrMeshFindSet(mesh, "right")->facets[f]], N);
      total[0] += N[0];
      total[1] += N[1];
    }
    CHECK_NEAR(total[0], 1.5, 1e-14);
    CHECK_NEAR(total[1], -0.5, 1e-14);
    CHECK(CrMeshFindSet(mesh, "top")->nfacets == 5 && CrMeshFindSet(mesh, "right")->nfacets == 3);
    CHECK_OK(CrMeshDestroy(&mesh));
  }
}

static void test_hex(void)
{
  for (int t = CR_T4; t <= CR_T10; t++) {
    CrMesh *mesh;
    char    text[400];

    /* a frustum: 2 x 2 below, 1 x 1 above, height 1: volume 7/3 */
    snprintf(text, sizeof text,
             "mesh: {hex: {corners: "
             "[[0,0,0],[2,0,0],[2,2,0],[0,2,0],[0.5,0.5,1],[1.5,0.5,1],[1.5,1.5,1],[0.5,1.5,1]], "
             "elements: [2, 3, 2], type: %s}}",
             CrCells[t].name);
    CHECK_OK(make_mesh(text, 3, &mesh));
    if (!mesh) continue;
    check_mesh(mesh);
    CHECK_NEAR(mesh_measure(mesh), 7. / 3, 1e-14);
    check_plane_side(mesh, "bottom", 2, 0, 4, -1);
    check_plane_side(mesh, "top", 2, 1, 1, 1);
    CHECK(CrMeshFindSet(mesh, "front")->nfacets == (t == CR_H8 ? 4 : 8));
    CHECK(CrMeshFindSet(mesh, "left")->nfacets == (t == CR_H8 ? 6 : 12));
    CHECK_OK(CrMeshDestroy(&mesh));
  }
}

/* ---- round ones -------------------------------------------------------------------------------- */

static PetscReal polygon_area(PetscReal radius, PetscInt n)
{
  return 0.5 * n * radius * radius * PetscSinReal(2 * PETSC_PI / n);
}

static void check_on_circle(const CrMesh *mesh, const char name[], const PetscReal center[],
                            PetscReal radius, PetscInt nnodes)
{
  const CrSet *set = CrMeshFindSet(mesh, name);

  CHECK(set && set->nnodes == nnodes);
  for (PetscInt a = 0; set && a < set->nnodes; a++) {
    PetscReal square = 0;

    for (PetscInt i = 0; i < mesh->dim; i++)
      square += PetscSqr(mesh->X[set->nodes[a] * mesh->dim + i] - center[i]);
    CHECK_NEAR(PetscSqrtReal(square), radius, 4e-15 * radius);
  }
}

static void test_disc(void)
{
  const PetscReal center[2] = {-1.8, 0.5};
  CrMesh         *mesh;

  CHECK_OK(
      make_mesh("mesh: {disc: {center: [-1.8, 0.5], radius: 1, core: 8, rings: 4}}", 2, &mesh));
  if (!mesh) return;
  check_counts(mesh, CR_Q4, 192, 209, 32);
  check_mesh(mesh);
  check_on_circle(mesh, "outer", center, 1, 32);
  CHECK_NEAR(mesh_measure(mesh), polygon_area(1, 32), 1e-14);
  /* kinetic energy of such a disc by an independent program: rho 8.93, v^2 = 0.32 */
  CHECK_NEAR(0.5 * 8.93 * 0.32 * mesh_measure(mesh), 4.459921, 5e-7);
  /* corner and middle of the core: s = 0.5/sqrt(2), bulge 1.15; first node of the circle at -135
   * degrees */
  CHECK_NEAR(mesh->X[0] - center[0], -0.5 / PetscSqrtReal(2), 1e-15);
  CHECK_NEAR(mesh->X[2 * 4 + 1] - center[1], -1.15 * 0.5 / PetscSqrtReal(2), 1e-15);
  CHECK_NEAR(mesh->X[2 * (81 + 96)] - center[0], -PetscSqrtReal(0.5), 1e-15);
  CHECK_NEAR(mesh->X[2 * (81 + 96) + 1] - center[1], -PetscSqrtReal(0.5), 1e-15);
  CHECK_OK(CrMeshDestroy(&mesh));
  /* the smallest */
  CHECK_OK(make_mesh("mesh: {disc: {radius: 2, core: 1, rings: 1}}", 2, &mesh));
  if (!mesh) return;
  check_counts(mesh, CR_Q4, 5, 8, 4);
  check_mesh(mesh);
  CHECK_OK(CrMeshDestroy(&mesh));
}

static void test_ring(void)
{
  const PetscReal center[2] = {10, -20};
  CrMesh         *mesh;

  CHECK_OK(make_mesh(
      "mesh: {ring: {center: [10, -20], radius: 10, thickness: 0.3, around: 78, across: 3}}", 2,
      &mesh));
  if (!mesh) return;
  check_counts(mesh, CR_Q4, 234, 312, 156);
  check_mesh(mesh);
  check_on_circle(mesh, "outer", center, 10, 78);
  check_on_circle(mesh, "inner", center, 9.7, 78);
  CHECK(CrMeshFindSet(mesh, "outer")->nfacets == 78 && CrMeshFindSet(mesh, "inner")->nfacets == 78);
  CHECK_NEAR(mesh_measure(mesh), polygon_area(10, 78) - polygon_area(9.7, 78), 1e-12);
  /* kinetic energy of such a ring by an independent program: rho 0.1, v = 4 */
  CHECK_NEAR(0.5 * 0.1 * 16 * mesh_measure(mesh), 14.83739, 5e-6);
  CHECK_NEAR(mesh->X[1], -20, 0); /* angle 0 */
  CHECK_OK(CrMeshDestroy(&mesh));
  CHECK_OK(make_mesh("mesh: {ring: {radius: 1, thickness: 0.5, around: 3, across: 1}}", 2, &mesh));
  if (!mesh) return;
  check_mesh(mesh);
  CHECK_OK(CrMeshDestroy(&mesh));
}

static void test_ball(void)
{
  const PetscReal center[3] = {1, 2, 3};
  CrMesh         *mesh;

  CHECK_OK(make_mesh("mesh: {ball: {center: [1, 2], radius: 21.35, elements: 12}}", 2, &mesh));
  if (!mesh) return;
  check_counts(mesh, CR_Q4, 144, 169, 48);
  check_mesh(mesh);
  check_on_circle(mesh, "outer", center, 21.35, 48);
  CHECK(mesh->nsets == 2);
  /* next to the middle, u = 1/6: R u (0.72 (1 - u^2) + u^2) */
  CHECK_NEAR(mesh->X[2 * 85] - 1, 21.35 / 6 * (0.72 * 35 / 36 + 1. / 36), 1e-14);
  CHECK_NEAR(mesh->X[2 * 84], 1, 0);
  CHECK_OK(CrMeshDestroy(&mesh));
  for (PetscInt n = 1; n <= 5; n++) {
    char text[100];

    snprintf(text, sizeof text, "mesh: {ball: {center: [1, 2, 3], radius: 21.35, elements: %d}}",
             (int)n);
    CHECK_OK(make_mesh(text, 3, &mesh));
    if (!mesh) return;
    check_counts(mesh, CR_H8, n * n * n, (n + 1) * (n + 1) * (n + 1), 6 * n * n);
    check_mesh(mesh);
    check_on_circle(mesh, "outer", center, 21.35,
                    (n + 1) * (n + 1) * (n + 1) - (n - 1) * (n - 1) * (n - 1));
    if (n == 4)
      CHECK_NEAR(1.126e-3 * mesh_measure(mesh), 42.6,
                 0.05); /* its mass by an independent program */
    CHECK_OK(CrMeshDestroy(&mesh));
  }
}

/* ---- placement --------------------------------------------------------------------------------- */

static void test_placement(void)
{
  CrMesh *mesh;

  /* (1, 0) scaled to (2, 0), turned to (0, 2), moved to (10, 22): right angles are exact */
  CHECK_OK(make_mesh("{mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}, scale: 2, "
                     "angle: 90, position: [10, 20]}",
                     2, &mesh));
  if (!mesh) return;
  CHECK_NEAR(mesh->X[0], 10, 0);
  CHECK_NEAR(mesh->X[2], 10, 0);
  CHECK_NEAR(mesh->X[3], 22, 0);
  CHECK_NEAR(mesh->X[6], 8, 0);
  CHECK_NEAR(mesh_measure(mesh), 4, 1e-13);
  check_boundary_is_outward(mesh);
  CHECK_OK(CrMeshDestroy(&mesh));
  CHECK_OK(make_mesh("{mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}, angle: -30}", 2,
                     &mesh));
  if (!mesh) return;
  CHECK_NEAR(mesh->X[2], PetscSqrtReal(0.75), 1e-15);
  CHECK_NEAR(mesh->X[3], -0.5, 1e-15);
  CHECK_OK(CrMeshDestroy(&mesh));
  /* about the space diagonal by 120 degrees: x -> y -> z -> x */
  CHECK_OK(make_mesh("{mesh: {block: {from: [0, 0, 0], to: [1, 2, 3], elements: [1, 1, 1]}}, "
                     "angle: 120, axis: [7, 7, 7]}",
                     3, &mesh));
  if (!mesh) return;
  CHECK_NEAR(mesh->X[3 * 1 + 1], 1, 1e-15);
  CHECK_NEAR(mesh->X[3 * 2 + 2], 2, 1e-15);
  CHECK_NEAR(mesh->X[3 * 4 + 0], 3, 2e-15);
  check_boundary_is_outward(mesh);
  CHECK_OK(CrMeshDestroy(&mesh));
  /* 3D turns about z if no axis is given */
  CHECK_OK(make_mesh(
      "{mesh: {block: {from: [0, 0, 0], to: [1, 2, 3], elements: [1, 1, 1]}}, angle: 450}", 3,
      &mesh));
  if (!mesh) return;
  CHECK_NEAR(mesh->X[3 * 1 + 1], 1, 0);
  CHECK_NEAR(mesh->X[3 * 4 + 2], 3, 0);
  CHECK_OK(CrMeshDestroy(&mesh));
}

/* ---- refusals ---------------------------------------------------------------------------------- */

static void test_refusals(void)
{
  static const struct {
    PetscInt    dim;
    const char *text, *words;
  } rows[] = {
      {2, "mesh: {}", "expected one of block, quad, hex, disc, ring, ball, file"},
      {2,
       "mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}, disc: {radius: 1, core: 2, "
       "rings: 1}}",
       "`block` and `disc`"},
      {2, "mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}}", "from"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 0], elements: [1, 1]}}", "y runs from 0 to 0"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1, 1]}}", "elements"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 1], elements: [1.5, 1]}}", "whole number"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 1], elements: [0, 1]}}", "elements"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 1], elements: [1.0e9, 1.0e9]}}",
       "more than 33554432 elements"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2], type: H8}}",
       "H8 is a 3D element"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2], type: T4}}",
       "expected one of T3, Q4, T6, Q8, Q9"},
      {3, "mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2], type: Q4}}",
       "expected one of T4, H8, T10"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2], grading: [1]}}", "grading"},
      {2, "mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2], grading: [1, 0]}}",
       "grading"},
      {3, "mesh: {quad: {corners: [[0,0],[1,0],[1,1],[0,1]], elements: [1, 1]}}", "use hex"},
      {2, "mesh: {quad: {corners: [[0,0],[0,1],[1,1],[1,0]], elements: [1, 1]}}", "clockwise"},
      {2, "mesh: {quad: {corners: [[0,0],[1,0],[0.2,0.2],[0,1]], elements: [1, 1]}}",
       "not convex at corner 3"},
      {2, "mesh: {quad: {corners: [[0,0],[1,0],[1,1]], elements: [1, 1]}}",
       "expected 4 corners, got 3"},
      {2, "mesh: {quad: {corners: [[0,0],[1,0],[1,1,0],[0,1]], elements: [1, 1]}}",
       "expected 2 coordinates"},
      {2, "mesh: {hex: {corners: [[0,0,0]], elements: [1, 1, 1]}}", "use quad"},
      {3,
       "mesh: {hex: {corners: [[0,0,1],[1,0,1],[1,1,1],[0,1,1],[0,0,0],[1,0,0],[1,1,0],[0,1,0]], "
       "elements: [1, 1, 1]}}",
       "inside out"},
      {3,
       "mesh: {hex: {corners: [[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1],[0,1,1],[1,1,1]], "
       "elements: [1, 1, 1]}}",
       "VTK's order"},
      {3, "mesh: {disc: {radius: 1, core: 2, rings: 1}}", "a disc is a 2D mesh"},
      {2, "mesh: {disc: {radius: 0, core: 2, rings: 1}}", "radius"},
      {2, "mesh: {disc: {radius: 1, core: 100000, rings: 1}}", "more than 33554432"},
      {2, "mesh: {disc: {center: [1, 2, 3], radius: 1, core: 2, rings: 1}}", "center"},
      {3, "mesh: {ring: {radius: 1, thickness: 0.5, around: 8, across: 1}}", "a ring is a 2D mesh"},
      {2, "mesh: {ring: {radius: 1, thickness: 1, around: 8, across: 1}}",
       "below the outer radius"},
      {2, "mesh: {ring: {radius: 1, thickness: 0.5, around: 2, across: 1}}", "around"},
      {2, "mesh: {ring: {radius: 1, thickness: 0.5, around: 2000000000, across: 2000000000}}",
       "more than 33554432"},
      {3, "mesh: {ball: {radius: 1, elements: 400}}", "more than 33554432"},
      {2, "mesh: {ball: {radius: 1, elements: 0}}", "elements"},
      {2, "mesh: {file: nowhere.msh}", "cannot open \"nowhere.msh\""},
      {2, "{mesh: {ball: {radius: 1, elements: 2}}, scale: 0}", "scale must be above 0"},
      {2, "{mesh: {ball: {radius: 1, elements: 2}}, position: [1, 2, 3]}", "position"},
      {3, "{mesh: {ball: {radius: 1, elements: 2}}, axis: [0, 0, 0], angle: 5}", "no length"},
  };

  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    CrMesh *mesh = NULL;

    CHECK_REFUSED(make_mesh(rows[r].text, rows[r].dim, &mesh), rows[r].words);
    CHECK(mesh == NULL);
    CrMeshDestroy(&mesh);
  }
}

/* The place in the deck stands before the message. */
static void test_refusal_names_its_place(void)
{
  CrMesh *mesh;

  CHECK_REFUSED(
      make_mesh("mesh:\n  ring:\n    radius: 1\n    thickness: 2\n    around: 8\n    across: 1\n",
                2, &mesh),
      "deck.yaml:4:16");
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_block_2d();
  test_block_3d();
  test_one_box();
  test_grading();
  test_quad();
  test_hex();
  test_disc();
  test_ring();
  test_ball();
  test_placement();
  test_refusals();
  test_refusal_names_its_place();
  return check_end();
}

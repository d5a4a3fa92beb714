/* The Gmsh reader: stored meshes, sets, broken files, random damage. */
#include <stdlib.h>
#include <unistd.h>
#include "mesh_measure.h"

static char folder[64];

/* ---- help -------------------------------------------------------------------------------------- */

static PetscErrorCode read_mesh(const char path[], PetscInt dim, CrMesh **mesh)
{
  char text[512];

  snprintf(text, sizeof text, "mesh: {file: \"%s\"}", path);
  return make_mesh(text, dim, mesh);
}

static PetscErrorCode read_stored(const char name[], PetscInt dim, CrMesh **mesh)
{
  char path[400];

  snprintf(path, sizeof path, "%s/%s", CR_TEST_DATA, name);
  return read_mesh(path, dim, mesh);
}

static void write_file(const char name[], const void *bytes, size_t n)
{
  char  path[128];
  FILE *file;

  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "wb");
  CHECK(file && fwrite(bytes, 1, n, file) == n);
  if (file) fclose(file);
}

static PetscErrorCode read_text(const char text[], PetscInt dim, CrMesh **mesh)
{
  char path[128];

  *mesh = NULL;
  write_file("test.msh", text, strlen(text));
  snprintf(path, sizeof path, "%s/test.msh", folder);
  return read_mesh(path, dim, mesh);
}

/* The stored file's bytes; the caller frees. */
static char *load(const char name[], size_t *n)
{
  char  path[400], *bytes = NULL;
  FILE *file;

  snprintf(path, sizeof path, "%s/%s", CR_TEST_DATA, name);
  file = fopen(path, "rb");
  CHECK(file != NULL);
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *n = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(*n + 1);
  CHECK(bytes && fread(bytes, 1, *n, file) == *n);
  if (bytes) bytes[*n] = 0;
  fclose(file);
  return bytes;
}

/* Cells, coordinates, facets and sets are the same, bit by bit. */
static void check_same(const CrMesh *a, const CrMesh *b)
{
  CHECK(a->dim == b->dim && a->nnodes == b->nnodes && a->nblocks == b->nblocks);
  CHECK(a->nfacets == b->nfacets && a->nsets == b->nsets);
  if (a->nnodes != b->nnodes || a->nblocks != b->nblocks || a->nsets != b->nsets) return;
  CHECK(!memcmp(a->X, b->X, sizeof *a->X * (size_t)(a->nnodes * a->dim)));
  for (PetscInt i = 0; i < a->nblocks; i++) {
    const CrCellBlock *p = &a->blocks[i], *q = &b->blocks[i];

    CHECK(p->type == q->type && p->n == q->n);
    if (p->type == q->type && p->n == q->n)
      CHECK(
          !memcmp(p->nodes, q->nodes, sizeof *p->nodes * (size_t)(p->n * CrCells[p->type].nnodes)));
  }
  for (PetscInt i = 0; i < a->nsets; i++) {
    const CrSet *p = &a->sets[i], *q = CrMeshFindSet(b, a->sets[i].name);

    CHECK(q && p->nnodes == q->nnodes && p->nfacets == q->nfacets);
    if (!q || p->nnodes != q->nnodes || p->nfacets != q->nfacets) continue;
    CHECK(!memcmp(p->nodes, q->nodes, sizeof *p->nodes * (size_t)p->nnodes));
    if (p->nfacets) CHECK(!memcmp(p->facets, q->facets, sizeof *p->facets * (size_t)p->nfacets));
  }
}

static PetscReal facets_length(const CrMesh *mesh, const CrSet *set)
{
  PetscReal sum = 0, N[3];

  for (PetscInt f = 0; f < set->nfacets; f++) {
    facet_flux(mesh, &mesh->facets[set->facets[f]], N);
    sum += PetscSqrtReal(N[0] * N[0] + N[1] * N[1] + N[2] * N[2]);
  }
  return sum;
}

/* ---- stored meshes ----------------------------------------------------------------------------- */

static void test_disc_273(void)
{
  CrMesh      *mesh;
  const CrSet *outer, *solid;

  CHECK_OK(read_stored("disc-273.msh", 2, &mesh));
  if (!mesh) return;
  CHECK(mesh->nnodes == 273 && mesh->nblocks == 1 && mesh->blocks[0].n == 256);
  CHECK_NEAR(mesh_measure(mesh), 3.121445152, 5e-10);
  CHECK(least_measure(mesh) > 0);
  outer = CrMeshFindSet(mesh, "outer");
  solid = CrMeshFindSet(mesh, "solid");
  CHECK(outer && outer->nfacets == 32 && outer->nnodes == 32);
  CHECK(solid && solid->nfacets == 0 && solid->nnodes == 273);
  CHECK(strstr(mesh->source, "disc-273.msh") != NULL);
  CHECK_NEAR(mesh->X[0], -0.40480970388562798, 0); /* order of the file */
  check_boundary_is_outward(mesh);
  check_sets_are_valid(mesh);
  CHECK_OK(CrMeshDestroy(&mesh));
}

/* A path in the deck is relative to the deck. */
static void test_file_is_found_beside_the_deck(void)
{
  CrMesh *mesh;

  CHECK_OK(make_mesh_in(CR_TEST_DATA "/some-deck.yaml",
                        "{mesh: {file: disc-273.msh}, position: [0, 4]}", 2, &mesh));
  if (!mesh) return;
  CHECK_NEAR(mesh->X[1], 4 - 0.40480970388562798, 1e-15);
  CHECK_OK(CrMeshDestroy(&mesh));
}

/* Two boxes side by side, as in tests/data/tets.geo. */
static void check_tets(const CrMesh *mesh)
{
  static const struct {
    const char *name;
    PetscReal   area; /* 0: nodes only */
  } rows[] = {{"left side", 1}, {"7", 1},    {"middle", 0}, {"all", 0},
              {"near", 0},      {"edge", 0}, {"corner", 0}};

  CHECK_NEAR(mesh_measure(mesh), 2, 1e-12);
  CHECK(least_measure(mesh) > 0);
  check_boundary_is_outward(mesh);
  check_sets_are_valid(mesh);
  CHECK(mesh->nsets == 8);
  for (int r = 0; r < 7; r++) {
    const CrSet *set = CrMeshFindSet(mesh, rows[r].name);

    CHECK(set && set->nnodes > 0);
    if (set) CHECK_NEAR(facets_length(mesh, set), rows[r].area, 1e-12);
  }
  CHECK(CrMeshFindSet(mesh, "all")->nnodes == mesh->nnodes);
  CHECK(CrMeshFindSet(mesh, "near")->nnodes < mesh->nnodes);
  CHECK(CrMeshFindSet(mesh, "corner")->nnodes == 1);
  for (PetscInt a = 0; a < CrMeshFindSet(mesh, "middle")->nnodes; a++)
    CHECK_NEAR(mesh->X[3 * CrMeshFindSet(mesh, "middle")->nodes[a]], 1, 1e-12);
}

/* 2.2 repeats cells that are in two groups; all four formats give the same mesh. */
static void test_four_formats_agree(void)
{
  static const char *const names[] = {"tets-22.msh", "tets-22b.msh", "tets-41.msh", "tets-41b.msh"};
  CrMesh                  *mesh[4];

  for (int i = 0; i < 4; i++) {
    CHECK_OK(read_stored(names[i], 3, &mesh[i]));
    if (!mesh[i]) return;
  }
  check_tets(mesh[0]);
  /* text keeps 16 digits, binary all */
  for (PetscInt i = 0; i < 3 * mesh[0]->nnodes; i++)
    if (PetscAbsReal(mesh[0]->X[i] - mesh[1]->X[i]) > 1e-15) CHECK(!"same coordinates");
  for (int i = 2; i < 4; i++) check_same(mesh[i - 2], mesh[i]);
  for (PetscInt i = 0; i < 3 * mesh[0]->nnodes; i++) mesh[0]->X[i] = mesh[1]->X[i];
  check_same(mesh[0], mesh[1]);
  for (int i = 0; i < 4; i++) CHECK_OK(CrMeshDestroy(&mesh[i]));
}

static void swap_bytes(char *p, size_t n)
{
  for (size_t i = 0; i < n / 2; i++) {
    char t = p[i];

    p[i] = p[n - 1 - i];
    p[n - 1 - i] = t;
  }
}

/* Turns a 2.2 binary file round, value by value. */
static void turn_22(char *bytes)
{
  char   *p = strstr(bytes, "1 8\n") + 4;
  int32_t head[3], n;

  swap_bytes(p, 4);
  /* the sections may hide behind zeros, so they are looked for by their ends */
  p += 4;
  while (memcmp(p, "$Nodes\n", 7)) p++;
  p += 7;
  n = (int32_t)strtol(p, &p, 10);
  for (p++; n > 0; n--, p += 28) {
    swap_bytes(p, 4);
    for (int i = 0; i < 3; i++) swap_bytes(p + 4 + 8 * i, 8);
  }
  while (memcmp(p, "$Elements\n", 10)) p++;
  p += 10;
  n = (int32_t)strtol(p, &p, 10);
  for (p++; n > 0; n -= head[1]) {
    int nodes;

    memcpy(head, p, 12);
    nodes = head[0] == 4 ? 4 : head[0] == 2 ? 3 : head[0] == 1 ? 2 : 1;
    for (int i = 0; i < 3 + head[1] * (1 + head[2] + nodes); i++, p += 4) swap_bytes(p, 4);
  }
}

static void test_other_byte_order(void)
{
  CrMesh *mesh[2];
  size_t  n;
  char   *bytes = load("tets-22b.msh", &n), path[128];

  if (!bytes) return;
  turn_22(bytes);
  write_file("swapped.msh", bytes, n);
  free(bytes);
  snprintf(path, sizeof path, "%s/swapped.msh", folder);
  CHECK_OK(read_mesh(path, 3, &mesh[1]));
  CHECK_OK(read_stored("tets-22b.msh", 3, &mesh[0]));
  if (mesh[0] && mesh[1]) check_same(mesh[0], mesh[1]);
  for (int i = 0; i < 2; i++) CHECK_OK(CrMeshDestroy(&mesh[i]));
}

/* Mid-side nodes stand where VTK's order wants them: in the middle of their edge. */
static void test_second_order(void)
{
  static const PetscInt edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  CrMesh               *mesh;
  PetscReal             worst = 0;

  CHECK_OK(read_stored("tets-order2.msh", 3, &mesh));
  if (!mesh) return;
  CHECK(mesh->nblocks == 1 && mesh->blocks[0].type == CR_T10);
  for (PetscInt c = 0; c < mesh->blocks[0].n; c++)
    for (PetscInt e = 0; e < 6; e++)
      for (PetscInt i = 0; i < 3; i++) {
        const PetscInt *nodes = &mesh->blocks[0].nodes[10 * c];

        worst = PetscMax(worst, PetscAbsReal(mesh->X[3 * nodes[4 + e] + i] -
                                             0.5 * mesh->X[3 * nodes[edges[e][0]] + i] -
                                             0.5 * mesh->X[3 * nodes[edges[e][1]] + i]));
      }
  CHECK_LESS(worst, 1e-10); /* Gmsh puts them on its geometry, to its own accuracy */
  check_tets(mesh);
  CHECK_OK(CrMeshDestroy(&mesh));
}

/* Triangles and quadrangles, the latter clockwise in the file, z = 2. */
static void check_mixed(const char name[], CrCellType quads)
{
  CrMesh   *mesh;
  PetscReal worst = 0;

  CHECK_OK(read_stored(name, 2, &mesh));
  if (!mesh) return;
  CHECK(mesh->nblocks == 2 && mesh->blocks[0].type == CR_T6 && mesh->blocks[1].type == quads);
  CHECK(mesh->blocks[0].n == 14 && mesh->blocks[1].n == 4);
  CHECK_NEAR(mesh_measure(mesh), 2, 1e-12);
  CHECK(least_measure(mesh) > 0);
  check_boundary_is_outward(mesh);
  check_sets_are_valid(mesh);
  for (PetscInt b = 0; b < 2; b++) {
    const CrCell *cell = &CrCells[mesh->blocks[b].type];

    for (PetscInt c = 0; c < mesh->blocks[b].n; c++)
      for (PetscInt e = 0; e < cell->ncorners; e++)
        for (PetscInt i = 0; i < 2; i++) {
          const PetscInt *nodes = &mesh->blocks[b].nodes[cell->nnodes * c];

          worst =
              PetscMax(worst, PetscAbsReal(mesh->X[2 * nodes[cell->ncorners + e] + i] -
                                           0.5 * mesh->X[2 * nodes[e] + i] -
                                           0.5 * mesh->X[2 * nodes[(e + 1) % cell->ncorners] + i]));
        }
  }
  CHECK_LESS(worst, 1e-10);
  CHECK(CrMeshFindSet(mesh, "right") && CrMeshFindSet(mesh, "right")->nfacets == 2);
  CHECK(CrMeshFindSet(mesh, "cut") && CrMeshFindSet(mesh, "cut")->nfacets == 0);
  CHECK(CrMeshFindSet(mesh, "cut")->nnodes == 5);
  CHECK(CrMeshFindSet(mesh, "left half") && CrMeshFindSet(mesh, "right half"));
  CHECK_OK(CrMeshDestroy(&mesh));
}

/* ---- small files written here ------------------------------------------------------------------ */

#define HEAD22  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD41  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES22 "$Nodes\n4\n10 0 0 0\n20 1 0 0\n30 1 1 0\n40 0 1 0\n$EndNodes\n"
#define ONE22   "$Elements\n1\n77 3 2 0 1 10 20 30 40\n$EndElements\n"
#define NODES41 "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n"

/* Sparse unsorted tags, orphans, comments, other sections, sections in another order, CRLF. */
static void test_odd_but_right(void)
{
  CrMesh *mesh;

  CHECK_OK(read_text("$Comments\nhello $Nodes\n$EndComments\n" HEAD22
                     "$Elements\n3\n7 1 2 4 1 5 1000000000\n8 15 2 3 1 3\n9 2 3 0 1 0 1000000000 5 "
                     "-3\n$EndElements\n"
                     "$Nodes\n4\n1000000000 0 0 0\n3 9 9 9\n5 +1.5e0 0 0.\n-3 0 .5 0\n$EndNodes\n"
                     "$Periodic\n0\n$EndPeriodic\n$NodeData\n1\n\"t\"\n$EndNodeData\n",
                     2, &mesh));
  if (!mesh) return;
  CHECK(mesh->nnodes == 3 && mesh->blocks[0].n == 1 && mesh->blocks[0].tags[0] == 9);
  CHECK_NEAR(mesh_measure(mesh), 0.375, 0);
  CHECK(mesh->nsets == 2); /* group 3 has only an orphan */
  CHECK(CrMeshFindSet(mesh, "4") && CrMeshFindSet(mesh, "4")->nfacets == 1 &&
        CrMeshFindSet(mesh, "4")->nnodes == 2);
  CHECK_OK(CrMeshDestroy(&mesh));
  CHECK_OK(read_text("$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n"
                     "$Nodes\r\n3\r\n1 0 0 0\r\n2 1 0 0\r\n3 0 1 0\r\n$EndNodes\r\n"
                     "$Elements\r\n1\r\n1 2 2 0 1 1 2 3\r\n$EndElements",
                     2, &mesh));
  if (!mesh) return;
  CHECK_NEAR(mesh_measure(mesh), 0.5, 0);
  CHECK_OK(CrMeshDestroy(&mesh));
  /* parametric nodes, no entities */
  CHECK_OK(
      read_text(HEAD41
                "$Nodes\n1 3 1 3\n2 1 1 3\n1\n2\n3\n0 0 0 8 8\n1 0 0 8 8\n0 1 0 8 8\n$EndNodes\n"
                "$Elements\n1 1 1 1\n2 1 2 1\n5 1 2 3\n$EndElements\n",
                2, &mesh));
  if (!mesh) return;
  CHECK_NEAR(mesh_measure(mesh), 0.5, 0);
  CHECK(mesh->blocks[0].tags[0] == 5);
  CHECK_OK(CrMeshDestroy(&mesh));
}

/* Numbers of groups may repeat between dimensions: the surface wins. Names may not. */
static void test_names_of_groups(void)
{
  CrMesh *mesh;

  CHECK_OK(read_text(HEAD22 NODES22
                     "$Elements\n2\n1 3 2 1 1 10 20 30 40\n2 1 2 1 1 20 10\n$EndElements\n",
                     2, &mesh));
  if (!mesh) return;
  CHECK(CrMeshFindSet(mesh, "1") && CrMeshFindSet(mesh, "1")->nfacets == 1);
  CHECK_OK(CrMeshDestroy(&mesh));
  CHECK_OK(read_text(HEAD22
                     "$PhysicalNames\n2\n1 1 \"a \"b\" c\"\n2 1 plain\n$EndPhysicalNames\n" NODES22
                     "$Elements\n2\n1 3 2 1 1 10 20 30 40\n2 1 2 1 1 20 10\n$EndElements\n",
                     2, &mesh));
  if (!mesh) return;
  CHECK(CrMeshFindSet(mesh, "a \"b\" c") && CrMeshFindSet(mesh, "a \"b\" c")->nfacets == 1);
  CHECK(CrMeshFindSet(mesh, "plain") && CrMeshFindSet(mesh, "plain")->nnodes == 4);
  CHECK_OK(CrMeshDestroy(&mesh));
  CHECK_REFUSED(read_text(HEAD22
                          "$PhysicalNames\n2\n1 1 \"a\"\n2 1 \"a\"\n$EndPhysicalNames\n" NODES22
                          "$Elements\n2\n1 3 2 1 1 10 20 30 40\n2 1 2 1 1 20 10\n$EndElements\n",
                          2, &mesh),
                "test.msh:7:1: two physical groups are named \"a\"");
}

static void test_broken_files(void)
{
  static const struct {
    PetscInt    dim;
    const char *text, *words;
  } rows[] = {
      {2, "", "not a Gmsh file"},
      {2, "solid ascii\nfacet\n", "test.msh:1:1: not a Gmsh file"},
      {2, "$NOD\n1\n1 0 0 0\n$ENDNOD\n",
       "test.msh:1:1: Gmsh format 1.0 is not supported; expected 2.2 or 4.1"},
      {2, "$MeshFormat\n4 0 8\n$EndMeshFormat\n",
       "test.msh:2:1: Gmsh format 4 is not supported; expected 2.2 or 4.1"},
      {2, "$MeshFormat\n2.2 0 4\n$EndMeshFormat\n",
       "test.msh:2:1: expected a data size of 8 bytes, found 4"},
      {2, "$MeshFormat\n2.2 1 8\n\2\0\0\0", "$MeshFormat has no $EndMeshFormat"},
      {2, HEAD22 ONE22, "test.msh:8:1: section $Nodes is missing"},
      {2, HEAD22 NODES22, "section $Elements is missing"},
      {2, HEAD22 "$Nodes\n4\n1 0 0 0\n",
       "test.msh:4:1: section $Nodes has no $EndNodes; is the file cut short?"},
      {2, HEAD22 "$Nodes\n900000000\n1 0 0 0\n$EndNodes\n" ONE22,
       "test.msh:5:1: 900000000 nodes are announced"},
      {2, HEAD22 "$Nodes\n-1\n1 0 0 0\n$EndNodes\n" ONE22, "test.msh:5:1: -1 nodes are announced"},
      {2, HEAD22 "$Nodes\n3\n1 0.000 0.000 0.000\n2 0.000 0.000 0.000\n$EndNodes\n" ONE22,
       "test.msh:8:1: expected a node number, but the section ends here"},
      {2, HEAD22 "$Nodes\n2\n1 0 0 0\n2 0 0 0\n3 0 0 0\n$EndNodes\n" ONE22,
       "test.msh:8:1: expected $EndNodes after the announced number of entries, found \"3\""},
      {2, HEAD22 "$Nodes\n3\n1 0 0 0\n2 0 1 0\n1 1 1 0\n$EndNodes\n" ONE22,
       "test.msh:8:1: node 1 is given twice"},
      {2, HEAD22 "$Nodes\n2\n1 0 zero 0\n2 0 0 0\n$EndNodes\n" ONE22,
       "test.msh:6:5: expected a coordinate, found \"zero\""},
      {2, HEAD22 "$Nodes\n2\n1 0 0 0\n2 0 1.5x 0\n$EndNodes\n" ONE22,
       "test.msh:7:5: expected a coordinate, found \"1.5x\""},
      {2, HEAD22 "$Nodes\n2\n1 0 0 0\n2 0 nan 0\n$EndNodes\n" ONE22,
       "test.msh:7:5: expected a coordinate, but this is not a finite number"},
      {2, HEAD22 "$Nodes\n2\n1 0 0 0\n2 0 1e999 0\n$EndNodes\n" ONE22, "not a finite number"},
      {2, HEAD22 NODES22 "$Elements\n1\n5 3 2 0 1 10 20 30 99\n$EndElements\n",
       "test.msh:13:20: element 5 names node 99, which is not in $Nodes"},
      {2, HEAD22 NODES22 "$Elements\n1\n5 3 2 0 1 10 20 30 20\n$EndElements\n",
       "test.msh:13:20: element 5 names node 20 twice"},
      {2, HEAD22 NODES22 "$Elements\n1\n5 6 2 0 1 10 20 30 40 1 2\n$EndElements\n",
       "test.msh:13:1: element type 6 (6-node prism) is not supported; expected T3 (2), Q4 (3)"},
      {2, HEAD22 NODES22 "$Elements\n1\n5 999 2 0 1 10\n$EndElements\n", "element type 999"},
      {2, HEAD22 NODES22 "$Elements\n1\n5 3 -2 0 1 10\n$EndElements\n", "cannot have -2 tags"},
      {3, HEAD22 NODES22 ONE22, "contains no cells of the deck's dimension 3 (found: 1 Q4)"},
      {2,
       HEAD22 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 "
              "2 3 4\n$EndElements\n",
       "contains 1 3D cells (T4), but the deck has dimension 2"},
      {2,
       HEAD22 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n8 0 1 0.5\n$EndNodes\n$Elements\n1\n1 2 2 0 1 1 2 "
              "8\n$EndElements\n",
       "z = const, but node 1 is at z = 0 and node 8 at z = 0.5"},
      {2, HEAD22 "$PhysicalNames\n1\n2 1 \"boundary\"\n$EndPhysicalNames\n" NODES22 ONE22,
       "test.msh:6:6: a physical group cannot be named \"boundary\""},
      {2, HEAD22 "$PhysicalNames\n1\n2 1 \"bad\n$EndPhysicalNames\n" NODES22 ONE22,
       "test.msh:6:5: the quote is not closed"},
      {2, HEAD22 NODES22 NODES22 ONE22, "test.msh:11:1: section $Nodes is given twice"},
      {2, HEAD22 "stray\n" NODES22 ONE22,
       "test.msh:4:1: expected a section such as $Nodes, found \"stray\""},
      {2,
       HEAD22
       "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 -1 0\n5 0.5 9 0\n$EndNodes\n$Elements\n3\n11 2 0 "
       "1 2 3\n12 2 0 2 1 4\n13 2 0 1 2 5\n$EndElements\n",
       "the cells 11, 12 and 13 share one face"},
      {2,
       HEAD22 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n5 0.5 9 0\n$EndNodes\n$Elements\n2\n11 2 0 1 "
              "2 3\n13 2 0 1 2 5\n$EndElements\n",
       "the cells 11 and 13 lie on the same side of their common face"},
      {2,
       HEAD41 "$Nodes\n1 5 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 "
              "0\n$EndNodes\n$Elements\n0 0 0 0\n$EndElements\n",
       "test.msh:5:1: 5 nodes are announced, but the blocks contain 4"},
      {2,
       HEAD41 "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n2\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 "
              "0\n$EndNodes\n$Elements\n0 0 0 0\n$EndElements\n",
       "test.msh:9:1: node 2 is given twice"},
      {2, HEAD41 NODES41 "$Elements\n1 1 1 1\n2 1 3 1\n5 1 2 3\n$EndElements\n",
       "test.msh:20:1: expected a node number, but the section ends here"},
      {2, HEAD41 NODES41 "$Elements\n1 1 1 1\n2 1 3 2\n5 1 2 3 4\n6 1 2 3 4\n$EndElements\n",
       "test.msh:18:1: this block announces 2 elements, but only 1 of the announced total are left"},
      {2, HEAD41 NODES41 "$Elements\n1 1 1 1\n3 1 3 1\n5 1 2 3 4\n$EndElements\n",
       "elements of type 3 on an entity of dimension 3"},
  };

  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    CrMesh *mesh = NULL;

    CHECK_REFUSED(read_text(rows[r].text, rows[r].dim, &mesh), rows[r].words);
    CHECK(mesh == NULL);
  }
}

/* A binary file cut in its middle, and one with a number that is none. */
static void test_broken_binary(void)
{
  CrMesh *mesh = NULL;
  size_t  n;
  char   *bytes = load("tets-41b.msh", &n), path[128], *nodes;
  double  nan = NAN;

  if (!bytes) return;
  snprintf(path, sizeof path, "%s/test.msh", folder);
  write_file("test.msh", bytes, n / 2);
  CHECK_REFUSED(read_mesh(path, 3, &mesh), "is the file cut short?");
  for (nodes = bytes; memcmp(nodes, "$Nodes\n", 7);) nodes++;
  nodes += 7;
  /* head 32, block 20, one tag 8 */
  memcpy(nodes + 32 + 20 + 8, &nan, 8);
  write_file("test.msh", bytes, n);
  CHECK_REFUSED(read_mesh(path, 3, &mesh), "test.msh: byte ");
  CHECK_REFUSED(read_mesh(path, 3, &mesh), "not a finite number");
  nodes[15] = 0x7f; /* the number of nodes becomes huge */
  write_file("test.msh", bytes, n);
  CHECK_REFUSED(read_mesh(path, 3, &mesh),
                "nodes are announced, but the section is too short for them");
  free(bytes);
}

/* ---- random damage ----------------------------------------------------------------------------- */

static uint64_t seed = 20240229;

static size_t draw(size_t n)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (size_t)(seed >> 33) % n;
}

/* Cut, changed, doubled or lost bytes, and digits for digits, which pass the scanner. */
static size_t damage(char *bytes, size_t n)
{
  size_t at = draw(n), length = 1 + draw(20);

  length = PetscMin(length, n - at);
  switch (draw(5)) {
  case 0: return at;
  case 1: memmove(bytes + at, bytes + at + length, n - at - length); return n - length;
  case 2:
    for (size_t i = 0; i < length; i++) bytes[at + i] = (char)draw(256);
    return n;
  case 3: memmove(bytes + draw(n - length + 1), bytes + at, length); return n;
  default:
    for (size_t i = 0; i < 4; i++) {
      size_t p = draw(n);

      for (; p < n && (bytes[p] < '0' || bytes[p] > '9');) p++;
      if (p < n) bytes[p] = (char)('0' + draw(10));
    }
    return n;
  }
}

/* Either a mesh or a refusal with a message; the sanitizers watch the rest. */
static void test_damaged(const char name[], PetscInt dim)
{
  size_t n, read = 0, refused = 0;
  char  *good = load(name, &n), *bad = malloc(n + 1), path[128];

  snprintf(path, sizeof path, "%s/bad.msh", folder);
  for (int i = 0; good && bad && i < 500; i++) {
    CrMesh        *mesh = NULL;
    PetscErrorCode code;
    size_t         m;
    FILE          *file = fopen(path, "wb");

    memcpy(bad, good, n);
    m = damage(bad, n);
    if (!file) break;
    fwrite(bad, 1, m, file);
    fclose(file);
    CrErrorClear();
    code = read_mesh(path, dim, &mesh);
    if (!code && mesh) read++;
    if (code == CR_ERR_INPUT && CrErrorMessage()[0] && !mesh) refused++;
    CrMeshDestroy(&mesh);
  }
  CrErrorClear();
  CHECK(read + refused == 500);
  CHECK(refused > 100 && read > 10);
  free(good);
  free(bad);
}

int main(int argc, char **argv)
{
  static const char *const temporary[] = {"test.msh", "swapped.msh", "bad.msh"};
  char                     path[128];

  if (check_start(argc, argv)) return 1;
  snprintf(folder, sizeof folder, "carom-gmsh-XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  test_disc_273();
  test_file_is_found_beside_the_deck();
  test_four_formats_agree();
  test_other_byte_order();
  test_second_order();
  check_mixed("mixed.msh", CR_Q9);
  check_mixed("mixed-q8.msh", CR_Q8);
  test_odd_but_right();
  test_names_of_groups();
  test_broken_files();
  test_broken_binary();
  test_damaged("disc-273.msh", 2);
  test_damaged("tets-22.msh", 3);
  test_damaged("tets-22b.msh", 3);
  test_damaged("tets-41.msh", 3);
  test_damaged("tets-41b.msh", 3);
  test_damaged("tets-order2.msh", 3);
  test_damaged("mixed.msh", 2);
  test_damaged("mixed-q8.msh", 2);
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, temporary[i]);
    remove(path);
  }
  rmdir(folder);
  return check_end();
}

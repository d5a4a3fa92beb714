/* Measures of meshes for the tests: by the corners of the cells, independent of element/. */
#pragma once

#include "check.h"
#include "deck/deck.h"
#include "mesh/mesh.h"

static const CrKey body_keys[] = {
    {.name = "mesh", .types = CR_MAP | CR_MUST, .keys = CrMeshKeys},
    {.name = "position", .types = CR_REALS},
    {.name = "axis", .types = CR_REALS},
    {.name = "angle", .types = CR_REAL},
    {.name = "scale", .types = CR_REAL},
    {0},
};

/* The mesh of a body given as YAML; `name` is the deck's path. */
static inline PetscErrorCode make_mesh_in(const char name[], const char text[], PetscInt dim,
                                          CrMesh **mesh)
{
  CrDeck        *deck = NULL;
  PetscErrorCode code;

  *mesh = NULL;
  code = CrDeckParse(name, text, strlen(text), 0, NULL, &deck);
  if (!code) code = CrDeckValidate(deck, body_keys);
  if (!code) code = CrMeshCreate(CrDeckRoot(deck), dim, CrDeckPath(deck), mesh);
  CrDeckDestroy(&deck);
  return code;
}

static inline PetscErrorCode make_mesh(const char text[], PetscInt dim, CrMesh **mesh)
{
  return make_mesh_in("deck.yaml", text, dim, mesh);
}

static inline PetscReal determinant(const PetscReal a[3], const PetscReal b[3],
                                    const PetscReal c[3])
{
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Trilinear (or, of its first four corners, bilinear) shapes: value and derivatives. */
static inline void box_shapes(const PetscReal xi[3], PetscInt a, PetscReal N[4])
{
  static const int s[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                              {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  PetscReal        f[3];

  for (int i = 0; i < 3; i++) f[i] = 0.5 * (1 + s[a][i] * xi[i]);
  N[0] = f[0] * f[1] * f[2];
  N[1] = 0.5 * s[a][0] * f[1] * f[2];
  N[2] = 0.5 * s[a][1] * f[0] * f[2];
  N[3] = 0.5 * s[a][2] * f[0] * f[1];
}

static inline void gauss_point(int q, PetscReal xi[3])
{
  for (int i = 0; i < 3; i++) xi[i] = (q >> i & 1 ? 1 : -1) / PetscSqrtReal(3.0);
}

/* Area or volume of a cell with straight edges; 2 x 2 x 2 points are exact for H8. */
static inline PetscReal cell_measure(const CrMesh *mesh, PetscInt b, PetscInt c)
{
  const CrCellBlock *block = &mesh->blocks[b];
  const CrCell      *cell = &CrCells[block->type];
  const PetscInt    *nodes = &block->nodes[c * cell->nnodes];
  PetscReal          x[8][3] = {{0}}, e[3][3], sum = 0;

  for (PetscInt a = 0; a < cell->ncorners; a++)
    for (PetscInt i = 0; i < mesh->dim; i++) x[a][i] = mesh->X[nodes[a] * mesh->dim + i];
  if (mesh->dim == 2) {
    for (PetscInt a = 0; a < cell->ncorners; a++) {
      PetscInt n = (a + 1) % cell->ncorners;

      sum += 0.5 * (x[a][0] * x[n][1] - x[a][1] * x[n][0]);
    }
    return sum;
  }
  if (cell->ncorners == 4) {
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) e[k][i] = x[k + 1][i] - x[0][i];
    return determinant(e[0], e[1], e[2]) / 6;
  }
  for (int q = 0; q < 8; q++) {
    PetscReal xi[3], J[3][3] = {{0}}, N[4];

    gauss_point(q, xi);
    for (PetscInt a = 0; a < 8; a++) {
      box_shapes(xi, a, N);
      for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) J[k][i] += N[k + 1] * x[a][i];
    }
    sum += determinant(J[0], J[1], J[2]);
  }
  return sum;
}

static inline PetscReal mesh_measure(const CrMesh *mesh)
{
  PetscReal sum = 0;

  for (PetscInt b = 0; b < mesh->nblocks; b++)
    for (PetscInt c = 0; c < mesh->blocks[b].n; c++) sum += cell_measure(mesh, b, c);
  return sum;
}

static inline PetscReal least_measure(const CrMesh *mesh)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt b = 0; b < mesh->nblocks; b++)
    for (PetscInt c = 0; c < mesh->blocks[b].n; c++)
      least = PetscMin(least, cell_measure(mesh, b, c));
  return least;
}

/* Integral of N and of N.x over a facet with straight edges. */
static inline PetscReal facet_flux(const CrMesh *mesh, const CrFacet *facet, PetscReal normal[3])
{
  PetscInt   nodes[CR_MAX_FACE_NODES], n;
  CrCellType type = CrCells[mesh->blocks[facet->block].type].face_type;
  PetscReal  x[4][3] = {{0}}, sum = 0;

  CrMeshFacetNodes(mesh, facet, nodes);
  n = CrCells[type].ncorners;
  for (PetscInt a = 0; a < n; a++)
    for (PetscInt i = 0; i < mesh->dim; i++) x[a][i] = mesh->X[nodes[a] * mesh->dim + i];
  normal[0] = normal[1] = normal[2] = 0;
  if (mesh->dim == 2) {
    normal[0] = x[1][1] - x[0][1];
    normal[1] = x[0][0] - x[1][0];
    return normal[0] * x[0][0] + normal[1] * x[0][1];
  }
  if (n == 3)
    for (int i = 0; i < 3; i++) x[3][i] = x[2][i]; /* a quadrilateral with two equal corners */
  for (int q = 0; q < 4; q++) {
    PetscReal xi[3], p[3] = {0}, u[3] = {0}, v[3] = {0}, N[4];

    gauss_point(q, xi);
    xi[2] = -1;
    for (PetscInt a = 0; a < 4; a++) {
      box_shapes(xi, a, N);
      for (int i = 0; i < 3; i++) {
        p[i] += N[0] * x[a][i];
        u[i] += N[1] * x[a][i];
        v[i] += N[2] * x[a][i];
      }
    }
    for (int i = 0; i < 3; i++)
      normal[i] += u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    sum += determinant(p, u, v);
  }
  return sum;
}

/* Gauss: the flux of x through an outward boundary is dim times the volume; of a constant, none. */
static inline void check_boundary_is_outward(const CrMesh *mesh)
{
  PetscReal flux = 0, total[3] = {0}, N[3], volume = mesh_measure(mesh), size = 0;

  for (PetscInt f = 0; f < mesh->nfacets; f++) {
    flux += facet_flux(mesh, &mesh->facets[f], N);
    for (int i = 0; i < 3; i++) total[i] += N[i];
    size += PetscAbsReal(N[0]) + PetscAbsReal(N[1]) + PetscAbsReal(N[2]);
  }
  CHECK_NEAR(flux, mesh->dim * volume, 1e-12 * mesh->dim * volume);
  for (int i = 0; i < 3; i++) CHECK_NEAR(total[i], 0, 1e-13 * size);
}

/* Every set's nodes rise strictly and are those of its facets, if it has any. */
static inline void check_sets_are_valid(const CrMesh *mesh)
{
  CHECK(mesh->nsets > 0 && !strcmp(mesh->sets[0].name, "boundary"));
  CHECK(mesh->sets[0].nfacets == mesh->nfacets);
  for (PetscInt s = 0; s < mesh->nsets; s++) {
    const CrSet *set = &mesh->sets[s];
    PetscInt     bad = 0, found = 0, nodes[CR_MAX_FACE_NODES];
    char        *seen;

    PetscCallAbort(PETSC_COMM_SELF, PetscCalloc1(mesh->nnodes, &seen));
    for (PetscInt i = 1; i < set->nnodes; i++) bad += set->nodes[i] <= set->nodes[i - 1];
    for (PetscInt i = 0; i < set->nnodes; i++)
      bad += set->nodes[i] < 0 || set->nodes[i] >= mesh->nnodes;
    CHECK(bad == 0);
    for (PetscInt f = 0; f < set->nfacets; f++) {
      PetscInt n = CrMeshFacetNodes(mesh, &mesh->facets[set->facets[f]], nodes);

      for (PetscInt a = 0; a < n; a++) seen[nodes[a]] = 1;
    }
    for (PetscInt i = 0; i < set->nnodes; i++) found += seen[set->nodes[i]];
    if (set->nfacets) CHECK(found == set->nnodes);
    for (PetscInt A = 0; A < mesh->nnodes; A++) found -= seen[A];
    CHECK(found == 0);
    PetscCallAbort(PETSC_COMM_SELF, PetscFree(seen));
  }
}

/* A grid of boxes mapped to a quadrilateral or hexahedron, cut into cells of any type. Nodes sit on
   a lattice with one step per box (linear types) or two (quadratic types, whose mid-side nodes are
   the odd points), numbered with the first direction fastest. A part has a range of the boxes, in
   the order of their numbers, and the points that its cells use. */
#include "base/mail.h"
#include "mesh/internal.h"

typedef struct {
  const CrGrid *grid;
  PetscInt      steps;      /* lattice steps per box */
  PetscInt      size[3];    /* lattice points per direction */
  PetscReal    *t[3];       /* parameter of every point, owned */
  PetscInt      begin, end; /* the boxes of the part */
  PetscInt      lowest, n;  /* the least number of a point of the part, and how far they reach */
  PetscInt     *local;      /* [n] number in the part of point lowest + k; -1: not in it; owned */
} Lattice;

/* ---- how a box is cut -------------------------------------------------------------------------- */

/* Corners of the cells in a box, as bits of the directions (1 first, 2 second, 4 third). Triangles:
   every box has the same diagonal, from its lowest to its highest corner. Tetrahedra: Kuhn's six
   around that diagonal, which cut every face along its own such diagonal. So both fit together. */
static const struct {
  PetscInt      ncells;
  unsigned char corners[6][8];
} cuts[] = {
    {1, {{0, 1, 3, 2}}},
    {2, {{0, 1, 3}, {0, 3, 2}}},
    {1, {{0, 1, 3, 2, 4, 5, 7, 6}}},
    {6, {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}}},
};

static PetscInt cut_of(CrCellType type)
{
  PetscBool boxes = CrCells[type].ncorners == 1 << CrCells[type].dim;

  return 2 * (CrCells[type].dim - 2) + (boxes ? 0 : 1);
}

/* Nodes of a cell in lattice points of its box: corners, then edges (between which corners) and the
   middle, as the average of two corners. */
static void local_points(const CrCell *cell, PetscInt steps, const unsigned char corners[],
                         PetscInt points[][3])
{
  static const PetscInt tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  PetscInt              nc = cell->ncorners;

  for (PetscInt a = 0; a < nc; a++)
    for (int i = 0; i < 3; i++) points[a][i] = steps * ((corners[a] >> i) & 1);
  for (PetscInt a = nc; a < cell->nnodes; a++) {
    PetscInt e = a - nc, p, q;

    if (cell->dim == 3) {
      p = tet_edges[e][0];
      q = tet_edges[e][1];
    } else {
      p = e < nc ? e : 0; /* the middle of a quad halves its diagonal */
      q = e < nc ? (e + 1) % nc : 2;
    }
    for (int i = 0; i < 3; i++) points[a][i] = (points[p][i] + points[q][i]) / 2;
  }
}

/* ---- lattice ----------------------------------------------------------------------------------- */

/* Parameters 0 ... 1 of the points in one direction: sizes grow geometrically from the first box to
   the last, mid-side points halve them. */
static void parameters(PetscInt n, PetscInt steps, PetscReal grading, PetscReal t[])
{
  PetscReal ratio = n > 1 ? PetscPowReal(grading, 1.0 / (n - 1)) : 1, size = 1, sum = 0;

  for (PetscInt i = 0; i < n; i++) {
    t[i * steps] = grading == 1 ? i : sum;
    sum += size;
    size *= ratio;
  }
  for (PetscInt i = 0; i < n; i++) t[i * steps] /= grading == 1 ? n : sum;
  t[n * steps] = 1;
  if (steps == 2)
    for (PetscInt i = 0; i < n; i++) t[2 * i + 1] = 0.5 * (t[2 * i] + t[2 * i + 2]);
}

static PetscErrorCode lattice_create(const CrGrid *grid, Lattice *lattice)
{
  const CrCell *cell = &CrCells[grid->type];

  PetscFunctionBeginUser;
  lattice->grid = grid;
  lattice->steps = cell->nnodes > cell->ncorners ? 2 : 1;
  for (PetscInt i = 0; i < 3; i++) {
    lattice->size[i] = i < grid->dim ? grid->n[i] * lattice->steps + 1 : 1;
    lattice->t[i] = NULL;
    if (i >= grid->dim) continue;
    PetscCall(PetscMalloc1(lattice->size[i], &lattice->t[i]));
    parameters(grid->n[i], lattice->steps, grid->grading[i], lattice->t[i]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Q8 has no node in the middle of a box: every other row is short. */
static PetscInt point_index(const Lattice *lattice, const PetscInt p[3])
{
  const PetscInt *size = lattice->size;

  if (lattice->grid->type == CR_Q8) {
    PetscInt pair = size[0] + lattice->grid->n[0] + 1;

    return p[1] / 2 * pair + (p[1] % 2 ? size[0] + p[0] / 2 : p[0]);
  }
  return (p[2] * size[1] + p[1]) * size[0] + p[0];
}

/* The directions of a box. */
static void place_of(const CrGrid *grid, PetscInt box, PetscInt b[3])
{
  b[0] = box % grid->n[0];
  b[1] = box / grid->n[0] % grid->n[1];
  b[2] = box / grid->n[0] / grid->n[1];
}

/* Points of the last direction that the part may have: from *low to *high - 1. */
static void layers(const Lattice *lattice, PetscInt *low, PetscInt *high)
{
  PetscInt b[3], last = lattice->grid->dim - 1;

  place_of(lattice->grid, lattice->begin, b);
  *low = b[last] * lattice->steps;
  place_of(lattice->grid, lattice->end - 1, b);
  *high = (b[last] + 1) * lattice->steps + 1;
}

static PetscBool has_node(const Lattice *lattice, const PetscInt p[3])
{
  return !(lattice->grid->type == CR_Q8 && p[0] % 2 && p[1] % 2);
}

/* Exact at both ends and for a == b, so that straight sides stay straight to the last bit. */
static PetscReal between(PetscReal a, PetscReal b, PetscReal t)
{
  return t < 0.5 ? a + t * (b - a) : b - (1 - t) * (b - a);
}

/* One direction after the other: bilinear, trilinear. */
static void map_point(const Lattice *lattice, const PetscInt p[3], PetscReal X[])
{
  static const PetscInt bits_to_vtk[8] = {0, 1, 3, 2, 4, 5, 7, 6};
  PetscInt              dim = lattice->grid->dim;

  for (PetscInt i = 0; i < dim; i++) {
    PetscReal c[8];

    for (PetscInt k = 0; k < 1 << dim; k++) c[k] = lattice->grid->corners[bits_to_vtk[k]][i];
    for (PetscInt d = 0; d < dim; d++)
      for (PetscInt k = 0; k < 1 << (dim - d - 1); k++)
        c[k] = between(c[2 * k], c[2 * k + 1], lattice->t[d][p[d]]);
    X[i] = c[0];
  }
}

/* Coordinates, and for every node the sides on which it lies: two bits per direction. */
static void fill_nodes(const Lattice *lattice, PetscReal X[], unsigned char sides[])
{
  PetscInt p[3], dim = lattice->grid->dim, low[3] = {0}, high[3];

  for (int i = 0; i < 3; i++) high[i] = lattice->size[i];
  layers(lattice, &low[dim - 1], &high[dim - 1]);
  for (p[2] = low[2]; p[2] < high[2]; p[2]++)
    for (p[1] = low[1]; p[1] < high[1]; p[1]++)
      for (p[0] = 0; p[0] < lattice->size[0]; p[0]++) {
        PetscInt k = point_index(lattice, p) - lattice->lowest, A;

        if (!has_node(lattice, p) || k < 0 || k >= lattice->n || lattice->local[k] < 0) continue;
        A = lattice->local[k];
        map_point(lattice, p, &X[(size_t)A * dim]);
        sides[A] = 0;
        for (PetscInt i = 0; i < dim; i++)
          sides[A] |=
              (p[i] == 0 ? 1 << 2 * i : 0) | (p[i] == lattice->size[i] - 1 ? 2 << 2 * i : 0);
      }
}

/* The nodes of the cells of the part, as numbers of the whole. */
static void fill_cells(const Lattice *lattice, PetscInt nodes[])
{
  const CrGrid *grid = lattice->grid;
  const CrCell *cell = &CrCells[grid->type];
  PetscInt      cut = cut_of(grid->type), local[6][CR_MAX_CELL_NODES][3], b[3];

  for (PetscInt c = 0; c < cuts[cut].ncells; c++)
    local_points(cell, lattice->steps, cuts[cut].corners[c], local[c]);
  for (PetscInt box = lattice->begin; box < lattice->end; box++) {
    place_of(grid, box, b);
    for (PetscInt c = 0; c < cuts[cut].ncells; c++)
      for (PetscInt a = 0; a < cell->nnodes; a++) {
        PetscInt p[3];

        for (int i = 0; i < 3; i++) p[i] = b[i] * lattice->steps + local[c][a][i];
        *nodes++ = point_index(lattice, p);
      }
  }
}

/* ---- the mesh ---------------------------------------------------------------------------------- */

/* In the order of the bits of `sides`: lower and upper end of each direction. */
static const char *const side_names[2][6] = {
    {"left", "right", "bottom", "top"},
    {"left", "right", "front", "back", "bottom", "top"},
};

/* Numbers the points that the cells use; nodes[] becomes numbers of the part. Returns how many there are. */
static PetscErrorCode number_points(Lattice *lattice, PetscInt length, PetscInt nodes[],
                                    PetscInt *nnodes)
{
  PetscInt b[3], p[3];

  PetscFunctionBeginUser;
  /* points and boxes are numbered alike, so the first and the last box have the least and the greatest */
  place_of(lattice->grid, lattice->begin, b);
  for (int i = 0; i < 3; i++) p[i] = b[i] * lattice->steps;
  lattice->lowest = point_index(lattice, p);
  place_of(lattice->grid, lattice->end - 1, b);
  for (int i = 0; i < 3; i++) p[i] = (b[i] + (i < lattice->grid->dim)) * lattice->steps;
  lattice->n = lattice->begin < lattice->end ? point_index(lattice, p) - lattice->lowest + 1 : 0;
  PetscCall(PetscMalloc1(lattice->n, &lattice->local));
  for (PetscInt k = 0; k < lattice->n; k++) lattice->local[k] = -1;
  for (PetscInt i = 0; i < length; i++) lattice->local[nodes[i] - lattice->lowest] = 0;
  *nnodes = 0;
  for (PetscInt k = 0; k < lattice->n; k++)
    if (lattice->local[k] == 0) lattice->local[k] = (*nnodes)++;
  for (PetscInt i = 0; i < length; i++) nodes[i] = lattice->local[nodes[i] - lattice->lowest];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The sides on which all nodes of a face lie: a face of the boundary lies on one side, an inner one on none. */
static unsigned sides_of(const CrMesh *mesh, PetscInt cell, PetscInt face,
                         const unsigned char sides[])
{
  const CrFacet facet = {0, cell, face};
  PetscInt      nodes[CR_MAX_FACE_NODES], n = CrMeshFacetNodes(mesh, &facet, nodes);
  unsigned      common = ~0u;

  for (PetscInt a = 0; a < n; a++) common &= sides[nodes[a]];
  return common;
}

static PetscErrorCode find_facets(CrMesh *mesh, const unsigned char sides[])
{
  const PetscInt nfaces = CrCells[mesh->blocks[0].type].nfaces, n = mesh->blocks[0].n;
  PetscInt      *all;

  PetscFunctionBeginUser;
  for (PetscInt c = 0; c < n; c++)
    for (PetscInt f = 0; f < nfaces; f++) mesh->nfacets += sides_of(mesh, c, f, sides) != 0;
  PetscCall(PetscMalloc1(mesh->nfacets, &mesh->facets));
  PetscCall(PetscMalloc1(mesh->nfacets, &all));
  for (PetscInt c = 0, k = 0; c < n; c++)
    for (PetscInt f = 0; f < nfaces; f++)
      if (sides_of(mesh, c, f, sides)) {
        all[k] = k;
        mesh->facets[k++] = (CrFacet){0, c, f};
      }
  PetscCall(CrMeshAddSurface(mesh, "boundary", mesh->nfacets, all));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill(Lattice *lattice, CrMeshPart *part)
{
  const CrGrid  *grid = lattice->grid;
  PetscInt       ncells = cuts[cut_of(grid->type)].ncells, *nodes;
  PetscInt       n = (lattice->end - lattice->begin) * ncells;
  CrMesh        *mesh;
  unsigned char *sides;

  PetscFunctionBeginUser;
  PetscCall(CrMeshAllocate(grid->dim, 0, grid->source, &part->mesh));
  mesh = part->mesh;
  PetscCall(CrMeshAddBlock(mesh, grid->type, n, &nodes));
  fill_cells(lattice, nodes);
  PetscCall(number_points(lattice, n * CrCells[grid->type].nnodes, nodes, &mesh->nnodes));
  part->first[0] = lattice->begin * ncells;
  for (PetscInt c = 0; c < n; c++) mesh->blocks[0].tags[c] += part->first[0];
  PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)mesh->nnodes * (size_t)mesh->dim, &mesh->X));
  PetscCall(PetscCalloc1(mesh->nnodes, &sides));
  if (n) fill_nodes(lattice, mesh->X, sides);
  PetscCall(find_facets(mesh, sides));
  PetscCall(CrMeshAddSides(mesh, 2 * grid->dim, side_names[grid->dim - 2], sides));
  PetscCall(PetscFree(sides));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the part must know about the whole. */
static PetscErrorCode complete(const Lattice *lattice, PetscInt nboxes, CrMeshPart *part)
{
  const CrGrid *grid = lattice->grid;

  PetscFunctionBeginUser;
  part->nnodes = lattice->size[0] * lattice->size[1] * lattice->size[2];
  if (grid->type == CR_Q8) part->nnodes -= grid->n[0] * grid->n[1];
  part->ncells = nboxes * cuts[cut_of(grid->type)].ncells;
  PetscCall(PetscMalloc1(part->mesh->nsets, &part->is_surface));
  for (PetscInt s = 0; s < part->mesh->nsets; s++) part->is_surface[s] = PETSC_TRUE;
  if (lattice->end - lattice->begin == nboxes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(part->mesh->nnodes, &part->number));
  for (PetscInt k = 0; k < lattice->n; k++)
    if (lattice->local[k] >= 0) part->number[lattice->local[k]] = lattice->lowest + k;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGridCreatePart(const CrGrid *grid, PetscInt rank, PetscMPIInt size,
                                CrMeshPart *part)
{
  Lattice  lattice;
  PetscInt nboxes = grid->n[0] * grid->n[1] * grid->n[2];

  PetscFunctionBeginUser;
  *part = (CrMeshPart){0};
  PetscCall(PetscMalloc1(1, &part->first));
  PetscCall(lattice_create(grid, &lattice));
  lattice.begin = CrShareBegin(nboxes, size, rank);
  lattice.end = CrShareBegin(nboxes, size, rank + 1);
  PetscCall(fill(&lattice, part));
  PetscCall(complete(&lattice, nboxes, part));
  PetscCall(PetscFree(lattice.local));
  for (int i = 0; i < 3; i++) PetscCall(PetscFree(lattice.t[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGridCreate(const CrGrid *grid, CrMesh **mesh)
{
  CrMeshPart part;

  PetscFunctionBeginUser;
  PetscCall(CrGridCreatePart(grid, 0, 1, &part));
  *mesh = part.mesh;
  part.mesh = NULL;
  PetscCall(CrMeshDestroyPart(&part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

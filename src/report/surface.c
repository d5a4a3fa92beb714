/* Makes the triangles that are drawn from the cells of a field file. Of plane cells it draws the whole cell, and of
   solid cells the faces that belong to only one cell. */
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "mesh/mesh.h"
#include "report/internal.h"

enum { VTK_VERTEX = 1, VTK_POLYGON = 7 };

/* How a face is cut into triangles: corners, and which sides are the face's own. */
typedef struct {
  PetscInt n;
  struct {
    unsigned char nodes[3], sides;
  } parts[8];
} Cut;

static const Cut cuts[CR_NSHAPES] = {
    [CR_T3] = {1, {{{0, 1, 2}, 7}}},
    [CR_Q4] = {2, {{{0, 1, 2}, 3}, {{0, 2, 3}, 6}}},
    [CR_T6] = {4, {{{0, 3, 5}, 5}, {{3, 1, 4}, 3}, {{5, 4, 2}, 6}, {{3, 4, 5}, 0}}},
    [CR_Q8] = {6,
               {{{0, 4, 7}, 5},
                {{4, 1, 5}, 3},
                {{5, 2, 6}, 3},
                {{6, 3, 7}, 3},
                {{4, 5, 6}, 0},
                {{4, 6, 7}, 0}}},
    [CR_Q9] = {8,
               {{{0, 4, 8}, 1},
                {{4, 1, 8}, 1},
                {{1, 5, 8}, 1},
                {{5, 2, 8}, 1},
                {{2, 6, 8}, 1},
                {{6, 3, 8}, 1},
                {{3, 7, 8}, 1},
                {{7, 0, 8}, 1}}},
    [CR_S2] = {1, {{{0, 1, 1}, 1}}},
    [CR_S3] = {2, {{{0, 2, 2}, 1}, {{2, 1, 1}, 1}}},
};

/* The cells as the file has them. */
typedef struct {
  PetscInt  n, length;
  PetscInt *types, *ends, *nodes, *bodies; /* ends[c]: end of cell c in nodes; owned */
  PetscInt *parts;                         /* of rigid surfaces, 0: an element; owned or NULL */
  PetscInt  room;                          /* of the film's triangles */
} Cells;

static PetscErrorCode read_cells(const CrVtu *vtu, Cells *cells)
{
  PetscFunctionBeginUser;
  cells->n = vtu->ncells;
  PetscCall(CrVtuLength(vtu, "connectivity", &cells->length));
  PetscCall(PetscMalloc4(cells->n, &cells->types, cells->n, &cells->ends, cells->n, &cells->bodies,
                         cells->length, &cells->nodes));
  PetscCall(CrVtuIntegers(vtu, "types", cells->n, cells->types));
  PetscCall(CrVtuIntegers(vtu, "offsets", cells->n, cells->ends));
  PetscCall(CrVtuIntegers(vtu, "body", cells->n, cells->bodies));
  PetscCall(CrVtuIntegers(vtu, "connectivity", cells->length, cells->nodes));
  if (!CrVtuWidth(vtu, "rigid")) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(cells->n, &cells->parts));
  PetscCall(CrVtuIntegers(vtu, "rigid", cells->n, cells->parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Row of the table of cells; CR_NSHAPES: not in it. */
static PetscInt shape_of(PetscInt vtk)
{
  PetscInt s = 0;

  while (s < CR_NSHAPES && CrCells[s].vtk != vtk) s++;
  return s;
}

static PetscInt start_of(const Cells *cells, PetscInt c)
{
  return c ? cells->ends[c - 1] : 0;
}

/* Every number in its range, once and for all. */
static PetscErrorCode check_cells(const Cells *cells, PetscInt npoints, PetscInt *nbodies)
{
  PetscFunctionBeginUser;
  *nbodies = 0;
  for (PetscInt c = 0; c < cells->n; c++) {
    PetscInt shape = shape_of(cells->types[c]), n = cells->ends[c] - start_of(cells, c);

    PetscBool known = shape < CR_NSHAPES              ? n == CrCells[shape].nnodes
                      : cells->types[c] == VTK_VERTEX ? n == 1
                                                      : cells->types[c] == VTK_POLYGON && n > 2;

    if (cells->ends[c] > cells->length || cells->bodies[c] < 0 || n < 1 || !known)
      CrInputFail("a field file of the run has an element type that carom does not know");
    *nbodies = PetscMax(*nbodies, cells->bodies[c] + 1);
  }
  for (PetscInt i = 0; i < cells->length; i++)
    if (cells->nodes[i] < 0 || cells->nodes[i] >= npoints)
      CrInputFail("a field file of the run has an element with a node that is not in the file");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_triangle(CrFilm *film, PetscInt *room, CrFilmTriangle triangle)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(film->ntriangles + 1, room, &film->triangles));
  film->triangles[film->ntriangles++] = triangle;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_face(CrFilm *film, Cells *cells, PetscInt shape, const PetscInt nodes[],
                               PetscInt body, PetscInt part)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < cuts[shape].n; k++) {
    const unsigned char *p = cuts[shape].parts[k].nodes;

    PetscCall(add_triangle(film, &cells->room,
                           (CrFilmTriangle){{nodes[p[0]], nodes[p[1]], nodes[p[2]]},
                                            body,
                                            cuts[shape].parts[k].sides,
                                            (unsigned char)part}));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A fan; polygons of rigid bodies are convex. Or a point. */
static PetscErrorCode add_polygon(CrFilm *film, Cells *cells, PetscInt n, const PetscInt nodes[],
                                  PetscInt body)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 1; k + 1 < n; k++) {
    unsigned char sides = 2 | (k == 1 ? 1 : 0) | (k + 2 == n ? 4 : 0);

    PetscCall(add_triangle(film, &cells->room,
                           (CrFilmTriangle){{nodes[0], nodes[k], nodes[k + 1]}, body, sides, 0}));
  }
  if (n == 1)
    PetscCall(add_triangle(film, &cells->room,
                           (CrFilmTriangle){{nodes[0], nodes[0], nodes[0]}, body, 0, 0}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_flat_cells(CrFilm *film, Cells *cells)
{
  PetscFunctionBeginUser;
  for (PetscInt c = 0; c < cells->n; c++) {
    PetscInt shape = shape_of(cells->types[c]), start = start_of(cells, c);

    if (shape == CR_NSHAPES)
      PetscCall(
          add_polygon(film, cells, cells->ends[c] - start, cells->nodes + start, cells->bodies[c]));
    else if (CrCells[shape].dim < 3)
      PetscCall(add_face(film, cells, shape, cells->nodes + start, cells->bodies[c],
                         cells->parts ? cells->parts[c] : 0));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The solid cells as a mesh, whose boundary is known how to find. bodies[block]: of its cells. */
static PetscErrorCode make_mesh(const Cells *cells, PetscInt npoints, CrMesh **mesh,
                                PetscInt *bodies[CR_NSHAPES])
{
  PetscFunctionBeginUser;
  PetscCall(CrMeshAllocate(3, npoints, "the field file", mesh));
  for (PetscInt s = 0; s < CR_NCELLS; s++) {
    const PetscInt nn = CrCells[s].nnodes;
    PetscInt       n = 0, *nodes;

    if (CrCells[s].dim < 3) continue;
    for (PetscInt c = 0; c < cells->n; c++) n += cells->types[c] == CrCells[s].vtk;
    if (!n) continue;
    PetscCall(PetscMalloc1(n, &bodies[(*mesh)->nblocks]));
    PetscCall(CrMeshAddBlock(*mesh, (CrCellType)s, n, &nodes));
    n = 0;
    for (PetscInt c = 0; c < cells->n; c++) {
      if (cells->types[c] != CrCells[s].vtk) continue;
      memcpy(nodes + nn * n, cells->nodes + start_of(cells, c), sizeof *nodes * (size_t)nn);
      bodies[(*mesh)->nblocks - 1][n++] = cells->bodies[c];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_solid_cells(CrFilm *film, Cells *cells, PetscInt npoints)
{
  PetscInt *bodies[CR_NSHAPES] = {0}, nodes[CR_MAX_FACE_NODES];
  CrMesh   *mesh;

  PetscFunctionBeginUser;
  PetscCall(make_mesh(cells, npoints, &mesh, bodies));
  if (mesh->nblocks) PetscCall(CrMeshFindBoundary(mesh));
  for (PetscInt f = 0; f < mesh->nfacets; f++) {
    const CrFacet *facet = &mesh->facets[f];

    CrMeshFacetNodes(mesh, facet, nodes);
    PetscCall(add_face(film, cells, CrCells[mesh->blocks[facet->block].type].face_type, nodes,
                       bodies[facet->block][facet->cell], 0));
  }
  for (PetscInt b = 0; b < CR_NSHAPES; b++) PetscCall(PetscFree(bodies[b]));
  PetscCall(CrMeshDestroy(&mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- round rigid bodies ------------------------------------------------------------------- */

typedef struct {
  PetscInt a, b, triangle; /* a < b */
  int      side;
} Side;

static int by_nodes(const void *p, const void *q)
{
  const Side *s = p, *t = q;

  if (s->a != t->a) return s->a < t->a ? -1 : 1;
  return s->b < t->b ? -1 : s->b > t->b;
}

/* The pieces of something round have no sides, except where one part of it meets the next: these
   marks show how it turns. */
static PetscErrorCode smooth(CrFilm *film)
{
  PetscInt n = 0;
  Side    *sides;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < film->ntriangles; k++) n += film->triangles[k].round ? 3 : 0;
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(n, &sides));
  n = 0;
  for (PetscInt k = 0; k < film->ntriangles; k++)
    for (int i = 0; i < 3; i++) {
      const CrFilmTriangle *t = &film->triangles[k];
      PetscInt              a = t->nodes[i], b = t->nodes[(i + 1) % 3];

      if (t->round && t->sides >> i & 1) sides[n++] = (Side){PetscMin(a, b), PetscMax(a, b), k, i};
    }
  qsort(sides, (size_t)n, sizeof *sides, by_nodes);
  for (PetscInt s = 0; s + 1 < n; s++) {
    CrFilmTriangle *t = &film->triangles[sides[s].triangle];
    CrFilmTriangle *u = &film->triangles[sides[s + 1].triangle];

    if (by_nodes(&sides[s], &sides[s + 1]) || t->round != u->round) continue;
    t->sides &= (unsigned char)~(1 << sides[s].side);
    u->sides &= (unsigned char)~(1 << sides[s + 1].side);
  }
  PetscCall(PetscFree(sides));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes that triangles use get numbers of their own, in the old order. */
static PetscErrorCode number_nodes(CrFilm *film, PetscInt npoints)
{
  PetscInt *number;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(npoints, &number));
  for (PetscInt k = 0; k < film->ntriangles; k++)
    for (int i = 0; i < 3; i++) number[film->triangles[k].nodes[i]] = film->triangles[k].body + 1;
  for (PetscInt A = 0; A < npoints; A++) film->nnodes += number[A] > 0;
  PetscCall(PetscMalloc2(film->nnodes, &film->node, film->nnodes, &film->node_body));
  film->nnodes = 0;
  for (PetscInt A = 0; A < npoints; A++) {
    if (!number[A]) continue;
    film->node_body[film->nnodes] = number[A] - 1;
    film->node[film->nnodes] = A;
    number[A] = film->nnodes++;
  }
  for (PetscInt k = 0; k < film->ntriangles; k++)
    for (int i = 0; i < 3; i++) film->triangles[k].nodes[i] = number[film->triangles[k].nodes[i]];
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* points: for rigid balls, or NULL. */
static PetscErrorCode number_and_sort(const Cells *cells, PetscInt npoints, const PetscReal *points,
                                      CrFilm *film)
{
  PetscInt *part;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(film->nbodies, &part));
  for (PetscInt c = 0; cells->parts && c < cells->n; c++) part[cells->bodies[c]] = cells->parts[c];
  if (points) PetscCall(CrFilmFindBalls(film, points, part));
  PetscCall(number_nodes(film, npoints));
  PetscCall(CrFilmFindRigid(film, part));
  PetscCall(PetscFree(part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_surface(Cells *cells, PetscInt npoints, const PetscReal *points,
                                   CrFilm *film)
{
  PetscFunctionBeginUser;
  PetscCall(check_cells(cells, npoints, &film->nbodies));
  PetscCall(PetscCalloc1(film->nbodies, &film->elements));
  for (PetscInt c = 0; c < cells->n; c++) film->elements[cells->bodies[c]]++;
  PetscCall(add_flat_cells(film, cells));
  PetscCall(add_solid_cells(film, cells, npoints));
  PetscCall(smooth(film));
  PetscCall(number_and_sort(cells, npoints, points, film));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFilmSurface(const CrVtu *vtu, PetscBool detail, CrFilm *film)
{
  Cells          cells = {0};
  PetscReal     *points = NULL;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (detail) PetscCall(PetscMalloc1(3 * vtu->npoints, &points));
  code = read_cells(vtu, &cells);
  if (!code && detail) code = CrVtuReals(vtu, "Points", 3 * vtu->npoints, points);
  if (!code) code = make_surface(&cells, vtu->npoints, points, film);
  PetscCall(PetscFree(points));
  PetscCall(PetscFree4(cells.types, cells.ends, cells.bodies, cells.nodes));
  PetscCall(PetscFree(cells.parts));
  PetscFunctionReturn(code);
}

PetscErrorCode CrFilmSurfaceOf(const CrFilmCells *from, CrFilm *film)
{
  Cells cells = {.n = from->ncells,
                 .length = from->ncells ? from->ends[from->ncells - 1] : 0,
                 .types = (PetscInt *)from->types, /* only looked at */
                 .ends = (PetscInt *)from->ends,
                 .nodes = (PetscInt *)from->nodes,
                 .bodies = (PetscInt *)from->bodies,
                 .parts = (PetscInt *)from->parts};

  PetscFunctionBeginUser;
  PetscCall(make_surface(&cells, from->npoints, from->points, film));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The meshes block, quad and hex of the deck: three ways to give the corners of one mapped grid. */
#include "mesh/internal.h"

/* ---- what the three share ---------------------------------------------------------------------- */

static PetscErrorCode read_counts(const CrDeckNode *node, PetscInt fine, CrGrid *grid)
{
  PetscReal n[3], product = 1;

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(node, "elements", grid->dim, 0, n, NULL));
  for (PetscInt i = 0; i < grid->dim; i++) {
    const CrDeckNode *item = CrDeckItem(CrDeckFind(node, "elements"), i);

    if (!(n[i] >= 1) || n[i] != PetscFloorReal(n[i]))
      CrDeckFail(item, "expected a whole number of elements, at least 1, got %g", (double)n[i]);
    n[i] *= fine;
    product *= n[i];
    if (product > CR_MESH_MAX_BOXES)
      CrDeckFail(CrDeckFind(node, "elements"), "the deck asks for more than %.0f elements",
                 CR_MESH_MAX_BOXES);
    grid->n[i] = (PetscInt)n[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_type(const CrDeckNode *node, CrGrid *grid)
{
  const CrDeckNode *word = CrDeckFind(node, "type");

  PetscFunctionBeginUser;
  grid->type = grid->dim == 2 ? CR_Q4 : CR_H8;
  for (int t = 0; word && t < CR_NCELLS; t++)
    if (CrDeckIsWord(word, CrCells[t].name)) grid->type = (CrCellType)t;
  if (CrCells[grid->type].dim != grid->dim)
    CrDeckFail(word,
               "%s is a %" PetscInt_FMT "D element, but the mesh is %" PetscInt_FMT
               "D; expected one of %s",
               CrCells[grid->type].name, CrCells[grid->type].dim, grid->dim,
               grid->dim == 2 ? "T3, Q4, T6, Q8, Q9" : "T4, H8, T10");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_common(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                  const char source[], CrGrid *grid)
{
  PetscFunctionBeginUser;
  *grid = (CrGrid){.source = source, .dim = dim, .n = {1, 1, 1}, .grading = {1, 1, 1}};
  PetscCall(read_type(node, grid));
  PetscCall(read_counts(node, fine, grid));
  PetscCall(CrDeckVector(node, "grading", dim, 1, grid->grading, NULL));
  for (PetscInt i = 0; i < dim; i++)
    if (!(grid->grading[i] > 0))
      CrDeckFail(CrDeckFind(node, "grading"), "the ratios of element sizes must be above 0");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_corners(const CrDeckNode *node, CrGrid *grid)
{
  const CrDeckNode *corners = CrDeckFind(node, "corners");
  PetscInt          n = 1 << grid->dim;

  PetscFunctionBeginUser;
  if (CrDeckCount(corners) != n)
    CrDeckFail(corners ? corners : node, "expected %" PetscInt_FMT " corners, got %" PetscInt_FMT,
               n, CrDeckCount(corners));
  for (PetscInt k = 0; k < n; k++) {
    const CrDeckNode *point = CrDeckItem(corners, k);

    if (CrDeckCount(point) != grid->dim)
      CrDeckFail(point, "expected %" PetscInt_FMT " coordinates, got %" PetscInt_FMT, grid->dim,
                 CrDeckCount(point));
    for (PetscInt i = 0; i < grid->dim; i++) grid->corners[k][i] = CrDeckReal(CrDeckItem(point, i));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- block ------------------------------------------------------------------------------------- */

/* VTK's order of the corners of a box. */
static const unsigned char vtk_box[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                            {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

PetscErrorCode CrGridReadBlock(const CrDeckNode *node, PetscInt dim, PetscInt fine, CrGrid *grid)
{
  PetscReal from[3] = {0}, to[3] = {0};

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(node, "from", dim, 0, from, NULL));
  PetscCall(CrDeckVector(node, "to", dim, 0, to, NULL));
  for (PetscInt i = 0; i < dim; i++)
    if (!(from[i] < to[i]))
      CrDeckFail(CrDeckItem(CrDeckFind(node, "from"), i),
                 "`from` must lie below `to`, but %c runs from %g to %g", "xyz"[i], (double)from[i],
                 (double)to[i]);
  PetscCall(read_common(node, dim, fine, "block", grid));
  for (PetscInt k = 0; k < 1 << dim; k++)
    for (PetscInt i = 0; i < dim; i++) grid->corners[k][i] = vtk_box[k][i] ? to[i] : from[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- quad and hex ------------------------------------------------------------------------------ */

static void edge(const CrGrid *grid, PetscInt from, PetscInt to, PetscReal e[3])
{
  for (int i = 0; i < 3; i++) e[i] = grid->corners[to][i] - grid->corners[from][i];
}

/* Jacobian of the map at corner k, up to a positive factor: the edges that leave it, right-handed. */
static PetscReal corner_jacobian(const CrGrid *grid, PetscInt k)
{
  PetscInt  ring = k / 4 * 4, up = k < 4 ? 1 : 0;
  PetscReal a[3], b[3], c[3];

  edge(grid, k, ring + (k + 1) % 4, a);
  edge(grid, k, ring + (k + 3) % 4, b);
  if (grid->dim == 2) return a[0] * b[1] - a[1] * b[0];
  edge(grid, up ? k : k - 4, up ? k + 4 : k, c);
  return (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] +
         (a[0] * b[1] - a[1] * b[0]) * c[2];
}

/* The first corner where the map is not invertible, n if it is everywhere so; `turned`: nowhere. */
static PetscInt bad_corner(const CrGrid *grid, PetscBool *turned)
{
  PetscInt n = 1 << grid->dim, first = n, count = 0;

  for (PetscInt k = n - 1; k >= 0; k--)
    if (!(corner_jacobian(grid, k) > 0)) {
      first = k;
      count++;
    }
  *turned = PETSC_TRUE;
  for (PetscInt k = 0; k < n; k++)
    if (!(corner_jacobian(grid, k) < 0)) *turned = PETSC_FALSE;
  return count ? first : n;
}

/* A grid mapped to corners; the texts name corners in the wrong order. */
static PetscErrorCode read_mapped(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                  const char kind[], const char inside_out[], const char or_else[],
                                  CrGrid *grid)
{
  const CrDeckNode *corners = CrDeckFind(node, "corners");
  PetscInt          bad;
  PetscBool         turned;

  PetscFunctionBeginUser;
  PetscCall(read_common(node, dim, fine, kind, grid));
  PetscCall(read_corners(node, grid));
  bad = bad_corner(grid, &turned);
  if (turned) CrDeckFail(corners, "%s", inside_out);
  if (bad < 1 << dim)
    CrDeckFail(CrDeckItem(corners, bad), "the shape is not convex at corner %" PetscInt_FMT "%s",
               bad + 1, or_else);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGridReadQuad(const CrDeckNode *node, PetscInt dim, PetscInt fine, CrGrid *grid)
{
  PetscFunctionBeginUser;
  if (dim != 2) CrDeckFail(node, "a quad is a 2D mesh, but the deck has dimension 3; use hex");
  PetscCall(read_mapped(node, dim, fine, "quad",
                        "the corners run clockwise; give them counter-clockwise", "", grid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGridReadHex(const CrDeckNode *node, PetscInt dim, PetscInt fine, CrGrid *grid)
{
  PetscFunctionBeginUser;
  if (dim != 3) CrDeckFail(node, "a hex is a 3D mesh, but the deck has dimension 2; use quad");
  PetscCall(read_mapped(
      node, dim, fine, "hex",
      "the hexahedron is inside out; expected VTK's order: 1-4 counter-clockwise seen from "
      "5-8, which lie over them",
      ", or the corners are not in VTK's order", grid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

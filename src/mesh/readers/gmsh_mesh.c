/* Makes a mesh from the contents of a Gmsh file: its cells, and the nodes that they use. */
#include <stdint.h>
#include <string.h>
#include "mesh/readers/gmsh.h"

/* ---- what the file must hold ------------------------------------------------------------------- */

static PetscErrorCode check_dimension(const CrGmsh *g)
{
  PetscInt cells = 0;
  char     found[256] = "";

  PetscFunctionBeginUser;
  for (int s = 0; s < CR_NSHAPES; s++) {
    size_t used = strlen(found);

    if (!g->lists[s].n) continue;
    if (CrCells[s].dim > g->dim)
      CrInputFail("%s: contains %" PetscInt_FMT " 3D cells (%s), but the deck has dimension 2",
                  g->path, g->lists[s].n, CrCells[s].name);
    if (CrCells[s].dim == g->dim) cells += g->lists[s].n;
    snprintf(found + used, sizeof found - used, "%s%" PetscInt_FMT " %s", used ? ", " : "",
             g->lists[s].n, CrCells[s].dim == 1 ? "line elements" : CrCells[s].name);
  }
  if (!cells)
    CrInputFail("%s: contains no cells of the deck's dimension %" PetscInt_FMT " (found: %s)",
                g->path, g->dim, found[0] ? found : "none at all");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In the order of the file; tags[] is sorted otherwise, so look for the tag of a place. */
static int64_t tag_of(const CrGmsh *g, PetscInt node)
{
  for (PetscInt i = 0; i < g->nnodes; i++)
    if (g->tags[i].node == node) return g->tags[i].tag;
  return -1;
}

/* 2D decks want all nodes in a plane z = const, but for rounding. */
static PetscErrorCode check_plane(const CrGmsh *g)
{
  PetscInt  low[3], high[3], first = -1;
  PetscReal size;

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < g->nnodes; A++) {
    if (g->number[A] < 0) continue;
    for (int i = 0; i < 3; i++) {
      if (first < 0 || g->X[3 * A + i] < g->X[3 * low[i] + i]) low[i] = A;
      if (first < 0 || g->X[3 * A + i] > g->X[3 * high[i] + i]) high[i] = A;
    }
    first = A;
  }
  size =
      PetscMax(g->X[3 * high[0]] - g->X[3 * low[0]], g->X[3 * high[1] + 1] - g->X[3 * low[1] + 1]);
  if (g->X[3 * high[2] + 2] - g->X[3 * low[2] + 2] > 1e-9 * size)
    CrInputFail(
        "%s: a 2D mesh must lie in a plane z = const, but node %lld is at z = %g and node %lld at z = %g",
        g->path, (long long)tag_of(g, low[2]), (double)g->X[3 * low[2] + 2],
        (long long)tag_of(g, high[2]), (double)g->X[3 * high[2] + 2]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- nodes at one place ------------------------------------------------------------------------ */

/* The place of a node in steps of `grid`, and where it goes in a table of `size`. */
static size_t place(const CrGmsh *g, PetscInt node, PetscReal grid, int64_t at[3], size_t size)
{
  uint64_t h = 1469598103934665603ull;

  for (int i = 0; i < 3; i++) {
    at[i] = (int64_t)PetscFloorReal(g->X[3 * node + i] / grid + 0.5);
    h = (h ^ (uint64_t)at[i]) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return (size_t)h & (size - 1);
}

/* twin[]: of every node the one before it in the file at the same place; -1: none. */
static PetscErrorCode find_twins(const CrGmsh *g, PetscInt used, PetscReal grid, PetscInt twin[])
{
  size_t    size = 16;
  PetscInt *table; /* 1 + node, 0: free */

  PetscFunctionBeginUser;
  while (size < 2 * (size_t)used) size *= 2;
  PetscCall(PetscCalloc1(size, &table));
  for (PetscInt A = 0; A < g->nnodes; A++) {
    int64_t mine[3], other[3];
    size_t  slot;

    twin[A] = -1;
    if (g->number[A] < 0) continue;
    for (slot = place(g, A, grid, mine, size); table[slot]; slot = (slot + 1) & (size - 1)) {
      place(g, table[slot] - 1, grid, other, size);
      if (!memcmp(mine, other, sizeof mine)) break;
    }
    if (table[slot])
      twin[A] = table[slot] - 1;
    else
      table[slot] = A + 1;
  }
  PetscCall(PetscFree(table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two corners of one cell at one place make a triangle of a quad, or a cell that is refused. */
static void forget_collapsed(const CrGmsh *g, PetscInt twin[])
{
  for (int s = 0; s < CR_NSHAPES; s++) {
    PetscInt nn = CrCells[s].nnodes;

    if (CrCells[s].dim != g->dim) continue;
    for (PetscInt c = 0; c < g->lists[s].n; c++)
      for (PetscInt a = 0; a < nn; a++)
        for (PetscInt b = 0; b < nn; b++) {
          PetscInt A = g->lists[s].nodes[c * nn + a];

          if (twin[A] == g->lists[s].nodes[c * nn + b]) twin[A] = -1;
        }
  }
}

void CrGmshWarnOfTwins(const CrGmsh *g, int64_t one, int64_t other, PetscInt n)
{
  CrWarn("%s: nodes %lld and %lld lie at the same place%s: the elements at these nodes are not "
         "joined there",
         g->path, (long long)one, (long long)other, n > 1 ? ", and so do others" : "");
}

/* Parts that were meshed one by one and not joined fall apart without a word: say so. A crack may be
   meant, so it is no error. */
static PetscErrorCode warn_of_doubles(const CrGmsh *g, PetscInt used)
{
  PetscInt *twin, n = 0, first = -1;
  PetscReal low[3], high[3], grid = 0, greatest = 0;

  PetscFunctionBeginUser;
  for (int i = 0; i < 3; i++) low[i] = PETSC_MAX_REAL, high[i] = PETSC_MIN_REAL;
  for (PetscInt A = 0; A < g->nnodes; A++)
    for (int i = 0; i < 3 && g->number[A] >= 0; i++) {
      low[i] = PetscMin(low[i], g->X[3 * A + i]);
      high[i] = PetscMax(high[i], g->X[3 * A + i]);
      greatest = PetscMax(greatest, PetscAbsReal(g->X[3 * A + i]));
    }
  for (int i = 0; i < 3; i++) grid = PetscMax(grid, 1e-9 * (high[i] - low[i]));
  if (!(grid > 1e-15 * greatest)) PetscFunctionReturn(PETSC_SUCCESS); /* places are rounding */
  PetscCall(PetscMalloc1(g->nnodes, &twin));
  PetscCall(find_twins(g, used, grid, twin));
  forget_collapsed(g, twin);
  for (PetscInt A = 0; A < g->nnodes; A++)
    if (twin[A] >= 0 && n++ == 0) first = A;
  if (n) CrGmshWarnOfTwins(g, tag_of(g, twin[first]), tag_of(g, first), n);
  PetscCall(PetscFree(twin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- cells ------------------------------------------------------------------------------------- */

static PetscErrorCode number_nodes(CrGmsh *g, PetscInt *n)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(g->nnodes, &g->number));
  for (PetscInt A = 0; A < g->nnodes; A++) g->number[A] = -1;
  for (int s = 0; s < CR_NSHAPES; s++)
    if (CrCells[s].dim == g->dim)
      for (PetscInt i = 0; i < g->lists[s].n * CrCells[s].nnodes; i++)
        g->number[g->lists[s].nodes[i]] = 0;
  *n = 0;
  for (PetscInt A = 0; A < g->nnodes; A++)
    if (g->number[A] == 0) g->number[A] = (*n)++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static size_t hash(PetscInt n, const PetscInt nodes[])
{
  uint64_t h = 1469598103934665603ull;

  for (PetscInt i = 0; i < n; i++) {
    h = (h ^ (uint64_t)nodes[i]) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return (size_t)h;
}

/* Format 2.2 repeats a cell for each of its physical groups: later copies are dropped. */
static PetscErrorCode drop_copies(PetscInt nn, PetscInt *n, PetscInt nodes[], PetscInt tags[])
{
  size_t    size = 16, kept = 0;
  PetscInt *table; /* 1 + cell, 0: free */

  PetscFunctionBeginUser;
  while (size < 2 * (size_t)*n) size *= 2;
  PetscCall(PetscCalloc1(size, &table));
  for (PetscInt c = 0; c < *n; c++) {
    const PetscInt *mine = &nodes[(size_t)c * nn];
    size_t          slot = hash(nn, mine) & (size - 1);

    while (table[slot] &&
           memcmp(&nodes[(size_t)(table[slot] - 1) * nn], mine, sizeof *mine * (size_t)nn))
      slot = (slot + 1) & (size - 1);
    if (table[slot]) continue;
    memmove(&nodes[kept * (size_t)nn], mine, sizeof *mine * (size_t)nn);
    tags[kept] = tags[c];
    table[slot] = (PetscInt)++kept;
  }
  *n = (PetscInt)kept;
  PetscCall(PetscFree(table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Gmsh numbers the cells of a surface in the sense of its outline. Clockwise ones are turned round;
   should that leave neighbours at odds, the search for the boundary says so. */
void CrGmshTurnClockwise(const CrMesh *mesh, CrCellBlock *block)
{
  PetscInt nn = CrCells[block->type].nnodes, nc = CrCells[block->type].ncorners;

  for (PetscInt c = 0; c < block->n; c++) {
    PetscInt *nodes = &block->nodes[c * nn], old[CR_MAX_CELL_NODES];
    PetscReal area = 0;

    for (PetscInt a = 0; a < nc; a++) {
      const PetscReal *x = &mesh->X[2 * nodes[a]], *y = &mesh->X[2 * nodes[(a + 1) % nc]];
      const PetscReal *o = &mesh->X[2 * nodes[0]];

      area += (x[0] - o[0]) * (y[1] - o[1]) - (x[1] - o[1]) * (y[0] - o[0]);
    }
    if (!(area < 0)) continue;
    memcpy(old, nodes, sizeof *old * (size_t)nn);
    for (PetscInt a = 0; a < nc; a++) {
      nodes[a] = old[(nc - a) % nc];
      if (nn > nc) nodes[nc + a] = old[nc + nc - 1 - a];
    }
  }
}

static PetscErrorCode fill_blocks(const CrGmsh *g, CrMesh *mesh)
{
  PetscFunctionBeginUser;
  for (int s = 0; s < CR_NSHAPES; s++) {
    const CrGmshList *list = &g->lists[s];
    PetscInt          nn = CrCells[s].nnodes, *nodes;
    CrCellBlock      *block;

    if (CrCells[s].dim != g->dim || !list->n) continue;
    PetscCall(CrMeshAddBlock(mesh, (CrCellType)s, list->n, &nodes));
    block = &mesh->blocks[mesh->nblocks - 1];
    for (PetscInt i = 0; i < list->n * nn; i++) nodes[i] = g->number[list->nodes[i]];
    PetscCall(PetscArraycpy(block->tags, list->tags, list->n));
    if (g->version == 22) PetscCall(drop_copies(nn, &block->n, nodes, block->tags));
    if (g->dim == 2) CrGmshTurnClockwise(mesh, block);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshMakeMesh(CrGmsh *g, CrMesh **mesh)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  PetscCall(check_dimension(g));
  PetscCall(number_nodes(g, &n));
  if (g->dim == 2) PetscCall(check_plane(g));
  PetscCall(warn_of_doubles(g, n));
  PetscCall(CrMeshAllocate(g->dim, n, g->path, mesh));
  for (PetscInt A = 0; A < g->nnodes; A++)
    for (PetscInt i = 0; g->number[A] >= 0 && i < g->dim; i++)
      (*mesh)->X[g->number[A] * g->dim + i] = g->X[3 * A + i];
  PetscCall(fill_blocks(g, *mesh));
  PetscCall(CrMeshFindBoundary(*mesh));
  PetscCall(CrGmshMakeSets(g, *mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

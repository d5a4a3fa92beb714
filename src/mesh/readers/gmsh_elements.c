/* Stores the nodes and elements that are read from a Gmsh file. */
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "mesh/readers/gmsh.h"

/* ---- nodes ------------------------------------------------------------------------------------- */

PetscErrorCode CrGmshAllocateNodes(CrGmsh *g, int64_t n)
{
  PetscFunctionBeginUser;
  if (g->X) PetscFunctionReturn(PETSC_SUCCESS); /* read once more, to find a node's place */
  g->nnodes = (PetscInt)n;
  PetscCall(PetscMalloc1(3 * (size_t)n, &g->X));
  PetscCall(PetscMalloc1(n, &g->tags));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadPoint(CrGmsh *g, PetscInt A)
{
  PetscFunctionBeginUser;
  for (int i = 0; i < 3; i++) PetscCall(CrGmshReal(g, "a coordinate", &g->X[3 * (size_t)A + i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int compare_tags(const void *x, const void *y)
{
  const CrGmshTag *a = x, *b = y;

  if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

PetscErrorCode CrGmshSortTags(CrGmsh *g, PetscErrorCode (*again)(CrGmsh *))
{
  PetscBool sorted = PETSC_TRUE;

  PetscFunctionBeginUser;
  for (PetscInt i = 1; i < g->nnodes; i++)
    if (g->tags[i].tag <= g->tags[i - 1].tag) sorted = PETSC_FALSE;
  if (sorted) PetscFunctionReturn(PETSC_SUCCESS);
  qsort(g->tags, (size_t)g->nnodes, sizeof *g->tags, compare_tags);
  for (PetscInt i = 1; i < g->nnodes; i++) {
    int64_t tag = g->tags[i].tag;

    if (tag != g->tags[i - 1].tag) continue;
    g->watch = g->tags[i].node;
    g->at = g->sections[CR_GMSH_NODES].begin;
    PetscCall(again(g));
    CrGmshFail(g, g->watched, "node %lld is given twice", (long long)tag);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Place of a node, -1 if there is none of that tag. Tags are mostly numbered through, so a guess
   from the first one comes before the search. */
static PetscInt find_node(const CrGmsh *g, int64_t tag)
{
  PetscInt lo = 0, hi = g->nnodes;

  if (hi && tag >= g->tags[0].tag && (uint64_t)tag - (uint64_t)g->tags[0].tag < (uint64_t)hi) {
    const CrGmshTag *guess = &g->tags[tag - g->tags[0].tag];

    if (guess->tag == tag) return guess->node;
  }
  while (lo < hi) {
    PetscInt mid = lo + (hi - lo) / 2;

    if (g->tags[mid].tag < tag)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < g->nnodes && g->tags[lo].tag == tag ? g->tags[lo].node : -1;
}

/* ---- shapes ------------------------------------------------------------------------------------ */

PetscInt CrGmshShapeDim(int shape)
{
  return shape == CR_GMSH_POINT ? 0 : CrCells[shape].dim;
}

PetscInt CrGmshShapeNodes(int shape)
{
  return shape == CR_GMSH_POINT ? 1 : CrCells[shape].nnodes;
}

/* Names of types that are not supported. */
static const struct {
  int         type;
  const char *name;
} foreign[] = {
    {6, "6-node prism"},         {7, "5-node pyramid"},       {12, "27-node hexahedron"},
    {13, "18-node prism"},       {14, "14-node pyramid"},     {17, "20-node hexahedron"},
    {18, "15-node prism"},       {19, "13-node pyramid"},     {20, "9-node triangle"},
    {21, "10-node triangle"},    {22, "12-node triangle"},    {23, "15-node triangle"},
    {24, "15-node triangle"},    {25, "21-node triangle"},    {26, "4-node line"},
    {27, "5-node line"},         {28, "6-node line"},         {29, "20-node tetrahedron"},
    {30, "35-node tetrahedron"}, {31, "56-node tetrahedron"}, {36, "16-node quadrangle"},
    {37, "25-node quadrangle"},  {92, "64-node hexahedron"},  {93, "125-node hexahedron"},
};

PetscErrorCode CrGmshFindShape(const CrGmsh *g, const char *where, int64_t type, int *shape)
{
  const char *name = "of unknown shape";

  PetscFunctionBeginUser;
  *shape = CR_GMSH_POINT;
  if (type == 15) PetscFunctionReturn(PETSC_SUCCESS);
  for (int s = 0; s < CR_NSHAPES; s++)
    if (CrCells[s].gmsh == type) {
      *shape = s;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (foreign[i].type == type) name = foreign[i].name;
  CrGmshFail(g, where,
             "element type %lld (%s) is not supported; expected T3 (2), Q4 (3), T6 (9), Q8 (16), "
             "Q9 (10), T4 (4), H8 (5), T10 (11), lines (1, 8) or points (15)",
             (long long)type, name);
}

/* ---- elements ---------------------------------------------------------------------------------- */

PetscErrorCode CrGmshReserve(CrGmsh *g, int shape, PetscInt more)
{
  CrGmshList *list = &g->lists[shape];

  PetscFunctionBeginUser;
  if (more <= list->room - list->n) PetscFunctionReturn(PETSC_SUCCESS);
  list->room = PetscMax(list->n + more, list->room + list->room / 2);
  PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)list->room, &list->tags));
  PetscCall(
      PetscRealloc(sizeof(PetscInt) * (size_t)list->room * CrGmshShapeNodes(shape), &list->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode extend_run(CrGmsh *g, int shape, PetscInt label)
{
  CrGmshRun *last = g->nruns ? &g->runs[g->nruns - 1] : NULL;

  PetscFunctionBeginUser;
  if (last && last->shape == shape && last->label == label) {
    last->n++;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrGrow(g->nruns + 1, &g->room_runs, &g->runs));
  g->runs[g->nruns++] =
      (CrGmshRun){.shape = shape, .label = label, .first = g->lists[shape].n, .n = 1};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_nodes(CrGmsh *g, int shape, int64_t element, PetscInt nodes[])
{
  PetscInt n = CrGmshShapeNodes(shape);

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < n; a++) {
    const char *where = CrGmshPlace(g);
    int64_t     tag;

    /* node tags are of the wider kind since 4.1 */
    if (g->version == 22)
      PetscCall(CrGmshInt(g, "a node number", &tag));
    else
      PetscCall(CrGmshSize(g, "a node number", &tag));
    if (g->chunk && (tag < PETSC_MIN_INT || tag > PETSC_MAX_INT))
      CrGmshFail(g, where, "node number %lld is too large for a chunk", (long long)tag);
    nodes[a] = g->chunk ? (PetscInt)tag : find_node(g, tag);
    if (nodes[a] < 0 && !g->chunk)
      CrGmshFail(g, where, "element %lld names node %lld, which is not in $Nodes",
                 (long long)element, (long long)tag);
    for (PetscInt b = 0; b < a; b++)
      if (nodes[b] == nodes[a])
        CrGmshFail(g, where, "element %lld names node %lld twice", (long long)element,
                   (long long)tag);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshAddElement(CrGmsh *g, const char *where, int shape, int64_t tag,
                                PetscInt label)
{
  CrGmshList *list = &g->lists[shape];
  PetscInt    raw[CR_MAX_CELL_NODES], n = CrGmshShapeNodes(shape);

  PetscFunctionBeginUser;
  if (tag < PETSC_MIN_INT || tag > PETSC_MAX_INT)
    CrGmshFail(g, where, "element number %lld is too large", (long long)tag);
  PetscCall(read_nodes(g, shape, tag, raw));
  PetscCall(CrGmshReserve(g, shape, 1));
  PetscCall(extend_run(g, shape, label));
  for (PetscInt a = 0; a < n; a++)
    list->nodes[(size_t)list->n * n + a] =
        raw[shape == CR_GMSH_POINT ? a : CrCells[shape].gmsh_order[a]];
  list->tags[list->n++] = (PetscInt)tag;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* $Entities, $Nodes and $Elements of Gmsh's format 4.1. Text and binary have the same layout. */
#include <stdlib.h>
#include "base/grow.h"
#include "mesh/readers/gmsh_formats.h"

/* ---- entities ---------------------------------------------------------------------------------- */

static int compare_entities(const void *x, const void *y)
{
  const CrGmshEntity *a = x, *b = y;

  if (a->dim != b->dim) return a->dim < b->dim ? -1 : 1;
  return (a->tag > b->tag) - (a->tag < b->tag);
}

static PetscErrorCode add_physical(CrGmsh *g, int64_t tag)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(g->nphysicals + 1, &g->room_physicals, &g->physicals));
  g->physicals[g->nphysicals++] = (PetscInt)(tag < 0 ? -tag : tag); /* the sign means orientation */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "tag box nphysicals physicals nbounding bounding"; points have three numbers for a box and
   nothing that bounds them. */
static PetscErrorCode read_entity(CrGmsh *g, PetscInt dim, CrGmshEntity *entity)
{
  int64_t   tag, n, bound;
  PetscReal x;

  PetscFunctionBeginUser;
  PetscCall(CrGmshInt(g, "an entity's number", &tag));
  for (int i = 0; i < (dim ? 6 : 3); i++) PetscCall(CrGmshReal(g, "a coordinate", &x));
  PetscCall(CrGmshSize(g, "a number of physical groups", &n));
  *entity = (CrGmshEntity){.dim = dim, .tag = (PetscInt)tag, .first = g->nphysicals};
  for (int64_t i = 0; i < n; i++) {
    const char *where = CrGmshPlace(g);
    int64_t     physical;

    PetscCall(CrGmshInt(g, "a physical group", &physical));
    if (physical < -PETSC_MAX_INT || physical > PETSC_MAX_INT)
      CrGmshFail(g, where, "physical group %lld is too large", (long long)physical);
    PetscCall(add_physical(g, physical));
  }
  entity->n = g->nphysicals - entity->first;
  if (dim == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGmshSize(g, "a number of bounding entities", &n));
  for (int64_t i = 0; i < n; i++) PetscCall(CrGmshInt(g, "a bounding entity", &bound));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadEntities41(CrGmsh *g)
{
  const char *where = CrGmshPlace(g);
  int64_t     n[4], all = 0;

  PetscFunctionBeginUser;
  for (int dim = 0; dim < 4; dim++) {
    PetscCall(CrGmshSize(g, "a number of entities", &n[dim]));
    PetscCall(CrGmshCheckCount(g, where, n[dim], 9, 36, "entities"));
    all += n[dim];
  }
  PetscCall(CrGmshCheckCount(g, where, all, 9, 36, "entities"));
  PetscCall(PetscMalloc1(all, &g->entities));
  for (int dim = 0; dim < 4; dim++)
    for (int64_t i = 0; i < n[dim]; i++)
      PetscCall(read_entity(g, dim, &g->entities[g->nentities++]));
  if (g->nentities) /* qsort wants an array even of nothing */
    qsort(g->entities, (size_t)g->nentities, sizeof *g->entities, compare_entities);
  PetscCall(CrGmshCheckEnd(g, "Entities"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- heads ------------------------------------------------------------------------------------- */

/* "nblocks n lowest highest". */
PetscErrorCode CrGmshHead41(CrGmsh *g, CrGmshSection section, int64_t *nblocks, int64_t *n)
{
  const char *where = CrGmshPlace(g);
  int64_t     tag;

  PetscFunctionBeginUser;
  PetscCall(CrGmshSize(g, "a number of blocks", nblocks));
  PetscCall(CrGmshSize(g, "a count", n));
  PetscCall(CrGmshSize(g, "the lowest number", &tag));
  PetscCall(CrGmshSize(g, "the highest number", &tag));
  if (section == CR_GMSH_NODES)
    PetscCall(CrGmshCheckCount(g, where, *n, sizeof "1 0 0 0" - 1, 32, "nodes"));
  else
    PetscCall(CrGmshCheckCount(g, where, *n, sizeof "1 1" - 1, 16, "elements"));
  PetscCall(CrGmshCheckCount(g, where, *nblocks, 8, 20, "blocks"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "dim entity parametric n", before all numbers and then all points. */
PetscErrorCode CrGmshNodeBlock41(CrGmsh *g, int64_t left, CrGmshBlock *block)
{
  const char *where = CrGmshPlace(g);
  int64_t     dim, entity, parametric, n;

  PetscFunctionBeginUser;
  PetscCall(CrGmshInt(g, "an entity's dimension", &dim));
  PetscCall(CrGmshInt(g, "an entity's number", &entity));
  PetscCall(CrGmshInt(g, "0 or 1 (parametric)", &parametric));
  PetscCall(CrGmshSize(g, "a number of nodes", &n));
  if (n < 0 || n > left)
    CrGmshFail(g, where,
               "this block announces %lld nodes, but only %lld of the announced total are left",
               (long long)n, (long long)left);
  if (dim < 0 || dim > 3)
    CrGmshFail(g, where, "an entity cannot have dimension %lld", (long long)dim);
  *block = (CrGmshBlock){.n = n,
                         .label = (PetscInt)entity,
                         .parameters = parametric ? (PetscInt)dim : 0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "dim entity type n", before as many of "number nodes". */
PetscErrorCode CrGmshElementBlock41(CrGmsh *g, int64_t left, CrGmshBlock *block)
{
  const char *where = CrGmshPlace(g);
  int64_t     dim, entity, type, n;
  int         shape;

  PetscFunctionBeginUser;
  PetscCall(CrGmshInt(g, "an entity's dimension", &dim));
  PetscCall(CrGmshInt(g, "an entity's number", &entity));
  PetscCall(CrGmshInt(g, "an element type", &type));
  PetscCall(CrGmshFindShape(g, where, type, &shape));
  PetscCall(CrGmshSize(g, "a number of elements", &n));
  if (n < 0 || n > left)
    CrGmshFail(g, where,
               "this block announces %lld elements, but only %lld of the announced total are left",
               (long long)n, (long long)left);
  if (dim != CrGmshShapeDim(shape))
    CrGmshFail(g, where, "elements of type %lld on an entity of dimension %lld", (long long)type,
               (long long)dim);
  *block = (CrGmshBlock){.n = n, .label = (PetscInt)entity, .shape = shape};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- nodes ------------------------------------------------------------------------------------- */

PetscErrorCode CrGmshNodeTag41(CrGmsh *g, PetscInt A)
{
  int64_t tag;

  PetscFunctionBeginUser;
  PetscCall(CrGmshSize(g, "a node number", &tag));
  if (g->watch < 0) g->tags[A] = (CrGmshTag){.tag = tag, .node = A};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshNodePoint41(CrGmsh *g, const CrGmshBlock *block, PetscInt A)
{
  PetscReal skipped;

  PetscFunctionBeginUser;
  PetscCall(CrGmshReadPoint(g, A));
  for (PetscInt i = 0; i < block->parameters; i++)
    PetscCall(CrGmshReal(g, "a parameter", &skipped));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadNodes41(CrGmsh *g)
{
  const char *where = CrGmshPlace(g);
  CrGmshBlock block;
  int64_t     nblocks, n;
  PetscInt    done = 0;

  PetscFunctionBeginUser;
  PetscCall(CrGmshHead41(g, CR_GMSH_NODES, &nblocks, &n));
  PetscCall(CrGmshAllocateNodes(g, n));
  for (int64_t b = 0; b < nblocks; b++, done += (PetscInt)block.n) {
    PetscCall(CrGmshNodeBlock41(g, n - done, &block));
    for (PetscInt A = done; A < done + block.n; A++) {
      if (A == g->watch) g->watched = CrGmshPlace(g);
      PetscCall(CrGmshNodeTag41(g, A));
    }
    for (PetscInt A = done; A < done + block.n; A++) PetscCall(CrGmshNodePoint41(g, &block, A));
  }
  if (done != n)
    CrGmshFail(g, where, "%lld nodes are announced, but the blocks contain %" PetscInt_FMT,
               (long long)n, done);
  PetscCall(CrGmshCheckEnd(g, "Nodes"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- elements ---------------------------------------------------------------------------------- */

PetscErrorCode CrGmshElement41(CrGmsh *g, const CrGmshBlock *block)
{
  const char *start = CrGmshPlace(g);
  int64_t     tag;

  PetscFunctionBeginUser;
  PetscCall(CrGmshSize(g, "an element number", &tag));
  PetscCall(CrGmshAddElement(g, start, block->shape, tag, block->label));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadElements41(CrGmsh *g)
{
  const char *where = CrGmshPlace(g);
  CrGmshBlock block;
  int64_t     nblocks, n, done = 0;

  PetscFunctionBeginUser;
  PetscCall(CrGmshHead41(g, CR_GMSH_ELEMENTS, &nblocks, &n));
  for (int64_t b = 0; b < nblocks; b++, done += block.n) {
    PetscCall(CrGmshElementBlock41(g, n - done, &block));
    PetscCall(CrGmshReserve(g, block.shape, (PetscInt)block.n));
    for (int64_t i = 0; i < block.n; i++) PetscCall(CrGmshElement41(g, &block));
  }
  if (done != n)
    CrGmshFail(g, where, "%lld elements are announced, but the blocks contain %lld", (long long)n,
               (long long)done);
  PetscCall(CrGmshCheckEnd(g, "Elements"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

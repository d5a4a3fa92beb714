/* $Nodes and $Elements of Gmsh's format 2.2. */
#include "mesh/readers/gmsh_formats.h"

/* The count is text even in a binary file, whose data begin on the next line. */
PetscErrorCode CrGmshHead22(CrGmsh *g, CrGmshSection section, int64_t *n)
{
  const char *where = CrGmshPlace(g);

  PetscFunctionBeginUser;
  PetscCall(CrGmshTextInteger(g, "a count", n));
  if (g->binary) CrGmshEndLine(g);
  if (section == CR_GMSH_NODES)
    PetscCall(CrGmshCheckCount(g, where, *n, sizeof "1 0 0 0" - 1, 28, "nodes"));
  else
    PetscCall(CrGmshCheckCount(g, where, *n, sizeof "1 15 0 1" - 1, 8, "elements"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- nodes ------------------------------------------------------------------------------------- */

PetscErrorCode CrGmshNode22(CrGmsh *g, PetscInt A)
{
  int64_t tag;

  PetscFunctionBeginUser;
  PetscCall(CrGmshInt(g, "a node number", &tag));
  if (g->watch < 0) g->tags[A] = (CrGmshTag){.tag = tag, .node = A};
  PetscCall(CrGmshReadPoint(g, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadNodes22(CrGmsh *g)
{
  int64_t n;

  PetscFunctionBeginUser;
  PetscCall(CrGmshHead22(g, CR_GMSH_NODES, &n));
  PetscCall(CrGmshAllocateNodes(g, n));
  for (PetscInt A = 0; A < n; A++) {
    if (A == g->watch) g->watched = CrGmshPlace(g);
    PetscCall(CrGmshNode22(g, A));
  }
  PetscCall(CrGmshCheckEnd(g, "Nodes"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- elements ---------------------------------------------------------------------------------- */

/* The first tag is the physical group, the others (entity, partitions) do not matter here. */
static PetscErrorCode read_tags(CrGmsh *g, const char *where, int64_t ntags, PetscInt *physical)
{
  PetscFunctionBeginUser;
  *physical = 0;
  if (ntags < 0) CrGmshFail(g, where, "an element cannot have %lld tags", (long long)ntags);
  for (int64_t i = 0; i < ntags; i++) {
    int64_t tag;

    PetscCall(CrGmshInt(g, "a tag", &tag));
    if (i) continue;
    if (tag < -PETSC_MAX_INT || tag > PETSC_MAX_INT)
      CrGmshFail(g, where, "physical group %lld is too large", (long long)tag);
    *physical = (PetscInt)(tag < 0 ? -tag : tag); /* the sign means the entity's orientation */
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "number type ntags tags nodes". */
PetscErrorCode CrGmshElementLine22(CrGmsh *g)
{
  const char *where = CrGmshPlace(g);
  int64_t     tag, type, ntags;
  PetscInt    physical;
  int         shape;

  PetscFunctionBeginUser;
  PetscCall(CrGmshInt(g, "an element number", &tag));
  PetscCall(CrGmshInt(g, "an element type", &type));
  PetscCall(CrGmshFindShape(g, where, type, &shape));
  PetscCall(CrGmshInt(g, "a number of tags", &ntags));
  PetscCall(read_tags(g, where, ntags, &physical));
  PetscCall(CrGmshAddElement(g, where, shape, tag, physical));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "type count ntags", before as many of "number tags nodes". */
PetscErrorCode CrGmshElementBlock22(CrGmsh *g, int64_t left, CrGmshBlock *block)
{
  const char *where = CrGmshPlace(g);
  int64_t     type;

  PetscFunctionBeginUser;
  *block = (CrGmshBlock){0};
  PetscCall(CrGmshInt(g, "an element type", &type));
  PetscCall(CrGmshFindShape(g, where, type, &block->shape));
  PetscCall(CrGmshInt(g, "a number of elements", &block->n));
  PetscCall(CrGmshInt(g, "a number of tags", &block->ntags));
  if (block->n < 1 || block->n > left)
    CrGmshFail(g, where,
               "this block announces %lld elements, but only %lld of the announced total are left",
               (long long)block->n, (long long)left);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshElement22(CrGmsh *g, const CrGmshBlock *block)
{
  const char *start = CrGmshPlace(g);
  int64_t     tag;
  PetscInt    physical;

  PetscFunctionBeginUser;
  PetscCall(CrGmshInt(g, "an element number", &tag));
  PetscCall(read_tags(g, start, block->ntags, &physical));
  PetscCall(CrGmshAddElement(g, start, block->shape, tag, physical));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadElements22(CrGmsh *g)
{
  CrGmshBlock block;
  int64_t     n;

  PetscFunctionBeginUser;
  PetscCall(CrGmshHead22(g, CR_GMSH_ELEMENTS, &n));
  for (int64_t i = 0; !g->binary && i < n; i++) PetscCall(CrGmshElementLine22(g));
  for (int64_t done = 0; g->binary && done < n; done += block.n) {
    PetscCall(CrGmshElementBlock22(g, n - done, &block));
    for (int64_t i = 0; i < block.n; i++) PetscCall(CrGmshElement22(g, &block));
  }
  PetscCall(CrGmshCheckEnd(g, "Elements"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

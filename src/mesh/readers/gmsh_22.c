/* $Nodes and $Elements of Gmsh's format 2.2. */
#include "mesh/readers/gmsh.h"

/* The count is text even in a binary file, whose data begin on the next line. */
static PetscErrorCode read_count(CrGmsh *g, size_t text, size_t binary, const char things[],
                                 int64_t *n)
{
  const char *where = CrGmshPlace(g);

  PetscFunctionBeginUser;
  PetscCall(CrGmshTextInteger(g, "a count", n));
  if (g->binary) CrGmshEndLine(g);
  PetscCall(CrGmshCheckCount(g, where, *n, text, binary, things));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadNodes22(CrGmsh *g)
{
  int64_t n;

  PetscFunctionBeginUser;
  PetscCall(read_count(g, sizeof "1 0 0 0" - 1, 28, "nodes", &n));
  PetscCall(CrGmshAllocateNodes(g, n));
  for (PetscInt A = 0; A < n; A++) {
    int64_t tag;

    if (A == g->watch) g->watched = CrGmshPlace(g);
    PetscCall(CrGmshInt(g, "a node number", &tag));
    if (g->watch < 0) g->tags[A] = (CrGmshTag){.tag = tag, .node = A};
    PetscCall(CrGmshReadPoint(g, A));
  }
  PetscCall(CrGmshCheckEnd(g, "Nodes"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

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

/* "number type ntags tags nodes", one per line. */
static PetscErrorCode read_text(CrGmsh *g, int64_t n)
{
  PetscFunctionBeginUser;
  for (int64_t i = 0; i < n; i++) {
    const char *where = CrGmshPlace(g);
    int64_t     tag, type, ntags;
    PetscInt    physical;
    int         shape;

    PetscCall(CrGmshInt(g, "an element number", &tag));
    PetscCall(CrGmshInt(g, "an element type", &type));
    PetscCall(CrGmshFindShape(g, where, type, &shape));
    PetscCall(CrGmshInt(g, "a number of tags", &ntags));
    PetscCall(read_tags(g, where, ntags, &physical));
    PetscCall(CrGmshAddElement(g, where, shape, tag, physical));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Blocks: "type count ntags", then as many of "number tags nodes". */
static PetscErrorCode read_binary(CrGmsh *g, int64_t n)
{
  PetscFunctionBeginUser;
  for (int64_t done = 0; done < n;) {
    const char *where = CrGmshPlace(g);
    int64_t     type, count, ntags;
    int         shape;

    PetscCall(CrGmshInt(g, "an element type", &type));
    PetscCall(CrGmshFindShape(g, where, type, &shape));
    PetscCall(CrGmshInt(g, "a number of elements", &count));
    PetscCall(CrGmshInt(g, "a number of tags", &ntags));
    if (count < 1 || count > n - done)
      CrGmshFail(g, where, "a block of %lld elements, where %lld are left", (long long)count,
                 (long long)(n - done));
    for (int64_t i = 0; i < count; i++) {
      const char *start = CrGmshPlace(g);
      int64_t     tag;
      PetscInt    physical;

      PetscCall(CrGmshInt(g, "an element number", &tag));
      PetscCall(read_tags(g, start, ntags, &physical));
      PetscCall(CrGmshAddElement(g, start, shape, tag, physical));
    }
    done += count;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadElements22(CrGmsh *g)
{
  int64_t n;

  PetscFunctionBeginUser;
  PetscCall(read_count(g, sizeof "1 15 0 1" - 1, 8, "elements", &n));
  PetscCall(g->binary ? read_binary(g, n) : read_text(g, n));
  PetscCall(CrGmshCheckEnd(g, "Elements"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Parts of the Gmsh reader: the file in memory with a cursor, and what was found in it. */
#pragma once

#include <stdint.h>
#include "mesh/internal.h"

/* Points have no row in CrCells; they come after its shapes. */
#define CR_GMSH_POINT   CR_NSHAPES
#define CR_GMSH_NSHAPES (CR_NSHAPES + 1)

typedef enum {
  CR_GMSH_FORMAT,
  CR_GMSH_NAMES,
  CR_GMSH_ENTITIES,
  CR_GMSH_NODES,
  CR_GMSH_ELEMENTS,
  CR_GMSH_NSECTIONS
} CrGmshSection;

/* All elements of one shape, in the order of the file. */
typedef struct {
  PetscInt  n, room;
  PetscInt *tags;  /* owned */
  PetscInt *nodes; /* places in $Nodes, our node order; owned */
} CrGmshList;

/* Neighbours in a list with one label: the physical group (2.2) or the entity (4.1); 0: none. */
typedef struct {
  int      shape;
  PetscInt label, first, n;
} CrGmshRun;

typedef struct {
  PetscInt    dim, tag;
  char       *name;  /* owned */
  const char *where; /* in the text, borrowed */
} CrGmshName;

/* Physical groups of an entity: n of `physicals` from `first` on. */
typedef struct {
  PetscInt dim, tag, first, n;
} CrGmshEntity;

typedef struct {
  int64_t  tag;
  PetscInt node;
} CrGmshTag;

typedef struct {
  const char *path; /* borrowed */
  PetscInt    dim;  /* of the deck */
  char       *text; /* the whole file with a zero after it, owned */
  size_t      size;
  struct {
    const char *begin, *end;
  } sections[CR_GMSH_NSECTIONS];
  const char *at, *end; /* cursor, end of the section */
  PetscBool   binary, swap;
  int         version; /* 22 or 41 */

  PetscInt    nnodes;
  PetscReal  *X;     /* three per node, owned */
  CrGmshTag  *tags;  /* sorted by tag, owned */
  PetscInt    watch; /* a node of which we want to know where it stands */
  const char *watched;
  CrGmshList  lists[CR_GMSH_NSHAPES];
  PetscInt    nruns, room_runs;
  CrGmshRun  *runs; /* owned */

  PetscInt      nnames, nentities, nphysicals, room_physicals;
  CrGmshName   *names;     /* owned */
  CrGmshEntity *entities;  /* sorted, owned */
  PetscInt     *physicals; /* owned */

  PetscInt *number; /* of every node in the mesh, -1 if no cell uses it; owned */
} CrGmsh;

/* ---- gmsh_scan.c: numbers at the cursor, messages with their place ------------------------ */

/* "file.msh:LINE: ..." or, for binary files, "file.msh: byte N: ..."; returns CR_ERR_INPUT. */
PetscErrorCode CrGmshError(const CrGmsh *g, const char *where, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(3, 4);
#define CrGmshFail(...) PetscFunctionReturn(CrGmshError(__VA_ARGS__))

/* Where the next value stands: white space is skipped in text. */
const char *CrGmshPlace(CrGmsh *g);
/* Integers that binary files store as int or as size_t, reals; always text for the first. `what`
   ends the message "expected ...". */
PetscErrorCode CrGmshTextInteger(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshInt(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshSize(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshReal(CrGmsh *g, const char what[], PetscReal *v);
PetscErrorCode CrGmshTextReal(CrGmsh *g, const char what[], PetscReal *v);
/* A count of things that take at least so many bytes each: refused if the section is too short. */
PetscErrorCode CrGmshCheckCount(CrGmsh *g, const char *where, int64_t n, size_t text, size_t binary,
                                const char things[]);
/* Moves the cursor to the next line. */
void CrGmshEndLine(CrGmsh *g);
/* The section must end here. */
PetscErrorCode CrGmshCheckEnd(CrGmsh *g, const char name[]);
/* Text at a place, cut short and made printable, for messages. */
void CrGmshExcerpt(const char *where, const char *end, char excerpt[32]);

/* ---- gmsh_elements.c: storing and finding ------------------------------------------------- */

PetscInt       CrGmshShapeDim(int shape);
PetscInt       CrGmshShapeNodes(int shape);
PetscErrorCode CrGmshFindShape(const CrGmsh *g, const char *where, int64_t type, int *shape);
/* Reads the nodes of an element at the cursor and adds it. */
PetscErrorCode CrGmshAddElement(CrGmsh *g, const char *where, int shape, int64_t tag,
                                PetscInt label);
PetscErrorCode CrGmshReserve(CrGmsh *g, int shape, PetscInt more);
/* Makes the tags findable; refuses doubles. */
PetscErrorCode CrGmshSortTags(CrGmsh *g, PetscErrorCode (*again)(CrGmsh *));

/* ---- the two formats, and the mesh from what they gave ------------------------------------ */

PetscErrorCode CrGmshReadNodes22(CrGmsh *g);
PetscErrorCode CrGmshReadElements22(CrGmsh *g);
PetscErrorCode CrGmshReadEntities41(CrGmsh *g);
PetscErrorCode CrGmshReadNodes41(CrGmsh *g);
PetscErrorCode CrGmshReadElements41(CrGmsh *g);
/* Room for the nodes, taken once. */
PetscErrorCode CrGmshAllocateNodes(CrGmsh *g, int64_t n);
/* Reads three coordinates at the cursor for node A. */
PetscErrorCode CrGmshReadPoint(CrGmsh *g, PetscInt A);

PetscErrorCode CrGmshMakeMesh(CrGmsh *g, CrMesh **mesh);
PetscErrorCode CrGmshMakeSets(CrGmsh *g, CrMesh *mesh);

/* Parts of the Gmsh reader: the file in memory with a cursor, and its contents. */
#pragma once

#include <stdint.h>
#include "mesh/internal.h"

/* The number of the shape "point". The table CrCells has no points, so this number follows those of its shapes. */
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
  PetscInt *nodes; /* indices into $Nodes, in the node order of CrCells; owned */
} CrGmshList;

/* Consecutive elements of a list with the same label: the physical group (2.2) or the entity (4.1); 0: none. */
typedef struct {
  int      shape;
  PetscInt label, first, n;
} CrGmshRun;

typedef struct {
  PetscInt    dim, tag;
  char       *name;  /* owned */
  const char *where; /* position in the text, for messages; borrowed */
} CrGmshName;

/* An entity. Its physical groups are n entries of `physicals`, from `first` on. */
typedef struct {
  PetscInt dim, tag, first, n;
} CrGmshEntity;

typedef struct {
  int64_t  tag;
  PetscInt node;
} CrGmshTag;

typedef struct {
  const char *path; /* borrowed */
  PetscInt    dim;  /* dimension of the deck */
  char       *text; /* the whole file with a zero after it, owned */
  size_t      size;
  struct {
    const char *begin, *end;
  } sections[CR_GMSH_NSECTIONS];
  const char *at, *end; /* the cursor, and the end of the section */
  int64_t     beyond;   /* bytes of the section after `end`, if the text is a window of the file */
  PetscBool   chunk;    /* the text is a part of the file; nodes of elements are tags */
  PetscBool   binary, swap;
  int         version; /* 22 or 41 */

  PetscInt    nnodes;
  PetscReal  *X;     /* three per node, owned */
  CrGmshTag  *tags;  /* sorted by tag, owned */
  PetscInt    watch; /* node whose position in the file a message needs */
  const char *watched;
  CrGmshList  lists[CR_GMSH_NSHAPES];
  PetscInt    nruns, room_runs;
  CrGmshRun  *runs; /* owned */

  PetscInt      nnames, nentities, nphysicals, room_physicals;
  CrGmshName   *names;     /* owned */
  CrGmshEntity *entities;  /* sorted, owned */
  PetscInt     *physicals; /* owned */

  PetscInt *number; /* number of every node in the mesh; -1: no cell uses it; owned */
} CrGmsh;

/* ---- gmsh_scan.c: numbers at the cursor, messages with their place ------------------------ */

/* Records the error "file.msh:LINE: ..." or, for binary files, "file.msh: byte N: ...". Returns CR_ERR_INPUT. */
PetscErrorCode CrGmshError(const CrGmsh *g, const char *where, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(3, 4);
#define CrGmshFail(...) PetscFunctionReturn(CrGmshError(__VA_ARGS__))

/* Returns the place of the next value. In text files, white space is skipped. */
const char *CrGmshPlace(CrGmsh *g);
/* Read one number at the cursor: Int and Size for integers that binary files store as int and as size_t, Real
   for reals. The functions with Text read text in binary files too. `what` ends the message "expected ...". */
PetscErrorCode CrGmshTextInteger(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshInt(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshSize(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshReal(CrGmsh *g, const char what[], PetscReal *v);
PetscErrorCode CrGmshTextReal(CrGmsh *g, const char what[], PetscReal *v);
/* Refuses a count n if the section is too short for it: each entry needs at least `text` or `binary` bytes. */
PetscErrorCode CrGmshCheckCount(CrGmsh *g, const char *where, int64_t n, size_t text, size_t binary,
                                const char things[]);
/* Moves the cursor to the next line. */
void CrGmshEndLine(CrGmsh *g);
/* Moves the cursor to the next line, and rejects anything but white space before the end of the line. Does nothing in
   binary files. */
PetscErrorCode CrGmshCheckLine(CrGmsh *g);
/* Checks that the section ends here. */
PetscErrorCode CrGmshCheckEnd(CrGmsh *g, const char name[]);
/* Copies the text at a place for messages: cut, and made printable. */
void CrGmshExcerpt(const char *where, const char *end, char excerpt[32]);

/* ---- gmsh_elements.c: storing and finding ------------------------------------------------- */

PetscInt       CrGmshShapeDim(int shape);
PetscInt       CrGmshShapeNodes(int shape);
PetscErrorCode CrGmshFindShape(const CrGmsh *g, const char *where, int64_t type, int *shape);
/* Reads the nodes of an element at the cursor and adds it. */
PetscErrorCode CrGmshAddElement(CrGmsh *g, const char *where, int shape, int64_t tag,
                                PetscInt label);
PetscErrorCode CrGmshReserve(CrGmsh *g, int shape, PetscInt more);
/* Sorts the tags of nodes for the search; refuses tags that occur twice. */
PetscErrorCode CrGmshSortTags(CrGmsh *g, PetscErrorCode (*again)(CrGmsh *));

/* ---- nodes as they are found --------------------------------------------------------------- */

/* Allocates room for the nodes; to be called once. */
PetscErrorCode CrGmshAllocateNodes(CrGmsh *g, int64_t n);
/* Reads three coordinates at the cursor for node A. */
PetscErrorCode CrGmshReadPoint(CrGmsh *g, PetscInt A);

/* Frees all data that were read. */
PetscErrorCode CrGmshClear(CrGmsh *g);

/* ---- the mesh from what was read ---------------------------------------------------------- */

PetscErrorCode CrGmshMakeMesh(CrGmsh *g, CrMesh **mesh);
PetscErrorCode CrGmshMakeSets(CrGmsh *g, CrMesh *mesh);
/* Warns of n nodes at the same position as other nodes; the message names two of them. */
void CrGmshWarnOfTwins(const CrGmsh *g, int64_t one, int64_t other, PetscInt n);
/* Reverses clockwise cells of a 2D mesh. */
void CrGmshTurnClockwise(const CrMesh *mesh, CrCellBlock *block);
/* CrGmshFindName returns the name of a physical group; NULL: it has none. CrGmshGroupOrder returns a number by which
   groups are ordered: groups with names come first, then surfaces, regions and other groups. */
const CrGmshName   *CrGmshFindName(const CrGmsh *g, PetscInt dim, PetscInt tag);
PetscInt            CrGmshGroupOrder(const CrGmsh *g, PetscInt dim, PetscInt tag);
const CrGmshEntity *CrGmshFindEntity(const CrGmsh *g, PetscInt dim, PetscInt tag);

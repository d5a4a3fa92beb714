/* Declarations that the source files of the Gmsh reader share: the text of the file with a read position (cursor), and
   the data read from it. Numbers 2.2 and 4.1 are versions of the Gmsh format. */
#pragma once

#include <stdint.h>
#include "mesh/internal.h"

/* The number of the shape "point". The table CrCells has no points, so this number comes after the shapes of the
   table. */
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

/* All elements of one shape (cell type), in the order of the file. */
typedef struct {
  PetscInt  n, room;
  PetscInt *tags; /* owned */
  /* nodes of each element as indices into the section $Nodes, in the node order of CrCells; owned */
  PetscInt *nodes;
} CrGmshList;

/* Consecutive elements of a CrGmshList with the same label. The label is the tag of a physical group (2.2) or of an
   entity (4.1); 0: none. */
typedef struct {
  int      shape;
  PetscInt label, first, n;
} CrGmshRun;

typedef struct {
  PetscInt    dim, tag;
  char       *name;  /* owned */
  const char *where; /* position of the name in the text, for error messages; borrowed */
} CrGmshName;

/* A geometric entity of Gmsh. The physical groups of the entity are the n entries of CrGmsh.physicals that begin at
   `first`. */
typedef struct {
  PetscInt dim, tag, first, n;
} CrGmshEntity;

typedef struct {
  int64_t  tag;
  PetscInt node;
} CrGmshTag;

typedef struct {
  const char *path; /* borrowed */
  PetscInt    dim;  /* dimension of the model, from the deck */
  char       *text; /* the whole file with a zero after it, owned */
  size_t      size;
  struct {
    const char *begin, *end;
  } sections[CR_GMSH_NSECTIONS];
  const char *at, *end; /* the read position (cursor), and the end of the section */
  /* if the text is a part of the file: number of bytes of the section after `end` */
  int64_t beyond;
  /* true: the text is a part of the file, and nodes of elements are stored as tags, not as indices */
  PetscBool chunk;
  PetscBool binary, swap;
  int       version; /* 22 or 41 */

  PetscInt   nnodes;
  PetscReal *X;    /* three coordinates per node, owned */
  CrGmshTag *tags; /* tags of the nodes, sorted; owned */
  /* index of a node; the reader sets `watched` to its position in the text, for an error message */
  PetscInt    watch;
  const char *watched;
  CrGmshList  lists[CR_GMSH_NSHAPES];
  PetscInt    nruns, room_runs;
  CrGmshRun  *runs; /* owned */

  PetscInt      nnames, nentities, nphysicals, room_physicals;
  CrGmshName   *names;     /* owned */
  CrGmshEntity *entities;  /* sorted by dimension and tag; owned */
  PetscInt     *physicals; /* owned */

  /* number of every node of the file in the mesh; -1: no cell uses the node; owned */
  PetscInt *number;
} CrGmsh;

/* ---- gmsh_scan.c: reads numbers at the cursor, and reports errors with their position ------ */

/* Reports the error "file.msh:LINE: ..." or, for binary files, "file.msh: byte N: ...", at the position `where`.
   Returns CR_ERR_INPUT. */
PetscErrorCode CrGmshError(const CrGmsh *g, const char *where, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(3, 4);
#define CrGmshFail(...) PetscFunctionReturn(CrGmshError(__VA_ARGS__))

/* Returns the position of the next value. In text files, the function skips white space. */
const char *CrGmshPlace(CrGmsh *g);
/* Read one number at the cursor into *v. CrGmshInt and CrGmshSize read integers, which binary files store as int or as
   size_t. CrGmshReal reads a real. CrGmshTextInteger and CrGmshTextReal read text, in binary files too. The error
   message is "expected " followed by `what`. */
PetscErrorCode CrGmshTextInteger(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshInt(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshSize(CrGmsh *g, const char what[], int64_t *v);
PetscErrorCode CrGmshReal(CrGmsh *g, const char what[], PetscReal *v);
PetscErrorCode CrGmshTextReal(CrGmsh *g, const char what[], PetscReal *v);
/* Refuses a number n of entries if the rest of the section is too short. Each entry needs at least `text` bytes in text
   files, and `binary` bytes in binary files. */
PetscErrorCode CrGmshCheckCount(CrGmsh *g, const char *where, int64_t n, size_t text, size_t binary,
                                const char things[]);
/* Moves the cursor to the next line. */
void CrGmshEndLine(CrGmsh *g);
/* Moves the cursor to the next line, and rejects anything but white space before the end of the line. The function does
   nothing in binary files. */
PetscErrorCode CrGmshCheckLine(CrGmsh *g);
/* Checks that the section ends at the cursor. */
PetscErrorCode CrGmshCheckEnd(CrGmsh *g, const char name[]);
/* Copies the text at `where` to `excerpt`, for error messages. The text is shortened, and unprintable characters are
   replaced. */
void CrGmshExcerpt(const char *where, const char *end, char excerpt[32]);

/* ---- gmsh_elements.c: stores elements, and finds nodes by their tags ---------------------- */

PetscInt       CrGmshShapeDim(int shape);
PetscInt       CrGmshShapeNodes(int shape);
PetscErrorCode CrGmshFindShape(const CrGmsh *g, const char *where, int64_t type, int *shape);
/* Reads the nodes of an element at the cursor, and adds the element to the list of its shape. */
PetscErrorCode CrGmshAddElement(CrGmsh *g, const char *where, int shape, int64_t tag,
                                PetscInt label);
PetscErrorCode CrGmshReserve(CrGmsh *g, int shape, PetscInt more);
/* Sorts the tags of nodes. Refuses tags that occur twice; `again` then reads the nodes again, to find the position for
   the error message. */
PetscErrorCode CrGmshSortTags(CrGmsh *g, PetscErrorCode (*again)(CrGmsh *));

/* ---- nodes --------------------------------------------------------------------------------- */

/* Allocates memory for n nodes. The function may be called once. */
PetscErrorCode CrGmshAllocateNodes(CrGmsh *g, int64_t n);
/* Reads three coordinates at the cursor for node A. */
PetscErrorCode CrGmshReadPoint(CrGmsh *g, PetscInt A);

/* Frees all data that were read. */
PetscErrorCode CrGmshClear(CrGmsh *g);

/* ---- makes the mesh from the data that were read ------------------------------------------- */

PetscErrorCode CrGmshMakeMesh(CrGmsh *g, CrMesh **mesh);
PetscErrorCode CrGmshMakeSets(CrGmsh *g, CrMesh *mesh);
/* Warns that n nodes have the same position as other nodes. The message names the two nodes with the tags `one` and
   `other`. */
void CrGmshWarnOfTwins(const CrGmsh *g, int64_t one, int64_t other, PetscInt n);
/* Reverses the node order of clockwise cells in a block of a 2D mesh. */
void CrGmshTurnClockwise(const CrMesh *mesh, CrCellBlock *block);
/* CrGmshFindName returns the name of a physical group, or NULL if it has no name. CrGmshGroupOrder returns a number by
   which groups are sorted: groups with names first, then surfaces, regions and other groups. CrGmshFindEntity returns
   an entity by its dimension and tag. */
const CrGmshName   *CrGmshFindName(const CrGmsh *g, PetscInt dim, PetscInt tag);
PetscInt            CrGmshGroupOrder(const CrGmsh *g, PetscInt dim, PetscInt tag);
const CrGmshEntity *CrGmshFindEntity(const CrGmsh *g, PetscInt dim, PetscInt tag);

/* Meshes: flat arrays, named sets, outward boundary facets. One CrMesh is one body's mesh as it was
   generated or read; model/ joins them, distributes them and owns the numbering that solvers see. */
#pragma once

#include "base/base.h"
#include "deck/deck.h"

/* ---- cells ------------------------------------------------------------------------------------- */

/* Node order is VTK's for every type. Rows of the table are in mesh/cell.c. */
typedef enum {
  CR_T3,
  CR_Q4,
  CR_T6,
  CR_Q8,
  CR_Q9,
  CR_T4,
  CR_H8,
  CR_T10,
  CR_NCELLS,
  /* facets only */
  CR_S2 = CR_NCELLS, /* segments of 2D boundaries */
  CR_S3,
  CR_NSHAPES
} CrCellType;

#define CR_MAX_CELL_NODES 10
#define CR_MAX_FACE_NODES 8
#define CR_MAX_FACES      6

struct CrCell {
  const char *name; /* deck word */
  PetscInt    dim, nnodes, vtk, gmsh, nfaces;
  PetscInt    ncorners;  /* the first nodes, without the mid-side ones */
  CrCellType  face_type; /* S2, S3, T3, T6, Q4 */
  PetscInt    faces[CR_MAX_FACES][CR_MAX_FACE_NODES]; /* outward: material on the left in 2D */
  PetscInt    gmsh_order[CR_MAX_CELL_NODES];          /* our node i is Gmsh's node gmsh_order[i] */
};

extern const CrCell CrCells[CR_NSHAPES];

/* ---- meshes ------------------------------------------------------------------------------------ */

/* Cells of one type. */
typedef struct {
  CrCellType type;
  PetscInt   n;
  PetscInt  *nodes; /* n x nnodes, owned */
  PetscInt  *tags;  /* n numbers by which messages name the cell (the file's own), owned */
} CrCellBlock;

/* A boundary facet: a face of a cell. */
typedef struct {
  PetscInt block, cell, face;
} CrFacet;

/* A named set: always nodes (sorted), and the facets if it is a surface. */
typedef struct {
  char     *name; /* owned */
  PetscInt  nnodes, nfacets;
  PetscInt *nodes;  /* owned */
  PetscInt *facets; /* indices into mesh->facets, owned */
} CrSet;

struct CrMesh {
  PetscInt     dim, nnodes;
  PetscReal   *X; /* nnodes x dim, owned */
  PetscInt     nblocks;
  CrCellBlock *blocks; /* owned */
  PetscInt     nfacets;
  CrFacet     *facets; /* the whole boundary, owned */
  PetscInt     nsets;
  CrSet       *sets;   /* the first is "boundary"; owned */
  char        *source; /* "block", or the file's name, for messages; owned */
};

/* Builds the mesh that a body's `mesh:` mapping describes, placed by its scale, axis, angle and
   position. `base`: the deck's own path, from which files are found. Not collective. */
PetscErrorCode CrMeshCreate(const CrDeckNode *body, PetscInt dim, const char base[], CrMesh **mesh);
PetscErrorCode CrMeshDestroy(CrMesh **mesh);
const CrSet   *CrMeshFindSet(const CrMesh *mesh, const char name[]);
/* Nodes of a facet, outward; returns how many. */
PetscInt CrMeshFacetNodes(const CrMesh *mesh, const CrFacet *facet,
                          PetscInt nodes[CR_MAX_FACE_NODES]);

/* ---- meshes made by hand ----------------------------------------------------------------------- */

/* An empty mesh with room for its nodes. */
PetscErrorCode CrMeshAllocate(PetscInt dim, PetscInt nnodes, const char source[], CrMesh **mesh);
/* Adds room for n cells, tagged 1, 2, ... over the whole mesh. `nodes` is lent, to be filled. */
PetscErrorCode CrMeshAddBlock(CrMesh *mesh, CrCellType type, PetscInt n, PetscInt **nodes);

/* Finds the facets (faces that only one cell has) and makes the set "boundary" of them. Faces that
   three cells share, and cells that overlap, are mistakes in the input. */
PetscErrorCode CrMeshFindBoundary(CrMesh *mesh);

/* The table of keys for `mesh:`. */
extern const CrKey CrMeshKeys[];

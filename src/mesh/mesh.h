/* Meshes: nodes, cells, boundary facets and named sets in plain arrays. A CrMesh is the mesh of one body, as it
   was generated or read. src/model joins and distributes the meshes, and numbers their nodes for the solvers.
   */
#pragma once

#include "base/base.h"
#include "deck/deck.h"

/* ---- cells ------------------------------------------------------------------------------------- */

/* Types of cells. Nodes of a cell are in the order of VTK. mesh/cell.c has the table CrCells of all types. */
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
  /* types of facets only */
  CR_S2 = CR_NCELLS, /* segments of 2D boundaries */
  CR_S3,
  CR_NSHAPES
} CrCellType;

#define CR_MAX_CELL_NODES 10
#define CR_MAX_FACE_NODES 8
#define CR_MAX_FACES      6

struct CrCell {
  const char *name; /* name of the cell type in the deck */
  PetscInt    dim, nnodes, vtk, gmsh, nfaces;
  /* number of corners; corners are the first nodes of a cell, mid-side nodes follow */
  PetscInt   ncorners;
  CrCellType face_type; /* type of the faces of this cell: S2, S3, T3, T6 or Q4 */
  /* nodes of each face, ordered so that its normal points outward; in 2D the cell is on the left of the face */
  PetscInt faces[CR_MAX_FACES][CR_MAX_FACE_NODES];
  PetscInt gmsh_order[CR_MAX_CELL_NODES]; /* node i of the cell is node gmsh_order[i] of Gmsh */
};

extern const CrCell CrCells[CR_NSHAPES];

/* ---- meshes ------------------------------------------------------------------------------------ */

/* Cells of one type. */
typedef struct {
  CrCellType type;
  PetscInt   n;
  PetscInt  *nodes; /* n x nnodes, owned */
  PetscInt  *tags;  /* [n] numbers of the cells in the file, for messages; owned */
} CrCellBlock;

/* A boundary facet: a face of a cell. */
typedef struct {
  PetscInt block, cell, face;
} CrFacet;

/* A named set of nodes in ascending order. If the set is a surface, it also has facets. */
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
  CrSet       *sets;   /* the first set is "boundary"; owned */
  char        *source; /* "block", or the file's name, for messages; owned */
};

/* Creates the mesh that the key `mesh:` of a body describes. Scales, rotates and moves it by the keys scale, axis,
   angle and position. Paths of mesh files are relative to `base`, the path of the deck. Not collective. */
PetscErrorCode CrMeshCreate(const CrDeckNode *body, PetscInt dim, const char base[], CrMesh **mesh);
PetscErrorCode CrMeshDestroy(CrMesh **mesh);

/* The part of the mesh of a body on one rank: a range of its cells, with their nodes, facets and sets. Every rank knows
   all sets by name, in the same order. */
typedef struct {
  CrMesh  *mesh;           /* the cells of this rank and their nodes, numbered from 0; owned */
  PetscInt nnodes, ncells; /* numbers of nodes and cells of all ranks */
  /* [mesh->nnodes] number of a node in the whole mesh, ascending; NULL: the local number; owned */
  PetscInt *number;
  /* [mesh->nblocks] number of the first cell of each block in the whole mesh; owned */
  PetscInt  *first;
  PetscBool *is_surface; /* [mesh->nsets] the set has facets on some rank; owned */
} CrMeshPart;

/* Creates this rank's part of the mesh that CrMeshCreate would create. For grids and mesh files, every rank makes or
   reads its own part. Rank 0 creates all other meshes and distributes them. Collective. */
PetscErrorCode CrMeshCreatePart(MPI_Comm comm, const CrDeckNode *body, PetscInt dim,
                                const char base[], CrMeshPart *part);
PetscErrorCode CrMeshDestroyPart(CrMeshPart *part);
const CrSet   *CrMeshFindSet(const CrMesh *mesh, const char name[]);
/* Lists the nodes of a facet, ordered so that its normal points outward. Returns the number of nodes. */
PetscInt CrMeshFacetNodes(const CrMesh *mesh, const CrFacet *facet,
                          PetscInt nodes[CR_MAX_FACE_NODES]);

/* ---- functions that build a mesh step by step -------------------------------------------------- */

/* Creates an empty mesh and allocates its nodes. */
PetscErrorCode CrMeshAllocate(PetscInt dim, PetscInt nnodes, const char source[], CrMesh **mesh);
/* Adds a block of n cells. The tags of cells are 1, 2, ... over all blocks of the mesh. The caller fills *nodes, the
   nodes of the cells; the mesh owns this array. */
PetscErrorCode CrMeshAddBlock(CrMesh *mesh, CrCellType type, PetscInt n, PetscInt **nodes);

/* Finds the boundary facets, which are the faces that belong to one cell only, and makes the set "boundary". Faces that
   three cells share, and cells that overlap, are user errors. */
PetscErrorCode CrMeshFindBoundary(CrMesh *mesh);

/* The table of keys for `mesh:`. */
extern const CrKey CrMeshKeys[];

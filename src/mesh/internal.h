/* Declarations that the source files of src/mesh share: functions that build a mesh, and one function for each shape
   that the key `mesh:` can describe. A part is the range of cells of a distributed mesh that one rank has. */
#pragma once

#include "deck/deck.h"
#include "mesh/mesh.h"

/* Greatest number of boxes (grid cells) that a mesh generator makes. With this limit, all indices and products of sizes
   fit an int, even for T10 with six cells of ten nodes per box. */
#define CR_MESH_MAX_BOXES (2147483648.0 / 64)

/* Adds a set with copies of the nodes and facets. Nodes may be in any order, but none may occur twice. */
PetscErrorCode CrMeshAddSet(CrMesh *mesh, const char name[], PetscInt nnodes,
                            const PetscInt nodes[], PetscInt nfacets, const PetscInt facets[]);
/* Adds a set with copies of the facets and with all nodes of these facets. */
PetscErrorCode CrMeshAddSurface(CrMesh *mesh, const char name[], PetscInt nfacets,
                                const PetscInt facets[]);
/* Adds a surface for each of the n names. Surface i consists of the facets for whose nodes A the bit i of sides[A] is
   set. */
PetscErrorCode CrMeshAddSides(CrMesh *mesh, PetscInt n, const char *const names[],
                              const unsigned char sides[]);
/* Removes all sets except the first n. */
PetscErrorCode CrMeshKeepSets(CrMesh *mesh, PetscInt n);
/* Adds the surface "outer", which consists of the whole boundary. */
PetscErrorCode CrMeshAddOuter(CrMesh *mesh);

/* Computes the key of a cell's face: its corners in ascending order, then -1. Two cells that share a face give the same
   key. CrMeshSortKey sorts the first n numbers of a key. */
void CrMeshFaceKey(const CrMesh *mesh, PetscInt block, PetscInt cell, PetscInt face,
                   PetscInt key[4]);
void CrMeshSortKey(PetscInt n, PetscInt key[4]);

/* Splits every cell into four cells (3D: eight) of the same type. Positions of new nodes follow from the shape
   functions of the cell, so that the boundary does not change. Old nodes keep their numbers. New cells have the tags of
   the cells that contain them. Sets keep their names. */
PetscErrorCode CrMeshRefine(CrMesh **mesh);
/* Refines a distributed mesh, as CrMeshRefine refines a whole mesh. *part becomes this rank's part of the refined mesh.
   Collective. */
PetscErrorCode CrMeshRefinePart(MPI_Comm comm, CrMeshPart *part);

/* Distributes a mesh over the ranks: every rank gets a part. Rank 0 passes the whole mesh, which is destroyed; the
   other ranks pass NULL. Collective. */
PetscErrorCode CrMeshDeal(MPI_Comm comm, CrMesh **whole, CrMeshPart *part);
/* Makes a part that contains a whole mesh. The part owns the mesh afterwards. */
PetscErrorCode CrMeshWholePart(CrMesh **whole, CrMeshPart *part);

/* ---- the kinds of `mesh:` ------------------------------------------------------------------ */

/* Functions that create a mesh of one kind. `node` is the deck entry under the name of the kind. The mesh gets `fine`
   times as many elements per direction as the deck says. `fine` is a power of two. */
PetscErrorCode CrMeshCreateDisc(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                const char base[], CrMesh **mesh);
PetscErrorCode CrMeshCreateRing(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                const char base[], CrMesh **mesh);
PetscErrorCode CrMeshCreateBall(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                const char base[], CrMesh **mesh);
/* Reads a mesh file without refinement; `fine` is ignored, and the caller refines the mesh. */
PetscErrorCode CrMeshCreateFile(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                const char base[], CrMesh **mesh);
/* Reads this rank's part of a mesh file. If the file cannot be read in parts, part->mesh is NULL, and rank 0 must read
   the whole file. Collective. */
PetscErrorCode CrMeshReadFilePart(MPI_Comm comm, const CrDeckNode *node, PetscInt dim,
                                  const char base[], CrMeshPart *part);

/* ---- mesh generators that need no deck ---------------------------------------------------- */

/* A grid of boxes in a quadrilateral or hexahedron, whose corners are in VTK order. */
typedef struct {
  const char *source; /* kind of the mesh in the deck, for instance "block"; borrowed */
  PetscInt    dim;
  CrCellType  type;
  PetscReal   corners[8][3];
  PetscInt    n[3];       /* number of boxes per direction; 1 for the third direction in 2D */
  PetscReal   grading[3]; /* size of the last box divided by the size of the first box */
} CrGrid;

/* Read a grid from the keys `block`, `quad` and `hex` of the deck. */
PetscErrorCode CrGridReadBlock(const CrDeckNode *node, PetscInt dim, PetscInt fine, CrGrid *grid);
PetscErrorCode CrGridReadQuad(const CrDeckNode *node, PetscInt dim, PetscInt fine, CrGrid *grid);
PetscErrorCode CrGridReadHex(const CrDeckNode *node, PetscInt dim, PetscInt fine, CrGrid *grid);
PetscErrorCode CrGridCreate(const CrGrid *grid, CrMesh **mesh);
/* Creates the part of the grid for rank number `rank` of `size` ranks. The part is a range of boxes. */
PetscErrorCode CrGridCreatePart(const CrGrid *grid, PetscInt rank, PetscMPIInt size,
                                CrMeshPart *part);
PetscErrorCode CrDiscCreate(const PetscReal center[], PetscReal radius, PetscInt core,
                            PetscInt rings, CrMesh **mesh);
PetscErrorCode CrRingCreate(const PetscReal center[], PetscReal radius, PetscReal thickness,
                            PetscInt around, PetscInt across, CrMesh **mesh);
PetscErrorCode CrBallCreate(PetscInt dim, const PetscReal center[], PetscReal radius, PetscInt n,
                            CrMesh **mesh);
PetscErrorCode CrGmshRead(const char path[], PetscInt dim, CrMesh **mesh);

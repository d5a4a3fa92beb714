/* Shared by the files of mesh/: building blocks of a mesh, one function per kind of mesh. */
#pragma once

#include "deck/deck.h"
#include "mesh/mesh.h"

/* No generator makes more cells than this: every index and product of sizes then fits an int, T10
   (six cells of ten nodes per box) included. */
#define CR_MESH_MAX_BOXES (2147483648.0 / 64)

/* Adds a copy of the nodes (any order, no doubles) and facets as a set. */
PetscErrorCode CrMeshAddSet(CrMesh *mesh, const char name[], PetscInt nnodes,
                            const PetscInt nodes[], PetscInt nfacets, const PetscInt facets[]);
/* The same for a surface: the nodes are those of the facets. */
PetscErrorCode CrMeshAddSurface(CrMesh *mesh, const char name[], PetscInt nfacets,
                                const PetscInt facets[]);
/* Adds a surface per name: those facets all of whose nodes have bit i in `sides`. */
PetscErrorCode CrMeshAddSides(CrMesh *mesh, PetscInt n, const char *const names[],
                              const unsigned char sides[]);
/* Forgets all sets but the first n. */
PetscErrorCode CrMeshKeepSets(CrMesh *mesh, PetscInt n);
/* Adds "outer", the whole boundary. */
PetscErrorCode CrMeshAddOuter(CrMesh *mesh);

/* Corners of a cell's face in rising order, filled up with -1: equal for faces that meet. */
void CrMeshFaceKey(const CrMesh *mesh, PetscInt block, PetscInt cell, PetscInt face,
                   PetscInt key[4]);
void CrMeshSortKey(PetscInt n, PetscInt key[4]);

/* ---- what `mesh:` may hold; `node` is the value under the kind's name --------------------- */

PetscErrorCode CrMeshCreateBlock(const CrDeckNode *node, PetscInt dim, const char base[],
                                 CrMesh **mesh);
PetscErrorCode CrMeshCreateQuad(const CrDeckNode *node, PetscInt dim, const char base[],
                                CrMesh **mesh);
PetscErrorCode CrMeshCreateHex(const CrDeckNode *node, PetscInt dim, const char base[],
                               CrMesh **mesh);
PetscErrorCode CrMeshCreateDisc(const CrDeckNode *node, PetscInt dim, const char base[],
                                CrMesh **mesh);
PetscErrorCode CrMeshCreateRing(const CrDeckNode *node, PetscInt dim, const char base[],
                                CrMesh **mesh);
PetscErrorCode CrMeshCreateBall(const CrDeckNode *node, PetscInt dim, const char base[],
                                CrMesh **mesh);
PetscErrorCode CrMeshCreateFile(const CrDeckNode *node, PetscInt dim, const char base[],
                                CrMesh **mesh);

/* ---- the generators themselves, without a deck -------------------------------------------- */

/* A grid of boxes mapped (bi- or trilinearly) to the corners, VTK order. */
typedef struct {
  const char *source; /* "block", ...; borrowed */
  PetscInt    dim;
  CrCellType  type;
  PetscReal   corners[8][3];
  PetscInt    n[3];       /* boxes per direction; 1 beyond dim */
  PetscReal   grading[3]; /* last over first size */
} CrGrid;

PetscErrorCode CrGridCreate(const CrGrid *grid, CrMesh **mesh);
PetscErrorCode CrDiscCreate(const PetscReal center[], PetscReal radius, PetscInt core,
                            PetscInt rings, CrMesh **mesh);
PetscErrorCode CrRingCreate(const PetscReal center[], PetscReal radius, PetscReal thickness,
                            PetscInt around, PetscInt across, CrMesh **mesh);
PetscErrorCode CrBallCreate(PetscInt dim, const PetscReal center[], PetscReal radius, PetscInt n,
                            CrMesh **mesh);
PetscErrorCode CrGmshRead(const char path[], PetscInt dim, CrMesh **mesh);

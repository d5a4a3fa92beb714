/* Finds faces that two cells share, in a whole mesh, and in a mesh that is distributed over ranks (parts). */
#pragma once

#include "mesh/internal.h"

/* Matches the faces of a mesh: (*inside)[i] says that two cells share face i; faces are numbered through the cells of
   the first block, then of the next block. The caller frees the array. Refuses the same meshes as
   CrMeshFindBoundary. */
PetscErrorCode CrMeshMatchFaces(const CrMesh *mesh, PetscInt *nfaces, char **inside);
/* Sets the boundary facets of the mesh: the faces i with inside[i] = 0. */
PetscErrorCode CrMeshCollectFacets(CrMesh *mesh, PetscInt nfaces, const char inside[]);
/* Returns face i, in the numbering of CrMeshMatchFaces, as a facet. */
CrFacet CrMeshFacetOf(const CrMesh *mesh, PetscInt i);
/* Returns true if two cells list the n corners of their common face in opposite senses of rotation. They do so if they
   lie on different sides of the face. */
PetscBool CrMeshAreOpposite(PetscInt n, const PetscInt a[], const PetscInt b[]);

/* A boundary facet of a mesh in parts. The facet is stored on the rank that keeps its node of lowest number. */
typedef struct {
  PetscInt key[4];     /* corners in the whole mesh, ascending, then -1 */
  PetscInt rank, face; /* rank whose part has the face, and number among the faces of that part */
} CrBoundaryFace;

typedef struct {
  PetscInt        n;
  CrBoundaryFace *faces; /* sorted by key; owned */
} CrBoundaryBook;

/* Finds the boundary facets as CrMeshFindBoundary does, for the parts of all ranks. It makes no set "boundary".
   askers[] is the number of ranks that have each node of the part. Collective. */
PetscErrorCode CrMeshFindBoundaryPart(MPI_Comm comm, CrMeshPart *part, const PetscInt *askers,
                                      CrBoundaryBook *book);
PetscErrorCode CrBoundaryBookDestroy(CrBoundaryBook *book);
/* Returns the facet with the corners `key`, if this rank stores it; else NULL. */
const CrBoundaryFace *CrBoundaryBookFind(const CrBoundaryBook *book, const PetscInt key[4]);

/* Finds the faces that two cells share, and the boundary facets, in a whole mesh and in a mesh that is distributed over
   ranks in parts. */
#pragma once

#include "mesh/internal.h"

/* Finds the faces of a mesh that two cells share. (*inside)[i] is 1 if two cells share face i. Faces are numbered cell
   by cell, and block by block. The caller frees the array. Refuses the same meshes as CrMeshFindBoundary. */
PetscErrorCode CrMeshMatchFaces(const CrMesh *mesh, PetscInt *nfaces, char **inside);
/* Sets the boundary facets of the mesh: the faces i with inside[i] = 0. */
PetscErrorCode CrMeshCollectFacets(CrMesh *mesh, PetscInt nfaces, const char inside[]);
/* Returns face i, in the numbering of CrMeshMatchFaces, as a facet. */
CrFacet CrMeshFacetOf(const CrMesh *mesh, PetscInt i);
/* Returns true if two cells list the n corners of their common face in opposite senses of rotation. The two cells do so
   if they lie on different sides of the face. */
PetscBool CrMeshAreOpposite(PetscInt n, const PetscInt a[], const PetscInt b[]);

/* A boundary facet of a distributed mesh. The facet is stored on the rank that is responsible for the facet's node of
   lowest number. */
typedef struct {
  /* numbers of the corners in the whole mesh, ascending; unused entries are -1 */
  PetscInt key[4];
  /* rank whose part has the facet, and number of the facet among the faces of that part */
  PetscInt rank, face;
} CrBoundaryFace;

typedef struct {
  PetscInt        n;
  CrBoundaryFace *faces; /* sorted by key; owned */
} CrBoundaryBook;

/* Finds the boundary facets of a distributed mesh, as CrMeshFindBoundary does, but makes no set "boundary". `book` gets
   the facets that this rank stores. askers[] is the number of ranks that have each node of the part. Collective. */
PetscErrorCode CrMeshFindBoundaryPart(MPI_Comm comm, CrMeshPart *part, const PetscInt *askers,
                                      CrBoundaryBook *book);
PetscErrorCode CrBoundaryBookDestroy(CrBoundaryBook *book);
/* Returns the facet with the corners `key`, if this rank stores it; else NULL. */
const CrBoundaryFace *CrBoundaryBookFind(const CrBoundaryBook *book, const PetscInt key[4]);

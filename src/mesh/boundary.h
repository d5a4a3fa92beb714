/* Faces of cells matched with each other, for a whole mesh and for one in parts. */
#pragma once

#include "mesh/internal.h"

/* Matches the faces of a mesh: (*inside)[i] says that two cells share face i; faces count through the cells of the
   first block, then those of the next. The caller frees. Refuses what CrMeshFindBoundary refuses. */
PetscErrorCode CrMeshMatchFaces(const CrMesh *mesh, PetscInt *nfaces, char **inside);
/* Makes facets of the faces that are not inside. */
PetscErrorCode CrMeshCollectFacets(CrMesh *mesh, PetscInt nfaces, const char inside[]);
/* The facet that is face i. */
CrFacet CrMeshFacetOf(const CrMesh *mesh, PetscInt i);
/* Two cells on different sides run around their common face, of n corners, in opposite senses. */
PetscBool CrMeshAreOpposite(PetscInt n, const PetscInt a[], const PetscInt b[]);

/* The boundary of a mesh in parts: facets, on the ranks that keep their lowest nodes. */
typedef struct {
  PetscInt key[4];     /* corners in the whole mesh, ascending, -1 behind them */
  PetscInt rank, face; /* the rank that has it, and its number among the faces of that part */
} CrBoundaryFace;

typedef struct {
  PetscInt        n;
  CrBoundaryFace *faces; /* sorted by key; owned */
} CrBoundaryBook;

/* Does the same as CrMeshFindBoundary for the parts of all ranks, without the set. askers[] is the number of ranks that
   have each node of the part. Collective. */
PetscErrorCode CrMeshFindBoundaryPart(MPI_Comm comm, CrMeshPart *part, const PetscInt *askers,
                                      CrBoundaryBook *book);
PetscErrorCode CrBoundaryBookDestroy(CrBoundaryBook *book);
/* The facet with these corners, which this rank keeps; NULL: there is none. */
const CrBoundaryFace *CrBoundaryBookFind(const CrBoundaryBook *book, const PetscInt key[4]);

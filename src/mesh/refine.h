/* Declarations that the source files for mesh refinement share. A cell is split into smaller cells, its children. A
   node of a child is identified by a key. The key lists the corners of the parent cell that interpolate the node's
   position, with their weights. */
#pragma once

#include "base/index.h"
#include "mesh/internal.h"

#define CR_MOST_CHILDREN 8 /* greatest number of children of a cell, and of its corners */

/* Pairs of a corner and its weight, in ascending order of the corners. Unused entries are -1. */
typedef struct {
  PetscInt at[2 * CR_MOST_CHILDREN];
} CrWeightKey;

/* Returns the number of children of a cell of this type. */
PetscInt CrRefineChildren(CrCellType type);
/* Computes the reference coordinates r of node a of child k, as integers from 0 to 4. k = -1 means node a of the cell
   itself. */
void CrRefineNodeAt(CrCellType type, PetscInt k, PetscInt a, PetscInt r[3]);
/* Computes the shape functions N of a cell at the point with reference coordinates r. */
void CrRefineInterpolate(CrCellType type, const PetscInt r[3], PetscReal N[CR_MAX_CELL_NODES]);
/* Returns the key of the point with reference coordinates r in a cell with these nodes. */
CrWeightKey CrRefineKey(CrCellType type, const PetscInt nodes[], const PetscInt r[3]);
/* Returns the face of a cell on which a face of its child lies; -1 if the child's face lies inside the cell. */
PetscInt CrRefineParentFace(CrCellType type, PetscInt child, PetscInt face);

/* ---- a mesh that is being refined ---------------------------------------------------------- */

typedef struct {
  const CrMesh *old;
  CrIndex      *index;
  /* n: number of nodes so far; the nodes of the old mesh come first */
  PetscInt     n, room, keys_room;
  PetscReal   *X;
  CrWeightKey *keys; /* [n] */
} CrRefineWork;

/* Splits the cells of the old mesh. The new mesh has neither facets nor sets yet. */
PetscErrorCode CrRefineSplit(CrRefineWork *work, CrMesh **mesh);
/* Add a set of the old mesh to the new mesh. CrRefineSurface adds the facets that lie on facets of the old set.
   CrRefineNodes adds nodes. */
PetscErrorCode CrRefineSurface(const CrMesh *old, const CrSet *set, CrMesh *mesh);
PetscErrorCode CrRefineNodes(const CrRefineWork *work, const CrSet *set, CrMesh *mesh);
PetscErrorCode CrRefineWorkDestroy(CrRefineWork *work);

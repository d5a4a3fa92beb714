/* Shared by the files that refine meshes: how cells are split, and nodes known by their weights on corners. */
#pragma once

#include "base/index.h"
#include "mesh/internal.h"

#define CR_MOST_CHILDREN 8 /* and corners */

/* Corners on which a node has weight, ascending, each with its weight; unused entries are -1. */
typedef struct {
  PetscInt at[2 * CR_MOST_CHILDREN];
} CrWeightKey;

/* Children of a cell of this type. */
PetscInt CrRefineChildren(CrCellType type);
/* Reference coordinates (0 to 4) of node a of child k; of the cell itself for k = -1. */
void CrRefineNodeAt(CrCellType type, PetscInt k, PetscInt a, PetscInt r[3]);
/* Shape functions of a cell at a point. */
void CrRefineInterpolate(CrCellType type, const PetscInt r[3], PetscReal N[CR_MAX_CELL_NODES]);
/* The key of a point of a cell with these nodes. */
CrWeightKey CrRefineKey(CrCellType type, const PetscInt nodes[], const PetscInt r[3]);
/* The face of a cell on which a face of its child lies; -1: inside. */
PetscInt CrRefineParentFace(CrCellType type, PetscInt child, PetscInt face);

/* ---- a mesh that is being refined ---------------------------------------------------------- */

typedef struct {
  const CrMesh *old;
  CrIndex      *index;
  PetscInt      n, room, keys_room; /* nodes: those of the old mesh, then new ones */
  PetscReal    *X;
  CrWeightKey  *keys; /* [n] */
} CrRefineWork;

/* Splits the cells of the old mesh into those of a new one, which has neither facets nor sets yet. */
PetscErrorCode CrRefineSplit(CrRefineWork *work, CrMesh **mesh);
/* Adds a set of the old mesh to the new one: facets whose parents belong to it, or nodes. */
PetscErrorCode CrRefineSurface(const CrMesh *old, const CrSet *set, CrMesh *mesh);
PetscErrorCode CrRefineNodes(const CrRefineWork *work, const CrSet *set, CrMesh *mesh);
PetscErrorCode CrRefineWorkDestroy(CrRefineWork *work);

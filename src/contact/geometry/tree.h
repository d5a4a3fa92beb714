/* A bounding-volume tree over boxes of items, for example of facets, to find items that are near each other. The tree
   is built once and refitted when boxes move. The tree is built again when its inner boxes have grown too large. */
#pragma once

#include "base/base.h"

typedef struct CrTree CrTree;

/* Creates a tree for n items. The box of an item is 2*dim reals: the least coordinates, then the greatest. */
PetscErrorCode CrTreeCreate(PetscInt dim, PetscInt n, CrTree **tree);
PetscErrorCode CrTreeDestroy(CrTree **tree);
/* Gives names to the n items of the tree. Names are ascending integers. Queries and visitors then get these names.
   Before the first call of this function, the name of an item is its number. The tree must be updated (CrTreeUpdate)
   before the next query. Nothing happens if the names are the same as in the last call. */
PetscErrorCode CrTreeRename(CrTree *tree, PetscInt n, const PetscInt names[]);
/* Updates the tree to the present boxes of all n items. The first call builds the tree. Later calls refit the tree, or
   build it again if the surface area of its inner boxes has grown too much. Only the first call allocates memory. */
void CrTreeUpdate(CrTree *tree, const PetscReal *boxes);
/* Returns the box around all items. */
const PetscReal *CrTreeBox(const CrTree *tree);
/* Appends to found[], from entry *n on, the items whose boxes intersect `box`, in ascending order. found[] has `room`
   entries. Returns false if the items do not fit; *n is then the number of entries that a second call needs. */
PetscBool CrTreeQuery(const CrTree *tree, const PetscReal *box, PetscInt room, PetscInt *found,
                      PetscInt *n);

/* A visitor is a function that examines one item, and returns the square of the least distance found so far. ctx has
   the data of the caller. */
typedef PetscReal CrTreeVisit(void *ctx, PetscInt item);
/* Finds the item nearest to x. Calls `visit` for the items whose boxes are not farther from x than the nearest item
   found so far. */
void CrTreeNearest(const CrTree *tree, const PetscReal *x, CrTreeVisit *visit, void *ctx);

/* Returns the number of boxes that a query for `box` compares. Tests use this number as the cost of a query. */
PetscInt CrTreeLooked(const CrTree *tree, const PetscReal *box);

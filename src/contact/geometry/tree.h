/* A bounding-volume tree over boxes, to find items that are near each other. The tree is built once and refitted when
   boxes move. The tree is built again when its inner boxes have grown too large. */
#pragma once

#include "base/base.h"

typedef struct CrTree CrTree;

/* Creates a tree for n items. The box of an item is 2*dim reals: the least coordinates, then the greatest. */
PetscErrorCode CrTreeCreate(PetscInt dim, PetscInt n, CrTree **tree);
PetscErrorCode CrTreeDestroy(CrTree **tree);
/* Gives the n items of the tree names (integers, ascending). Queries and visitors then get these names instead of item
   numbers. Before the first call items are named by their numbers. The tree has to be updated before the next query.
   Nothing happens if the names are the same as in the last call. */
PetscErrorCode CrTreeRename(CrTree *tree, PetscInt n, const PetscInt names[]);
/* Updates the tree to the boxes of all n items. The first call builds it; later calls refit it, or build it
   again when the surface of the inner boxes has grown too much. Only the first call allocates memory. */
void CrTreeUpdate(CrTree *tree, const PetscReal *boxes);
/* Returns the box around all items. */
const PetscReal *CrTreeBox(const CrTree *tree);
/* Appends the items whose boxes meet `box` to found[], from entry *n on, in ascending order. found has `room`
   entries. Returns false if they do not fit; *n is then the number of entries that a second call needs. */
PetscBool CrTreeQuery(const CrTree *tree, const PetscReal *box, PetscInt room, PetscInt *found,
                      PetscInt *n);

/* A visitor examines one item, and returns the square of the least distance found so far. */
typedef PetscReal CrTreeVisit(void *ctx, PetscInt item);
/* Visits the items whose boxes are not farther from x than the nearest item found so far. */
void CrTreeNearest(const CrTree *tree, const PetscReal *x, CrTreeVisit *visit, void *ctx);

/* Returns the number of boxes that a query for `box` compares. Tests use it as the cost of a query. */
PetscInt CrTreeLooked(const CrTree *tree, const PetscReal *box);

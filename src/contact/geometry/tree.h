/* A bounding-volume tree over boxes, for finding what may touch. Built once, refitted when boxes
   move, built again when it has degraded. */
#pragma once

#include "base/base.h"

typedef struct CrTree CrTree;

/* A box is 2*dim reals: the least coordinates, then the greatest. */
PetscErrorCode CrTreeCreate(PetscInt dim, PetscInt n, CrTree **tree);
PetscErrorCode CrTreeDestroy(CrTree **tree);
/* Boxes of all n items, where they are now. Builds at first; later refits, and builds again when the
   surface of the inner boxes has grown too much. No allocation after the first call. */
PetscErrorCode CrTreeUpdate(CrTree *tree, const PetscReal *boxes);
/* The box of everything. */
const PetscReal *CrTreeBox(const CrTree *tree);
/* Items whose boxes meet `box`, ascending, appended to found[] from *n on; found has room for
   `room`. False when there are more (then *n is as if there had been room, for a second try). */
PetscBool CrTreeQuery(const CrTree *tree, const PetscReal *box, PetscInt room, PetscInt *found,
                      PetscInt *n);

/* How many boxes, of nodes and items, a query for `box` looks at: the measure of its cost that tests
   can rely on. */
PetscInt CrTreeLooked(const CrTree *tree, const PetscReal *box);

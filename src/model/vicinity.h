/* The vicinity of a rank: the ghosts of the model whose values it needs at present. The model's ghosts include all
   nodes that may ever touch. A rank needs only the ghosts near its own nodes. A function that needs a ghost marks it by
   CrVicinityNeed. All ranks build the vicinity again when a surface or a body has moved too far. On one rank no message
   is sent.

   Nodal arrays below have `width` numbers for each local node of the model. All functions are collective except those
   that say otherwise. */
#pragma once

#include "model/model.h"

/* CrVicinityCreate creates an empty vicinity, CrVicinityOfCells one of the ghosts of all cells that this rank counts.
   */
PetscErrorCode CrVicinityCreate(const CrModel *model, CrVicinity **vicinity);
PetscErrorCode CrVicinityOfCells(const CrModel *model, CrVicinity **vicinity);
PetscErrorCode CrVicinityDestroy(CrVicinity **vicinity);
/* CrVicinityForget deletes the marks of needed nodes. CrVicinityNeed marks a local node as needed. CrVicinityHas says
   whether a node is owned, or was in the vicinity when it was last built. These three functions are not collective. */
void      CrVicinityForget(CrVicinity *vicinity);
void      CrVicinityNeed(CrVicinity *vicinity, PetscInt node);
PetscBool CrVicinityHas(const CrVicinity *vicinity, PetscInt node);
/* Builds the vicinity from the nodes that CrVicinityNeed has marked. The function may allocate memory. */
PetscErrorCode CrVicinityBuild(CrVicinity *vicinity);
/* Return the ghosts of the vicinity, ascending, and the owned nodes that are in the vicinity of another rank. The
   arrays are borrowed. Not collective. */
PetscInt CrVicinityNodes(const CrVicinity *vicinity, const PetscInt **nodes);
PetscInt CrVicinityGiven(const CrVicinity *vicinity, const PetscInt **nodes);

/* Copies the values of the owners to the vicinity. */
PetscErrorCode CrVicinityBring(CrVicinity *vicinity, PetscInt width, PetscReal *values);
/* Adds the values at the vicinity to those of the owners; the first `skip` numbers of each node stay as they are. */
PetscErrorCode CrVicinityAdd(CrVicinity *vicinity, PetscInt width, PetscInt skip,
                             PetscReal *values);
/* Replaces the numbers of every node of the vicinity, and of every owned node in the vicinity of another rank, by their
   sum over the ranks. All ranks get the same bits. This needs one exchange between ranks; Add and Bring together need
   two. The first call after a Build allocates memory. */
PetscErrorCode CrVicinitySum(CrVicinity *vicinity, PetscInt width, PetscReal *values);
/* Copies the values of the owners to the ghosts as CrVicinityBring does, in an array that is constant for its users. */
PetscErrorCode CrVicinityRefresh(CrVicinity *vicinity, PetscInt width, const PetscReal *values);
/* Sets marks[nlocal] of every node to the greatest of its marks on the ranks that have the node. */
PetscErrorCode CrVicinityGreatest(CrVicinity *vicinity, PetscInt *marks);

/* From now on CrModelUpdateGhosts updates the ghosts of elements and the ghosts of `near`, until the next call. Before
   the first call, CrModelUpdateGhosts updates all ghosts. */
PetscErrorCode CrModelNarrow(const CrModel *model, const CrVicinity *near);
/* Updates the same ghosts of an array that CrModelUpdateGhosts updates in a vector, after CrModelNarrow. */
PetscErrorCode CrModelBringGhosts(const CrModel *model, PetscReal *values);

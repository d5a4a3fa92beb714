/* The vicinity of a rank: those ghosts of the model whose values it needs for now. The model's ghosts include all nodes
   that may ever touch. A rank needs only those near its own. Who needs a ghost notes it, and all ranks build the
   vicinity anew when something has moved too far. On one rank nothing travels.

   Nodal arrays below have `width` numbers for each local node of the model. All functions are collective except those
   that say otherwise. */
#pragma once

#include "model/model.h"

/* Creates an empty vicinity. */
PetscErrorCode CrVicinityCreate(const CrModel *model, CrVicinity **vicinity);
PetscErrorCode CrVicinityDestroy(CrVicinity **vicinity);
/* Forgets which nodes are needed. Notes a local node that is needed. Is the node owned, or in the vicinity as it was
   built last? These three are not collective. */
void      CrVicinityForget(CrVicinity *vicinity);
void      CrVicinityNeed(CrVicinity *vicinity, PetscInt node);
PetscBool CrVicinityHas(const CrVicinity *vicinity, PetscInt node);
/* Builds the vicinity from the nodes that were noted. The function may allocate memory. */
PetscErrorCode CrVicinityBuild(CrVicinity *vicinity);
/* The ghosts of the vicinity, ascending, and the owned nodes that are in the vicinity of another rank. Borrowed. Not
   collective. */
PetscInt CrVicinityNodes(const CrVicinity *vicinity, const PetscInt **nodes);
PetscInt CrVicinityGiven(const CrVicinity *vicinity, const PetscInt **nodes);

/* Copies the values of the owners to the vicinity. */
PetscErrorCode CrVicinityBring(CrVicinity *vicinity, PetscInt width, PetscReal *values);
/* Adds the values at the vicinity to those of the owners; the first `skip` numbers of each node stay as they are. */
PetscErrorCode CrVicinityAdd(CrVicinity *vicinity, PetscInt width, PetscInt skip,
                             PetscReal *values);
/* Every node of the vicinity, and every owned node that is in the vicinity of another rank, gets the sum of its numbers
   on all ranks that have it there, with the same bits on all. This needs one exchange between ranks; Add and Bring
   together need two. The first call after a Build allocates memory. */
PetscErrorCode CrVicinitySum(CrVicinity *vicinity, PetscInt width, PetscReal *values);
/* The same as Bring for an array that its reader must not change: ghosts get the values that their owners have anyway.
   */
PetscErrorCode CrVicinityRefresh(CrVicinity *vicinity, PetscInt width, const PetscReal *values);
/* Every node gets the greatest of its numbers on the ranks that have it. marks[nlocal] */
PetscErrorCode CrVicinityGreatest(CrVicinity *vicinity, PetscInt *marks);

/* From now on CrModelUpdateGhosts brings the ghosts of elements and those of `near`, until the next call. Before the
   first call, CrModelUpdateGhosts brings all ghosts. */
PetscErrorCode CrModelNarrow(const CrModel *model, const CrVicinity *near);
/* Brings to an array what CrModelUpdateGhosts brings to a vector, after CrModelNarrow. */
PetscErrorCode CrModelBringGhosts(const CrModel *model, PetscReal *values);

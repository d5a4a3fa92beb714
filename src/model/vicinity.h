/* The vicinity of a rank is the list of ghost nodes whose values the rank needs at present. The ghosts of the model
   include all nodes that may come into contact at any time of the run. At present, a rank needs only the ghosts near
   its own nodes. A function that needs a ghost marks the node by CrVicinityNeed. All ranks build the vicinity again
   when a surface or a body has moved too far. On one rank no message is sent.

   Nodal arrays below have `width` numbers for each local node of the model. All functions are collective except those
   that say otherwise. */
#pragma once

#include "model/model.h"

/* CrVicinityCreate creates an empty vicinity. CrVicinityOfCells creates a vicinity with the ghosts of all cells that
   this rank counts in sums. */
PetscErrorCode CrVicinityCreate(const CrModel *model, CrVicinity **vicinity);
PetscErrorCode CrVicinityOfCells(const CrModel *model, CrVicinity **vicinity);
PetscErrorCode CrVicinityDestroy(CrVicinity **vicinity);
/* CrVicinityForget deletes the marks of needed nodes. CrVicinityNeed marks a local node as needed. CrVicinityHas says
   whether a node is owned, or was in the vicinity when it was last built. CrVicinityForget, CrVicinityNeed and
   CrVicinityHas are not collective. */
void      CrVicinityForget(CrVicinity *vicinity);
void      CrVicinityNeed(CrVicinity *vicinity, PetscInt node);
PetscBool CrVicinityHas(const CrVicinity *vicinity, PetscInt node);
/* Builds the vicinity from the nodes that CrVicinityNeed has marked. The function may allocate memory. */
PetscErrorCode CrVicinityBuild(CrVicinity *vicinity);
/* CrVicinityNodes returns the number of ghosts in the vicinity, and sets *nodes to their local numbers, ascending.
   CrVicinityGiven does the same for the owned nodes that are in the vicinity of another rank. The arrays are borrowed.
   Not collective. */
PetscInt CrVicinityNodes(const CrVicinity *vicinity, const PetscInt **nodes);
PetscInt CrVicinityGiven(const CrVicinity *vicinity, const PetscInt **nodes);

/* Copies the values from the owners to the ghosts of the vicinity. */
PetscErrorCode CrVicinityBring(CrVicinity *vicinity, PetscInt width, PetscReal *values);
/* Adds the values at the ghosts of the vicinity to the values at the owners. The first `skip` numbers of each node do
   not change. */
PetscErrorCode CrVicinityAdd(CrVicinity *vicinity, PetscInt width, PetscInt skip,
                             PetscReal *values);
/* Replaces the values at every node that several ranks have, as a ghost in their vicinity or as owner, by their sum
   over these ranks. All ranks get the same bits. The function needs one exchange of messages; CrVicinityAdd and
   CrVicinityBring together need two. The first call after CrVicinityBuild allocates memory. */
PetscErrorCode CrVicinitySum(CrVicinity *vicinity, PetscInt width, PetscReal *values);
/* Copies values as CrVicinityBring does, in an array that is declared constant. Only its ghost entries change. */
PetscErrorCode CrVicinityRefresh(CrVicinity *vicinity, PetscInt width, const PetscReal *values);
/* Sets the mark of every node in marks[nlocal] to its greatest mark on all ranks that have the node. */
PetscErrorCode CrVicinityGreatest(CrVicinity *vicinity, PetscInt *marks);

/* Restricts CrModelUpdateGhosts to the ghosts of elements and the ghosts of `near`, until the next call of this
   function. Before the first call, CrModelUpdateGhosts updates all ghosts. */
PetscErrorCode CrModelNarrow(const CrModel *model, const CrVicinity *near);
/* Updates ghosts in an array, as CrModelUpdateGhosts does in a vector after CrModelNarrow. */
PetscErrorCode CrModelBringGhosts(const CrModel *model, PetscReal *values);

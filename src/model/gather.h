/* Fields and cells of the whole model, for output: nodal stress, and arrays that are gathered on rank 0. */
#pragma once

#include "model/model.h"

/* Computes the nodal Cauchy stress, stress[nowned*6]. It is extrapolated from the points of each element, and averaged
   over the elements of the node's body. */
PetscErrorCode CrModelNodalStress(const CrModel *model, const CrState *state, const PetscReal *u,
                                  PetscReal *stress);
PetscReal      CrVonMises(const PetscReal stress[6]);
/* State variables of laws at the nodes, values[CR_NSHOWN][nowned]. They are extrapolated and averaged like the stress,
   and negative values are replaced by 0. They are 0 if a law has no state. */
enum {
  CR_SHOWN_PLASTIC_STRAIN,
  CR_SHOWN_PLASTIC_WORK, /* work per volume; so is the next field */
  CR_SHOWN_VISCOUS_WORK,
  CR_SHOWN_TEMPERATURE_RISE,
  CR_NSHOWN
};
PetscErrorCode CrModelNodalState(const CrModel *model, const CrState *state, PetscReal *values);
/* Gathers nodal data on rank 0, in natural order. The caller provides the array `all` (nglobal*width, on rank 0 only).
   Collective. */
PetscErrorCode CrModelGather(const CrModel *model, PetscInt width, const PetscReal *owned,
                             PetscReal *all);
/* Gathers the connectivity of the whole mesh on rank 0: types[ncells], offsets[ncells+1], nodes, bodies[ncells]. Nodes
   have natural numbers, and cells are in their global order. The caller frees the arrays. Collective. */
PetscErrorCode CrModelGatherCells(const CrModel *model, PetscInt **types, PetscInt **offsets,
                                  PetscInt **nodes, PetscInt **bodies);

/* A plan to gather values of some nodes on rank 0: the owned nodes that a rank sends, and the rows that they fill on
   rank 0. */
typedef struct {
  /* number and list of the nodes of this rank that it sends; owned, like all arrays below */
  PetscInt     n, *mine;
  PetscInt     all;  /* number of nodes of all ranks; on rank 0 */
  PetscInt    *rows; /* [all] rows of the nodes, in the order in which they arrive; rank 0 */
  PetscMPIInt *counts, *starts; /* nodes per rank */
} CrGatherPlan;

/* Cells on rank 0, as in CrModelGatherCells, but nodes are given as rows of a plan. */
typedef struct {
  PetscInt n, *types, *offsets, *nodes, *bodies;
} CrGatherCells;

/* CrGatherPlanNodes makes a plan that gathers all nodes in natural order. CrGatherPlanAll also gathers all cells.
   Collective. */
PetscErrorCode CrGatherPlanNodes(const CrModel *model, CrGatherPlan *plan);
PetscErrorCode CrGatherPlanAll(const CrModel *model, CrGatherPlan *plan, CrGatherCells *cells);
/* Makes a plan for the surface: faces of the boundary and their nodes, in natural order. In 2D these are all cells.
   Collective. */
PetscErrorCode CrGatherPlanSurface(const CrModel *model, CrGatherPlan *plan, CrGatherCells *cells);
/* Gathers mine[plan->n][width] of each rank in all[plan->all][width] on rank 0. Collective. */
PetscErrorCode CrGatherRows(const CrModel *model, const CrGatherPlan *plan, PetscInt width,
                            const PetscReal *mine, PetscReal *all);
PetscErrorCode CrGatherPlanDestroy(CrGatherPlan *plan);

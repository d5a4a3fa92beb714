/* Fields and cells of the whole model, for output: nodal stress, and arrays that are gathered on rank 0. */
#pragma once

#include "model/model.h"

/* Nodal stress (six components, Cauchy): extrapolated from the points of each element, averaged
   over the elements of the node's body. stress[nowned*6]. */
PetscErrorCode CrModelNodalStress(const CrModel *model, const CrState *state, const PetscReal *u,
                                  PetscReal *stress);
PetscReal      CrVonMises(const PetscReal stress[6]);
/* Numbers of the state of laws, carried to the nodes in the same way, and no less than 0: values[CR_NSHOWN][nowned].
   These numbers are 0 where a law has no state. */
enum {
  CR_SHOWN_PLASTIC_STRAIN,
  CR_SHOWN_PLASTIC_WORK, /* per volume, as the next */
  CR_SHOWN_VISCOUS_WORK,
  CR_SHOWN_TEMPERATURE_RISE,
  CR_NSHOWN
};
PetscErrorCode CrModelNodalState(const CrModel *model, const CrState *state, PetscReal *values);
/* Owned nodal data gathered on rank 0 in natural order; all (nglobal*width, rank 0 only) is the
   caller's. Collective. */
PetscErrorCode CrModelGather(const CrModel *model, PetscInt width, const PetscReal *owned,
                             PetscReal *all);
/* Connectivity of the whole mesh on rank 0 in natural nodes, cells in their global order:
   types[ncells], offsets[ncells+1], nodes, bodies[ncells]; arrays are the caller's to free.
   Collective. */
PetscErrorCode CrModelGatherCells(const CrModel *model, PetscInt **types, PetscInt **offsets,
                                  PetscInt **nodes, PetscInt **bodies);

/* Values of some nodes on rank 0: which owned nodes a rank sends, and the rows that they fill there. */
typedef struct {
  PetscInt     n, *mine;        /* owned nodes of this rank; owned, like all below */
  PetscInt     all;             /* nodes of all ranks; rank 0 */
  PetscInt    *rows;            /* [all] of the nodes as they come; rank 0 */
  PetscMPIInt *counts, *starts; /* nodes per rank */
} CrGatherPlan;

/* Cells on rank 0, as CrModelGatherCells gives them, but with rows of a plan for nodes. */
typedef struct {
  PetscInt n, *types, *offsets, *nodes, *bodies;
} CrGatherCells;

/* All nodes in natural order; and all cells too. Collective. */
PetscErrorCode CrGatherPlanNodes(const CrModel *model, CrGatherPlan *plan);
PetscErrorCode CrGatherPlanAll(const CrModel *model, CrGatherPlan *plan, CrGatherCells *cells);
/* The surface: faces of the boundary and their nodes, in natural order. In 2D it is all. Collective. */
PetscErrorCode CrGatherPlanSurface(const CrModel *model, CrGatherPlan *plan, CrGatherCells *cells);
/* Gathers mine[plan->n][width] of each rank in all[plan->all][width] on rank 0. Collective. */
PetscErrorCode CrGatherRows(const CrModel *model, const CrGatherPlan *plan, PetscInt width,
                            const PetscReal *mine, PetscReal *all);
PetscErrorCode CrGatherPlanDestroy(CrGatherPlan *plan);

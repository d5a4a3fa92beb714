/* Fields and cells of the whole model for output files: stresses and internal variables at the nodes, and arrays that
   are gathered on rank 0. */
#pragma once

#include "model/model.h"

/* Computes stress[nowned*6], the Cauchy stress at the owned nodes. The stress is extrapolated from the quadrature
   points of each element, and averaged over the elements of the node. */
PetscErrorCode CrModelNodalStress(const CrModel *model, const CrState *state, const PetscReal *u,
                                  PetscReal *stress);
PetscReal      CrVonMises(const PetscReal stress[6]);
/* Internal variables of material laws at the nodes. CrModelNodalState computes them as values[CR_NSHOWN][nowned].
   Internal variables are extrapolated and averaged like the stress, and negative values are replaced by 0. At nodes of
   laws without internal variables, the values are 0. */
enum {
  CR_SHOWN_PLASTIC_STRAIN,
  CR_SHOWN_PLASTIC_WORK, /* plastic work per volume */
  CR_SHOWN_VISCOUS_WORK,
  CR_SHOWN_TEMPERATURE_RISE,
  CR_NSHOWN
};
PetscErrorCode CrModelNodalState(const CrModel *model, const CrState *state, PetscReal *values);
/* Gathers nodal data on rank 0, in the order of natural node numbers (model.h). `owned` has `width` numbers per owned
   node. The caller provides the array `all` (nglobal*width, on rank 0 only). Collective. */
PetscErrorCode CrModelGather(const CrModel *model, PetscInt width, const PetscReal *owned,
                             PetscReal *all);
/* Gathers the connectivity of the whole mesh on rank 0: types[ncells], offsets[ncells+1], nodes, bodies[ncells]. Nodes
   have natural numbers, and cells are in their global order. The caller frees the arrays. Collective. */
PetscErrorCode CrModelGatherCells(const CrModel *model, PetscInt **types, PetscInt **offsets,
                                  PetscInt **nodes, PetscInt **bodies);

/* A plan to gather values of some nodes on rank 0. The plan contains the nodes that each rank sends, and the rows of
   the result on rank 0. */
typedef struct {
  /* number and list of the nodes that this rank sends; owned, like all arrays below */
  PetscInt n, *mine;
  PetscInt all; /* on rank 0: number of nodes that all ranks send */
  /* [all] on rank 0: row of each node in the result, in the order in which nodes arrive */
  PetscInt *rows;
  /* on rank 0: number of nodes that each rank sends, and number of the first of these nodes */
  PetscMPIInt *counts, *starts;
} CrGatherPlan;

/* Cells on rank 0, as in CrModelGatherCells. The array `nodes` contains rows of a CrGatherPlan, not natural node
   numbers. */
typedef struct {
  PetscInt n, *types, *offsets, *nodes, *bodies;
} CrGatherCells;

/* CrGatherPlanNodes makes a plan that gathers all nodes in natural order. CrGatherPlanAll also gathers all cells.
   Collective. */
PetscErrorCode CrGatherPlanNodes(const CrModel *model, CrGatherPlan *plan);
PetscErrorCode CrGatherPlanAll(const CrModel *model, CrGatherPlan *plan, CrGatherCells *cells);
/* Makes a plan for the surface of the bodies: the boundary faces are the cells, and their nodes are gathered in natural
   order. In 2D the plan has all cells and nodes. Collective. */
PetscErrorCode CrGatherPlanSurface(const CrModel *model, CrGatherPlan *plan, CrGatherCells *cells);
/* Gathers the values mine[plan->n][width] of each rank to the array all[plan->all][width] on rank 0. Collective. */
PetscErrorCode CrGatherRows(const CrModel *model, const CrGatherPlan *plan, PetscInt width,
                            const PetscReal *mine, PetscReal *all);
PetscErrorCode CrGatherPlanDestroy(CrGatherPlan *plan);

/* Fields and cells of the whole model, for output and checkpoints: nodal stress, and arrays that are gathered on
   rank 0 or scattered from there. */
#pragma once

#include "model/model.h"

/* Nodal stress (six components, Cauchy): extrapolated from the points of each element, averaged
   over the elements of the node's body. stress[nowned*6]. */
PetscErrorCode CrModelNodalStress(const CrModel *model, const CrState *state, const PetscReal *u,
                                  PetscReal *stress);
PetscReal      CrVonMises(const PetscReal stress[6]);
/* Numbers of the state of laws, carried to the nodes in the same way, and no less than 0: values[CR_NSHOWN][nowned].
   They are 0 where a law has none. */
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
/* The way back: natural order on rank 0 to the owned nodes of each. Collective. */
PetscErrorCode CrModelScatter(const CrModel *model, PetscInt width, const PetscReal *all,
                              PetscReal *owned);
/* Numbers of cells: width[k] of each cell of block k, whose array is [nbatches][width][CR_BATCH]. How
   many there are in the whole mesh; gathered on rank 0 in the order of cell numbers into all (the
   caller's); and the way back, to ghost cells and to the lanes left over too. Collective. */
PetscErrorCode CrModelCountCells(const CrModel *model, const PetscInt *width, PetscInt *n);
PetscErrorCode CrModelGatherReals(const CrModel *model, const PetscInt *width,
                                  PetscReal *const *blocks, PetscReal *all);
PetscErrorCode CrModelScatterReals(const CrModel *model, const PetscInt *width,
                                   const PetscReal *all, PetscReal *const *blocks);
/* Connectivity of the whole mesh on rank 0 in natural nodes, cells in their global order:
   types[ncells], offsets[ncells+1], nodes, bodies[ncells]; arrays are the caller's to free.
   Collective. */
PetscErrorCode CrModelGatherCells(const CrModel *model, PetscInt **types, PetscInt **offsets,
                                  PetscInt **nodes, PetscInt **bodies);

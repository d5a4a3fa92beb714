/* What the files of this folder share. */
#pragma once

#include "model/model.h"
#include "model/conditions.h"
#include "model/graph.h"

/* The whole mesh, bodies joined, on rank 0 (zeros elsewhere). */
typedef struct {
  char      name[64];
  PetscInt  body, nnodes, nfacets;
  PetscInt *nodes, *facets; /* natural nodes; facets of CrWhole; owned */
  PetscBool touches;        /* a surface that `contact:` names: every rank knows all of it */
} CrWholeSet;

typedef struct {
  PetscInt    dim, nnodes, ncells, nfacets, nsets;
  PetscReal  *X; /* owned, as all below */
  PetscInt   *node_body, *cell_type, *cell_body;
  PetscInt   *cell_offset, *cell_nodes; /* compressed rows */
  PetscInt   *facet_cell, *facet_face;
  CrWholeSet *sets;
} CrWhole;

/* "unknown WHAT "word"", with the nearest of the names or all of them; returns CR_ERR_INPUT. */
PetscErrorCode CrUnknownName(const CrDeckNode *words, const char *what, const char *word,
                             PetscInt n, const char *const names[]);
/* Enters the name of the k-th entry of a list under k; bad and doubled names are mistakes. The index is made with
   the first one. */
PetscErrorCode CrNameEnter(CrIndex **index, const CrDeckNode *list, PetscInt k, const char *what);
/* Notes the bodies and surfaces that `contact:` names; whether it names the body or (set not NULL) this set of
   it, the boundary included where the body stands alone. `default` names all. */
PetscErrorCode CrModelReadSides(CrModel *model, const CrDeckNode *contact);
PetscBool      CrModelIsSide(const CrModel *model, const char *body, const char *set);
/* Makes bodies and sets known by name, once they are there. */
PetscErrorCode CrModelEnterNames(CrModel *model);
PetscErrorCode CrModelDestroyNames(CrModel *model);
/* Joins the bodies' meshes on rank 0 and fills the bodies' ranges; refuses degenerate cells. */
PetscErrorCode CrWholeCreate(const CrDeck *deck, CrModel *model, CrWhole *whole);
PetscErrorCode CrWholeDestroy(CrWhole *whole);
/* Gives every rank its part: nodes, blocks, sets. Collective. */
PetscErrorCode CrModelDistribute(CrModel *model, CrWhole *whole);
/* Which rank computes each cell, on rank 0. Collective. */
PetscErrorCode CrWholePartition(MPI_Comm comm, const CrWhole *whole, PetscInt *part);
/* Mass entries, row sums, bodies' masses and centroids. Collective. */
PetscErrorCode CrModelComputeMass(CrModel *model);
/* f += forces of a pressure p on the facets of a condition, in the configuration u; owned dofs
 * only. */
void CrPressureForce(const CrModel *model, const CrCondition *c, PetscReal p, const PetscReal *u,
                     PetscReal *f);
/* The points of all laws at the start of a run; nothing if no law has a state. Collective. */
PetscErrorCode CrPointsCreate(const CrModel *model, CrPoints *points);
PetscErrorCode CrPointsDestroy(CrPoints *points);
/* What the kernels of block k read; laws with state go from the displacements of the last accepted step
   unless u0 is given. */
PetscErrorCode CrModelNodal(const CrModel *model, const CrState *state, PetscInt k,
                            const PetscReal *u0, const PetscReal *u1, CrNodal *nodal);
/* Counts of every rank on rank 0, and where each begins; zeros on the others. The caller frees both at
   once (PetscFree2). Collective. */
PetscErrorCode CrGatherCounts(MPI_Comm comm, PetscInt mine, PetscMPIInt **counts,
                              PetscMPIInt **starts, PetscInt *total);
/* The integers of all ranks on rank 0, rank by rank; total 0 on the others. The caller frees *all.
   Collective. */
PetscErrorCode CrGatherInts(MPI_Comm comm, PetscInt n, const PetscInt *mine, PetscInt **all,
                            PetscInt *total);
/* Displacements at the start (`deformation:`), local. Collective. */
PetscErrorCode CrInitialDisplacement(const CrModel *model, PetscReal *u);

/* Declarations that the source files of src/model share. */
#pragma once

#include "model/model.h"
#include "model/conditions.h"
#include "model/graph.h"

/* Records the error `unknown WHAT "word"`, with the most similar name or all names. Returns CR_ERR_INPUT. */
PetscErrorCode CrUnknownName(const CrDeckNode *words, const char *what, const char *word,
                             PetscInt n, const char *const names[]);
/* Enters the name of the k-th entry of a list into the index. Invalid names, and names that occur twice, are
   user errors. The first call creates the index. */
PetscErrorCode CrNameEnter(CrIndex **index, const CrDeckNode *list, PetscInt k, const char *what);
/* CrModelReadSides reads which bodies and surfaces `contact:` names. CrModelIsSide returns true if `contact:` names the
   set of the body or, if `set` is NULL, the body. The name of a body alone means its boundary. The key `default` of
   `contact:` names all bodies. */
PetscErrorCode CrModelReadSides(CrModel *model, const CrDeckNode *contact);
PetscBool      CrModelIsSide(const CrModel *model, const char *body, const char *set);
/* Enters the names of bodies and sets into the model's indices, after they have been created. */
PetscErrorCode CrModelEnterNames(CrModel *model);
PetscErrorCode CrModelDestroyNames(CrModel *model);
/* CrVolumeRead reads whether the material law of a body uses the volume ratio at quadrature points or the mean of the
   element. CrVolumeSetUp passes this choice to a block of the body's elements. CrVolumeWarn warns of elements that lock
   with this choice. */
PetscErrorCode CrVolumeRead(CrBody *body);
void           CrVolumeSetUp(const CrBody *body, CrElementBlock *block);
void           CrVolumeWarn(const CrBody *body, const CrMesh *mesh);
/* Read axial symmetry, and refuse bodies and meshes that are not axially symmetric. */
PetscErrorCode CrAxialRead(CrModel *model, const CrDeckNode *root);
PetscErrorCode CrAxialCheckBody(const CrDeckNode *body);
PetscErrorCode CrAxialCheckMesh(const CrDeckNode *where, const CrMesh *mesh);
/* Makes *c, the next condition of the model, a support that holds the radial displacement of nodes on the axis of
   symmetry. Without such nodes it adds no condition. Collective. */
PetscErrorCode CrAxialSupport(CrModel *model, const CrDeckNode *where, CrCondition *c);
/* Rotates the material of a body to the directions that the key `directions` gives. */
PetscErrorCode CrDirectionsRead(CrModel *model, CrBody *body);
/* Computes the mass matrix, its row sums, and masses and centroids of bodies. Collective. */
PetscErrorCode CrModelComputeMass(CrModel *model);
/* Returns 2 pi times the radius at point q of a facet, in the configuration u (NULL: at rest). */
PetscReal CrCircle(const CrModel *model, const CrLocalFacet *f, const CrRule *rule, PetscInt q,
                   const PetscReal *u);
/* Adds the forces of a pressure p on the facets of a condition to f (owned dofs), in the configuration u. */
void CrPressureForce(const CrModel *model, const CrCondition *c, PetscReal p, const PetscReal *u,
                     PetscReal *f);
/* Creates the state at quadrature points for the start of a run. The state is empty if no law has a state. Collective.
   */
PetscErrorCode CrPointsCreate(const CrModel *model, CrPoints *points);
PetscErrorCode CrPointsDestroy(CrPoints *points);
/* CrBulkRead reads the bulk viscosity from the deck, CrBulkSetUp passes it to an element block, and CrBulkCreate
   allocates its data for all cells. Without bulk viscosity, the data are empty. */
PetscErrorCode CrBulkRead(CrModel *model, const CrDeckNode *root);
void           CrBulkSetUp(const CrModel *model, CrElementBlock *block);
PetscErrorCode CrBulkCreate(const CrModel *model, CrBulk *bulk);
PetscErrorCode CrBulkDestroy(CrBulk *bulk);
/* Returns an upper bound of the damping by bulk viscosity in one lane: of the element's force p b per velocity, scaled
   by the nodal masses m. */
PetscReal CrBulkDamping(PetscInt nnodes, PetscInt dim, PetscInt lane, const PetscReal *b,
                        PetscReal slope, const PetscReal *m);
/* Adds the nodal forces of one batch to the owned nodes. */
void CrScatterForces(const CrModel *model, const CrElementBlock *b, PetscInt batch,
                     const PetscReal *force, PetscReal *f);
/* Sets the arrays that the kernels of block k read. If u0 is NULL, laws with state start from the displacements
   of the last accepted step. */
PetscErrorCode CrModelNodal(const CrModel *model, const CrState *state, PetscInt k,
                            const PetscReal *u0, const PetscReal *u1, CrNodal *nodal);
/* Gathers a count of each rank on rank 0, and the offsets that follow; other ranks get zeros. The caller frees
   both arrays with PetscFree2. Collective. */
PetscErrorCode CrGatherCounts(MPI_Comm comm, PetscInt mine, PetscMPIInt **counts,
                              PetscMPIInt **starts, PetscInt *total);
/* Gathers the integers of all ranks on rank 0, in the order of ranks; other ranks get total = 0. The caller
   frees *all. Collective. */
PetscErrorCode CrGatherInts(MPI_Comm comm, PetscInt n, const PetscInt *mine, PetscInt **all,
                            PetscInt *total);
/* Computes the displacements at the start (`deformation:`), local. Collective. */
PetscErrorCode CrInitialDisplacement(const CrModel *model, PetscReal *u);

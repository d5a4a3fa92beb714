/* Declarations that the source files of src/model share. */
#pragma once

#include "model/model.h"
#include "model/conditions.h"
#include "model/graph.h"

/* Reports the error `unknown WHAT "word"`, with the most similar of the n names, or with all names. Returns
   CR_ERR_INPUT. */
PetscErrorCode CrUnknownName(const CrDeckNode *words, const char *what, const char *word,
                             PetscInt n, const char *const names[]);
/* Adds to the index the name of the k-th entry of a list of the deck. Invalid names, and names that occur twice, are
   user errors. The first call creates the index. */
PetscErrorCode CrNameEnter(CrIndex **index, const CrDeckNode *list, PetscInt k, const char *what);
/* CrModelReadSides reads which bodies and surfaces the key `contact:` of the deck names. CrModelIsSide returns true if
   `contact:` names the set `set` of the body or, if `set` is NULL, the body. The name of a body alone means its
   boundary. With the key `default`, `contact:` names all bodies. */
PetscErrorCode CrModelReadSides(CrModel *model, const CrDeckNode *contact);
PetscBool      CrModelIsSide(const CrModel *model, const char *body, const char *set);
/* Adds the names of bodies and sets to the indices of the model, after bodies and sets have been created. */
PetscErrorCode CrModelEnterNames(CrModel *model);
PetscErrorCode CrModelDestroyNames(CrModel *model);
/* CrVolumeRead reads whether the material law of a body uses the volume ratio at quadrature points or the mean of the
   element. CrVolumeSetUp passes this choice to a block of the body's elements. CrVolumeWarn warns of elements that lock
   with this choice. */
PetscErrorCode CrVolumeRead(CrBody *body);
void           CrVolumeSetUp(const CrBody *body, CrElementBlock *block);
void           CrVolumeWarn(const CrBody *body, const CrMesh *mesh);
/* CrAxialRead reads from the deck whether the model is axisymmetric. CrAxialCheckBody and CrAxialCheckMesh refuse
   bodies and meshes that axial symmetry does not allow. */
PetscErrorCode CrAxialRead(CrModel *model, const CrDeckNode *root);
PetscErrorCode CrAxialCheckBody(const CrDeckNode *body);
PetscErrorCode CrAxialCheckMesh(const CrDeckNode *where, const CrMesh *mesh);
/* Makes *c, the next condition of the model, a support that fixes the radial displacement of nodes on the axis of
   symmetry. If no node lies on the axis, the function adds no condition. Collective. */
PetscErrorCode CrAxialSupport(CrModel *model, const CrDeckNode *where, CrCondition *c);
/* Rotates the axes of the body's anisotropic material to the directions that the key `directions` gives. */
PetscErrorCode CrDirectionsRead(CrModel *model, CrBody *body);
/* Computes the mass matrix, its row sums, and the masses and mass centres of bodies. Collective. */
PetscErrorCode CrModelComputeMass(CrModel *model);
/* Returns 2 pi times the radius at quadrature point q of a facet. u are the displacements; NULL: the undeformed
   mesh. */
PetscReal CrCircle(const CrModel *model, const CrLocalFacet *f, const CrRule *rule, PetscInt q,
                   const PetscReal *u);
/* Adds to f (owned dofs) the nodal forces of a pressure p on the facets of a condition, in the configuration with the
   displacements u. */
void CrPressureForce(const CrModel *model, const CrCondition *c, PetscReal p, const PetscReal *u,
                     PetscReal *f);
/* Creates the internal variables at quadrature points with their initial values. `points` is empty if no law has
   internal variables. Collective. */
PetscErrorCode CrPointsCreate(const CrModel *model, CrPoints *points);
PetscErrorCode CrPointsDestroy(CrPoints *points);
/* CrBulkRead reads the bulk viscosity from the deck, CrBulkSetUp passes it to an element block, and CrBulkCreate
   allocates its data for all cells. Without bulk viscosity, the data are empty. */
PetscErrorCode CrBulkRead(CrModel *model, const CrDeckNode *root);
void           CrBulkSetUp(const CrModel *model, CrElementBlock *block);
PetscErrorCode CrBulkCreate(const CrModel *model, CrBulk *bulk);
PetscErrorCode CrBulkDestroy(CrBulk *bulk);
/* Returns an upper bound of the damping rate (1/time) by bulk viscosity, for the element in one lane. The force of the
   element is p b, where p is the viscous pressure. `slope` is the derivative of p with respect to the rate of volume,
   and m are the nodal masses. */
PetscReal CrBulkDamping(PetscInt nnodes, PetscInt dim, PetscInt lane, const PetscReal *b,
                        PetscReal slope, const PetscReal *m);
/* Adds the nodal forces of one batch of elements to the forces f of owned nodes. */
void CrScatterForces(const CrModel *model, const CrElementBlock *b, PetscInt batch,
                     const PetscReal *force, PetscReal *f);
/* Sets the arrays in `nodal` that the kernels of element block k read. If u0 is NULL, laws with internal variables
   start from the displacements of the last accepted step. */
PetscErrorCode CrModelNodal(const CrModel *model, const CrState *state, PetscInt k,
                            const PetscReal *u0, const PetscReal *u1, CrNodal *nodal);
/* Gathers on rank 0 the number `mine` of each rank as counts[], their sums starts[] over lower ranks, and the total.
   Other ranks get zeros. The caller frees both arrays with PetscFree2. Collective. */
PetscErrorCode CrGatherCounts(MPI_Comm comm, PetscInt mine, PetscMPIInt **counts,
                              PetscMPIInt **starts, PetscInt *total);
/* Gathers the integers of all ranks on rank 0, in the order of ranks; other ranks get total = 0. The caller
   frees *all. Collective. */
PetscErrorCode CrGatherInts(MPI_Comm comm, PetscInt n, const PetscInt *mine, PetscInt **all,
                            PetscInt *total);
/* Computes the displacements u of local dofs at the start, from the key `deformation:` of the bodies. Collective. */
PetscErrorCode CrInitialDisplacement(const CrModel *model, PetscReal *u);

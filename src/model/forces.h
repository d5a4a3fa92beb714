/* Forces, tangent matrices and masses of the whole model, for the time integration methods. Arrays have entries for
   local nodes, as in model.h. */
#pragma once

#include "model/model.h"

/* In all functions of this header, `state` contains the internal variables of material laws at the start of the step.
   `state` may be NULL if no law has internal variables (model->remembers is false).

   CrModelForce computes the internal force f on owned dofs for the step from u0 to u1, or at u1 if u0 is NULL. f
   contains NaN where a material law has no value (det F <= 0). */
PetscErrorCode CrModelForce(const CrModel *model, const CrState *state, CrForceKind kind,
                            const PetscReal *u0, const PetscReal *u1, PetscReal *f);
/* Computes the internal force f at u1 and, in the same loop over cells, the energy and the least det F as
   CrModelObserve does. Each cell is computed by one rank, which sends its forces on ghosts to their owners. The array f
   must have room for all local dofs, but only its entries of owned dofs are results. Collective. */
PetscErrorCode CrModelForceObserve(const CrModel *model, const CrState *state, const PetscReal *u1,
                                   PetscReal *f, PetscReal *energy, PetscReal *least_det);
/* Creates a zero matrix with room for all couplings between nodes of the model. Collective. */
PetscErrorCode CrModelCreateMatrix(const CrModel *model, Mat *A);
/* Changes the pattern of matrices that CrModelCreateMatrix will create: adds couplings between npairs pairs of local
   nodes to the couplings of the elements. Couplings of an earlier call are removed. Existing matrices keep their old
   pattern. Collective. */
PetscErrorCode CrModelCouple(const CrModel *model, PetscInt npairs, const PetscInt *pairs);
/* Sets A = scale * df/du1 + mass * M, where f is the force of CrModelForce and M the mass matrix. */
PetscErrorCode CrModelTangent(const CrModel *model, const CrState *state, CrForceKind kind,
                              const PetscReal *u0, const PetscReal *u1, PetscReal scale,
                              PetscReal mass, Mat A);
/* Arguments of a tangent: the configuration, and the kind of forces. */
typedef struct {
  CrForceKind      kind;
  const PetscReal *u0, *u1;
  /* as in CrNodal, for local dofs with ghosts; NULL: the tangent is the derivative of the force */
  const PetscReal *before, *reached;
} CrTangentAt;

/* Computes A as CrModelTangent does. In static analyses, Newton's method extrapolates the pressure of elements with
   mean volume from the iterate at->before (docs/theory.md, section 5.9). */
PetscErrorCode CrModelTangentAt(const CrModel *model, const CrState *state, const CrTangentAt *at,
                                PetscReal scale, PetscReal mass, Mat A);
/* Computes energy[nbodies], the energy of the hourglass springs of each body at the displacements u, summed over all
   ranks. Collective. */
PetscErrorCode CrModelHourglass(const CrModel *model, const CrState *state, const PetscReal *u,
                                PetscReal *energy);
/* Functions for mass-proportional damping (docs/theory.md, section 7.5), with the coefficient alpha of the material and
   the mass matrix M. CrDragOf returns alpha of node A. CrDragAdd computes the damping force drag = -alpha M du/h on
   owned dofs, and adds it to f. CrDragLoss computes the energy loss -drag.du of the step; it is collective.
   CrDragAddTangent adds scale * alpha * M to the matrix A. */
PetscReal      CrDragOf(const CrModel *model, PetscInt A);
PetscErrorCode CrDragAdd(const CrModel *model, const PetscReal *du, PetscReal h, PetscReal *drag,
                         PetscReal *f);
PetscErrorCode CrDragLoss(const CrModel *model, const PetscReal *drag, const PetscReal *du,
                          PetscReal *loss);
PetscErrorCode CrDragAddTangent(const CrModel *model, PetscReal scale, Mat A);
/* CrBulkForce adds to f the force of bulk viscosity (docs/theory.md, section 12.3) in a step of size h from u0 to u1.
   If the deck sets no bulk viscosity, CrBulkForce does nothing. CrBulkForce stores the new pressures and volume rates
   of the cells separately from the accepted ones. CrBulkAccept accepts these new numbers when the step is accepted.
   CrBulkAccept is collective. */
PetscErrorCode CrBulkForce(const CrModel *model, CrState *state, const PetscReal *u0,
                           const PetscReal *u1, PetscReal h, PetscReal *f);
PetscErrorCode CrBulkAccept(const CrModel *model, CrState *state);
/* Computes y = M x on owned dofs, with the mass matrix M. x is a local array with ghosts. */
PetscErrorCode CrModelMassTimes(const CrModel *model, const PetscReal *x, PetscReal *y);
/* Computes mass[nlocal], the lumped masses of all nodes of this rank, including ghosts. Collective. */
PetscErrorCode CrModelNodeMasses(const CrModel *model, PetscReal *mass);
/* Computes x = M^-1 y on owned dofs, for initial accelerations. Dofs with fixed[dof] = 1 get x = 0. Collective. */
PetscErrorCode CrModelMassSolve(const CrModel *model, const char *fixed, Vec y, Vec x);
/* Computes three results for the cells of this rank at the displacements u. energy[nbodies] is the strain energy of
   each body. *least_det is the least det F of bodies with large strain. *least_stretch is the least principal stretch
   of Saint-Venant Kirchhoff bodies, which collapse in compression. *least_det and *least_stretch are PETSC_MAX_REAL if
   the model has no such bodies. Each result pointer may be NULL. */
PetscErrorCode CrModelObserve(const CrModel *model, const CrState *state, const PetscReal *u,
                              PetscReal *energy, PetscReal *least_det, PetscReal *least_stretch);

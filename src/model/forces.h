/* Forces, tangents and mass of the whole model, for the methods. Arrays are local, as in model.h. */
#pragma once

#include "model/model.h"

/* `state` has the internal variables at t_n for laws with state; NULL is allowed if no law has state
   (model->remembers).

   f = internal force on owned dofs, between u0 and u1 or at u1 (u0: NULL). Arrays are local. Returns NaN in f where a
   law has no value (det F <= 0). */
PetscErrorCode CrModelForce(const CrModel *model, const CrState *state, CrForceKind kind,
                            const PetscReal *u0, const PetscReal *u1, PetscReal *f);
/* The force at u1 and, from the same pass, what CrModelObserve would find of energy and least det
 * F. */
PetscErrorCode CrModelForceObserve(const CrModel *model, const CrState *state, const PetscReal *u1,
                                   PetscReal *f, PetscReal *energy, PetscReal *least_det);
/* A matrix for all couplings of the model, zero. Collective. */
PetscErrorCode CrModelCreateMatrix(const CrModel *model, Mat *A);
/* Makes room for npairs couplings of local nodes beside those of the elements; the couplings of an earlier call are
   removed. Matrices made before keep their old pattern: make new ones. Collective. */
PetscErrorCode CrModelCouple(const CrModel *model, PetscInt npairs, const PetscInt *pairs);
/* A = scale * d(force)/du1 + mass * M. */
PetscErrorCode CrModelTangent(const CrModel *model, const CrState *state, CrForceKind kind,
                              const PetscReal *u0, const PetscReal *u1, PetscReal scale,
                              PetscReal mass, Mat A);
/* Where and of which forces a tangent is computed. */
typedef struct {
  CrForceKind      kind;
  const PetscReal *u0, *u1;
  const PetscReal *before, *reached; /* as in CrNodal, local, with ghosts; NULL: the derivative */
} CrTangentAt;

/* Does the same as the function above. Newton's method in statics continues the pressure of mean volumes from the
   iterate `before` (theory 5.9). */
PetscErrorCode CrModelTangentAt(const CrModel *model, const CrState *state, const CrTangentAt *at,
                                PetscReal scale, PetscReal mass, Mat A);
/* Energy of the hourglass springs of each body at u, over all ranks. Collective. */
PetscErrorCode CrModelHourglass(const CrModel *model, const CrState *state, const PetscReal *u,
                                PetscReal *energy);
/* Damping by mass (theory 7.5): alpha of a node; drag = -alpha M du/h on owned dofs, added to f; the loss -drag.du of
   the step, collective; A += scale alpha M. */
PetscReal      CrDragOf(const CrModel *model, PetscInt A);
PetscErrorCode CrDragAdd(const CrModel *model, const PetscReal *du, PetscReal h, PetscReal *drag,
                         PetscReal *f);
PetscErrorCode CrDragLoss(const CrModel *model, const PetscReal *drag, const PetscReal *du,
                          PetscReal *loss);
PetscErrorCode CrDragAddTangent(const CrModel *model, PetscReal scale, Mat A);
/* Adds the force of bulk viscosity in a step h from u0 to u1 (theory 12.3) to f, if there is any. The numbers of the
   cells are kept apart until the step is accepted, by the second. The second is collective. */
PetscErrorCode CrBulkForce(const CrModel *model, CrState *state, const PetscReal *u0,
                           const PetscReal *u1, PetscReal h, PetscReal *f);
PetscErrorCode CrBulkAccept(const CrModel *model, CrState *state);
/* y = M x on owned dofs; x local with ghosts. */
PetscErrorCode CrModelMassTimes(const CrModel *model, const PetscReal *x, PetscReal *y);
/* Lumped masses [nlocal] of all nodes of this rank, ghosts too. Collective. */
PetscErrorCode CrModelNodeMasses(const CrModel *model, PetscReal *mass);
/* x = M^-1 y on owned dofs, for initial accelerations; dofs with fixed[] set get 0. Collective. */
PetscErrorCode CrModelMassSolve(const CrModel *model, const char *fixed, Vec y, Vec x);
/* Computes for the cells of this rank at u: strain energy per body (energy[nbodies]), the least det F of
   large-strain materials, and the least principal stretch of Saint-Venant Kirchhoff bodies (which
   collapse in compression); PETSC_MAX_REAL where there are none. Any may be NULL. */
PetscErrorCode CrModelObserve(const CrModel *model, const CrState *state, const PetscReal *u,
                              PetscReal *energy, PetscReal *least_det, PetscReal *least_stretch);

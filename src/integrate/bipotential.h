/* Declarations that the source files of the time integration method `bipotential` share (theory 17). */
#pragma once

#include "contact/cones/cones.h"
#include "contact/springs/springs.h"
#include "integrate/statics.h"
#include "solve/mixing.h"

/* Greatest number of iterations in a step. After these, the step starts again from the positions at t_n, with a new
   matrix in each iteration. */
#define BIPOTENTIAL_MOST 60
/* number of unit forces below which the cost of their responses is small compared with the cost of a new matrix */
#define BIPOTENTIAL_FEW 256

typedef struct {
  CrImplicit im; /* owned, like all members below */
  PetscReal  theta, xi;
  PetscBool  constant; /* the matrix depends only on h and the supports */
  /* quasi-static, if only contact holds a body: factor of the mass matrix that is added to the system matrix */
  PetscReal    shift;
  PetscBool    em;
  CrConesLevel level;
  /* for the level `gap`: the energy that nodes lose at impact is returned to the bodies */
  PetscBool returns;
  CrCones  *cones; /* NULL: the model has no contact */
  Vec       residual, right, d;
  /* dense matrices: unit forces, and the displacements that they cause */
  Mat      units, answers;
  CrMixing mixing;
  Vec      base0, base1; /* u0 and u1 for which the matrix was last computed; in checkpoints */
  /* time t and step size h for which the matrix was computed; third number: 1 if there is a matrix; in checkpoints */
  PetscReal base[3];
  PetscBool fresh;          /* im.A is the matrix that belongs to base, base0 and base1 */
  PetscBool factored;       /* the linear solver has the factors of this matrix */
  Vec       saved0, saved1; /* base0 and base1 before this step */
  PetscReal saved[3];       /* base before this step */
  PetscBool renewed;        /* the matrix was computed again in this step */
  /* [local dofs] 1: a support prescribed the dof when the matrix was computed */
  char *held;
  /* internal forces and loads on owned dofs at t_n (0) and at t_{n+1} (1) */
  PetscReal *internal0, *loads0, *internal1, *loads1;
  /* 1: contact forces rotate with their facets, as in the last step; in checkpoints */
  PetscInt   turns;
  PetscReal *touch0; /* quasi-static: contact forces on owned dofs at t_n; in checkpoints */
  /* [6 rigid->n] quasi-static: contact forces and torques on rigid bodies at t_n; in checkpoints */
  PetscReal *rigid;
  /* [local dofs] displacement increments, an argument of CrConesSolve */
  PetscReal *way;
  CrOpenPlaces
      open; /* places of this step where sharp edges are inside the other body without contact */
  /* steps in which sharp edges stayed inside: their number, the greatest depth, and the time of the first
     one; in checkpoints */
  PetscReal inside[3];
  /* numbers of factorisations and of iterations since the start of the run */
  PetscInt factors, iterations;
} Bipotential;

/* Arguments of the functions below that call the linear solver. */
typedef struct {
  CrIntegrator *it;
  Bipotential  *bp;
} BipotentialSolver;

/* Computes the residual at the trial positions, and *reference, the force with which the residual is compared. */
PetscErrorCode BipotentialEvaluate(Bipotential *bp, PetscReal *reference);
/* Solves the step by Newton's method, starting at the trial positions. If this fails, starts again at the positions of
   t_n. */
PetscErrorCode BipotentialAttempt(CrIntegrator *it, Bipotential *bp, CrStepReport *report);
/* Sets *yes to true if the matrix of an earlier step can be used for this step. In the first step after a restart, the
   function first computes this matrix again, from the data of the checkpoint. Collective. */
PetscErrorCode BipotentialServes(BipotentialSolver *s, PetscBool *yes);
/* Computes the system matrix at the trial positions. */
PetscErrorCode BipotentialRenew(Bipotential *bp);
/* Restores the system matrix that was in use before this step. The function is called after a failed step. */
PetscErrorCode BipotentialForgetStep(Bipotential *bp);
PetscErrorCode BipotentialSolve(BipotentialSolver *s, Vec b, Vec x, PetscBool *solved);
/* Computes the displacements that unit forces on n surface nodes cause, and passes them to the solver of the contact
   problem. The function has the type CrConesRespond. */
PetscErrorCode BipotentialRespond(void *ctx, PetscInt n, const PetscInt *nodes, PetscBool *solved);
/* Returns true if it is cheaper to keep the present matrix than to factor a new matrix and compute its responses. `age`
   is the number of iterations with the present matrix, and `first` the relative residual after the first of them.
   `relative` is the present relative residual. The rate of convergence between `first` and `relative` gives the number
   of further iterations. */
PetscBool BipotentialPays(const CrIntegrator *it, const Bipotential *bp, PetscInt age,
                          PetscReal first, PetscReal relative);
/* Refuses decks with rigid bodies that the method cannot move. */
PetscErrorCode BipotentialCheckRigid(const Bipotential *bp, const CrModel *model);
/* Sets bp->shift, the factor of the mass matrix in the system matrix, if only contact holds a body in a quasi-static
   analysis. */
PetscErrorCode BipotentialChooseShift(Bipotential *bp, const CrModel *model);

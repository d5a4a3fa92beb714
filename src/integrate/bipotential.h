/* Declarations that the source files of the method `bipotential` share (theory 17). */
#pragma once

#include "contact/cones/cones.h"
#include "integrate/statics.h"
#include "solve/mixing.h"

#define BIPOTENTIAL_MOST                                                                           \
  60 /* number of iterations; after these, the step starts once more from x_n, with a new matrix in each iteration */
#define BIPOTENTIAL_FEW                                                                            \
  256 /* number of response columns; fewer columns cost little compared with a new matrix */

typedef struct {
  CrImplicit im; /* owned, like all members below */
  PetscReal  theta, xi;
  PetscBool  constant; /* the matrix depends on h and the supports alone */
  PetscReal
      /* quasi-static: factor of the mass matrix that is added to the matrix, if only contact holds a body */
               shift;
  PetscBool    em;
  CrConesLevel level;
  PetscBool    returns; /* level gap: the energy that nodes lose at impact is returned */
  CrCones     *cones;   /* NULL: the model has no contact */
  Vec          residual, right, response, d;
  Mat          units, answers; /* dense: unit forces, and the displacements under them */
  CrMixing     mixing;
  Vec          base0, base1; /* u0 and u1 for which the matrix was last computed; archived */
  /* t and h for which the matrix was computed, and 1 if there is a matrix; archived */
  PetscReal  base[3];
  PetscBool  fresh;          /* im.A is the matrix of `base` */
  PetscBool  factored;       /* the linear solver has its factors */
  Vec        saved0, saved1; /* base0 and base1 before this step */
  PetscReal  saved[3];       /* base before this step */
  PetscBool  renewed;        /* the matrix was computed again in this step */
  char      *held;           /* [local dofs] prescribed by supports when the matrix was computed */
  PetscReal *internal0, *loads0, *internal1, *loads1; /* owned dofs, at t_n and t_{n+1} */
  PetscInt   turns;  /* reactions rotate with their facets, as in the last step; archived */
  PetscReal *touch0; /* quasi-static: contact forces at t_n, owned dofs; archived */
  /* [6 rigid->n] quasi-static: contact forces and torques on rigid bodies at t_n; archived */
  PetscReal *rigid;
  PetscReal *way;                 /* increments by local dof, for CrConesSolve */
  PetscInt   factors, iterations; /* counted since the start */
} Bipotential;

/* Data for calls of the linear solver in a step. */
typedef struct {
  CrIntegrator *it;
  Bipotential  *bp;
} BipotentialSolver;

/* Computes the residual, and the force with which it is compared, at the trial positions. */
PetscErrorCode BipotentialEvaluate(Bipotential *bp, PetscReal *reference);
/* Solves the step by Newton's method, starting at the trial positions. If this fails, starts again at the positions of
   t_n. */
PetscErrorCode BipotentialAttempt(CrIntegrator *it, Bipotential *bp, CrStepReport *report);
/* Sets *yes to true if the matrix of an earlier step can be used for this step. In the first step after a restart, the
   function first computes that matrix again from the archived data. Collective. */
PetscErrorCode BipotentialServes(BipotentialSolver *s, PetscBool *yes);
/* Computes the matrix at the trial positions. */
PetscErrorCode BipotentialRenew(Bipotential *bp);
/* Called after a failed step: restores the matrix that was in use before the step. */
PetscErrorCode BipotentialForgetStep(Bipotential *bp);
PetscErrorCode BipotentialSolve(BipotentialSolver *s, Vec b, Vec x, PetscBool *solved);
/* Computes the displacements under unit forces on surface nodes, and passes them to the cone solver. The function has
   the type CrConesRespond. */
PetscErrorCode BipotentialRespond(void *ctx, PetscInt n, const PetscInt *nodes, PetscBool *solved);
/* Returns true if it is cheaper to keep the present matrix than to factor a new matrix and compute its responses.
   `first` is the residual after the first of `age` iterations with the present matrix. The rate of convergence since
   then gives the number of further iterations. */
PetscBool BipotentialPays(const CrIntegrator *it, const Bipotential *bp, PetscInt age,
                          PetscReal first, PetscReal relative);
/* Refuses decks with rigid bodies that the method cannot move. */
PetscErrorCode BipotentialCheckRigid(const Bipotential *bp, const CrModel *model);
/* Sets bp->shift, the factor of mass in the matrix, if only contact holds a quasi-static body. */
PetscErrorCode BipotentialChooseShift(Bipotential *bp, const CrModel *model);

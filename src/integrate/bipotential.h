/* What the files of the bi-potential method share. */
#pragma once

#include "contact/cones/cones.h"
#include "integrate/implicit.h"
#include "solve/mixing.h"

typedef struct {
  CrImplicit im; /* owned, as all below */
  PetscReal  theta, xi;
  PetscBool  constant; /* the matrix: it depends on h and supports alone */
  PetscReal shift; /* quasi-static: a little mass in the matrix, where contact alone holds a body */
  PetscBool em;
  CrConesLevel level;
  CrCones     *cones; /* NULL: nothing touches */
  Vec          residual, right, response, d;
  Mat          units, answers; /* dense: unit forces and what they do */
  CrMixing     mixing;
  Vec          base0, base1;   /* u0, u1 where the matrix was last taken; archived */
  PetscReal    base[3];        /* t, h of it; 1: there is one; archived */
  PetscBool    fresh;          /* im.A holds what `base` says */
  PetscBool    factored;       /* and the solver knows it */
  Vec          saved0, saved1; /* base before this step */
  PetscReal    saved[3];
  PetscBool    renewed;                                 /* in this step */
  char        *held;                                    /* local dofs that supports held then */
  PetscReal   *internal0, *loads0, *internal1, *loads1; /* owned dofs, at t_n and t_{n+1} */
  PetscReal   *way;                                     /* local dofs (CrConesSolve) */
  PetscInt     factors, iterations;                     /* since the start */
} Bipotential;

/* A step's access to the linear solver. */
typedef struct {
  CrIntegrator *it;
  Bipotential  *bp;
} BipotentialSolver;

/* Does the matrix serve for this step? After a restart it is first made as it was. */
PetscErrorCode BipotentialServes(BipotentialSolver *s, PetscBool *yes);
/* Takes it at the trial positions. */
PetscErrorCode BipotentialRenew(Bipotential *bp);
/* A step that failed leaves nothing behind. */
PetscErrorCode BipotentialForgetStep(Bipotential *bp);
PetscErrorCode BipotentialSolve(BipotentialSolver *s, Vec b, Vec x, PetscBool *solved);
/* Displacements under unit forces on nodes of the surface (CrConesRespond). */
PetscErrorCode BipotentialRespond(void *ctx, PetscInt n, const PetscInt *nodes, PetscBool *solved);

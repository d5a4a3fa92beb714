/* The discrete Coulomb friction problem and its solvers. For contacts i = 1..n, with the normal component first, find r
   and z such that

     z = W r + q,   r_i in K_i = { |r_t| <= mu_i r_n },
     ( z_n + mu |z_t| , z_t )_i in the dual cone of K_i and orthogonal to r_i,

   where r are contact forces (or impulses) and z relative velocities (or displacement increments). K_i is the friction
   cone. W may be unsymmetric and rank deficient. Only the symmetric parts of its diagonal blocks must be semi-definite.

   Two numbers, eps and eta, measure the error of any r. They use F_i(rho) = r_i - P_K(r_i - rho (z_i + mu |z_t| n)),
   where P_K is the projection on the cone:

     eps = |F(1)| / max(|q|, |r|, |z|)                  depends on units: r may be wrong although eps is small
     eta = |F(rho)| / |r|,  rho_i = 1/lambda_max(W_ii)  does not depend on units (r = 0: divided by |rho q|)

   lambda_max is the largest eigenvalue of the symmetric part of the block. Both error measures are 0 only if r is a
   solution.

   Notes on theory. (1) A single contact has z = B r + b. The contact is open if b_n >= 0. The contact sticks if -B^-1 b
   lies in K. Otherwise the contact slips, with r_t = mu r_n e and a unit vector e = (cos a, sin a). The normal force of
   a slipping contact is r_n = -b_n/D with D(e) = B_nn + mu B_nt.e > 0. The slip velocity follows from D z_t = w(e) = D
   b_t - b_n (B_tn + mu B_tt e). The force must oppose the slip, so the angle a is a root of f(a) = e x w with e.w <= 0.
   f is a trigonometric polynomial of degree 2, so it has at most four roots.

   (2) Gauss-Seidel sweeps with this local solution converge for a positive definite W and moderate mu. Convergence
   becomes slow if W is nearly rank deficient, for instance in stacks of bodies. Anderson mixing of the sweeps restores
   fast convergence in nearly all cases. The mixed iterate is r = sum b_j G_j, projected on K. G_j is the result of
   sweep j, and H_j the change of r in sweep j. The b_j minimise |sum b_j H_j| with sum b_j = 1.

   (3) F(rho) is semi-smooth. The Newton system for F = 0 is C dr + E W dr = -F with E = rho P' G, C = I - P' and G = I
   + mu n (z_t/|z_t|)^T, where P' is the derivative of the projection. Open contacts have P' = 0, so that dr = -r is
   known, and the matrix contains active contacts only.

   (4) If Newton's method cycles, the proximal point method solves a sequence of problems with W + alpha D and q - alpha
   D r_k, where D = blockdiag(I/rho_i). Each problem of the sequence is definite, and each solution r_k is closer to the
   solution of the given problem. The factor alpha is reduced as long as the problems of the sequence are solved. */
#pragma once

#include "base/base.h"

typedef struct CrCone CrCone;

/* ---- a problem ----------------------------------------------------------------------------- */

/* Creates a problem with `n` contacts in `dim` = 2 or 3 dimensions. The caller must then set W, q and mu. */
PetscErrorCode CrConeCreate(PetscInt dim, PetscInt n, CrCone **cone);
/* Changes the number of contacts. The caller must set W, q and mu again. Memory only grows. */
PetscErrorCode CrConeResize(CrCone *cone, PetscInt n);
PetscErrorCode CrConeDestroy(CrCone **cone);
PetscInt       CrConeDimension(const CrCone *cone);
PetscInt       CrConeContacts(const CrCone *cone);

/* Sets W from a dense matrix of size dim n x dim n, stored column by column. The matrix is copied, and zero blocks are
   left out. */
PetscErrorCode CrConeSetDense(CrCone *cone, const PetscReal W[]);
/* Sets W from sparse blocks, which are copied. row[n+1] are the offsets of the block rows, col[] the block columns.
   block[] has the dim x dim blocks, each stored column by column. Blocks that occur twice are added. */
PetscErrorCode CrConeSetBlocks(CrCone *cone, const PetscInt row[], const PetscInt col[],
                               const PetscReal block[]);
/* Sets q[dim n] and mu[n]; both are copied. */
PetscErrorCode CrConeSetVectors(CrCone *cone, const PetscReal q[], const PetscReal mu[]);

/* Reads a problem from a file. The file is a text file (local or global problem; dense, blocks, triplets or compressed
   columns), or an HDF5 file of FCLIB (local or global problem). The contents of the file determine the format. The
   caller destroys the problem. */
PetscErrorCode CrConeRead(const char path[], CrCone **cone);

/* ---- solution of a problem ----------------------------------------------------------------- */

typedef struct {
  /* name of a solver (CrConeSolverName); NULL: the first solver, "hybrid" */
  const char *solver;
  PetscReal   tolerance;        /* tolerance of eps */
  PetscReal   tolerance_scaled; /* tolerance of eta; 0: eta is not checked */
  PetscInt    max_sweeps;       /* greatest number of sweeps per island */
  PetscInt    max_newton;       /* greatest number of linear solves per island */
  /* true: the problem is not split into islands (sets of coupled contacts) */
  PetscBool whole;
  /* If the problem is part of a larger one: |q| of the larger problem over the square root of its number of contacts. The
     error eps is then compared with |q| of the larger problem. 0: the problem is not part of a larger one. */
  PetscReal mean;
} CrConeOptions;

typedef struct {
  PetscBool   converged;
  const char *solver;
  /* number of sweeps and Newton iterations of the island that needed most of them */
  PetscInt iterations;
  PetscInt sweeps;   /* number of sweeps of this island */
  PetscInt newton;   /* number of Newton iterations of this island */
  PetscInt proximal; /* number of proximal steps of this island */
  /* number of islands: sets of coupled contacts that were solved one by one */
  PetscInt  islands;
  PetscInt  unsupported;  /* number of contacts with a zero diagonal block, for which r = 0 */
  PetscReal error;        /* error measure eps */
  PetscReal error_scaled; /* error measure eta */
  PetscInt  worst;        /* the contact that contributes most to eta, -1 if there is none */
  PetscReal seconds;      /* CPU time */
} CrConeReport;

/* Returns the defaults: tolerance 1e-8, eta is not checked, 100000 sweeps, 20000 Newton iterations. */
CrConeOptions CrConeDefaults(void);
/* Solves the problem. On entry r[dim n] has the initial values (zero, or the solution of a similar problem). On return
   r has the solution. If the solver does not converge, report->converged is false, and r is the best iterate, but no
   error code is returned. */
PetscErrorCode CrConeSolve(CrCone *cone, const CrConeOptions *options, PetscReal r[],
                           CrConeReport *report);
/* Discards all data derived from W, so that the next solve computes them again. Benchmarks use this function to measure
   complete solves. */
void CrConeForget(CrCone *cone);
/* Computes the error measures eps and eta of any r. */
PetscErrorCode CrConeErrors(CrCone *cone, const PetscReal r[], PetscReal *eps, PetscReal *eta);

/* Return the name and the help text of solver k; NULL after the last solver. */
const char *CrConeSolverName(PetscInt k);
const char *CrConeSolverHelp(PetscInt k);

/* ---- functions for a single contact -------------------------------------------------------- */

/* Computes r = P_K(tau), the projection of tau on the friction cone with the coefficient mu. */
void CrConeProject(PetscInt dim, PetscReal mu, const PetscReal tau[], PetscReal r[]);
/* Solves the problem of one contact, z = B r + b, exactly. B is stored column by column. On entry, r gives the
   direction of slip with which the search starts. On return, r is the solution. */
void CrConeLocalSolve(PetscInt dim, const PetscReal B[], PetscReal mu, const PetscReal b[],
                      PetscReal r[]);
/* Returns 1/lambda_max, where lambda_max is the largest eigenvalue of the symmetric part of the block B. Returns 1 if
   lambda_max is not positive. */
PetscReal CrConeRho(PetscInt dim, const PetscReal B[]);

/* The discrete Coulomb problem and its solvers. For contacts i = 1..n, normal component first,

     z = W r + q,   r_i in K_i = { |r_t| <= mu_i r_n },
     ( z_n + mu |z_t| , z_t )_i in the dual cone of K_i and orthogonal to r_i,

   where r are reactions (or impulses) and z relative velocities (or increments). W may be unsymmetric and rank
   deficient. Only the symmetric parts of its diagonal blocks must be semi-definite.

   Two numbers measure the error of any r, with F_i(rho) = r_i - P_K(r_i - rho (z_i + mu |z_t| n)):

     eps = |F(1)| / max(|q|, |r|, |z|)                  depends on units: r may be wrong although eps is small
     eta = |F(rho)| / |r|,  rho_i = 1/lambda_max(W_ii)  does not depend on units (r = 0: divided by |rho q|)

   lambda_max is the largest eigenvalue of the symmetric part of the block. Both error measures are 0 only if r is a
   solution.

   Notes on theory. (1) One contact alone, z = B r + b: open if b_n >= 0; stick if -B^-1 b lies in K; else slip, r_t =
   mu r_n e with a unit vector e = (cos a, sin a), D(e) = B_nn + mu B_nt.e > 0, r_n = -b_n/D, D z_t = w(e) = D b_t -
   b_n (B_tn + mu B_tt e), where e must oppose w: a root of f(a) = e x w with e.w <= 0. f is a trigonometric polynomial
   of degree 2, so there are at most four. (2) Gauss-Seidel with this local solve converges for a positive definite W
   and moderate mu, but its rate tends to 1 as W loses rank (stacks). Anderson mixing of the sweeps restores fast
   convergence in nearly all cases: r = sum b_j G_j over the last sweeps with the b that minimise |sum b_j H_j|, sum b_j
   = 1, H_j the change in sweep j, projected back on K. (3) F(rho) is semi-smooth: its Newton system is C dr + E W dr =
   -F with E = rho P' G, C = I - P', G = I + mu n (z_t/|z_t|)^T. Open contacts have P' = 0, so that dr = -r is known and
   the matrix contains active contacts only. (4) Where Newton cycles, the proximal point method solves a sequence of
   problems with W + alpha D, q - alpha D r_k, D = blockdiag(I/rho_i): each of these problems is definite, and each
   solution is closer to the solution sought. alpha is reduced while this succeeds. */
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

/* Sets W from a dense matrix, dim n x dim n, column by column. The matrix is copied, and zero blocks are left out. */
PetscErrorCode CrConeSetDense(CrCone *cone, const PetscReal W[]);
/* Sets W from blocks, which are copied: row[n+1] are offsets, col[] block columns, block[] dim x dim blocks column by
   column. Blocks that occur twice are added. */
PetscErrorCode CrConeSetBlocks(CrCone *cone, const PetscInt row[], const PetscInt col[],
                               const PetscReal block[]);
/* Sets q[dim n] and mu[n]; both are copied. */
PetscErrorCode CrConeSetVectors(CrCone *cone, const PetscReal q[], const PetscReal mu[]);

/* Reads a stored problem. The file is text (local or global, dense, blocks, triplets or compressed columns) or HDF5
   (FCLIB, local or global); its contents say which. The caller destroys the problem. */
PetscErrorCode CrConeRead(const char path[], CrCone **cone);

/* ---- solving it ---------------------------------------------------------------------------- */

typedef struct {
  const char *solver;           /* a name of the registry; NULL: the first, "hybrid" */
  PetscReal   tolerance;        /* tolerance of eps */
  PetscReal   tolerance_scaled; /* tolerance of eta; 0: eta is not checked */
  PetscInt    max_sweeps;       /* greatest number of sweeps per island */
  PetscInt    max_newton;       /* greatest number of linear solves per island */
  PetscBool   whole;            /* do not split the problem into islands */
} CrConeOptions;

typedef struct {
  PetscBool   converged;
  const char *solver;
  PetscInt    iterations;   /* sweeps and Newton iterations of the island that needed most */
  PetscInt    sweeps;       /* sweeps of that island */
  PetscInt    newton;       /* number of Newton iterations of this island */
  PetscInt    proximal;     /* number of proximal steps of this island */
  PetscInt    islands;      /* number of islands: connected parts that were solved one by one */
  PetscInt    unsupported;  /* number of contacts with a zero diagonal block, for which r = 0 */
  PetscReal   error;        /* eps */
  PetscReal   error_scaled; /* eta */
  PetscInt    worst;        /* the contact that contributes most to eta, -1 if there is none */
  PetscReal   seconds;      /* CPU time */
} CrConeReport;

/* Returns the defaults: tolerance 1e-8, eta is not checked, 100000 sweeps, 20000 Newton iterations. */
CrConeOptions CrConeDefaults(void);
/* Solves the problem. On entry r[dim n] has the initial values (zero, or the solution of a similar problem). On return
   r has the solution. If the solver does not converge, the report says so, and r is the best iterate; this case is not
   an error. */
PetscErrorCode CrConeSolve(CrCone *cone, const CrConeOptions *options, PetscReal r[],
                           CrConeReport *report);
/* Discards all data derived from W, so that the next solve computes them again. Benchmarks use this function to measure
   complete solves. */
void CrConeForget(CrCone *cone);
/* Computes the error measures of any r. */
PetscErrorCode CrConeErrors(CrCone *cone, const PetscReal r[], PetscReal *eps, PetscReal *eta);

/* Returns name and help of solver k of the registry; NULL after the last solver. */
const char *CrConeSolverName(PetscInt k);
const char *CrConeSolverHelp(PetscInt k);

/* ---- pieces -------------------------------------------------------------------------------- */

/* Computes the projection r = P_K(tau) on the cone. */
void CrConeProject(PetscInt dim, PetscReal mu, const PetscReal tau[], PetscReal r[]);
/* Solves one contact, z = B r + b, exactly. B is stored column by column. On entry r gives the direction with which the
   search starts. On return r has the solution. */
void CrConeLocalSolve(PetscInt dim, const PetscReal B[], PetscReal mu, const PetscReal b[],
                      PetscReal r[]);
/* Returns 1/lambda_max of the symmetric part of a block, or 1 if lambda_max is not positive. */
PetscReal CrConeRho(PetscInt dim, const PetscReal B[]);

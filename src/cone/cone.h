/* The discrete Coulomb problem and its solvers. For contacts i = 1..n, normal component first,

     z = W r + q,   r_i in K_i = { |r_t| <= mu_i r_n },
     ( z_n + mu |z_t| , z_t )_i in the dual cone of K_i and orthogonal to r_i,

   r reactions (or impulses), z relative velocities (or increments). W may be unsymmetric and rank
   deficient; nothing below assumes more than a diagonal block whose symmetric part is semi-definite.

   Two measures of a candidate r, with F_i(rho) = r_i - P_K(r_i - rho (z_i + mu |z_t| n)):

     eps = |F(1)| / max(|q|, |r|, |z|)                  carries units: a small eps may say little of r
     eta = |F(rho)| / |r|,  rho_i = 1/lambda_max(W_ii)  has none (r = 0: divided by |rho q|)

   lambda_max is that of the symmetric part of the block. Both are 0 exactly at solutions.

   Notes on theory. (1) One contact alone, z = B r + b: open if b_n >= 0; stick if -B^-1 b lies in K;
   else slip, r_t = mu r_n e with a unit vector e = (cos a, sin a), D(e) = B_nn + mu B_nt.e > 0,
   r_n = -b_n/D, D z_t = w(e) = D b_t - b_n (B_tn + mu B_tt e), where e must oppose w: a root of
   f(a) = e x w with e.w <= 0. f is a trigonometric polynomial of degree 2, so there are at most four.
   (2) Gauss-Seidel with this local solve converges for a positive definite W and moderate mu, but its
   rate tends to 1 as W loses rank (stacks). Anderson mixing of the sweeps repairs that nearly always:
   r = sum b_j G_j over the last sweeps with the b that minimise |sum b_j H_j|, sum b_j = 1, H_j the
   change in sweep j, projected back on K. (3) F(rho) is semi-smooth: its Newton system is
   C dr + E W dr = -F with E = rho P' G, C = I - P', G = I + mu n (z_t/|z_t|)^T. Open contacts have
   P' = 0, so that dr = -r is known and the matrix holds active contacts only. (4) Where Newton cycles,
   the proximal point method solves a sequence of problems with W + alpha D, q - alpha D r_k,
   D = blockdiag(I/rho_i): each is definite, each solution is closer, alpha falls while it works. */
#pragma once

#include "base/base.h"

typedef struct CrCone CrCone;

/* ---- a problem ----------------------------------------------------------------------------- */

/* A problem with `n` contacts in `dim` = 2 or 3 dimensions; W, q, mu are still to be set. */
PetscErrorCode CrConeCreate(PetscInt dim, PetscInt n, CrCone **cone);
/* Another number of contacts; W, q, mu are to be set again. Memory only grows. */
PetscErrorCode CrConeResize(CrCone *cone, PetscInt n);
PetscErrorCode CrConeDestroy(CrCone **cone);
PetscInt       CrConeDimension(const CrCone *cone);
PetscInt       CrConeContacts(const CrCone *cone);

/* W, one of three ways, copied. Dense: dim n x dim n, column by column; blocks of zeros are left out. */
PetscErrorCode CrConeSetDense(CrCone *cone, const PetscReal W[]);
/* Blocks: row[n+1] offsets, col[] block columns, dim x dim blocks column by column. Doubles add. */
PetscErrorCode CrConeSetBlocks(CrCone *cone, const PetscInt row[], const PetscInt col[],
                               const PetscReal block[]);
/* z_i = (W r)_i for one contact, r with dim reals per contact. */
typedef void CrConeRow(void *ctx, PetscInt i, const PetscReal r[], PetscReal z[]);
/* Matrix-free: the diagonal blocks (copied) and a function (ctx borrowed). There are no islands, and
   the hybrid is left with sweeps and mixing. */
PetscErrorCode CrConeSetMatrixFree(CrCone *cone, const PetscReal diagonal[], CrConeRow *product,
                                   void *ctx);
/* q[dim n], mu[n], copied. */
PetscErrorCode CrConeSetVectors(CrCone *cone, const PetscReal q[], const PetscReal mu[]);

/* Reads a stored problem: text (local or global, dense, blocks, triplets or compressed columns) or
   HDF5 (FCLIB, local or global); told apart by contents. The caller destroys. */
PetscErrorCode CrConeRead(const char path[], CrCone **cone);

/* ---- solving it ---------------------------------------------------------------------------- */

typedef struct {
  const char *solver;           /* a name of the registry; NULL: the first, "hybrid" */
  PetscReal   tolerance;        /* on eps */
  PetscReal   tolerance_scaled; /* on eta too; 0: not asked for */
  PetscInt    max_sweeps;       /* per island */
  PetscInt    max_newton;       /* linear solves per island */
  PetscBool   whole;            /* do not take islands apart */
} CrConeOptions;

typedef struct {
  PetscBool   converged;
  const char *solver;
  PetscInt    iterations;   /* sweeps and Newton iterations, of the island that took most */
  PetscInt    sweeps;       /* the same, sweeps alone */
  PetscInt    newton;       /* the same, Newton iterations alone */
  PetscInt    proximal;     /* the same, proximal steps */
  PetscInt    islands;      /* connected parts that were solved on their own */
  PetscInt    unsupported;  /* contacts whose diagonal block is zero: r = 0 there */
  PetscReal   error;        /* eps */
  PetscReal   error_scaled; /* eta */
  PetscInt    worst;        /* the contact with the greatest part in eta, -1 if there is none */
  PetscReal   seconds;      /* CPU time */
} CrConeReport;

/* tolerance 1e-8, no demand on eta, 100000 sweeps, 20000 Newton iterations. */
CrConeOptions CrConeDefaults(void);
/* r[dim n]: the start (zero, or the answer of a like problem) and the answer. Not to converge is a
   result, not an error: then r is the best that was met. */
PetscErrorCode CrConeSolve(CrCone *cone, const CrConeOptions *options, PetscReal r[],
                           CrConeReport *report);
/* Forgets what was derived from W, so that the next solve does all its work: for timings. */
void CrConeForget(CrCone *cone);
/* The measures of any r. */
PetscErrorCode CrConeErrors(CrCone *cone, const PetscReal r[], PetscReal *eps, PetscReal *eta);

/* The registry: solver k, NULL behind the last. */
const char *CrConeSolverName(PetscInt k);
const char *CrConeSolverHelp(PetscInt k);

/* ---- pieces -------------------------------------------------------------------------------- */

/* P_K(tau). */
void CrConeProject(PetscInt dim, PetscReal mu, const PetscReal tau[], PetscReal r[]);
/* z = B r + b under the law, B column by column; r: where the search for a direction begins, and the
   answer. */
void CrConeLocalSolve(PetscInt dim, const PetscReal B[], PetscReal mu, const PetscReal b[],
                      PetscReal r[]);
/* 1/lambda_max of the symmetric part of a block; 1 where that is no positive number. */
PetscReal CrConeRho(PetscInt dim, const PetscReal B[]);

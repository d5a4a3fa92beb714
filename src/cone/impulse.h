/* Impulses of the method `velocity-update` (Love and Laursen 2003, equation 75). Every pressed contact point l gets an
   impulse j_l along its own contact traction, such that

       j_l ( sum_k A_lk j_k + b_l ) + c_l = 0,   j_l >= 0,   for every point,

   A is symmetric and positive semi-definite, and c_l <= 0. If all c_l < 0, there is exactly one solution. The solution
   is the minimum of the strictly convex function 1/2 j.A j + b.j - sum |c_l| ln j_l over j > 0. For a point with c_l =
   0 the limit c_l -> 0 gives the conditions j_l >= 0 and (A j + b)_l >= 0, and one of the two numbers is zero. A
   cluster is a set of points that A couples. |c_l| below 1e-60 of the energies of its cluster counts as zero.

   No function of this file is collective: the rank that stores a system of equations solves it. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt        n;     /* number of points */
  const PetscInt *start; /* [n+1] start of each row; borrowed, like all pointers below */
  /* columns in any order within a row; the matrix has both triangles and all diagonal entries */
  const PetscInt  *column;
  const PetscReal *value; /* entries A_lk, in units of energy / impulse^2 */
  const PetscReal *b;     /* [n] right-hand side, in units of energy / impulse */
  const PetscReal *c;     /* [n] energies, <= 0 */
} CrImpulseSystem;

typedef struct {
  /* number of clusters (sets of points that A couples), and number of points of the largest cluster */
  PetscInt clusters, largest;
  PetscInt iterations; /* greatest number of Newton iterations in a cluster */
  /* greatest |j (A j + b) + c| of all points, divided by max |c| of the cluster; if all c are zero, divided by the
     greatest b_l^2 / A_ll */
  PetscReal residual;
  /* sum of j (A j + b) + c over all points: the energy that the numerical solution creates */
  PetscReal defect;
  /* True if every residual is below 1e-12 max |c|. If |c| is far below the energy b_l^2 / A_ll of the motion, a weaker
     condition is used: the residual is as small as rounding errors allow, and below 1e-10 of this energy. */
  PetscBool converged;
} CrImpulseReport;

/* Computes the impulses j[n]. If A_ll = 0, an impulse at point l does not change any velocity. The point then gets the
   impulse j_l = -c_l / b_l if b_l > 0. Otherwise j_l is 0, the energy c_l < 0 of the point is not returned, and
   report->converged is false. Neither this case nor a system without solution gives an error code. A system has no
   solution if a positive combination of impulses changes no velocity. A value c_l > 0 or a missing diagonal entry is an
   error. */
PetscErrorCode CrImpulseSolve(const CrImpulseSystem *system, PetscReal *j, CrImpulseReport *report);

/* Changes the energies c so that all c_l <= 0, before the impulses are solved. *bank is an account of the energy that
   this change creates or removes.

   A step has the energy balance E_1 - E_0 + h D = sum_l [ j_l (A j + b)_l + c_l ], with the dissipation D. If the
   system is solved with changed energies c', the bracket is c_l - c'_l, so the step creates the energy sum(c - c').
   *bank is the sum of the created energy over all steps, which later steps must remove. In history.csv, *bank appears
   as `balance`, and its change in a step as contact_work. On return, up to rounding,

       sum(c) after = sum(c) before - (bank after - bank before),   all c <= 0.

   The debt is *bank at the call plus the sum of all c_l > 0. The function sets these positive c_l to 0. The points with
   c_l < 0 compensate the debt. All their c_l are multiplied by one factor (1 - debt / sum |c_l|) >= 0, so these points
   return less energy. A debt that exceeds sum |c_l| stays in the bank for later steps. A negative bank means that
   energy was lost; it only compensates values c_l > 0. Without debt, the c_l < 0 do not change. If the step is
   rejected, the caller must restore the old *bank. */
void CrImpulseSettle(PetscInt n, PetscReal *c, PetscReal *bank);
/* CrImpulseCount and CrImpulseCharge do the work of CrImpulseSettle in two parts, for points of several ranks.
   CrImpulseCount adds the positive c_l of this rank to *debt, and the negative c_l to *available, the energy that can
   compensate the debt. The caller starts with the bank as *debt, and sums both over the ranks. CrImpulseCharge reduces
   the c_l of the points, and returns the new bank. */
void      CrImpulseCount(PetscInt n, const PetscReal *c, PetscReal *debt, PetscReal *available);
PetscReal CrImpulseCharge(PetscInt n, PetscReal *c, PetscReal debt, PetscReal available);

/* ---- impulses with friction (theory 16.5) ----------------------------------------------------- */

/* Linear system for impulses with Coulomb friction. Every point l has an impulse with a normal part r_n and a
   tangential part r_t. u = A r + b is the mean relative velocity at the point while the impulse acts. The conditions
   are

       r_n u_n + c = 0,   r_n >= 0;      |r_t| <= mu r_n,   u_t = 0  or  r_t = -mu r_n u_t / |u_t|.

   Point l has the row dim l for its normal part, and the rows dim l + 1 and (in 3D) dim l + 2 for its tangential part.
   A is stored with both triangles and all diagonal blocks. */
typedef struct {
  PetscInt         n, dim;
  const PetscInt  *start;  /* [dim n + 1] start of each row; borrowed, like all pointers below */
  const PetscInt  *column; /* columns, in any order within a row */
  const PetscReal *value;
  const PetscReal *b;  /* [dim n] */
  const PetscReal *c;  /* [n] <= 0 */
  const PetscReal *mu; /* [n] */
} CrRubbingSystem;

typedef struct {
  /* passes: number of alternations between the solutions for the normal and the tangential parts; sweeps: greatest
     number of Gauss-Seidel sweeps for the tangential part */
  PetscInt passes, sweeps;
  /* greatest |limit - mu r_n|, divided by the greatest limit; limit: friction limit used for the tangential part */
  PetscReal mismatch;
  PetscBool converged; /* normal and tangential parts agree: the mismatch is below 1e-12 */
} CrRubbingReport;

/* Computes the impulses r[dim n] and the mean velocities u[dim n]. The normal parts are solved last, so that the energy
   balance is exact even if the tangential parts have not converged. */
PetscErrorCode CrRubbingSolve(const CrRubbingSystem *system, PetscReal *r, PetscReal *u,
                              CrRubbingReport *report);

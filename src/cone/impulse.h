/* Impulses of the velocity update (LL03 75): every pressed contact point l gets an impulse j_l along its own contact
   traction, such that

       j_l ( sum_k A_lk j_k + b_l ) + c_l = 0,   j_l >= 0,   for every point,

   A is symmetric and positive semi-definite, and c_l <= 0. With all c_l < 0 there is exactly one solution, the minimum
   of the strictly convex function 1/2 j.A j + b.j - sum |c_l| ln j_l over j > 0. A point with c_l = 0 is the limit c_l
   -> 0-: j_l >= 0, (A j + b)_l >= 0, and one of the two is zero (|c_l| below 1e-60 of the energies of its cluster
   counts as zero).

   No function of this file is collective: the rank that stores a system of equations solves it. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt        n;     /* number of points */
  const PetscInt *start; /* [n+1] start of each row; borrowed, like all pointers below */
  /* columns in any order within a row; the matrix has both triangles and all diagonal entries */
  const PetscInt  *column;
  const PetscReal *value; /* A_lk [energy / j^2] */
  const PetscReal *b;     /* [n] [energy / j] */
  const PetscReal *c;     /* [n] [energy], <= 0 */
} CrImpulseSystem;

typedef struct {
  /* number of clusters (sets of points that A couples), and number of points of the largest cluster */
  PetscInt clusters, largest;
  PetscInt iterations; /* greatest number of Newton iterations in a cluster */
  /* greatest |j (A j + b) + c|, divided by max |c| of its cluster; if all c are zero, divided by the greatest b_l^2 /
     A_ll */
  PetscReal residual;
  PetscReal defect;    /* sum of j (A j + b) + c: the energy that the solution creates (+) */
  PetscBool converged; /* every residual below 1e-12 max |c|; or, where |c| is far below the energy
                          b_l^2 / A_ll of the motion, as small as the rounding of its terms allows,
                          and below 1e-10 of that energy */
} CrImpulseReport;

/* Computes the impulses j[n]. If A_ll = 0, an impulse at point l does not change any velocity. The point then gets the
   impulse j_l = -c_l / b_l if b_l > 0. Otherwise j_l is 0, the energy c_l < 0 of the point is not returned, and
   report->converged is false. This case is not an error. A system without solution, in which a positive combination of
   impulses changes no velocity, is not an error either. A value c_l > 0 or a missing diagonal entry is an error. */
PetscErrorCode CrImpulseSolve(const CrImpulseSystem *system, PetscReal *j, CrImpulseReport *report);

/* Makes c <= 0 before a solve, and keeps an account of the energy that this change creates or removes.

   With the true c a step has E_1 - E_0 + h D = sum_l [ j_l (A j + b)_l + c_l ]. If the system is solved with c'
   instead, the bracket is c_l - c'_l, so the step creates the energy sum(c - c'). *bank is the running sum of this
   energy: the energy that the method has created (+) since the start and must still remove. It is the `balance` of the
   run; contact_work reports its change. On return, up to rounding,

       sum(c) after = sum(c) before - (bank after - bank before),   all c <= 0.

   The debt is the bank at the call plus the sum of all c_l > 0. The function sets these positive c_l to 0. The points
   with c_l < 0 compensate the debt: all their c_l are multiplied by one factor (1 - debt / sum |c_l|) >= 0, so these
   points return less energy. A debt that exceeds sum |c_l| stays in the bank for later steps. A negative bank (energy
   was lost) only compensates values c_l > 0. Without debt nothing changes. If the step is rejected, the caller must
   restore the old bank. */
void CrImpulseSettle(PetscInt n, PetscReal *c, PetscReal *bank);
/* Do the work of CrImpulseSettle in two parts, for points of several ranks. CrImpulseCount adds the energies of this
   rank to the debt, and to the energy that can compensate the debt. The caller sets the initial debt to the bank.
   CrImpulseCharge reduces the c_l of the points, and returns the new bank. */
void      CrImpulseCount(PetscInt n, const PetscReal *c, PetscReal *debt, PetscReal *available);
PetscReal CrImpulseCharge(PetscInt n, PetscReal *c, PetscReal debt, PetscReal available);

/* ---- impulses with friction (theory 16.5) ----------------------------------------------------- */

/* Every point l has an impulse with a normal part r_n and a tangential part r_t, and u = A r + b is the mean velocity
   of the point while the impulse acts:

       r_n u_n + c = 0,   r_n >= 0;      |r_t| <= mu r_n,   u_t = 0  or  r_t = -mu r_n u_t / |u_t|.

   Rows are dim l (normal), dim l + 1 and, in space, dim l + 2. A contains both triangles and the diagonal blocks. */
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
  /* number of alternations between the normal and the tangential part; greatest number of sweeps for the tangential
     part */
  PetscInt  passes, sweeps;
  PetscReal mismatch;  /* greatest |limit - mu r_n|, divided by the greatest friction limit */
  PetscBool converged; /* both parts agree: the mismatch, and so |r_t| - mu r_n, is below 1e-12 */
} CrRubbingReport;

/* Computes the impulses r[dim n] and the velocities u[dim n]. The normal part is solved last, so that the energy
   balance is exact even if the tangential part has not converged. */
PetscErrorCode CrRubbingSolve(const CrRubbingSystem *system, PetscReal *r, PetscReal *u,
                              CrRubbingReport *report);

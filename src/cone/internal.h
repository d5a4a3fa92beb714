/* Declarations that the solvers of the Coulomb problem share. An island is a set of contacts that W couples with each
   other but with no other contact. A system is the whole problem or one island. */
#pragma once

#include "cone/cone.h"

#define CONE_WINDOW 8 /* number of sweeps from which Anderson mixing forms an iterate */
/* greatest number of contacts in a Newton matrix; with n contacts, its elimination order needs n^2 bits */
#define CONE_MOST_ACTIVE 20000

/* A system z = W r + q of n contacts: the whole problem or one island. Vectors have `stride` reals per contact. The
   stride is dim, or 4 if blocks in 3D are stored as 3 columns of 4 reals. Diagonal blocks and their inverses are dim x
   dim, stored column by column. All arrays are borrowed. */
typedef struct {
  PetscInt dim, stride, n;
  /* pattern of the blocks of W, by rows: symmetric, sorted, with all diagonal blocks */
  PetscInt  *row, *col;
  PetscReal *block; /* blocks of W; each block has dim columns of `stride` reals */
  /* diagonal blocks of W, and their inverses; the inverse of a singular block is set to zero */
  PetscReal *diagonal, *inverse;
  PetscReal *mu, *rho, *q;
  /* least denominator of eps: |q| of the whole problem times sqrt(contacts of this island / all contacts) */
  PetscReal floor;
  /* in proximal steps: for each contact, the multiple of I that is added to its diagonal block; else NULL */
  PetscReal *shift;
} ConeSystem;

typedef struct {
  /* the error measures of cone.h; `judged` combines both, and is compared with the tolerance of eps */
  PetscReal eps, eta, judged;
} ConeError;

/* Arrays of integers and reals that grow when necessary and never shrink. */
typedef struct {
  PetscInt   most;
  PetscReal *data;
} ConeReals;

typedef struct {
  PetscInt  most;
  PetscInt *data;
} ConeInts;

PetscErrorCode ConeRealsFit(ConeReals *a, PetscInt n);
PetscErrorCode ConeIntsFit(ConeInts *a, PetscInt n);

/* ---- sweeps (sweep.c) ---------------------------------------------------------------------- */

/* Makes one Gauss-Seidel sweep: solves every contact exactly, one after the other, and updates r. */
void ConeSweep(const ConeSystem *s, PetscReal r[]);
/* Computes b = q + (W + shift) r for contact i, without the contribution of its diagonal block. The function changes
   r_i temporarily. */
void ConeRowRest(const ConeSystem *s, PetscInt i, PetscReal r[], PetscReal b[]);
/* Computes z = (W + shift) r + q. */
void ConeProduct(const ConeSystem *s, const PetscReal r[], PetscReal z[]);
/* Returns the error measures of r, and computes z = W r + q. `o` gives the two tolerances. *worst is the contact that
   contributes most to eta. */
ConeError ConeMeasure(const ConeSystem *s, const CrConeOptions *o, const PetscReal r[],
                      PetscReal z[], PetscInt *worst);
void      ConeProjectAll(const ConeSystem *s, PetscReal r[]);
/* Computes s->diagonal, s->inverse and s->rho from s->block. If s->block is NULL, computes inverse and rho from the
   diagonal. */
void ConeInvertDiagonal(ConeSystem *s);

/* ---- mixing (mix.c) ------------------------------------------------------------------------ */

typedef struct {
  /* size: reals of a vector; count: number of stored pairs (G, H); next: position of the next pair */
  PetscInt  size, count, next;
  ConeReals G, H;
  PetscReal gram[CONE_WINDOW][CONE_WINDOW];
  PetscReal last; /* norm |H| of the last pair */
} ConeMix;

PetscErrorCode ConeMixStart(ConeMix *mix, PetscInt size);
void           ConeMixForget(ConeMix *mix);
/* Returns |H|, the norm of the change of the iterate from `from` to `to` in a sweep. If `keep` is true, also stores the
   sweep. */
PetscReal ConeMixAdd(ConeMix *mix, const PetscReal from[], const PetscReal to[], PetscBool keep);
/* Sets r to the mixed iterate, without projection on the cones. Returns false and does not change r if no mixed
   iterate exists. */
PetscBool ConeMixApply(ConeMix *mix, PetscReal r[]);

/* ---- block LU (lu.c) ----------------------------------------------------------------------- */

typedef struct {
  PetscInt n, dim;
  /* block row that is eliminated at each position, and position of each block row */
  ConeInts order, place;
  /* patterns of U and L, with positions as indices; columns of L are ascending */
  ConeInts  urow, ucol, lrow, lcol;
  ConeInts  degree, fill;
  ConeReals L, U, pivot, work, solution;
  ConeReals bits; /* the elimination graph, with one bit per pair of block rows */
} ConeLU;

/* Finds the minimum-degree elimination order for a symmetric pattern of n block rows, and the pattern of the
   factors. */
PetscErrorCode ConeLUOrder(ConeLU *lu, PetscInt n, const PetscInt row[], const PetscInt col[]);
/* Factors the matrix A, whose dim x dim blocks are stored column by column. The pattern of A must be the one that
   ConeLUOrder has ordered. */
PetscErrorCode ConeLUFactor(ConeLU *lu, PetscInt dim, const PetscInt row[], const PetscInt col[],
                            const PetscReal A[]);
/* Solves A x = b with the factors of ConeLUFactor. b and x have dim reals per row, and x may be b. */
void           ConeLUSolve(ConeLU *lu, const PetscReal b[], PetscReal x[]);
PetscErrorCode ConeLUFree(ConeLU *lu);

/* ---- Newton (newton.c) --------------------------------------------------------------------- */

typedef enum {
  CONE_NATURAL,   /* natural map: projection on the cone, with the term mu |z_t| (F in cone.h) */
  CONE_ALART_OLD, /* Alart-Curnier map; friction limit mu max(r_n, 0) */
  CONE_ALART_NEW  /* Alart-Curnier map; friction limit mu max(r_n - rho z_n, 0) */
} ConeMap;

typedef struct {
  ConeMap  map;
  PetscInt most, halvings;
  /* factor of I/rho_i, which is added to the matrix but not to the residual */
  PetscReal regularisation;
} ConePlan;

typedef struct {
  ConeReals F, C, E, step, trial, z, best, rhs, A, residual;
  ConeInts  active, number, row, col, previous;
  /* number of active contacts for which the elimination order was computed; -1: none */
  PetscInt nprevious;
  ConeLU   lu;
} ConeNewtonWork;

/* Computes the residual F of the map at r and z, and returns its norm. If C is not NULL, also computes the matrices C
   and E of its derivative C dr + E W dr (cone.h). Contacts with P' = 0 have E = 0 and C = I. */
PetscReal ConeMapResidual(const ConeSystem *s, ConeMap map, const PetscReal r[],
                          const PetscReal z[], PetscReal F[], PetscReal C[], PetscReal E[]);
/* Applies Newton's method to the map of `plan`, starting from r, until error->judged is below `goal`. r becomes the
   best iterate. */
PetscErrorCode ConeNewton(const ConeSystem *s, const CrConeOptions *o, ConeNewtonWork *w,
                          const ConePlan *plan, PetscReal goal, PetscReal r[], ConeError *error,
                          PetscInt *iterations);

/* ---- solvers ------------------------------------------------------------------------------- */

/* Work arrays of the solvers, as large as the largest island so far needs. CrCone owns them. */
typedef struct {
  ConeReals      z, best, from, center, kept, diagonal, inverse, rho, q, shift;
  ConeMix        mix;
  ConeNewtonWork newton;
} ConeWork;

typedef struct {
  PetscInt  sweeps, newton, proximal;
  ConeError error;
} ConeOutcome;

typedef struct {
  const char *name, *help;
  PetscBool   islands; /* the solver works on one island after the other */
  /* Solves the system s. On entry r has the initial values, on return the solution. o->tolerance is the tolerance for
     this island. */
  PetscErrorCode (*solve)(const ConeSystem *s, const CrConeOptions *o, ConeWork *w, PetscReal r[],
                          ConeOutcome *out);
} ConeSolver;

extern const ConeSolver ConeHybrid, ConeGaussSeidel, ConeProjection;

const ConeSolver *ConeSolverFind(const char name[]); /* NULL: unknown */

/* ---- the problem (problem.c, islands.c) ---------------------------------------------------- */

struct CrCone {
  PetscInt dim, n;
  /* the system of all contacts; its arrays are the members from row to z */
  ConeSystem system;
  ConeInts   row, col;
  ConeReals  block, diagonal, inverse, mu, rho, q, r, z;
  PetscInt   unsupported; /* number of zero diagonal blocks */
  /* inverses of diagonal blocks and islands have been computed for the present W */
  PetscBool prepared;

  PetscInt nislands;
  ConeInts first, member; /* the contacts of island k are member[first[k]..first[k+1]) */
  ConeInts number, stack; /* number of each contact within its island; work array */
  /* the island that is being solved; its arrays are the members from irow to ir */
  ConeSystem island;
  ConeInts   irow, icol;
  ConeReals  iblock, idiagonal, iinverse, imu, irho, iq, ir;
  ConeWork   work;
};

PetscErrorCode ConeFindIslands(CrCone *cone);
/* Copies the data of island k into a system of its own, and sets *s to this system. Copies the island's part of r, and
   sets *ri to the copy. */
PetscErrorCode ConeGatherIsland(CrCone *cone, PetscInt k, const PetscReal r[], const ConeSystem **s,
                                PetscReal **ri);
void ConeScatterIsland(const CrCone *cone, PetscInt k, const PetscReal ri[], PetscReal r[]);

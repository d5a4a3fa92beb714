/* Declarations that the solvers of the Coulomb problem share. An island is a set of contacts that W couples with each
   other but with no other contact. A system is the whole problem or one island. */
#pragma once

#include "cone/cone.h"

#define CONE_WINDOW 8 /* number of sweeps from which Anderson mixing forms an iterate */
#define CONE_MOST_ACTIVE                                                                           \
  20000 /* greatest number of contacts in a Newton matrix, because its ordering needs n^2 bits */

/* Vectors have `stride` reals per contact: dim, or 4 if blocks in 3D are stored as 3 columns of 4. Diagonal
   blocks and inverses are dim x dim, column by column. All arrays are borrowed. */
typedef struct {
  PetscInt   dim, stride, n;
  PetscInt  *row, *col; /* pattern of blocks: symmetric, sorted, with the diagonal */
  PetscReal *block;     /* each block has dim columns of stride reals */
  /* diagonal blocks, and their inverses; a singular block has the inverse zero */
  PetscReal *diagonal, *inverse;
  PetscReal *mu, *rho, *q;
  PetscReal  floor; /* least denominator of eps: the island's share of |q| of the whole problem */
  PetscReal
      /* in proximal steps: the multiple of I that is added to each diagonal block; else NULL */
      *shift;
} ConeSystem;

typedef struct {
  /* both error measures; `judged` is the number that is compared with the tolerance of eps */
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

/* Makes one Gauss-Seidel sweep: every contact is solved exactly, one after the other. */
void ConeSweep(const ConeSystem *s, PetscReal r[]);
/* Computes b = q + (W + shift) r for contact i, without the diagonal block. r_i is restored afterwards. */
void ConeRowRest(const ConeSystem *s, PetscInt i, PetscReal r[], PetscReal b[]);
/* Computes z = (W + shift) r + q. */
void ConeProduct(const ConeSystem *s, const PetscReal r[], PetscReal z[]);
/* Computes both error measures, and z. The options give the two tolerances. */
ConeError ConeMeasure(const ConeSystem *s, const CrConeOptions *o, const PetscReal r[],
                      PetscReal z[], PetscInt *worst);
void      ConeProjectAll(const ConeSystem *s, PetscReal r[]);
/* Computes diagonal, inverse and rho from the blocks; without blocks, inverse and rho from the diagonal. */
void ConeInvertDiagonal(ConeSystem *s);

/* ---- mixing (mix.c) ------------------------------------------------------------------------ */

typedef struct {
  PetscInt  size, count, next; /* reals of a vector; number of pairs kept; place of the next pair */
  ConeReals G, H;
  PetscReal gram[CONE_WINDOW][CONE_WINDOW];
  PetscReal last; /* |H| of the last pair */
} ConeMix;

PetscErrorCode ConeMixStart(ConeMix *mix, PetscInt size);
void           ConeMixForget(ConeMix *mix);
/* If `keep` is true, stores a sweep that changed the iterate from `from` to `to`. Returns |H|, the norm of the change
   in the sweep. */
PetscReal ConeMixAdd(ConeMix *mix, const PetscReal from[], const PetscReal to[], PetscBool keep);
/* Sets r to the mixed iterate, without projection on the cones. Returns false and does not change r if no mixed
   iterate exists. */
PetscBool ConeMixApply(ConeMix *mix, PetscReal r[]);

/* ---- block LU (lu.c) ----------------------------------------------------------------------- */

typedef struct {
  PetscInt  n, dim;
  ConeInts  order, place;           /* row of each position, and position of each row */
  ConeInts  urow, ucol, lrow, lcol; /* pattern by positions; lrow..lcol ascending */
  ConeInts  degree, fill;
  ConeReals L, U, pivot, work, solution;
  ConeReals bits; /* the elimination graph, one bit per pair of rows */
} ConeLU;

/* Finds the minimum-degree order of a pattern (symmetric, by rows), and the pattern of its factors. */
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
  CONE_NATURAL,   /* projection on the cone, with the term mu |z_t| */
  CONE_ALART_OLD, /* Alart-Curnier, radius mu max(r_n, 0) */
  CONE_ALART_NEW  /* Alart-Curnier, radius mu max(r_n - rho z_n, 0) */
} ConeMap;

typedef struct {
  ConeMap   map;
  PetscInt  most, halvings;
  PetscReal regularisation; /* factor of I/rho_i, which is added to the matrix only */
} ConePlan;

typedef struct {
  ConeReals F, C, E, step, trial, z, best, rhs, A, residual;
  ConeInts  active, number, row, col, previous;
  PetscInt  nprevious; /* size of the active set for which the LU was ordered; -1: none */
  ConeLU    lu;
} ConeNewtonWork;

/* Computes F and returns its norm. If C is not NULL, also computes C and E of its derivative C dr + E W dr;
   contacts with P' = 0 have E = 0 and C = I. */
PetscReal ConeMapResidual(const ConeSystem *s, ConeMap map, const PetscReal r[],
                          const PetscReal z[], PetscReal F[], PetscReal C[], PetscReal E[]);
/* Iterates from r until the judged error is below `goal`. r becomes the best iterate. */
PetscErrorCode ConeNewton(const ConeSystem *s, const CrConeOptions *o, ConeNewtonWork *w,
                          const ConePlan *plan, PetscReal goal, PetscReal r[], ConeError *error,
                          PetscInt *iterations);

/* ---- solvers ------------------------------------------------------------------------------- */

/* Work space, as large as the largest island so far needs. The problem owns it. */
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
  /* On entry r has the initial values, on return the solution. o->tolerance is the tolerance of the island. */
  PetscErrorCode (*solve)(const ConeSystem *s, const CrConeOptions *o, ConeWork *w, PetscReal r[],
                          ConeOutcome *out);
} ConeSolver;

extern const ConeSolver ConeHybrid, ConeGaussSeidel, ConeProjection;

const ConeSolver *ConeSolverFind(const char name[]); /* NULL: unknown */

/* ---- the problem (problem.c, islands.c) ---------------------------------------------------- */

struct CrCone {
  PetscInt dim, n;
  /* the system of all contacts; the arrays of this system are the members below */
  ConeSystem system;
  ConeInts   row, col;
  ConeReals  block, diagonal, inverse, mu, rho, q, r, z;
  PetscInt   unsupported; /* number of zero diagonal blocks */
  PetscBool  prepared;    /* inverses and islands belong to the present W */

  PetscInt nislands;
  ConeInts first, member; /* the contacts of island k are member[first[k]..first[k+1]) */
  ConeInts number, stack; /* number of each contact within its island; scratch */
  /* the island that is being solved; the arrays of this island are the members below */
  ConeSystem island;
  ConeInts   irow, icol;
  ConeReals  iblock, idiagonal, iinverse, imu, irho, iq, ir;
  ConeWork   work;
};

PetscErrorCode ConeFindIslands(CrCone *cone);
/* Gathers island k into arrays of its own, and its part of r into *ri. If there is one island, *s is the whole
   system. */
PetscErrorCode ConeGatherIsland(CrCone *cone, PetscInt k, const PetscReal r[], const ConeSystem **s,
                                PetscReal **ri);
void ConeScatterIsland(const CrCone *cone, PetscInt k, const PetscReal ri[], PetscReal r[]);

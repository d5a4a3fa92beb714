/* What the solvers share: one system (the whole problem or an island), its work space, the pieces. */
#pragma once

#include "cone/cone.h"

#define CONE_WINDOW      8     /* sweeps that are mixed */
#define CONE_MOST_ACTIVE 20000 /* contacts in a Newton matrix: its ordering keeps n^2 bits */

/* Vectors have `stride` reals per contact: dim, or 4 where a block of 3D is kept as 3 columns of 4.
   Diagonal blocks and inverses are dim x dim, column by column. All arrays borrowed. */
typedef struct {
  PetscInt  dim, stride, n;
  PetscInt *row,
      *col;         /* pattern of blocks: symmetric, sorted, with the diagonal; NULL: matrix-free */
  PetscReal *block; /* dim columns of stride */
  CrConeRow *product; /* matrix-free */
  void      *ctx;
  PetscReal *diagonal, *inverse; /* inverse of a singular block: zeros */
  PetscReal *mu, *rho, *q;
  PetscReal  floor; /* least scale of eps: an island's share of the whole problem's |q| */
  PetscReal *shift; /* a multiple of I added to each diagonal block (proximal), or NULL */
} ConeSystem;

typedef struct {
  PetscReal eps, eta, judged; /* judged: the one to compare with the tolerance on eps */
} ConeError;

/* Grows, never shrinks. */
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

/* One Gauss-Seidel sweep, every contact solved exactly in turn. */
void ConeSweep(const ConeSystem *s, PetscReal r[]);
/* q + (W + shift) r without the part of contact i itself; r_i comes back as it was. */
void ConeRowRest(const ConeSystem *s, PetscInt i, PetscReal r[], PetscReal b[]);
/* z = (W + shift) r + q */
void ConeProduct(const ConeSystem *s, const PetscReal r[], PetscReal z[]);
/* Both measures; z is filled. tolerance, tolerance_scaled: as in the options. */
ConeError ConeMeasure(const ConeSystem *s, const CrConeOptions *o, const PetscReal r[],
                      PetscReal z[], PetscInt *worst);
void      ConeProjectAll(const ConeSystem *s, PetscReal r[]);
/* diagonal, inverse and rho from the blocks (or of diagonal already there). */
void ConeInvertDiagonal(ConeSystem *s);

/* ---- mixing (mix.c) ------------------------------------------------------------------------ */

typedef struct {
  PetscInt  size, count, next; /* reals in a vector; pairs kept; where the next one goes */
  ConeReals G, H;
  PetscReal gram[CONE_WINDOW][CONE_WINDOW];
  PetscReal last; /* |H| of the newest pair */
} ConeMix;

PetscErrorCode ConeMixStart(ConeMix *mix, PetscInt size);
void           ConeMixForget(ConeMix *mix);
/* A sweep went from `from` to `to`; returns |H|. keep: whether the pair enters the window. */
PetscReal ConeMixAdd(ConeMix *mix, const PetscReal from[], const PetscReal to[], PetscBool keep);
/* r <- the mixed iterate, not yet projected; false and r untouched if there is none. */
PetscBool ConeMixApply(ConeMix *mix, PetscReal r[]);

/* ---- block LU (lu.c) ----------------------------------------------------------------------- */

typedef struct {
  PetscInt  n, dim;
  ConeInts  order, place;           /* position -> row, row -> position */
  ConeInts  urow, ucol, lrow, lcol; /* pattern by positions; lrow..lcol ascending */
  ConeInts  degree, fill;
  ConeReals L, U, pivot, work, solution;
  ConeReals bits; /* the elimination graph, a bit per pair */
} ConeLU;

/* Pattern (symmetric, by rows) -> minimum-degree order and the pattern of the factors. */
PetscErrorCode ConeLUOrder(ConeLU *lu, PetscInt n, const PetscInt row[], const PetscInt col[]);
/* A: dim x dim blocks column by column, in the pattern that was ordered. */
PetscErrorCode ConeLUFactor(ConeLU *lu, PetscInt dim, const PetscInt row[], const PetscInt col[],
                            const PetscReal A[]);
/* x = A \ b, dim reals per row; x may be b. */
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
  PetscReal regularisation; /* times I/rho_i, in the matrix only */
} ConePlan;

typedef struct {
  ConeReals F, C, E, step, trial, z, best, rhs, A, residual;
  ConeInts  active, number, row, col, previous;
  PetscInt  nprevious; /* active set that the LU was ordered for; -1: none */
  ConeLU    lu;
} ConeNewtonWork;

/* F, and where C is given the rows C dr + E W dr of its derivative (contacts with P' = 0: E = 0, C = I). */
PetscReal ConeMapResidual(const ConeSystem *s, ConeMap map, const PetscReal r[],
                          const PetscReal z[], PetscReal F[], PetscReal C[], PetscReal E[]);
/* From r towards r with judged error <= goal; r becomes the best iterate. */
PetscErrorCode ConeNewton(const ConeSystem *s, const CrConeOptions *o, ConeNewtonWork *w,
                          const ConePlan *plan, PetscReal goal, PetscReal r[], ConeError *error,
                          PetscInt *iterations);

/* ---- solvers ------------------------------------------------------------------------------- */

/* Of the largest island so far; owned by the problem. */
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
  PetscBool   islands; /* takes them one by one */
  /* r: start and answer; o->tolerance is the island's. */
  PetscErrorCode (*solve)(const ConeSystem *s, const CrConeOptions *o, ConeWork *w, PetscReal r[],
                          ConeOutcome *out);
} ConeSolver;

extern const ConeSolver ConeHybrid, ConeGaussSeidel, ConeProjection;

const ConeSolver *ConeSolverFind(const char name[]); /* NULL: unknown */

/* ---- the problem (problem.c, islands.c) ---------------------------------------------------- */

struct CrCone {
  PetscInt   dim, n;
  ConeSystem system; /* of all contacts; its arrays are the members below */
  ConeInts   row, col;
  ConeReals  block, diagonal, inverse, mu, rho, q, r, z;
  PetscInt   unsupported; /* zero diagonal blocks */
  PetscBool  prepared;    /* inverses and islands are those of W */

  PetscInt   nislands;
  ConeInts   first, member; /* contacts of island k: member[first[k]..first[k+1]) */
  ConeInts   number, stack; /* number: of a contact within its island */
  ConeSystem island;        /* the one at hand, gathered; arrays below */
  ConeInts   irow, icol;
  ConeReals  iblock, idiagonal, iinverse, imu, irho, iq, ir;
  ConeWork   work;
};

PetscErrorCode ConeFindIslands(CrCone *cone);
/* Island k with its own arrays; the whole system where there is only one. r of all -> r of it. */
PetscErrorCode ConeGatherIsland(CrCone *cone, PetscInt k, const PetscReal r[], const ConeSystem **s,
                                PetscReal **ri);
void ConeScatterIsland(const CrCone *cone, PetscInt k, const PetscReal ri[], PetscReal r[]);

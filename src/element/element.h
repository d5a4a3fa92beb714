/* Elements: shape functions, quadrature, and kernels over batches of CR_BATCH elements of one type. The first part of
   this header is for the model, the second part for tests and kernels. */
#pragma once

#include "base/base.h"
#include "material/material.h"
#include "mesh/mesh.h"

#define CR_MAX_POINTS 14
#define CR_MAX_DOFS   (3 * CR_MAX_CELL_NODES)

/* Shape functions at the points of one quadrature rule. */
typedef struct {
  PetscInt  n;
  PetscReal weight[CR_MAX_POINTS];
  PetscReal N[CR_MAX_POINTS][CR_MAX_CELL_NODES];
  PetscReal dN[CR_MAX_POINTS][CR_MAX_CELL_NODES][3]; /* derivatives by reference coordinates */
} CrRule;

/* Elements of one type, body and material. Cells that this rank owns come first. Ghost cells follow, which share nodes
   with owned cells. With the ghost cells, this rank computes every owned row completely, without communication. */
struct CrElementBlock {
  const CrElement  *element;
  const CrMaterial *material; /* borrowed from the model */
  PetscInt          body;
  PetscInt          n, nowned, nbatches;
  PetscInt *nodes; /* [nbatches][nnodes][CR_BATCH] local nodes; the last batch is filled up with its
                      last element; owned */
  PetscInt *cell;  /* [n] cell number in the whole mesh, owned */
  PetscReal thickness;
  PetscBool axial; /* rings around the axis x = 0 */
  PetscBool
      split; /* kernels add the volumetric energy U of the law, at the mean volume of the element */
  PetscReal volume_part; /* share of U that is computed with the volume of each point */
  PetscBool one_point;   /* one stress point and hourglass control (Q4, H8) */
  PetscInt
      state_size; /* number of state variables that the law has at every stress point; 0: none */
  /* Bulk viscosity of `explicit`: c1 times the speed of pressure waves, and c2 (bulk.h) */
  PetscReal bulk_linear, bulk_quadratic;
  CrRule    stress_rule, mass_rule;
};

/* The numbers that bulk viscosity stores for a cell: pressure and rate of volume at the end of the last step, and work
   per undeformed volume. */
enum { CR_BULK_PRESSURE, CR_BULK_RATE, CR_BULK_WORK, CR_BULK };

/* Nodal fields that a kernel reads, by local node: positions X, and displacements at one or two times. Laws with state
   always read the displacements at both times, and their state at u0, [batch][point][component][CR_BATCH]. */
typedef struct {
  const PetscReal *X, *u0, *u1;
  const PetscReal
           *state; /* internal variables at the block's quadrature points; NULL: the law has none */
  PetscReal h;     /* time from u0 to u1, for laws with state */
  PetscBool lags;  /* as in CrPast */
  /* For tangents: the pressure of the mean volume is computed at the displacements `before`, and extrapolated linearly
     to `reached`. If these are NULL, the pressure is computed at u1. */
  const PetscReal *before, *reached;
} CrNodal;

/* The kind of force: with the conserving stress between u0 and u1, or with the stress at u1. */
typedef enum {
  CR_FORCE_CONSERVING,
  CR_FORCE_POINT,
  CR_FORCE_MATERIAL /* like CR_FORCE_POINT, but the tangent has no geometric part */
} CrForceKind;

/* Results for one batch: CR_BATCH values of each number, one per element. NULL: the result is not needed. */
typedef struct {
  PetscReal *force;     /* [nnodes*dim] */
  PetscReal *tangent;   /* [nnodes*dim][nnodes*dim], d force / d u1 */
  PetscReal *energy;    /* strain energy at u1; the kernel `force` can compute it too */
  PetscReal *det;       /* least det F at u1; the kernel `force` computes it together with energy */
  PetscReal *stretch;   /* least principal stretch at u1 */
  PetscReal *stress;    /* [npoints][6] Cauchy stress at u1 */
  PetscReal *hourglass; /* the part of the energy that hourglass springs store, from `observe` */
  PetscReal *mass;      /* [nnodes][nnodes], density and thickness included */
  PetscReal *state;     /* [npoints][state_size] state at u1, from the kernel `commit` */
  PetscReal *loss;      /* energy that the law dissipates between u0 and u1, from `commit` */
  PetscReal
      *damping; /* from `bulk`: pressure per rate of volume; `force` is then the force for p = 1 */
} CrKernelOut;

typedef void CrKernel(const CrElementBlock *, PetscInt batch, const CrNodal *, CrForceKind,
                      const CrKernelOut *);

/* Points and weights on the reference cell. */
typedef struct {
  PetscInt  n;
  PetscReal point[CR_MAX_POINTS][3], weight[CR_MAX_POINTS];
} CrQuadrature;

struct CrElement {
  CrCellType          type;
  PetscInt            dim, nnodes, npoints;
  PetscBool           quadratic; /* mass is lumped by diagonal scaling, not by row sums */
  const CrQuadrature *stress_rule, *mass_rule;
  const PetscReal (*nodes)[3]; /* reference coordinates */
  void (*shape)(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3]);
  CrKernel *force, *tangent, *observe, *mass;
  CrKernel *commit; /* laws with state: computes the state and the loss at the end of a step */
  /* Computes bulk viscosity: force, loss, and the CR_BULK numbers of each cell, which it stores in `state`. */
  CrKernel *bulk;
};

/* Returns the element of a cell type, with the kernels of the chosen instruction set. */
const CrElement *CrElementGet(CrCellType type);
/* Returns the i-th element of the registry; NULL after the last element. */
const CrElement *CrElementAt(PetscInt i);
/* Computes the shape functions at the points of a quadrature. */
void CrRuleFill(const CrElement *element, const CrQuadrature *quadrature, CrRule *rule);

/* Returns the least det(dX/dxi) over the points of a rule. The determinant is not positive for degenerate cells. */
PetscReal CrElementLeastJacobian(const CrElement *element, const CrRule *rule, PetscReal X[][3]);
/* Computes the matrix [nnodes][npoints] that extrapolates values from the stress points to the nodes. The matrix
   evaluates the polynomial of the corners' degree that fits the values at the points by least squares. */
void CrElementExtrapolation(const CrElement *element, PetscReal *matrix);

/* Lumps the consistent mass matrix in lane l of a batch to nodal masses m[nnodes]. */
void CrElementLump(const CrElement *element, const PetscReal *M, PetscInt l, PetscReal *m);

/* Computes upper bounds values[CR_BATCH] of the greatest eigenvalues of a batch of element matrices. Each matrix K is
   multiplied from both sides by the diagonal matrix scale[nd][CR_BATCH]. */
void CrElementSpectrum(PetscInt nd, const PetscReal *K, const PetscReal *scale, PetscReal *values);

/* Computes the quadrature rule for integrals over boundary facets. */
void CrFacetRule(CrCellType facet_type, CrRule *rule);

extern const CrQuadrature CrQuadTri1, CrQuadTri3, CrQuadTri6, CrQuadQuad4, CrQuadQuad9, CrQuadTet1,
    CrQuadTet4, CrQuadTet14, CrQuadHex8, CrQuadQuad1, CrQuadHex1, CrQuadLine2, CrQuadLine3;

/* Finite elements: shape functions, quadrature, and kernels. A kernel computes forces, tangents or other results for a
   batch of CR_BATCH elements of one type. */
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
  /* derivatives with respect to reference coordinates */
  PetscReal dN[CR_MAX_POINTS][CR_MAX_CELL_NODES][3];
} CrRule;

/* Elements of one type, body and material. Cells that this rank owns come first. Ghost cells follow, which share nodes
   with owned cells. With the ghost cells, this rank computes all forces on its owned nodes without communication. */
struct CrElementBlock {
  const CrElement  *element;
  const CrMaterial *material; /* borrowed from the model */
  PetscInt          body;
  PetscInt          n, nowned, nbatches;
  /* [nbatches][nnodes][CR_BATCH] local nodes of the elements; the last batch is filled with copies of its last element;
     owned */
  PetscInt *nodes;
  PetscInt *cell; /* [n] cell number in the whole mesh, owned */
  PetscReal thickness;
  PetscBool axial; /* axial symmetry: elements are rings around the axis x = 0 */
  /* the law is split, W = W_rest + U, and kernels compute U with the mean volume ratio of the element */
  PetscBool split;
  /* fraction of U that is computed with the volume ratio at each quadrature point */
  PetscReal volume_part;
  PetscBool one_point; /* one quadrature point for stresses, with hourglass control (Q4, H8) */
  /* number of internal variables of the law at each quadrature point; 0: none */
  PetscInt state_size;
  /* bulk viscosity of the method `explicit`: c1 times the speed of pressure waves, and c2 (bulk.h) */
  PetscReal bulk_linear, bulk_quadratic;
  CrRule    stress_rule, mass_rule;
};

/* The numbers that bulk viscosity stores for a cell: pressure and relative rate of volume at the end of the last step,
   and dissipated work per undeformed volume. */
enum { CR_BULK_PRESSURE, CR_BULK_RATE, CR_BULK_WORK, CR_BULK };

/* Arrays that a kernel reads. X, u0 and u1 have dim numbers per local node: reference positions, and displacements at
   the start and end of the step. Laws with internal variables always need both displacements, and the internal
   variables at u0 as an array [batch][point][component][CR_BATCH]. */
typedef struct {
  const PetscReal *X, *u0, *u1;
  /* internal variables at the block's quadrature points; NULL: the law has none */
  const PetscReal *state;
  PetscReal        h;    /* time from u0 to u1, for laws with internal variables */
  PetscBool        lags; /* as in CrPast */
  /* For tangents of elements with mean volume: the pressure is computed at the displacements `before`, and extrapolated
     linearly to `reached`. If both are NULL, the pressure is computed at u1. */
  const PetscReal *before, *reached;
} CrNodal;

/* The kind of internal force: with the energy-conserving stress between u0 and u1, or with the stress at u1. */
typedef enum {
  CR_FORCE_CONSERVING,
  CR_FORCE_POINT,
  CR_FORCE_MATERIAL /* like CR_FORCE_POINT, but the tangent has no geometric part */
} CrForceKind;

/* Results of a kernel for one batch. Each number has CR_BATCH values, one per element. A pointer is NULL if its result
   is not needed. */
typedef struct {
  PetscReal *force;   /* [nnodes*dim] */
  PetscReal *tangent; /* [nnodes*dim][nnodes*dim], d force / d u1 */
  PetscReal *energy;  /* strain energy at u1; the kernel `force` can compute it too */
  PetscReal *det;     /* least det F at u1; the kernel `force` computes it together with energy */
  PetscReal *stretch; /* least principal stretch at u1 */
  PetscReal *stress;  /* [npoints][6] Cauchy stress at u1 */
  /* the part of the energy that is stored in hourglass springs, from the kernel `observe` */
  PetscReal *hourglass;
  PetscReal *mass; /* [nnodes][nnodes], density and thickness included */
  /* [npoints][state_size] internal variables at u1, from the kernel `commit` */
  PetscReal *state;
  /* energy that the law dissipates between u0 and u1, from the kernel `commit` */
  PetscReal *loss;
  /* from the kernel `bulk`: derivative of the pressure with respect to the rate of volume; then `force` is the force
     for p = 1 */
  PetscReal *damping;
} CrKernelOut;

typedef void CrKernel(const CrElementBlock *, PetscInt batch, const CrNodal *, CrForceKind,
                      const CrKernelOut *);

/* Quadrature points and weights on the reference cell. */
typedef struct {
  PetscInt  n;
  PetscReal point[CR_MAX_POINTS][3], weight[CR_MAX_POINTS];
} CrQuadrature;

struct CrElement {
  CrCellType type;
  PetscInt   dim, nnodes, npoints;
  /* element of second order; its mass is lumped by diagonal scaling, not by row sums */
  PetscBool           quadratic;
  const CrQuadrature *stress_rule, *mass_rule;
  const PetscReal (*nodes)[3]; /* reference coordinates of the nodes */
  void (*shape)(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3]);
  CrKernel *force, *tangent, *observe, *mass;
  CrKernel *commit; /* computes internal variables and dissipated energy at the end of a step */
  /* Computes the force and energy loss of bulk viscosity, and the CR_BULK numbers of each cell, which it writes to
     `state`. */
  CrKernel *bulk;
};

/* Returns the element of a cell type, with kernels for the instruction set of the processor. */
const CrElement *CrElementGet(CrCellType type);
/* Returns the i-th element of the registry; NULL after the last element. */
const CrElement *CrElementAt(PetscInt i);
/* Computes `rule`: weights, shape functions and their derivatives at the points of a quadrature. */
void CrRuleFill(const CrElement *element, const CrQuadrature *quadrature, CrRule *rule);

/* Returns the least det(dX/dxi) over the points of a rule. X are the positions of the nodes. The result is zero or
   negative for degenerate cells. */
PetscReal CrElementLeastJacobian(const CrElement *element, const CrRule *rule, PetscReal X[][3]);
/* Computes the matrix [nnodes][npoints] that extrapolates values from the quadrature points of stresses to the nodes.
   The extrapolation fits a polynomial to the values by least squares. The polynomial is linear on triangles and
   tetrahedra, and bilinear or trilinear on quadrilaterals and hexahedra. With one quadrature point, the polynomial is
   constant. */
void CrElementExtrapolation(const CrElement *element, PetscReal *matrix);

/* Computes the lumped nodal masses m[nnodes] of element l of a batch from its consistent mass matrix M. */
void CrElementLump(const CrElement *element, const PetscReal *M, PetscInt l, PetscReal *m);

/* Computes values[CR_BATCH], upper bounds of the greatest eigenvalues of the matrices S K S of a batch of elements. K
   are nd x nd element matrices, and S the diagonal matrices scale[nd][CR_BATCH]. */
void CrElementSpectrum(PetscInt nd, const PetscReal *K, const PetscReal *scale, PetscReal *values);

/* Computes the quadrature rule for integrals over boundary facets of this type. */
void CrFacetRule(CrCellType facet_type, CrRule *rule);

extern const CrQuadrature CrQuadTri1, CrQuadTri3, CrQuadTri6, CrQuadQuad4, CrQuadQuad9, CrQuadTet1,
    CrQuadTet4, CrQuadTet14, CrQuadHex8, CrQuadQuad1, CrQuadHex1, CrQuadLine2, CrQuadLine3;

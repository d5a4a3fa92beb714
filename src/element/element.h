/* Elements: shape functions, quadrature, and kernels over batches of CR_BATCH elements of one type.
   First what the model needs, then what tests and kernels need. */
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
  PetscReal dN[CR_MAX_POINTS][CR_MAX_CELL_NODES][3]; /* by reference coordinates */
} CrRule;

/* Elements of one type, body and material. Cells that this rank owns come first; the cells after
   them touch nodes that this rank owns, so that every owned row is complete without communication. */
struct CrElementBlock {
  const CrElement  *element;
  const CrMaterial *material; /* borrowed from the model */
  PetscInt          body;
  PetscInt          n, nowned, nbatches;
  PetscInt *nodes; /* [nbatches][nnodes][CR_BATCH] local nodes; the last batch repeats its last
                      element in the lanes left over; owned */
  PetscInt *cell;  /* [n] cell number within the whole mesh, owned */
  PetscReal thickness;
  PetscBool one_point;  /* one stress point and hourglass control (Q4, H8) */
  PetscInt  state_size; /* numbers that the law keeps at every stress point; 0: none */
  CrRule    stress_rule, mass_rule;
};

/* Nodal fields that a kernel reads, by local node: X, and displacements at one or two times. Laws
   with state always look at both, and at their state at u0: [batch][point][component][CR_BATCH]. */
typedef struct {
  const PetscReal *X, *u0, *u1;
  const PetscReal *state; /* of the block; NULL: its law has none */
  PetscReal        h;     /* time from u0 to u1, for laws with state */
} CrNodal;

/* Where the force is taken: between u0 and u1 with the conserving stress, or at u1. */
typedef enum {
  CR_FORCE_CONSERVING,
  CR_FORCE_POINT,
  CR_FORCE_MATERIAL /* as CR_FORCE_POINT, but the tangent without its geometric part */
} CrForceKind;

/* What a kernel may fill for one batch, every number CR_BATCH times: NULL = not wanted. */
typedef struct {
  PetscReal *force;   /* [nnodes*dim] */
  PetscReal *tangent; /* [nnodes*dim][nnodes*dim], d force / d u1 */
  PetscReal *energy;  /* strain energy at u1; from `force` too, at u1 */
  PetscReal *det;     /* least det F at u1; from `force` together with energy */
  PetscReal *stretch; /* least principal stretch at u1 */
  PetscReal *stress;  /* [npoints][6] Cauchy stress at u1 */
  PetscReal *mass;    /* [nnodes][nnodes], density and thickness included */
  PetscReal *state;   /* [npoints][state_size] at u1, from `commit` */
  PetscReal *loss;    /* energy that the law took between u0 and u1, from `commit` */
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
  PetscBool           quadratic; /* lumped by diagonal scaling, not by row sums */
  const CrQuadrature *stress_rule, *mass_rule;
  const PetscReal (*nodes)[3]; /* reference coordinates */
  void (*shape)(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3]);
  CrKernel *force, *tangent, *observe, *mass;
  CrKernel *commit; /* for laws with state: the state that an accepted step leaves, and its loss */
};

/* The element of a cell type, with the kernels of the chosen instruction set. */
const CrElement *CrElementGet(CrCellType type);
const CrElement *CrElementAt(PetscInt i); /* registry order; NULL after the last */
void             CrRuleFill(const CrElement *element, const CrQuadrature *quadrature, CrRule *rule);

/* Least det(dX/dxi) over the points of a rule, to find degenerate cells. */
PetscReal CrElementLeastJacobian(const CrElement *element, const CrRule *rule, PetscReal X[][3]);
/* Matrix [nnodes][npoints] that carries values at the stress points to the nodes: the least-squares
   polynomial of the corners' degree through the points. */
void CrElementExtrapolation(const CrElement *element, PetscReal *matrix);

/* Lumped nodal masses m[nnodes] of lane l of a batch of consistent mass matrices. */
void CrElementLump(const CrElement *element, const PetscReal *M, PetscInt l, PetscReal *m);

/* Upper estimates values[CR_BATCH] of the greatest eigenvalues of a batch of element matrices K
   scaled from both sides by scale[nd][CR_BATCH]. */
void CrElementSpectrum(PetscInt nd, const PetscReal *K, const PetscReal *scale, PetscReal *values);

/* Facets: points, weights and shapes for integrals over boundary facets. */
void CrFacetRule(CrCellType facet_type, CrRule *rule);

extern const CrQuadrature CrQuadTri1, CrQuadTri3, CrQuadTri6, CrQuadQuad4, CrQuadQuad9, CrQuadTet1,
    CrQuadTet4, CrQuadTet14, CrQuadHex8, CrQuadQuad1, CrQuadHex1, CrQuadLine2, CrQuadLine3;

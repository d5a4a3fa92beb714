/* A batch of CR_BATCH separate elements of one type, each with its own shape and state. */
#pragma once

#include "check.h"
#include "element/element.h"
#include "model_from_text.h"

#define BATCH_REALS (CR_BATCH * CR_MAX_DOFS)

typedef struct {
  CrElementBlock block;
  PetscInt       nodes[CR_MAX_CELL_NODES * CR_BATCH];
  PetscReal      X[BATCH_REALS], u0[BATCH_REALS], u1[BATCH_REALS];
} Batch;

/* Node a of lane l has the local number l*nn + a. */
static inline PetscInt batch_dof(const CrElement *e, PetscInt lane, PetscInt a, PetscInt i)
{
  return (lane * e->nnodes + a) * e->dim + i;
}

static inline void random_matrix(PetscInt dim, PetscReal size, unsigned *seed, PetscReal M[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) M[i][j] = i < dim && j < dim ? size * random_number(seed) : 0;
}

static inline PetscReal determinant3(PetscInt dim, PetscReal M[3][3])
{
  if (dim == 2) return M[0][0] * M[1][1] - M[0][1] * M[1][0];
  return M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) -
         M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
         M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
}

/* A proper rotation: by the angle about z in the plane, about (1, 2, 2)/3 in space (Rodrigues). */
static inline void rotation(PetscInt dim, PetscReal angle, PetscReal Q[3][3])
{
  const PetscReal k[3] = {dim == 3 ? 1.0 / 3 : 0, dim == 3 ? 2.0 / 3 : 0, dim == 3 ? 2.0 / 3 : 1};
  const PetscReal c = PetscCosReal(angle), s = PetscSinReal(angle);

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal cross = j == (i + 1) % 3 ? -k[(i + 2) % 3] : j == (i + 2) % 3 ? k[(i + 1) % 3] : 0;

      Q[i][j] = c * (i == j) + s * cross + (1 - c) * k[i] * k[j];
    }
}

/* field of lane l += (M x + c) with x the reference coordinates or another field */
static inline void add_affine(const CrElement *e, PetscInt lane, PetscReal M[3][3],
                              const PetscReal c[3], const PetscReal *x, PetscReal *field)
{
  for (PetscInt a = 0; a < e->nnodes; a++)
    for (PetscInt i = 0; i < e->dim; i++) {
      PetscReal sum = c ? c[i] : 0;

      for (PetscInt j = 0; j < e->dim; j++) sum += M[i][j] * x[batch_dof(e, lane, a, j)];
      field[batch_dof(e, lane, a, i)] += sum;
    }
}

/* Shapes: the reference cell under a random affine map, then every node moved by `bend` at random.
   States: random gradients of size 0.2 and random nodal shares of size 0.02. */
static inline void batch_fill(Batch *b, const CrElement *e, const CrMaterial *material,
                              PetscBool one_point, PetscReal bend, unsigned seed)
{
  memset(b, 0, sizeof *b);
  b->block.element = e;
  b->block.material = material;
  b->block.n = b->block.nowned = CR_BATCH;
  b->block.nbatches = 1;
  b->block.nodes = b->nodes;
  b->block.thickness = e->dim == 2 ? 0.7 : 1;
  b->block.one_point = one_point;
  CrRuleFill(e,
             !one_point    ? e->stress_rule
             : e->dim == 2 ? &CrQuadQuad1
                           : &CrQuadHex1,
             &b->block.stress_rule);
  CrRuleFill(e, e->mass_rule, &b->block.mass_rule);
  for (PetscInt l = 0; l < CR_BATCH; l++) {
    PetscReal M[3][3], c[3] = {0.3, -0.2, 0.5};

    random_matrix(e->dim, 0.3, &seed, M);
    for (int i = 0; i < 3; i++) M[i][i] += 1;
    for (PetscInt a = 0; a < e->nnodes; a++) {
      b->nodes[a * CR_BATCH + l] = l * e->nnodes + a;
      for (PetscInt i = 0; i < e->dim; i++) {
        PetscReal *x = &b->X[batch_dof(e, l, a, i)];

        *x = c[i] + bend * random_number(&seed);
        for (PetscInt j = 0; j < e->dim; j++) *x += M[i][j] * e->nodes[a][j];
      }
    }
    random_matrix(e->dim, 0.2, &seed, M);
    add_affine(e, l, M, c, b->X, b->u0);
    random_matrix(e->dim, 0.2, &seed, M);
    add_affine(e, l, M, c, b->X, b->u1);
    for (PetscInt k = batch_dof(e, l, 0, 0); k < batch_dof(e, l + 1, 0, 0); k++) {
      b->u0[k] += 0.02 * random_number(&seed);
      b->u1[k] += 0.02 * random_number(&seed);
    }
  }
}

static inline CrNodal batch_nodal(const Batch *b)
{
  return (CrNodal){.X = b->X, .u0 = b->u0, .u1 = b->u1};
}

static inline void keep_greatest(PetscReal *worst, PetscReal value)
{
  if (!(PetscAbsReal(value) <= *worst)) *worst = PetscAbsReal(value); /* NaN too */
}

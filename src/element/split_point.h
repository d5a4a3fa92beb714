/* Strains, stresses and forces at quadrature points of elements whose material law is split (split.h), or of
   axisymmetric elements. */
#pragma once

#include "element/axial.h"
#include "material/volume.h"

/* Data of one quadrature point: weight w, strains E0 and E1 at both ends of the step, and z = C1 - C0. E0 and z are set
   only if the displacements at both ends are known. */
typedef struct {
  CrLanes w, E0[6], E1[6], z[6];
  CrLanes hm, h1;                  /* component 33 of F_m and of F1; 1 without axial symmetry */
  CrLanes hoop[CR_MAX_CELL_NODES]; /* shape functions divided by the radius: N/R */
  Point   p;
} SplitPoint;

/* Properties of an element block and of the requested force. small: strain is small; between: the stress is the
   conserving stress; past: the law has internal variables. */
typedef struct {
  PetscBool small, between, past, step; /* step: displacements at both ends of the step are known */
  PetscBool viscous; /* the law has a bulk viscosity, part of which acts on the mean volume */
} SplitKind;

CR_INLINE SplitKind split_kind(const CrElementBlock *block, CrForceKind kind)
{
  SplitKind k;

  k.small = (block->material->ops->flags & CR_SMALL_STRAIN) != 0;
  k.between = kind == CR_FORCE_CONSERVING;
  k.past = block->state_size > 0;
  k.step = k.between || k.past;
  k.viscous = block->split && block->volume_part < 1 && block->material->viscosity.eta_bulk > 0;
  return k;
}

/* Computes the strains of point q, whose gradients g and weight s->w are known. In axial symmetry, s->w is multiplied
   by the circumference 2 pi R. If k.step is true, u1 contains the increment u1 - u0. */
CR_INLINE void split_strains(const int DIM, const int NN, const CrElementBlock *block, SplitKind k,
                             int q, CrLanes X[][3], CrLanes u0[][3], CrLanes u1[][3],
                             CrLanes g[][3], SplitPoint *s)
{
  CrLanes H1[3][3];

  s->hm = s->h1 = lanes_set(1);
  if (k.step)
    strains_between(DIM, NN, k.small, u0, u1, g, s->p.Fm, s->p.F1, s->E0, s->E1, s->z);
  else {
    gradient_of(DIM, NN, u1, g, H1);
    deformation(DIM, k.small, H1, s->p.F1);
    strain_of(DIM, k.small, H1, s->E1);
  }
  if (DIM == 2 && block->axial) {
    CrLanes h0, d, h1;

    s->w *= hoop_shapes(NN, &block->stress_rule, q, X, s->hoop);
    d = hoop_gradient(NN, u1, s->hoop);
    h0 = k.step ? hoop_gradient(NN, u0, s->hoop) : lanes_set(0);
    h1 = h0 + d;
    s->E1[2] = hoop_strain(k.small, h1);
    s->h1 = k.small ? lanes_set(1) : 1 + h1;
    s->hm = k.small ? lanes_set(1) : 1 + h0 + d / 2;
    if (k.step) s->E0[2] = hoop_strain(k.small, h0);
    if (k.step) s->z[2] = 2 * s->hm * d;
  }
  if (k.between) return;
  s->hm = s->h1;
  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) s->p.Fm[i][j] = s->p.F1[i][j];
}

/* Computes the stress of W_rest, or of the whole law if it is not split. Also computes the modulus if `modulus` is
   true, and the energy if `energy` is true. */
CR_INLINE void split_stress(const int DIM, const CrElementBlock *block, SplitKind k,
                            const CrPast *past, PetscBool modulus, PetscBool energy, SplitPoint *s)
{
  const CrMaterial    *m = block->material;
  const CrMaterialOps *ops = m->ops;
  const int            NS = CR_NS(DIM);
  CrLanes             *S = s->p.S, *A = modulus ? s->p.A : NULL, *W = energy ? &s->p.W : NULL;

  if (k.past && k.between)
    ops->between(m, NS, past, s->E0, s->E1, s->z, S, A);
  else if (k.past)
    ops->at(m, NS, past, s->E0, s->E1, s->z, W, S, A);
  else if (block->split && k.between)
    ops->rest_between(m, NS, s->E0, s->E1, s->z, S, A);
  else if (block->split)
    ops->rest(m, NS, s->E1, W, S, A);
  else if (k.between)
    CR_VARIANT(CrStressBetween)(m, NS, s->E0, s->E1, s->z, S, A);
  else
    CR_VARIANT(CrStressAt)(m, NS, s->E1, W, S, A);
}

/* Adds to f the nodal forces of the stress s->p.S, including the hoop stress. */
CR_INLINE void split_add_force(const int DIM, const int NN, const CrElementBlock *block,
                               const SplitPoint *s, CrLanes g[][3], CrLanes f[][3])
{
  add_force(DIM, NN, &s->p, s->w, g, f);
  if (DIM == 2 && block->axial)
    for (int a = 0; a < NN; a++) f[a][0] += s->w * s->hm * s->p.S[2] * s->hoop[a];
}

/* Gathers the nodal fields of an element at the start of a kernel. If k.step is true, u1 becomes the increment u1 -
   u0. */
CR_INLINE void split_gather(const int DIM, const int NN, const PetscInt *nodes,
                            const CrNodal *nodal, SplitKind k, CrLanes X[][3], CrLanes u0[][3],
                            CrLanes u1[][3])
{
  gather(DIM, NN, nodes, nodal->X, X);
  gather(DIM, NN, nodes, nodal->u1, u1);
  if (!k.step) return;
  gather(DIM, NN, nodes, nodal->u0, u0);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) u1[a][i] -= u0[a][i];
}

CR_INLINE CrPast split_past(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,
                            int q, int first)
{
  if (!block->state_size) return (CrPast){0};
  return (CrPast){.state = nodal->state + state_offset(block, batch, q, first),
                  .h = nodal->h,
                  .mean = block->split ? 1 - block->volume_part : 0};
}

CR_INLINE void lanes_clear(const int DIM, const int NN, CrLanes f[][3])
{
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) f[a][i] = lanes_set(0);
}

/* Adds the hourglass forces at the mean displacement of the step (if k.between is true), or at its end. If k.step is
   true, u1 contains the increment u1 - u0. */
CR_INLINE void split_hourglass(const int DIM, const int NN, const CrElementBlock *block,
                               SplitKind k, CrLanes X[][3], CrLanes u0[][3], CrLanes u1[][3],
                               CrLanes g[][3], CrLanes w, CrLanes f[][3], CrLanes *energy,
                               double *K)
{
  CrLanes u[CR_MAX_CELL_NODES][3];

  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++)
      u[a][i] = !k.step ? u1[a][i] : u0[a][i] + (k.between ? 0.5 : 1.0) * u1[a][i];
  add_hourglass(DIM, NN, block, X, u, g, w, f, energy, k.between ? 0.5 : 1.0, K);
}

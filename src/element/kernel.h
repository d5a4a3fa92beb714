/* Loops over the quadrature points of elements, in a total Lagrangian description. The functions are written once for
   all elements, and process CR_WIDTH elements of a batch at once (one element per lane of a vector register). The
   numbers of nodes NN and dimensions DIM are constants for the compiler. Jacobians are recomputed from the positions X,
   because this costs less than reading stored gradients (theory 2.1). CR_ELEMENT_KERNELS defines the functions of one
   element.

   Force between two configurations (theory 4.1):
     f_A = sum_q w F_m S grad N_A
   Its derivative with respect to u1, the tangent (theory 6), with s = 1/2 between two configurations, and s = 1 at u1:
     K_AB = sum_q w { s grad N_A.S grad N_B 1 + B_m^T A B_1 } */
#pragma once

#include "element/axial.h"
#include "element/element.h"
#include "material/conserving.h"
#include "material/tensor.h"

/* CR_NS is the number of stored tensor components (2D: 11 22 33 12). CR_NV is the number of components that follow from
   displacement gradients (2D: 11 22 12). CR_COMPONENT is the index of the k-th of these CR_NV components. */
#define CR_NS(DIM)           ((DIM) == 2 ? 4 : 6)
#define CR_NV(DIM)           ((DIM) == 2 ? 3 : 6)
#define CR_COMPONENT(DIM, k) ((DIM) == 2 && (k) == 2 ? 3 : (k))

/* Unrolls a short loop whose index must become a constant. The default limits of compilers for unrolling are too low
   for such loops. */
#define CR_UNROLL _Pragma("GCC unroll 27")

CR_INLINE void lanes_add(double *p, CrLanes v)
{
  lanes_store(p, lanes_load(p) + v);
}

/* Copies the values of a nodal field at the nodes of CR_WIDTH elements to out[a][i], for node a and direction i. */
CR_INLINE void gather(const int DIM, const int NN, const PetscInt *nodes, const PetscReal *field,
                      CrLanes out[][3])
{
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) {
      CrLanes v = {0};

      for (int l = 0; l < CR_WIDTH; l++) v[l] = field[DIM * nodes[a * CR_BATCH + l] + i];
      out[a][i] = v;
    }
}

CR_INLINE CrLanes determinant_of(const int DIM, CrLanes a[3][3])
{
  if (DIM == 2) return a[0][0] * a[1][1] - a[0][1] * a[1][0];
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
         a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* Computes the inverse of a DIM x DIM matrix. Returns the determinant of the matrix. */
CR_INLINE CrLanes invert(const int DIM, CrLanes a[3][3], CrLanes inv[3][3])
{
  CrLanes det, over;

  if (DIM == 2) {
    det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    over = 1 / det;
    inv[0][0] = a[1][1] * over;
    inv[1][1] = a[0][0] * over;
    inv[0][1] = -a[0][1] * over;
    inv[1][0] = -a[1][0] * over;
    return det;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;

      inv[i][j] = a[p][r] * a[q][s] - a[p][s] * a[q][r];
    }
  det = a[0][0] * inv[0][0] + a[0][1] * inv[1][0] + a[0][2] * inv[2][0];
  over = 1 / det;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) inv[i][j] *= over;
  return det;
}

/* Computes g[a], the gradients grad_X N_a of the shape functions at quadrature point q. Returns the weight of the point
   in integrals, weight * det(dX/dxi) * thickness. */
CR_INLINE CrLanes gradients(const int DIM, const int NN, const CrElementBlock *block,
                            const CrRule *rule, int q, CrLanes X[][3], CrLanes g[][3])
{
  CrLanes J[3][3], inv[3][3], det;

  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) J[i][j] = lanes_set(0);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++)
      for (int j = 0; j < DIM; j++) J[i][j] += X[a][i] * rule->dN[q][a][j];
  det = invert(DIM, J, inv);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) {
      g[a][i] = lanes_set(0);
      for (int j = 0; j < DIM; j++) g[a][i] += inv[j][i] * rule->dN[q][a][j];
    }
  return det * (rule->weight[q] * block->thickness);
}

/* Computes the displacement gradient H = sum_a u_a (x) g_a. */
CR_INLINE void gradient_of(const int DIM, const int NN, CrLanes u[][3], CrLanes g[][3],
                           CrLanes H[3][3])
{
  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) H[i][j] = lanes_set(0);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++)
      for (int j = 0; j < DIM; j++) H[i][j] += u[a][i] * g[a][j];
}

/* Computes E, Green's strain (H + H^T + H^T H)/2, or its linear part if `small` is true. */
CR_INLINE void strain_of(const int DIM, PetscBool small, CrLanes H[3][3], CrLanes *E)
{
  for (int I = 0; I < CR_NS(DIM); I++) E[I] = lanes_set(0);
  for (int k = 0; k < CR_NV(DIM); k++) {
    int I = CR_COMPONENT(DIM, k), i = tensor_row[I], j = tensor_col[I];

    E[I] = (H[i][j] + H[j][i]) / 2;
    for (int m = 0; !small && m < DIM; m++) E[I] += H[m][i] * H[m][j] / 2;
  }
}

/* Computes z = C1 - C0 = F_m^T D + D^T F_m, which is exact and without cancellation. D is grad(u1 - u0). */
CR_INLINE void metric_difference(const int DIM, CrLanes Fm[3][3], CrLanes D[3][3], CrLanes *z)
{
  for (int I = 0; I < CR_NS(DIM); I++) z[I] = lanes_set(0);
  for (int k = 0; k < CR_NV(DIM); k++) {
    int I = CR_COMPONENT(DIM, k), i = tensor_row[I], j = tensor_col[I];

    for (int m = 0; m < DIM; m++) z[I] += Fm[m][i] * D[m][j] + D[m][i] * Fm[m][j];
  }
}

/* Results at one quadrature point: the deformation gradients F_m (middle of the step) and F_1 (its end), stress S, and
   modulus A. */
typedef struct {
  CrLanes Fm[3][3], F1[3][3]; /* both are the identity for small strain */
  CrLanes S[6], A[36];
  CrLanes W; /* energy density; only point_at sets it */
} Point;

CR_INLINE void deformation(const int DIM, PetscBool small, CrLanes H[3][3], CrLanes F[3][3])
{
  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) F[i][j] = (small ? lanes_set(0) : H[i][j]) + (i == j ? 1.0 : 0.0);
}

/* Computes the strains E0 and E1 at both ends of a step, z = C1 - C0, and the deformation gradients F_m and F_1. du is
   the displacement increment. */
CR_INLINE void strains_between(const int DIM, const int NN, PetscBool small, CrLanes u0[][3],
                               CrLanes du[][3], CrLanes g[][3], CrLanes Fm[3][3], CrLanes F1[3][3],
                               CrLanes *E0, CrLanes *E1, CrLanes *z)
{
  CrLanes H0[3][3], H1[3][3], Hm[3][3], D[3][3];

  gradient_of(DIM, NN, u0, g, H0);
  gradient_of(DIM, NN, du, g, D);
  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) {
      H1[i][j] = H0[i][j] + D[i][j];
      Hm[i][j] = H0[i][j] + D[i][j] / 2;
    }
  deformation(DIM, small, Hm, Fm);
  deformation(DIM, small, H1, F1);
  strain_of(DIM, small, H0, E0);
  strain_of(DIM, small, H1, E1);
  metric_difference(DIM, Fm, D, z);
}

CR_INLINE void point_between(const int DIM, const int NN, const CrMaterial *material,
                             CrLanes u0[][3], CrLanes du[][3], CrLanes g[][3], PetscBool modulus,
                             Point *p)
{
  PetscBool small = (material->ops->flags & CR_SMALL_STRAIN) != 0;
  CrLanes   E0[6], E1[6], z[6];

  strains_between(DIM, NN, small, u0, du, g, p->Fm, p->F1, E0, E1, z);
  CR_VARIANT(CrStressBetween)(material, CR_NS(DIM), E0, E1, z, p->S, modulus ? p->A : NULL);
}

CR_INLINE void point_at(const int DIM, const int NN, const CrMaterial *material, CrLanes u1[][3],
                        CrLanes g[][3], PetscBool modulus, PetscBool energy, Point *p)
{
  PetscBool small = (material->ops->flags & CR_SMALL_STRAIN) != 0;
  CrLanes   H1[3][3], E1[6];

  gradient_of(DIM, NN, u1, g, H1);
  deformation(DIM, small, H1, p->F1);
  deformation(DIM, small, H1, p->Fm);
  strain_of(DIM, small, H1, E1);
  CR_VARIANT(CrStressAt)
  (material, CR_NS(DIM), E1, energy ? &p->W : NULL, p->S, modulus ? p->A : NULL);
}

/* Returns the offset of the internal variables of quadrature point q in the array of the block, for the elements
   (lanes) from `first` on. */
CR_INLINE size_t state_offset(const CrElementBlock *block, PetscInt batch, int q, int first)
{
  return (size_t)((batch * block->stress_rule.n + q) * block->state_size * CR_BATCH + first);
}

/* Computes the stress at a quadrature point for a law with internal variables, and the modulus if `modulus` is true.
   The stress is the conserving stress if `between` is true, else the stress at u1. */
CR_INLINE void point_past(const int DIM, const int NN, const CrMaterial *material,
                          const CrPast *past, PetscBool between, CrLanes u0[][3], CrLanes du[][3],
                          CrLanes g[][3], PetscBool modulus, Point *p)
{
  PetscBool small = (material->ops->flags & CR_SMALL_STRAIN) != 0;
  CrLanes   E0[6], E1[6], z[6], *A = modulus ? p->A : NULL;

  strains_between(DIM, NN, small, u0, du, g, p->Fm, p->F1, E0, E1, z);
  if (between) {
    material->ops->between(material, CR_NS(DIM), past, E0, E1, z, p->S, A);
    return;
  }
  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) p->Fm[i][j] = p->F1[i][j];
  material->ops->at(material, CR_NS(DIM), past, E0, E1, z, &p->W, p->S, A);
}

/* Adds to f_A the internal force w F_m S g_A of one quadrature point. */
CR_INLINE void add_force(const int DIM, const int NN, const Point *p, CrLanes w, CrLanes g[][3],
                         CrLanes f[][3])
{
  CrLanes P[3][3];

  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) {
      P[i][j] = lanes_set(0);
      for (int m = 0; m < DIM; m++) P[i][j] += p->Fm[i][m] * p->S[tensor_index[m][j]];
      P[i][j] *= w;
    }
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++)
      for (int j = 0; j < DIM; j++) f[a][i] += P[i][j] * g[a][j];
}

/* Computes the modulus T_ikjq = F_im A_mkpq F1_jp + scale S_kq delta_ij, times the weight w. T is the derivative of the
   first Piola-Kirchhoff stress P_ik = (F_m S)_ik with respect to grad u1_jq. The array T has the index order
   [i][j][k][q]. */
CR_INLINE void two_point_modulus(const int DIM, const Point *p, PetscBool geometric, double scale,
                                 CrLanes w, CrLanes *T)
{
  const int NS = CR_NS(DIM), NV = CR_NV(DIM);
  CrLanes   wF[3][3];

  for (int i = 0; i < DIM; i++)
    for (int m = 0; m < DIM; m++) wF[i][m] = w * p->Fm[i][m];
  for (int k = 0; k < DIM; k++) {
    const CrLanes *A[3] = {p->A + tensor_index[0][k] * NS, p->A + tensor_index[1][k] * NS,
                           p->A + tensor_index[2][k] * NS};
    CrLanes        S[3];

    for (int q = 0; q < DIM; q++)
      S[q] = geometric ? scale * w * p->S[tensor_index[k][q]] : lanes_set(0);
    for (int i = 0; i < DIM; i++) {
      CrLanes FA[6], *Tik = T + (i * DIM * DIM + k) * DIM;

      CR_UNROLL
      for (int v = 0; v < NV; v++) {
        const int J = CR_COMPONENT(DIM, v);

        FA[J] = wF[i][0] * A[0][J] + wF[i][1] * A[1][J];
        if (DIM == 3) FA[J] += wF[i][2] * A[2][J];
      }
      CR_UNROLL
      for (int r = 0; r < DIM * DIM; r++) {
        const int j = r / DIM, q = r % DIM;
        CrLanes   sum = FA[tensor_index[0][q]] * p->F1[j][0] + FA[tensor_index[1][q]] * p->F1[j][1];

        if (DIM == 3) sum += FA[tensor_index[2][q]] * p->F1[j][2];
        Tik[j * DIM * DIM + q] = sum;
      }
      for (int q = 0; q < DIM; q++) Tik[i * DIM * DIM + q] += S[q];
    }
  }
}

/* number of quadrature points that are processed together, so that the data of the tangent fit the first-level cache */
#define CR_CHUNK 4

typedef struct {
  int     n;
  CrLanes g[CR_CHUNK][CR_MAX_CELL_NODES][3]; /* gradients of the shape functions */
  CrLanes T[CR_CHUNK][81];
} Points;

/* Computes V_ijk = sum_q T_ijkq g_bq at every quadrature point, for one node b. */
CR_INLINE void apply_modulus(const int DIM, const Points *points, int b, CrLanes V[][27])
{
  for (int p = 0; p < points->n; p++) {
    const CrLanes *g = points->g[p][b], *T = points->T[p];

    CR_UNROLL
    for (int r = 0; r < DIM * DIM * DIM; r++) {
      V[p][r] = T[r * DIM] * g[0] + T[r * DIM + 1] * g[1];
      if (DIM == 3) V[p][r] += T[r * DIM + 2] * g[2];
    }
  }
}

/* A dyad left_Ai right_Bj that is added to the tangent together with the terms of the quadrature points. */
typedef struct {
  CrLanes left[CR_MAX_CELL_NODES][3], right[CR_MAX_CELL_NODES][3];
} Dyad;

/* Adds to K_ij the sum of V_ijk g_ak over all quadrature points, for the nodes a and b. If `fresh` is true, overwrites
   K_ij instead. K has rows of `row` numbers. The sums stay in registers, because reading and writing K at every point
   would cost more than the products. `dyad` may be NULL. */
CR_INLINE void add_pair(const int DIM, const Points *points, int a, int b, CrLanes V[][27], int row,
                        PetscBool fresh, const Dyad *dyad, double *K)
{
  CrLanes sum[9];

  for (int r = 0; r < DIM * DIM; r++)
    sum[r] = dyad ? dyad->left[a][r / DIM] * dyad->right[b][r % DIM] : lanes_set(0);
  for (int p = 0; p < points->n; p++) {
    const CrLanes *g = points->g[p][a];

    for (int r = 0; r < DIM * DIM; r++)
      for (int k = 0; k < DIM; k++) sum[r] += V[p][r * DIM + k] * g[k];
  }
  if (fresh)
    for (int r = 0; r < DIM * DIM; r++) lanes_store(K + r / DIM * row + r % DIM * CR_BATCH, sum[r]);
  else
    for (int r = 0; r < DIM * DIM; r++) lanes_add(K + r / DIM * row + r % DIM * CR_BATCH, sum[r]);
}

/* Adds to the tangent K_AiBj the terms g_Ak T_ikjq g_Bq, for all nodes A and B except the last node of the element. A
   pair of nodes needs about 27 products, while the formula B^T A B would need 54. For a symmetric tangent, only entries
   with A >= B are computed. */
CR_INLINE void add_tangent(const int DIM, const int NN, const Points *points, PetscBool symmetric,
                           PetscBool fresh, const Dyad *dyad, double *K)
{
  const int ROW = DIM * NN * CR_BATCH;
  CrLanes   V[CR_CHUNK][27];

  for (int b = 0; b < NN - 1; b++) {
    apply_modulus(DIM, points, b, V);
    for (int a = symmetric ? b : 0; a < NN - 1; a++)
      add_pair(DIM, points, a, b, V, ROW, fresh, dyad, K + a * DIM * ROW + b * DIM * CR_BATCH);
  }
}

/* Computes the entries that add_tangent leaves out. The sum of the gradients of all nodes is zero, so the columns and
   rows of the last node follow from the others. */
CR_INLINE void complete_tangent(const int DIM, const int NN, PetscBool symmetric, double *K)
{
  const int ROW = DIM * NN * CR_BATCH, L = DIM * (NN - 1);

  for (int r = 0; symmetric && r < L; r++)
    for (int c = (r / DIM + 1) * DIM; c < L; c++)
      lanes_store(K + r * ROW + c * CR_BATCH, lanes_load(K + c * ROW + r * CR_BATCH));
  for (int r = 0; r < L; r++)
    for (int j = 0; j < DIM; j++) {
      CrLanes sum = lanes_set(0);

      for (int c = j; c < L; c += DIM) sum -= lanes_load(K + r * ROW + c * CR_BATCH);
      lanes_store(K + r * ROW + (L + j) * CR_BATCH, sum);
    }
  for (int i = 0; i < DIM; i++)
    for (int c = 0; c < DIM * NN; c++) {
      CrLanes sum = lanes_set(0);

      for (int r = i; r < L; r += DIM) sum -= lanes_load(K + r * ROW + c * CR_BATCH);
      lanes_store(K + (L + i) * ROW + c * CR_BATCH, sum);
    }
}

/* ---- one-point integration ---------------------------------------------------------------------- */

/* stiffness of hourglass springs, as a fraction eps of the element's stiffness */
#define CR_HOURGLASS 0.05
/* Greatest lambda/G for hourglass springs. Hourglass modes bend the element, so their stiffness must stay limited as
   Poisson's ratio tends to 0.5. */
#define CR_BULKY 20

/* Returns the hourglass vector h of a mode at a node of Q4 or H8. The hourglass vector is a product of the reference
   coordinates xi of the node. */
CR_INLINE double hourglass_shape(const int DIM, int mode, const PetscReal xi[3])
{
  if (DIM == 2) return xi[0] * xi[1];
  return mode == 3 ? xi[0] * xi[1] * xi[2] : xi[mode] * xi[(mode + 1) % 3];
}

CR_INLINE double hourglass_modulus(const CrMaterial *m)
{
  if (m->ops->flags & CR_FLOWS) return m->shear;
  return PetscMin(m->lambda, CR_BULKY * m->shear) + 2 * m->shear;
}

/* Adds the forces of hourglass springs, which elements with one quadrature point need. For each mode, gamma = h -
   (h.X_i) B_i is orthogonal to linear fields, so gamma.u is zero for rigid motion and homogeneous strain. The energy
   per mode is k/2 |gamma.u|^2 with k = eps (lambda + 2G) volume B:B / nodes, where lambda is at most 20 G (Flanagan and
   Belytschko 1981, in total form; theory 2.3). For a law with plastic flow, G replaces lambda + 2G, because the springs
   stay elastic when the material yields. If u is the mean of u0 and u1, the forces conserve this energy, linear and
   angular momentum. g and w are gradients and weight of the quadrature point. */
CR_INLINE void add_hourglass(const int DIM, const int NN, const CrElementBlock *block,
                             CrLanes X[][3], CrLanes u[][3], CrLanes g[][3], CrLanes w,
                             CrLanes f[][3], CrLanes *energy, double scale, double *K)
{
  CrLanes size = lanes_set(0), k;

  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) size += g[a][i] * g[a][i];
  k = CR_HOURGLASS * hourglass_modulus(block->material) / NN * w * size;
  for (int mode = 0; mode < (DIM == 2 ? 1 : 4); mode++) {
    CrLanes hX[3], gamma[CR_MAX_CELL_NODES], q[3];

    for (int i = 0; i < DIM; i++) {
      hX[i] = lanes_set(0);
      q[i] = lanes_set(0);
      for (int a = 0; a < NN; a++)
        hX[i] += hourglass_shape(DIM, mode, block->element->nodes[a]) * X[a][i];
    }
    for (int a = 0; a < NN; a++) {
      gamma[a] = lanes_set(hourglass_shape(DIM, mode, block->element->nodes[a]));
      for (int i = 0; i < DIM; i++) gamma[a] -= hX[i] * g[a][i];
      for (int i = 0; i < DIM; i++) q[i] += gamma[a] * u[a][i];
    }
    for (int i = 0; energy && i < DIM; i++) *energy += k / 2 * q[i] * q[i];
    for (int a = 0; f && a < NN; a++)
      for (int i = 0; i < DIM; i++) f[a][i] += k * q[i] * gamma[a];
    for (int a = 0; K && a < NN; a++)
      for (int b = 0; b < NN; b++)
        for (int i = 0; i < DIM; i++)
          lanes_add(K + ((a * DIM + i) * DIM * NN + b * DIM + i) * CR_BATCH,
                    scale * k * gamma[a] * gamma[b]);
  }
}

/* ---- forces and tangents ------------------------------------------------------------------ */

/* Computes the force of CR_WIDTH elements, and the tangent if TANGENT is true. If the force is that at u1, also
   computes energy and least det F, unless out->energy is NULL. PAST is true if the law has internal variables. PAST is
   a constant for the compiler, so that other laws have no extra cost. */
CR_INLINE void force_lanes(const int DIM, const int NN, const PetscBool TANGENT,
                           const PetscBool PAST, const CrElementBlock *block, PetscInt batch,
                           const CrNodal *nodal, CrForceKind kind, int first,
                           const CrKernelOut *out)
{
  const CrMaterial *material = block->material;
  const PetscInt   *nodes = block->nodes + batch * NN * CR_BATCH + first;
  PetscBool         between = kind == CR_FORCE_CONSERVING;
  PetscBool geometric = !(material->ops->flags & CR_SMALL_STRAIN || kind == CR_FORCE_MATERIAL);
  PetscBool observe = !between && out->energy;
  PetscBool symmetric =
      !between && !PAST; /* true: the stress derives from an energy, so the tangent is symmetric */
  CrLanes X[CR_MAX_CELL_NODES][3], u0[CR_MAX_CELL_NODES][3], u1[CR_MAX_CELL_NODES][3];
  CrLanes f[CR_MAX_CELL_NODES][3], w = lanes_set(0), (*g)[3];
  CrLanes energy = lanes_set(0), least = lanes_set(HUGE_VAL);
  Points  points;

  gather(DIM, NN, nodes, nodal->X, X);
  gather(DIM, NN, nodes, nodal->u1, u1);
  if (between || PAST) {
    gather(DIM, NN, nodes, nodal->u0, u0);
    /* from here on, u1 contains the increment u1 - u0 */
    for (int a = 0; a < NN; a++)
      for (int i = 0; i < DIM; i++) u1[a][i] -= u0[a][i];
  }
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) f[a][i] = lanes_set(0);
  points.n = 0;
  g = points.g[0];

  for (int q = 0; q < block->stress_rule.n; q++) {
    Point p;

    g = points.g[points.n];
    w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);
    if (PAST) {
      const CrPast past = {.state = nodal->state + state_offset(block, batch, q, first),
                           .h = nodal->h};

      point_past(DIM, NN, material, &past, between, u0, u1, g, TANGENT, &p);
    } else if (between)
      point_between(DIM, NN, material, u0, u1, g, TANGENT, &p);
    else
      point_at(DIM, NN, material, u1, g, TANGENT, observe, &p);
    if (!TANGENT || out->force) add_force(DIM, NN, &p, w, g, f);
    if (TANGENT) {
      two_point_modulus(DIM, &p, geometric, between ? 0.5 : 1.0, w, points.T[points.n]);
      if (++points.n == CR_CHUNK || q + 1 == block->stress_rule.n) {
        add_tangent(DIM, NN, &points, symmetric, q < CR_CHUNK, NULL, out->tangent + first);
        points.n = 0;
      }
    }
    if (observe) energy += w * p.W;
    if (observe) least = lanes_min(determinant_of(DIM, p.F1), least);
  }
  if (TANGENT) complete_tangent(DIM, NN, symmetric, out->tangent + first);
  if (block->one_point) {
    for (int a = 0; between && a < NN; a++)
      for (int i = 0; i < DIM; i++) u1[a][i] = u0[a][i] + u1[a][i] / 2;
    for (int a = 0; PAST && !between && a < NN; a++)
      for (int i = 0; i < DIM; i++) u1[a][i] += u0[a][i];
    add_hourglass(DIM, NN, block, X, u1, g, w, f, observe ? &energy : NULL, between ? 0.5 : 1.0,
                  TANGENT ? out->tangent + first : NULL);
  }
  for (int a = 0; out->force && a < NN; a++)
    for (int i = 0; i < DIM; i++)
      lanes_store(out->force + (a * DIM + i) * CR_BATCH + first, f[a][i]);
  if (observe) lanes_store(out->energy + first, energy);
  if (observe && out->det) lanes_store(out->det + first, least);
}

/* Computes the Cauchy stress F S F^T / J, in six components. Plane strain has F33 = 1. In plane stress the component 33
   of the stress is zero. */
CR_INLINE void cauchy(const int DIM, const CrMaterial *material, CrLanes F[3][3], CrLanes det,
                      const CrLanes *S, CrLanes *sigma)
{
  for (int I = 0; I < 6; I++) sigma[I] = lanes_set(0);
  for (int k = 0; k < CR_NV(DIM); k++) {
    int I = CR_COMPONENT(DIM, k), i = tensor_row[I], j = tensor_col[I];

    for (int m = 0; m < DIM; m++)
      for (int n = 0; n < DIM; n++) sigma[I] += F[i][m] * S[tensor_index[m][n]] * F[j][n];
    sigma[I] /= det;
  }
  if (DIM == 2 && !material->plane_stress) sigma[2] = S[2] / det;
}

/* Returns the square of the least principal stretch, which is the least eigenvalue of C = 1 + 2E. In 2D this eigenvalue
   is 1 + 2 (mean - radius) by Mohr's circle. In 3D it follows from the trigonometric formula for eigenvalues. In 3D, 1
   + 2 (m - 2 p) is a lower bound, where m is the mean of the normal strains and p the size of the deviator. The
   function returns this bound if it is well above the stretches that cause a warning. */
CR_INLINE CrLanes least_stretch_squared(const int DIM, const CrLanes *E)
{
  CrLanes least = {0}, bound = {0};

  if (DIM == 3) {
    CrLanes m = (E[0] + E[1] + E[2]) / 3, a = E[0] - m, b = E[1] - m, c = E[2] - m;
    CrLanes shear = E[3] * E[3] + E[4] * E[4] + E[5] * E[5];

    bound = 1 + 2 * (m - 2 * lanes_sqrt((a * a + b * b + c * c + 2 * shear) / 6));
    if (lanes_all(bound > lanes_set(0.5))) return bound;
  }
  for (int l = 0; l < CR_WIDTH; l++) {
    if (DIM == 2) {
      double mean = (E[0][l] + E[1][l]) / 2;

      least[l] = 1 + 2 * (mean - hypot((E[0][l] - E[1][l]) / 2, E[3][l]));
    } else {
      double m = (E[0][l] + E[1][l] + E[2][l]) / 3, a = E[0][l] - m, b = E[1][l] - m,
             c = E[2][l] - m;
      double xy = E[3][l], yz = E[4][l], xz = E[5][l];
      double p = sqrt((a * a + b * b + c * c + 2 * (xy * xy + yz * yz + xz * xz)) / 6);
      double det = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
      double angle = p > 0 ? acos(fmax(-1, fmin(1, det / (2 * p * p * p)))) / 3 : 0;

      least[l] = 1 + 2 * (m + 2 * p * cos(angle + 2 * PETSC_PI / 3));
    }
  }
  return lanes_select(bound > lanes_set(0.5), bound, least);
}

/* Computes the energy W and stress S at u1 of a law with internal variables. */
CR_INLINE void observe_past(const int DIM, const int NN, const CrMaterial *material,
                            const CrPast *past, CrLanes u0[][3], CrLanes u1[][3], CrLanes g[][3],
                            CrLanes *W, CrLanes *S)
{
  PetscBool small = (material->ops->flags & CR_SMALL_STRAIN) != 0;
  CrLanes   du[CR_MAX_CELL_NODES][3], Fm[3][3], F1[3][3], E0[6], E1[6], z[6];

  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) du[a][i] = u1[a][i] - u0[a][i];
  strains_between(DIM, NN, small, u0, du, g, Fm, F1, E0, E1, z);
  material->ops->at(material, CR_NS(DIM), past, E0, E1, z, W, S, NULL);
}

/* Computes the energy, the least det F, the least principal stretch and the Cauchy stresses of CR_WIDTH elements at
   u1. */
CR_INLINE void observe_lanes(const int DIM, const int NN, const PetscBool PAST,
                             const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,
                             int first, const CrKernelOut *out)
{
  const CrMaterial *material = block->material;
  const PetscInt   *nodes = block->nodes + batch * NN * CR_BATCH + first;
  PetscBool         small = (material->ops->flags & CR_SMALL_STRAIN) != 0;
  CrLanes           X[CR_MAX_CELL_NODES][3], u1[CR_MAX_CELL_NODES][3], g[CR_MAX_CELL_NODES][3];
  CrLanes           u0[CR_MAX_CELL_NODES][3];
  CrLanes energy = lanes_set(0), least = lanes_set(HUGE_VAL), stretch = lanes_set(HUGE_VAL);
  CrLanes w = lanes_set(0), points;

  gather(DIM, NN, nodes, nodal->X, X);
  gather(DIM, NN, nodes, nodal->u1, u1);
  if (PAST) gather(DIM, NN, nodes, nodal->u0, u0);
  for (int q = 0; q < block->stress_rule.n; q++) {
    CrLanes H[3][3], F[3][3], E[6], S[6], sigma[6], W, det;

    w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);
    gradient_of(DIM, NN, u1, g, H);
    strain_of(DIM, small, H, E);
    if (PAST) {
      const CrPast past = {.state = nodal->state + state_offset(block, batch, q, first),
                           .h = nodal->h};

      observe_past(DIM, NN, material, &past, u0, u1, g, &W, out->stress ? S : NULL);
    } else
      CR_VARIANT(CrStressAt)(material, CR_NS(DIM), E, &W, out->stress ? S : NULL, NULL);
    energy += w * W;
    deformation(DIM, PETSC_FALSE, H, F);
    det = determinant_of(DIM, F);
    least = lanes_min(det, least);
    if (out->stretch) stretch = lanes_min(least_stretch_squared(DIM, E), stretch);
    if (!out->stress) continue;
    if (small) deformation(DIM, PETSC_TRUE, H, F);
    /* stress per current area, because the thickness changes too */
    if (DIM == 2 && material->plane_stress && !small)
      det *= lanes_sqrt(1 + 2 * CR_VARIANT(CrThicknessStrain)(material, CR_NS(DIM), E));
    cauchy(DIM, material, F, small ? lanes_set(1) : det, S, sigma);
    for (int I = 0; I < 6; I++) lanes_store(out->stress + (q * 6 + I) * CR_BATCH + first, sigma[I]);
  }
  points = energy;
  if (block->one_point) add_hourglass(DIM, NN, block, X, u1, g, w, NULL, &energy, 1, NULL);
  if (out->hourglass) lanes_store(out->hourglass + first, energy - points);
  if (out->energy) lanes_store(out->energy + first, energy);
  if (out->det) lanes_store(out->det + first, least);
  if (out->stretch) lanes_store(out->stretch + first, lanes_sqrt(stretch));
}

CR_INLINE void mass_lanes(const int DIM, const int NN, const CrElementBlock *block,
                          const PetscInt *nodes, const CrNodal *nodal, int first,
                          const CrKernelOut *out)
{
  const CrRule *rule = &block->mass_rule;
  CrLanes       X[CR_MAX_CELL_NODES][3], g[CR_MAX_CELL_NODES][3];
  CrLanes       M[CR_MAX_CELL_NODES * CR_MAX_CELL_NODES], hoop[CR_MAX_CELL_NODES];

  gather(DIM, NN, nodes, nodal->X, X);
  for (int k = 0; k < NN * NN; k++) M[k] = lanes_set(0);
  for (int q = 0; q < rule->n; q++) {
    CrLanes w = gradients(DIM, NN, block, rule, q, X, g) * block->material->density;

    if (DIM == 2 && block->axial) w *= hoop_shapes(NN, rule, q, X, hoop);
    for (int a = 0; a < NN; a++)
      for (int b = 0; b < NN; b++) M[a * NN + b] += w * (rule->N[q][a] * rule->N[q][b]);
  }
  for (int k = 0; k < NN * NN; k++) lanes_store(out->mass + k * CR_BATCH + first, M[k]);
}

#include "element/split.h"
#include "element/commit.h"
#include "element/bulk.h"

/* a separate function, so that simple laws do not need the stack memory of the other laws */
#define CR_APART __attribute__((noinline))

/* Defines the kernels of elements with a split law, or in axial symmetry (split.h). */
#define CR_SPLIT_FUNCTIONS(DIM, NN)                                                                \
  static CR_APART void force_split(const CrElementBlock *block, PetscInt batch,                    \
                                   const CrNodal *nodal, CrForceKind kind, const CrKernelOut *out) \
  {                                                                                                \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                   \
      split_force_lanes(DIM, NN, block, batch, nodal, kind, s, out);                               \
  }                                                                                                \
  static CR_APART void tangent_split(const CrElementBlock *block, PetscInt batch,                  \
                                     const CrNodal *nodal, CrForceKind kind,                       \
                                     const CrKernelOut *out)                                       \
  {                                                                                                \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                   \
      split_tangent_lanes(DIM, NN, block, batch, nodal, kind, s, out);                             \
  }                                                                                                \
  static CR_APART void observe_split(const CrElementBlock *block, PetscInt batch,                  \
                                     const CrNodal *nodal, const CrKernelOut *out)                 \
  {                                                                                                \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                   \
      split_observe_lanes(DIM, NN, block, batch, nodal, s, out);                                   \
  }

/* Defines the kernels of one element. Kernels of laws with internal variables are separate functions. */
#define CR_ELEMENT_FUNCTIONS(DIM, NN)                                                              \
  CR_SPLIT_FUNCTIONS(DIM, NN)                                                                      \
  static CR_APART void force_past(const CrElementBlock *block, PetscInt batch,                     \
                                  const CrNodal *nodal, CrForceKind kind, const CrKernelOut *out)  \
  {                                                                                                \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                   \
      force_lanes(DIM, NN, PETSC_FALSE, PETSC_TRUE, block, batch, nodal, kind, s, out);            \
  }                                                                                                \
  static CR_APART void tangent_past(const CrElementBlock *block, PetscInt batch,                   \
                                    const CrNodal *nodal, CrForceKind kind,                        \
                                    const CrKernelOut *out)                                        \
  {                                                                                                \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                   \
      force_lanes(DIM, NN, PETSC_TRUE, PETSC_TRUE, block, batch, nodal, kind, s, out);             \
  }                                                                                                \
  static CR_APART void observe_state(const CrElementBlock *block, PetscInt batch,                  \
                                     const CrNodal *nodal, const CrKernelOut *out)                 \
  {                                                                                                \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                   \
      observe_lanes(DIM, NN, PETSC_TRUE, block, batch, nodal, s, out);                             \
  }                                                                                                \
  static void force(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,             \
                    CrForceKind kind, const CrKernelOut *out)                                      \
  {                                                                                                \
    if (block->split || block->axial)                                                              \
      force_split(block, batch, nodal, kind, out);                                                 \
    else if (block->state_size)                                                                    \
      force_past(block, batch, nodal, kind, out);                                                  \
    else                                                                                           \
      for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                 \
        force_lanes(DIM, NN, PETSC_FALSE, PETSC_FALSE, block, batch, nodal, kind, s, out);         \
  }                                                                                                \
  static void tangent(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,           \
                      CrForceKind kind, const CrKernelOut *out)                                    \
  {                                                                                                \
    if (block->split || block->axial)                                                              \
      tangent_split(block, batch, nodal, kind, out);                                               \
    else if (block->state_size)                                                                    \
      tangent_past(block, batch, nodal, kind, out);                                                \
    else                                                                                           \
      for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                 \
        force_lanes(DIM, NN, PETSC_TRUE, PETSC_FALSE, block, batch, nodal, kind, s, out);          \
  }                                                                                                \
  static void observe(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,           \
                      CrForceKind kind, const CrKernelOut *out)                                    \
  {                                                                                                \
    (void)kind;                                                                                    \
    if (block->split || block->axial)                                                              \
      observe_split(block, batch, nodal, out);                                                     \
    else if (block->state_size)                                                                    \
      observe_state(block, batch, nodal, out);                                                     \
    else                                                                                           \
      for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                 \
        observe_lanes(DIM, NN, PETSC_FALSE, block, batch, nodal, s, out);                          \
  }                                                                                                \
  static void commit(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,            \
                     CrForceKind kind, const CrKernelOut *out)                                     \
  {                                                                                                \
    (void)kind;                                                                                    \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                   \
      commit_lanes(DIM, NN, block, batch, nodal, s, out);                                          \
  }                                                                                                \
  static void bulk(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,              \
                   CrForceKind kind, const CrKernelOut *out)                                       \
  {                                                                                                \
    (void)kind;                                                                                    \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH) bulk_lanes(DIM, NN, block, batch, nodal, s, out); \
  }                                                                                                \
  static void mass(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,              \
                   CrForceKind kind, const CrKernelOut *out)                                       \
  {                                                                                                \
    const PetscInt *nodes = block->nodes + batch * NN * CR_BATCH;                                  \
    (void)kind;                                                                                    \
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH)                                                   \
      mass_lanes(DIM, NN, block, nodes + s, nodal, s, out);                                        \
  }

/* Defines the entry of an element in the registry. FORCE is its kernel for forces: the general function `force`, or a
   special function of the element. */
#define CR_ELEMENT_ENTRY(NAME, TYPE, DIM, NN, NQ, QUADRATIC, STRESS_RULE, MASS_RULE, FORCE)        \
  const CrElement CR_VARIANT(CrElement_##NAME) = {                                                 \
      .type = TYPE,                                                                                \
      .dim = DIM,                                                                                  \
      .nnodes = NN,                                                                                \
      .npoints = NQ,                                                                               \
      .quadratic = QUADRATIC,                                                                      \
      .stress_rule = &STRESS_RULE,                                                                 \
      .mass_rule = &MASS_RULE,                                                                     \
      .nodes = nodes_xi,                                                                           \
      .shape = shape,                                                                              \
      .force = FORCE,                                                                              \
      .tangent = tangent,                                                                          \
      .observe = observe,                                                                          \
      .mass = mass,                                                                                \
      .commit = commit,                                                                            \
      .bulk = bulk,                                                                                \
  };

#define CR_ELEMENT_KERNELS(NAME, TYPE, DIM, NN, NQ, QUADRATIC, STRESS_RULE, MASS_RULE)             \
  CR_ELEMENT_FUNCTIONS(DIM, NN)                                                                    \
  CR_ELEMENT_ENTRY(NAME, TYPE, DIM, NN, NQ, QUADRATIC, STRESS_RULE, MASS_RULE, force)

/* Eight-node brick on [-1,1]^3, in the order of VTK's hexahedron. */
#include "element/kernel.h"

static const PetscReal nodes_xi[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                         {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  for (int a = 0; a < 8; a++) {
    PetscReal f[3];

    for (int i = 0; i < 3; i++) f[i] = 1 + nodes_xi[a][i] * xi[i];
    N[a] = f[0] * f[1] * f[2] / 8;
    for (int i = 0; i < 3; i++) dN[a][i] = nodes_xi[a][i] * f[(i + 1) % 3] * f[(i + 2) % 3] / 8;
  }
}

CR_ELEMENT_FUNCTIONS(3, 8)

/* ---- forces by modes -------------------------------------------------------------------------
   A field on the brick is 1, xi, eta, zeta, xi eta, eta zeta, zeta xi, xi eta zeta times eight
   coefficients, sums and differences of the corner values. A derivative depends on the other two
   coordinates alone, so it takes four values in the eight points, which are sums and differences
   again: 20 additions and products for a derivative in all points where sums over the corners take 64
   products. Forces go the same way back. What is left of the geometry is one inverse per point. */

#define S1 0.5773502691896257 /* coordinate of a point */
#define S2 (1.0 / 3)

/* Values at the signs (--, +-, -+, ++) of p + q xi + r eta + t xi eta, and sums over them. */
CR_INLINE void spread(CrLanes p, CrLanes q, CrLanes r, CrLanes t, CrLanes value[4])
{
  CrLanes a = p + q, b = p - q, c = r + t, d = r - t;

  value[0] = b - d;
  value[1] = a - c;
  value[2] = b + d;
  value[3] = a + c;
}

CR_INLINE void collect(const CrLanes value[4], CrLanes *p, CrLanes *q, CrLanes *r, CrLanes *t)
{
  CrLanes a = value[3] + value[1], b = value[2] + value[0];
  CrLanes c = value[3] - value[1], d = value[2] - value[0];

  *p = a + b;
  *q = a - b;
  *r = c + d;
  *t = c - d;
}

/* d[j][i][s] = 8 dx_i/dxi_j; s: signs of the other two coordinates, in their order. Differences to a
   corner first: values far from zero cost no digits. */
CR_INLINE void derivatives(CrLanes x[][3], CrLanes d[3][3][4])
{
  for (int i = 0; i < 3; i++) {
    CrLanes x1 = x[1][i] - x[0][i], x2 = x[2][i] - x[0][i], x3 = x[3][i] - x[0][i];
    CrLanes x4 = x[4][i] - x[0][i], x5 = x[5][i] - x[0][i], x6 = x[6][i] - x[0][i];
    CrLanes x7 = x[7][i] - x[0][i], s1 = x2 + x3, s2 = x5 + x4, s3 = x6 + x7;
    CrLanes d1 = x2 - x3, d2 = x5 - x4, d3 = x6 - x7;
    CrLanes a0 = x1 + d1, a1 = d2 + d3, b0 = s1 - x1, b1 = s3 - s2, c0 = d1 - x1, c1 = d3 - d2;
    CrLanes xy = S1 * (c0 + c1), yz = S1 * (b1 - b0), zx = S1 * (a1 - a0), xyz = S2 * (c1 - c0);

    spread(a0 + a1, xy, zx, xyz, d[0][i]);
    spread(b0 + b1, xy, yz, xyz, d[1][i]);
    spread((s2 + s3) - (x1 + s1), zx, yz, xyz, d[2][i]);
  }
}

/* f_ai = scale sum_js q[j][i][s] d(8 N_a)/dxi_j: the transpose of derivatives. */
CR_INLINE void corner_forces(CrLanes q[3][3][4], double scale, CrLanes f[][3])
{
  for (int i = 0; i < 3; i++) {
    CrLanes x, y, z, xy[2], yz[2], zx[2], xyz[3], level[2][4];

    collect(q[0][i], &x, &xy[0], &zx[0], &xyz[0]);
    collect(q[1][i], &y, &xy[1], &yz[0], &xyz[1]);
    collect(q[2][i], &z, &zx[1], &yz[1], &xyz[2]);
    xy[0] = S1 * (xy[0] + xy[1]);
    yz[0] = S1 * (yz[0] + yz[1]);
    zx[0] = S1 * (zx[0] + zx[1]);
    xyz[0] = S2 * (xyz[0] + xyz[1] + xyz[2]);
    spread(-z, x - zx[0], y - yz[0], xy[0] - xyz[0], level[0]);
    spread(z, x + zx[0], y + yz[0], xy[0] + xyz[0], level[1]);
    for (int k = 0; k < 2; k++) {
      f[4 * k][i] = scale * level[k][0];
      f[4 * k + 1][i] = scale * level[k][1];
      f[4 * k + 2][i] = scale * level[k][3];
      f[4 * k + 3][i] = scale * level[k][2];
    }
  }
}

/* Q_ji += det (F S)_ik inv_jk, the share of one point */
CR_INLINE void add_stress(const int s[3], CrLanes det, CrLanes F[3][3], const CrLanes *S,
                          CrLanes inv[3][3], CrLanes Q[3][3][4])
{
  for (int i = 0; i < 3; i++) {
    CrLanes P[3];

    for (int k = 0; k < 3; k++)
      P[k] = det * (F[i][0] * S[tensor_index[0][k]] + F[i][1] * S[tensor_index[1][k]] +
                    F[i][2] * S[tensor_index[2][k]]);
    for (int j = 0; j < 3; j++)
      Q[j][i][s[j]] += P[0] * inv[j][0] + P[1] * inv[j][1] + P[2] * inv[j][2];
  }
}

/* Force at u1, with energy and least det F if wanted. */
CR_INLINE void force_by_modes(const CrElementBlock *block, const PetscInt *nodes,
                              const CrNodal *nodal, int first, const CrKernelOut *out)
{
  const CrMaterial *material = block->material;
  PetscBool         small = (material->ops->flags & CR_SMALL_STRAIN) != 0;
  double            scale = block->stress_rule.weight[0] * block->thickness / 512;
  CrLanes           x[8][3], dX[3][3][4], du[3][3][4], Q[3][3][4];
  CrLanes           energy = lanes_set(0), least = lanes_set(HUGE_VAL);

  gather(3, 8, nodes, nodal->X, x);
  derivatives(x, dX);
  gather(3, 8, nodes, nodal->u1, x);
  derivatives(x, du);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      for (int s = 0; s < 4; s++) Q[j][i][s] = lanes_set(0);
  for (int q = 0; q < 8; q++) {
    const int s[3] = {q >> 1, (q & 1) | ((q >> 1) & 2), q & 3};
    CrLanes   J[3][3], inv[3][3], det, H[3][3], F[3][3], E[6], S[6], W;

    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) J[i][j] = dX[j][i][s[j]];
    det = invert(3, J, inv);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        H[i][k] =
            du[0][i][s[0]] * inv[0][k] + du[1][i][s[1]] * inv[1][k] + du[2][i][s[2]] * inv[2][k];
    deformation(3, small, H, F);
    strain_of(3, small, H, E);
    CR_VARIANT(CrStressAt)(material, CR_NS(3), E, out->energy ? &W : NULL, S, NULL);
    add_stress(s, det, F, S, inv, Q);
    if (out->energy) energy += det * W;
    if (out->energy) least = lanes_min(determinant_of(3, F), least);
  }
  corner_forces(Q, scale, x);
  for (int a = 0; a < 8; a++)
    for (int i = 0; i < 3; i++) lanes_store(out->force + (a * 3 + i) * CR_BATCH + first, x[a][i]);
  if (out->energy) lanes_store(out->energy + first, energy * scale);
  if (out->energy && out->det) lanes_store(out->det + first, least);
}

/* The stress of W_rest at one configuration. */
CR_INLINE void rest_at(const CrElementBlock *block, const CrPast *past, const CrLanes *E,
                       CrLanes *W, CrLanes *S)
{
  const CrMaterial *material = block->material;

  if (block->state_size)
    material->ops->at(material, CR_NS(3), past, NULL, E, NULL, W, S, NULL);
  else
    material->ops->rest(material, CR_NS(3), E, W, S, NULL);
}

/* The same for a split law; its pressure acts in Qb, and joins at the end. J F^-T, which it needs, is F times the
   gradient of J by E. */
CR_INLINE void split_by_modes(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,
                              int first, const CrKernelOut *out)
{
  const PetscInt   *nodes = block->nodes + batch * 8 * CR_BATCH + first;
  const CrMaterial *material = block->material;
  const double      scale = block->stress_rule.weight[0] / 512, part = block->volume_part;
  CrLanes           x[8][3], dX[3][3][4], du[3][3][4], Q[3][3][4], Qb[3][3][4], p, U;
  CrLanes           energy = lanes_set(0), least = lanes_set(HUGE_VAL), V = lanes_set(0);
  CrLanes           sum = lanes_set(0);

  gather(3, 8, nodes, nodal->X, x);
  derivatives(x, dX);
  gather(3, 8, nodes, nodal->u1, x);
  derivatives(x, du);
  for (int r = 0; r < 36; r++)
    Q[r / 12][r / 4 % 3][r % 4] = Qb[r / 12][r / 4 % 3][r % 4] = lanes_set(0);
  for (int q = 0; q < 8; q++) {
    const int    s[3] = {q >> 1, (q & 1) | ((q >> 1) & 2), q & 3};
    const CrPast past = split_past(block, batch, nodal, q, first);
    CrLanes      J[3][3], inv[3][3], det, H[3][3], F[3][3], E[6], S[6], W, j, G[6];

    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) J[i][k] = dX[k][i][s[k]];
    det = invert(3, J, inv);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        H[i][k] =
            du[0][i][s[0]] * inv[0][k] + du[1][i][s[1]] * inv[1][k] + du[2][i][s[2]] * inv[2][k];
    deformation(3, PETSC_FALSE, H, F);
    strain_of(3, PETSC_FALSE, H, E);
    rest_at(block, &past, E, out->energy ? &W : NULL, S);
    j = volume_change(determinant_change(6, E));
    volume_gradient(6, E, j, G, NULL);
    if (part > 0) {
      volume_at(material, j, &U, &p, NULL);
      for (int I = 0; I < 6; I++) S[I] += part * p * G[I];
      if (out->energy) W += part * U;
    }
    add_stress(s, det, F, S, inv, Q);
    add_stress(s, det, F, G, inv, Qb);
    V += det;
    sum += det * j;
    if (out->energy) energy += det * W;
    if (out->energy) least = lanes_min(determinant_of(3, F), least);
  }
  volume_at(material, sum / V, &U, &p, NULL);
  for (int r = 0; r < 36; r++)
    Q[r / 12][r / 4 % 3][r % 4] += (1 - part) * p * Qb[r / 12][r / 4 % 3][r % 4];
  corner_forces(Q, scale, x);
  for (int a = 0; a < 8; a++)
    for (int i = 0; i < 3; i++) lanes_store(out->force + (a * 3 + i) * CR_BATCH + first, x[a][i]);
  if (!out->energy) return;
  lanes_store(out->energy + first, (energy + (1 - part) * V * U) * scale);
  if (out->det) lanes_store(out->det + first, least);
}

static CR_APART void force_split_modes(const CrElementBlock *block, PetscInt batch,
                                       const CrNodal *nodal, const CrKernelOut *out)
{
  for (int s = 0; s < CR_BATCH; s += CR_WIDTH) split_by_modes(block, batch, nodal, s, out);
}

/* Modes know one configuration: a law whose stress depends on the step is left to the other kernels. */
static PetscBool needs_step(const CrElementBlock *block)
{
  return block->state_size && !(block->split && (block->material->ops->flags & CR_END_ALONE));
}

static void force_h8(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,
                     CrForceKind kind, const CrKernelOut *out)
{
  const PetscInt *nodes = block->nodes + batch * 8 * CR_BATCH;

  if (block->one_point || kind == CR_FORCE_CONSERVING || needs_step(block))
    force(block, batch, nodal, kind, out);
  else if (block->split)
    force_split_modes(block, batch, nodal, out);
  else
    for (int s = 0; s < CR_BATCH; s += CR_WIDTH) force_by_modes(block, nodes + s, nodal, s, out);
}

CR_ELEMENT_ENTRY(h8, CR_H8, 3, 8, 8, PETSC_FALSE, CrQuadHex8, CrQuadHex8, force_h8)

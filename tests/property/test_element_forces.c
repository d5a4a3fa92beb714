/* Every element with every law, split laws at the mean volume too, in axial symmetry too: rigid motion, frame invariance, tangents against differences, work
   against energy, Cauchy stress against power, and the same from every instruction set. */
#include "base/isa.h"
#include "element_batch.h"
#include "material_constants.h"

/* An element with a law, full or one-point. */
typedef struct {
  const CrElement *e;
  CrMaterial       material;
  PetscBool        one_point, small, axial, split;
  PetscReal        part; /* share of the volume that is taken at points */
} Case;

/* A random batch; in axial symmetry it lies away from the axis. */
static void fill(Batch *b, const Case *c, PetscReal bend, unsigned seed)
{
  batch_fill(b, c->e, &c->material, c->one_point, bend, seed);
  b->block.axial = c->axial;
  b->block.split = c->split;
  b->block.volume_part = c->part;
  if (c->axial) b->block.thickness = 1.0 / 30; /* forces of about 1 all the same */
  for (PetscInt k = 0; c->axial && k < BATCH_REALS; k += 2) b->X[k] += 4;
}

static const CrForceKind kinds[] = {CR_FORCE_CONSERVING, CR_FORCE_POINT};

static void force(const Batch *b, CrForceKind kind, PetscReal *f)
{
  const CrNodal nodal = batch_nodal(b);

  b->block.element->force(&b->block, 0, &nodal, kind, &(CrKernelOut){.force = f});
}

static void energy(const Batch *b, const PetscReal *u, PetscReal *W)
{
  const CrNodal nodal = {.X = b->X, .u1 = u};

  b->block.element->observe(&b->block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.energy = W});
}

/* Rigid motions of the undeformed element, 130 and 200 degrees and far away: no force, no energy.
   Linear bodies: translations and infinitesimal rotations. */
static void test_rigid_motion(const Case *c)
{
  static Batch    b;
  const PetscReal shift[2][3] = {{1, -2, 0.5}, {-0.7, 3, 1}};
  PetscReal       f[BATCH_REALS], W[CR_BATCH], worst[2] = {0};

  if (c->axial) return;
  fill(&b, c, 0.05, 29);
  memset(b.u0, 0, sizeof b.u0);
  memset(b.u1, 0, sizeof b.u1);
  for (int k = 0; k < 2; k++) {
    PetscReal Q[3][3], H[3][3];

    rotation(c->e->dim, (k ? 200 : 130) * PETSC_PI / 180, Q);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) H[i][j] = c->small ? Q[i][j] - Q[j][i] : Q[i][j] - (i == j);
    for (PetscInt l = 0; l < CR_BATCH; l++) add_affine(c->e, l, H, shift[k], b.X, k ? b.u1 : b.u0);
  }
  for (int k = 0; k < 2; k++) {
    force(&b, kinds[k], f);
    for (PetscInt r = 0; r < c->e->nnodes * c->e->dim * CR_BATCH; r++)
      keep_greatest(&worst[0], f[r]);
  }
  energy(&b, b.u1, W);
  for (int l = 0; l < CR_BATCH; l++) keep_greatest(&worst[1], W[l]);
  CHECK_LESS(worst[0], 1e-13);
  CHECK_LESS(worst[1], 1e-26); /* squares of rounded strains */
}

/* Both configurations turned together: the energy stays, the force turns along. */
static void test_frame_invariance(const Case *c)
{
  static Batch b, turned;
  PetscReal    f[BATCH_REALS], g[BATCH_REALS], W[CR_BATCH], V[CR_BATCH], Q[3][3], worst[2] = {0};
  PetscInt     dim = c->e->dim;

  if (c->small || c->axial) return;
  fill(&b, c, 0.05, 31);
  turned = b;
  rotation(dim, 2, Q);
  for (int k = 0; k < 2; k++) {
    PetscReal *u = k ? turned.u1 : turned.u0, Q1[3][3];

    memset(u, 0, sizeof turned.u0);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) Q1[i][j] = Q[i][j] - (i == j);
    for (PetscInt l = 0; l < CR_BATCH; l++) { /* Q (X + u) - X */
      add_affine(c->e, l, Q, NULL, k ? b.u1 : b.u0, u);
      add_affine(c->e, l, Q1, NULL, b.X, u);
    }
  }
  for (int k = 0; k < 2; k++) {
    force(&b, kinds[k], f);
    force(&turned, kinds[k], g);
    for (PetscInt a = 0; a < c->e->nnodes; a++)
      for (PetscInt i = 0; i < dim; i++)
        for (PetscInt l = 0; l < CR_BATCH; l++) {
          PetscReal sum = g[(a * dim + i) * CR_BATCH + l];

          for (PetscInt j = 0; j < dim; j++) sum -= Q[i][j] * f[(a * dim + j) * CR_BATCH + l];
          keep_greatest(&worst[0], sum);
        }
  }
  energy(&b, b.u1, W);
  energy(&turned, turned.u1, V);
  for (int l = 0; l < CR_BATCH; l++) keep_greatest(&worst[1], W[l] - V[l]);
  CHECK_LESS(worst[0], 1e-12);
  CHECK_LESS(worst[1], 1e-12);
}

/* d force / d u1 against differences of fourth order with a step of 1e-3 of the element. */
static void test_tangent(const Case *c, CrForceKind kind)
{
  static Batch     b;
  static PetscReal K[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH];
  const PetscReal  d = 3e-4, places[4] = {-2, -1, 1, 2};
  const PetscReal  shares[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  PetscInt         nd = c->e->nnodes * c->e->dim;
  PetscReal        worst = 0, greatest = 0, f[BATCH_REALS];
  CrNodal          nodal;

  fill(&b, c, 0.05, 37);
  nodal = batch_nodal(&b);
  c->e->tangent(&b.block, 0, &nodal, kind, &(CrKernelOut){.tangent = K});
  for (PetscInt s = 0; s < nd; s++) {
    PetscReal slope[BATCH_REALS] = {0}, kept[CR_BATCH];

    for (PetscInt l = 0; l < CR_BATCH; l++) kept[l] = b.u1[l * nd + s];
    for (int k = 0; k < 4; k++) {
      for (PetscInt l = 0; l < CR_BATCH; l++) b.u1[l * nd + s] = kept[l] + places[k] * d;
      force(&b, kind, f);
      for (PetscInt r = 0; r < nd * CR_BATCH; r++) slope[r] += shares[k] / d * f[r];
    }
    for (PetscInt l = 0; l < CR_BATCH; l++) b.u1[l * nd + s] = kept[l];
    for (PetscInt r = 0; r < nd; r++)
      for (PetscInt l = 0; l < CR_BATCH; l++) {
        PetscReal value = K[(r * nd + s) * CR_BATCH + l];

        keep_greatest(&worst, value - slope[r * CR_BATCH + l]);
        keep_greatest(&greatest, value);
      }
  }
  CHECK_LESS(worst / greatest, 1e-7);
}

/* f.(u1 - u0) = W1 - W0, and total force and moment vanish. */
static void test_directionality(const Case *c)
{
  static Batch b;
  PetscReal    f[BATCH_REALS], W0[CR_BATCH], W1[CR_BATCH], worst[3] = {0};
  PetscInt     dim = c->e->dim;

  fill(&b, c, 0.05, 41);
  force(&b, CR_FORCE_CONSERVING, f);
  energy(&b, b.u0, W0);
  energy(&b, b.u1, W1);
  for (PetscInt l = 0; l < CR_BATCH; l++) {
    PetscReal work = 0, sum[3] = {0}, moment[3] = {0};

    for (PetscInt a = 0; a < c->e->nnodes; a++) {
      PetscReal x[3] = {0}, fa[3] = {0};

      for (PetscInt i = 0; i < dim; i++) {
        PetscInt r = batch_dof(c->e, l, a, i);

        fa[i] = f[(a * dim + i) * CR_BATCH + l];
        x[i] = b.X[r] + (b.u0[r] + b.u1[r]) / 2;
        work += fa[i] * (b.u1[r] - b.u0[r]);
      }
      for (int i = 0; i < 3; i++) {
        sum[i] += fa[i];
        moment[i] += x[(i + 1) % 3] * fa[(i + 2) % 3] - x[(i + 2) % 3] * fa[(i + 1) % 3];
      }
    }
    keep_greatest(&worst[0], work - (W1[l] - W0[l]));
    for (int i = c->axial; i < 3; i++) keep_greatest(&worst[1], sum[i]); /* not the radial one */
    for (int i = 0; !c->axial && i < 3; i++) keep_greatest(&worst[2], moment[i]);
  }
  CHECK_LESS(worst[0], 2e-14); /* roundings of W, which is about 1 */
  CHECK_LESS(worst[1], 1e-14);
  if (!c->small) CHECK_LESS(worst[2], 1e-14); /* about x_m: what keeps angular momentum */
}

/* Homogeneous F and L on an affine element: f.v = volume J sigma:L with the Cauchy stress. */
static void test_cauchy_stress(const Case *c)
{
  static Batch     b;
  static PetscReal stress[CR_MAX_POINTS * 6 * CR_BATCH];
  static const int index[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  PetscReal        f[BATCH_REALS], det[CR_BATCH], stretch[CR_BATCH], worst = 0;
  PetscReal        F[3][3], H[3][3], L[3][3];
  PetscInt         dim = c->e->dim;
  CrNodal          nodal;
  unsigned         seed = 43;

  if (c->material.plane_stress || c->axial)
    return; /* sigma per thickness of the start; not homogeneous */
  fill(&b, c, 0, 43);
  memset(b.u1, 0, sizeof b.u1);
  random_matrix(dim, 0.3, &seed, H);
  random_matrix(dim, 1, &seed, L);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) F[i][j] = H[i][j] + (i == j);
  for (PetscInt l = 0; l < CR_BATCH; l++) add_affine(c->e, l, H, NULL, b.X, b.u1);
  nodal = batch_nodal(&b);
  c->e->observe(&b.block, 0, &nodal, CR_FORCE_POINT,
                &(CrKernelOut){.stress = stress, .det = det, .stretch = stretch});
  force(&b, CR_FORCE_POINT, f);
  for (PetscInt l = 0; l < CR_BATCH; l++) {
    PetscReal power = 0, volume = 0, density = 0;

    for (PetscInt a = 0; a < c->e->nnodes; a++)
      for (PetscInt i = 0; i < dim; i++)
        for (PetscInt j = 0; j < dim; j++) {
          PetscInt  r = batch_dof(c->e, l, a, j);
          PetscReal x = b.X[r] + (c->small ? 0 : b.u1[r]);

          power += f[(a * dim + i) * CR_BATCH + l] * L[i][j] * x;
        }
    for (PetscInt q = 0; q < b.block.stress_rule.n; q++) {
      PetscReal J[3][3] = {{0}};

      for (PetscInt a = 0; a < c->e->nnodes; a++)
        for (PetscInt i = 0; i < dim; i++)
          for (PetscInt j = 0; j < dim; j++)
            J[i][j] += b.X[batch_dof(c->e, l, a, i)] * b.block.stress_rule.dN[q][a][j];
      volume += b.block.stress_rule.weight[q] * b.block.thickness * determinant3(dim, J);
    }
    if (!c->small) volume *= determinant3(dim, F);
    for (PetscInt i = 0; i < dim; i++)
      for (PetscInt j = 0; j < dim; j++) density += stress[index[i][j] * CR_BATCH + l] * L[i][j];
    keep_greatest(&worst, power - volume * density);
    CHECK_NEAR(det[l], determinant3(dim, F), 1e-14);
  }
  CHECK_LESS(worst, 1e-13);
}

/* The least principal stretch of a turned stretch is known. */
static void test_stretch(const Case *c)
{
  static Batch    b;
  const PetscReal stretch[3] = {1.2, 0.65, 1.1}; /* above 0.7 a bound is enough */
  PetscReal       Q[3][3], H[3][3], least[CR_BATCH];
  CrNodal         nodal;

  if (c->small || c->axial) return;
  fill(&b, c, 0, 47);
  memset(b.u1, 0, sizeof b.u1);
  rotation(c->e->dim, 1, Q);
  for (int i = 0; i < 3; i++) /* F = Q diag: C = diag^2 in turned axes too */
    for (int j = 0; j < 3; j++) {
      H[i][j] = -(i == j);
      for (int k = 0; k < c->e->dim; k++) H[i][j] += Q[i][k] * stretch[k] * Q[j][k];
    }
  for (PetscInt l = 0; l < CR_BATCH; l++) add_affine(c->e, l, H, NULL, b.X, b.u1);
  nodal = batch_nodal(&b);
  c->e->observe(&b.block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.stretch = least});
  for (int l = 0; l < CR_BATCH; l++) CHECK_NEAR(least[l], 0.65, 1e-13);
}

/* Energy and least det F that come with the force are those of the observer; the force is that of the
   tangent's kernel, which sums over nodes where some elements have a shorter way. */
static void test_force_observes(const Case *c)
{
  static Batch     b;
  static PetscReal K[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH];
  PetscReal        f[BATCH_REALS], g[BATCH_REALS], W[2][CR_BATCH], det[2][CR_BATCH], size = 0;
  CrNodal          nodal;

  fill(&b, c, 0.05, 53);
  nodal = batch_nodal(&b);
  c->e->force(&b.block, 0, &nodal, CR_FORCE_POINT,
              &(CrKernelOut){.force = f, .energy = W[0], .det = det[0]});
  c->e->observe(&b.block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.energy = W[1], .det = det[1]});
  for (int l = 0; l < CR_BATCH; l++) {
    CHECK_NEAR(W[0][l], W[1][l], 1e-14);
    if (!c->small) CHECK_NEAR(det[0][l], det[1][l], 1e-14);
  }
  c->e->tangent(&b.block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.force = g, .tangent = K});
  for (PetscInt k = 0; k < c->e->nnodes * c->e->dim * CR_BATCH; k++)
    size = PetscMax(size, fabs(g[k]));
  for (PetscInt k = 0; k < c->e->nnodes * c->e->dim * CR_BATCH; k++)
    CHECK_NEAR(f[k], g[k], 1e-13 * size);
}

/* ---- instruction sets */

#if defined(__x86_64__)
#define CR_MATERIAL(name)                                                                          \
  extern const CrMaterialOps CrMaterial_##name##_baseline, CrMaterial_##name##_avx2,               \
      CrMaterial_##name##_avx512;
#include "material/registry.def"
#undef CR_MATERIAL
#define CR_ELEMENT(name)                                                                           \
  extern const CrElement CrElement_##name##_baseline, CrElement_##name##_avx2,                     \
      CrElement_##name##_avx512;
#include "element/registry.def"
#undef CR_ELEMENT

static const CrMaterialOps *const laws[][CR_NISAS] = {
#define CR_MATERIAL(name)                                                                          \
  {&CrMaterial_##name##_baseline, &CrMaterial_##name##_avx2, &CrMaterial_##name##_avx512},
#include "material/registry.def"
};

static const CrElement *const elements[][CR_NISAS] = {
#define CR_ELEMENT(name)                                                                           \
  {&CrElement_##name##_baseline, &CrElement_##name##_avx2, &CrElement_##name##_avx512},
#include "element/registry.def"
};

/* Everything that kernels fill, one after the other. */
typedef struct {
  PetscReal force[BATCH_REALS], tangent[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH];
  PetscReal energy[CR_BATCH], det[CR_BATCH], stretch[CR_BATCH];
  PetscReal stress[CR_MAX_POINTS * 6 * CR_BATCH];
  PetscReal mass[CR_MAX_CELL_NODES * CR_MAX_CELL_NODES * CR_BATCH];
} Everything;

static void compute_everything(const Case *c, CrForceKind kind, Everything *out)
{
  static Batch     b;
  const CrElement *e = c->e;
  CrNodal          nodal;

  memset(out, 0, sizeof *out);
  fill(&b, c, 0.05, 59);
  nodal = batch_nodal(&b);
  e->force(&b.block, 0, &nodal, kind, &(CrKernelOut){.force = out->force});
  e->tangent(&b.block, 0, &nodal, kind, &(CrKernelOut){.tangent = out->tangent});
  e->observe(&b.block, 0, &nodal, kind,
             &(CrKernelOut){.energy = out->energy,
                            .det = out->det,
                            .stretch = out->stretch,
                            .stress = out->stress});
  e->mass(&b.block, 0, &nodal, kind, &(CrKernelOut){.mass = out->mass});
}

/* The sets differ in fused products alone: a few roundings of numbers of about 1. */
static void test_instruction_sets(const Case *c, PetscInt element, PetscInt law)
{
  static Everything base, other;
  const PetscReal  *p = (const PetscReal *)&base, *q = (const PetscReal *)&other;

  for (CrIsa isa = CR_ISA_AVX2; isa < CR_NISAS; isa++)
    for (int k = 0; k < 2 && CrIsaIsThere(isa); k++) {
      Case      variant = *c;
      PetscReal worst = 0;

      variant.material.ops = variant.material.elastic = laws[law][CR_ISA_BASELINE];
      variant.e = elements[element][CR_ISA_BASELINE];
      compute_everything(&variant, kinds[k], &base);
      variant.material.ops = variant.material.elastic = laws[law][isa];
      variant.e = elements[element][isa];
      compute_everything(&variant, kinds[k], &other);
      for (size_t r = 0; r < sizeof base / sizeof *p; r++) keep_greatest(&worst, p[r] - q[r]);
      CHECK_LESS(worst, 1e-13);
    }
}
#else
static void test_instruction_sets(const Case *c, PetscInt element, PetscInt law)
{
  (void)c, (void)element, (void)law;
}
#endif

static void test_case(const Case *c, PetscInt element, PetscInt law)
{
  int before = check_failures;

  test_rigid_motion(c);
  test_frame_invariance(c);
  for (int k = 0; k < 2; k++) test_tangent(c, kinds[k]);
  test_directionality(c);
  test_cauchy_stress(c);
  test_stretch(c);
  test_force_observes(c);
  test_instruction_sets(c, element, law);
  if (check_failures > before)
    printf("  %s, %s%s%s%s, volume part %g\n", CrCells[c->e->type].name, c->material.ops->name,
           c->material.plane_stress ? ", plane stress" : "", c->one_point ? ", one point" : "",
           c->axial ? ", axial" : "", (double)c->part);
}

/* The variants of an element and a law that kernels know: plane stress, one point, axial; whole law, or split with
   the volume as a mean, partly at points, all at points. */
static void test_variants(PetscInt element, PetscInt law)
{
  const CrMaterialOps   *ops = CrMaterialAt(law);
  static const PetscReal parts[] = {1, 0, 0.3, 1};

  if (ops->state_size) return; /* see test_flow */
  for (int variant = 0; variant < 24; variant++) {
    int  frame = variant % 3, volume = variant / 6;
    Case c = {.e = CrElementAt(element),
              .small = (ops->flags & CR_SMALL_STRAIN) != 0,
              .one_point = variant / 3 % 2 != 0,
              .axial = frame == 2,
              .split = volume > 0,
              .part = parts[volume]};

    if (frame && c.e->dim == 3) continue;
    if (c.one_point && c.e->type != CR_Q4 && c.e->type != CR_H8) continue;
    if (c.split && (!ops->volume || frame == 1)) continue;
    CHECK_OK(material_sample(ops, 1.7, frame == 1, &c.material));
    test_case(&c, element, law);
  }
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (CrIsa isa = 0; isa < CR_NISAS; isa++)
    if (!CrIsaIsThere(isa)) printf("not in this processor, not compared: %s\n", CrIsaName(isa));
  for (PetscInt i = 0; CrElementAt(i); i++)
    for (PetscInt m = 0; CrMaterialAt(m); m++) test_variants(i, m);
  return check_end();
}

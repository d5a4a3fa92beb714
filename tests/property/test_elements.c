/* Every element of the registry: shape functions, quadrature, mass, extrapolation. */
#include "element_batch.h"
#include "material_constants.h"

static PetscBool is_simplex(const CrElement *e)
{
  return CrCells[e->type].ncorners == e->dim + 1;
}

/* A point inside the reference cell. */
static void random_point(const CrElement *e, unsigned *seed, PetscReal xi[3])
{
  PetscReal sum = 0;

  xi[0] = xi[1] = xi[2] = 0;
  for (PetscInt i = 0; i < e->dim; i++) {
    xi[i] = random_number(seed);
    if (is_simplex(e)) xi[i] = PetscAbsReal(xi[i]);
    sum += xi[i];
  }
  for (PetscInt i = 0; is_simplex(e) && sum > 1 && i < e->dim; i++) xi[i] /= sum;
}

/* Sum N = 1, sum N xi_a = xi; N_a = 1 at its node and 0 at the others. */
static void test_shape_values(const CrElement *e)
{
  PetscReal N[CR_MAX_CELL_NODES], dN[CR_MAX_CELL_NODES][3], xi[3], worst[4] = {0};
  unsigned  seed = 3;

  for (int trial = 0; trial < 20; trial++) {
    PetscReal sum[4] = {-1}, slope[3] = {0};

    random_point(e, &seed, xi);
    e->shape(xi, N, dN);
    for (PetscInt a = 0; a < e->nnodes; a++) {
      sum[0] += N[a];
      for (PetscInt i = 0; i < e->dim; i++) {
        sum[i + 1] += N[a] * e->nodes[a][i];
        slope[i] += dN[a][i];
      }
    }
    keep_greatest(&worst[0], sum[0]);
    for (PetscInt i = 0; i < e->dim; i++) {
      keep_greatest(&worst[1], sum[i + 1] - xi[i]);
      keep_greatest(&worst[2], slope[i]);
    }
  }
  for (PetscInt b = 0; b < e->nnodes; b++) {
    e->shape(e->nodes[b], N, dN);
    for (PetscInt a = 0; a < e->nnodes; a++) keep_greatest(&worst[3], N[a] - (a == b));
  }
  for (int k = 0; k < 4; k++) CHECK_LESS(worst[k], 1e-14);
}

/* Shape functions are of degree 3 at most along a coordinate: differences of fourth order are exact
   up to rounding, 1e-16/1e-2. */
static void test_shape_slopes(const CrElement *e)
{
  const PetscReal d = 1e-2;
  PetscReal       N[4][CR_MAX_CELL_NODES], dN[CR_MAX_CELL_NODES][3], unused[CR_MAX_CELL_NODES][3];
  PetscReal       xi[3], worst = 0;
  unsigned        seed = 5;

  for (int trial = 0; trial < 10; trial++) {
    random_point(e, &seed, xi);
    e->shape(xi, N[0], dN);
    for (PetscInt i = 0; i < e->dim; i++) {
      for (int k = 0; k < 4; k++) {
        PetscReal moved[3] = {xi[0], xi[1], xi[2]};

        moved[i] += d * (k < 2 ? k - 2 : k - 1);
        e->shape(moved, N[k], unused);
      }
      for (PetscInt a = 0; a < e->nnodes; a++)
        keep_greatest(&worst,
                      (8 * (N[2][a] - N[1][a]) - (N[3][a] - N[0][a])) / (12 * d) - dN[a][i]);
    }
  }
  CHECK_LESS(worst, 1e-13);
}

/* ---- quadrature */

static PetscReal factorial(int n)
{
  return n < 2 ? 1 : n * factorial(n - 1);
}

/* Integral of x^i y^j z^k over the simplex with unit legs, or over [-1,1]^dim. */
static PetscReal monomial(PetscInt dim, PetscBool simplex, const int p[3])
{
  PetscReal value = 1;
  int       total = (int)dim;

  for (PetscInt d = 0; d < dim; d++) {
    value *= simplex ? factorial(p[d]) : p[d] % 2 ? 0 : 2.0 / (p[d] + 1);
    total += p[d];
  }
  return simplex ? value / factorial(total) : value;
}

static PetscReal integrate(const CrQuadrature *rule, PetscInt dim, const int p[3])
{
  PetscReal sum = 0;

  for (PetscInt q = 0; q < rule->n; q++) {
    PetscReal value = rule->weight[q];

    for (PetscInt d = 0; d < dim; d++) value *= pow(rule->point[q][d], p[d]);
    sum += value;
  }
  return sum;
}

/* Exact for all monomials up to the degree (total for simplices, per direction for products), and
   not for all of the next one: the table promises no less than it holds, and no more. */
static void test_rule(const CrQuadrature *rule, PetscInt dim, PetscBool simplex, int degree)
{
  PetscReal worst = 0, next = 0;
  int       p[3], top = degree + 1;

  for (p[0] = 0; p[0] <= top; p[0]++)
    for (p[1] = 0; p[1] <= (dim > 1 ? top : 0); p[1]++)
      for (p[2] = 0; p[2] <= (dim > 2 ? top : 0); p[2]++) {
        int       order = simplex ? p[0] + p[1] + p[2] : PetscMax(p[0], PetscMax(p[1], p[2]));
        PetscReal error = integrate(rule, dim, p) - monomial(dim, simplex, p);

        if (order <= degree) keep_greatest(&worst, error);
        if (order == top) keep_greatest(&next, error);
      }
  CHECK_LESS(worst, 1e-14);
  CHECK_LESS(1e-6, next);
}

static void test_rules(void)
{
  test_rule(&CrQuadLine2, 1, PETSC_FALSE, 3);
  test_rule(&CrQuadLine3, 1, PETSC_FALSE, 5);
  test_rule(&CrQuadTri1, 2, PETSC_TRUE, 1);
  test_rule(&CrQuadTri3, 2, PETSC_TRUE, 2);
  test_rule(&CrQuadTri6, 2, PETSC_TRUE, 4);
  test_rule(&CrQuadTet1, 3, PETSC_TRUE, 1);
  test_rule(&CrQuadTet4, 3, PETSC_TRUE, 2);
  test_rule(&CrQuadTet14, 3, PETSC_TRUE, 5);
  test_rule(&CrQuadQuad1, 2, PETSC_FALSE, 1);
  test_rule(&CrQuadQuad4, 2, PETSC_FALSE, 3);
  test_rule(&CrQuadQuad9, 2, PETSC_FALSE, 5);
  test_rule(&CrQuadHex1, 3, PETSC_FALSE, 1);
  test_rule(&CrQuadHex8, 3, PETSC_FALSE, 3);
}

/* ---- mass */

/* Least pivot over the greatest of the Cholesky factorisation; below zero: not positive. */
static PetscReal pivot_ratio(PetscInt n, PetscReal *A)
{
  PetscReal least = PETSC_MAX_REAL, greatest = 0;

  for (PetscInt k = 0; k < n; k++) {
    PetscReal pivot = A[k * n + k];

    least = PetscMin(least, pivot);
    greatest = PetscMax(greatest, pivot);
    for (PetscInt i = k + 1; i < n; i++)
      for (PetscInt j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j] / pivot;
  }
  return least / greatest;
}

/* x^p.M x^r of nodal values of monomials of the reference coordinates. */
static PetscReal moment(const CrElement *e, const PetscReal *M, const int p[3], const int r[3])
{
  PetscReal sum = 0;

  for (PetscInt a = 0; a < e->nnodes; a++)
    for (PetscInt b = 0; b < e->nnodes; b++) {
      PetscReal value = M[a * e->nnodes + b];

      for (PetscInt i = 0; i < e->dim; i++)
        value *= pow(e->nodes[a][i], p[i]) * pow(e->nodes[b][i], r[i]);
      sum += value;
    }
  return sum;
}

/* On affine shapes the consistent mass integrates products of what the element interpolates:
   constants and linear functions, and squares with quadratic elements (where a rule of too low a
   degree, unnoticed otherwise, shows). */
static void test_moments(const CrElement *e, PetscReal volume, const PetscReal *M)
{
  int degree = e->quadratic ? 2 : 1;

  for (PetscInt i = 0; i < e->dim; i++)
    for (PetscInt j = 0; j < e->dim; j++)
      for (int d = 0; d <= degree; d++) {
        int p[3] = {0}, r[3] = {0}, both[3];

        p[i] = d;
        r[j] = degree;
        for (int k = 0; k < 3; k++) both[k] = p[k] + r[k];
        CHECK_NEAR(moment(e, M, p, r), volume * monomial(e->dim, is_simplex(e), both), 1e-13);
      }
}

static void test_mass(const CrElement *e, const CrMaterial *material)
{
  static Batch  batch;
  PetscReal     M[CR_MAX_CELL_NODES * CR_MAX_CELL_NODES * CR_BATCH], m[CR_MAX_CELL_NODES];
  const CrNodal nodal = {.X = batch.X};
  PetscInt      nn = e->nnodes;

  batch_fill(&batch, e, material, PETSC_FALSE, 0, 23);
  e->mass(&batch.block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.mass = M});
  for (PetscInt l = 0; l < CR_BATCH; l++) {
    const int none[3] = {0};
    PetscReal one[CR_MAX_CELL_NODES * CR_MAX_CELL_NODES], J[3][3] = {{0}}, volume, lumped = 0;
    PetscReal least = PETSC_MAX_REAL, uneven = 0;

    /* affine: the Jacobian is the same everywhere */
    for (PetscInt i = 0; i < e->dim; i++)
      for (PetscInt j = 0; j < e->dim; j++)
        for (PetscInt a = 0; a < nn; a++)
          J[i][j] += batch.X[batch_dof(e, l, a, i)] * batch.block.stress_rule.dN[0][a][j];
    volume = determinant3(e->dim, J) * batch.block.thickness * material->density;
    for (PetscInt k = 0; k < nn * nn; k++) one[k] = M[k * CR_BATCH + l];
    CHECK_NEAR(moment(e, one, none, none), volume * monomial(e->dim, is_simplex(e), none), 1e-13);
    test_moments(e, volume, one);
    for (PetscInt a = 0; a < nn; a++)
      for (PetscInt b = 0; b < nn; b++) keep_greatest(&uneven, one[a * nn + b] - one[b * nn + a]);
    CHECK_LESS(uneven, 1e-15);

    CrElementLump(e, M, l, m);
    for (PetscInt a = 0; a < nn; a++) {
      lumped += m[a];
      least = PetscMin(least, m[a]);
    }
    CHECK_NEAR(lumped, volume * monomial(e->dim, is_simplex(e), none), 1e-13);
    CHECK_LESS(0.01 * lumped / (PetscReal)nn, least); /* positive, none negligible */
    CHECK_LESS(1e-3, pivot_ratio(nn, one));           /* full rank */
  }
}

/* ---- extrapolation */

/* Linear fields (constants with a single point) are carried to the nodes as they are. */
static void test_extrapolation(const CrElement *e)
{
  const CrQuadrature *rule = e->stress_rule;
  PetscReal           carry[CR_MAX_CELL_NODES * CR_MAX_POINTS], worst = 0;
  const PetscReal     c[4] = {0.7, e->npoints > 1 ? -1.3 : 0, e->npoints > 1 ? 0.4 : 0,
                          e->npoints > 1 ? 2.1 : 0};

  CrElementExtrapolation(e, carry);
  for (PetscInt a = 0; a < e->nnodes; a++) {
    PetscReal sum = -c[0];

    for (PetscInt i = 0; i < e->dim; i++) sum -= c[i + 1] * e->nodes[a][i];
    for (PetscInt q = 0; q < rule->n; q++) {
      PetscReal value = c[0];

      for (PetscInt i = 0; i < e->dim; i++) value += c[i + 1] * rule->point[q][i];
      sum += carry[a * rule->n + q] * value;
    }
    keep_greatest(&worst, sum);
  }
  CHECK_LESS(worst, 1e-13);
}

/* A turned-over cell has a negative Jacobian. */
static void test_jacobian(const CrElement *e)
{
  PetscReal X[CR_MAX_CELL_NODES][3] = {{0}};
  CrRule    rule;

  CrRuleFill(e, e->stress_rule, &rule);
  for (PetscInt a = 0; a < e->nnodes; a++)
    for (PetscInt i = 0; i < e->dim; i++) X[a][i] = 2 * e->nodes[a][i];
  CHECK_NEAR(CrElementLeastJacobian(e, &rule, X), e->dim == 2 ? 4 : 8, 1e-13);
  for (PetscInt a = 0; a < e->nnodes; a++) X[a][0] *= -1;
  CHECK_NEAR(CrElementLeastJacobian(e, &rule, X), e->dim == 2 ? -4 : -8, 1e-13);
}

int main(int argc, char **argv)
{
  CrMaterial material;

  if (check_start(argc, argv)) return 1;
  CHECK_OK(material_sample(CrMaterialAt(0), 1.7, PETSC_FALSE, &material));
  test_rules();
  for (PetscInt i = 0; CrElementAt(i); i++) {
    const CrElement *e = CrElementAt(i);
    int              before = check_failures;

    CHECK(e->stress_rule->n == e->npoints);
    CHECK(CrElementGet(e->type) == e);
    CHECK(CrCells[e->type].nnodes == e->nnodes && CrCells[e->type].dim == e->dim);
    test_shape_values(e);
    test_shape_slopes(e);
    test_mass(e, &material);
    test_extrapolation(e);
    test_jacobian(e);
    if (check_failures > before) printf("  %s\n", CrCells[e->type].name);
  }
  return check_end();
}

/* Gap and slip of two edges that cross: against edges that were put at a known place, against differences, and the
   identities from which momentum is conserved. */
#include "check.h"
#include "base/vector.h"
#include "contact/geometry/kinematics.h"

#define N    12
#define DOFS CR_CONTACT_DOFS

static double uniform(double lo, double hi)
{
  static unsigned long long seed = 20240301;

  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return lo + (hi - lo) * ((seed >> 11) * (1.0 / 9007199254740992.0));
}

/* Two edges, and what they were made of. */
typedef struct {
  PetscReal x[N], xi[2], gap, nu[3];
} Case;

/* Edges of length 0.5 to 1.5 that cross at 15 degrees or more. Their nearest points are at xi, `gap` apart along nu. */
static Case random_edges(PetscReal beyond, PetscReal height)
{
  Case      c;
  PetscReal foot[3], t[2][3], side[3], angle = uniform(0.27, PETSC_PI - 0.27);

  for (int i = 0; i < 3; i++) {
    foot[i] = uniform(-0.5, 0.5);
    c.nu[i] = uniform(-1, 1);
  }
  v_unit(c.nu);
  v_frame(3, c.nu, t[0], side);
  for (int i = 0; i < 3; i++) t[1][i] = cos(angle) * t[0][i] - sin(angle) * side[i];
  c.gap = uniform(-height, height);
  for (int b = 0; b < 2; b++) {
    PetscReal length = uniform(0.5, 1.5);

    c.xi[b] = uniform(-beyond, 1 + beyond);
    for (int i = 0; i < 3; i++) {
      PetscReal at = foot[i] + (b ? 0 : c.gap * c.nu[i]);

      c.x[6 * b + i] = at - c.xi[b] * length * t[b][i];
      c.x[6 * b + 3 + i] = at + (1 - c.xi[b]) * length * t[b][i];
    }
  }
  return c;
}

static void check_place(const Case *c)
{
  CrKinematics k;
  PetscReal    along[3], second[3];

  memset(&k, 0x7f, sizeof k); /* nothing may depend on what was there before */
  CHECK(CrKinematicsEdges(c->x, &k));
  CHECK(k.form == CR_FORM_EDGES && k.dim == 3 && k.nmaster == 3 && k.rest == CR_REST_NONE);
  CHECK_NEAR(k.gap, c->gap, 5e-15);
  for (int i = 0; i < 3; i++) CHECK_NEAR(k.nu[i], c->nu[i], 2e-14);
  for (int b = 0; b < 2; b++) CHECK_NEAR(k.xi[b], c->xi[b], 5e-14);
  v_less(c->x, c->x + 3, along);
  v_unit(along);
  v_cross(k.nu, k.e[0], second);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(k.e[0][i], along[i], 1e-14); /* the first tangent lies along the slave's edge */
    CHECK_NEAR(k.e[1][i], second[i], 1e-15);
  }
}

/* The master's edge in the other direction: the normal points to the other side. */
static void check_sides(const Case *c)
{
  Case         swapped = *c;
  CrKinematics k, back;

  v_copy(c->x + 6, swapped.x + 9);
  v_copy(c->x + 9, swapped.x + 6);
  CHECK(CrKinematicsEdges(c->x, &k) && CrKinematicsEdges(swapped.x, &back));
  CHECK_NEAR(back.gap, -k.gap, 1e-14);
  CHECK_NEAR(back.xi[1], 1 - k.xi[1], 5e-14);
  for (int i = 0; i < 3; i++) CHECK_NEAR(back.nu[i], -k.nu[i], 1e-14);
}

/* |sum B_A| and |sum x_A x B_A| */
static PetscReal rigid_residue(const Case *c, const PetscReal *B)
{
  PetscReal force[3] = {0}, moment[3] = {0};

  for (int A = 0; A < 4; A++) {
    PetscReal m[3];

    v_cross(c->x + 3 * A, B + 3 * A, m);
    v_add(force, 1, B + 3 * A);
    v_add(moment, 1, m);
  }
  return fmax(v_length(force), v_length(moment));
}

static PetscReal worst_identity, worst_first, worst_second;

static void check_identities(const Case *c)
{
  CrKinematics k;
  PetscReal    flat[N];

  CHECK(CrKinematicsEdges(c->x, &k));
  worst_identity = fmax(worst_identity, rigid_residue(c, k.G));
  for (int i = 0; i < 2; i++) {
    worst_identity = fmax(worst_identity, rigid_residue(c, k.H[i]));
    CHECK_LESS(rigid_residue(c, k.Xi[i]), 1e-12);
    for (int a = 0; a < N; a++)
      flat[a] = (a < 3 ? 1 - k.xi[0] : -k.shape[a / 3 - 1]) * k.e[i][a % 3];
    CHECK_NEAR(rigid_residue(c, flat), fabs(k.gap), 1e-12); /* without the term of height */
  }
}

/* Everything that is differentiated, as one list: gap, xi, G, H. */
static int list(const CrKinematics *k, PetscReal *v)
{
  int m = 0;

  v[m++] = k->gap;
  for (int a = 0; a < 2; a++) v[m++] = k->xi[a];
  for (int a = 0; a < N; a++) v[m++] = k->G[a];
  for (int i = 0; i < 2; i++)
    for (int a = 0; a < N; a++) v[m++] = k->H[i][a];
  return m;
}

/* Fourth-order differences of the list with respect to dof b. */
static void differences(const Case *c, int b, PetscReal *d)
{
  static const PetscReal at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const PetscReal        h = 2e-4;

  for (int s = 0; s < 4; s++) {
    PetscReal    x[N], v[3 + 3 * N];
    CrKinematics k;

    memcpy(x, c->x, sizeof x);
    x[b] += at[s] * h;
    CHECK(CrKinematicsEdges(x, &k));
    for (int a = 0, m = list(&k, v); a < m; a++)
      d[a] = (s ? d[a] : 0) + weight[s] * v[a] / (12 * h);
  }
}

static void check_differences(const Case *c)
{
  PetscReal    dG[DOFS][DOFS], dH[2][DOFS][DOFS], alone[DOFS][DOFS], d[3 + 3 * N], scale = 1;
  CrKinematics k;

  CHECK(CrKinematicsEdges(c->x, &k));
  CrKinematicsGradient(&k, c->x, dG, dH);
  CrKinematicsGradient(&k, c->x, alone, NULL); /* without friction */
  for (int a = 0; a < N; a++)
    for (int b = 0; b < N; b++) {
      scale = fmax(scale, fmax(fabs(dG[a][b]), fabs(dH[0][a][b])));
      CHECK(alone[a][b] == dG[a][b]);
      CHECK_NEAR(dG[a][b], dG[b][a], 1e-12 * scale); /* a second derivative */
    }
  for (int b = 0; b < N; b++) {
    differences(c, b, d);
    worst_first = fmax(worst_first, fabs(d[0] - k.G[b]));
    for (int a = 0; a < 2; a++)
      worst_first = fmax(worst_first, fabs(d[1 + a] - k.Xi[a][b]) / (1 + fabs(k.Xi[a][b])));
    for (int a = 0; a < N; a++) {
      worst_second = fmax(worst_second, fabs(d[3 + a] - dG[a][b]) / scale);
      for (int i = 0; i < 2; i++)
        worst_second = fmax(worst_second, fabs(d[3 + N * (i + 1) + a] - dH[i][a][b]) / scale);
    }
  }
}

static void test_parallel(void)
{
  PetscReal    x[N] = {0, 0, 0, 1, 1, 0, 0, 0, 1, 2, 2, 1};
  CrKinematics k;

  CHECK(!CrKinematicsEdges(x, &k));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (int s = 0; s < 200; s++) {
    Case c = random_edges(s % 2 ? 0.3 : 0, s < 150 ? 0.1 : 0.5);

    check_place(&c);
    check_sides(&c);
    check_identities(&c);
    check_differences(&c);
  }
  CHECK_LESS(worst_identity, 1e-12);
  CHECK_LESS(worst_first, 1e-9);
  CHECK_LESS(worst_second, 1e-7);
  printf("edges: identities %.1e, first derivatives %.1e, second %.1e\n", (double)worst_identity,
         (double)worst_first, (double)worst_second);
  test_parallel();
  return check_end();
}

/* The discrete gradient of Gonzalez for every law (theory 5.2), and plane stress by condensing the
   energy over the thickness strain (theory 5.6):
   q = [dW - S_m:z/2]/(z:z),   S = S_m + 2 q z,   z = C1 - C0,   S_m = S at the mean strain. */
#include "material/conserving.h"
#include "material/tensor.h"

static const CrMask no_lane = {0};

static PetscBool is_condensed(const CrMaterial *material)
{
  /* quadratic laws carry plane stress in their constants */
  return material->plane_stress && !(material->elastic->flags & CR_QUADRATIC);
}

/* Thickness strain that makes S33 vanish, by Newton lane by lane in the logarithm of C33: the energy is
   convex in it where it is not in C33 itself, in sheets squeezed to a fraction of their area. Where
   even that fails, and far from the solution, by a factor of e in the direction of the force. */
static void solve_thickness(const CrMaterial *material, PetscInt ns, CrLanes *E)
{
  const double nu = material->lambda / (material->lambda + 2 * material->shear);
  CrLanes      S[6], CC[36];
  CrMask       done = no_lane;

  E[2] = -nu * (E[0] + E[1]);
  E[2] = lanes_select(E[2] < lanes_set(-0.4), lanes_set(-0.4), E[2]);
  for (int it = 0; it < 40 && !lanes_all(done); it++) {
    CrLanes C33 = 1 + 2 * E[2], slope, change, step;

    material->elastic->point(material, ns, E, NULL, S, CC);
    slope = CC[2 * ns + 2] * C33 + 2 * S[2];
    change = -2 * S[2] / slope;
    change = lanes_select((slope <= lanes_set(0)) | (change * change > lanes_set(1)),
                          lanes_select(S[2] < lanes_set(0), lanes_set(1), lanes_set(-1)), change);
    step = C33 / 2 * lanes_expm1(change);
    E[2] = lanes_select(done, E[2], E[2] + step);
    /* converged to round-off, or not a number: nothing more to gain */
    done |= (step * step <= 1e-32 * (1 + C33 * C33)) | (step != step);
  }
}

static void condensed_point(const CrMaterial *material, PetscInt ns, const CrLanes *E, CrLanes *W,
                            CrLanes *S, CrLanes *CC)
{
  CrLanes full[6], full_S[6], D[36];

  for (int I = 0; I < ns; I++) full[I] = E[I];
  solve_thickness(material, ns, full);
  material->elastic->point(material, ns, full, W, S ? full_S : NULL, S && CC ? D : NULL);
  if (!S) return;
  for (int I = 0; I < ns; I++) S[I] = I == 2 ? lanes_set(0) : full_S[I];
  if (!CC) return;
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++)
      CC[I * ns + J] = I == 2 || J == 2
                           ? lanes_set(0)
                           : D[I * ns + J] - D[I * ns + 2] * D[2 * ns + J] / D[2 * ns + 2];
}

static void condensed_difference(const CrMaterial *material, PetscInt ns, const CrLanes *E0,
                                 const CrLanes *E1, const CrLanes *z, CrLanes *dW)
{
  CrLanes a[6], b[6], full[6];

  for (int I = 0; I < ns; I++) {
    a[I] = E0[I];
    b[I] = E1[I];
    full[I] = z[I];
  }
  solve_thickness(material, ns, a);
  solve_thickness(material, ns, b);
  full[2] = 2 * (b[2] - a[2]); /* rounding here is harmless: S33 = 0 at both ends */
  material->elastic->difference(material, ns, a, b, full, dW);
}

CrLanes CR_VARIANT(CrThicknessStrain)(const CrMaterial *material, PetscInt ns, const CrLanes *E)
{
  CrLanes full[6];

  for (int I = 0; I < ns; I++) full[I] = E[I];
  if (is_condensed(material))
    solve_thickness(material, ns, full);
  else
    full[2] = -material->lambda / (material->lambda + 2 * material->shear) * (E[0] + E[1]);
  return full[2];
}

void CR_VARIANT(CrStressAt)(const CrMaterial *material, PetscInt ns, const CrLanes *E, CrLanes *W,
                            CrLanes *S, CrLanes *CC)
{
  if (is_condensed(material))
    condensed_point(material, ns, E, W, S, CC);
  else
    material->elastic->point(material, ns, E, W, S, CC);
}

/* Derivative of the conserving stress (theory 5.2):
   A = CC/2 + 2/(z:z) z (x) y + 4 q I4 - 8 q/(z:z) z (x) z,   y = S1 - S_m - z:CC/4. CC is turned
   into A. */
static void conserving_tangent(PetscInt ns, const CrLanes *z, CrLanes over, CrLanes q,
                               const CrLanes *Sm, const CrLanes *S1, CrLanes *A)
{
  CrLanes y[6];

  for (int J = 0; J < ns; J++) {
    CrLanes zCC = lanes_set(0);

    for (int I = 0; I < ns; I++) zCC += CR_WEIGHT(I) * z[I] * A[I * ns + J];
    y[J] = S1[J] - Sm[J] - zCC / 4;
  }
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++)
      A[I * ns + J] =
          A[I * ns + J] / 2 + 2 * over * z[I] * (y[J] - 4 * q * z[J]) + 4 * q * identity4(I, J);
}

void CR_VARIANT(CrStressBetween)(const CrMaterial *material, PetscInt ns, const CrLanes *E0,
                                 const CrLanes *E1, const CrLanes *z, CrLanes *S, CrLanes *A)
{
  CrLanes Em[6], Sm[6], S1[6], dW, zz = contract(ns, z, z), over, q;
  CrMask  tiny = zz < lanes_set(1e-18);

  for (int I = 0; I < ns; I++) Em[I] = (E0[I] + E1[I]) / 2;
  CR_VARIANT(CrStressAt)(material, ns, Em, NULL, Sm, A);
  if (material->elastic->flags & CR_QUADRATIC) {
    for (int I = 0; I < ns; I++) S[I] = Sm[I];
    for (int I = 0; A && I < ns * ns; I++) A[I] /= 2;
    return;
  }

  /* where nothing moves the mean stress is the limit */
  if (is_condensed(material))
    condensed_difference(material, ns, E0, E1, z, &dW);
  else
    material->elastic->difference(material, ns, E0, E1, z, &dW);
  over = lanes_select(tiny, lanes_set(0), 1 / lanes_select(tiny, lanes_set(1), zz));
  q = (dW - contract(ns, Sm, z) / 2) * over;
  for (int I = 0; I < ns; I++) S[I] = Sm[I] + 2 * q * z[I];
  if (!A) return;
  CR_VARIANT(CrStressAt)(material, ns, E1, NULL, S1, NULL);
  conserving_tangent(ns, z, over, q, Sm, S1, A);
}

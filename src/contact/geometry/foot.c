/* Finds closest points on segments, triangles and bilinear quads. */
#include "contact/geometry/foot.h"
#include "base/vector.h"
#include "contact/geometry/facet.h"

PetscReal CrFootBeyond(const CrFoot *foot, PetscInt edge)
{
  const PetscReal  a = foot->xi[0], b = foot->xi[1];
  const PetscReal  segment[] = {-a, a - 1}, triangle[] = {-b, a + b - 1, -a};
  const PetscReal  quad[] = {(-b - 1) / 2, (a - 1) / 2, (b - 1) / 2, (-a - 1) / 2};
  const PetscReal *beyond = foot->n == 2 ? segment : foot->n == 3 ? triangle : quad;

  return beyond[edge];
}

/* The edge beyond which the closest point lies farthest. */
static inline void set_excess(CrFoot *foot)
{
  foot->excess = 0;
  foot->edge = -1;
  for (int k = 0; k < foot->n; k++) {
    PetscReal beyond = CrFootBeyond(foot, k);

    if (beyond > foot->excess) {
      foot->excess = beyond;
      foot->edge = k;
    }
  }
}

PetscBool CrFootNear(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot)
{
  CrProjection p;
  PetscReal    l, il;

  foot->n = n;
  p.xi[0] = foot->xi[0];
  p.xi[1] = foot->xi[1];
  if (!CrProjectNear(dim, n, x, &p)) return PETSC_FALSE;
  l = PetscSqrtReal(p.n2);
  il = 1 / l; /* 3D: one division, not three */
  for (int i = 0; i < 3; i++) foot->nu[i] = dim == 2 ? p.n[i] / l : p.n[i] * il;
  foot->gap = v_dot(p.way, foot->nu);
  foot->xi[0] = p.xi[0];
  foot->xi[1] = p.xi[1];
  CrFacetShape(n, foot->xi, foot->N);
  set_excess(foot);
  return PETSC_TRUE;
}

PetscBool CrFootFind(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot)
{
  foot->xi[0] = foot->xi[1] = 0;
  return CrFootNear(dim, n, x, foot);
}

static inline PetscReal between(PetscReal least, PetscReal x, PetscReal most)
{
  return PetscMax(least, PetscMin(x, most));
}

void CrFootClip(PetscInt dim, const PetscReal *x, CrFoot *foot)
{
  PetscReal *xi = foot->xi;

  if (foot->n == 4)
    for (int k = 0; k < 2; k++) xi[k] = between(-1, xi[k], 1);
  else {
    PetscReal sum;

    for (PetscInt k = 0; k < dim - 1; k++) xi[k] = between(0, xi[k], 1);
    sum = xi[0] + xi[1];
    for (PetscInt k = 0; sum > 1 && k < dim - 1; k++) xi[k] /= sum;
  }
  CrFacetShape(foot->n, xi, foot->N);
  foot->gap = CrFootGap(dim, x, foot);
}

PetscReal CrFootGap(PetscInt dim, const PetscReal *x, const CrFoot *foot)
{
  PetscReal gap = 0;

  for (PetscInt i = 0; i < dim; i++) {
    PetscReal d = 0;

    /* differences first: coordinates far from the origin cost no digits */
    for (PetscInt a = 0; a < foot->n; a++) d += foot->N[a] * (x[i] - x[dim * (a + 1) + i]);
    gap += foot->nu[i] * d;
  }
  return gap;
}

/* The coefficients of the nodes of a contact (coefficients.h), for each form of contact: a node on a segment, on a
   triangle or on a quadrilateral, or two edges. */
#include "contact/geometry/coefficients.h"
#include "contact/geometry/facet.h"

const CrCoefficients CrConstantCoefficients[] = {
    [CR_FORM_SEGMENT] = {.P = {1}, .Pb = {{0, 1, -1}}, .alpha = {0, -1, 1}},
    [CR_FORM_TRIANGLE] = {.P = {1}, .Pb = {{0, 1, -1, 0}, {0, 1, 0, -1}}, .alpha = {0, -1, 1}},
    [CR_FORM_QUAD] = {.P = {1},
                      .P12 = {0, -1. / 4, 1. / 4, -1. / 4, 1. / 4},
                      .alpha = {0, -1. / 4, 1. / 4, 1. / 4, -1. / 4}},
    [CR_FORM_EDGES] = {.Pb = {{-1, 1, 0, 0}, {0, 0, 1, -1}}, .alpha = {1, -1}},
};

CrForm CrFormOfFacet(PetscInt n)
{
  return n == 2 ? CR_FORM_SEGMENT : n == 3 ? CR_FORM_TRIANGLE : CR_FORM_QUAD;
}

static void cross(const PetscReal xi[2], CrCoefficients *c)
{
  c->P[0] = 1 - xi[0];
  c->P[1] = xi[0];
  c->P[2] = xi[1] - 1;
  c->P[3] = -xi[1];
}

void CrCoefficientsAt(CrForm form, const PetscReal xi[2], CrCoefficients *c)
{
  const PetscInt corners = form == CR_FORM_SEGMENT ? 2 : form == CR_FORM_TRIANGLE ? 3 : 4;
  PetscReal      N[4];

  *c = CrConstantCoefficients[form];
  if (form == CR_FORM_EDGES) {
    cross(xi, c);
    return;
  }
  CrFacetShape(corners, xi, N);
  for (int k = 0; k < corners; k++) c->P[k + 1] = -N[k];
  for (int k = 0; form == CR_FORM_QUAD && k < 4; k++) {
    const PetscReal *at = CrQuadCorners[k];

    c->Pb[0][k + 1] = -at[0] * (1 + at[1] * xi[1]) / 4;
    c->Pb[1][k + 1] = -at[1] * (1 + at[0] * xi[0]) / 4;
  }
}

/* Extrapolates values from quadrature points to nodes by least-squares polynomials. On triangles and tetrahedra the
   polynomial is linear if there are enough points, and else constant. On quadrilaterals and hexahedra it is bilinear or
   trilinear. */
#include <string.h>
#include "base/cholesky.h"
#include "element/element.h"

#define TERMS 8

/* The polynomial's terms at a reference point; returns how many. */
static PetscInt terms_at(const CrElement *element, const PetscReal xi[3], PetscReal p[TERMS])
{
  PetscBool simplex = CrCells[element->type].ncorners == element->dim + 1;
  PetscInt  n = 0;

  p[n++] = 1;
  if (element->npoints == 1) return n;
  for (PetscInt i = 0; i < element->dim; i++) p[n++] = xi[i];
  if (simplex) return n;
  p[n++] = xi[0] * xi[1];
  if (element->dim == 2) return n;
  p[n++] = xi[1] * xi[2];
  p[n++] = xi[0] * xi[2];
  p[n++] = xi[0] * xi[1] * xi[2];
  return n;
}

void CrElementExtrapolation(const CrElement *element, PetscReal *matrix)
{
  const CrQuadrature *rule = element->stress_rule;
  PetscReal           G[TERMS][TERMS] = {{0}}, p[TERMS];
  PetscInt            n = 0;

  for (PetscInt q = 0; q < rule->n; q++) {
    n = terms_at(element, rule->point[q], p);
    for (PetscInt i = 0; i < n; i++)
      for (PetscInt j = 0; j < n; j++) G[i][j] += p[i] * p[j];
  }
  for (PetscInt a = 0; a < element->nnodes; a++) {
    PetscReal c[TERMS], factor[TERMS][TERMS];

    terms_at(element, element->nodes[a], c);
    memcpy(factor, G, sizeof factor);
    CrCholeskySolve(n, TERMS, factor[0], c); /* value at the node = c . sum_q p(q) value(q) */
    for (PetscInt q = 0; q < rule->n; q++) {
      PetscReal sum = 0;

      terms_at(element, rule->point[q], p);
      for (PetscInt i = 0; i < n; i++) sum += c[i] * p[i];
      matrix[a * rule->n + q] = sum;
    }
  }
}

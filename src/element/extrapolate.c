/* From quadrature points to nodes: least-squares polynomials. Triangles and tetrahedra: linear if
   there are points enough, else constant; quadrilaterals and bricks: bilinear, trilinear. */
#include "element/element.h"

#define TERMS 8

/* The polynomial's terms at a reference point; returns how many. */
static PetscInt terms_at(const CrElement *element, const PetscReal xi[3], PetscReal p[TERMS])
{
  PetscBool simplex = CrCells[element->type].ncorners == element->dim + 1;
  PetscInt  n       = 0;

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

/* Solves the small symmetric positive system G c = b in place (Cholesky). */
static void solve_small(PetscInt n, PetscReal G[TERMS][TERMS], PetscReal b[TERMS])
{
  PetscReal L[TERMS][TERMS] = {{0}};

  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j <= i; j++) {
      PetscReal sum = G[i][j];

      for (PetscInt k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
      L[i][j] = i == j ? PetscSqrtReal(sum) : sum / L[j][j];
    }
  for (PetscInt i = 0; i < n; i++) {
    for (PetscInt k = 0; k < i; k++) b[i] -= L[i][k] * b[k];
    b[i] /= L[i][i];
  }
  for (PetscInt i = n; i-- > 0;) {
    for (PetscInt k = i + 1; k < n; k++) b[i] -= L[k][i] * b[k];
    b[i] /= L[i][i];
  }
}

void CrElementExtrapolation(const CrElement *element, PetscReal *matrix)
{
  const CrQuadrature *rule            = element->stress_rule;
  PetscReal           G[TERMS][TERMS] = {{0}}, p[TERMS];
  PetscInt            n               = 0;

  for (PetscInt q = 0; q < rule->n; q++) {
    n = terms_at(element, rule->point[q], p);
    for (PetscInt i = 0; i < n; i++)
      for (PetscInt j = 0; j < n; j++) G[i][j] += p[i] * p[j];
  }
  for (PetscInt a = 0; a < element->nnodes; a++) {
    PetscReal c[TERMS];

    terms_at(element, element->nodes[a], c);
    solve_small(n, G, c); /* value at the node = c . sum_q p(q) value(q) */
    for (PetscInt q = 0; q < rule->n; q++) {
      PetscReal sum = 0;

      terms_at(element, rule->point[q], p);
      for (PetscInt i = 0; i < n; i++) sum += c[i] * p[i];
      matrix[a * rule->n + q] = sum;
    }
  }
}

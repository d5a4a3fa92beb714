/* The registry of elements for the chosen instruction set, quadrature rules, and integrals over facets. */
#include "base/isa.h"
#include "element/element.h"

#define CR_ELEMENT(name) CR_ISA_DECLARE(const CrElement, CrElement_##name);
#include "element/registry.def"
#undef CR_ELEMENT
#define CR_ELEMENT(name) CR_ISA_ROW(CrElement_##name),

static const CrElement *const table[][CR_NISAS] = {
#include "element/registry.def"
};

typedef void Spectrum(PetscInt, const PetscReal *, const PetscReal *, PetscReal *);

CR_ISA_TABLE(Spectrum, CrGreatestEigenvalues);

void CrElementSpectrum(PetscInt nd, const PetscReal *K, const PetscReal *scale, PetscReal *values)
{
  CR_ISA_OWN(CrGreatestEigenvalues)(nd, K, scale, values);
}

const CrElement *CrElementAt(PetscInt i)
{
  return i < (PetscInt)(sizeof table / sizeof table[0]) ? table[i][CrIsaGet()] : NULL;
}

const CrElement *CrElementGet(CrCellType type)
{
  for (PetscInt i = 0; CrElementAt(i); i++)
    if (CrElementAt(i)->type == type) return CrElementAt(i);
  return NULL;
}

void CrRuleFill(const CrElement *element, const CrQuadrature *quadrature, CrRule *rule)
{
  rule->n = quadrature->n;
  for (PetscInt q = 0; q < rule->n; q++) {
    rule->weight[q] = quadrature->weight[q];
    element->shape(quadrature->point[q], rule->N[q], rule->dN[q]);
  }
}

static PetscReal jacobian(const CrElement *element, const CrRule *rule, PetscInt q,
                          PetscReal X[][3])
{
  PetscReal J[3][3] = {{0}};

  J[2][2] = element->dim == 2;
  for (PetscInt a = 0; a < element->nnodes; a++)
    for (PetscInt i = 0; i < element->dim; i++)
      for (PetscInt j = 0; j < element->dim; j++) J[i][j] += X[a][i] * rule->dN[q][a][j];
  return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
         J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
}

PetscReal CrElementLeastJacobian(const CrElement *element, const CrRule *rule, PetscReal X[][3])
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt q = 0; q < rule->n; q++) least = PetscMin(least, jacobian(element, rule, q, X));
  return least;
}

/* Lumped masses of one element (theory 3.2): row sums for low order, where they are
   positive; diagonal scaling for quadratic elements, whose row sums are not. */
void CrElementLump(const CrElement *element, const PetscReal *M, PetscInt l, PetscReal *m)
{
  PetscInt  nn = element->nnodes;
  PetscReal total = 0, trace = 0;

  for (PetscInt a = 0; a < nn; a++) {
    PetscReal row = 0;

    for (PetscInt c = 0; c < nn; c++) row += M[(a * nn + c) * CR_BATCH + l];
    total += row;
    trace += M[(a * nn + a) * CR_BATCH + l];
    m[a] = row;
  }
  if (!element->quadratic) return;
  for (PetscInt a = 0; a < nn; a++) m[a] = total * M[(a * nn + a) * CR_BATCH + l] / trace;
}

/* Lines: two and three nodes on [-1,1], ends first. */
static void line_shape(PetscInt nnodes, PetscReal x, PetscReal N[], PetscReal dN[][3])
{
  if (nnodes == 2) {
    N[0] = (1 - x) / 2;
    N[1] = (1 + x) / 2;
    dN[0][0] = -0.5;
    dN[1][0] = 0.5;
  } else {
    N[0] = x * (x - 1) / 2;
    N[1] = x * (x + 1) / 2;
    N[2] = 1 - x * x;
    dN[0][0] = x - 0.5;
    dN[1][0] = x + 0.5;
    dN[2][0] = -2 * x;
  }
}

void CrFacetRule(CrCellType type, CrRule *rule)
{
  const CrElement *element = CrElementGet(type);

  if (element) { /* faces of solids are plane elements; mass rules are exact for loads */
    CrRuleFill(element, element->mass_rule, rule);
  } else {
    const CrQuadrature *line = type == CR_S2 ? &CrQuadLine2 : &CrQuadLine3;

    rule->n = line->n;
    for (PetscInt q = 0; q < rule->n; q++) {
      rule->weight[q] = line->weight[q];
      line_shape(CrCells[type].nnodes, line->point[q][0], rule->N[q], rule->dN[q]);
    }
  }
}

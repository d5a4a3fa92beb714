/* The quadratic energy W = lambda/2 (tr E)^2 + G E:E of the laws `linear` and `saint-venant-kirchhoff`. The two laws
   differ only in the strain E that the element computes. */
#pragma once

#include "deck/deck.h"
#include "material/tensor.h"

CR_INLINE void quadratic(const CrMaterial *material, const int ns, const CrLanes *E, CrLanes *W,
                         CrLanes *S, CrLanes *CC)
{
  const double lambda = material->constants[0], G = material->constants[1];
  CrLanes      tr = trace(E);

  if (W) *W = lambda / 2 * tr * tr + G * contract(ns, E, E);
  if (!S) return;
  for (int I = 0; I < ns; I++) S[I] = lambda * identity2(I) * tr + 2 * G * E[I];
  if (!CC) return;
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++)
      CC[I * ns + J] = lanes_set(lambda * identity2(I) * identity2(J) + 2 * G * identity4(I, J));
}

/* Computes dW = W1 - W0 = S((E0+E1)/2) : (E1-E0). The formula is exact for a quadratic energy. */
CR_INLINE void quadratic_difference(const CrMaterial *material, const int ns, const CrLanes *E0,
                                    const CrLanes *E1, const CrLanes *z, CrLanes *dW)
{
  CrLanes Em[6], S[6];

  for (int I = 0; I < ns; I++) Em[I] = (E0[I] + E1[I]) / 2;
  quadratic(material, ns, Em, NULL, S, NULL);
  *dW = contract(ns, S, z) / 2;
}

CR_POINT_LAW(quadratic)
CR_DIFFERENCE_LAW(quadratic_difference)

/* Reads the constants of the law. In plane stress, the energy has the same form after E33 is eliminated, with another
   lambda (theory 5.6). */
static PetscErrorCode quadratic_configure(CrMaterial *material, const CrDeckNode *node)
{
  PetscReal lambda, G;

  PetscFunctionBeginUser;
  PetscCall(CrElasticConstants(node, &lambda, &G));
  material->lambda = lambda;
  material->shear = G;
  material->constants[0] = material->plane_stress ? 2 * lambda * G / (lambda + 2 * G) : lambda;
  material->constants[1] = G;
  PetscFunctionReturn(PETSC_SUCCESS);
}

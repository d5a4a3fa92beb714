/* The lowest point of a sharp edge above a facet moves along the edge (theory 17.7). This file computes the derivative
   of the contact force that is due to this motion. */
#include "contact/touch/dip.h"
#include "base/vector.h"

#define APART 1e-4 /* of an edge: distance of two places for differences */

/* The operator of the gap at a share of the edge, by the nodes of the edge and of the facet. Returns the slope of the gap
   along the edge. */
static PetscReal operator_at(const CrContact *c, const CrTouch *touch, const PetscReal *u,
                             PetscReal share, PetscReal G[CR_DIP_DOFS])
{
  const CrPass *p = &c->passes[touch->pass];
  CrSample      place = *touch->sample;
  PetscReal     x[CR_CONTACT_DOFS], ends[2][3], e[3];
  CrKinematics  k;

  CrSamplePut(&place, share);
  (void)CrGatherFacet(c, p->master, place.nodes[0], touch->facet, u, x);
  CrGatherSample(c, &place, u, x);
  if (!CrKinematicsFacet(3, 4, x, &k)) k = touch->k;
  for (int a = 0; a < 6; a++)
    for (int d = 0; d < 3; d++) G[3 * a + d] = a < 2 ? place.c[a] * k.G[d] : k.G[3 * (a - 1) + d];
  for (int a = 0; a < 2; a++) CrGatherNode(c, place.nodes[a], u, ends[a]);
  v_less(ends[1], ends[0], e);
  return v_dot(k.nu, e);
}

PetscReal CrDipTurn(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                    PetscReal row[CR_DIP_DOFS], PetscReal column[CR_DIP_DOFS])
{
  const PetscReal share = touch->sample->c[1];
  PetscReal       G[2][CR_DIP_DOFS], slope[2];

  if (touch->moves <= 0) return 0;
  for (int k = 0; k < 2; k++)
    (void)operator_at(c, touch, step->u, share + (k ? APART : -APART), G[k]);
  for (int a = 0; a < CR_DIP_DOFS; a++) row[a] = (G[1][a] - G[0][a]) / (2 * APART);
  for (int k = 0; k < 2; k++)
    slope[k] = operator_at(c, touch, step->end, share + (k ? APART : -APART), G[k]);
  for (int a = 0; a < CR_DIP_DOFS; a++) column[a] = (G[1][a] - G[0][a]) / (2 * APART);
  return slope[1] > slope[0] ? -2 * APART / (slope[1] - slope[0]) : 0;
}

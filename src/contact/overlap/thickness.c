/* Computes the thickness of bodies behind facets, by rays through the boundaries of all ranks. A thickness is computed
   when it is first needed. The ranks first collect all requests, and then compute the results together. */
#include "contact/geometry/edges.h"
#include "contact/overlap/internal.h"

PetscErrorCode CrThicknessAsk(CrOverlaps *o, PetscInt shell, PetscInt f, PetscReal *thickness)
{
  PetscFunctionBeginUser;
  *thickness = o->thick[shell][f];
  if (*thickness > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrListGrow(&o->asked, 2));
  o->asked.at[o->asked.n++] = shell;
  o->asked.at[o->asked.n++] = f;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrThicknessAskAt(CrOverlaps *o, const CrInside *in)
{
  PetscReal thickness;

  PetscFunctionBeginUser;
  if (in->facet >= 0) PetscCall(CrThicknessAsk(o, in->look->into, in->facet, &thickness));
  if (in->node >= 0) {
    const CrSurface *s = o->shells[in->look->from]->surface;

    for (PetscInt k = s->around_start[in->node]; k < s->around_start[in->node + 1]; k++)
      PetscCall(CrThicknessAsk(o, in->look->from, s->around[k], &thickness));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The ray from the centre of a facet. */
static CrSkinRay ray_of(const CrModel *model, const CrSurface *s, PetscInt f)
{
  CrSkinRay ray = {.body = s->body, .piece = 2 * s->size[f]};
  PetscReal X[4][3];
  PetscInt  nc = CrFacetCorners(model, s->ncorners, s->corners, f, NULL, X);

  for (PetscInt k = 0; k < nc; k++)
    for (int i = 0; i < 3; i++) ray.X[i] += X[k][i] / (PetscReal)nc;
  CrFacetNormal(nc, X, ray.normal);
  return ray;
}

PetscErrorCode CrThicknessFind(CrOverlaps *o)
{
  const PetscInt n = o->asked.n / 2;
  PetscInt       any = n > 0, *asked = o->asked.at;
  CrSkinRay     *rays;
  PetscReal     *thick;

  PetscFunctionBeginUser;
  if (o->ranks > 1)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPIU_INT, MPI_MAX, o->contact->model->comm));
  if (!any) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(n, &rays, n, &thick));
  for (PetscInt k = 0; k < n; k++)
    rays[k] = ray_of(o->contact->model, o->shells[asked[2 * k]]->surface, asked[2 * k + 1]);
  PetscCall(CrSkinTrace(o->skin, n, rays, thick));
  for (PetscInt k = 0; k < n; k++) o->thick[asked[2 * k]][asked[2 * k + 1]] = thick[k];
  PetscCall(PetscFree2(rays, thick));
  o->asked.n = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrInsideHalf(const CrOverlaps *o, const CrInside *in, PetscReal *limit)
{
  const CrRigid *rigid = o->contact->model->rigid;
  const CrLook  *look = in->look;
  PetscReal      least = PETSC_MAX_REAL;

  if (look->body >= 0) least = 2 * CrShapeInnerRadius(CrRigidShape(rigid, look->body));
  if (in->node >= 0) {
    PetscReal thick = CrLeastAround(o->shells[look->from]->surface, in->node, o->thick[look->from]);

    least = PetscMin(least, thick);
  }
  *limit = least / 2;
  if (in->facet >= 0 && CR_MIDDLE * o->thick[look->into][in->facet] < least) {
    least = PetscMin(least, o->thick[look->into][in->facet]);
    *limit = CR_MIDDLE * o->thick[look->into][in->facet] / 2;
  }
  return least / 2;
}

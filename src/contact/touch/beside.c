/* Valleys under exact laws. If two facets of the master meet at a concave edge, a node must stay outside of both.
   Contact with one facet is not sufficient. So the node gets an additional contact with the neighbouring facet (theory
   17.6). */
#include "base/vector.h"
#include "contact/touch/approach.h"

#define CONCAVE 0.05 /* sine of the angle between facets; flatter ones are one plane to the step */
#define NEAR    0.6  /* of a facet: distance of the node from the edge, */
#define AROUND  1.1  /*   once a step has failed */

/* The distance of the node from the edge with the ends x[0], x[1]; 2D: from the point x[0]. */
static PetscReal edge_distance(PetscInt n, PetscReal x[2][3], const PetscReal node[3])
{
  PetscReal along[3] = {0}, to[3], s = 0;

  v_less(node, x[0], to);
  if (n == 2) {
    v_less(x[1], x[0], along);
    s = PetscMax(0, PetscMin(1, v_dot(to, along) / v_dot(along, along)));
  }
  v_add(to, -s, along);
  return v_length(to);
}

/* Does the facet beside rise in front of the touch's own facet, at an edge near the node? */
static PetscBool rises(const CrContact *c, const CrTouch *touch, PetscInt beside,
                       const CrInstant *at)
{
  const CrSurface *s = c->passes[touch->pass].master;
  const PetscInt  *own = s->corners + 4 * touch->facet, *other = s->corners + 4 * beside;
  PetscInt         dim = c->model->dim, n = 0, nown = s->ncorners[touch->facet];
  PetscReal        x[CR_CONTACT_DOFS], edge[2][3] = {{0}}, far[3] = {0}, node[3] = {0}, y[3] = {0};
  CrProximity      near;

  for (PetscInt b = 0; b < s->ncorners[beside]; b++) {
    PetscBool common = PETSC_FALSE;

    CrGatherNode(c, other[b], at->u, y);
    for (PetscInt a = 0; a < nown; a++) common = common || own[a] == other[b];
    if (common && n < 2) v_copy(y, edge[n++]);
    if (!common) v_copy(y, far);
  }
  if (n != dim - 1) return PETSC_FALSE;
  CrGatherTouch(c, touch, touch->facet, at, x);
  CrFacetProximity(dim, nown, x, &near);
  for (PetscInt i = 0; i < dim; i++) node[i] = at->x[i];
  v_add(far, -1, edge[0]);
  return v_dot(far, near.nu) > (c->work->dented ? 0 : CONCAVE) * v_length(far) &&
         edge_distance(n, edge, node) < (c->work->wide ? AROUND : NEAR) * s->size[touch->facet];
}

/* Adds a touch of the same point that is bound to another facet. A penetration of that facet at the start of the step
   is kept. */
static PetscErrorCode add(CrContact *c, PetscInt main, PetscInt facet, const CrInstant *start)
{
  CrTouch  own = c->work->touches[main], *touch;
  PetscInt first = c->passes[own.pass].first;

  PetscFunctionBeginUser;
  PetscCall(CrTouchNew(c, own.pass, own.point - first, &touch));
  touch->beside = touch->locked = PETSC_TRUE;
  touch->facet = facet;
  touch->patch = c->passes[own.pass].master->patch[facet];
  touch->admitted = own.admitted;
  touch->nadmitted = own.nadmitted;
  touch->share = own.share;
  touch->weight = own.weight;
  touch->gap0 = CrTouchGapOn(c, touch, facet, start);
  touch->overlap = touch->press = PetscMin(touch->gap0, 0);
  c->work->touches[main].locked = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTouchAddBeside(CrContact *c, const CrInstant *start)
{
  PetscInt         main = c->work->ntouches - 1;
  const CrTouch    own = c->work->touches[main];
  const CrSurface *s = c->passes[own.pass].master;

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < s->ncorners[own.facet]; a++) {
    PetscInt beside = s->neighbour[4 * own.facet + a];

    if (beside >= 0 && CrTouchAdmits(c, &own, beside) && rises(c, &own, beside, start))
      PetscCall(add(c, main, beside, start));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Contact of nodes, and of samples between nodes, with facets. */
#include "contact/touch/approach.h"

#define AROUND                                                                                     \
  1e-4 /* of a facet: how far behind the facet around an edge; edges nearer to flat bend to and fro */
#define LONG_FREEZE 15 /* Newton iterations of laws whose facets of middle and end may differ */

/* Newton iterations after which facets no longer change. */
static PetscInt freeze_after(const CrContactLaw *law)
{
  return law->facet == CR_FACET_OWN ? LONG_FREEZE : FREEZE;
}

/* Does the slave come around a convex edge, from its own facet to another one? Then it was behind the plane of that
   facet, and at the end it is behind the plane of its own. */
static PetscBool comes_around(const CrContact *c, const CrTouch *touch, PetscInt facet,
                              const PetscReal *u0, const PetscReal *u1)
{
  const PetscReal *u[2] = {u0, u1};
  PetscReal        higher[2];

  for (int k = 0; k < 2; k++) {
    CrInstant at;

    CrSlaveAt(c, touch, u[k], k ? CR_POSE_END : CR_POSE_START, &at);
    higher[k] = CrTouchGapOn(c, touch, facet, &at) - CrTouchGapOn(c, touch, touch->home, &at);
  }
  return higher[0] < -AROUND * c->passes[touch->pass].master->size[facet] && higher[1] > 0;
}

/* The facet that is nearest to the slave where the law is asked. The reaction of a facet around an edge would make
   energy, because the slave was behind it. So the slave stays on its own facet for the rest of the step. The plane of
   this facet keeps it out of both (theory 17.7). */
static PetscInt facet_at(const CrContact *c, const CrTouch *touch, const PetscReal *u0,
                         const PetscReal *u)
{
  CrProximity near;
  PetscInt    facet = CrNearestFacet(c, touch, u, &near);

  if (!c->tight || facet < 0 || touch->home < 0 || facet == touch->home) return facet;
  return comes_around(c, touch, facet, u0, u) ? touch->home : facet;
}

/* Chooses the facets and computes the operators; false if there is no closest point. */
static PetscBool find_foot(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                           const CrContactStep *step)
{
  PetscBool   exact = step->law->exact;
  CrProximity near;

  if ((c->work->iteration < freeze_after(step->law) && !touch->locked) || touch->facet < 0)
    touch->facet = facet_at(c, touch, u0, step->law->facet == CR_FACET_END ? step->end : step->u);
  CrTouchHistory(c, touch, u0);
  CrTouchStart(c, touch, u0, step->law);
  if (!CrTouchLook(c, touch, touch->facet, exact, step->u, &touch->k)) return PETSC_FALSE;
  if (step->law->facet == CR_FACET_NONE) return PETSC_TRUE;
  if (step->law->facet != CR_FACET_OWN || touch->locked)
    touch->facet1 = touch->facet;
  else if (c->work->iteration < freeze_after(step->law) || touch->facet1 < 0)
    touch->facet1 = CrNearestFacet(c, touch, step->end, &near);
  return CrTouchLook(c, touch, touch->facet1, exact, step->end, &touch->k1);
}

/* A point high above a warped quad, or beside it, may have no closest point. If it holds no spring, it is open
   and needs none. */
static PetscBool stays_open(const CrContact *c, CrTouch *touch, const CrContactStep *step)
{
  PetscReal   x[CR_CONTACT_DOFS];
  PetscInt    n = CrTouchGatherOn(c, touch, touch->facet, step->u, x);
  CrProximity near;

  CrFacetProximity(c->model->dim, n, x, &near);
  if (CrTouchWasPressed(c, touch) || (near.gap < 0 && near.outside == 0)) return PETSC_FALSE;
  touch->k = (CrKinematics){.dim = c->model->dim, .nmaster = n};
  touch->in = (CrLawInput){.ntangents = c->model->dim - 1, .metric = 1};
  touch->out = (CrLawOutput){.gd1 = PetscMax(near.gap, 0)};
  return PETSC_TRUE;
}

/* Does the slave hang on an edge, because facets no longer change? */
static PetscBool hangs(const CrContact *c, const CrTouch *touch, const CrContactStep *step)
{
  CrInstant at;

  if (touch->k.rest == CR_REST_NONE || c->work->iteration < freeze_after(step->law))
    return PETSC_FALSE;
  CrSlaveAt(c, touch, step->u, CR_POSE_END, &at);
  return CrTouchHangs(c, touch, touch->facet, &at);
}

static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool choose)
{
  (void)choose;
  touch->hangs = PETSC_FALSE;
  if (!find_foot(c, touch, u0, step)) return stays_open(c, touch, step);
  touch->hangs = hangs(c, touch, step);
  CrTouchAsk(c, touch, step);
  return PETSC_TRUE;
}

#define ON_FACET .facets = PETSC_TRUE, .search = CrSearchFacets, .look = look, .gap = CrGapOnFacets

const CrPassOps CrPass_node_on_facet = {.slave = &CrSlaveNode, ON_FACET};
const CrPassOps CrPass_sample_on_facet = {.slave = &CrSlaveSample, ON_FACET};

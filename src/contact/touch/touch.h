/* Slaves that may touch in a step: which facet they are nearest to, and what the law says of them. */
#pragma once

#include "contact/place.h"
#include "contact/touch/spread.h"

#define FREEZE 6 /* Newton iterations after which facets no longer change */

/* The gap as a linear function of the positions, and the state of the law, where the matrix was last made. */
typedef struct {
  PetscInt        facet; /* -1: there is none */
  PetscReal       gap, x[CR_CONTACT_DOFS], G[CR_CONTACT_DOFS];
  CrContactStatus status;
  PetscReal       way[2]; /* direction of slip; zero: it does not slip */
} CrTouchModel;

struct CrTouch {
  PetscInt        pass, point; /* point: index of all points */
  PetscInt        node;        /* slave, local; of an edge the first; -1: the slave is no node */
  const CrSample *sample;      /* the slave, if it is one; borrowed */
  /* a point of a rigid body: from the centre in body axes; radius of the ball around it; how far it may reach;
     an ellipsoid, whose point depends on the facet; whether it slides by its closest point */
  PetscReal      offset[3], radius, extent;
  const CrShape *ellipsoid;
  PetscBool      rolls;
  PetscReal      weight;
  PetscReal      normal[3];     /* of the slave's surface at t_n; zero: not known, or at its rim */
  PetscInt       patch;         /* of the master, kept for the step; -1: none yet */
  PetscInt       found, nfound; /* its facets, of all patches, in contact->work->found */
  PetscInt       admitted, nadmitted; /* those that it may touch, there too; found: all of them */
  PetscReal      share;               /* of its area: the weight contains it */
  PetscBool      idle;                /* takes no part unless the review finds that it must */
  PetscBool      beside;              /* second touch of a point in a valley; no history */
  PetscBool      twin;                /* idle, because another point states the same law */
  PetscBool      waits;               /* has no share: takes part only where others let it in */
  PetscBool      locked;              /* bound to `facet` for the step: it came a long way */
  PetscBool      keeps;               /* the dynamic gap is carried on */
  PetscBool      inherits;     /* an edge: gap and spring of t_n come from the edge beside it */
  PetscReal      xi0[2];       /* a pressed edge: where the edges cross at t_n */
  PetscReal spring[3], nu0[3]; /* elastic slip as a vector, normal of the old facet, both at t_n */
  PetscInt  facet;             /* in use; walls: axis of the tangents; edges: ridges.h */
  PetscInt  facet1;            /* of k1 */
  PetscInt  cached;            /* facet for which gd0 and eta0 hold, -1: none */
  PetscReal gap0;              /* real gap at t_n */
  PetscReal curved;            /* the same on the curve that facets stand for; at the start only */
  PetscReal overlap, press;    /* as in the history, or as the first step finds them */
  PetscReal gd0, eta0[2], shift0, shift1;
  PetscReal lambda, traction[3]; /* multipliers: pressure, and friction as a vector in space */
  /* Of a velocity update: force on the slave; its time over h, where it acts along the traction; its normal part,
     where it has parts of its own; what its friction dissipates; the impulse that turns its first velocity. */
  PetscReal    kick[3], impulse, push, lost, swing;
  PetscInt     started;                /* facet of H0; -1: none */
  PetscReal    H0[2][CR_CONTACT_DOFS]; /* operators of slip at t_n, for CR_SLIP_MEAN */
  CrTouchModel model;                  /* of the last iteration, for steady laws */
  /* of the last evaluation */
  CrLawInput   in;
  CrLawOutput  out;
  CrKinematics k, k1;          /* k1: at t_{n+1}, on facet1, for laws that see the end */
  PetscReal    arm[3], way[3]; /* rigid body: from its centre to where the force acts; increment
                                  relative to it */
};

/* ---- life ---- */

/* The i-th slave of a pass as a new touch. */
PetscErrorCode CrTouchNew(CrContact *c, PetscInt pass, PetscInt i, CrTouch **touch);
/* A point in contact leaves it at the end of the step. */
PetscErrorCode CrPointDrop(CrContact *c, PetscInt point);
/* How many of the nodes of a touch (CrTouchNodes) belong to the slave. */
static inline PetscInt CrTouchOwnNodes(const CrContact *c, const CrTouch *touch)
{
  return CrPassHasEdges(&c->passes[touch->pass]) ? 2 : 1;
}

/* ---- the law ---- */

/* Elastic slip eta in the tangents of k as a vector in space, and the normal: where the last step left them. */
void CrSpringKeep(const PetscReal eta[2], const CrKinematics *k, CrTouch *touch);
/* Elastic slip of the last step in the tangents of k, by the smallest rotation of the normals. */
void CrSpringCarry(PetscInt dim, CrTouch *touch, const CrKinematics *k);
/* Dynamic gap and elastic slip of t_n on the facet in use: constants of the step. */
void CrTouchHistory(const CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Operators of slip at t_n, if the law asks for them. */
void CrTouchStart(const CrContact *c, CrTouch *touch, const PetscReal *u0, const CrContactLaw *law);
/* The part of the operators in the configuration in the slip; the rest is that of the operators at t_n. */
PetscReal CrTouchSlipPart(const CrTouch *touch, const CrContactLaw *law);
/* Takes the last evaluation, at displacements u, as the linear model of the next ones. */
void CrTouchModelTake(const CrContact *c, CrTouch *touch, const PetscReal *u);
/* Asks the law for increments of the n dofs of a touch. */
void CrLawAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step, PetscInt n,
              const PetscReal *du, const PetscReal *slide);
/* Increments of the nodes of a touch, relative to a moving wall: of the step, and those that slip counts. */
void CrTouchIncrements(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       PetscReal *du, PetscReal *slide);
/* Asks the law for these. */
void CrTouchAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step);
/* f += force of a touch, from its last operators, pressure and traction, on owned dofs. */
void CrTouchAddForce(const CrContact *c, const CrTouch *touch, PetscReal *f);

/* Does the pressure depend on nodes of another facet than the force acts on? */
PetscBool CrTouchIsSplit(const CrTouch *touch, const CrContactStep *step);
/* The derivative of the force of one point by the positions x of its nodes, without the weight: rows and columns of its
   own dofs. du and slide are the increments of these. */
void CrPointTangent(const CrContactStep *step, const CrTouch *touch, const PetscReal *x,
                    const PetscReal *du, const PetscReal *slide,
                    PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* Fixes the share of a point for which the facet is chosen. A pressed point has kept it since its first touch. A
   point without a share stays idle, or waits where nothing may be inside at the end of the step. */
void CrTouchShare(const CrContact *c, CrTouch *touch, const PetscReal *u0);
/* May a point without a share wait? */
PetscBool CrTouchMayWait(const CrContact *c, const CrTouch *touch);
/* Normal force of a touch, with that of impulses. */
static inline PetscReal CrTouchPush(const CrTouch *touch)
{
  return touch->weight * touch->out.p * (1 + touch->impulse) + touch->push;
}

/* Under exact laws: the last touch gets company on the facets beside its own, where it stands in a valley. */
PetscErrorCode CrTouchAddBeside(CrContact *c, const CrInstant *start);
/* Under exact laws: of points that stand on each other only one takes part. */
void CrTouchDropTwins(CrContact *c, const PetscReal *u0);

/* ---- facets ---- */

/* Slave and corners of a facet; of an ellipsoid the point that is nearest to it. */
PetscInt CrGatherTouch(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at, PetscReal *x);
/* Operators of the slave of a touch on its facet; of an ellipsoid at the point that is nearest. x: as CrGatherTouch. */
PetscBool CrTouchProject(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                         PetscReal *x, CrKinematics *k);
/* Is the path of a slave between two instants long compared with a facet? */
PetscBool CrIsLongWay(const CrContact *c, const CrTouch *touch, PetscInt facet,
                      const CrInstant *from, const CrInstant *to);
/* The first facet that the straight path pierces, -1 if none, and when in [0, 1]. `only_new`: those that
   the slave looks at already are left out. */
PetscInt CrFirstPierced(const CrContact *c, const CrTouch *touch, const CrInstant *from,
                        const CrInstant *to, PetscBool only_new, PetscReal *when);
/* The facet of the touch's patch that is nearest at an instant; the gap is that of the ball around the
   slave. */
PetscInt CrNearestFacetAt(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                          CrProximity *near);
/* The same with the nodes at u and rigid bodies at the end of the step. */
PetscInt CrNearestFacet(const CrContact *c, const CrTouch *touch, const PetscReal *u,
                        CrProximity *near);
/* May the closest point of a slave rest at the corner or edge of a valley? Those of nodes may, and with cones those of
   corners of rigid bodies. */
static inline PetscBool CrTouchRests(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];

  return p->ops->slave->is_node || (p->cones && !touch->rolls) ? PETSC_TRUE : PETSC_FALSE;
}
/* In a valley behind a facet: the corner or edge that is nearest to the slave. x: slave and facet at u;
   near: their proximity. */
PetscInt CrValleyRest(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                      const PetscReal *x, const CrProximity *near);
/* Changes the proximity of a slave and its nearest facet to that of a valley, where it is in one. */
void CrValleyProximity(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                       const PetscReal *x, CrProximity *near);
/* Operators of a slave node on a facet at u, in valleys as above. exact: use the facet only, since at zero
   depth the edge or corner has no normal. */
PetscBool CrTouchLook(const CrContact *c, const CrTouch *touch, PetscInt facet, PetscBool exact,
                      const PetscReal *u, CrKinematics *k);

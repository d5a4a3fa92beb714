/* A touch is a contact point that may be in contact in the step that is being solved. A touch has one slave of one
   contact pass. A touch stores the facet that is closest to the slave, and the operators G and H on this facet. G gives
   the gap increment and H the slip increment from the nodal displacements. A touch also stores the input and output of
   the contact law. A touch is pressed if its pressure is positive. A valley is a concave edge of the master. In a
   valley the closest point may rest, which means that it is fixed at an edge or corner of the facet. A share is the
   fraction of the slave's area that carries pressure. */
#pragma once

#include "contact/round.h"
#include "contact/place.h"
#include "contact/touch/spread.h"

/* A penetration at t_n that is below this fraction of the facet size or edge length is rounding error. */
#define BEHIND 1e-9
/* Number of Newton iterations after which touches keep their facets. */
#define FREEZE 6

/* The linear model of a contact at the last Newton iterate, for steady laws. The model approximates the gap by a linear
   function of the nodal positions, and has the state of the point. */
typedef struct {
  PetscInt facet; /* facet to which the model belongs; -1: there is no model */
  /* gap, nodal positions x and operator G at the last iterate */
  PetscReal       gap, x[CR_CONTACT_DOFS], G[CR_CONTACT_DOFS];
  CrContactStatus status;
  PetscReal       way[2]; /* direction of slip in the tangents; zero: the point does not slip */
} CrTouchModel;

struct CrTouch {
  PetscInt pass, point; /* number of the pass; number of the point among all contact points */
  PetscInt node; /* local node of the slave, or first node of an edge; -1: the slave is no node */
  const CrSample *sample; /* the slave, if it is a sample; borrowed */
  /* Only if the slave is a point of a rigid body. offset: its position relative to the body's centre, in body axes.
     radius: radius of the ball around the point. extent: greatest distance of the body's surface from the point. */
  PetscReal offset[3], radius, extent;
  /* the shape of the slave's rigid body, if it is an ellipsoid; the slave is then its point closest to the facet */
  const CrShape *ellipsoid;
  /* true for round bodies: slip is measured at the closest point, so that rotation of the body contributes to slip */
  PetscBool rolls;
  PetscReal weight;    /* pressure times `weight` is force; `weight` contains the share */
  PetscReal normal[3]; /* normal of the slave's surface at t_n; zero: not known, or at its rim */
  /* smooth patch of the master to which the slave is bound in this step; -1: none yet */
  PetscInt patch;
  /* the facets near the slave's path: first index in contact->work->found, and number */
  PetscInt found, nfound;
  /* the facets that the slave may touch: first index in contact->work->found, and number */
  PetscInt admitted, nadmitted;
  /* fraction of the area of the point that carries pressure (CrPointShare) */
  PetscReal share;
  PetscBool idle;   /* the touch is not used in the step, unless CrContactReview activates it */
  PetscBool beside; /* an additional touch of a point in a valley; it has no history */
  PetscBool twin;   /* the touch is idle, because another touch imposes the same condition */
  PetscBool waits;  /* the share is zero; the touch is used only if the point would penetrate */
  PetscBool called; /* a contact of edges that CrContactCall has added in this step */
  /* in late Newton iterations: the closest point is held at an edge of its facet, although another facet is closer */
  PetscBool hangs;
  PetscBool locked; /* bound to `facet` for the whole step, for instance because the path is long */
  PetscBool keeps;  /* the history has the dynamic gap at t_n */
  /* the slave is an edge that inherits the dynamic gap and the elastic slip at t_n from a neighbouring edge */
  PetscBool inherits;
  PetscReal xi0[2]; /* pressed edges: coordinates in [0, 1] of their crossing at t_n */
  /* values at t_n: elastic slip as a vector in space, and normal of the facet of the last step */
  PetscReal spring[3], nu0[3];
  /* facet in use. On walls: axis of the tangents. For edges on edges: number of the meeting, that is of two edges that
     may cross (ridges.h). */
  PetscInt facet;
  PetscInt facet1; /* facet to which the kinematics k1 belong */
  PetscInt cached; /* facet for which gd0 and eta0 were computed; -1: none */
  /* springs in the real gap: facet at which it was examined whether the slave came in from the side; -1: none */
  PetscInt  came;
  PetscInt  home;  /* facet that the search chose at t_n; -1: none */
  PetscInt  moves; /* edges on facets: in how many more evaluations the contact moves on the edge */
  PetscReal gap0;  /* real gap at t_n */
  PetscReal before; /* nodes on facets that were free at t_n: gap at t_n on the facet in use */
  /* laws that satisfy the gap condition exactly: gap at t_n on the facet in use, if it is negative; else 0 */
  PetscReal behind;
  PetscReal curved;         /* at the start of the run: gap to the curve that facets approximate */
  PetscReal overlap, press; /* as in CrContactHistory; the first step computes them */
  PetscReal gd0, eta0[2], shift0, shift1; /* as in CrLawInput */
  PetscReal lambda, traction[3]; /* multipliers: pressure, and friction as a vector in space */
  /* Impulses of the method velocity-update. The first three members are mean forces in the step, that is impulses
     divided by h. kick: force on the slave. impulse: j/h, where j G is the impulse of theory 16.2
     (CR_IMPULSE_TRACTION). push: normal force (CR_IMPULSE_PARTS). lost: energy that friction of the impulse dissipates.
     swing: normal impulse that would reverse the velocity at t_n. */
  PetscReal    kick[3], impulse, push, lost, swing;
  PetscInt     started;                /* facet to which H0 belongs; -1: none */
  PetscReal    H0[2][CR_CONTACT_DOFS]; /* operators of slip at t_n, for CR_SLIP_MEAN */
  CrTouchModel model;                  /* for steady laws */
  /* Results of the last evaluation. */
  CrLawInput   in;
  CrLawOutput  out;
  CrKinematics k, k1; /* k1: at t_{n+1} on facet1, for laws that use the gap there */
  /* Only if one side is a rigid body. arm: vector from its centre to the contact. way: displacement of the slave
     relative to the master in the step. */
  PetscReal arm[3], way[3];
};

/* CR_EACH_TOUCH loops over all touches of the step. CR_EACH_TOUCH_OF loops over the touches of one pass. */
#define CR_EACH_TOUCH(touch, c)                                                                    \
  for (CrTouch *touch = (c)->work->touches; touch < (c)->work->touches + (c)->work->ntouches;      \
       touch++)
#define CR_EACH_TOUCH_OF(touch, c, pass)                                                           \
  for (CrTouch *touch = (c)->work->touches + (c)->work->first[pass];                               \
       touch < (c)->work->touches + (c)->work->first[(pass) + 1]; touch++)

/* ---- creation, and nodes ---- */

/* Returns the gap between the slave of a touch and `facet` at the instant `at`. */
PetscReal CrTouchGapOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at);
/* Appends to the touches of the step a new touch for the i-th slave of a pass. *touch points to the new touch. */
PetscErrorCode CrTouchNew(CrContact *c, PetscInt pass, PetscInt i, CrTouch **touch);
/* Adds a contact point to contact->work->dropped. The point was in contact at t_n, and leaves contact at the end of the
   step. */
PetscErrorCode CrPointDrop(CrContact *c, PetscInt point);
/* Returns true if the contact point was pressed at t_n and the touch still uses the dynamic gap stored then. */
static inline PetscBool CrTouchWasPressed(const CrContact *c, const CrTouch *touch)
{
  return touch->keeps && c->past.gd[touch->point] < 0;
}
/* Returns component r of the force p G - t H of a touch, without the weight of the point. r is an index of the dofs of
   the operators G and H. */
static inline PetscReal CrTouchForceAt(const CrTouch *touch, PetscInt r)
{
  PetscReal force = touch->out.p * touch->k.G[r];

  for (PetscInt a = 0; a < touch->k.dim - 1; a++) force -= touch->out.t[a] * touch->k.H[a][r];
  return force;
}
/* Returns how many of the nodes of a touch (CrTouchNodes) belong to the slave. */
static inline PetscInt CrTouchOwnNodes(const CrContact *c, const CrTouch *touch)
{
  return CrPassHasEdges(&c->passes[touch->pass]) ? 2 : 1;
}

/* Returns true if the slave may touch `facet`. */
PetscBool CrTouchAdmits(const CrContact *c, const CrTouch *touch, PetscInt facet);
/* Returns a copy of `touch` that may touch all facets near the slave, whatever their normals are. */
CrTouch CrTouchOfAll(const CrTouch *touch);

/* ---- the law ---- */

/* Stores the elastic slip as the vector touch->spring in space, and the normal of k as touch->nu0. eta are the
   components of the elastic slip along the tangents of k. */
void CrSpringKeep(const PetscReal eta[2], const CrKinematics *k, CrTouch *touch);
/* Computes touch->eta0, the components of the stored elastic slip along the tangents of k. First the stored vector is
   rotated by the smallest rotation that turns the stored normal into the normal of k. */
void CrSpringCarry(PetscInt dim, CrTouch *touch, const CrKinematics *k);
/* Computes touch->gd0 and touch->eta0, the dynamic gap and elastic slip at t_n, for the present facet. u0 are the
   displacements at t_n. */
void CrTouchHistory(const CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Computes touch->H0, the operators of slip at t_n, if the law needs them (CR_SLIP_MEAN). u0 are the displacements at
   t_n. */
void CrTouchStart(const CrContact *c, CrTouch *touch, const PetscReal *u0, const CrContactLaw *law);
/* Returns the weight of the present operator H in the slip: 1, or 1/2 with CR_SLIP_MEAN. The weight of H0 is 1 minus
   this weight. */
PetscReal CrTouchSlipPart(const CrTouch *touch, const CrContactLaw *law);
/* Stores in touch->model the results of the last evaluation, which was made at the displacements u. */
void CrTouchModelTake(const CrContact *c, CrTouch *touch, const PetscReal *u);
/* Evaluates the contact law of a touch with n dofs. du are the increments of these dofs in the step. `slide` are the
   increments of the same dofs from which slip is computed. */
void CrLawAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step, PetscInt n,
              const PetscReal *du, const PetscReal *slide);
/* Copies step->du and step->slide at the nodes of a touch to du and `slide`. If the master is a wall, its motion is
   subtracted. */
void CrTouchIncrements(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       PetscReal *du, PetscReal *slide);
/* Evaluates the contact law of a touch with the increments of CrTouchIncrements. */
void CrTouchAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step);
/* Adds to f the force of a touch on nodes that this rank owns, from the last evaluation. If contact points are divided
   among the ranks, forces on nodes of other ranks are added to contact->division. */
void CrTouchAddForce(const CrContact *c, const CrTouch *touch, PetscReal *f);

/* Returns true if the pressure of a touch depends on the gap to one facet, but its force acts on the nodes of another
   facet. */
PetscBool CrTouchIsSplit(const CrTouch *touch, const CrContactStep *step);
/* Computes the derivative K of the force of one touch with respect to the positions x of its nodes, without the weight
   of the point. Rows and columns of K are the dofs of the touch. du and `slide` are the increments from
   CrTouchIncrements. */
void CrPointTangent(const CrContactStep *step, const CrTouch *touch, const PetscReal *x,
                    const PetscReal *du, const PetscReal *slide,
                    PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* Sets the share of a touch whose facet is known. `start` is the start of the step. A point that was pressed at t_n keeps the share from the start of its
   contact. A touch whose share is zero becomes idle, or waits if CrTouchMayWait returns true. */
void CrTouchShare(const CrContact *c, CrTouch *touch, const CrInstant *start);
/* Returns true if a touch with a share of zero may wait. A waiting touch is used only if the point would penetrate
   otherwise. */
PetscBool CrTouchMayWait(const CrContact *c, const CrTouch *touch);
/* Returns the normal force of a touch, including the mean normal force of its impulses. */
static inline PetscReal CrTouchPush(const CrTouch *touch)
{
  return touch->weight * touch->out.p * (1 + touch->impulse) + touch->push;
}

/* Adds touches for a point in a valley (at a concave edge), one for each neighbouring facet that forms the valley. The
   point belongs to the last touch in the list. Used for exact laws. */
PetscErrorCode CrTouchAddBeside(CrContact *c, const CrInstant *start);
/* Deactivates one of two touches if a node of one surface coincides with a node of the other. Used for exact laws.
   Collective. */
PetscErrorCode CrTouchDropTwins(CrContact *c, const PetscReal *u0);

/* ---- facets ---- */

/* Returns true if the slave is a ball that touches the facet, edge or corner closest to its centre, on any patch.
   Returns false for a ball that is bound to one facet. Such a ball touches the plane of the facet, because it could
   otherwise pass through the plane beyond the edges of the facet. */
static inline PetscBool CrTouchIsBall(const CrTouch *touch)
{
  return touch->radius > 0 && !touch->locked ? PETSC_TRUE : PETSC_FALSE;
}
/* Converts `near`, the closest-point projection of a ball's centre, to the closest-point projection of the ball. For a
   ball that is bound to one facet, only subtracts the radius from the gap. Does nothing for slaves with zero radius. */
static inline void CrTouchProximity(const CrTouch *touch, CrProximity *near)
{
  if (CrTouchIsBall(touch))
    CrBallProximity(touch->radius, near);
  else
    near->gap -= touch->radius;
}

/* Computes the positions x of the slave and of the corners of a facet. If the slave is an ellipsoid, its position is
   its point closest to the facet. Returns the number of corners. */
PetscInt CrGatherTouch(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at, PetscReal *x);
/* Computes the gap and the operators G and H of a touch on its facet, and the positions x as in CrGatherTouch. Returns
   false if there is no closest point. */
PetscBool CrTouchProject(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                         PetscReal *x, CrKinematics *k);
/* Returns true if the path of the slave from the instant `from` to the instant `to` is long compared with the facet. */
PetscBool CrIsLongWay(const CrContact *c, const CrTouch *touch, PetscInt facet,
                      const CrInstant *from, const CrInstant *to);
/* Returns the facet that the straight path of the slave pierces first; -1: none. *when in [0, 1] is the fraction of the
   path at which this happens. If `only_new` is true, facets to which the slave is already bound are left out. */
PetscInt CrFirstPierced(const CrContact *c, const CrTouch *touch, const CrInstant *from,
                        const CrInstant *to, PetscBool only_new, PetscReal *when);
/* Returns the facet of the patch touch->patch that is closest to the slave at the instant `at`; -1: none. *near is the
   closest-point projection. If the slave is a ball, near->gap is the gap of the ball. */
PetscInt CrNearestFacetAt(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                          CrProximity *near);
/* Does the same as CrNearestFacetAt, with the nodes at the displacements u and rigid bodies at their poses at the end
   of the step. */
PetscInt CrNearestFacet(const CrContact *c, const CrTouch *touch, const PetscReal *u,
                        CrProximity *near);
/* Returns true if the closest point of the slave may rest at a corner or edge in a valley. This is the case for nodes,
   and for corners of rigid bodies in passes that use cones of normals. */
static inline PetscBool CrTouchRests(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];

  return p->ops->slave->is_node || (p->cones && !touch->rolls) ? PETSC_TRUE : PETSC_FALSE;
}
/* Returns the corner or edge of a facet at which the closest point rests, if the slave is behind the facet in a valley.
   Otherwise returns CR_REST_NONE. x are the positions of slave and corners at the displacements u, and `near` is their
   closest-point projection. */
PetscInt CrValleyRest(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                      const PetscReal *x, const CrProximity *near);
/* Changes `near` to the projection on the corner or edge at which the closest point rests, if the slave is in a
   valley. */
void CrValleyProximity(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                       const PetscReal *x, CrProximity *near);
/* Computes the gap and the operators G and H of a slave node on a facet, at the displacements u. In a valley the
   closest point rests at a corner or edge. If `exact` is true, the closest point is always the projection on the facet,
   because a corner or edge has no normal at zero penetration. Returns false if there is no closest point. */
PetscBool CrTouchLook(const CrContact *c, const CrTouch *touch, PetscInt facet, PetscBool exact,
                      const PetscReal *u, CrKinematics *k);

/* A touch is a contact point (a slave of a pass) that may be in contact in the step that is being solved. A touch has
   the facet that is closest to the slave, the operators G and H of gap and slip on this facet, and the input and output
   of the contact law. A touch is pressed if its pressure is positive. A valley is a concave edge of the master. In a
   valley the closest point may rest: it is then fixed at an edge or corner of the facet. A share is the part of the
   slave's area that carries pressure. */
#pragma once

#include "contact/round.h"
#include "contact/place.h"
#include "contact/touch/spread.h"

#define BEHIND                                                                                     \
  1e-9 /* fraction of a facet or edge: a smaller penetration at the start of a step is rounding */
#define FREEZE 6 /* Newton iterations after which facets no longer change */

/* For steady laws: the linear model of a contact at the last Newton iterate. The model has the gap as a linear function
   of the positions, and the state of the point. */
typedef struct {
  PetscInt facet; /* facet of the model; -1: there is no model */
  /* gap, positions and operator of the iterate */
  PetscReal       gap, x[CR_CONTACT_DOFS], G[CR_CONTACT_DOFS];
  CrContactStatus status;
  PetscReal       way[2]; /* direction of slip; zero: the point does not slip */
} CrTouchModel;

struct CrTouch {
  PetscInt pass, point; /* number of the pass; number of the point among all points */
  PetscInt node; /* local node of the slave, or first node of an edge; -1: the slave is no node */
  const CrSample *sample; /* the slave, if it is a sample; borrowed */
  /* If the slave is a point of a rigid body: its position relative to the centre, in body axes; the radius of the ball
     around it; and the greatest distance of the body's surface from it. */
  PetscReal offset[3], radius, extent;
  /* the shape of the body, if it is an ellipsoid; its closest point depends on the facet */
  const CrShape *ellipsoid;
  /* round bodies: slip is measured at the closest point, which rotation moves too */
  PetscBool rolls;
  PetscReal weight;    /* turns pressure into force; it contains the share */
  PetscReal normal[3]; /* normal of the slave's surface at t_n; zero: not known, or at its rim */
  /* smooth patch of the master to which the slave is bound in this step; -1: none yet */
  PetscInt patch;
  /* first entry in contact->work->found, and number of facets near the path */
  PetscInt found, nfound;
  /* first entry and number of the facets among these that the slave may touch */
  PetscInt admitted, nadmitted;
  /* fraction of the area of the point that carries pressure (CrPointShare) */
  PetscReal share;
  PetscBool idle;   /* the contact is not used in the step, unless CrContactReview activates it */
  PetscBool beside; /* an additional touch of a point in a valley; such a contact has no history */
  PetscBool twin;   /* the contact is idle, because another contact imposes the same condition */
  PetscBool waits;  /* the contact has no share, and is used only if the point would penetrate */
  PetscBool called; /* a contact of edges that CrContactCall has added in this step */
  PetscBool
      /* late in Newton's method: the closest point is held at an edge of its facet, although another facet is closer */
            hangs;
  PetscBool locked; /* bound to `facet` for the whole step, for instance because its path is long */
  PetscBool keeps;  /* the history has the dynamic gap at t_n */
  /* this edge inherits the dynamic gap and the elastic slip of t_n from a neighbouring edge */
  PetscBool inherits;
  PetscReal xi0[2]; /* a pressed edge: coordinates at t_n of the point where the edges cross */
  /* at t_n: elastic slip as a vector in space, and normal of the old facet */
  PetscReal spring[3], nu0[3];
  /* facet in use; walls: axis of the tangents; edges: number of the meeting (ridges.h) */
  PetscInt  facet;
  PetscInt  facet1; /* facet on which k1 is computed */
  PetscInt  cached; /* facet for which gd0 and eta0 were computed; -1: none */
  PetscInt  came;  /* springs in the real gap: facet for which the path in was examined; -1: none */
  PetscInt  home;  /* facet that the search chose, at t_n; -1: none */
  PetscInt  moves; /* edges on facets: further evaluations in which the place on the edge moves */
  PetscBool moves_again; /* `moves` was reset once in this step */
  PetscReal gap0;        /* real gap at t_n */
  /* exact laws of the gap: gap at t_n on the facet in use, if the slave is inside; else 0 */
  PetscReal behind;
  PetscReal curved;         /* at the start: gap to the curve that the facets approximate */
  PetscReal overlap, press; /* as in CrContactHistory; the first step computes them */
  PetscReal gd0, eta0[2], shift0, shift1; /* as in CrLawInput */
  PetscReal lambda, traction[3]; /* multipliers: pressure, and friction as a vector in space */
  /* Impulses of a velocity update, given as mean forces in the step. kick: force on the slave. impulse: j/h, with the
     factor j of the impulse j G of theory 16.2 (CR_IMPULSE_TRACTION). push: normal force (CR_IMPULSE_PARTS). lost:
     energy that friction dissipates. swing: normal impulse that would reverse the velocity at t_n. */
  PetscReal    kick[3], impulse, push, lost, swing;
  PetscInt     started;                /* facet for which H0 was computed; -1: none */
  PetscReal    H0[2][CR_CONTACT_DOFS]; /* operators of slip at t_n, for CR_SLIP_MEAN */
  CrTouchModel model;                  /* model at the last iteration, for steady laws */
  /* Results of the last evaluation. */
  CrLawInput   in;
  CrLawOutput  out;
  CrKinematics k, k1; /* k1: at t_{n+1} on facet1, for laws that use the gap there */
  /* With a rigid body: vector from its centre to the contact; displacement of the slave relative to the master. */
  PetscReal arm[3], way[3];
};

/* Loops over the contacts of the step, and over those of one pass. */
#define CR_EACH_TOUCH(touch, c)                                                                    \
  for (CrTouch *touch = (c)->work->touches; touch < (c)->work->touches + (c)->work->ntouches;      \
       touch++)
#define CR_EACH_TOUCH_OF(touch, c, pass)                                                           \
  for (CrTouch *touch = (c)->work->touches + (c)->work->first[pass];                               \
       touch < (c)->work->touches + (c)->work->first[(pass) + 1]; touch++)

/* ---- creation, and nodes ---- */

/* Returns the gap between the slave of a contact and `facet`. */
PetscReal CrTouchGapOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at);
/* Appends the i-th slave of a pass as a new contact. */
PetscErrorCode CrTouchNew(CrContact *c, PetscInt pass, PetscInt i, CrTouch **touch);
/* Adds the point to contact->work->dropped: the point was in contact, and leaves contact at the end of the step. */
PetscErrorCode CrPointDrop(CrContact *c, PetscInt point);
/* Returns true if the contact point was pressed at t_n and the contact still uses its stored dynamic gap. */
static inline PetscBool CrTouchWasPressed(const CrContact *c, const CrTouch *touch)
{
  return touch->keeps && c->past.gd[touch->point] < 0;
}
/* Returns component r of the force p G - t H of a contact, without the weight of the point. The components are numbered
   like the dofs of the operators G and H. */
static inline PetscReal CrTouchForceAt(const CrTouch *touch, PetscInt r)
{
  PetscReal force = touch->out.p * touch->k.G[r];

  for (PetscInt a = 0; a < touch->k.dim - 1; a++) force -= touch->out.t[a] * touch->k.H[a][r];
  return force;
}
/* Returns the number of nodes of a contact (CrTouchNodes) that belong to the slave. */
static inline PetscInt CrTouchOwnNodes(const CrContact *c, const CrTouch *touch)
{
  return CrPassHasEdges(&c->passes[touch->pass]) ? 2 : 1;
}

/* Returns true if the slave may touch `facet`. */
PetscBool CrTouchAdmits(const CrContact *c, const CrTouch *touch, PetscInt facet);
/* Returns a copy of the contact that admits all facets near the slave, whatever their normals are. */
CrTouch CrTouchOfAll(const CrTouch *touch);

/* ---- the law ---- */

/* Stores the elastic slip eta, given in the tangents of k, as the vector touch->spring, and the normal of k as
   touch->nu0. */
void CrSpringKeep(const PetscReal eta[2], const CrKinematics *k, CrTouch *touch);
/* Computes touch->eta0, the stored elastic slip in the tangents of k. The stored vector is rotated by the smallest
   rotation that turns the stored normal into the normal of k. */
void CrSpringCarry(PetscInt dim, CrTouch *touch, const CrKinematics *k);
/* Computes the dynamic gap gd0 and elastic slip eta0 of t_n on the present facet. Gap and slip are constant in the
   step. */
void CrTouchHistory(const CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Computes the operators H0 of slip at t_n, if the law needs them (CR_SLIP_MEAN). */
void CrTouchStart(const CrContact *c, CrTouch *touch, const PetscReal *u0, const CrContactLaw *law);
/* Returns the weight of the present operator H in the slip: 1, or 1/2 with CR_SLIP_MEAN. The weight of H0 is 1 minus
   this weight. */
PetscReal CrTouchSlipPart(const CrTouch *touch, const CrContactLaw *law);
/* Stores the last evaluation, at displacements u, in touch->model. */
void CrTouchModelTake(const CrContact *c, CrTouch *touch, const PetscReal *u);
/* Evaluates the law of a contact with n dofs: du are their increments, slide those from which slip is computed. */
void CrLawAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step, PetscInt n,
              const PetscReal *du, const PetscReal *slide);
/* Gathers step->du and step->slide at the nodes of a contact, relative to the motion of the wall. */
void CrTouchIncrements(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       PetscReal *du, PetscReal *slide);
/* Evaluates the law of a contact with the increments of CrTouchIncrements. */
void CrTouchAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step);
/* Adds the force of a contact to f, on owned dofs, with operators, pressure and traction of the last evaluation. Forces
   of divided points on nodes of other ranks go to contact->division. */
void CrTouchAddForce(const CrContact *c, const CrTouch *touch, PetscReal *f);

/* Returns true if the pressure depends on the gap on one facet, but the force acts on the nodes of another facet. */
PetscBool CrTouchIsSplit(const CrTouch *touch, const CrContactStep *step);
/* Computes the derivative of the force of one contact with respect to the positions x of its nodes, without the weight
   of the point. Rows and columns are the dofs of the contact. du and slide are the increments of these degrees of
   freedom. */
void CrPointTangent(const CrContactStep *step, const CrTouch *touch, const PetscReal *x,
                    const PetscReal *du, const PetscReal *slide,
                    PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* Sets the share of a contact whose facet is known. A pressed point keeps the share of its first contact. A contact
   whose share is zero becomes idle. If CrTouchMayWait returns true, the contact waits instead: it is used only if the
   point would penetrate. */
void CrTouchShare(const CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Returns true if a contact without a share may wait: it is then used only if the point would penetrate. */
PetscBool CrTouchMayWait(const CrContact *c, const CrTouch *touch);
/* Returns the normal force of a contact, including the normal force of its impulses. */
static inline PetscReal CrTouchPush(const CrTouch *touch)
{
  return touch->weight * touch->out.p * (1 + touch->impulse) + touch->push;
}

/* For exact laws: if the point of the last contact is in a valley (at a concave edge), adds a contact for each
   neighbouring facet that forms the valley. */
PetscErrorCode CrTouchAddBeside(CrContact *c, const CrInstant *start);
/* For exact laws: if nodes of both surfaces coincide, deactivates the contact of one of these nodes. */
void CrTouchDropTwins(CrContact *c, const PetscReal *u0);

/* ---- facets ---- */

/* Returns true if the slave is a ball that touches the facet, edge or corner closest to its centre, on any patch. A
   ball that is assigned to one facet touches the plane of this facet instead. Otherwise it could pass through the plane
   beyond the edges of the facet. */
static inline PetscBool CrTouchIsBall(const CrTouch *touch)
{
  return touch->radius > 0 && !touch->locked ? PETSC_TRUE : PETSC_FALSE;
}
/* Changes the proximity of the centre of a ball to that of the ball. Does nothing for other slaves. */
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
/* Computes the operators of a contact on its facet, at the positions x as in CrGatherTouch. Returns false if there is
   no closest point. */
PetscBool CrTouchProject(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                         PetscReal *x, CrKinematics *k);
/* Returns true if the path of a slave between two instants is long compared with the facet. */
PetscBool CrIsLongWay(const CrContact *c, const CrTouch *touch, PetscInt facet,
                      const CrInstant *from, const CrInstant *to);
/* Returns the facet that the straight path of the slave pierces first, at the time *when in [0, 1]; -1: none.
   `only_new` leaves out the facets to which the slave is bound already. */
PetscInt CrFirstPierced(const CrContact *c, const CrTouch *touch, const CrInstant *from,
                        const CrInstant *to, PetscBool only_new, PetscReal *when);
/* Returns the facet of the contact's patch that is closest to the slave at an instant; -1: none. near->gap is the gap
   of the ball around the slave. */
PetscInt CrNearestFacetAt(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                          CrProximity *near);
/* Does the same as CrNearestFacetAt, with the nodes at u and rigid bodies at the end of the step. */
PetscInt CrNearestFacet(const CrContact *c, const CrTouch *touch, const PetscReal *u,
                        CrProximity *near);
/* Returns true if the closest point of the slave may rest at a corner or edge in a valley. This is the case for nodes,
   and for corners of rigid bodies in passes that use cones of normals. */
static inline PetscBool CrTouchRests(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];

  return p->ops->slave->is_node || (p->cones && !touch->rolls) ? PETSC_TRUE : PETSC_FALSE;
}
/* Returns the corner or edge of a facet at which the closest point rests, if the slave is behind the facet in a
   valley; else returns CR_REST_NONE. x are slave and corners at u, near is their proximity. */
PetscInt CrValleyRest(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                      const PetscReal *x, const CrProximity *near);
/* If the slave is in a valley, changes its proximity to that of the corner or edge at which the closest point rests. */
void CrValleyProximity(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                       const PetscReal *x, CrProximity *near);
/* Computes the operators of a slave node on a facet at u. In a valley the closest point rests at a corner or edge. If
   `exact` is true, the closest point is always the projection on the facet, because a corner or edge has no normal at
   zero penetration. Returns false if there is no closest point. */
PetscBool CrTouchLook(const CrContact *c, const CrTouch *touch, PetscInt facet, PetscBool exact,
                      const PetscReal *u, CrKinematics *k);

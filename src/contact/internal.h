/* What the files of this folder share. */
#pragma once

#include "contact/contact.h"
#include "model/graph.h"

#define FREEZE    6    /* Newton iterations after which facets no longer change */
#define OPEN_EDGE 0.05 /* part of a facet's size beyond an open edge that still counts as on it */

struct CrTouch {
  PetscInt pass, point; /* point: index of all points */
  PetscInt node;        /* slave, local; -1: a point of a rigid body */
  /* of such a point: from the centre in body axes, the ball around it; an ellipsoid, whose point depends on
     the facet; does it slide by its foot; how far it may reach */
  PetscReal      offset[3], radius, extent;
  const CrShape *ellipsoid;
  PetscBool      rolls;
  PetscReal      weight;
  PetscReal normal[3];     /* of the slave's surface at t_n; zero: not known, or at the rim of it */
  PetscInt  patch;         /* of the master, kept for the step; -1: none yet */
  PetscInt  found, nfound; /* its facets, of all patches, in contact->found */
  PetscBool idle;          /* takes no part unless the review finds that it must */
  PetscBool locked;        /* bound to `facet` for the step: it came a long way */
  PetscBool keeps;         /* the dynamic gap is carried on */
  PetscReal spring[3], nu0[3]; /* elastic slip as a vector, normal of the old facet, both at t_n */
  PetscInt  facet;             /* in use; obstacles: axis of the tangents */
  PetscInt  facet1;            /* of k1 */
  PetscInt  cached;            /* facet for which gd0 and eta0 hold, -1: none */
  PetscReal gap0;              /* real gap at t_n */
  PetscReal curved;            /* the same on the curve that facets stand for; at the start only */
  PetscReal gd0, eta0[2], shift0, shift1;
  PetscReal lambda, traction[3]; /* multipliers: pressure, and friction as a vector in space */
  PetscReal kick[3], impulse;    /* force of a velocity update on the slave; its time over h */
  /* of the last evaluation */
  CrLawInput   in;
  CrLawOutput  out;
  CrKinematics k, k1;          /* k1: at t_{n+1}, on facet1, for laws that see the end */
  PetscReal    arm[3], way[3]; /* rigid partner: from its centre to where the force acts; increment
                                  relative to it */
};

/* A rigid body of finite mass in the step that is being solved (theory 14.3); 2D: in the plane. */
struct CrPartner {
  const CrShape *shape; /* borrowed */
  PetscReal      mass, I[3];
  PetscBool      is_free[6]; /* which of `move` and `turn` are unknowns */
  /* at t_n; load: acceleration from outside in the middle of the step */
  PetscReal x0[3], v0[3], pi0[3], Om0[3], R0[9], load[3];
  PetscReal move[3], turn[3];     /* the unknowns: x1 - x0, Cayley's rotation vector */
  PetscReal x1[3], R1[9];         /* the end that follows from them */
  PetscReal xm[3], Rm[9], Rh[9];  /* the middle: means of both ends; turned half way */
  PetscReal C[9], B[9];           /* dR1 Y = -C (Rm Y)^ d(turn); rotation of Rh by d(turn) */
  PetscReal path_x[3], path_R[9]; /* where the search believed that the step ends */
  PetscBool guessed;              /* a solution is known: where to search too */
  PetscReal guess_x[3], guess_R[9];
  PetscReal residual[6], K[36];  /* of its equations; derivative by the unknowns, then inverse */
  PetscReal force[3], torque[3]; /* of contact */
};

/* A slave and the nodes of the master at one instant. */
typedef struct {
  PetscReal        x[3];
  const PetscReal *u, *R; /* displacements; rotation of the body that the slave belongs to */
} CrInstant;

/* Where a rigid body is meant to be: at t_n; where it was expected to end; where a solution ended; in the
   middle and at the end of the trial step. */
typedef enum { CR_POSE_START, CR_POSE_PATH, CR_POSE_GUESS, CR_POSE_MIDDLE, CR_POSE_END } CrPoseOf;

/* ---- rigid partners (partner*.c) ---- */

/* Points of a rigid body that may be slaves on facets (theory 14.4): corners, centres of round parts, of
   ellipsoids the point nearest to the facet; how many there are, and the i-th, for a new touch. */
PetscInt CrShapePoints(const CrShape *s);
void     CrPartnerPoint(const CrContact *c, const CrPass *p, PetscInt i, CrTouch *touch);
/* Ellipsoids: the centre. */
void CrPartnerPointAt(const CrContact *c, const CrTouch *touch, CrPoseOf pose, CrInstant *at);
/* From the centre of an ellipsoid to its farthest point against nu. */
void CrEllipsoidReach(const CrShape *ellipsoid, const PetscReal R[9], const PetscReal nu[3],
                      PetscReal r[3]);
/* The box of its path. */
void CrPartnerPointPath(const CrContact *c, const CrPass *p, PetscInt i, PetscReal box[6]);
/* Projection and law of a point on a facet at the trial state; false: no projection. */
PetscBool CrPartnerLookFacet(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                             const CrContactStep *step, PetscBool choose);
/* Derivatives of the forces on the corners of the facet (n) and on the body (z: force, torque), by the
   corners' positions at the end of the step and by move and turn. */
typedef struct {
  PetscReal nn[12][12], nz[12][6], zn[6][12], zz[6][6];
} CrFacetTangent;
void CrPartnerFacetTangent(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                           CrFacetTangent *tangent);

/* The signed distance of a point `at` from a shape at x, R, and its normal; of polytopes that of the
   planes, which is the same inside and less outside. */
PetscReal CrShapeGap(const CrShape *s, const PetscReal x[3], const PetscReal R[9],
                     const PetscReal at[3], PetscReal nu[3]);
/* What must not be passed in one step. */
PetscReal CrShapeInnerRadius(const CrShape *s);
/* Which faces of a polytope a point may use: those not beyond a crease of `patch`, or, patch < 0, that
   a surface of this normal faces when the body is at R. */
typedef struct {
  PetscInt         patch;
  const PetscReal *R, *normal;
} CrFaceChoice;
/* The face that a point (y from the centre) is farthest above, of those; -1: none. beyond: how far it
   lies outside the others. */
PetscInt CrShapeFace(const CrShape *s, const CrFaceChoice *choice, const PetscReal R[9],
                     const PetscReal y[3], PetscReal *beyond);
/* The i-th way in which a shape may touch the wall of a pass, where it is in the middle of t0 and t1: gap,
   normal, and the point of the body (from x) that is meant. mean, half: rotation as flat and as curved
   shapes take it. */
PetscReal CrShapeAtWall(const CrShape *s, const CrPass *pass, PetscInt i, PetscReal t0,
                        PetscReal t1, const PetscReal x[3], const PetscReal mean[9],
                        const PetscReal half[9], PetscReal nu[3], PetscReal arm[3]);

/* Points of a pass against a rigid body in the step; `ends`: as CrContactBegin. */
PetscErrorCode CrPartnerSearch(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                               const PetscReal *const ends[]);
PetscErrorCode CrPartnerSearchWall(CrContact *c, PetscInt pass);
/* Does the node come within reach of the body on its path? */
PetscBool CrPartnerIsNear(const CrContact *c, const CrPass *p, PetscInt i, PetscReal reach);
/* Gap, normal, tangents and law of a point at the trial state of its partner. */
void CrPartnerLook(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                   const CrContactStep *step, PetscBool choose);
void CrPartnerLookWall(const CrContact *c, CrTouch *touch, const CrContactStep *step,
                       const CrPartner *partner);
/* d(force on the slave) by its end position (and, turned, by the centre's) and by `turn`. */
void CrPartnerPointTangent(const CrContact *c, const CrTouch *touch, PetscReal K1[9],
                           PetscReal K2[9]);
/* The real gap at the end of the step. */
PetscReal CrPartnerGapAt(const CrContact *c, const CrTouch *touch, const PetscReal *u1);
/* Force of a point on its slave, from the last evaluation. */
void CrPartnerForce(const CrContact *c, const CrTouch *touch, PetscReal f[3]);
/* partner->K: inverse of the derivative of the residual at the last evaluation; false: singular. */
PetscBool CrPartnerDifferentiate(CrContact *c, PetscInt b, const CrContactStep *step);
/* Everything that follows from `move` and `turn`. */
void CrPartnerPlace(CrPartner *partner);
/* Motion of all partners for the nodes as they are; contact->lost where one has no solution. */
PetscErrorCode CrPartnersSolve(CrContact *c, const PetscReal *u0, const CrContactStep *step);
PetscErrorCode CrPartnersAddTangent(CrContact *c, const CrContactStep *step,
                                    CrMatrixValues *values);
PetscBool      CrPartnersSurprise(const CrContact *c);
void           CrPartnersGuess(CrContact *c); /* search where they are now, too */

/* For the files of this folder. */
PetscErrorCode CrTouchNew(CrContact *c, PetscInt pass, PetscInt i, CrTouch **touch);
PetscErrorCode CrPointDrop(CrContact *c, PetscInt point);
void           CrOverlapNote(CrContact *c, const CrTouch *touch, PetscReal gap);
/* At the start: takes note of the gap of a touch on facets, and on the curves they stand for. */
void CrOverlapMeasure(CrContact *c, CrTouch *touch, const PetscReal *u0);
void CrOverlapForget(CrContact *c); /* what was noted, for another attempt */
/* Then: what is pushed out, overlap of facets or of curves. */
void CrOverlapDecide(CrContact *c);
/* Elastic slip of the last step in the tangents of k, by the smallest rotation of the normals. */
void CrSpringCarry(PetscInt dim, CrTouch *touch, const CrKinematics *k);
void CrLawAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step, PetscInt n,
              const PetscReal *du, const PetscReal *slide);

/* Where a node is; u: displacements. */
static inline void CrGatherNode(const CrContact *c, PetscInt node, const PetscReal *u, PetscReal *x)
{
  PetscInt dim = c->model->dim;

  for (PetscInt i = 0; i < dim; i++) x[i] = c->model->X[dim * node + i] + u[dim * node + i];
}

/* Coordinates of a slave and of the corners of a facet: x[(n+1)*dim]; returns n. */
static inline PetscInt CrGatherFacet(const CrContact *c, const CrSurface *master, PetscInt node,
                                     PetscInt facet, const PetscReal *u, PetscReal *x)
{
  PetscInt n = master->ncorners[facet], dim = c->model->dim;

  CrGatherNode(c, node, u, x);
  for (PetscInt a = 0; a < n; a++)
    CrGatherNode(c, master->corners[4 * facet + a], u, x + dim * (a + 1));
  return n;
}

/* The same for a slave that is given by its place. */
static inline PetscInt CrGatherAt(const CrContact *c, const CrSurface *master, PetscInt facet,
                                  const CrInstant *at, PetscReal *x)
{
  PetscInt n = master->ncorners[facet], dim = c->model->dim;

  for (PetscInt i = 0; i < dim; i++) x[i] = at->x[i];
  for (PetscInt a = 0; a < n; a++)
    CrGatherNode(c, master->corners[4 * facet + a], at->u, x + dim * (a + 1));
  return n;
}

/* What multiplies pressure and friction of the i-th point of a pass. */
static inline PetscReal CrPointWeight(const CrContact *c, const CrPass *p, PetscInt i)
{
  if (c->pairs[p->pair].unit || (!p->slave && !p->master)) return 1;
  return p->slave ? p->slave->weight[i] : p->weight;
}

/* Where the slave of a touch is, with the nodes at u; `pose`: of those of a rigid body. */
void CrSlaveAt(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
               CrInstant *at);
/* Slave and corners of a facet; of an ellipsoid the point that is nearest to it. */
PetscInt CrGatherTouch(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at, PetscReal *x);
/* Is the way of a point between two instants long compared with a facet? */
PetscBool CrIsLongWay(const CrContact *c, const CrTouch *touch, PetscInt facet,
                      const CrInstant *from, const CrInstant *to);
/* The first facet that the straight path pierces, -1 if none, and when in [0, 1]. `only_new`: those that
   the point looks at already are left out. */
PetscInt CrFirstPierced(const CrContact *c, const CrTouch *touch, const CrInstant *from,
                        const CrInstant *to, PetscBool only_new, PetscReal *when);
/* The facet of the touch's patch that is nearest at an instant; the gap is that of the ball around the
   slave. */
PetscInt CrNearestFacetAt(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                          CrProximity *near);
/* The facet of the touch's patch that is nearest at u, rigid bodies at the end of the step. */
PetscInt CrNearestFacet(const CrContact *c, const CrTouch *touch, const PetscReal *u,
                        CrProximity *near);
/* In a valley behind a facet: corner or edge of it that is nearest to the slave. x: slave and facet at u;
   near: their proximity. */
PetscInt CrValleyRest(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                      const PetscReal *x, const CrProximity *near);
/* Changes the proximity of a slave and its nearest facet to that of a valley, where it is in one. */
void CrValleyProximity(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                       const PetscReal *x, CrProximity *near);
/* Operators of a slave node on a facet at u, in valleys as above. exact: of a law that lets nothing pass,
   which takes facets alone: at no depth the other has no direction. */
PetscBool CrTouchLook(const CrContact *c, const CrTouch *touch, PetscInt facet, PetscBool exact,
                      const PetscReal *u, CrKinematics *k);
/* Nodes of a touch on the facet in use: slave, then corners. */
void CrTouchNodes(const CrContact *c, const CrTouch *touch, PetscInt nodes[CR_CONTACT_NODES]);
/* f += force of a touch, from its last operators, pressure and traction, on owned dofs. */
void CrTouchAddForce(const CrContact *c, const CrTouch *touch, PetscReal *f);
/* The normal of the slave's surface at node i of it, zero at its rim; and whether a facet of normal
   nu is one that it may strike. */
void      CrSlaveNormal(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u,
                        PetscReal normal[3]);
PetscBool CrIsFaced(const PetscReal normal[3], const PetscReal nu[3]);
/* Facets near the path of a slave node, without its own neighbourhood in self-contact. */
PetscErrorCode CrTouchFind(CrContact *c, const CrPass *p, PetscInt i, PetscReal reach,
                           CrTouch *touch);
/* In self-contact: is the facet one of the neighbourhood of node i of the slave's surface? */
PetscBool CrIsOwn(const CrPass *p, PetscInt i, PetscInt facet);

/* One side of a pair (sides.c). */
typedef struct {
  const CrObstacle *obstacle;
  PetscInt          body, set;
  PetscInt          rigid; /* 1 + group of rigid bodies; 0: none */
  PetscInt          copy;  /* 1 + body of it that is named singly; 0: all of them */
} CrSide;

/* Of the deck's word for it. */
PetscErrorCode CrSideFind(const CrContact *contact, const CrDeckNode *node, CrSide *side);
/* The name of its body or obstacle; borrowed. */
const char *CrSideName(const CrContact *contact, const CrSide *side);

/* How far rigid bodies slide (slides.c); of one pair: mean, least, greatest. */
PetscErrorCode CrSlidesCreate(CrContact *contact);
PetscErrorCode CrSlidesDestroy(CrContact *contact);
PetscErrorCode CrSlidesArchive(CrContact *contact, CrArchive *archive);
void           CrSlidesOfPair(const CrContact *contact, PetscInt pair, PetscReal slip[3]);

/* Pairs of rigid bodies (pairs_rigid.c): one of the deck, and those that `default` finds. */
PetscErrorCode CrRigidPairAdd(CrContact *contact, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **pair);
PetscErrorCode CrRigidPairsFind(CrContact *contact, const CrDeckNode *node);
/* Points of the rigid bodies on obstacles, where deformable bodies are there too: the methods for both
   work with springs. */
PetscErrorCode CrRigidPassesAdd(CrContact *contact);
/* Points of rigid bodies on facets, as the pairs ask. */
PetscErrorCode CrBodyPassesAdd(CrContact *contact);
/* Reads the deck: pairs and passes. */
PetscErrorCode CrPairsRead(CrContact *contact, const CrDeck *deck);

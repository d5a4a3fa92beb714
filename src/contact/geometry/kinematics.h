/* Kinematics of a slave point and a master (theory 13.2): closest point, gap, normal, tangents, and their derivatives.
   The operators G and H give the increments of gap and slip from the increments of the nodal positions. All quantities
   belong to one configuration, for instance the middle of the step. The contact law says which one.

   facet.h computes the projection of the slave on a facet. foot.h computes gap, normal and weights without derivatives,
   for methods with many short steps. The files in contact/partners/ compute the kinematics on rigid bodies.

   Node 0 of a contact is the slave, and nodes 1 to nmaster are the corners of the facet. The corners are ordered so
   that the normal points outward. In 2D the material is on the left of the segment. In 3D the corners are
   counter-clockwise, seen from outside. For two edges that cross, nodes 0 and 1 belong to the slave's edge, and nodes 2
   and 3 to the master's edge. Component i of node A has the dof number dim*A + i. */
#pragma once

#include "base/base.h"

#define CR_CONTACT_NODES 5
#define CR_CONTACT_DOFS  15
#define CR_SPREAD_NODES  8  /* greatest number of nodes of a contact whose slave is a sample */
#define CR_LIFTED_NODES  18 /* the same, with lifted mid-side nodes (lift.h) */

/* The form of the master, which determines the nodes of a contact (coefficients.h). ALONE: the master has no nodes; it
   is an obstacle or a rigid body. EDGES: slave and master are two edges that cross. */
typedef enum {
  CR_FORM_ALONE,
  CR_FORM_SEGMENT,
  CR_FORM_TRIANGLE,
  CR_FORM_QUAD,
  CR_FORM_EDGES
} CrForm;

typedef struct {
  CrForm form;
  /* nmaster: number of nodes of the contact minus one: 0 (obstacle), 2 (segment), 3 (triangle, edges), 4 (quad) */
  PetscInt  dim, nmaster;
  PetscReal gap;     /* negative: the slave penetrates the master */
  PetscReal nu[3];   /* unit normal, outward from the master */
  PetscReal e[2][3]; /* orthonormal tangents; 2D: only e[0], the direction of the segment */
  /* Coordinates of the closest point. 2D: 0..1 along the segment. Triangle: shape functions are N = (1-xi1-xi2, xi1,
     xi2). Quad: [-1,1]^2. Edges: 0..1 along each edge. The closest point may lie outside of the facet, unless `rest`
     holds it at an edge or a corner. */
  PetscReal xi[2];
  /* shape functions of the master's nodes at xi; edges: -P_A (coefficients.h) */
  PetscReal shape[4];
  PetscReal G[CR_CONTACT_DOFS];     /* d gap = G . dx */
  PetscReal H[2][CR_CONTACT_DOFS];  /* the slip increment along e[i] is H[i] . Du (2D: H[0] only) */
  PetscReal Xi[2][CR_CONTACT_DOFS]; /* 3D facets: d xi[a] = Xi[a] . dx */
  /* private to kinematics.c and gradient.c */
  /* contravariant tangents tau^a; mixed derivative of a quad's surface x_M with respect to xi_1 and xi_2 */
  PetscReal dual[2][3], twist[3];
  PetscReal frame[3];  /* the direction whose projection on the tangent plane gives e[0] */
  PetscReal length;    /* length of the projection of `frame`; 2D: length of the segment */
  PetscReal curvature; /* obstacles: d nu = curvature (1 - nu nu^T) dx */
  PetscInt  rest;      /* where the closest point is held: CR_REST_NONE, a corner or an edge */
} CrKinematics;

/* Values of `rest`. In a valley, where facets meet in a concave edge, the closest point may be held at corner a of the
   facet. In 3D it may also be held at edge a, which goes from corner a to the next corner. */
#define CR_REST_NONE      0
#define CR_REST_CORNER(a) (1 + (a))
#define CR_REST_EDGE(a)   (5 + (a))

/* Computes the kinematics k of a slave and a facet. x are the (nmaster+1)*dim coordinates of the slave and the corners.
   Returns false if the closest point does not exist or was not found. This happens if the facet is degenerate, or if
   the slave is far from a warped quad. */
PetscBool CrKinematicsFacet(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrKinematics *k);
/* Computes the kinematics of a slave and a facet, with the closest point held at the corner or edge `rest` (theory
   13.10). The vector from this corner or edge to the slave gives the gap and the normal. The gap is negative if the
   slave is behind the facet. If the vector is zero, the function does the same as CrKinematicsFacet. */
PetscBool CrKinematicsRest(PetscInt dim, PetscInt nmaster, PetscInt rest, const PetscReal *x,
                           CrKinematics *k);
/* Does the same as CrKinematicsRest, for a slave that is always in front of the corner or edge, so that the gap is
   never negative. The tangents are the tangents of the facet, rotated by the smallest rotation from the facet's normal
   to nu. So the tangents change continuously when the slave moves from the facet to the edge. */
PetscBool CrKinematicsAround(PetscInt dim, PetscInt nmaster, PetscInt rest, const PetscReal *x,
                             CrKinematics *k);
/* Computes the kinematics k of two edges that cross (theory 13.12). x has the end points A, B of the slave's edge and
   C, D of the master's edge, three coordinates each. The normal has the direction of the vector product (C - D) x (A -
   B). C and D must be ordered so that the normal points outward from the master. Returns false if the edges are
   parallel. */
PetscBool CrKinematicsEdges(const PetscReal x[12], CrKinematics *k);
/* Computes the kinematics k of a slave at x and a plane, given by a point and its normal. k->nmaster becomes 0, because
   the slave is the only node. */
void CrKinematicsPlane(PetscInt dim, const PetscReal point[3], const PetscReal normal[3],
                       const PetscReal *x, CrKinematics *k);
/* Computes the kinematics k of a slave at x and a circle (2D) or sphere. `inside` means that the bodies are inside of
   the sphere. In 3D, `axis` is the coordinate direction whose projection on the tangent plane gives e[0]
   (CrSphereAxis). */
void CrKinematicsSphere(PetscInt dim, const PetscReal center[3], PetscReal radius, PetscBool inside,
                        PetscInt axis, const PetscReal *x, CrKinematics *k);
PetscInt CrSphereAxis(const PetscReal nu[3]); /* returns the axis (0, 1, 2) least parallel to nu */
/* Set the operators of k for masters without nodes. CrKinematicsAlone sets G = nu and H_i = e_i, where nu and e_i are
   already in k. CrKinematicsAxis first computes the tangents e_i from nu and the coordinate direction `axis`. */
void CrKinematicsAlone(CrKinematics *k);
void CrKinematicsAxis(PetscInt dim, PetscInt axis, CrKinematics *k);

/* Computes the derivatives of the operators: dG[a][b] = dG[a]/dx[b] and dH[i][a][b] = dH[i][a]/dx[b]. The dofs a and b
   are below dim*(nmaster+1). x are the coordinates with which k was computed. dH may be NULL if there is no
   friction. */
void CrKinematicsGradient(const CrKinematics *k, const PetscReal *x,
                          PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                          PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* Changes k->H for a slave that is the centre of a ball on a facet. Slip is then measured at the closest point on the
   facet, not at the centre. H[i] at node A becomes P_A e_i (coefficients.h). The rotation of the ball contributes the
   remaining term, -gap nu x e_i. */
void CrKinematicsRoll(CrKinematics *k);
/* Computes the derivatives dG and dH after CrKinematicsRoll; dH must not be NULL. k->gap is the gap of the ball's
   centre, and x are the coordinates with which k was computed. */
void CrKinematicsRollGradient(const CrKinematics *k, const PetscReal *x,
                              PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                              PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* Position of a point relative to a facet that ends at its edges. */
typedef struct {
  PetscReal distance; /* distance from the nearest point of the facet, edges included, >= 0 */
  /* signed distance from the facet's plane along its normal (quad: along the normal at the projection) */
  PetscReal gap;
  PetscReal nu[3]; /* the normal along which `gap` is measured */
  /* 0 if the projection of the point lies on the facet. Otherwise the distance of the projection from the edges,
     divided by the facet's size (length, or square root of the area). PETSC_MAX_REAL if the facet has no size and no
     normal. */
  PetscReal outside;
  PetscInt  corner; /* the corner that the projection lies beyond; -1: none */
  /* The edge that the projection lies beyond; -1: none. Edge a goes from corner a to the next corner. In 2D, edge 0 is
     the first end of the segment and edge 1 the second end. Beyond a corner, `edge` is the edge whose line is farther
     away. */
  PetscInt edge;
  PetscInt rest; /* as in CrKinematics; CrNearestFacetAt sets it for a point in a valley */
} CrProximity;

/* Computes the position `near` of a point relative to a facet. x are the coordinates of the point and of the nmaster
   corners. The function is fast, so that a search can compare many facets. */
void CrFacetProximity(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrProximity *near);
/* Returns true if the slave goes through the facet from outside to inside, while slave and corners move on straight
   lines from x0 to x1. *when in [0,1] is the first time at which this happens. A path that starts on the facet and goes
   inward counts, with *when = 0. A path that starts inside does not count. The facet is enlarged by `margin`, a
   fraction of its size. */
PetscBool CrFacetCrossing(PetscInt dim, PetscInt nmaster, const PetscReal *x0, const PetscReal *x1,
                          PetscReal margin, PetscReal *when);

/* Computes the tangents k->e from k->nu. e[0] has the direction of k->frame, projected on the tangent plane. In 2D,
   e[0] is nu rotated by a right angle. Returns false if the projection is zero. */
PetscBool CrTangents(CrKinematics *k);

/* ---- for the files of kinematics ---- */

/* Computes k->G and k->H on a segment with the normal n. If the gap is not zero, rotation of the segment changes the
   relative displacement of the slave. H contains a correction, so that this rotation causes no slip. */
void CrSegmentOperators(const PetscReal n[3], CrKinematics *k);
/* Does the same as CrKinematicsGradient, for a closest point that is held at a corner or edge (k->rest). */
void CrRestGradient(const CrKinematics *k, const PetscReal *x, PetscReal dG[][CR_CONTACT_DOFS],
                    PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);
/* Does the same as CrKinematicsRollGradient, for a ball that touches a corner or edge. */
void CrAroundGradient(const CrKinematics *k, const PetscReal *x, PetscReal dG[][CR_CONTACT_DOFS],
                      PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);
/* Computes the tangents tau_1 and tau_2 of a triangle or quad at xi, and the derivatives dN of its shape functions with
   respect to xi. */
void CrFacetTangents(PetscInt nmaster, const PetscReal *x, const PetscReal xi[2],
                     PetscReal tau[2][3], PetscReal dN[2][4]);
/* Computes k->dual, the contravariant tangents, from the tangents tau, n = tau_1 x tau_2 and n2 = n . n. The metric
   tensor is not inverted, so that rounding errors are small on slender facets too. */
void CrDualTangents(PetscReal tau[2][3], const PetscReal n[3], PetscReal n2, CrKinematics *k);

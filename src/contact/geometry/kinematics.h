/* Kinematics of a slave point and a master (theory 13.2): closest point, gap, normal, tangents, and their derivatives.
   The operators G and H turn increments of nodes into increments of gap and slip. All quantities belong to one
   configuration; the contact law says which one.

   facet.h projects the point. foot.h has gap, normal and weights without derivatives, for methods of many short steps.
   The files in contact/partners/ have the kinematics on rigid bodies.

   Node 0 of a contact is the slave, nodes 1..nmaster are those of the facet. The order of the nodes makes the normal
   point outward (2D: material on the left; 3D: counter-clockwise seen from outside). For two edges that cross, nodes 0
   and 1 belong to the slave's edge, and nodes 2 and 3 to the master's edge. Degrees of freedom are dim*node + i. */
#pragma once

#include "base/base.h"

#define CR_CONTACT_NODES 5
#define CR_CONTACT_DOFS  15
#define CR_SPREAD_NODES  8  /* most nodes of a contact whose slave is a sample (samples.h) */
#define CR_LIFTED_NODES  18 /* the same, if mid-side nodes are lifted (lift.h) */

/* The form of the master: it determines the nodes of a contact (coefficients.h). ALONE: an obstacle or a rigid body,
   without nodes. EDGES: two edges that cross. */
typedef enum {
  CR_FORM_ALONE,
  CR_FORM_SEGMENT,
  CR_FORM_TRIANGLE,
  CR_FORM_QUAD,
  CR_FORM_EDGES
} CrForm;

typedef struct {
  CrForm form;
  /* number of nodes without the first one: 0 (obstacle), 2, 3 (triangle, edges), 4 */
  PetscInt  dim, nmaster;
  PetscReal gap;     /* negative: the slave penetrates the master */
  PetscReal nu[3];   /* unit normal, outward from the master */
  PetscReal e[2][3]; /* orthonormal tangents; 2D: only e[0], the direction of the segment */
  /* Coordinates of the closest point. 2D: 0..1 along the segment; triangle: N = (1-xi1-xi2, xi1, xi2); quad: [-1,1]^2;
     edges: 0..1 along each. They may lie outside of the facet; `rest` restricts them to an edge or a corner. */
  PetscReal xi[2];
  PetscReal shape[4];               /* shape functions of the master nodes at xi; edges: -P_A */
  PetscReal G[CR_CONTACT_DOFS];     /* d gap = G . dx */
  PetscReal H[2][CR_CONTACT_DOFS];  /* the slip increment along e[i] is H[i] . Du (2D: H[0] only) */
  PetscReal Xi[2][CR_CONTACT_DOFS]; /* 3D facets: d xi[a] = Xi[a] . dx */
  /* private to kinematics.c and gradient.c */
  /* contravariant tangents tau^a; mixed derivative x_M,12 of a quad */
  PetscReal dual[2][3], twist[3];
  PetscReal frame[3];  /* the direction whose projection on the tangent plane gives e[0] */
  PetscReal length;    /* length of the projection of `frame`; 2D: length of the segment */
  PetscReal curvature; /* obstacles: d nu = curvature (1 - nu nu) dx */
  PetscInt  rest;      /* the edge or corner at which the closest point is held, see below */
} CrKinematics;

/* In a valley, where facets meet in a concave edge, the closest point may be held at corner a of the facet, or
   (3D) at its edge from corner a to the next. */
#define CR_REST_NONE      0
#define CR_REST_CORNER(a) (1 + (a))
#define CR_REST_EDGE(a)   (5 + (a))

/* Computes the kinematics of a slave and a facet. x are (nmaster+1)*dim coordinates, the slave first. Returns false if
   the closest point does not exist or was not found: the facet is degenerate, or the point is far from a warped
   quad. */
PetscBool CrKinematicsFacet(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrKinematics *k);
/* Computes the kinematics of a slave and a facet, with the closest point held at the corner or edge `rest` (theory
   13.10). Gap and normal follow from the vector from this corner or edge to the slave; the gap is negative behind the
   facet. If this vector is zero, the result is the same as for CrKinematicsFacet. */
PetscBool CrKinematicsRest(PetscInt dim, PetscInt nmaster, PetscInt rest, const PetscReal *x,
                           CrKinematics *k);
/* Does the same as CrKinematicsRest, for a slave that is always in front of the corner or edge: the gap is never
   negative. The tangents are those of the facet, rotated by the smallest rotation from its normal to nu. So they change
   steadily when the slave passes from the facet to the edge. */
PetscBool CrKinematicsAround(PetscInt dim, PetscInt nmaster, PetscInt rest, const PetscReal *x,
                             CrKinematics *k);
/* Computes the kinematics of two edges that cross (theory 13.12). The edges go from x[0] to x[3] and from x[6] to x[9].
   The normal has the direction of (x[6] - x[9]) x (x[0] - x[3]). The order of the last two nodes must be such that it
   points outward from the master. Returns false if the edges are parallel. */
PetscBool CrKinematicsEdges(const PetscReal x[12], CrKinematics *k);
/* Computes the kinematics of a slave and a plane. nmaster becomes 0, and the only dofs are those of the slave. */
void CrKinematicsPlane(PetscInt dim, const PetscReal point[3], const PetscReal normal[3],
                       const PetscReal *x, CrKinematics *k);
/* Computes the kinematics of a slave and a circle (2D) or sphere. `inside` means that the bodies are inside of the
   sphere. In 3D, axis is the coordinate direction whose projection on the tangent plane gives e[0] (CrSphereAxis). */
void CrKinematicsSphere(PetscInt dim, const PetscReal center[3], PetscReal radius, PetscBool inside,
                        PetscInt axis, const PetscReal *x, CrKinematics *k);
PetscInt CrSphereAxis(const PetscReal nu[3]); /* the direction least parallel to nu */
/* These functions are for masters without nodes. CrKinematicsAlone sets G = nu and H_i = e_i, from dim, nu and e of k.
   CrKinematicsAxis first computes the tangents e from nu and a coordinate direction. */
void CrKinematicsAlone(CrKinematics *k);
void CrKinematicsAxis(PetscInt dim, PetscInt axis, CrKinematics *k);

/* Computes the derivatives of the operators: dG[a][b] = dG[a]/dx[b] and dH[i][a][b] = dH[i][a]/dx[b], with a, b below
   dim*(nmaster+1). x are the coordinates with which k was computed. dH may be NULL, without friction. */
void CrKinematicsGradient(const CrKinematics *k, const PetscReal *x,
                          PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                          PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* Changes H of a facet for a slave that is the centre of a ball: slip is then measured at the closest point on the
   facet. H[i] becomes P_A e_i. The rotation of the ball contributes the remaining term, -gap nu x e_i. */
void CrKinematicsRoll(CrKinematics *k);
/* Computes the derivatives dG and dH after CrKinematicsRoll; dH must not be NULL. k->gap is the gap of the ball's
   centre, and x are the coordinates with which k was computed. */
void CrKinematicsRollGradient(const CrKinematics *k, const PetscReal *x,
                              PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                              PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* Position of a point relative to a facet with its edges. */
typedef struct {
  PetscReal distance; /* distance from the facet with its edges, >= 0 */
  /* signed distance along the normal of the facet's plane (quad: at the projection) */
  PetscReal gap;
  PetscReal nu[3]; /* the normal along which `gap` is measured */
  /* 0 if the projection falls on the facet. Else the distance of the projection from the edges, divided by the facet's
     size (length, or square root of the area). PETSC_MAX_REAL if the facet has no size and no normal. */
  PetscReal outside;
  PetscInt  corner; /* the corner that the projection lies beyond; -1: none */
  /* The edge that the projection lies beyond; -1: none. Edge a goes from node a to a+1; in 2D, 0 is before the
     first node and 1 after the second. Beyond a corner it is the edge whose line is farther away. */
  PetscInt edge;
  PetscInt rest; /* CrNearestFacetAt sets it for a point behind the surface in a valley */
} CrProximity;

/* Computes the proximity of a point and a facet. The function is fast, so that a search can compare many
   facets. */
void CrFacetProximity(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrProximity *near);
/* Returns true if the straight path of the slave from x0 to x1 goes through the facet from outside to inside. The nodes
   of the facet move along straight lines too. *when in [0,1] is the first such time. A path that starts on the facet
   and goes inward counts, with the time 0. A path that starts inside does not count. The facet is enlarged by `margin`,
   a part of its size. */
PetscBool CrFacetCrossing(PetscInt dim, PetscInt nmaster, const PetscReal *x0, const PetscReal *x1,
                          PetscReal margin, PetscReal *when);

/* Computes the tangents e from nu. e[0] has the direction of k->frame, projected on the tangent plane; in 2D it is nu
   turned by a right angle. Returns false if the projection is zero. */
PetscBool CrTangents(CrKinematics *k);

/* ---- for the files of kinematics ---- */

/* Computes G and H on a segment with the normal n. H corrects the relative displacement of the slave for the rotation
   of the segment at a gap that is not zero. */
void CrSegmentOperators(const PetscReal n[3], CrKinematics *k);
/* Does the same as CrKinematicsGradient, for a closest point that is held (k->rest). */
void CrRestGradient(const CrKinematics *k, const PetscReal *x, PetscReal dG[][CR_CONTACT_DOFS],
                    PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);
/* Does the same as CrKinematicsRollGradient, for a ball at a corner or edge. */
void CrAroundGradient(const CrKinematics *k, const PetscReal *x, PetscReal dG[][CR_CONTACT_DOFS],
                      PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);
/* Computes the tangents tau_b of a triangle or quad at xi, and the derivatives dN of its shape functions with respect
   to xi. */
void CrFacetTangents(PetscInt nmaster, const PetscReal *x, const PetscReal xi[2],
                     PetscReal tau[2][3], PetscReal dN[2][4]);
/* Computes k->dual, the contravariant tangents, from the tangents tau, n = tau_1 x tau_2 and n2 = n.n. The computation
   does not invert the metric, so that rounding is small on slender facets too. */
void CrDualTangents(PetscReal tau[2][3], const PetscReal n[3], PetscReal n2, CrKinematics *k);

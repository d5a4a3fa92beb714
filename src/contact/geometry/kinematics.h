/* A point and a master: projection, gap, normal, tangents, and the operators G and H that turn
   nodal increments into increments of gap and slip, with their derivatives (theory 13.2). All quantities belong to
   one configuration; which one, and what is done with them, is the business of the laws.

   facet.h projects the point; foot.h takes from the projection what methods of many short steps need, without
   derivatives. The partners know the surfaces of rigid bodies.

   Nodes of a contact: 0 is the slave, 1..nmaster the nodes of the facet, outward (2D: material on
   the left; 3D: counter-clockwise seen from outside). Dofs: dim*node + i. */
#pragma once

#include "base/base.h"

#define CR_CONTACT_NODES 5
#define CR_CONTACT_DOFS  15

typedef struct {
  PetscInt  dim, nmaster; /* 0 (obstacle), 2 (segment), 3 (triangle), 4 (bilinear quad) */
  PetscReal gap;          /* >= 0: apart */
  PetscReal nu[3];        /* outward from the master, unit */
  PetscReal e[2][3];      /* orthonormal tangents; 2D: only e[0], the direction of the segment */
  PetscReal xi[2];        /* 2D: 0..1 along the segment; triangle: N = (1-xi1-xi2, xi1, xi2); quad:
                             [-1,1]^2. Never clamped, but held at a rest */
  PetscReal shape[4];     /* of the master nodes at xi */
  PetscReal G[CR_CONTACT_DOFS];     /* d gap = G . dx */
  PetscReal H[2][CR_CONTACT_DOFS];  /* slip increment along e[i]: H[i] . Du (2D: H[0] only) */
  PetscReal Xi[2][CR_CONTACT_DOFS]; /* 3D facets: d xi[a] = Xi[a] . dx */
  /* private to kinematics.c */
  PetscReal dual[2][3], twist[3]; /* tau^a; x_M,12 of a quad */
  PetscReal frame[3];             /* the direction a that e[0] is the projection of */
  PetscReal length;               /* of that projection; 2D: of the segment */
  PetscReal curvature;            /* obstacles: d nu = curvature (1 - nu nu) dx */
  PetscInt  rest;                 /* in a valley: what the foot is held at; CR_REST_NONE else */
} CrKinematics;

/* Where the foot of a slave in a valley rests, if not on a facet: corner a of it, or its edge a (3D; from
   corner a to the next). */
#define CR_REST_NONE      0
#define CR_REST_CORNER(a) (1 + (a))
#define CR_REST_EDGE(a)   (5 + (a))

/* x: (nmaster+1)*dim coordinates, slave first. False where the projection does not exist or did not
   converge (degenerate facet, point far from a warped quad); then only ranking makes sense. */
PetscBool CrKinematicsFacet(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrKinematics *k);
/* The same with the foot held at `rest` (theory 13.10): normal and gap are those of the way from there to
   the slave, less than zero behind the facet. Without a way from there, as CrKinematicsFacet. */
PetscBool CrKinematicsRest(PetscInt dim, PetscInt nmaster, PetscInt rest, const PetscReal *x,
                           CrKinematics *k);
/* The same for obstacles: nmaster = 0, only the slave's own dofs. */
void CrKinematicsPlane(PetscInt dim, const PetscReal point[3], const PetscReal normal[3],
                       const PetscReal *x, CrKinematics *k);
/* Circle (2D) or sphere: inside = true means that the free side is inside. axis: 3D, which
   coordinate direction gives e[0] (CrSphereAxis). */
void CrKinematicsSphere(PetscInt dim, const PetscReal center[3], PetscReal radius, PetscBool inside,
                        PetscInt axis, const PetscReal *x, CrKinematics *k);
PetscInt CrSphereAxis(const PetscReal nu[3]); /* the direction least parallel to nu */
/* What masters without nodes share. Alone: G = nu, H_i = e_i, with dim, nu and e of k. Axis: tangents by a coordinate
   direction too, with nu of k. */
void CrKinematicsAlone(CrKinematics *k);
void CrKinematicsAxis(PetscInt dim, PetscInt axis, CrKinematics *k);

/* dG[a][b] = dG[a]/dx[b] and dH[i][a][b], n = dim*(nmaster+1) each way; x as given to the function
   that filled k. dH may be NULL (no friction). */
void CrKinematicsGradient(const CrKinematics *k, const PetscReal *x,
                          PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                          PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* A ball around the slave slides by its foot on the facet: H[i] becomes P_A e_i, without the height
   above the facet, of which the spin of the ball takes the part -gap nu x e_i. k: of a facet. */
void CrKinematicsRoll(CrKinematics *k);
/* The gradients after it; dH not NULL. k->gap: of the centre. */
void CrKinematicsRollGradient(const CrKinematics *k, PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                              PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);

/* Where a point is relative to the bounded facet. */
typedef struct {
  PetscReal distance; /* to the bounded facet, >= 0 */
  PetscReal gap;      /* signed, along the normal of the facet's plane (quad: at the projection) */
  PetscReal nu[3];    /* that normal */
  PetscReal outside;  /* 0: the projection falls on the facet; else its distance from the nearest
                         point of the edges, as a part of the facet's size (length, or square root
                         of area); PETSC_MAX_REAL: the facet has no size and no normal */
  PetscInt  corner;   /* beyond a corner: which; else -1 */
  PetscInt  edge;     /* the edge it is beyond (edge a from node a to a+1; 2D: 0 before the first
                         node, 1 after the second), -1 if on the facet. Beyond a corner: of the two
                         edges the one whose line is further away */
  PetscInt  rest;     /* CrNearestFacetAt: behind the surface, in a valley; else CR_REST_NONE */
} CrProximity;

/* Cheap: for ranking candidates. */
void CrFacetProximity(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrProximity *near);
/* Does the path of the slave, straight from x0 to x1, pierce the facet (whose nodes move straight
   too) from outside to inside? Then *when in [0,1] is the first such instant. A path that starts on
   the facet, to round-off, and goes inward pierces it at once; one that starts inside does not.
   The facet is taken `margin` larger than it is (part of its size, as CrProximity.outside). */
PetscBool CrFacetCrossing(PetscInt dim, PetscInt nmaster, const PetscReal *x0, const PetscReal *x1,
                          PetscReal margin, PetscReal *when);

/* Tangents, e[0] along the part of k->frame that is perpendicular to nu; false where there is no such part. 2D: nu
   turned. */
PetscBool CrTangents(CrKinematics *k);

/* For the files of kinematics. Segments: G, and H as the slip of nodes that stand together, less what height and
   rotation of the facet, with the normal n, would add. */
void CrSegmentOperators(const PetscReal n[3], CrKinematics *k);
/* Derivatives with a foot that rests. */
void CrRestGradient(const CrKinematics *k, const PetscReal *x, PetscReal dG[][CR_CONTACT_DOFS],
                    PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS]);
/* Tangents tau_b of a facet of three or four corners at xi, and the derivatives of its shape functions. */
void CrFacetTangents(PetscInt nmaster, const PetscReal *x, const PetscReal xi[2],
                     PetscReal tau[2][3], PetscReal dN[2][4]);
/* tau^1 and tau^2 from the tangents, their product n and its square: no metric is inverted, slender facets lose
   little. */
void CrDualTangents(PetscReal tau[2][3], const PetscReal n[3], PetscReal n2, CrKinematics *k);

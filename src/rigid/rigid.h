/* Rigid bodies: shapes with mass and inertia, the state of bodies, rotation in time, and gaps between bodies.
   2D is treated as 3D with motion in the plane: the inverse inertia about x and y is zero. Every rank has all
   bodies. Vectors have three components. Rotations are unit quaternions (w, x, y, z) from body axes to space.
   The axes of a body are its principal axes; its origin is the mass centre. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "base/index.h"
#include "deck/deck.h"

/* ---- shapes --------------------------------------------------------------------------------- */

typedef enum {
  CR_SHAPE_POINT,
  CR_SHAPE_BALL,      /* disk, sphere */
  CR_SHAPE_ELLIPSOID, /* ellipse, ellipsoid */
  CR_SHAPE_POLYTOPE,  /* polygon, box, hull */
  CR_SHAPE_CAPSULE
} CrShapeKind;

typedef struct {
  CrShapeKind kind;
  PetscInt    dim;
  char        word[16]; /* its word in the deck */
  PetscReal   radius;   /* ball, capsule */
  PetscReal   axes[3];  /* ellipsoid: semi-axes, the third 0 in 2D; ball: the radius */
  PetscReal   half;     /* capsule: half length of its straight part, along the body's z axis */
  PetscInt    nvertices, nfaces, nedges;
  PetscReal  *vertices;          /* [3 nvertices]; owned, like all arrays below */
  PetscReal  *normals, *offsets; /* per face: outward normal n; the body has n.x <= offset */
  PetscInt   *face_start,
      *face_vertices;    /* counter-clockwise seen from outside; 2D: two vertices each */
  PetscInt *edges;       /* [2 nedges] vertices of each edge; 3D */
  PetscInt *edge_faces;  /* [2 nedges] the two faces that meet in each edge */
  PetscReal reach;       /* greatest distance from the mass centre */
  PetscReal volume;      /* 2D: area times thickness */
  PetscReal gyration[3]; /* principal inertia over mass */
  PetscReal turn[4];     /* rotation from the principal axes to the axes of the deck */
} CrShape;

/* The support point, in body axes: the point of the body that is farthest along l. l may have any length. Returns
   l.point. */
PetscReal CrShapeSupport(const CrShape *shape, const PetscReal l[3], PetscReal point[3]);
/* Makes a polytope from the convex hull of points in 2D or 3D: vertices, faces, edges, volume, mass centre and
   inertia. Vertices keep the order of the points; points inside are dropped. The origin is moved to the mass
   centre, and the axes are turned to the principal axes, unless `keep_axes`. Refuses points that span no
   volume. */
PetscErrorCode CrShapeHull(CrShape *shape, const CrDeckNode *where, PetscInt n,
                           const PetscReal points[], PetscBool keep_axes);
PetscErrorCode CrShapeDestroy(CrShape *shape);
/* A surface for pictures, in body axes: convex faces, counter-clockwise seen from outside. In 2D it is the
   area; a point has one face with one node. Faces belong to parts. Between two parts there is an edge of the
   body, or a line that shows how it rotates. The faces of one part approximate something round. */
typedef struct {
  PetscInt   npoints, nfaces;
  PetscReal *points; /* owned, like all arrays here */
  PetscInt  *ends, *nodes,
      *parts;     /* ends[f] is the end of face f in nodes; parts[f] counts from 1 */
  PetscBool flat; /* each face is a part of its own */
} CrShapeSurface;

/* Makes the surface. A round shape gets `around` points on its circumference. */
PetscErrorCode CrShapeSurfaceCreate(const CrShape *shape, PetscInt around, CrShapeSurface *surface);
PetscErrorCode CrShapeSurfaceDestroy(CrShapeSurface *surface);

/* ---- bodies and their state ------------------------------------------------------------------- */

/* An entry of `bodies:` with `rigid:`. Its copies (`repeat:`) have consecutive numbers, n of them from `first`
   on. */
typedef struct {
  char              name[64];
  const CrDeckNode *deck; /* borrowed */
  PetscInt          first, n, shape;
} CrRigidGroup;

/* Positions, velocities and rotations of all bodies. pi is the angular momentum about the mass centre, in
   space. In 2D the rotation is `angle`, in radians and not wrapped; the quaternion q is not used. */
typedef struct {
  PetscInt   n;
  PetscReal *x, *v, *q, *pi, *angle; /* owned; they share one block of memory */
} CrRigidState;

typedef struct {
  PetscInt      dim, n, ngroups, nshapes;
  CrRigidGroup *groups; /* owned, like all members below */
  CrIndex      *names;  /* finds a group by its name */
  CrShape      *shapes;
  PetscInt     *group, *shape; /* [n] group and shape of each body */
  PetscReal    *mass;          /* [n] */
  PetscReal    *inertia;       /* [3n] principal moments; in 2D only the third is used */
  PetscReal    *inverse; /* [3n] their inverses; 0 about axes around which the body cannot turn */
  CrRigidState *start;   /* the state at the start of the run */
} CrRigid;

extern const CrKey CrRigidKeys[];  /* under `rigid:` of a body */
extern const CrKey CrRepeatKeys[]; /* under `repeat:` of a body */

/* Reads the entries of `bodies:` that have `rigid:`; n = 0 if there are none. */
PetscErrorCode CrRigidCreate(const CrDeckNode *bodies, PetscInt dim, PetscReal thickness,
                             CrRigid **rigid);
PetscErrorCode CrRigidDestroy(CrRigid **rigid);
/* `spin` of an entry of `bodies:`, rigid or not: a number in 2D, three in 3D; zero if absent. */
PetscErrorCode               CrSpinRead(const CrDeckNode *body, PetscInt dim, PetscReal spin[3]);
static inline const CrShape *CrRigidShape(const CrRigid *rigid, PetscInt body)
{
  return &rigid->shapes[rigid->shape[body]];
}
/* Name of a body: its entry's, or entry.k of copies. */
void CrRigidName(const CrRigid *rigid, PetscInt body, char name[96]);

PetscErrorCode CrRigidStateCreate(PetscInt n, CrRigidState **state);
PetscErrorCode CrRigidStateCopy(const CrRigidState *from, CrRigidState *to);
/* The state of body a of one becomes that of body b of the other. */
void CrRigidStateCopyBody(const CrRigidState *from, PetscInt a, CrRigidState *to, PetscInt b);
PetscErrorCode CrRigidStateDestroy(CrRigidState **state);
PetscErrorCode CrRigidStateArchive(CrRigidState *state, CrArchive *archive);

/* The rotation matrix R of a body (by rows), its angular velocity R I^-1 R^T pi in space, its kinetic energy. */
void CrRigidRotation(const CrRigid *rigid, const CrRigidState *state, PetscInt body,
                     PetscReal R[9]);
void CrRigidSpin(const CrRigid *rigid, const CrRigidState *state, PetscInt body, PetscReal spin[3]);
PetscReal CrRigidKinetic(const CrRigid *rigid, const CrRigidState *state, PetscInt body);
/* The inverse of the inertia in space, R I^-1 R^T, by rows. */
void CrRigidInverse(const CrRigid *rigid, PetscInt body, const PetscReal R[9],
                    PetscReal inverse[9]);

/* ---- rotation (theory 18.1) ------------------------------------------------------------------- */

void CrQuaternionTimes(const PetscReal a[4], const PetscReal b[4], PetscReal c[4]);
void CrQuaternionMatrix(const PetscReal q[4], PetscReal R[9]);
void CrQuaternionTurn(const PetscReal rotation[3],
                      PetscReal       q[4]); /* of a rotation vector, exact */
/* Rotates v by Cayley's map of the vector delta, both in space. */
void CrCayleyTurn(const PetscReal delta[3], PetscReal v[3]);
/* One step of size h under the torque impulse m (in space). It changes the orientation only: the caller must
   set pi to pi + m. om is the angular velocity with which m does work: the rotational energy changes by exactly
   m.om. Returns false if there is no solution, because h times the angular velocity is too large. */
PetscBool CrRotationStep(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                         const PetscReal m[3], PetscReal om[3]);
/* Free flight over the time h under the constant acceleration g. It is exact, except for the rotation of asymmetric
   bodies, which has order 6. Energy and momenta are always kept to round-off. */
void CrRigidFlight(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                   const PetscReal g[3]);

/* ---- where bodies meet -------------------------------------------------------------------------- */

/* Position of the mass centre, and rotation by rows. */
typedef struct {
  PetscReal x[3], R[9];
} CrPose;

void CrPoseGet(const CrRigid *rigid, const CrRigidState *state, PetscInt body, CrPose *pose);

/* A wall: a rigid surface that belongs to no body. It is a plane, or a sphere (2D: circle) with the bodies
   inside. A sphere with the bodies outside is treated as a ball. */
typedef struct {
  PetscBool is_plane;
  PetscReal point[3],
      normal[3]; /* plane: a point, and the normal towards the free side; sphere: its centre */
  PetscReal radius;
} CrWall;

/* Gap, normal and point of a contact. The normal points from the second body to the first. The point lies half way
   between two bodies; at a wall it is the point of the body. */
typedef struct {
  PetscReal gap, normal[3], point[3];
} CrMeeting;

typedef enum {
  CR_MEET_SMOOTH, /* the closest points of both shapes, found again at each evaluation */
  CR_MEET_CORNER, /* a point of one body against a plane of the other, both fixed to their bodies */
  CR_MEET_EDGES,  /* an edge of each body */
  CR_MEET_END,    /* one end of a capsule against the other body */
  CR_MEET_APART   /* two polytopes that do not touch yet: a lower bound of their distance */
} CrFeatureKind;

/* A feature: one way in which two shapes, or a shape and a wall, may touch. key identifies it from step to step. */
typedef struct {
  CrFeatureKind kind;
  PetscInt      key;
  PetscBool     swapped; /* the corner or the end belongs to the second body */
  /* In body axes. Corner: a is the corner, b and db are point and normal of the plane. Edges: a and b are a
     point of each edge, da and db the directions. End: a is the centre of the end. */
  PetscReal a[3], da[3], b[3], db[3];
} CrFeature;

/* A polytope has at most CR_MOST_CORNERS corners. The intersection of two faces has at most as many corners as
   both. */
#define CR_MOST_CORNERS  200
#define CR_MOST_FEATURES (2 * CR_MOST_CORNERS + 8)

/* Finds the features of two shapes with a gap below `reach`, at these poses. Returns their number. A gap below
   `closed` counts as touching. */
PetscInt CrShapesFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, PetscReal closed, CrFeature features[]);
/* The same for steps that are taken as a whole. Near polytopes get a feature for every corner over the best
   face, and for edges where these are nearer. */
PetscInt CrShapesManifold(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, CrFeature features[]);
/* The same for a shape and a wall. */
PetscInt CrWallFeatures(const CrShape *a, const CrPose *pa, const CrWall *wall, PetscReal reach,
                        CrFeature features[]);
/* Gap, normal and point of a feature, of two shapes and of a shape and a wall. */
void CrShapesMeeting(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                     const CrFeature *feature, CrMeeting *meeting);
void CrWallMeeting(const CrShape *a, const CrPose *pa, const CrWall *wall, const CrFeature *feature,
                   CrMeeting *meeting);
/* The shape as the master of a slave point x in space: gap, outward normal, closest point of the surface. */
void CrShapeMeetPoint(const CrShape *shape, const CrPose *pose, const PetscReal x[3],
                      CrMeeting *meeting);

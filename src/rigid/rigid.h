/* Rigid bodies: shapes with mass and inertia, their state, rotation in time, and where two of them
   meet. 2D is 3D with motion in the plane: the inverse inertia about x and y is zero. Everything is
   replicated on every rank. Vectors have three components, rotations are unit quaternions (w, x, y, z)
   from body to space; the body's axes are its principal axes, its origin the mass centre. */
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
  char        word[16]; /* of the deck */
  PetscReal   radius;   /* ball, capsule */
  PetscReal   axes[3];  /* ellipsoid: semi-axes, the third 0 in 2D; ball: the radius */
  PetscReal   half;     /* capsule: half of its straight part, along the body's z */
  PetscInt    nvertices, nfaces, nedges;
  PetscReal  *vertices;                   /* [3 nvertices], owned, as all below */
  PetscReal  *normals, *offsets;          /* per face: outward, n.x <= offset */
  PetscInt   *face_start, *face_vertices; /* counter-clockwise from outside; 2D: two each */
  PetscInt   *edges;                      /* [2 nedges], 3D */
  PetscInt   *edge_faces;                 /* [2 nedges], the faces that meet in each */
  PetscReal   reach;                      /* greatest distance from the mass centre */
  PetscReal   volume;                     /* 2D: area times thickness */
  PetscReal   gyration[3];                /* principal inertia over mass */
  PetscReal   turn[4];                    /* from the principal axes to those of the deck */
} CrShape;

/* Support point in the body's axes: the farthest of the body along l (any length); returns l.point. */
PetscReal CrShapeSupport(const CrShape *shape, const PetscReal l[3], PetscReal point[3]);
/* Convex hull of points in 2D or 3D: vertices in the order given (those inside are dropped), faces,
   edges, volume, mass centre and inertia; then everything is moved to the mass centre and turned to
   the principal axes. Refuses points without volume. */
PetscErrorCode CrShapeHull(CrShape *shape, const CrDeckNode *where, PetscInt n,
                           const PetscReal points[], PetscBool keep_axes);
PetscErrorCode CrShapeDestroy(CrShape *shape);
/* For pictures, in the body's axes: convex faces, counter-clockwise from outside (2D: the area; a
   point: one of one node). Where two parts meet there is an edge of the body or a mark that shows
   how it turns; faces of one part are pieces of something round. */
typedef struct {
  PetscInt   npoints, nfaces;
  PetscReal *points;               /* owned, as all */
  PetscInt  *ends, *nodes, *parts; /* ends[f]: end of face f in nodes; parts[f] from 1 */
  PetscBool  flat;                 /* each face is a part of its own */
} CrShapeSurface;

/* around: points around something round. */
PetscErrorCode CrShapeSurfaceCreate(const CrShape *shape, PetscInt around, CrShapeSurface *surface);
PetscErrorCode CrShapeSurfaceDestroy(CrShapeSurface *surface);

/* ---- bodies and their state ------------------------------------------------------------------- */

/* An entry of `bodies:` with `rigid:`; its copies follow one another. */
typedef struct {
  char              name[64];
  const CrDeckNode *deck; /* borrowed */
  PetscInt          first, n, shape;
} CrRigidGroup;

/* Positions, velocities and rotations; angle: 2D, radians, not wrapped, and then the quaternion is
   not used. pi: spatial angular momentum about the mass centre. */
typedef struct {
  PetscInt   n;
  PetscReal *x, *v, *q, *pi, *angle; /* owned, one block */
} CrRigidState;

typedef struct {
  PetscInt      dim, n, ngroups, nshapes;
  CrRigidGroup *groups; /* owned, as all below */
  CrIndex      *names;  /* group, by name */
  CrShape      *shapes;
  PetscInt     *group, *shape; /* [n] */
  PetscReal    *mass;          /* [n] */
  PetscReal    *inertia;       /* [3n] principal; 2D: only the third counts */
  PetscReal    *inverse;       /* [3n] of them, 0 where nothing turns */
  CrRigidState *start;
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

/* R (rows) of a body; its spatial angular velocity R I^-1 R^T pi; its kinetic energy. */
void CrRigidRotation(const CrRigid *rigid, const CrRigidState *state, PetscInt body,
                     PetscReal R[9]);
void CrRigidSpin(const CrRigid *rigid, const CrRigidState *state, PetscInt body, PetscReal spin[3]);
PetscReal CrRigidKinetic(const CrRigid *rigid, const CrRigidState *state, PetscInt body);
/* R I^-1 R^T, rows. */
void CrRigidInverse(const CrRigid *rigid, PetscInt body, const PetscReal R[9],
                    PetscReal inverse[9]);

/* ---- rotation (theory 18.1) ------------------------------------------------------------------- */

void CrQuaternionTimes(const PetscReal a[4], const PetscReal b[4], PetscReal c[4]);
void CrQuaternionMatrix(const PetscReal q[4], PetscReal R[9]);
void CrQuaternionTurn(const PetscReal rotation[3], PetscReal q[4]); /* exact, by a vector */
/* Cayley's map of a spatial vector, applied to a vector. */
void CrCayleyTurn(const PetscReal delta[3], PetscReal v[3]);
/* One step of length h under the torque impulse m (spatial): the orientation moves, pi does not (it
   becomes pi + m); om: the angular velocity with which m works, so that the energy of rotation changes by
   m.om exactly. False: no solution (h |Om| too large). */
PetscBool CrRotationStep(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                         const PetscReal m[3], PetscReal om[3]);
/* Free flight over h under the constant acceleration g: exact but for asymmetric bodies, whose rotation
   has order 6. Energy and momenta are kept to round-off in every case. */
void CrRigidFlight(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                   const PetscReal g[3]);

/* ---- where bodies meet -------------------------------------------------------------------------- */

typedef struct {
  PetscReal x[3], R[9];
} CrPose;

void CrPoseGet(const CrRigid *rigid, const CrRigidState *state, PetscInt body, CrPose *pose);

/* A rigid surface that does not belong to a body: a plane, or a sphere (circle) with the bodies inside
   it. Seen from outside it is a ball like any other. */
typedef struct {
  PetscBool is_plane;
  PetscReal point[3], normal[3]; /* plane: towards the free side; sphere: its centre */
  PetscReal radius;
} CrWall;

typedef struct {
  PetscReal gap, normal[3], point[3]; /* normal of the second towards the first; point: half way
                                         between bodies, of the body at a wall */
} CrMeeting;

typedef enum {
  CR_MEET_SMOOTH, /* nearest points, sought anew */
  CR_MEET_CORNER, /* a point of one against a plane of the other, both fixed to their bodies */
  CR_MEET_EDGES,  /* an edge of each */
  CR_MEET_END,    /* one end of a capsule */
  CR_MEET_APART   /* two polytopes that do not touch yet: how far they are from it */
} CrFeatureKind;

/* One way in which two things may touch; key names it from step to step. */
typedef struct {
  CrFeatureKind kind;
  PetscInt      key;
  PetscBool     swapped;                  /* the corner belongs to the second */
  PetscReal     a[3], da[3], b[3], db[3]; /* corner and, of the plane, point and normal; edges: a
                                             point and the direction of each; in body axes */
} CrFeature;

/* A shape has up to CR_MOST_CORNERS; what two of its faces have in common has no more corners than both. */
#define CR_MOST_CORNERS  200
#define CR_MOST_FEATURES (2 * CR_MOST_CORNERS + 8)

/* Features nearer than reach, at these poses; returns how many. */
PetscInt CrShapesFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, PetscReal closed, CrFeature features[]);
/* The same for a step that is taken as a whole: polytopes that are near by all corners over the best face, and by the
   edges where these are nearer. */
PetscInt CrShapesManifold(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, CrFeature features[]);
PetscInt CrWallFeatures(const CrShape *a, const CrPose *pa, const CrWall *wall, PetscReal reach,
                        CrFeature features[]);
void     CrShapesMeeting(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                         const CrFeature *feature, CrMeeting *meeting);
void CrWallMeeting(const CrShape *a, const CrPose *pa, const CrWall *wall, const CrFeature *feature,
                   CrMeeting *meeting);
/* As a master for a slave point x in space: gap, outward normal, nearest point of the surface. */
void CrShapeMeetPoint(const CrShape *shape, const CrPose *pose, const PetscReal x[3],
                      CrMeeting *meeting);

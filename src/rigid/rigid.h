/* Rigid bodies and their state. 2D is treated as 3D with motion in the plane: the inverse inertia about x and y is
   zero. Every rank has all bodies. Vectors have three components. Rotations are unit quaternions (w, x, y, z)
   from body axes to space. */
#pragma once

#include "base/archive.h"
#include "base/index.h"
#include "rigid/shape.h"

/* An entry of `bodies:` with `rigid:`. The n copies of the entry (`repeat:`) have consecutive numbers, which begin with
   `first`. */
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
/* CrSpinRead reads `spin` of an entry of `bodies:`, rigid or deformable: a number in 2D, three numbers in 3D; zero if
   it is absent. */
PetscErrorCode               CrSpinRead(const CrDeckNode *body, PetscInt dim, PetscReal spin[3]);
static inline const CrShape *CrRigidShape(const CrRigid *rigid, PetscInt body)
{
  return &rigid->shapes[rigid->shape[body]];
}
/* Makes the name of a body: the name of its entry, or entry.k if the entry has copies. */
void CrRigidName(const CrRigid *rigid, PetscInt body, char name[96]);

PetscErrorCode CrRigidStateCreate(PetscInt n, CrRigidState **state);
PetscErrorCode CrRigidStateCopy(const CrRigidState *from, CrRigidState *to);
/* Copies the state of body a in `from` to body b in `to`. */
void CrRigidStateCopyBody(const CrRigidState *from, PetscInt a, CrRigidState *to, PetscInt b);
PetscErrorCode CrRigidStateDestroy(CrRigidState **state);
PetscErrorCode CrRigidStateArchive(CrRigidState *state, CrArchive *archive);

/* Compute the rotation matrix R of a body (by rows), its angular velocity R I^-1 R^T pi in space, and its kinetic
   energy. */
void CrRigidRotation(const CrRigid *rigid, const CrRigidState *state, PetscInt body,
                     PetscReal R[9]);
void CrRigidSpin(const CrRigid *rigid, const CrRigidState *state, PetscInt body, PetscReal spin[3]);
PetscReal CrRigidKinetic(const CrRigid *rigid, const CrRigidState *state, PetscInt body);
/* Computes the inverse of the inertia in space, R I^-1 R^T, by rows. */
void CrRigidInverse(const CrRigid *rigid, PetscInt body, const PetscReal R[9],
                    PetscReal inverse[9]);

/* Position of the mass centre, and rotation by rows. */
typedef struct {
  PetscReal x[3], R[9];
} CrPose;

void CrPoseGet(const CrRigid *rigid, const CrRigidState *state, PetscInt body, CrPose *pose);

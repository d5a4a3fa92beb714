/* Rigid bodies and their state. In 2D, bodies are 3D bodies that move in the plane, because their inverse inertia about
   the axes x and y is zero. Every rank has all rigid bodies. Vectors have three components. Rotations are unit
   quaternions (w, x, y, z), which rotate body axes to space axes. */
#pragma once

#include "base/archive.h"
#include "base/index.h"
#include "rigid/shape.h"

/* A group of rigid bodies: an entry of the deck's `bodies:` that has the key `rigid:`. The n copies of the entry (key
   `repeat:`) have consecutive body numbers, which begin with `first`. `shape` is the number of their shape. */
typedef struct {
  char              name[64];
  const CrDeckNode *deck; /* borrowed */
  PetscInt          first, n, shape;
} CrRigidGroup;

/* Positions, velocities and rotations of all bodies. x and v are the position and velocity of the mass centre, q is the
   rotation, and pi is the angular momentum about the mass centre in space axes. In 2D the rotation is `angle` in
   radians, which may exceed 2 pi; the quaternion q is not used. */
typedef struct {
  PetscInt   n;
  PetscReal *x, *v, *q, *pi, *angle; /* owned; all arrays are in one block of memory */
} CrRigidState;

typedef struct {
  PetscInt      dim, n, ngroups, nshapes;
  CrRigidGroup *groups; /* owned, like all members below */
  CrIndex      *names;  /* index that finds a group by its name */
  CrShape      *shapes;
  PetscInt     *group, *shape; /* [n] group and shape of each body */
  PetscReal    *mass;          /* [n] */
  PetscReal    *inertia;       /* [3n] principal moments of inertia; in 2D only the third is used */
  /* [3n] inverses of the principal moments; 0 for axes about which the body cannot rotate */
  PetscReal    *inverse;
  CrRigidState *start; /* the state at the start of the run */
} CrRigid;

extern const CrKey CrRigidKeys[];  /* keys under `rigid:` of a body in the deck */
extern const CrKey CrRepeatKeys[]; /* keys under `repeat:` of a body in the deck */

/* Reads the entries of `bodies:` that have the key `rigid:`. If there are none, (*rigid)->n is 0. */
PetscErrorCode CrRigidCreate(const CrDeckNode *bodies, PetscInt dim, PetscReal thickness,
                             CrRigid **rigid);
PetscErrorCode CrRigidDestroy(CrRigid **rigid);
/* Reads the key `spin` (initial angular velocity) of a body, rigid or deformable. The value of `spin` is a number in
   2D, and three numbers in 3D. Without the key, spin is zero. */
PetscErrorCode               CrSpinRead(const CrDeckNode *body, PetscInt dim, PetscReal spin[3]);
static inline const CrShape *CrRigidShape(const CrRigid *rigid, PetscInt body)
{
  return &rigid->shapes[rigid->shape[body]];
}
/* Sets `name` to the name of a body: the name of its group, or "group.k" for copy k if the group has several bodies. */
void CrRigidName(const CrRigid *rigid, PetscInt body, char name[96]);

PetscErrorCode CrRigidStateCreate(PetscInt n, CrRigidState **state);
PetscErrorCode CrRigidStateCopy(const CrRigidState *from, CrRigidState *to);
/* Copies the state of body a in `from` to body b in `to`. */
void CrRigidStateCopyBody(const CrRigidState *from, PetscInt a, CrRigidState *to, PetscInt b);
PetscErrorCode CrRigidStateDestroy(CrRigidState **state);
PetscErrorCode CrRigidStateArchive(CrRigidState *state, CrArchive *archive);

/* CrRigidRotation computes the rotation matrix R of a body, stored by rows. CrRigidSpin computes its angular velocity R
   I^-1 R^T pi in space axes. CrRigidKinetic returns its kinetic energy. */
void CrRigidRotation(const CrRigid *rigid, const CrRigidState *state, PetscInt body,
                     PetscReal R[9]);
void CrRigidSpin(const CrRigid *rigid, const CrRigidState *state, PetscInt body, PetscReal spin[3]);
PetscReal CrRigidKinetic(const CrRigid *rigid, const CrRigidState *state, PetscInt body);
/* Computes the inverse of the inertia matrix in space axes, R I^-1 R^T, stored by rows. */
void CrRigidInverse(const CrRigid *rigid, PetscInt body, const PetscReal R[9],
                    PetscReal inverse[9]);

/* The pose of a body: position of its mass centre, and rotation matrix stored by rows. */
typedef struct {
  PetscReal x[3], R[9];
} CrPose;

void CrPoseGet(const CrRigid *rigid, const CrRigidState *state, PetscInt body, CrPose *pose);

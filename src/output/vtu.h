/* Field files: frames in one file or in pieces, and the list of them (vtu.c, pvtu.c, pvd.c). */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt         npoints, ncells;
  const PetscReal *points;                           /* npoints x 3 */
  const PetscInt  *types, *offsets, *nodes, *bodies; /* types are VTK's; offsets[ncells+1] */
  const PetscInt
      *parts; /* part of a rigid body's surface, 0 for an element; NULL: no rigid bodies */
} VtuMesh;

typedef struct {
  const char      *name;
  PetscInt         width;
  const PetscReal *values; /* npoints x width */
} VtuField;

PetscErrorCode CrVtuWrite(const char dir[], const char name[], PetscReal time, const VtuMesh *mesh,
                          PetscInt nfields, const VtuField fields[]);
/* Writes a file that joins the pieces of the ranks and, if `rigid`, the piece of the rigid bodies (pvtu.c). */
PetscErrorCode CrPvtuWrite(const char dir[], PetscInt frame, PetscMPIInt nranks, PetscBool rigid,
                           PetscInt nfields, const VtuField fields[]);
/* Makes the file name of the k-th frame, relative to the run's folder. For a frame in pieces, it is the name of the
   file that joins them. */
void CrFrameName(PetscInt k, PetscBool pieces, char name[32]);
/* Make the file names of the piece of a rank, of the piece of the rigid bodies, and of the surface. */
void           CrPieceName(PetscInt k, PetscMPIInt rank, char name[32]);
void           CrPieceRigidName(PetscInt k, char name[32]);
void           CrSurfaceName(PetscInt k, char name[32]);
PetscErrorCode CrPvdWrite(const char dir[], PetscInt n, const PetscReal times[], PetscBool pieces);

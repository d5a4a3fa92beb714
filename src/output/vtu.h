/* Writes field files for ParaView (VTK format). A frame is one file (vtu.c), or one piece per rank with a file that
   joins the pieces (pvtu.c). The file fields.pvd lists all frames (pvd.c). */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt         npoints, ncells;
  const PetscReal *points; /* [npoints][3] positions of the points */
  /* VTK type, first index in `nodes` [ncells+1], points, and body of each cell */
  const PetscInt *types, *offsets, *nodes, *bodies;
  /* [ncells] part of a rigid body's surface, 0 for an element; NULL: no rigid bodies */
  const PetscInt *parts;
} VtuMesh;

typedef struct {
  const char      *name;
  PetscInt         width;
  const PetscReal *values; /* [npoints][width] values */
} VtuField;

PetscErrorCode CrVtuWrite(const char dir[], const char name[], PetscReal time, const VtuMesh *mesh,
                          PetscInt nfields, const VtuField fields[]);
/* Writes the file that joins the pieces of frame `frame` that the ranks have written (pvtu.c). If `rigid` is true, it
   also joins the piece with the rigid bodies. */
PetscErrorCode CrPvtuWrite(const char dir[], PetscInt frame, PetscMPIInt nranks, PetscBool rigid,
                           PetscInt nfields, const VtuField fields[]);
/* Makes the file name of the k-th frame, relative to the run's folder. If the frame consists of pieces, `name` is the
   file that joins them. */
void CrFrameName(PetscInt k, PetscBool pieces, char name[32]);
/* Make the file names of parts of the k-th frame. CrPieceName: the piece of a rank. CrPieceRigidName: the piece with
   the rigid bodies. CrSurfaceName: the surface. */
void           CrPieceName(PetscInt k, PetscMPIInt rank, char name[32]);
void           CrPieceRigidName(PetscInt k, char name[32]);
void           CrSurfaceName(PetscInt k, char name[32]);
PetscErrorCode CrPvdWrite(const char dir[], PetscInt n, const PetscReal times[], PetscBool pieces);

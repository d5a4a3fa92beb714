/* Shared by the files of this folder. */
#pragma once

#include "report/film.h"
#include "report/vtu.h"

/* Finds the surface of the cells of a field file, or of a mesh in memory (surface.c): triangles, node,
   node_body, elements. */
PetscErrorCode CrFilmSurface(const CrVtu *vtu, CrFilm *film);
PetscErrorCode CrFilmSurfaceOf(const CrFilmCells *cells, CrFilm *film);
/* Fill frame f from all points of the mesh (film.c): positions, and one field. count is scratch with an entry
   per body. */
void CrFilmPlace(CrFilm *film, PetscInt f, const PetscReal *points, PetscInt *count);
void CrFilmShow(CrFilm *film, PetscInt f, PetscInt field, const PetscReal *values);
/* Rigid bodies (motion.c). FindRigid sets first_rigid and first_rigid_node. Create allocates, and computes
   start and shape from positions and displacements; displacements may be NULL. Turn and Speed are for a frame
   after CrFilmPlace. */
PetscErrorCode CrFilmFindRigid(CrFilm *film, const PetscInt part[]);
PetscErrorCode CrFilmMotionCreate(CrFilm *film, const PetscReal *points,
                                  const PetscReal *displacement);
void           CrFilmTurn(CrFilm *film, PetscInt f);
void           CrFilmSpeed(CrFilm *film, PetscInt f, const PetscReal *velocity);

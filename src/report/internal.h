/* Declarations that the source files of src/report share. */
#pragma once

#include "report/film.h"
#include "report/vtu.h"

/* Finds the surface of the cells of a field file, or of a mesh in memory (surface.c): triangles, node,
   node_body, elements. In detail, rigid balls and discs become four nodes (balls.c). */
PetscErrorCode CrFilmSurface(const CrVtu *vtu, PetscBool detail, CrFilm *film);
PetscErrorCode CrFilmSurfaceOf(const CrFilmCells *cells, CrFilm *film);
/* Finds rigid balls and discs, and replaces their surface nodes by four nodes. part[b] is positive for a rigid body b.
   The triangles of a body must be consecutive. */
PetscErrorCode CrFilmFindBalls(CrFilm *film, const PetscReal *points, const PetscInt part[]);
/* Fill frame f from all points of the mesh (film.c): positions, and one field. count is a work array with one entry per
   body. */
void CrFilmPlace(CrFilm *film, PetscInt f, const PetscReal *points, PetscInt *count);
void CrFilmShow(CrFilm *film, PetscInt f, PetscInt field, const PetscReal *values);
/* Sets origin; points are the positions before any displacement. */
PetscErrorCode CrFilmOrigin(CrFilm *film, const PetscReal *points);
/* Rigid bodies (motion.c). FindRigid sets first_rigid and first_rigid_node. Create allocates the arrays, and computes
   start and shape from the positions before any displacement. Turn and Speed compute the arrays `turn` and `speed` of a
   frame, after CrFilmPlace. */
PetscErrorCode CrFilmFindRigid(CrFilm *film, const PetscInt part[]);
PetscErrorCode CrFilmMotionCreate(CrFilm *film, const PetscReal *points);
void           CrFilmTurn(CrFilm *film, PetscInt f);
void           CrFilmSpeed(CrFilm *film, PetscInt f, const PetscReal *velocity);

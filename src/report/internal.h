/* Declares the types and functions that the source files of src/report share to make a film (report/film.h). */
#pragma once

#include "report/film.h"
#include "report/vtu.h"

/* Find the surface of the cells, and set triangles, node, node_body and elements of the film (surface.c). CrFilmSurface
   takes the cells from a field file, and CrFilmSurfaceOf takes them from a mesh in memory. If `detail` is true, rigid
   balls and discs are reduced to four nodes (balls.c). */
PetscErrorCode CrFilmSurface(const CrVtu *vtu, PetscBool detail, CrFilm *film);
PetscErrorCode CrFilmSurfaceOf(const CrFilmCells *cells, CrFilm *film);
/* Finds rigid balls and discs, and replaces their surface nodes by four nodes. part[b] is positive if body b is rigid.
   The triangles of each body must be consecutive. */
PetscErrorCode CrFilmFindBalls(CrFilm *film, const PetscReal *points, const PetscInt part[]);
/* CrFilmPlace computes the positions in frame f from all points of the mesh. CrFilmShow stores the values of one field
   in frame f. Both functions are in film.c. `count` is a work array with one entry per body. */
void CrFilmPlace(CrFilm *film, PetscInt f, const PetscReal *points, PetscInt *count);
void CrFilmShow(CrFilm *film, PetscInt f, PetscInt field, const PetscReal *values);
/* Sets film->origin. `points` are the reference positions of all points of the mesh. */
PetscErrorCode CrFilmOrigin(CrFilm *film, const PetscReal *points);
/* These functions compute the motion of rigid bodies (motion.c). CrFilmFindRigid sets first_rigid and first_rigid_node.
   CrFilmMotionCreate allocates the arrays, and computes `start` and `shape` from the reference positions. CrFilmTurn
   and CrFilmSpeed compute the arrays `turn` and `speed` of frame f, after CrFilmPlace. */
PetscErrorCode CrFilmFindRigid(CrFilm *film, const PetscInt part[]);
PetscErrorCode CrFilmMotionCreate(CrFilm *film, const PetscReal *points);
void           CrFilmTurn(CrFilm *film, PetscInt f);
void           CrFilmSpeed(CrFilm *film, PetscInt f, const PetscReal *velocity);

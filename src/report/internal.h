/* What the files of this folder share. */
#pragma once

#include "report/film.h"
#include "report/vtu.h"

/* Surface of the cells of a field file (surface.c): fills triangles, node, node_body, elements. */
PetscErrorCode CrFilmSurface(const CrVtu *vtu, CrFilm *film);
PetscErrorCode CrFilmSurfaceOf(const CrFilmCells *cells, CrFilm *film);
/* One frame from all points of the mesh (film.c); count: room for a number per body. */
void CrFilmPlace(CrFilm *film, PetscInt f, const PetscReal *points, PetscInt *count);
void CrFilmShow(CrFilm *film, PetscInt f, PetscInt field, const PetscReal *values);
/* Rigid bodies (motion.c). FindRigid: first_rigid, first_rigid_node; Create: room, start, shape, from
   positions and, NULL if not known, displacements; Turn, Speed: of a frame that has been placed. */
PetscErrorCode CrFilmFindRigid(CrFilm *film, const PetscInt part[]);
PetscErrorCode CrFilmMotionCreate(CrFilm *film, const PetscReal *points,
                                  const PetscReal *displacement);
void           CrFilmTurn(CrFilm *film, PetscInt f);
void           CrFilmSpeed(CrFilm *film, PetscInt f, const PetscReal *velocity);

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

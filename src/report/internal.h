/* What the files of this folder share. */
#pragma once

#include "report/film.h"
#include "report/vtu.h"

/* Surface of the cells of a field file (surface.c): fills triangles, node, node_body, elements. */
PetscErrorCode CrFilmSurface(const CrVtu *vtu, CrFilm *film);

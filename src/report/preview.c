/* Makes a film of one frame from a mesh, for decks in the editor that have not been run. */
#include "report/film.h"
#include "report/internal.h"

static PetscErrorCode fill(const CrFilmCells *cells, CrFilm *film)
{
  PetscInt *count;

  PetscFunctionBeginUser;
  PetscCall(CrFilmSurfaceOf(cells, film));
  film->nframes = film->every = film->room = 1;
  PetscCall(PetscCalloc1(1, &film->times));
  PetscCall(PetscMalloc1(3 * film->nbodies, &film->centre));
  PetscCall(PetscMalloc1(3 * film->nnodes, &film->offset));
  PetscCall(PetscMalloc1(film->nnodes, &film->field[CR_FILM_VELOCITY]));
  PetscCall(PetscMalloc1(film->nbodies, &count));
  CrFilmPlace(film, 0, cells->points, count);
  CrFilmShow(film, 0, CR_FILM_VELOCITY, cells->velocity);
  PetscCall(CrFilmMotionCreate(film, cells->points));
  PetscCall(CrFilmOrigin(film, cells->points));
  CrFilmTurn(film, 0);
  CrFilmSpeed(film, 0, cells->velocity);
  PetscCall(PetscFree(count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFilmOf(PetscInt dim, const CrFilmCells *cells, CrFilm **film)
{
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(film));
  (*film)->dim = dim;
  code = fill(cells, *film);
  if (code) PetscCall(CrFilmDestroy(film));
  PetscFunctionReturn(code);
}

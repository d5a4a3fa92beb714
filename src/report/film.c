/* The frames of a run, from its folder. */
#include "base/grow.h"
#include "report/film.h"
#include <math.h>
#include <string.h>
#include "base/text.h"
#include "report/internal.h"

#define MOST_FRAMES 2000

const CrFilmField CrFilmFieldTable[CR_FILM_FIELDS] = {
    [CR_FILM_DISPLACEMENT] = {"displacement", 3},
    [CR_FILM_VELOCITY] = {"velocity", 3},
    [CR_FILM_VON_MISES] = {"von-mises", 1},
    [CR_FILM_PRESSURE] = {"contact-pressure", 1},
    [CR_FILM_STATUS] = {"contact-status", 1},
    [CR_FILM_PLASTIC_STRAIN] = {"plastic_strain", 1},
    [CR_FILM_PLASTIC_WORK] = {"plastic_work", 1},
    [CR_FILM_VISCOUS_WORK] = {"viscous_work", 1},
    [CR_FILM_TEMPERATURE_RISE] = {"temperature_rise", 1},
};

typedef struct {
  PetscReal time;
  char      name[64];
} Entry;

/* What fields.pvd lists. *n = 0 where there is none. */
static PetscErrorCode read_list(const char dir[], PetscInt *n, Entry **entries)
{
  char     path[PETSC_MAX_PATH_LEN], line[512], digits[40];
  PetscInt room = 0;
  FILE    *list;
  Entry    e;
  double   t;

  PetscFunctionBeginUser;
  *n = 0;
  *entries = NULL;
  snprintf(path, sizeof path, "%s/fields.pvd", dir);
  PetscCall(CrTextOpen(path, PETSC_FALSE, &list));
  if (!list) PetscFunctionReturn(PETSC_SUCCESS);
  while (fgets(line, sizeof line, list)) {
    const char *at = strstr(line, "timestep=\""), *file = strstr(line, "file=\"");

    /* only names that a run gives: a list from elsewhere does not lead out of the folder */
    if (!at || !file || sscanf(at + 10, "%lf", &t) != 1) continue;
    if (sscanf(file + 6, "fields/%32[0-9]", digits) != 1) continue;
    e.time = t;
    /* of a frame in pieces the surface lies beside them, all that is drawn */
    snprintf(e.name, sizeof e.name, "fields/%.32s%s.vtu", digits,
             strstr(file, ".pvtu\"") ? "_surface" : "");
    PetscCall(CrGrow(*n + 1, &room, entries));
    (*entries)[(*n)++] = e;
  }
  fclose(list);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- one frame ---------------------------------------------------------------------------- */

/* Centres of the bodies, and where their nodes are from there. all: positions of the file. */
void CrFilmPlace(CrFilm *film, PetscInt f, const PetscReal *all, PetscInt *count)
{
  PetscReal *centre = film->centre + 3 * f * film->nbodies;
  float     *offset = film->offset + 3 * f * film->nnodes;

  for (PetscInt b = 0; b < film->nbodies; b++) {
    count[b] = 0;
    for (int i = 0; i < 3; i++) centre[3 * b + i] = 0;
  }
  for (PetscInt k = 0; k < film->nnodes; k++) {
    PetscInt b = film->node_body[k];

    count[b]++;
    for (int i = 0; i < 3; i++) centre[3 * b + i] += all[3 * film->node[k] + i];
  }
  for (PetscInt b = 0; b < film->nbodies; b++)
    for (int i = 0; i < 3; i++) centre[3 * b + i] /= PetscMax(1, count[b]);
  for (PetscInt k = 0; k < film->nnodes; k++)
    for (int i = 0; i < 3; i++)
      offset[3 * k + i] = (float)(all[3 * film->node[k] + i] - centre[3 * film->node_body[k] + i]);
}

void CrFilmShow(CrFilm *film, PetscInt f, PetscInt field, const PetscReal *all)
{
  const PetscInt width = CrFilmFieldTable[field].width;
  float         *to = film->field[field] + f * film->nnodes;

  for (PetscInt k = 0; k < film->nnodes; k++) {
    const PetscReal *v = all + width * film->node[k];

    to[k] = (float)(width == 1 ? v[0] : sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
}

/* buffer: room for three numbers per point of the file, and one per body. */
static PetscErrorCode read_frame(const CrVtu *vtu, CrFilm *film, PetscInt f, PetscReal *buffer,
                                 PetscInt *count)
{
  PetscFunctionBeginUser;
  PetscCall(CrVtuReals(vtu, "Points", 3 * vtu->npoints, buffer));
  CrFilmPlace(film, f, buffer, count);
  CrFilmTurn(film, f);
  for (PetscInt field = 0; field < CR_FILM_FIELDS; field++) {
    const CrFilmField *is = &CrFilmFieldTable[field];

    if (!film->field[field]) continue;
    PetscCall(CrVtuReals(vtu, is->name, is->width * vtu->npoints, buffer));
    CrFilmShow(film, f, field, buffer);
    if (field == CR_FILM_VELOCITY) CrFilmSpeed(film, f, buffer);
  }
  if (film->force) {
    float *to = film->force + 3 * f * film->nnodes;

    PetscCall(CrVtuReals(vtu, "contact-force", 3 * vtu->npoints, buffer));
    for (PetscInt k = 0; k < film->nnodes; k++)
      for (int i = 0; i < 3; i++) to[3 * k + i] = (float)buffer[3 * film->node[k] + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Fields that are zero all over the run (pressure where nothing touches) are not worth a colour. */
static PetscErrorCode drop_zeros(CrFilm *film)
{
  const PetscInt n = film->nframes * film->nnodes;

  PetscFunctionBeginUser;
  for (PetscInt field = CR_FILM_VON_MISES; field < CR_FILM_FIELDS; field++) {
    PetscInt k = 0;

    while (film->field[field] && k < n && film->field[field][k] == 0) k++;
    if (k == n) PetscCall(PetscFree(film->field[field]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------- */

static PetscErrorCode make_room(CrFilm *film, const CrVtu *vtu, PetscInt nentries, PetscReal most)
{
  const PetscReal all = (PetscReal)film->nnodes * nentries;
  size_t          n;

  PetscFunctionBeginUser;
  film->every = PetscMax(1, (PetscInt)PetscCeilReal(all / most));
  film->every = PetscMax(film->every, (nentries + MOST_FRAMES - 1) / MOST_FRAMES);
  film->room = nentries / film->every + 2;
  n = (size_t)film->room * (size_t)film->nnodes;
  PetscCall(PetscMalloc1(film->room, &film->times));
  PetscCall(PetscMalloc1((size_t)film->room * 3 * (size_t)film->nbodies, &film->centre));
  PetscCall(PetscMalloc1(3 * n, &film->offset));
  for (PetscInt field = 0; field < CR_FILM_FIELDS; field++)
    if (CrVtuWidth(vtu, CrFilmFieldTable[field].name) == CrFilmFieldTable[field].width)
      PetscCall(PetscMalloc1(n, &film->field[field]));
  if (CrVtuWidth(vtu, "contact-force") == 3) PetscCall(PetscMalloc1(3 * n, &film->force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where rigid bodies were before they moved. */
static PetscErrorCode read_start(const CrVtu *vtu, CrFilm *film)
{
  const PetscInt n = 3 * vtu->npoints;
  PetscReal     *points, *displacement;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(n, &points, n, &displacement));
  code = CrVtuReals(vtu, "Points", n, points);
  if (!code && film->field[CR_FILM_DISPLACEMENT])
    code = CrVtuReals(vtu, "displacement", n, displacement);
  if (!code)
    code =
        CrFilmMotionCreate(film, points, film->field[CR_FILM_DISPLACEMENT] ? displacement : NULL);
  PetscCall(PetscFree2(points, displacement));
  PetscFunctionReturn(code);
}

static PetscErrorCode open_entry(const char dir[], const Entry *entry, CrVtu *vtu)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/%s", dir, entry->name);
  PetscCall(CrVtuOpen(path, vtu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_first(const char dir[], PetscInt n, const Entry *entries, PetscReal most,
                                 CrFilm *film, PetscInt *npoints)
{
  CrVtu          vtu;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(open_entry(dir, &entries[0], &vtu));
  *npoints = vtu.npoints;
  code = CrFilmSurface(&vtu, film);
  if (!code) code = make_room(film, &vtu, n, most);
  if (!code) code = read_start(&vtu, film);
  PetscCall(CrVtuClose(&vtu));
  PetscFunctionReturn(code);
}

static PetscErrorCode read_frames(const char dir[], PetscInt n, const Entry *entries,
                                  PetscInt npoints, CrFilm *film)
{
  PetscReal     *buffer;
  PetscInt      *count;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(3 * npoints, &buffer, film->nbodies, &count));
  for (PetscInt k = 0; k < n && !code; k++) {
    CrVtu vtu = {0};

    if (k % film->every && k != n - 1) continue;
    code = open_entry(dir, &entries[k], &vtu);
    if (!code && vtu.npoints != npoints)
      code = CrInputError("%s/%s: has other points than the frames before", dir, entries[k].name);
    if (!code) code = read_frame(&vtu, film, film->nframes, buffer, count);
    PetscCall(CrVtuClose(&vtu));
    film->times[film->nframes++] = entries[k].time;
  }
  PetscCall(PetscFree2(buffer, count));
  PetscFunctionReturn(code);
}

PetscErrorCode CrFilmReadPart(const char dir[], PetscInt dim, PetscReal most, PetscInt first,
                              PetscInt count, PetscInt *total, CrFilm **film)
{
  Entry         *entries;
  PetscInt       n, npoints;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *film = NULL;
  PetscCall(read_list(dir, total, &entries));
  if (first < 0) first += *total;
  n = first < 0 ? 0 : PetscMin(count, *total - first);
  if (n < 1) {
    PetscCall(PetscFree(entries));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscNew(film));
  (*film)->dim = dim;
  code = read_first(dir, n, entries + first, most, *film, &npoints);
  if (!code) code = read_frames(dir, n, entries + first, npoints, *film);
  PetscCall(PetscFree(entries));
  /* parts of a run that goes on must have the same fields, one like the other */
  if (!code && count == PETSC_MAX_INT) PetscCall(drop_zeros(*film));
  if (code || !(*film)->ntriangles) PetscCall(CrFilmDestroy(film));
  PetscFunctionReturn(code);
}

PetscErrorCode CrFilmRead(const char dir[], PetscInt dim, PetscReal most, CrFilm **film)
{
  PetscInt total;

  PetscFunctionBeginUser;
  PetscCall(CrFilmReadPart(dir, dim, most, 0, PETSC_MAX_INT, &total, film));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFilmDestroy(CrFilm **film)
{
  PetscFunctionBeginUser;
  if (!*film) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*film)->node, (*film)->node_body));
  PetscCall(PetscFree((*film)->elements));
  PetscCall(PetscFree((*film)->triangles));
  PetscCall(PetscFree((*film)->times));
  PetscCall(PetscFree((*film)->centre));
  PetscCall(PetscFree((*film)->offset));
  for (PetscInt k = 0; k < CR_FILM_FIELDS; k++) PetscCall(PetscFree((*film)->field[k]));
  PetscCall(PetscFree((*film)->force));
  PetscCall(PetscFree((*film)->start));
  PetscCall(PetscFree((*film)->shape));
  PetscCall(PetscFree((*film)->turn));
  PetscCall(PetscFree((*film)->speed));
  PetscCall(PetscFree(*film));
  PetscFunctionReturn(PETSC_SUCCESS);
}

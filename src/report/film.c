/* Reads the frames of a run from its folder. */
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

#define USUAL_ARRAYS 15 /* of a film: more of them leave room for fewer frames */

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

/* The components of an array of the file that are kept, from part `first` on. */
static void show_parts(CrFilm *film, PetscInt f, PetscInt first, PetscInt width,
                       const PetscReal *all)
{
  for (PetscInt i = 0; i < width; i++) {
    float *to = film->part[first + i] ? film->part[first + i] + f * film->nnodes : NULL;

    for (PetscInt k = 0; to && k < film->nnodes; k++) to[k] = (float)all[width * film->node[k] + i];
  }
}

/* buffer: room for six numbers per point of the file, and one per body. */
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
    if (field == CR_FILM_VELOCITY) show_parts(film, f, CR_PART_VX, 3, buffer);
  }
  if (film->part[CR_PART_XX]) {
    PetscCall(CrVtuReals(vtu, "stress", 6 * vtu->npoints, buffer));
    show_parts(film, f, CR_PART_XX, 6, buffer);
  }
  if (film->force) {
    float *to = film->force + 3 * f * film->nnodes;

    PetscCall(CrVtuReals(vtu, "contact-force", 3 * vtu->npoints, buffer));
    for (PetscInt k = 0; k < film->nnodes; k++)
      for (int i = 0; i < 3; i++) to[3 * k + i] = (float)buffer[3 * film->node[k] + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode drop_zero(PetscInt n, float **values)
{
  PetscInt k = 0;

  PetscFunctionBeginUser;
  while (*values && k < n && (*values)[k] == 0) k++;
  if (k == n) PetscCall(PetscFree(*values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Fields that are zero all over the run (pressure where nothing touches) are not worth a colour. */
static PetscErrorCode drop_zeros(CrFilm *film)
{
  const PetscInt n = film->nframes * film->nnodes;

  PetscFunctionBeginUser;
  for (PetscInt field = CR_FILM_VON_MISES; field < CR_FILM_FIELDS; field++)
    PetscCall(drop_zero(n, &film->field[field]));
  for (PetscInt part = CR_PART_XX; part < CR_FILM_PARTS; part++)
    PetscCall(drop_zero(n, &film->part[part]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Which components there are: in the plane those with z are zero, except the stress across it. */
static void find_parts(const CrFilm *film, const CrVtu *vtu, PetscBool is[CR_FILM_PARTS])
{
  for (PetscInt part = 0; part < CR_FILM_PARTS; part++) {
    PetscBool across = part == CR_PART_VZ || part == CR_PART_YZ || part == CR_PART_XZ;

    is[part] =
        film->ball && !(film->dim == 2 && across) &&
        (part < CR_PART_XX ? CrVtuWidth(vtu, "velocity") == 3 : CrVtuWidth(vtu, "stress") == 6);
  }
}

static PetscErrorCode make_room(CrFilm *film, const CrVtu *vtu, PetscInt nentries, PetscReal most)
{
  PetscBool is[CR_FILM_PARTS];
  PetscInt  arrays = 6;
  PetscReal all = (PetscReal)film->nnodes * nentries;
  size_t    n;

  PetscFunctionBeginUser;
  find_parts(film, vtu, is);
  for (PetscInt part = 0; part < CR_FILM_PARTS; part++) arrays += is[part];
  for (PetscInt field = 0; field < CR_FILM_FIELDS; field++)
    arrays += CrVtuWidth(vtu, CrFilmFieldTable[field].name) > 0;
  all *= PetscMax(1, (PetscReal)arrays / USUAL_ARRAYS);
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
  for (PetscInt part = 0; part < CR_FILM_PARTS; part++)
    if (is[part]) PetscCall(PetscMalloc1(n, &film->part[part]));
  if (CrVtuWidth(vtu, "contact-force") == 3) PetscCall(PetscMalloc1(3 * n, &film->force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where everything was before it moved; in detail for all nodes. */
PetscErrorCode CrFilmOrigin(CrFilm *film, const PetscReal *points)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(3 * film->nnodes, &film->origin));
  for (PetscInt k = 0; k < film->nnodes; k++)
    for (int i = 0; i < 3; i++) film->origin[3 * k + i] = points[3 * film->node[k] + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

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
  if (!film->field[CR_FILM_DISPLACEMENT]) PetscCall(PetscArrayzero(displacement, n));
  for (PetscInt i = 0; i < n; i++) points[i] -= displacement[i];
  if (!code) code = CrFilmMotionCreate(film, points);
  if (!code && film->ball) code = CrFilmOrigin(film, points);
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
                                 PetscBool detail, CrFilm *film, PetscInt *npoints)
{
  CrVtu          vtu;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(open_entry(dir, &entries[0], &vtu));
  *npoints = vtu.npoints;
  code = CrFilmSurface(&vtu, detail, film);
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
  PetscCall(PetscMalloc2(6 * npoints, &buffer, film->nbodies, &count));
  for (PetscInt k = 0; k < n && !code; k++) {
    CrVtu vtu = {0};

    if (k % film->every && k != n - 1) continue;
    code = open_entry(dir, &entries[k], &vtu);
    if (!code && vtu.npoints != npoints)
      code = CrInputError("%s/%s: its points differ from those of earlier frames", dir,
                          entries[k].name);
    if (!code) code = read_frame(&vtu, film, film->nframes, buffer, count);
    PetscCall(CrVtuClose(&vtu));
    film->times[film->nframes++] = entries[k].time;
  }
  PetscCall(PetscFree2(buffer, count));
  PetscFunctionReturn(code);
}

PetscErrorCode CrFilmRead(const char dir[], const CrFilmAsk *ask, PetscInt *total, CrFilm **film)
{
  Entry         *entries;
  PetscInt       n, npoints, first = ask->first;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *film = NULL;
  PetscCall(read_list(dir, total, &entries));
  if (first < 0) first += *total;
  n = first < 0 ? 0 : PetscMin(ask->count, *total - first);
  if (n < 1) {
    PetscCall(PetscFree(entries));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscNew(film));
  (*film)->dim = ask->dim;
  code = read_first(dir, n, entries + first, ask->most, ask->detail, *film, &npoints);
  if (!code) code = read_frames(dir, n, entries + first, npoints, *film);
  PetscCall(PetscFree(entries));
  /* parts of a run that goes on must have the same fields, one like the other */
  if (!code && ask->count == PETSC_MAX_INT) PetscCall(drop_zeros(*film));
  if (code || !(*film)->ntriangles) PetscCall(CrFilmDestroy(film));
  PetscFunctionReturn(code);
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
  for (PetscInt k = 0; k < CR_FILM_PARTS; k++) PetscCall(PetscFree((*film)->part[k]));
  PetscCall(PetscFree((*film)->force));
  PetscCall(PetscFree((*film)->origin));
  PetscCall(PetscFree((*film)->ball));
  PetscCall(PetscFree((*film)->start));
  PetscCall(PetscFree((*film)->shape));
  PetscCall(PetscFree((*film)->turn));
  PetscCall(PetscFree((*film)->speed));
  PetscCall(PetscFree(*film));
  PetscFunctionReturn(PETSC_SUCCESS);
}

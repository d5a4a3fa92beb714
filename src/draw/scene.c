/* Reads the data of one frame from the folder of a run, for drawing. */
#include "draw/scene.h"
#include <math.h>
#include "output/output.h"

/* ---- obstacles ---------------------------------------------------------------------------- */

/* Numbers of a list that may be shorter or hold something else: run.yaml comes from a folder that
   anyone may have written to. */
static void take(const CrDeckNode *map, const char key[], PetscReal v[3])
{
  const CrDeckNode *list = CrDeckFind(map, key);

  for (PetscInt i = 0; i < PetscMin(3, CrDeckCount(list)); i++)
    if (CrDeckIsReal(CrDeckItem(list, i))) v[i] = CrDeckReal(CrDeckItem(list, i));
}

static PetscBool see_plane(const CrDeckNode *shape, CrSeen *seen)
{
  PetscReal length;

  seen->kind = CR_SEEN_PLANE;
  take(shape, "point", seen->a);
  take(shape, "normal", seen->b);
  length = sqrt(seen->b[0] * seen->b[0] + seen->b[1] * seen->b[1] + seen->b[2] * seen->b[2]);
  for (int i = 0; i < 3; i++) seen->b[i] /= PetscMax(length, 1e-300);
  return length > 0;
}

static PetscBool see_ball(const CrDeckNode *shape, CrSeen *seen)
{
  const CrDeckNode *radius = CrDeckFind(shape, "radius");

  seen->kind = CR_SEEN_BALL;
  take(shape, "center", seen->a);
  if (!CrDeckIsReal(radius)) return PETSC_FALSE;
  seen->b[0] = CrDeckReal(radius);
  seen->inside = CrDeckIsWord(CrDeckFind(shape, "side"), "inside");
  return seen->b[0] > 0;
}

static PetscBool see(const CrDeckNode *obstacle, PetscReal t, CrSeen *seen)
{
  const CrDeckNode *plane = CrDeckFind(obstacle, "plane"), *box = CrDeckFind(obstacle, "box");
  const CrDeckNode *ball = CrDeckFind(obstacle, "circle");
  PetscReal         v[3] = {0}, a[3] = {0};
  PetscBool         good = PETSC_FALSE;

  *seen = (CrSeen){0};
  if (!ball) ball = CrDeckFind(obstacle, "sphere");
  if (plane) good = see_plane(plane, seen);
  if (ball) good = see_ball(ball, seen);
  if (box) {
    seen->kind = CR_SEEN_BOX;
    take(box, "from", seen->a);
    take(box, "to", seen->b);
    good = PETSC_TRUE;
  }
  take(obstacle, "velocity", v);
  take(obstacle, "acceleration", a);
  for (int i = 0; i < 3; i++) {
    PetscReal way = v[i] * t + 0.5 * a[i] * t * t;

    seen->a[i] += way;
    if (seen->kind == CR_SEEN_BOX) seen->b[i] += way;
  }
  return good;
}

/* ---- the deck ----------------------------------------------------------------------------- */

static PetscErrorCode open_deck(const char dir[], CrDeck **deck)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  PetscCall(CrRunDeckPath(dir, path, sizeof path));
  PetscCall(CrDeckRead(PETSC_COMM_SELF, path, 0, NULL, deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The axis of the first gravity that the deck names. */
static PetscInt upright(const CrDeck *deck)
{
  const CrDeckNode *list = CrDeckFind(CrDeckRoot(deck), "conditions");
  PetscReal         g[3] = {0};
  PetscInt          up = 2;

  for (PetscInt k = 0; k < CrDeckCount(list); k++)
    if (CrDeckFind(CrDeckItem(list, k), "gravity")) {
      take(CrDeckItem(list, k), "gravity", g);
      break;
    }
  for (PetscInt i = 0; i < 3; i++)
    if (fabs(g[i]) > fabs(g[up])) up = i;
  return up;
}

static CrRunHead head_of(const CrDeck *deck)
{
  const CrDeckNode *title = CrDeckFind(CrDeckRoot(deck), "title");
  const CrDeckNode *dimension = CrDeckFind(CrDeckRoot(deck), "dimension");
  const CrDeckNode *tolerance = CrDeckFind(CrDeckRoot(deck), "time.tolerance");
  CrRunHead         head = {.tolerance = 1e-11};

  head.up = upright(deck);
  if (CrUnitsRead(CrDeckRoot(deck), &head.units)) head.units = (CrUnits){{{0}}};
  head.dim = CrDeckIsReal(dimension) && CrDeckReal(dimension) == 3 ? 3 : 2;
  if (CrDeckIsReal(tolerance)) head.tolerance = CrDeckReal(tolerance);
  if (title && !CrDeckIsMap(title) && !CrDeckIsList(title))
    snprintf(head.title, sizeof head.title, "%s", CrDeckText(title));
  return head;
}

PetscErrorCode CrRunHeadRead(const char dir[], CrRunHead *head)
{
  CrDeck *deck;

  PetscFunctionBeginUser;
  PetscCall(open_deck(dir, &deck));
  *head = head_of(deck);
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void read_obstacles(const CrDeck *deck, CrScene *scene)
{
  const CrDeckNode *list = CrDeckFind(CrDeckRoot(deck), "obstacles");

  for (PetscInt k = 0; k < CrDeckCount(list) && scene->nseen < CR_MOST_OBSTACLES; k++)
    if (see(CrDeckItem(list, k), scene->time, &scene->seen[scene->nseen])) scene->nseen++;
}

/* ---- the frame ---------------------------------------------------------------------------- */

static void position(const CrFilm *film, PetscInt f, PetscInt k, PetscReal x[3])
{
  const PetscReal *centre = film->centre + 3 * (f * film->nbodies + film->node_body[k]);
  const float     *offset = film->offset + 3 * (f * film->nnodes + k);

  for (int i = 0; i < 3; i++) x[i] = centre[i] + offset[i];
}

static void bound(CrScene *scene)
{
  const CrFilm *film = scene->film;
  PetscReal     x[3];

  for (int i = 0; i < 3; i++) {
    scene->low[i] = PETSC_MAX_REAL;
    scene->high[i] = -PETSC_MAX_REAL;
  }
  for (PetscInt f = 0; f < film->nframes; f++)
    for (PetscInt k = 0; k < film->nnodes; k++) {
      position(film, f, k, x);
      for (int i = 0; i < 3; i++) {
        scene->low[i] = PetscMin(scene->low[i], x[i]);
        scene->high[i] = PetscMax(scene->high[i], x[i]);
      }
    }
}

#define MOST_PLACES 2e7 /* nodes times frames, when all are read */

PetscErrorCode CrSceneFrames(const char dir[], PetscInt *n)
{
  CrRunHead head;
  CrFilm   *film;

  PetscFunctionBeginUser;
  PetscCall(CrRunHeadRead(dir, &head));
  PetscCall(CrFilmRead(dir, &(CrFilmAsk){head.dim, PETSC_MAX_REAL, 0, 1, PETSC_FALSE}, n, &film));
  PetscCall(CrFilmDestroy(&film));
  if (!*n) CrInputFail("%s: this run has no frames (fields.pvd lists none)", dir);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_film(const char dir[], PetscInt k, PetscBool all, CrScene *scene)
{
  PetscInt  total;
  PetscReal time;

  PetscFunctionBeginUser;
  PetscCall(CrFilmRead(dir, &(CrFilmAsk){scene->dim, PETSC_MAX_REAL, k, 1, PETSC_FALSE}, &total,
                       &scene->film));
  if (!total) CrInputFail("%s: this run has no frames (fields.pvd lists none)", dir);
  if (!scene->film)
    CrInputFail("--frame %" PetscInt_FMT ": the run has %" PetscInt_FMT
                " frames, 0 to %" PetscInt_FMT " (-1 is the last)",
                k, total, total - 1);
  if (!all) PetscFunctionReturn(PETSC_SUCCESS);
  /* the frame itself must be among those taken */
  time = scene->film->times[0];
  PetscCall(CrFilmDestroy(&scene->film));
  PetscCall(CrFilmRead(dir, &(CrFilmAsk){scene->dim, MOST_PLACES, 0, PETSC_MAX_INT, PETSC_FALSE},
                       &total, &scene->film));
  PetscCheck(scene->film, PETSC_COMM_SELF, PETSC_ERR_FILE_READ,
             "%s: the files of its frames are missing", dir);
  for (PetscInt f = 1; f < scene->film->nframes; f++)
    if (fabs(scene->film->times[f] - time) < fabs(scene->film->times[scene->frame] - time))
      scene->frame = f;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Positions and obstacles of the scene's frame. */
static void place(const CrDeck *deck, CrScene *scene)
{
  scene->time = scene->film->times[scene->frame];
  for (PetscInt A = 0; A < scene->film->nnodes; A++)
    position(scene->film, scene->frame, A, scene->x + 3 * A);
  scene->nseen = 0;
  read_obstacles(deck, scene);
}

static PetscErrorCode fill(const char dir[], PetscInt k, PetscBool all, const CrDeck *deck,
                           CrScene *scene)
{
  PetscFunctionBeginUser;
  scene->head = head_of(deck);
  scene->dim = scene->head.dim;
  PetscCall(read_film(dir, k, all, scene));
  PetscCall(PetscMalloc1(3 * scene->film->nnodes, &scene->x));
  place(deck, scene);
  bound(scene);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSceneCreate(const char dir[], PetscInt k, PetscBool all, CrScene *scene)
{
  CrDeck        *deck;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *scene = (CrScene){0};
  PetscCall(open_deck(dir, &deck));
  code = fill(dir, k, all, deck, scene);
  PetscCall(CrDeckDestroy(&deck));
  if (code) PetscCall(CrSceneDestroy(scene));
  PetscFunctionReturn(code);
}

PetscErrorCode CrSceneSeek(const char dir[], PetscInt f, CrScene *scene)
{
  CrDeck *deck;

  PetscFunctionBeginUser;
  PetscCall(open_deck(dir, &deck));
  scene->frame = f;
  place(deck, scene);
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSceneDestroy(CrScene *scene)
{
  PetscFunctionBeginUser;
  PetscCall(CrFilmDestroy(&scene->film));
  PetscCall(PetscFree(scene->x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

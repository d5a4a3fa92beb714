/* carom picture: one frame as an image. */
#include "draw/picture.h"
#include <math.h>
#include <string.h>

#define FACTOR   3   /* finer pixels per pixel, in each direction */
#define TINY     3.  /* mean length of a side in pixels */
#define SMALLEST 0.8 /* unit: letters of small pictures stay readable */

static const CrColour paper = {255, 255, 255}, ink = {38, 38, 44};

CrPicture CrPictureDefault(void)
{
  const CrPicture picture = {.frame = -1, .width = 1280, .mesh = PETSC_TRUE};

  return picture;
}

/* ---- the field ---------------------------------------------------------------------------- */

typedef struct {
  const char *word, *label;
  CrUnit      unit;
} FieldName;

static const FieldName names[CR_FILM_FIELDS] = {
    [CR_FILM_DISPLACEMENT] = {"displacement", "displacement", CR_UNIT_LENGTH},
    [CR_FILM_VELOCITY] = {"velocity", "velocity", CR_UNIT_VELOCITY},
    [CR_FILM_VON_MISES] = {"von-mises", "von Mises stress", CR_UNIT_STRESS},
    [CR_FILM_PRESSURE] = {"pressure", "contact pressure", CR_UNIT_STRESS},
    [CR_FILM_STATUS] = {"status", "contact", CR_UNIT_NONE},
    [CR_FILM_PLASTIC_STRAIN] = {"plastic_strain", "plastic strain", CR_UNIT_NONE},
    [CR_FILM_PLASTIC_WORK] = {"plastic_work", "plastic work per volume", CR_UNIT_STRESS},
    [CR_FILM_VISCOUS_WORK] = {"viscous_work", "viscous work per volume", CR_UNIT_STRESS},
    [CR_FILM_TEMPERATURE_RISE] = {"temperature_rise", "rise of temperature", CR_UNIT_NONE},
};

const char *CrFieldLabel(PetscInt field)
{
  return names[field].label;
}

const char *CrFieldUnit(const CrUnits *units, PetscInt field)
{
  return units->label[names[field].unit];
}

static PetscErrorCode choose_field(const CrFilm *film, const char word[], PetscInt *field)
{
  static const PetscInt order[] = {CR_FILM_VON_MISES, CR_FILM_VELOCITY, CR_FILM_DISPLACEMENT};
  const char           *words[CR_FILM_FIELDS + 1] = {[CR_FILM_FIELDS] = "none"};
  char                  hint[CR_HINT];

  PetscFunctionBeginUser;
  *field = -1;
  if (!word) {
    for (int k = 2; k >= 0; k--)
      if (film->field[order[k]]) *field = order[k];
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!strcmp(word, "none")) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < CR_FILM_FIELDS; k++) {
    words[k] = names[k].word;
    if (!strcmp(word, words[k]) || !strcmp(word, CrFilmFieldTable[k].name)) *field = k;
  }
  if (*field < 0)
    CrInputFail(
        "--field %s: expected displacement, velocity, von-mises, pressure, status, plastic_strain, "
        "plastic_work, viscous_work, temperature_rise or none%s",
        word, CrNameHint(word, CR_FILM_FIELDS + 1, words, "", hint));
  if (!film->field[*field])
    CrInputFail("--field %s: the frames of this run do not hold it (output.fields)", word);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Least and greatest of the frame, or of all; rounded so that the scale ends with round numbers. */
static void choose_range(Drawing *d)
{
  const CrFilm   *film = d->scene.film;
  const PetscInt  n = film->nnodes;
  const PetscBool whole = d->asked->range == CR_RANGE_RUN;
  CrTicks         ticks;

  d->least = PETSC_MAX_REAL;
  d->greatest = -PETSC_MAX_REAL;
  if (d->field == CR_FILM_STATUS || d->asked->range == CR_RANGE_GIVEN) {
    d->least = d->field == CR_FILM_STATUS ? 0 : d->asked->least;
    d->greatest = d->field == CR_FILM_STATUS ? 3 : d->asked->greatest;
    return;
  }
  for (PetscInt f = whole ? 0 : d->scene.frame; f < (whole ? film->nframes : d->scene.frame + 1);
       f++)
    for (PetscInt k = 0; k < n; k++) {
      PetscReal v = film->field[d->field][f * n + k];

      if (!isfinite(v)) continue;
      d->least = PetscMin(d->least, v);
      d->greatest = PetscMax(d->greatest, v);
    }
  if (d->least > d->greatest) d->least = d->greatest = 0;
  /* sizes begin at zero unless they hardly vary */
  if (d->least > 0 && d->least < 0.5 * d->greatest) d->least = 0;
  if (d->least == 0 && d->greatest == 0) d->greatest = 1;
  ticks = CrTicksMake(d->least, d->greatest, 10, PETSC_TRUE);
  d->least = ticks.least;
  d->greatest = ticks.greatest;
}

/* ---- the camera --------------------------------------------------------------------------- */

static PetscErrorCode choose_view(Drawing *d)
{
  const char *view = d->asked->view;
  PetscBool   known;

  PetscFunctionBeginUser;
  if (d->scene.dim == 2) {
    if (view && strcmp(view, "front"))
      CrInputFail("--view %s: a run in the plane is seen from the front only", view);
    view = "flat";
  }
  d->camera = CrCameraMake(view ? view : "iso", d->scene.head.up, &known);
  if (!known || (d->scene.dim == 3 && view && !strcmp(view, "flat")))
    CrInputFail(
        "--view %s: expected iso, front, back, left, right, top, bottom or AZIMUTH,ELEVATION in degrees",
        view);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The bodies in the picture plane. */
static void find_box(const Drawing *d, PetscReal box[4])
{
  const CrScene *scene = &d->scene;
  PetscReal      p[2], x[3];

  box[0] = box[1] = PETSC_MAX_REAL;
  box[2] = box[3] = -PETSC_MAX_REAL;
  /* of the whole run, or in the plane: the box; else the nodes themselves, which are less */
  for (PetscInt k = 0; k < (d->asked->whole ? 8 : scene->film->nnodes); k++) {
    for (int i = 0; i < 3; i++)
      x[i] = d->asked->whole ? (k >> i & 1 ? scene->high[i] : scene->low[i]) : scene->x[3 * k + i];
    CrCameraPlane(&d->camera, x, p);
    for (int i = 0; i < 2; i++) {
      box[i] = PetscMin(box[i], p[i]);
      box[2 + i] = PetscMax(box[2 + i], p[i]);
    }
  }
  CrDrawReach(d, box);
}

static void choose_size(Drawing *d)
{
  const CrPicture *asked = d->asked;
  const PetscReal  u = PetscMax((PetscReal)asked->width / 1280, SMALLEST);
  const PetscReal  margin = 30 * u, legend = d->field < 0 ? 0 : 165 * u,
                  head = asked->plain ? 0 : 62 * u;
  PetscReal box[4], wide = (PetscReal)asked->width - 2 * margin - legend, high;

  find_box(d, box);
  d->unit = u;
  d->width = asked->width;
  high = wide * (box[3] - box[1]) / PetscMax(box[2] - box[0], 1e-300);
  high = PetscClipInterval(high, 0.2 * d->width, 0.75 * d->width);
  if (legend > 0) high = PetscMax(high, 300 * u);
  d->height = asked->height ? asked->height : (PetscInt)(high + 2 * margin + head);
  d->into[0] = margin;
  d->into[1] = margin + head;
  d->into[2] = (PetscReal)d->width - margin - legend;
  d->into[3] = (PetscReal)d->height - margin;
  CrCameraFit(&d->camera, box, d->into);
}

/* ---- the bodies --------------------------------------------------------------------------- */

/* Brightness from the angle to a lamp at the viewer's upper left; 1 in the plane. */
static PetscReal light_of(const Drawing *d, PetscReal p[3][3])
{
  static const PetscReal lamp[3] = {-0.35, -0.55, 0.76}; /* pixels: y down */
  PetscReal              u[3], v[3], n[3], length, s = 0;

  if (d->scene.dim == 2) return 1;
  for (int i = 0; i < 3; i++) {
    u[i] = p[1][i] - p[0][i];
    v[i] = p[2][i] - p[0][i];
  }
  for (int i = 0; i < 3; i++)
    n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
  length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (n[2] < 0) length = -length; /* the side that is seen */
  for (int i = 0; i < 3; i++) s += n[i] * lamp[i] / (fabs(length) > 0 ? length : 1);
  return 0.74 + 0.36 * PetscMax(0, s);
}

/* Mean length of the sides on the canvas: sides of dense meshes would black everything out. */
static PetscReal mean_side(const Drawing *d)
{
  const CrFilm *film = d->scene.film;
  PetscReal     sum = 0, p[2][3];
  PetscInt      n = 0;

  for (PetscInt k = 0; k < film->ntriangles; k++)
    for (int i = 0; i < 3; i++) {
      if (!(film->triangles[k].sides >> i & 1)) continue;
      CrCameraSee(&d->camera, d->scene.x + 3 * film->triangles[k].nodes[i], p[0]);
      CrCameraSee(&d->camera, d->scene.x + 3 * film->triangles[k].nodes[(i + 1) % 3], p[1]);
      sum += hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]);
      n++;
    }
  return n ? sum / (PetscReal)n : 0;
}

/* A body without extent: a dot with a rim. */
static void draw_point(Drawing *d, const PetscReal p[3], const unsigned char *colour)
{
  CrCanvasLine(&d->canvas, p, p, 13 * d->unit, 0, ink);
  CrCanvasLine(&d->canvas, p, p, 10 * d->unit, 0, colour);
}

static PetscInt map_index(float share)
{
  return (PetscInt)(PetscClipInterval((PetscReal)share, 0, 1) * (CR_MAP_SIZE - 1) + 0.5);
}

static void draw_triangle(Drawing *d, const CrFilmTriangle *triangle, CrFill fill)
{
  const float *field =
      d->field < 0 ? NULL : d->scene.film->field[d->field] + d->scene.frame * d->scene.film->nnodes;
  float     value[3];
  PetscReal p[3][3];

  for (int i = 0; i < 3; i++) {
    CrCameraSee(&d->camera, d->scene.x + 3 * triangle->nodes[i], p[i]);
    if (field)
      value[i] = (float)((field[triangle->nodes[i]] - d->least) / (d->greatest - d->least));
  }
  fill.light = light_of(d, p);
  fill.sides = triangle->sides;
  fill.map = field ? d->map[0] : CrPaleColours[triangle->body % 6];
  fill.value = field ? value : NULL;
  fill.nearest = d->field == CR_FILM_STATUS;
  if (triangle->nodes[0] == triangle->nodes[2])
    draw_point(d, p[0], field ? fill.map + 3 * map_index(value[0]) : fill.map);
  else if (triangle->nodes[1] == triangle->nodes[2])
    CrCanvasLine(&d->canvas, p[0], p[1], 2 * d->unit, 0, ink);
  else
    CrCanvasTriangle(&d->canvas, p, &fill);
}

static PetscErrorCode draw_bodies(Drawing *d)
{
  const CrFilm *film = d->scene.film;
  PetscReal     dense = mean_side(d) / d->unit, p[2][3];
  CrFill        fill = {.side_half = 0.55 * d->unit,
                        .side_ink = 0.42 * PetscClipInterval((dense - 2.5) / 9, 0, 1)};
  CrSceneEdge  *edges;
  PetscInt      n;

  PetscFunctionBeginUser;
  if (!d->asked->mesh) fill.side_ink = 0;
  for (PetscInt k = 0; k < film->ntriangles; k++) draw_triangle(d, &film->triangles[k], fill);
  if (dense < TINY) PetscFunctionReturn(PETSC_SUCCESS); /* heaps: outlines would be all one sees */
  PetscCall(CrSceneEdges(&d->scene, d->camera.towards, &n, &edges));
  for (PetscInt k = 0; k < n; k++) {
    for (int i = 0; i < 2; i++) CrCameraSee(&d->camera, d->scene.x + 3 * edges[k].nodes[i], p[i]);
    CrCanvasLine(&d->canvas, p[0], p[1], PetscClipInterval(0.1 * dense, 0.8, 1.7) * d->unit,
                 2 * d->unit, ink);
  }
  PetscCall(PetscFree(edges));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------- */

static void fill_map(Drawing *d)
{
  CrMapFill(d->map);
  if (d->field != CR_FILM_STATUS) return;
  for (PetscInt k = 0; k < CR_MAP_SIZE; k++)
    memcpy(d->map[k], CrStatusColours[(k * 3 + CR_MAP_SIZE / 2) / CR_MAP_SIZE], sizeof(CrColour));
}

static PetscErrorCode draw(Drawing *d, const char path[])
{
  /* large pictures are fine enough with fewer */
  const PetscInt factor = d->asked->width > 3000 ? 2 : FACTOR;

  PetscFunctionBeginUser;
  PetscCall(choose_field(d->scene.film, d->asked->field, &d->field));
  if (d->field >= 0) choose_range(d);
  fill_map(d);
  PetscCall(choose_view(d));
  choose_size(d);
  PetscCall(CrCanvasCreate(d->width, d->height, factor, paper, &d->canvas));
  CrDrawObstacles(d);
  PetscCall(draw_bodies(d));
  PetscCall(CrCanvasResolve(&d->canvas, &d->image));
  CrDrawLegend(d);
  PetscCall(CrImageWritePng(&d->image, d->asked->small, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPictureWrite(const char dir[], const CrPicture *picture, const char path[])
{
  Drawing        drawing = {.asked = picture};
  PetscBool      all = picture->range == CR_RANGE_RUN || picture->whole;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrSceneCreate(dir, picture->frame, all, &drawing.scene));
  code = draw(&drawing, path);
  PetscCall(CrCanvasDestroy(&drawing.canvas));
  PetscCall(CrImageDestroy(&drawing.image));
  PetscCall(CrSceneDestroy(&drawing.scene));
  PetscFunctionReturn(code);
}

static PetscErrorCode draw_frames(const char dir[], const char folder[], Drawing *d)
{
  char           path[PETSC_MAX_PATH_LEN];
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < d->scene.film->nframes && !code; f++) {
    snprintf(path, sizeof path, "%s/%04" PetscInt_FMT ".png", folder, f);
    PetscCall(CrSceneSeek(dir, f, &d->scene));
    code = draw(d, path);
    PetscCall(CrCanvasDestroy(&d->canvas));
    PetscCall(CrImageDestroy(&d->image));
  }
  PetscFunctionReturn(code);
}

PetscErrorCode CrPicturesWrite(const char dir[], const CrPicture *picture, const char folder[],
                               PetscInt *n)
{
  Drawing        drawing = {.asked = picture};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrSceneCreate(dir, 0, PETSC_TRUE, &drawing.scene));
  *n = drawing.scene.film->nframes;
  code = draw_frames(dir, folder, &drawing);
  PetscCall(CrSceneDestroy(&drawing.scene));
  PetscFunctionReturn(code);
}

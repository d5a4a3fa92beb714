/* Chooses the places of all parts of a picture: the view, its size, and its panels in columns and rows. */
#include <math.h>
#include <string.h>
#include "draw/picture.h"

#define SMALLEST 0.8 /* unit: letters of small pictures stay readable */
#define WIDE     1.5 /* width over height that several panels together come near to */

static PetscErrorCode choose_view(Drawing *d)
{
  const CrScene *scene = d->panels[0];
  const char    *view = d->asked->view;
  PetscBool      known;

  PetscFunctionBeginUser;
  if (scene->dim == 2) {
    if (view && strcmp(view, "front"))
      CrInputFail("--view %s: a 2D run can be seen from the front only", view);
    view = "flat";
  }
  d->camera = CrCameraMake(view ? view : "iso", scene->head.up, &known);
  if (!known || (scene->dim == 3 && view && !strcmp(view, "flat")))
    CrInputFail(
        "--view %s: expected iso, front, back, left, right, top, bottom or AZIMUTH,ELEVATION in degrees",
        view);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void widen(const CrCamera *camera, const PetscReal x[3], PetscReal box[4])
{
  PetscReal p[2];

  CrCameraPlane(camera, x, p);
  for (int i = 0; i < 2; i++) {
    box[i] = PetscMin(box[i], p[i]);
    box[2 + i] = PetscMax(box[2 + i], p[i]);
  }
}

/* The room of all panels together, or of the whole run. */
static void find_room(Drawing *d)
{
  for (int i = 0; i < 3; i++) {
    d->low[i] = d->asked->whole ? d->run.low[i] : PETSC_MAX_REAL;
    d->high[i] = d->asked->whole ? d->run.high[i] : -PETSC_MAX_REAL;
    for (PetscInt k = 0; !d->asked->whole && k < d->npanels; k++) {
      d->low[i] = PetscMin(d->low[i], d->panels[k]->low[i]);
      d->high[i] = PetscMax(d->high[i], d->panels[k]->high[i]);
    }
  }
}

/* The bodies in the picture plane: of the whole run the corners of its box, else the nodes, which are less. */
static void find_box(Drawing *d, PetscReal box[4])
{
  PetscReal x[3];

  box[0] = box[1] = PETSC_MAX_REAL;
  box[2] = box[3] = -PETSC_MAX_REAL;
  for (int k = 0; d->asked->whole && k < 8; k++) {
    for (int i = 0; i < 3; i++) x[i] = k >> i & 1 ? d->high[i] : d->low[i];
    widen(&d->camera, x, box);
  }
  for (PetscInt k = 0; k < d->npanels; k++) {
    d->scene = d->panels[k];
    for (PetscInt A = 0; !d->asked->whole && A < d->scene->film->nnodes; A++)
      widen(&d->camera, d->scene->x + 3 * A, box);
    CrDrawReach(d, box);
  }
}

/* As many columns as bring the shape of all panels nearest to WIDE. */
static void choose_columns(Drawing *d, PetscReal shape)
{
  PetscReal best = PETSC_MAX_REAL;

  for (PetscInt columns = 1; columns <= d->npanels; columns++) {
    const PetscInt  rows = (d->npanels + columns - 1) / columns;
    const PetscReal off = fabs(log((PetscReal)columns / (PetscReal)rows * shape / WIDE)) +
                          0.3 * (PetscReal)(columns * rows - d->npanels);

    if (off >= best) continue;
    best = off;
    d->columns = columns;
    d->rows = rows;
  }
}

PetscErrorCode CrLayoutMake(Drawing *d)
{
  const CrPicture *asked = d->asked;
  const PetscReal  u = PetscMax((PetscReal)asked->width / 1280, SMALLEST);
  const PetscBool  axes = CrDrawsAxes(d), flat = d->panels[0]->dim == 2;
  const PetscReal  margin = 30 * u, legend = d->field < 0 ? 0 : 165 * u;
  const PetscReal  head =
      asked->plain ? 0 : (d->npanels > 1 ? 36 : 62 + (axes && flat ? 22 : 0)) * u;
  const PetscReal left = axes && flat ? 66 * u : 0, foot = axes ? (flat ? 58 : 46) * u : 0;
  const PetscReal over = d->npanels > 1 && !asked->plain ? 34 * u : 0; /* time of a panel */
  const PetscReal between = axes && flat ? 34 * u : 18 * u;
  PetscReal       box[4], wide, high;

  PetscFunctionBeginUser;
  PetscCall(choose_view(d));
  find_room(d);
  find_box(d, box);
  d->unit = u;
  d->width = asked->width;
  choose_columns(d, (box[2] - box[0]) / PetscMax(box[3] - box[1], 1e-300));
  wide =
      ((PetscReal)d->width - 2 * margin - legend - left - (PetscReal)(d->columns - 1) * between) /
      (PetscReal)d->columns;
  wide = PetscMax(wide, 8 * u);
  high = wide * (box[3] - box[1]) / PetscMax(box[2] - box[0], 1e-300);
  high = PetscClipInterval(high, 0.2 * wide, (d->npanels > 1 ? 3 : 0.85) * wide);
  if (legend > 0) high = PetscMax(high, 300 * u / (PetscReal)d->rows);
  d->apart[0] = wide + between;
  d->apart[1] = high + between + over;
  d->height = asked->height ? asked->height
                            : (PetscInt)(high + (PetscReal)(d->rows - 1) * d->apart[1] + over +
                                         2 * margin + head + foot);
  if (asked->height) { /* the panels share what there is */
    high = ((PetscReal)d->height - 2 * margin - head - foot - over) / (PetscReal)d->rows -
           (between + over) * (PetscReal)(d->rows - 1) / (PetscReal)d->rows;
    high = PetscMax(high, 8 * u);
    d->apart[1] = high + between + over;
  }
  d->first[0] = margin + left;
  d->first[1] = margin + head + over;
  d->first[2] = d->first[0] + wide;
  d->first[3] = d->first[1] + high;
  CrCameraFit(&d->camera, box, d->first);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrLayoutPanel(Drawing *d, PetscInt k)
{
  const PetscReal way[2] = {(PetscReal)(k % d->columns) * d->apart[0],
                            (PetscReal)(k / d->columns) * d->apart[1]};

  d->scene = d->panels[k];
  for (int i = 0; i < 4; i++) d->into[i] = d->first[i] + way[i % 2];
  for (int i = 0; i < 2; i++) d->camera.middle[i] = 0.5 * (d->into[i] + d->into[2 + i]);
}

/* The command `carom picture`: draws frames of a run as an image, or as a file of lines and areas. */
#include "draw/picture.h"
#include <math.h>

#define FACTOR 3 /* finer pixels per pixel, in each direction */

static const CrColour paper = {255, 255, 255};

CrPicture CrPictureDefault(void)
{
  const CrPicture picture = {.nframes = 1, .frames = {-1}, .width = 1280, .mesh = PETSC_TRUE};

  return picture;
}

/* ---- drawing ---------------------------------------------------------------------------------- */

static PetscErrorCode draw_panels(Drawing *d)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < d->npanels; k++) {
    CrLayoutPanel(d, k);
    CrDrawObstacles(d);
    PetscCall(CrDrawBodies(d));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode draw(Drawing *d, const char path[])
{
  /* large pictures are fine enough with fewer */
  const PetscInt factor = d->asked->width > 3000 ? 2 : FACTOR;

  PetscFunctionBeginUser;
  d->sheet = (CrSheet){.ops = CrSheetFor(path), .small = d->asked->small, .brief = d->asked->brief};
  if (!d->sheet.ops) CrInputFail("-o %s: pictures are .png, .svg or .pdf files", path);
  if (CrDrawsLines(d) && d->panels[0]->dim == 3)
    CrInputFail("-o %s: pictures of 3D runs consist of pixels; name the file .png", path);
  PetscCall(CrFieldChoose(d->panels[0]->film, d->asked->field, &d->field));
  if (d->field >= 0) CrFieldRange(d);
  CrFieldMap(d);
  PetscCall(CrLayoutMake(d));
  d->sheet.width = d->width;
  d->sheet.height = d->height;
  if (!CrDrawsLines(d)) PetscCall(CrCanvasCreate(d->width, d->height, factor, paper, &d->canvas));
  PetscCall(draw_panels(d));
  if (!CrDrawsLines(d)) PetscCall(CrCanvasResolve(&d->canvas, &d->sheet.image));
  for (PetscInt k = 0; k < d->npanels; k++) {
    CrLayoutPanel(d, k);
    CrDrawAxes(d);
  }
  CrDrawLegend(d);
  PetscCall(d->sheet.ops->write(&d->sheet, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode drawn(Drawing *d, const char path[])
{
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = draw(d, path);
  PetscCall(CrCanvasDestroy(&d->canvas));
  PetscCall(CrSheetDestroy(&d->sheet));
  PetscFunctionReturn(code);
}

/* ---- one picture ------------------------------------------------------------------------------ */

/* The frames of the panels, in [-total, total). `panels` asks for so many from the first to the last. */
static PetscErrorCode choose_frames(const char dir[], const CrPicture *asked, PetscInt *n,
                                    PetscInt frames[CR_MOST_PANELS])
{
  PetscInt total;

  PetscFunctionBeginUser;
  *n = asked->panels ? asked->panels : asked->nframes;
  PetscCall(PetscArraycpy(frames, asked->frames, asked->nframes));
  if (!asked->panels) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrSceneFrames(dir, &total));
  *n = PetscMin(*n, total);
  for (PetscInt k = 0; k < *n; k++)
    frames[k] = *n > 1 ? (PetscInt)((PetscReal)(k * (total - 1)) / (PetscReal)(*n - 1) + 0.5) : -1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode open_scenes(const char dir[], Drawing *d, CrScene scenes[CR_MOST_PANELS])
{
  PetscInt n, frames[CR_MOST_PANELS];

  PetscFunctionBeginUser;
  PetscCall(choose_frames(dir, d->asked, &n, frames));
  if (d->asked->range == CR_RANGE_RUN || d->asked->whole)
    PetscCall(CrSceneCreate(dir, -1, PETSC_TRUE, &d->run));
  for (PetscInt k = 0; k < n; k++) {
    PetscCall(CrSceneCreate(dir, frames[k], PETSC_FALSE, &scenes[k]));
    d->panels[d->npanels++] = &scenes[k];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPictureWrite(const char dir[], const CrPicture *picture, const char path[])
{
  Drawing        drawing = {.asked = picture};
  CrScene        scenes[CR_MOST_PANELS] = {{0}};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = open_scenes(dir, &drawing, scenes);
  if (!code) code = drawn(&drawing, path);
  for (PetscInt k = 0; k < drawing.npanels; k++) PetscCall(CrSceneDestroy(&scenes[k]));
  PetscCall(CrSceneDestroy(&drawing.run));
  PetscFunctionReturn(code);
}

/* ---- all frames ------------------------------------------------------------------------------- */

static PetscErrorCode draw_frames(const char dir[], const char folder[], Drawing *d)
{
  char           path[PETSC_MAX_PATH_LEN];
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  d->npanels = 1;
  d->panels[0] = &d->run;
  for (PetscInt f = 0; f < d->run.film->nframes && !code; f++) {
    snprintf(path, sizeof path, "%s/%04" PetscInt_FMT ".png", folder, f);
    PetscCall(CrSceneSeek(dir, f, &d->run));
    code = drawn(d, path);
  }
  PetscFunctionReturn(code);
}

PetscErrorCode CrPicturesWrite(const char dir[], const CrPicture *picture, const char folder[],
                               PetscInt *n)
{
  Drawing        drawing = {.asked = picture};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrSceneCreate(dir, 0, PETSC_TRUE, &drawing.run));
  *n = drawing.run.film->nframes;
  code = draw_frames(dir, folder, &drawing);
  PetscCall(CrSceneDestroy(&drawing.run));
  PetscFunctionReturn(code);
}

/* The commands `carom picture` and `carom plot`. */
#include <stdlib.h>
#include <string.h>
#include "app/app.h"

#define MOST_PIXELS 8192

/* "4", or "0,4,-1". */
static PetscErrorCode take_frames(const char text[], CrPicture *picture)
{
  const char *at = text;

  PetscFunctionBeginUser;
  picture->nframes = 0;
  for (;;) {
    char *rest;
    long  k = strtol(at, &rest, 10);

    if (rest == at || (*rest && *rest != ',') || k < -1000000000 || k > 1000000000)
      CrInputFail(
          "--frame %s: expected a whole number, or several whole numbers separated by commas",
          text);
    if (picture->nframes == CR_MOST_PANELS)
      CrInputFail("--frame %s: at most %d frames can be drawn in one picture", text,
                  CR_MOST_PANELS);
    picture->frames[picture->nframes++] = (PetscInt)k;
    if (!*rest) PetscFunctionReturn(PETSC_SUCCESS);
    at = rest + 1;
  }
}

static PetscErrorCode take_size(const char text[], CrPicture *picture)
{
  int  width, height = 0, n;
  char more;

  PetscFunctionBeginUser;
  n = sscanf(text, "%d%c", &width, &more);
  if (n != 1) n = sscanf(text, "%dx%d%c", &width, &height, &more) - 1;
  if (n != 1 || width < 64 || width > MOST_PIXELS || height > MOST_PIXELS ||
      (height && height < 64) || height < 0)
    CrInputFail("--size %s: expected W or WxH, each from 64 to %d pixels", text, MOST_PIXELS);
  picture->width = width;
  picture->height = height;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_range(const char text[], CrPicture *picture)
{
  double least, greatest;
  char   more;

  PetscFunctionBeginUser;
  picture->range = CR_RANGE_RUN;
  if (!strcmp(text, "run")) PetscFunctionReturn(PETSC_SUCCESS);
  picture->range = CR_RANGE_FRAME;
  if (!strcmp(text, "frame")) PetscFunctionReturn(PETSC_SUCCESS);
  if (sscanf(text, "%lf,%lf%c", &least, &greatest, &more) != 2 || !(greatest > least) ||
      !(greatest - least < 1e300))
    CrInputFail("--range %s: expected run, frame or MIN,MAX", text);
  picture->range = CR_RANGE_GIVEN;
  picture->least = least;
  picture->greatest = greatest;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppPictureTake(const AppArguments *a, CrPicture *picture)
{
  PetscFunctionBeginUser;
  *picture = CrPictureDefault();
  picture->field = a->field;
  picture->view = a->view;
  picture->whole = a->whole;
  picture->plain = a->plain;
  picture->small = a->small;
  picture->mesh = !a->no_mesh;
  picture->no_axes = a->no_axes;
  picture->panels = a->panels;
  if (a->frame && a->panels) CrInputFail("--frame and --panels cannot be given together");
  if (a->frame) PetscCall(take_frames(a->frame, picture));
  if (a->size) PetscCall(take_size(a->size, picture));
  if (a->range) PetscCall(take_range(a->range, picture));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppPicture(const AppArguments *a, int *status)
{
  CrPicture   picture;
  char        path[PETSC_MAX_PATH_LEN];
  const char *to = a->output ? a->output : path;

  PetscFunctionBeginUser;
  *status = 0;
  PetscCall(AppPictureTake(a, &picture));
  snprintf(path, sizeof path, "%s/picture.png", a->words[0]);
  PetscCall(CrPictureWrite(a->words[0], &picture, to));
  CrLog("%s\n", to);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppPlot(const AppArguments *a, int *status)
{
  char        path[PETSC_MAX_PATH_LEN];
  const char *to = a->output ? a->output : path;
  PetscInt    n;

  PetscFunctionBeginUser;
  *status = 0;
  snprintf(path, sizeof path, "%s/plots", a->words[0]);
  PetscCall(CrPlotsWrite(a->words[0], to, &n));
  CrLog("%" PetscInt_FMT " plots were written to %s\n", n, to);
  PetscFunctionReturn(PETSC_SUCCESS);
}

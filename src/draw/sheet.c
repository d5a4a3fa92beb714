/* Functions that all sheets share, and the sheet of pixels. */
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include "base/grow.h"
#include "draw/sheet.h"
#include "output/file.h"

#define SEAM 0.35 /* width of the line around an area of a file */

static const CrSheetOps *const kinds[] = {&CrSheetPixels, &CrSheetSvg, &CrSheetPdf};

const CrSheetOps *CrSheetFor(const char path[])
{
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

  if (!dot || !dot[1]) return &CrSheetPixels;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (!strcasecmp(dot, kinds[k]->ending)) return kinds[k];
  return NULL;
}

PetscErrorCode CrSheetDestroy(CrSheet *sheet)
{
  PetscFunctionBeginUser;
  PetscCall(CrImageDestroy(&sheet->image));
  PetscCall(PetscFree(sheet->bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- files ------------------------------------------------------------------------------------ */

void CrSheetPut(CrSheet *sheet, const char format[], ...)
{
  va_list list;
  int     n;

  va_start(list, format);
  n = vsnprintf(NULL, 0, format, list);
  va_end(list);
  if (!sheet->code && n > 0)
    sheet->code = CrGrowBytes(sheet->used + (size_t)n + 1, &sheet->room, &sheet->bytes);
  if (sheet->code || n <= 0) return;
  va_start(list, format);
  vsnprintf(sheet->bytes + sheet->used, (size_t)n + 1, format, list);
  va_end(list);
  sheet->used += (size_t)n;
}

void CrSheetAdd(CrSheet *sheet, const void *bytes, size_t n)
{
  if (!sheet->code && n) sheet->code = CrGrowBytes(sheet->used + n, &sheet->room, &sheet->bytes);
  if (sheet->code || !n) return;
  memcpy(sheet->bytes + sheet->used, bytes, n);
  sheet->used += n;
}

PetscErrorCode CrSheetWriteBytes(const void *bytes, size_t n, const char path[])
{
  char        dir[PETSC_MAX_PATH_LEN];
  const char *name = CrPathSplit(path, dir);
  OutputFile  file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, dir, name));
  PetscCall(CrFileWrite(&file, bytes, n));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* May the next line or area go into the path that is open? If not, the pen changes. */
static PetscBool goes_on(CrSheet *sheet, const CrSheetPen *pen)
{
  const CrSheetPen *now = &sheet->pen;
  const PetscBool   same = now->kind == pen->kind && now->width == pen->width &&
                         now->opacity == pen->opacity &&
                         !memcmp(now->colour, pen->colour, sizeof(CrColour));

  sheet->pen = *pen;
  return same;
}

void CrSheetEndPath(CrSheet *sheet)
{
  if (sheet->pen.kind) sheet->ops->end(sheet, sheet->pen.kind);
  sheet->pen.kind = 0;
}

static void put_path(CrSheet *sheet, const CrSheetPen *pen, PetscInt n, PetscReal points[][2])
{
  const CrSheetPen before = sheet->pen;

  if (!goes_on(sheet, pen)) {
    if (before.kind) sheet->ops->end(sheet, before.kind);
    sheet->ops->begin(sheet, pen);
  }
  for (PetscInt k = 0; k < n; k++) sheet->ops->point(sheet, points[k], k == 0);
}

void CrSheetPath(CrSheet *sheet, PetscInt n, PetscReal points[][2], PetscReal width,
                 const CrColour colour, PetscReal opacity)
{
  CrSheetPen pen = {.kind = 'p', .width = width, .opacity = opacity};

  memcpy(pen.colour, colour, sizeof pen.colour);
  put_path(sheet, &pen, n, points);
}

void CrSheetArea(CrSheet *sheet, PetscInt n, PetscReal points[][2], const CrColour colour)
{
  CrSheetPen pen = {.kind = 'a', .width = SEAM, .opacity = 1};

  memcpy(pen.colour, colour, sizeof pen.colour);
  put_path(sheet, &pen, n, points);
  CrSheetPut(sheet, "%s", sheet->ops->close);
}

/* ---- pixels ----------------------------------------------------------------------------------- */

static void pixel_path(CrSheet *sheet, PetscInt n, PetscReal points[][2], PetscReal width,
                       const CrColour colour, PetscReal opacity)
{
  CrInkPath(&sheet->image, n, points, width, colour, opacity);
}

static void pixel_area(CrSheet *sheet, PetscInt n, PetscReal points[][2], const CrColour colour)
{
  CrInkArea(&sheet->image, n, points, colour);
}

static void pixel_text(CrSheet *sheet, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
                       const CrColour colour, const char text[])
{
  CrInkText(&sheet->image, x, y, size, align, colour, text);
}

static PetscErrorCode pixel_write(CrSheet *sheet, const char path[])
{
  PetscFunctionBeginUser;
  PetscCall(CrImageWritePng(&sheet->image, sheet->small, sheet->brief, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrSheetOps CrSheetPixels = {.ending = ".png",
                                  .path = pixel_path,
                                  .area = pixel_area,
                                  .text = pixel_text,
                                  .write = pixel_write};

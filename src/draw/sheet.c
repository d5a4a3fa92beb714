/* What all sheets share, and the sheet of pixels. */
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include "base/grow.h"
#include "draw/sheet.h"
#include "output/file.h"

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

PetscBool CrSheetGoesOn(CrSheet *sheet, const CrSheetPen *pen)
{
  const CrSheetPen *now = &sheet->pen;
  const PetscBool   same = now->kind == pen->kind && now->width == pen->width &&
                         now->opacity == pen->opacity &&
                         !memcmp(now->colour, pen->colour, sizeof(CrColour));

  sheet->pen = *pen;
  return same;
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

const CrSheetOps CrSheetPixels = {".png", pixel_path, pixel_area, pixel_text, pixel_write};

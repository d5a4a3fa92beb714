/* Writes a sheet as a PDF file of one page. Letters are drawn as outlines, so that no font is needed. A width of 1280
   becomes the width of a page of A4. */
#include <string.h>
#include <zlib.h>
#include "draw/sheet.h"

#define SCALE  0.46 /* points of the paper per pixel */
#define SHADES 10   /* opacities that the file knows: 0.1, 0.2, ... */

static PetscInt shade_of(PetscReal opacity)
{
  return (PetscInt)PetscClipInterval(SHADES * opacity + 0.5, 1, SHADES);
}

static void end(CrSheet *s, char kind)
{
  CrSheetPut(s, kind == 'a' ? "B\n" : "S\n");
}

static void put_colour(CrSheet *s, const CrColour c, const char operator[])
{
  CrSheetPut(s, "%.3f %.3f %.3f %s\n", c[0] / 255., c[1] / 255., c[2] / 255., operator);
}

static void begin(CrSheet *s, const CrSheetPen *pen)
{
  CrSheetPut(s, "/G%d gs %.3g w\n", (int)shade_of(pen->opacity), (double)pen->width);
  put_colour(s, pen->colour, "RG");
  put_colour(s, pen->colour, "rg");
}

static void put_point(CrSheet *s, const PetscReal point[2], PetscBool first)
{
  CrSheetPut(s, "%.2f %.2f %c\n", (double)point[0], (double)point[1], first ? 'm' : 'l');
}

/* ---- letters ---------------------------------------------------------------------------------- */

typedef struct {
  CrSheet  *sheet;
  PetscReal last[2];
} Tracer;

/* A parabola is a cubic curve whose control points lie two thirds of the way to its own. */
static void trace(void *ctx, char letter, PetscReal p[2][2])
{
  Tracer          *t = ctx;
  const PetscReal *end = p[letter == 'Q'], *c = p[0];

  if (letter == 'Q')
    CrSheetPut(t->sheet, "%.2f %.2f %.2f %.2f %.2f %.2f c\n",
               (double)(t->last[0] + 2 * (c[0] - t->last[0]) / 3),
               (double)(t->last[1] + 2 * (c[1] - t->last[1]) / 3),
               (double)(end[0] + 2 * (c[0] - end[0]) / 3),
               (double)(end[1] + 2 * (c[1] - end[1]) / 3), (double)end[0], (double)end[1]);
  else
    CrSheetPut(t->sheet, "%.2f %.2f %c\n", (double)end[0], (double)end[1],
               letter == 'M' ? 'm' : 'l');
  t->last[0] = end[0];
  t->last[1] = end[1];
}

static void pdf_text(CrSheet *s, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
                     const CrColour colour, const char text[])
{
  Tracer tracer = {.sheet = s};

  CrSheetEndPath(s);
  CrSheetPut(s, "/G%d gs\n", SHADES);
  put_colour(s, colour, "rg");
  CrTextTrace(x, y, size, align, text, trace, &tracer);
  CrSheetPut(s, "f\n");
}

/* ---- the file --------------------------------------------------------------------------------- */

#define OBJECTS 4

/* Objects 1 to 3: the root of the file, the list of pages, the page. */
static void put_head(CrSheet *file, const CrSheet *s, size_t at[OBJECTS])
{
  CrSheetPut(file, "%%PDF-1.4\n");
  at[0] = file->used;
  CrSheetPut(file, "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n");
  at[1] = file->used;
  CrSheetPut(file, "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n");
  at[2] = file->used;
  CrSheetPut(file,
             "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 %.2f %.2f]/Contents 4 0 R"
             "/Resources<</ExtGState<<",
             (double)(SCALE * (PetscReal)s->width), (double)(SCALE * (PetscReal)s->height));
  for (int k = 1; k <= SHADES; k++) CrSheetPut(file, "/G%d<</CA %.1f>>", k, (double)k / SHADES);
  CrSheetPut(file, ">>>>>>\nendobj\n");
}

static void put_tail(CrSheet *file, const size_t at[OBJECTS])
{
  const size_t start = file->used;

  CrSheetPut(file, "xref\n0 %d\n0000000000 65535 f \n", OBJECTS + 1);
  for (int k = 0; k < OBJECTS; k++) CrSheetPut(file, "%010zu 00000 n \n", at[k]);
  CrSheetPut(file, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%zu\n%%%%EOF\n", OBJECTS + 1,
             start);
}

/* Object 4: what is drawn, packed. */
static PetscErrorCode put_content(CrSheet *file, const char text[], size_t n, size_t *at)
{
  uLong          size = compressBound((uLong)n);
  unsigned char *packed;
  int            status;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(size, &packed));
  status = compress2(packed, &size, (const unsigned char *)text, (uLong)n, Z_BEST_COMPRESSION);
  PetscCheck(status == Z_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "zlib: error %d", status);
  *at = file->used;
  CrSheetPut(file, "4 0 obj\n<</Length %lu/Filter/FlateDecode>>\nstream\n", size);
  CrSheetAdd(file, packed, size);
  CrSheetPut(file, "\nendstream\nendobj\n");
  PetscCall(PetscFree(packed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode pdf_write(CrSheet *s, const char path[])
{
  CrSheet content = {0}, file = {0};
  size_t  at[OBJECTS];

  PetscFunctionBeginUser;
  CrSheetEndPath(s);
  PetscCall(s->code);
  /* pixels have y down */
  CrSheetPut(&content, "%g 0 0 %g 0 %.2f cm 1 J 1 j\n", SCALE, -SCALE,
             (double)(SCALE * (PetscReal)s->height));
  CrSheetAdd(&content, s->bytes, s->used);
  PetscCall(content.code);
  put_head(&file, s, at);
  PetscCall(put_content(&file, content.bytes, content.used, &at[3]));
  put_tail(&file, at);
  PetscCall(file.code);
  PetscCall(CrSheetWriteBytes(file.bytes, file.used, path));
  PetscCall(CrSheetDestroy(&content));
  PetscCall(CrSheetDestroy(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrSheetOps CrSheetPdf = {".pdf", CrSheetPath, CrSheetArea, pdf_text, pdf_write,
                               begin,  put_point,   end,         "h\n"};

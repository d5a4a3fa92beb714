/* Writes the web page: the template of web/ with the data of one run or several runs inserted. A part (a table, the
   mesh, a block of frames) is a script element of text that the page decodes. One JSON object describes all parts. */
#include "report/report.h"
#include <string.h>
#include <time.h>
#include "output/output.h"
#include "report/about.h"
#include "report/code.h"
#include "report/film_code.h"
#include "report/json.h"
#include "report/table.h"
#include "report/template.h"

#define MOST_BYTES   14.5e6 /* of a page of the usual size, before base64, about */
#define BODY_BYTES   50     /* that the description of a body takes */
#define MOST_NUMBERS 4e5    /* of a table */
#define MOST_PLACES  8e6    /* nodes times frames */

typedef struct {
  OutputFile file;
  cJSON     *document; /* owned */
  PetscInt   nparts;
  PetscReal  share;               /* of the space of a usual page, for one run */
  PetscReal  used;                /* of it by the tables of the run, in bytes */
  PetscInt   first, count, total; /* frames: from, at most; how many there are */
} Page;

PetscBool CrReportIsThere(void)
{
  size_t length;

  CrTemplate(&length);
  return length != 0;
}

/* ---- parts -------------------------------------------------------------------------------- */

/* Writes the bytes as a part; its number goes into the object. */
static PetscErrorCode put_part(Page *page, const CrBytes *deflated, cJSON *object,
                               const char name[])
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(&page->file, "<script type=\"text/plain\" id=\"part%" PetscInt_FMT "\">",
                        page->nparts));
  PetscCall(CrBytesWriteBase64(deflated, &page->file));
  PetscCall(CrFilePrint(&page->file, "</script>\n"));
  PetscCall(CrJsonAddReal(object, name, page->nparts++));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_column(const CrColumn *column, cJSON *columns)
{
  cJSON *object = cJSON_CreateObject(), *words;

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(columns, NULL, object));
  PetscCall(CrJsonAddText(object, "name", column->name));
  if (!column->nwords) PetscFunctionReturn(PETSC_SUCCESS);
  words = cJSON_CreateStringArray(column->words, (int)column->nwords);
  PetscCall(CrJsonAdd(object, "words", words));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_columns(Page *page, const CrTable *table, cJSON *object)
{
  CrBytes bytes = {0}, deflated = {0};
  cJSON  *columns = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(object, "columns", columns));
  PetscCall(CrJsonAddReal(object, "rows", table->nrows));
  PetscCall(CrJsonAddReal(object, "every", table->every));
  for (PetscInt c = 0; c < table->ncolumns; c++) {
    PetscCall(describe_column(&table->columns[c], columns));
    PetscCall(CrCodeReals(&bytes, table->nrows, table->columns[c].values));
  }
  PetscCall(CrBytesDeflate(&bytes, &deflated));
  PetscCall(put_part(page, &deflated, object, "part"));
  page->used += (PetscReal)deflated.size;
  PetscCall(CrBytesFree(&bytes));
  PetscCall(CrBytesFree(&deflated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_table(Page *page, const char dir[], const char name[], cJSON *tables)
{
  char     path[PETSC_MAX_PATH_LEN];
  CrTable *table;
  cJSON   *object;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/%s.csv", dir, name);
  PetscCall(CrTableRead(path, MOST_NUMBERS * page->share, &table));
  if (!table) PetscFunctionReturn(PETSC_SUCCESS);
  object = cJSON_CreateObject();
  PetscCall(CrJsonAdd(tables, name, object));
  PetscCall(put_columns(page, table, object));
  PetscCall(CrTableDestroy(&table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the film ----------------------------------------------------------------------------- */

static PetscErrorCode describe_bodies(const CrFilm *film, const CrFilmCode *code, cJSON *object)
{
  cJSON *bodies = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(object, "bodies", bodies));
  for (PetscInt b = 0; b < film->nbodies; b++) {
    cJSON *body = cJSON_CreateObject();

    PetscCall(CrJsonAdd(bodies, NULL, body));
    PetscCall(CrJsonAddReal(body, "elements", film->elements[b]));
    PetscCall(CrJsonAddReal(body, "extent", code->extent[b]));
    if (b < film->first_rigid) PetscCall(CrJsonAddReal(body, "reach", code->reach[b]));
    if (film->ball[b] > 0) PetscCall(CrJsonAddReal(body, "ball", film->ball[b]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_fields(const CrFilm *film, const CrFilmQuality *quality,
                                      const CrShownRange ranges[], cJSON *object)
{
  cJSON *fields = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(object, "fields", fields));
  for (PetscInt k = 0; k < CR_SHOWN_FIELDS; k++) {
    const CrShown *shown = &CrShownTable[k];
    cJSON         *field;

    if (!CrShownIs(film, shown, quality->parts)) continue;
    field = cJSON_CreateObject();
    PetscCall(CrJsonAdd(fields, NULL, field));
    PetscCall(CrJsonAddText(field, "name", shown->name));
    PetscCall(CrJsonAddReals(field, "range", 2, ranges[k].coded));
    PetscCall(CrJsonAddReal(field, "least", ranges[k].least));
    PetscCall(CrJsonAddReal(field, "greatest", ranges[k].greatest));
    PetscCall(CrJsonAddReal(field, "typical", ranges[k].typical));
    if (CrShownIsCoded(film, shown, quality->parts))
      PetscCall(CrJsonAddReal(field, "levels", CrFilmLevels(shown, quality)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_times(const CrFilm *film, const CrFilmCode *code, cJSON *object)
{
  PetscReal *times;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(code->nframes, &times));
  for (PetscInt k = 0; k < code->nframes; k++) times[k] = film->times[code->frames[k]];
  PetscCall(CrJsonAddReals(object, "times", code->nframes, times));
  PetscCall(PetscFree(times));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_film(const CrFilm *film, const CrFilmCode *code,
                                    const CrFilmQuality *quality, const CrShownRange ranges[],
                                    cJSON *object)
{
  PetscFunctionBeginUser;
  PetscCall(CrJsonAddReal(object, "dimension", film->dim));
  PetscCall(CrJsonAddReal(object, "nodes", film->nnodes));
  PetscCall(CrJsonAddReal(object, "triangles", code->ntriangles));
  PetscCall(CrJsonAddReal(object, "first_rigid", film->first_rigid));
  PetscCall(CrJsonAddReal(object, "first_rigid_node", film->first_rigid_node));
  PetscCall(CrJsonAddReal(object, "greatest_speed", film->speed ? code->greatest_speed : -1));
  PetscCall(CrJsonAddReal(object, "greatest_spin", code->greatest_spin));
  PetscCall(CrJsonAddReal(object, "speed_levels", quality->field_levels));
  PetscCall(CrJsonAddReal(object, "every", film->every * quality->every));
  PetscCall(CrJsonAddReal(object, "levels", quality->position_levels));
  PetscCall(cJSON_AddBoolToObject(object, "parts", quality->parts) ? PETSC_SUCCESS : PETSC_ERR_MEM);
  PetscCall(CrJsonAddReals(object, "low", 3, code->low));
  PetscCall(CrJsonAddReal(object, "size", code->size));
  PetscCall(CrJsonAddReals(object, "box_low", 3, code->box[0]));
  PetscCall(CrJsonAddReals(object, "box_high", 3, code->box[1]));
  PetscCall(CrJsonAddReal(object, "forces", code->nforces));
  PetscCall(CrJsonAddReal(object, "greatest_force", code->greatest_force));
  PetscCall(describe_bodies(film, code, object));
  PetscCall(describe_fields(film, quality, ranges, object));
  PetscCall(describe_times(film, code, object));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_film_code(Page *page, const CrFilmCode *code, cJSON *object)
{
  cJSON *blocks = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(object, "blocks", blocks));
  PetscCall(put_part(page, &code->mesh, object, "mesh"));
  for (PetscInt b = 0; b < code->nblocks; b++) {
    cJSON *block = cJSON_CreateObject();

    PetscCall(CrJsonAdd(blocks, NULL, block));
    PetscCall(CrJsonAddReal(block, "frames", code->counts[b]));
    PetscCall(put_part(page, &code->blocks[b], block, "part"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next coarser code. */
static void coarsen(CrFilmQuality *quality)
{
  if (quality->field_levels > 255)
    quality->field_levels = 255;
  else if (quality->parts)
    quality->parts = PETSC_FALSE;
  else if (quality->position_levels > 2047)
    quality->position_levels = 2047;
  else
    quality->every *= 2;
}

/* Coarser and coarser until it is small enough; what was done stands in the page. */
static PetscErrorCode put_coded(Page *page, const CrFilm *film, cJSON *run)
{
  CrFilmQuality   quality = {32767, 4095, PETSC_TRUE, 1};
  CrShownRange    ranges[CR_SHOWN_FIELDS];
  const PetscReal left = MOST_BYTES * page->share - page->used - BODY_BYTES * film->nbodies;
  const size_t    most = (size_t)PetscMax(left, 0.1 * MOST_BYTES * page->share);
  CrFilmCode     *code;
  cJSON          *object;

  PetscFunctionBeginUser;
  PetscCall(CrShownRanges(film, ranges));
  PetscCall(CrFilmCodeCreate(film, &quality, ranges, &code));
  while (code->total > most && quality.every < film->nframes) {
    coarsen(&quality);
    PetscCall(CrFilmCodeDestroy(&code));
    PetscCall(CrFilmCodeCreate(film, &quality, ranges, &code));
  }
  object = cJSON_CreateObject();
  PetscCall(CrJsonAdd(run, "film", object));
  PetscCall(describe_film(film, code, &quality, ranges, object));
  PetscCall(put_film_code(page, code, object));
  PetscCall(CrFilmCodeDestroy(&code));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_film(Page *page, const char dir[], PetscInt dim, cJSON *run)
{
  const CrFilmAsk ask = {dim, MOST_PLACES * page->share, page->first, page->count, PETSC_TRUE};
  CrFilm         *film;

  PetscFunctionBeginUser;
  PetscCall(CrFilmRead(dir, &ask, &page->total, &film));
  if (film) PetscCall(put_coded(page, film, run));
  PetscCall(CrFilmDestroy(&film));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a run -------------------------------------------------------------------------------- */

static PetscErrorCode put_run(Page *page, const CrReportRun *from, PetscBool brief, cJSON *runs)
{
  static const char *const names[] = {"history",  "contacts", "bodies",   "probes",
                                      "extremes", "events",   "reactions"};
  cJSON                   *run = cJSON_CreateObject(), *tables = cJSON_CreateObject();
  PetscInt                 dim;

  PetscFunctionBeginUser;
  page->used = 0;
  PetscCall(CrJsonAdd(runs, NULL, run));
  PetscCall(CrJsonAdd(run, "tables", tables));
  if (from->label) PetscCall(CrJsonAddText(run, "label", from->label));
  if (from->trouble) PetscCall(CrJsonAddText(run, "trouble", from->trouble));
  if (!from->dir) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrAboutDeck(from->dir, run, &dim));
  PetscCall(CrAboutAudit(from->dir, run));
  PetscCall(CrAboutStudy(from->dir, run));
  for (int k = 0; k < (brief ? 3 : 7); k++) PetscCall(put_table(page, from->dir, names[k], tables));
  PetscCall(put_film(page, from->dir, dim, run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the page ----------------------------------------------------------------------------- */

/* The JSON stands in a script element, which "</" would end. */
static PetscErrorCode put_document(Page *page)
{
  char          *text = cJSON_PrintUnformatted(page->document);
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCheck(text, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the page");
  code = CrFilePrint(&page->file, "<script type=\"application/json\" id=\"document\">");
  for (const char *s = text; *s && !code;) {
    size_t n = strcspn(s, "<");

    code = CrFileWrite(&page->file, s, n);
    s += n;
    if (*s && !code) code = CrFilePrint(&page->file, "\\u003c");
    if (*s) s++;
  }
  cJSON_free(text);
  if (!code) code = CrFilePrint(&page->file, "</script>\n");
  PetscFunctionReturn(code);
}

static PetscErrorCode describe_page(Page *page, const char kind[], const char title[])
{
  time_t now = time(NULL);
  char   day[32];

  PetscFunctionBeginUser;
  strftime(day, sizeof day, "%Y-%m-%d %H:%M", localtime(&now));
  PetscCall(CrJsonAddText(page->document, "kind", kind));
  if (title) PetscCall(CrJsonAddText(page->document, "title", title));
  PetscCall(CrJsonAddText(page->document, "version", CrVersion()));
  PetscCall(CrJsonAddText(page->document, "written", day));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill(Page *page, const char kind[], const char title[], PetscInt n,
                           const CrReportRun runs[])
{
  static const char mark[] = "<!--data-->";
  size_t            length;
  const char *template = CrTemplate(&length), *middle = strstr(template, mark);
  cJSON *list = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCheck(middle, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the page has no place for data");
  PetscCall(CrJsonAdd(page->document, "runs", list));
  PetscCall(describe_page(page, kind, title));
  PetscCall(CrFileWrite(&page->file, template, (size_t)(middle - template)));
  for (PetscInt k = 0; k < n; k++) PetscCall(put_run(page, &runs[k], n > 1, list));
  PetscCall(put_document(page));
  middle += sizeof mark - 1;
  PetscCall(CrFileWrite(&page->file, middle, length - (size_t)(middle - template)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* more: a further part of the document with the name of its kind, or NULL; the page takes it. */
static PetscErrorCode write_page(const char dir[], const char name[], const char kind[],
                                 const char title[], PetscReal size, PetscInt n,
                                 const CrReportRun runs[], cJSON *more)
{
  Page           page = {.share = size / CR_REPORT_SIZE / PetscMax(n, 1), .count = PETSC_MAX_INT};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (!CrReportIsThere())
    CrInputFail("this program was built without its web page, so it cannot write %s", name);
  page.document = cJSON_CreateObject();
  PetscCheck(page.document, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the page");
  if (more) PetscCall(CrJsonAdd(page.document, kind, more));
  PetscCall(CrFileBegin(&page.file, dir, name));
  code = fill(&page, kind, title, n, runs);
  if (!code) code = CrFileEnd(&page.file);
  if (code) CrFileDrop(&page.file);
  cJSON_Delete(page.document);
  PetscFunctionReturn(code);
}

PetscErrorCode CrReportWrite(const char dir[], PetscReal size)
{
  const CrReportRun run = {.dir = dir};
  char              path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  PetscCall(CrRunDeckPath(dir, path, sizeof path));
  PetscCall(write_page(dir, "report.html", "report", NULL, size, 1, &run, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReportCompare(const char dir[], const char title[], PetscInt n,
                               const CrReportRun runs[], cJSON *studies)
{
  PetscFunctionBeginUser;
  PetscCall(write_page(dir, "compare.html", "compare", title, CR_REPORT_SIZE, n, runs, studies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReportConverge(const char dir[], const char title[], PetscInt n,
                                const CrReportRun runs[], cJSON *study)
{
  PetscFunctionBeginUser;
  PetscCall(write_page(dir, "converge.html", "converge", title, CR_REPORT_SIZE, n, runs, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReportSweep(const char dir[], const char title[], cJSON *study)
{
  PetscFunctionBeginUser;
  PetscCall(write_page(dir, "sweep.html", "sweep", title, CR_REPORT_SIZE, 0, NULL, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- for the viewer ------------------------------------------------------------------------- */

static PetscErrorCode stream(Page *page, FILE *to)
{
  PetscFunctionBeginUser;
  page->file = (OutputFile){.stream = to, .path = "the page"};
  page->document = cJSON_CreateObject();
  PetscCheck(page->document, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the page");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReportStream(const char dir[], FILE *to)
{
  const CrReportRun run = {.dir = dir};
  Page              page = {.share = 1, .count = PETSC_MAX_INT};
  PetscErrorCode    code;

  PetscFunctionBeginUser;
  if (!CrReportIsThere()) CrInputFail("this program was built without its web page");
  PetscCall(stream(&page, to));
  code = fill(&page, "report", NULL, 1, &run);
  cJSON_Delete(page.document);
  PetscFunctionReturn(code);
}

static PetscErrorCode fill_film(Page *page, const char dir[])
{
  cJSON   *ignored = cJSON_CreateObject();
  PetscInt dim;

  PetscFunctionBeginUser;
  PetscCheck(ignored, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the page");
  PetscCall(CrAboutDeck(dir, ignored, &dim));
  cJSON_Delete(ignored);
  PetscCall(put_film(page, dir, dim, page->document));
  PetscCall(CrJsonAddReal(page->document, "total", page->total));
  PetscCall(put_document(page));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReportStreamFilm(const char dir[], PetscInt first, PetscInt count, PetscInt part,
                                  FILE *to)
{
  Page           page = {.share = 0.2, .first = first, .count = count, .nparts = part};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(stream(&page, to));
  code = fill_film(&page, dir);
  cJSON_Delete(page.document);
  PetscFunctionReturn(code);
}

PetscErrorCode CrReportStreamPreview(const CrFilm *film, cJSON *more, FILE *to)
{
  Page           page = {.share = 0.2};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(stream(&page, to));
  code = put_coded(&page, film, page.document);
  if (!code) code = CrJsonAdd(page.document, "model", more);
  if (!code) code = put_document(&page);
  cJSON_Delete(page.document);
  PetscFunctionReturn(code);
}

/* Shows a run in the browser: its page, its files, and new results while the run continues. */
#define _GNU_SOURCE /* open_memstream */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "app/view.h"
#include "report/json.h"
#include "report/report.h"

#define TICK       250 /* milliseconds between looks at the files */
#define LONGEST    600 /* seconds of a stream; the browser comes back by itself */
#define MOST_NEWS  2e6 /* bytes of rows at a time; of more, some are left out */
#define MOST_BYTES (1 << 30)

/* ---- files by name ---------------------------------------------------------------------------- */

/* Opens a file of the run, never through a link. -1: there is none. */
static int open_file(const View *view, const char name[])
{
  int         dir = open(view->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), sub, file;
  struct stat s;

  if (dir < 0) return -1;
  if (!strncmp(name, "fields/", 7)) {
    sub = openat(dir, "fields", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    close(dir);
    if (sub < 0) return -1;
    dir = sub;
    name += 7;
  }
  file = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  close(dir);
  if (file >= 0 && (fstat(file, &s) || !S_ISREG(s.st_mode))) {
    close(file);
    return -1;
  }
  return file;
}

/* fields/ and digits and .vtu or .pvtu; pieces have a word between: fields/0012_p3.vtu */
static PetscBool is_field_file(const char name[])
{
  size_t n, word = 0;

  if (strncmp(name, "fields/", 7)) return PETSC_FALSE;
  n = strspn(name + 7, "0123456789");
  if (name[7 + n] == '_')
    word = 1 + strspn(name + 7 + n + 1, "0123456789abcdefghijklmnopqrstuvwxyz");
  return n > 0 && n < 20 && word < 20 &&
         (!strcmp(name + 7 + n + word, ".vtu") || (!word && !strcmp(name + 7 + n, ".pvtu")));
}

/* Only names that a run gives; nothing is made of the address. */
static const char *type_of(const char name[])
{
  static const char *const table[][2] = {{"history.csv", "text/csv"},
                                         {"bodies.csv", "text/csv"},
                                         {"reactions.csv", "text/csv"},
                                         {"contacts.csv", "text/csv"},
                                         {"probes.csv", "text/csv"},
                                         {"extremes.csv", "text/csv"},
                                         {"events.csv", "text/csv"},
                                         {"audit.json", "application/json"},
                                         {"run.yaml", "text/plain; charset=utf-8"},
                                         {"fields.pvd", "application/xml"},
                                         {"log.txt", "text/plain; charset=utf-8"}};

  for (size_t k = 0; k < sizeof table / sizeof table[0]; k++)
    if (!strcmp(name, table[k][0])) return table[k][1];
  return is_field_file(name) ? "application/octet-stream" : NULL;
}

/* Bytes [from, to) of a file, ended by 0; to < 0: its end. The caller frees with free(). */
static char *read_bytes(int file, off_t from, off_t to, size_t *n)
{
  struct stat s;
  char       *text;
  ssize_t     got;

  if (fstat(file, &s)) return NULL;
  if (to < 0 || to > s.st_size) to = s.st_size;
  if (to < from || to - from > MOST_BYTES) return NULL;
  text = malloc((size_t)(to - from) + 1);
  for (*n = 0; text && (off_t)*n < to - from; *n += (size_t)got)
    if ((got = pread(file, text + *n, (size_t)(to - from) - *n, from + (off_t)*n)) <= 0) break;
  if (text) text[*n] = 0;
  return text;
}

static char *read_file(const View *view, const char name[], size_t *n)
{
  int   file = open_file(view, name);
  char *text = file < 0 ? NULL : read_bytes(file, 0, -1, n);

  if (file >= 0) close(file);
  return text;
}

void ViewRunFile(View *view, struct mg_connection *c, const char name[])
{
  const char *type = type_of(name);
  size_t      n;
  char       *text = type ? read_file(view, name, &n) : NULL;

  if (text)
    ViewReply(c, 200, type, text, n);
  else
    ViewReplyText(c, 404, "a run has no file of this name\n");
  free(text);
}

/* ---- by PETSc, one at a time ------------------------------------------------------------------ */

typedef PetscErrorCode (*Writer)(View *, struct mg_connection *, FILE *);

static void reply_written(View *view, struct mg_connection *c, const char type[], Writer write)
{
  char          *text = NULL;
  size_t         n = 0;
  FILE          *to = open_memstream(&text, &n);
  PetscErrorCode code = PETSC_ERR_MEM;
  char           trouble[512] = "the answer could not be produced";

  if (to) {
    pthread_mutex_lock(&view->petsc);
    CrErrorClear();
    code = write(view, c, to);
    if (code && *CrErrorMessage()) snprintf(trouble, sizeof trouble, "%s", CrErrorMessage());
    CrErrorClear();
    pthread_mutex_unlock(&view->petsc);
  }
  if (to) fclose(to);
  if (code)
    ViewReplyText(c, 503, trouble);
  else
    ViewReply(c, 200, type, text, n);
  free(text);
}

static PetscErrorCode write_report(View *view, struct mg_connection *c, FILE *to)
{
  (void)c;
  return CrReportStream(view->dir, to);
}

static PetscErrorCode write_film(View *view, struct mg_connection *c, FILE *to)
{
  return CrReportStreamFilm(view->dir, (PetscInt)ViewNumber(c, "from", 0),
                            (PetscInt)PetscClipInterval(ViewNumber(c, "count", 100), 1, 1000),
                            (PetscInt)PetscMax(0, ViewNumber(c, "part", 0)), to);
}

static PetscErrorCode write_deck(View *view, struct mg_connection *c, FILE *to)
{
  char    path[PETSC_MAX_PATH_LEN + 16], *text;
  CrDeck *deck;
  cJSON  *json;

  PetscFunctionBeginUser;
  (void)c;
  snprintf(path, sizeof path, "%s/run.yaml", view->dir);
  if (access(path, R_OK)) CrInputFail("the deck has not been run yet");
  PetscCall(CrDeckRead(PETSC_COMM_SELF, path, 0, NULL, &deck));
  PetscCall(CrJsonOfDeck(CrDeckRoot(deck), &json));
  PetscCall(CrDeckDestroy(&deck));
  text = cJSON_PrintUnformatted(json);
  cJSON_Delete(json);
  PetscCheck(text, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the deck");
  fputs(text, to);
  cJSON_free(text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ViewRunReport(View *view, struct mg_connection *c)
{
  reply_written(view, c, "text/html; charset=utf-8", write_report);
}

void ViewRunFilm(View *view, struct mg_connection *c)
{
  reply_written(view, c, "text/html; charset=utf-8", write_film);
}

void ViewRunDeck(View *view, struct mg_connection *c)
{
  reply_written(view, c, "application/json", write_deck);
}

/* A finished run is shown by its report, one that goes on by the live page. */
void ViewRunPage(View *view, struct mg_connection *c)
{
  int    audit = open_file(view, "audit.json");
  char   document[64], *page;
  size_t n;

  if (audit >= 0) {
    close(audit);
    ViewRunReport(view, c);
    return;
  }
  snprintf(document, sizeof document, "{\"version\":\"%s\"}", CrVersion());
  page = ViewPage(PETSC_FALSE, document, &n);
  if (page)
    ViewReply(c, 200, "text/html; charset=utf-8", page, n);
  else
    ViewReplyText(c, 503, "this program was built without its web pages\n");
  free(page);
}

/* ---- what is new ------------------------------------------------------------------------------ */

/* A listener, and what it has been told. */
typedef struct {
  View                 *view;
  struct mg_connection *c;
  ino_t                 inode; /* of history.csv */
  off_t                 told;  /* bytes of it */
  long                  frames;
  struct timespec       listed; /* when fields.pvd was written */
  char                  state[8192];
  time_t                spoken;
} Listener;

/* False: nobody listens any more. */
static PetscBool say(Listener *l, const char text[], size_t n)
{
  l->spoken = time(NULL);
  return mg_write(l->c, text, n) > 0;
}

static PetscBool say_event(Listener *l, const char name[], const char data[])
{
  char text[9000];
  int  n = snprintf(text, sizeof text, "event: %s\ndata: %s\n\n", name, data);

  return n > 0 && (size_t)n < sizeof text ? say(l, text, (size_t)n) : PETSC_TRUE;
}

/* Whole rows as one event; of very many each so many-th, and the last. id: where to go on. */
static PetscBool say_rows(Listener *l, const char *text, size_t n)
{
  const long every = 1 + (long)((double)n / MOST_NEWS);
  char      *event = NULL;
  size_t     size = 0;
  FILE      *to = open_memstream(&event, &size);
  long       row = 0;
  PetscBool  heard;

  if (!to) return PETSC_FALSE;
  fprintf(to, "event: history\nid: %lld\n", (long long)l->told);
  for (const char *end; (end = memchr(text, '\n', n)); row++) {
    size_t length = (size_t)(end - text) + 1;

    if (row % every == 0 || length == n) fprintf(to, "data: %.*s", (int)length, text);
    text += length;
    n -= length;
  }
  fputs("\n", to);
  fclose(to);
  heard = event ? say(l, event, size) : PETSC_FALSE;
  free(event);
  return heard;
}

static PetscBool tell_history(Listener *l)
{
  int         file = open_file(l->view, "history.csv");
  PetscBool   heard = PETSC_TRUE;
  struct stat s;
  size_t      n;
  char       *text;

  if (file < 0) return PETSC_TRUE;
  if (fstat(file, &s)) s.st_size = 0;
  if ((l->inode && s.st_ino != l->inode) || s.st_size < l->told) { /* another run */
    l->told = 0;
    l->frames = -1;
    heard = say_event(l, "again", "{}");
  }
  l->inode = s.st_ino;
  if (s.st_size > l->told) {
    text = read_bytes(file, l->told, s.st_size, &n);
    while (text && n && text[n - 1] != '\n') n--; /* the last row may not be whole yet */
    l->told += text ? (off_t)n : 0;
    if (text && n && heard) heard = say_rows(l, text, n);
    free(text);
  }
  close(file);
  return heard;
}

static PetscBool tell_frames(Listener *l)
{
  int         file = open_file(l->view, "fields.pvd");
  struct stat s;
  char       *text, data[32];
  long        count = 0;
  size_t      n;

  if (file < 0) return PETSC_TRUE;
  if (!fstat(file, &s) && l->frames >= 0 && s.st_mtim.tv_sec == l->listed.tv_sec &&
      s.st_mtim.tv_nsec == l->listed.tv_nsec) {
    close(file);
    return PETSC_TRUE;
  }
  l->listed = s.st_mtim;
  text = read_bytes(file, 0, -1, &n);
  close(file);
  for (const char *at = text; at && (at = strstr(at, "<DataSet ")); at++) count++;
  free(text);
  if (count == l->frames) return PETSC_TRUE;
  l->frames = count;
  snprintf(data, sizeof data, "%ld", count);
  return say_event(l, "frames", data);
}

/* The numbers of audit.json on one line; its texts may be long, and the live page shows none of them. Whether the
   method claims to balance energies stays.
   NULL: there is no audit yet. The caller frees with cJSON_free. */
static char *short_audit(const View *view)
{
  size_t n;
  char  *text = read_file(view, "audit.json", &n), *line;
  cJSON *audit = text ? cJSON_ParseWithLength(text, n) : NULL;

  cJSON_DeleteItemFromObjectCaseSensitive(audit, "warnings");
  for (int i = 0; i < 2; i++)
    cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(audit, "method_info"),
                                            i ? "citation" : "help");
  line = audit ? cJSON_PrintUnformatted(audit) : NULL;
  cJSON_Delete(audit);
  free(text);
  return line;
}

/* Is there a run, has it an audit, and what of the child that the editor started. */
static PetscBool tell_state(Listener *l)
{
  int  yaml = open_file(l->view, "run.yaml");
  char state[8192], child[2048], *audit;

  ViewEditState(l->view, child, sizeof child);
  audit = short_audit(l->view);
  snprintf(state, sizeof state, "{\"run\":%s,\"audit\":%s,\"child\":%s}",
           yaml < 0 ? "false" : "true", audit && strlen(audit) < 5000 ? audit : "null", child);
  cJSON_free(audit);
  if (yaml >= 0) close(yaml);
  if (!strcmp(state, l->state)) return PETSC_TRUE;
  snprintf(l->state, sizeof l->state, "%s", state);
  return say_event(l, "state", state);
}

void ViewRunEvents(View *view, struct mg_connection *c)
{
  const time_t end = time(NULL) + LONGEST;
  const char  *last = mg_get_header(c, "Last-Event-ID");
  Listener     l = {.view = view, .c = c, .frames = -1};
  PetscBool    heard;

  if (atomic_fetch_add(&view->streams, 1) >= VIEW_STREAMS) {
    atomic_fetch_sub(&view->streams, 1);
    ViewReplyText(c, 503, "too many pages show this run\n");
    return;
  }
  if (last && isdigit((unsigned char)last[0])) l.told = (off_t)strtoll(last, NULL, 10);
  ViewReplyStream(c, "text/event-stream");
  heard = say(&l, "retry: 1000\n\n", strlen("retry: 1000\n\n"));
  while (heard && !atomic_load(&view->stop) && time(NULL) < end) {
    heard = tell_state(&l) && tell_history(&l) && tell_frames(&l);
    if (heard && time(NULL) - l.spoken >= 3) heard = say(&l, ":\n\n", 3);
    nanosleep(&(struct timespec){.tv_nsec = TICK * 1000000}, NULL);
  }
  atomic_fetch_sub(&view->streams, 1);
}

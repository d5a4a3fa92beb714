/* Answers the requests of the editor: check, save and run a deck. Child processes of this program check and run the
   deck, so that an error in a deck cannot end the server. */
#define _GNU_SOURCE /* memfd_create, open_memstream */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "app/child.h"
#include "app/examples.h"
#include "app/view.h"
#include "base/text.h"
#include "run/run.h"

#define CHECK_SECONDS 60
#define END_SECONDS   20 /* that a run gets for its last step and checkpoint */
#define MOST_SAID     (256 << 20)

static void reply_json(struct mg_connection *c, int status, cJSON *json)
{
  char *text = cJSON_PrintUnformatted(json);

  ViewReply(c, text ? status : 500, "application/json", text ? text : "{}",
            text ? strlen(text) : 2);
  cJSON_free(text);
  cJSON_Delete(json);
}

/* {"good": false, "message": ...} */
static void reply_trouble(struct mg_connection *c, int status, const char message[])
{
  cJSON *json = cJSON_CreateObject();

  cJSON_AddBoolToObject(json, "good", 0);
  cJSON_AddStringToObject(json, "message", message);
  reply_json(c, status, json);
}

static void reply_good(struct mg_connection *c)
{
  cJSON *json = cJSON_CreateObject();

  cJSON_AddBoolToObject(json, "good", 1);
  reply_json(c, 200, json);
}

/* Is there a NUL in a JSON text, as a byte or as \u0000? Texts of C end there. */
static PetscBool has_nul(const char body[], size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (!body[k]) return PETSC_TRUE;
    if (body[k] != '\\') continue;
    if (!strncmp(body + k, "\\u0000", 6)) return PETSC_TRUE;
    k++; /* the character behind it is no beginning */
  }
  return PETSC_FALSE;
}

/* The deck in a request, {"text": ...}; NULL: answered. The caller deletes *json. */
static const char *take_text(struct mg_connection *c, cJSON **json)
{
  size_t      n;
  char       *body = ViewBody(c, &n);
  const char *text;

  *json = NULL;
  if (!body) return NULL;
  if (has_nul(body, n)) {
    free(body);
    reply_trouble(c, 400,
                  "the deck contains a character NUL (\\u0000), which no text file may contain");
    return NULL;
  }
  *json = cJSON_ParseWithLength(body, n);
  free(body);
  text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(*json, "text"));
  if (!text) {
    cJSON_Delete(*json);
    ViewReplyText(c, 400, "expected {\"text\": ...}\n");
  }
  return text;
}

/* ---- children --------------------------------------------------------------------------------- */

/* What a child says goes into memory, not into a file. */
static int open_log(char path[64])
{
  int log = memfd_create("carom", 0);

  snprintf(path, 64, "/proc/%d/fd/%d", (int)getpid(), log);
  return log;
}

static char *read_log(int log)
{
  struct stat s;
  char       *text;

  if (fstat(log, &s) || s.st_size > MOST_SAID) return NULL;
  text = malloc((size_t)s.st_size + 1);
  if (text) text[PetscMax(0, pread(log, text, (size_t)s.st_size, 0))] = 0;
  return text;
}

static PetscErrorCode start_self(View *view, const char *const more[], const char log[],
                                 pid_t *child)
{
  char           self[PETSC_MAX_PATH_LEN], *words[12] = {self}, leash[] = "--leash";
  PetscErrorCode code;
  int            n = 1;

  for (; more[n - 1] && n < 10; n++) words[n] = (char *)more[n - 1];
  words[n] = leash;
  pthread_mutex_lock(&view->petsc);
  CrErrorClear();
  code = AppChildSelf(self, sizeof self);
  if (!code) code = AppChildStart(words, log, view->leash, child);
  CrErrorClear();
  pthread_mutex_unlock(&view->petsc);
  return code;
}

/* Exit code; a child that takes too long is ended. */
static int wait_for(pid_t child, int seconds)
{
  int status = 0;

  for (long left = 50L * seconds; waitpid(child, &status, WNOHANG) == 0; left--) {
    if (left == 0) kill(child, SIGKILL);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- files in the deck's folder ----------------------------------------------------------------- */

/* Writes text into a new file of that folder. */
static PetscBool write_file(const char path[], const char text[])
{
  int       file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  size_t    left = strlen(text);
  PetscBool good = file >= 0;

  while (good && left) {
    ssize_t n = write(file, text, left);

    if (n <= 0) good = PETSC_FALSE;
    if (n > 0) text += n, left -= (size_t)n;
  }
  if (file >= 0 && fsync(file) && errno != EINVAL) good = PETSC_FALSE;
  if (file >= 0) close(file);
  if (!good && file >= 0) unlink(path);
  return good;
}

/* A name of its own beside the deck, hidden. */
static void temporary(const View *view, char path[], size_t size)
{
  static atomic_int count;

  snprintf(path, size, "%s/.%s.%d-%d.yaml", view->folder, view->name, (int)getpid(),
           atomic_fetch_add(&count, 1));
}

static PetscBool save(const View *view, const char text[])
{
  char        path[PETSC_MAX_PATH_LEN + 512], deck[PETSC_MAX_PATH_LEN + 512];
  struct stat s;

  temporary(view, path, sizeof path);
  snprintf(deck, sizeof deck, "%s/%s", view->folder, view->name);
  if (!write_file(path, text)) return PETSC_FALSE;
  if (!stat(deck, &s)) (void)!chmod(path, s.st_mode & 0777);
  if (!rename(path, deck)) return PETSC_TRUE;
  unlink(path);
  return PETSC_FALSE;
}

/* ---- requests --------------------------------------------------------------------------------- */

void ViewEditPage(View *view, struct mg_connection *c)
{
  char   path[PETSC_MAX_PATH_LEN + 512], *text, *document, *page = NULL;
  cJSON *json;
  size_t n;

  snprintf(path, sizeof path, "%s/%s", view->folder, view->name);
  pthread_mutex_lock(&view->petsc);
  if (CrTextRead(path, &text, NULL)) text = NULL;
  CrErrorClear();
  json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "version", CrVersion());
  cJSON_AddStringToObject(json, "name", view->name);
  cJSON_AddStringToObject(json, "token", view->token);
  cJSON_AddStringToObject(json, "text", text ? text : view->fresh ? AppNewDeck() : "");
  cJSON_AddBoolToObject(json, "fresh", !text && view->fresh);
  (void)!PetscFree(text);
  pthread_mutex_unlock(&view->petsc);
  document = cJSON_PrintUnformatted(json);
  if (document) page = ViewPage(PETSC_TRUE, document, &n);
  if (page)
    ViewReply(c, 200, "text/html; charset=utf-8", page, n);
  else
    ViewReplyText(c, 503, "this program was built without its web pages\n");
  free(page);
  cJSON_free(document);
  cJSON_Delete(json);
}

void ViewEditSchema(View *view, struct mg_connection *c)
{
  char          *text = NULL;
  size_t         n = 0;
  FILE          *to = open_memstream(&text, &n);
  PetscErrorCode code = PETSC_ERR_MEM;

  pthread_mutex_lock(&view->petsc);
  if (to) code = CrDeckWriteSchema(CrProblemKeys(), to);
  pthread_mutex_unlock(&view->petsc);
  if (to) fclose(to);
  if (code)
    ViewReplyText(c, 500, "no schema\n");
  else
    ViewReply(c, 200, "application/json", text, n);
  free(text);
}

/* "carom: /folder/.deck.yaml.1-2.yaml:14:9: words" -> line, column, words; of others all is words. */
static cJSON *mistake(const char said[], const char path[])
{
  cJSON      *json = cJSON_CreateObject();
  const char *start = strstr(said, "carom: "), *end;
  int         line = 0, column = 0, used = 0;
  char        words[2048], shown[PETSC_MAX_PATH_LEN + 512];

  while (start && !strncmp(start, "carom: warning:", 15)) start = strstr(start + 1, "carom: ");
  start = start ? start + strlen("carom: ") : said;
  CrTextShow(path, shown, sizeof shown); /* as messages have it */
  if (!strncmp(start, shown, strlen(shown))) start += strlen(shown);
  if (sscanf(start, ":%d:%d: %n", &line, &column, &used) == 2 && used > 0) start += used;
  if (*start == ':') start += strspn(start, ": ");
  end = strchr(start, '\n');
  snprintf(words, sizeof words, "%.*s", end ? (int)(end - start) : (int)strlen(start), start);
  cJSON_AddBoolToObject(json, "good", 0);
  cJSON_AddNumberToObject(json, "line", line);
  cJSON_AddNumberToObject(json, "column", column);
  cJSON_AddStringToObject(json, "message", *words ? words : "the check ended without a result");
  return json;
}

/* What `carom check --preview` says of the text: the model as parts of a page, or the mistake. */
void ViewEditCheck(View *view, struct mg_connection *c)
{
  cJSON      *json;
  const char *text = take_text(c, &json);
  char        path[PETSC_MAX_PATH_LEN + 512], log_path[64], *said = NULL;
  int         log, code = 3;
  pid_t       child;

  if (!text) return;
  temporary(view, path, sizeof path);
  log = open_log(log_path);
  if (log >= 0 && write_file(path, text)) {
    if (!start_self(view, (const char *const[]){"check", path, "--preview", NULL}, log_path,
                    &child))
      code = wait_for(child, CHECK_SECONDS);
    unlink(path);
    said = read_log(log);
  }
  if (!said)
    reply_trouble(c, 503, "the deck could not be checked: no room in its folder?");
  else if (code == 0)
    ViewReply(c, 200, "text/html; charset=utf-8", said, strlen(said));
  else
    reply_json(c, 200, mistake(said, path));
  free(said);
  if (log >= 0) close(log);
  cJSON_Delete(json);
}

void ViewEditSave(View *view, struct mg_connection *c)
{
  cJSON      *json;
  const char *text = take_text(c, &json);

  if (!text) return;
  if (save(view, text))
    reply_good(c);
  else
    reply_trouble(c, 503, "the deck could not be written");
  cJSON_Delete(json);
}

/* Takes note of a run that has ended. Locked by the caller. */
static void collect(View *view)
{
  int status;

  if (!view->run || waitpid(view->run, &status, WNOHANG) != view->run) return;
  view->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  view->run = 0;
}

/* A link could lead the results out of the deck's folder. */
static PetscBool is_link(const char path[])
{
  struct stat s;

  return !lstat(path, &s) && S_ISLNK(s.st_mode);
}

/* Saves the deck and runs it into its own folder; an older run of it is replaced. */
void ViewEditRun(View *view, struct mg_connection *c)
{
  cJSON      *json;
  const char *text = take_text(c, &json);
  char        deck[PETSC_MAX_PATH_LEN + 512], log_path[64];
  const char *trouble = NULL;

  if (!text) return;
  snprintf(deck, sizeof deck, "%s/%s", view->folder, view->name);
  pthread_mutex_lock(&view->child);
  collect(view);
  if (view->run) {
    trouble = "this deck is running already";
  } else if (is_link(view->dir)) {
    trouble = "the folder of its results is a link";
  } else if (!save(view, text)) {
    trouble = "the deck could not be written";
  } else {
    if (view->log >= 0) close(view->log);
    view->log = open_log(log_path);
    view->code = -1;
    if (view->log < 0 ||
        start_self(view, (const char *const[]){"run", deck, "-o", view->dir, "--force", NULL},
                   log_path, &view->run)) {
      view->run = 0;
      trouble = "the run could not be started";
    }
  }
  pthread_mutex_unlock(&view->child);
  if (trouble)
    reply_trouble(c, 409, trouble);
  else
    reply_good(c);
  cJSON_Delete(json);
}

/* As Ctrl-C would: the step at hand is finished and a checkpoint written. */
void ViewEditStop(View *view, struct mg_connection *c)
{
  size_t n;
  char  *body = ViewBody(c, &n);

  if (!body) return;
  free(body);
  pthread_mutex_lock(&view->child);
  collect(view);
  if (view->run) kill(view->run, SIGTERM);
  pthread_mutex_unlock(&view->child);
  reply_good(c);
}

/* The last lines of what the run said, for a run that failed. */
static void add_said(const View *view, cJSON *json)
{
  char       *said = view->log < 0 ? NULL : read_log(view->log);
  const char *tail = said;
  size_t      n = said ? strlen(said) : 0;

  if (n > 600) tail = said + n - 600;
  while (tail && tail != said && *tail && *tail != '\n') tail++;
  cJSON_AddStringToObject(json, "said", tail ? tail : "");
  free(said);
}

void ViewEditState(View *view, char text[], size_t size)
{
  cJSON *json;
  char  *printed;

  snprintf(text, size, "null");
  pthread_mutex_lock(&view->child);
  collect(view);
  if (view->run || view->code >= 0) {
    json = cJSON_CreateObject();
    cJSON_AddBoolToObject(json, "running", view->run != 0);
    cJSON_AddNumberToObject(json, "code", view->code);
    if (view->code > 0) add_said(view, json);
    printed = cJSON_PrintUnformatted(json);
    if (printed && strlen(printed) < size) snprintf(text, size, "%s", printed);
    cJSON_free(printed);
    cJSON_Delete(json);
  }
  pthread_mutex_unlock(&view->child);
}

void ViewEditEnd(View *view)
{
  pthread_mutex_lock(&view->child);
  collect(view);
  if (view->run) {
    kill(view->run, SIGTERM);
    wait_for(view->run, END_SECONDS);
    view->run = 0;
  }
  if (view->log >= 0) close(view->log);
  view->log = -1;
  pthread_mutex_unlock(&view->child);
}

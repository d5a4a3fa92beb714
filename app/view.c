/* The command `carom view`: starts the server and waits for an interruption. */
#define _GNU_SOURCE /* getrandom */
#include "app/view.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "app/app.h"
#include "app/child.h"
#include "base/program.h"
#include "base/text.h"
#include "output/output.h"

#define STACK_BYTES (8 << 20)

/* ---- which handler ---------------------------------------------------------------------------- */

typedef void (*Handler)(View *, struct mg_connection *);

typedef struct {
  const char *path;
  Handler     handler;
  PetscBool   edit, change; /* of the editor alone; writes or starts something */
} Route;

static const Route routes[] = {
    {"/report.html", ViewRunReport, PETSC_FALSE, PETSC_FALSE},
    {"/deck.json", ViewRunDeck, PETSC_FALSE, PETSC_FALSE},
    {"/film", ViewRunFilm, PETSC_FALSE, PETSC_FALSE},
    {"/events", ViewRunEvents, PETSC_FALSE, PETSC_FALSE},
    {"/schema.json", ViewEditSchema, PETSC_TRUE, PETSC_FALSE},
    {"/examples.json", ViewEditExamples, PETSC_TRUE, PETSC_FALSE},
    {"/check", ViewEditCheck, PETSC_TRUE, PETSC_TRUE},
    {"/save", ViewEditSave, PETSC_TRUE, PETSC_TRUE},
    {"/run", ViewEditRun, PETSC_TRUE, PETSC_TRUE},
    {"/stop", ViewEditStop, PETSC_TRUE, PETSC_TRUE},
};

static const Route *find_route(const View *view, const char path[])
{
  for (size_t k = 0; k < sizeof routes / sizeof routes[0]; k++)
    if (!strcmp(path, routes[k].path) && (view->edit || !routes[k].edit)) return &routes[k];
  return NULL;
}

static PetscBool is_page(const char path[])
{
  return !strcmp(path, "/") || !strcmp(path, "/report.html");
}

static void answer(struct mg_connection *c)
{
  View                         *view = mg_get_user_data(mg_get_context(c));
  const struct mg_request_info *info = mg_get_request_info(c);
  const char                   *path = info->local_uri_raw ? info->local_uri_raw : "";
  const Route                  *route = find_route(view, path);

  if (!ViewAllows(view, c, route ? route->change : PETSC_FALSE, is_page(path))) return;
  if (route)
    route->handler(view, c);
  else if (!strcmp(path, "/"))
    (view->edit ? ViewEditPage : ViewRunPage)(view, c);
  else if (!strncmp(path, "/files/", 7))
    ViewRunFile(view, c, path + 7);
  else
    ViewReplyText(c, 404, "this address does not exist\n");
}

static void *answer_aside(void *c)
{
  answer(c);
  return NULL;
}

/* Every request comes here; nothing else of civetweb answers. Its own threads have a stack of 100 kB,
   on which neither PETSc nor a deeply nested JSON text has room: each request gets a thread with more. */
static int take_request(struct mg_connection *c)
{
  View          *view = mg_get_user_data(mg_get_context(c));
  pthread_attr_t attributes;
  pthread_t      thread;

  while (sem_wait(&view->room) && errno == EINTR) continue;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  if (pthread_create(&thread, &attributes, answer_aside, c))
    ViewReplyText(c, 503, "no thread\n");
  else
    pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  sem_post(&view->room);
  return 1;
}

/* ---- the server ------------------------------------------------------------------------------- */

static int be_silent(const struct mg_connection *c, const char *message)
{
  (void)c;
  (void)message;
  return 1;
}

static PetscErrorCode start_server(View *view, const char port[], struct mg_context **server)
{
  char        address[32], threads[8];
  const char *options[] = {"listening_ports", address, "num_threads", threads, "request_timeout_ms",
                           "5000", "max_request_size", "16384", "enable_keep_alive", "no",
                           "enable_directory_listing", "no",
                           /* civetweb itself would tell any page that it may ask */
                           "access_control_allow_origin", "", "access_control_allow_methods", "",
                           "access_control_allow_headers", "", NULL};
  const struct mg_callbacks callbacks = {.begin_request = take_request, .log_message = be_silent};
  struct mg_server_port     ports[2];

  PetscFunctionBeginUser;
  snprintf(address, sizeof address, "127.0.0.1:%s", port ? port : "0");
  snprintf(threads, sizeof threads, "%d", VIEW_THREADS);
  mg_init_library(0);
  *server = mg_start(&callbacks, view, options);
  if (!*server)
    CrMachineFail("127.0.0.1:%s: the server cannot listen at this address: %s", port ? port : "0",
                  errno ? strerror(errno) : "is the port in use?");
  if (mg_get_server_ports(*server, 2, ports) != 1) {
    mg_stop(*server);
    CrMachineFail("the server has no port");
  }
  view->port = ports[0].port;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static sem_t ended;

/* Any thread may get it, also one of MPI's. */
static void take_signal(int number)
{
  (void)number;
  sem_post(&ended);
}

/* Asks the desktop to show the address. Without a desktop the user must open the address in another way. */
static void open_browser(char address[])
{
  char  program[] = "xdg-open", *words[] = {program, address, NULL};
  pid_t child;

  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY") && !getenv("BROWSER")) {
    fprintf(stderr, "carom: --open: there is no desktop here (DISPLAY is not set)\n");
    return;
  }
  if (posix_spawnp(&child, program, NULL, NULL, words, environ))
    fprintf(stderr, "carom: --open: there is no xdg-open to show the page (Debian: xdg-utils)\n");
}

static PetscErrorCode serve(View *view, const char port[], PetscBool open)
{
  static const int       watched[] = {SIGINT, SIGTERM, SIGHUP};
  const struct sigaction action = {.sa_handler = take_signal};
  struct sigaction       before[3];
  struct mg_context     *server;
  char                   address[128];

  PetscFunctionBeginUser;
  sem_init(&ended, 0, 0);
  for (int k = 0; k < 3; k++) sigaction(watched[k], &action, &before[k]);
  signal(SIGPIPE, SIG_IGN); /* readers may go at any time */
  PetscCall(start_server(view, port, &server));
  snprintf(address, sizeof address, "http://127.0.0.1:%d/%s%s", view->port,
           view->edit ? "?token=" : "", view->edit ? view->token : "");
  printf("%s\n", address);
  fflush(stdout);
  if (open) open_browser(address);
  fprintf(stderr, "open this address in a browser on this machine; Ctrl-C ends\n");
  while (sem_wait(&ended) && errno == EINTR) continue;
  atomic_store(&view->stop, 1);
  ViewEditEnd(view);
  mg_stop(server);
  mg_exit_library();
  for (int k = 0; k < 3; k++) sigaction(watched[k], &before[k], NULL);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- what is shown ---------------------------------------------------------------------------- */

static PetscErrorCode choose_run(View *view, const char dir[])
{
  char path[PETSC_MAX_PATH_LEN + 16];

  PetscFunctionBeginUser;
  PetscCall(CrRunDeckPath(dir, path, sizeof path));
  if (!realpath(dir, view->dir)) CrInputFail("%s: cannot be read: %s", dir, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_token(View *view)
{
  unsigned char bytes[16];

  PetscFunctionBeginUser;
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    CrMachineFail("no random numbers: %s", strerror(errno));
  for (size_t k = 0; k < sizeof bytes; k++)
    snprintf(view->token + 2 * k, sizeof view->token - 2 * k, "%02x", bytes[k]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The deck's folder, its name in it, and where its run goes: beside it, deck.out for deck.yaml. */
/* The full path of a deck. Of one that does not exist yet, the folder must exist. */
static PetscErrorCode find_deck(View *view, const char deck[], char path[PETSC_MAX_PATH_LEN])
{
  const char *slash = strrchr(deck, '/'), *name = slash ? slash + 1 : deck;
  char        folder[PETSC_MAX_PATH_LEN], real[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  if (realpath(deck, path)) PetscFunctionReturn(PETSC_SUCCESS);
  if (errno != ENOENT) CrInputFail("%s: cannot be read: %s", deck, strerror(errno));
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - deck + 1) : 1, slash ? deck : ".");
  if (!realpath(folder, real))
    CrInputFail("%s: cannot be created, because its folder cannot be read: %s", deck,
                strerror(errno));
  if (strlen(name) < 6 || strcmp(name + strlen(name) - 5, ".yaml"))
    CrInputFail("%s: this deck does not exist; the name of a new deck must end in .yaml", deck);
  if (snprintf(path, PETSC_MAX_PATH_LEN, "%s/%s", strcmp(real, "/") ? real : "", name) >=
      PETSC_MAX_PATH_LEN)
    CrInputFail("%s: the path is too long", deck);
  view->fresh = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode choose_deck(View *view, const char deck[])
{
  char path[PETSC_MAX_PATH_LEN], out[300], *slash;

  PetscFunctionBeginUser;
  PetscCall(find_deck(view, deck, path));
  if (!view->fresh) PetscCall(CrTextCheck(deck, PETSC_FALSE));
  slash = strrchr(path, '/');
  if (!slash || strlen(slash + 1) >= sizeof view->name)
    CrInputFail("%s: the name is too long", deck);
  snprintf(view->name, sizeof view->name, "%s", slash + 1);
  *slash = 0;
  snprintf(view->folder, sizeof view->folder, "%s", *path ? path : "/");
  AppDefaultFolder(view->name, ".out", out, sizeof out);
  if (snprintf(view->dir, sizeof view->dir, "%s/%s", view->folder, out) >= (int)sizeof view->dir)
    CrInputFail("%s: the path is too long", deck);
  view->edit = PETSC_TRUE;
  PetscCall(make_token(view));
  PetscCall(AppChildLeash(&view->leash));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_port(const char port[])
{
  PetscFunctionBeginUser;
  if (port && (strspn(port, "0123456789") != strlen(port) || !*port || strlen(port) > 5 ||
               atoi(port) > 65535))
    CrInputFail("--port %s: expected a number from 0 to 65535", port);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppView(const AppArguments *a, int *status)
{
  View          *view;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *status = 0;
  if ((a->nwords == 1) == (a->edit != NULL))
    CrInputFail("usage: %s view DIR, or %s view --edit DECK.yaml", CrProgram(), CrProgram());
  PetscCall(check_port(a->port));
  PetscCall(PetscNew(&view));
  pthread_mutex_init(&view->petsc, NULL);
  pthread_mutex_init(&view->child, NULL);
  sem_init(&view->room, 0, VIEW_ANSWERS);
  view->log = view->code = view->leash = -1;
  code = a->edit ? choose_deck(view, a->edit) : choose_run(view, a->words[0]);
  if (!code) code = serve(view, a->port, a->open);
  PetscCall(PetscFree(view));
  PetscFunctionReturn(code);
}

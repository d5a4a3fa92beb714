/* The command `carom film`: draws all frames of a run as pictures, and makes a film of them by ffmpeg. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "app/app.h"
#include "app/child.h"

#define SECONDS 8 /* of a film, about */

/* Finds ffmpeg on the path; an empty text: there is none. */
static void find_ffmpeg(char path[], size_t size)
{
  const char *list = getenv("PATH");

  for (const char *at = list ? list : ""; *at;) {
    const size_t n = strcspn(at, ":");

    snprintf(path, size, "%.*s/ffmpeg", (int)n, at);
    if (n && !access(path, X_OK)) return;
    at += n + (at[n] == ':');
  }
  *path = '\0';
}

/* The ending of a film's name, or NULL: a folder for the pictures. */
static PetscErrorCode ending_of(const char path[], const char **ending)
{
  static const char *const known[] = {".mp4", ".gif", ".webm"};
  const char              *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

  PetscFunctionBeginUser;
  *ending = NULL;
  if (!dot || !dot[1]) PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < 3; k++)
    if (!strcasecmp(dot, known[k])) *ending = known[k];
  if (!*ending) CrInputFail("-o %s: expected .mp4, .gif or .webm, or a folder", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_folder(const char path[])
{
  PetscFunctionBeginUser;
  if (mkdir(path, 0777) && errno != EEXIST)
    CrInputFail("%s: cannot be created: %s", path, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Removes the pictures, the log and the folder. */
static void clear(const char folder[], PetscInt n)
{
  char path[PETSC_MAX_PATH_LEN];

  for (PetscInt f = 0; f < n; f++) {
    snprintf(path, sizeof path, "%s/%04" PetscInt_FMT ".png", folder, f);
    (void)unlink(path);
  }
  snprintf(path, sizeof path, "%s/log", folder);
  (void)unlink(path);
  (void)rmdir(folder);
}

/* Sides of a film are even numbers of pixels; a GIF gets colours of its own. */
static const char *filter_of(const char ending[])
{
  if (!strcmp(ending, ".gif"))
    return "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none";
  return "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,format=yuv420p";
}

/* Words for the coder. That of WebM would take five times as long to save a quarter of the bytes. */
static PetscInt coder_of(const char ending[], char *words[])
{
  static char *const haste[] = {"-deadline", "realtime", "-cpu-used", "7",
                                "-b:v",      "0",        "-crf",      "30"};
  const PetscInt     n = strcmp(ending, ".webm") ? 0 : 8;

  for (PetscInt k = 0; k < n; k++) words[k] = haste[k];
  return n;
}

static PetscErrorCode join(char program[], const char folder[], PetscReal fps, const char ending[],
                           const char to[])
{
  char  from[PETSC_MAX_PATH_LEN], log[PETSC_MAX_PATH_LEN], rate[32], filter[128];
  char *words[20] = {program, "-y", "-loglevel", "error", "-framerate",
                     rate,    "-i", from,        "-vf",   filter}; /* NULL behind the last */
  pid_t child;
  int   state = 0;

  PetscFunctionBeginUser;
  snprintf(from, sizeof from, "%s/%%04d.png", folder);
  snprintf(log, sizeof log, "%s/log", folder);
  snprintf(rate, sizeof rate, "%g", (double)fps);
  snprintf(filter, sizeof filter, "%s", filter_of(ending));
  words[10 + coder_of(ending, words + 10)] = (char *)to;
  PetscCall(AppChildStart(words, log, -1, &child));
  while (waitpid(child, &state, 0) < 0)
    PetscCheck(errno == EINTR, PETSC_COMM_SELF, PETSC_ERR_SYS, "waiting for ffmpeg failed: %s",
               strerror(errno));
  if (!WIFEXITED(state) || WEXITSTATUS(state))
    CrInputFail("ffmpeg could not make the film %s; its messages are in %s", to, log);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Frames a second. */
static PetscReal rate_of(const AppArguments *a, PetscInt n)
{
  return a->fps > 0 ? a->fps : PetscClipInterval(round((double)n / SECONDS), 5, 30);
}

static PetscErrorCode make_film(const AppArguments *a, const CrPicture *picture,
                                const char ending[], const char to[])
{
  char     program[PETSC_MAX_PATH_LEN], folder[PETSC_MAX_PATH_LEN];
  PetscInt n;

  PetscFunctionBeginUser;
  find_ffmpeg(program, sizeof program);
  if (!*program)
    CrInputFail(
        "%s: ffmpeg, the program that makes films, was not found (Debian: apt-get install ffmpeg); with -o DIR the pictures are written without ffmpeg",
        to);
  snprintf(folder, sizeof folder, "%s.frames", to);
  PetscCall(make_folder(folder));
  PetscCall(CrPicturesWrite(a->words[0], picture, folder, &n));
  PetscCall(join(program, folder, rate_of(a, n), ending, to));
  clear(folder, n);
  CrLog("%s: %" PetscInt_FMT " frames\n", to, n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppFilm(const AppArguments *a, int *status)
{
  char        path[PETSC_MAX_PATH_LEN];
  const char *to = a->output ? a->output : path, *ending;
  CrPicture   picture;
  PetscInt    n;

  PetscFunctionBeginUser;
  *status = 0;
  PetscCall(AppPictureTake(a, &picture));
  picture.whole = PETSC_TRUE;
  if (!a->range) picture.range = CR_RANGE_RUN;
  snprintf(path, sizeof path, "%s/film.mp4", a->words[0]);
  PetscCall(ending_of(to, &ending));
  if (ending) {
    picture.brief = PETSC_TRUE;
    PetscCall(make_film(a, &picture, ending, to));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(make_folder(to));
  PetscCall(CrPicturesWrite(a->words[0], &picture, to, &n));
  CrLog("%" PetscInt_FMT " pictures were written to %s\n", n, to);
  PetscFunctionReturn(PETSC_SUCCESS);
}

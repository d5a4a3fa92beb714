/* Messages of the program: on the terminal and, once a run has a folder, also in its log file. */
#define _GNU_SOURCE /* vasprintf, O_NOFOLLOW */
#include <errno.h>
#include <fcntl.h>
#include <petscsys.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/base.h"
#include "base/text.h"

#define MOST_KEPT (1 << 16) /* bytes of a text that is kept in memory */

/* A text that grows. Memory of the C library: what is said may be about PETSc's running out. */
typedef struct {
  char  *text; /* ended by 0; NULL: empty */
  size_t length;
} Kept;

struct CrLogBook {
  PetscBool quiet;  /* nothing goes to standard output */
  PetscBool silent; /* nothing goes to standard error either */
  PetscBool line_open;
  FILE     *file;     /* log.txt; NULL: there is none yet */
  Kept      before;   /* what was said before there was one */
  Kept      warnings; /* each once, one a line */
};

/* The book of the command line, and the book in use. A process that holds several simulations gives each its own
   book, and opens it before it works on that simulation. */
static CrLogBook  of_process;
static CrLogBook *the_log = &of_process;

static PetscBool is_speaker(void)
{
  int up, down = 0, rank = 0;

  MPI_Initialized(&up);
  MPI_Finalized(&down);
  if (up && !down) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

static void end_open_line(void)
{
  if (the_log->line_open) fputc('\n', stdout);
  the_log->line_open = PETSC_FALSE;
}

static void keep(Kept *kept, const char text[])
{
  const size_t n = strlen(text);
  char *larger = n + kept->length < MOST_KEPT ? realloc(kept->text, kept->length + n + 1) : NULL;

  if (!larger) return;
  memcpy(larger + kept->length, text, n + 1);
  kept->text = larger;
  kept->length += n;
}

static void forget(Kept *kept)
{
  free(kept->text);
  *kept = (Kept){0};
}

/* ---- the file ----------------------------------------------------------------------------- */

/* A log that cannot be written does not stop a run: its results are in other files. */
static void to_file(const char text[])
{
  if (!the_log->file) {
    keep(&the_log->before, text);
    return;
  }
  fputs(text, the_log->file);
  fflush(the_log->file);
}

PetscErrorCode CrLogOpen(const char path[])
{
  int fd;

  PetscFunctionBeginUser;
  PetscCall(CrTextCheck(path, PETSC_FALSE));
  fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  CrLogClose();
  the_log->file = fd < 0 ? NULL : fdopen(fd, "a");
  if (!the_log->file) CrMachineFail("%s: cannot be written: %s", path, strerror(errno));
  if (the_log->before.text) to_file(the_log->before.text);
  forget(&the_log->before);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrLogClose(void)
{
  if (the_log->file) fclose(the_log->file);
  the_log->file = NULL;
}

/* ---- saying ------------------------------------------------------------------------------- */

/* The text with its control characters spelled out; its last newline stays one. The caller frees. */
static char *compose(const char format[], va_list args)
{
  char  *raw = NULL, *shown;
  size_t n;
  int    length = vasprintf(&raw, format, args);

  if (length < 0) return NULL;
  n = (size_t)length;
  shown = malloc(4 * n + 2);
  if (shown) {
    const PetscBool ends = n && raw[n - 1] == '\n';

    if (ends) raw[n - 1] = 0;
    CrTextShow(raw, shown, 4 * n + 1);
    if (ends) strcat(shown, "\n");
  }
  free(raw);
  return shown;
}

#define YELLOW "\033[1;33m"
#define RED    "\033[1;31m"
#define PLAIN  "\033[0m"

/* Does this stream go to a terminal that shows colours? https://no-color.org */
static PetscBool has_colours(FILE *stream)
{
  const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");

  return isatty(fileno(stream)) && !(none && *none) && kind && strcmp(kind, "dumb");
}

/* Writes a line in a colour; the newline at its end stays outside. */
static void print_in(const char colour[], const char text[], FILE *stream)
{
  size_t n = strlen(text);

  if (n && text[n - 1] == '\n') n--;
  fprintf(stream, "%s%.*s" PLAIN "%s", colour, (int)n, text, text + n);
}

static void say(const char colour[], const char format[], va_list args)
{
  char *text = is_speaker() ? compose(format, args) : NULL;

  if (!text) return;
  if (!the_log->quiet) {
    end_open_line();
    if (*colour && has_colours(stdout))
      print_in(colour, text, stdout);
    else
      fputs(text, stdout);
    fflush(stdout);
  }
  to_file(text);
  free(text);
}

void CrLog(const char format[], ...)
{
  va_list args;

  va_start(args, format);
  say("", format, args);
  va_end(args);
}

void CrLogIn(CrTone tone, const char format[], ...)
{
  static const char *const colours[] = {
      [CR_TONE_GOOD] = "\033[1;32m", [CR_TONE_BAD] = RED, [CR_TONE_STRONG] = "\033[1m"};
  va_list args;

  va_start(args, format);
  say(colours[tone], format, args);
  va_end(args);
}

void CrNote(const char format[], ...)
{
  va_list args;
  char   *text;

  if (!is_speaker()) return;
  va_start(args, format);
  text = compose(format, args);
  va_end(args);
  if (text) to_file(text);
  free(text);
}

/* "carom: " and more, on standard error. */
static void complain(const char colour[], const char head[], const char text[])
{
  if (!the_log->silent) {
    end_open_line();
    fflush(stdout);
    if (has_colours(stderr))
      print_in(colour, head, stderr);
    else
      fputs(head, stderr);
    fprintf(stderr, "%s\n", text);
  }
  to_file(head);
  to_file(text);
  to_file("\n");
}

void CrWarn(const char format[], ...)
{
  va_list args;
  char   *text;

  if (!is_speaker()) return;
  va_start(args, format);
  text = compose(format, args);
  va_end(args);
  if (!text) return;
  complain(YELLOW, "carom: warning: ", text);
  CrWarningsAdd(text);
  free(text);
}

void CrErrorPrint(void)
{
  if (is_speaker() && *CrErrorMessage()) complain(RED, "carom: ", CrErrorMessage());
}

/* ---- warnings ----------------------------------------------------------------------------- */

static PetscBool is_kept(const char line[], size_t n)
{
  for (const char *s = CrWarnings(); *s; s += strcspn(s, "\n") + 1)
    if (strcspn(s, "\n") == n && !strncmp(s, line, n)) return PETSC_TRUE;
  return PETSC_FALSE;
}

void CrWarningsAdd(const char lines[])
{
  for (const char *s = lines; *s;) {
    const size_t n = strcspn(s, "\n");
    char        *line = n && !is_kept(s, n) ? malloc(n + 2) : NULL;

    if (line) {
      snprintf(line, n + 2, "%.*s\n", (int)n, s);
      keep(&the_log->warnings, line);
    }
    free(line);
    s += n + (s[n] == '\n');
  }
}

const char *CrWarnings(void)
{
  return the_log->warnings.text ? the_log->warnings.text : "";
}

void CrWarningsClear(void)
{
  forget(&the_log->warnings);
}

/* ---- manners ------------------------------------------------------------------------------ */

void CrLogSetQuiet(PetscBool value)
{
  the_log->quiet = value;
}

PetscBool CrLogIsQuiet(void)
{
  return the_log->quiet;
}

void CrLogSetOpenLine(PetscBool open)
{
  the_log->line_open = open;
}

/* ---- books -------------------------------------------------------------------------------- */

CrLogBook *CrLogBookCreate(void)
{
  CrLogBook *book = calloc(1, sizeof *book);

  if (book) book->quiet = book->silent = PETSC_TRUE;
  return book;
}

CrLogBook *CrLogBookOpen(CrLogBook *book)
{
  CrLogBook *before = the_log;

  the_log = book ? book : &of_process;
  return before;
}

void CrLogBookDestroy(CrLogBook **book)
{
  CrLogBook *before = CrLogBookOpen(*book);

  if (!*book) return;
  CrLogClose();
  forget(&the_log->before);
  forget(&the_log->warnings);
  CrLogBookOpen(before == *book ? NULL : before);
  free(*book);
  *book = NULL;
}

/* Reads numbers of a Gmsh file, text or binary, and makes error messages with their place. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "mesh/readers/gmsh.h"

/* ---- messages ---------------------------------------------------------------------------------- */

/* Lines are counted only when something is wrong. */
PetscErrorCode CrGmshError(const CrGmsh *g, const char *where, const char format[], ...)
{
  char        message[1024];
  const char *start = g->text; /* of the line */
  long        line = 1;
  va_list     args;

  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (g->binary) return CrInputError("%s: byte %ld: %s", g->path, (long)(where - g->text), message);
  for (const char *p = g->text; p < where; p++)
    if (*p == '\n') {
      start = p + 1;
      line++;
    }
  return CrInputError("%s:%ld:%ld: %s", g->path, line, (long)(where - start) + 1, message);
}

void CrGmshExcerpt(const char *where, const char *end, char excerpt[32])
{
  int n = 0;

  for (; where < end && n < 28 && (unsigned char)*where > ' '; where++)
    excerpt[n++] = (char)(*where < 127 && *where > ' ' ? *where : '?');
  if (n == 28) {
    memcpy(excerpt + n, "...", 3);
    n += 3;
  }
  excerpt[n] = 0;
}

static PetscErrorCode unexpected(const CrGmsh *g, const char *where, const char what[])
{
  char excerpt[32];

  if (where >= g->end) return CrGmshError(g, where, "expected %s, but the section ends here", what);
  CrGmshExcerpt(where, g->end, excerpt);
  return CrGmshError(g, where, "expected %s, found \"%s\"", what, excerpt);
}

/* ---- text -------------------------------------------------------------------------------------- */

static PetscBool is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static PetscBool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static const char *skip_space(CrGmsh *g)
{
  while (g->at < g->end && is_space(*g->at)) g->at++;
  return g->at;
}

const char *CrGmshPlace(CrGmsh *g)
{
  return g->binary ? g->at : skip_space(g);
}

void CrGmshEndLine(CrGmsh *g)
{
  const char *newline = memchr(g->at, '\n', (size_t)(g->end - g->at));

  g->at = newline ? newline + 1 : g->end;
}

PetscErrorCode CrGmshCheckLine(CrGmsh *g)
{
  PetscFunctionBeginUser;
  if (g->binary) PetscFunctionReturn(PETSC_SUCCESS);
  while (g->at < g->end && *g->at != '\n' && is_space(*g->at)) g->at++;
  if (g->at < g->end && *g->at != '\n') CrGmshFail(g, g->at, "expected the end of the line");
  if (g->at < g->end) g->at++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshTextInteger(CrGmsh *g, const char what[], int64_t *v)
{
  const char *start = skip_space(g), *p = start, *digits;
  PetscBool   minus = p < g->end && *p == '-';
  int64_t     value = 0;

  PetscFunctionBeginUser;
  if (p < g->end && (*p == '-' || *p == '+')) p++;
  for (digits = p; p < g->end && is_digit(*p) && p - digits < 18; p++)
    value = 10 * value + (*p - '0');
  if (p == digits || (p < g->end && !is_space(*p))) PetscFunctionReturn(unexpected(g, start, what));
  *v = minus ? -value : value;
  g->at = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Up to 15 digits or so and a small power of ten: the product of two exact numbers is rounded once,
   hence the right answer. Everything else is left to strtod. NULL if it is none of these. */
static const char *quick_real(const char *p, const char *end, PetscReal *v)
{
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  PetscBool           minus = p < end && *p == '-';
  uint64_t            digits = 0;
  int                 count = 0, exponent = 0;

  if (p < end && (*p == '-' || *p == '+')) p++;
  for (; p < end && is_digit(*p); p++, count++) digits = 10 * digits + (uint64_t)(*p - '0');
  if (p < end && *p == '.')
    for (p++; p < end && is_digit(*p); p++, count++, exponent--)
      digits = 10 * digits + (uint64_t)(*p - '0');
  if (count == 0 || count > 18 || digits > (1ull << 53)) return NULL;
  if (p < end && (*p == 'e' || *p == 'E')) {
    PetscBool negative;
    int       e = 0, n = 0;

    p++;
    negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    for (; p < end && is_digit(*p) && n < 4; p++, n++) e = 10 * e + (*p - '0');
    if (n == 0) return NULL;
    exponent += negative ? -e : e;
  }
  if (exponent < -22 || exponent > 22) return NULL;
  *v = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
  if (minus) *v = -*v;
  return p;
}

PetscErrorCode CrGmshTextReal(CrGmsh *g, const char what[], PetscReal *v)
{
  const char *start = skip_space(g), *p = quick_real(start, g->end, v);

  PetscFunctionBeginUser;
  if (!p && start < g->end) {
    char *stop;

    *v = strtod(start, &stop); /* the text ends with a zero, so it cannot run away */
    p = stop;
  }
  if (!p || p == start || p > g->end || (p < g->end && !is_space(*p)))
    PetscFunctionReturn(unexpected(g, start, what));
  if (!isfinite(*v)) CrGmshFail(g, start, "expected %s, but this is not a finite number", what);
  g->at = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- binary ------------------------------------------------------------------------------------ */

static PetscErrorCode take_bytes(CrGmsh *g, size_t n, const char what[], void *bytes)
{
  unsigned char *b = bytes;

  PetscFunctionBeginUser;
  if ((size_t)(g->end - g->at) < n)
    CrGmshFail(g, g->at, "expected %s, but the section ends here", what);
  memcpy(b, g->at, n);
  for (size_t i = 0; g->swap && i < n / 2; i++) {
    unsigned char t = b[i];

    b[i] = b[n - 1 - i];
    b[n - 1 - i] = t;
  }
  g->at += n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshInt(CrGmsh *g, const char what[], int64_t *v)
{
  int32_t value;

  PetscFunctionBeginUser;
  if (!g->binary) PetscFunctionReturn(CrGmshTextInteger(g, what, v));
  PetscCall(take_bytes(g, sizeof value, what, &value));
  *v = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshSize(CrGmsh *g, const char what[], int64_t *v)
{
  PetscFunctionBeginUser;
  if (!g->binary) PetscFunctionReturn(CrGmshTextInteger(g, what, v));
  PetscCall(take_bytes(g, sizeof *v, what, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReal(CrGmsh *g, const char what[], PetscReal *v)
{
  double value;

  PetscFunctionBeginUser;
  if (!g->binary) PetscFunctionReturn(CrGmshTextReal(g, what, v));
  PetscCall(take_bytes(g, sizeof value, what, &value));
  if (!isfinite(value))
    CrGmshFail(g, g->at - sizeof value, "expected %s, but this is not a finite number", what);
  *v = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- counts and ends --------------------------------------------------------------------------- */

PetscErrorCode CrGmshCheckCount(CrGmsh *g, const char *where, int64_t n, size_t text, size_t binary,
                                const char things[])
{
  size_t left = (size_t)(g->end - g->at) + (size_t)g->beyond, each = g->binary ? binary : text;

  PetscFunctionBeginUser;
  /* one byte more: the last line of a text may lack its end */
  if (n < 0 || (uint64_t)n > (left + 1) / each || n > PETSC_MAX_INT / 16)
    CrGmshFail(g, where, "%lld %s are announced, but the section is too short for them",
               (long long)n, things);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshCheckEnd(CrGmsh *g, const char name[])
{
  char excerpt[32];

  PetscFunctionBeginUser;
  skip_space(g);
  if (g->at < g->end) {
    CrGmshExcerpt(g->at, g->end, excerpt);
    CrGmshFail(g, g->at, "expected $End%s after the announced number of entries, found \"%s\"",
               name, excerpt);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

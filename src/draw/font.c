/* Letters of pictures: the outlines of a font, and texts in UTF-8 as sequences of letters. */
#include <stdlib.h>
#include "draw/internal.h"

#define CAPITAL 729. /* height of a capital letter in the units of the outlines */
#define MISSING 0x3f /* question mark */

typedef struct {
  unsigned    code; /* of Unicode */
  PetscReal   advance;
  const char *path; /* M, L, Q with coordinates, as in SVG; y goes up */
} Glyph;

static const Glyph glyphs[] = {
#include "draw/glyphs.def"
};

#define NGLYPHS (sizeof glyphs / sizeof *glyphs)

/* The table ascends, but for the few signs at its end. */
static const Glyph *find(unsigned code)
{
  for (size_t k = 0; k < NGLYPHS; k++)
    if (glyphs[k].code == code) return &glyphs[k];
  return &glyphs[MISSING - 0x20];
}

/* The next character of a text; broken UTF-8 counts byte by byte. */
static unsigned next_code(const char **text)
{
  const unsigned char *s = (const unsigned char *)*text;
  const int            more = *s >= 0xf0 ? 3 : *s >= 0xe0 ? 2 : *s >= 0xc0 ? 1 : 0;
  unsigned             code = more ? *s & (0x3fu >> more) : *s;

  for (int k = 1; k <= more; k++) {
    if ((s[k] & 0xc0) != 0x80) {
      ++*text;
      return MISSING;
    }
    code = code << 6 | (s[k] & 0x3fu);
  }
  *text += 1 + more;
  return code < 0x20 ? ' ' : code;
}

const char *CrTextLetter(const char text[], char letter[8])
{
  const char *end = text;

  (void)next_code(&end);
  snprintf(letter, 8, "%.*s", (int)(end - text), text);
  return end;
}

PetscReal CrTextWidth(PetscReal size, const char text[])
{
  PetscReal sum = 0;

  while (*text) sum += find(next_code(&text))->advance;
  return sum * size / CAPITAL;
}

/* One glyph with its origin at (x, y), y down. */
static void trace_glyph(const Glyph *glyph, PetscReal x, PetscReal y, PetscReal scale,
                        CrTrace *trace, void *ctx)
{
  const char *s = glyph->path;

  while (*s) {
    const char letter = *s++;
    PetscReal  p[2][2];
    char      *end;

    for (int k = 0; k < (letter == 'Q' ? 2 : 1); k++) {
      p[k][0] = x + scale * (PetscReal)strtol(s, &end, 10);
      s = end;
      p[k][1] = y - scale * (PetscReal)strtol(s, &end, 10);
      s = end;
    }
    trace(ctx, letter, p);
  }
}

void CrTextTrace(PetscReal x, PetscReal y, PetscReal size, PetscReal align, const char text[],
                 CrTrace *trace, void *ctx)
{
  x -= align * CrTextWidth(size, text);
  while (*text) {
    const Glyph *glyph = find(next_code(&text));

    trace_glyph(glyph, x, y, size / CAPITAL, trace, ctx);
    x += glyph->advance * size / CAPITAL;
  }
}

void CrPowerText(PetscInt exponent, char text[48])
{
  static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  char                     plain[16];
  size_t                   used = 2;

  snprintf(text, 48, "10");
  snprintf(plain, sizeof plain, "%" PetscInt_FMT, exponent);
  for (const char *s = plain; *s; s++)
    used += (size_t)snprintf(text + used, 48 - used, "%s", *s == '-' ? "\u207b" : digits[*s - '0']);
}

/* Writes the tree as YAML that readers of versions 1.1 and 1.2 understand in the same way. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include "deck/internal.h"

/* 1.1 sees numbers differently: 1e4 and -.5 are texts there and 010 is eight. So: no plus in front,
   no zeros in front, a digit on both sides of the point, a point and a sign with every exponent. */
static void write_number(FILE *out, const char *s)
{
  size_t whole, part = 0;

  if (*s == '-') fputc('-', out);
  if (*s == '-' || *s == '+') s++;
  while (s[0] == '0' && s[1] >= '0' && s[1] <= '9') s++;
  whole = strspn(s, "0123456789");
  fprintf(out, "%.*s", whole ? (int)whole : 1, whole ? s : "0");
  s += whole;
  if (!*s) return;
  if (*s == '.') part = strspn(++s, "0123456789");
  fprintf(out, ".%.*s", part ? (int)part : 1, part ? s : "0");
  s += part;
  if (!*s) return;
  s++;
  fprintf(out, "e%s%s", *s == '-' || *s == '+' ? "" : "+", s);
}

static PetscBool is_reserved(const char text[])
{
  static const char *const words[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcasecmp(text, words[i])) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Begins with a letter, so it is no number, date or sign of YAML. */
static PetscBool is_plain(const char text[])
{
  const char *s = text;

  if (!isalpha((unsigned char)*s) || (unsigned char)*s > 0x7e || is_reserved(text))
    return PETSC_FALSE;
  for (; *s; s++) {
    if ((unsigned char)*s > 0x7e) return PETSC_FALSE;
    if (*s == ' ' && s[1] && s[1] != ' ') continue;
    if (!isalnum((unsigned char)*s) && !strchr("_-+./", *s)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* Next character of UTF-8, which the parser has already found valid. */
static unsigned long decode(const char **s)
{
  const unsigned char *u = (const unsigned char *)*s;
  int                  n = *u < 0x80 ? 0 : *u < 0xe0 ? 1 : *u < 0xf0 ? 2 : 3;
  unsigned long        c = n == 0 ? *u : *u & (0x3fu >> n);

  for (int i = 1; i <= n && u[i]; i++) c = c << 6 | (u[i] & 0x3f);
  for (int i = 0; i <= n && **s; i++) (*s)++;
  return c;
}

static PetscBool is_printable(unsigned long c)
{
  if (c < 0xa0) return c >= 0x20 && c < 0x7f;
  if (c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0xfffe || c == 0xffff) return PETSC_FALSE;
  return PETSC_TRUE;
}

static void write_quoted(FILE *out, const char text[])
{
  fputc('"', out);
  for (const char *s = text; *s;) {
    const char   *from = s;
    unsigned long c = decode(&s);

    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", (int)c);
    else if (c == '\n')
      fputs("\\n", out);
    else if (c == '\t')
      fputs("\\t", out);
    else if (is_printable(c))
      fwrite(from, 1, (size_t)(s - from), out);
    else
      fprintf(out, c < 0x100 ? "\\x%02lX" : "\\u%04lX", c);
  }
  fputc('"', out);
}

static void write_text(FILE *out, const char text[])
{
  if (is_plain(text))
    fputs(text, out);
  else
    write_quoted(out, text);
}

static void write_scalar(FILE *out, const CrDeckNode *node)
{
  PetscReal value;
  PetscBool is_number = CrDeckTextNumber(node->text, &value) == DECK_NUMBER;
  PetscBool is_truth = !strcmp(node->text, "true") || !strcmp(node->text, "false");
  PetscBool as_plain = node->sense == DECK_AS_WRITTEN && !node->quoted;

  if (CrDeckIsNull(node))
    fputc('~', out);
  else if (is_number && (as_plain || node->sense == DECK_AS_NUMBER))
    write_number(out, node->text);
  else if (is_truth && (as_plain || node->sense == DECK_AS_TRUTH))
    fputs(node->text, out);
  else
    write_text(out, node->text);
}

static PetscBool holds_map(const CrDeckNode *node)
{
  if (node->kind == DECK_MAP) return PETSC_TRUE;
  for (PetscInt i = 0; i < node->count; i++)
    if (holds_map(node->items[i])) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* On the line where the key stands: scalars, lists of them, and what is empty. */
static PetscBool fits_line(const CrDeckNode *node)
{
  return node->count == 0 || (node->kind == DECK_LIST && !holds_map(node));
}

static void write_flow(FILE *out, const CrDeckNode *node)
{
  if (node->kind == DECK_SCALAR)
    write_scalar(out, node);
  else if (node->kind == DECK_MAP)
    fputs("{}", out);
  else {
    fputc('[', out);
    for (PetscInt i = 0; i < node->count; i++) {
      if (i) fputs(", ", out);
      write_flow(out, node->items[i]);
    }
    fputc(']', out);
  }
}

static void write_block(FILE *out, const CrDeckNode *node, int indent, PetscBool started);

/* Keys of more than 1024 characters are only allowed in the long form. */
static void write_key(FILE *out, const char name[], int indent)
{
  PetscBool is_long = strlen(name) > 200;

  if (is_long) fputs("? ", out);
  write_text(out, name);
  if (is_long) fprintf(out, "\n%*s", indent, "");
  fputc(':', out);
}

static void write_entry(FILE *out, const CrDeckNode *item, int indent)
{
  if (item->name)
    write_key(out, item->name, indent);
  else
    fputc('-', out);
  if (fits_line(item)) {
    fputc(' ', out);
    write_flow(out, item);
    fputc('\n', out);
  } else if (!item->name && item->kind == DECK_MAP) {
    fputc(' ', out);
    write_block(out, item, indent + 2, PETSC_TRUE);
  } else {
    fputc('\n', out);
    write_block(out, item, indent + 2, PETSC_FALSE);
  }
}

/* `started`: the first line already stands at its place, behind a "- ". */
static void write_block(FILE *out, const CrDeckNode *node, int indent, PetscBool started)
{
  for (PetscInt i = 0; i < node->count; i++) {
    if (i || !started) fprintf(out, "%*s", indent, "");
    write_entry(out, node->items[i], indent);
  }
}

PetscErrorCode CrDeckWrite(const CrDeck *deck, FILE *out)
{
  PetscFunctionBeginUser;
  errno = 0;
  if (deck->root->count)
    write_block(out, deck->root, 0, PETSC_FALSE);
  else
    fputs("{}\n", out);
  if (fflush(out) || ferror(out))
    CrMachineFail("the deck cannot be written: %s", strerror(errno ? errno : EIO));
  PetscFunctionReturn(PETSC_SUCCESS);
}

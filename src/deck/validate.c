/* Checks the tree against the tables of keys. A check returns true, or false with the first error message. Checks
   allocate no memory, so that a value may be compared with several tables. */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "deck/internal.h"

typedef struct {
  DeckMark mark;
  char     path[DECK_LINE];
  char     message[2 * DECK_LINE];
} Complaint;

static PetscBool complain(Complaint *c, const CrDeckNode *node, const char format[], ...)
    PETSC_ATTRIBUTE_FORMAT(3, 4);

static PetscBool complain(Complaint *c, const CrDeckNode *node, const char format[], ...)
{
  va_list args;

  c->mark = node->mark;
  CrDeckNodePath(node, c->path);
  va_start(args, format);
  vsnprintf(c->message, sizeof c->message, format, args);
  va_end(args);
  return PETSC_FALSE;
}

/* "a, b, c"; cut where a message gets too long. */
static void join(char text[DECK_LINE], PetscInt n, const char *const words[])
{
  for (PetscInt i = 0; i < n; i++) {
    if (strlen(text) + strlen(words[i]) + 8 > DECK_LINE) {
      CrDeckAppend(text, DECK_LINE, ", ...");
      return;
    }
    CrDeckAppend(text, DECK_LINE, "%s%s", i ? ", " : "", words[i]);
  }
}

/* ---- what was expected, what was found ------------------------------------------------------- */

static void describe_expected(unsigned types, const CrKey *key, char text[2 * DECK_LINE])
{
  static const struct {
    unsigned    type;
    const char *phrase;
  } phrases[] = {{CR_REAL, "a number"},
                 {CR_INTEGER, "an integer"},
                 {CR_TRUTH, "true or false"},
                 {CR_WORD, ""},
                 {CR_TEXT, "a text"},
                 {CR_REALS, "a list of numbers"},
                 {CR_WORDS, "a list of words"},
                 {CR_TEXTS, "a list of texts"},
                 {CR_MATRIX, "a list of lists of numbers"},
                 {CR_MAP, "a mapping"},
                 {CR_LIST, "a list of mappings"},
                 {CR_NAMED, "a mapping of mappings"}};
  char        buffer[DECK_LINE], list[DECK_LINE] = "";
  const char *words[DECK_WORDS];
  PetscInt    n;

  if (types & CR_REAL) types &= ~(unsigned)CR_INTEGER;
  text[0] = 0;
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
    if (!(types & phrases[i].type)) continue;
    CrDeckAppend(text, 2 * DECK_LINE, "%s%s", text[0] ? " or " : "", phrases[i].phrase);
    if (phrases[i].type != CR_WORD) continue;
    n = CrDeckWords(key, buffer, words);
    join(list, n, words);
    CrDeckAppend(text, 2 * DECK_LINE, "%s%s", n > 1 ? "one of " : "", list);
  }
}

static void describe_found(const CrDeckNode *node, char text[DECK_LINE])
{
  char      clip[DECK_CLIP];
  PetscReal value;

  if (node->kind == DECK_MAP)
    snprintf(text, DECK_LINE, "a mapping");
  else if (node->kind == DECK_LIST)
    snprintf(text, DECK_LINE, "a list");
  else if (CrDeckIsNull(node))
    snprintf(text, DECK_LINE, "nothing");
  else if (!node->quoted && CrDeckTextNumber(node->text, &value) != DECK_NO_NUMBER)
    snprintf(text, DECK_LINE, "the number %s", CrDeckClip(node->text, clip));
  else if (!node->quoted && (!strcmp(node->text, "true") || !strcmp(node->text, "false")))
    snprintf(text, DECK_LINE, "%s", node->text);
  else
    snprintf(text, DECK_LINE, "the text \"%s\"", CrDeckClip(node->text, clip));
}

/* What a text that begins like a number was probably meant to be; "" if nothing comes to mind. */
static const char *number_remedy(const CrDeckNode *node)
{
  const char *s = node->text, *rest;

  if (*s == '-' || *s == '+') s++;
  rest = s + strspn(s, "0123456789.");
  if (rest == s || !*rest) return "";
  if (*rest == ',') return "; decimal numbers need a point";
  if (strchr("_xXeE", *rest)) return "";
  return "; write the number alone, in one consistent set of units for the whole deck";
}

#define FEW_KEYS 4

/* The keys of a small mapping, as they are written: "; write {stress: ..., exponent: ...}"; "" for others. */
static const char *mapping_remedy(const CrKey *key, char text[DECK_LINE])
{
  PetscInt n = 0;

  text[0] = 0;
  while (key->keys && key->keys[n].name) n++;
  if (!n || n > FEW_KEYS || key->more) return text;
  for (PetscInt i = 0; i < n; i++)
    CrDeckAppend(text, DECK_LINE, "%s%s: ...", i ? ", " : "; write {", key->keys[i].name);
  CrDeckAppend(text, DECK_LINE, "}");
  return text;
}

static PetscBool complain_type(Complaint *c, const CrDeckNode *node, unsigned types,
                               const CrKey *key)
{
  char        expected[2 * DECK_LINE], found[DECK_LINE], keys[DECK_LINE];
  const char *remedy = "";
  PetscReal   value;
  unsigned    numbers = CR_REAL | CR_INTEGER;

  describe_found(node, found);
  if (types & numbers && node->kind == DECK_SCALAR) {
    DeckNumber number = CrDeckTextNumber(node->text, &value);

    if (number == DECK_NO_NUMBER) remedy = number_remedy(node);
    if (number == DECK_NOT_FINITE) types = 0;
  } else if (types == CR_LIST && node->kind == DECK_MAP) {
    remedy = "; each entry begins with \"- \"";
  } else if (types == CR_MAP) {
    remedy = mapping_remedy(key, keys);
  }
  if (types)
    describe_expected(types, key, expected);
  else
    snprintf(expected, sizeof expected, "a finite number");
  return complain(c, node, "expected %s, found %s%s", expected, found, remedy);
}

/* ---- scalars --------------------------------------------------------------------------------- */

static PetscBool check_range(Complaint *c, const CrDeckNode *node, const CrKey *key,
                             PetscReal value)
{
  DeckRange r = CrDeckRange(key->range);
  char      rule[128] = "must be ", clip[DECK_CLIP];

  if (CrDeckRangeHas(&r, value)) return PETSC_TRUE;
  if (r.low == r.high)
    return complain(c, node, "must be %g, is %s", r.low, CrDeckClip(node->text, clip));
  if (isfinite(r.low))
    CrDeckAppend(rule, sizeof rule, "%s %g", r.low_in ? "at least" : "greater than", r.low);
  if (isfinite(r.low) && isfinite(r.high)) CrDeckAppend(rule, sizeof rule, " and ");
  if (isfinite(r.high))
    CrDeckAppend(rule, sizeof rule, "%s %g", r.high_in ? "at most" : "less than", r.high);
  return complain(c, node, "%s, is %s", rule, CrDeckClip(node->text, clip));
}

static PetscBool check_number(Complaint *c, CrDeckNode *node, const CrKey *key, unsigned types)
{
  PetscReal value;
  char      clip[DECK_CLIP];

  if (CrDeckIsNull(node) || node->kind != DECK_SCALAR ||
      CrDeckTextNumber(node->text, &value) != DECK_NUMBER)
    return complain_type(c, node, types, key);
  if (!(types & CR_REAL)) {
    if (value != floor(value)) return complain_type(c, node, types, key);
    if (!CrDeckNumberIsInteger(value))
      return complain(c, node, "must be between -%" PetscInt_FMT " and %" PetscInt_FMT ", is %s",
                      PETSC_MAX_INT, PETSC_MAX_INT, CrDeckClip(node->text, clip));
  }
  node->sense = DECK_AS_NUMBER;
  return check_range(c, node, key, value);
}

static PetscBool is_among(const char text[], PetscInt n, const char *const words[])
{
  for (PetscInt i = 0; i < n; i++)
    if (!strcmp(text, words[i])) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* A word, or a key, that is none of n: the nearest of them, or behind `else_of` the list. */
static PetscBool complain_unknown(Complaint *c, const CrDeckNode *node, const char what[],
                                  const char word[], const char else_of[], PetscInt n,
                                  const char *const words[])
{
  char list[DECK_LINE] = "", clip[DECK_CLIP], hint[CR_HINT];

  CrDeckAppend(list, DECK_LINE, "; %s ", else_of);
  join(list, n, words);
  return complain(c, node, "unknown %s\"%s\"%s", what, CrDeckClip(word, clip),
                  CrNameHint(word, n, words, list, hint));
}

/* `types`: what else would have been right at this place. */
static PetscBool check_word(Complaint *c, CrDeckNode *node, const CrKey *key, unsigned types)
{
  char        buffer[DECK_LINE];
  const char *words[DECK_WORDS];
  PetscInt    n = CrDeckWords(key, buffer, words);

  if (CrDeckIsNull(node) || node->kind != DECK_SCALAR) return complain_type(c, node, types, key);
  node->sense = DECK_AS_WRITTEN;
  if (is_among(node->text, n, words)) return PETSC_TRUE;
  if (types != CR_WORD && !CrNearestName(node->text, n, words))
    return complain_type(c, node, types, key);
  return complain_unknown(c, node, "", node->text, "expected one of", n, words);
}

static PetscBool check_text(Complaint *c, CrDeckNode *node, const CrKey *key)
{
  if (CrDeckIsNull(node) || node->kind != DECK_SCALAR) return complain_type(c, node, CR_TEXT, key);
  node->sense = DECK_AS_TEXT;
  return PETSC_TRUE;
}

/* Words first: a word may look like a number. Then from the narrow to the wide. */
static PetscBool check_scalar(Complaint *c, CrDeckNode *node, const CrKey *key)
{
  const unsigned all = key->types & ~(unsigned)(CR_MUST | CR_NULLS), numbers = CR_REAL | CR_INTEGER;
  PetscReal      value;
  char           buffer[DECK_LINE];
  const char    *words[DECK_WORDS];
  PetscBool      is_number = CrDeckTextNumber(node->text, &value) != DECK_NO_NUMBER;

  node->sense = DECK_AS_WRITTEN;
  if (all & CR_WORD && is_among(node->text, CrDeckWords(key, buffer, words), words))
    return PETSC_TRUE;
  if (all & CR_TRUTH && (!strcmp(node->text, "true") || !strcmp(node->text, "false"))) {
    node->sense = DECK_AS_TRUTH;
    return PETSC_TRUE;
  }
  if (all & numbers && is_number) return check_number(c, node, key, all);
  if (all & CR_TEXT) return check_text(c, node, key);
  if (all & CR_WORD && !is_number) return check_word(c, node, key, all);
  return complain_type(c, node, all, key);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static PetscBool check_reals(Complaint *c, CrDeckNode *list, const CrKey *key)
{
  if (list->kind != DECK_LIST) return complain_type(c, list, CR_REALS, key);
  for (PetscInt i = 0; i < list->count; i++) {
    if (key->types & CR_NULLS && CrDeckIsNull(list->items[i])) continue;
    if (!check_number(c, list->items[i], key, CR_REAL)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscBool check_map(Complaint *c, CrDeckNode *map, const CrKey *key, PetscBool strict,
                           PetscBool partial);

static PetscBool check_items(Complaint *c, CrDeckNode *list, const CrKey *key, unsigned type)
{
  PetscBool good = PETSC_TRUE;

  if (type == CR_REALS) return check_reals(c, list, key);
  for (PetscInt i = 0; i < list->count && good; i++) {
    CrDeckNode *item = list->items[i];

    if (type == CR_MATRIX) good = check_reals(c, item, key);
    if (type == CR_WORDS) good = check_word(c, item, key, CR_WORD);
    if (type == CR_TEXTS) good = check_text(c, item, key);
    if (type == CR_LIST) good = check_map(c, item, key, PETSC_TRUE, PETSC_FALSE);
  }
  return good;
}

/* Where several kinds of list are allowed, the complaint is about the first with the right shape. */
static PetscBool check_list(Complaint *c, CrDeckNode *list, const CrKey *key)
{
  static const unsigned kinds[] = {CR_REALS, CR_WORDS, CR_TEXTS, CR_MATRIX, CR_LIST};
  static const DeckKind shape[] = {DECK_SCALAR, DECK_SCALAR, DECK_SCALAR, DECK_LIST, DECK_MAP};
  PetscInt              told = 0;
  Complaint             mine;

  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    PetscInt rank;

    if (!(key->types & kinds[k])) continue;
    if (check_items(&mine, list, key, kinds[k])) return PETSC_TRUE;
    rank = list->items[0]->kind == shape[k] ? 2 : 1;
    if (rank > told) *c = mine;
    told = PetscMax(told, rank);
  }
  if (told) return PETSC_FALSE;
  return complain_type(c, list, key->types, key);
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* `friction 0.3` and `friction:0.3`, which YAML takes for a key without a value. */
static PetscBool lacks_colon(const CrDeckNode *child, PetscInt n, const char *const names[])
{
  size_t length = strcspn(child->name, " :");

  if (!CrDeckIsNull(child) || !child->name[length]) return PETSC_FALSE;
  for (PetscInt i = 0; i < n; i++)
    if (strlen(names[i]) == length && !strncmp(names[i], child->name, length)) return PETSC_TRUE;
  return PETSC_FALSE;
}

static PetscBool complain_key(Complaint *c, const CrDeckNode *child, const CrKey *key)
{
  const char  *names[DECK_WORDS];
  char         clip[DECK_CLIP];
  const CrKey *table;
  PetscInt     n = 0;

  for (PetscInt i = 0; (table = CrDeckTable(key, i)); i++)
    for (; table->name && n < DECK_WORDS; table++)
      if (!is_among(table->name, n, names)) names[n++] = table->name;
  if (lacks_colon(child, n, names))
    complain(c, child, "\"%s\" is missing a colon and a space after the key",
             CrDeckClip(child->name, clip));
  else
    complain_unknown(c, child, "key ", child->name, n ? "the keys here are" : "there are none here",
                     n, names);
  c->mark = child->name_mark;
  return PETSC_FALSE;
}

static PetscBool check_named(Complaint *c, CrDeckNode *map, const CrKey *key)
{
  char        buffer[DECK_LINE];
  const char *words[DECK_WORDS];
  PetscInt    n = CrDeckWords(key, buffer, words);

  for (PetscInt i = 0; i < map->count; i++) {
    CrDeckNode *child = map->items[i];

    if (!is_among(child->name, n, words)) {
      complain_unknown(c, child, "", child->name, "expected one of", n, words);
      c->mark = child->name_mark;
      return PETSC_FALSE;
    }
    if (!CrDeckIsNull(child) && !check_map(c, child, key, PETSC_TRUE, PETSC_TRUE))
      return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscBool check_value(Complaint *c, CrDeckNode *node, const CrKey *key)
{
  const unsigned types = key->types & ~(unsigned)(CR_MUST | CR_NULLS);

  if (node->kind == DECK_SCALAR) return check_scalar(c, node, key);
  if (node->kind == DECK_LIST) return check_list(c, node, key);
  if (types & CR_MAP) return check_map(c, node, key, PETSC_TRUE, PETSC_FALSE);
  if (types & CR_NAMED) return check_named(c, node, key);
  return complain_type(c, node, types, key);
}

/* `key:` with nothing behind it: a section that is left empty, but of a single value a slip of the
   pen. Whoever wants the default writes ~ or leaves the key out. */
static PetscBool is_forgotten(const CrDeckNode *node, const CrKey *row)
{
  const unsigned sections = CR_TEXT | CR_MAP | CR_LIST | CR_NAMED;

  return node->kind == DECK_SCALAR && !node->quoted && !node->text[0] && !(row->types & sections);
}

/* A value must suit one of the tables that know its key; the first of them complains. */
static PetscBool check_entry(Complaint *c, CrDeckNode *child, const CrKey *key, PetscBool strict)
{
  PetscBool    known = PETSC_FALSE;
  const CrKey *table;
  Complaint    mine;

  for (PetscInt i = 0; (table = CrDeckTable(key, i)); i++) {
    const CrKey *row = CrDeckRow(table, child->name);

    if (!row) continue;
    if (is_forgotten(child, row))
      return complain(c, child, "has no value; leave the key out, or write ~, for the default");
    if (CrDeckIsNull(child) || check_value(&mine, child, row)) return PETSC_TRUE;
    if (!known) *c = mine;
    known = PETSC_TRUE;
  }
  if (known) return PETSC_FALSE;
  return strict ? complain_key(c, child, key) : PETSC_TRUE;
}

/* `{step: 0,01}`, which YAML takes for a step of 0 and a key "01". */
static PetscBool has_decimal_comma(const CrDeckNode *map, PetscInt i)
{
  const CrDeckNode *value = map->items[i], *next = i + 1 < map->count ? map->items[i + 1] : NULL;

  return next && CrDeckIsReal(value) && strlen(value->text) < DECK_CLIP &&
         strlen(next->name) < DECK_CLIP && CrDeckIsNull(next) && strspn(next->name, "0123456789") &&
         !next->name[strspn(next->name, "0123456789eE+-")];
}

/* `partial`: the map will be laid over another one, which has the keys that must be there. */
static PetscBool check_map(Complaint *c, CrDeckNode *map, const CrKey *key, PetscBool strict,
                           PetscBool partial)
{
  if (map->kind != DECK_MAP) return complain_type(c, map, CR_MAP, key);
  for (PetscInt i = 0; i < map->count; i++) {
    if (has_decimal_comma(map, i))
      return complain(c, map->items[i], "is \"%s,%s\"; decimal numbers need a point",
                      map->items[i]->text, map->items[i + 1]->name);
    if (!check_entry(c, map->items[i], key, strict)) return PETSC_FALSE;
  }
  if (partial) return PETSC_TRUE;
  for (const CrKey *row = CrDeckTable(key, 0); row->name; row++)
    if (row->types & CR_MUST && !CrDeckFind(map, row->name))
      return complain(c, map, "the key \"%s\" is missing%s%s", row->name,
                      row->help ? "; it is: " : "", row->help ? row->help : "");
  return PETSC_TRUE;
}

PetscErrorCode CrDeckCheckMap(CrDeckNode *map, const CrKey *key, PetscBool strict)
{
  Complaint c;

  PetscFunctionBeginUser;
  if (!check_map(&c, map, key, strict, PETSC_FALSE))
    PetscFunctionReturn(CrDeckErrorAt(c.mark, c.path, c.message));
  PetscFunctionReturn(PETSC_SUCCESS);
}

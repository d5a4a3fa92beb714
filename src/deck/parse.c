/* Parses YAML text into a tree. libyaml gives events with the line and column of every value. The events also make it
   possible to reject features that a deck does not need (tags, merge keys, several documents). */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "deck/internal.h"

typedef struct Anchor Anchor;
struct Anchor {
  const char       *name;
  const CrDeckNode *node;
  const Anchor     *older;
};

typedef struct {
  CrDeck         *deck; /* borrowed */
  const char     *text; /* borrowed */
  size_t          length;
  const DeckMark *fixed; /* place of every node, or NULL: its own line and column */
  PetscBool       given;
  yaml_parser_t   parser;
  yaml_event_t    event; /* the one being looked at; gone after the next */
  const Anchor   *anchors;
  PetscInt        nanchors;
} Reader;

static DeckMark mark_of(const Reader *r, yaml_mark_t at)
{
  DeckMark mark = {r->deck->path, (PetscInt)at.line + 1, (PetscInt)at.column + 1};

  return r->fixed ? *r->fixed : mark;
}

/* The reader of libyaml knows only the byte where the encoding is broken. */
static yaml_mark_t mark_of_offset(const Reader *r, size_t offset)
{
  yaml_mark_t at = {0};

  for (size_t i = 0; i < offset && i < r->length; i++) {
    at.column++;
    if (r->text[i] == '\n') {
      at.line++;
      at.column = 0;
    }
  }
  return at;
}

/* Columns count characters, not bytes; before a tab that indents there are only blanks. */
static PetscBool is_tab(const Reader *r, yaml_mark_t at)
{
  const char *s = r->text, *end = r->text + r->length;

  for (size_t line = 0; line < at.line && s < end; line++) {
    s = memchr(s, '\n', (size_t)(end - s));
    s = s ? s + 1 : end;
  }
  return (size_t)(end - s) > at.column && s[at.column] == '\t';
}

/* What libyaml says where a line stands a blank too far left or right. */
static PetscBool is_of_indentation(const char problem[])
{
  return strstr(problem, "mapping values are not allowed") || strstr(problem, "expected key") ||
         strstr(problem, "expected '-' indicator");
}

static PetscErrorCode syntax_error(const Reader *r)
{
  const yaml_parser_t *p = &r->parser;
  yaml_mark_t          at = p->problem_mark;
  char                 message[1024] = "not valid YAML: ";

  if (p->error == YAML_MEMORY_ERROR) return PETSC_ERR_MEM;
  CrDeckAppend(message, sizeof message, "%s", p->problem ? p->problem : "it cannot be read");
  if (p->error == YAML_READER_ERROR) {
    at = mark_of_offset(r, p->problem_offset);
    if (p->problem_value != -1)
      CrDeckAppend(message, sizeof message, " (#%X)", (unsigned)p->problem_value);
  } else if (p->error == YAML_SCANNER_ERROR && is_tab(r, at)) {
    snprintf(message, sizeof message, "not valid YAML: a tab cannot indent; use spaces");
  } else if (p->context) {
    CrDeckAppend(message, sizeof message, " %s", p->context);
    if (!r->fixed && p->context_mark.line != at.line)
      CrDeckAppend(message, sizeof message, " (line %zu)", p->context_mark.line + 1);
  }
  if (p->problem && is_of_indentation(p->problem))
    CrDeckAppend(message, sizeof message,
                 "; check the indentation of this line; a text with a colon needs quotes");
  return CrDeckErrorAt(mark_of(r, at), "", message);
}

static PetscErrorCode next_event(Reader *r)
{
  PetscFunctionBeginUser;
  yaml_event_delete(&r->event);
  if (!yaml_parser_parse(&r->parser, &r->event)) PetscFunctionReturn(syntax_error(r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode refuse_tag(const CrDeckNode *node, const yaml_char_t *tag)
{
  char clip[DECK_CLIP];

  PetscFunctionBeginUser;
  if (tag)
    CrDeckFail(node, "YAML tags such as %s have no meaning in a deck",
               CrDeckClip((char *)tag, clip));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An anchor counts once its node is complete, so no node can hold itself. */
static PetscErrorCode remember_anchor(Reader *r, const char name[], const CrDeckNode *node)
{
  Anchor *anchor;

  PetscFunctionBeginUser;
  if (!name) PetscFunctionReturn(PETSC_SUCCESS);
  if (++r->nanchors > DECK_ANCHORS)
    CrDeckFail(node, "the deck has more than %d YAML anchors", DECK_ANCHORS);
  PetscCall(CrDeckMalloc(r->deck, sizeof *anchor, &anchor));
  anchor->name = name;
  anchor->node = node;
  anchor->older = r->anchors;
  r->anchors = anchor;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode keep_anchor_name(Reader *r, const yaml_char_t *anchor, const char **name)
{
  PetscFunctionBeginUser;
  *name = NULL;
  if (anchor)
    PetscCall(CrDeckCopyText(r->deck, (const char *)anchor, strlen((const char *)anchor), name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How many values a node is, itself counted; stops beyond the limit. */
static PetscInt size_of(const CrDeckNode *node, PetscInt limit)
{
  PetscInt size = 1;

  for (PetscInt i = 0; i < node->count && size <= limit; i++)
    size += size_of(node->items[i], limit - size);
  return size;
}

static PetscErrorCode read_alias(Reader *r, CrDeckNode *parent, const char name[],
                                 DeckMark name_mark, PetscInt depth, CrDeckNode **node)
{
  const char   *wanted = (const char *)r->event.data.alias.anchor;
  DeckMark      mark = mark_of(r, r->event.start_mark);
  const Anchor *anchor = r->anchors;
  char          path[DECK_LINE], message[256], clip[DECK_CLIP];
  PetscInt      size = 0, room = DECK_COPIES - r->deck->copies;

  PetscFunctionBeginUser;
  while (anchor && strcmp(anchor->name, wanted)) anchor = anchor->older;
  if (anchor) size = size_of(anchor->node, room);
  if (anchor && size <= room) {
    r->deck->copies += size;
    PetscCall(CrDeckNodeCopy(r->deck, anchor->node, depth, node));
    if (parent) PetscCall(CrDeckNodeAdd(parent, name, name_mark, *node));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (anchor)
    snprintf(message, sizeof message, "aliases copy more than %d values", DECK_COPIES);
  else
    snprintf(message, sizeof message, "the alias *%s has no anchor before it",
             CrDeckClip(wanted, clip));
  CrDeckNodePath(parent, path);
  if (name) CrDeckAppend(path, DECK_LINE, "%s%s", path[0] ? "." : "", CrDeckClip(name, clip));
  PetscFunctionReturn(CrDeckErrorAt(mark, path, message));
}

static PetscErrorCode read_scalar(Reader *r, CrDeckNode *node)
{
  const char *text = (const char *)r->event.data.scalar.value;
  size_t      length = r->event.data.scalar.length;
  const char *anchor;

  PetscFunctionBeginUser;
  PetscCall(refuse_tag(node, r->event.data.scalar.tag));
  if (memchr(text, 0, length)) CrDeckFail(node, "a text cannot contain the character NUL");
  node->quoted = !(r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE);
  PetscCall(CrDeckCopyText(r->deck, text, length, &node->text));
  PetscCall(keep_anchor_name(r, r->event.data.scalar.anchor, &anchor));
  PetscCall(remember_anchor(r, anchor, node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_node(Reader *r, CrDeckNode *parent, const char name[],
                                DeckMark name_mark, PetscInt depth, CrDeckNode **node);

static PetscErrorCode read_list(Reader *r, CrDeckNode *list, PetscInt depth)
{
  DeckMark    unnamed = {0};
  CrDeckNode *item;
  const char *anchor;

  PetscFunctionBeginUser;
  PetscCall(refuse_tag(list, r->event.data.sequence_start.tag));
  PetscCall(keep_anchor_name(r, r->event.data.sequence_start.anchor, &anchor));
  PetscCall(next_event(r));
  while (r->event.type != YAML_SEQUENCE_END_EVENT) {
    PetscCall(read_node(r, list, NULL, unnamed, depth + 1, &item));
    PetscCall(next_event(r));
  }
  PetscCall(remember_anchor(r, anchor, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_key(Reader *r, const CrDeckNode *map, const char **name, DeckMark *mark)
{
  const char *text;
  const char *wrong = NULL;
  char        path[DECK_LINE];

  PetscFunctionBeginUser;
  *mark = mark_of(r, r->event.start_mark);
  CrDeckNodePath(map, path);
  if (r->event.type != YAML_SCALAR_EVENT)
    PetscFunctionReturn(CrDeckErrorAt(*mark, path, "expected a name as key"));
  text = (const char *)r->event.data.scalar.value;
  if (strlen(text) != r->event.data.scalar.length)
    wrong = "a key cannot contain the character NUL";
  else if (!text[0])
    wrong = "the key is empty";
  else if (r->event.data.scalar.tag)
    wrong = "tags have no meaning in a deck";
  else if (r->event.data.scalar.anchor)
    wrong = "a key cannot be an anchor";
  else if (!strcmp(text, "<<") && r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
    wrong = "merge keys (<<) have no meaning in a deck";
  if (wrong) PetscFunctionReturn(CrDeckErrorAt(*mark, path, wrong));
  PetscCall(CrDeckCopyText(r->deck, text, strlen(text), name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int by_name(const void *a, const void *b)
{
  const CrDeckNode *x = *(CrDeckNode *const *)a, *y = *(CrDeckNode *const *)b;
  int               order = strcmp(x->name, y->name);

  return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Sorted, because a hostile file may have a million keys in one map. */
static PetscErrorCode refuse_doubled_keys(const CrDeckNode *map)
{
  CrDeckNode **sorted;
  CrDeckNode  *first = NULL, *second = NULL;
  char         path[DECK_LINE], message[128] = "the key is given here a second time";

  PetscFunctionBeginUser;
  if (map->count < 2) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(map->count, &sorted));
  for (PetscInt i = 0; i < map->count; i++) sorted[i] = map->items[i];
  qsort(sorted, (size_t)map->count, sizeof *sorted, by_name);
  for (PetscInt i = 1; i < map->count; i++)
    if (!strcmp(sorted[i - 1]->name, sorted[i]->name) &&
        (!second || sorted[i]->index < second->index)) {
      first = sorted[i - 1];
      second = sorted[i];
    }
  PetscCall(PetscFree(sorted));
  if (!second) PetscFunctionReturn(PETSC_SUCCESS);
  if (first->name_mark.line)
    CrDeckAppend(message, sizeof message, "; the first is in line %" PetscInt_FMT,
                 first->name_mark.line);
  CrDeckNodePath(second, path);
  PetscFunctionReturn(CrDeckErrorAt(second->name_mark, path, message));
}

static PetscErrorCode read_map(Reader *r, CrDeckNode *map, PetscInt depth)
{
  CrDeckNode *item;
  const char *anchor, *name;
  DeckMark    mark;

  PetscFunctionBeginUser;
  PetscCall(refuse_tag(map, r->event.data.mapping_start.tag));
  PetscCall(keep_anchor_name(r, r->event.data.mapping_start.anchor, &anchor));
  PetscCall(next_event(r));
  while (r->event.type != YAML_MAPPING_END_EVENT) {
    PetscCall(read_key(r, map, &name, &mark));
    PetscCall(next_event(r));
    PetscCall(read_node(r, map, name, mark, depth + 1, &item));
    PetscCall(next_event(r));
  }
  PetscCall(refuse_doubled_keys(map));
  PetscCall(remember_anchor(r, anchor, map));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The value that begins with the current event; afterwards its last event is the current one. */
static PetscErrorCode read_node(Reader *r, CrDeckNode *parent, const char name[],
                                DeckMark name_mark, PetscInt depth, CrDeckNode **node)
{
  yaml_event_type_t type = r->event.type;
  DeckKind          kind = DECK_SCALAR;

  PetscFunctionBeginUser;
  if (type == YAML_ALIAS_EVENT) {
    PetscCall(read_alias(r, parent, name, name_mark, depth, node));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (type == YAML_MAPPING_START_EVENT) kind = DECK_MAP;
  if (type == YAML_SEQUENCE_START_EVENT) kind = DECK_LIST;
  PetscCall(CrDeckNodeCreate(r->deck, kind, mark_of(r, r->event.start_mark), node));
  (*node)->given = r->given;
  (*node)->text = ""; /* until it is read, so that messages may already look at it */
  if (parent) PetscCall(CrDeckNodeAdd(parent, name, name_mark, *node));
  if (r->deck->nodes > DECK_VALUES)
    CrDeckFail(*node, "the deck has more than %d keys and values", DECK_VALUES);
  if (depth > DECK_DEPTH)
    CrDeckFail(*node, "lists and mappings are nested deeper than %d levels", DECK_DEPTH);
  if (kind == DECK_MAP)
    PetscCall(read_map(r, *node, depth));
  else if (kind == DECK_LIST)
    PetscCall(read_list(r, *node, depth));
  else
    PetscCall(read_scalar(r, *node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_document(Reader *r, PetscInt depth, CrDeckNode **node)
{
  DeckMark unnamed = {0};

  PetscFunctionBeginUser;
  PetscCall(next_event(r)); /* the stream */
  PetscCall(next_event(r)); /* the document, if there is one */
  if (r->event.type == YAML_STREAM_END_EVENT) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(next_event(r));
  PetscCall(read_node(r, NULL, NULL, unnamed, depth, node));
  PetscCall(next_event(r));
  PetscCall(next_event(r));
  if (r->event.type != YAML_STREAM_END_EVENT)
    PetscFunctionReturn(CrDeckErrorAt(mark_of(r, r->event.start_mark), "",
                                      "a second document begins here; a deck has one"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDeckNodeParse(CrDeck *deck, const char text[], size_t length,
                               const DeckMark *fixed, PetscBool given, PetscInt depth,
                               CrDeckNode **node)
{
  Reader         r = {.deck = deck, .text = text, .length = length, .fixed = fixed, .given = given};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *node = NULL;
  if (!yaml_parser_initialize(&r.parser)) PetscFunctionReturn(PETSC_ERR_MEM);
  yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, length);
  code = read_document(&r, depth, node);
  yaml_event_delete(&r.event);
  yaml_parser_delete(&r.parser);
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

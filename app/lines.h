/* What `carom COMMAND --help` says about options, line by line: the man page and the completions of shells
   are made of it, so they cannot say anything else. */
#pragma once

#include "app/app.h"

typedef struct {
  char name[32];  /* "--set", "-o"; empty on lines that go on with the last option */
  char value[64]; /* "key.path=value"; empty: the option takes none */
  char help[256];
  int  indent; /* of lines that go on: lists within the help stand deeper */
} AppLine;

/* The text of a command's options; the caller frees it with free. */
PetscErrorCode AppLinesOpen(const AppCommand *c, char **text);
/* The line at *at, which moves behind it; false at the end. */
PetscBool AppLinesNext(const char **at, AppLine *line);
/* The next option: of lines that show the same option in several forms only the first. `line` holds the
   last one, or is zero at the start. */
PetscBool AppLinesNextOption(const char **at, AppLine *line);
/* The first word that a command asks for, without brackets and dots: "DECK.yaml", "NAME", or empty. */
void AppFirstWord(const AppCommand *c, char word[], size_t size);

/* Parses the help text of options, as `carom COMMAND --help` prints it. The man page and the completions of shells are
   made from this text, so that all three agree. */
#pragma once

#include "app/app.h"

typedef struct {
  /* name of the option, such as "--set" or "-o"; empty on further lines of the same option */
  char name[32];
  /* placeholder of the value, such as "key.path=value"; empty: the option has no value */
  char value[64];
  char help[256];
  /* number of blanks before the text of a further line; lists within the help text have more blanks */
  int indent;
} AppLine;

/* Makes *text, the help text of all options of the command `c`. The caller frees *text with free. */
PetscErrorCode AppLinesOpen(const AppCommand *c, char **text);
/* Reads the help line at *at into `line`, and moves *at to the next line. Returns false at the end of the text. */
PetscBool AppLinesNext(const char **at, AppLine *line);
/* Finds the next option in the help text and stores it in `line`. On entry `line` contains the previous option, or
   zeros at the start. If several lines show one option in different forms, only the first line is used. Returns false
   after the last option. */
PetscBool AppLinesNextOption(const char **at, AppLine *line);
/* Stores in `word` the first argument in the usage line of a command, without brackets and dots. Examples are
   "DECK.yaml" and "NAME". If the command has no argument, `word` is empty. */
void AppFirstWord(const AppCommand *c, char word[], size_t size);

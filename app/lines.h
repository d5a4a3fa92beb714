/* The lines of `carom COMMAND --help` about options. The man page and the completions of shells are made from these
   lines, so that all three agree. */
#pragma once

#include "app/app.h"

typedef struct {
  char name[32];  /* "--set", "-o"; empty on further lines of the same option */
  char value[64]; /* "key.path=value"; empty: the option has no value */
  char help[256];
  int  indent; /* indentation of further lines: lists within the help are indented more */
} AppLine;

/* Makes the help text of a command's options. The caller frees it with free. */
PetscErrorCode AppLinesOpen(const AppCommand *c, char **text);
/* Reads the line at *at, and moves *at to the next line. Returns false at the end. */
PetscBool AppLinesNext(const char **at, AppLine *line);
/* Finds the next option. If several lines show the same option in different forms, only the first is used. On entry
   `line` is the previous option, or zero at the start. */
PetscBool AppLinesNextOption(const char **at, AppLine *line);
/* Stores the first argument in the usage of a command, without brackets and dots: "DECK.yaml", "NAME", or an empty
   text. */
void AppFirstWord(const AppCommand *c, char word[], size_t size);

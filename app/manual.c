/* The command `carom man`: writes the man page, from the table of commands and the help of their options. */
#include <stdlib.h>
#include <string.h>
#include "app/lines.h"

/* Text for roff: hyphens that can be searched for and copied, backslashes that are seen. */
static void print_text(const char text[])
{
  if (text[0] == '.' || text[0] == '\'') fputs("\\&", stdout);
  for (; *text; text++)
    if (*text == '-')
      fputs("\\-", stdout);
    else if (*text == '\\')
      fputs("\\e", stdout);
    else
      putchar(*text);
}

static void print_line(const AppLine *line, const AppLine *last)
{
  if (line->name[0]) {
    fputs(".TP\n\\fB", stdout);
    print_text(line->name);
    fputs("\\fR \\fI", stdout);
    print_text(line->value);
    puts("\\fR");
  } else if (line->indent > last->indent || !last->name[0])
    puts(".br"); /* lists and examples keep their lines */
  print_text(line->help);
  puts("");
}

static PetscErrorCode print_command(const AppCommand *c)
{
  char       *text;
  const char *at;
  AppLine     line = {0}, last = {0};

  PetscFunctionBeginUser;
  PetscCall(AppLinesOpen(c, &text));
  printf(".SS \"carom %s\"\n.B carom %s\n", c->name, c->name);
  print_text(c->usage);
  puts("\n.PP");
  print_text(c->help);
  puts(".");
  for (at = text; AppLinesNext(&at, &line); last = line) print_line(&line, &last);
  free(text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void print_top(void)
{
  printf(".TH CAROM 1 \"\" \"carom %s\" \"User Commands\"\n", CrVersion());
  puts(".SH NAME\ncarom \\- dynamics of solids with frictional contact and an exact energy ledger\n"
       ".SH SYNOPSIS\n.B carom\n.I COMMAND\n\\&...\n.br\n"
       ".B carom\n.I COMMAND\n.B \\-\\-help\n.br\n"
       ".B carom \\-\\-version\n.br\n"
       ".B mpiexec \\-n\n.I P\n.B carom run\n.I DECK.yaml\n"
       ".SH DESCRIPTION");
  puts(APP_PURPOSE);
  puts(
      "A problem is a YAML file, the deck. A run writes tables, pictures and a page with the audit\n"
      "of energy and momenta into a folder.\n.SH COMMANDS");
}

PetscErrorCode AppMan(const AppArguments *a, int *status)
{
  const AppCommand *c;

  PetscFunctionBeginUser;
  (void)a;
  (void)status;
  print_top();
  for (PetscInt k = 0; (c = AppCommandGet(k)); k++) PetscCall(print_command(c));
  puts(".SH EXIT STATUS\n" APP_EXIT_CODES);
  PetscFunctionReturn(PETSC_SUCCESS);
}

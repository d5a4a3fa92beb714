/* The command `carom completion`: writes the script with which a shell completes command lines. The script is made from
   the table of commands and the help of their options. The names of values in the help decide what the shell offers:
   decks for DECK.yaml, folders for DIR, the words themselves for step|mesh|both. */
#include <stdlib.h>
#include <string.h>
#include "app/lines.h"

static const struct {
  const char *value, *bash, *zsh;
} kinds[] = {
    {"DECK.yaml", "_carom_decks", "_files -g \"*.yaml *(-/)\""},
    {"DIR", "_carom_folders", "_files -/"},
    {"FILE", "_carom_files", "_files"},
    {"FILE.png", "_carom_files", "_files"},
    {"EXAMPLE", "_carom_examples", "_carom_examples"},
};

/* What offers a value: a function of the script, or an empty text where nothing is known. */
static void action(const char value[], PetscBool zsh, char text[], size_t size)
{
  text[0] = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    if (!strcmp(value, kinds[k].value))
      snprintf(text, size, "%s", zsh ? kinds[k].zsh : kinds[k].bash);
  if (!strchr(value, '|')) return;
  snprintf(text, size, zsh ? "(%s)" : "_carom_words \"%s\"", value);
  for (char *bar = text; (bar = strchr(bar, '|'));) *bar = ' ';
}

/* The first word of a command; a NAME there is that of an example. */
static void word_action(const AppCommand *c, PetscBool zsh, char text[], size_t size)
{
  char word[64];

  AppFirstWord(c, word, sizeof word);
  action(strcmp(word, "NAME") ? word : "EXAMPLE", zsh, text, size);
}

static void print_names(void)
{
  const AppCommand *c;

  for (PetscInt k = 0; (c = AppCommandGet(k)); k++) printf("%s ", c->name);
}

/* ---- bash --------------------------------------------------------------------------------- */

static const char bash_top[] =
    "# Completion of carom for bash, made by `carom completion bash`.\n"
    "_carom_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\"); }\n"
    "_carom_paths() { compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(sort -u); }\n"
    "_carom_files() { _carom_paths < <(compgen -f -- \"$word\"); }\n"
    "_carom_folders() { _carom_paths < <(compgen -d -- \"$word\"); }\n"
    "_carom_decks() { _carom_paths < <(compgen -d -- \"$word\"; compgen -f -X '!*.yaml' -- \"$word\"); "
    "}\n"
    "_carom_examples() {\n"
    "  _carom_words \"$(\"${COMP_WORDS[0]}\" examples 2> /dev/null | sed -n 's/^ *[0-9][0-9]*  \\([^ ]*\\) .*/\\1/p')\"\n"
    "}\n"
    "_carom() {\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} at\n"
    "  COMPREPLY=()\n"
    "  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then "
    "before=${COMP_WORDS[COMP_CWORD - 2]}; fi # --option=value\n"
    "  for at in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
    "    [[ $at == -- ]] && return # options of PETSc\n"
    "  done\n";

static PetscErrorCode bash_command(const AppCommand *c)
{
  char        offer[128], *text;
  const char *at;
  AppLine     line = {0};

  PetscFunctionBeginUser;
  PetscCall(AppLinesOpen(c, &text));
  printf("    %s)\n      case $before in\n", c->name);
  for (at = text; AppLinesNextOption(&at, &line);) {
    action(line.value, PETSC_FALSE, offer, sizeof offer);
    if (line.value[0] && strcmp(line.name, "--"))
      printf("        %s) %s%sreturn ;;\n", line.name, offer, offer[0] ? "; " : "");
  }
  fputs("      esac\n      if [[ $word == -* ]]; then _carom_words \"", stdout);
  memset(&line, 0, sizeof line);
  for (at = text; AppLinesNextOption(&at, &line);) printf("%s ", line.name);
  word_action(c, PETSC_FALSE, offer, sizeof offer);
  printf("--help\"; else %s; fi ;;\n", offer[0] ? offer : ":");
  free(text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode bash(void)
{
  const AppCommand *c;

  PetscFunctionBeginUser;
  fputs(bash_top, stdout);
  fputs("  if ((COMP_CWORD == 1)); then _carom_words \"", stdout);
  print_names();
  fputs(
      "help --help --version\"; return; fi\n  case ${COMP_WORDS[1]} in\n    help) _carom_words \"",
      stdout);
  print_names();
  puts("\" ;;");
  for (PetscInt k = 0; (c = AppCommandGet(k)); k++) PetscCall(bash_command(c));
  puts("  esac\n}\ncomplete -F _carom carom");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- zsh ---------------------------------------------------------------------------------- */

/* Text within single quotes, where zsh's own marks are brackets and colons. */
static void zsh_text(const char text[])
{
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      printf(strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
}

static void zsh_option(const AppLine *line)
{
  char offer[128];

  action(line->value, PETSC_TRUE, offer, sizeof offer);
  printf(" \\\n        '%s%s%s[", strchr(line->value, '=') ? "*" : "", line->name,
         line->value[0] && line->name[1] == '-' ? "=" : "");
  zsh_text(line->help);
  fputs("]", stdout);
  if (line->value[0]) {
    fputs(":", stdout);
    zsh_text(line->value);
    printf(":%s", offer);
  }
  fputs("'", stdout);
}

static PetscErrorCode zsh_command(const AppCommand *c)
{
  char        offer[128], word[64], *text;
  const char *at;
  AppLine     line = {0};

  PetscFunctionBeginUser;
  PetscCall(AppLinesOpen(c, &text));
  printf("      %s) _arguments '--help[how to use it]'", c->name);
  for (at = text; AppLinesNextOption(&at, &line);)
    if (strcmp(line.name, "--")) zsh_option(&line);
  AppFirstWord(c, word, sizeof word);
  word_action(c, PETSC_TRUE, offer, sizeof offer);
  if (c->most) printf(" \\\n        '%s:%s:%s'", c->most > 1 ? "*" : "1", word, offer);
  puts(" ;;");
  free(text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode zsh(void)
{
  const AppCommand *c;

  PetscFunctionBeginUser;
  puts(
      "#compdef carom\n# Completion of carom for zsh, made by `carom completion zsh`.\n"
      "_carom_examples() {\n"
      "  compadd -- ${(f)\"$(carom examples 2> /dev/null | sed -n 's/^ *[0-9][0-9]*  \\([^ ]*\\) .*/\\1/p')\"}\n}\n"
      "_carom() {\n  local context state line\n  typeset -A opt_args\n  local -a commands=(");
  for (PetscInt k = 0; (c = AppCommandGet(k)); k++) {
    printf("    '%s:", c->name);
    zsh_text(c->help);
    puts("'");
  }
  puts(
      "  )\n  _arguments -C '(- *)--help[list the commands]' '(- *)--version[say which version it is]' \\\n"
      "    '1:command:->command' '*::argument:->arguments'\n  case $state in\n"
      "    command) _describe command commands ;;\n    arguments) case $words[1] in");
  for (PetscInt k = 0; (c = AppCommandGet(k)); k++) PetscCall(zsh_command(c));
  puts("    esac ;;\n  esac\n}\n"
       "if [[ $funcstack[1] == _carom ]]; then _carom \"$@\"; else compdef _carom carom; fi");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppCompletion(const AppArguments *a, int *status)
{
  PetscFunctionBeginUser;
  (void)status;
  if (!strcmp(a->words[0], "bash"))
    PetscCall(bash());
  else if (!strcmp(a->words[0], "zsh"))
    PetscCall(zsh());
  else
    CrInputFail("unknown shell \"%s\"; expected bash or zsh", a->words[0]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

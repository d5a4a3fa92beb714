#!/bin/bash
# The man page and the completions of bash and zsh: they know every command and every option that the help names, and
# offer decks, folders and words where these belong.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
PATH=$(dirname "$CAROM"):$PATH
"$CAROM" man >carom.1 2>stderr
check $? "carom man"
"$CAROM" completion bash >completion.bash 2>stderr && bash -n completion.bash 2>stderr
check $? "carom completion bash"
"$CAROM" completion zsh >_carom 2>stderr
check $? "carom completion zsh"
"$CAROM" completion fish >stdout 2>stderr
check "$([ $? = 2 ] && grep -q 'unknown shell "fish"; expected bash or zsh' stderr; echo $?)" "a shell that it does not know"

# what the help says, by other means than the program's own
commands=$("$CAROM" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v '^carom$\|^mpiexec$')
options_of() { "$CAROM" "$1" --help | sed -n 's/^  \(--*[a-z][a-z-]*\).*/\1/p' | sort -u; }
check "$([ "$(echo "$commands" | wc -l)" -ge 17 ]; echo $?)" "the help names commands: $commands"

mkdir -p tree/folder tree/run.out tree/examples-not
touch tree/deck.yaml tree/other.yaml tree/mesh.msh "tree/two words.yaml"
# shellcheck source=/dev/null
. ./completion.bash
offers() { # words of the command line, the last one is being completed: what is offered, sorted
  COMP_WORDS=(carom "$@")
  COMP_CWORD=$#
  _carom carom "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  printf '%s\n' "${COMPREPLY[@]}" | sort
}
offered() { # expected in one line, words of the command line
  local expected=$1 got
  shift
  got=$(cd tree && offers "$@" | tr '\n' ' ' | sed 's/ *$//')
  check "$([ "$got" = "$expected" ]; echo $?)" "carom $*: offered \"$got\", expected \"$expected\""
}

# shellcheck disable=SC2086
offered "$(printf '%s\n' $commands help --help --version | sort | tr '\n' ' ' | sed 's/ *$//')" ""
for command in $commands; do
  offers help "$command" | grep -qx "$command"
  check $? "help $command"
  grep -q "^\.B carom $command\$" carom.1
  check $? "the man page names $command"
  sed -n "/^\.SS \"carom $command\"/,/^\.S/p" carom.1 | sed 's/\\-/-/g; 1d' >section
  sed -n "/^      $command) _arguments/,/;;\$/p" _carom >zsh
  for option in $(options_of "$command"); do
    offers "$command" "$option" | grep -qx -- "$option"
    check $? "bash: $command $option"
    grep -qE -- "'\*?$option(=)?\[" zsh
    check $? "zsh: $command $option"
    grep -qF -- "\\fB$option\\fR" section
    check $? "the man page: $command $option"
  done
  check "$(! offers "$command" -- | grep -qxE -- '--leash|--preview'; echo $?)" "$command offers options that are not for people"
done

offered "deck.yaml examples-not folder other.yaml run.out two words.yaml" run ""
offered "deck.yaml" check d
offered "examples-not folder run.out" resume ""
offered "run.out" run deck.yaml -o ru
offered "deck.yaml" view --edit de
offered "both mesh step" converge deck.yaml --of ""
offered "mesh" converge deck.yaml --of = me
offered "both mesh step" converge deck.yaml --of =
offered "bash zsh" completion ""
offered "" run deck.yaml --set ""
offered "" run deck.yaml -- -ksp
offered "two-cylinders" examples two-cyl

if command -v man >/dev/null; then
  man --warnings -l carom.1 >page 2>stderr
  check "$([ ! -s stderr ] && grep -q 'EXIT STATUS' page; echo $?)" "the man page is set without a warning"
fi

# zsh, on a terminal of its own: what the key tab makes of a line
command -v zsh >/dev/null || { check_end ", without zsh"; exit; }
cat >complete.zsh <<'Z'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PS2=; path=($1 \$path); fpath=($2 \$fpath); autoload -Uz compinit; compinit -u -D; cd $2/tree"
zpty -w shell 'show() { print -r -- "<$BUFFER>"; zle kill-buffer }; zle -N show; bindkey "^X" show; unsetopt beep; LISTMAX=0'
zpty -w shell 'print rea''dy'
zpty -r -m shell text '*ready*'
zpty -w -n shell "$3"$'\t\C-x'
zpty -r -m shell text '*<carom*>*'
print -r -- ${${text##*<}%%>*}
zpty -d shell
Z
typed() { # a line, what the key tab makes of it
  local got
  got=$(TERM=dumb cpu 60 zsh -f complete.zsh "$(dirname "$CAROM")" "$PWD" "$1" 2>stderr)
  check "$([ "$got" = "$2" ]; echo $?)" "zsh: \"$1\" becomes \"$got\", expected \"$2\""
}
typed "carom res" "carom resume "
typed "carom run de" "carom run deck.yaml "
typed "carom run deck.yaml --stop" "carom run deck.yaml --stop-after="
typed "carom resume r" "carom resume run.out/"
typed "carom converge deck.yaml --of m" "carom converge deck.yaml --of mesh "
typed "carom examples two-cyl" "carom examples two-cylinders "
check_end

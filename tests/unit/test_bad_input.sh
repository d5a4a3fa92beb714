#!/bin/bash
# Bad input is met with one line that says where and what, exit code 2, and nothing written; a failing
# machine with one line and exit code 3. Takes the program from $CAROM and the sources from $CAROM_SOURCE.
#
# A bad deck is a file tests/bad/NAME.yaml with one mistake; its first line is
#   # expect: TEXT
# where TEXT is a part of the message and begins with the place, "NAME.yaml:7:12: ...". Meshes lie
# beside the decks. To add a case, add the file. good.yaml is the deck without a mistake.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
BAD=$CAROM_SOURCE/tests/bad

# Decks and all that a mistake could harm lie in "$WORK/here", what the tests themselves write beside it.
mkdir "$WORK/here" && cp "$BAD"/* "$WORK/here" && cd "$WORK/here" || exit 1

# Contents of all files here.
files() { find . -type f -exec cksum {} + | sort; }
# Names, kinds, sizes and times of all files here. The last time is the one that every change of a file sets, and nobody else can.
picture() { find . -printf '%p %y %m %s %T@ %C@\n' | sort; }

run() { "$CAROM" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null; }

# Exit code, a part of the message, the command: one line, nothing touched.
refused() {
  local code=$1 text=$2 got
  shift 2
  run "$@"
  got=$?
  check "$((got != code))" "carom $*: exit code $got, expected $code"
  check "$(($(wc -l <"$WORK/stderr") != 1))" "carom $*: one line on standard error"
  grep -q '^carom: ' "$WORK/stderr"
  check $? "carom $*: the line begins with \"carom: \""
  grep -qF -- "$text" "$WORK/stderr"
  check $? "carom $*: the line holds \"$text\""
  picture >"$WORK/after"
  cmp -s "$WORK/before" "$WORK/after"
  check $? "carom $*: nothing is written: $(diff "$WORK/before" "$WORK/after" | head -3)"
  if ! cmp -s "$WORK/before" "$WORK/after"; then picture >"$WORK/before"; fi
}

# ---- the deck without a mistake: runs, and leaves an older run for the others ---------------------

run run good.yaml -o old
check $? "good.yaml runs"
check "$(wc -c <"$WORK/stderr")" "good.yaml runs without a warning"
for file in history.csv bodies.csv contacts.csv probes.csv extremes.csv events.csv reactions.csv run.yaml audit.json; do
  [ -s "old/$file" ]
  check $? "good.yaml writes $file"
done
mkdir foreign && echo kept >foreign/note.txt
picture >"$WORK/before"

# ---- bad decks and meshes -------------------------------------------------------------------------

n=0
for deck in *.yaml; do
  [ "$deck" = good.yaml ] && continue
  text=$(sed -n '1s/^# expect: //p' "$deck")
  [[ $text =~ ^${deck%.yaml}\.(yaml|msh): ]]
  check $? "$deck: its first line expects a message with a place"
  case $((n++ % 4)) in # in turn: into a new folder, over an older run; now and then the other ways
  0) refused 2 "$text" run "$deck" -o new; refused 2 "$text" check "$deck" ;;
  1 | 3) refused 2 "$text" run "$deck" -o old --force ;;
  2) refused 2 "$text" run "$deck" -o new; refused 2 "$text" run "$deck" ;;
  esac
done
check "$((n < 30))" "at least thirty decks, found $n"

# ---- the command line -----------------------------------------------------------------------------

refused 2 'unknown command "rnu"; did you mean "run"?' rnu good.yaml
refused 2 "unknown command \"strike\"; see $CAROM --help" strike
refused 2 "run needs DECK.yaml; usage: $CAROM run DECK.yaml" run
refused 2 'nowhere: this folder contains no run (the file run.yaml is missing)' resume nowhere
refused 2 '"more.yaml" was not expected' run good.yaml more.yaml
refused 2 'unknown option "--forse"' run good.yaml -o new --forse
refused 2 'unknown option "-o"' check good.yaml -o new
refused 2 '-o needs a value' run good.yaml -o
refused 2 '--set needs a value' run good.yaml --set
refused 2 'nothing.yaml: cannot be read: No such file or directory' run nothing.yaml
refused 2 'foreign: cannot be read: Is a directory' run foreign

set_refused() { refused 2 "$2" run good.yaml -o new --set "$1"; }
set_refused 'time.step' '--set time.step: expected key.path=value, found no "="'
set_refused '=1' '--set =1: a key before the "=" is empty'
set_refused 'time..step=1' 'a key before the "=" is empty'
set_refused 'time.step=-1' '--set time.step=-1: time.step: must be greater than 0, is -1'
set_refused 'time.stp=1' 'time.stp: unknown key "stp"; did you mean "step"?'
set_refused 'time.method=newmrk' 'time.method: unknown "newmrk"; did you mean "newmark"?'
set_refused 'time.step.x=1' 'time.step: is a single value, so nothing can be set inside it'
set_refused 'bodies.7.name=x' 'bodies: expected an index from 0 to 1 of the list, found "7"'
set_refused 'bodies.0.velocity=[1, 0, 0]' 'bodies.0.velocity: expected 2 numbers, found 3'
set_refused 'time.step=[1' '--set time.step=[1: not valid YAML'
set_refused 'time.step=' 'time: the keys "step" and "end", or the key "steps", are needed'

# ---- where results go -----------------------------------------------------------------------------

refused 2 'old: this folder contains an older run; use --force' run good.yaml -o old
refused 2 'foreign: this folder is not empty and contains no run; use -o to choose another folder' run good.yaml -o foreign
refused 2 'foreign: this folder is not empty and contains no run' run good.yaml -o foreign --force
refused 2 'good.yaml: is not a folder' run good.yaml -o good.yaml
refused 2 'good.yaml/new: a part of this path is not a folder' run good.yaml -o good.yaml/new
refused 2 'no/new: cannot be created: there is no folder no' run good.yaml -o no/new
refused 2 'the name of the folder for the results is empty' run good.yaml -o ''
refused 2 'PETSc: Unable to find requested PC type nonsense' run good.yaml -o new -- -pc_type nonsense

# ---- the machine fails ----------------------------------------------------------------------------

refused 3 '/proc/carom-new: cannot be created: ' run good.yaml -o /proc/carom-new

# A run that begins, and then may not write more: whole rows stay, nothing half-written.
cut_short() { # what
  check "$(($(wc -l <"$WORK/stderr") != 1))" "$1: one line on standard error"
  grep -qE '^carom: \S+: cannot be written: (File too large|No space left on device)$' "$WORK/stderr"
  check $? "$1: the line names the file and the reason"
  awk -F, 'NF != 23 { exit 1 }' "$2/history.csv" && [ "$(tail -c 1 "$2/history.csv")" = "" ]
  check $? "$1: whole rows are left of history.csv"
  check "$(find "$2" -name '*.tmp' | wc -l)" "$1: no temporary files are left"
  [ ! -e "$2/audit.json" ]
  check $? "$1: a run that did not end has no audit"
}
(ulimit -f 64 && run run good.yaml -o long --set time.end=200)
got=$?
check "$((got != 3))" "a file beyond its limit: exit code $got, expected 3"
cut_short "a file beyond its limit" long
rm -rf long

# A full disk needs the right to mount one.
full_disk() {
  mount -t tmpfs -o size=128k tmpfs "$WORK/disk" || return 99
  run run good.yaml -o "$WORK/disk/new" --set time.end=200
  got=$?
  check "$((got != 3))" "a full disk: exit code $got, expected 3"
  cut_short "a full disk" "$WORK/disk/new"
  rm -rf "$WORK/disk/new"

  # full from the start: an older run stays, a new folder does not
  run run good.yaml -o "$WORK/disk/old" --set output.frames=2
  (cd "$WORK/disk/old" && files) >"$WORK/old.before"
  head -c 1M /dev/zero >"$WORK/disk/fill" 2>/dev/null
  for dir in new old; do
    run run good.yaml -o "$WORK/disk/$dir" --force --set output.frames=2
    got=$?
    check "$((got != 3))" "no room for $dir: exit code $got, expected 3"
  done
  [ ! -e "$WORK/disk/new" ]
  check $? "no room: the new folder is gone"
  (cd "$WORK/disk/old" && files) | cmp -s - "$WORK/old.before"
  check $? "no room: the older run is as it was"
  echo "$checks $failed" >"$WORK/full"
}
mkdir "$WORK/disk"
if unshare -m true 2>/dev/null; then
  export -f full_disk check files run cut_short
  export CAROM WORK checks failed
  unshare -m bash -c full_disk
  if [ -f "$WORK/full" ]; then
    read -r checks failed <"$WORK/full"
  else
    echo "skipped: no full disk can be made here"
  fi
else
  echo "skipped: no full disk can be made here"
fi

# ---- once more over an older run ------------------------------------------------------------------

run run good.yaml -o old --force
check $? "good.yaml runs again with --force"

check_end " ($n decks)"

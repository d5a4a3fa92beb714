#!/bin/bash
# Among the files of a run and in the place of a deck: what is no regular file is refused, never waited for; names with
# control characters are spelled out. Takes the program from $CAROM.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, young: 1.0e5, poisson: 0.3, density: 1000}]
bodies:
  - {name: ball, mesh: {disc: {center: [0, 0.11], radius: 0.1, core: 4, rings: 2}}, material: rubber, velocity: [0.5, -1], spin: 5}
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [ball, floor], friction: 0.3}]
time: {method: dissipative, step: 0.001, end: 0.2}
output: {frames: 4}
DECK
"$CAROM" run deck.yaml -o run --stop-after 60 >stdout 2>stderr
check "$(($? != 130))" "a run that stops"

refused() { # part of the message, command
  local words=$1 code
  shift
  timeout -k 5 60 "$CAROM" "$@" >stdout 2>stderr </dev/null
  code=$?
  check "$((code != 2))" "carom $*: exit code $code, expected 2"
  check "$(($(wc -l <stderr) != 1))" "carom $*: one line"
  grep -qF -- "$words" stderr
  check $? "carom $*: says \"$words\""
}

# ---- in the folder of a run ----------------------------------------------------------------------------------

while read -r file commands; do
  for command in $commands; do
    rm -rf odd && cp -r run odd && rm -f "odd/$file" && mkfifo "odd/$file"
    refused "odd/$file: cannot be read: is a FIFO, not a file" "$command" odd
    rm "odd/$file" && mkdir "odd/$file"
    refused "odd/$file: cannot be read: Is a directory" "$command" odd
  done
done <<'LIST'
run.yaml report plot picture resume view
bodies.csv report resume
history.csv report plot resume
contacts.csv report plot resume
audit.json report
log.txt resume
checkpoint.h5 resume
fields.pvd report picture resume
fields/0000.vtu report
fields/0001.vtu report picture
LIST
rm -rf odd && cp -r run odd && rm -f odd/run.yaml && mkfifo odd/run.yaml odd/mesh.msh
refused "odd/run.yaml: cannot be read: is a FIFO" check odd/run.yaml
refused "odd/run.yaml: cannot be read: is a FIFO" run odd/run.yaml -o new
refused "odd/mesh.msh\" is not a file" check deck.yaml --set bodies.0.mesh.disc= --set bodies.0.mesh.file=odd/mesh.msh
refused "odd/mesh.msh: cannot be read: is a FIFO" friction odd/mesh.msh
[ ! -e new ]
check $? "a folder for a deck that is none"
"$CAROM" check <(cat deck.yaml) >stdout 2>stderr
check $? "a deck from the pipe of a shell"
"$CAROM" check /dev/stdin <deck.yaml >stdout 2>stderr
check $? "a deck from standard input"

# what the program would write into is not followed: a FIFO under a temporary name gives way
rm -rf odd && cp -r run odd && mkfifo odd/report.html.tmp odd/checkpoint.h5.tmp
timeout -k 5 60 "$CAROM" report odd >stdout 2>stderr && timeout -k 5 60 "$CAROM" resume odd >stdout 2>stderr && [ -s odd/report.html ]
check $? "FIFOs under temporary names"

# ---- the editor ----------------------------------------------------------------------------------------------

mkdir folder && mkfifo fifo
refused "folder: cannot be read: Is a directory" view --edit folder
refused "fifo: cannot be read: is a FIFO" view --edit fifo
refused "/dev/null: cannot be read: is a device" view --edit /dev/null

# ---- plots and pictures --------------------------------------------------------------------------------------

rm -rf odd && cp -r run odd && rm odd/history.csv
refused "odd: this folder has no file history.csv" plot odd
[ ! -e odd/plots ]
check $? "plots of no history leave a folder"
rm -rf odd && cp -r run odd
sed -i 's/connectivity/konnectivity/' odd/fields/0001.vtu
refused "odd/fields/0001.vtu" picture odd --frame 1
sed -i 's/"displacement"/"diszlacement"/; s/connectivity/konnectivity/' odd/fields/0000.vtu
refused "odd/fields/0000.vtu" report odd
for ending in jpg gif ps; do
  refused "x.$ending: pictures are .png, .svg or .pdf files" picture run -o x.$ending
  [ ! -e x.$ending ]
  check $? "a picture under a wrong ending"
done

# ---- names ---------------------------------------------------------------------------------------------------

name=$'a\e[31mred\nline\tü\xff'
refused 'a\x1b[31mred\nline\tü\xff.yaml: cannot be read' run "$name.yaml"
cp deck.yaml "$name.yaml"
sed -i 's/method: dissipative/method: dissipatve/' "$name.yaml"
refused 'a\x1b[31mred\nline\tü\xff.yaml:8:16: time.method: unknown "dissipatve"' check "$name.yaml"
cp deck.yaml "$name.yaml"
"$CAROM" run "$name.yaml" --set time.step=1 >stdout 2>stderr
cat stdout stderr "$name.out/log.txt" >said
LC_ALL=C tr -d '\n\40-\176' <said >left
check "$(($(wc -c <left) != 2 * $(grep -c ü said)))" "control characters reach the terminal"
grep -qF 'results in a\x1b[31mred\nline\tü\xff.out' stdout
check $? "the log spells them out"
grep -qF 'carom: warning: --set time.step=1' stderr
check $? "warnings stay"

check_end

#!/bin/bash
# A machine that fails under a run: a disk without room, memory that ends. One line, exit code 3, and what was good stays.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, young: 100, poisson: 0.3, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0, 0], to: [2, 1], elements: [2, 1]}}, material: rubber}]
conditions: [{on: block.left, fix: [x, y]}]
time: {method: midpoint, step: 0.1, end: 4}
output: {frames: 0, report: false, checkpoint_steps: 1}
DECK

failed_machine() { # what, exit code, words
  check "$(($2 != 3))" "$1: exit code $2, expected 3"
  check "$(($(wc -l <stderr) != 1))" "$1: one line"
  grep -q "^carom: .*$3" stderr
  check $? "$1: says \"$3\""
}

# ---- a disk without room -------------------------------------------------------------------------------------

(ulimit -f 16; "$CAROM" run deck.yaml -o new >stdout 2>stderr) # no file above 16 kB
failed_machine "the first checkpoint" $? "checkpoint.h5: cannot be written: File too large"
[ ! -e new/checkpoint.h5.tmp ]
check $? "half a checkpoint is left"

"$CAROM" run deck.yaml -o old --stop-after 10 >stdout 2>stderr
check "$(($? != 130))" "a run that stops"
cp old/checkpoint.h5 before.h5
(ulimit -f 16; "$CAROM" resume old >stdout 2>stderr)
failed_machine "a later checkpoint" $? "checkpoint.h5: cannot be written: File too large"
cmp -s before.h5 old/checkpoint.h5
check $? "the older checkpoint is whole"
"$CAROM" resume old >stdout 2>stderr
check $? "and the run goes on from it"
"$CAROM" run deck.yaml -o whole >stdout 2>stderr
cmp -s old/history.csv whole/history.csv
check $? "to the same end"

# ---- memory that ends ----------------------------------------------------------------------------------------

if ! prlimit --as=$((400 << 20)) "$CAROM" methods >stdout 2>stderr; then
  check_end ", SKIPPED: memory, since the program itself needs more than 400 MB (a sanitizer?)"
  exit
fi

cat >pile.yaml <<'DECK'
carom: 1
dimension: 3
bodies: [{name: g, rigid: {sphere: {radius: 1}, density: 1}, repeat: {counts: [30, 30, 30], spacing: [1.99, 1.99, 1.99]}}]
contact: [{between: [g, g]}]
time: {method: efda, step: 0.001, end: 0.002}
output: {frames: 1}
DECK
cat >mesh.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: rubber, young: 100, poisson: 0.3, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [30, 30, 30]}}, material: rubber}]
conditions: [{on: block.left, fix: [x, y, z]}]
time: {method: midpoint, step: 0.1, end: 0.1}
output: {frames: 1}
DECK
for deck in pile mesh; do
  short=0
  for megabytes in 240 280 320 360 400; do
    prlimit --as=$((megabytes << 20)) "$CAROM" run $deck.yaml -o memory --force >stdout 2>stderr
    code=$?
    [ $code = 0 ] && break # with more it runs too
    short=$((short + 1))
    failed_machine "$deck.yaml in $megabytes MB" $code ""
  done
  check "$((short == 0))" "$deck.yaml has room in the least of memories"
done

# in one process of two: the other does not wait for it
met=0
for megabytes in 320 340 360 380; do
  short="prlimit --as=$((megabytes << 20))"
  for which in first second; do
    case $which in first) one=$short two=env ;; second) one=env two=$short ;; esac
    timeout -k 5 120 mpiexec --oversubscribe -n 1 $one "$CAROM" run mesh.yaml -o two --force : -n 1 $two "$CAROM" run mesh.yaml -o two --force >stdout 2>stderr
    code=$?
    check "$((code == 124))" "$megabytes MB for the $which process: the other waits for ever"
    grep -q "^carom: out of memory" stderr || continue # with less, MPI does not start
    check "$((code != 3))" "$megabytes MB for the $which process: exit code $code, expected 3"
    met=$((met + 1))
  done
done
check "$((met == 0))" "no memory was short for one of two"

check_end

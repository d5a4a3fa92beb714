#!/bin/bash
# How the program behaves among others: readers that leave, terminals that close, full disks behind standard output,
# a second run in the same folder, logs of several processes. Takes the program from $CAROM.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies: [{name: block, mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2]}}, material: rubber, velocity: [1, 0]}]
time: {method: midpoint, step: 0.001, end: 0.1}
output: {frames: 2, report: false}
DECK

# ---- standard output -----------------------------------------------------------------------------------------

for command in methods schema --help --version "run --help" "check deck.yaml"; do # what they print is what was asked for
  "$CAROM" $command >/dev/full 2>stderr
  check "$(($? != 3))" "carom $command on a full disk: exit code 3"
  check "$(($(wc -l <stderr) != 1))" "carom $command on a full disk: one line"
done
"$CAROM" run deck.yaml -o full >/dev/full 2>stderr # a run has its results in files
check $? "a run whose messages have no room"
"$CAROM" run deck.yaml -o left 2>stderr | head -1 >first
check "${PIPESTATUS[0]}" "a run whose reader leaves"
cmp -s full/history.csv left/history.csv && [ -e left/audit.json ]
check $? "a run whose reader leaves goes to its end"

# ---- one run in a folder -------------------------------------------------------------------------------------

endless="--set time.end=100000 --set output.frames=0 --force"
begin() { # the words before it
  "$@" "$CAROM" run deck.yaml -o busy $endless >log 2>&1 &
  run=$!
  has_gone 20
}
rows() { if [ -e busy/history.csv ]; then wc -l <busy/history.csv; else echo 0; fi; }
has_gone() { # rows: waits until the run has written as many, or has ended, which is false
  while [ "$(rows)" -lt "$1" ]; do
    kill -0 $run 2>/dev/null || return
    sleep 0.1
  done
}
begin env
check $? "a run begins: $(cat log)"
for command in "run deck.yaml -o busy --force" "resume busy"; do
  "$CAROM" $command >stdout 2>stderr
  check "$(($? != 2))" "carom $command where a run goes on: exit code 2"
  grep -q '^carom: busy: a run that writes to this folder is still active' stderr
  check $? "carom $command where a run goes on: says so"
done
kill -HUP $run # the terminal is closed
wait $run
check "$(($? != 130))" "a closed terminal interrupts"
awk -F, 'NR > 2 && $2 != last + 1 { exit 1 } { last = $2 }' busy/history.csv
check $? "the first run was left alone"
"$CAROM" resume busy --stop-after 3 >stdout 2>stderr
check "$(($? != 130))" "and can be resumed"

rm -r busy
begin nohup
check $? "a run begins: $(cat log)"
kill -HUP $run
has_gone $(($(rows) + 200))
check $? "nohup is heard"
kill -9 $run
wait $run 2>/dev/null
"$CAROM" resume busy --stop-after 3 >stdout 2>stderr
check "$(($? != 130))" "one that was killed leaves no lock"

# ---- a log of several processes: lines, not a line that is written over ---------------------------------------

mpiexec --oversubscribe -n 2 "$CAROM" run deck.yaml -o two >log 2>stderr
check $? "two processes"
tr -d -c '\r' <log | wc -c >returns
check "$(($(grep -c ETA log) < 10 || $(cat returns) > $(wc -l <log)))" "their log has lines"

check_end

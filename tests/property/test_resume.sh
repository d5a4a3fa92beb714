#!/bin/bash
# Every method of the registry: a run that was stopped, or killed, and resumed has the files of one that was
# not, byte for byte on one rank; on other numbers of ranks to 1e-9.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - name: beam
    mesh: {block: {from: [0, 0], to: [2, 1], elements: [8, 4]}}
    material: m
    velocity: [0, 0.3]
conditions:
  - {gravity: [0, -1]}
  - {"on": beam, at: [2, 1], force: [0, 2], wave: {omega: 3}}
  - {"on": beam.left, displacement: [0.1, 0.1], wave: {omega: 5, phase: -90, mean: 1}}
time: {method: midpoint, step: 0.02, end: 1}
methods: {explicit: {step: auto}}
output: {frames: 7, every: 3, probes: [{name: tip, at: [2, 1]}]}
DECK

fail() { echo "FAILED: $*"; exit 1; }

same() { # two runs, byte for byte; wall time aside
  for file in history bodies probes extremes contacts reactions; do
    cmp "$1/$file.csv" "$2/$file.csv" || fail "$3: $file.csv"
  done
  cmp "$1/fields.pvd" "$2/fields.pvd" || fail "$3: fields.pvd"
  for frame in "$1"/fields/*; do cmp "$frame" "$2/fields/$(basename "$frame")" || fail "$3: $frame"; done
  [ "$(ls "$1/fields")" = "$(ls "$2/fields")" ] || fail "$3: other frames"
  diff <(grep -v "wall_seconds\|ghost_renewals" "$1/audit.json") <(grep -v "wall_seconds\|ghost_renewals" "$2/audit.json") || fail "$3: audit.json"
}

# efda has no meshes: test_rigid_resume.sh
methods=$("$CAROM" methods | awk '/^materials/ {done = 1} !done && /^  [a-z]/ && $1 != "efda" {print $1}')
[ -n "$methods" ] || fail "no methods"
checks=0
for method in $methods; do
  "$CAROM" run deck.yaml -o whole --force --set time.method=$method >log 2>&1 || fail "$method: $(cat log)"
  for stop in 1 13; do
    code=0
    "$CAROM" run deck.yaml -o parts --force --set time.method=$method --stop-after $stop >log 2>&1 || code=$?
    [ $code = 130 ] || fail "$method: stop-after ended with $code"
    [ ! -e parts/audit.json ] || fail "$method: an audit of a run that is not over"
    code=0
    "$CAROM" resume parts --stop-after 7 >log 2>&1 || code=$?
    [ $code = 130 ] || fail "$method: the second stop ended with $code"
    "$CAROM" resume parts >log 2>&1 || fail "$method: $(cat log)"
    same whole parts "$method stopped after $stop"
    checks=$((checks + 1))
  done
done

# in the middle of contact: slip and stick, springs loaded, a moving obstacle, an overlap that is being pushed out;
# byte for byte too. Then in space, with pairs that `default` finds.
cat >contact.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: a, material: m, velocity: [2, -2], spin: 2, mesh: {block: {from: [-0.6, 0.03], to: [0.6, 0.8], elements: [5, 3]}}}
  - {name: b, material: m, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [9, 3]}}}
obstacles: [{name: floor, plane: {point: [0, -0.98], normal: [0, 1]}, velocity: [0.1, 0.2], acceleration: [0, 1]}]
contact:
  - {between: [b.bottom, floor], friction: 0.5}
  - {between: [a, b], friction: 0.3, sides: both}
conditions: [{gravity: [0, -5]}]
time: {method: dissipative, step: 0.005, end: 0.15}
output: {frames: 5, every: 2, probes: [{name: foot, surface: a.bottom}]}
DECK
cat >space.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: a, material: m, velocity: [2, 1, -2], spin: [0, 0, 2], mesh: {block: {from: [-0.6, -0.5, 0.03], to: [0.6, 0.5, 0.8], elements: [2, 2, 1]}}}
  - {name: b, material: m, mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], elements: [4, 4, 1], type: T4}}}
obstacles: [{name: floor, plane: {point: [0, 0, -1], normal: [0, 0, 1]}, velocity: [0.1, 0, 0.2]}]
contact: [{default: {friction: 0.3}}]
conditions: [{gravity: [0, 0, -5]}]
time: {method: dissipative, step: 0.005, end: 0.1}
output: {frames: 5, every: 2, probes: [{name: foot, surface: a.bottom}]}
DECK
met=0
for method in $methods; do
  "$CAROM" check contact.yaml --set time.method=$method >log 2>&1 || true
  if grep -qE "method [a-z-]+ cannot compute contact;" log; then continue; fi
  for deck in contact space; do
    options="--set time.method=$method"
    [ $deck = space ] || [ $method = velocity-update ] || options="$options --set contact.0.overlap=resolve --set contact.0.ramp=[0,0.1]"
    "$CAROM" run $deck.yaml -o whole --force $options >log 2>&1 || fail "$method, $deck: $(cat log)"
    for stop in 9 14; do
      awk -F, -v n=$stop '$2 == n && $19 > 0 { found = 1 } END { exit !found }' whole/history.csv || fail "$method, $deck: no contact at step $stop"
      code=0
      "$CAROM" run $deck.yaml -o parts --force $options --stop-after $stop >log 2>&1 || code=$?
      [ $code = 130 ] || fail "$method: stop-after ended with $code"
      "$CAROM" resume parts --stop-after 3 >log 2>&1 || true
      "$CAROM" resume parts >log 2>&1 || fail "$method, $deck: $(cat log)"
      same whole parts "$method, $deck, stopped after $stop"
      checks=$((checks + 1))
    done
  done
  met=$((met + 1))
done
[ $met -ge 3 ] || fail "only $met methods know contact"

# waits until the run in the background has written so many rows to parts, or has ended
has_gone() {
  while [ ! -e parts/checkpoint.h5 ] || [ "$(wc -l <parts/history.csv)" -lt "$1" ]; do
    kill -0 $! 2>/dev/null || return 0
    sleep 0.02
  done
}

# killed at any moment: the checkpoint of every step is whole
steps="--set output.checkpoint_steps=1 --set time.end=6"
"$CAROM" run deck.yaml -o whole --force $steps >log 2>&1 || fail "$(cat log)"
for kill in $(seq "${KILLS:-5}"); do
  rm -rf parts
  "$CAROM" run deck.yaml -o parts $steps >log 2>&1 &
  has_gone $((2 + RANDOM % 90)) # of 100
  kill -9 $! 2>/dev/null || true
  wait $! 2>/dev/null || true
  "$CAROM" resume parts >log 2>&1 || fail "after kill -9: $(cat log)"
  same whole parts "killed"
  checks=$((checks + 1))
done

# interrupted by a signal
rm -rf parts
"$CAROM" run deck.yaml -o parts --force $steps >log 2>&1 &
has_gone 2
kill -TERM $!
code=0
wait $! || code=$?
[ $code = 130 ] || [ $code = 0 ] || fail "SIGTERM ended with $code"
"$CAROM" resume parts >log 2>&1 || fail "after SIGTERM: $(cat log)"
same whole parts "interrupted"

# another number of ranks goes on
"$CAROM" run deck.yaml -o whole --force >log 2>&1
code=0
mpiexec --oversubscribe -n 2 "$CAROM" run deck.yaml -o parts --force --stop-after 20 >log 2>&1 || code=$?
[ -e parts/checkpoint.h5 ] || fail "no checkpoint on 2 ranks: $(cat log)"
mpiexec --oversubscribe -n 3 "$CAROM" resume parts >log 2>&1 || fail "3 ranks: $(cat log)"
python3 "$CAROM_SOURCE/tests/parallel/compare_runs.py" whole parts || fail "other ranks, another answer"

# another end: as a run of its own to there, frames too, and so after an interruption on the way
"$CAROM" run deck.yaml -o whole --force --set time.end=2 --set output.frames=14 >log 2>&1 || fail "$(cat log)"
"$CAROM" run deck.yaml -o other --force --stop-after 20 >log 2>&1 || true
code=0
"$CAROM" resume other --until 2 --stop-after 17 >log 2>&1 || code=$?
[ $code = 130 ] || fail "stopped on the way to another end: exit $code, $(cat log)"
"$CAROM" resume other >log 2>&1 || fail "on to another end: $(cat log)"
same whole other "another end"
checks=$((checks + 1))

# beyond the end, and mistakes
"$CAROM" resume parts --until 1.5 >log 2>&1 || fail "$(cat log)"
tail -1 parts/history.csv | grep -q '^1.5,' || fail "until 1.5"
refused() { # words expected, command
  words=$1
  shift
  code=0
  "$@" >log 2>&1 || code=$?
  [ $code = 2 ] && grep -q "$words" log || fail "$*: exit $code, $(cat log)"
  checks=$((checks + 1))
}
refused "already at" "$CAROM" resume parts --until 0.5
refused "too many" "$CAROM" resume parts --until 1e300
refused "contains no run" "$CAROM" resume nowhere
cp -r parts damaged
truncate -s 3000 damaged/checkpoint.h5
refused "is truncated, or is not an HDF5" "$CAROM" resume damaged
mv damaged/probes.csv elsewhere
cp parts/checkpoint.h5 damaged/checkpoint.h5
refused "probes.csv: this file is missing" "$CAROM" resume damaged
mv elsewhere damaged/probes.csv
rm damaged/checkpoint.h5
refused "no checkpoint" "$CAROM" resume damaged
cp parts/checkpoint.h5 damaged/checkpoint.h5
sed -i 's/elements: \[8, 4\]/elements: [4, 8]/' damaged/run.yaml
refused "bodies.0.mesh.block.elements.0: the value is 4, but was 8 when the run began" "$CAROM" resume damaged
echo "$checks checks"

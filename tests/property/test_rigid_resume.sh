#!/bin/bash
# Rigid bodies: a run that was stopped and resumed has the files of one that was not, byte for byte; and
# every number of ranks gives the same bytes, because every rank computes every body.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# few bodies: impacts, a pile that slides, a force, a moving wall, warm starts
cat >few.yaml <<'DECK'
carom: 1
dimension: 2
bodies:
  - {name: low, rigid: {box: {size: [0.4, 0.1]}, density: 1000}, position: [0.3, 0.05], velocity: [0.5, 0]}
  - {name: high, rigid: {box: {size: [0.2, 0.1]}, density: 1000}, position: [0.32, 0.15]}
  - {name: disk, rigid: {disk: {radius: 0.05}, mass: 2}, position: [0.7, 0.3], velocity: [-1, -1], spin: 20}
  - {name: egg, rigid: {ellipse: {semi_axes: [0.08, 0.04]}, mass: 2}, position: [1, 0.3], angle: 20}
obstacles:
  - {name: floor, plane: {point: [0, 0], normal: [0, 1]}}
  - {name: wall, plane: {point: [1.2, 0], normal: [-1, 0]}, velocity: [-0.5, 0]}
contact:
  - {between: [low, floor], friction: 0.3}
  - {between: [high, floor], friction: 0.3, restitution: 0.5}
  - {between: [high, low], friction: 0.2, restitution: 0}
  - {between: [disk, floor], friction: 0.3, restitution: 0.7}
  - {between: [disk, low], friction: 0.3, restitution: 0.7}
  - {between: [disk, high], friction: 0.3, restitution: 0.7}
  - {between: [disk, egg], friction: 0.3}
  - {between: [egg, floor], friction: 0.3, restitution: 0.7}
  - {between: [egg, wall]}
conditions: [{gravity: [0, -9.81]}, {"on": low, force: [3, 0], wave: {omega: 9}}]
time: {method: efda, step: 2.0e-3, end: 0.4}
output: {frames: 5, every: 3}
DECK

# many: the engine for piles
cat >many.yaml <<'DECK'
carom: 1
dimension: 3
bodies:
  - name: ball
    rigid: {sphere: {radius: 0.005}, density: 2500}
    position: [0.01, 0.01, 0.01]
    repeat: {counts: [4, 4, 6], spacing: [0.0105, 0.0105, 0.0105], jitter: 1.0e-4, seed: 3}
obstacles: [{name: box, box: {from: [0, 0, 0], to: [0.05, 0.05, 1]}}]
contact: [{default: {friction: 0.3, restitution: 0.5}}]
conditions: [{gravity: [0, 0, -9.81]}]
time: {method: efda, step: 1.0e-3, end: 0.15}
output: {frames: 3, every: 5}
DECK

# many of any shape, and a force
cat >heap.yaml <<'DECK'
carom: 1
dimension: 3
bodies:
  - name: box
    rigid: {box: {size: [0.1, 0.08, 0.06]}, density: 1000}
    position: [0.08, 0.08, 0.05]
    repeat: {counts: [3, 3, 2], spacing: [0.11, 0.11, 0.1], jitter: 0.005, velocity_jitter: 0.2, seed: 1}
  - {name: egg, rigid: {ellipsoid: {semi_axes: [0.05, 0.04, 0.03]}, mass: 1}, position: [0.2, 0.2, 0.3], spin: [9, 0, 5]}
obstacles: [{name: bin, box: {from: [0, 0, 0], to: [0.4, 0.4, 3]}}]
contact: [{default: {friction: 0.4, restitution: 0.3}}]
conditions: [{gravity: [0, 0, -9.81]}, {"on": egg, force: [3, 0, 0], wave: {omega: 9}}]
time: {method: efda, engine: many, step: 1.0e-3, end: 0.2}
output: {frames: 3, every: 5}
DECK

# of these some go their own size in a step, and ten tons rest on a kilogram
cat >fast.yaml <<'DECK'
carom: 1
dimension: 3
bodies:
  - name: box
    rigid: {box: {size: [0.1, 0.08, 0.06]}, mass: 1}
    position: [0.3, 0.3, 0.8]
    repeat: {counts: [3, 2, 2], spacing: [0.45, 0.6, 0.4], velocity_jitter: 60, seed: 3}
  - {name: light, rigid: {box: {size: [0.1, 0.1, 0.1]}, mass: 1}, position: [0.75, 0.75, 0.05]}
  - {name: heavy, rigid: {box: {size: [0.1, 0.1, 0.1]}, mass: 10000}, position: [0.75, 0.75, 0.155]}
obstacles: [{name: bin, box: {from: [0, 0, 0], to: [1.5, 1.5, 1.5]}}]
contact: [{default: {friction: 0.4, restitution: 0.5}}]
conditions: [{gravity: [0, 0, -9.81]}]
time: {method: efda, engine: many, step: 1.0e-3, end: 0.15}
output: {frames: 3, every: 2, filter: 0.05}
DECK

fail() { echo "FAILED: $*"; exit 1; }

same() { # two runs, byte for byte; wall time aside
  for file in history bodies contacts events reactions; do
    cmp "$1/$file.csv" "$2/$file.csv" || fail "$3: $file.csv"
  done
  for frame in "$1"/fields/*; do cmp "$frame" "$2/fields/$(basename "$frame")" || fail "$3: $frame"; done
  diff <(grep -v "wall_seconds\|ghost_renewals" "$1/audit.json") <(grep -v "wall_seconds\|ghost_renewals" "$2/audit.json") || fail "$3: audit.json"
}

checks=0
for run in "few instant" "few penalty" "many instant" "heap instant" "fast instant"; do
  set -- $run
  "$CAROM" run $1.yaml -o whole --force --set time.variant=$2 >log 2>&1 || fail "$run: $(cat log)"
  [ "$(wc -l <whole/contacts.csv)" -gt 20 ] || fail "$run: hardly any contact"
  for stop in 1 77; do
    code=0
    "$CAROM" run $1.yaml -o parts --force --set time.variant=$2 --stop-after $stop >log 2>&1 || code=$?
    [ $code = 130 ] || fail "$run: stop-after ended with $code"
    "$CAROM" resume parts >log 2>&1 || fail "$run: $(cat log)"
    same whole parts "$run stopped after $stop"
    checks=$((checks + 1))
  done
  for n in 2 3; do
    mpiexec --oversubscribe -n $n "$CAROM" run $1.yaml -o ranks --force --set time.variant=$2 >log 2>&1 ||
      fail "$run on $n ranks: $(cat log)"
    same whole ranks "$run on $n ranks"
    checks=$((checks + 1))
  done
done
[ "$(wc -l <whole/events.csv)" -ge 1 ] || fail "no table of events"

# a rigid box beside a deformable block, corner first, under every method that knows both
cat >beside.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: block, mesh: {block: {from: [-0.6, -0.6, -1], to: [0.6, 0.6, 0], elements: [2, 2, 2]}}, material: m}
  - {name: box, rigid: {box: {size: [0.4, 0.4, 0.4]}, density: 5}, position: [0.25, 0.2, 0.36], angle: 54.7356, axis: [1, 1, 0], velocity: [0.3, 0.1, -1], spin: [1, 2, 3]}
contact: [{between: [block, box], friction: 0.3}]
time: {method: dissipative, step: 0.01, end: 0.3}
output: {frames: 3}
DECK
for method in dissipative midpoint newmark velocity-update bipotential explicit; do
  "$CAROM" run beside.yaml -o whole --force --set time.method=$method >log 2>&1 || fail "$method: $(cat log)"
  [ "$(awk -F, '$3 > 0' whole/contacts.csv | wc -l)" -gt 2 ] || fail "$method: hardly any contact"
  for stop in 3 9; do
    code=0
    "$CAROM" run beside.yaml -o parts --force --set time.method=$method --stop-after $stop >log 2>&1 || code=$?
    [ $code = 130 ] || fail "$method: stop-after ended with $code"
    "$CAROM" resume parts >log 2>&1 || fail "$method: $(cat log)"
    same whole parts "$method stopped after $stop"
    checks=$((checks + 1))
  done
done
echo "$checks runs agree"

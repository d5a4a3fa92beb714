#!/bin/bash
# One layer of one-point elements sees no bending: springs hold all of its energy, and the run says so. In tension they
# hold nothing. Elements with all their points have no springs.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "FAILED: $*"; exit 1; }

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 100, poisson: 0.3, density: 1}]
bodies:
  - {name: beam, material: m, integration: one-point, mesh: {block: {from: [0, 0], to: [10, 1], elements: [10, 1]}}}
conditions:
  - {"on": beam.left, fix: [x, y]}
  - {"on": beam.right, traction: [0, 0.001], ramp: [0, 1]}
time: {analysis: quasi-static, method: dissipative, step: 0.5, end: 1}
DECK
metal='materials=[{name: m, model: j2, young: 100, poisson: 0.3, density: 1, yield: 1000}]'

ratio() { python3 -c "import json; print(json.load(open('out/audit.json'))['resolution']['hourglass_ratio'])"; }
is() { python3 -c "import sys; x = float('$1'); sys.exit(not ($2 <= x <= $3))" || fail "$4: $1 is not from $2 to $3"; }
run() { "$CAROM" run deck.yaml -o out --force "$@" >log 2>&1 || fail "$(cat log)"; }

run
is "$(ratio)" 0.9 1 bending
grep -q "body beam: its hourglass springs store up to" log || fail "no warning: $(cat log)"

run --set "$metal"
is "$(ratio)" 0.9 1 "bending of metal"

run --set 'conditions.1.traction=[0.001, 0]'
is "$(ratio)" 0 0.1 tension
! grep -q "hourglass springs" log || fail "a warning in tension: $(cat log)"

run --set bodies.0.integration=full
[ "$(ratio)" = None ] || fail "springs where there are none: $(ratio)"

# two halves of a run are a whole
run --set time.step=0.1
whole=$(ratio)
"$CAROM" run deck.yaml -o out --force --set time.step=0.1 --stop-after 4 >log 2>&1 || true
"$CAROM" resume out >log 2>&1 || fail "$(cat log)"
[ "$(ratio)" = "$whole" ] || fail "after a stop $(ratio), else $whole"
echo ok

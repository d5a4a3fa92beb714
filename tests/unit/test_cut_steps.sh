#!/usr/bin/env bash
# A step that fails is done as two halves, down to min_step: the deck's times are met to the last digit,
# no step is longer than asked, the ledger holds. Without halves, or at the smallest, the run ends with 1.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > crush.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - name: b
    material: m
    mesh: {block: {from: [0, 0], to: [2, 1], elements: [4, 2]}}
    velocity_gradient: [[-14, 0], [0, 0]]   # at this speed a whole step would turn elements inside out
time: {method: midpoint, step: 0.1, end: 0.5}
output: {frames: 2}
DECK

"$CAROM" run crush.yaml -o out > log
python3 - <<'CHECK'
import csv, json, sys
rows = list(csv.DictReader(open("out/history.csv")))
audit = json.load(open("out/audit.json"))
times = [float(r["time"]) for r in rows]
sizes = [float(r["h"]) for r in rows[1:]]
wrong = []
for k in range(6):
    if 0.1 * k not in times and k / 10 not in times:
        wrong.append(f"time {k / 10} was not met")
if any(abs(b - a - h) > 1e-15 for a, b, h in zip(times, times[1:], sizes)):
    wrong.append("h is not the difference of the times")
if max(sizes) > 0.1:
    wrong.append(f"a step of {max(sizes)}")
halves = [k for k, h in enumerate(sizes) if h < 0.1]
if not halves or 0.1 not in sizes[halves[0] :]:
    wrong.append(f"no halves, or the full size did not come back: {sizes}")
if not audit["completed"] or audit["rejected_steps"] < 1 or audit["steps"] != len(sizes):
    wrong.append(f"audit: {audit}")
if not audit["balance_relative"] < 1e-10:
    wrong.append(f"balance {audit['balance_relative']}")
print(f"{len(sizes)} steps, {audit['rejected_steps']} rejected, smallest {min(sizes)}")
sys.exit("\n".join(wrong) if wrong else 0)
CHECK

fails() # what the deck is changed to, which ends with exit code 1 and a reason
{
  local code=0
  "$CAROM" run crush.yaml -o "$1" --set "$2" > log 2> errors || code=$?
  if [ $code != 1 ] || ! grep -q "gave up at t" errors; then
    echo "$2: exit code $code"
    cat errors
    exit 1
  fi
  grep -qE '"completed":[[:space:]]*false' "$1/audit.json"
}

fails whole time.adaptive=false
fails coarse time.min_step=0.1
echo "cut steps are good"

# numbers that overflow: a verdict, no result of nan and inf
code=0
"$CAROM" run crush.yaml -o overflow --set bodies.0.velocity='[1e200, 0]' > log 2> stderr || code=$?
[ $code = 1 ] && grep -q "energies are too large for floating-point numbers" stderr || { echo "overflow: exit $code, $(cat stderr)"; exit 1; }
[ "$(wc -l < overflow/history.csv)" = 2 ] && grep -q '"completed":.false' overflow/audit.json || { echo "overflow: went on"; exit 1; }

# without equilibrium, the message names body, node, place, contact, and what to try
cat > lifted.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies: [{name: block, material: rubber, mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2]}}}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block.bottom, floor], name: sole, friction: 0.3}]
conditions: [{on: block.top, traction: [50, -10], ramp: [0, 1]}]
time: {method: dissipative, analysis: quasi-static, step: 0.5, end: 1, min_step: 0.2}
output: {frames: 0, report: false}
DECK
code=0
"$CAROM" run lifted.yaml > log 2> stderr || code=$?
[ $code = 1 ] && grep -qE "gave up at t = .*; farthest from equilibrium: node [0-9]+ of body block at \(.*\).*; try shorter steps" stderr ||
  { echo "lifted: exit $code, $(cat stderr)"; exit 1; }
grep -q "farthest from equilibrium" lifted.out/audit.json || { echo "lifted: no reason in audit.json"; exit 1; }

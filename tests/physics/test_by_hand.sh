#!/bin/bash
# Small problems whose answers can be worked out by hand, in units and at step lengths that others use.
set -u
CAROM=$(realpath "${CAROM:?the program}")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
checks=0 failed=0

check() { # condition, what
  checks=$((checks + 1))
  [ "$1" = 0 ] && return
  failed=$((failed + 1))
  echo "FAILED: $2"
}
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN {d = a - b; exit !(a != "" && d <= t && -d <= t)}'; }
audit() { sed -n "s/.*\"$1\":[[:space:]]*\([^,}]*\).*/\1/p" "$2.out/audit.json"; }
column() { # table, column, body: last value
  awk -F, -v c="$2" -v b="$3" 'NR == 1 {for (i = 1; i <= NF; i++) {if ($i == c) k = i; if ($i == "body") w = i}; next}
    b == "" || $w == b {v = $k} END {print v}' "$1"
}
run() { timeout 120 "$CAROM" run "$1.yaml" -o "$1.out" --force "${@:2}" >stdout 2>stderr; }

# ---- free fall of steel in mm, t, s: a step is a thousand transits of a wave ------------------------------

cat >fall.yaml <<'DECK'
carom: 1
dimension: 2
thickness: 5
materials: [{name: steel, young: 210000, poisson: 0.3, density: 7.85e-9}]
bodies:
  - {name: plate, mesh: {block: {from: [0, 0], to: [40, 20], elements: [4, 2], type: Q8}}, material: steel, velocity: [100, 0]}
conditions:
  - gravity: [0, -9810]
time: {method: midpoint, step: 0.01, end: 0.1}
output: {frames: 0, report: false}
DECK
for method in midpoint dissipative velocity-update bipotential newmark; do
  run fall --set time.method=$method
  check $? "$method: steel falls: $(cat stderr)"
  [ "$(audit rejected_steps fall)" = 0 ]
  check $? "$method: $(audit rejected_steps fall) steps of free fall rejected"
  near "$(column fall.out/bodies.csv y plate)" -39.05 1e-6 # 10 - 9810 t^2/2
  check $? "$method: height $(column fall.out/bodies.csv y plate), expected -39.05"
  near "$(column fall.out/bodies.csv x plate)" 30 1e-6
  check $? "$method: way $(column fall.out/bodies.csv x plate), expected 30"
done

# ---- a rigid ball falls 5 m under g = 10 and comes back with 0.8 of its speed ---------------------------------

cat >bounce.yaml <<'DECK'
carom: 1
dimension: 2
bodies:
  - {name: ball, rigid: {disk: {radius: 0.5}, mass: 2}, position: [0, 5.5]}
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 2]}}]
contact: [{between: [ball, floor], restitution: 0.8}]
conditions: [gravity: [0, -10]]
time: {method: efda, step: 0.01, end: 1.8}
output: {frames: 0, report: false}
DECK
run bounce
check $? "a ball falls: $(cat stderr)"
near "$(column bounce.out/bodies.csv y ball)" 3.7 1e-12 # up to 0.64 of 5 m at 1 + 0.8 s
check $? "second height $(column bounce.out/bodies.csv y ball), expected 3.7"
near "$(audit contact_work bounce)" -36 1e-11 # 0.36 of 100
check $? "restitution took $(audit contact_work bounce), expected -36"
awk '/^  contact work / {left = $6} END {exit !(left != "" && left + 0 < 1e-11)}' stdout
check $? "the audit says what restitution leaves of the balance: $(grep 'contact work' stdout)"

echo "$checks checks, $failed failed"
[ $failed = 0 ]

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

echo "$checks checks, $failed failed"
[ $failed = 0 ]

#!/bin/bash
# Runs of materials that flow or creep: stopped in plastic flow and resumed byte for byte; 1, 2 and 3 ranks to 1e-9;
# losses that do not depend on the number of iterations; halved steps; what must break the ledger does; explicit runs
# above the critical step are stopped although nothing blows up.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

deck() { # material
  cat <<DECK
carom: 1
dimension: 2
materials: [{name: m, density: 8.93, $1}]
bodies:
  - {name: b, material: m, velocity: [0.3, -2], spin: 1.5, mesh: {block: {from: [-1, 0.6], to: [1, 1.6], elements: [6, 3]}}}
obstacles: [{name: wall, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [b, wall], friction: 0.2}]
time: {method: dissipative, step: 0.02, end: 0.6, tolerance: 1.0e-12}
methods: {explicit: {step: 0.004}}
output: {frames: 5, every: 2, extremes: [von-mises, plastic_strain], probes: [{name: foot, at: [-1, 0.6]}]}
DECK
}

deck "model: j2, lambda: 130, shear: 43.33, yield: 1.5, hardening: 2, kinematic: 5, heat: {fraction: 0.9, capacity: 1}" >metal.yaml
deck "model: neo-hookean, lambda: 130, shear: 43.33, prony: [{shear: 20, time: 0.1}], viscosity: {shear: 0.1, bulk: 0.1}" >rubber.yaml

# A metal with kinematic hardening on rubber that creeps, both laws in one model; and a ring of the metal.
cat >both.yaml <<DECK
carom: 1
dimension: 2
materials:
  - {name: metal, model: j2, density: 8.93, lambda: 130, shear: 43.33, yield: 1.2, saturation: {stress: 2, exponent: 8}, kinematic: 7}
  - {name: rubber, model: neo-hookean, density: 3, lambda: 60, shear: 15, prony: [{shear: 20, time: 0.05}], viscosity: {shear: 0.05, bulk: 0.3}}
bodies:
  - {name: a, material: metal, velocity: [0.1, -2.5], spin: 1, mesh: {block: {from: [-0.6, 1.1], to: [0.6, 1.8], elements: [5, 3]}}}
  - {name: b, material: rubber, volume: mean, mesh: {block: {from: [-1, 0], to: [1, 1], elements: [7, 4]}}}
contact: [{between: [a, b], friction: 0.3}]
conditions: [{on: b.bottom, fix: [x, y]}]
time: {method: dissipative, step: 0.01, end: 0.2, tolerance: 1.0e-12}
methods: {explicit: {step: 0.002, bulk_linear: 0.06, bulk_quadratic: 1.5}}
output: {frames: 5, every: 2, extremes: [von-mises, plastic_strain], probes: [{name: foot, body: a, at: [-0.6, 1.1]}]}
DECK
sed -e '/^dimension/a symmetry: axial' -e 's/from: \[-1, 0.6\], to: \[1, 1.6\]/from: [0.2, 0.1], to: [1, 1.3]/' \
  -e 's/velocity: \[0.3, -2\], spin: 1.5/velocity: [0, -2], velocity_gradient: [[-0.4, 0], [0, 0.5]]/' -e 's/at: \[-1, 0.6\]/at: [1, 0.1]/' \
  -e 's/step: 0.02, end: 0.6/step: 0.01, end: 0.2/' metal.yaml >ring.yaml

checks=0
fail() { echo "FAILED: $*"; exit 1; }
good() { checks=$((checks + 1)); }
last() { # run, column of history.csv
  awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} END {print $c}' "$1/history.csv"
}
near() { # a, b, relative bound, what
  awk -v a="$1" -v b="$2" -v r="$3" 'BEGIN {d = a - b; if (d < 0) d = -d; exit !(d <= r * (b < 0 ? -b : b))}' ||
    fail "$4: $1 and $2 differ by more than $3"
  good
}

same() { # two runs, byte for byte; wall time aside
  for file in history bodies probes extremes contacts; do cmp "$1/$file.csv" "$2/$file.csv" || fail "$3: $file.csv"; done
  for frame in "$1"/fields/*; do cmp "$frame" "$2/fields/$(basename "$frame")" || fail "$3: $frame"; done
  diff <(grep -v wall_seconds "$1/audit.json") <(grep -v wall_seconds "$2/audit.json") || fail "$3: audit.json"
  good
}

for material in metal rubber both ring; do
  for method in dissipative newmark explicit; do
    "$CAROM" run $material.yaml -o whole --force --set time.method=$method >log 2>&1 || fail "$material, $method: $(cat log)"
    column=$([ $material = metal ] || [ $material = ring ] && echo plastic || echo viscous)
    awk -v x="$(last whole $column)" 'BEGIN {exit !(x > 0.1)}' || fail "$material, $method: no $column loss"
    code=0
    "$CAROM" run $material.yaml -o parts --force --set time.method=$method --stop-after 18 >log 2>&1 || code=$?
    [ $code = 130 ] || fail "$material, $method: stop-after ended with $code"
    "$CAROM" resume parts >log 2>&1 || fail "$material, $method: $(cat log)"
    same whole parts "$material, $method"
  done
  # ranks
  "$CAROM" run $material.yaml -o one --force >log 2>&1
  for n in 2 3; do
    mpiexec --oversubscribe -n $n "$CAROM" run $material.yaml -o many --force >log 2>&1 || fail "$n ranks: $(cat log)"
    python3 "$CAROM_SOURCE/tests/parallel/compare_runs.py" one many --bound 1e-9 || fail "$material on $n ranks"
    good
  done
  # the ledger; and with the stress of the middle it is broken
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "balance") c = i; next}
           {x = $c < 0 ? -$c : $c; if (x > m) m = x} END {exit !(m < 1e-9 * 40)}' one/history.csv ||
    fail "$material: the ledger does not close"
  good
done

# Newton's tolerance decides how many iterations a step takes, not what the material does.
"$CAROM" run metal.yaml -o fine --force >log 2>&1
"$CAROM" run metal.yaml -o coarse --force --set time.tolerance=1.0e-8 >log 2>&1
near "$(last coarse plastic)" "$(last fine plastic)" 1e-6 "plastic loss at other tolerances"

# Halved steps: rejected ones leave nothing behind, so the ledger closes as well.
"$CAROM" run metal.yaml -o halved --force --set time.step=0.3 >log 2>&1 || fail "long steps: $(cat log)"
balance=$(last halved balance)
awk -v x="$balance" 'BEGIN {if (x < 0) x = -x; exit !(x < 4e-8)}' || fail "balance with halved steps: $balance"
good

# The stress at the middle does other work than the law has: the audit sees it.
sed 's/^contact.*//; s/^obstacles.*//' metal.yaml >free.yaml
"$CAROM" run free.yaml -o plain --force --set time.method=midpoint --set time.stress=plain >log 2>&1 || fail "plain: $(cat log)"
awk -v x="$(last plain balance)" 'BEGIN {if (x < 0) x = -x; exit !(x > 1e-3)}' || fail "plain stress should not balance"
good

# Above the critical step flow hides the instability.
code=0
"$CAROM" run metal.yaml -o long --force --set time.method=explicit --set time.step=0.05 --set time.end=5 >log 2>&1 || code=$?
[ $code = 1 ] || fail "explicit above the critical step ended with $code: $(tail -3 log)"
good

# A blow on one node at rest: in the first steps there is hardly any energy to compare with, and nothing is unstable.
{ sed 's/velocity: .*spin: 1.5, //; s/elements: .6, 3./elements: [12, 6]/' free.yaml; echo 'conditions: [{on: b, at: [0, 1.6], force: [0, -4], until: 0.1}]'; } >blow.yaml
"$CAROM" run blow.yaml -o blow --force --set time.method=explicit --set time.step=auto --set time.end=5 >log 2>&1 ||
  fail "a blow on one node: $(tail -3 log)"
awk -v x="$(last blow plastic)" 'BEGIN {exit !(x > 0.01)}' || fail "a blow on one node: no plastic loss"
good
echo "$checks checks"

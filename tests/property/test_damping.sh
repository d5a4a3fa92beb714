#!/bin/bash
# Damping by mass under every method that takes it: momentum decays as the formula says, the drag is booked, the ledger
# closes in flight and at a wall, a run is resumed byte for byte, and the number of ranks does not matter.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

deck() { # material, mass, more
  cat <<DECK
carom: 1
dimension: 2
materials: [{name: m, density: 8.93, lambda: 130, shear: 43.33, damping: {mass: 0.7}, $1}]
bodies:
  - {name: b, material: m, mass: $2, velocity: [0.4, -2], spin: 1.5, velocity_gradient: [[0.1, 0.3], [0.2, -0.1]],
     mesh: {block: {from: [-1, 0.6], to: [1, 1.6], elements: [6, 3]}}}
time: {method: midpoint, step: 0.02, end: 0.6, tolerance: 1.0e-12}
methods: {explicit: {step: 0.01}}
output: {frames: 0}
$3
DECK
}

wall="obstacles: [{name: wall, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [b, wall], friction: 0.2}]"
deck "model: neo-hookean" lumped "" >free.yaml
deck "model: neo-hookean" consistent "" >consistent.yaml
deck "model: linear" lumped "" >linear.yaml
deck "model: linear" lumped "conditions: [{on: b.left, displacement: [0.1, 0.05], ramp: [0, 0.3]}]" >held.yaml
deck "model: neo-hookean" lumped "$wall" >wall.yaml

cat >judge.py <<'PY'
"""Drag of a run: the ratio of momenta from row to row, the sign of the loss, the ledger."""
import csv, sys
folder, column, bound, flies = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4] == "flies"
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(folder + "/history.csv"))]
first = rows[0]["kinetic"]
assert rows[-1]["drag"] > 0.1 * first, ("no drag", rows[-1]["drag"])
for a, b in zip(rows, rows[1:]):
    assert b["drag"] > a["drag"], ("a step gave energy back", b["time"])
    assert abs(b[column]) < bound * first, (column, b["time"], b[column] / first)
    x = 0.7 * b["h"] / 2
    for k in ("momentum_x", "momentum_y"):
        if flies and a["step"] > 0: # explicit: the first row has no velocity of a half step before
            assert abs(b[k] - a[k] * (1 - x) / (1 + x)) < 1e-10 * abs(rows[0][k]), (k, b["time"])
print(folder, column, max(abs(r[column]) for r in rows) / first, "drag", rows[-1]["drag"] / first)
PY

judge() { # deck, method, column, bound, flies or touches
  "$CAROM" run $1.yaml -o $1-$2 --force --set time.method=$2 >stdout 2>stderr
  check $? "$1, $2 did not run"
  python3 judge.py $1-$2 $3 $4 $5 2>stderr
  check $? "$1, $2"
}

for method in midpoint dissipative velocity-update bipotential; do
  judge free $method balance 1e-10 flies
  judge consistent $method balance 1e-10 flies
done
judge free explicit defect 1e-12 flies
judge linear newmark balance 1e-10 flies # exact for linear bodies only
judge free newmark balance 1e-2 flies
for method in midpoint velocity-update bipotential newmark; do judge held $method balance 1e-10 held; done
judge held explicit defect 1e-12 held
for method in dissipative velocity-update bipotential; do judge wall $method defect 1e-9 touches; done
judge wall explicit defect 1e-12 touches
judge wall newmark balance 1e-1 touches

# A linear body has a constant matrix: Newton's method needs one iteration if drag is in it, and the next one says so.
for method in midpoint newmark bipotential velocity-update; do
  "$CAROM" run linear.yaml -o linear-$method --force --set time.method=$method >stdout 2>stderr
  awk -F, 'NR > 1 && $4 > 2 {exit 1}' linear-$method/history.csv
  check $? "linear, $method: iterations"
done

for method in newmark velocity-update bipotential; do
  "$CAROM" run wall.yaml -o parts --force --set time.method=$method --stop-after 11 >stdout 2>stderr
  check "$(($? != 130))" "$method: stop-after"
  "$CAROM" resume parts >stdout 2>stderr
  check $? "$method: resume"
  cmp wall-$method/history.csv parts/history.csv
  check $? "$method: resumed byte for byte"
  for n in 2 3; do
    mpiexec --oversubscribe -n $n "$CAROM" run wall.yaml -o many --force --set time.method=$method >stdout 2>stderr
    check $? "$method, $n ranks"
    python3 "$CAROM_SOURCE/tests/parallel/compare_runs.py" wall-$method many --bound 1e-9
    check $? "$method on $n ranks"
  done
done

# Damping by stiffness under explicit: the viscous stress of a step must not count as stiffness, or the estimate of the
# critical step falls with every step. The body settles, and its support carries its weight.
cat >settles.yaml <<DECK
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 2.0e+5, poisson: 0.3, density: 100, damping: {stiffness: 0.01}}]
bodies: [{name: b, material: m, mesh: {block: {from: [-1, -0.6], to: [1, 0], elements: [11, 4]}}}]
conditions: [{gravity: [0, -9.81]}, {name: ground, on: b.bottom, fix: [x, y]}]
time: {method: explicit, step: auto, end: 0.5}
output: {frames: 0}
DECK
"$CAROM" run settles.yaml -o settles --force >stdout 2>stderr
check $? "explicit with damping by stiffness gives up"
check "$(grep -c "critical step" stderr)" "explicit with damping by stiffness: the critical step falls"
carried=$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "fy") at = k} END {print $at}' settles/reactions.csv)
near "$carried" 1177.2 0.01
check $? "the support carries $carried of a weight of 1177.2"
check_end

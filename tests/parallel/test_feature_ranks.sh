#!/usr/bin/env bash
# Explicit contact of corners in valleys, and of edges on edges: every number of every table agrees on 1, 2 and 3 ranks to
# 1e-9 of its column's scale (1e-6 in a valley with closing), and a run that is stopped again and again has the files of one that was not, byte by byte.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

head='carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 1}]
output: {frames: 0, report: false}
contact: [{between: [a, b], friction: MU}]
time: {method: explicit, step: auto, end: 0.4}
bodies:'
cat > dent.yaml <<DECK
${head/MU/0}
  - {name: a, material: m, mesh: {block: {from: [-0.5, -0.5, -0.5], to: [0.5, 0.5, 0.5], elements: [2, 2, 2]}}, axis: [1, -1, 0], angle: 54.73561, position: [0.03, 0.02, 0.9], velocity: [0, 0, -1]}
  - {name: b, material: m, mesh: {block: {from: [-1, -1, -0.4], to: [1, 1, 0], elements: [9, 9, 2]}}}
conditions: [{on: b.bottom, fix: [x, y, z]}]
DECK
cat > edges.yaml <<DECK
${head/MU/0.1}
  - {name: a, material: m, mesh: {block: {from: [-1, -0.25, -0.25], to: [1, 0.25, 0.25], elements: [7, 2, 2]}}, axis: [1, 0, 0], angle: 45, position: [0.02, 0.03, 0.37], velocity: [0.8, 0.5, -1]}
  - {name: b, material: m, mesh: {block: {from: [-0.25, -1, -0.25], to: [0.25, 1, 0.25], elements: [2, 5, 2]}}, axis: [0, 1, 0], angle: 45, position: [0, 0, -0.36]}
DECK

sed 's/step: auto/step: auto, closing: yes/' edges.yaml > closed.yaml
sed 's/step: auto/step: auto, closing: yes/' dent.yaml > dent-closed.yaml

failed=0
run() { "$@" > log 2>&1 || { cat log; exit 1; }; }
for deck in dent edges closed dent-closed; do
  run "$CAROM" run $deck.yaml -o out.1 --force
  for ranks in 2 3; do
    run mpiexec --oversubscribe -n $ranks "$CAROM" run $deck.yaml -o out.$ranks --force
    # in the dent five pairs meet at one node: only the sum of their forces is determined, and rounding grows
    bound=$([ $deck = dent-closed ] && echo 1e-6 || echo 1e-9)
    python3 "$CAROM_SOURCE/tests/parallel/compare_runs.py" out.1 out.$ranks --bound $bound || failed=1
  done
  "$CAROM" run $deck.yaml -o parts --force --stop-after 17 > log 2>&1 || true
  for part in 1 2 3 4 5 6; do "$CAROM" resume parts --stop-after 4 > log 2>&1 || true; done
  run "$CAROM" resume parts
  for table in history bodies contacts; do
    cmp out.1/$table.csv parts/$table.csv || failed=1
  done
  # an edge is one contact, a corner in a valley presses two facets at least
  least=$([[ $deck = dent* ]] && echo 2 || echo 1)
  awk -F, -v least="$least" 'NR > 1 && $3 > most {most = $3} END {exit !(most >= least)}' out.1/contacts.csv ||
    { echo "$deck: fewer than $least contacts"; failed=1; }
done
exit $failed

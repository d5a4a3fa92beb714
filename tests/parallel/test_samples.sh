#!/usr/bin/env bash
# Points between nodes (`samples`): on 3 ranks the same numbers to 1e-9 of their scale; a run that was stopped in contact
# and resumed has the same tables byte for byte.
set -euo pipefail
here="$CAROM_SOURCE/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > deck.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: upper, material: m, velocity: [3, 1, -1.5], spin: [0, 0, 2], mesh: {block: {from: [-0.5, -0.6, 0.01], to: [0.7, 0.5, 1], elements: [2, 2, 1]}}}
  - {name: lower, material: m, mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], elements: [3, 3, 1], type: T4}}}
contact: [{between: [upper, lower], friction: 0.3, samples: 2}]
time: {method: dissipative, step: 0.01, end: 0.15, tolerance: 1.0e-12}
output: {frames: 2, probes: [{name: foot, surface: upper.bottom}]}
DECK

bad=0
for method in dissipative velocity-update; do
  "$CAROM" run deck.yaml -o one --force --set time.method=$method > log 2>&1 || { cat log; exit 1; }
  points=$(awk -F, 'NR > 1 && $3 > most { most = $3 } END { print most }' one/contacts.csv)
  [ "$points" -gt 25 ] || { echo "$method: only $points points touch"; bad=1; } # 9 nodes and the grid between them
  mpiexec --oversubscribe -n 3 "$CAROM" run deck.yaml -o three --force --set time.method=$method > log 2>&1 || { cat log; exit 1; }
  echo -n "$method, 3 ranks: "
  python3 "$here/parallel/compare_runs.py" one three || bad=1
  code=0
  "$CAROM" run deck.yaml -o parts --force --set time.method=$method --stop-after 8 > log 2>&1 || code=$?
  [ $code = 130 ] || { echo "stop-after ended with $code"; exit 1; }
  "$CAROM" resume parts > log 2>&1 || { cat log; exit 1; }
  for file in history bodies probes contacts; do
    cmp one/$file.csv parts/$file.csv || bad=1
  done
done
exit $bad

#!/usr/bin/env bash
# Bars that slide over each other edge on edge, on 1, 2 and 3 ranks: every number of every table agrees to 1e-9 of its
# column's scale. A run that is stopped in contact goes on with the same bits, also with another number of ranks.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

cat > bars.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 1}]
bodies:
  - {name: upper, material: m, velocity: [2, 1, -1], angle: 45, axis: [1, 0, 0], position: [0.07, 0.03, 0.7171],
     mesh: {block: {from: [-1.5, -0.25, -0.25], to: [1.5, 0.25, 0.25], elements: [7, 1, 1]}}}
  - {name: lower, material: m, angle: 45, axis: [0, 1, 0],
     mesh: {block: {from: [-0.25, -1.5, -0.25], to: [0.25, 1.5, 0.25], elements: [1, 4, 1], type: T10}}}
contact: [{between: [upper, lower], friction: 0.2}]
time: {method: dissipative, step: 0.01, end: 0.3, tolerance: 1.0e-12}
output: {frames: 2}
DECK

for method in dissipative velocity-update; do
  for ranks in 1 2 3; do run $ranks bars --set time.method=$method; done
  touched=$(awk -F, 'NR > 1 && $19 > 0' bars.1/history.csv | wc -l)
  [ "$touched" -gt 9 ] || fail "$method: only $touched steps in contact"
  for ranks in 2 3; do same bars.1 bars.$ranks "$method, $ranks ranks"; done
  stop_and_resume 9 1 1 bars --set time.method=$method
  for file in history bodies contacts; do cmp bars.1/$file.csv bars.parts/$file.csv || fail "$method: $file.csv after a stop"; done
  stop_and_resume 9 3 2 bars --set time.method=$method
  same bars.1 bars.parts "$method, 3 ranks, then 2"
done
exit $bad

#!/usr/bin/env bash
# Explicit contact of more than a thousand points, divided among the ranks (contact/multipliers/rounds.h): every number of
# every table agrees on 1, 2, 3 and 5 ranks to 1e-9 of its column's scale, with facets that move along, walls between the
# passes on facets, and points that come and go; and a run that is stopped goes on with another number of ranks.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

# lid tilted a little: touch spreads over the face; cover on its top makes a second pass on facets behind the one on a wall
cat > slabs.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: lid, material: m, integration: one-point, velocity: [0.3, 0.1, -0.5], mesh: {block: {from: [0, 0, 0], to: [1, 1, 0.05], elements: [26, 26, 1]}}, axis: [1, 0, 0], angle: 0.005, position: [0.02, 0.013, 0]}
  - {name: base, material: m, integration: one-point, mesh: {block: {from: [0, 0, -0.05], to: [1, 1, 0], elements: [24, 24, 1]}}}
  - {name: cover, material: m, integration: one-point, velocity: [0, 0, -1.5], mesh: {block: {from: [0.1, 0.1, 0.0715], to: [0.9, 0.9, 0.12], elements: [19, 19, 1]}}}
obstacles: [{name: floor, plane: {point: [0, 0, -0.05], normal: [0, 0, 1]}}]
contact:
  - {between: [lid.bottom, base.top], friction: 0.3}
  - {between: [base.bottom, floor], friction: 0.1}
  - {between: [cover.bottom, lid.top], friction: 0.2, passes: 2}
time: {method: explicit, step: 5.0e-4, end: 0.04}
output: {frames: 2, extremes: []}
DECK

for algorithm in 3 2 sym; do
  some="2 3"
  [ $algorithm != 3 ] || some="2 3 5"
  for ranks in 1 $some; do run $ranks slabs --set time.algorithm=$algorithm; done
  # many points must press, or little is tested here
  shared=$(awk -F, 'NR > 1 && $19 >= 1000' slabs.1/history.csv | wc -l)
  [ "$shared" -gt 10 ] || { echo "algorithm $algorithm: only $shared steps with 1000 points"; bad=1; }
  for ranks in $some; do same slabs.1 slabs.$ranks "algorithm $algorithm, $ranks ranks"; done
done
stop_and_resume 50 3 2 slabs --set time.algorithm=sym
same slabs.1 slabs.parts "3 ranks, then 2"
exit $bad

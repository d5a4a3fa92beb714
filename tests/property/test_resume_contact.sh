#!/bin/bash
# Runs in space, and runs whose pairs are found by `default`, go on from run.yaml, which spells out all defaults; and
# between bodies the files after a restart are the same byte for byte.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
for dimension in 2 3; do
  from="[0, 0]" to="[1, 1]" velocity="[1, -1]" elements="[2, 2]" normal="[0, 1]" point="[0, 0]"
  [ $dimension = 2 ] || from="[0, 0, 0]" to="[1, 1, 1]" velocity="[1, 0, -1]" elements="[2, 2, 2]" normal="[0, 0, 1]" point="[0, 0, 0]"
  cat >deck.yaml <<DECK
carom: 1
dimension: $dimension
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies: [{name: a, material: m, velocity: $velocity, mesh: {block: {from: $from, to: $to, elements: $elements}}}]
obstacles: [{name: floor, plane: {point: $point, normal: $normal}}]
contact: [{default: {friction: 0.2}}]
time: {method: dissipative, step: 0.01, end: 0.1}
output: {frames: 0}
DECK
  "$CAROM" run deck.yaml -o whole --force >log 2>&1 || { cat log; bad=1; }
  "$CAROM" run deck.yaml -o parts --force --stop-after 4 >log 2>&1
  "$CAROM" resume parts >log 2>&1 || { cat log; bad=1; }
  for file in history contacts; do cmp whole/$file.csv parts/$file.csv || bad=1; done
done
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: a, material: m, velocity: [2, -2], spin: 2, mesh: {block: {from: [-0.6, 0.03], to: [0.6, 0.8], elements: [5, 3]}}}
  - {name: b, material: m, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [9, 3]}}}
contact: [{between: [a, b], friction: 0.3, passes: 2}]
time: {method: dissipative, step: 0.005, end: 0.15}
output: {frames: 0}
DECK
"$CAROM" run deck.yaml -o whole --force >log 2>&1 || { cat log; bad=1; }
for stop in 5 11 20; do
  "$CAROM" run deck.yaml -o parts --force --stop-after $stop >log 2>&1
  "$CAROM" resume parts >log 2>&1 || { cat log; bad=1; }
  cmp whole/history.csv parts/history.csv || bad=1
done
exit $bad

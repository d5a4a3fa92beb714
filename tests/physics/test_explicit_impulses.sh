#!/bin/bash
# Impulses of `explicit` that can be computed by hand: a press fit that starts at rest, and a block that slides all the
# time, so that friction takes 0.12 of the normal impulse whatever part of it returns energy.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
run() { cpu 60 "$CAROM" run "$1.yaml" -o "$1.out" --force "${@:2}" >stdout 2>stderr; }

# Two blocks of length 1 between fixed ends, without lateral strain: the force is E o / 2 = 1000 * 0.08 / 2.
cat >fit.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: linear, young: 1000, poisson: 0, density: 1}]
bodies:
  - {name: low, mesh: {block: {from: [0, 0], to: [1, 1], elements: [3, 3]}}, material: m}
  - {name: up, mesh: {block: {from: [0, 0.92], to: [1, 1.92], elements: [3, 2]}}, material: m}
contact: [{between: [up, low], name: fit, overlap: resolve, ramp: [0, 4]}]
conditions: [{on: low.bottom, fix: [x, y]}, {on: up.top, fix: [x, y]}]
time: {method: explicit, step: auto, end: 5}
output: {frames: 0, report: false}
DECK
force() { # mean after the ramp
  awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k; next}
    $at["time"] > 4 {n++; s += $at["fy"]} END {print n ? s / n : 0}' fit.out/contacts.csv
}
for arguments in "" "--set time.closing=yes" "--set time.algorithm=sym" "--set time.constraint=gap"; do
  run fit $arguments
  check $? "press fit, $arguments: exit code"
  near "$(force)" 40 0.2
  check $? "press fit, $arguments: force $(force), expected 40"
done

cat >slide.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 2.0e+5, poisson: 0.3, density: 1000}]
bodies: [{name: b, mesh: {block: {from: [0, 0.02], to: [1, 1.02], elements: [4, 4]}}, material: m, velocity: [5, -1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [b, floor], friction: 0.12}]
time: {method: explicit, step: 2.0e-3, end: 0.4}
output: {frames: 0, report: false}
DECK
history() { # ratio of the impulses, or the last value of a column
  awk -F, -v what="$1" 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k; next}
    NR == 2 {x = $at["momentum_x"]; y = $at["momentum_y"]} {last = $at[what]}
    {ratio = (x - $at["momentum_x"]) / ($at["momentum_y"] - y + 1e-300)} END {print what == "ratio" ? ratio : last}' slide.out/history.csv
}
for energy in lost returned; do
  run slide --set time.impact_energy=$energy
  check $? "sliding block, $energy: exit code"
  near "$(history ratio)" 0.12 1e-6
  check $? "sliding block, $energy: ratio of the impulses $(history ratio), expected 0.12"
done
# all is returned, and friction takes as much as under the other methods: 1024 to 1038 under dissipative
near "$(history contact_work)" 0 1e-6
check $? "sliding block: contact work $(history contact_work), expected 0"
near "$(history friction_loss)" 1031 52
check $? "sliding block: friction loss $(history friction_loss), expected 1024 to 1038 within 5 %"

check_end

#!/bin/bash
# A stiff block strikes a floor within one step of bipotential. By hand: it moves as a whole, a gap g closes in the step
# h, and v1 = 2 g/h - v leaves (1 - 2 g/(h v))^2 of the energy. The run must say so, with the number.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
audit() { sed -n "s/.*\"$1\":[[:space:]]*\([^,}]*\).*/\1/p" "$2.out/audit.json"; }
run() { cpu 600 "$CAROM" run "$1.yaml" -o "$1.out" --force "${@:2}" >stdout 2>stderr; }
told() { sed -n 's/.*impacts dissipated \([0-9.]*\) % of the energy.*/\1/p' stderr; }

cat >drop.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: stiff, young: 1.0e+6, poisson: 0, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2]}}, material: stiff, velocity: [0, -1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block, floor], friction: 0.5}]
time: {method: bipotential, impact_energy: lost, step: 0.1, end: 0.3}
output: {frames: 0, report: false}
DECK

run drop --set obstacles.0.plane.point='[0, -0.025]'
check $? "a quarter of a step above the floor"
near "$(audit energy_final drop)" 0.125 2e-3
check $? "a quarter of a step above the floor: energy $(audit energy_final drop), expected 0.125"
near "$(told)" 75 0.5
check $? "a quarter of a step above the floor: the run says \"$(told)\" %, expected 75"
grep -q "impacts dissipated" drop.out/audit.json
check $? "the warning stands in audit.json"

# the default: the nodes of the block part in the next step, with all that they lost but the last 0.1 %
run drop --set obstacles.0.plane.point='[0, -0.025]' --set time.impact_energy=returned
check $? "energy is returned"
near "$(audit energy_final drop)" 0.5 2e-3
check $? "energy is returned: energy $(audit energy_final drop), expected 0.5"
[ -z "$(told)" ]
check $? "energy is returned: nothing is lost, and the run speaks of $(told) %"

run drop --set obstacles.0.plane.point='[0, -0.01]' --set time.level=velocity
check $? "level velocity" # sticks: v1 = 0, and all is lost
near "$(told)" 100 0.5
check $? "level velocity: the run says \"$(told)\" %, expected 100"

run drop --set obstacles.0.plane.point='[0, -0.025]' --set time.level=increment
check $? "level increment"
near "$(audit energy_final drop)" 0.5 1e-9
check $? "level increment: energy $(audit energy_final drop), expected 0.5"
[ -z "$(told)" ]
check $? "level increment: nothing is lost, and the run speaks of $(told) %"

run drop
check $? "on the floor at the start" # g = 0: v1 = -v
near "$(audit energy_final drop)" 0.5 1e-9
check $? "on the floor at the start: energy $(audit energy_final drop), expected 0.5"
[ -z "$(told)" ]
check $? "on the floor at the start: nothing is lost, and the run speaks of $(told) %"

check_end

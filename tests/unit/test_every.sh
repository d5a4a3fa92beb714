#!/bin/bash
# `output.every` thins the tables, but the last state of a run is in all of them: at the end, where a run gives up, and once only.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, young: 100, poisson: 0.3, density: 1}]
bodies: [{name: b, mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}, material: m, velocity: [0.1, -0.1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [b, floor]}]
time: {method: dissipative, steps: [[0.01, 57]]}
output: {every: 50, report: false, frames: 3, probes: [{name: p, at: [1, 1], body: b}]}
DECK
go() { "$CAROM" "$@" >stdout 2>stderr; }
times() { tail -n +2 "$1" | cut -d, -f1 | tr '\n' ' '; } # of a table
step() { sed -n "s/^\([^,]*\),$2,.*/\1/p" "$1/history.csv"; } # when a step ended
holds() { # folder, steps
  local wanted='' n
  for n in $2; do wanted+="$(step "$1" "$n") "; done
  for table in bodies contacts probes extremes; do
    [ "$(times "$1/$table.csv")" = "$wanted" ]
    check $? "$1/$table.csv has rows at $(times "$1/$table.csv"), not at $wanted(steps $2)"
  done
  grep -q "timestep=\"$(step "$1" "${2##* }")\"" "$1/fields.pvd"
  check $? "$1: the last frame is not at the end"
}

go run deck.yaml -o whole
check $? "the run"
holds whole "0 50 57"
go run deck.yaml -o even --set time.steps='[[0.01, 100]]'
holds even "0 50 100" # no row twice
go run deck.yaml -o huge --set output.every=1000000
holds huge "0 57"

# A run that goes on has the rows of one that did not stop: the end of before is none.
go run deck.yaml -o on && go resume on --until 0.8
check $? "going on"
holds on "0 50 80"
cp -r on before
go resume on --until 0.8
check $? "going on where nothing is left"
for table in bodies contacts probes extremes history; do
  cmp -s on/$table.csv before/$table.csv
  check $? "$table.csv changes when nothing is left to do"
done
go resume on --until 0.9
check $? "going on after that"
holds on "0 50 90"
go run deck.yaml -o stopped --stop-after 7
check $((1 - ($? == 130))) "a run that is stopped"
go resume stopped
check $? "going on after a stop"
holds stopped "0 50 57"

# Where a run gives up, the last good state is there: a block crushes itself, and steps may not be cut.
cat >crush.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: b, material: m, mesh: {block: {from: [0, 0], to: [2, 1], elements: [4, 2]}}, velocity_gradient: [[-14, 0], [0, 0]]}
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [b, floor]}]
time: {method: dissipative, steps: [[0.001, 7], [0.1, 5]], adaptive: false}
output: {every: 50, report: false, frames: 3, probes: [{name: p, at: [1, 1], body: b}]}
DECK
go run crush.yaml -o crushed
check $((1 - ($? == 1))) "a run that gives up"
holds crushed "0 7"
check_end

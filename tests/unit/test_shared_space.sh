#!/bin/bash
# Bodies that occupy the same space without a contact force: a warning names them. In space a
# block of one body goes through another one, because the pair names the wrong surfaces.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies:
  - {name: low, material: rubber, mesh: {block: {from: [0, 0], to: [2, 1], elements: [4, 2]}}}
  - {name: up, material: rubber, mesh: {block: {from: [0.5, 1.0001], to: [1.5, 2], elements: [2, 2]}}, velocity: [0, -1]}
  - {name: far, material: rubber, mesh: {block: {from: [5, 5], to: [6, 6], elements: [1, 1]}}}
contact:
  - {between: [up, low]}
  - {between: [far, low]}
conditions: [{on: low.bottom, fix: [x, y]}]
time: {method: dissipative, step: 0.01, end: 0.5}
DECK
said() { grep -c "$1" stderr; }

run_deck 0
check "$(said 'share space')" "a warning although contact holds the bodies"
run_deck 0 --set 'contact.0.between=[up.top, low.bottom]'
check "$(($(said 'bodies "low" and "up" share space, although the pair "up.top-low.bottom" names them') != 1))" \
  "no warning of wrong surfaces"
check "$(($(grep -c '"unseen_pairs":.1,' out/audit.json) != 1))" "audit.json does not count the bodies"
for method in dissipative explicit; do
  run_deck 0 --set 'contact.0.between=[up, far]' --set time.method=$method
  check "$(($(said 'bodies "low" and "up" share space, because no contact pair names both: at t = 0.2') != 1))" \
    "$method: no warning of a forgotten pair"
done
# The bodies share space at the start: a mesh without a pair causes a warning at once.
run_deck 0 --set 'contact.0.between=[up, far]' --set 'bodies.1.position=[0, -0.8]' --set time.end=0.01
check "$(($(said 'share space, because no contact pair names both: at t = 0 ') != 1))" "no warning at the start"
# An interrupted run does not warn twice.
run_deck 130 --set 'contact.0.between=[up, far]' --stop-after 30
cpu 60 "$CAROM" resume out >stdout 2>stderr
check "$(($(grep -c 'share space' out/log.txt) != 1 || $(said 'share space') != 0))" "the resumed run warns again"

# A rigid disk without a pair falls through a block, also where its centre passes a face between two elements. Its springs
# on the floor are no reason to warn of soft springs.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies:
  - {name: a, material: m, mesh: {block: {from: [0, 0.1], to: [1, 1.1], elements: [2, 2]}}}
  - {name: b, rigid: {disk: {radius: 0.3}, mass: 10}, position: [0.5, 2], velocity: [0, -5]}
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [b, floor], normal_penalty: 1.0e6}]
time: {method: dissipative, step: 0.01, end: 0.5}
DECK
run_deck 0
check "$(($(said 'bodies "a" and "b" share space, because no contact pair names both: at t = 0.[12]') != 1))" "no warning of a rigid disk"
check "$(said 'contact springs stored')" "a warning of springs between a rigid body and an obstacle"
run_deck 0 --set 'contact.1={between: [a, b]}'
check "$(said 'share space')" "a warning although contact holds the disk"

# Tetrahedra and hexahedra.
cat >space.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: rubber, model: neo-hookean, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies:
  - {name: low, material: rubber, mesh: {block: {from: [0, 0, 0], to: [2, 2, 1], elements: [3, 3, 2]}}}
  - {name: up, material: rubber, mesh: {block: {from: [0.5, 0.5, 1.01], to: [1.5, 1.5, 2], elements: [1, 1, 1], type: T10}}, velocity: [0, 0, -1]}
contact: [{between: [up.top, low.bottom]}]
conditions: [{on: low.bottom, fix: [x, y, z]}]
time: {method: dissipative, step: 0.1, end: 0.6}
DECK
cp space.yaml deck.yaml
run_deck 0
check "$(($(said 'bodies "low" and "up" share space') != 1))" "space: no warning of wrong surfaces"
run_deck 0 --set 'contact.0.between=[up, low]'
check "$(said 'share space')" "space: a warning although contact holds the bodies"
run_deck 2 --set 'bodies.1.position=[0, 0, -1.01]'
check "$(($(said '.yaml:7:11: contact.0: bodies "low" and "up" start in the same place') != 1))" "space: no refusal"
check_end

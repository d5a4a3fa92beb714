#!/bin/bash
# Quasi-static: a block is pressed on a fixed block without friction, and nothing holds it along the surface. The run
# converges, but the place of the block is arbitrary: it warns. Friction or a support of one node hold the block.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies:
  - {name: low, material: rubber, mesh: {block: {from: [0, 0], to: [2, 1], elements: [4, 2]}}}
  - {name: up, material: rubber, mesh: {block: {from: [0.63, 1], to: [1.63, 2], elements: [2, 2]}}}
contact: [{between: [up, low]}]
conditions:
  - {on: low.bottom, fix: [x, y]}
  - {on: up.top, traction: [0, -1000]}
time: {method: dissipative, analysis: quasi-static, step: 0.001, end: 0.01}
DECK
words='neither supports nor contact hold body "up" along'
said() { grep -c "$1" stderr; }
centre() { awk -F, '$2 == "up" {x = $4} END {print x}' out/bodies.csv; }

run_deck 0
check "$(($(said "$words (-*1, 0), where it moved by") != 1))" "no warning of the drift"
near "$(centre)" 1.13 0.005
check "$((! $?))" "the block did not drift, so that this deck tests nothing: $(centre)"
run_deck 0 --set contact.0.friction=0.3
check "$(said "$words")" "a warning although friction holds the block"
near "$(centre)" 1.13 1e-3
check $? "friction: the block drifts to $(centre)"
run_deck 0 --set 'conditions.2={on: up, at: [1.13, 2], fix: [x]}'
check "$(said "$words")" "a warning although a support holds the block"
# Two blocks that stick together slide as one.
sed 's/^contact:.*/  - {name: hat, material: rubber, mesh: {block: {from: [0.63, 2], to: [1.63, 3], elements: [2, 2]}}}\
contact: [{between: [up, low]}, {between: [hat, up], friction: 100}]/; s/up.top, traction/hat.top, traction/' deck.yaml >pile.yaml
cp deck.yaml one.yaml && cp pile.yaml deck.yaml
run_deck 0
check "$(($(said 'contact hold body "[a-z]*" along (-*1, 0)') != 1))" "no warning of two blocks"
# A run that finds no equilibrium says that contact alone would hold the block.
cp one.yaml deck.yaml
run_deck 1 --set 'bodies.1.position=[0, 0.01]' --set contact.0.friction=0.3
check "$(($(said 'supports do not hold body up, so only contact can: let it touch at the start') != 1))" "a gap: no remedy"
check_end

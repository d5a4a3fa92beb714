#!/bin/bash
# The cost of bipotential, in counts: each column of responses is a solution of the linear system. Twenty steps of
# two blocks need the columns of their touching nodes about once, not once for each of many matrices. Nodes keep what they
# lose at impact out of this: the step in which five of them get it back takes matrices of its own.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >blocks.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: up, mesh: {block: {from: [0.1, 0.1, 1.002], to: [1.1, 1.1, 1.5], elements: [10, 10, 3]}}, material: m, velocity: [0.5, 0, -1]}
  - {name: low, mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [8, 8, 3]}}, material: m}
contact: [{between: [up.bottom, low.top], friction: 0.2}]
time: {method: bipotential, impact_energy: lost, step: 0.005, end: 0.1}
output: {frames: 0, report: false}
DECK
touching=$(((11 * 11 + 9 * 9) * 3)) # dofs of both faces
cpu 600 "$CAROM" run blocks.yaml -o out -- -info >stdout 2>stderr
check $? "blocks"
count() { sed -n "s/.*bipotential:.* \([0-9]*\) $1.*/\1/p" stdout stderr | tail -1; }
below "$(count columns)" $((2 * touching))
check $? "$(count columns) columns for $touching touching dofs"
below "$(count factors)" 3
check $? "$(count factors) factors"
below "$(count iterations,)" 200 # ten a step
check $? "$(count iterations,) iterations"

check_end

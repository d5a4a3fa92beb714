#!/bin/bash
# The cost of bipotential, in counts: each column of responses is a solution of the linear system. Twenty steps of
# two blocks need the columns of their touching nodes about once, not once for each of many matrices. In the step in which
# the blocks part, sharp edges of one block still lie on bent facets of the other, and need contacts at several places.
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
time: {method: bipotential, step: 0.005, end: 0.1}
output: {frames: 0, report: false}
DECK
touching=$(((11 * 11 + 9 * 9) * 3)) # dofs of both faces
count() { sed -n "s/.*bipotential:.* \([0-9]*\) $1.*/\1/p" stdout stderr | tail -1; }
worst() { awk -F, 'NR > 1 && $4 > most {most = $4} END {print most}' out/history.csv; }
run() { # value of impact_energy, most factors, most iterations
  cpu 600 "$CAROM" run blocks.yaml -o out --force --set "time.impact_energy=$1" -- -info >stdout 2>stderr
  check $? "blocks, $1"
  below "$(count columns)" $((2 * touching))
  check $? "$1: $(count columns) columns for $touching touching dofs"
  below "$(count factors)" "$2"
  check $? "$1: $(count factors) factors"
  below "$(count iterations,)" "$3"
  check $? "$1: $(count iterations,) iterations"
  below "$(worst)" 50 # 67 if contacts of edges on facets are added at the lowest points
  check $? "$1: $(worst) iterations in one step"
}
run lost 3 200     # ten a step
run returned 8 220 # rounding decides which places the edges need

# Bodies at rest that are pressed together in very short steps. In the first step nodes move by 3e-10 m, so that rounding
# of their gaps is 1e-8 of their motion. The steps must converge. The forces above and below the wedge are mirrored.
cp "$CAROM_SOURCE/examples/wedge-elastic/deck.yaml" .
run_deck 130 --set time.method=bipotential --stop-after 20
below "$(worst)" 4
check $? "wedge: $(worst) iterations in one step"
awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k; next} {x[$2] = $at["fx"]; y[$2] = $at["fy"]}
  END {dx = x["above"] - x["below"]; dy = y["above"] + y["below"]; f = y["above"] * y["above"]
       exit !(f > 0 && dx * dx + dy * dy < 1e-12 * f)}' out/contacts.csv
check $? "wedge: forces above and below are not mirrored"

check_end

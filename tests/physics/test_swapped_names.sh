#!/usr/bin/env bash
# The order of names in `between` decides only the sign of the reported force. Two coarse balls graze each other without
# friction, so that edges are called in where both edges are sharp. Each such crossing must be called in by the same
# ball, whichever is named first. Else the impulse differs by 3e-3 in one step.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: a, material: m, velocity: [0, 0, -2], mesh: {ball: {center: [0, 0, 0], radius: 0.5, elements: 4}}}
  - {name: b, material: m, mesh: {ball: {center: [0.3, 0.1, -1], radius: 0.5, elements: 5}}}
contact: [{between: [a, b]}]
time: {method: bipotential, step: 0.002, end: 0.072}
DECK
impulses() { awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "impulse_z") at = k} END {print $at}' out/contacts.csv; }

for method in bipotential dissipative; do
  run_deck 0 --set time.method=$method
  first=$(impulses)
  run_deck 0 --set time.method=$method --set 'contact.0.between=[b, a]'
  second=$(impulses)
  below 0.1 "$first"
  check $? "$method: the balls do not touch: $first"
  near "$first" "${second#-}" 1e-12
  check $? "$method: impulses $first and $second"
done
check_end

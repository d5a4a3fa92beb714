#!/usr/bin/env bash
# A bar lies across a narrower block, and is pressed on it: one sharp edge of the bar crosses two sharp edges of the block.
# bipotential must hold both crossings in statics, whoever is named first, and whichever name comes first in the
# alphabet. Without the second crossing the force is 21 or 13, not 36. Stiff springs are the comparison.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

deck() { # name of the bar, elements of the block
  cat >deck.yaml <<DECK
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-9}]
bodies:
  - {name: $1, mesh: {block: {from: [-1, -0.5, -0.5], to: [1, 0.5, 0.5], elements: [1, 2, 2]}}, material: m, axis: [1, 0, 0], angle: 45, position: [0.07, 0.03, 0.7072]}
  - {name: base, mesh: {block: {from: [-0.4, -1, -1], to: [0.4, 1, 0], elements: $2}}, material: m}
contact: [{between: [$1, base], friction: 0}]
conditions:
  - {on: base.bottom, fix: [x, y, z]}
  - {on: $1.top, velocity: [0, 0, -1]}
time: {method: bipotential, analysis: quasi-static, step: 0.01, end: 0.1}
DECK
}
last() { awk -F, -v name="$1" 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == name) at = k} END {print $at}' out/contacts.csv; }

# The force on the bar with stiff springs.
springs() {
  run_deck 0 --set time.method=dissipative --set contact.0.normal_penalty=1.0e6
  last fz
}

for mesh in "[1, 4, 2]" "[4, 4, 2]"; do
  deck bar "$mesh"
  expected=$(springs)
  for name in bar cross; do # before and after `base` in the alphabet
    deck $name "$mesh"
    run_deck 0
    force=$(last fz)
    near "$force" "$expected" "$(awk -v f="$expected" 'BEGIN {print 0.005 * f}')"
    check $? "$name, $mesh: force $force, $expected with springs"
    below "$(last overlap_ab)" 1e-6 && below "$(last overlap_ba)" 1e-6
    check $? "$name, $mesh: overlap $(last overlap_ab), $(last overlap_ba)"
    run_deck 0 --set "contact.0.between=[base, $name]"
    near "$(last fz)" "-$force" 1e-4 # the two orders add contacts in different rounds
    check $? "$name, $mesh: force $force, but $(last fz) if the block is named first"
    echo "$name, $mesh: force $force, $expected with springs"
  done
done
check_end

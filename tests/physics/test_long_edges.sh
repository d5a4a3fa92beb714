#!/usr/bin/env bash
# A sharp edge of long elements, or of a rigid box, is pressed into a face of smaller elements. Springs must hold the edge
# between its ends. Without points on the edge the force is half of the right one. The expected force is that of
# `bipotential`, and for the rigid box that of a stiff bar with elements as small as those of the face.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

deck() { # elements of the bar along its edge, method
  cat >deck.yaml <<DECK
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-9}]
bodies:
  - {name: bar, mesh: {block: {from: [-1, -0.5, -0.5], to: [1, 0.5, 0.5], elements: [$1, 2, 2]}}, material: m, axis: [1, 0, 0], angle: 45, position: [0.07, 0.03, 0.7072]}
  - {name: base, mesh: {block: {from: [-0.4, -1, -1], to: [0.4, 1, 0], elements: [4, 4, 2]}}, material: m}
contact: [{between: [bar, base], friction: 0}]
conditions:
  - {on: base.bottom, fix: [x, y, z]}
  - {on: bar.top, velocity: [0, 0, -1]}
time: {method: $2, analysis: quasi-static, step: 0.02, end: 0.1}
DECK
}
dynamic() { # what the bar is
  cat >deck.yaml <<DECK
carom: 1
dimension: 3
materials:
  - {name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-4}
  - {name: hard, model: neo-hookean, young: 1.0e+6, poisson: 0.3, density: 1.0e+7}
bodies:
  - {name: bar, $1, axis: [1, 0, 0], angle: 45, position: [0.07, 0.03, 0.7072], velocity: [0, 0, -1]}
  - {name: base, mesh: {block: {from: [-0.4, -1, -1], to: [0.4, 1, 0], elements: [4, 4, 2]}}, material: m}
contact: [{between: [bar, base], friction: 0}]
conditions: [{on: base.bottom, fix: [x, y, z]}]
time: {method: dissipative, step: 0.005, end: 0.1}
DECK
}
last() { awk -F, -v name="$1" 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == name) at = k} END {print $at}' out/contacts.csv; }
most() { awk -F, -v name="$1" 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == name) at = k} $at + 0 > m {m = $at} END {print m + 0}' out/contacts.csv; }
times() { awk -v a="$1" -v b="$2" 'BEGIN {print a * b}'; }

# Springs yield by 4 to 6 % at the default penalty, as they do with equal meshes; stiff ones by less than 1 %.
for elements in 1 2 4; do
  deck $elements bipotential
  run_deck 0
  expected=$(last fz)
  for method in dissipative newmark; do
    deck $elements $method
    run_deck 0
    force=$(last fz)
    near "$force" "$expected" "$(times 0.06 "$expected")"
    check $? "$elements elements, $method: force $force, expected $expected"
    below "$(last overlap_ab)" 0.01
    check $? "$elements elements, $method: overlap $(last overlap_ab)"
    run_deck 0 --set 'contact.0.between=[base, bar]'
    near "$(last fz)" "-$force" "$(times 1e-10 "$force")"
    check $? "$elements elements, $method: force $force, but $(last fz) in the other order"
  done
  run_deck 0 --set contact.0.normal_penalty=1.0e+6
  near "$(last fz)" "$expected" "$(times 0.02 "$expected")"
  check $? "$elements elements, stiff springs: force $(last fz), expected $expected"
  echo "$elements elements: force $force, $(last fz) with stiff springs, expected $expected"
done

# The narrow end face of a blade lies flat on larger facets: no vertex need be below it. With elements as small as those
# of the face, along the blade, the force is almost the same; without points it is 23 % lower.
blade() { # elements of the blade along its edge
  cat >deck.yaml <<DECK
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-9}]
bodies:
  - {name: blade, mesh: {block: {from: [-1, -0.04, 0], to: [1, 0.04, 1], elements: [$1, 1, 2]}}, material: m, position: [0.03, 0.11, 0.001], axis: [0, 0, 1], angle: 7}
  - {name: base, mesh: {block: {from: [-0.8, -0.8, -0.6], to: [0.8, 0.8, 0], elements: [6, 6, 2]}}, material: m}
contact: [{between: [blade, base], friction: 0.1}]
conditions:
  - {on: base.bottom, fix: [x, y, z]}
  - {on: blade.top, velocity: [0, 0, -1]}
time: {method: dissipative, analysis: quasi-static, step: 0.02, end: 0.1}
DECK
}
blade 10
run_deck 0
expected=$(last fz)
blade 1
run_deck 0
near "$(last fz)" "$expected" "$(times 0.08 "$expected")"
check $? "blade: force $(last fz), expected $expected"
below "$(most unseen)" 0
check $? "blade: $(most unseen) is unseen"
echo "blade: force $(last fz), expected $expected"

# `sides: first` has no contact of edges. Then the check of overlap must say that nothing holds the edge.
deck 1 dissipative
run_deck 0 --set contact.0.sides=first
grep -q "no contact force acts there" stderr
check $? "no warning of an edge that nothing holds"

# A rigid box. A node at the rim of the base must not count as deep behind the far end face of the box.
dynamic "mesh: {block: {from: [-1, -0.5, -0.5], to: [1, 0.5, 0.5], elements: [10, 2, 2]}}, material: hard"
run_deck 0
expected=$(last fz)
dynamic "rigid: {box: {size: [2, 1, 1]}, mass: 2.0e+7}"
for method in dissipative midpoint; do
  run_deck 0 --set time.method=$method
  near "$(last fz)" "$expected" "$(times 0.05 "$expected")"
  check $? "rigid box, $method: force $(last fz), expected $expected"
  below "$(most unseen)" 0
  check $? "rigid box, $method: $(most unseen) of the box is unseen"
  below "$(most max_penetration)" 0.02
  check $? "rigid box, $method: penetration $(most max_penetration)"
  echo "rigid box, $method: force $(last fz), expected $expected"
done

# The exact methods need these points at a rigid box too. Without them the box sank in between its corners, bipotential
# turned elements inside out, and explicit created 3.5 % of the energy. The impulse is that of springs.
cat >deck.yaml <<DECK
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: block, material: m, mesh: {block: {from: [-0.5, -0.5, -0.5], to: [0.5, 0.5, 0], elements: [8, 8, 4]}}}
  - {name: box, rigid: {box: {size: [0.8, 0.3, 0.3]}, density: 5}, position: [0.03, 0.05, 0.2131], angle: 45, axis: [1, 0, 0], velocity: [0, 0, -1.5]}
conditions: [{on: block.bottom, fix: [x, y, z]}]
contact: [{between: [box, block]}]
time: {method: dissipative, step: 0.0025, end: 0.2}
DECK
run_deck 0
expected=$(last impulse_z)
for method in bipotential explicit; do
  run_deck 0 --set time.method=$method
  near "$(last impulse_z)" "$expected" "$(times 0.03 "$expected")"
  check $? "thrown box, $method: impulse $(last impulse_z), expected $expected"
  below "$(most overlap_ab)" 1e-6
  check $? "thrown box, $method: overlap of the box $(most overlap_ab)"
  below "$(most overlap_ba)" 1e-6
  check $? "thrown box, $method: overlap of the block $(most overlap_ba)"
  below "$(most unseen)" 0
  check $? "thrown box, $method: $(most unseen) is unseen"
  echo "thrown box, $method: impulse $(last impulse_z), expected $expected"
done
check_end

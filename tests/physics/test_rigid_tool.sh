#!/usr/bin/env bash
# The sharp corner of a heavy rigid tool on a ramp of slope 1/2, under all methods that take rigid and deformable bodies.
# The force is along the ramp's normal: fx/fy is -0.51 at t = 0.2 on this mesh, where the corner has turned its facet a
# little. With friction it leans by the angle of friction too: -tan(atan 0.51 + atan 0.2) = -0.79.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-3}]
bodies:
  - {name: ramp, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], elements: [12, 9]}}, material: m}
  - {name: tool, rigid: {box: {size: [3, 3.3]}, mass: 1.0e+6}, position: [4.25, -0.35], velocity: [-1, 0]}
contact: [{between: [ramp.bottom, tool], friction: 0}]
conditions: [{on: ramp.top, fix: [x, y]}]
time: {method: dissipative, step: 0.01, end: 0.2}
DECK

ratio() { awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) name[$k] = k} END {print $name["fx"] / $name["fy"]}' out/contacts.csv; }
column() { awk -F, -v c="$1" 'NR == 1 {for (k = 1; k <= NF; k++) name[$k] = k} END {print $name[c]}' out/contacts.csv; }
# A table with forces and impulses on the other body, and with the two overlaps in the other order.
turned() {
  awk -F, -v OFS=, 'function turn(k) {$k = $k == 0 ? $k : $k ~ /^-/ ? substr($k, 2) : "-" $k}
    NR == 1 {for (k = 1; k <= NF; k++) {name[$k] = k; sign[k] = $k ~ /^f[xyz]$|impulse_|filtered_/}}
    NR > 1 {for (k = 1; k <= NF; k++) if (sign[k]) turn(k)
      k = $name["overlap_ab"]; $name["overlap_ab"] = $name["overlap_ba"]; $name["overlap_ba"] = k}
    {print}' "$1"
}

tool() { # what, friction, expected, arguments of the program
  local what="$1, friction $2" friction=$2 expected=$3 seen
  shift 3
  run_deck 0 --set contact.0.friction="$friction" "$@"
  seen=$(ratio)
  near "$seen" "$expected" 0.03
  check $? "$what: fx/fy $seen, expected $expected"
  below "$(column unseen)" 0
  check $? "$what: $(column unseen) of the tool is unseen"
  cut -d, -f1,3- out/contacts.csv >one
  run_deck 0 --set contact.0.friction="$friction" --set 'contact.0.between=[tool, ramp.bottom]' "$@"
  turned out/contacts.csv | cut -d, -f1,3- >other
  cmp -s one other
  check $? "$what: the order of between changes more than signs, and the places of overlap_ab and overlap_ba"
  echo "$what: $seen"
}

for method in dissipative midpoint newmark velocity-update bipotential explicit; do
  more=()
  [ $method = explicit ] && more=(--set time.step=auto)
  tool $method 0 -0.51 --set time.method=$method "${more[@]}"
  tool $method 0.2 -0.79 --set time.method=$method "${more[@]}"
done
tool "velocity-update, augmented" 0 -0.51 --set time.method=velocity-update --set time.enforcement=augmented
tool "velocity-update, augmented" 0.2 -0.79 --set time.method=velocity-update --set time.enforcement=augmented
tool "velocity-update, spread" 0 -0.51 --set time.method=velocity-update --set time.update=spread
tool "velocity-update, paper" 0.2 -0.79 --set time.method=velocity-update --set time.impulse_friction=paper

# A ball fits between the nodes of long, narrow facets, although it is wider than their mean size. Its own point touches.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: block, mesh: {block: {from: [0, 0, -0.5], to: [1, 1, 0], elements: [1, 5, 2]}}, material: m}
  - {name: ball, rigid: {sphere: {radius: 0.4}, mass: 0.2}, position: [0.5, 0.5, 0.42], velocity: [0, 0, -2]}
contact: [{between: [block.top, ball], friction: 0}]
time: {method: dissipative, step: 0.005, end: 0.2}
DECK
for method in dissipative velocity-update; do
  run_deck 0 --set time.method=$method
  unseen=$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) name[$k] = k} NR > 1 && $name["unseen"] > u {u = $name["unseen"]} END {print u + 0}' out/contacts.csv)
  below "$unseen" 0.02 # what comes in within a step
  check $? "$method, ball between nodes: $unseen unseen"
  below "$(column overlap_ba)" 0
  check $? "$method, ball between nodes: it has not left the block"
done
check_end

#!/usr/bin/env bash
# Round rigid bodies that are smaller than the facets of a block, under all methods that take rigid and deformable bodies.
# A ball between the nodes bounces. A ball on a sharp edge or corner is pushed along the line from the closest point to its
# centre. A rolling ball passes over several facets without falling in or hopping: its centre moves by velocity times time.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

METHODS="dissipative midpoint newmark velocity-update bipotential explicit"
# The first row with contact: force components over the greatest one.
direction() {
  awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) c[$k] = k; next} $c["points"] > 0 {print $c["fx"] / $c["fz"], $c["fy"] / $c["fz"]; exit}' out/contacts.csv
}
greatest() { awk -F, -v n="$1" 'NR == 1 {for (k = 1; k <= NF; k++) c[$k] = k; next} $c[n] > m {m = $c[n]} END {print m + 0}' out/contacts.csv; }
ball() { awk -F, -v n="$1" 'NR == 1 {for (k = 1; k <= NF; k++) c[$k] = k} $2 == "ball" {x = $c[n]} END {print x}' out/bodies.csv; }
# The table of the other order of names: forces and impulses have the other sign, and the overlaps change places.
turned() {
  awk -F, -v OFS=, 'function turn(k) {$k = $k == 0 ? $k : $k ~ /^-/ ? substr($k, 2) : "-" $k}
    NR == 1 {for (k = 1; k <= NF; k++) {name[$k] = k; sign[k] = $k ~ /^f[xyz]$|impulse_|filtered_/}}
    NR > 1 {for (k = 1; k <= NF; k++) if (sign[k]) turn(k)
      k = $name["overlap_ab"]; $name["overlap_ab"] = $name["overlap_ba"]; $name["overlap_ba"] = k}
    {print}' "$1" | cut -d, -f1,3-
}
case_of() { # position, velocity, friction
  cat >deck.yaml <<DECK
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: block, mesh: {block: {from: [0, 0, -1], to: [1, 1, 0], elements: [1, 1, 1]}}, material: m}
  - {name: ball, rigid: {sphere: {radius: 0.1}, mass: 0.2}, position: $1, velocity: $2}
contact: [{between: [block, ball], friction: $3}]
time: {method: dissipative, step: 0.002, end: 0.1}
output: {every: 1}
DECK
}
run_case() { # what, method, expected directions fx/fz and fy/fz
  local seen more=()
  [ "$2" = bipotential ] && more=(--set time.level=increment)
  [ "$2" = explicit ] && more=(--set time.step=0.001)
  run_deck 0 --set time.method="$2" "${more[@]}"
  seen=$(direction)
  near "${seen% *}" "$3" 1e-3 && near "${seen#* }" "$4" 1e-3
  check $? "$2, $1: directions $seen, expected $3 $4"
  below "$(greatest unseen)" 1e-3
  check $? "$2, $1: $(greatest unseen) is unseen"
  below "$(greatest overlap_ba)" 0.01 # of springs
  check $? "$2, $1: the ball is $(greatest overlap_ba) deep inside"
  cut -d, -f1,3- out/contacts.csv >one
  run_deck 0 --set time.method="$2" "${more[@]}" --set 'contact.0.between=[ball, block]'
  turned out/contacts.csv | cmp -s one -
  check $? "$2, $1: the order of between changes more than signs and places"
}

for method in $METHODS; do
  case_of "[0.5, 0.5, 0.101]" "[0, 0, -1]" 0
  run_case "between nodes" $method 0 0
  case_of "[1.0717, 0.5, 0.0717]" "[-1, 0, -1]" 0
  run_case "on an edge" $method 1 0
  below 1e-3 "$(ball px)" # it has bounced
  check $? "$method: the ball has not left the edge"
  case_of "[1.06, 1.06, 0.06]" "[-1, -1, -1]" 0
  run_case "on a corner" $method 1 1
done

# A ball beside an edge, in the direction (0.6, 0, 0.8) from its closest point.
for method in $METHODS; do
  case_of "[1.0606, 0.5, 0.0808]" "[-0.6, 0, -0.8]" 0.3
  run_case "at 37 degrees from the normal" $method 0.75 0
done

# Methods that keep the energy: it is the same after the impact on an edge, and a smooth ball gets no spin.
for method in dissipative velocity-update bipotential; do
  case_of "[1.0717, 0.5, 0.0717]" "[-1, 0, -1]" 0
  more=()
  [ $method = bipotential ] && more=(--set time.level=increment)
  run_deck 0 --set time.method=$method "${more[@]}"
  near "$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) c[$k] = k} END {print $c["energy"]}' out/history.csv)" 0.2 1e-9
  check $? "$method: energy after the impact on an edge"
  near "$(ball spin_y)" 0 1e-9
  check $? "$method: spin $(ball spin_y) of a smooth ball"
done

# Rolling over four facets, from x = 0.5 by 2 t. The block is stiff: it gives way by 1e-4.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1.0e+5, poisson: 0.3, density: 1}]
bodies:
  - {name: block, mesh: {block: {from: [0, 0, -1], to: [4, 1, 0], elements: [4, 1, 1]}}, material: m}
  - {name: ball, rigid: {sphere: {radius: 0.2}, mass: 0.2}, position: [0.5, 0.5, 0.2], velocity: [2, 0, 0], spin: [0, 10, 0]}
contact: [{between: [block.top, ball], friction: 0.3}]
conditions: [{on: block.bottom, fix: [x, y, z]}, {gravity: [0, 0, -10]}]
time: {method: newmark, step: 0.005, end: 1.4}
output: {every: 1}
DECK
for method in $METHODS; do
  more=()
  [ $method = explicit ] && more=(--set time.step=auto)
  run_deck 0 --set time.method=$method "${more[@]}"
  near "$(ball x)" 3.3 2e-3
  check $? "$method: the rolling ball is at $(ball x)"
  near "$(ball spin_y)" 10 0.05
  check $? "$method: its spin is $(ball spin_y)"
  height=$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) c[$k] = k} $2 == "ball" {z = $c["z"] - 0.2; z = z < 0 ? -z : z; if (z > m) m = z} END {print m}' out/bodies.csv)
  below "$height" 5e-4
  check $? "$method: the rolling ball leaves its height by $height"
done
check_end

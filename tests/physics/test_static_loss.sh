#!/usr/bin/env bash
# Friction loss in statics: the corner of a tool slides up a ramp of slope 1/2 with friction. Stored energy, energy of springs
# and friction loss add up to the work of the motion. What is left is an error of the step, which falls at least in proportion
# to the step. At t = 0.28 the corner comes near a second facet, on which no force acts.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-9}]
bodies:
  - {name: ramp, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], elements: [12, 9]}}, material: m}
  - {name: tool, mesh: {block: {from: [2.75, -2], to: [5.75, 1.3], elements: [3, 3]}}, material: m}
contact: [{between: [ramp.bottom, tool], friction: 0.3}]
conditions:
  - {on: ramp.top, fix: [x, y]}
  - {on: tool, velocity: [-1, 0]}
time: {method: dissipative, analysis: quasi-static, step: 0.01, end: 0.4}
DECK

column() { awk -F, -v c="$1" 'NR == 1 {for (k = 1; k <= NF; k++) name[$k] = k} END {print $name[c]}' out/history.csv; }
size() { awk -v a="$1" 'BEGIN {print a < 0 ? -a : a}'; }

for method in dissipative bipotential; do
  run_deck 0 --set time.method=$method
  long=$(size "$(column balance)")
  run_deck 0 --set time.method=$method --set time.step=0.005
  short=$(size "$(column balance)")
  loss[${#loss[@]}]=$(column friction_loss)
  below "$long" "$(awk -v w="$(column external_work)" 'BEGIN {print 1e-3 * w}')"
  check $? "$method: $long of the work $(column external_work) is not accounted for"
  below "$short" "$(awk -v a="$long" 'BEGIN {print a / 2}')"
  check $? "$method: with half of the step $short is not accounted for, before $long"
  echo "$method: $long, with half of the step $short"
done
# springs of finite stiffness let the corner sink in, so their loss is a little smaller
near "${loss[1]}" "${loss[0]}" "$(awk -v d="${loss[0]}" 'BEGIN {print 0.05 * d}')"
check $? "friction loss ${loss[1]} of bipotential, ${loss[0]} of dissipative"
check_end

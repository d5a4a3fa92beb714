#!/usr/bin/env bash
# A disc of 16 sides is pressed slowly into a block whose facets are coarser or finer than its own. Exact contact lets no
# node of either body in, and has the force of stiff springs, in value and direction. On quadratic faces both act on lifted
# vertices (theory 13.1), so that nodes may penetrate by a few percent of a facet.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
last() { awk -F, -v n="$1" 'NR == 1 {for (k = 1; k <= NF; k++) c[$k] = k} END {print $c[n]}' out/contacts.csv; }
greatest() { awk -F, -v n="$1" 'NR == 1 {for (k = 1; k <= NF; k++) c[$k] = k; next} $c[n] > m {m = $c[n]} END {print m + 0}' out/contacts.csv; }

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: disc, mesh: {disc: {center: [0, 0.5], radius: 0.5, core: 4, rings: 3}}, material: m}
  - {name: block, mesh: {quad: {corners: [[-1.3, -0.6], [1.4, -0.35], [1.4, 0.02], [-1.3, -0.02]], elements: [9, 3]}}, material: m}
contact: [{between: [disc, block], friction: 0}]
conditions:
  - {on: block.bottom, fix: [x, y]}
  - {on: disc, displacement: [0, ~], at: [0, 1]}
  - {on: disc, displacement: [0, ~], at: [0, 0.5]}
  - {on: disc, displacement: [~, -0.05], at: [0, 1], ramp: [0, 1]}
time: {method: dissipative, analysis: quasi-static, step: 0.1, end: 1}
DECK
for mesh in "Q4 [9, 3]" "Q4 [18, 3]" "Q8 [9, 3]" "Q8 [18, 3]" "T6 [13, 4]"; do
  set -- --set "bodies.1.mesh.quad.type=${mesh%% *}" --set "bodies.1.mesh.quad.elements=${mesh#* }"
  run_deck 0 "$@" --set contact.0.normal_penalty=2e6
  fx=$(last fx) fy=$(last fy)
  run_deck 0 "$@" --set time.method=bipotential
  depth=0.003 # of facets of 0.075 to 0.15
  [ "${mesh%% *}" = Q4 ] && depth=1e-10
  near "$(last fx)" "$fx" 0.05 && near "$(last fy)" "$fy" 0.05 # forces are 10 to 12
  check $? "$mesh: force $(last fx) $(last fy), springs have $fx $fy"
  below "$(greatest overlap_ab)" $depth && below "$(greatest overlap_ba)" $depth
  check $? "$mesh: overlap $(greatest overlap_ab) and $(greatest overlap_ba)"
done
check_end

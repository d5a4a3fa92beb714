#!/usr/bin/env bash
# A stiff block is pressed on a thin layer of rubber with Poisson's ratio 0.4999, without inertia. The force of bipotential
# is that of stiff springs within 2 %, without and with friction.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

deck() { # dimension, layer (from, to, elements), block (from, to, elements), fixed directions, velocity of the top
  cat >deck.yaml <<DECK
carom: 1
dimension: $1
materials:
  - {name: rubber, model: neo-hookean, young: 1000, poisson: 0.4999, density: 1.0e-6}
  - {name: stiff, model: neo-hookean, young: 1.0e5, poisson: 0.3, density: 1.0e-6}
bodies:
  - {name: layer, mesh: {block: {$2}}, material: rubber, volume: mean}
  - {name: block, mesh: {block: {$3}}, material: stiff}
contact: [{between: [block, layer], friction: 0}]
conditions:
  - {on: layer.bottom, fix: [$4]}
  - {on: block.top, velocity: $5}
time: {method: bipotential, analysis: quasi-static, step: 0.1, end: 1}
DECK
}
last() { awk -F, -v name="$1" 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == name) at = k} END {print $at}' out/contacts.csv; }

compare() { # component of the force, friction
  local springs exact
  run_deck 0 --set "contact.0.friction=$2" --set time.method=dissipative --set contact.0.normal_penalty=1.0e8
  springs=$(last "$1")
  run_deck 0 --set "contact.0.friction=$2"
  exact=$(last "$1")
  near "$exact" "$springs" "$(awk -v f="$springs" 'BEGIN {print 0.02 * f}')"
  check $? "$1, friction $2: force $exact, $springs with springs"
  echo "$1, friction $2: force $exact, $springs with springs"
}

deck 2 "from: [0, 0], to: [2, 0.1], elements: [20, 2]" "from: [0.5, 0.1], to: [1.5, 0.6], elements: [9, 4]" "x, y" "[0, -0.01]"
compare fy 0
compare fy 0.3 # without its contacts the layer would be unstable at the end
deck 2 "from: [0, 0], to: [2, 0.1], elements: [20, 2]" "from: [0.5, 0.1], to: [1.5, 0.6], elements: [9, 4]" "x, y" "[0, -0.02]"
compare fy 0.5 # and from t = 0.6 on
deck 3 "from: [0, 0, 0], to: [1, 1, 0.1], elements: [8, 8, 2]" \
  "from: [0.25, 0.25, 0.1], to: [0.75, 0.75, 0.4], elements: [5, 5, 2]" "x, y, z" "[0, 0, -0.01]"
compare fz 0
compare fz 0.3
check_end

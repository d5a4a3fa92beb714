#!/usr/bin/env bash
# The friction problems of bipotential on several ranks. Every number of every table agrees with that of one rank to 1e-9
# of its column's scale. The decks have several islands (with rigid bodies), sharp edges, corners in valleys, points that
# get back their energy, and reactions that rotate with their facets. A run goes on with another number of ranks.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

# four islands: two blocks, two discs, a rigid disk on a table, and a block on an obstacle
cat > islands.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: floor, material: m, mesh: {block: {from: [-1, -0.5], to: [3, 0], elements: [12, 2]}}}
  - {name: slider, material: m, velocity: [0.8, -0.5], mesh: {block: {from: [-0.4, 0.01], to: [0.5, 0.6], elements: [4, 2]}}}
  - {name: left, material: m, velocity: [1, 0.2], mesh: {disc: {center: [6, 3], radius: 0.5, core: 4, rings: 1}}}
  - {name: right, material: m, mesh: {disc: {center: [7.02, 3.05], radius: 0.5, core: 6, rings: 2}}}
  - {name: table, material: m, mesh: {block: {from: [10, -0.5], to: [12, 0], elements: [8, 2]}}}
  - {name: puck, rigid: {disk: {radius: 0.3}, density: 2}, position: [11, 0.31], velocity: [0.6, -1]}
  - {name: alone, material: m, velocity: [0.3, -1], mesh: {block: {from: [14, 0.005], to: [15, 0.5], elements: [5, 2]}}}
obstacles: [{name: ground, plane: {point: [0, 0], normal: [0, 1]}}]
contact:
  - {between: [slider, floor], friction: 0.3}
  - {between: [left, right], friction: 0.2}
  - {between: [puck, table], friction: 0.25}
  - {between: [alone.bottom, ground], friction: 0.4}
conditions: [{on: floor.bottom, fix: [x, y]}, {on: table.bottom, fix: [x, y]}, {gravity: [0, -1]}]
time: {method: bipotential, step: 0.01, end: 0.3, tolerance: 1.0e-12}
output: {frames: 0, report: false}
DECK

# discs that part again: points get back the energy of their impacts
cat > rebound.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: saint-venant-kirchhoff, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: left, material: m, velocity: [1, 0.1], mesh: {disc: {center: [-1.02, 0], radius: 1, core: 8, rings: 2}}}
  - {name: right, material: m, mesh: {disc: {center: [1.02, 0], radius: 1, core: 8, rings: 2}}}
contact: [{between: [left, right], friction: 0.2}]
time: {method: bipotential, step: 0.02, end: 1.2, tolerance: 1.0e-12}
output: {frames: 0, report: false}
DECK

head='carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 1}]
output: {frames: 0, report: false}
contact: [{between: [a, b], friction: 0.1}]
time: {method: bipotential, step: 0.01, end: 0.2, tolerance: 1.0e-12}
bodies:'
cat > dent.yaml <<DECK
$head
  - {name: a, material: m, mesh: {block: {from: [-0.5, -0.5, -0.5], to: [0.5, 0.5, 0.5], elements: [2, 2, 2]}}, axis: [1, -1, 0], angle: 54.73561, position: [0.03, 0.02, 0.9], velocity: [0.9, 0.5, -1]}
  - {name: b, material: m, mesh: {block: {from: [-1, -1, -0.4], to: [1, 1, 0], elements: [7, 7, 1]}}}
conditions: [{on: b.bottom, fix: [x, y, z]}]
DECK
cat > edges.yaml <<DECK
$head
  - {name: a, material: m, mesh: {block: {from: [-1, -0.25, -0.25], to: [1, 0.25, 0.25], elements: [7, 2, 2]}}, axis: [1, 0, 0], angle: 45, position: [0.02, 0.03, 0.37], velocity: [0.8, 0.5, -1]}
  - {name: b, material: m, mesh: {block: {from: [-0.25, -1, -0.25], to: [0.25, 1, 0.25], elements: [2, 5, 2]}}, axis: [0, 1, 0], angle: 45, position: [0, 0, -0.36]}
DECK

# a corner snaps into a valley (theory 9.6): reactions rotate, and corrections are short
cat > snap.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-9}]
bodies:
  - {name: ramp, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], elements: [60, 30]}}, material: m}
  - {name: tool, mesh: {block: {from: [2.75, -2], to: [5.75, 1.3], elements: [3, 3]}}, material: m}
contact: [{between: [ramp.bottom, tool], friction: 0}]
conditions: [{on: ramp.top, fix: [x, y]}, {on: tool, velocity: [-1, 0]}]
time: {method: bipotential, analysis: quasi-static, step: 0.02, end: 0.4, tolerance: 1.0e-12}
output: {frames: 0, report: false}
DECK

# quadratic faces, whose vertices move with three nodes
cat > faces.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: a, material: m, mesh: {block: {from: [0, 0, 0], to: [2, 2, 1], elements: [2, 2, 1], type: T10}}}
  - {name: b, material: m, mesh: {block: {from: [0.3, 0.2, 1], to: [1.7, 1.9, 2], elements: [2, 2, 1], type: T10}}}
contact: [{between: [a.top, b.bottom], friction: 0.2}]
conditions: [{on: a.bottom, fix: [x, y, z]}, {on: b.top, displacement: [0.02, 0.01, -0.03], ramp: [0, 1]}]
time: {method: bipotential, analysis: quasi-static, step: 0.1, end: 1, tolerance: 1.0e-12}
output: {frames: 0, report: false}
DECK

for deck in islands rebound dent edges snap faces; do
  some="2 3"
  [ $deck != islands ] || some="2 3 5"
  for ranks in 1 $some; do run $ranks $deck; done
  for ranks in $some; do same $deck.1 $deck.$ranks "$deck, $ranks ranks"; done
  touched=$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "contacts") c = k} NR > 1 && $c > 0' $deck.1/history.csv | wc -l)
  [ "$touched" -gt 5 ] || { echo "$deck: only $touched steps in contact"; bad=1; }
done
# A block tips over an edge: four contacts of which one depends on the others, so that they may share their force in many
# ways. If rounding decides that, forces differ by 1e-7.
cp "$CAROM_SOURCE/examples/free-corners/deck-edge.yaml" tip.yaml
for ranks in 1 2; do run $ranks tip --set time.method=bipotential --set time.tolerance=1e-12 --set output.frames=0 --set output.report=false; done
same tip.1 tip.2 "a block tips over an edge, 2 ranks"
stop_and_resume 12 3 2 islands
same islands.1 islands.parts "islands, 3 ranks, then 2"
stop_and_resume 30 2 3 rebound
same rebound.1 rebound.parts "rebound, 2 ranks, then 3"

# A rank evaluates its own points, computes its own rows of W, and stores its own responses: the greatest share of all
# ranks is well below the whole.
share() # ranks, what: the greatest number of all ranks
{
  on $1 run islands.yaml -o out --force -- -info || fail "islands on $1 ranks with -info"
  sed -n "s/.*contact of bipotential on this rank:.* \([0-9.e+]*\) $2.*/\1/p" log | sort -g | tail -1
}
for what in "touches evaluated" "entries of W" "bytes of responses"; do
  alone=$(share 1 "$what")
  most=$(share 3 "$what")
  echo "$what: $alone on one rank, at most $most on three"
  awk -v a="$alone" -v m="$most" 'BEGIN {exit !(a > 0 && m > 0 && m < 0.7 * a)}' || { echo "FAILED: $what"; bad=1; }
done

exit $bad

#!/usr/bin/env bash
# Contact by owner: each rank computes its own points alone. On 1, 2, 3, 5 and 8 ranks every number of every table
# agrees to 1e-9 of its column's scale: facets of both sides, walls, samples, sharp edges, rigid partners, self-contact,
# bodies that overlap at the start, dynamic and quasi-static. A run goes on with another number of ranks.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

cat > blocks.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: upper, material: m, velocity: [3, 1, -1.5], spin: [0, 0, 2], mesh: {block: {from: [-0.5, -0.6, 0.01], to: [0.7, 0.5, 1], elements: [3, 3, 1]}}}
  - {name: lower, material: m, mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], elements: [4, 4, 1], type: T4}}}
obstacles: [{name: floor, plane: {point: [0, 0, -1], normal: [0, 0, 1]}, velocity: [0.1, 0, 0]}]
contact: [{between: [upper, lower], friction: 0.3, sides: both}, {between: [lower.bottom, floor], friction: 0.1}]
conditions: [{gravity: [0, 0, -1]}]
time: {method: dissipative, step: 0.01, end: 0.12, tolerance: 1.0e-12}
output: {frames: 2, extremes: [contact-pressure], probes: [{name: foot, surface: upper.bottom}]}
DECK
sed -e 's/sides: both/samples: 2/' blocks.yaml > samples.yaml

cat > bars.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 1}]
bodies:
  - {name: upper, material: m, velocity: [2, 1, -1], angle: 45, axis: [1, 0, 0], position: [0.07, 0.03, 0.7171],
     mesh: {block: {from: [-1.5, -0.25, -0.25], to: [1.5, 0.25, 0.25], elements: [7, 1, 1]}}}
  - {name: lower, material: m, angle: 45, axis: [0, 1, 0],
     mesh: {block: {from: [-0.25, -1.5, -0.25], to: [0.25, 1.5, 0.25], elements: [1, 4, 1], type: T10}}}
contact: [{between: [upper, lower], friction: 0.2}]
time: {method: dissipative, step: 0.01, end: 0.15, tolerance: 1.0e-12}
output: {frames: 2}
DECK

cat > rigid.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 2000, shear: 1500, density: 2}]
bodies:
  - {name: block, material: m, mesh: {block: {from: [-0.5, -0.5, 0.005], to: [0.5, 0.5, 0.5], elements: [4, 4, 2]}}}
  - {name: box, rigid: {box: {size: [0.8, 0.6, 0.5]}, density: 2}, position: [0.92, 0, 0.26], velocity: [-2, 0, 0]}
  - {name: ball, rigid: {sphere: {radius: 0.3}, density: 2}, position: [-0.82, 0.1, 0.31], velocity: [2, 0.1, 0], spin: [1, 2, 3]}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: [0.1, 0, 0.05]}]
contact:
  - {between: [block, floor], friction: 0.3}
  - {between: [block, box], friction: 0.3}
  - {between: [block, ball], friction: 0.3}
conditions: [{gravity: [0, 0, -10]}]
time: {method: dissipative, step: 0.005, end: 0.06, tolerance: 1.0e-12}
output: {frames: 3}
DECK

# A ring between two plates, pressed until its inside touches itself. It is turned a little: a symmetric one leans to the left or
# to the right by rounding.
cat > fold.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 50, shear: 50, density: 1}]
bodies:
  - {name: ring, material: m, angle: 2, mesh: {ring: {center: [0, 0], radius: 0.85, thickness: 0.3, around: 32, across: 2}}}
obstacles:
  - {name: upper, plane: {point: [0, 1.001], normal: [0, -1]}, velocity: [0, -7]}
  - {name: lower, plane: {point: [0, -1.001], normal: [0, 1]}}
contact:
  - {between: [ring, upper], friction: 0.2}
  - {between: [ring, lower], friction: 0.2}
  - {between: [ring, ring], friction: 0.2}
time: {method: dissipative, step: 0.005, end: 0.24, tolerance: 1.0e-12}
output: {frames: 2}
DECK

# A block that overlaps with another at the start, pressed and pushed along it: quasi-static.
cat > press.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 1}]
bodies:
  - {name: upper, material: m, mesh: {block: {from: [-0.4, -0.4, 0], to: [0.6, 0.5, 0.5], elements: [3, 3, 1]}}}
  - {name: lower, material: m, mesh: {block: {from: [-1, -1, -0.6], to: [1, 1, 0.004], elements: [4, 4, 2]}}}
contact: [{between: [upper, lower], friction: 0.3, overlap: resolve, ramp: [0, 1]}]
conditions:
  - {on: lower.bottom, fix: [x, y, z]}
  - {on: upper.top, displacement: [0.02, 0, -0.03], table: [[0, 0], [1, 1]]}
time: {analysis: quasi-static, method: dissipative, step: 0.25, end: 1, tolerance: 1.0e-12}
output: {frames: 2}
DECK

# The impact of bench/scale. Some points stick, and their slip is rounding.
cat > impact.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: a, material: m, velocity: [0.05, 0.02, -0.2], mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [12, 12, 12]}}}
  - {name: b, material: m, position: [0.008, 0.005, 0], mesh: {block: {from: [0, 0, -1], to: [1, 1, 0], elements: [12, 12, 12]}}}
contact: [{between: [a.bottom, b.top], friction: 0.3}]
time: {method: explicit, steps: [[0.0041666666666666666, 11]]}
output: {frames: 0}
DECK

agree() # deck, method, greatest number of points at least, ranks
{
  local deck=$1 method=$2 least=$3 points
  shift 3
  run 1 $deck --set time.method=$method
  points=$(awk -F, 'NR > 1 && $3 > most { most = $3 } END { print most + 0 }' $deck.1/contacts.csv)
  [ "$points" -ge "$least" ] || { echo "$deck, $method: only $points points touch"; bad=1; }
  for ranks in "$@"; do
    run $ranks $deck --set time.method=$method
    same $deck.1 $deck.$ranks "$deck, $method, $ranks ranks"
  done
}

goes_on() # deck, step at which to stop, ranks before, ranks after
{
  stop_and_resume $2 $3 $4 $1
  same $1.1 $1.parts "$1, $3 ranks, then $4"
}

agree blocks dissipative 8 2 3 5 8
goes_on blocks 7 5 2
goes_on blocks 7 2 5
agree blocks newmark 8 5
agree samples dissipative 20 3 8
goes_on samples 7 3 5
agree samples midpoint 20 5
agree bars dissipative 1 2 5
agree rigid dissipative 10 3 5
agree fold dissipative 4 2 5 8
agree press dissipative 9 2 5
agree impact explicit 219 2 5
exit $bad

#!/usr/bin/env bash
# The same decks on 1, 2 and 3 ranks: every number of every table agrees to 1e-9 of its column's scale.
# The outputs of the run on 2 ranks are complete; more ranks than elements do no harm.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

cat > cantilever.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - name: b
    material: m
    mesh: {block: {from: [0, 0], to: [2, 1], elements: [12, 6]}}
conditions:
  - {on: b.left, displacement: [0.1, 0.1], wave: {omega: 5, phase: 90, mean: 1, amplitude: -1}}
  - {on: b, at: [2, 1], force: [0, 2], wave: {omega: 3}}
  - {on: b.right, traction: [1, 0], ramp: [0, 0.1]}
  - {on: b.top, pressure: 1, ramp: [0, 0.2]}
  - {gravity: [0, -1]}
time: {method: midpoint, step: 0.02, end: 0.4, tolerance: 1.0e-12}
output:
  frames: 4
  probes: [{name: tip, at: [2, 1], body: b}, {name: foot, surface: b.left}]
  extremes: [von-mises]
DECK

tumbling() # type, elements, law, mass
{
  cat <<DECK
carom: 1
dimension: 3
materials: [{name: m, model: $3, density: 8.93}]
bodies:
  - name: b
    material: m
    mesh: {block: {from: [0, 0, 0], to: [2, 1, 1], elements: $2, type: $1}}
    mass: $4
    velocity: [0.3, 0.3, 0.3]
    spin: [0.4, 0.3, 1.5]
    velocity_gradient: [[0.4, 0, 0], [0, -0.4, 0], [0, 0, 0]]
time: {method: midpoint, step: 0.05, end: 0.5, tolerance: 1.0e-12}
output: {frames: 2, extremes: [von-mises], probes: [{name: A, at: [2, 1, 1], body: b}]}
DECK
}
tumbling T4 "[4, 2, 2]" "saint-venant-kirchhoff, lambda: 130, shear: 43.33" lumped > t4.yaml
tumbling T10 "[2, 1, 1]" "neo-hookean, lambda: 130, shear: 43.33" consistent > t10.yaml
tumbling H8 "[4, 2, 2]" "mooney-rivlin, c10: 10, c01: 11, bulk: 150" consistent > h8.yaml

cat > two.yaml <<'DECK'
carom: 1
dimension: 2
plane: stress
materials:
  - {name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}
  - {name: s, model: linear, young: 1000, poisson: 0.3, density: 2}
bodies:
  - {name: disc, material: m, mesh: {disc: {center: [0, 0], radius: 1, core: 4, rings: 2}}, spin: 2, velocity: [1, 0]}
  - {name: bar, material: s, mass: consistent, velocity: [0, 0.1],
     mesh: {block: {from: [3, 0], to: [6, 1], elements: [6, 2], type: Q9}}}
conditions:
  - {on: bar.left, fix: [x, y], until: 0.2}
  - {on: bar, at: [6, 0], force: [0, 1]}
time: {method: newmark, step: 0.02, end: 0.4, tolerance: 1.0e-12}
output: {frames: 2, extremes: [von-mises], probes: [{name: A, at: [1, 0], body: disc}]}
DECK

cat > static.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 200, poisson: 0.3, density: 1}]
bodies:
  - {name: b, material: m, mesh: {block: {from: [0, 0, 0], to: [3, 1, 1], elements: [6, 2, 2], type: T4}}}
conditions:
  - {on: b.left, fix: [x, y, z]}
  - {on: b.right, traction: [0, 0, 1], ramp: [0, 1]}
  - {on: b.top, pressure: 1, ramp: [0, 1]}
time: {method: midpoint, analysis: quasi-static, step: 0.25, end: 1, tolerance: 1.0e-12}
output: {frames: 2, extremes: [von-mises], probes: [{name: A, at: [3, 1, 1], body: b}]}
DECK

cat > few.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: b, material: m, mesh: {block: {from: [0, 0], to: [2, 1], elements: [4, 1]}}, spin: 1.5}
conditions:
  - {on: b, at: [0, 0], force: [1, 0]}
time: {method: midpoint, step: 0.05, end: 0.5, tolerance: 1.0e-12}
output: {frames: 2, probes: [{name: A, at: [2, 1], body: b}]}
DECK

for deck in cantilever t4 t10 h8 two static few; do
  for ranks in 1 2 3; do run $ranks $deck; done
  for ranks in 2 3; do same $deck.1 $deck.$ranks "$deck, $ranks ranks"; done
done

run 5 few # five ranks, four elements
same few.1 few.5 "few, 5 ranks"

# a run on two ranks leaves what a run on one leaves
for deck in cantilever t10 two; do
  diff <(cd $deck.1 && find . -type f | sort) <(cd $deck.2 && find . -type f | sort) || bad=1
done
vtk=/usr/bin/python3
if $vtk -c "import vtk" 2> /dev/null; then
  $vtk "$here/physics/check_vtu.py" cantilever.2 --points 91 --cells 72 || bad=1
  $vtk "$here/physics/check_vtu.py" t10.2 --points 45 --cells 12 || bad=1
  $vtk "$here/physics/check_vtu.py" few.5 --points 10 --cells 4 || bad=1
else
  echo "SKIPPED: field files were not opened, the Python module vtk (package python3-vtk9) is missing"
fi
exit $bad

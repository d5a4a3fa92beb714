#!/usr/bin/env bash
# Rigid bodies of finite mass beside deformable ones: 1, 2 and 3 ranks agree to 1e-9 in every table; a run that is stopped in the
# middle of contact goes on byte for byte on one rank, and with another number of ranks to 1e-9.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

cat > space.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 2000, shear: 1500, density: 2}]
bodies:
  - {name: block, material: m, mesh: {block: {from: [-0.5, -0.5, 0.005], to: [0.5, 0.5, 0.5], elements: [4, 4, 2]}}}
  - {name: box, rigid: {box: {size: [0.8, 0.6, 0.5]}, density: 2}, position: [0.92, 0, 0.26], velocity: [-2, 0, 0]}
  - {name: ball, rigid: {sphere: {radius: 0.3}, density: 2}, position: [-0.82, 0.1, 0.31], velocity: [2, 0.1, 0], spin: [1, 2, 3]}
  - {name: egg, rigid: {ellipsoid: {semi_axes: [0.4, 0.3, 0.2]}, density: 2}, position: [0, 0, 0.71], velocity: [0.3, 0.1, -1], spin: [3, 2, 1]}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: [0.1, 0, 0.05]}]
contact:
  - {between: [block, floor], friction: 0.3}
  - {between: [block, box], friction: 0.3}
  - {between: [block, ball], friction: 0.3}
  - {between: [block, egg], friction: 0.3}
  - {between: [box, floor], friction: 0.3}
  - {between: [ball, floor], friction: 0.3, normal_penalty: 2000}
conditions: [{gravity: [0, 0, -10]}]
time: {method: dissipative, step: 0.005, end: 0.12, tolerance: 1.0e-12}
output: {frames: 3, every: 2}
DECK
cat > plane.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: block, material: m, mass: consistent, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [16, 5]}}}
  - {name: disk, rigid: {disk: {radius: 0.4}, mass: 1.5}, position: [-0.5, 0.42], velocity: [1.5, -2], spin: 6}
  - {name: egg, rigid: {ellipse: {semi_axes: [0.4, 0.2]}, mass: 0.5}, position: [0.7, 0.3], angle: 20, velocity: [-1, -1]}
contact: [{between: [block.top, disk], friction: 0.3}, {between: [block.top, egg], friction: 0.2}]
time: {method: dissipative, step: 0.01, end: 0.25, tolerance: 1.0e-12}
output: {frames: 3}
DECK

cat > points-space.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 2000, shear: 1500, density: 2}]
bodies:
  - {name: block, material: m, mesh: {block: {from: [-1, -1, -1], to: [1, 1, 0], elements: [3, 3, 2]}}}
  - {name: ball, rigid: {sphere: {radius: 0.15}, density: 3}, position: [-0.5, -0.4, 0.16], velocity: [2, 1, -1], spin: [1, 2, 3]}
  - {name: die, rigid: {box: {size: [0.3, 0.25, 0.2]}, density: 3}, position: [0.5, 0.4, 0.18], angle: 30, axis: [1, 2, 3], velocity: [-1, 0.1, -1], spin: [1, 2, 3]}
  - {name: egg, rigid: {ellipsoid: {semi_axes: [0.2, 0.15, 0.1]}, density: 3}, position: [-0.4, 0.5, 0.16], angle: 30, axis: [1, 2, 3], velocity: [1, 0.1, -1], spin: [1, 2, 3]}
  - {name: pill, rigid: {capsule: {radius: 0.1, length: 0.2}, density: 3}, position: [0.4, -0.4, 0.13], angle: 70, axis: [1, 0, 0], velocity: [-0.5, 0.1, -1], spin: [3, 2, 1]}
contact:
  - {between: [block, ball], friction: 0.3}
  - {between: [block, die], friction: 0.3}
  - {between: [block, egg], friction: 0.3}
  - {between: [pill, block.top], friction: 0.2, slaves: body}
conditions: [{gravity: [0, 0, -10]}, {on: block.bottom, fix: [x, y, z]}]
time: {method: dissipative, step: 0.004, end: 0.12, tolerance: 1.0e-12}
output: {frames: 3}
DECK
cat > points-plane.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: block, material: m, mass: consistent, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [6, 3]}}}
  - {name: disk, rigid: {disk: {radius: 0.1}, mass: 0.5}, position: [-0.5, 0.11], velocity: [1.5, -2], spin: 6}
  - {name: box, rigid: {box: {size: [0.3, 0.2]}, mass: 0.5}, position: [0.7, 0.17], angle: 20, velocity: [-1, -1]}
contact: [{between: [block.top, disk], friction: 0.3}, {between: [block.top, box], friction: 0.2}]
time: {method: dissipative, step: 0.005, end: 0.15, tolerance: 1.0e-12}
output: {frames: 3}
DECK

# a rigid edge that slides along the edges of a mesh
cat > edges.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 1}]
bodies:
  - {name: rail, material: m, angle: 45, axis: [0, 1, 0], mesh: {block: {from: [-0.25, -1.5, -0.25], to: [0.25, 1.5, 0.25], elements: [1, 7, 1]}}}
  - {name: bar, rigid: {box: {size: [3, 0.5, 0.5]}, density: 1}, position: [0.07, -0.3, 0.7171], angle: 45, axis: [1, 0, 0], velocity: [0.3, 3, -1]}
contact: [{between: [rail, bar], friction: 0.3}]
time: {method: dissipative, step: 0.01, end: 0.25, tolerance: 1.0e-12}
output: {frames: 3}
DECK
# a rigid plate that a force presses askew on a block, at rest at every time
cat > rest.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: block, material: m, mesh: {block: {from: [-1, -1, -1], to: [1, 1, 0], elements: [4, 4, 2]}}}
  - {name: plate, rigid: {box: {size: [1.1, 0.9, 0.4]}, mass: 1}, position: [0.11, 0.07, 0.2]}
contact: [{between: [block.top, plate], friction: 0.3}]
conditions: [{on: block.bottom, fix: [x, y, z]}, {gravity: [0, 0, -10]}, {on: plate, force: [13, 0, -50], ramp: [0, 1]}]
time: {method: dissipative, analysis: quasi-static, step: 0.05, end: 1, tolerance: 1.0e-11}
output: {frames: 3}
DECK

# quadratic faces, whose vertices move with three nodes, against each other and against rigid bodies
cat > quadratic.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: a, material: m, velocity: [3, 1, -1.5], spin: [0, 0, 2], mesh: {block: {from: [-0.5, -0.6, 0.01], to: [0.7, 0.5, 1], elements: [2, 2, 1], type: T10}}}
  - {name: b, material: m, mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], elements: [3, 3, 1], type: T10}}}
  - {name: r, rigid: {box: {size: [0.5, 0.5, 0.5]}, mass: 1}, position: [-0.9, 0.9, 0.26], velocity: [0, 0, -1], spin: [1, 0.5, 0]}
  - {name: ball, rigid: {sphere: {radius: 0.15}, mass: 0.1}, position: [1.1, -1.1, 0.16], velocity: [0, 0.5, -1], spin: [1, 0.5, 0]}
contact: [{between: [a, b], friction: 0.3}, {between: [b, r], friction: 0.3}, {between: [b, ball], friction: 0.3}]
time: {method: dissipative, step: 0.01, end: 0.2, tolerance: 1.0e-12}
output: {frames: 3}
DECK

# the same under explicit, where contact has another search and other unknowns
for deck in space plane; do
  sed 's/method: dissipative, step: [0-9.]*/method: explicit, step: 5.0e-4/; s/end: 0.12/end: 0.06/; s/mass: consistent, //; s/every: 2/every: 20/' $deck.yaml > $deck-explicit.yaml
done

# small round bodies under the other methods
sed 's/method: dissipative, step: [0-9.]*, end: [0-9.]*/method: newmark, step: 5.0e-4, end: 0.02/' points-space.yaml > points-space-newmark.yaml
sed 's/method: dissipative/method: bipotential/' points-space.yaml > points-space-cones.yaml
sed 's/method: dissipative, step: [0-9.]*/method: explicit, step: 1.0e-3/; s/, tolerance: 1.0e-12//' points-space.yaml > points-space-explicit.yaml

# and with impulses at the end of every step
for deck in space plane points-space points-plane edges quadratic; do
  sed 's/method: dissipative/method: velocity-update/' $deck.yaml > $deck-update.yaml
done

compared() # deck, ranks: as on one rank
{
  for ranks in "${@:2}"; do
    run $ranks $1
    same $1.1 $1.$ranks "$1, $ranks ranks"
  done
}

# a run that goes on with other ranks meets all of its contact on three ranks or on two
for deck in space plane points-space points-plane edges rest quadratic quadratic-update space-explicit plane-explicit \
    points-space-newmark points-space-cones points-space-explicit \
    space-update plane-update points-space-update points-plane-update edges-update; do
  run 1 $deck
  touched=$(awk -F, 'NR > 1 && $19 > 0' $deck.1/history.csv | wc -l)
  [ "$touched" -gt 9 ] || [[ $deck = edges-update && $touched -gt 7 ]] || fail "$deck: only $touched steps in contact"
  stop_and_resume 12 1 1 $deck
  for file in history bodies contacts; do cmp $deck.1/$file.csv $deck.parts/$file.csv || fail "$deck: $file.csv after a stop"; done
  stop_and_resume 12 3 2 $deck
  same $deck.1 $deck.parts "$deck, 3 ranks, then 2"
done
# every method on three ranks to the end, and springs on two
compared space 2 3
compared plane 2 3
compared edges 3
compared rest 2 3
compared quadratic-update 3
compared space-explicit 3
compared points-space-newmark 3
compared points-space-cones 3
exit $bad

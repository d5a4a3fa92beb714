#!/usr/bin/env bash
# Systems large enough for GMRES with ILU(0), in space with contact and friction and in the plane: on 1, 2 and 3 ranks
# every number of every table agrees to 1e-9 of its column's scale, and ranks cost no iterations: their factors overlap.
# Nor does the order of bodies in the deck: slaves are eliminated before masters in any case.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

cat > blocks.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, bulk: 3333, shear: 5000, density: 100}]
bodies:
  - {name: top, material: m, velocity: [0, 1.5, -1], mass: consistent, mesh: {block: {from: [0.5, 0, 1.25], to: [1.5, 1, 2.25], elements: [4, 4, 4]}}}
  - {name: base, material: m, mass: consistent, mesh: {block: {from: [0, 0, 0], to: [2, 2, 1], elements: [8, 8, 4]}}}
contact: [{between: [top.bottom, base.top], friction: 0.8, normal_penalty: 1.0e6, tangential_penalty: 1.0e5, weight: area}]
conditions: [{on: base.bottom, fix: [x, y, z]}]
time: {method: dissipative, steps: [[0.24, 1], [0.02, 4]], tolerance: 1.0e-12}
output: {frames: 2, extremes: [von-mises], probes: [{name: A, at: [0.5, 0, 1.25], body: top}]}
DECK

awk '/name: top/ {top = $0; next} {print} /name: base/ {print top}' blocks.yaml > swapped.yaml

cat > plane.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]
bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [2, 1], elements: [60, 30]}}}]
conditions:
  - {on: b.left, fix: [x, y]}
  - {on: b.right, traction: [0, 5], ramp: [0, 0.1]}
  - {gravity: [2, -10]} # the support feels it before the wave from the right arrives
time: {method: midpoint, step: 0.02, end: 0.1, tolerance: 1.0e-12}
output: {frames: 2, extremes: [von-mises], probes: [{name: A, at: [2, 1], body: b}]}
DECK

solve() # ranks, deck: results in deck.ranks
{
  run $1 $2 -- -ksp_converged_reason
  mv log $2.$1.log
  grep -q 'linear solver: GMRES with ILU(0)' "$2.$1.log" || { echo "$2 on $1 ranks: another linear solver"; exit 1; }
}

iterations() { sed -n 's/.*Linear solve converged.*iterations //p' "$1" | awk '{s += $1} END {print s}'; }

for deck in blocks plane; do
  for ranks in 1 2 3; do solve $ranks $deck; done
  for ranks in 2 3; do
    same $deck.1 $deck.$ranks "$deck, $ranks ranks"
    one=$(iterations $deck.1.log)
    more=$(iterations $deck.$ranks.log)
    echo "GMRES iterations: $one on one rank, $more on $ranks"
    awk -v one="$one" -v more="$more" 'BEGIN {exit !(one > 0 && more <= 1.2 * one)}' || bad=1
  done
done
solve 1 swapped
one=$(iterations blocks.1.log)
other=$(iterations swapped.1.log)
echo "GMRES iterations: $one with the slave's body first, $other with the master's"
awk -v one="$one" -v other="$other" 'BEGIN {exit !(other > 0 && other <= 1.2 * one)}' || bad=1
exit $bad

#!/usr/bin/env bash
# Impacts on 1, 2 and 3 ranks: every number of every table agrees to 1e-9 of its column's scale, for every method
# that knows contact. A run that is stopped in the middle of contact goes on with another number of ranks.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

# Facets of these discs turn by 11 degrees. On coarser ones nodes are corners, and two nodes that meet state the same law
# twice under bipotential: which of them carries the force is a matter of rounding then.
cat > discs.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: saint-venant-kirchhoff, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: left, material: m, velocity: [1, 0.1], mesh: {disc: {center: [-1.02, 0], radius: 1, core: 8, rings: 2}}}
  - {name: right, material: m, mesh: {disc: {center: [1.02, 0], radius: 1, core: 8, rings: 2}}}
contact: [{between: [left, right], friction: 0.2, normal_penalty: 1.0e4, tangential_penalty: 1.0e3}]
time: {method: dissipative, step: 0.02, end: 0.4, tolerance: 1.0e-12}
output: {frames: 2, extremes: [von-mises], probes: [{name: foot, surface: left.outer}]}
DECK

cat > blocks.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: upper, material: m, velocity: [3, 1, -1.5], spin: [0, 0, 2], mesh: {block: {from: [-0.5, -0.6, 0.01], to: [0.7, 0.5, 1], elements: [2, 2, 1]}}}
  - {name: lower, material: m, mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], elements: [5, 5, 1], type: T4}}}
obstacles: [{name: floor, plane: {point: [0, 0, -1], normal: [0, 0, 1]}, velocity: [0.1, 0, 0]}]
contact: [{between: [upper, lower], friction: 0.3, sides: both}, {between: [lower.bottom, floor], friction: 0.1}]
conditions: [{gravity: [0, 0, -1]}]
time: {method: dissipative, step: 0.01, end: 0.15, tolerance: 1.0e-12}
output: {frames: 2, probes: [{name: foot, surface: upper.bottom}]}
DECK

methods=$("$CAROM" methods | awk '/^materials/ {done = 1} !done && /^  [a-z]/ {print $1}')
tried=0
for method in $methods; do
  "$CAROM" check discs.yaml --set "time.method=$method" > log 2>&1 || true
  if grep -qE "method [a-z-]+ cannot compute contact;|is for rigid bodies only" log; then continue; fi
  tried=$((tried + 1))
  some="2 3"
  [ "$method" = dissipative ] || some=3
  for deck in discs blocks; do
    for ranks in 1 $some; do run $ranks $deck --set time.method=$method; done
    touched=$(awk -F, 'NR > 1 && $19 > 0' $deck.1/history.csv | wc -l)
    [ "$touched" -gt 5 ] || { echo "$deck, $method: only $touched steps in contact"; bad=1; }
    for ranks in $some; do same $deck.1 $deck.$ranks "$deck, $method, $ranks ranks"; done
    stop_and_resume 12 3 2 $deck --set time.method=$method
    same $deck.1 $deck.parts "$deck, $method, 3 ranks, then 2"
  done
done
# closing calls in contacts, and moves others from facet to facet
closing="--set time.method=explicit --set time.step=auto --set time.closing=yes"
for ranks in 1 2 3; do run $ranks discs $closing; done
for ranks in 2 3; do same discs.1 discs.$ranks "discs, explicit with closing, $ranks ranks"; done
stop_and_resume 12 3 2 discs $closing
same discs.1 discs.parts "discs, explicit with closing, 3 ranks, then 2"
[ $tried -ge 3 ] || { echo "only $tried methods"; bad=1; }
exit $bad

#!/usr/bin/env bash
# A rank sees the facets near its own slaves, and chooses them anew as bodies move on. A block slides along a base over
# many facets and meets its far end on other ranks than at the start. On 1, 3, 5 and 8 ranks every number of every table
# agrees to 1e-9 of its column's scale, with springs and under explicit, also if the run goes on with other ranks.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

cat > slide.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: block, material: m, velocity: [30, 0.3, -1], mesh: {block: {from: [0.1, 0.11, 0.02], to: [0.52, 0.43, 0.3], elements: [5, 3, 2]}}}
  - {name: base, material: m, mesh: {block: {from: [0, 0, -0.2], to: [5, 0.5, 0], elements: [40, 4, 1]}}}
obstacles: [{name: floor, plane: {point: [0, 0, -0.2], normal: [0, 0, 1]}}]
contact: [{between: [SIDES], friction: 0.2}, {between: [base.bottom, floor], friction: 0.3}]
conditions: [{gravity: [0, 0, -50]}]
time: {method: dissipative, step: 0.005, end: 0.12, tolerance: 1.0e-12}
output: {frames: 2}
DECK
sed -i 's/SIDES/block.bottom, base.top/' slide.yaml
sed -e 's/block.bottom, base.top/base.top, block.bottom/; s/friction: 0.2/friction: 0.2, sides: both/' slide.yaml > both.yaml

renewals_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/audit.json"))["ghost_renewals"])' $1; }

agree() # deck, options as one word, ranks
{
  local deck=$1 options=$2 renewals
  shift 2
  run 1 $deck $options
  [ "$(renewals_of $deck.1)" = 0 ] || { echo "$deck $options: one rank has ghosts"; bad=1; }
  for ranks in "$@"; do
    run $ranks $deck $options
    renewals=$(renewals_of $deck.$ranks)
    # springs and the overlap check once at the start; the block passes more than 20 facets, and a margin has 4
    [ "$renewals" -ge 6 ] || { echo "$deck $options, $ranks ranks: only $renewals renewals"; bad=1; }
    same $deck.1 $deck.$ranks "$deck $options, $ranks ranks"
  done
}

agree slide "" 3 5 8
stop_and_resume 12 5 3 slide
same slide.1 slide.parts "slide, 5 ranks, then 3"
agree both "" 5
explicit="--set time.method=explicit --set time.step=0.001"
agree slide "$explicit" 3 8
stop_and_resume 60 8 2 slide $explicit
same slide.1 slide.parts "slide, explicit, 8 ranks, then 2"
exit $bad

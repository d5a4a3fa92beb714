#!/usr/bin/env bash
# A rank sees the facets near its own slaves, and chooses them anew as bodies move on. A block slides along a base over
# many facets and meets its far end on other ranks than at the start. On 1, 3, 5 and 8 ranks every number of every table
# agrees to 1e-9 of its column's scale, with springs and under explicit, also if the run goes on with other ranks.
set -euo pipefail
here="$CAROM_SOURCE/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

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

run() # ranks, deck, method, more: results in deck.ranks
{
  local launch=() ranks=$1 deck=$2 method=$3
  shift 3
  if [ "$ranks" != 1 ]; then launch=(mpiexec --oversubscribe -n "$ranks"); fi
  "${launch[@]}" "$CAROM" run $deck.yaml -o $deck.$ranks --force --set "time.method=$method" "$@" > log 2>&1
}

renewals_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/audit.json"))["ghost_renewals"])' $1; }
fail() { echo "FAILED: $*"; cat log; exit 1; }

bad=0
agree() # deck, method, more options, ranks
{
  local deck=$1 method=$2 more=$3 renewals
  shift 3
  run 1 $deck $method $more || fail "$deck, $method on 1 rank"
  [ "$(renewals_of $deck.1)" = 0 ] || { echo "$deck, $method: one rank has ghosts"; bad=1; }
  for ranks in "$@"; do
    run $ranks $deck $method $more || fail "$deck, $method on $ranks ranks"
    renewals=$(renewals_of $deck.$ranks)
    # springs and the overlap check once at the start; the block passes more than 20 facets, and a margin has 4
    [ "$renewals" -ge 6 ] || { echo "$deck, $method, $ranks ranks: only $renewals renewals"; bad=1; }
    echo -n "$deck, $method, $ranks ranks: "
    python3 "$here/parallel/compare_runs.py" $deck.1 $deck.$ranks || bad=1
  done
}

agree slide dissipative "" 3 5 8
run 5 slide dissipative --stop-after 12 || true
mpiexec --oversubscribe -n 3 "$CAROM" resume slide.5 > log 2>&1 || fail "resume on 3 ranks"
echo -n "slide, 5 ranks, then 3: "
python3 "$here/parallel/compare_runs.py" slide.1 slide.5 || bad=1
agree both dissipative "" 5
agree slide explicit "--set time.step=0.001" 3 8
run 8 slide explicit --set time.step=0.001 --stop-after 60 || true
mpiexec --oversubscribe -n 2 "$CAROM" resume slide.8 > log 2>&1 || fail "explicit, resume on 2 ranks"
echo -n "slide, explicit, 8 ranks, then 2: "
python3 "$here/parallel/compare_runs.py" slide.1 slide.8 || bad=1
exit $bad

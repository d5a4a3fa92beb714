#!/usr/bin/env bash
# Impacts on 1, 2 and 3 ranks: every number of every table agrees to 1e-9 of its column's scale, for every method
# that knows contact. A run that is stopped in the middle of contact goes on with another number of ranks.
set -euo pipefail
here="$CAROM_SOURCE/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

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

run() # ranks, deck, method: results in deck.ranks
{
  local launch=()
  if [ "$1" != 1 ]; then launch=(mpiexec --oversubscribe -n "$1"); fi
  if ! "${launch[@]}" "$CAROM" run "$2.yaml" -o "$2.$1" --force --set "time.method=$3" > log 2>&1; then
    echo "$2 on $1 ranks under $3 failed"
    cat log
    exit 1
  fi
}

bad=0
methods=$("$CAROM" methods | awk '/^materials/ {done = 1} !done && /^  [a-z]/ {print $1}')
tried=0
for method in $methods; do
  "$CAROM" check discs.yaml --set "time.method=$method" > log 2>&1 || true
  if grep -qE "method [a-z-]+ has no contact|is for rigid bodies only" log; then continue; fi
  tried=$((tried + 1))
  some="2 3"
  [ "$method" = dissipative ] || some=3
  for deck in discs blocks; do
    for ranks in 1 $some; do run $ranks $deck "$method"; done
    touched=$(awk -F, 'NR > 1 && $19 > 0' $deck.1/history.csv | wc -l)
    [ "$touched" -gt 5 ] || { echo "$deck, $method: only $touched steps in contact"; bad=1; }
    for ranks in $some; do
      echo -n "$deck, $method, $ranks ranks: "
      python3 "$here/parallel/compare_runs.py" $deck.1 $deck.$ranks || bad=1
    done
    code=0
    mpiexec --oversubscribe -n 3 "$CAROM" run $deck.yaml -o parts --force --set "time.method=$method" --stop-after 12 > log 2>&1 || code=$?
    [ -e parts/checkpoint.h5 ] || { echo "no checkpoint: $(cat log)"; exit 1; }
    mpiexec --oversubscribe -n 2 "$CAROM" resume parts > log 2>&1 || { cat log; exit 1; }
    echo -n "$deck, $method, 3 ranks, then 2: "
    python3 "$here/parallel/compare_runs.py" $deck.1 parts || bad=1
  done
done
[ $tried -ge 3 ] || { echo "only $tried methods"; bad=1; }
exit $bad

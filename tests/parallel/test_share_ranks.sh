#!/usr/bin/env bash
# Explicit contact of more than a thousand points, divided among the ranks (contact/multipliers/rounds.h): every number of
# every table agrees on 1, 2, 3 and 5 ranks to 1e-9 of its column's scale, with facets that move along, walls between the
# passes on facets, and points that come and go; and a run that is stopped goes on with another number of ranks.
set -euo pipefail
here="$CAROM_SOURCE/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# lid tilted a little: touch spreads over the face; cover on its top makes a second pass on facets behind the one on a wall
cat > slabs.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: lid, material: m, integration: one-point, velocity: [0.3, 0.1, -0.5], mesh: {block: {from: [0, 0, 0], to: [1, 1, 0.05], elements: [26, 26, 1]}}, axis: [1, 0, 0], angle: 0.005, position: [0.02, 0.013, 0]}
  - {name: base, material: m, integration: one-point, mesh: {block: {from: [0, 0, -0.05], to: [1, 1, 0], elements: [24, 24, 1]}}}
  - {name: cover, material: m, integration: one-point, velocity: [0, 0, -1.5], mesh: {block: {from: [0.1, 0.1, 0.0715], to: [0.9, 0.9, 0.12], elements: [19, 19, 1]}}}
obstacles: [{name: floor, plane: {point: [0, 0, -0.05], normal: [0, 0, 1]}}]
contact:
  - {between: [lid.bottom, base.top], friction: 0.3}
  - {between: [base.bottom, floor], friction: 0.1}
  - {between: [cover.bottom, lid.top], friction: 0.2, passes: 2}
time: {method: explicit, step: 5.0e-4, end: 0.04}
output: {frames: 2, extremes: []}
DECK

run() # ranks, options: results in out.ranks
{
  local ranks=$1 launch=()
  shift
  if [ "$ranks" != 1 ]; then launch=(mpiexec --oversubscribe -n "$ranks"); fi
  if ! "${launch[@]}" "$CAROM" run slabs.yaml -o "out.$ranks" --force "$@" > log 2>&1; then
    echo "$ranks ranks, $*: failed"
    cat log
    exit 1
  fi
}

bad=0
for algorithm in 3 2 sym; do
  some="2 3"
  [ $algorithm != 3 ] || some="2 3 5"
  for ranks in 1 $some; do run $ranks --set "time.algorithm=$algorithm"; done
  # many points must press, or little is tested here
  shared=$(awk -F, 'NR > 1 && $19 >= 1000' out.1/history.csv | wc -l)
  [ "$shared" -gt 10 ] || { echo "algorithm $algorithm: only $shared steps with 1000 points"; bad=1; }
  for ranks in $some; do
    echo -n "algorithm $algorithm, $ranks ranks: "
    python3 "$here/parallel/compare_runs.py" out.1 out.$ranks || bad=1
  done
done
mpiexec --oversubscribe -n 3 "$CAROM" run slabs.yaml -o parts --force --set time.algorithm=sym --stop-after 50 > log 2>&1 || true
[ -e parts/checkpoint.h5 ] || { echo "no checkpoint: $(cat log)"; exit 1; }
mpiexec --oversubscribe -n 2 "$CAROM" resume parts > log 2>&1 || { cat log; exit 1; }
echo -n "3 ranks, then 2: "
python3 "$here/parallel/compare_runs.py" out.1 parts || bad=1
exit $bad

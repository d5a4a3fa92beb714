#!/usr/bin/env bash
# Bars that slide over each other edge on edge, on 1, 2 and 3 ranks: every number of every table agrees to 1e-9 of its
# column's scale. A run that is stopped in contact goes on with the same bits, also with another number of ranks.
set -euo pipefail
here="$CAROM_SOURCE/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

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
time: {method: dissipative, step: 0.01, end: 0.3, tolerance: 1.0e-12}
output: {frames: 2}
DECK

fail() { echo "FAILED: $*"; cat log; exit 1; }

run() # ranks, method, more: results in bars.ranks
{
  local launch=() ranks=$1 method=$2
  shift 2
  if [ "$ranks" != 1 ]; then launch=(mpiexec --oversubscribe -n "$ranks"); fi
  "${launch[@]}" "$CAROM" run bars.yaml -o "bars.$ranks" --force --set "time.method=$method" "$@" > log 2>&1
}

bad=0
for method in dissipative velocity-update; do
  for ranks in 1 2 3; do run $ranks $method || fail "$method on $ranks ranks"; done
  touched=$(awk -F, 'NR > 1 && $19 > 0' bars.1/history.csv | wc -l)
  [ "$touched" -gt 9 ] || fail "$method: only $touched steps in contact"
  for ranks in 2 3; do
    echo -n "$method, $ranks ranks: "
    python3 "$here/parallel/compare_runs.py" bars.1 bars.$ranks || bad=1
  done
  cp -r bars.1 whole
  run 1 $method --stop-after 9 || [ $? = 130 ] || fail "$method: stop"
  "$CAROM" resume bars.1 > log 2>&1 || fail "$method: resume"
  for file in history bodies contacts; do cmp whole/$file.csv bars.1/$file.csv || fail "$method: $file.csv after a stop"; done
  run 3 $method --stop-after 9 || true
  [ -e bars.3/checkpoint.h5 ] || fail "$method: no checkpoint"
  mpiexec --oversubscribe -n 2 "$CAROM" resume bars.3 > log 2>&1 || fail "$method: resume on 2 ranks"
  echo -n "$method, 3 ranks, then 2: "
  python3 "$here/parallel/compare_runs.py" whole bars.3 || bad=1
  rm -rf whole
done
exit $bad

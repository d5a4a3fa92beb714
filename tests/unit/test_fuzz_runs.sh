#!/usr/bin/env bash
# What fuzzing found stays found: every input kept in tests/fuzz/found is read to a verdict, 0 or 2, without a
# crash or a sanitizer's report.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
n=0
for file in "$CAROM_SOURCE"/tests/fuzz/found/*; do
  case $(basename "$file") in
  gmsh-*)
    for dimension in 2 3; do
      sed "s|DIM|$dimension|; s|MESH|$file|" >"$work/deck.yaml" <<DECK
carom: 1
dimension: DIM
materials: [{name: m, model: linear, young: 1, poisson: 0, density: 1}]
bodies: [{name: b, mesh: {file: MESH}, material: m}]
time: {method: midpoint, step: 1, end: 1}
DECK
      "$CAROM" check "$work/deck.yaml" >"$work/out" 2>&1
      status=$?
      n=$((n + 1))
      if [ $status -ne 0 ] && [ $status -ne 2 ]; then
        echo "FAIL: $file in $dimension dimensions: exit code $status"
        cat "$work/out"
        failed=1
      fi
    done
    ;;
  deck-*)
    "$CAROM" check "$file" >"$work/out" 2>&1
    status=$?
    n=$((n + 1))
    if [ $status -ne 0 ] && [ $status -ne 2 ]; then
      echo "FAIL: $file: exit code $status"
      cat "$work/out"
      failed=1
    fi
    ;;
  esac
done
echo "$n inputs"
[ $n -gt 0 ] || failed=1
exit $failed

#!/bin/bash
# run.yaml is a deck: run again it gives the same run to the last bit, whatever --set, `methods:` and a mesh
# file beside the deck did to it. Takes the program from $CAROM and the sources from $CAROM_SOURCE.
set -eu
CAROM=$(realpath "${CAROM:?the program}")
MESH=$(realpath "${CAROM_SOURCE:?the source folder}")/tests/data/disc-273.msh
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
mkdir "$WORK/decks" && cd "$WORK"
cp "$MESH" decks/disc.msh
cat >decks/deck.yaml <<'DECK'
carom: 1
title: 'on: "quotes" # and signs'
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: disc, mesh: {file: disc.msh}, material: m, velocity: [1, 0.1], spin: 0.5}
conditions:
  - {gravity: [0, -1], ramp: [0, 0.05]}
  - {on: disc, at: [0, 0], force: [0, 2], wave: {omega: 3}, until: 0.1}
time: {method: midpoint, step: 0.02, end: 0.2}
methods: {newmark: {step: 0.01, beta: 0.3, gamma: 0.6}}
output: {frames: 2, probes: [{name: A, at: [1, 0]}]}
DECK

again() { # options of the first run
  rm -rf first second
  "$CAROM" run decks/deck.yaml -o first "$@" >/dev/null
  "$CAROM" run first/run.yaml -o second >/dev/null
  for file in history.csv bodies.csv probes.csv extremes.csv fields.pvd fields/0001.vtu; do
    cmp "first/$file" "second/$file" || { echo "FAILED: $file differs with: $*"; exit 1; }
  done
}
again
again --set time.method=newmark
again --set time.method=newmark --set time.step=0.05
echo "three runs, each the same again"

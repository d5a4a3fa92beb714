#!/usr/bin/env bash
# Metal that flows and rubber that hardly changes its volume, in T10 with the mean volume: the same
# numbers on 1, 2 and 3 ranks to 1e-9, and byte for byte after a stop in the middle of flow. Probes see the state.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

impact() # type, elements, method, step
{
  cat <<DECK
carom: 1
dimension: 3
materials:
  - {name: m, model: j2, young: 100, poisson: 0.3, density: 1, yield: 1, saturation: {stress: 1.5, exponent: 8},
     hardening: 2, kinematic: 3, heat: {fraction: 0.9, capacity: 0.5}}
bodies:
  - {name: b, material: m, volume: mean, velocity: [0.4, 0, -3],
     mesh: {block: {from: [0, 0, 0.01], to: [1, 1, 1.51], elements: $2, type: $1}}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
contact: [{between: [b, floor], friction: 0.3}]
time: {method: $3, step: $4, end: 0.2, tolerance: 1.0e-12}
output:
  frames: 2
  extremes: [von-mises, plastic_strain, temperature_rise]
  probes: [{name: A, at: [0, 0, 0.01], body: b}, {name: foot, surface: b.bottom}]
DECK
}
impact T10 "[2, 2, 2]" midpoint 0.01 > implicit.yaml
impact T10 "[2, 2, 2]" explicit auto > explicit.yaml

cat > press.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, bulk: 5000, shear: 1, density: 1}]
bodies:
  - {name: b, material: m, volume: mean, mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2], type: T10}}}
obstacles: [{name: plate, plane: {point: [0, 0, 1], normal: [0, 0, -1]}, velocity: [0, 0, -0.1]}]
contact: [{between: [b, plate], friction: 0.3}]
conditions: [{on: b.bottom, fix: [z]}, {on: b.left, fix: [x]}, {on: b.front, fix: [y]}]
time: {analysis: quasi-static, method: dissipative, step: 0.25, end: 1, tolerance: 1.0e-12}
output: {frames: 2, extremes: [von-mises], probes: [{name: A, at: [1, 1, 1], body: b}]}
DECK

for deck in implicit explicit press; do
  for ranks in 1 2 3; do run $ranks $deck; done
  for ranks in 2 3; do same $deck.1 $deck.$ranks "$deck, $ranks ranks"; done
done

# the probe at the corner that strikes first: flow, work and heat = 0.9 work/(density capacity)
python3 - <<'PY' || bad=1
import csv
rows = [r for r in csv.DictReader(open("implicit.1/probes.csv")) if r["probe"] == "A"]
strain = [float(r["plastic_strain"]) for r in rows]
assert strain[0] == 0 and strain[-1] > 0.01, strain[-1]
assert float(rows[-1]["plastic_work"]) > 0.01
for r in rows:
    assert abs(float(r["temperature_rise"]) - 0.9 / 0.5 * float(r["plastic_work"])) < 1e-12 * (1 + float(r["plastic_work"]))
PY

# stopped where the metal flows
for deck in implicit explicit; do
  stop=9
  awk -F, -v n=$stop 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } $2 == n && $column["plastic"] > 0 { found = 1 } END { exit !found }' $deck.1/history.csv ||
    fail "$deck: no flow at step $stop"
  stop_and_resume $stop 1 1 $deck
  for file in history bodies probes extremes contacts reactions; do cmp $deck.1/$file.csv $deck.parts/$file.csv || bad=1; done
  for frame in $deck.1/fields/*; do cmp "$frame" "$deck.parts/fields/$(basename "$frame")" || bad=1; done
done
exit $bad

#!/usr/bin/env bash
# Points on long sharp edges, of a deformable bar and of a rigid box, on 1, 2 and 3 ranks: the same numbers to 1e-9 of
# their scale. A run that was stopped in contact and resumed has the same tables byte for byte.
. "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"

deck() # name, what the bar is
{
  cat > $1.yaml <<DECK
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: bar, $2, velocity: [2, 3, -3], spin: [0.5, 2, 1], angle: 42, axis: [1, 0, 0], position: [0, 0.3, 0.42]}
  - {name: base, material: m, mesh: {block: {from: [-1, -1, -0.6], to: [1, 1, 0], elements: [8, 6, 2]}}}
contact: [{between: [bar, base], friction: 0.3}]
time: {method: dissipative, step: 0.01, end: 0.15, tolerance: 1.0e-12}
output: {frames: 2}
DECK
}
deck soft "material: m, mesh: {block: {from: [-0.8, -0.3, -0.3], to: [0.8, 0.3, 0.3], elements: [1, 1, 1]}}"
deck rigid "rigid: {box: {size: [1.6, 0.6, 0.6]}, density: 2}"

for deck in soft rigid; do
  for method in dissipative velocity-update; do
    run 1 $deck --set time.method=$method
    points=$(awk -F, 'NR > 1 && $3 > most { most = $3 } END { print most }' $deck.1/contacts.csv)
    [ "$points" -gt 3 ] || { echo "$deck, $method: only $points points touch"; bad=1; } # the edge has two ends
    for ranks in 2 3; do
      [ $ranks = 3 ] || [ $method = dissipative ] || continue
      run $ranks $deck --set time.method=$method
      same $deck.1 $deck.$ranks "$deck, $method, $ranks ranks"
    done
  done
  run 1 $deck
  stop_and_resume 10 1 1 $deck
  for file in history bodies contacts; do cmp $deck.1/$file.csv $deck.parts/$file.csv || bad=1; done
done
exit $bad

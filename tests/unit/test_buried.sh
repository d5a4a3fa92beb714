#!/bin/bash
# Bodies that start deep in each other. If nothing holds them, the run is refused under every method: contact of a point
# that is deeper than half a facet does not begin, and the bodies would pass through each other without a force.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: low, material: m, mesh: {block: {from: [0, 0], to: [1, 1], elements: [4, 4]}}}
  - {name: up, material: m, velocity: [0, -1], mesh: {block: {from: [0.1, 0.8], to: [0.9, 1.8], elements: [4, 4]}}}
contact: [{between: [low, up]}]
conditions: [{on: low.bottom, fix: [x, y]}]
time: {method: dissipative, step: 0.002, end: 0.05}
DECK

says() { # file, words
  grep -qF -- "$2" "$1"
  check $? "expected \"$2\", said: $(cat "$1")"
}
refused() {
  run_deck 2 "$@"
  says stderr 'pair "low-up" starts with an overlap of 0.2. It is deeper than half a facet'
  says stderr 'node 22 of low lies 0.2 (100 % of a facet) inside up at (0.5, 1), t = 0. Move the bodies apart'
  check "$(($(wc -l <stderr) != 1))" "$*: one message"
}
for method in dissipative midpoint newmark velocity-update bipotential explicit; do
  refused --set time.method=$method
done
for method in dissipative newmark bipotential; do # deeper than what `resolve` removes
  refused --set time.method=$method --set contact.0.overlap=resolve --set contact.0.ramp=[0,0.02]
  says stderr '`overlap: resolve` removes only overlaps of less than half a facet'
done
refused --set time.analysis=quasi-static

# a body of larger facets holds points at this depth
held=(--set bodies.0.mesh.block.elements=[2,2] --set bodies.1.mesh.block.elements=[8,8] --set bodies.1.mesh.block.from=[0.1,0.85])
for method in dissipative newmark velocity-update bipotential explicit; do
  run_deck 0 "${held[@]}" --set time.method=$method
  says stderr 'starts with an overlap of 0.15, deeper than half a facet. Contact begins only at points that are less deep'
  deep=$(tail -n 1 out/contacts.csv | cut -d, -f 14)
  near "$deep" 0.15 0.01
  check $? "$method: the bodies are held, overlap $deep"
done

run_deck 0 --set audit.max_penetration=0.5 # a limit of the deck allows it
says stderr 'starts with an overlap of 0.2, deeper than half a facet'
check_end

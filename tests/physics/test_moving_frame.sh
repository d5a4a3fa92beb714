#!/bin/bash
# The strain energy of a vibrating body does not depend on how fast the body flies as a whole: Newton's tolerance goes with
# forces of one frame like of any other. What remains is rounding. At 1e8 displacements reach 2e8, and 1e-16 of them over the
# step changes velocities by 2e-5 per step at random, 4e-4 in 1000 steps: a tenth of the velocity of the vibration,
# 4e-3. So its energy is the same within a factor of two; forces of the flight would let it grow by a hundred.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: r, model: neo-hookean, young: 1.0e3, poisson: 0.3, density: 1}]
bodies: [{name: b, mesh: {block: {from: [0, 0], to: [2, 1], elements: [2, 1]}}, material: r, velocity: [1, 0.5], spin: 1}]
time: {method: midpoint, step: 0.002, end: 2}
output: {frames: 0, report: false}
DECK
strain() { # method, velocity
  "$CAROM" run deck.yaml -o out --force --set time.method="$1" --set bodies.0.velocity="[$2, 0.5]" >stdout 2>stderr || return
  tail -1 out/history.csv | cut -d, -f6
}
for method in midpoint dissipative velocity-update; do
  slow=$(strain $method 1) fast=$(strain $method 1e8)
  below "$fast" "$(awk -v s="$slow" 'BEGIN {print 2 * s}')" && below "$(awk -v s="$slow" 'BEGIN {print s / 2}')" "$fast"
  check $? "$method: strain energy $slow at rest, $fast in flight"
  near "$(strain $method 1e4)" "$slow" "$(awk -v s="$slow" 'BEGIN {print 1e-4 * s}')"
  check $? "$method: strain energy at 1e4"
done
check_end

#!/bin/bash
# Limits under `audit:`: kept they say nothing, broken they give exit code 1 after everything is written, and a number
# that is none breaks its limit. A ledger that is not a number ends the run. (Limits on what never has a value are
# mistakes of the deck: tests/bad/audit-*.yaml.)
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 1}]
bodies:
  - {name: b, material: m, mesh: {block: {from: [0, 0], to: [2, 1], elements: [2, 1]}}, deformation: [[1.1, 0], [0, 0.9]]}
time: {method: midpoint, step: 0.01, end: 0.05}
output: {frames: 0, report: false}
DECK
# exit code, words on standard error ("": nothing is said there), arguments
ends() {
  local code=$1 words=$2 got
  shift 2
  cpu 600 "$CAROM" run deck.yaml -o out --force "$@" >stdout 2>stderr
  got=$?
  check "$((got != code))" "$*: exit code $got, expected $code"
  if [ -n "$words" ]; then grep -qF -- "$words" stderr; else [ ! -s stderr ]; fi
  check $? "$*: expected \"$words\""
  [ -s out/audit.json ] && [ "$(wc -l <out/history.csv)" -gt 1 ]
  check $? "$*: everything is written"
}

# det F = 0.99 at the start
ends 0 '' --set 'audit={steps: 5, momentum_drift: 1.0e-9, angular_drift: 1.0e-9, balance_relative: 1.0e-9, min_det_f: 0.5}'
grep -q '^audit (midpoint): completed$' stdout
check $? "kept limits: $(grep '^audit' stdout)"
ends 0 '' --set 'audit={steps: ~, min_det_f: ~}' # as if they were not there
ends 1 'audit: steps is 5, above its limit 4' --set audit.steps=4
grep -q '^audit (midpoint): completed, a limit is broken$' stdout
check $? "a broken limit: $(grep '^audit' stdout)"
ends 1 'audit: min_det_f is 0.9' --set audit.min_det_f=0.995

# kinetic energy beyond the greatest number: the balance is infinity less infinity
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
bodies: [{name: stone, rigid: {disk: {radius: 1}, mass: 1}, velocity: [1.0e160, 0]}]
time: {method: efda, step: 0.5, end: 2}
output: {frames: 0, report: false}
DECK
ends 1 'the energy balance at t = 0 is not a number'
grep -q '"completed":[[:space:]]*false' out/audit.json
check $? "a ledger that is not a number: not completed"
ends 1 'audit: balance_relative is not a number, so its limit 1e-08 is exceeded' --set audit.balance_relative=1e-8
ends 1 'audit: energy_final is not a number, so its limit 1 is exceeded' --set audit.energy_final=1
check_end

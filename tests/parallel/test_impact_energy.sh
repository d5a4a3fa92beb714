#!/usr/bin/env bash
# impact_energy: returned (theory 19.6) in space: blocks of linear elasticity strike and part, nodes do not meet nodes, one or
# both sides slave, with and without friction, every algorithm. Works of contact never give more than was taken before, momentum
# and ledger are exact, of what is lost without the option less than a tenth stays lost; results agree on 1, 2 and 3 ranks,
# and a run that is stopped between touch and release goes on bit by bit.
set -euo pipefail
here="$CAROM_SOURCE/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > deck.yaml <<'DECK'
carom: 1
dimension: 3
materials:
  - {name: m, model: linear, young: 1.0e6, poisson: 0.2, density: 1000}
  - {name: light, model: linear, young: 1.0e6, poisson: 0.2, density: 200}
bodies:
  - {name: upper, material: m, velocity: [0.2, 0.1, -1], mesh: {block: {from: [0.05, 0.03, 0.0003], to: [0.15, 0.14, 0.1], elements: [4, 3, 4]}}}
  - {name: lower, material: m, mesh: {block: {from: [0, 0, -0.1], to: [0.2, 0.2, 0], elements: [5, 5, 4]}}}
contact: [{between: [upper.bottom, lower.top], name: blocks, friction: 0, sides: first}]
time: {method: explicit, step: 2.0e-4, end: 0.016, impact_energy: lost}
output: {frames: 0, extremes: []}
DECK

run() # folder, options
{
  local out=$1
  shift
  "$CAROM" run deck.yaml -o "$out" --force "$@" > log 2>&1 || { echo "$*: failed"; cat log; exit 1; }
}

bad=0
for set in "time.algorithm=3" "time.algorithm=legacy" "time.algorithm=1" "time.algorithm=2" "time.algorithm=sym" \
           "time.inner=gauss-seidel" "time.constraint=gap" "contact.0.sides=both" "bodies.1.material=light"; do
  for friction in 0 0.3; do
    for energy in lost returned; do run $energy --set "$set" --set contact.0.friction=$friction --set time.impact_energy=$energy; done
    echo -n "$set, friction $friction: "
    python3 - <<'CHECK' || bad=1
import csv, json

def read(folder):
    rows = list(csv.DictReader(open(folder + "/history.csv")))
    return {k: [float(r[k]) for r in rows] for k in ("energy", "contact_work", "contacts", "momentum_x", "momentum_z", "defect")}

lost, back = read("lost"), read("returned")
E0 = back["energy"][0]
drift = max(abs(p - back[k][0]) for k in ("momentum_x", "momentum_z") for p in back[k])
most, gone, without = max(back["contact_work"]), -back["contact_work"][-1], -lost["contact_work"][-1]
print(f"most {most / E0:.1e}, lost at the end {gone / E0:.2e}, without {without / E0:.2e}, momentum {drift:.1e}, "
      f"energy above its start {max(back['energy']) / E0 - 1:.1e}")
ok = back["contacts"][-1] == 0 and max(back["contacts"]) > 5  # they have touched and parted
ok = ok and most < 1e-12 * E0 and max(back["energy"]) < E0 * (1 + 1e-12)
ok = ok and drift < 1e-12 * abs(back["momentum_z"][0]) and max(map(abs, back["defect"])) < 1e-11 * E0
ok = ok and gone < 0.1 * without and without > 1e-3 * E0
raise SystemExit(0 if ok else 1)
CHECK
  done
done

run one --set time.impact_energy=returned --set contact.0.friction=0.3
for ranks in 2 3; do
  mpiexec --oversubscribe -n $ranks "$CAROM" run deck.yaml -o "some" --force --set time.impact_energy=returned --set contact.0.friction=0.3 > log 2>&1 || { cat log; exit 1; }
  echo -n "$ranks ranks: "
  python3 "$here/parallel/compare_runs.py" one some || bad=1
done
"$CAROM" run deck.yaml -o parts --force --set time.impact_energy=returned --set contact.0.friction=0.3 --stop-after 15 > log 2>&1 || true
[ -e parts/checkpoint.h5 ] || { echo "no checkpoint: $(cat log)"; exit 1; }
awk -F, 'NR == 17 {exit !($19 > 0)}' one/history.csv || { echo "not in touch where the run was stopped"; bad=1; }
"$CAROM" resume parts > log 2>&1 || { cat log; exit 1; }
cmp one/history.csv parts/history.csv || bad=1
exit $bad

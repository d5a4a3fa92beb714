#!/bin/bash
# Why methods give different numbers for the same deck (docs/how-sure.md): springs are soft, and nodes that strike lose
# energy under exact contact. With stiff springs the balls approach exact contact that keeps its energy; the energies of
# the rings differ by what contact took, and by little else.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

run() { # folder, example, sets
  local out=$1 example=$2 sets=() word
  shift 2
  for word in "$@" output.frames=0 output.report=false; do sets+=(--set "$word"); done
  cpu 300 "$CAROM" run "$CAROM_SOURCE/examples/$example/deck.yaml" -o "$out" "${sets[@]}" >"$out.log" 2>&1
  check $? "$out: $(tail -1 "$out.log")"
}
exact=(time.method=bipotential time.stick_point=)
run soft spinning-balls time.step=0.0025
run stiff spinning-balls time.step=0.0025 contact.0.normal_penalty=128000 contact.0.tangential_penalty=128000
run exact spinning-balls time.step=0.0025 "${exact[@]}" time.level=increment
run lost spinning-balls time.step=0.0025 "${exact[@]}" time.impact_energy=lost
plain=(time.update= time.impulse_friction= time.step=0.025)
run rings-springs ring-impact "${plain[@]}" time.method=dissipative
run rings-exact ring-impact "${plain[@]}" time.method=bipotential time.impact_energy=lost
run rings-returned ring-impact "${plain[@]}" time.method=bipotential
python3 - <<'END'
import csv


def last(run, table, column, body=None):
    rows = [r for r in csv.DictReader(open(f"{run}/{table}.csv")) if body in (None, r.get("body"))]
    return float(rows[-1][column])


for table, column, body in (("contacts", "impulse_y", None), ("bodies", "spin_z", "first")):
    soft, stiff, exact = (last(run, table, column, body) for run in ("soft", "stiff", "exact"))
    print(f"balls, {column}: {soft:.4f} with soft springs, {stiff:.4f} with stiff ones, {exact:.4f} exact")
    assert abs(stiff - exact) < 0.5 * abs(soft - exact)
taken = last("lost", "history", "contact_work")
print(f"balls: nodes that strike lose {taken:.3f} under level: gap, {last('exact', 'history', 'contact_work'):.1e} under increment")
assert taken < -0.1 and abs(last("exact", "history", "contact_work")) < 1e-8
energy = {run: last(run, "history", "energy") for run in ("rings-springs", "rings-exact")}
taken = last("rings-exact", "history", "contact_work")
apart = energy["rings-springs"] - energy["rings-exact"]
print(f"rings: energies {energy}, contact took {taken:.3f}")
assert apart > 0.2 and abs(apart + taken) < 0.4 * apart
returned = last("rings-returned", "history", "energy")
print(f"rings: energy {returned:.3f} if contact returns what it took")
assert abs(returned - energy["rings-springs"]) < 0.4 * apart
END
check $? "numbers of methods differ by softness and by what nodes lose"
check_end

#!/bin/bash
# carom sweep: all combinations, in order; mistakes before anything runs; a failing point; going on with what is done.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: a, material: m, velocity: [0.5, -2], mesh: {block: {from: [0, 1.01], to: [1, 2.01], elements: [2, 2]}}}
  - {name: b, material: m, mesh: {block: {from: [-0.5, 0], to: [1.5, 1], elements: [3, 2]}}}
contact: [{between: [a, b], friction: 0.2}]
time: {method: dissipative, step: 0.01, end: 0.1}
output: {frames: 1}
DECK
sweep() { cpu 600 "$CAROM" sweep deck.yaml -o out "$@" >stdout 2>stderr; }

sweep --over contact.0.friction=0:0.2:3 --over "bodies.0.velocity=[0.5, -2],[0.5, -3]" --workers 2
check $? "the sweep"
check "$([ "$(wc -l <out/sweep.csv)" = 7 ]; echo $?)" "six rows"
python3 - <<'P'
import csv
rows = list(csv.DictReader(open("out/sweep.csv")))
assert [r["contact.0.friction"] for r in rows] == ["0", "0", "0.1", "0.1", "0.2", "0.2"], rows
assert [r["bodies.0.velocity"] for r in rows[:2]] == ["[0.5, -2]", "[0.5, -3]"], rows
assert all(r["status"] == "completed" for r in rows)
for r in rows:
    history = list(csv.DictReader(open(f"out/{r['run']}/history.csv")))
    assert float(history[-1]["friction_loss"]) == float(r["friction_loss"]), r
    assert (float(r["friction_loss"]) > 0) == (r["contact.0.friction"] != "0"), r
    assert float(history[0]["kinetic"]) == float(r["energy_initial"])
P
check $? "the table is that of the runs"
check "$([ -s out/sweep.html ] && [ -s out/0003/report.html ]; echo $?)" "the page, and those of the runs"

before=$(stat -c %Y.%i out/000?/audit.json | md5sum)
sweep --over contact.0.friction=0:0.2:3 --over "bodies.0.velocity=[0.5, -2],[0.5, -3]"
check $? "once more"
check "$([ "$before" = "$(stat -c %Y.%i out/000?/audit.json | md5sum)" ]; echo $?)" "what is done is not run again"

refuse() { # words in the message, arguments
  local words=$1 code
  shift
  "$CAROM" sweep deck.yaml -o other "$@" >stdout 2>stderr
  code=$?
  check "$((code != 2))" "$*: exit code $code"
  grep -q -- "$words" stderr
  check $? "$*: \"$words\" is not in: $(cat stderr)"
  check "$([ ! -e other ]; echo $?)" "$*: a folder was made"
}
refuse "needs the option --over"
refuse "key=a,b,c or key=start:stop:count" --over contact.0.friction
refuse "a value is empty" --over contact.0.friction=1,,2
refuse "a value is empty" --over contact.0.friction=1,
refuse "count must be from 1" --over contact.0.friction=0:1:0
refuse "is not a range start:stop:count" --over contact.0.friction=0:1
refuse "is not a range start:stop:count" --over contact.0.friction=0:1:x
refuse "twice" --over time.step=0.1,0.2 --over time.step=0.3
refuse 'did you mean "friction"' --over contact.0.frction=0,1
refuse "friction" --over contact.0.friction=0,-1
refuse "more than 4096 runs" --over contact.0.friction=0:1:100 --over time.step=0.001:0.01:100
"$CAROM" sweep deck.yaml -o out --over contact.0.friction=0,1 >stdout 2>stderr
check "$([ $? = 2 ] && grep -q "use --force" stderr; echo $?)" "other words need --force"

# a point that fails does not stop the others
cpu 600 "$CAROM" sweep deck.yaml -o fails --over audit.balance_relative=1e-30,1 >stdout 2>stderr
check "$(($? != 1))" "a broken limit is exit code 1"
check "$([ "$(grep -c "completed" fails/sweep.csv)" = 1 ] && grep -q "limit broken" fails/sweep.csv; echo $?)" "one completed, one broke its limit: $(cat fails/sweep.csv)"
check_end

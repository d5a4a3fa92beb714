#!/bin/bash
# log.txt: everything said on the terminal; and the warnings of a run in audit.json and on its page.
# Takes the program from $CAROM.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, young: 1.0e4, poisson: 0.3, density: 1000}]
bodies:
  - {name: left, mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2]}}, material: rubber}
  - {name: right, mesh: {block: {from: [3, 0], to: [4, 1], elements: [2, 2]}}, material: rubber}
conditions:
  - {on: left.left, fix: [x, y]}
  - {on: left.right, velocity: [-2.5, 0]}
time: {method: midpoint, step: 0.001, end: 0.2}
output: {frames: 2, checkpoint_steps: 1000}
DECK
says() { check "$(($(grep -cF -- "$2" "$1") != $3))" "$1 says \"$2\" $3 times"; }

# one run: both streams, in the order of saying
"$CAROM" run deck.yaml -o whole >both 2>&1
check $? "a run with warnings"
cmp -s both whole/log.txt
check $? "log.txt is what was said"
says both "carom: warning: " 2
says both "carom: warning: the deck has no \`contact\`" 1
says both "a principal stretch of a saint-venant-kirchhoff body fell" 1
says both "audit (midpoint): completed" 1
python3 - <<'END'
import json, re
said = [line[len("carom: warning: "):].rstrip("\n") for line in open("whole/log.txt") if line.startswith("carom: warning: ")]
audit = json.load(open("whole/audit.json"))
assert audit["warnings"] == said and len(said) == 2, audit
assert audit["method"] == "midpoint" and audit["method_info"]["balances"] is True and audit["method_info"]["citation"] and audit["method_info"]["help"], audit
page = open("whole/report.html").read()
document = json.loads(re.search(r'id="document">(.*?)</script>', page, re.S).group(1))
assert document["runs"][0]["audit"]["warnings"] == said
assert document["runs"][0]["method"] == {"name": "midpoint", **audit["method_info"]}, document["runs"][0]["method"]
END
check $? "audit.json and page have the warnings and the method"

# a run in parts: one log, one list of warnings, as if it had not been stopped
"$CAROM" run deck.yaml -o parts --stop-after 190 >first 2>&1
"$CAROM" report parts >stdout 2>stderr
grep -q '"warnings":\["the deck has no `contact`.*a principal stretch' parts/report.html
check $? "the page of half a run has its warnings, from the log"
"$CAROM" resume parts >second 2>&1
check $? "resumed"
sed -e '/^resumed at t = 0.19 after step 190$/d' parts/log.txt | cmp -s - <(cat first second)
check $? "resume goes on with the log"
diff <(grep -v wall_seconds whole/audit.json) <(grep -v wall_seconds parts/audit.json) >stderr
check $? "the audit has each warning once"

# a run that is killed after its checkpoint says its warnings again; the audit has them once
"$CAROM" run deck.yaml -o killed --stop-after 20 >stdout 2>stderr
cp killed/checkpoint.h5 early.h5
"$CAROM" resume killed --stop-after 175 >stdout 2>stderr
cp early.h5 killed/checkpoint.h5
"$CAROM" resume killed >stdout 2>stderr
check $? "on from an early checkpoint"
diff <(grep -v wall_seconds whole/audit.json) <(grep -v wall_seconds killed/audit.json) >stderr
check $? "warnings after the checkpoint are said again, and listed once"

# errors are in it too; a run that begins anew has a new one; one that is refused leaves the old one
(ulimit -f 16; "$CAROM" run deck.yaml -o full --set output.frames=0 >stdout 2>stderr)
tail -1 full/log.txt | cmp -s - <(tail -1 stderr)
check $? "the error that ended a run"
"$CAROM" run deck.yaml -o whole >stdout 2>stderr
cmp -s both whole/log.txt
check $? "a run that is refused"
"$CAROM" run deck.yaml -o whole --force --set conditions=[] >both 2>&1
cmp -s both whole/log.txt
check $? "a run over an older one"
says whole/log.txt "carom: warning: " 1

# on a terminal the line that is drawn over and over stays out of it; its lines are those of every few percent
if command -v script >/dev/null; then
  script -qec "'$CAROM' run deck.yaml -o terminal" /dev/null >stdout 2>stderr </dev/null
  tr -d -c '\r' <terminal/log.txt >returns
  check "$(wc -c <returns)" "no carriage returns in the log"
  check "$(($(grep -c ETA terminal/log.txt) != 21))" "a line every five percent in the log of a terminal"
fi
mpiexec --oversubscribe -n 2 "$CAROM" run deck.yaml -o two --set time.end=0.002 >stdout 2>stderr
says two/log.txt "carom: warning: " 1
says two/log.txt "audit (midpoint): completed" 1

check_end

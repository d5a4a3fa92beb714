#!/bin/bash
# How a run speaks: colours and a bar on a terminal, none in a pipe or with NO_COLOR; --quiet and --json.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
"$CAROM" new deck.yaml >stdout 2>stderr
short="--force --set time.end=0.001"
on_terminal() { script -qec "$CAROM run deck.yaml -o out $short $*" /dev/null >said; }
escape=$(printf '\033')

TERM=xterm on_terminal
check "$(grep -q "$escape\[1;32maudit (dissipative): completed$escape\[0m" said; echo $?)" "a good end is green"
check "$(tr '\r' '\n' <said | grep -q '^\[####################\] 100 %'; echo $?)" "the bar is full at the end"
check "$(! grep -q "$escape" out/log.txt; echo $?)" "the log has no colours"
NO_COLOR=1 TERM=xterm on_terminal
check "$(! grep -q "$escape" said; echo $?)" "NO_COLOR"
TERM=dumb on_terminal
check "$(! grep -q "$escape" said; echo $?)" "a terminal without colours"
TERM=xterm on_terminal --set contact.0.frction=1
check "$(grep -q "$escape\[1;31mcarom: $escape\[0m" said; echo $?)" "an error is red"
TERM=xterm "$CAROM" run deck.yaml -o out $short >said 2>stderr
check "$(! grep -q "$escape" said; echo $?)" "no colours in a pipe"
check "$(grep -q 'ETA > ' said; echo $?)" "before the first contact the time that is left is a lower bound"

check "$(grep -q '^  time by part      .* s, ' said; echo $?)" "the parts of the run, with their times"
check "$(python3 - <<'END'
import json
audit = json.load(open("out/audit.json"))
parts = audit["wall_seconds_by_part"]
assert all(seconds >= 0 for seconds in parts.values()) and parts["elements"] > 0 and parts["files"] > 0
assert sum(parts.values()) >= audit["wall_seconds"]  # set-up is in the parts alone
END
echo $?)" "the parts make up the time"

"$CAROM" run deck.yaml -o out $short --quiet >said 2>stderr
check "$([ $? = 0 ] && [ ! -s said ] && [ ! -s stderr ] && grep -q '^audit' out/log.txt; echo $?)" "--quiet"
"$CAROM" run deck.yaml -o out $short --json >said 2>stderr
check "$([ $? = 0 ] && cmp -s said out/audit.json; echo $?)" "--json prints the audit"
"$CAROM" run deck.yaml -o out $short --stop-after 20 --quiet >said 2>stderr
"$CAROM" resume out --json >said 2>stderr
check "$([ $? = 0 ] && python3 -c 'import json; assert json.load(open("said"))["completed"]'; echo $?)" "resume --json"
"$CAROM" run nothing.yaml --quiet >said 2>stderr
check "$([ $? = 2 ] && grep -q nothing.yaml stderr; echo $?)" "errors are printed with --quiet too"
check_end

#!/bin/bash
# The friction loss of oblique-plate under dissipative scatters by 1 % from step to step. Sequences of steps that have
# none in common must point to the same limit, within the errors that they state for their finest levels.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

for step in 1.0e-5 0.9e-5 0.7e-5 0.35e-5; do
  cpu 300 "$CAROM" converge "$CAROM_SOURCE/examples/oblique-plate/deck.yaml" -o "from-$step" --quantities friction_loss --workers 1 \
    --set time.method=dissipative --set "time.step=$step" --set output.frames=0 --set output.report=false >said 2>stderr
  check $? "the study from $step on"
  grep -h '^"friction_loss"' "from-$step/converge.csv" >>rows
  head -1 "from-$step/converge.csv" >head
done
python3 - <<'END'
import csv, itertools
rows = list(csv.DictReader(open("head").readlines() + open("rows").readlines()))
assert len(rows) == 4, rows
for a, b in itertools.combinations(rows, 2):
    apart = abs(float(a["limit"]) - float(b["limit"]))
    stated = float(a["error_2"]) + float(b["error_2"])
    print(f"{a['limit']} and {b['limit']}: apart by {apart:.2g}, stated {stated:.2g}")
    assert apart <= stated
    # and no sequence hides behind errors that say nothing
    assert float(a["error_2"]) < 0.05 * float(a["limit"]) > float(b["error_2"]), (a, b)
END
check $? "limits of different sequences agree within their errors"
check_end

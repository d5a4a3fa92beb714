#!/bin/bash
# carom check --json prints one JSON object, of good decks and of bad ones.
set -u
CAROM=$(realpath "${CAROM:?the program}")
BAD=$(realpath "${CAROM_SOURCE:?the source folder}")/tests/bad
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$BAD" || exit 1
failed=0

"$CAROM" check good.yaml --json >"$WORK/good" 2>"$WORK/stderr" || { echo "FAILED: good.yaml: $(cat "$WORK/stderr")"; failed=1; }
python3 - "$WORK/good" <<'PYTHON' || failed=1
import json, sys
good = json.load(open(sys.argv[1]))
points = good["points"]
facets = [f for s in good["surfaces"] for f in s.get("facets", [])]
assert good["good"] is True
assert all(len(p) == 2 for p in points)
assert facets and all(0 <= n < len(points) for f in facets for n in f)
left = next(s for s in good["surfaces"] if s["name"] == "left")  # the block's side x = 0
assert all(points[n][0] == 0 for f in left["facets"] for n in f)
assert sum(b["mass"] for b in good["bodies"]) == good["mass"]
PYTHON

"$CAROM" check scale-zero.yaml --json >"$WORK/bad" 2>"$WORK/stderr"
[ $? = 2 ] || { echo "FAILED: scale-zero.yaml: the exit code is not 2"; failed=1; }
python3 - "$WORK/bad" <<'PYTHON' || failed=1
import json, sys
bad = json.load(open(sys.argv[1]))
assert bad["good"] is False
assert (bad["file"], bad["line"], bad["column"]) == ("scale-zero.yaml", 10, 12)
assert "must be greater than 0" in bad["message"]
PYTHON
exit $failed

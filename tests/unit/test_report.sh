#!/usr/bin/env bash
# carom report and carom compare without a browser: files, exit codes, what is refused.
set -euo pipefail
carom=$CAROM source=$CAROM_SOURCE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() {
  echo "$1"
  exit 1
}
refused() { # exit code 2, and a message that says so
  local words=$1 code=0
  shift
  "$@" > out 2> err || code=$?
  [ $code = 2 ] || fail "exit $code instead of 2: $*"
  grep -q "$words" err || fail "no \"$words\" in: $(cat err)"
}

# a few steps of a body in flight
small=$dir/deck.yaml
sed 's/end: 676.7.*/end: 5.4136/' "$source/examples/free-flight/deck.yaml" > deck.yaml
$carom run "$small" -o run --set output.frames=3 > log
[ -s run/report.html ] || { echo "SKIPPED: the program was built without its page"; exit 77; }

# the key, and the page made anew
$carom run "$small" -o quiet --set output.report=false > log
[ ! -e quiet/report.html ] || fail "a page that nobody wanted"
grep -q 'report: false' quiet/run.yaml
rm run/report.html
$carom report run > log
[ -s run/report.html ] || fail "no page"
grep -q '"kind":"report"' run/report.html
! grep -q 'https\?://[a-z]' <(sed 's|http://www.w3.org/2000/svg||g' run/report.html) || fail "the page knows an address"

# a run that was stopped: no page, but one can be had; going on removes it
code=0
$carom run "$small" -o half --stop-after 3 > log || code=$?
[ $code = 130 ] && [ ! -e half/report.html ] || fail "stopped: exit $code"
$carom report half > log
[ -s half/report.html ]
cp half/report.html before.html
$carom resume half > log
! cmp -s before.html half/report.html || fail "the page of half a run was left"

refused "megabytes" $carom report run --limit 0
refused "megabytes" $carom report run --limit much

# what is no run, and field files that are damaged: said, and nothing left behind
refused "contains no run" $carom report .
refused "contains no run" $carom report nothing-here
cp -r run broken && rm broken/report.html
head -c 900 run/fields/0001.vtu > broken/fields/0001.vtu
refused "field file" $carom report broken
cp run/fields/0001.vtu broken/fields/0001.vtu
printf 'xxxxxxxxxxxxxxxxxxxxxxxx' | dd of=broken/fields/0001.vtu bs=1 seek=4200 conv=notrunc 2> /dev/null
refused "field file" $carom report broken
[ -z "$(ls broken | grep report)" ] || fail "half a page: $(ls broken)"
rm broken/fields/0001.vtu
refused "cannot be read" $carom report broken

# what the page cannot hold is escaped
$carom run "$small" -o odd --set 'title=</script><b>"x" & y' --set output.frames=1 > log
[ "$(grep -c '</script><b>' odd/report.html)" = 0 ] || fail "a title ends the script"

# compare
refused "needs the option --methods" $carom compare "$small"
refused 'did you mean "midpoint"' $carom compare "$small" --methods newmark,midpiont
refused "twice" $carom compare "$small" --methods newmark,newmark
refused "the list names no method" $carom compare "$small" --methods ""
refused "deck" $carom compare missing-deck.yaml --methods newmark
[ ! -e deck.compare.out ] || fail "a folder of a comparison that was refused"
$carom compare "$small" --methods newmark,midpoint > table
[ -s deck.compare.out/compare.html ] && [ -s deck.compare.out/newmark/report.html ] || fail "files of compare"
refused "older comparison" $carom compare "$small" --methods newmark
refused "contains no comparison" $carom compare "$small" --methods newmark -o run
mkdir stopped-compare && cp -r deck.compare.out/newmark stopped-compare && cp deck.compare.out/newmark.log stopped-compare # as after an interruption
refused "older comparison" $carom compare "$small" --methods newmark -o stopped-compare
$carom compare "$small" --methods newmark --force -o stopped-compare > table || fail "a comparison over one that was interrupted"
echo kept > stopped-compare/note.txt && rm stopped-compare/compare.csv
refused "contains no comparison" $carom compare "$small" --methods newmark -o stopped-compare --force
refused "its parent folder does not exist" $carom compare "$small" --methods newmark -o no/where
$carom compare "$small" --methods newmark,midpoint --force > table
python3 - << 'END'
import csv, json
rows = list(csv.DictReader(open("deck.compare.out/compare.csv")))
assert [r["method"] for r in rows] == ["newmark", "midpoint"], rows
for r in rows:
    audit = json.load(open(f"deck.compare.out/{r['method']}/audit.json"))
    assert r["state"] == "completed" and r["reason"] == "", r
    for key, value in audit.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            assert float(r[key]) == value, (key, r[key], value)
lines = open("table").read().splitlines()
assert any(l.startswith("method") and "energy drift" in l for l in lines)
assert sum(l.startswith(("newmark ", "midpoint ")) for l in lines) == 2, lines
END

# one gives up midway: listed, with what it had
$carom compare "$small" --methods midpoint,explicit -o wild --set 'methods={explicit: {step: 0.6767}}' > table
grep -q 'explicit .*failed: gave up at t = ' table || fail "$(cat table)"
grep -q '^explicit,failed,' wild/compare.csv
[ "$(wc -l < wild/explicit/history.csv)" -gt 2 ] && [ -s wild/explicit/report.html ] || fail "results so far"

# all refuse: listed with the reason, exit 1
code=0
$carom compare "$source/examples/patch-test/deck.yaml" --methods explicit -o none > table 2>&1 || code=$?
[ $code = 1 ] || fail "nothing completed: exit $code"
grep -q 'explicit .*refused: .*quasi-static' table || fail "$(cat table)"

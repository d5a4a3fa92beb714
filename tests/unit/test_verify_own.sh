#!/bin/bash
# carom verify FOLDER: decks and answers of one's own, by a path or by a name in the working folder.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
mkdir mine
cat >mine/deck.yaml <<'DECK'
carom: 1
dimension: 2
bodies: [{name: stone, rigid: {disk: {radius: 1}, mass: 1}, velocity: [3, 0]}]
time: {method: efda, step: 0.5, end: 2}
output: {frames: 0, report: false}
DECK
cat >mine/expected.yaml <<'ANSWERS'
cases:
  - name: flight
    quick: true
    rows:
      - {file: bodies, body: stone, column: x, at: end, expected: 6, absolute: 1.0e-12, source: schoolbook}
ANSWERS
expect() { # exit code, words, arguments
  local code=$1 words=$2
  shift 2
  cpu 600 "$CAROM" verify "$@" >said 2>&1
  [ $? = "$code" ] && grep -qF "$words" said || { echo "FAILED: verify $*: $(cat said)"; failed=1; }
}
expect 0 "1 passed, 0 failed" mine
expect 0 "1 passed, 0 failed" "$WORK/mine/" --quick
expect 0 "1 passed, 0 failed" mine -o rows.csv
[ "$(sed -n 2p rows.csv)" = '"mine","flight","bodies stone x end","6","6","1e-12 abs","schoolbook","ok"' ] ||
  { echo "FAILED: the table of rows: $(cat rows.csv)"; failed=1; }
expect 2 "no/rows.csv: cannot be written" mine -o no/rows.csv
cd mine || exit 1
expect 0 "1 passed, 0 failed" .
cd ..
# an interrupted comparison leaves the rows of the cases that it finished
cp -r mine long
cat >>long/expected.yaml <<'ANSWERS'
  - name: forever
    set: [time.end=1.0e+8]
    rows:
      - {file: bodies, body: stone, column: x, at: end, expected: 6, absolute: 1.0e-12, source: schoolbook}
ANSWERS
"$CAROM" verify long -o half.csv >said 2>&1 &
until grep -q "flight" said || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
kill -INT $!
wait $!
[ $? = 130 ] && grep -q "the results of the completed cases are in half.csv.part" said && [ ! -e half.csv ] && [ "$(wc -l <half.csv.part)" = 2 ] ||
  { echo "FAILED: verify interrupted: $(cat said)"; failed=1; }
sed -i 's/expected: 6/expected: 7/' mine/expected.yaml
expect 1 "0 passed, 1 failed" ./mine -o rows.csv
grep -q '"WRONG"' rows.csv && [ ! -e rows.csv.part ] || { echo "FAILED: a wrong row in the table"; failed=1; }
sed -i 's/at: end/at: ende/' mine/expected.yaml
expect 2 "mine/expected.yaml:5:" ./mine -o rows.csv
grep -q '"WRONG"' rows.csv || { echo "FAILED: a mistake replaced the table of before"; failed=1; }
rm mine/expected.yaml
expect 2 'no folder with an expected.yaml, is called "mine"' mine
exit $failed

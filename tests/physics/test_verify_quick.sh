#!/bin/bash
# carom verify: first that it finds what is wrong (a wrong answer, a bad expected.yaml, an unknown name)
# and leaves nothing behind, then the quick cases of the shipped examples.
# Environment: CAROM, the program; CAROM_SOURCE, the source folder.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# The program looks for examples/ beside its build folder; the build may stand anywhere.
mkdir -p "$work/good/build" "$work/bad/build" "$work/bad/examples/throw" "$work/tmp"
for place in good bad; do
  cp "$CAROM" "$work/$place/build/carom"
  library=$(dirname "$CAROM")/libcarom.so
  [ -e "$library" ] && ln -s "$library" "$work/$place/build/libcarom.so"
done
ln -s "$CAROM_SOURCE/examples" "$work/good/examples"
cp "$CAROM_SOURCE/examples/first-throw/deck.yaml" "$work/bad/examples/throw/deck.yaml"
export TMPDIR="$work/tmp"

# expect CODE WORDS ARGUMENTS...: verify on the folder `bad` ends with the code and says the words
expect() {
  local code=$1 words=$2
  shift 2
  "$work/bad/build/carom" verify "$@" >"$work/said" 2>&1
  local got=$?
  if [ $got -ne "$code" ] || ! grep -qF -- "$words" "$work/said"; then
    echo "FAILED: verify $*: exit $got, expected $code and \"$words\"; it said:"
    cat "$work/said"
    failures=$((failures + 1))
  fi
  if [ -n "$(ls -A "$TMPDIR")" ]; then
    echo "FAILED: verify $*: left behind: $(ls "$TMPDIR")"
    failures=$((failures + 1))
    rm -rf "${TMPDIR:?}"/*
  fi
}

# rows LINE...: the example gets one quick case with these rows
rows() {
  {
    printf 'cases:\n  - name: one\n    quick: true\n    rows:\n'
    printf '      - {%s}\n' "$@"
  } >"$work/bad/examples/throw/expected.yaml"
}

y='file: bodies, body: block, column: y, source: parabola'
rows "$y, at: end, expected: 0.5, absolute: 1.0e-9" "$y, at: max, above: 1.29, below: 1.31"
expect 0 '2 passed, 0 failed' --quick
rows "$y, at: end, expected: 0.6, absolute: 1.0e-9" "$y, at: 0.4, expected: 1.3, relative: 1.0e-9"
expect 1 'WRONG'
expect 1 '1 passed, 1 failed' throw
rows "$y, at: 0.9, expected: 0.5, absolute: 9"            # the run ends at 0.8
expect 1 'no such time'
rows 'file: audit, column: momentum_drift, below: 1, source: null when gravity acts'
expect 1 'null'
rows 'file: history, column: energy, at: drift, relative_to_start: true, scale: 1.0e-20, below: 1, source: rounding over scale'
expect 1 '0 passed, 1 failed'
rows 'file: history, column: kinetc, at: end, below: 1, source: none'
expect 2 'did you mean "kinetic"?'
rows 'file: bodies, body: blck, column: x, at: end, below: 1, source: none'
expect 2 'bodies has no rows of "blck"'
rows 'file: bodies, column: x, at: end, below: 1, source: none'
expect 2 'the key "body" is missing'
rows 'file: history, column: energy, at: ende, below: 1, source: none'
expect 2 'expected.yaml:5:'
rows 'file: history, column: energy, at: end, expected: 1, source: none'
expect 2 'needs one tolerance'
rows 'file: history, column: energy, at: end, below: 1'
expect 2 'source'
expect 2 'did you mean "throw"?' throwe
printf 'cases:\n  - {name: one, exit: 0, set: [time.step=-1], rows: [{%s, at: end, below: 1}]}\n' "$y" \
  >"$work/bad/examples/throw/expected.yaml"
expect 1 'exit 2'
printf 'cases:\n  - {name: one, exit: 2, set: [time.step=-1]}\n' >"$work/bad/examples/throw/expected.yaml"
expect 0 '1 passed, 0 failed'
expect 2 'marked quick' --quick

if ! "$work/good/build/carom" verify --quick >"$work/said" 2>&1; then
  echo "FAILED: verify --quick"
  failures=$((failures + 1))
fi
cat "$work/said"
if ! tail -n 1 "$work/said" | grep -qE '^[1-9][0-9]* passed, 0 failed$'; then
  echo "FAILED: the last line of verify --quick does not say that all passed"
  failures=$((failures + 1))
fi
[ $failures -eq 0 ]

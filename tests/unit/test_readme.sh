# What README.md and the first pages of the manual show is so: the decks run, keep their energy, and print the numbers that
# the text quotes. Links, citations and keys of all documents: check_docs.py.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
deck_of() { awk '/^```yaml$/ { on = 1; next } /^```$/ { on = 0 } on' "$CAROM_SOURCE/$1"; }
deck_of README.md > impact.yaml
test -s impact.yaml
"$CAROM" check impact.yaml
plain='--set output.frames=0 --set output.report=false'
# 1e-10 is ten times the tolerance of Newton
"$CAROM" run impact.yaml $plain --set 'audit={balance_relative: 1.0e-10}' > dissipative
"$CAROM" run impact.yaml $plain -o newmark.out --set time.method=newmark > newmark

# Lines as they stand in the text, numbers to 1e-6 (energies) or 1e-3 (what grew from rounding): rounding differs by machine.
quoted() { # printed, line of the text, words before the numbers, tolerance
  paste -d '\n' <(grep -E "^ +$3 " "$1") <(grep -E "^ +$3 " "$CAROM_SOURCE/README.md" | sed -n "$2p") | awk -v tol="$4" '
    { n[NR] = split($0, words, /[ ,]+/); for (i in words) w[NR, i] = words[i] }
    END {
      if (NR != 2 || n[1] != n[2]) exit 1
      for (i = 1; i <= n[1]; i++) {
        a = w[1, i]; b = w[2, i]
        if (a == b) continue
        if (a !~ /^[-+.0-9e]+$/ || (a - b) ^ 2 > (tol * b) ^ 2) exit 1
      }
    }' || { echo "README.md, \"$3\": $1 says $(grep -E "^ +$3 " "$1")"; exit 1; }
}
quoted dissipative 1 'energy  ' 1e-6
quoted dissipative 1 'friction loss' 1e-6
quoted dissipative 1 'resolution' 0
quoted newmark 2 'energy  ' 1e-6
quoted newmark 2 'energy balance' 1e-3

# the first deck of the manual: without friction all energy comes back, as printed
deck_of docs/manual.md > ball.yaml
"$CAROM" run ball.yaml $plain > ball
joules=$(awk '/^ +energy  / { print $2 }' ball)
grep -qE "^ +energy +$joules at the start, $joules at the end" ball
grep -qF "The energy is $joules at the start and $joules at the end" "$CAROM_SOURCE/docs/manual.md"

"$CAROM" schema > schema.json
python3 "$CAROM_SOURCE/tests/unit/check_docs.py" "$CAROM_SOURCE" schema.json

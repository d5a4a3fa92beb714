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
# The run of the text is the first level of its study. 1e-10 is ten times the tolerance of Newton; the balance beside what nodes
# that strike lose, which is booked.
"$CAROM" converge impact.yaml $plain --workers 1 > study
cp impact.converge.out/level-0/log.txt sure
sed -n 's/.*"defect_max_abs":[[:space:]]*\([^,]*\).*/\1/p' impact.converge.out/level-0/audit.json | awk '{if ($1 + 0 <= 1.5e-7) good = 1} END {exit !good}'
"$CAROM" run impact.yaml $plain -o newmark.out --set time.method=newmark > newmark

# Lines as they stand in the text, numbers to 1e-6 (energies) or 1e-3 (what grew from rounding): rounding differs by machine.
quoted() { # printed, line of the text, words before the numbers, tolerance
  paste -d '\n' <(grep -E "^ +$3 " "$1") <(grep -E "^ +$3 " "$CAROM_SOURCE/README.md" | sed -n "$2p") | awk -v tol="$4" '
    { n[NR] = split($0, words, /[ ,]+/); for (i in words) w[NR, i] = words[i] }
    END {
      if (NR != 2 || n[1] != n[2]) exit 1
      for (i = 1; i <= n[1]; i++) {
        a = w[1, i]; b = w[2, i]
        if (a == b || (a ~ /e-/ && b ~ /e-/ && a < 1e-6 && b < 1e-6 && a > -1e-6 && b > -1e-6)) continue # rounding
        if (a !~ /^[-+.0-9e]+$/ || (a - b) ^ 2 > (tol * b) ^ 2) exit 1
      }
    }' || { echo "README.md, \"$3\": $1 says $(grep -E "^ +$3 " "$1")"; exit 1; }
}
quoted sure 1 'energy  ' 1e-6
quoted sure 1 'friction loss' 1e-6
quoted sure 1 'contact work' 1e-6
quoted sure 1 'resolution' 0
quoted sure 1 'a wave crosses' 0
quoted newmark 2 'energy  ' 1e-3 # the energy that the method creates grows from rounding
quoted newmark 2 'friction loss' 1e-3

# the table of newmark at its longer steps, which are the quicker ones: what grows from rounding lies in the ranges of the text,
# give or take a half; the third step is above
table() { awk -F'|' -v row="$1" -v col="$2" '$2 ~ row {print $col + 0; exit}' "$CAROM_SOURCE/README.md"; }
number() { sed -n "s/.*\"$2\":[[:space:]]*\([^,]*\).*/\1/p" "$1/audit.json"; }
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN {d = a - b; exit !(a ~ /[0-9]/ && b ~ /[0-9]/ && d * d <= t * t * b * b)}' || { echo "README.md: $4: $2, and it is $1"; exit 1; }; }
within() { # number, row and column of a range "a to b", what
  local range
  range=$(awk -F'|' -v row="$2" -v col="$3" '$2 ~ row {print $col; exit}' "$CAROM_SOURCE/README.md")
  awk -v x="$1" -v range="$range" 'BEGIN {n = split(range, r, " to "); exit !(n == 2 && x ~ /[0-9]/ && x > r[1] / 1.5 && x < r[2] * 1.5)}' ||
    { echo "README.md: $4: $range, and it is $1"; exit 1; }
}
column=2
for h in 0.0004 0.0002; do
  column=$((column + 1))
  [ "$(table 'newmark., step' $column)" = "$(awk -v h=$h 'BEGIN {print h + 0}')" ] || { echo "README.md: the table of newmark has no step $h"; exit 1; }
  "$CAROM" run impact.yaml $plain -o steps.out --force --set time.method=newmark --set time.step=$h > log
  within "$(number steps.out balance_max_abs)" 'energy without' $column "energy of newmark at $h"
  within "$(number steps.out friction_loss)" '^ friction loss' $column "friction of newmark at $h"
done

# the table of meshes, to the digits it has: the columns that take seconds
column=2
for core in 8 16; do
  column=$((column + 1))
  size=$(for b in 0 1; do echo "--set bodies.$b.mesh.disc.core=$core --set bodies.$b.mesh.disc.rings=$((core / 2))"; done)
  "$CAROM" run impact.yaml $plain $size -o mesh.out --force --set time.method=explicit --set time.step=auto > log
  near "$(number mesh.out friction_loss)" "$(table '^ .explicit., .step: auto' $column)" 0.005 "loss on $((4 * core)) facets"
done
"$CAROM" run impact.yaml $plain $size -o mesh.out --force --set bodies.0.mesh.disc.core=8 --set bodies.0.mesh.disc.rings=4 \
  --set bodies.1.mesh.disc.core=8 --set bodies.1.mesh.disc.rings=4 --set time.step=0.0000125 > log
near "$(number mesh.out friction_loss)" "$(table '^ .bipotential. $' 3)" 0.01 "loss of bipotential on 32 facets"

# the study, as printed: values to a unit of the last digit, and the number within 5 % of its limit
paste -d '\n' <(grep -E '^(friction_loss|left.spin_z|left-right.impulse_x) ' study) <(grep -E '^    (friction_loss|left.spin_z|left-right.impulse_x) ' "$CAROM_SOURCE/README.md" | sed 's/^ *//') > lines
[ "$(wc -l < lines)" = 6 ]
awk '{for (i = 1; i <= NF; i++) w[NR, i] = $i} NR % 2 == 0 {
    last = $1 == "friction_loss" ? 4 : NF # its order lies at the limit of what is believed: rounding decides on what follows
    for (i = 1; i <= last; i++) {d = w[NR - 1, i] - w[NR, i]; if (w[NR - 1, i] != w[NR, i] && d * d > (i == 7 ? 4e-3 : 4e-6) * w[NR, i] ^ 2) {print "README.md: " $0 ", and it is " w[NR - 1, i]; exit 1}}
    if ($1 == "friction_loss" && (w[NR - 1, 6] - $6) ^ 2 > $7 ^ 2) {print "README.md: " $0 ", and the limit is " w[NR - 1, 6]; exit 1}
    if ($1 == "friction_loss") {off = $2 / $6 - 1; if (off > 0.05 || off < -0.05) {print "README.md: the loss is off by " off; exit 1}}
  }' lines

# the first deck of the manual: without friction all energy comes back, as printed
deck_of docs/manual.md > ball.yaml
"$CAROM" run ball.yaml $plain > ball
joules=$(awk '/^ +energy  / { print $2 }' ball)
grep -qE "^ +energy +$joules at the start, $joules at the end" ball
grep -qF "The energy is $joules at the start and $joules at the end" "$CAROM_SOURCE/docs/manual.md"

"$CAROM" schema > schema.json
python3 "$CAROM_SOURCE/tests/unit/check_docs.py" "$CAROM_SOURCE" schema.json
